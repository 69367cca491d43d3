"""What outsiders do not learn about a minor: the name, and the table of a match that is still open."""

from datetime import date

import pytest
from django.contrib.auth.models import AnonymousUser

from league.accounts.naming import this_year
from league.matches.models import Match, Table
from league.matches.queries.lines import match_lines
from league.matches.queries.match import match_page
from league.matches.visibility import visible_players
from league.players.models import Player
from league.players.services import enrol
from tests.league.world import played_log

NOBODY = AnonymousUser()


@pytest.fixture
def seated(world) -> Match:
    """A match of Kim, who is twelve, against Bo, at a table."""
    kim = enrol(league=world.league, name="Kim Lee", since=date(2026, 1, 1), born=this_year() - 12)
    table = Table.objects.create(league=world.league, name="7")
    return world.fixture(entrants=[kim, world.bo], table=table)


def tables(match: Match, user) -> set[str]:
    """As lists and as the page of the match say it."""
    lines = match_lines(Match.objects.filter(pk=match.pk), user)
    return {lines[0].table, match_page(user, match.pk).line.table}


def test_only_staff_and_players_learn_the_table_of_an_open_match(world, seated):
    for user in (NOBODY, world.alice, world.charlie):
        assert tables(seated, user) == {""}
    for user in (world.bob, world.referee):
        assert tables(seated, user) == {"7"}


def test_the_table_is_told_once_the_match_is_over_and_of_grown_people_always(world, seated):
    Match.objects.filter(pk=seated.pk).update(state=Match.State.DECIDED)
    assert tables(seated, NOBODY) == {"7"}
    Match.objects.filter(pk=seated.pk).update(state=Match.State.SCHEDULED)
    Player.objects.filter(name="Kim Lee").update(born=None)
    assert tables(seated, NOBODY) == {"7"}


def test_whoever_forgets_to_say_who_asks_hides_the_table(seated):
    assert match_lines(Match.objects.filter(pk=seated.pk))[0].table == ""


def test_a_minor_is_initials_in_lines_pages_and_logs(world, seated):
    world.submit(played_log(names=("Kim Lee", "Bo Chen")), by=world.referee, game=seated.games.get())
    page = match_page(NOBODY, seated.pk)
    assert [side.name for side in page.sides] == ["K. L.", "Bo Chen"]
    assert "Kim" not in "\n".join(line.text for line in page.games[0].log)


def test_the_place_in_the_list_tells_no_more_than_the_initials(world, seated):
    for name in ("Laa", "Lzz"):
        other = enrol(league=world.league, name=name, since=date(2026, 1, 1))
        world.fixture(entrants=[other, world.ana])
    names = [str(player) for player in visible_players(NOBODY)]
    assert names.index("K. L.") < names.index("Laa") < names.index("Lzz")


def test_a_player_on_the_page_of_another_league_is_no_staff_here(world, seated):
    assert tables(seated, world.second_referee) == {"7"}
    assert tables(seated, world.charlie) == {""}

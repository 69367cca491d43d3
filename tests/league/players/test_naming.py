"""Names that others read: initials of minors, codes of the erased, and what tells namesakes apart."""

from datetime import UTC, date, datetime

import pytest
from django.utils import timezone

from league.accounts.models import User
from league.accounts.naming import initials, is_minor, this_year
from league.matches.visibility import visible_players
from league.players.models import Player
from league.players.naming import by_surname, fold, same
from league.players.queries import members
from league.players.services import enrol, erase
from tests.league.world import person

pytestmark = pytest.mark.both

SINCE = date(2026, 1, 1)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Ana Ruiz", "A. R."),
        ("ana maría de la o", "a. m. d. l. o."),
        ("(Ana) “Ace”", "A. A."),
        ("Émile Ž", "É. Ž."),
        ("नीना", "नी."),
        ("🁫", "?"),
    ],
)
def test_initials_are_the_first_letters_of_the_words(name, shown):
    assert initials(name) == shown


@pytest.mark.parametrize(
    ("born", "on", "minor"),
    [
        (2008, date(2026, 12, 31), True),
        (2007, date(2026, 1, 1), False),
        (2015, date(2026, 6, 1), True),
        (None, None, False),
    ],
)
def test_one_is_a_minor_to_the_end_of_the_year_of_the_eighteenth_birthday(born, on, minor):
    assert is_minor(born, on) is minor


def test_the_year_ends_where_it_ends_last(monkeypatch):
    monkeypatch.setattr(timezone, "now", lambda: datetime(2027, 1, 1, 11, 59, tzinfo=UTC))
    assert this_year() == 2026
    monkeypatch.setattr(timezone, "now", lambda: datetime(2027, 1, 1, 12, 0, tzinfo=UTC))
    assert this_year() == 2027


def test_a_minor_is_initials_and_an_erased_player_a_code(world):
    entrant = enrol(league=world.league, name="Kim Lee", since=SINCE, born=this_year() - 12)
    assert (str(entrant.player), str(entrant)) == ("K. L.", "K. L.")
    erase(entrant.player)
    player = Player.objects.get(pk=entrant.player_id)
    assert (str(player), player.born, player.folded) == (player.code, None, "")


def test_an_account_of_a_minor_or_of_nobody_shows_no_name(world):
    rosa = world.referee
    assert str(rosa) == "Rosa Ley"
    rosa.initials_until = this_year()
    assert str(rosa) == "R. L."
    rosa.initials_until = this_year() - 1
    assert str(rosa) == "Rosa Ley"
    nameless = person("kim.lee", initials_until=this_year())
    assert str(nameless) == nameless.code
    rosa.erased_at = timezone.now()
    assert str(rosa) == rosa.code


def test_two_spellings_of_a_name_are_one_by_case_and_confusable_by_accents():
    assert same("ANA  Ruiz") == same("ana ruiz")
    assert same("Jose\u0301") == same("josé") != same("jose")
    assert fold("José PEÑA") == fold("jose pena")


def apart(*entrants) -> list[str]:
    return [Player.objects.get(pk=one.player_id).apart for one in entrants]


def test_namesakes_are_told_apart_by_club_else_number_else_code(world):
    first = enrol(league=world.league, name="Cy Diaz", since=SINCE, club="Hillside", number="3")
    assert apart(first) == [""]
    second = enrol(league=world.league, name="cy diaz", since=SINCE, club="Harbour", number="4")
    assert apart(first, second) == ["Hillside", "Harbour"]
    third = enrol(league=world.elsewhere, name="Cy Díaz", since=SINCE, club="Hillside", number="9")
    assert apart(first, second, third) == ["#3", "Harbour", "#9"]
    fourth = enrol(league=world.elsewhere, name="Cy Diaz", since=SINCE)
    assert apart(fourth) == [fourth.player.code]


def test_who_is_the_last_of_a_name_needs_no_mark(world):
    first = enrol(league=world.league, name="Cy Diaz", since=SINCE, club="Hillside")
    second = enrol(league=world.league, name="Cy Diaz", since=SINCE, club="Harbour")
    erase(first.player)
    assert apart(second) == [""]


def test_minors_with_the_same_initials_are_told_apart_too(world):
    young = this_year() - 12
    first = enrol(league=world.league, name="Kim Lee", since=SINCE, born=young, club="Hillside")
    assert apart(first) == [""]
    second = enrol(league=world.league, name="Ken Low", since=SINCE, born=young, club="Harbour")
    assert apart(first, second) == ["Hillside", "Harbour"]


def test_a_name_changed_in_the_admin_site_is_told_apart_too(world, client):
    client.force_login(User.objects.create_superuser("root"))
    bo = world.bo.player
    form = {"name": "Ana Ruiz", "user": bo.user_id, "born": ""}
    rows = {"memberships-TOTAL_FORMS": 0, "memberships-INITIAL_FORMS": 0}
    answer = client.post(f"/admin/players/player/{bo.pk}/change/", form | rows)
    assert answer.status_code == 302
    assert apart(world.ana, world.bo) == [world.ana.player.code, bo.code]


def test_lists_are_by_surname_in_python_as_in_the_database(world):
    names = ["Zoe Abad", "Ana Zola", "Bo de la Cruz", "Álvaro Abad", "Pelé", "Élan Zöla", "Ana Abad"]
    for name in names:
        enrol(league=world.league, name=name, since=SINCE)
    told = ["Álvaro Abad", "Ana Abad", "Zoe Abad", "Bo de la Cruz", "Pelé", "Ana Zola", "Élan Zöla"]
    assert sorted(names, key=by_surname) == told == sorted(told, key=lambda name: by_surname(f"{name} & Bo Aa"))
    rows = members(world.league, on=date(2026, 2, 1)).filter(name__in=names)
    assert [one.name for one in rows] == told
    assert [one.name for one in visible_players(world.owner).filter(name__in=names)] == told


def test_a_minor_s_place_in_a_list_tells_only_the_initial_of_the_surname(world):
    for name, born in (("Kim Lopez", this_year() - 12), ("Ana Laws", None), ("Bo Lyon", None)):
        enrol(league=world.league, name=name, since=SINCE, born=born)
    rows = visible_players(world.owner).filter(folded__in=["kim lopez", "ana laws", "bo lyon"])
    assert [one.name for one in rows] == ["Kim Lopez", "Ana Laws", "Bo Lyon"]

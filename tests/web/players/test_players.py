"""Players: the list with its search, and a player's page."""

import re
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest
from django.utils import timezone

from league.matches.logs.submission import Fixture, schedule_matches
from league.matches.models import Result
from league.players.services import enrol, erase, merge
from referee.figures import NAMES
from tests.web import world as small


def test_the_search_finds_parts_of_names_and_whole_codes(world, browse) -> None:
    html = browse().get("/players/?q=RUI").content.decode()
    assert "1 player found" in html
    assert "Ana Ruiz" in html
    assert "Bo Chen" not in html
    by_code = browse().get(f"/players/?q={world.entrants[1].player.code.lower()}").content.decode()
    assert "Bo Chen" in by_code
    # An accent by itself is part of no name, as little as letters that nobody has.
    for nothing in ("zzz", "%CC%81"):
        assert "No player here has that name." in browse().get(f"/players/?q={nothing}").content.decode()


def test_people_of_a_draft_are_not_found_by_outsiders(db, browse) -> None:
    world = small.build(published=False)
    assert "Ana Ruiz" not in browse().get("/players/").content.decode()
    assert "Ana Ruiz" in browse(world.ref).get("/players/").content.decode()


FIGURES = dict.fromkeys(NAMES, 0) | {"rounds": 4, "points": 50, "counts": 8, "called": 6, "worth": 100}
FIGURES |= {"caught": 1, "timed": 10, "tenths": 125, "openings": 4, "opened": 1, "left": 6, "passes": 3, "drawn": 5}


def counted(result, **more) -> None:
    """As if the log of the result had been counted: `A` is the first side."""
    other = dict.fromkeys(NAMES, 0) | {"rounds": 4, "suffered": 1}
    verdict = result.record.verdict
    verdict.figures = {"A": FIGURES | more, "B": other}
    verdict.save()


def facts_of(html: str) -> dict[str, str]:
    parts = [part.split("</dd>")[0] for part in html.split("<div><dt>")[1:]]
    return {part.split("</dt>")[0]: part.split("<dd>")[1].split("<small>")[0].strip() for part in parts}


def test_a_player_has_totals_form_and_what_the_logs_tell(world, browse) -> None:
    counted(small.played(world))
    pages = [browse().get(f"/players/{one.player.code}/").content.decode() for one in world.entrants[:2]]
    assert facts_of(pages[0]) == {
        "Matches": "1",
        "Points difference": "+55",
        "Counts made": "8",
        "Counts called": "6",
        "Counts missed": "2",
        "Average count": "12.5",
        "Muggins caught": "1",
        "Muggins suffered": "0",
        "Points per hand": "12.5",
        "Time per move": "1.3 s",
        "Tiles left": "1.5",
        "Passes": "3",
        "Spinner luck": "25 %",
    }
    bo = facts_of(pages[1])
    assert (bo["Points difference"], bo["Muggins caught"], bo["Muggins suffered"]) == ("−55", "0", "1")
    assert (bo["Average count"], bo["Time per move"]) == ("–", "–")
    for html in pages:
        assert "Known from 1 of 1 game<" in html
        assert html.count('class="row"') == 2


def test_where_no_log_tells_what_happened_no_number_is_made_up(world, browse) -> None:
    small.played(world)  # its log has no figures yet
    html = browse().get(f"/players/{world.entrants[0].player.code}/").content.decode()
    assert "Known from 0 of 1 game: only a log tells what happened within a game." in html
    assert list(facts_of(html)) == ["Matches", "Points difference"]


def test_the_matches_and_the_totals_are_narrowed_down_to_a_competition_and_a_year(world, browse) -> None:
    cup = small.knock_out(world, played=1)
    small.played(world)
    ana = f"/players/{world.entrants[0].player.code}/"
    whole = browse().get(ana).content.decode()
    one = browse().get(f"{ana}?in=harbour/autumn").content.decode()
    assert f'value="harbour/{cup.slug}"' in whole
    assert whole.count('class="row"') > one.count('class="row"') == 2
    assert facts_of(one)["Matches"] == "1"
    year = small.FIRST.year
    assert browse().get(f"{ana}?year={year}").content.decode().count('class="row"') == whole.count('class="row"')
    # What is not among the choices narrows nothing down.
    for odd in ("?in=hill/secret", "?year=1999", "?year=x"):
        assert browse().get(ana + odd).content.decode().count('class="row"') == whole.count('class="row"')


def test_who_has_not_played_yet_is_told_when_the_first_match_is(world, browse) -> None:
    html = browse().get(f"/players/{world.entrants[0].player.code}/").content.decode()
    first = min(match.starts_at for match in world.matches if match.sides.filter(entrant=world.entrants[0]))
    assert f"First match on {first.day} November." in html
    assert "Totals" not in html


def test_reneges_are_told_of_this_year_once_nobody_can_appeal_any_more(world, browse, monkeypatch) -> None:
    counted(small.played(world, official=True), reneges=2)
    ana = f"/players/{world.entrants[0].player.code}/"
    end = datetime(2026, 12, 31, 12, tzinfo=UTC)
    for now, official_since, told in (
        (end, end - timedelta(days=8), True),
        (end, end - timedelta(days=6), False),
        (end + timedelta(days=8), end, False),
    ):
        Result.objects.update(confirmed_at=official_since)
        monkeypatch.setattr(timezone, "now", lambda now=now: now)
        assert ("proved 2 times" in browse().get(ana).content.decode()) is told


def test_who_comes_by_the_code_of_somebody_who_was_merged_is_told_so(world, browse) -> None:
    twin = enrol(league=world.league, name="Anna Ruiz", since=date(2026, 1, 1)).player
    kept = world.entrants[0].player
    merge(kept=kept, absorbed=twin, league=world.league, by=world.owner)
    answer = browse().get(f"/players/{twin.code}/")
    assert (answer.status_code, answer.url) == (301, f"/players/{kept.code}/?was={twin.code}")
    program = browse().get(f"/api/v1/players/{twin.code}")
    assert (program.status_code, program.headers["Location"]) == (301, f"/api/v1/players/{kept.code}")
    assert browse().get("/api/v1/players/NOBODY22").status_code == 404
    assert f"Player {twin.code} turned out to be the same person." in browse().get(answer.url).content.decode()
    bo = world.entrants[1].player
    assert "same person" not in browse().get(f"/players/{bo.code}/?was={twin.code}").content.decode()


def test_a_player_whose_name_was_erased_keeps_a_page_that_says_so(world, browse) -> None:
    small.played(world)
    player = world.entrants[0].player
    erase(player)
    html = browse().get(f"/players/{player.code}/").content.decode()
    assert "The name of this player was erased." in html
    assert "Ana" not in html


# --- Two against each other ---


def test_the_opponents_are_listed_by_how_often_they_met(world, browse) -> None:
    again = Fixture(league=world.league, entrants=[world.entrants[0], world.entrants[2]], ruleset="udl", options={})
    schedule_matches([replace(again, published_at=timezone.now()), again])
    html = browse().get(f"/players/{world.entrants[0].player.code}/against/").content.decode()
    assert html.index("Cleo Diaz") < html.index("Bo Chen")
    assert "2 matches" in html  # the third is of a draft
    assert html.count('class="person"') == 2


def test_a_name_that_one_opponent_has_leads_on_to_the_comparison(world, browse) -> None:
    ana, bo, cleo = (one.player.code for one in world.entrants)
    for wanted in ("chen", bo.lower()):
        answer = browse().get(f"/players/{ana}/against/?q={wanted}")
        assert (answer.status_code, answer.url) == (302, f"/players/{ana}/against/{bo}/")
    assert browse().get(f"/players/{ana}/against/?q=e").content.decode().count('class="person"') == 2
    assert "No opponent of that name has met" in browse().get(f"/players/{ana}/against/?q=zzz").content.decode()
    assert browse().get(f"/players/{ana}/against/{ana}/").status_code == 404
    assert browse().get(f"/players/{ana}/against/NOBODY/").status_code == 404
    assert "No match between them is finished." in browse().get(f"/players/{ana}/against/{cleo}/").content.decode()


def test_two_are_held_against_each_other_over_the_matches_in_which_they_met(world, browse) -> None:
    counted(small.played(world))
    others = [match for match in world.matches if match != world.match]
    for match in others:
        small.played(world, match)
    ana, bo = (one.player.code for one in world.entrants[:2])
    html = browse().get(f"/players/{ana}/against/{bo}/").content.decode()
    rows = [part.split("</tr>")[0] for part in html.split("<tbody>")[1].split("<tr>")[1:]]
    told = {row.split('<th scope="row">')[1].split("<")[0]: re.findall(r"<td>(.*?)</td>", row) for row in rows}
    assert told["Matches won"] == ["1", "0"]
    assert told["Points for"] == ["150", "95"]
    assert told["Counts missed"] == ["2", "0"]
    assert told["Muggins caught"] == ["1", "0"]
    assert told["Average count"][0] == "12.5"
    assert "not known" in told["Average count"][1]
    assert html.count('class="row"') == 1
    turned = browse().get(f"/players/{bo}/against/{ana}/").content.decode()
    assert '<td>95</td><th scope="row">Points for</th><td>150</td>' in turned


@pytest.mark.parametrize("rows", [1, 3])
def test_the_comparison_takes_the_same_statements_for_one_and_three_matches(
    world, browse, django_assert_num_queries, rows
) -> None:
    both = Fixture(league=world.league, entrants=world.entrants[:2], ruleset="udl", options={})
    small.played(world)
    for match in schedule_matches([replace(both, published_at=timezone.now())] * (rows - 1)):
        small.played(world, match)
    ana, bo = (one.player.code for one in world.entrants[:2])
    client = browse()
    with django_assert_num_queries(12):
        assert client.get(f"/players/{ana}/against/{bo}/").content.decode().count('class="row"') == rows


def test_codes_are_read_in_either_case(world, browse) -> None:
    assert browse().get(f"/players/{world.entrants[0].player.code.lower()}/").status_code == 200


@pytest.mark.parametrize("rows", [1, 3])
def test_a_player_takes_the_same_statements_for_one_and_three_matches(
    db, browse, django_assert_num_queries, rows
) -> None:
    world = small.build(players=rows + 1)
    mine = [m for m in world.matches if world.entrants[0].pk in {side.entrant_id for side in m.sides.all()}]
    assert len(mine) == rows
    for match in mine:
        small.played(world, match)
    client = browse()
    with django_assert_num_queries(14):
        client.get(f"/players/{world.entrants[0].player.code}/")


@pytest.mark.parametrize("count", [2, 4])
def test_the_list_takes_the_same_statements_for_two_and_four_players(
    db, browse, django_assert_num_queries, count
) -> None:
    small.build(players=count)
    client = browse()
    with django_assert_num_queries(2):
        html = client.get("/players/").content.decode()
    assert html.count('class="person"') == count


def test_both_lists_have_pages(db, browse) -> None:
    world = small.build(players=14)
    html = browse().get(f"/players/{world.entrants[0].player.code}/").content.decode()
    assert "Page 1 of 2" in html
    assert html.count('class="row"') == 12
    from datetime import date

    from tests.web.world import enrol

    for number in range(40):
        enrol(league=world.league, name=f"Extra {number}", since=date(2026, 1, 1))
    staff = browse(world.ref).get("/players/?q=e").content.decode()
    assert "Page 1 of 2" in staff
    assert "?q=e&amp;page=2" in staff


def test_a_player_page_says_that_provisional_results_are_counted(world, browse) -> None:
    small.played(world)
    html = browse().get(f"/players/{world.entrants[0].player.code}/").content.decode()
    assert "Unconfirmed results are counted too, as in the unconfirmed standings." in html


@pytest.mark.parametrize(
    ("name", "asked"),
    [("\u0410n\u0430 Ruiz", True), ("Ana Ru\u00edz", True), ("Ana Ruiz", True), ("Anna Ruiz", False)],
)
def test_adding_a_look_alike_name_asks_first(world, browse, name, asked) -> None:
    assert world.entrants[0].player.name == "Ana Ruiz"
    answer = browse(world.owner).post(
        "/leagues/harbour/players/add/", {"name": name, "since": "2026-11-21"}, follow=True
    )
    assert ("If it is the same person" in answer.content.decode()) == asked

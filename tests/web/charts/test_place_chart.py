"""Places by round, and over the challenges of a ladder: what the chart says is what the tables said."""

import re

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext

from league.competitions.draw import plans
from league.competitions.draw.plans import Plan
from league.competitions.draw.publishing import publish
from league.competitions.draw.stages import draw
from league.competitions.ladders.services import challenge
from league.competitions.models import Competition
from league.competitions.queries.places_by_round import Journey, journeys
from league.competitions.queries.rounds import table_page
from league.competitions.registration.entries import register
from league.competitions.visibility import seen_competition
from league.matches.logs.submission import confirm_result
from league.matches.models import KnownBy
from league.matches.results.entering import enter_sheet
from league.web.charts.places import DASHES, MARKS, MOST_LINES, PlaceColumn, place_chart
from tests.web import world as small
from tests.web.organize.test_organize import text_of

PLACES = "/competitions/harbour/autumn/places/"


def way(place: int, *lines: int) -> Journey:
    return Journey(place, f"C{place}", f"Name {place}", tuple(one + 1 for one in lines), lines)


def columns(count: int) -> list[PlaceColumn]:
    return [PlaceColumn(str(n), f"Round {n}", f"/rounds/{n}/") for n in range(1, count + 1)]


def test_a_line_goes_through_its_place_after_each_round() -> None:
    chart = place_chart([way(0, 1, 0), way(1, 0, 1)], columns(2), "")
    # Columns are 52 wide, rows 32 high, below a head of 32.
    assert [line.path for line in chart.lines] == ["M26 80L78 48", "M26 48L78 80"]
    assert [[point.rank for point in line.points] for line in chart.lines] == [[2, 1], [1, 2]]
    assert [(point.left, point.top) for point in chart.lines[0].points] == [(0, 64), (52, 32)]


def test_of_a_part_of_a_large_table_the_order_is_drawn_and_the_places_are_told() -> None:
    chart = place_chart([way(0, 90, 40), way(1, 12, 41)], columns(2), "")
    assert [line.path for line in chart.lines] == ["M26 80L78 48", "M26 48L78 80"]
    assert [[point.rank for point in line.points] for line in chart.lines] == [[91, 41], [13, 42]]


def test_no_two_of_the_lines_that_are_drawn_at_once_are_alike() -> None:
    chart = place_chart([way(n, n) for n in range(MOST_LINES)], columns(1), "")
    assert len({(line.sign, line.dash) for line in chart.lines}) == MOST_LINES == len(MARKS) * len(DASHES)


def test_whoever_is_followed_is_drawn_above_the_others() -> None:
    chart = place_chart([way(0, 0), way(1, 1), way(2, 2)], columns(1), "C0")
    assert [line.way.code for line in chart.drawn] == ["C1", "C2", "C0"]
    assert [line.way.code for line in chart.lines] == ["C0", "C1", "C2"]


def test_each_round_is_the_table_as_it_stood_then(db) -> None:
    world = small.build(players=6)
    for match in world.matches[:9]:
        small.played(world, match, official=True)
    competition = seen_competition(world.owner, "harbour", "autumn")
    page = table_page(competition)
    found = journeys(page.table, range(6), official_only=True)
    assert found.rounds == (1, 2, 3)
    for column, number in enumerate(found.rounds):
        rows = table_page(competition, after=number).table.rows(range(6), official_only=True)
        assert {one.code: one.ranks[column] for one in found.ways} == {row.code: row.rank for row in rows}
        assert sorted(found.ways, key=lambda one: one.lines[column]) == [
            next(one for one in found.ways if one.code == row.code) for row in rows
        ]


def test_of_thousands_only_the_latest_rounds_are_computed_and_the_page_says_so(db, browse, monkeypatch) -> None:
    world = small.build(players=6)
    for match in world.matches[:9]:
        small.played(world, match, official=True)
    assert "begins after" not in browse().get(PLACES).content.decode()
    cache.clear()
    monkeypatch.setattr("league.competitions.queries.places_by_round.MOST_ROWS", 12)
    html = browse().get(PLACES).content.decode()
    assert "So many take part that the chart begins after round 1." in html
    assert [f"/rounds/{number}/" in html.split("<main")[1] for number in (1, 2, 3)] == [False, True, True]


def test_a_later_result_is_in_the_chart_at_once(db, browse) -> None:
    world = small.build(players=4)
    small.played(world, world.matches[0], official=True)
    before = browse().get(PLACES).content.decode()
    small.played(world, world.matches[2], official=True)
    after = browse().get(PLACES).content.decode()
    heads = [re.findall(r'<abbr title="Round (\d)">', html) for html in (before, after)]
    assert heads == [["1"], ["1", "2"]]


def test_the_chart_has_a_table_beside_it_and_points_lead_to_their_rounds(world, browse) -> None:
    small.played(world, official=True)
    html = browse().get(PLACES).content.decode()
    table = html.split('class="twin-table"')[1]
    names = re.findall(r"<bdi>([^<]+)</bdi></a></th>", table)
    ranks = re.findall(r"<td>(\d)</td>", table)
    assert names == ["Ana Ruiz", "Cleo Diaz", "Bo Chen"]
    assert len(ranks) % 3 == 0
    number = re.search(r'Round (\d)"', table).group(1)
    assert html.count(f'href="/competitions/harbour/autumn/rounds/{number}/" tabindex="-1"') == 3


def test_before_anything_is_played_there_is_no_chart(world, browse) -> None:
    html = browse().get(PLACES).content.decode()
    assert "Nothing has been played yet" in html
    assert "<svg viewBox" not in html.split('id="places"')[1].split("</section>")[0]


def test_of_thirty_the_chart_shows_those_around_whoever_is_followed(db, browse) -> None:
    world = small.build(players=30)
    small.played(world, world.matches[0], official=True)
    client = browse()
    first = client.get(PLACES).content.decode()
    assert "Places 1 to 24 of 30" in first
    last = re.findall(r"player=(\w+)", first)[-1]
    assert "Places 7 to 30 of 30" in client.get(f"{PLACES}?from=25").content.decode()
    around = client.get(f"{PLACES}?player={last}").content.decode()
    assert "Places 7 to 30 of 30" in around
    assert around.count("way tone-") == 24
    assert around.count(" followed") >= 1


@pytest.mark.parametrize("asked", ["?from=0", "?from=9999", "?until=0", "?until=9999", "?from=x&until=-1", "?group=7"])
def test_an_odd_address_shows_the_nearest_part(world, browse, asked) -> None:
    small.played(world, official=True)
    answer = browse().get(f"{PLACES}{asked}")
    assert answer.status_code == 200
    assert answer.content.decode().count("way tone-") == 3


def statements(client, path: str) -> int:
    with CaptureQueriesContext(
        connection,
    ) as found:
        assert client.get(path).status_code == 200
    return len(found)


def test_the_chart_takes_as_many_statements_for_one_round_as_for_five_kept_or_not(db, browse) -> None:
    world = small.build(players=6)
    client, counts = browse(), []
    for match in (world.matches[:3], world.matches):
        for one in match:
            if one.state != "decided" and not one.games.get().results.exists():
                small.played(world, one, official=True)
        cache.clear()
        fresh = statements(client, PLACES)
        counts.append((fresh, statements(client, PLACES)))
    assert counts[0] == counts[1]
    assert counts[0][1] < counts[0][0]


def test_a_knock_out_has_no_places_by_round(world, browse) -> None:
    cup = small.knock_out(world)
    assert browse().get(f"/competitions/harbour/{cup.slug}/places/").status_code == 404
    assert "places/" not in browse().get(f"/competitions/harbour/{cup.slug}/").content.decode()


def test_a_ladder_shows_where_everybody_stood_after_each_challenge(world, browse) -> None:
    plan = Plan(name="Ladder", ruleset="udl", format="ladder", challenge_reach=2)
    made = plans.found(world.league, plan, user=world.owner)
    register(made, world.entrants)
    draw(made, user=world.owner)
    publish(made, user=world.owner)
    made = Competition.objects.get(pk=made.pk)
    path = "/competitions/harbour/ladder/places/"
    assert "Nothing has been played yet" in browse().get(path).content.decode()
    last, first = world.entrants[2], world.entrants[0]
    one = challenge(made, last, first, by=world.owner)
    done = enter_sheet(one.slot.match.games.get(), world.ref, {"scores": [95, 150]}, kind=KnownBy.SCORE, insist=True)
    confirm_result(result=done.result, user=world.owner)
    table = browse().get(path).content.decode().split('class="twin-table"')[1]
    rows = [text_of(row) for row in table.split("<tbody>")[1].split("</tr>")[:-1]]
    assert rows == ["Cleo Diaz 3 1", "Ana Ruiz 1 2", "Bo Chen 2 3"]
    assert f'href="/matches/{one.slot.match_id}/"' in table

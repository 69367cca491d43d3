"""Who met whom: a cell says what the match said, as far as the reader may see it."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from league.competitions.draw import plans
from league.competitions.draw.plans import Plan
from league.competitions.draw.publishing import publish
from league.competitions.draw.stages import draw
from league.competitions.models import Competition, Matchday, Stage
from league.competitions.registration.entries import register
from league.matches.models import Amendment, Result
from league.players.services import enrol
from tests.web import world as small
from tests.web.organize.test_organize import text_of

PAGE = "/competitions/harbour/autumn/cross-table/"


def cells(html: str) -> list[list[str]]:
    body = html.split("<tbody>")[1].split("</tbody>", maxsplit=1)[0]
    return [[text_of(cell) for cell in re.split(r"</t[dh]>", row)[:-1]] for row in body.split("</tr>")[:-1]]


def swiss(world, *, players: int = 5, rounds: int = 3) -> Competition:
    more = [enrol(league=world.league, name=f"Guest {n}", since=small.FIRST.date()) for n in range(players - 3)]
    plan = Plan(
        name="Swiss",
        ruleset="udl",
        format=Stage.Format.SWISS,
        rounds=rounds,
        release=Competition.Release.ROUND_BY_ROUND,
        starts_at=small.FIRST,
    )
    made = plans.found(world.league, plan, user=world.owner)
    register(made, [*world.entrants, *more])
    draw(made, user=world.owner)
    return made


def test_both_see_the_same_match_each_from_their_side(world, browse) -> None:
    small.played(world, official=True)
    table = cells(browse().get(PAGE).content.decode())
    assert table == [
        ["1", "Ana Ruiz", "oneself", "–", "W 150–95"],
        ["2", "Cleo Diaz", "–", "oneself", "–"],
        ["3", "Bo Chen", "L 95–150", "–", "oneself"],
    ]
    match = world.match.pk
    assert browse().get(PAGE).content.decode().count(f'href="/matches/{match}/"') == 2


def test_what_nobody_has_confirmed_stands_in_brackets(world, browse) -> None:
    small.played(world)
    html = browse().get(PAGE).content.decode()
    assert cells(html)[0][-1] == "W ( 150–95 )".replace("( ", "(").replace(" )", ")")
    assert "Scores in brackets wait for their confirmation." in html
    Result.objects.update(state=Result.State.OFFICIAL)
    assert "Scores in brackets" not in browse().get(PAGE).content.decode()


def test_a_result_that_an_official_must_decide_is_marked_and_counts_nowhere(world, browse) -> None:
    small.played(world)
    Result.objects.update(needs_decision=True)
    table = cells(browse().get(PAGE).content.decode())
    assert sum(cell.endswith("under review") for row in table for cell in row) == 2
    assert not any(cell.startswith("W") for row in table for cell in row[2:])


def test_of_a_match_of_several_games_the_games_are_told(world, browse) -> None:
    small.played(world, official=True)
    world.match.__class__.objects.filter(pk=world.match.pk).update(best_of=3, state="playing")
    # One game of three is no end.
    assert [row[2:].count("–") for row in cells(browse().get(PAGE).content.decode())] == [2, 2, 2]


def test_a_swiss_is_read_round_by_round_with_the_number_of_the_opponent_and_the_bye(world, browse) -> None:
    made = swiss(world)
    publish(made, user=world.owner)
    first = next(
        slot.match
        for slot in Matchday.objects.get(stage__competition=made, number=1).slots.order_by("number")
        if slot.match
    )
    small.played(world, first, official=True)
    table = cells(browse().get("/competitions/harbour/swiss/cross-table/").content.decode())
    column = [row[2] for row in table]
    assert column.count("Bye") == 1
    won, lost = (next(cell for cell in column if f" {letter} " in cell) for letter in "WL")
    places = {row[2]: row[0] for row in table}
    assert won == f"{places[lost]} W 150–95"
    assert lost == f"{places[won]} L 95–150"


def test_a_round_that_is_not_published_is_told_to_the_staff_alone(world, browse) -> None:
    made = swiss(world)
    publish(made, user=world.owner)
    Matchday.objects.filter(stage__competition=made).update(published_at=None)
    path = "/competitions/harbour/swiss/cross-table/"
    seen = {user: cells(browse(user).get(path).content.decode()) for user in (None, world.bob, world.owner)}
    assert all(len(row) == 2 for user in (None, world.bob) for row in seen[user])
    assert any(row[2] for row in seen[world.owner])


def test_groups_have_a_cross_table_each(world, browse) -> None:
    more = [enrol(league=world.league, name=f"Guest {n}", since=small.FIRST.date()) for n in range(3)]
    plan = Plan(name="Groups", ruleset="udl", format=Stage.Format.GROUPS, groups=2)
    made = plans.found(world.league, plan, user=world.owner)
    register(made, [*world.entrants, *more])
    draw(made, user=world.owner)
    publish(made, user=world.owner)
    path = "/competitions/harbour/groups/cross-table/"
    both = [{row[1] for row in cells(browse().get(f"{path}?group={n}").content.decode())} for n in (1, 2)]
    assert [len(one) for one in both] == [3, 3]
    assert both[0].isdisjoint(both[1])


def test_more_than_forty_columns_come_in_pages(db, browse) -> None:
    small.build(players=42)
    client = browse()
    first, second = (client.get(f"{PAGE}?columns={n}").content.decode() for n in (1, 2))
    assert [len(cells(html)[0]) for html in (first, second)] == [42, 4]
    assert "Columns: page 1 of 2" in first
    assert len(cells(client.get(f"{PAGE}?rows=2").content.decode())) == 2


@pytest.mark.parametrize("asked", ["?rows=0", "?rows=99&columns=99", "?rows=x&group=9"])
def test_an_odd_page_is_the_nearest_one(world, browse, asked) -> None:
    assert len(cells(browse().get(f"{PAGE}{asked}").content.decode())) == 3


def test_it_takes_the_same_statements_for_one_and_three_results(world, browse) -> None:
    client, counts = browse(), set()
    for match in (None, *world.matches):
        if match:
            small.played(world, match, official=True)
        client.get(PAGE)
        with CaptureQueriesContext(connection) as asked:
            client.get(PAGE)
        counts.add(len(asked))
    assert len(counts) == 1


def test_at_tables_of_four_there_is_none(world, browse) -> None:
    plan = Plan(
        name="Tables", ruleset="all-fives", format=Stage.Format.TABLE_ROUNDS, seats=3, rounds=1,
        tie_breaks=["place_points", "difference"],
    )  # fmt: skip
    made = plans.found(world.league, plan, user=world.owner)
    register(made, world.entrants)
    draw(made, user=world.owner)
    publish(made, user=world.owner)
    assert browse().get("/competitions/harbour/tables/cross-table/").status_code == 404
    assert "cross-table/" not in browse().get("/competitions/harbour/tables/").content.decode()


def marks(html: str) -> list[str]:
    """What stands beside scores, icon and word, in the order of the page."""
    body = html.split("<tbody>")[1].split("</tbody>", maxsplit=1)[0]
    found = re.findall(r'<small class="doubt \w+">(<svg class="icon".*?</svg>)?([^<]+)</small>', body)
    assert all(icon for icon, _word in found)
    return [word for _icon, word in found]


def test_doubts_about_a_result_are_told_as_in_the_standings_and_at_the_match(world, browse) -> None:
    small.played(world, official=True)
    assert marks(browse().get(PAGE).content.decode()) == []
    for change, word, told in (
        ({"needs_decision": True}, "under review", "has to decide"),
        ({"contested": True}, "under review", "has to decide"),
        ({"confirmed_how": Result.Confirmation.AMENDED}, "amended", "was changed"),
    ):
        before = {name: getattr(world.game().results.get(current=True), name) for name in change}
        Result.objects.update(**change)
        html = browse().get(PAGE).content.decode()
        assert marks(html) == [word, word]
        assert told in html.split("</caption>")[0]
        Result.objects.update(**before)
    html = browse().get(PAGE).content.decode()
    assert marks(html) == []
    assert "has to decide" not in html


def test_what_was_replaced_is_no_doubt_about_what_stands(world, browse) -> None:
    """The control: the same marks on a result that counts no more."""
    small.played(world)
    Result.objects.update(contested=True, current=False)
    assert marks(browse().get(PAGE).content.decode()) == []


def test_an_amendment_that_waits_is_told_and_not_what_it_says(world, browse) -> None:
    result = small.played(world, official=True)
    Amendment.objects.create(
        game=world.game(), old=result, kind="score", data={}, scores={"1": 95, "2": 150}, reason="swapped",
        proposed_by=world.ref, proposed_at=small.FIRST,
    )  # fmt: skip
    html = browse().get(PAGE).content.decode()
    assert marks(html) == ["under review", "under review"]
    assert "swapped" not in html
    Amendment.objects.update(state=Amendment.State.REFUSED, closed_by=world.owner, closed_at=small.FIRST)
    assert marks(browse().get(PAGE).content.decode()) == []


def test_doubts_cost_no_more_statements_the_more_there_are(world, browse) -> None:
    client, counts = browse(), set()
    for number, match in enumerate(world.matches, start=1):
        small.played(world, match, official=True)
        Result.objects.update(contested=True)
        client.get(PAGE)
        with CaptureQueriesContext(connection) as asked:
            html = client.get(PAGE).content.decode()
        assert len(marks(html)) == 2 * number
        counts.add(len(asked))
    assert len(counts) == 1

"""Rounds and standings as the pages of a competition show them: what comes from where, and who sees what when."""

from typing import Any

from django.test import Client
from django.utils import timezone

from league.competitions.draw.advancing import advance
from league.competitions.draw.publishing import publish_matchday
from league.competitions.models import Competition
from league.competitions.queries.competition import competition_page
from league.players.services import enrol
from tests.league.api.conftest import Program
from tests.league.competitions.cup import enter_result, published, slot
from tests.league.world import NOON, World

ONE_BY_ONE = Competition.Release.ROUND_BY_ROUND


def rounds(competition: Competition, client: Client | None = None) -> list[dict[str, Any]]:
    answer = (client or Client()).get(f"/api/v1/competitions/harbour/{competition.slug}/rounds")
    assert answer.status_code == 200, answer.content
    return answer.json()["results"]


def stands(berth: dict[str, Any]) -> object:
    """Who, else (match number, takes)."""
    came = berth["comes_from"]
    return berth["player"]["name"] if berth["player"] else (came["match_number"], came["takes"])


def test_a_knock_out_says_who_comes_from_where(world: World) -> None:
    cup = published(world, 5, third_place=True)
    found = rounds(cup)
    assert [day["name"] for day in found] == ["Quarter-finals", "Semi-finals", "Final"]
    assert [
        [(one["match_number"], [stands(berth) for berth in one["berths"]]) for one in day["slots"]] for day in found
    ] == [
        [(None, ["Ana Ruiz"]), (1, ["P4", "P5"]), (None, ["Bo Chen"]), (None, ["P3"])],
        [(2, ["Ana Ruiz", (1, "winner")]), (3, ["Bo Chen", "P3"])],
        [(4, [(2, "winner"), (3, "winner")]), (5, [(2, "loser"), (3, "loser")])],
    ]
    assert [one["third_place"] for one in found[2]["slots"]] == [False, True]
    through_a_bye, to_come = found[1]["slots"][0]["berths"]
    assert through_a_bye["comes_from"] == {"round": 1, "slot": 1, "match_number": None, "takes": "winner"}
    assert to_come == {
        "number": 2,
        "player": None,
        "comes_from": {"round": 1, "slot": 2, "match_number": 1, "takes": "winner"},
        "absent": False,
        "stands_although": False,
    }
    assert [[one["match"] is not None for one in day["slots"]] for day in found] == [
        [False, True, False, False],
        [False, True],
        [False, False],
    ]


def test_a_winner_takes_the_berth_and_keeps_the_origin(world: World) -> None:
    cup = published(world, 4)
    match = slot(cup, 1, 2).match
    enter_result(world, match, 2)
    advance(match.pk)
    [final] = rounds(cup)[1]["slots"]
    assert [stands(berth) for berth in final["berths"]] == [(1, "winner"), "P3"]
    assert final["berths"][1]["comes_from"] == {"round": 1, "slot": 2, "match_number": 2, "takes": "winner"}


def test_a_round_robin_has_two_berths_a_match_and_one_for_a_bye(world: World) -> None:
    league = published(world, 3, name="Round", format="round_robin", starts_at=None)
    first = rounds(league)[0]["slots"]
    assert sorted(len(one["berths"]) for one in first) == [1, 2]
    for one in first:
        is_bye = len(one["berths"]) == 1
        assert (one["match_number"] is None, one["match"] is None) == (is_bye, is_bye)
        assert [(berth["player"] is None, berth["comes_from"]) for berth in one["berths"]] == [(False, None)] * len(
            one["berths"]
        )


def test_of_a_round_that_is_not_published_outsiders_see_the_shape_and_the_staff_all(
    world: World, program: Program
) -> None:
    league = published(world, 4, name="Round", format="round_robin", release=ONE_BY_ONE, tables=["4"])
    outsider, player, staff = (rounds(league, client) for client in (None, program(world.alice), program(world.owner)))
    assert player == outsider
    assert [day["hidden"] for day in outsider] == [False, True, True]
    assert [day["hidden"] for day in staff] == [False, False, False]
    assert outsider[0] == staff[0]
    assert (outsider[1]["name"], outsider[1]["published_at"]) == ("Round 2", None)
    unknown = {"player": None, "comes_from": None, "absent": False, "stands_although": False}
    nobody = [{"number": number, **unknown} for number in (1, 2)]
    assert outsider[1]["slots"] == [
        {
            "number": number,
            "match_number": 2 + number,
            "group": None,
            "third_place": False,
            "conditional": False,
            "not_needed": False,
            "locked": False,
            "reasons": [],
            "starts_at": None,
            "table": "",
            "requested_bye": False,
            "may_change": False,
            "berths": nobody,
            "match": None,
        }
        for number in (1, 2)
    ]
    assert all(one["match"] and one["starts_at"] and one["table"] == "4" for one in staff[1]["slots"])


def test_rounds_are_hidden_as_on_the_page(world: World, program: Program) -> None:
    league = published(world, 4, name="Round", format="round_robin", release=ONE_BY_ONE)
    second = league.stages.get().matchdays.get(number=2)
    publish_matchday(second, user=world.owner, reason="Rain")
    for user in (world.charlie, world.referee):
        told = rounds(league, program(user))
        page = competition_page(user, "harbour", league.slug)
        assert [(day["name"], day["hidden"]) for day in told] == [(day.name, day.hidden) for day in page.matchdays]
    assert (told[1]["missing_before"], told[1]["missing_rounds"], told[1]["reason"]) == (2, ["Round 1"], "Rain")


def test_the_direct_encounter_says_what_it_compared(world: World) -> None:
    order = ["direct_encounter", "difference"]
    league = published(world, 3, name="Round", format="round_robin", tie_breaks=order)
    decided = slot_of(league, world)
    enter_result(world, decided, 1)
    first = decided.sides.get(number=1).entrant_id
    found = Client().get(f"/api/v1/competitions/harbour/{league.slug}/standings").json()
    assert found["tie_breaks"] == ["direct_encounter", "difference"]
    codes = {row["player"]["name"]: row["player"]["code"] for row in found["rows"]}
    winner = world.ana if first == world.ana.pk else world.bo
    row = next(one for one in found["rows"] if one["player"]["code"] == winner.player.code)
    [compared] = row["direct_encounters"]
    assert (compared["points"], compared["missing"], compared["still_open"]) == (2, 1, True)
    assert sorted(compared["level_with"]) == sorted(set(codes.values()) - {winner.player.code})


def slot_of(league: Competition, world: World):
    """The match of Ana and Bo."""
    both = {world.ana.pk, world.bo.pk}
    days = league.stages.get().matchdays.prefetch_related("slots__match__sides")
    matches = [one.match for day in days for one in day.slots.all() if one.match]
    return next(match for match in matches if {side.entrant_id for side in match.sides.all()} == both)


def test_namesakes_are_told_apart_wherever_they_stand(world: World) -> None:
    other = enrol(league=world.league, name="Ana Ruiz", since=NOON.date(), club="Pier")
    code = world.ana.player.code
    league = published(world, 2, name="Round", format="round_robin")
    one = {"code": code, "name": "Ana Ruiz", "apart": code}
    brief = {**one, "players": [one]}
    [day] = rounds(league)
    assert next(one["player"] for one in day["slots"][0]["berths"] if one["player"]["name"] == "Ana Ruiz") == brief
    get = Client().get
    standings = get(f"/api/v1/competitions/harbour/{league.slug}/standings").json()["rows"]
    assert next(row["player"] for row in standings if row["player"]["name"] == "Ana Ruiz") == brief
    assert get(f"/api/v1/matches/{world.match.pk}").json()["sides"][0]["player"] == brief
    assert get(f"/api/v1/players/{code}").json()["apart"] == code
    world.fixture(entrants=[other, world.bo], published_at=timezone.now())
    assert [one["apart"] for one in get("/api/v1/players?q=ana ruiz").json()["results"]] == sorted(
        ["Pier", code], key=lambda apart: {"Pier": other.player.code}.get(apart, code)
    )

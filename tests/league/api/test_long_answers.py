"""Rounds and standings of any length come in pages, and the pages together say what one long answer would."""

from typing import Any

import pytest
from django.test import Client

from league.competitions.draw.publishing import publish
from league.competitions.draw.stages import draw
from league.competitions.models import Competition, Stage
from league.competitions.queries.competition import competition_page
from league.competitions.registration.entries import register
from league.matches.logs.submission import confirm_result
from tests.league.api.conftest import Program
from tests.league.api.managed import founded
from tests.league.competitions.cup import enter_result, published, slot
from tests.league.world import World

V1 = "http://testserver"


def pages(path: str, client: Client | None = None) -> list[dict[str, Any]]:
    """Every page from this one on, by the addresses that they name."""
    found = []
    while path:
        answer = (client or Client()).get(path)
        assert answer.status_code == 200, answer.content
        found.append(answer.json())
        path = (found[-1]["next"] or "").removeprefix(V1)
    return found


def address(competition: Competition, what: str) -> str:
    return f"/api/v1/competitions/harbour/{competition.slug}/{what}"


def joined(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """As a program puts the rounds of all pages together."""
    rounds: dict[tuple[int, int], dict[str, Any]] = {}
    for page in found:
        for one in page["results"]:
            kept = rounds.setdefault((one["stage"], one["number"]), {**one, "slots": []})
            assert {**one, "slots": []} == {**kept, "slots": []}
            kept["slots"] += one["slots"]
    return list(rounds.values())


# --- Rounds ---


@pytest.mark.parametrize("plan", [{}, {"format": "double_elimination"}, {"format": "round_robin"}])
def test_a_round_goes_on_on_the_next_page(world: World, plan: dict[str, Any]) -> None:
    cup = published(world, 7, **plan)
    whole = pages(address(cup, "rounds?page_size=100"))
    assert len(whole) == 1
    slots = sum(len(one["slots"]) for one in whole[0]["results"])
    small = pages(address(cup, "rounds?page_size=3"))
    assert [sum(len(one["slots"]) for one in page["results"]) for page in small[:-1]] == [3] * (len(small) - 1)
    assert {page["count"] for page in (*small, *whole)} == {slots}
    assert joined(small) == whole[0]["results"]
    assert small[1]["results"][0]["number"] == small[0]["results"][-1]["number"]


def test_all_rounds_are_there_in_the_order_of_the_page(world: World) -> None:
    cup = published(world, 5, format="double_elimination")
    page = competition_page(world.owner, "harbour", cup.slug)
    [told] = pages(address(cup, "rounds"))
    assert [
        (one["stage"], one["number"], one["name"], [slot["match_number"] for slot in one["slots"]])
        for one in told["results"]
    ] == [(day.stage_number, day.number, day.name, [slot.number for slot in day.slots]) for day in page.matchdays]
    assert [[berth["comes_from"] for slot in one["slots"] for berth in slot["berths"]] for one in told["results"]] == [
        [came(page.slots, berth) for slot in day.slots for berth in slot.berths] for day in page.matchdays
    ]


def came(slots, berth):
    if berth.from_slot is None:
        return None
    origin = next(one for one in slots if one.id == berth.from_slot)
    return {
        "round": origin.round_number,
        "slot": origin.place,
        "match_number": origin.number,
        "takes": berth.takes,
    }


def test_one_round_or_one_stage_can_be_asked_for(world: World) -> None:
    league = published(world, 6, name="Round", format="round_robin")
    everything = pages(address(league, "rounds"))[0]["results"]
    [third] = pages(address(league, "rounds?round=3"))
    assert (third["count"], third["results"]) == (3, [everything[2]])
    assert pages(address(league, "rounds?stage=1"))[0]["results"] == everything
    assert pages(address(league, "rounds?stage=2"))[0] == {"count": 0, "next": None, "previous": None, "results": []}
    for wrong in ("round=0", "stage=first", "round=3&round=4"):
        assert Client().get(address(league, f"rounds?{wrong}")).status_code == 400


def test_a_round_without_slots_is_told(world: World) -> None:
    """Of a ladder that nobody has climbed yet."""
    ladder = founded(world, "Ladder", format="ladder", challenge_reach=2, challenge_days=14)
    register(ladder, [world.ana, world.bo])
    draw(ladder, user=world.owner)
    publish(ladder, user=world.owner)
    days = competition_page(world.owner, "harbour", ladder.slug).matchdays
    [told] = pages(address(ladder, "rounds"))
    assert [(one["number"], one["name"], one["slots"]) for one in told["results"]] == [
        (day.number, day.name, []) for day in days
    ]
    assert len(days) == 1


def test_rounds_are_never_old(world: World) -> None:
    """They are found by the shape of the draw, which is kept."""
    league = published(world, 4, name="Swiss", format=Stage.Format.SWISS, rounds=2, release="round_by_round")
    before = pages(address(league, "rounds"))[0]["results"]
    played = slot(league, 1, 1)
    enter_result(world, played.match, 1)
    after = pages(address(league, "rounds"))[0]["results"]
    assert before[0]["slots"][0]["match"]["state"] != after[0]["slots"][0]["match"]["state"]
    played.delete()
    assert pages(address(league, "rounds"))[0]["count"] == 1


# --- Standings ---


def test_a_long_table_comes_in_pages(world: World) -> None:
    league = published(world, 7, name="Round", format="round_robin")
    enter_result(world, slot(league, 1, 1).match or slot(league, 1, 2).match, 1)
    [whole] = pages(address(league, "standings?terms=all"))
    assert (whole["count"], whole["next"], whole["previous"], len(whole["rows"])) == (7, None, None, 7)
    small = pages(address(league, "standings?page_size=3&terms=all"))
    assert [len(page["rows"]) for page in small] == [3, 3, 1]
    assert [row for page in small for row in page["rows"]] == whole["rows"]
    assert small[1]["previous"] == f"{V1}{address(league, 'standings?page_size=3&terms=all')}"
    assert {name: whole[name] for name in ("scoring", "groups", "table")} == {
        name: small[2][name] for name in ("scoring", "groups", "table")
    }
    assert Client().get(address(league, "standings?page_size=3&page=4")).status_code == 404
    assert Client().get(address(league, "standings?page_size=101")).status_code == 400


def test_terms_are_told_when_they_are_asked_for(world: World) -> None:
    league = published(world, 4, name="Round", format="round_robin")
    enter_result(world, slot(league, 1, 1).match, 1)
    few, many = (pages(address(league, f"standings?terms={which}"))[0]["rows"] for which in ("none", "all"))
    assert {len(one["terms"]) for row in few for one in row["figures"]} == {0}
    assert any(one["terms"] for row in many for one in row["figures"])
    for row in many:
        for one in row["figures"]:
            one["terms"] = []
    assert many == few


def test_standings_are_never_old(world: World) -> None:
    league = published(world, 4, name="Round", format="round_robin")

    def told(which: str) -> tuple[bool, list[int]]:
        [found] = pages(address(league, f"standings?table={which}"))
        return found["has_provisional"], sorted(row["match_points"] for row in found["rows"])

    assert [told(which) for which in ("provisional", "official")] == [(False, [0] * 4)] * 2
    result = enter_result(world, slot(league, 1, 1).match, 1, official=False)
    assert [told(which) for which in ("provisional", "official")] == [(True, [0, 0, 0, 2]), (True, [0] * 4)]
    confirm_result(result=result, user=world.second_referee)
    assert [told(which) for which in ("provisional", "official")] == [(False, [0, 0, 0, 2])] * 2


def test_a_knock_out_says_whether_a_result_waits(world: World, program: Program) -> None:
    cup = published(world, 4)
    empty = {"count": 0, "next": None, "previous": None, "rows": [], "scoring": None, "groups": []}
    for waits in (False, True):
        [found] = pages(address(cup, "standings"), program(world.referee))
        assert found["has_provisional"] is waits
        assert {name: found[name] for name in empty} == empty
        if not waits:
            enter_result(world, slot(cup, 1, 1).match, 1, official=False)

"""Amendments over the API: the effect first, then two officials; results, matches and rounds tell of them."""

import pytest

from league.matches.models import Amendment, Result
from tests.league.api.conftest import Program
from tests.league.api.played import Played

RULING = {"kind": "ruled", "sheet": {"scores": [0, 150], "winner": 2, "ended": "forfeit"}, "reason": "two racks"}


@pytest.fixture
def decided(played: Played) -> Result:
    """The one match of the published competition, which Ana or Bo has won."""
    return Result.objects.get(game__match__slot__matchday__stage__competition=played.competition)


def post(client, path, data):
    return client.post(f"/api/v1/{path}", data, content_type="application/json")


def test_the_effect_then_the_proposal_then_the_second_official(
    played: Played, program: Program, decided: Result
) -> None:
    first, second = program(played.world.referee), program(played.world.second_referee)
    code, wins = decided.game.code, decided.winner
    ruling = RULING | {"sheet": {"scores": [150, 0] if wins == 2 else [0, 150], "winner": 3 - wins, "ended": "forfeit"}}
    outlook = post(first, f"games/{code}/amendments/preview", ruling).json()
    [slot] = outlook["stand"]["slots"]
    assert (slot["change"], slot["before"]["state"], slot["after"]["state"]) == ("result", "decided", "decided")
    assert {row["name"] for row in outlook["stand"]["rows"]} == {"Ana Ruiz", "Bo Chen"}
    assert (outlook["void"], outlook["again"]) == (None, None)
    refused = post(first, f"games/{code}/amendments", ruling | {"seen": "0" * 64})
    assert (refused.status_code, refused.json()["code"]) == (409, "effect-changed")
    made = post(first, f"games/{code}/amendments", ruling | {"seen": outlook["stand"]["digest"]})
    assert (made.status_code, made.json()["state"], made.json()["old_result"]) == (201, "proposed", decided.pk)
    again = post(first, f"amendments/{made.json()['id']}/confirmation", {})
    assert (again.status_code, again.json()["code"]) == (403, "own-submission")
    done = post(second, f"amendments/{made.json()['id']}/confirmation", {"seen": outlook["stand"]["digest"]})
    assert (done.status_code, done.json()["state"], done.json()["alone"]) == (200, "confirmed", False)
    result = first.get(f"/api/v1/results/{done.json()['new_result']}").json()
    assert (result["state"], result["confirmed_how"], result["known_by"]) == ("official", "amended", "ruled")
    assert result["amendment"] == {
        "id": made.json()["id"],
        "reason": "two racks",
        "old_result": decided.pk,
        "at": done.json()["closed_at"],
        "alone": False,
    }
    old = first.get(f"/api/v1/results/{decided.pk}").json()
    assert (old["state"], old["current"], old["amendment"]) == ("amended", False, None)
    match = first.get(f"/api/v1/matches/{decided.game.match_id}").json()
    assert (match["amended"], match["void"], match["state"]) == (True, False, "decided")


def test_everybody_reads_confirmed_amendments_and_nobody_else_those_that_wait(
    played: Played, program: Program, decided: Result
) -> None:
    nobody, first, second = (program(user) for user in (None, played.world.referee, played.world.second_referee))
    path = f"games/{decided.game.code}/amendments"
    made = post(first, path, RULING).json()
    assert nobody.get(f"/api/v1/{path}").json()["count"] == 0
    assert nobody.get(f"/api/v1/amendments/{made['id']}").status_code == 404
    assert second.get(f"/api/v1/{path}").json()["count"] == 1
    post(second, f"amendments/{made['id']}/confirmation", {})
    assert [one["reason"] for one in nobody.get(f"/api/v1/{path}").json()["results"]] == ["two racks"]


def test_one_idempotency_key_is_one_amendment(played: Played, program: Program, decided: Result) -> None:
    client = program(played.world.referee)
    path = f"/api/v1/games/{decided.game.code}/amendments"
    answers = [
        client.post(path, RULING, content_type="application/json", headers={"Idempotency-Key": "once"})
        for _ in range(2)
    ]
    assert [answer.status_code for answer in answers] == [201, 201]
    assert answers[0].content == answers[1].content
    assert Amendment.objects.count() == 1


def test_a_body_that_is_wrong_names_its_field(played: Played, program: Program, decided: Result) -> None:
    answer = post(
        program(played.world.referee), f"games/{decided.game.code}/amendments", RULING | {"kind": "guess", "reason": ""}
    )
    assert (answer.status_code, {one["field"] for one in answer.json()["errors"]}) == (422, {"kind", "reason"})

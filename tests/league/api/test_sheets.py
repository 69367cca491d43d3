"""Entering a tally, a card or a score by a program."""

import pytest
from django.test import Client

from league.api.models import StoredAnswer
from league.matches.models import KnownBy, Match, Record, Result, ScoreSheet
from tests.league.api.conftest import Program, problem_of
from tests.league.api.played import Played

SCORE = {"kind": "score", "sheet": {"scores": [150, 95]}}


def send(client: Client, played: Played, body: object = SCORE, key: str = ""):
    headers = {"Idempotency-Key": key} if key else {}
    path = f"/api/v1/games/{played.open_game.code}/sheets"
    return client.post(path, data=body, content_type="application/json", headers=headers)


def test_a_side_enters_and_the_other_confirms_by_the_same(played: Played, program: Program) -> None:
    first = send(program(played.world.alice), played)
    assert first.status_code == 201
    said = first.json()
    assert (said["under_review"], said["result"]["state"], said["result"]["known_by"]) == (
        False,
        "provisional",
        "score",
    )
    assert said["result"]["scores"] == [{"side": 1, "points": 150}, {"side": 2, "points": 95}]
    second = send(program(played.world.bob), played).json()
    assert (second["result"]["state"], second["under_review"]) == ("official", False)
    assert ScoreSheet.objects.filter(record=said["record"]).get().data == SCORE["sheet"]


def test_another_entry_is_kept_beside_the_first(played: Played, program: Program) -> None:
    send(program(played.world.alice), played)
    answer = send(program(played.world.bob), played, {"kind": "score", "sheet": {"scores": [120, 150]}})
    assert (answer.status_code, answer.json()["under_review"]) == (201, True)
    assert Result.objects.filter(game=played.open_game, contested=True).count() == 2


def test_the_same_again_is_answered_with_what_stands(played: Played, program: Program) -> None:
    client = program(played.world.alice)
    first, again = send(client, played), send(client, played)
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json() == again.json()
    assert Record.objects.filter(game=played.open_game).count() == 1


def test_one_key_has_one_effect(played: Played, program: Program) -> None:
    client = program(played.world.alice)
    answers = [send(client, played, key="k") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [201, 201, 201]
    assert len({answer.content for answer in answers}) == 1
    assert Record.objects.filter(game=played.open_game).count() == 1
    assert StoredAnswer.objects.count() == 1


def test_what_cannot_be_so_names_its_findings(played: Played, program: Program) -> None:
    client = program(played.world.alice)
    found = problem_of(send(client, played, {"kind": "card", "sheet": {"scores": [147, 95]}}))
    assert found["code"] == "does-not-add-up"
    assert [one["field"] for one in found["errors"]] == ["sheet"]
    assert not Record.objects.filter(game=played.open_game).exists()
    answer = send(client, played, {"kind": "card", "sheet": {"scores": [147, 95]}, "insist": True}).json()
    assert (answer["result"]["needs_decision"], answer["result"]["known_by"]) == (True, "score")


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({}, "bad-field"),
        ({"kind": "log", "sheet": {"scores": [150, 95]}}, "bad-field"),
        ({"kind": "score", "sheet": [150, 95]}, "bad-field"),
        ({"kind": "score", "sheet": {"scores": [150, 95]}, "signed": "yes"}, "bad-field"),
        ({"kind": "score", "sheet": {"scores": [150]}}, "unreadable-sheet"),
        ({"kind": "score", "sheet": {"scores": [150, -5]}}, "unreadable-sheet"),
        ({"kind": "score", "sheet": {}}, "unreadable-sheet"),
        ({"kind": "score", "sheet": {"scores": [150, 95]}, "signed": True}, "not-the-desk"),
    ],
)
def test_a_wrong_body_is_told_and_nothing_is_stored(played: Played, program: Program, body, code) -> None:
    assert problem_of(send(program(played.world.alice), played, body))["code"] == code
    assert not Record.objects.filter(game=played.open_game).exists()


def test_a_match_that_demands_a_log_says_so(played: Played, program: Program) -> None:
    Match.objects.update(level=KnownBy.LOG)
    assert problem_of(send(program(played.world.alice), played))["code"] == "level-too-low"

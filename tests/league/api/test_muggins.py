"""Settle a muggins call over the API: the whole answer, the words, and wrong questions that name their field."""

import pytest
from django.test import Client
from django.utils import translation

from league.api.resources.muggins import EXAMPLE

PATH = "/api/v1/muggins"


def ask(body, **more):
    return Client().post(PATH, body, content_type="application/json", **more)


def test_the_whole_answer(db) -> None:
    answer = ask(EXAMPLE)
    assert answer.status_code == 200
    said = answer.json()
    record, rules = said.pop("record"), said.pop("rules")
    assert said == {
        "terms": [6, 6, 5, 3],
        "sum": "6+6+5+3",
        "count": 20,
        "worth": 20,
        "announced": 15,
        "owner": "shared",
        "awarded": [{"seat": "A", "points": 15}, {"seat": "B", "points": 5}],
        "left": 0,
        "may_announce": False,
        "may_call": [],
        "calls": [{"seat": "B", "points": 5, "upheld": True, "why": "owed", "sentence": "The call was right."}],
        "warnings": [
            {
                "code": "under-claim",
                "sentence": "A announced less than the tile is worth, and keeps what was announced.",
            }
        ],
        "sentence": "15 points for A, who announced them, and 5 for B, who called muggins.",
    }
    assert [rule["id"] for rule in rules] == ["udl.score", "udl.announce", "udl.muggins"]
    assert rules[2]["number"] == "0.26"
    assert "goes to the opponent" in rules[2]["text"] or "go to the opponent" in rules[2]["text"]
    again = Client().post("/api/v1/verify?plays=true", record, content_type="text/plain").json()["verdicts"][0]
    assert [(one["claimant"], one["upheld"], one["points"]) for one in again["rulings"]] == [("B", True, 5)]


def test_a_board_is_asked_about_as_its_ends_are(db) -> None:
    board = [{"tile": "6-6"}, {"tile": "6-3", "on": "6-6"}]
    call = {"seat": "B", "says": "muggins", "when": "after-next"}
    answers = [ask({"board": board, "said": [call]}).json(), ask({"ends": "6-6 3", "said": [call]}).json()]
    for one in answers:
        del one["record"]
    assert answers[0] == answers[1]
    assert answers[0]["awarded"] == [{"seat": "B", "points": 15}]


def test_times_and_several_callers(db) -> None:
    calls = [
        {"seat": seat, "says": "muggins", "when": "before-next", "seconds": 4, "together": seat == "D"} for seat in "CD"
    ]
    said = ask({"ruleset": "all-fives", "ends": "6-6 3", "seats": 4, "scorer": "B", "said": calls}).json()
    assert (said["awarded"], [one["why"] for one in said["calls"]]) == (
        [{"seat": "C", "points": 15}],
        ["owed", "taken"],
    )


@pytest.mark.parametrize(
    ("body", "field", "detail"),
    [
        ({}, "ends", "Say what lay open: pips, and doubles as 6-6."),
        ({"ends": "6 9"}, "ends", "9 is no open end: write pips from 0 to 6, and a double as 6-6."),
        ({"ends": "6 4", "board": [{"tile": "6-6"}]}, "ends", "Give the open ends or the board, not both."),
        ({"board": [{"tile": "6-6"}, {"tile": "5-4"}]}, "board", "5-4 fits no open end."),
        ({"ends": "6 4", "options": {"target": "5"}}, "options", "target changes no answer;"),
        ({"ends": "6 4", "options": {"muggins": "maybe"}}, "options.muggins", "muggins is off or after_next"),
        ({"ends": "6 4", "ruleset": "uno-dominoes"}, "ruleset", '"uno-dominoes" is not a valid choice.'),
        ({"ends": "6 4", "seats": 3}, "seats", "UDL Dominoes is not played by 3."),
        (
            {"ends": "6 4", "said": [{"seat": "A", "says": "muggins", "when": "after-next"}]},
            "said.0.seat",
            "Nobody calls muggins on a tile of their own.",
        ),
    ],
)
def test_a_wrong_question_names_its_field(db, body, field, detail) -> None:
    answer = ask(body)
    assert (answer.status_code, answer.json()["code"]) == (422, "bad-field")
    (error,) = answer.json()["errors"]
    assert error["field"] == field
    assert error["detail"].startswith(detail)


def test_nothing_is_asked_of_the_database_for_it(db, django_assert_num_queries) -> None:
    with django_assert_num_queries(0):
        assert ask(EXAMPLE).status_code == 200


def test_the_answer_is_in_the_reader_s_language(db) -> None:
    answer = ask(EXAMPLE, headers={"Accept-Language": "es"}).json()
    with translation.override("es"):
        assert answer["rules"][2]["text"] != ask(EXAMPLE).json()["rules"][2]["text"]

"""``python -m referee card``: what an organizer reads of a card, and of a file that is none."""

import json

import pytest

from referee.__main__ import main

GOOD = {"scores": [150, 95], "ended": "target", "chips": [11, 0]}


def run(tmp_path, capsys, data, *arguments):
    file = tmp_path / "card.json"
    file.write_text(data if isinstance(data, str) else json.dumps(data))
    status = main(["card", str(file), *arguments])
    captured = capsys.readouterr()
    return status, captured.out.replace(str(tmp_path), "")[1:], captured.err.replace(str(tmp_path), "")[1:]


def test_a_card_that_passes(tmp_path, capsys):
    status, out, err = run(tmp_path, capsys, GOOD)
    assert (status, err) == (0, "")
    assert out == (
        "card.json: UDL Dominoes, 150-95: A won by reaching the target\n"
        "  verified: nothing on it contradicts the rules or itself; that is not to say that it is true\n"
    )


def test_a_finding_has_its_round_and_its_rule(tmp_path, capsys):
    rounds = [{"spinner": "6-5"}, {"totals": [150, 95]}]
    status, out, _ = run(tmp_path, capsys, {**GOOD, "chips": [12, 0], "rounds": rounds})
    assert status == 1
    assert out.splitlines()[2:] == [
        "    card: at 150-95 the chips left are 11-0, not 12-0 [correction: wrong-chips; udl.chips, rule 0.30]",
        "    round 1: a spinner is a double, or none: 6-5 is not [impossible: not-a-double; udl.match, rule 0.10]",
    ]


def test_a_tally_is_known_by_its_taps(tmp_path, capsys):
    taps = [{"n": 1, "kind": "points", "seat": 0, "points": 40}, {"n": 2, "kind": "end", "ended": "bell"}]
    status, out, _ = run(tmp_path, capsys, {"taps": taps})
    assert status == 1
    assert "tap 1: 40 points for one play, and no play gives more than 35 [impossible: award-too-big" in out


def test_json_is_one_object_a_file(tmp_path, capsys):
    _, out, _ = run(tmp_path, capsys, {"scores": [101, 88, 40]}, "--ruleset", "muggins", "--json")
    assert json.loads("{" + out)["winner"] == "A"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("scores: 150-95", "card.json, line 1, column 1: this is not JSON: Expecting value"),
        ("[150, 95]", 'card.json: a card is an object with "scores", not list'),
        ("[" * 100_000, "card.json: the JSON is nested deeper than any card"),
        ({}, "card.json: scores is missing"),
        ({"scores": [150, 95], "rounds": [{}, {"play": [5]}]}, "card.json, row 2: play needs 2 whole numbers"),
        ({"scores": [150, 95, 20]}, "card.json: this game is not for 3 players"),
    ],
)
def test_what_is_no_card_says_why(tmp_path, capsys, text, words):
    status, out, err = run(tmp_path, capsys, text)
    assert (status, out) == (2, "")
    assert err.startswith(words)


def test_house_rules_count(tmp_path, capsys):
    assert run(tmp_path, capsys, {"scores": [100, 60], "ended": "target"}, "--option", "target=100")[0] == 0
    assert main(["card", str(tmp_path / "card.json"), "--option", "target=much"]) == 2
    assert "target is a number from 1 to 100000, not 'much'" in capsys.readouterr().err
    assert main(["card", str(tmp_path / "none.json")]) == 2

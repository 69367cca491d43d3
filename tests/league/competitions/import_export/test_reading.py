"""Mistakes of a competition file, each named by its place; no database."""

from copy import deepcopy

import pytest

from league.competitions.import_export.reading import MOST_MISTAKES, contradictions, differences, read


def game(number=1, points=(150, 100), winner=1):
    return {"number": number, "points": list(points), "winner": winner}


def slot(number, first, second, *games):
    return {"number": number, "berths": [{"entrant": first}, {"entrant": second}], "match": {"games": list(games)}}


def entries(*both):
    return [{"entrant": entrant, "seed": int(seed)} for entrant, seed in both]


FILE = {
    "format": "domino-league-competition",
    "edition": 1,
    "key": "cup",
    "competition": {"name": "Cup", "ruleset": "udl", "tie_breaks": ["wins"], "tables": []},
    "stages": [{"number": 1, "format": "round_robin"}],
    "entrants": [
        {"key": "a", "name": "Ana", "adjustments": [{"points": -1, "reason": "late", "made_at": "2026-01-02T20:00Z"}]},
        {"key": "b", "name": "Bo"},
    ],
    "rounds": [{"stage": 1, "number": 1, "slots": [slot(1, "a", "b", game())]}],
    "challenges": [],
}


def first_slot(value):
    return value["rounds"][0]["slots"][0]


def test_the_file_without_a_mistake_is_read():
    found = read(deepcopy(FILE))
    assert found.mistakes == ()
    assert (found.filed.key, found.filed.rounds[0].slots[0].games[0].points) == ("cup", (150, 100))


THREE = game(points=(1, 2, 3))
PLACES = "rounds[1].slots[1]"
MISTAKES = [
    (lambda v: v.update(key=""), "key", "bad-value"),
    (lambda v: v.update(stages=[]), "stages", "no-stage"),
    (lambda v: v.update(stages=[7]), "stages[1]", "bad-value"),
    (lambda v: v["stages"][0].update(number=-1), "stages[1].number", "bad-number"),
    (lambda v: v["stages"][0].update(place_points=[5, "4"]), "stages[1].place_points", "bad-value"),
    (lambda v: v["competition"].update(name="C" * 999), "competition.name", "too-long"),
    (lambda v: v["competition"].update(name="C\x00"), "competition.name", "too-long"),
    (lambda v: v["competition"].update(tie_breaks=["wins", 3]), "competition.tie_breaks", "bad-value"),
    (lambda v: v["competition"].update(starts_at="2026-01-02T20:00"), "competition.starts_at", "bad-hour"),
    (lambda v: v["competition"].update(starts_at="1700-01-02T20:00Z"), "competition.starts_at", "bad-hour"),
    (lambda v: v["entrants"][0].update(key=""), "entrants[1].key", "key-twice"),
    (lambda v: v["entrants"][0].update(rating=10_001), "entrants[1].rating", "bad-number"),
    (lambda v: v["entrants"][0].update(byes=[0]), "entrants[1].byes", "bad-value"),
    (lambda v: v["entrants"][0].update(minor=True), "entrants[1].born", "minor-without-year"),
    (lambda v: v["entrants"][0]["adjustments"][0].update(points=0), "entrants[1].adjustments[1].points", "bad-number"),
    (lambda v: v["entrants"][0].update(players=[{"name": "A"}]), "entrants[1].players", "no-pair"),
    (lambda v: v["entrants"][0].update(players=[{"name": "A"}, {"name": "B"}]), "entrants[1]", "is-pair"),
    (lambda v: v["competition"].update(pairs=True), "entrants[1]", "no-pair"),
    (lambda v: v["rounds"][0]["slots"].append(slot(1, "b", "a")), "rounds[1].slots[2].number", "slot-twice"),
    (lambda v: v["rounds"].append({"number": 1, "slots": [slot(2, "b", "a")]}), "rounds[2].number", "round-twice"),
    (lambda v: v["stages"][0].update(entries=entries("a1", "a2")), "stages[1].entries[2].entrant", "entry-twice"),
    (lambda v: v["stages"][0].update(entries=entries("a1", "b1")), "stages[1].entries[2].seed", "seed-twice"),
    (lambda v: first_slot(v).update(berths=[]), f"{PLACES}.berths", "bad-berths"),
    (lambda v: first_slot(v)["berths"][0].update({"from": [1, 2]}), f"{PLACES}.berths[1].from", "bad-value"),
    (lambda v: first_slot(v)["berths"][0].update({"from": [1, 1, 9]}), f"{PLACES}.berths[1].from", "no-slot"),
    (lambda v: first_slot(v)["berths"][0].update(takes="winner"), f"{PLACES}.berths[1].takes", "bad-value"),
    (lambda v: first_slot(v)["berths"][0].update(absent=True), f"{PLACES}.berths[1].absent", "bad-value"),
    (lambda v: first_slot(v)["berths"].__setitem__(0, {}), f"{PLACES}.berths[1].entrant", "not-an-entrant"),
    (lambda v: first_slot(v)["berths"][1].update(entrant="a"), f"{PLACES}.berths", "against-oneself"),
    (lambda v: first_slot(v).update(requested_bye=True), f"{PLACES}.requested_bye", "bad-value"),
    (lambda v: first_slot(v)["berths"].pop(), f"{PLACES}.match", "nobody-plays"),
    (lambda v: first_slot(v)["match"].update(games=[game(2)]), f"{PLACES}.match.games", "games-in-order"),
    (lambda v: first_slot(v)["match"].update(games=[THREE]), f"{PLACES}.match.games[1].points", "bad-points"),
]  # fmt: skip


@pytest.mark.parametrize(("spoil", "place", "code"), MISTAKES)
def test_a_mistake_is_named_by_its_place(spoil, place, code):
    value = deepcopy(FILE)
    spoil(value)
    found = read(value)
    assert found.filed is None
    assert (place, code) in [(one.place, one.code) for one in found.mistakes]


@pytest.mark.parametrize("value", [None, [], "text", {"format": "other"}])
def test_another_file_is_named_as_such(value):
    assert [(one.place, one.code) for one in read(value).mistakes] == [("format", "other-file")]


def test_no_more_mistakes_than_a_page_shows():
    value = {**deepcopy(FILE), "entrants": [{"key": "a", "name": 7}] * 50}
    found = read(value)
    assert (found.filed, len(found.mistakes)) == (None, MOST_MISTAKES)


def test_rows_that_one_file_lacks_are_a_difference_and_no_contradiction():
    shorter = deepcopy(FILE)
    shorter["entrants"].pop()
    shorter["rounds"][0]["slots"][0]["match"]["games"][0]["winner"] = 2
    assert differences(FILE, shorter) == ["entrants", "rounds[1].slots[1].match.games[1].winner"]
    del shorter["entrants"]
    assert contradictions(FILE, shorter) == ["rounds[1].slots[1].match.games[1].winner"]

"""What an act changes, as the difference of two plain snapshots."""

from dataclasses import replace

from league.competitions.amendments.diff import (
    NumberChange,
    RowChange,
    RowState,
    SlotChange,
    SlotState,
    Snapshot,
    difference,
)

MATCH = SlotState(
    round="Round 1",
    number=1,
    berths=("Ana", "Bo"),
    stands=(False, False),
    match=7,
    state="decided",
    score="150–95",
    winner="Ana",
    published=True,
)
OTHER = replace(MATCH, number=2, berths=("Cy", "Di"), match=8, winner="Cy")
ROWS = {1: RowState("Ana", 1, {"won": "1"}), 2: RowState("Bo", 2, {"won": "0"}), 3: RowState("Cy", 1, {"won": "1"})}


def kind_of(after, before=MATCH):
    [change] = difference(Snapshot({1: before}), Snapshot({1: after})).slots
    return change.kind


def test_what_is_the_same_is_no_change_and_is_counted():
    same = Snapshot({1: MATCH, 2: replace(OTHER, published=False)}, ROWS, finished=False)
    found = difference(same, same)
    assert (found.rows, found.slots, found.rows_unchanged) == ((), (), 3)
    assert (found.slots_unchanged, found.published_unchanged) == (2, 1)


def test_rows_change_with_the_numbers_that_place_them():
    after = ROWS | {1: RowState("Ana", 2, {"won": "0"}), 2: RowState("Bo", 1, {"won": "1"})}
    found = difference(Snapshot({}, ROWS), Snapshot({}, after))
    assert found.rows == (
        RowChange("Bo", 2, 1, (NumberChange("won", "0", "1"),)),
        RowChange("Ana", 1, 2, (NumberChange("won", "1", "0"),)),
    )
    assert found.rows_unchanged == 1


def test_each_kind_of_change_of_a_match():
    assert kind_of(replace(MATCH, score="95–150", winner="Bo")) == "result"
    assert kind_of(replace(MATCH, stands=(True, False))) == "stands"
    assert kind_of(replace(MATCH, berths=("Cy", "Bo"), match=9, state="scheduled")) == "void"
    open_one = replace(MATCH, state="scheduled", score="", winner="")
    assert kind_of(replace(open_one, berths=("Cy", "Bo"), match=9), open_one) == "replaced"
    assert kind_of(replace(open_one, berths=("", "Bo"), match=None), open_one) == "emptied"
    assert kind_of(open_one, replace(open_one, berths=("", "Bo"), match=None)) == "filled"


def test_the_digest_is_that_of_what_is_shown_and_not_of_keys_made_on_the_way():
    def digest(**changes):
        return difference(Snapshot({1: MATCH, 2: OTHER}), Snapshot({1: replace(MATCH, **changes), 2: OTHER})).digest

    void = {"berths": ("Cy", "Bo"), "state": "scheduled"}
    assert digest(**void, match=9) == digest(**void, match=10)
    assert digest(**void, match=9) != digest(**void, match=None)
    assert digest(score="95–150") != digest(score="95–151")


def test_rounds_that_were_marked_before_are_no_news():
    before, after = Snapshot({}, paired_before=("Round 2",)), Snapshot({}, paired_before=("Round 2", "Round 3"))
    assert difference(before, after).paired_before == ("Round 3",)


def test_one_change_names_both_states():
    after = replace(MATCH, score="95–150", winner="Bo")
    assert difference(Snapshot({1: MATCH}), Snapshot({1: after})).slots == (SlotChange("result", MATCH, after),)


def test_the_digest_is_the_same_in_every_language():
    def digest(name):
        before, after = replace(MATCH, round=name), replace(MATCH, round=name, score="95–150")
        return difference(Snapshot({1: before}), Snapshot({1: after}, paired_before=(name,))).digest

    assert digest("Final") == digest("Finale")


def test_what_other_rooms_say_is_part_of_the_effect():
    before, after = Snapshot({}, further={"Rating of Ana": "1512"}), Snapshot({}, further={"Rating of Ana": "1496"})
    found = difference(before, after)
    assert found.further == (NumberChange("Rating of Ana", "1512", "1496"),)
    assert found.digest != difference(before, before).digest

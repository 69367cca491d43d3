"""The open-end count and the places to attach: RULES.md 1.2 and the examples P01 to P24 of 9.1."""

import json
from pathlib import Path
from random import Random

import pytest

from games.layout import Layout
from games.ruleset import Spinner
from games.tiles import DOUBLE_SIX

VECTORS = json.loads((Path(__file__).parents[1] / "vectors" / "plays.json").read_text(encoding="utf-8"))


def tile(name: str) -> int:
    return DOUBLE_SIX.tile(name).index


def laid(mode: Spinner, *plays: tuple[str, str | None]) -> Layout:
    layout = Layout(DOUBLE_SIX, mode)
    for name, on in plays:
        layout.place(tile(name), None if on is None else tile(on))
    return layout


@pytest.mark.parametrize("example", VECTORS["play"], ids=lambda example: example["id"])
def test_worked_example(example):
    layout = Layout(DOUBLE_SIX, Spinner[example["spinner"]])
    placed: list[int] = []
    for play in example["plays"]:
        index = tile(play["tile"])
        on = None if play["on"] is None else placed[play["on"]]
        if on is not None:
            assert layout.places(index) >> on & 1, f"{play['tile']} does not fit"
        layout.place(index, on)
        placed.append(index)
        assert layout.count == sum(layout.terms()) == sum(end.counts for end in layout.open_ends) == play["count"]


def test_p24_an_end_is_closed_until_the_second_side_is_covered():
    layout = laid(Spinner.FIRST, ("6-6", None), ("6-3", "6-6"))
    assert DOUBLE_SIX.in_mask(layout.places(tile("6-1"))).__next__().name == "6-6"
    layout.place(tile("6-1"), tile("6-6"))
    layout.place(tile("6-2"), tile("6-6"))
    layout.place(tile("6-0"), tile("6-6"))
    assert not layout.places(tile("6-4"))


def test_p18_an_end_of_a_double_is_open_only_where_every_double_is_a_spinner():
    plays = (("5-4", None), ("4-4", "5-4"), ("4-2", "4-4"))
    assert laid(Spinner.ALL, *plays).places(tile("4-3"))
    assert not laid(Spinner.NONE, *plays).places(tile("4-3"))
    earlier = (("5-5", None), ("5-4", "5-5"), ("4-4", "5-4"), ("4-2", "4-4"))
    assert not laid(Spinner.FIRST, *earlier).places(tile("4-3"))


def test_the_spinner_is_the_first_double_of_the_round_lead_or_not():
    layout = laid(Spinner.FIRST, ("2-3", None), ("3-3", "2-3"), ("2-2", "2-3"))
    assert layout.spinner == tile("3-3")
    assert laid(Spinner.NONE, ("3-3", None)).spinner is None


def test_open_ends_speak_domino():
    layout = laid(Spinner.FIRST, ("6-6", None), ("6-3", "6-6"), ("6-5", "6-6"))
    assert [(end.tile.name, end.face.name, end.counts) for end in layout.open_ends] == [
        ("6-6", "6", 0),
        ("6-3", "3", 3),
        ("6-5", "5", 5),
    ]


def test_a_copy_is_independent():
    layout = laid(Spinner.FIRST, ("6-6", None))
    twin = layout.copy()
    twin.place(tile("6-5"), tile("6-6"))
    assert (layout.count, twin.count) == (12, 17)
    assert (len(layout.order), [end.counts for end in layout.open_ends]) == (1, [12])


def count_from_the_definition(joined: dict[str, list[int]]) -> int:
    """RULES.md 1.2, summed up tile by tile from what is attached to what."""
    total = 0
    for name, faces in joined.items():
        high, low = (int(half) for half in name.split("-"))
        if high == low:
            total += 2 * high if len(faces) < 2 else 0
        else:
            total += sum(face for face in (high, low) if face not in faces)
    return total


@pytest.mark.parametrize("mode", Spinner)
def test_random_layouts_count_as_the_definition_says(mode):
    for seed in range(150):
        rng = Random(seed)
        layout, joined = Layout(DOUBLE_SIX, mode), {}
        while True:
            fits = [t for t in DOUBLE_SIX.tiles if not layout.table & t.bit and layout.fitting() & t.bit]
            if not fits:
                break
            chosen = rng.choice(fits)
            places = list(DOUBLE_SIX.in_mask(layout.places(chosen.index)))
            on = rng.choice(places) if places else None
            layout.place(chosen.index, None if on is None else on.index)
            joined[chosen.name] = []
            if on is not None:
                face = ({chosen.high, chosen.low} & {on.high, on.low}).pop()
                joined[chosen.name].append(face)
                joined[on.name].append(face)
            assert layout.count == count_from_the_definition(joined)
            # RULES.md 1.2: the four best double tips give 36 around one spinner, 6-6 with 5-5 gives 22 without.
            assert layout.count <= {Spinner.NONE: 22, Spinner.FIRST: 36, Spinner.ALL: 168}[mode]
            open_faces = {end.face.index for end in layout.open_ends}
            assert layout.open_faces == sum(1 << face for face in open_faces)
            assert layout.fitting() == DOUBLE_SIX.fits[layout.open_faces]

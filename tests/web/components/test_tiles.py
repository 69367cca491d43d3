"""Tiles as drawings: alone, and beside their names in sentences."""

import re

import pytest
from django.template import Context, Template
from django.template.loader import render_to_string

from games.inventory import COLOURS as LETTERS
from games.rulesets import RULESETS
from games.tiles import DOUBLE_SIX
from games.uno.markings import UNO
from league.matches.annotated_log import FindingLine, finding_lines
from league.web.competitions.rules import joins
from league.web.components import tiles
from league.web.components.tiles import spoken, with_tiles
from league.web.templatetags.domino import finding_told
from league.web.words.games.halves import parts_of
from league.web.words.games.replay import apart

HOSTILE = '<script>alert("6-4")</script>'


def draw(text: str | None, upright: str = "") -> str:
    return Template(f"{{% load domino %}}{{% tile text {upright} %}}").render(Context({"text": text}))


def names_drawn(html: str) -> list[str]:
    return re.findall(r'<span class="named-tile"><svg [^>]*aria-hidden="true">.*?</svg>([^<]*)</span>', html)


def text_of(html: str) -> str:
    return re.sub(r"<[^>]+>", "", html)


@pytest.mark.parametrize("upright", ["", "True"])
def test_every_tile_of_uno_dominoes_is_drawn_with_a_shape_for_each_colour(upright) -> None:
    for one in UNO.tiles:
        for name in (one.name, UNO.turned(one).name):
            html = draw(name, upright)
            words = re.findall(r"<text[^>]*>(.*?)</text>", html)
            shown = [{"+2": "D2", "+4": "WD4"}.get(word, word) for word in words]
            colours = re.findall(r'<g class="face (\w*)" [^>]*>(<\w+ )', html)
            assert [LETTERS.get(half[0], "") for half in name.split("-")] == [one for one, _shape in colours]
            assert shown == [parts_of(half)[1] for half in name.split("-")]
            for colour, shape in colours:
                assert tiles.SHAPES[colour or "none"].startswith(shape)
    assert len({str(shape) for shape in tiles.SHAPES.values()}) == 5


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("6-4", "tile 6-4"),
        ("gS-b7", "tile gS-b7: green skip, blue 7"),
        ("WD4-rD2", "tile WD4-rD2: wild draw four, red draw two"),
        ("DE-yR", "tile DE-yR: dead end, yellow reverse"),
    ],
)
def test_a_tile_is_told_to_whoever_hears_the_page(name, told) -> None:
    assert spoken(name) == told
    assert f'role="img"><title>{told}</title>' in draw(name)


@pytest.mark.parametrize("text", ["7-1", "r0-b1", "W-", "6-4 ", "r7b2", "<b>6-4</b>"])
def test_what_is_no_tile_is_text(text) -> None:
    html = draw(text)
    assert "<svg" not in html
    assert html.startswith('<span class="no-tile">')
    assert "<b>" not in html


@pytest.mark.parametrize(
    ("sentence", "drawn"),
    [
        ("Ana plays 6-4 on 6-6 and calls 10.", ["6-4", "6-6"]),
        ("Ana draws 6-5 4-1 ?.", ["6-5", "4-1"]),
        ("could play 6-4, 3-1 or W-W", ["6-4", "3-1", "W-W"]),
        ("gS-b7 does not fit the open end of r7-WD4", ["gS-b7", "r7-WD4"]),
        ("on 2026-11-22, at 85-60, of 16-4, in r7.b2, x6-4, 6-4x, 6-4-2, -6-4", []),
        ("", []),
    ],
)
def test_a_sentence_keeps_its_text_and_its_tiles_are_drawn_beside_their_names(sentence, drawn) -> None:
    html = with_tiles(sentence)
    assert names_drawn(html) == drawn
    assert text_of(html) == sentence


def test_hostile_names_and_remarks_stay_escaped_and_are_never_drawn() -> None:
    html = with_tiles(f"{apart(HOSTILE)} plays 6-4 on 6-6: {apart('I lost 3-2 <b>')}. <i>5-5</i>")
    assert names_drawn(html) == ["6-4", "6-6", "5-5"]
    assert not re.search(r"<(script|b|i)\b", html)
    assert "&lt;script&gt;alert(&quot;6-4&quot;)&lt;/script&gt;" in html
    # The control: a name that stands between no isolates is escaped all the same, but a tile in it would be drawn.
    bare = with_tiles(HOSTILE)
    assert "<script" not in bare
    assert names_drawn(bare) == ["6-4"]


def test_a_name_that_closes_its_isolate_is_still_escaped() -> None:
    html = with_tiles(apart("\u2069<b>6-4</b>\u2068") + " plays 5-5.")
    assert "<b>" not in html
    assert names_drawn(html)[-1] == "5-5"


def test_what_is_drawn_beside_a_name_has_its_symbols() -> None:
    symbols = set(re.findall(r'id="(\w[\w-]*)"', render_to_string("components/tile_symbols.html")))
    names = [f"{one}-{other}" for one in range(7) for other in range(7)]
    names += [name for one in UNO.tiles for name in (one.name, UNO.turned(one).name)]
    for name in names:
        assert names_drawn(with_tiles(name)) == [name]
        assert set(re.findall(r'href="#([^"]+)"', with_tiles(name))) <= symbols, name
    assert {f"t{tile.name}" for tile in DOUBLE_SIX.tiles} <= symbols


def finding(say: str, **facts: object) -> FindingLine:
    stored = {"line": 1, "code": say, "severity": "note", "say": say, "facts": facts, "message": ""}
    return finding_lines([stored], "A 6-4", {})[0]


def test_tiles_in_findings_are_drawn_and_scores_are_not() -> None:
    told = finding_told(finding("draw-when-able", seat="A", tiles="6-4, 5-5"))
    assert names_drawn(told) == ["6-4", "5-5"]
    assert text_of(told) == "A drew and could play 6-4, 5-5"
    score = finding("wrong-result", scores="5-0", recorded="0-5")
    assert names_drawn(finding_told(score)) == []
    # The control: nothing but the kind of its facts tells a score from a tile.
    assert names_drawn(with_tiles(score.sentence)) == ["5-0", "0-5"]


def test_a_finding_begins_with_a_capital_letter_unless_a_tile_comes_first() -> None:
    assert text_of(finding_told(finding("does-not-match", tile="r7-b2", on="g4-g4"))).startswith("r7-b2 does not")
    assert text_of(finding_told(finding("wrong-total", scores="5-0", recorded="5-5"))).startswith("The points")


def test_what_may_be_joined_in_uno_dominoes_is_found_in_the_set() -> None:
    example = joins(RULESETS["uno-dominoes"])
    assert example.start == "g9-g9"
    assert [why for _name, why in example.joined] == ["the same colour", "the same kind", "a wild half"]
    assert len({name for name, _why in example.joined}) == 3
    for name, _why in example.joined:
        tile = UNO.tile(name)
        end = UNO.tile(example.start).high
        assert UNO.joins_at[tile.high] >> end & 1
    assert joins(RULESETS["udl"]) is None

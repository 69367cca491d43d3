"""The parts that draw tiles, chips, carets and differences."""

import re

import pytest
from django.template import Context, Template
from django.template.loader import render_to_string
from django.utils import translation

from league.web.components.caret import caret, caret_at_error
from league.web.components.pips import pips
from league.web.templatetags.domino import log_kind, signed


def draw(template: str, **context: object) -> str:
    return Template("{% load domino %}" + template).render(Context(context))


@pytest.mark.parametrize("high", range(7))
@pytest.mark.parametrize("low", range(7))
def test_a_tile_has_its_pips_on_their_halves(high, low) -> None:
    lying = pips(high, low)
    assert (sum(pip.x < 10 for pip in lying), sum(pip.x > 10 for pip in lying)) == (high, low)
    upright = pips(high, low, upright=True)
    assert (sum(pip.y < 10 for pip in upright), sum(pip.y > 10 for pip in upright)) == (high, low)
    assert len(set(lying)) == high + low
    svg = draw("{% tile text %}", text=f"{high}-{low}")
    assert svg.count("tile-pip") == high + low
    assert f"<title>tile {high}-{low}</title>" in svg


def test_tiles_are_drawn_alike_where_a_comma_parts_the_decimals() -> None:
    with translation.override("de"):
        svg = draw("{% tile '6-4' %}")
    assert re.findall(r'c[xy]="([^"]+)"', svg) == re.findall(r'c[xy]="([^"]+)"', draw("{% tile '6-4' %}"))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (None, '<span class="no-tile" aria-hidden="true">–</span>'),
        ("7-1", '<span class="no-tile">7-1</span>'),
        ("<b>", '<span class="no-tile">&lt;b&gt;</span>'),
    ],
)
def test_what_is_no_double_six_tile_is_text(text, shown) -> None:
    assert draw("{% tile text %}", text=text).strip() == shown


@pytest.mark.parametrize(("left", "filled"), [(0, 0), (1, 1), (30, 30)])
def test_chips_left_are_filled(left, filled) -> None:
    svg = draw("{% chips left 'udl' %}", left=left)
    assert svg.count("<circle") == 30
    assert svg.count('class="left"') == filled


@pytest.mark.parametrize(("number", "shown"), [(0, "0"), (55, "+55"), (-55, "−55")])
def test_differences_carry_their_sign(number, shown) -> None:
    assert signed(number) == shown


@pytest.mark.parametrize(
    ("line", "kind"),
    [('[Ruleset "udl"]', "tag"), ("round 2", "round"), ("7:50.9 round 3", "round"), ("A 6-6", ""), ("", "")],
)
def test_lines_of_a_log_are_set_by_their_first_word(line, kind) -> None:
    assert log_kind(line) == kind


@pytest.mark.parametrize("column", [1, 12, 60, 200, 301])
def test_the_caret_stands_under_its_column_in_long_lines_too(column) -> None:
    line = "".join(chr(0x4E00 + place) for place in range(300))
    shown = caret(line, line=7, column=column, message="")
    at = len(shown.pad)
    assert shown.source[at : at + 1] == line[column - 1 : column] or shown.source[at : at + 1] == ""
    assert len(shown.source) <= 75


def test_a_readable_log_has_no_caret(log) -> None:
    assert caret_at_error(log) is None


def test_an_error_behind_the_last_line_has_an_empty_source() -> None:
    found = caret_at_error("")
    assert found is not None
    assert (found.line, found.source) == (1, "")


def test_a_drawn_table_and_a_tile_in_a_text_have_the_same_pips() -> None:
    html = render_to_string("components/tile_symbols.html")
    for half in range(7):
        drawn = re.search(rf'<g id="h{half}">(.*?)</g>', html, re.DOTALL)[1]
        places = {(float(x), float(y)) for x, y in re.findall(r'cx="(\S+)" cy="(\S+)"', drawn)}
        assert places == {((pip.x - 5) / 10, (pip.y - 5) / 10) for pip in pips(half, 0, upright=True)}
        assert len(places) == half

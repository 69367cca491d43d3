"""Badges with initials: the public name's letters, a colour that stays, and contrast in every colour."""

import re

import pytest

from league.players.models import Player
from league.web.components.initials import TINTS, initials_badge, letters
from tests.web.shared.test_browser_floor import tokens_of

LEAST = 4.5


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Ana Ruiz", "AR"),
        ("Ana María Ruiz", "AR"),
        ("Plato", "P"),
        ("A. M. R.", "AR"),
        ("Ana Ruiz & Leo Paz", "AL"),
        ("7KQ2XM", "7"),
        ("👩‍👩‍👧‍👦", "?"),
        ("Ñandú Élan", "ÑÉ"),
    ],
)
def test_the_letters_are_the_first_and_the_last_initial(name, shown) -> None:
    assert letters(name) == shown


def test_the_colour_follows_the_code_and_not_the_name() -> None:
    one, other = initials_badge("Ana Ruiz", "ABC234"), initials_badge("Bo Chen", "ABC234")
    assert re.search(r"tint-\d+", one)[0] == re.search(r"tint-\d+", other)[0]
    shown = {re.search(r"tint-(\d+)", initials_badge("A", f"CODE{number}"))[1] for number in range(200)}
    assert shown == {str(number) for number in range(1, TINTS + 1)}


def test_it_is_decoration_and_escapes_what_it_shows() -> None:
    badge = initials_badge("<b>", '"x')
    assert 'aria-hidden="true"' in badge
    assert re.fullmatch(r'<span class="initials tint-\d+" data-initials="[^"<>]*" aria-hidden="true"></span>', badge)


def luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", [":root", ':root[data-theme="contrast"]', ':root[data-theme="hall"]'])
def test_letters_are_readable_on_every_colour(theme) -> None:
    """The dark theme keeps the colours of the day."""
    colours = {name: one for name, one in tokens_of(theme).items() if "tint" in name}
    assert len(colours) == TINTS + 1
    ink = colours.pop("--on-tint")
    assert {name: contrast(one, ink) for name, one in colours.items() if contrast(one, ink) < LEAST} == {}
    assert contrast("#777777", "#ffffff") < LEAST  # the control


def test_a_minor_has_the_initials_of_the_public_name_on_every_page(world, browse) -> None:
    player = world.entrants[0].player
    Player.objects.filter(pk=player.pk).update(name="Ana María Xu", born=2016)
    for page in (f"/players/{player.code}/", f"/matches/{world.match.pk}/", "/competitions/harbour/autumn/standings/"):
        html = browse().get(page).content.decode()
        assert 'data-initials="AX"' in html, page
        assert "Xu" not in html

"""Sixty letters of any script on every page: nothing sideways, nothing on top of something else. That they are whole on
paper is looked at in test_hostile_paper.py.
"""

import pytest

from league.players.models import Player
from league.players.naming import clean_name, fold
from tests.browser.fonts import parts_in_fonts
from tests.browser.looking import OVERLAPS, go, hold_still
from tests.browser.places import furnished
from tests.browser.spots import area
from tests.volume import quarter

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

WIDTHS = (390, 1280)
PARTS = 3
FOUND = {"home of a player", "match after the bell"}  # wrong once, when all were walked through
SYLLABLES = "क्षि" * 60
FAMILIES = "👩‍👩‍👧‍👦" * 60
BOTH = ("अनुष्का" + "👩‍👩‍👧‍👦") * 15


def faults(page, spots) -> dict[str, list[object]]:
    found, who = {}, {}
    for spot in spots:
        go(page, spot, who)
        hold_still(page)
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 844})
            needed = page.evaluate("document.documentElement.scrollWidth")
            here = [f"sideways: {needed}"] if needed > width else []
            here += [f"overlap: {one}" for one in page.evaluate(OVERLAPS)]
            if here:
                found[f"{spot.name} at {width}"] = here
    return found


@parts_in_fonts(PARTS)
def test_sixty_letters_of_any_script_keep_every_page_in_shape(visit, part) -> None:
    world, spots = furnished()
    # Forms are filled in by the names of their fields, which are those of the players.
    spots = [spot for spot in spots if not spot.text]
    assert {spot.name for spot in spots} >= FOUND
    drawn = quarter([spot for spot in spots if spot.name not in FOUND], area)
    spots = [spot for spot in spots if spot in drawn or spot.name in FOUND]
    for entrant, name in zip(world.entrants, (SYLLABLES, FAMILIES, BOTH), strict=True):
        assert clean_name(name) == name
        Player.objects.filter(pk=entrant.player_id).update(name=name, folded=fold(name))
    assert faults(visit(workers="block"), spots[part::PARTS]) == {}


def test_a_name_that_cannot_be_broken_would_be_seen(world, visit) -> None:
    """The control."""
    Player.objects.filter(pk=world.entrants[0].player_id).update(name=SYLLABLES)
    page = visit(width=390)
    page.goto(f"/players/{world.entrants[0].player.code}/")
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    page.evaluate("document.querySelectorAll('*').forEach(one => { one.style.overflowWrap = 'normal' })")
    assert page.evaluate("document.documentElement.scrollWidth") > 390


def test_a_squeezed_name_is_measured_as_it_is_drawn(visit) -> None:
    """In Chromium a range of its text is as wide as before."""
    page = visit()
    squeezed = 'textLength="120" lengthAdjust="spacingAndGlyphs"'
    for points_at, found in ((150, 0), (100, 1)):
        page.set_content(
            f'<svg viewBox="0 0 800 100" width="800"><text x="10" y="30" {squeezed}>{BOTH}</text>'
            f'<text x="{points_at}" y="30">150</text></svg>'
        )
        assert len(page.evaluate(OVERLAPS)) == found

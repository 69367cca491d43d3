"""A result under review where there is little room: a sign and its word stay on one line."""

import pytest
from playwright.sync_api import Locator

from league.matches.models import KnownBy
from league.matches.permissions import Guest
from league.matches.results.entering import enter_sheet
from tests.browser.conftest import sign_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def differing(world):
    for side, scores in ((1, [150, 95]), (2, [90, 150])):
        enter_sheet(world.game(), Guest(world.match.pk, side), {"scores": scores}, kind=KnownBy.SCORE)
    return world


def lines(text: Locator) -> int:
    """Lines of the text itself, whatever surrounds it."""
    return text.evaluate(
        """one => {
          const range = document.createRange();
          range.selectNodeContents([...one.childNodes].find(node => node.nodeType === 3 && node.data.trim()));
          return new Set([...range.getClientRects()].map(box => Math.round(box.top))).size;
        }"""
    )


def test_the_word_stands_beside_its_sign_in_a_narrow_table(differing, visit) -> None:
    page = visit(width=320)
    page.goto("/competitions/harbour/autumn/standings/")
    sign = page.locator(".under-review").first
    around, icon = sign.bounding_box(), sign.locator("svg").bounding_box()
    assert lines(sign) == 1
    assert abs((around["y"] + around["height"] / 2) - (icon["y"] + icon["height"] / 2)) < 2, "one above the other"


def test_the_buttons_of_two_entries_have_their_words_on_one_line(differing, visit) -> None:
    page = visit(width=1280)
    sign_in(page, "ref")
    page.goto("/organize/harbour/grid/")
    buttons = page.get_by_role("button", name="Take this one")
    assert [lines(one) for one in buttons.all()] == [1, 1]

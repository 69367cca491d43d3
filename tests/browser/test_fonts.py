"""Pages are drawn with the font that a test asks for, whatever the machine prefers."""

import pytest

from tests.browser.fonts import FONTS, every_font

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@every_font
@pytest.mark.parametrize("selector", ["h1", "code"])
def test_a_page_is_drawn_with_the_font(visit, font, selector) -> None:
    page = visit()
    page.goto("/")
    page.evaluate("document.querySelector('main').insertAdjacentHTML('beforeend', '<code>P1 6-6</code>')")
    tools = page.context.new_cdp_session(page)
    for domain in ("DOM", "CSS"):
        tools.send(f"{domain}.enable")
    root = tools.send("DOM.getDocument")["root"]["nodeId"]
    node = tools.send("DOM.querySelector", {"nodeId": root, "selector": selector})["nodeId"]
    drawn = tools.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]
    assert {one["familyName"] for one in drawn} == {FONTS[font].mono if selector == "code" else font}

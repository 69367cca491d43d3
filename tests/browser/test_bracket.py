"""The bracket in a real browser: zoom, the path of a player, the keyboard, the wall that turns, and the sheets."""

import re

import pytest
from playwright.sync_api import Page, expect

from league.matches.models import Match
from league.players.models import Player
from tests.browser.fonts import every_font
from tests.browser.paper import printed
from tests.web import world as small
from tests.web.lives import official, two_lives

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

BRACKET = "/competitions/harbour/cup/bracket/"
LIVES = "/competitions/harbour/two-lives/bracket/"
A3, A4 = (297, 420), (210, 297)
BOXES = """[...document.querySelectorAll('.bracket .box:not(.bye)')].map(box =>
    [box.querySelector('.where').textContent.split(' · ')[0], box.classList[1] || ''])"""
LEAST_LETTER = """() => Math.min(...[...document.querySelectorAll('.bracket-sheet svg.bracket text')].map(text =>
    parseFloat(getComputedStyle(text).fontSize) * text.ownerSVGElement.getScreenCTM().a * 72 / 96))"""


def tones(page: Page) -> dict[str, str]:
    return dict(page.evaluate(BOXES))


def opened(visit, query: str = "", **kind: object) -> Page:
    page = visit(**kind)
    page.goto(BRACKET + query)
    expect(page.locator(".viewer.live")).to_be_visible()
    return page


def width(page: Page) -> float:
    return page.locator(".bracket").bounding_box()["width"]


def name(page: Page, text: str):
    return page.locator(".bracket .name", has_text=text).first


@pytest.mark.parametrize("size", [390, 1280])
def test_the_buttons_of_the_drawing_lie_on_no_match(world, visit, size) -> None:
    small.knock_out(world, players=16, played=3)
    page = opened(visit, width=size)
    frame, tools = (page.locator(one).bounding_box() for one in (".viewer .scroll", ".viewer-tools"))
    assert tools["y"] >= frame["y"] + frame["height"]
    below = page.locator(".keys").bounding_box()
    assert tools["y"] + tools["height"] <= below["y"]


def test_buttons_keys_and_the_wheel_make_the_drawing_larger_and_smaller(world, visit) -> None:
    small.knock_out(world, players=64, played=3)
    page = opened(visit)
    usual = width(page)
    page.get_by_role("button", name="Larger").click()
    assert width(page) == pytest.approx(1.25 * usual, rel=0.01)
    page.get_by_role("button", name="Smaller").click()
    assert width(page) == pytest.approx(usual, rel=0.01)
    page.get_by_role("button", name="All of it").click()
    box = page.locator(".viewer .scroll").bounding_box()
    drawn = page.locator(".bracket").bounding_box()
    assert drawn["width"] <= box["width"]
    assert drawn["height"] <= box["height"]
    expect(page.get_by_role("button", name="Smaller")).to_be_disabled()
    expect(page.locator(".minimap")).to_be_hidden()
    page.get_by_role("button", name="Usual size").click()
    expect(page.locator(".minimap")).to_be_visible()
    # The wheel scrolls the page until somebody works in the drawing; with Ctrl it always zooms.
    page.locator(".viewer .scroll").hover()
    page.mouse.wheel(0, 40)
    page.wait_for_function("scrollY > 0")
    assert width(page) == pytest.approx(usual, rel=0.01)
    page.keyboard.down("Control")
    page.mouse.wheel(0, -200)
    page.keyboard.up("Control")
    expect(page.locator("[data-percent]")).not_to_have_text("100")
    assert width(page) > 1.3 * usual
    page.locator(".viewer .scroll").focus()
    page.keyboard.press("0")
    assert width(page) < usual


def test_two_fingers_make_it_larger(world, visit) -> None:
    small.knock_out(world, players=8, played=0)
    page = visit(width=390, touch=True)
    page.goto(BRACKET)
    frame = page.locator(".viewer .scroll")
    frame.scroll_into_view_if_needed()
    usual, box = width(page), frame.bounding_box()
    fingers = page.context.new_cdp_session(page)
    x, y = box["x"] + 150, box["y"] + 100
    for kind, apart in (("touchStart", 40), ("touchMove", 50), ("touchMove", 60), ("touchMove", 80)):
        points = [{"x": x - apart / 2, "y": y, "id": 1}, {"x": x + apart / 2, "y": y, "id": 2}]
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    fingers.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    assert width(page) == pytest.approx(2 * usual, rel=0.05)


def test_the_drawing_is_moved_by_mouse_and_by_its_map(world, visit) -> None:
    small.knock_out(world, players=64, played=0)
    page = opened(visit)
    frame = page.locator(".viewer .scroll")
    frame.scroll_into_view_if_needed()
    box = frame.bounding_box()
    place = "one => [one.scrollLeft, one.scrollTop]"
    page.mouse.move(box["x"] + 500, box["y"] + 250)
    page.mouse.down()
    page.mouse.move(box["x"] + 400, box["y"] + 100, steps=5)
    page.mouse.up()
    assert frame.evaluate(place) == [pytest.approx(100, abs=2), pytest.approx(150, abs=2)]
    assert page.url.endswith(BRACKET)  # a drag over a match does not open it
    page.locator(".minimap").click(position={"x": 40, "y": 120})
    assert frame.evaluate(place)[1] > 1000


def test_a_small_bracket_has_no_map(world, visit) -> None:
    """The control."""
    small.knock_out(world)
    page = opened(visit)
    expect(page.locator(".minimap")).to_have_count(0)


def test_the_path_of_whom_one_points_at_is_drawn_and_goes_again(world, visit) -> None:
    small.knock_out(world)
    page = opened(visit)
    name(page, "Guest 0").hover()
    assert tones(page) == {"Match 1": "on", "Match 2": "off", "Match 3": "on", "Match 4": "off", "Match 5": "future"}
    solid, dashed = (page.locator(f".bracket .edge.{tone}") for tone in ("on", "future"))
    expect(solid).to_have_count(1)
    expect(dashed).to_have_count(1)
    assert dashed.evaluate("one => getComputedStyle(one).strokeDasharray") != "none"
    assert solid.evaluate("one => getComputedStyle(one).strokeDasharray") == "none"
    page.locator("h1").hover()
    assert set(tones(page).values()) == {""}
    name(page, "Ana Ruiz").hover()  # a bye, and the match it leads to
    expect(page.locator(".bracket .bye.on")).to_have_count(1)
    expect(solid).to_have_count(1)
    assert list(tones(page).values()) == ["off", "off", "on", "off", "future"]
    name(page, "Guest 1").hover()  # who lost goes nowhere
    assert list(tones(page).values()) == ["on", "off", "off", "off", "off"]


@pytest.mark.parametrize(("who", "way"), [("Cleo Diaz", "future"), ("Guest 2", "off")])
def test_of_a_result_that_waits_the_winner_has_a_way_on_and_the_loser_none(world, visit, who: str, way: str) -> None:
    small.knock_out(world)
    page = opened(visit)
    name(page, who).hover()
    by_script = tones(page)
    assert (by_script["Match 2"], by_script["Match 4"], by_script["Match 5"]) == ("on", way, way)
    page.goto(f"{BRACKET}?player={Player.objects.get(name=who).code}")  # the server draws the same
    assert tones(page) == by_script


@pytest.mark.smoke
def test_a_tap_shows_the_path_and_keeps_it_and_the_next_one_opens_the_match(world, visit) -> None:
    small.knock_out(world)
    code = Player.objects.get(name="Guest 0").code
    page = visit(width=390, touch=True)
    page.goto(BRACKET)
    name(page, "Guest 0").tap()
    expect(page).to_have_url(re.compile(rf"\?player={code}$"))
    assert tones(page)["Match 5"] == "future"
    expect(page.locator("[data-heard]")).to_have_text("The path of Guest 0")
    expect(page.get_by_label("Follow a player")).to_have_value(code)
    page.reload()  # the same by the server, before any script
    assert tones(page)["Match 5"] == "future"
    name(page, "Guest 0").tap()
    page.wait_for_url("**/matches/**")


@pytest.mark.smoke
def test_the_keyboard_goes_from_match_to_match_and_says_each(world, visit) -> None:
    small.knock_out(world)
    page = opened(visit)
    said = page.locator("[data-heard]")
    frame = page.locator(".viewer .scroll")
    page.get_by_role("button", name="Show the path").focus()
    page.keyboard.press("Tab")
    expect(frame).to_be_focused()
    expect(said).to_have_text("Quarter-final 4, Cleo Diaz 150, Guest 2 95, Unconfirmed, winner plays semi-final 2")
    page.keyboard.press("ArrowUp")
    expect(said).to_have_text("Quarter-final 2, Guest 0 150, Guest 1 95, winner plays semi-final 1")
    page.keyboard.press("ArrowRight")
    expect(said).to_have_text("Semi-final 1, Ana Ruiz, Guest 0, winner plays the final")
    page.keyboard.press("ArrowRight")
    expect(said).to_have_text("Final, winner of match 3, winner of match 4")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(said).to_contain_text("Quarter-final 2")
    page.keyboard.press("Home")
    expect(said).to_contain_text("Final, ")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Space")
    expect(said).to_have_text("The path of Ana Ruiz")
    assert tones(page)["Match 1"] == "off"
    page.keyboard.press("Space")
    expect(said).to_have_text("The path of Guest 0")
    page.keyboard.press("Escape")
    expect(said).to_have_text("No path is shown")
    expect(page).not_to_have_url(re.compile("player"))
    # One stop: from the drawing Tab goes to its tools, not from match to match.
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('.viewer-tools') !== null")
    frame.focus()
    page.keyboard.press("/")
    expect(page.get_by_label("Follow a player")).to_be_focused()
    frame.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/matches/**")


def test_the_keyboard_goes_through_both_brackets_to_the_final_of_both(world, visit) -> None:
    two_lives(world, 8)
    page = visit()
    page.goto(LIVES)
    expect(page.locator(".viewer.live")).to_be_visible()
    said, frame = page.locator("[data-heard]"), page.locator(".viewer .scroll")
    frame.focus()
    page.keyboard.press("Home")
    expect(said).to_have_text("Deciding match, winner of match 14, loser of match 14, Only if needed")
    page.keyboard.press("ArrowLeft")
    expect(said).to_have_text("Final, winner of match W11, winner of match L13, winner plays the deciding match")
    page.keyboard.press("ArrowLeft")
    expect(said).to_contain_text(
        "Winners’ round 3, match W11, winner of match W5, winner of match W6, winner plays the"
    )
    expect(said).to_contain_text("loser plays match L13")
    page.keyboard.press("ArrowDown")
    expect(said).to_contain_text("Losers’ round 4, match L13, loser of match W11, winner of match L12")
    page.keyboard.press("ArrowRight")
    expect(said).to_contain_text("Final, ")
    for key in ("ArrowLeft", "ArrowDown", "ArrowLeft", "ArrowLeft", "ArrowLeft"):
        page.keyboard.press(key)
    expect(said).to_contain_text("Losers’ round 1, match L7")
    page.keyboard.press("ArrowUp")
    expect(said).to_contain_text("Winners’ round 1, match W4")


def test_the_path_of_who_lost_goes_on_below(world, visit) -> None:
    cup = two_lives(world, 4)
    for _round in range(2):
        for match in Match.objects.filter(slot__matchday__stage__competition=cup, state="scheduled"):
            official(world, match)
    page = visit()
    page.goto(LIVES)
    expect(page.locator(".viewer.live")).to_be_visible()
    loser = page.locator(".bracket .box", has_text="Match W3").locator(".name:not(.won)")
    code = loser.get_attribute("data-code")
    loser.hover()
    drawn = "[...document.querySelectorAll('.bracket .edge')].map(one => one.getAttribute('class'))"
    by_script, boxes = page.evaluate(drawn), tones(page)
    assert (boxes["Match W3"], boxes["Match L5"], boxes["Match 6"], boxes["Match 7"]) == (
        "on",
        "on",
        "future",
        "future",
    )
    # Won in round 1, lost in the winners' final, and may still come to the final from below.
    assert sorted(one.removeprefix("edge ") for one in by_script) == ["future", "future", "off", "off", "off", "on"]
    page.goto(f"{LIVES}?player={code}")  # the server draws the same
    assert page.evaluate(drawn) == by_script
    assert tones(page) == boxes


def test_the_wall_turns_every_twenty_seconds_and_stands_still_when_asked(world, visit, hours) -> None:
    small.knock_out(world, players=16, played=0)
    page = hours.show(visit(scheme="dark"))
    page.goto(f"{BRACKET}current/")
    first = page.locator(".bracket .where").first
    shown = first.text_content()
    box = page.locator(".bracket").bounding_box()
    assert box["y"] + box["height"] <= page.viewport_size["height"]
    ground, ink = page.evaluate("(s => [s.backgroundColor, s.color])(getComputedStyle(document.body))")
    assert (ground, ink) == ("rgb(255, 255, 255)", "rgb(0, 0, 0)")
    hours.run(20.5)
    expect(first).not_to_have_text(shown)
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Go on")).to_be_visible()
    second = first.text_content()
    hours.run(60)
    assert first.text_content() == second


@every_font
def test_sixty_four_are_printed_on_one_a3_in_letters_of_seven_points(world, visit, live_server, tmp_path) -> None:
    small.knock_out(world, players=64, played=3, third_place=True)
    page = visit()
    [sheet] = printed(page, f"{BRACKET}print/?paper=a3", tmp_path)
    assert sheet.size == pytest.approx(A3, abs=0.3)
    for text in ("AnaRuiz", "BoChen", *(f"Guest{n}" for n in range(61)), "Final", "Thirdplace", "Page1of1", "Asof"):
        assert text in sheet.text, text
    assert f"{live_server.url}{BRACKET}" in sheet.text
    assert not any(said in sheet.text for said in ("Followaplayer", "Signin", "Language"))
    page.emulate_media(media="print")
    assert page.evaluate(LEAST_LETTER) >= 6.99


@every_font
def test_sixty_four_on_a4_share_three_sheets_which_say_where_they_lie(world, visit, tmp_path) -> None:
    small.knock_out(world, players=64, played=0)
    sheets = printed(visit(), f"{BRACKET}print/?paper=a4", tmp_path)
    assert [sheet.size for sheet in sheets] == [pytest.approx(A4[::-1], abs=0.3)] * 3
    assert [f"Page{number}of3" in sheet.text for number, sheet in enumerate(sheets, start=1)] == [True] * 3
    everybody = "".join(sheet.text for sheet in sheets)
    assert all(f"Match{number}" in everybody for number in range(1, 64))
    twice = [n for n in range(1, 33) if sum(f"Match{n}·" in sheet.text for sheet in sheets) > 1]
    assert len(twice) == 2

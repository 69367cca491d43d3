"""The replay on the page of a match (SCREENS.md B-7): keys, slider, address, and the same without a script."""

import re

import pytest
from playwright.sync_api import Page, expect

from league.matches.logs.submission import submit_log, verify_record
from tests.browser.fonts import every_font
from tests.web import world as small
from tests.web.matches.test_replay import long_log

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def address(world, log) -> str:
    record = submit_log(game=world.game(), user=world.alice, raw=log.encode()).record
    verify_record(record.pk)
    return f"/matches/{world.match.pk}/"


def laid(page: Page) -> int:
    """How many tiles lie on the table that is shown."""
    return page.locator("[data-board] .board .t:not(.off)").count()


@pytest.mark.smoke
def test_the_keys_step_through_a_game_and_the_address_follows(visit, address) -> None:
    page = visit(width=390)
    page.goto(f"{address}#r1.0")
    said = page.locator("[data-told]")
    expect(said).to_have_text("The tiles are dealt.")
    assert laid(page) == 0
    page.keyboard.press("ArrowRight")
    expect(said).to_contain_text("leads")
    assert laid(page) == 1
    expect(page).to_have_url(re.compile(r"#r1\.1$"))
    expect(page.locator("[data-sum]")).to_contain_text("=")
    page.keyboard.press("ArrowLeft")
    assert laid(page) == 0
    # The other keys belong to the replay while the focus is in it.
    page.get_by_role("button", name="One step on").focus()
    page.keyboard.press("End")
    tiles = page.locator("[data-board] .board .t").count()
    assert laid(page) == tiles > 5
    page.keyboard.press("ArrowDown")
    expect(page).to_have_url(re.compile(r"#r2\.0$"))
    page.keyboard.press("ArrowUp")
    expect(page.locator('[id="r1.0"]')).to_have_attribute("aria-current", "step")
    page.keyboard.press("f")
    expect(page.locator("[data-board] .board")).to_have_class(re.compile("turned"))


def test_slider_round_and_links_lead_to_a_step(visit, address) -> None:
    page = visit()
    page.goto(address)
    # Who opens the page sees how the game ended.
    last = page.locator("[data-rounds] option").count()
    assert page.locator("[data-rounds]").input_value() == str(last - 1)
    page.locator("[data-rounds]").select_option("0")
    page.locator("[data-slide]").evaluate("one => { one.value = 3; one.dispatchEvent(new Event('input')); }")
    expect(page).to_have_url(re.compile(r"#r1\.3$"))
    expect(page.locator('[id="r1.3"]')).to_have_attribute("aria-current", "step")
    score = page.locator("[data-score]").all_inner_texts()
    assert len(score) == 2
    page.locator('[id="r1.2"] .number').click()
    expect(page).to_have_url(re.compile(r"#r1\.2$"))
    expect(page.locator("[data-told]")).to_have_text(page.locator('[id="r1.2"] .said').inner_text())


def test_it_plays_by_itself_and_stops(visit, address, hours) -> None:
    page = hours.show(visit())
    page.goto(f"{address}#r1.0")
    hours.run(0.1)  # the first frame, in which the page goes to that step
    page.locator("[data-speed]").select_option("4")
    page.get_by_role("button", name="Play").click()
    hours.run(2)
    expect(page.locator("[data-told]")).not_to_have_text("The tiles are dealt.")
    page.get_by_role("button", name="Pause").click()
    stood = page.url
    hours.run(10)
    assert page.url == stood


def test_a_replay_that_comes_while_the_page_is_open_is_shown(world, visit, log, hours) -> None:
    record = submit_log(game=world.game(), user=world.alice, raw=log.encode()).record
    page = hours.show(visit())
    page.goto(f"/matches/{world.match.pk}/")
    expect(page.locator("[data-replay]")).to_have_count(0)
    verify_record(record.pk)
    hours.run(10)
    expect(page.locator("[data-board] .board")).to_be_visible()


def test_nothing_moves_when_a_tile_is_added(visit, address) -> None:
    page = visit()
    page.goto(f"{address}#r1.2")
    expect(page.locator('[aria-current="step"]')).to_have_attribute("id", "r1.2")
    comes_into_sight(page, "[data-board]")
    first = page.locator('[data-board] [data-n="0"]')
    before = first.bounding_box()
    for _step in range(6):
        page.keyboard.press("ArrowRight")
    assert first.bounding_box() == before


@pytest.mark.smoke
def test_without_a_script_every_round_is_told_and_drawn(visit, address) -> None:
    page = visit(js=False)
    page.goto(address)
    expect(page.locator("[data-stage]")).to_be_hidden()
    expect(page.locator(".told-board .board").first).to_be_visible()
    expect(page.locator('[id="r1.1"] .said')).to_contain_text("leads")


def comes_into_sight(page: Page, selector: str) -> None:
    """A page may scroll in the next frame."""
    page.wait_for_function(
        """selector => {
          const {top, bottom} = document.querySelector(selector).getBoundingClientRect();
          return top >= 0 && bottom <= innerHeight;
        }""",
        arg=selector,
    )


@every_font
def test_on_a_telephone_score_table_and_what_happened_are_in_sight_at_once(visit, address) -> None:
    page = visit(width=390)
    page.goto(address)
    expect(page.locator("[data-told]")).not_to_be_empty()
    for part in (".plate .score", "[data-seat]", "[data-board]", "[data-told]", '[data-go="on"]'):
        comes_into_sight(page, part)


@pytest.mark.parametrize("width", [390, 1280])
def test_an_address_of_a_step_shows_the_table_at_that_step(visit, address, width: int) -> None:
    page = visit(width=width)
    page.goto(f"{address}#r2.5")
    expect(page.locator('[id="r2.5"]')).to_have_attribute("aria-current", "step")
    expect(page.locator("[data-told]")).to_have_text(page.locator('[id="r2.5"] .said').text_content())
    page.wait_for_function("scrollY > 0")
    comes_into_sight(page, "[data-board]")
    # One that is followed from the transcript too.
    page.locator('[id="r2.3"] .number').click()
    expect(page.locator('[id="r2.3"]')).to_have_attribute("aria-current", "step")
    comes_into_sight(page, "[data-board]")
    page.go_back()
    expect(page.locator('[id="r2.5"]')).to_have_attribute("aria-current", "step")


def test_keys_and_buttons_say_ends_hands_score_and_time(visit, address) -> None:
    page = visit()
    page.goto(f"{address}#r1.3")
    expect(page.locator('[aria-current="step"]')).to_have_attribute("id", "r1.3")
    heard = page.locator("[data-heard]")
    expect(page.locator("[data-aloud]")).to_have_attribute("role", "status")
    page.locator("[data-board]").focus()
    said = {}
    told = {"e": r"^Open: .*= \d+", "h": r"^Tiles left: Ana Ruiz \d", "s": r"^Score: Ana Ruiz \d+, Bo Chen \d+\.$"}
    for key, words in told.items():
        page.keyboard.press(key)
        expect(heard).to_have_text(re.compile(words))
        said[key] = heard.inner_text()
    page.keyboard.press("t")
    expect(heard).to_have_text(re.compile(r"^Time played: \d+:\d\d\. Time left: \d+:\d\d\. For this step: 0:\d\d\.$"))
    # The buttons say the same.
    for name, key in (("Open ends", "e"), ("Hands", "h"), ("Score", "s")):
        page.get_by_role("button", name=name, exact=True).click()
        expect(heard).to_have_text(said[key])
    # What was asked about one step is not said of the next.
    page.get_by_role("button", name="One step on").click()
    expect(heard).to_be_empty()


def test_a_button_shows_the_hands_and_the_open_ends(visit, address) -> None:
    page = visit(width=390)
    page.goto(f"{address}#r1.4")
    button = page.get_by_role("button", name="Show hands")
    hands = page.locator("[data-racks]")
    expect(hands).to_be_hidden()
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(hands).to_contain_text("Open: ")
    expect(hands.locator("b")).to_have_text(["Ana Ruiz", "Bo Chen"])
    left = page.locator("[data-seat] [data-held]").all_inner_texts()
    racks = hands.locator("p:has(b)")
    for seat, count in enumerate(left):
        expect(racks.nth(seat).locator(".rack-tile")).to_have_count(int(count))
    names = [one.get_attribute("aria-label") for one in racks.nth(1).locator(".rack-tile").all()]
    page.get_by_role("button", name="Hands", exact=True).click()
    expect(page.locator("[data-heard]")).to_contain_text(f"Bo Chen holds {', '.join(names)}.")
    button.click()
    expect(hands).to_be_hidden()


def test_a_question_mark_lists_the_keys_and_gives_the_focus_back(visit, address) -> None:
    page = visit()
    page.goto(address)
    page.locator("[data-board]").focus()
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Keys")
    expect(dialog).to_be_visible()
    stood = page.url
    page.keyboard.press("ArrowLeft")
    assert page.url == stood
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(page.locator("[data-board]")).to_be_focused()
    page.get_by_role("button", name="Keys").click()
    expect(dialog).to_be_visible()


def test_keys_leave_alone_who_types_and_what_the_browser_uses(visit, address) -> None:
    page = visit()
    page.goto(f"{address}#r1.2")
    current = page.locator('[aria-current="step"]')
    expect(current).to_have_attribute("id", "r1.2")
    page.locator("[data-board]").focus()
    for held, key in (("ctrlKey", "ArrowRight"), ("altKey", "e"), ("metaKey", "s"), ("shiftKey", "ArrowRight")):
        page.locator("[data-board]").dispatch_event("keydown", {"key": key, held: True, "bubbles": True})
    expect(current).to_have_attribute("id", "r1.2")
    expect(page.locator("[data-heard]")).to_be_empty()
    # A field in the replay, as a page may have one.
    page.evaluate("document.querySelector('[data-stage]').append(document.createElement('input'))")
    page.locator("[data-stage] input:not([type])").focus()
    page.keyboard.type("efs1")
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-stage] input:not([type])")).to_have_value("efs1")
    expect(current).to_have_attribute("id", "r1.2")
    # Letters are heard only while the replay has the focus.
    page.locator("h2").last.click()
    page.keyboard.press("s")
    expect(page.locator("[data-heard]")).to_be_empty()


def test_once_through_with_the_keyboard_alone(visit, address, hours) -> None:
    page = hours.show(visit())
    page.goto(f"{address}#r1.0")
    hours.run(0.1)  # the first frame, in which the page goes to that step
    expect(page.locator('[id="r1.0"]')).to_have_attribute("aria-current", "step")
    # Who follows an address of a step is at its table; who comes without one gets there with the tabulator.
    expect(page.locator("[data-board]")).to_be_focused()
    page.goto("about:blank")
    page.goto(address)
    hours.run(0.1)
    expect(page.locator("[data-told]")).not_to_be_empty()
    for _press in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('[data-board]')"):
            break
    page.keyboard.press("ArrowUp")
    while not page.url.endswith("#r1.0"):
        page.keyboard.press("ArrowUp")
    walk = {"ArrowRight": "r1.1", "ArrowDown": "r2.0", "ArrowUp": "r1.0"}
    for key, step in [*walk.items(), ("ArrowRight", "r1.1"), ("Home", "r1.0")]:
        page.keyboard.press(key)
        expect(page.locator('[aria-current="step"]')).to_have_attribute("id", step)
    page.keyboard.press("4")
    expect(page.locator("[data-speed]")).to_have_value("4")
    page.keyboard.press("Space")
    for step in ("r1.1", "r1.2"):
        hours.run(0.3)  # a step at four times the speed
        expect(page.locator('[aria-current="step"]')).to_have_attribute("id", step)
    page.keyboard.press("Space")
    page.keyboard.press("End")
    expect(page.locator('[aria-current="step"]')).to_have_attribute("id", re.compile(r"^r1\.\d+$"))
    page.keyboard.press("e")
    expect(page.locator("[data-heard]")).to_contain_text("Open:")


def test_a_mark_of_the_chart_and_a_row_of_its_table_lead_to_their_step(visit, address) -> None:
    page = visit()
    page.goto(address)
    mark = page.locator(".score-chart svg a[href]").nth(1)
    step = mark.get_attribute("href")[1:]
    mark.click()
    expect(page.locator('[aria-current="step"]')).to_have_attribute("id", step)
    comes_into_sight(page, "[data-board]")
    page.get_by_text("These scores as a table").click()
    row = page.locator(".chart-table tbody a").last
    step = row.get_attribute("href")[1:]
    row.click()
    expect(page.locator('[aria-current="step"]')).to_have_attribute("id", step)


@pytest.fixture
def long_address(world) -> str:
    text = long_log().replace("Ana Ruiz", "{a}").replace("Bo Chen", "{b}")
    record = small.hand_in(world.game(), world.ref, text=text)
    verify_record(record.pk)
    return f"/matches/{world.match.pk}/"


def test_rounds_of_a_long_game_come_when_they_are_wanted(visit, long_address) -> None:
    page = visit()
    page.goto(f"{long_address}#r61.4")
    expect(page.locator('[id="r61.4"]')).to_have_attribute("aria-current", "step")
    assert laid(page) > 0
    page.locator("[data-rounds]").select_option(label="2")
    expect(page.locator('[id="r2.0"]')).to_have_attribute("aria-current", "step")
    page.get_by_role("button", name="One step on").click()
    assert laid(page) == 1
    page.get_by_role("button", name="The hand before").click()
    expect(page.locator('[id="r1.0"]')).to_have_attribute("aria-current", "step")
    # In their order, each once.
    numbers = [int(one.get_attribute("data-round")) for one in page.locator(".round-told").all()]
    assert numbers == sorted(set(numbers))
    assert {1, 2, 61} < set(numbers)


def test_a_long_game_is_read_in_parts_without_a_script(visit, long_address) -> None:
    page = visit(js=False)
    page.goto(long_address)
    page.get_by_role("navigation", name="Hands of this game").get_by_role("link").first.click()
    expect(page.locator('[id="r1.1"] .said')).to_contain_text("leads")
    expect(page.locator("[data-parts] [aria-current]")).to_have_count(1)

"""The desk by keyboard, two desks at once, the personal link on a phone, the projector and the chat, in Chromium."""

import re

import pytest
from playwright.sync_api import expect

from league.competitions.attendance.check_in import check_in
from league.competitions.draw.plans import Plan, found
from league.competitions.draw.publishing import publish
from league.competitions.draw.stages import draw
from league.competitions.models import Competition
from league.competitions.registration.entries import register
from league.competitions.registration.fees import take_fee
from league.players.services import enrol
from tests.browser.conftest import sign_in
from tests.browser.fonts import every_font
from tests.web import world as small

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
DESK = "/organize/harbour/competitions/tuesday/check-in/"
ROUND = "/competitions/harbour/tuesday/rounds/1/"


@pytest.fixture
def evening(world):
    more = [enrol(league=world.league, name=f"Guest {number:02}", since=small.FIRST.date()) for number in range(28)]
    plan = Plan(name="Tuesday", ruleset="udl", starts_at=small.FIRST, tables=("1", "2"), fee=500, currency="€")
    made = found(world.league, plan, user=world.owner)
    register(made, [*world.entrants, *more])
    draw(made, user=world.owner)
    publish(made, user=world.owner)
    return made


def open_desk(page):
    """The field for a name has the focus a moment after the page is there; what is typed earlier goes nowhere."""
    page.goto(DESK)
    expect(page.get_by_label("Find a name")).to_be_focused()


def here(competition):
    rows = competition.registrations.filter(checked_in_at__isnull=False).select_related("entrant__player")
    return sorted(str(row.entrant) for row in rows)


def test_names_are_typed_and_entered_one_after_the_other(world, evening, visit):
    page = visit()
    sign_in(page, "ref")
    open_desk(page)
    for name, count in (("cleo", 1), ("guest 07", 2)):
        page.keyboard.type(name)
        expect(page.locator(".arrival:visible")).to_have_count(1)
        page.keyboard.press("Enter")
        expect(page.locator("[data-count]")).to_have_text(f"{count} of 31 are here")
        expect(page.get_by_label("Find a name")).to_have_value("")
    assert here(evening) == ["Cleo Diaz", "Guest 07"]
    check_in(evening, world.entrants[0], user=world.owner)
    expect(page.locator("[data-count]")).to_have_text("3 of 31 are here")
    page.get_by_role("button", name=re.compile("Take 5.00 €.*Bo Chen")).click()
    expect(page.locator(".arrival", has_text="Bo Chen").get_by_text("paid 5.00 €")).to_be_visible()
    page.context.set_offline(True)
    page.get_by_role("button", name=re.compile("Bo Chen.*Check in")).click()
    expect(page.get_by_text("Connection lost")).to_be_visible()
    assert len(here(evening)) == 3


def test_news_of_another_desk_leave_the_message_of_this_one(world, evening, visit):
    page = visit()
    sign_in(page, "owner")
    open_desk(page)
    page.get_by_role("button", name="Let players check in").click()
    message = page.get_by_text("Players can check in by themselves now")
    expect(message).to_be_visible()
    check_in(evening, world.entrants[0], user=world.owner)
    expect(page.locator("[data-count]")).to_have_text("1 of 31 are here")
    expect(message).to_be_visible()
    page.get_by_role("button", name=re.compile("Bo Chen.*Check in")).click()
    expect(page.locator("[data-count]")).to_have_text("2 of 31 are here")
    expect(message).to_have_count(0)


def test_a_press_that_lasts_while_the_list_changes_counts(world, evening, visit, hours):
    page = hours.show(visit())
    sign_in(page, "ref")
    open_desk(page)
    page.get_by_role("button", name=re.compile("Bo Chen.*Check in")).hover()
    page.mouse.down()
    check_in(evening, world.entrants[0], user=world.owner)
    hours.run(5.1)  # the page has asked
    page.mouse.up()
    hours.run(0.1)
    expect(page.locator("[data-count]")).to_have_text("2 of 31 are here")
    assert here(evening) == ["Ana Ruiz", "Bo Chen"]


def test_the_keyboard_stays_where_it_is_while_the_list_changes(world, evening, visit, hours):
    page = hours.show(visit())
    sign_in(page, "ref")
    open_desk(page)
    fee = page.locator("summary", has_text="Fee: Bo Chen")
    fee.focus()
    check_in(evening, world.entrants[0], user=world.owner)
    hours.run(5.1)  # the page has asked
    expect(page.locator("[data-count]")).to_have_text("1 of 31 are here")
    expect(fee).to_be_focused()


@pytest.mark.smoke
def test_enter_in_a_field_of_the_fee_does_what_stands_beside_it(world, evening, visit):
    take_fee(evening, world.entrants[0], user=world.owner, owed=500, amount=200)
    page = visit()
    sign_in(page, "ref")
    open_desk(page)
    for name, field, typed, told in (
        ("Ana Ruiz", "Another amount", "1", "paid 3.00 €"),
        ("Bo Chen", "Plays free because", "helps at the bar", "helps at the bar"),
    ):
        row = page.locator(".arrival", has_text=name)
        row.locator("summary").click()
        row.get_by_label(field).fill(typed)
        row.get_by_label(field).press("Enter")
        expect(row.locator(".fee > span", has_text=told)).to_be_visible()
    paid = evening.payments.filter(returned_at=None).order_by("pk").values_list("entrant", "amount")
    assert list(paid) == [(world.entrants[0].pk, 200), (world.entrants[0].pk, 100)]


def test_without_javascript_enter_and_enter_again(evening, visit):
    page = visit(js=False, width=390)
    sign_in(page, "ref")
    open_desk(page)
    page.keyboard.type("cleo")
    page.keyboard.press("Enter")
    page.wait_for_url("**q=cleo*")
    expect(page.get_by_role("button", name="Cleo Diaz Check in")).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url("**done=*")
    assert here(evening) == ["Cleo Diaz"]


@pytest.mark.smoke
def test_a_player_checks_in_with_the_own_phone_and_no_account(world, evening, visit):
    Competition.objects.filter(pk=evening.pk).update(check_in_open=True)
    page = visit(width=390)
    page.goto(f"/me/{world.entrants[1].door}/")
    page.locator(".card", has_text="Tuesday").get_by_role("button", name="I am here").click()
    expect(page.get_by_text("Checked in: Tuesday.")).to_be_visible()
    assert here(evening) == ["Bo Chen"]


def test_the_pairings_are_copied_by_one_tap(evening, visit, hours):
    page = hours.show(visit())  # "Copied" stays for 2.5 s
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(ROUND)
    page.get_by_role("link", name="Copy as text").click()
    expect(page.get_by_role("link", name="Copied")).to_be_visible()
    expect(page.get_by_role("status").filter(has_text="Copied")).to_be_attached()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("Tuesday, Round 1\n")
    assert "Bo Chen" in copied


def test_where_there_is_no_clipboard_the_text_is_selected(evening, visit):
    page = visit()
    page.add_init_script("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    page.goto(ROUND)
    page.get_by_role("link", name="Copy as text").click()
    area = page.locator("#text")
    expect(area).to_be_visible()
    assert area.evaluate("one => one.selectionEnd - one.selectionStart === one.value.length")


@every_font
def test_the_projector_turns_its_pages_cuts_no_row_and_stands_still_when_asked(evening, visit, hours):
    page = hours.show(visit())
    page.goto(f"{ROUND}?wall=1")
    first = page.locator(".pairing-row").first
    shown = first.inner_text()
    screen = page.viewport_size["height"]
    boxes = [row.bounding_box() for row in page.locator(".pairing-row").all()]
    assert len(boxes) == 14
    assert max(box["y"] + box["height"] for box in boxes) <= screen
    hours.run(10.5)
    expect(first).not_to_have_text(shown)
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Go on")).to_be_visible()
    second = first.inner_text()
    hours.run(30)
    assert first.inner_text() == second

"""Search by keyboard, following, and two players against each other, with and without a script."""

import pytest
from playwright.sync_api import expect

from league.matches.logs.submission import submit_log, verify_record
from tests.browser.conftest import sign_in
from tests.browser.fonts import every_font
from tests.browser.places import rated_evenings

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.smoke
def test_a_player_is_found_with_the_keyboard_alone(world, visit) -> None:
    page = visit()
    page.goto("/")
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Search").focus()
    page.keyboard.press("Enter")
    box = page.get_by_role("combobox", name="Find a player, a league or a competition")
    box.focus()
    expect(box).to_have_value("")
    page.keyboard.type("ru")
    expect(page.get_by_role("option")).to_have_count(1)
    expect(page.get_by_role("status")).to_have_text("1 suggestion")
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("option", selected=True)).to_contain_text("Ana Ruiz")
    assert box.get_attribute("aria-activedescendant") == page.get_by_role("option").get_attribute("id")
    page.keyboard.press("Escape")
    expect(page.get_by_role("option")).to_have_count(0)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Ana Ruiz")


def test_enter_without_a_choice_searches_as_the_form_does(world, visit) -> None:
    for js in (True, False):
        page = visit(js=js, width=390)
        page.goto("/")
        page.locator("#q").fill("har")
        page.locator("#q").press("Enter")
        expect(page.get_by_role("main").get_by_role("link", name="Harbour")).to_be_visible()


@every_font
def test_suggestions_stay_within_the_narrowest_page(world, visit) -> None:
    page = visit(width=320)
    page.goto("/")
    page.locator("#q").fill("ana r")  # at once: a pause while typing brings a list more
    option = page.get_by_role("option").first
    expect(option).to_be_visible()
    place = option.bounding_box()
    assert place["height"] >= 32
    assert place["x"] >= 0
    assert place["x"] + place["width"] <= 320
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


@pytest.mark.parametrize("js", [True, False])
@pytest.mark.parametrize("who", ["", "bob"])
def test_a_player_is_followed_and_no_more(world, visit, js, who) -> None:
    page = visit(js=js, width=390)
    if who:
        sign_in(page, who)
    page.goto(f"/players/{world.entrants[0].player.code}/")
    page.get_by_role("button", name="Follow", exact=True).click()
    expect(page.get_by_role("button", name="Followed: stop")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Ana Ruiz")
    page.goto("/following/")
    expect(page.get_by_role("link", name="Ana Ruiz", exact=True)).to_be_visible()
    page.get_by_role("button", name="Stop Ana Ruiz").click()
    expect(page.get_by_text("You follow nobody yet.")).to_be_visible()


@pytest.mark.parametrize("js", [True, False])
def test_two_players_are_held_against_each_other(world, visit, log, js) -> None:
    verify_record(submit_log(game=world.game(), user=world.alice, raw=log.encode()).record.pk)
    page = visit(js=js, width=390)
    page.goto(f"/players/{world.entrants[0].player.code}/")
    page.get_by_label("Against").fill("chen")
    page.get_by_label("Against").press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Ana Ruiz – Bo Chen")
    page.wait_for_load_state()  # the cells are read at once
    row = page.get_by_role("row").filter(has_text="Matches won")
    assert sorted(row.get_by_role("cell").all_inner_texts()) == ["0", "1"]
    expect(page.get_by_role("row").filter(has_text="Counts made")).to_be_visible()
    page.get_by_role("link", name="Another opponent").click()
    expect(page.get_by_role("link", name="Bo Chen")).to_be_visible()


def test_a_point_of_the_curve_leads_to_a_match(world, visit) -> None:
    rated_evenings(world)
    page = visit(width=390)
    page.goto(f"/players/{world.entrants[0].player.code}/")
    point = page.locator(".chart a.strip").first
    assert point.bounding_box()["width"] >= 32
    point.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/matches/*/")

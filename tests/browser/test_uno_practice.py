"""Uno Dominoes at the practice table in a browser: by clicks, by keys and by ear, and without a script."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from league.house.levels import Level
from league.play.models import PracticeGame
from tests.browser.test_practice import click_on, line, moved_on
from tests.league.play.tables import saved
from tests.league.play.uno_tables import uno_at

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
A = "A hand g9-g9 b1-WD4 g9-b6 r3-rS y3-r6 r2-g9"
B = "B hand r3-r3 g2-b5 g5-b9 y1-r4 b6-g7 r7-yD2"
LAID = "A g9-g9", "B g2-b5 on g9-g9"
ONE_LEFT = (
    "A hand g9-g9 g1-y9 r3-rS r2-g9",
    "B hand g2-b5 g5-b9",
    "C hand b2-y6 b3-y7 y4-r5 b8-DE",
    *LAID,
)


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


def act(page: Page) -> None:
    """Do by clicks what a lively player would do next."""
    before, state = line(page), page.locator("[data-table]").get_attribute("data-state")
    own = page.locator("[data-events] li").first
    if state == "between":
        button(page, "Next hand").click()
    elif state == "four":
        button(page, "Challenge").click()
    elif state == "pause":
        asked = page.locator("[data-ask]").inner_text()
        name = re.search(r"(Alba|Bruno|Clara) has one tile", asked)
        tried = "own" in (own.get_attribute("class") or "")
        button(page, f"Catch {name[1]}" if name and not tried else "Go on").click()
    elif "Tiles: 2" in page.locator(".stage-name.by-0").inner_text() and "You say UNO" not in own.inner_text():
        button(page, "UNO!").click()
    else:
        play_or_draw(page)
    moved_on(page, before)


def play_or_draw(page: Page) -> None:
    fitting = page.locator("[data-fits]")
    if not fitting.count():
        page.locator("[data-draw]").click()
        return
    fitting.first.click()
    if page.locator("[name=colour]").count():
        page.locator("[name=colour]").first.click()
    places = page.locator(".board .fits")
    click_on(page, places.first if places.count() else page.locator("[data-felt]"))


def test_uno_of_four_is_played_by_clicks_with_uno_catches_and_the_score(visit, live_server, monkeypatch) -> None:
    """Hands until one ended, UNO was said, and a computer was caught or challenged rightly."""
    monkeypatch.setattr("league.play.terms.secrets.token_hex", lambda _bytes: "uno clicks")
    page = visit()
    page.emulate_media(reduced_motion="reduce")
    page.goto("/play/?game=uno-dominoes")
    page.get_by_text("Beginner").click()
    page.locator("[name=seats][value='4']").click()
    button(page, "Play").click()
    page.wait_for_selector("[data-table]")
    page.wait_for_load_state()  # a press before the script has begun is a form that is sent
    expect(page.locator(".stage-name")).to_have_count(4)
    for _act in range(160):
        act(page)
        lines = PracticeGame.objects.get().lines
        right = re.search(r"^A catches ([BCD])\n\1 draw", lines, re.MULTILINE) or "A challenges" in lines
        if "settled" in lines and "A uno" in lines and right:
            break
    else:
        raise AssertionError("not everything happened")
    table = PracticeGame.objects.get().table()
    assert {one.severity for one in table.game.findings} <= {"note"}
    scores = table.game.card.scores
    assert max(scores) > 0
    for seat, score in enumerate(scores):
        expect(page.locator(f".stage-name.by-{seat} b")).to_have_text(str(score))


@pytest.mark.smoke
def test_uno_is_played_by_keys_and_heard(visit) -> None:
    page = visit()
    page.goto(f"/play/{saved(uno_at(A, B, *LAID)).code}/")
    heard = page.locator("[data-aloud]")
    page.locator("[value='b1-WD4']").focus()
    page.keyboard.press("h")
    expect(heard).to_contain_text("blue 1 – wild draw four")
    page.keyboard.press("e")
    expect(heard).to_contain_text("green 9 on g9-g9 in 3 places, blue 5 on g2-b5")
    page.keyboard.press("u")
    expect(page.get_by_role("alert")).to_contain_text("UNO is said once")
    page.locator("[value='b1-WD4']").focus()
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("Choose the colour")
    page.keyboard.press("r")
    expect(page.locator("[name=colour][value=red]")).to_be_checked()
    page.locator("[value='b1-WD4']").focus()
    page.keyboard.press("Enter")
    expect(heard).to_contain_text("You play b1-WD4 on g2-b5 and name red.")
    expect(heard).to_contain_text("The computer")
    page.keyboard.press("s")
    expect(heard).to_contain_text("Score: you 0, the computer 0.")


def test_a_catch_by_its_key_and_the_others_go_on(visit) -> None:
    page = visit(width=390)
    page.goto(f"/play/{saved(uno_at(*ONE_LEFT, level=Level.CAREFUL)).code}/")
    heard = page.locator("[data-aloud]")
    button(page, "Go on").focus()
    page.keyboard.press("1")
    expect(heard).to_contain_text("You catch \u2068Alba\u2069, who did not say UNO. \u2068Alba\u2069 draws 2 tiles.")
    page.keyboard.press("n")
    expect(page.locator("[data-table]")).not_to_have_attribute("data-state", "pause")


def test_a_half_is_dragged_to_its_place(visit) -> None:
    page = visit(width=390)
    page.goto(f"/play/{saved(uno_at(A, B, *LAID)).code}/")
    before = line(page)
    page.locator("[value='b6-g9']").hover()
    page.mouse.down()
    felt = page.locator("[data-felt]").bounding_box()
    page.mouse.move(felt["x"] + felt["width"] / 2, felt["y"] + felt["height"] / 2, steps=4)
    expect(page.locator(".practice-ghost")).to_be_visible()
    page.mouse.up()
    moved_on(page, before)
    expect(page.locator("[data-events]")).to_contain_text("You play b6-g9 on g2-b5.")


def test_without_a_script_a_half_is_framed_and_joined_by_a_button(visit) -> None:
    page = visit(js=False, width=390)
    page.goto(f"/play/{saved(uno_at(A, B, *LAID)).code}/")
    page.locator("[value='g9-b6']").click()
    expect(page.locator("[value='g9-b6']")).to_be_checked()
    page.get_by_role("button", name="Play it on g9-g9, green 9").click()
    expect(page.locator("[data-events]")).to_contain_text("You play g9-b6 on g9-g9.")
    page.get_by_role("button", name="Catch the computer").click()
    expect(page.locator("[data-events]")).to_contain_text("There is nothing to catch.")

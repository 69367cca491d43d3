"""Uno Dominoes online in four browsers: joined by the link, played by clicks, with a catch and UNO, to the end."""

import re
from collections.abc import Sequence

import pytest
from playwright.sync_api import Page, expect

from league.play.models import OnlineGame, OnlineSeat
from league.play.online import services
from league.play.online.acts import OnlineAct
from league.web.words.games.online import GREETINGS
from tests.browser.test_online import line, moved_on
from tests.league.play.online_games import NAMES, choice, fresh, step

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def button(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def opened(visit) -> list[Page]:
    """Four browsers at a table: one opens the game, the others have its link."""
    pages = [visit(width=390 if number % 2 else 1280) for number in range(4)]
    for page in pages:
        page.emulate_media(reduced_motion="reduce")
    first = pages[0]
    first.goto("/play/online/?game=uno-dominoes")
    first.get_by_label("Your name").fill("Ana")
    first.locator("[name=seats][value='4']").check(force=True)
    button(first, "Open the game")
    path = re.sub(r"^https?://[^/]+", "", first.get_by_label("Link for the other players").input_value())
    first.get_by_label("Your words for the deal").fill("Ana")
    button(first, "I am ready")
    for page, name in zip(pages[1:], NAMES[1:], strict=False):
        page.goto(path)
        page.get_by_label("Your name").fill(name)
        page.get_by_label("Your words for the deal").fill(name)
        button(page, "Join the game")
    for page in pages:
        page.wait_for_selector("[data-table]")
        expect(page.locator(".stage-name")).to_have_count(4)
    return pages


def up_to_date(page: Page, seats: Sequence[OnlineSeat]) -> None:
    """Let the page ask for news at once, and wait for the table as it is."""
    page.evaluate("dispatchEvent(new Event('online'))")
    page.wait_for_selector(f"[data-line='{len(fresh(seats[0]).lines.splitlines())}']", state="attached")


def play(page: Page, asked: OnlineAct) -> None:
    before = line(page)
    if asked.do == "play":
        page.locator(f"[name=tile][value='{asked.tile}']").check(force=True)
        if asked.colour:
            page.locator(f"[name=colour][value={asked.colour}]").check(force=True)
        turned = "-".join(reversed(asked.on.split("-")))
        page.locator(f".practice-joins :is([value='{asked.on}'], [value='{turned}'])").click()
    else:
        page.locator(f"[value={asked.do}]").click()
    moved_on(page, before)


def until_two_left(seats: Sequence[OnlineSeat]) -> tuple[OnlineSeat, OnlineAct]:
    """Play on until a seat with two tiles can play one; return the seat, and its move without UNO."""
    for _move in range(300):
        table = fresh(seats[0]).table()
        seat = seats[0 if table.to_act is None else table.to_act]
        if (asked := choice(seat)) and asked.do == "uno" and table.plays_of(seat.number):
            move = table.plays_of(seat.number)[0]
            return seat, OnlineAct("play", move.tile.name, move.on.name, colour=move.colour or "")
        step(seats)
    raise AssertionError


def test_uno_of_four_browsers_with_a_catch_and_uno(visit, live_server, monkeypatch) -> None:
    monkeypatch.setattr("league.play.online.services.secrets.token_hex", lambda _size: "5eed")
    pages = opened(visit)
    OnlineGame.objects.update(options={"target": "50"}, move_s=0)
    seats = OnlineGame.objects.get().seated()
    seats = fresh(OnlineSeat.objects.select_related("game").get(pk=seats[0].pk)).seated()
    for _turn in range(4):
        page = pages[fresh(seats[0]).table().to_act]
        up_to_date(page, seats)
        play(page, choice(seats[pages.index(page)]))

    # Somebody comes down to one tile and says nothing: another player catches, by the button.
    silent, asked = until_two_left(seats)
    page, catcher = pages[silent.number], pages[(silent.number + 2) % 4]
    up_to_date(page, seats)
    play(page, asked)
    up_to_date(catcher, seats)
    before = line(catcher)
    button(catcher, f"Catch {silent.name}")
    moved_on(catcher, before)
    expect(catcher.locator("[data-events]")).to_contain_text(
        f"You catch \u2068{silent.name}\u2069, who did not say UNO."
    )
    up_to_date(page, seats)
    expect(page.locator("[data-events]")).to_contain_text("catches you: you did not say UNO.")
    expect(page.locator(f".stage-name.by-{silent.number}")).to_contain_text("Tiles: 3")

    # The next one says UNO first: a catch has no effect.
    wise, asked = until_two_left(seats)
    page, catcher = pages[wise.number], pages[(wise.number + 1) % 4]
    up_to_date(page, seats)
    before = line(page)
    button(page, "UNO!")
    moved_on(page, before)
    play(page, asked)
    up_to_date(catcher, seats)
    button(catcher, f"Catch {wise.name}")
    # The refusal stays while the table does, whatever else is new.
    refused = catcher.locator("[data-table] > .message")
    expect(refused).to_contain_text("There is nothing to catch.")
    for greeting in ("hello", "luck"):
        services.greet(wise.game.code, wise.key, greeting)
        catcher.evaluate("dispatchEvent(new Event('online'))")
        expect(catcher.locator(f".by-{wise.number} .online-says")).to_have_text(str(GREETINGS[greeting]))
    expect(refused).to_contain_text("There is nothing to catch.")

    while fresh(seats[0]).ended_at is None:
        step(seats)
    for page in pages:
        page.wait_for_selector("[data-replay]", state="attached")
    game = fresh(seats[0])
    assert game.status == "verified"
    assert re.search(rf"^{'ABCD'[wise.number]} uno$", game.lines, re.MULTILINE)
    button(pages[1], "Rematch")
    expect(pages[1].locator(".online-ready li")).to_have_count(4)

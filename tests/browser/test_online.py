"""An online game in two browsers: a UDL game with a missed count, a muggins call, a lost connection, and the bell."""

import re
from datetime import datetime, timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Page, Route, expect

from league.play.models import OnlineGame
from league.play.online import services
from league.play.online.acts import OnlineAct
from referee import verify
from tests.league.play.online_games import choice, fresh

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def line(page: Page) -> str:
    return str(page.locator("[data-table]").get_attribute("data-line"))


def moved_on(page: Page, before: str) -> None:
    page.wait_for_selector(f"[data-table]:not([data-line='{before}'])", state="attached")


def play(page: Page, asked: OnlineAct) -> None:
    before = line(page)
    if asked.do == "play":
        if asked.points:
            page.locator(f"[name=points][value='{asked.points}']").check(force=True)
        page.locator(f"[name=tile][value='{asked.tile}']").check(force=True)
        page.locator(f".practice-joins [name=on][value='{asked.on}']").click()
    else:
        page.locator("[data-draw]" if asked.do == "draw" else "[value=deal]").click()
    if asked.do != "deal":
        moved_on(page, before)


def opened(visit) -> tuple[Page, Page]:
    """Two browsers at a UDL table: one opens the game, the other one has its link."""
    ana, bo = visit(), visit(width=390)
    for page in (ana, bo):
        page.emulate_media(reduced_motion="reduce")
    ana.goto("/play/online/?game=udl")
    ana.get_by_label("Your name").fill("Ana")
    ana.get_by_role("button", name="Open the game").click()
    address = ana.get_by_label("Link for the other player").input_value()
    expect(ana.get_by_label("Your words for the deal")).not_to_be_empty()  # random ones
    ana.get_by_label("Your words for the deal").fill("by the sea")
    ana.get_by_role("button", name="I am ready").click()
    bo.goto(re.sub(r"^https?://[^/]+", "", address))
    shown = bo.locator(".online-hash").inner_text()
    bo.get_by_label("Your name").fill("Bo")
    bo.get_by_label("Your words for the deal").fill("over the hills")
    bo.get_by_role("button", name="Join the game").click()
    for page in (ana, bo):
        page.wait_for_selector("[data-table]")
        expect(page.locator(".online-hash")).to_have_text(shown)
    return ana, bo


def answer_lost(route: Route) -> None:
    """The site gets the move, and its answer never arrives."""
    if route.request.method != "POST":
        route.continue_()
        return
    route.fetch(max_redirects=0)
    route.abort()


def test_a_udl_game_online_with_a_missed_count_muggins_a_lost_connection_and_the_bell(
    visit, live_server, monkeypatch
) -> None:
    monkeypatch.setattr("league.play.online.services.secrets.token_hex", lambda _size: "5eed")
    pages = opened(visit)
    game = OnlineGame.objects.get()
    OnlineGame.objects.filter(pk=game.pk).update(options=game.options | {"post_bell_claim_s": "1"}, move_s=0)
    seats = fresh(game.seats.select_related("game").first()).seated()
    taken = 0
    for _move in range(400):
        table = fresh(seats[0]).table()
        if table.over or taken:
            break
        if table.live is None:
            for page in pages:
                page.wait_for_selector("[data-state=between]", state="attached")
                before = line(page)
                page.locator("[value=deal]").click()
            for page in pages:
                moved_on(page, before)
            continue
        seat = table.to_act
        page, other = pages[seat], pages[1 - seat]
        page.wait_for_selector(f"[data-state=turn][data-line='{len(table.lines)}']", state="attached")
        asked = choice(seats[seat])
        claim = table.claimable_by(1 - seat)
        if claim is not None and claim.owed and table.live.to_act == claim.seat:
            # The other player has answered the tile whose points were missed, and calls them by the button.
            before = table.game.card.scores[1 - seat]
            other.get_by_role("button", name="Muggins!").click()
            expect(other.locator("[data-events]")).to_contain_text("You call muggins. You score")
            expect(page.locator("[data-events]")).to_contain_text("calls muggins.")
            taken = fresh(seats[0]).table().game.card.scores[1 - seat] - before
            continue
        play(page, OnlineAct(asked.do, asked.tile, asked.on) if asked.do == "play" else asked)
    assert taken >= 5

    # A lost answer: the move was received, and its repetition counts once.
    table = fresh(seats[0]).table()
    page = pages[table.to_act]
    page.wait_for_selector(f"[data-state=turn][data-line='{len(table.lines)}']", state="attached")
    before = line(page)
    page.route(
        f"**/play/online/{game.code}/",
        lambda route: answer_lost(route) if route.request.method == "POST" else route.continue_(),
    )
    asked = choice(seats[table.to_act])
    if asked.do == "play":
        page.locator(f"[name=tile][value='{asked.tile}']").check(force=True)
        page.locator(f".practice-joins [name=on][value='{asked.on}']").click()
    else:
        page.locator("[data-draw]").click()
    moved_on(page, before)  # the page asks for news, and has the table as it is
    page.unroute_all(behavior="wait")
    again = services.act(game.code, seats[table.to_act].key, int(before), asked_again(asked))
    moves = again.lines.splitlines()[int(before) :]
    assert len([one for one in moves if re.search(r" [AB] (\d-\d|draw|pass)", one)]) == 1

    # The bell: three seconds are left.
    started = datetime.fromisoformat(fresh(seats[0]).marks[0][1])
    left = timedelta(seconds=900 - 3) - (timezone.now() - started)
    row = fresh(seats[0])
    row.marks[0][1] = (started - left).isoformat()
    row.due_at = row.table().due_at(timezone.now())
    row.save(update_fields=["marks", "due_at"])
    for page in pages:
        page.wait_for_selector("[data-state=bell], [data-state=between], [data-replay]", state="attached")
        page.wait_for_selector("[data-replay]", state="attached")
    game = fresh(seats[0])
    verdict = verify(game.table().log)
    assert (verdict.ended, game.status) == ("bell", "verified")
    assert "15:00 bell" in game.lines
    expect(pages[0].locator("h1")).to_contain_text("wins")


def asked_again(asked: OnlineAct) -> OnlineAct:
    return OnlineAct(asked.do, asked.tile, asked.on) if asked.do == "play" else asked


def test_without_a_script_the_page_reloads_itself_until_it_is_one_s_turn(visit, live_server) -> None:
    ana, bo = visit(js=False), visit(js=False, width=390)
    ana.goto("/play/online/?game=muggins")
    ana.get_by_label("Your name").fill("Ana")
    ana.get_by_role("button", name="Open the game").click()
    path = re.sub(r"^https?://[^/]+", "", ana.url)
    ana.get_by_role("button", name="I am ready").click()
    bo.goto(path)
    bo.get_by_label("Your name").fill("Bo")
    bo.get_by_role("button", name="Join the game").click()
    ana.wait_for_selector("[data-table]")  # within five seconds
    seats = OnlineGame.objects.prefetch_related("seats").get().seated()
    pages = (ana, bo)
    for _move in range(2):
        seat = fresh(seats[0]).table().to_act
        page = pages[seat]
        page.wait_for_selector("[data-state=turn]")
        asked = choice(seats[seat])
        before = line(page)
        if asked.do == "play":
            page.locator(f"[name=tile][value='{asked.tile}']").check(force=True)
            page.locator(f".practice-joins [name=on][value='{asked.on}']").click()
        else:
            page.locator("[data-draw]").click()
        moved_on(page, before)
        expect(page.locator("[data-events]")).to_contain_text(re.compile("You (play|lead|draw|pass)"))

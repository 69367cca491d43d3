"""Scores that move on the page of a competition, and what each look at them costs."""

from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from league.matches.models import Game, Match
from tests.league.matches.tapping import Pad, tap
from tests.league.world import NOON
from tests.web import world as small

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LIVE = ("round 1", "A 5-5", "A call 10", "B 5-0", "A 0-0", "B 0-4", "A 4-5", "B 5-2")


def tallied(match: Match, points: list[int]) -> None:
    tally = {"points": points, "round": 2, "at": timezone.now().isoformat()}
    Game.objects.filter(match=match, number=1).update(tally=tally)


def test_a_look_at_running_scores_fetches_the_scores_and_not_the_page(world, visit, hours) -> None:
    cup = small.knock_out(world, players=32, played=0, name="Cup of Thirty-Two")
    _provisional, first, second, *_others = Match.objects.filter(slot__matchday__stage__competition=cup).order_by("pk")
    tallied(first, [10, 0])
    tallied(second, [20, 5])
    page = hours.show(visit(workers="block"))
    asked = []
    page.on("response", lambda answer: asked.append((answer.url.partition("?")[0], len(answer.body()))))
    page.goto(f"/competitions/harbour/{cup.slug}/")
    page.evaluate("window.stayed = true")
    whole = next(size for url, size in asked if url.endswith(f"/{cup.slug}/"))
    asked.clear()
    tallied(first, [85, 60])
    hours.run(12)
    expect(page.locator(f"[data-tally='{first.pk}']")).to_contain_text("85–60")
    expect(page.locator(f"[data-tally='{second.pk}']")).to_contain_text("20–5")
    looks = [size for url, size in asked if url.endswith("/now/scores/")]
    assert looks
    assert not [url for url, _size in asked if url.endswith(f"/{cup.slug}/")]
    assert max(looks) * 20 < whole
    Game.objects.filter(match=first).update(tally=None)
    hours.run(12)
    expect(page.locator(f"[data-tally='{first.pk}']")).to_have_count(0)
    expect(page.locator(f"[data-tally='{second.pk}']")).to_have_count(1)
    assert page.evaluate("window.stayed")


@pytest.mark.parametrize("overview", [True, False], ids=["overview", "match"])
def test_a_page_that_was_opened_before_the_start_shows_the_score_and_the_result(world, visit, hours, overview) -> None:
    Match.objects.update(starts_at=None, state=Match.State.DECIDED)
    match = Match.objects.filter(pk=world.match.pk)
    match.update(starts_at=hours.now + timedelta(minutes=5), state=Match.State.SCHEDULED)
    page = hours.show(visit(workers="block"))
    page.goto("/competitions/harbour/autumn/" if overview else f"/matches/{world.match.pk}/")
    page.evaluate("window.stayed = true")
    hours.run(290)
    expect(page.locator("[data-tally]")).to_have_count(0)
    tallied(world.match, [10, 0])
    match.update(state=Match.State.PLAYING)
    hours.run(75)
    expect(page.locator("[data-tally]")).to_contain_text("10–0")
    Game.objects.filter(match=world.match).update(tally=None)
    small.played(world)
    hours.run(20)
    expect(page.locator("[data-tally]")).to_have_count(0)
    place = page.locator(".rows .row" if overview else ".plates").filter(has_text="Ana Ruiz").first
    expect(place).to_contain_text("150")
    assert page.evaluate("window.stayed")


def test_the_first_score_of_a_match_brings_the_page_that_goes_with_it(world, visit, hours) -> None:
    Match.objects.filter(pk=world.match.pk).update(state=Match.State.PLAYING)
    page = hours.show(visit())
    page.goto(f"/matches/{world.match.pk}/")
    page.evaluate("window.stayed = true")
    expect(page.locator("[data-tally]")).to_have_count(0)
    tallied(world.match, [10, 0])
    hours.run(25)
    expect(page.locator("[data-tally]")).to_contain_text("10–0")
    tallied(world.match, [10, 15])
    hours.run(12)
    expect(page.locator("[data-tally]")).to_contain_text("10–15")
    assert page.evaluate("window.stayed")


def test_the_table_of_a_live_game_grows_tile_by_tile_and_moves_nothing(world, visit, hours) -> None:
    Match.objects.filter(pk=world.match.pk).update(state=Match.State.PLAYING)
    pad, lines = Pad(world.game(), world.ref), iter(LIVE)

    def enter(line: str) -> None:
        pad.send(tap("line", line=line), at=NOON + timedelta(seconds=5 * pad.after))

    for _line in range(5):
        enter(next(lines))
    page = hours.show(visit(width=390, workers="block"))
    page.goto(f"/matches/{world.match.pk}/")
    page.evaluate(
        """() => {
          window.shifted = 0;
          const add = (list) => list.getEntries().forEach((one) => { window.shifted += one.value; });
          new PerformanceObserver(add).observe({ type: "layout-shift", buffered: true });
        }"""
    )
    tiles = page.locator("[data-live-game] [data-n]")
    expect(tiles).to_have_count(1)
    expect(page.locator("[data-points-of]")).to_have_text(["10", "0"])
    for count, line in enumerate(lines, start=2):
        enter(line)
        hours.run(8)
        expect(tiles).to_have_count(count)
    expect(page.locator(".live-events li").first).to_contain_text("plays 4-0 on 0-0.")
    assert page.evaluate("window.shifted") <= 0.02


HIDDEN = """() => {
  Object.defineProperty(document, "hidden", { value: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


def test_a_match_in_the_background_has_its_score_in_the_title(world, visit, hours) -> None:
    Match.objects.filter(pk=world.match.pk).update(state=Match.State.PLAYING)
    tallied(world.match, [10, 0])
    page = hours.show(visit())
    page.goto(f"/matches/{world.match.pk}/")
    page.evaluate(HIDDEN)
    tallied(world.match, [10, 15])
    hours.run(20)
    expect(page).to_have_title("10–15 Ana Ruiz – Bo Chen · Domino League")

"""The tile pad on a phone: a whole log by taps, and the same verdict as the log itself."""

import os
from collections.abc import Iterable, Iterator
from random import Random

import pytest
from playwright.sync_api import Page, Route, expect

from games.moves import Call, Draw, Event, Pass, Play, RoundStart, Said
from games.notation.reading import loads
from league.matches.logs.submission import verify_record
from league.matches.models import KnownBy, Match, Record, Result
from league.matches.models.tally import TallyTap
from league.matches.tally.services import broken_at
from referee import verify
from tests.browser.conftest import sign_in
from tests.browser.looking import axe
from tests.browser.pads import PHONE, WORKS
from tests.browser.tile_pads import TileThumb, log_of_a_game, outcome
from tests.web.matches.test_tile_taps import touches_of_hands

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def path_of(world) -> str:
    return f"/matches/{world.match.pk}/games/1/tiles/"


@pytest.fixture
def thumb(world, visit):
    """A thumb on the tile pad of somebody."""

    def take(user: str, key: str = "udl", target: int = 0) -> TileThumb:
        Match.objects.filter(pk=world.match.pk).update(ruleset=key, options={"target": target} if target else {})
        page = visit(width=PHONE["width"], touch=True)
        page.set_viewport_size(PHONE)
        sign_in(page, user)
        return TileThumb(page).open(path_of(world))

    return take


BELL_AND_OVERTIME = 33


@pytest.mark.parametrize(
    ("key", "target", "seed", "seconds"),
    [
        ("udl", 0, 3, 0.1),
        ("udl", 0, BELL_AND_OVERTIME, 20.0),
        ("all-fives", 60, 3, 0.1),
        ("muggins", 30, 3, 0.1),
        ("double-six", 60, 3, 0.1),
    ],
)
def test_a_log_entered_by_taps_gets_the_verdict_of_the_log(world, thumb, key, target, seed, seconds) -> None:
    log = log_of_a_game(key, seed, target, seconds=seconds)
    one = thumb("ref", key, target)
    one.enter_all(entry.event for entry in log.entries)
    if (key, seed) == ("udl", 3):
        assert [hand[0] for hand in one.hands] == [hand[0] for hand in touches_of_hands(e.event for e in log.entries)]
    one.hand_in()
    expect(one.page.locator("[data-handed-words]")).to_contain_text("It is handed in.")
    record = Record.objects.get(kind=KnownBy.LOG)
    verify_record(record.pk)
    (entered,) = loads(record.sealed.text)
    assert outcome(verify(entered)) == outcome(verify(log))
    standing = Result.objects.get(current=True)
    assert standing.scores == dict(zip("12", verify(log).totals, strict=True))
    assert broken_at(list(TallyTap.objects.order_by("number"))) is None


def lines_kept() -> list[str]:
    """The lines that the server has, in its order."""
    rows = TallyTap.objects.order_by("number").values_list("line", flat=True)
    return [line for row in rows if row for line in row.split("\n")]


def is_tapped(event: Event) -> bool:
    return isinstance(event, Play | Draw | Pass | Call)


def apart(events: Iterable[Event]) -> Iterator[Event]:
    """The lines of single touches: an announcement and each draw are lines of their own."""
    for event in events:
        if isinstance(event, Play):
            yield Play(event.seat, event.tile, event.on)
            if event.call is not None:
                yield Call(event.seat, Said.COUNT, event.call)
        elif isinstance(event, Draw):
            yield from (Draw(event.seat, 1) for _tile in range(event.count))
        else:
            yield event


def plain(event: Event) -> tuple[object, ...]:
    """What a line says, without the tile that it is joined to: it may be left out."""
    return type(event), event.seat, getattr(event, "tile", None), getattr(event, "said", None)


def lose_answers(page: Page, rng: Random) -> None:
    """Half of the batches arrive, and their answer does not."""

    def pass_on(route: Route) -> None:
        if route.request.method == "POST" and rng.random() < 0.5:
            route.fetch()
            return route.abort("connectionreset")
        return route.continue_()

    page.route("**/pad/taps/**", pass_on)


def test_no_line_is_lost_doubled_or_reordered(world, thumb) -> None:
    """The line is cut and comes back, answers are lost, and the tab is killed, through one hand."""
    log = log_of_a_game("udl", 3)
    second = [place for place, one in enumerate(log.entries) if isinstance(one.event, RoundStart)][1]
    events = [one.event for one in log.entries[:second]]
    rng, one = Random(20), thumb("ref")
    context = one.page.context
    lose_answers(one.page, rng)
    expect(one.page.locator("[data-line]")).to_have_text("All sent")
    one.page.evaluate(WORKS)
    for place, event in enumerate(events):
        context.set_offline(place % 7 > 3)
        if place in (9, 19):
            one.page.close()
            one = TileThumb(context.new_page()).open(path_of(world))
            lose_answers(one.page, rng)
        if is_tapped(event):
            one.enter(event)
    context.set_offline(False)
    expect(one.page.locator("[data-line]")).to_have_text("All sent")
    entered = [event for event in events if is_tapped(event)]
    (kept,) = loads("\n".join(['[Ruleset "udl"]', *lines_kept(), ""]))
    assert [plain(one.event) for one in kept.entries if is_tapped(one.event)] == [*map(plain, apart(entered))]
    assert broken_at(rows()) is None


def rows() -> list[TallyTap]:
    return list(TallyTap.objects.order_by("number"))


def seen(page: Page) -> str:
    """Everything on the pad that could be a hint, but not the line that was written."""
    return page.evaluate(
        """() => [...document.querySelectorAll("#pad [data-do], #pad [data-score], #pad [data-true], #pad [data-ask]")]
          .map((one) => [one.className, one.hidden, one.ariaDisabled, one.dataset.score && one.textContent,
                         one.matches("[data-true], [data-ask]") && one.textContent]).join("|")"""
    )


@pytest.mark.parametrize(("user", "is_same"), [("alice", True), ("ref", False)])
def test_a_player_who_scores_sees_the_same_after_a_right_and_a_wrong_announcement(world, thumb, user, is_same) -> None:
    """A right 10 and an announced 20 look alike to a player. A neutral scorer sees the count: the control."""
    one, found = thumb(user), []
    for number in (10, 20):
        one.kept("#pad > .tp-hold [data-do=tile][data-value='5-5']", "[data-do=seat][data-seat='0']")
        one.call(number)
        found.append(seen(one.page))
        for _line in range(2):
            one.kept("[data-do=undo]")
    assert (found[0] == found[1]) is is_same


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_state_of_the_tile_pad_is_accessible(world, visit, scheme) -> None:
    page, found = visit(width=320, scheme=scheme), {}
    sign_in(page, "ref")
    one = TileThumb(page).open(path_of(world))

    def look(state: str) -> None:
        page.evaluate("document.getAnimations().forEach((one) => one.cancel())")
        found[state] = axe(page)
        if folder := os.environ.get("SHOTS"):
            for width, height in ((320, 568), (390, 844)):
                page.set_viewport_size({"width": width, "height": height})
                page.screenshot(path=f"{folder}/{scheme}-{width}-{state}.png")

    look("nothing yet")
    one.touch("#pad > .tp-hold [data-do=tile][data-value='5-5']")
    look("who leads")
    one.kept("[data-do=seat][data-seat='0']")
    one.call(10)
    one.kept("#pad > .tp-hold [data-do=tile][data-value='5-3']")
    one.call(15)
    one.touch("#pad > .tp-hold [data-do=tile][data-value='4-2']")
    one.kept("#pad > .tp-hold [data-do=tile][data-value='5-1']")
    one.kept("#pad > .tp-hold [data-do=tile][data-value='6-3']")
    one.touch("#pad > .tp-hold [data-do=tile][data-value='6-1']")
    look("which end")
    one.touch("[data-do=more]")
    look("more")
    one.kept("#pad-more [data-do=blocked]")
    look("blocked")
    one.touch("[data-do=count]")
    one.touch("#pad-hand [data-do=left][data-value='6-6']")
    look("hands")
    one.touch("#pad-hand [data-do=winner][data-value='0']")
    one.digits(150)
    one.kept("[data-do=hand_end]")
    look("game over")
    one.touch("[data-do=finish]")
    look("result")
    one.touch("#pad-finish [data-do=end]")
    expect(page.locator("[data-handed-words]")).to_contain_text("It is handed in.")
    look("handed in")
    assert {state: wrong for state, wrong in found.items() if wrong} == {}

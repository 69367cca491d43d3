"""The tile pad on a phone: a whole log by taps, and the same verdict as the log itself."""

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import pairwise
from random import Random

import pytest
from playwright.sync_api import Page, Route, expect

from games.moves import Call, Draw, Event, Pass, Play, Said
from games.notation.gamelog import GameLog
from games.notation.reading import loads
from league.matches.clock import services as timekeeping
from league.matches.logs.submission import verify_record
from league.matches.models import KnownBy, Match, Record, Result, Side
from league.matches.models.tally import TallyTap
from league.matches.tally.services import Keeper, broken_at
from league.matches.tally.step_down import step_down
from league.players.services import enrol
from referee import verify
from referee.playouts.uno import NAMES
from tests.browser.conftest import sign_in
from tests.browser.looking import axe
from tests.browser.pads import PHONE, STORED, WORKS
from tests.browser.tile_pads import TileThumb, challenges_of, log_of_a_game, outcome
from tests.volume import THOROUGH
from tests.web.matches.test_tile_taps import touches_of_hands
from tests.web.world import FIRST

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def path_of(world) -> str:
    return f"/matches/{world.match.pk}/games/1/tiles/"


@pytest.fixture
def thumb(world, visit):
    """A thumb on the tile pad of somebody."""

    def take(user: str, key: str = "udl", target: int = 0, seats: int = 2, **options: str) -> TileThumb:
        agreed = options | ({"target": target} if target else {})
        Match.objects.filter(pk=world.match.pk).update(ruleset=key, options=agreed)
        join(world, NAMES[:seats])
        page = visit(width=PHONE["width"], touch=True)
        page.set_viewport_size(PHONE)
        sign_in(page, user)
        return TileThumb(page, seats).open(path_of(world))

    return take


def join(world, names: Sequence[str]) -> None:
    """Further players join the match: those after the first two names."""
    for number, name in enumerate(names[2:], start=3):
        entrant = enrol(league=world.league, name=name, since=FIRST.date())
        Side.objects.create(match=world.match, number=number, entrant=entrant)


MORE = (
    ("all-fives", 3, 60, 81, {}),
    ("muggins", 3, 30, 41, {}),
    ("uno-dominoes", 3, 100, 1, {}),
    ("uno-dominoes", 4, 100, 11, {}),
)


@pytest.mark.parametrize(
    ("key", "seats", "target", "seed", "habits"),
    [
        ("udl", 2, 0, 3, {}),
        ("all-fives", 2, 60, 3, {}),
        ("muggins", 2, 30, 3, {}),
        ("double-six", 2, 60, 3, {}),
        ("all-fives", 4, 60, 75, {}),
        ("uno-dominoes", 2, 100, 88, {"slander": 0.0}),
        ("uno-dominoes", 4, 100, 262, {}),
        *(MORE if THOROUGH else ()),
    ],
)
def test_a_log_entered_by_taps_gets_the_verdict_of_the_log(world, thumb, key, seats, target, seed, habits) -> None:
    log = log_of_a_game(key, seed, target, seats=seats, **habits)
    one = thumb("ref", key, target, seats)
    one.enter_all([entry.event for entry in log.entries], challenges_of(log))
    if (key, seed) == ("udl", 3):
        assert [hand[0] for hand in one.hands] == [hand[0] for hand in touches_of_hands(e.event for e in log.entries)]
    one.hand_in()
    check_verdict(one.page, log)


def check_verdict(page: Page, log: GameLog) -> None:
    """The log that was handed in, and the result, are those of `log`."""
    expect(page.locator("[data-handed-words]")).to_contain_text("Submitted.")
    record = Record.objects.get(kind=KnownBy.LOG)
    verify_record(record.pk)
    (entered,) = loads(record.sealed.text)
    assert outcome(verify(entered)) == outcome(verify(log))
    standing = Result.objects.get(current=True)
    totals = verify(log).totals
    assert standing.scores == {str(side): total for side, total in enumerate(totals, start=1)}
    assert broken_at(rows()) is None


def both_say_yes(one: TileThumb, standing: Result) -> None:
    """At the phone of a neutral scorer, who entered the log: two touches for each, and the mark of one phone."""
    one.page.evaluate("window.dispatchEvent(new Event('online'))")  # the pad looks at once
    for seat, name in enumerate(("Ana Ruiz", "Bo Chen")):
        yes = one.page.locator(f"[data-asks='{seat}'] [data-do=yes]")
        yes.click()
        expect(yes).to_contain_text(f"{name}: tap again to confirm")
        standing.refresh_from_db()
        assert standing.state == Result.State.PROVISIONAL
        yes.click()
    expect(one.page.locator("[data-handed-words]")).to_contain_text("It is confirmed.")
    standing.refresh_from_db()
    assert (standing.confirmed_how, standing.one_device) == (Result.Confirmation.SIDE, Result.OneDevice.SAME)


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


@dataclass
class Outage:
    """What goes wrong while a phone keeps score: cuts of the network, killed tabs, answers that are lost.

    `waiting`: taps that waited on the phone at each kill.
    """

    thumb: TileThumb
    path: str
    rng: Random
    cut: bool = False
    lost: int = 0
    waiting: list[int] = field(default_factory=list)

    def begin(self) -> "Outage":
        """Half of the batches arrive, and their answer does not."""
        self.thumb.page.route("**/pad/taps/**", self.pass_on)
        return self

    def pass_on(self, route: Route) -> None:
        if self.cut:
            route.abort("internetdisconnected")
        elif route.request.method == "POST" and self.rng.random() < 0.5:
            route.fetch()
            self.lost += 1
            route.abort("connectionreset")
        else:
            route.continue_()

    def set_cut(self, cut: bool) -> None:
        self.cut = cut
        self.thumb.page.context.set_offline(cut)

    def kill(self) -> None:
        page = self.thumb.page
        self.waiting.append(self.thumb.page.evaluate(STORED, self.path))
        page.unroute_all(behavior="ignoreErrors")  # a handler may wait for its answer still
        page.close()
        self.thumb.page = page.context.new_page()
        self.begin().thumb.open(self.path)


BELL_AND_OVERTIME = 33
CUTS, KILLS = 20, 5


def test_no_line_of_a_whole_game_is_lost_doubled_or_reordered(world, thumb) -> None:
    """The network is cut 20 times, the tab is killed five times while it is away, half of the answers are lost."""
    log = log_of_a_game("udl", BELL_AND_OVERTIME, seconds=20.0)
    events = [entry.event for entry in log.entries]
    rng, one = Random(20), thumb("ref")
    outage = Outage(one, path_of(world), rng).begin()
    expect(one.page.locator("[data-line]")).to_have_text("All sent")
    one.page.evaluate(WORKS)
    cuts = sorted(rng.sample(range(len(events)), 2 * CUTS))
    holds_taps = [end for begin, end in pairwise(cuts) if end in cuts[1::2] and any(map(is_tapped, events[begin:end]))]
    kills = rng.sample(holds_taps, KILLS)

    def trouble(place: int) -> None:
        if place in kills:  # while the network is still away
            outage.kill()
        if place in cuts:
            outage.set_cut(not outage.cut)

    one.enter_all(events, each=trouble)
    outage.set_cut(True)
    one.hand_in()
    outage.set_cut(False)
    check_verdict(one.page, log)
    (kept,) = loads("\n".join(['[Ruleset "udl"]', *lines_kept(), ""]))
    entered = [event for event in events if is_tapped(event)]
    assert [plain(one.event) for one in kept.entries if is_tapped(one.event)] == [*map(plain, apart(entered))]
    assert outage.lost >= KILLS  # a slow machine sends fewer and larger batches
    assert len([count for count in outage.waiting if count]) == KILLS


def rows() -> list[TallyTap]:
    return list(TallyTap.objects.order_by("number"))


def test_a_phone_that_was_away_is_told_that_the_game_goes_on_with_scores(world, thumb) -> None:
    one, game = thumb("alice"), world.match.games.get(number=1)
    first = "#pad > .tp-hold [data-do=tile][data-value='5-5']"
    one.kept(first, "[data-do=seat][data-seat='0']")
    one.kept("#pad > .tp-hold [data-do=tile][data-value='5-4']")
    one.kept("[data-do=draw]")
    for _late in range(2):
        one.kept("[data-do=undo]")
    entries = one.page.locator("[data-entries] li")
    expect(entries).to_have_text(["Bo Chen 5-4 · taken back", "Ana Ruiz 5-5"])
    expect(one.page.locator("[data-line]")).to_have_text("All sent")
    one.page.context.set_offline(True)
    one.kept("[data-do=pass]")
    before = len(rows())
    step_down(game, Keeper(world.alice.pk, 1))  # on her other phone
    after = len(rows())
    one.page.context.set_offline(False)
    expect(one.page.locator("[data-line]")).to_contain_text("This game goes on with scores")
    expect(one.page.locator("[data-line]")).to_contain_text("1 set aside")
    assert (len(rows()), after > before) == (after, True)


def seen(page: Page) -> str:
    """Everything on the pad that could be a hint, but not the line that was written.

    The button of the clock comes with the server's answer, at any moment.
    """
    return page.evaluate(
        """() => [...document.querySelectorAll(
            "#pad [data-do]:not([data-do=clock]), #pad [data-score], #pad [data-true], #pad [data-ask]")]
          .map((one) => [one.className, one.hidden, one.ariaDisabled, one.dataset.score && one.textContent,
                         one.matches("[data-true], [data-ask]") && one.textContent]).join("|")"""
    )


@pytest.mark.parametrize(
    ("user", "key", "seats", "is_same"),
    [("alice", "udl", 2, True), ("alice", "all-fives", 4, True), ("ref", "all-fives", 4, False)],
)
def test_a_player_who_scores_sees_the_same_after_a_right_and_a_wrong_announcement(
    world, thumb, user, key, seats, is_same
) -> None:
    """A right 10 and an announced 20 look alike to a player. A neutral scorer sees the count: the control."""
    one, found = thumb(user, key, seats=seats), []
    for number in (10, 20):
        one.kept("#pad > .tp-hold [data-do=tile][data-value='5-5']", "[data-do=seat][data-seat='0']")
        one.call(number)
        found.append(seen(one.page))
        for _line in range(2):
            one.kept("[data-do=undo]")
    assert (found[0] == found[1]) is is_same


def test_the_pad_looks_the_same_whether_uno_was_said_or_forgotten(world, thumb) -> None:
    """With hands of two tiles the first play leaves one. A catch takes the tile away: the control."""
    one, found = thumb("ref", "uno-dominoes", hand="2"), []
    one.kept("#pad > .tp-hold [data-do=kind][data-value='9']", "[data-do=tile][data-value='g9-g9']", one.plates(0)[0])
    found.append(seen(one.page))
    for act, seat in (("uno", 0), ("catch", 1)):
        one.kept(f"#pad > .tp-hold [data-do={act}]", *one.plates(seat))
        found.append(seen(one.page))
        one.kept("[data-do=undo]")
    assert (found[0] == found[1], found[0] == found[2]) == (True, False)


def test_the_bell_counts_down_the_calls(world, visit, hours) -> None:
    """Five seconds from a play released just before it, ten for muggins from the bell; then no more calls."""
    timekeeping.start_clock(world.game(), world.ref, hours.now - timedelta(seconds=900 - 8))
    page = visit(width=320)
    sign_in(page, "ref")
    one = TileThumb(hours.show(page)).open(path_of(world))
    bell = page.locator("[data-bell]")
    hours.run(6)  # two seconds are left
    one.kept("#pad > .tp-hold [data-do=tile][data-value='5-5']", "[data-do=seat][data-seat='0']")
    expect(bell).to_be_empty()
    hours.run(2.5)
    expect(bell).to_have_text("Announce: 3 s · Muggins: 10 s")
    one.kept("[data-rung] [data-do=bell]")
    hours.run(3)
    expect(bell).to_have_text("Muggins: 7 s")
    hours.run(7)
    expect(bell).to_have_text("No more calls.")
    one.kept("[data-do=settle]")
    hours.run(1)
    expect(bell).to_be_empty()


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
    one.kept("#pad-more [data-do=bell]")
    expect(page.locator("[data-bell]")).to_contain_text("Muggins: ")
    look("the bell")
    one.kept("[data-do=undo]")
    one.touch("[data-do=more]")
    one.kept("#pad-more [data-do=blocked]")
    look("blocked")
    one.touch("[data-do=count]")
    one.touch("#pad-hand [data-do=left][data-value='6-6']")
    look("hands")
    one.touch("#pad-hand [data-do=winner][data-value='0']")
    one.digits(150)
    for seat in (0, 1):
        one.touch(f"#pad-hand [data-name=chips{seat}]")
        one.digits(9)
    one.kept("[data-do=hand_end]")
    expect(page.locator("[data-true]")).to_have_text("Chips counted 9–9, by the score 30–0")
    look("game over")
    one.touch("[data-do=finish]")
    look("result")
    one.touch("#pad-finish [data-do=end]")
    expect(page.locator("[data-handed-words]")).to_contain_text("Submitted.")
    look("handed in")
    assert {state: wrong for state, wrong in found.items() if wrong} == {}


LONG = ("Maximiliano Etxeberria Goikoetxea", "Wilhelmina van den Bruggenhout")


@pytest.mark.parametrize(("key", "scheme"), [("all-fives", "light"), ("uno-dominoes", "dark")])
def test_four_names_fit_on_a_small_phone(world, visit, key, scheme) -> None:
    page, found = visit(width=320, scheme=scheme), {}
    Match.objects.filter(pk=world.match.pk).update(ruleset=key)
    join(world, (*NAMES[:2], *LONG))
    sign_in(page, "ref")
    one = TileThumb(page, 4).open(path_of(world))

    def look(state: str) -> None:
        page.evaluate("document.getAnimations().forEach((one) => one.cancel())")
        found[state] = [*axe(page), *page.evaluate(TOO_WIDE)]
        if folder := os.environ.get("SHOTS"):
            for width, height in ((320, 568), (390, 844)):
                page.set_viewport_size({"width": width, "height": height})
                page.screenshot(path=f"{folder}/{key}-{scheme}-{width}-{state}.png")
            page.set_viewport_size({"width": 320, "height": 844})

    plates = one.plates(0, 1, 2, 3)
    if key == "uno-dominoes":
        look("nothing yet")
        for half, tile, more in MARKED:
            one.touch(f"#pad > .tp-hold [data-do=kind][data-value='{half}']")
            one.touch(f"#pad > .tp-hold [data-do=tile][data-value='{tile}']")
            for selector in more:
                look(f"{tile} {selector[1:9]}")
                one.touch(selector)
        look("challenge")
        one.kept("[data-do=challenge]")
        look("challenged")
        one.touch("[data-do=rack]")
        one.touch("#pad-hand [data-do=kind][data-value='5']")
        look("rack")
        one.touch("#pad-hand [data-do=close]")
        one.kept("[data-do=rejected]")
        one.touch("[data-do=catch]")
        look("who catches")
        one.touch("[data-do=more]")
        look("more")
    else:
        one.kept("#pad > .tp-hold [data-do=tile][data-value='5-5']", plates[2])
        one.call(10)
        one.touch("[data-do=muggins]")
        look("who calls")
        one.kept(plates[3])
        look("play")
        one.touch("[data-do=more]")
        look("more")
        one.kept("#pad-more [data-do=blocked]")
        one.touch("[data-do=count]")
        one.touch("#pad-hand [data-do=left][data-value='6-6']")
        look("hands")
    assert {state: wrong for state, wrong in found.items() if wrong} == {}


MARKED = (
    ("9", "g9-g9", ["[data-do=seat][data-seat='3']"]),
    ("9", "b9-g5", []),
    ("W", "W-W", ["[data-do=colour][data-value='red']"]),
    ("WD4", "WD4-b1", [".tp-end[data-value='g9-g9']"]),
)
TOO_WIDE = """() => [...document.querySelectorAll("#pad, #pad > *, dialog[open], dialog[open] > *, .tp-plate")]
  .filter((one) => one.scrollWidth > one.clientWidth + 1 && !one.matches("[data-entries], .hidden"))
  .map((one) => `${one.className} ${one.scrollWidth} > ${one.clientWidth}`)"""

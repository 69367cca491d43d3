"""The score pad on a phone: no tap lost, doubled or reordered, whatever the network and the browser do."""

import json
import re
from collections.abc import Callable
from random import Random
from statistics import median
from threading import Event
from uuid import uuid4

import pytest
from django.core.signals import request_started
from playwright.sync_api import BrowserContext, Page, Route, expect

from games.rulesets import RULESETS
from league.matches.models import KnownBy, Match, Result
from league.matches.models.tally import TallyTap
from league.matches.tally.services import as_sheet, broken_at
from league.players.models import Player
from tests.browser.conftest import PATIENCE_MS, sign_in
from tests.browser.fonts import every_font
from tests.browser.pads import PHONE, Score, Thumb, leave, lose_taps_after, scores_of_a_game

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def path_of(world) -> str:
    return f"/matches/{world.match.pk}/games/1/pad/"


def kept() -> list[tuple[str, int | None, int]]:
    return list(TallyTap.objects.order_by("game", "number").values_list("kind", "seat", "points"))


@pytest.fixture
def phone(new_context) -> Callable[..., BrowserContext]:
    """A phone of its own: what it keeps lives as long as it does."""

    def take(user: str, *, scheme: str = "light", **size: int) -> BrowserContext:
        context = new_context(viewport=PHONE | size, color_scheme=scheme, has_touch=True, locale="en")
        sign_in(context.new_page(), user)
        return context

    return take


@pytest.mark.smoke
def test_scores_of_one_tap_are_painted_at_once_and_kept_in_order(world, phone) -> None:
    thumb = Thumb(phone("ref").pages[0]).open(path_of(world))
    thumb.points(0, 10)
    thumb.points(1, 5)
    thumb.muggins(1, 10)
    thumb.round_end(0, 23)
    assert (thumb.score(0), thumb.score(1)) == ("35", "15")
    expect(thumb.page.locator("[data-round]")).to_have_text("Hand 2")
    expect(thumb.line).to_have_text("All sent")
    assert kept() == [("points", 0, 10), ("points", 1, 5), ("muggins", 1, 10), ("round_end", None, 25)]
    assert as_sheet(TallyTap.objects.order_by("number"), RULESETS["udl"])[-1] == {
        "n": 4,
        "kind": "round_end",
        "points": 25,
        "spinner": "6-6",
        "ended": "domino",
        "winner": 0,
        "pips": [0, 23],
    }
    assert thumb.scores == [1, 1, 2, 6]


# The store of the phone opens when the test says so.
SLOW_STORE = """() => {
  const open = IDBFactory.prototype.open, may = new Promise((done) => (window.openNow = done));
  IDBFactory.prototype.open = function (...given) {
    const asked = open.apply(this, given);
    Object.defineProperty(asked, "onsuccess", {
      set: (act) => asked.addEventListener("success", () => may.then(() => act.call(asked))),
    });
    return asked;
  };
}"""


def test_a_tap_before_the_store_is_open_counts(world, phone) -> None:
    page = phone("ref").pages[0]
    page.add_init_script(f"({SLOW_STORE})()")
    page.goto(path_of(world))
    page.locator("[data-do=points][data-seat='0'][data-points='10']").click()
    page.evaluate("openNow()")
    expect(page.locator("#pad")).to_have_attribute("data-count", "1")
    expect(page.locator("[data-score='0']")).to_have_text("10")


# --- The promise: 320 px, the network cut at 20 random moments, the tab killed five times ---


def lose_answers(page: Page, rng: Random, *, share: float = 0.25, anew: bool = False) -> None:
    """Some batches arrive and their answer does not. `anew`: then every touch has another id when it is sent again."""

    def pass_on(route: Route) -> None:
        if route.request.method != "POST":
            return route.continue_()
        sent = json.loads(route.request.post_data or "{}")
        if rng.random() < share:
            if anew:
                sent["taps"] = [tap | {"id": str(uuid4())} for tap in sent.get("taps", [])]
            route.fetch(post_data=json.dumps(sent))
            return route.abort("connectionreset")
        return route.continue_()

    page.route("**/pad/taps/**", pass_on)


def play_through(context: BrowserContext, path: str, scores: list[Score], seed: int, **how: object) -> Thumb:
    """Every score of a game, while the line comes and goes and the browser is killed."""
    rng = Random(seed)
    cuts = set(rng.sample(range(2 * len(scores)), 20))
    kills = set(rng.sample(range(1, len(scores)), 5))
    thumb = Thumb(context.pages[0]).open(path)
    lose_answers(thumb.page, rng, **how)
    expect(thumb.line).to_have_text("All sent")
    thumb.wait_for_worker()
    offline = False
    for place, score in enumerate(scores):
        for moment in (2 * place, 2 * place + 1):
            if moment in cuts:
                offline = not offline
                context.set_offline(offline)
            if moment % 2 == 0:
                thumb.enter(score)
        if place in kills:
            thumb.page.unroute_all(behavior="ignoreErrors")  # a handler may wait for its answer still
            thumb.page.close()
            fresh = context.new_page()
            lose_answers(fresh, rng, **how)
            thumb = Thumb(fresh, thumb.touches, thumb.scores).open(path)
    context.set_offline(False)
    # Each lost answer makes the pad wait longer until the next try. A batch on its way keeps its handler.
    thumb.page.unroute_all(behavior="wait")
    expect(thumb.line).to_have_text("All sent")
    return thumb


def differences(scores: list[Score]) -> list[str]:
    """What was lost, doubled or reordered."""
    found = [(kind, winner if kind == "round_end" else seat, points) for kind, seat, winner, points in rows_kept()]
    wrong = [] if found == scores else [f"{len(scores)} were tapped, {len(found)} are kept"]
    wrong += [f"place {n}" for n, (one, other) in enumerate(zip(scores, found, strict=False)) if one != other]
    return wrong


def rows_kept() -> list[tuple[str, int | None, int | None, int]]:
    rows = TallyTap.objects.order_by("number").values_list("kind", "seat", "winner", "points")
    return [row for row in rows if row[0] != "take_over"]


@pytest.mark.parametrize("seed", [10, 2])
def test_no_tap_is_lost_doubled_or_reordered(world, phone, seed, capsys) -> None:
    scores, result = scores_of_a_game(seed)
    thumb = play_through(phone("ref"), path_of(world), scores, seed)
    assert differences(scores) == []
    taps = list(TallyTap.objects.order_by("number"))
    assert [tap.number for tap in taps] == list(range(1, len(scores) + 1))
    assert (len({tap.touch for tap in taps}), len({tap.pad for tap in taps}), broken_at(taps)) == (len(scores), 1, None)
    assert [int(thumb.score(seat)) for seat in (0, 1)] == result
    assert thumb.stored(path_of(world)) == 0
    with capsys.disabled():
        print(f"\n{len(scores)} scores, {thumb.touches} taps, median {median(thumb.scores)} a score")
    assert median(thumb.scores) <= 2


def test_the_control_a_touch_that_changes_its_id_is_doubled_and_found(world, phone) -> None:
    scores, _result = scores_of_a_game(10)
    play_through(phone("ref"), path_of(world), scores, 10, anew=True, share=0.4)
    assert differences(scores) != []
    assert len(rows_kept()) > len(scores)


@pytest.mark.smoke
def test_a_whole_game_is_handed_in_in_words_and_needs_no_network_until_the_end(world, phone) -> None:
    scores, result = scores_of_a_game(0)
    context = phone("alice")
    thumb = Thumb(context.pages[0]).open(path_of(world))
    expect(thumb.line).to_have_text("All sent")
    thumb.wait_for_worker()
    context.set_offline(True)
    for score in scores:
        thumb.enter(score)
    thumb.touch("[data-do=over]")
    expect(thumb.page.locator("[data-won-words]")).to_have_text("Ana Ruiz has 150. Is the game over?")
    thumb.touch("[data-won] [data-do=finish]")
    expect(thumb.page.locator("[data-result]")).to_have_text(f"Ana Ruiz beat Bo Chen 150–{result[1]}, by the target.")
    thumb.touch("[data-do=end]")
    expect(thumb.page.locator("[data-handed-words]")).to_contain_text("as soon as there is a network")
    leave(thumb.page)
    thumb = Thumb(context.new_page()).open(path_of(world))
    expect(thumb.page.locator("[data-handed-words]")).to_contain_text("as soon as there is a network")
    assert Result.objects.count() == 0
    context.set_offline(False)
    expect(thumb.page.locator("[data-handed-words]")).to_contain_text("Submitted.")
    standing = Result.objects.get(current=True)
    assert (standing.scores, standing.winner, standing.ended) == ({"1": 150, "2": result[1]}, 1, "target")
    assert (standing.known_by, standing.state) == (KnownBy.TALLY, Result.State.PROVISIONAL)


def test_nothing_is_handed_in_that_nobody_handed_in(world, phone, hours) -> None:
    thumb = Thumb(hours.show(phone("ref").pages[0])).open(path_of(world))
    for score in scores_of_a_game(0)[0]:
        thumb.enter(score)
    expect(thumb.page.locator("[data-won-words]")).to_be_visible()
    hours.run(60)
    assert (Result.objects.count(), len(rows_kept())) == (0, 20)


def test_the_result_in_words_counts_the_score_whose_claim_window_is_open(world, phone) -> None:
    """The sentence that both players see before it is handed in is the result that is handed in."""
    thumb = Thumb(phone("alice").pages[0]).open(path_of(world))
    for number in (30, 30, 30, 30, 35, 5):
        thumb.points(0, number)
    expect(thumb.page.locator("[data-open='0']")).to_have_text("+5, not final")
    thumb.touch("[data-won] [data-do=finish]")
    expect(thumb.page.locator("[data-result]")).to_have_text("Ana Ruiz beat Bo Chen 160–0, by the target.")
    thumb.touch("[data-do=end]")
    thumb.touch("[data-do=insist]")
    expect(thumb.page.locator("[data-handed-words]")).to_contain_text("Ana Ruiz beats Bo Chen 160–0. Submitted.")
    assert Result.objects.get(current=True).scores == {"1": 160, "2": 0}


def test_the_pad_that_watches_is_told_that_the_game_was_handed_in(world, phone) -> None:
    first = Thumb(phone("ref").pages[0]).open(path_of(world))
    second = Thumb(phone("owner").pages[0]).open(path_of(world))
    for _score in range(5):
        first.points(0, 30)
    first.touch("[data-won] [data-do=finish]")
    first.touch("[data-do=end]")
    told = second.page.locator("[data-handed]")
    expect(told).to_contain_text("Ana Ruiz beats Bo Chen 150–0. Submitted.")
    assert told.get_by_role("button").count() == 0
    expect(told.get_by_role("link", name="To the match")).to_be_visible()


@every_font
def test_the_longest_names_leave_room_for_the_numbers(world, phone) -> None:
    Player.objects.update(name="Maximiliana Fernández de la Vega Sanz y Martínez de la Rosa")
    thumb = Thumb(phone("ref", width=390, height=844).pages[0]).open(path_of(world))
    thumb.touch("[data-do=round]")
    heights = thumb.page.locator("#pad-round [data-name=how]").evaluate_all("all => all.map(one => one.offsetHeight)")
    assert max(heights) <= 110


# --- The line ---


def test_a_dead_line_is_shown_within_ten_seconds_and_is_drained_when_it_lives(world, phone, hours) -> None:
    thumb = Thumb(hours.show(phone("ref").pages[0])).open(path_of(world))
    hours.run(1)
    expect(thumb.line).to_have_text("All sent")
    thumb.page.route("**/pad/taps/**", lambda route: None)
    hours.run(10, answered=False)
    expect(thumb.line).to_have_text(re.compile(r"^Offline since \d\d:\d\d · taps are kept on this phone$"))
    thumb.points(0, 10)
    thumb.points(1, 5)
    expect(thumb.line).to_have_text(re.compile(r"^Offline since .* · 2 unsent, safe on this phone$"))
    thumb.page.unroute("**/pad/taps/**")
    hours.run(10, answered=False)  # the questions that were held back are given up
    hours.run(10)
    expect(thumb.line).to_have_text("All sent")
    assert kept() == [("points", 0, 10), ("points", 1, 5)]


def test_who_is_signed_out_keeps_scoring_and_sends_after_signing_in(world, phone) -> None:
    context = phone("ref")
    thumb = Thumb(context.pages[0]).open(path_of(world))
    expect(thumb.line).to_have_text("All sent")
    cookies = [one for one in context.cookies() if one["name"] != "sessionid"]
    context.clear_cookies()
    context.add_cookies(cookies)
    thumb.points(0, 10)
    expect(thumb.line).to_have_text("1 unsent, safe on this phone · sign in to send")
    assert kept() == []
    other = context.new_page()
    sign_in(other, "ref")
    expect(thumb.line).to_have_text("All sent")
    assert kept() == [("points", 0, 10)]


def test_what_the_server_cannot_take_stays_on_the_phone_for_the_desk(world, phone) -> None:
    thumb = Thumb(phone("ref").pages[0]).open(path_of(world))
    thumb.points(0, 10)
    expect(thumb.line).to_have_text("All sent")
    Match.objects.filter(pk=world.match.pk).update(state=Match.State.DECIDED)
    thumb.points(1, 5)
    expect(thumb.line).to_contain_text("needs the desk: This match is decided")
    assert (kept(), thumb.stored(path_of(world))) == ([("points", 0, 10)], 1)


def test_a_server_from_yesterday_s_backup_gets_what_it_lacks(world, phone) -> None:
    thumb = Thumb(phone("ref").pages[0]).open(path_of(world))
    for number in (5, 10, 15):
        thumb.points(0, number)
    expect(thumb.line).to_have_text("All sent")
    thumb.page.context.set_offline(True)
    lose_taps_after(1)
    thumb.points(1, 20)
    thumb.page.context.set_offline(False)
    expect(thumb.line).to_have_text("All sent")
    assert [points for _kind, _seat, points in kept()] == [5, 10, 15, 20]


def test_the_worker_opens_the_pad_without_a_network_and_no_other_page(world, phone) -> None:
    context = phone("ref")
    context.pages[0].evaluate("navigator.serviceWorker.ready.then(() => null)")  # the site's, on the first page
    thumb = Thumb(context.pages[0]).open(path_of(world))
    thumb.wait_for_worker()
    scopes = thumb.page.evaluate(
        "navigator.serviceWorker.getRegistrations().then((all) => all.map((one) => one.scope))"
    )
    # Where somebody signed in, the site has a worker too, which says that there is no network.
    assert {re.sub(r"^https?://[^/]+", "", scope) for scope in scopes} - {"/"} == {path_of(world)}
    context.set_offline(True)
    page = context.new_page()
    Thumb(page).open(path_of(world))
    page.goto(f"/matches/{world.match.pk}/")
    expect(page.get_by_role("heading", level=1)).to_have_text("No network")


def test_the_worker_opens_the_pad_while_the_server_does_not_answer(world, phone) -> None:
    context = phone("ref")
    Thumb(context.pages[0]).open(path_of(world)).wait_for_worker()
    asked, opened = Event(), Event()

    def hold(environ: dict[str, str], **_: object) -> None:
        if environ["PATH_INFO"] == path_of(world):
            asked.set()
            opened.wait(2 * PATIENCE_MS / 1000)

    request_started.connect(hold)
    try:
        Thumb(context.new_page()).open(path_of(world))
    finally:
        request_started.disconnect(hold)
        opened.set()
    assert asked.is_set()


# --- Two pads ---


def test_of_two_pads_one_keeps_the_tally_and_the_other_sees_the_difference_and_may_go_on(world, phone) -> None:
    first = Thumb(phone("ref").pages[0]).open(path_of(world))
    second = Thumb(phone("owner").pages[0]).open(path_of(world))
    second.page.context.set_offline(True)
    second.points(1, 20)
    first.points(0, 10)
    expect(first.line).to_have_text("All sent")
    second.page.context.set_offline(False)
    keeper = second.page.locator("[data-keeper]")
    expect(keeper).to_contain_text(re.compile(r"ref is scoring since \d\d:\d\d\."))
    expect(keeper).to_contain_text("Not taken, safe on this phone: Bo Chen +20")
    assert kept() == [("points", 0, 10)]
    assert (second.score(0), second.score(1)) == ("10", "0")
    first.points(0, 5)
    expect(second.page.locator("[data-score='0']")).to_have_text("15")
    keeper.get_by_role("button", name="Take over, add mine").click()
    expect(second.line).to_have_text("All sent")
    assert kept() == [("points", 0, 10), ("points", 0, 5), ("take_over", None, 0), ("points", 1, 20)]
    expect(first.page.locator("[data-keeper]")).to_contain_text("owner is scoring since")
    assert (first.score(0), first.score(1)) == ("15", "20")


# Answers to questions are held back until `answered`, as on a slow line.
SLOW_LINE = """() => {
  const quick = window.fetch;
  const answered = new Promise((done) => { window.answered = done; });
  window.fetch = async (address, how) => {
    const answer = await quick(address, how);
    if (how.method === "GET") {
      window.asked = true;
      await answered;
    }
    return answer;
  };
}"""


def test_a_tally_is_taken_over_although_an_older_answer_is_still_on_its_way(world, phone) -> None:
    first = Thumb(phone("ref").pages[0]).open(path_of(world))
    second = Thumb(phone("owner").pages[0]).open(path_of(world))
    first.points(0, 10)
    keeper = second.page.locator("[data-keeper]")
    expect(keeper).to_contain_text("ref is scoring since")
    second.page.evaluate(SLOW_LINE)
    second.page.wait_for_function("() => window.asked")
    keeper.get_by_role("button", name="Take over").click()
    second.page.evaluate("() => window.answered()")
    expect(second.line).to_have_text("All sent")
    expect(keeper).to_be_hidden()
    second.points(1, 5)
    expect(second.line).to_have_text("All sent")
    assert kept() == [("points", 0, 10), ("take_over", None, 0), ("points", 1, 5)]


def test_what_is_not_wanted_when_a_tally_is_taken_over_stays_on_the_phone(world, phone) -> None:
    first = Thumb(phone("ref").pages[0]).open(path_of(world))
    second = Thumb(phone("owner").pages[0]).open(path_of(world))
    second.page.context.set_offline(True)
    second.points(1, 20)
    first.points(0, 10)
    expect(first.line).to_have_text("All sent")
    second.page.context.set_offline(False)
    second.page.get_by_role("button", name="Take over without mine").click()
    expect(second.line).to_contain_text("1 set aside, tell the desk")
    second.points(1, 5)
    expect(second.line).to_have_text("All sent · 1 set aside, tell the desk")
    assert kept() == [("points", 0, 10), ("take_over", None, 0), ("points", 1, 5)]
    assert second.stored(path_of(world)) == 1


def test_two_windows_of_one_phone_keep_one_tally(world, phone) -> None:
    context = phone("ref")
    first = Thumb(context.pages[0]).open(path_of(world))
    second = Thumb(context.new_page()).open(path_of(world))
    for number, thumb in enumerate((first, second, first, second), start=1):
        for window in (first, second):
            expect(window.page.locator("#pad")).to_have_attribute("data-count", str(number - 1))
        thumb.points(0, 5 * number)
        expect(thumb.line).to_have_text("All sent")
    assert [points for _kind, _seat, points in kept()] == [5, 10, 15, 20]
    assert len(set(TallyTap.objects.values_list("pad", flat=True))) == 1


# --- What is shown ---


def test_a_player_who_scores_sees_no_sum_before_the_window_is_over(world, phone) -> None:
    thumb = Thumb(phone("alice").pages[0]).open(path_of(world))
    waits = thumb.page.locator("[data-open='0']")
    thumb.points(0, 10)
    expect(waits).to_have_text("+10, not final")
    assert thumb.score(0) == "0"
    thumb.points(1, 5)
    expect(waits).to_have_text("")
    assert (thumb.score(0), thumb.score(1)) == ("10", "0")
    thumb.touch("[data-do=over]")
    expect(thumb.page.locator("[data-score='1']")).to_have_text("5")
    thumb.page.reload()
    expect(thumb.page.locator("[data-score='1']")).to_have_text("5")
    expect(thumb.page.locator("[data-do=over]")).to_be_hidden()


def test_a_neutral_scorer_sees_totals_at_once(world, phone) -> None:
    thumb = Thumb(phone("ref").pages[0]).open(path_of(world))
    thumb.points(0, 10)
    expect(thumb.page.locator("[data-score='0']")).to_have_text("10")
    expect(thumb.page.locator("[data-open='0']")).to_have_text("")


def test_chips_fall_with_the_score_and_rise_when_it_is_taken_back(world, phone) -> None:
    thumb = Thumb(phone("ref").pages[0]).open(path_of(world))
    gone = thumb.page.locator("[data-chips='1'] .gone")
    assert gone.count() == 0
    thumb.points(0, 35)
    expect(gone).to_have_count(7)
    thumb.undo()
    expect(gone).to_have_count(0)
    expect(thumb.page.locator("[data-undoes]")).to_have_text("nothing yet")
    expect(thumb.line).to_have_text("All sent")
    assert [kind for kind, *_ in kept()] == ["points", "undo"]


@every_font
def test_scoring_fits_a_small_phone_without_scrolling_and_its_keys_a_thumb(world, phone) -> None:
    thumb = Thumb(phone("alice").pages[0]).open(path_of(world))
    thumb.points(0, 10)
    sizes = thumb.page.evaluate(
        """() => [...document.querySelectorAll("#pad button")].filter((one) => one.offsetParent).map((one) => {
          const box = one.getBoundingClientRect();
          return [one.dataset.do, box.width, box.height, box.bottom <= innerHeight && box.right <= innerWidth];
        })"""
    )
    assert {do for do, *_ in sizes} >= {"points", "muggins", "undo", "over", "round", "more"}
    assert [one for one in sizes if one[1] < 44 or one[2] < 44 or not one[3]] == []
    assert [one for one in sizes if one[0] in {"points", "undo", "round"} and one[2] < 56] == []
    assert thumb.page.evaluate("document.querySelector('#pad').scrollHeight <= innerHeight")
    assert thumb.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_clock_is_in_sight_and_runs_without_a_network(world, phone, hours) -> None:
    thumb = Thumb(hours.show(phone("ref").pages[0])).open(path_of(world))
    digits = thumb.page.locator("[data-digits]")
    hours.run(1)
    expect(digits).to_have_text("15:00")
    thumb.page.get_by_role("button", name="Start").click()
    hours.run(5)
    expect(digits).to_have_text("14:55")
    thumb.page.context.set_offline(True)
    hours.run(10, answered=False)
    expect(digits).to_have_text("14:45")
    thumb.points(0, 5)
    thumb.page.context.set_offline(False)
    hours.run(10)
    expect(thumb.line).to_have_text("All sent")
    assert TallyTap.objects.get().clock_ms == 15_000


def test_without_a_script_the_pad_offers_paper_and_the_form(world, visit) -> None:
    page = visit(js=False, width=320)
    sign_in(page, "ref")
    page.goto(path_of(world))
    expect(page.get_by_role("heading", name="Score pad: needs JavaScript")).to_be_visible()
    page.get_by_role("link", name="Enter this game").click()
    page.wait_for_url(f"**/submit/{world.game().code}/")


def test_a_browser_that_keeps_nothing_is_told_before_the_first_tap(world, phone) -> None:
    page = phone("ref").pages[0]
    page.add_init_script("Object.defineProperty(window, 'indexedDB', { get() { throw new Error('private'); } })")
    page.goto(path_of(world))
    expect(page.get_by_role("heading", name="This browser keeps nothing")).to_be_visible()
    expect(page.locator("[data-do=points]").first).to_be_hidden()


# --- Without an account ---


@pytest.mark.smoke
def test_a_guest_keeps_the_tally_by_the_code_on_the_card(world, visit) -> None:
    page = visit(width=320)
    Match.objects.filter(pk=world.match.pk).update(starts_at=None)
    page.goto(f"/t/{world.match.door}/pad/")
    page.get_by_role("button", name="Ana Ruiz").click()
    page.get_by_role("link", name="Score pad").click()
    expect(page.locator("#pad[data-ready=yes]")).to_be_visible()
    thumb = Thumb(page)
    thumb.points(0, 10)
    expect(page.locator("[data-open='0']")).to_have_text("+10, not final")
    expect(thumb.line).to_have_text("All sent")
    tap = TallyTap.objects.get()
    assert (tap.by_id, tap.for_side, tap.points) == (None, 1, 10)


@every_font
def test_an_address_that_is_not_secure_says_what_that_costs_and_scoring_still_fits(world, phone) -> None:
    page = phone("alice").pages[0]
    page.add_init_script("Object.defineProperty(Navigator.prototype, 'serviceWorker', { get: () => undefined })")
    thumb = Thumb(page).open(path_of(world))
    expect(page.get_by_text("This address is not secure (https)")).to_be_visible()
    thumb.points(0, 10)
    assert page.evaluate("document.querySelector('#pad').scrollHeight <= innerHeight")
    expect(thumb.line).to_have_text("All sent")


def test_a_spectator_sees_the_score_move_and_go_when_the_result_is_there(world, phone, visit) -> None:
    Match.objects.filter(pk=world.match.pk).update(state=Match.State.PLAYING)
    watcher = visit(width=390)
    watcher.goto(f"/matches/{world.match.pk}/")
    live = watcher.locator("[data-tally]")
    expect(live).to_have_count(0)
    thumb = Thumb(phone("alice").pages[0]).open(path_of(world))
    for number in range(5):
        thumb.points(0, 30)
        if number == 1:
            expect(live).to_contain_text("30–0")
    expect(live).to_contain_text("120–0")
    expect(live).to_contain_text("hand 1, from the pad, as of")
    thumb.touch("[data-do=over]")
    thumb.touch("[data-won] [data-do=finish]")
    thumb.touch("[data-do=end]")
    expect(thumb.page.locator("[data-handed-words]")).to_contain_text("Submitted.")
    expect(live).to_have_count(0)
    expect(watcher.locator(".plate").first).to_contain_text("150")


def test_score_and_time_are_said_when_somebody_asks(world, phone) -> None:
    thumb = Thumb(phone("ref").pages[0]).open(path_of(world))
    thumb.points(0, 10)
    expect(thumb.line).to_have_text("All sent")  # the clock comes with an answer
    said = thumb.page.locator("[data-said]")
    for _time in range(2):
        thumb.page.get_by_role("button", name="More").click()
        thumb.page.get_by_role("button", name="Say the score").click()
        # Under a sheet nothing is read aloud.
        expect(thumb.page.locator("dialog[open]")).to_have_count(0)
        expect(said).to_have_text("Ana Ruiz 10, Bo Chen 0. Hand 1.")
    thumb.page.get_by_role("button", name="More").click()
    thumb.page.get_by_role("button", name="Say the time").click()
    expect(said).to_have_text("The clock shows 15:00.")

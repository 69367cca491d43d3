"""Club night: forty players, one laptop, no referee at most tables. Printed cards from a pasted list, an evening of
five rounds with all that happens on one, and a round without the network.
"""

import re
from collections import Counter
from collections.abc import Iterable
from random import Random
from time import monotonic
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from league.accounts.models import User
from league.competitions.draw.publishing import publish
from league.matches.models import ClockEvent, KnownBy, Match, Record, Result
from league.matches.models.tally import TallyTap
from league.players.models import Entrant
from tests.browser.conftest import sign_in
from tests.browser.forty import (
    CUP,
    NAMES,
    ORGANIZE,
    PUBLIC,
    TYPIST_MS,
    WALK_IN,
    Desk,
    Hand,
    Pairing,
    Phone,
    Truth,
    draft_of,
    found_club,
    found_tonight,
    hand_in,
    pairings,
    standings_on,
    tally,
)
from tests.browser.pads import Thumb, scores_of_a_game
from tests.browser.paper import printed

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def arrive(visit, user: str) -> Page:
    """At the laptop."""
    page = visit()
    sign_in(page, user)
    return page


def phone(visit) -> Phone:
    page = visit(width=390)
    return Phone(page)


def test_forty_pasted_names_are_printed_cards_in_two_minutes_and_under_sixty_clicks(
    live_server, visit, tmp_path, capsys
) -> None:
    found_club()
    page = arrive(visit, "owner")
    hand = Hand(page)
    found_tonight(hand)
    hand.press("button", "Publish")
    expect(page.get_by_text("It is published: everybody sees it now.")).to_be_visible()
    hand.click(page.locator("summary", has_text="Print"))
    hand.press("link", "Printed cards")
    expect(page.locator(".scorecard")).to_have_count(20)
    hand.clicks += 1  # the print dialog
    sheets = printed(page, page.url, tmp_path)
    with capsys.disabled():
        print(f"\n40 names to 20 printed cards: {hand.summary}")
    round_1 = pairings(1)
    assert len(sheets) == 5
    codes = [code.text for sheet in sheets for code in sheet.codes]
    assert sorted(codes) == sorted(f"{live_server.url}/t/{one.door}/" for one in round_1)
    told = "".join(sheet.text for sheet in sheets)
    assert [name for name in NAMES if "".join(name.split()) not in told] == []
    assert hand.clicks < 60
    assert hand.milliseconds < 120_000


# --- An evening of five rounds ---


def more(page: Page) -> None:
    """Unfold what is not for the evening."""
    page.locator("#more > summary").click()


class Evening:
    """The organizer at the laptop, a referee at the grid beside it, and players with their phones."""

    def __init__(self, visit) -> None:
        self.visit = visit
        self.owner = arrive(visit, "owner")
        self.desk = Desk(arrive(visit, "ref"))
        self.truth = Truth(Random(40))
        self.said: dict[str, object] = {}

    def publish(self, number: int, reason: str = "") -> list[Pairing]:
        self.owner.goto(ORGANIZE)
        if reason:
            more(self.owner)
            self.owner.get_by_text(f"Start Round {number} early").click()
            self.owner.get_by_label("Reason for starting early").fill(reason)
        self.owner.get_by_role("button", name=f"Publish Round {number}", exact=True).click()
        expect(self.owner.get_by_text(f"Round {number}: published")).to_be_visible()
        return pairings(number)

    def at_the_grid(self, tables: list[Pairing]) -> None:
        """Those results typed in one go, without the mouse."""
        self.desk.open()
        results = [(one, self.truth.happened(one)) for one in tables]
        began = monotonic()
        keys = self.desk.type_all(results)
        self.said.setdefault("20 results at the grid", (len(results), keys, monotonic() - began))

    def by_two_phones(self, one: Pairing) -> None:
        first, second = phone(self.visit).scan(one, 0), phone(self.visit).scan(one, 1)
        first.enter(self.truth.happened(one))
        second.confirm()
        first.is_official()
        first.leave()
        second.leave()

    def on_one_phone(self, one: Pairing) -> None:
        first = phone(self.visit).scan(one, 1)
        first.enter(self.truth.happened(one))
        first.confirm_here(one, 0)
        first.leave()


def test_an_evening_of_five_rounds_by_grid_tally_and_phones(live_server, at_once, visit, capsys) -> None:
    draft_of(NAMES)
    evening = Evening(visit)
    owner, desk, truth = evening.owner, evening.desk, evening.truth
    absent = NAMES[-1]
    began = monotonic()

    # Everybody but one is there, and the draw is made without her.
    owner.goto(f"{ORGANIZE}check-in/")
    for place, name in enumerate(one for one in NAMES if one != absent):
        owner.get_by_role("button", name=name).click()
        expect(owner.locator("[data-count]")).to_contain_text(f"{place + 1} of 40")
    owner.get_by_role("link", name="Redraw without absent players").click()
    expect(owner.get_by_role("listitem").filter(has_text=absent)).to_be_visible()
    owner.get_by_role("button", name="Remove 1 and draw").click()
    owner.get_by_role("button", name="Publish").click()
    expect(owner.get_by_text("It is published: everybody sees it now.")).to_be_visible()
    assert len(pairings(1)) == 19

    # A walk-in by name, who takes the bye of this round and of all that follow.
    owner.goto(f"{ORGANIZE}check-in/")
    hand = Hand(owner)
    hand.click(owner.get_by_role("link", name="Late entry"))
    hand.type(owner.get_by_label("Name"), WALK_IN)
    hand.click(owner.get_by_role("button", name="Add", exact=True))
    expect(owner.get_by_text(WALK_IN).first).to_be_visible()
    evening.said["walk-in"] = hand.summary
    assert hand.milliseconds < 10_000
    round_1 = pairings(1)
    assert len(round_1) == 20
    assert sum(WALK_IN in one.names for one in round_1) == 1

    # One button starts the clocks of all tables, and the wall shows it.
    owner.goto("/organize/harbour/clock/")
    owner.get_by_role("button", name="Start 20 clocks together").click()
    expect(owner.get_by_text("20 clocks were started together at")).to_be_visible()
    wall = visit()
    wall.goto(f"/hall/harbour/?competition={CUP}")
    expect(wall.get_by_text("Running", exact=True)).to_be_visible()
    assert ClockEvent.objects.filter(kind="start").count() == 20

    evening.at_the_grid(round_1)
    for one in round_1:  # the last ones are on their way still
        desk.is_official(one)
    desk.all_are_there()

    # Players enter their own results; two say different things, and the desk sees both side by side.
    round_2 = evening.publish(2)
    evening.by_two_phones(round_2[0])
    evening.by_two_phones(round_2[1])
    evening.on_one_phone(round_2[2])
    disputed = round_2[3]
    first, second = phone(visit).scan(disputed, 0), phone(visit).scan(disputed, 1)
    right = truth.happened(disputed, (150, 95))
    first.enter(right)
    second.page.get_by_text("Enter another score").click()
    second.enter((95, 150))
    expect(second.page.get_by_role("heading", name="Under review")).to_be_visible()
    desk.open()
    row = desk.row(disputed)
    expect(row.locator(".beside .entry")).to_have_count(2)
    entry = row.locator(".entry").filter(has_text=f"{disputed.names[0]} beats {disputed.names[1]} 150–95")
    row.get_by_label("Why you take this one").fill("Both cards say so.")
    entry.get_by_role("button", name="Take this one").click()
    desk.is_official(disputed)
    evening.at_the_grid(round_2[4:])
    desk.all_are_there()
    for one in (first, second):
        one.is_official()
        one.leave()

    # Somebody goes home: what she does not play is forfeited, and somebody else than the organizer confirms it.
    leaver = next(name for name in NAMES if name not in {WALK_IN, "Ana Ruiz"})
    owner.goto(ORGANIZE)
    more(owner)
    owner.get_by_role("link", name=f"Withdraw {leaver}").click()
    owner.get_by_label("Reason").fill("Called home")
    owner.get_by_role("button", name="Withdraw").click()
    expect(
        owner.get_by_text(f"{leaver} has left. 37 upcoming matches are forfeited, each when its round is published.")
    ).to_be_visible()

    round_3 = evening.publish(3)
    [forfeit] = [one for one in round_3 if leaver in one.names]
    late, *rest = [one for one in round_3 if one != forfeit]
    tallied, typed = rest[:2], rest[2:]
    for one, seed in zip(tallied, (0, 11), strict=True):
        scores, result = scores_of_a_game(seed)
        counting, other = phone(visit).scan(one, 0), phone(visit).scan(one, 1)
        thumb = counting.pad()
        tally(thumb, scores)
        hand_in(thumb)
        expect(thumb.page.locator("[data-handed-words]")).to_contain_text("Submitted.")
        truth.happened(one, tuple(result))
        other.confirm()
        counting.leave()
        other.leave()
    evening.at_the_grid(typed)
    for one in typed:
        desk.is_official(one)
    truth.forfeited(forfeit, leaver)
    desk.row(forfeit).get_by_role("button", name="Confirm it").click()
    desk.is_official(forfeit)

    # One table is late: the next round begins without it, and everybody reads why.
    round_4 = evening.publish(4, f"Table {late.table} is still playing")
    everybody = visit(width=390)
    everybody.goto(f"{PUBLIC}rounds/4/")
    expect(
        everybody.get_by_text(f"Published while 1 confirmed result of Round 3 was missing: Table {late.table}")
    ).to_be_visible()
    [forfeit] = [one for one in round_4 if leaver in one.names]
    opponent = next(name for name in forfeit.names if name != leaver)
    truth.forfeited(forfeit, leaver)
    other = phone(visit).scan(forfeit, forfeit.names.index(opponent))
    other.confirm()
    other.leave()
    evening.at_the_grid([one for one in round_4 if one != forfeit])
    desk.type_one(late, truth.happened(late))
    desk.all_are_there()

    round_5 = evening.publish(5)
    [forfeit] = [one for one in round_5 if leaver in one.names]
    own_page_tells(visit, "Ana Ruiz", round_4, round_5, truth)
    copied_text_tells(owner, round_5)
    truth.forfeited(forfeit, leaver)
    evening.at_the_grid([one for one in round_5 if one != forfeit])
    desk.row(forfeit).get_by_role("button", name="Confirm it").click()
    desk.all_are_there()

    with capsys.disabled():
        count, keys, seconds = evening.said["20 results at the grid"]
        print(f"\n{count} results at the grid: {keys} keys, {seconds:.0f} s for the script")
        print(f"a walk-in: {evening.said['walk-in']}")
        print(f"five rounds of twenty: {monotonic() - began:.0f} s for the script")
    assert count == 20
    assert keys * TYPIST_MS < 120_000
    assert standings_on(everybody) == truth.standings()
    results = Result.objects.filter(current=True, state=Result.State.OFFICIAL)
    assert {one.game_id: (one.scores["1"], one.scores["2"]) for one in results} == truth.scores
    assert Counter(results.values_list("known_by", flat=True)) == {
        KnownBy.SCORE: 95,
        KnownBy.TALLY: 2,
        KnownBy.RULED: 3,
    }


def own_page_tells(visit, name: str, before: list[Pairing], now: list[Pairing], truth: Truth) -> None:
    """Table, opponent, hour and last result, without an account."""
    [one] = [one for one in now if name in one.names]
    [last] = [one for one in before if name in one.names]
    page = visit(width=390)
    page.goto(f"/me/{Entrant.objects.get(player__name=name).door}/")
    coming = page.get_by_role("region", name="Your next match")
    expect(coming.get_by_text(f"Table {one.table}", exact=True)).to_be_visible()
    for seated in one.names:
        expect(coming.get_by_text(seated)).to_be_visible()
    hour = timezone.localtime(Match.objects.get(pk=one.id).starts_at, ZoneInfo("Europe/Lisbon"))
    expect(coming).to_contain_text(f"{hour:%H:%M}")
    result = page.get_by_role("region", name="Your last result")
    for seated, points in zip(last.names, truth.scores[last.game], strict=True):
        expect(result.locator(".line").filter(has_text=seated)).to_contain_text(str(points))
    page.context.close()


# "Copied" goes again after 2.5 s (test_check_in.py sees it).
COPIED = """async (begins) => {
  const text = await navigator.clipboard.readText();
  return text.startsWith(begins) && text;
}"""


def copied_text_tells(page: Page, now: list[Pairing]) -> None:
    """The pairings of a round on the clipboard, by one press."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"{PUBLIC}rounds/5/")
    page.get_by_role("link", name="Copy as text").click()
    lines = page.wait_for_function(COPIED, arg="Tuesday Forty, Round 5\n").json_value().splitlines()
    told = [(line.split(" · ")[0], line.split(" · ")[-1]) for line in lines[3:]]
    assert told == [(f"Table {one.table}", " – ".join(one.names)) for one in now]


# --- A round without the network ---


def test_a_round_without_the_network_loses_and_doubles_nothing(live_server, visit) -> None:
    """The laptop goes on by itself: the site runs on it. Two phones count taps that nobody hears, one wants to enter a
    result and cannot; when the network is back, the laptop has everything once.
    """
    publish(draft_of(NAMES), user=User.objects.get(username="owner"))
    desk, truth = Desk(arrive(visit, "ref")), Truth(Random(4))
    desk.page.goto("/organize/harbour/clock/")
    desk.page.get_by_role("button", name="Start 20 clocks together").click()
    expect(desk.page.get_by_text("20 clocks were started together at")).to_be_visible()
    counted, (typed_late, confirmed_late), rest = pairings(1)[:2], pairings(1)[2:4], pairings(1)[4:]

    pads = [phone(visit).scan(one, 0).pad() for one in counted]
    for thumb in pads:
        expect(thumb.line).to_have_text("All sent")
        thumb.wait_for_worker()
    player = phone(visit).scan(typed_late, 0)
    wanted = truth.happened(typed_late)
    first, second = phone(visit).scan(confirmed_late, 0), phone(visit).scan(confirmed_late, 1)
    first.enter(truth.happened(confirmed_late))
    expect(second.page.get_by_role("button", name="Yes, confirm it")).to_be_visible()

    phones = [player, first, second]
    offline(pads, phones, True)
    games = [scores_of_a_game(seed) for seed in (3, 8)]
    for thumb, (scores, _result) in zip(pads, games, strict=True):
        tally(thumb, scores)
        hand_in(thumb)
        expect(thumb.page.locator("[data-handed-words]")).to_contain_text("as soon as there is a network")
    player.fill(wanted)
    player.press("Review")
    expect(player.page.get_by_text("Not sent: the site does not answer.")).to_be_visible()
    results = [(one, truth.happened(one)) for one in rest]
    desk.open()
    desk.type_all(results)
    # "13 results are missing" has the words too.
    missing = re.compile(r"^\s*3 results are missing\. 1 result is not confirmed yet\.")
    expect(desk.page.locator("[data-count]")).to_have_text(missing)
    assert TallyTap.objects.count() == 0
    assert Result.objects.filter(current=True, state=Result.State.OFFICIAL).count() == len(rest) == 16

    offline(pads, phones, False)
    for thumb, one, (scores, result) in zip(pads, counted, games, strict=True):
        expect(thumb.page.locator("[data-handed-words]")).to_contain_text("Submitted.")
        kept = TallyTap.objects.filter(game=one.game).order_by("number").values_list("kind", "seat", "winner", "points")
        taps = [(kind, winner if kind == "round_end" else seat, points) for kind, seat, winner, points in kept]
        assert [tap for tap in taps if tap[0] in {"points", "muggins", "round_end"}] == scores
        truth.happened(one, tuple(result))
        other = phone(visit).scan(one, 1)
        other.confirm()
        other.leave()
        thumb.page.context.close()
    second.confirm()
    second.leave()
    player.press("Review")
    player.press("Yes, enter it")
    player.confirm_here(typed_late, 1)

    desk.page.goto(f"{ORGANIZE}grid/")
    desk.all_are_there()
    current = Result.objects.filter(current=True, state=Result.State.OFFICIAL)
    assert {one.game_id: (one.scores["1"], one.scores["2"]) for one in current} == truth.scores
    assert Counter(current.values_list("known_by", flat=True)) == {KnownBy.SCORE: 18, KnownBy.TALLY: 2}
    assert Record.objects.count() == 20
    assert standings_on(player.page) == truth.standings()


def offline(pads: Iterable[Thumb], phones: Iterable[Phone], is_offline: bool) -> None:
    for page in [*(thumb.page for thumb in pads), *(one.page for one in phones)]:
        page.context.set_offline(is_offline)

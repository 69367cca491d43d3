"""Two phones, one record: a hand by taps of both players, each on an own phone."""

from collections.abc import Callable, Sequence
from urllib.parse import urlsplit

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from games.moves import End, Event, RoundPoints, RoundStart, Show
from games.notation.reading import loads
from league.matches.logs.submission import verify_record
from league.matches.models import KnownBy, Match, Record
from league.matches.models.tally import TallyTap
from referee import verify
from tests.browser.conftest import sign_in
from tests.browser.pads import PHONE, leave, lose_taps_after
from tests.browser.tile_pads import NOT_TAPPED, TileThumb, log_of_a_game, outcome

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
HINTS = """() => ["do", "score", "true", "ask", "two"]
  .flatMap((name) => [...document.querySelectorAll(`#pad [data-${name}]`)])
  .map((one) => [one.className, one.hidden, one.ariaDisabled, !one.dataset.do && one.textContent]).join("|")"""
ASK = "dispatchEvent(new Event('online'))"  # at once, not a second later


@pytest.fixture
def phones(world, visit) -> Callable[..., tuple[TileThumb, TileThumb]]:
    """Alice's phone and Bob's, both sitting at their seats; `guests`: without accounts, by the code of the table."""

    def open_pad(side: int, user: str) -> TileThumb:
        page = visit(width=PHONE["width"], touch=True)
        page.set_viewport_size(PHONE)
        if user:
            sign_in(page, user)
            return TileThumb(page).open(f"/matches/{world.match.pk}/games/1/tiles/")
        page.goto(f"/t/{world.match.door}/pad/")
        page.locator(f"button[name=side][value='{side}']").click()
        return TileThumb(page).open(f"/t/{world.match.door}/pad/1/tiles/")

    def take(*, guests: bool = False, **options: int) -> tuple[TileThumb, TileThumb]:
        Match.objects.filter(pk=world.match.pk).update(ruleset="udl", options=options, starts_at=timezone.now())
        one, other = (open_pad(side, "" if guests else user) for side, user in ((1, "alice"), (2, "bob")))
        one.kept("[data-do=more]", "#pad-more [data-do=phones]", "#pad-phones [data-do=sit]")
        hear(other, one)
        other.kept("[data-sits] [data-do=sit]")
        hear(one, other)
        return one, other

    return take


def hear(thumb: TileThumb, other: TileThumb) -> None:
    """Wait until the other phone has sent all of its taps, and this one shows them."""
    expect(other.page.locator("[data-line]")).to_contain_text("All sent")
    thumb.page.evaluate(ASK)
    count = other.page.locator("#pad").get_attribute("data-count") or ""
    expect(thumb.page.locator("#pad")).to_have_attribute("data-count", count)


def show_first(thumb: TileThumb, show: Show) -> None:
    """Count the own tiles of a blocked hand before the other player does."""
    thumb.touch("[data-do=count]")
    for tile in show.tiles:
        if tile is not None:
            thumb.touch(f"#pad-hand [data-do=left][data-value='{tile.name}']")
    thumb.kept("[data-do=hand_end]")


def enter_both(phones: Sequence[TileThumb], events: Sequence[Event]) -> list[int]:
    """Enter each line on the phone of its seat; return the touches of both."""
    began = [one.touches for one in phones]
    shown: list[Show] = []
    for event in events:
        if isinstance(event, End):
            break
        if isinstance(event, RoundStart):
            shown = []
        elif isinstance(event, Show):
            shown.append(event)
        elif not isinstance(event, NOT_TAPPED):
            own = phones[shown[-1].seat if shown else getattr(event, "seat", 0)]
            if isinstance(event, RoundPoints) and shown[1:]:
                show_first(phones[shown[0].seat], shown[0])
                hear(own, phones[shown[0].seat])
            own.enter(event, shown[-1:])
            hear(next(one for one in phones if one is not own), own)
    return [one.touches - before for one, before in zip(phones, began, strict=True)]


def test_a_hand_on_two_phones_gets_the_verdict_of_the_log(world, phones, capsys) -> None:
    """Announced on one phone, muggins called on the other; either of them hands in."""
    log = log_of_a_game("udl", 47, 30)
    one, other = phones(target=30)
    touches = enter_both((one, other), [entry.event for entry in log.entries])
    with capsys.disabled():
        print(f"\ntouches of a hand on two phones: {touches}")
    other.hand_in()
    expect(other.page.locator("[data-handed-words]")).to_contain_text("Submitted.")
    record = Record.objects.get(kind=KnownBy.LOG)
    verify_record(record.pk)
    (entered,) = loads(record.sealed.text)
    assert outcome(verify(entered)) == outcome(verify(log))
    calls = {(row.line.split()[1], row.line[0], row.by, row.for_side) for row in rows_of("call", "muggins")}
    assert calls == {
        ("call", "A", world.alice, 1),
        ("call", "B", world.bob, 2),
        ("muggins", "B", world.bob, 2),
    }


def seen(thumb: TileThumb) -> str:
    """Everything on a phone that could be a hint, but not the lines that were entered."""
    return thumb.page.evaluate(HINTS)


KEY = "#pad > .tp-hold [data-do=tile][data-value='{}']"


def test_two_phones_wait_take_back_and_go_on_after_a_cut(world, phones) -> None:
    """A right and a wrong announcement look alike on the other phone; a cut phone keeps its turn, and sends it once.

    Both tap the bell: the log has one.
    """
    one, other = phones(guests=True)
    found = []
    one.kept(KEY.format("5-5"))
    for number in (10, 20):
        one.call(number)
        hear(other, one)
        found.append(seen(other))
        one.kept("[data-do=undo]")
        hear(other, one)
    assert found[0] == found[1]
    expect(other.page.locator("[data-entries] li")).to_have_text(
        ["Ana Ruiz announced 20 · taken back", "Ana Ruiz announced 10 · taken back", "Ana Ruiz 5-5"]
    )
    expect(other.page.locator("[data-do=undo]")).to_have_attribute("aria-disabled", "true")
    expect(one.page.locator("[data-two]")).to_have_text("Waiting for the phone of Bo Chen.")
    other.page.context.set_offline(True)
    other.kept(KEY.format("5-3"))
    other.call(10)
    address = leave(other.page)
    one.page.evaluate(ASK)
    expect(one.page.locator("[data-two]")).to_have_text("Waiting for the phone of Bo Chen.")
    other.page.context.set_offline(False)
    back = TileThumb(other.page.context.new_page()).open(urlsplit(address).path)
    hear(one, back)
    one.kept(KEY.format("5-4"))
    hear(back, one)
    back.page.context.set_offline(True)
    for phone in (back, one):
        phone.kept("[data-do=more]", "#pad-more [data-do=bell]")
    expect(one.page.locator("[data-line]")).to_contain_text("All sent")
    back.page.context.set_offline(False)
    hear(back, one)
    expect(back.page.locator("[data-line]")).to_have_text("All sent")
    back.kept("[data-do=more]", "#pad-more [data-do=phones]", "#pad-phones [data-value=battery]")
    hear(one, back)
    expect(one.page.locator("[data-keeper-words]")).to_contain_text("is scoring since")
    assert [(row.kind, row.line, row.for_side) for row in TallyTap.objects.all()][-5:] == [
        ("line", "B 5-3 on 5-5", 2),
        ("line", "B call 10", 2),
        ("line", "A 5-4 on 5-5", 1),
        ("line", "bell", 1),
        ("take_over", "battery", 2),
    ]


def rows_of(*words: str) -> list[TallyTap]:
    return [row for row in TallyTap.objects.all() if row.line and row.line.split()[1:2] in [[word] for word in words]]


def test_a_restored_server_gets_the_taps_of_both_from_the_first_phone(world, phones, answering) -> None:
    one, other = phones()
    one.kept(KEY.format("5-5"))
    hear(other, one)
    other.kept(KEY.format("5-3"))
    hear(one, other)
    other.page.context.set_offline(True)
    one.page.context.set_offline(True)
    answering.wait()  # the phone that waits asks every second
    lose_taps_after(1)
    one.page.context.set_offline(False)
    one.kept(KEY.format("5-4"))
    expect(one.page.locator("[data-line]")).to_have_text("All sent")
    other.page.context.set_offline(False)
    other.page.evaluate(ASK)
    expect(other.page.locator("[data-keeper-words]")).to_contain_text("alice is scoring since")
    lines = ["B 5-3 on 5-5", "A 5-4 on 5-5"]
    assert [row.line for row in TallyTap.objects.order_by("number")][-4:] == ["restored", "round 1\nA 5-5", *lines]
    expect(other.page.locator("[data-entries] li")).to_have_text(["Ana Ruiz 5-4", "Bo Chen 5-3", "Ana Ruiz 5-5"])

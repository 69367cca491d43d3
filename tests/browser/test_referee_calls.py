"""A call for the referee with two phones and a referee: the game goes on, a muggins call is ruled at the table, the
points are on both pads, and the clock gives the ruling time back.
"""

from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from league.disputes.models import RefereeCall
from league.matches.clock import services as timekeeping
from league.matches.models import Game, Match, Table
from league.matches.models.tally import TallyTap
from tests.browser.conftest import become
from tests.browser.pads import Thumb
from tests.browser.test_pad import path_of, phone

__all__ = ["phone"]

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.smoke
def test_a_muggins_call_is_ruled_at_the_table(world, phone, visit) -> None:
    now = timezone.now()
    Match.objects.update(starts_at=now, table=Table.objects.get(name="1"))
    match = Match.objects.get(pk=world.match.pk)
    names = [str(side) for side in match.sides.order_by("number")]
    first, second = ("alice", "bob") if names[0].startswith("Ana") else ("bob", "alice")
    timekeeping.start_clock(world.game(), world.ref, now)

    # The scorer's phone keeps the tally; the other side watches on a pad of its own.
    scorer = Thumb(phone(first).pages[0]).open(path_of(world))
    scorer.points(0, 10)
    expect(scorer.line).to_have_text("All sent")
    caller = Thumb(phone(second).pages[0]).open(path_of(world))
    expect(caller.page.get_by_text("You are watching.")).to_be_visible()

    # Two taps call the referee: the reasons, and the reason.
    caller.touch("[data-do=more]")
    caller.page.get_by_role("link", name="Call the referee").click()
    caller.page.get_by_role("button", name="Muggins").click()
    expect(caller.page.get_by_text("Called just now. No referee is on the way yet.")).to_be_visible()
    assert world.game().clock_events.count() == 1  # the clock runs on

    # The official on duty goes there; the caller's page shows it without a reload.
    referee = visit(width=390)
    become(referee, "ref")
    referee.goto("/organize/harbour/referee/")
    expect(referee.get_by_text("Table 1: Muggins")).to_be_visible()
    referee.get_by_role("button", name="On my way").click()
    expect(caller.page.get_by_text("Called just now. ref is on the way.")).to_be_visible()
    expect(caller.page.get_by_role("status")).to_have_text("ref is on the way.")
    expect(scorer.page.locator("[data-call]")).to_contain_text("ref is on the way.")

    # The referee pauses the clock, and answers one question.
    referee.get_by_role("link", name="At the table").click()
    referee.get_by_role("button", name="Pause the clock").click()
    expect(referee.get_by_text("the clock is paused")).to_be_visible()
    pause = RefereeCall.objects.get().pause
    question = f"Did {names[0]} say 10 before {names[1]} released the next tile, or passed?"
    expect(referee.get_by_text(question)).to_be_visible()
    referee.get_by_role("button", name=f"No Muggins: 10 points to {names[1]}.").click()
    expect(referee.get_by_text("No table calls the referee.")).to_be_visible()

    # Both pads have the ruling; the scorer's goes on, and cannot take it back.
    caller.page.goto(path_of(world))
    for pad in (scorer, caller):
        expect(pad.page.locator("[data-ruled]")).to_have_text(f"Ruled by ref: muggins {names[1]} +10")
        expect(pad.page.locator("[data-score='0']")).to_have_text("0")
        expect(pad.page.locator("[data-score='1']")).to_have_text("10")
    scorer.points(0, 5)
    expect(scorer.line).to_have_text("All sent")
    assert [(tap.kind, tap.points, tap.ruled) for tap in TallyTap.objects.order_by("number")] == [
        ("points", 10, None),
        ("undo", 0, True),
        ("muggins", 10, True),
        ("points", 5, None),
    ]

    # The time between pause and ruling is given back, and nothing more.
    resume = world.game().clock_events.get(kind="resume")
    assert Game.objects.get(pk=world.game().pk).rings_at == now.replace(microsecond=now.microsecond // 1000 * 1000) + (
        timedelta(minutes=15) + (resume.at - pause.at)
    )

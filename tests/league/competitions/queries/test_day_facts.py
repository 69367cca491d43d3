"""The day of real competitions: every format from its first name to its end, in a constant number of statements."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from league.accounts.permissions import Act
from league.competitions.attendance.check_in import check_in
from league.competitions.attendance.late_entries import walk_in
from league.competitions.attendance.no_shows import wait_for
from league.competitions.attendance.withdrawals import withdraw
from league.competitions.draw.advancing import advance
from league.competitions.draw.plans import Plan, found
from league.competitions.draw.publishing import publish, publish_matchday
from league.competitions.draw.schedule.table_wishes import set_wishes
from league.competitions.draw.stages import draw, draw_next
from league.competitions.models import Competition, Matchday, Payment, Stage
from league.competitions.queries.next_step import HeldBy, StepState, steps
from league.competitions.queries.next_step_facts import day_facts
from league.competitions.registration.entries import register
from league.competitions.registration.fees import let_off, take_fee
from league.matches.models import Match, Table
from league.players.services import enrol
from league.web.words.next_step import day_words
from tests.league.competitions.cup import drafted, enter_result, published, slot
from tests.league.world import NOON

pytestmark = pytest.mark.django_db
BY_ROUND = Competition.Release.ROUND_BY_ROUND


def facts(world, competition, now=None):
    fresh = Competition.objects.select_related("league").get(pk=competition.pk)
    return day_facts(fresh, now or timezone.now(), with_needs=True)


def now_of(world, competition):
    """(part, round) of the step that is now, with the codes of what holds it up; None once it is over."""
    one = next((step for step in steps(facts(world, competition)) if step.state is StepState.NOW), None)
    return one and (one.part.value, one.round.name if one.round else "", [hold.reason.value for hold in one.holds])


def play(world, competition):
    """Every shown match whose players are known gets its official result, the first side's."""
    rows = Match.objects.filter(slot__matchday__stage__competition=competition, published_at__isnull=False)
    for match in rows.exclude(state=Match.State.DECIDED).order_by("slot__matchday__number", "pk"):
        enter_result(world, match, 1)
        advance(match.pk)


def go_on(world, competition):
    """Press the one button of the step that is now. False once it is over."""
    told = now_of(world, competition)
    if told is None:
        return False
    part, about, _holds = told
    if part == "round":
        play(world, competition)
    elif part == "publish":
        publish(competition, user=world.owner)
    elif part == "next" and about:
        day = Matchday.objects.filter(stage__competition=competition, published_at=None).order_by("number").first()
        publish_matchday(day, user=world.owner)
    elif part == "next":
        draw_next(competition, user=world.owner)
    else:
        raise AssertionError(told)
    return True


@pytest.mark.parametrize(
    "plan",
    [
        {"format": "single_elimination", "third_place": True},
        {"format": "single_elimination", "release": BY_ROUND},
        {"format": "double_elimination"},
        {"format": "round_robin"},
        {"format": "round_robin", "release": BY_ROUND},
        {"format": "swiss", "release": BY_ROUND},
        {"format": "swiss"},
        {"format": "groups", "groups": 2, "then": "single_elimination", "advance_each": 2},
    ],
    ids=lambda plan: " ".join(str(value) for value in plan.values()),
)
def test_the_button_of_each_step_leads_to_the_end_of_every_format(world, plan):
    made = drafted(world, 6, **plan)
    for _ in range(40):
        if not go_on(world, made):
            break
    assert now_of(world, made) is None
    assert not Stage.objects.filter(competition=made, finished_at=None).exists()


def test_what_is_missing_of_a_round_is_told_with_names_tables_and_links(world):
    cup = published(world, 8, tables=("1", "2", "3", "4"), release=BY_ROUND)
    first, second, third, fourth = (slot(cup, 1, place) for place in (1, 2, 3, 4))
    enter_result(world, first.match, 1)
    enter_result(world, second.match, 1, official=False)
    wait_for(third, third.berths.get(number=2).entrant, user=world.owner, waiting=True)
    now = timezone.now() + timedelta(minutes=12)
    words = day_words(Competition.objects.get(pk=cup.pk), facts(world, cup, now), frozenset(Act))
    told = [(hold.sentence, [(item.text, item.url) for item in hold.items]) for hold in words.now.holds]
    desk = "/organize/harbour/competitions/cup/"
    assert told == [
        (
            "1 match waits for a player:",
            [("P7 has not come to table 3: 12 minutes since", f"{desk}slots/{third.pk}/late/")],
        ),
        (
            "1 result waits for confirmation by another person:",
            [("P4 – P5 (table 2)", f"/matches/{second.match_id}/")],
        ),
        ("1 match has no result yet:", [("P3 – P6 (table 4)", f"{desk}grid/?match={fourth.match_id}")]),
    ]
    assert words.upcoming.title == "Semi-finals"
    assert words.upcoming.holds[0].sentence == "3 confirmed results are missing before it."


def test_whoever_waited_long_enough_reads_that_the_match_can_be_forfeited(world):
    cup = published(world, 4, tables=("1", "2"))
    one = slot(cup, 1, 1)
    wait_for(one, one.berths.get(number=1).entrant, user=world.owner, waiting=True)
    late = timezone.now() + timedelta(minutes=cup.forfeit_after_min)
    words = day_words(Competition.objects.get(pk=cup.pk), facts(world, cup, late), frozenset(Act))
    assert words.now.holds[0].items[0].text == (
        "Ana Ruiz has not come to table 1: 15 minutes since. The match can be forfeited."
    )
    nobody = day_words(Competition.objects.get(pk=cup.pk), facts(world, cup, late), frozenset())
    assert nobody.now.holds[0].items[0].url == ""


def test_fees_and_the_check_in_name_who_is_missing_and_leave_out_who_has_left(world):
    night = published(world, 4, format="round_robin", fee=500)
    rows = list(night.registrations.order_by("seed"))
    check_in(night, rows[0].entrant, user=world.owner)
    take_fee(night, rows[0].entrant, user=world.owner, owed=500)
    take_fee(night, rows[1].entrant, user=world.owner, owed=500, amount=200)
    let_off(night, rows[2].entrant, user=world.owner, reason="helps")
    withdraw(night, rows[3].entrant, user=world.owner, reason="ill")
    held = {hold.reason: [one.name for one in hold.people] for one in steps(facts(world, night)) for hold in one.holds}
    assert held[HeldBy.FEES_OWED] == ["Bo Chen"]
    assert held[HeldBy.NOT_HERE] == ["Bo Chen", "P3"]
    Payment.objects.filter(amount=500).update(returned_at=timezone.now(), returned_by=world.owner)
    assert facts(world, night).owing.count == 2


def test_whoever_walks_in_after_the_publication_makes_nobody_else_absent(world):
    night = published(world, 5, format="round_robin", tables=["1", "2", "3"])
    walk_in(night, "Zoe Late", user=world.owner)
    assert "check-in" not in [one.part.value for one in steps(facts(world, night))]
    rows = list(night.registrations.order_by("seed"))
    check_in(night, rows[2].entrant, user=world.owner)
    assert facts(world, night).absent.count == 4, "the desk checks in after the publication"
    for row in rows:
        check_in(night, row.entrant, user=world.owner)
    assert [one.state for one in steps(facts(world, night)) if one.part.value == "check-in"] == [StepState.DONE]


def test_a_check_in_before_the_publication_is_told_after_it(world):
    night = drafted(world, 5, format="round_robin", tables=["1", "2", "3"])
    check_in(night, night.registrations.get(seed=5).entrant, user=world.owner)
    publish(night, user=world.owner)
    assert facts(world, night).absent.count == 4


def test_a_round_that_was_paired_from_other_results_is_told(world):
    cup = drafted(world, 4, format="swiss", release=BY_ROUND)
    publish(cup, user=world.owner)
    play(world, cup)
    draw_next(cup, user=world.owner)
    assert now_of(world, cup) == ("next", "Round 2", ["is-draft"])
    withdraw(cup, people_of(cup)[3], user=world.owner, reason="ill")
    assert now_of(world, cup) == ("next", "Round 2", ["results-changed"])


def people_of(competition):
    return [row.entrant for row in competition.registrations.order_by("seed")]


def test_wishes_that_cannot_be_met_are_counted_for_officials_alone(world):
    cup = drafted(world, 4, tables=("1", "2"))
    set_wishes(cup, people_of(cup)[0], user=world.owner, table=None, needs_accessible=True)
    assert facts(world, cup).unmet == 1
    fresh = Competition.objects.get(pk=cup.pk)
    assert day_facts(fresh, timezone.now(), with_needs=False).unmet == 0


def test_a_match_of_a_knock_out_that_nobody_won_stops_it(world):
    cup = published(world, 4)
    for place in (1, 2):
        enter_result(world, slot(cup, 1, place).match, None if place == 1 else 1)
        advance(slot(cup, 1, place).match_id)
    assert now_of(world, cup) == ("round", "Final", ["players-unknown", "no-winner"])


@pytest.mark.slow("64 entrants")
@pytest.mark.parametrize("plan", [{}, {"format": "round_robin"}, {"format": "swiss", "release": BY_ROUND}])
def test_the_facts_take_as_many_statements_for_16_as_for_64(world, plan):
    counts = []
    for size in (16, 64):
        named = [enrol(league=world.league, name=f"N{size}-{n}", since=NOON.date()) for n in range(size)]
        tables = tuple(str(n) for n in range(1, 5))
        wanted = {"name": f"Of {size}", "ruleset": "udl", "format": "single_elimination", "starts_at": NOON, "fee": 100}
        made = found(world.league, Plan(**(wanted | {"tables": tables} | plan)), user=world.owner)
        register(made, named)
        draw(made, user=world.owner)
        publish(made, user=world.owner)
        set_wishes(made, named[0], user=world.owner, table=Table.objects.get(name="1"), needs_accessible=True)
        enter_result(world, slot(made, 1, 1).match, 1, official=False)
        check_in(made, named[0], user=world.owner)
        fresh = Competition.objects.select_related("league").get(pk=made.pk)
        with CaptureQueriesContext(connection) as asked:
            told = day_facts(fresh, timezone.now(), with_needs=True)
        assert (told.entrants, sum(one.count for one in told.open)) == (size, size // 2)
        counts.append(len(asked))
    assert counts[0] == counts[1]
    assert counts[0] <= 30

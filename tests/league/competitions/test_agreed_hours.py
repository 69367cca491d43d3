"""Hours that the two sides of a match agree on: who, when, how late, and what makes a proposal lapse."""

from datetime import datetime, timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.utils import timezone

from league.accounts.models import User
from league.competitions.agreed_hours import (
    agree_on_hour,
    match_hours,
    open_proposals,
    propose_hours,
    take_back_proposal,
)
from league.competitions.draw.schedule.rescheduling import move
from league.competitions.ladders.services import challenge
from league.competitions.models import Competition, HourProposal, Matchday, Slot
from league.competitions.queries.calendars import competition_feed
from league.competitions.queries.inbox import InboxKind, inbox
from league.errors import NotAllowed, Refused
from league.matches.models import Match
from league.players.models import Player
from tests.league.competitions.cup import enter_result, published
from tests.league.competitions.pair_world import match_between, pair, published_pairs

NOW = timezone.now().replace(second=0, microsecond=0)
ONE, TWO = NOW + timedelta(days=2), NOW + timedelta(days=4)
WEEKLY = {"format": "round_robin", "starts_at": NOW + timedelta(days=1), "days_between": 7}


@pytest.fixture
def match(world) -> Match:
    """The match of Ana and Bo in the first round of a league without a timetable."""
    return of_both(published(world, 2, format="round_robin", starts_at=None))


def of_both(competition: Competition) -> Match:
    matches = Match.objects.filter(slot__matchday__stage__competition=competition)
    return matches.filter(sides__entrant__player__user__username="alice").get(
        sides__entrant__player__user__username="bob"
    )


def proposed(match: Match, user: User, *hours: datetime, seen: int | None = None) -> HourProposal:
    return propose_hours(match.pk, hours or (ONE, TWO), user=user, seen=seen)


def refusal(act) -> str:
    """The code of the refusal, after which nothing has changed."""
    before = list(HourProposal.objects.values()), list(Slot.objects.values("pk", "starts_at"))
    with pytest.raises(Refused) as refused:
        act()
    assert str(refused.value)
    assert (list(HourProposal.objects.values()), list(Slot.objects.values("pk", "starts_at"))) == before
    return refused.value.code


@pytest.mark.both
def test_two_proposals_and_one_tap_move_the_match_as_an_organizer_does(world, match) -> None:
    proposal = proposed(match, world.alice)
    assert [one.kind for one in inbox(world.bob)] == [InboxKind.HOURS]
    assert inbox(world.alice) == inbox(world.owner) == []
    day = Matchday.objects.get(slots__match=match)
    agree_on_hour(match.pk, proposal.pk, TWO, user=world.bob)
    slot = Slot.objects.select_related("match", "matchday__stage__competition").get(match=match)
    assert (slot.starts_at, slot.match.starts_at) == (TWO, TWO)
    assert slot.matchday.version == day.version + 1
    feed = competition_feed(world.league.slug, slot.matchday.stage.competition.slug, NOW)
    assert [one.starts_at for one in feed.events] == [TWO]
    assert inbox(world.bob) == []


@pytest.mark.both
def test_the_same_tap_twice_counts_once_and_another_tap_is_refused(world, match) -> None:
    proposal = proposed(match, world.alice)
    for _again in range(2):
        assert agree_on_hour(match.pk, proposal.pk, ONE, user=world.bob).agreed_at is not None
    assert Matchday.objects.get(slots__match=match).version == 2
    assert refusal(lambda: agree_on_hour(match.pk, proposal.pk, TWO, user=world.bob)) == "changed-meanwhile"


def test_other_hours_replace_the_proposal_and_a_tap_on_the_old_one_is_refused(world, match) -> None:
    first = proposed(match, world.alice)
    assert refusal(lambda: proposed(match, world.bob)) == "changed-meanwhile", "Bo has not seen it"
    second = proposed(match, world.bob, TWO, seen=first.pk)
    assert HourProposal.objects.get() == second
    assert refusal(lambda: agree_on_hour(match.pk, first.pk, ONE, user=world.bob)) == "changed-meanwhile"
    assert refusal(lambda: agree_on_hour(match.pk, second.pk, ONE, user=world.alice)) == "changed-meanwhile"
    assert refusal(lambda: agree_on_hour(match.pk, second.pk, TWO, user=world.bob)) == "own-proposal"
    agree_on_hour(match.pk, second.pk, TWO, user=world.alice)


def test_only_the_side_that_proposed_takes_it_back(world, match) -> None:
    proposal = proposed(match, world.alice)
    assert refusal(lambda: take_back_proposal(match.pk, proposal.pk, user=world.bob)) == "changed-meanwhile"
    take_back_proposal(match.pk, proposal.pk, user=world.alice)
    assert not HourProposal.objects.exists()
    assert refusal(lambda: agree_on_hour(match.pk, proposal.pk, ONE, user=world.bob)) == "changed-meanwhile"


@pytest.mark.both
def test_an_hour_set_by_the_organizer_makes_the_proposal_lapse(world, match) -> None:
    proposal = proposed(match, world.alice)
    move(match.slot, user=world.owner, table=None, starts_at=NOW + timedelta(days=1))
    assert refusal(lambda: agree_on_hour(match.pk, proposal.pk, ONE, user=world.bob)) == "changed-meanwhile"
    assert inbox(world.bob) == []
    proposed(match, world.bob)


def test_a_proposal_in_the_past_lapses_hour_by_hour(world, match) -> None:
    proposal = proposed(match, world.alice)
    between, after = ONE + timedelta(hours=1), TWO
    assert proposal.hours(NOW) == [ONE, TWO]
    assert proposal.hours(between) == [TWO]
    assert refusal(lambda: agree_on_hour(match.pk, proposal.pk, ONE, user=world.bob, now=between)) == "hour-past"
    assert (open_proposals(between).count(), open_proposals(after).count()) == (1, 0)


@pytest.mark.parametrize(
    ("hours", "code"),
    [((NOW - timedelta(hours=1),), "hour-past"), ((NOW + timedelta(days=400),), "hour-too-late"), ((), "no-hours")],
)
def test_an_hour_lies_within_a_year(world, match, hours, code) -> None:
    assert refusal(lambda: propose_hours(match.pk, hours, user=world.alice, seen=None)) == code


def test_the_hour_lies_before_the_next_round(world) -> None:
    match = of_both(published(world, 4, **WEEKLY))
    rounds = Slot.objects.filter(
        matchday__stage=match.slot.matchday.stage, matchday__number__gt=match.slot.matchday.number
    )
    after = rounds.earliest("starts_at")
    assert refusal(lambda: proposed(match, world.alice, after.starts_at)) == "hour-too-late"
    proposal = proposed(match, world.alice, after.starts_at - timedelta(hours=1))
    agreed_early(after, match.starts_at - timedelta(hours=12))
    assert match_hours(match.pk, 1, NOW).latest == rounds.exclude(pk=after.pk).earliest("starts_at").starts_at
    Slot.objects.filter(pk__in=rounds).update(starts_at=after.starts_at - timedelta(days=1))
    assert refusal(lambda: agree_on_hour(match.pk, proposal.pk, proposal.first, user=world.bob)) == "hour-too-late"


def agreed_early(slot: Slot, hour: datetime) -> None:
    """Let the players of another match have agreed on an early hour, which ends no round."""
    entrant = slot.match.sides.first().entrant
    HourProposal.objects.create(match=slot.match, entrant=entrant, first=hour, made_at=NOW, agreed_at=NOW)
    Slot.objects.filter(pk=slot.pk).update(starts_at=hour)


def test_a_player_at_another_match_is_busy(world) -> None:
    match = of_both(published(world, 4, **WEEKLY, name="Weekly"))
    other = of_both(published(world, 2, format="round_robin", starts_at=None, name="Other"))
    Slot.objects.filter(match=other).update(starts_at=match.starts_at + timedelta(hours=3))
    assert refusal(lambda: proposed(match, world.alice, match.starts_at + timedelta(hours=3))) == "entrant-busy"


@pytest.mark.parametrize(
    "plan",
    [
        {"starts_at": NOW + timedelta(days=1)},
        {"starts_at": None, "dispatches": True},
        {**WEEKLY, "format": "swiss"},
    ],
    ids=["in one evening", "dispatched", "paired by results"],
)
def test_hours_that_others_depend_on_are_the_organizers(world, plan) -> None:
    match = of_both(published(world, 2, **{"format": "round_robin", **plan}))
    assert refusal(lambda: proposed(match, world.alice)) == "hours-closed"


def test_a_match_with_an_entry_or_without_another_account_is_closed(world, match) -> None:
    proposal = proposed(match, world.alice)
    Player.objects.filter(user=world.bob).update(user=None)
    assert refusal(lambda: proposed(match, world.alice, seen=proposal.pk)) == "hours-closed"
    Player.objects.filter(pk=world.bo.player_id).update(user=world.bob)
    enter_result(world, match, 1, official=False)
    assert refusal(lambda: agree_on_hour(match.pk, proposal.pk, ONE, user=world.bob)) == "hours-closed"
    assert not open_proposals(NOW).exists()


@pytest.mark.parametrize(
    ("who", "code"),
    [
        ("alice", None),
        ("bob", None),
        ("referee", "not-your-match"),
        ("owner", "not-your-match"),
        ("charlie", "not-your-match"),
        ("anonymous", "sign-in"),
    ],
)
def test_only_the_two_sides_propose(world, match, who, code) -> None:
    user = AnonymousUser() if who == "anonymous" else getattr(world, who)
    if code is None:
        proposed(match, user)
        return
    with pytest.raises(NotAllowed) as refused:
        proposed(match, user)
    assert refused.value.code == code


def test_nobody_learns_of_a_match_that_is_not_published(world, match) -> None:
    Match.objects.update(published_at=None)
    with pytest.raises(Match.DoesNotExist):
        proposed(match, world.alice)


def test_on_a_ladder_the_hour_lies_before_the_challenge_lapses(world) -> None:
    ladder = published(world, 2, format="ladder", starts_at=None, challenge_reach=2, challenge_days=3)
    made = challenge(ladder, world.bo, world.ana, by=world.bob)
    match = of_both(ladder)
    assert refusal(lambda: proposed(match, world.alice, made.made_at + timedelta(days=3))) == "hour-too-late"
    proposed(match, world.alice, ONE)


def test_either_partner_of_a_pair_proposes_and_agrees(world) -> None:
    pairs = published_pairs(world, "Cy One / Di Two\nEd Three / Fi Four", starts_at=None)
    for name, user in (("Di Two", world.alice), ("Ed Three", world.bob), ("Fi Four", world.owner)):
        Player.objects.filter(user=user).update(user=None)
        Player.objects.filter(name=name).update(user=user)
    match = match_between(pairs, pair("Cy One"), pair("Ed Three"))
    proposal = proposed(match, world.alice)
    assert [one.kind for one in inbox(world.owner)] == [one.kind for one in inbox(world.bob)] == [InboxKind.HOURS]
    agree_on_hour(match.pk, proposal.pk, TWO, user=world.owner)
    assert Slot.objects.get(match=match).starts_at == TWO

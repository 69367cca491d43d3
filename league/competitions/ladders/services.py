"""Ladders: challenges, and places by official results (COMPETITIONS.md, formats).

Places are not stored. They are the seeds, moved by every decided challenge in the order in which each first became
official; an amended result keeps the hour of the result that it amends, and all challenges are replayed.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Max, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.accounts.models import User
from league.accounts.permissions import Act, Asker, check_may
from league.competitions.draw.laying_out import begin, schedule_known
from league.competitions.draw.schedule.seating import note_change
from league.competitions.entrants import seeded
from league.competitions.formats.ladder import PlayedChallenge, may_challenge, orders
from league.competitions.formats.registry import LADDERS
from league.competitions.locks import has_begun, locked, unschedule
from league.competitions.models import Berth, Challenge, Competition, Matchday, Slot, Stage
from league.competitions.official_results import winners_and_losers
from league.errors import NotAllowed, Refused
from league.matches.locks import locked_match
from league.matches.models import Match, Result
from league.players.models import Entrant

CHALLENGED, CHALLENGER = 1, 2
"""Numbers of the berths: the challenged leads."""
DECIDING = (Result.State.OFFICIAL, Result.State.AMENDED)


Absence = tuple[int, datetime, datetime | None]
"""Entrant, when it withdrew and when it returned."""


@dataclass(frozen=True, slots=True)
class Decided:
    """A challenge with an official result; entrants by key.

    `before`, `after`: the challenger's place.
    """

    slot: int
    match: int
    challenger: int
    challenged: int
    winner: int | None
    at: datetime
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class LadderPlaces:
    """The places of a ladder and its challenges.

    `order`: all entrants from the top; `earlier`: the order before the last decided challenge. `open`: of each
    challenge to be played the challenged and the challenger, by slot. `history`: the last decided challenge first.
    `orders`: the order at the start and after each decided challenge, withdrawn entrants included.
    """

    order: list[int]
    earlier: list[int]
    open: dict[int, tuple[int, int]]
    history: list[Decided]
    orders: list[Sequence[int]]

    @property
    def busy(self) -> set[int]:
        """Entrants with an open challenge."""
        return {one for both in self.open.values() for one in both}

    def open_of(self, entrant: int) -> int | None:
        """Return the slot of the entrant's open challenge."""
        return next((slot for slot, both in self.open.items() if entrant in both), None)

    def within_reach(self, entrant: int, reach: int) -> list[int]:
        """List the entrants that this entrant may challenge now, the nearest first."""
        if entrant not in self.order or entrant in self.busy:
            return []
        place = self.order.index(entrant)
        return [one for one in self.order[max(0, place - reach) : place][::-1] if one not in self.busy]


def places(stage: Stage) -> LadderPlaces:
    """Compute the places of a ladder. Six statements at most.

    A withdrawn entrant has no place, and those below move up.
    """
    seeds = [one.pk for one in seeded(stage)]
    away = list(stage.competition.withdrawals.values_list("entrant", "made_at", "undone_at"))
    gone = {entrant for entrant, _left, back in away if back is None}
    slots, matches = _slots(stage)
    ends = winners_and_losers(matches.values())
    hours = _decided_at(matches.values())
    decided = sorted(
        (hours[match], slot) for slot, match in matches.items() if match in hours and {*slots[slot]} <= {*seeds}
    )
    winners = {slot: ends.get(matches[slot], (None, None))[0] for _at, slot in decided}
    bouts = [PlayedChallenge(slots[slot][1], slots[slot][0], winners[slot]) for _at, slot in decided]
    standings = orders(seeds, bouts)
    history = [
        _decided(slot, matches[slot], at, one, [_without(away, order, one, at) for order in both])
        for (at, slot), one, *both in zip(decided, bouts, standings, standings[1:], strict=False)
    ]
    over = {slot for _at, slot in decided}
    return LadderPlaces(
        order=[one for one in standings[-1] if one not in gone],
        earlier=[one for one in (standings[-2] if bouts else standings[-1]) if one not in gone],
        open={slot: both for slot, both in slots.items() if slot not in over},
        history=history[::-1],
        orders=list(standings),
    )


def _without(away: Iterable[Absence], order: Sequence[int], one: PlayedChallenge, at: datetime) -> list[int]:
    """Leave out the entrants that were away when this challenge was decided, except its two."""
    absent = {entrant for entrant, left, back in away if left < at and (back is None or at <= back)}
    return [entrant for entrant in order if entrant in {one.challenger, one.challenged} or entrant not in absent]


def _decided(slot: int, match: int, at: datetime, one: PlayedChallenge, orders: Iterable[Sequence[int]]) -> Decided:
    before, after = (_at(order, one.challenger) for order in orders)
    return Decided(slot, match, one.challenger, one.challenged, one.winner, at, before, after)


def _at(order: Sequence[int], entrant: int) -> int:
    return order.index(entrant) + 1


def _slots(stage: Stage) -> tuple[dict[int, tuple[int, int]], dict[int, int]]:
    """(challenged, challenger) of each slot that has both, and its match."""
    rows = Berth.objects.filter(slot__matchday__stage=stage, entrant__isnull=False)
    both: dict[int, list[int]] = {}
    matches: dict[int, int] = {}
    ordered = rows.order_by("slot__matchday__number", "slot__number", "number")
    for slot, match, entrant in ordered.values_list("slot", "slot__match", "entrant"):
        both.setdefault(slot, []).append(entrant)
        if match is not None:
            matches[slot] = match
    return {slot: (who[0], who[1]) for slot, who in both.items() if len(who) == 2}, matches


def _decided_at(matches: Iterable[int]) -> dict[int, datetime]:
    """Times at which each decided match first became official.

    The last of its games counts. One statement.
    """
    rows = Result.objects.filter(
        game__match__in=list(matches), state__in=DECIDING, game__match__state=Match.State.DECIDED
    )
    games: dict[int, dict[int, datetime]] = {}
    for match, game, confirmed, entered in rows.values_list("game__match", "game", "confirmed_at", "entered_at"):
        at = games.setdefault(match, {})
        at[game] = min(at.get(game, confirmed or entered), confirmed or entered)
    return {match: max(hours.values()) for match, hours in games.items()}


# --- Services ---


@transaction.atomic
def challenge(
    competition: Competition,
    challenger: Entrant,
    challenged: Entrant,
    *,
    by: User | Entrant,
    now: datetime | None = None,
) -> Challenge:
    """Create a match for the place of the challenged, in the round of the month.

    `by`: an account, of the challenger or of the desk, or the entrant of the personal link in use.

    Raises NotAllowed, and Refused `not-a-ladder`, `not-published`, `ladder-closed`, `not-registered`, `open-challenge`,
    `out-of-reach`.
    """
    now = now or timezone.now()
    competition = locked(competition.pk)
    _check_may(competition, challenger, by)
    stage = ladder_of(competition)
    if stage.finished_at is not None:
        raise Refused("ladder-closed", _("%(competition)s is closed; its places are final."), competition=competition)
    found = places(stage)
    _refuse_unless_there(competition, found, (challenger, challenged))
    _refuse_if_open(found, (challenger, challenged))
    if not may_challenge(found.order, challenger.pk, challenged.pk, stage.challenge_reach):
        raise _out_of_reach(found, challenger, stage.challenge_reach)
    day = _round_of_the_month(stage, now)
    last = day.slots.aggregate(last=Max("number"))["last"] or 0
    slot = Slot.objects.create(matchday=day, number=last + 1)
    Berth.objects.create(slot=slot, number=CHALLENGED, entrant=challenged)
    Berth.objects.create(slot=slot, number=CHALLENGER, entrant=challenger)
    schedule_known(competition, [slot])
    note_change([slot])
    return Challenge.objects.create(
        stage=stage,
        challenger=challenger,
        challenged=challenged,
        slot=slot,
        made_at=now,
        made_by=by if isinstance(by, User) else None,
    )


@transaction.atomic
def withdraw_challenge(one: Challenge, *, by: User | Entrant) -> Challenge:
    """Withdraw a challenge that has not begun, by the challenger or the desk.

    Raises NotAllowed, and Refused `challenge-closed`, `begun-already`.
    """
    competition = locked(Stage.objects.values_list("competition", flat=True).get(pk=one.stage_id))
    one = Challenge.objects.select_related("slot__match", "slot__matchday", "challenger__player").get(pk=one.pk)
    _check_may(competition, one.challenger, by)
    if one.slot is None:
        raise Refused("challenge-closed", _("This challenge is closed already."))
    if not close_unplayed(one, Challenge.Closed.WITHDRAWN, timezone.now()):
        raise Refused("begun-already", _("This match has begun, and is played to its end."))
    return one


def expire(now: datetime | None = None) -> int:
    """Close the challenges that have not begun in time; return how many."""
    now = now or timezone.now()
    days = {pk: timedelta(days=days) for pk, days in _with_days().values_list("pk", "challenge_days")}
    open_ones = Challenge.objects.filter(stage__in=days, slot__match__state=Match.State.SCHEDULED)
    due = [one for one in open_ones.order_by("pk") if one.made_at + days[one.stage_id] < now]
    return sum(_expire(one.pk, now) for one in due)


def _with_days() -> QuerySet[Stage]:
    return Stage.objects.filter(format__in=LADDERS, challenge_days__gt=0)


@transaction.atomic
def _expire(key: int, now: datetime) -> bool:
    locked(Challenge.objects.values_list("stage__competition", flat=True).get(pk=key))
    one = Challenge.objects.select_related("slot__match", "slot__matchday").get(pk=key)
    return one.slot is not None and close_unplayed(one, Challenge.Closed.EXPIRED, now)


def close_unplayed(one: Challenge, how: Challenge.Closed, now: datetime) -> bool:
    """Close a challenge unless it has begun; entries that were taken back are no beginning.

    The caller holds the lock of the competition.
    """
    slot = one.slot
    if slot is None:
        return False
    if slot.match is not None:
        match = locked_match(slot.match.pk)
        if match.state != Match.State.SCHEDULED or has_begun(match):
            return False
    one.slot, one.closed_at, one.closed_how = None, now, how
    one.save(update_fields=["slot", "closed_at", "closed_how"])
    note_change([slot])
    if slot.match is not None:
        unschedule(slot.match)
    slot.delete()
    return True


def ladder_of(competition: Competition) -> Stage:
    """Return the ladder of a published competition.

    Raises Refused `not-a-ladder`, `not-published`.
    """
    stage = competition.stages.filter(format__in=LADDERS).first()
    if stage is None:
        raise Refused("not-a-ladder", _("%(competition)s is not a ladder."), competition=competition)
    if competition.published_at is None:
        raise Refused("not-published", _("Publish %(competition)s first."), competition=competition)
    return stage


def own_entrant(competition: Competition, user: User) -> Entrant | None:
    """Return the entrant of an account in the competition. One statement."""
    rows = Entrant.objects.filter(registrations__competition=competition, player__user=user)
    return rows.select_related("player").first()


def lapses_at(one: Challenge) -> datetime | None:
    """Return when a challenge lapses.

    None if it does not lapse, has begun, or is over. Load stage and match with it.
    """
    days, slot = one.stage.challenge_days, one.slot
    waits = slot is not None and (slot.match is None or slot.match.state == Match.State.SCHEDULED)
    return one.made_at + timedelta(days=days) if days and waits else None


def _check_may(competition: Competition, challenger: Entrant, by: Asker | Entrant) -> None:
    """Raise NotAllowed `not-yours`, or the errors of `check_may`."""
    if isinstance(by, Entrant):
        if by.pk != challenger.pk:
            raise NotAllowed("not-yours", _("You can challenge for yourself only."))
        return
    if by.is_authenticated and challenger.player.user_id == by.pk and challenger.league_id == competition.league_id:
        return
    check_may(by, Act.RUN_DESK, competition.league)


def _refuse_unless_there(competition: Competition, found: LadderPlaces, both: Iterable[Entrant]) -> None:
    for one in both:
        if one.pk not in found.order:
            raise Refused(
                "not-registered",
                _("%(entrant)s is not on the ladder %(competition)s."),
                entrant=one,
                competition=competition,
            )


def _refuse_if_open(found: LadderPlaces, both: Iterable[Entrant]) -> None:
    for one in both:
        if found.open_of(one.pk) is not None:
            raise Refused("open-challenge", _("%(entrant)s has a challenge that is not played yet."), entrant=one)


def _out_of_reach(found: LadderPlaces, challenger: Entrant, reach: int) -> Refused:
    near = Entrant.objects.select_related("player").in_bulk(found.within_reach(challenger.pk, reach))
    names = ", ".join(str(near[one]) for one in found.within_reach(challenger.pk, reach))
    return Refused(
        "out-of-reach",
        _("%(entrant)s may challenge up to %(reach)d places above: %(names)s."),
        entrant=challenger,
        reach=reach,
        names=names or "–",
    )


def _round_of_the_month(stage: Stage, now: datetime) -> Matchday:
    """Return the last round, or publish a new round in a new month.

    Months are in the league's time; an empty last round is used again in any month.
    """
    zone = stage.competition.league.time_zone
    last = stage.matchdays.order_by("-number").first()
    with timezone.override(zone):
        here = timezone.localtime(now)
        if last is not None and last.published_at is not None:
            shown = timezone.localtime(last.published_at)
            if (shown.year, shown.month) == (here.year, here.month) or not last.slots.exists():
                return last
    day = begin(stage)
    day.published_at = now
    day.save(update_fields=["published_at"])
    return day


def open_challenges(stage: Stage) -> QuerySet[Challenge]:
    """Open challenges of a ladder, the oldest first."""
    rows = Challenge.objects.filter(~Q(slot__match__state=Match.State.DECIDED), stage=stage, slot__isnull=False)
    return rows.select_related("challenger__player", "challenged__player", "slot__match", "stage")

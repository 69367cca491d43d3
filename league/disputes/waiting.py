"""Waiting cases: the queue of a league's desk, and the open cases of an account with the next step."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum

from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from league.accounts.models import League
from league.accounts.permissions import OFFICIALS, Act, Asker, check_may, leagues_where
from league.disputes.entries import entries_by_dispute
from league.disputes.models import Dispute, DisputeEntry
from league.disputes.models.dispute import NOT_SET_ASIDE, OPEN
from league.disputes.permissions import HEADS, hearers_by_case, why_another_confirms
from league.disputes.queries import RELATED, with_sides
from league.disputes.ruling import REPLAYS
from league.disputes.stage import CaseStage, stage_of
from league.matches import permissions
from league.matches.models import Amendment, Match, Result
from league.matches.results.judges import judged_by

State, Kind = Dispute.State, DisputeEntry.Kind


@dataclass(frozen=True, slots=True)
class Queued:
    """One row of the desk's queue: a dispute, or a game whose entries differ (`review`).

    `waits`: `facts`, `ruling`, `confirmation`, `appeal`, `amendment` (agreed, the official result has to follow),
    `replay` (ruled, the same) or `review`. `since`: when it was filed or entered.
    """

    match: Match
    since: datetime
    waits: str
    deadline: datetime | None = None
    dispute: Dispute | None = None
    review: Result | None = None

    def age(self, at: datetime) -> timedelta:
        return at - self.since


WAITS: Mapping[str, str] = {
    State.OPEN: "facts",
    State.FOUND: "ruling",
    State.WAITING: "confirmation",
    State.APPEALED: "appeal",
    State.RULED: "replay",
}


def queue(league: League, user: Asker) -> list[Queued]:
    """Return what waits for the officials of a league, the oldest first. Four statements.

    Raises NotAllowed `sign-in`, `no-permission`.
    """
    check_may(user, Act.ENTER_RESULTS, league)
    waiting = Dispute.objects.filter(Q(state__in=OPEN) | _replays_to_amend(), NOT_SET_ASIDE, match__league=league)
    found = [
        Queued(one.match, one.raised_at, WAITS[one.state], one.hold_until, dispute=one) for one in with_sides(waiting)
    ]
    later = Amendment.objects.filter(game=OuterRef("dispute__game"), proposed_at__gt=OuterRef("at"))
    agreed = DisputeEntry.objects.filter(
        ~Exists(later),
        dispute__match__league=league,
        dispute__match__set_aside_at=None,
        dispute__state=State.AGREED,
        kind=Kind.AGREED,
        data__carried=False,
    )
    found += [
        Queued(entry.dispute.match, entry.at, "amendment", dispute=entry.dispute)
        for entry in agreed.select_related(*(f"dispute__{one}" for one in RELATED))
    ]
    reviews = Result.objects.filter(
        game__match__league=league, current=True, contested=True, record__withdrawn_at=None
    ).select_related("game__match__table", "record")
    found += [
        Queued(one.game.match, one.entered_at, "review", review=one)
        for one in reviews.prefetch_related(
            "game__match__sides__entrant__player", "game__match__sides__entrant__partner"
        )
    ]
    return sorted(found, key=lambda one: one.since)


def _replays_to_amend() -> Q:
    """Select rulings to play again a game whose official result was neither amended nor entered since."""
    old = Result.objects.filter(
        game=OuterRef("game"), current=True, state=Result.State.OFFICIAL, confirmed_at__lte=OuterRef("closed_at")
    )
    later = Amendment.objects.filter(game=OuterRef("game"), proposed_at__gt=OuterRef("closed_at"))
    return Q(state=State.RULED, outcome__in=REPLAYS) & Q(Exists(old)) & ~Q(Exists(later))


# --- Open cases of an account


class CaseStep(Enum):
    """Next step of an account in an open case."""

    ANSWER = "answer"
    """The other side proposes an outcome."""
    STATE = "state"
    """The statement of the side is missing."""
    WAIT = "wait"
    """Officials decide."""
    APPEAL = "appeal"
    READ = "read"
    """The ruling stands, and nobody is left to hear an appeal."""
    FIND = "find"
    RULE = "rule"
    CONFIRM = "confirm"
    HEAR = "hear"


@dataclass(frozen=True, slots=True)
class OpenCase:
    """A dispute that waits for an account; `side`: the one that it plays for, None for an official."""

    dispute: Dispute
    side: int | None
    step: CaseStep


def open_cases(user: Asker, league: League | None = None) -> list[OpenCase]:
    """Return the open disputes of matches in which the asker plays or decides, the oldest first, with the next step.

    For a side also those that it may still appeal. A fixed number of statements, none for visitors. `league`: only of
    this league.
    """
    if not user.is_authenticated:
        return []
    mine = permissions.sides_of(user)
    own = Q(match__in=mine.values("match"))
    decides = Q(match__league__in=leagues_where(user, OFFICIALS)) | Q(match__in=judged_by(user))
    hears = Q(state=State.APPEALED, match__league__parent__in=leagues_where(user, frozenset(HEADS)))
    later = own & Q(state=State.RULED, instance=1, deadline__gt=timezone.now())
    rows = Dispute.objects.filter(NOT_SET_ASIDE, (own | decides) & Q(state__in=OPEN) | later | hears)
    rows = rows.filter(match__league=league) if league else rows
    found = list(with_sides(rows).order_by("raised_at", "pk"))
    if not found:
        return []
    sides = dict(mine.filter(match__in=[one.match_id for one in found]).values_list("match", "number"))
    stages = {key: stage_of(entries) for key, entries in entries_by_dispute(found).items()}
    appealed = [one for one in found if one.state in (State.RULED, State.APPEALED)]
    heard = hearers_by_case([(one, stages[one.pk].deciders | stages[one.pk].gone) for one in appealed])
    steps = (
        (one, sides.get(one.match_id), _step(one, stages[one.pk], sides.get(one.match_id), user, heard))
        for one in found
    )
    return [OpenCase(one, side, step) for one, side, step in steps if step is not None]


def _step(
    one: Dispute, stage: CaseStage, side: int | None, user: Asker, heard: Mapping[int, set[int]]
) -> CaseStep | None:
    if side is not None:
        return _step_of_side(stage, side, heard=bool(heard.get(one.pk)))
    if stage.state == State.WAITING and stage.waiting is not None:
        mine = stage.waiting.by_id == user.pk or why_another_confirms(user.pk, one, stage)
        return None if mine else CaseStep.CONFIRM
    if stage.state == State.APPEALED:
        return CaseStep.HEAR if user.pk in heard[one.pk] else None
    if user.pk in stage.gone:
        return None
    return CaseStep.RULE if stage.asked else CaseStep.FIND


def _step_of_side(stage: CaseStage, side: int, *, heard: bool) -> CaseStep:
    if stage.state == State.RULED:
        return CaseStep.APPEAL if heard else CaseStep.READ
    if stage.offer is not None and stage.offer.for_side != side:
        return CaseStep.ANSWER
    return CaseStep.STATE if stage.is_open and side not in stage.stated else CaseStep.WAIT

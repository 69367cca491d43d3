"""Hours of matches that the two sides agree on: one proposes up to two, the other agrees on one of them.

Any other change of the hour makes a proposal lapse (`HourProposal.instead_of`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, F, Min, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.accounts.models import User
from league.competitions.draw.schedule.rescheduling import put, refuse_if_booked
from league.competitions.ladders.services import lapses_at
from league.competitions.locks import CALLED, TOUCHED, locked
from league.competitions.models import Challenge, Competition, HourProposal, Season, SeasonDate, Slot
from league.competitions.signals import hours_proposed
from league.errors import Refused
from league.matches import permissions
from league.matches.locks import locked_match
from league.matches.models import Game, Match, Side
from league.players.models import PEOPLE, Entrant

MOST = 2
FURTHEST = timedelta(days=366)


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchHours:
    """The hours of a match for a player of one side; entrants of `own` and the other side.

    `proposal`: the open one of either side, or None. `latest`: the hours are before it; None without such a limit.
    """

    slot: Slot
    own: Entrant
    other: Entrant
    proposal: HourProposal | None
    latest: datetime | None

    @property
    def starts_at(self) -> datetime | None:
        return self.slot.match.starts_at if self.slot.match else None

    @property
    def is_own(self) -> bool:
        return self.proposal is not None and self.proposal.entrant_id == self.own.pk


def open_proposals(now: datetime) -> QuerySet[HourProposal]:
    """Proposals that can still be agreed on."""
    same_hour = Q(match__starts_at=F("instead_of")) | Q(match__starts_at=None, instead_of=None)
    to_come = Q(first__gt=now) | Q(second__gt=now)
    rows = HourProposal.objects.filter(same_hour, to_come, agreed_at=None, match__in=_not_begun())
    return rows.filter(match__sides__entrant=F("entrant"))


def _not_begun() -> QuerySet[Match]:
    touched = Game.objects.filter(TOUCHED, match=OuterRef("pk"))
    return Match.objects.filter(~CALLED, ~Exists(touched), published_at__isnull=False, set_aside_at=None)


def match_hours(match_id: int, side: int, now: datetime) -> MatchHours | None:
    """Return the hours for the side of a match; None where its players do not agree on them.

    Six statements at most.
    """
    rows = Slot.objects.filter(match=match_id, match__in=_not_begun())
    slot = rows.select_related("matchday__stage__competition__league", "match", "table").first()
    if slot is None or not _leaves_hours(slot):
        return None
    sides = {one.number: one.entrant for one in Side.objects.filter(match=match_id).select_related(*PEOPLE)}
    if len(sides) != MOST or side not in sides:
        return None
    own, other = sides[side], sides[3 - side]
    latest = _latest(slot)
    if (latest and latest <= now) or not any(player.user_id for player in other.players):
        return None
    proposal = open_proposals(now).filter(match=match_id).first()
    return MatchHours(slot=slot, own=own, other=other, proposal=proposal, latest=latest)


def _leaves_hours(slot: Slot) -> bool:
    """Tell whether players agree on hours: in one evening, and before a round paired by results, others depend on them.

    One statement at most.
    """
    stage = slot.matchday.stage
    competition = stage.competition
    if competition.dispatches or competition.cancelled_at is not None:
        return False
    if competition.starts_at is None or stage.is_ladder:
        return True
    season = Season.objects.filter(divisions__competition=competition).first()
    if season is not None:
        return season.closed_at is None
    return competition.days_between > 0 and not stage.is_paired_by_round


def _latest(slot: Slot) -> datetime | None:
    """Return the end of the round: the planned start of a later one, or the lapse of a challenge. Two statements."""
    day, competition = slot.matchday, slot.matchday.stage.competition
    if day.stage.is_ladder:
        challenge = Challenge.objects.select_related("stage", "slot__match").filter(slot=slot).first()
        return lapses_at(challenge) if challenge else None
    dates = SeasonDate.objects.filter(season__divisions__competition=competition, number__gt=day.number)
    agreed = HourProposal.objects.filter(match=OuterRef("match"), agreed_at__isnull=False)
    later = Slot.objects.filter(~Exists(agreed), matchday__stage__competition=competition, not_needed=False)
    later = later.filter(matchday__number__gt=day.number)
    first: datetime | None = dates.aggregate(at=Min("starts_at"))["at"] or later.aggregate(at=Min("starts_at"))["at"]
    return first


# --- Services ---


@transaction.atomic
def propose_hours(
    match_id: int, hours: Sequence[datetime], *, user: User, seen: int | None, now: datetime | None = None
) -> HourProposal:
    """Propose one or two hours to the other side, in place of the open proposal of either side.

    `seen`: the key of the open proposal that the user saw, None without.

    Raises Match.DoesNotExist; NotAllowed `sign-in`, `not-your-match`; Refused `hours-closed`, `changed-meanwhile`,
    `no-hours`, `hour-past`, `hour-too-late`, `table-taken`, `entrant-busy`.
    """
    now = now or timezone.now()
    found = _locked(match_id, user, now)
    if (found.proposal.pk if found.proposal else None) != seen:
        raise _changed()
    wanted = sorted(set(hours))
    if not 1 <= len(wanted) <= MOST:
        raise Refused("no-hours", _("Propose one time, or two."))
    for hour in wanted:
        _check_hour(found, hour, now)
    HourProposal.objects.filter(match=match_id, agreed_at=None).delete()
    proposal = HourProposal.objects.create(
        match_id=match_id,
        entrant=found.own,
        first=wanted[0],
        second=wanted[1] if len(wanted) > 1 else None,
        instead_of=found.starts_at,
        made_at=now,
    )
    hours_proposed.send(HourProposal, proposal=proposal, entrant=found.other)
    return proposal


@transaction.atomic
def agree_on_hour(
    match_id: int, proposal_id: int, hour: datetime, *, user: User, now: datetime | None = None
) -> HourProposal:
    """Agree on one hour of the other side's proposal: the match is moved to it. The same tap twice counts once.

    Raises Match.DoesNotExist; NotAllowed `sign-in`, `not-your-match`, `own-proposal`; Refused `hours-closed`,
    `changed-meanwhile`, `hour-past`, `hour-too-late`, `table-taken`, `entrant-busy`.
    """
    now = now or timezone.now()
    found = _locked(match_id, user, now)
    if found.starts_at == hour:
        agreed = HourProposal.objects.filter(match=match_id, pk=proposal_id, agreed_at__isnull=False).first()
        if agreed is not None:
            return agreed
    proposal = found.proposal
    if proposal is None or proposal.pk != proposal_id or hour not in (proposal.first, proposal.second):
        raise _changed()
    if found.is_own:
        raise Refused(
            "own-proposal", _("You can’t accept your own proposal; %(name)s has to answer it."), name=found.other
        )
    _check_hour(found, hour, now)
    put(found.slot, found.slot.matchday.stage.competition, found.slot.table, hour)
    proposal.agreed_at = now
    proposal.save(update_fields=["agreed_at"])
    hours_proposed.send(HourProposal, proposal=proposal, entrant=found.other)
    return proposal


@transaction.atomic
def take_back_proposal(match_id: int, proposal_id: int, *, user: User, now: datetime | None = None) -> None:
    """Take back the open proposal of one's own side.

    Raises Match.DoesNotExist; NotAllowed `sign-in`, `not-your-match`; Refused `hours-closed`, `changed-meanwhile`.
    """
    found = _locked(match_id, user, now or timezone.now())
    if not found.is_own or found.proposal is None or found.proposal.pk != proposal_id:
        raise _changed()
    found.proposal.delete()


def _locked(match_id: int, user: User, now: datetime) -> MatchHours:
    """Lock competition and match, and return the hours for the side of the user."""
    match = Match.objects.get(pk=match_id)
    one = permissions.actor(user, match)
    if not one.sees:
        raise Match.DoesNotExist
    if refusal := permissions.why_not_agree_hour(one):
        raise refusal
    competition = Competition.objects.filter(stages__matchdays__slots__match=match_id).first()
    if competition is not None:
        locked(competition.pk)
    locked_match(match_id)
    found = match_hours(match_id, one.side or 0, now)
    if found is None:
        raise Refused("hours-closed", _("The players can’t change the time of this match now."))
    return found


def _changed() -> Refused:
    return Refused(
        "changed-meanwhile", _("The proposal has changed meanwhile. See what the page of the match says now.")
    )


def _check_hour(found: MatchHours, hour: datetime, now: datetime) -> None:
    if hour <= now:
        raise Refused("hour-past", _("That time has passed. Choose a later one."))
    if found.latest is not None and hour >= found.latest:
        raise Refused("hour-too-late", _("The round is over by then. Choose an earlier time."))
    if hour > now + FURTHEST:
        raise Refused("hour-too-late", _("That is more than a year away. Choose an earlier time."))
    try:
        refuse_if_booked(found.slot, found.slot.matchday.stage.competition, found.slot.table, hour)
    except Refused as refused:  # it may name a match of a draft
        raise Refused(refused.code, _("The table or a player has another match at that time.")) from None

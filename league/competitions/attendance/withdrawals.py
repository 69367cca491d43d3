"""Withdrawals: the matches that were not played are forfeits (RULES.md 10).

A forfeited game counts target to nothing.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Exists, Max, OuterRef, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.accounts.models import User
from league.accounts.permissions import Act, check_may
from league.competitions.attendance.table_absences import come_back, leave_tables
from league.competitions.draw.forfeits import OPEN, forfeit_match, forfeit_scheduled, left_sides
from league.competitions.draw.publishing import drafts_from_results
from league.competitions.draw.schedule.calling import dispatch
from league.competitions.entrants import (
    how_many,
    refuse_if_gone,
    refuse_if_ladder_closed,
    registration_of,
    rounds_to_pair,
    standing_withdrawals,
)
from league.competitions.formats.registry import TABLE_FORMATS
from league.competitions.locks import locked, refuse_if_season_closed
from league.competitions.models import Competition, Matchday, Slot, Stage, StageEntry, Withdrawal
from league.competitions.registration.entries import unregister
from league.errors import Refused
from league.matches.models import Match, Record
from league.matches.permissions import sides_of
from league.matches.results import entering
from league.players.models import Entrant

if TYPE_CHECKING:
    from typing import TypedDict

    from django_stubs_ext import WithAnnotations

    class Own(TypedDict):
        own: bool


log = logging.getLogger(__name__)

LONGEST_REASON = 200


@transaction.atomic
def withdraw(competition: Competition, entrant: Entrant, *, user: User, reason: str) -> Withdrawal | None:
    """Withdraw an entrant from a draft (returns None) or from a published competition.

    Results are kept; unplayed matches are ruled forfeits, and so are later matches of a knock-out and matches of
    unpublished rounds, as soon as these exist or are published. At tables of more than two the others play on. Matches
    in which `user` plays wait for another official.

    Raises NotAllowed, and Refused `not-registered`, `season-closed`, `ladder-closed`, `no-reason`, `long-reason`,
    `withdrawn-already`; in a draft those of `unregister`.
    """
    competition = locked(competition.pk)
    check_may(user, Act.MANAGE_COMPETITIONS, competition.league)
    registration_of(competition, entrant)
    refuse_if_season_closed(competition)
    refuse_if_ladder_closed(competition)
    if competition.published_at is None:
        unregister(competition, entrant, user=user)
        return None
    refuse_if_gone(competition, entrant)
    reason = checked(reason)
    done = Withdrawal.objects.create(
        competition=competition, entrant=entrant, reason=reason, made_at=timezone.now(), made_by=user
    )
    leave_tables(competition, entrant, at=done.made_at)
    forfeit_scheduled(competition, _open_slots(competition, entrant))
    dispatch(competition)
    done.refresh_from_db(fields=["forfeits"])
    return done


def _open_slots(competition: Competition, entrant: Entrant) -> QuerySet[Slot]:
    return Slot.objects.filter(match__in=open_matches(competition, entrant))


@transaction.atomic
def undo_withdrawal(done: Withdrawal, *, user: User) -> bool:
    """Undo a withdrawal, and withdraw its forfeits. True if this call did it.

    After ten minutes the forfeits stay: the entrant plays from the next round on, if there is one to come. Before, an
    official who ruled one of the forfeits may undo it as well.

    Raises NotAllowed, and Refused `too-late` as `WayBack.reason_against`; `season-closed`, `ladder-closed`;
    `not-yours` if another official ruled on a match of `user`; `confirmed-already`, `next-begun` if later play depends
    on a forfeit or the next stage was published without the entrant; `seat-taken`.
    """
    competition = locked(done.competition_id)
    done = Withdrawal.objects.get(pk=done.pk)
    now = timezone.now()
    late = now - done.made_at > entering.UNDO
    has_ruled = not late and forfeits_of([done], user).filter(submitted_by=user.pk).exists()
    # SEE_NEEDS: an act of all officials.
    check_may(user, Act.SEE_NEEDS if has_ruled else Act.MANAGE_COMPETITIONS, competition.league)
    if done.undone_at is not None:
        return False
    refuse_if_season_closed(competition)
    refuse_if_ladder_closed(competition)
    refusal = way_back(competition).reason_against(done) if late else _reason_against_now(done, user)
    if refusal:
        raise refusal
    done.undone_at, done.undone_by = now, user
    done.save(update_fields=["undone_at", "undone_by"])
    come_back(competition, done.entrant, since=done.made_at)
    forfeited = Match.objects.filter(games__records__in=done.forfeits, on_hold=False)
    released = list(forfeited.values_list("pk", flat=True))
    for key in [] if late else sorted(done.forfeits, reverse=True):
        # A forfeit that rests on another one goes with it.
        record = Record.objects.filter(pk=key, withdrawn_at=None).select_related("game__match").first()
        if record is not None:
            entering.undo_entry(record, user, at=now, opens=True)
    # These are played, not typed again.
    Match.objects.filter(pk__in=released).update(on_hold=False)
    # Opponents who have left forfeit.
    forfeit_scheduled(competition, _open_slots(competition, done.entrant))
    dispatch(competition)
    return True


def forfeits_of(rows: Sequence[Withdrawal], user: User) -> "QuerySet[WithAnnotations[Record, Own]]":
    """Select the standing forfeits of withdrawals; `own`: those in matches in which `user` plays."""
    records = Record.objects.filter(pk__in=[key for row in rows for key in row.forfeits], withdrawn_at=None)
    return records.annotate(own=Exists(sides_of(user).filter(match=OuterRef("game__match"))))


def _reason_against_now(done: Withdrawal, user: User) -> Refused | None:
    """Give the reason against the undo of a withdrawal in its first ten minutes, or None."""
    if drawn_without([done]):
        return next_stage_begun(done)
    ruled = forfeits_of([done], user).filter(own=True).select_related("submitted_by").order_by("pk").first()
    return not_yours(ruled) if ruled else None


def drawn_without(rows: Sequence[Withdrawal]) -> set[int]:
    """Return the keys of those withdrawals after which the next stage was published without the entrant.

    One statement.
    """
    entries = StageEntry.objects.filter(stage=OuterRef("stage"), entrant=OuterRef(OuterRef("entrant")))
    days = Matchday.objects.filter(~Exists(entries), stage__competition=OuterRef("competition"), stage__number__gt=1)
    later = days.filter(published_at__gt=OuterRef("made_at"))
    found = Withdrawal.objects.filter(Exists(later), pk__in=[row.pk for row in rows])
    return set(found.values_list("pk", flat=True))


def next_stage_begun(done: Withdrawal) -> Refused:
    return Refused(
        "next-begun",
        _("The next stage was drawn without %(entrant)s and is published, so the withdrawal stays."),
        entrant=done.entrant,
    )


def not_yours(ruled: Record) -> Refused:
    return Refused(
        "not-yours",
        _("%(official)s has ruled on your own match. Only they or another organizer can take this back."),
        official=ruled.submitted_by,
    )


@dataclass(frozen=True, slots=True)
class WayBack:
    """Whether a withdrawal can be undone after ten minutes.

    `next_round`: there is a round to come for which nobody was paired, a table that has not begun, or an open ladder.
    `followed`: the last time at which something followed from withdrawals without forfeits.
    """

    next_round: bool
    followed: datetime | None

    def reason_against(self, done: Withdrawal) -> Refused | None:
        """Give the reason against the undo, or None: `too-late`."""
        if self.next_round or not (done.forfeits or (self.followed and self.followed > done.made_at)):
            return None
        reason = (
            _("%(entrant)s left more than %(minutes)d minutes ago: the forfeits stay, and no round is left to pair.")
            if done.forfeits
            else _("%(entrant)s left more than %(minutes)d minutes ago, and play has gone on without them.")
        )
        return Refused("too-late", reason, entrant=done.entrant, minutes=entering.UNDO.seconds // 60)


def way_back(competition: Competition) -> WayBack:
    """Read what decides about the undo of old withdrawals. Four statements at most."""
    stage = competition.stages.filter(finished_at=None).order_by("number").first()
    days = Matchday.objects.filter(stage__competition=competition)
    times = [days.aggregate(at=Max("published_at"))["at"]]
    if competition.imported_at is not None:
        times.append(timezone.now())  # forfeits of an import are not known as such
    return WayBack(
        next_round=stage is not None and (stage.is_ladder or stage.is_at_tables or _is_paired_on(stage)),
        followed=max((at for at in times if at), default=None),
    )


def _is_paired_on(stage: Stage) -> bool:
    shown = stage.matchdays.exclude(published_at=None).count() if stage.is_paired_by_round else 0
    return stage.is_paired_by_round and shown < rounds_to_pair(stage, how_many(stage))


@transaction.atomic
def forfeit_left(match: Match, *, user: User) -> Sequence[int]:
    """Forfeit a match of a withdrawn entrant, as an official who does not play in it.

    Returns the keys of the records, which an undo of the withdrawal takes back; none if the match waits for no forfeit.
    Raises NotAllowed, and those of `entering.rule`.
    """
    competition = locked(match.slot.matchday.stage.competition_id)
    left = list(left_sides().filter(match=match))
    if len(left) != 1:
        return []
    done = standing_withdrawals(competition).get(entrant=left[0].entrant_id)
    records = forfeit_match(match, done.entrant_id, user=user, reason=done.reason)
    done.forfeits = [*done.forfeits, *records]
    done.save(update_fields=["forfeits"])
    return records


def refuse_to_open(match_id: int) -> None:
    """Refuse to reopen a match with one withdrawn side (signal `entry_withdrawn`).

    Runs after an entry was taken back, in its transaction: the match would be open without an opponent. Raises Refused
    `withdrawn-already`.
    """
    slots = Slot.objects.filter(match=match_id, match__state__in=OPEN)
    slot = slots.exclude(matchday__stage__format__in=TABLE_FORMATS).select_related("matchday__stage").first()
    if slot is None:
        return
    left = Withdrawal.objects.filter(competition=slot.matchday.stage.competition_id, undone_at=None)
    left = left.filter(entrant__berths__slot=slot).select_related(*(f"entrant__{one}" for one in ("player", "partner")))
    gone = list(left)
    # A match of two withdrawn sides waits for an official anyway.
    if len(gone) == 1:
        raise Refused(
            "withdrawn-already",
            _(
                "%(entrant)s has withdrawn since, so nobody would play this match. Enter or amend the right "
                "result instead."
            ),
            entrant=gone[0].entrant,
        )


def open_matches(competition: Competition, entrant: Entrant) -> QuerySet[Match]:
    """Published matches that are not played yet.

    A match whose result waits for confirmation counts as played.
    """
    return _open(competition, entrant).filter(published_at__isnull=False).order_by("slot__matchday__number", "pk")


def hidden_matches(competition: Competition, entrant: Entrant) -> QuerySet[Match]:
    """Open matches of unpublished rounds, without drafts from results, which are drawn again without the entrant.

    A result in one of them would reveal the pairing, and would count only in the officials' standings.
    """
    drafts = drafts_from_results(competition).values("stage")
    return _open(competition, entrant).filter(published_at=None).exclude(slot__matchday__stage__in=drafts)


def _open(competition: Competition, entrant: Entrant) -> QuerySet[Match]:
    matches = Match.objects.filter(slot__matchday__stage__competition=competition, sides__entrant=entrant)
    return matches.filter(state__in=OPEN).exclude(slot__matchday__stage__format__in=TABLE_FORMATS)


def checked(reason: str) -> str:
    """Return the reason without extra spaces.

    Raises Refused `no-reason`, `long-reason`.
    """
    plain = " ".join(reason.split())
    if not plain:
        raise Refused("no-reason", _("Say in a few words why: it is shown beside the forfeits."))
    if len(plain) > LONGEST_REASON:
        raise Refused("long-reason", _("A reason has at most %(longest)d characters."), longest=LONGEST_REASON)
    return plain

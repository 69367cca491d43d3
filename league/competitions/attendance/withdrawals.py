"""Who goes home, and who does not come: what they do not play is forfeited (RULES.md 10), target to nothing a game."""

import logging
from collections.abc import Sequence
from datetime import timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.formats import time_format
from django.utils.translation import gettext_lazy as _

from league.accounts.models import User
from league.accounts.permissions import Act, check_may
from league.competitions.attendance.table_absences import at_tables, come_back, leave_table, leave_tables
from league.competitions.draw.forfeits import OPEN, forfeit_match, forfeit_open, forfeit_scheduled
from league.competitions.entrants import refuse_if_ladder_closed, registration_of, standing_withdrawals
from league.competitions.locks import locked, refuse_if_season_closed
from league.competitions.models import Berth, Competition, Slot, Stage, Withdrawal
from league.competitions.registration.entries import unregister
from league.competitions.typed_confirmation import refuse_unless_typed
from league.errors import Refused
from league.matches.models import Match, Record
from league.matches.results import entering
from league.players.models import Entrant

log = logging.getLogger(__name__)

LONGEST_REASON = 200


@transaction.atomic
def withdraw(
    competition: Competition, entrant: Entrant, *, user: User, reason: str, typed: str | None = None
) -> Withdrawal | None:
    """Take an entrant out of a draft (None), or out of a published competition: results stand, what is not played is
    ruled a forfeit, and so are the matches that a knock-out would still bring, and those of rounds that are not shown
    yet as soon as they are; at tables of more than two the others play on. Matches in which `user` plays wait for
    another official. `typed`: the word that is asked for (`word_to_withdraw`), None where a program acts.

    Raises NotAllowed, and Refused `not-registered`, `season-closed`, `ladder-closed`, `no-reason`, `long-reason`,
    `withdrawn-already`, `type-it`; in a draft those of `unregister`.
    """
    competition = locked(competition.pk)
    check_may(user, Act.MANAGE_COMPETITIONS, competition.league)
    registration_of(competition, entrant)
    refuse_if_season_closed(competition)
    refuse_if_ladder_closed(competition)
    if competition.published_at is None:
        unregister(competition, entrant, user=user)
        return None
    _refuse_if_gone(competition, entrant)
    reason = checked(reason)
    refuse_unless_typed(word_to_withdraw(competition, entrant), typed)
    done = Withdrawal.objects.create(
        competition=competition, entrant=entrant, reason=reason, made_at=timezone.now(), made_by=user
    )
    leave_tables(competition, entrant, at=done.made_at)
    forfeit_open(done, open_matches(competition, entrant))
    return done


def word_to_withdraw(competition: Competition, entrant: Entrant) -> str:
    """The name of who leaves, where matches are forfeited or a table is left by it. Three statements at most."""
    if competition.published_at is None:
        return ""
    seats = at_tables(competition, entrant).filter(absent_since=None, slot__match__state=Match.State.SCHEDULED)
    lost = open_matches(competition, entrant).exists() or hidden_matches(competition, entrant).exists()
    return entrant.full_name if lost or seats.exists() else ""


def _refuse_if_gone(competition: Competition, entrant: Entrant) -> None:
    if standing_withdrawals(competition).filter(entrant=entrant).exists():
        raise Refused("withdrawn-already", _("%(entrant)s has left already."), entrant=entrant)


@transaction.atomic
def undo_withdrawal(done: Withdrawal, *, user: User) -> bool:
    """The entrant is back, and the forfeits count for nothing. True if this call did it.

    Raises NotAllowed, and Refused `too-late` after ten minutes; `season-closed`, `ladder-closed`; `confirmed-already`,
    `next-begun` where something was built on a forfeit.
    """
    competition = locked(done.competition_id)
    check_may(user, Act.MANAGE_COMPETITIONS, competition.league)
    done = Withdrawal.objects.get(pk=done.pk)
    if done.undone_at is not None:
        return False
    refuse_if_season_closed(competition)
    refuse_if_ladder_closed(competition)
    now = timezone.now()
    if now - done.made_at > entering.UNDO:
        raise Refused(
            "too-late",
            _("This was more than %(minutes)d minutes ago, and cannot be taken back any more."),
            minutes=entering.UNDO.seconds // 60,
        )
    done.undone_at, done.undone_by = now, user
    done.save(update_fields=["undone_at", "undone_by"])
    come_back(competition, done.entrant, since=done.made_at)
    records = Record.objects.filter(pk__in=done.forfeits, withdrawn_at=None).select_related("game__match")
    for record in records.order_by("-pk"):
        entering.undo_entry(record, user, at=now, opens=True)
    untouched = Match.objects.filter(games__records__in=done.forfeits, state=Match.State.PLAYING)
    untouched = untouched.exclude(games__results__current=True).exclude(games__clock_events__isnull=False)
    Match.objects.filter(pk__in=list(untouched.values_list("pk", flat=True))).update(state=Match.State.SCHEDULED)
    # Where the other one has left since, it is that one who forfeits.
    forfeit_scheduled(competition, Slot.objects.filter(match__games__records__in=done.forfeits).distinct())
    return True


def refuse_to_open(match_id: int) -> None:
    """After an entry was taken back (`entry_withdrawn`), in its transaction: where one of the two has left since,
    the match would be open with nobody there to play it. Raises Refused `withdrawn-already`.
    """
    slot = Slot.objects.filter(match=match_id, match__state__in=OPEN)
    slot = slot.exclude(matchday__stage__format=Stage.Format.TABLE_ROUNDS).select_related("matchday__stage").first()
    if slot is None:
        return
    left = Withdrawal.objects.filter(competition=slot.matchday.stage.competition_id, undone_at=None)
    left = left.filter(entrant__berths__slot=slot).select_related(*(f"entrant__{one}" for one in ("player", "partner")))
    gone = list(left)
    # A match of two who have both left waits for an official anyway.
    if len(gone) == 1:
        raise Refused(
            "withdrawn-already",
            _("%(entrant)s has left since, and nobody would play this match. Enter or amend what is right instead."),
            entrant=gone[0].entrant,
        )


def open_matches(competition: Competition, entrant: Entrant) -> QuerySet[Match]:
    """Shown to everybody and not played yet: those with a result that waits for its confirmation are."""
    return _open(competition, entrant).filter(published_at__isnull=False).order_by("slot__matchday__number", "pk")


def hidden_matches(competition: Competition, entrant: Entrant) -> QuerySet[Match]:
    """Of rounds that are not shown yet. A result in one of them would tell whom they pair, and would stand in nobody's
    table but the officials'.
    """
    return _open(competition, entrant).filter(published_at=None)


def _open(competition: Competition, entrant: Entrant) -> QuerySet[Match]:
    matches = Match.objects.filter(slot__matchday__stage__competition=competition, sides__entrant=entrant)
    return matches.filter(state__in=OPEN).exclude(slot__matchday__stage__format=Stage.Format.TABLE_ROUNDS)


# --- Who is not at the table ---


@transaction.atomic
def wait_for(slot: Slot, entrant: Entrant, *, user: User, waiting: bool = True) -> bool:
    """Start the countdown to a forfeit, or stop it, for the side is there; at a table of more than two it sits down
    again. True if this call did it. Raises NotAllowed, and Refused `begun-already`, `next-begun`, `withdrawn-already`.
    """
    competition, berth = _berth(slot, entrant, user)
    if not waiting and berth.absent_since is not None:
        _refuse_if_gone(competition, entrant)
        leave_table(competition, berth, at=None)
        return True
    if waiting and (berth.slot.match is None or berth.slot.match.state != Match.State.SCHEDULED):
        raise Refused("begun-already", _("This match has begun: nobody is awaited any more."))
    if waiting == (berth.awaited_since is not None):
        return False
    berth.awaited_since = timezone.now() if waiting else None
    berth.save(update_fields=["awaited_since"])
    return True


@transaction.atomic
def forfeit_absent(slot: Slot, entrant: Entrant, *, user: User) -> Sequence[int]:
    """The side that was awaited did not come in time and loses the match; at a table of more than two the others play
    without it. Keys of the records.

    Raises NotAllowed, and Refused `not-awaited`, `still-waiting`, `begun-already`.
    """
    competition, berth = _berth(slot, entrant, user)
    if berth.awaited_since is None:
        raise Refused("not-awaited", _("Nobody waits for %(entrant)s. Start the countdown first."), entrant=entrant)
    until = berth.awaited_since + timedelta(minutes=competition.forfeit_after_min)
    if timezone.now() < until:
        raise Refused(
            "still-waiting",
            _("%(entrant)s has time until %(until)s."),
            entrant=entrant,
            until=time_format(timezone.localtime(until), "H:i"),
        )
    match = berth.slot.match
    if match is None or match.state != Match.State.SCHEDULED:
        raise Refused("begun-already", _("This match has begun: nobody is awaited any more."))
    if berth.slot.matchday.stage.is_at_tables:
        leave_table(competition, berth, at=timezone.now())
        return []
    told = _("Not at the table after %(minutes)d minutes") % {"minutes": competition.forfeit_after_min}
    return forfeit_match(match, entrant.pk, user=user, reason=str(told))


def _berth(slot: Slot, entrant: Entrant, user: User) -> tuple[Competition, Berth]:
    """Raises NotAllowed, and Refused `not-in-match`."""
    competition = locked(Slot.objects.values_list("matchday__stage__competition", flat=True).get(pk=slot.pk))
    check_may(user, Act.RUN_DESK, competition.league)
    rows = Berth.objects.filter(slot=slot, entrant=entrant)
    berth = rows.select_related("slot__match", "slot__matchday__stage").first()
    if berth is None:
        raise Refused("not-in-match", _("%(entrant)s does not play in this match."), entrant=entrant)
    return competition, berth


def checked(reason: str) -> str:
    """Raises Refused `no-reason`, `long-reason`."""
    plain = " ".join(reason.split())
    if not plain:
        raise Refused("no-reason", _("Say in a few words why: it is shown beside the forfeits."))
    if len(plain) > LONGEST_REASON:
        raise Refused("long-reason", _("A reason has at most %(longest)d characters."), longest=LONGEST_REASON)
    return plain

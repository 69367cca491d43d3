"""Undo of a late entry, while its matches have not begun."""

from collections.abc import Iterable

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from league.accounts.models import User
from league.accounts.permissions import Act, check_may
from league.competitions.attendance.table_absences import get_up
from league.competitions.draw.publishing import named
from league.competitions.draw.row_changes import restore
from league.competitions.entrants import refuse_if_ladder_closed, standing_withdrawals
from league.competitions.locks import begun, locked, refuse_if_season_closed
from league.competitions.models import Berth, Challenge, Competition, Registration, Slot, Withdrawal
from league.competitions.registration.admission import wait_again
from league.errors import Refused
from league.matches.models import Match, Record
from league.players.models import PEOPLE


def last_late_entry(competition: Competition) -> Registration | None:
    """Return the latest late entry of the published draw. One statement."""
    late = competition.registrations.filter(late_changes__isnull=False).defer("late_changes")
    return late.select_related(*PEOPLE).order_by("-seed").first()


def undoable_entry(competition: Competition) -> Registration | None:
    """Return the late entry that can be taken back now. Nine statements at most."""
    row = last_late_entry(competition)
    return None if row is None or reason_against(row) else row


def reason_against(row: Registration) -> Refused | None:
    """Give the reason against the undo of a late entry, or None.

    `not-late`, `later-entry`, `has-begun`, `paired-since`, `withdrawn-already`.
    """
    competition, entrant = row.competition, row.entrant
    if row.late_changes is None:
        return Refused("not-late", _("%(entrant)s was drawn with the others. Withdraw them instead."), entrant=entrant)
    last = last_late_entry(competition)
    if last is not None and last.pk != row.pk:
        return Refused("later-entry", _("%(other)s came later. Take that entry back first."), other=last.entrant)
    if standing_withdrawals(competition).filter(entrant=entrant).exists():
        return Refused("withdrawn-already", _("%(entrant)s has left already."), entrant=entrant)
    made = row.late_changes["made"]["competitions.berth"]
    berths = Berth.objects.filter(slot__matchday__stage__competition=competition, entrant=entrant)
    slots = Slot.objects.filter(berths__in=berths, match__isnull=False).select_related("matchday")
    touched = begun(slots.exclude(match__in=_forfeited(row)).values_list("match", flat=True))
    if played := list(slots.filter(match__in=touched)):
        return Refused("entry-begun", _("This has begun: %(matches)s. Withdraw them instead."), matches=named(played))
    if later := berths.exclude(pk__in=made).select_related("slot__matchday").first():
        return Refused(
            "paired-since",
            _("%(entrant)s has been paired in %(matchday)s by now. Withdraw them instead."),
            entrant=entrant,
            matchday=later.slot.matchday,
        )
    if Challenge.objects.filter(Q(challenger=entrant) | Q(challenged=entrant), stage__competition=competition).exists():
        return Refused("paired-since", _("%(entrant)s has a challenge. Withdraw them instead."), entrant=entrant)
    return None


def _forfeited(row: Registration) -> set[int]:
    """Keys of the matches whose only records are the forfeits of the entry itself."""
    own = (row.late_changes or {}).get("missed", [])
    matches = set(Record.objects.filter(pk__in=own).values_list("game__match", flat=True))
    others = Record.objects.filter(game__match__in=matches).exclude(pk__in=own)
    return matches - set(others.values_list("game__match", flat=True))


@transaction.atomic
def undo_late_entry(row: Registration, *, user: User) -> bool:
    """Take a late entry back: the draw is as it was, and its player stays in the league.

    True if this call did it. Its sign-up waits again. Results of others that came meanwhile stay. Raises NotAllowed;
    Refused as `reason_against`, `season-closed`, `ladder-closed`.
    """
    competition = locked(row.competition_id)
    check_may(user, Act.MANAGE_COMPETITIONS, competition.league)
    found = competition.registrations.filter(pk=row.pk).select_related("competition", *PEOPLE).first()
    if found is None:
        return False
    refuse_if_season_closed(competition)
    refuse_if_ladder_closed(competition)
    # Entries, clocks and pads lock the match first: nothing begins between the question and the answer.
    mine = Match.objects.filter(slot__berths__entrant=found.entrant, slot__matchday__stage__competition=competition)
    list(Match.objects.select_for_update().filter(pk__in=mine.values("pk")).order_by("pk"))
    if refusal := reason_against(found):
        raise refusal
    stage = competition.stages.get(number=1)
    kept = found.late_changes or {}
    if stage.is_at_tables:
        _leave_seats(competition, kept["made"]["competitions.berth"])
    else:
        restore(competition, stage, kept)
    wait_again(kept.get("answered", []))
    Withdrawal.objects.filter(competition=competition, entrant=found.entrant).delete()  # undone, without forfeits
    found.delete()
    return True


def _leave_seats(competition: Competition, berths: Iterable[int]) -> None:
    for berth in Berth.objects.filter(pk__in=list(berths)).select_related("slot__matchday__stage"):
        get_up(competition, berth)

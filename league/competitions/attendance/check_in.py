"""Check-in by the desk or by the players, and the draw without absent entrants."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.accounts.models import User
from league.accounts.permissions import Act, check_may
from league.competitions.draw.stages import draw
from league.competitions.entrants import registration_of
from league.competitions.locks import locked
from league.competitions.models import Competition, Registration, Stage
from league.competitions.registration.entries import unregister_all
from league.errors import NotAllowed, Refused
from league.matches.models import Side
from league.players.models import Entrant

A_DAY = timedelta(days=1)


@transaction.atomic
def check_in(competition: Competition, entrant: Entrant, *, user: User) -> bool:
    """Check an entrant in at the desk.

    True if this call did it; a second call keeps the first time. Raises NotAllowed, and Refused `not-registered`.
    """
    competition = locked(competition.pk)
    check_may(user, Act.RUN_DESK, competition.league)
    return _check_in(competition, entrant, user)


@transaction.atomic
def check_oneself_in(competition: Competition, entrant: Entrant) -> bool:
    """Check an entrant in through its personal link.

    Raises NotAllowed `check-in-closed`, and Refused `not-registered`.
    """
    competition = locked(competition.pk)
    if not competition.check_in_open:
        raise NotAllowed("check-in-closed", _("Check in at the desk: players cannot do it by themselves here."))
    return _check_in(competition, entrant, None)


@transaction.atomic
def check_out(competition: Competition, entrant: Entrant, *, user: User) -> bool:
    """Undo a check-in.

    True if this call did it. Raises NotAllowed, and Refused `not-registered`.
    """
    competition = locked(competition.pk)
    check_may(user, Act.RUN_DESK, competition.league)
    row = registration_of(competition, entrant)
    row.checked_in_by = None
    was_in, row.checked_in_at = row.checked_in_at is not None, None
    row.save(update_fields=["checked_in_at", "checked_in_by"])
    return was_in


def _check_in(competition: Competition, entrant: Entrant, user: User | None) -> bool:
    row = registration_of(competition, entrant)
    if row.checked_in_at is not None:
        return False
    row.checked_in_at, row.checked_in_by = timezone.now(), user
    row.save(update_fields=["checked_in_at", "checked_in_by"])
    return True


@transaction.atomic
def open_check_in(competition: Competition, *, user: User, to_players: bool) -> None:
    """Allow or forbid that players check themselves in. Raises NotAllowed."""
    competition = locked(competition.pk)
    check_may(user, Act.MANAGE_COMPETITIONS, competition.league)
    competition.check_in_open = to_players
    competition.save(update_fields=["check_in_open"])


@transaction.atomic
def draw_with_present(competition: Competition, *, user: User, absent: Iterable[int]) -> Stage:
    """Remove the absent entrants from a draft, and draw it.

    `absent`: the entrants that the organizer saw listed as absent. Raises Refused `others-absent` if the list has
    changed since, `nobody-here`; and the errors of `unregister_all` and `draw`.
    """
    competition = locked(competition.pk)
    away = list(competition.registrations.filter(checked_in_at=None).select_related("entrant").order_by("seed"))
    if {one.entrant_id for one in away} != set(absent):
        raise Refused("others-absent", _("Somebody came or went meanwhile. Look at the list again, then draw."))
    if len(away) == competition.registrations.count():
        raise Refused("nobody-here", _("Nobody is checked in yet. Check in the players who are here, then draw."))
    unregister_all(competition, [one.entrant for one in away], user=user)
    return draw(competition, user=user)


def both_here(match_id: int, now: datetime) -> bool:
    """Tell whether all sides of a match checked in within a day (signal `check_in_asked`).

    Older check-ins do not count, because each week of a season has its own evening. Two statements.
    """
    entrants = list(Side.objects.filter(match=match_id).values_list("entrant", flat=True))
    here = Registration.objects.filter(
        competition__stages__matchdays__slots__match=match_id, entrant__in=entrants, checked_in_at__gt=now - A_DAY
    )
    return bool(entrants) and here.values("entrant").distinct().count() == len(entrants)

"""Entrants of a competition and its stages, and withdrawals."""

from math import ceil, log2
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext_lazy as _

from league.competitions.formats.registry import LADDERS, TABLE_FORMATS
from league.competitions.models import Berth, Competition, Registration, Slot, Stage, Withdrawal
from league.errors import Refused
from league.players.models import PEOPLE, Entrant


def registration_of(competition: Competition, entrant: Entrant) -> Registration:
    """Return the registration. Raises Refused `not-registered`."""
    row = competition.registrations.filter(entrant=entrant).first()
    if row is None:
        raise Refused(
            "not-registered",
            _("%(entrant)s is not registered for %(competition)s."),
            entrant=entrant,
            competition=competition,
        )
    return row


def standing_withdrawals(competition: Competition) -> QuerySet[Withdrawal]:
    return Withdrawal.objects.filter(competition=competition, undone_at=None)


def slots_of_withdrawn() -> QuerySet[Slot]:
    """Return slots between two of which one has withdrawn; nobody plays them."""
    left = Withdrawal.objects.filter(
        competition=OuterRef("slot__matchday__stage__competition"), entrant=OuterRef("entrant"), undone_at=None
    )
    berths = Berth.objects.filter(Exists(left), slot=OuterRef("pk"))
    return Slot.objects.filter(Exists(berths)).exclude(matchday__stage__format__in=TABLE_FORMATS)


def rounds_to_pair(stage: Stage, entrants: int) -> int:
    """Number of rounds of a Swiss system, as planned."""
    return planned_rounds(stage.rounds, entrants)


def planned_rounds(decided: int, entrants: int) -> int:
    """Number of rounds: as decided, else as many as determine one winner.

    Never more than there are opponents.
    """
    most = entrants - 1 + entrants % 2
    return max(1, min(decided or ceil(log2(max(entrants, 2))), most))


def seeded(stage: Stage) -> list[Entrant]:
    """Entrants of a stage in seed order.

    The registered entrants in the first stage, else the qualifiers.
    """
    return [one.entrant for one in _seeds(stage).select_related(*PEOPLE).order_by("seed")]


def how_many(stage: Stage) -> int:
    """Number of entrants of a stage."""
    return _seeds(stage).count()


def _seeds(stage: Stage) -> QuerySet[Any]:
    return stage.competition.registrations.all() if stage.number == 1 else stage.entries.all()


def refuse_if_gone(competition: Competition, entrant: Entrant) -> None:
    """Raise Refused `withdrawn-already`."""
    if standing_withdrawals(competition).filter(entrant=entrant).exists():
        raise Refused("withdrawn-already", _("%(entrant)s has left already."), entrant=entrant)


def refuse_if_ladder_closed(competition: Competition) -> None:
    """Raise Refused `ladder-closed`."""
    closed = Stage.objects.filter(competition=competition, format__in=LADDERS, finished_at__isnull=False)
    if closed.exists():
        raise Refused(
            "ladder-closed",
            _("%(competition)s is closed; its places are final. An organizer can reopen it."),
            competition=competition,
        )

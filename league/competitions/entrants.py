"""Who takes part in a competition and its stages, and who has left it."""

from math import ceil, log2
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from league.competitions.models import Competition, Registration, Stage, Withdrawal
from league.errors import Refused
from league.players.models import PEOPLE, Entrant


def registration_of(competition: Competition, entrant: Entrant) -> Registration:
    """Raises Refused `not-registered`."""
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


def rounds_to_pair(stage: Stage, entrants: int) -> int:
    """Of a Swiss system, as it was planned."""
    return planned_rounds(stage.rounds, entrants)


def planned_rounds(decided: int, entrants: int) -> int:
    """As many as were decided, else as many as single out one winner; never more than there are opponents."""
    most = entrants - 1 + entrants % 2
    return max(1, min(decided or ceil(log2(max(entrants, 2))), most))


def seeded(stage: Stage) -> list[Entrant]:
    """Who plays in a stage, in the order of the seeds: the registered in the first one, else the qualifiers."""
    return [one.entrant for one in _seeds(stage).select_related(*PEOPLE).order_by("seed")]


def how_many(stage: Stage) -> int:
    """How many play in it."""
    return _seeds(stage).count()


def _seeds(stage: Stage) -> QuerySet[Any]:
    return stage.competition.registrations.all() if stage.number == 1 else stage.entries.all()


def refuse_if_ladder_closed(competition: Competition) -> None:
    """Raises Refused `ladder-closed`."""
    closed = Stage.objects.filter(competition=competition, format=Stage.Format.LADDER, finished_at__isnull=False)
    if closed.exists():
        raise Refused(
            "ladder-closed",
            _("%(competition)s is closed, and its places stand. An organizer can open it again."),
            competition=competition,
        )

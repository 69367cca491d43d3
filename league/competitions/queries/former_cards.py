"""Answers to printed codes that no longer open a match: where their entrants play now."""

from dataclasses import dataclass
from typing import Any

from league.competitions.models import Competition, FormerCard, Matchday, Slot
from league.matches.models import Match
from league.matches.queries.lines import MatchLine, match_lines
from league.players.models import PEOPLE
from league.players.shown import Who


@dataclass(frozen=True, slots=True)
class NewPlace:
    """An entrant of the card in the new draw: its round of the card, else its first.

    `line`: the new match; None for a bye, and for an entrant without a match, who may be `out` of the competition.
    """

    name: str
    round: Matchday | None
    line: MatchLine | None
    out: bool = False


@dataclass(frozen=True, slots=True)
class NewPlaces:
    """The answer to a former code; `places` is empty while the competition is reopened, and once it is cancelled."""

    competition: Competition
    places: list[NewPlace]


def new_places(**card: Any) -> NewPlaces | None:
    """Answer a former card, found by its `door` or its `match`; None if there is none.

    Ten statements at most.
    """
    found = FormerCard.objects.filter(**card).select_related("competition__league").first()
    if found is None:
        return None
    shown = found.competition.published_at is not None and found.competition.cancelled_at is None
    return NewPlaces(found.competition, _places(found) if shown else [])


def _places(card: FormerCard) -> list[NewPlace]:
    seats = list(card.seats.select_related(*PEOPLE).order_by("number"))
    slots = {seat.entrant_id: _slot(card, seat.entrant_id) for seat in seats}
    seen = Match.objects.filter(pk__in=[one.match_id for one in slots.values() if one and one.match_id])
    lines = {line.id: line for line in match_lines(seen)}
    here = set(card.competition.registrations.filter(entrant__in=slots).values_list("entrant", flat=True))
    return [
        NewPlace(
            Who(seat.entrant.players).name,
            slot.matchday if slot else None,
            lines.get(slot.match_id or 0) if slot else None,
            out=seat.entrant_id not in here,
        )
        for seat in seats
        for slot in [slots[seat.entrant_id]]
    ]


def _slot(card: FormerCard, entrant: int) -> Slot | None:
    shown = Slot.objects.filter(matchday__stage__competition=card.competition, matchday__published_at__isnull=False)
    slots = shown.filter(berths__entrant=entrant).select_related("matchday__stage").order_by("matchday__number")
    return min(slots, key=lambda slot: slot.matchday.place != card.round, default=None)

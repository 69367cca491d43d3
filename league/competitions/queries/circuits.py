"""Circuits and their rankings, each in a constant number of statements."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING

from django.db.models import Count, Exists, F, OuterRef, Prefetch, Q, QuerySet

from league.accounts.permissions import Asker
from league.competitions.formats.circuit import CircuitRow, EveningPlace, circuit_ranking
from league.competitions.models import Circuit, CircuitPlace, Competition
from league.competitions.official_results import finished
from league.competitions.visibility import visible_competitions
from league.players.naming import fold
from league.players.shown import Who, who, who_values

if TYPE_CHECKING:
    from typing import TypedDict

    from django_stubs_ext import WithAnnotations

    class EveningFacts(TypedDict):
        """`over`: the competition is finished and its places are copied."""

        over: bool

    Evening = WithAnnotations[Competition, EveningFacts]


@dataclass(frozen=True, slots=True)
class CircuitLine:
    """A row of the ranking with the names of its entrant."""

    row: CircuitRow
    entrant: Who


@dataclass(frozen=True)
class CircuitPage:
    """A circuit with its visible evenings in order, of which those with `over` count."""

    circuit: Circuit
    evenings: "list[Evening]"
    lines: list[CircuitLine]

    @cached_property
    def counting(self) -> "list[Evening]":
        """The evenings by which the scores of a row are numbered."""
        return [one for one in self.evenings if one.over]

    @property
    def numbered(self) -> "list[tuple[int | None, Evening]]":
        """All evenings, those that count with their numbers in the ranking, from 1."""
        numbers = {one.pk: number for number, one in enumerate(self.counting, start=1)}
        return [(numbers.get(one.pk), one) for one in self.evenings]


def circuits(asker: Asker) -> QuerySet[Circuit]:
    """All circuits, the latest first, with `evening_count`: the evenings visible to the asker."""
    seen = visible_competitions(asker).select_related(None).values("pk")
    counted = Count("competitions", filter=Q(competitions__in=seen))
    return Circuit.objects.select_related("league").annotate(evening_count=counted).order_by("-pk")


def with_evenings(asker: Asker) -> QuerySet[Circuit]:
    """Circuits of all leagues, each with the evenings visible to the asker. Two statements."""
    return circuits(asker).prefetch_related(Prefetch("competitions", evenings(asker)))


def evenings(asker: Asker) -> "QuerySet[Evening]":
    """Visible competitions in the order of evenings, with `over`: finished, and its places are copied."""
    over = finished().filter(pk=OuterRef("pk"), honours_at__isnull=False)
    rows = visible_competitions(asker).annotate(over=Exists(over))
    return rows.order_by(F("starts_at").asc(nulls_last=True), "published_at", "pk")


def circuit_page(asker: Asker, league_slug: str, slug: str) -> CircuitPage:
    """Return a circuit with its ranking. Three statements. Raises Circuit.DoesNotExist."""
    circuit = Circuit.objects.select_related("league").get(league__slug=league_slug, slug=slug)
    found = list(evenings(asker).filter(circuits=circuit))
    places, names = _places([one.pk for one in found if one.over])
    ranking = circuit_ranking([places.get(one.pk, {}) for one in found if one.over], circuit.rule)
    lines = [CircuitLine(row, names[row.entrant]) for row in ranking]
    return CircuitPage(circuit, found, sorted(lines, key=lambda line: (line.row.rank, fold(line.entrant.name))))


def _places(competitions: list[int]) -> tuple[Mapping[int, Mapping[int, EveningPlace]], Mapping[int, Who]]:
    """Read the places by competition and entrant, and the entrants. One statement."""
    rows = CircuitPlace.objects.filter(registration__competition__in=competitions)
    columns = ("registration__competition", "registration__entrant", "first", "last")
    read = list(
        rows.order_by("registration__competition", "first", "pk").values_list(
            *columns, *who_values("registration__entrant")
        )
    )
    by_competition = {
        key: {entrant: EveningPlace(first, last) for _key, entrant, first, last, *_who in own}
        for key, own in groupby(read, key=lambda row: row[0])
    }
    return by_competition, {entrant: who(values) for _key, entrant, _first, _last, *values in read}

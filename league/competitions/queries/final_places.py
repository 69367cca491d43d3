"""Final places of all entrants of a competition, as far as they are certain.

A knock-out gives a place with the last loss, a ladder at any time, a table at the end of its stage. Behind a knock-out
follow the entrants who did not qualify for it, by their rank in the table or in their group. Official results decide.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from django.db.models import Q

from league.competitions.entrant_names import Placed, placed
from league.competitions.entrants import standing_withdrawals
from league.competitions.formats.final_places import (
    Band,
    FinalPlaces,
    PlayedSlot,
    bands_by_last_loss,
    bands_by_rank,
)
from league.competitions.ladders.services import places as ladder_places
from league.competitions.models import Berth, Competition, Matchday, Stage
from league.competitions.official_results import winners_and_losers
from league.competitions.queries.competition import CompetitionPage, group_tables
from league.competitions.queries.rounds import RoundPages
from league.competitions.standings.cache import KeptTables, kept_tables
from league.competitions.standings.table import GroupTable
from league.matches.models import Match

Ranks = Iterable[tuple[int, int]]

ON_PODIUM = 4


class RankedEntrant(NamedTuple):
    """An entrant, by key, with the places `first` to `last` that it shares with all of the same place."""

    first: int
    last: int
    entrant_id: int


class FinalPlace(NamedTuple):
    """The same with the entrant."""

    first: int
    last: int
    entrant: Placed

    @property
    def numbers(self) -> str:
        """`5`, or `5–8` if shared."""
        return str(self.first) if self.first == self.last else f"{self.first}–{self.last}"


@dataclass(frozen=True, slots=True)
class FirstPlaces:
    """The first places of a knock-out for its front page. `more`: the ranking page may have further places."""

    places: list[FinalPlace]
    more: bool

    @property
    def podium(self) -> list[FinalPlace]:
        """The four places of final and semi-finals, with or without a match for third place."""
        return [place for place in self.places if place.last <= ON_PODIUM]

    @property
    def further(self) -> list[FinalPlace]:
        return [place for place in self.places if place.last > ON_PODIUM]


def final_ranking(page: CompetitionPage, tables: Sequence[GroupTable] | None = None) -> list[FinalPlace]:
    """Give all final places of the page's competition, from the first.

    `tables`: its `group_tables`, if computed already. A constant number of statements; none for a table alone.
    """

    def ranks() -> Ranks:
        found = group_tables(page) if tables is None else tables
        return [(row.rank, row.entrant_id) for table in found for row in table.official if row.rank]

    if page.ladder:
        return [FinalPlace(rung.place, rung.place, rung.entrant) for rung in page.ladder.rungs]
    found = _ranked(page.competition, page.stages, ranks)
    return named(found, page.entrants)


def ranked_entrants(competition: Competition, stages: Sequence[Stage], days: list[Matchday]) -> list[RankedEntrant]:
    """Give the same by keys, for a page of the list. `days`: all rounds of a `seen_competition`.

    A constant number of statements; the tables come from the cache.
    """
    found = _ranked(competition, stages, lambda: _kept_ranks(kept_tables(competition, days)))
    seeds = dict(competition.registrations.values_list("entrant", "seed"))
    return sorted(found, key=lambda one: (one.first, seeds.get(one.entrant_id, 0)))


def first_places(found: RoundPages, most: int) -> FirstPlaces:
    """Give the first places of a competition that ends with a knock-out, `most` of them or a few more.

    Reads only the rounds that decide these. No statement in other formats, else a constant number.
    """
    if not found.stages or found.stages[-1].spec.final_places is not FinalPlaces.LAST_LOSS:
        return FirstPlaces([], more=False)
    stage = found.stages[-1]
    days = [day for day in found.days if day.stage_id == stage.pk]
    wanted, slots = 0, 0
    while wanted < len(days) and slots < most:
        wanted += 1
        slots += len(found.shape.days.get(days[-wanted].pk, ()))
    cut = wanted < len(days)
    of_knock_out = knock_out_rounds(found.competition, days[len(days) - wanted :])
    ranked = _ranked(
        found.competition, found.stages, lambda: _kept_ranks(found.tables), rounds=of_knock_out, whole=not cut
    )
    shown = [one for one in ranked if one.first <= most]
    keys = {one.entrant_id for one in shown}
    people = found.tables.registered.placed(keys) if found.tables else placed(found.competition, only=keys)
    return FirstPlaces(named(shown, people), more=bool(ranked) and (cut or len(shown) < len(ranked)))


def _kept_ranks(tables: KeptTables | None) -> Ranks:
    for group in (tables.draw.groups or [0]) if tables else ():
        table = tables.table(group=group)  # type: ignore[union-attr]  # no loop without tables
        everybody = range(len(table.listing(official_only=True).entrant_ids))
        yield from ((row.rank, row.entrant_id) for row in table.plain_rows(everybody, official_only=True) if row.rank)


def _ranked(
    competition: Competition,
    stages: Sequence[Stage],
    ranks: Callable[[], Ranks],
    *,
    rounds: list[list[PlayedSlot]] | None = None,
    whole: bool = True,
) -> list[RankedEntrant]:
    """Give the places of the last stage, and behind a knock-out those of the stage before.

    `rounds`: of the knock-out, if read already; `whole`: they are all of its rounds.
    """
    if not stages:
        return []
    stage = stages[-1]
    if stage.spec.final_places is FinalPlaces.LADDER:
        return [RankedEntrant(at, at, one) for at, one in enumerate(ladder_places(stage).order, start=1)]
    if stage.spec.final_places is FinalPlaces.TABLE:
        return list(_members(bands_by_rank(ranks()))) if stage.finished_at and len(stages) == 1 else []
    if rounds is None:
        rounds = knock_out_rounds(competition, list(Matchday.objects.filter(stage=stage).order_by("number")))
    bands = bands_by_last_loss(rounds)
    if whole and bands and len(stages) > 1 and stages[-2].finished_at:
        bands += _behind(competition, stages[-2:], bands[-1].last, ranks())
    return list(_members(bands))


def _behind(competition: Competition, stages: Sequence[Stage], after: int, ranks: Ranks) -> Iterator[Band]:
    """Yield the places of the entrants who did not qualify for the knock-out, the last of these two stages.

    Without those who left before the stage before it was over. None while it is a draft without results. Three
    statements at most.
    """
    before, stage = stages
    certain = Q(published_at__isnull=False) | Q(slots__match__state=Match.State.DECIDED)
    if not Matchday.objects.filter(certain, stage=stage).exists():
        return
    qualified = set(Berth.objects.filter(slot__matchday__stage=stage, from_slot=None).values_list("entrant", flat=True))
    left = standing_withdrawals(competition).filter(made_at__lte=before.finished_at)
    gone = set(left.values_list("entrant", flat=True))
    others = [(rank, one) for rank, one in ranks if one not in qualified and one not in gone]
    yield from bands_by_rank(others, after=after)


def knock_out_rounds(competition: Competition, days: Sequence[Matchday]) -> list[list[PlayedSlot]]:
    """Read rounds of a knock-out with the ends that the asker of `seen_competition` may see.

    One statement, and two more once a match is decided.
    """
    berths = Berth.objects.filter(slot__matchday__in=[day.pk for day in days], slot__not_needed=False)
    rows = berths.order_by("slot__matchday__number", "slot__number", "number").values_list(
        "slot__matchday",
        "slot",
        "slot__match",
        "slot__match__published_at",
        "slot__match__state",
        "from_slot",
        "takes",
        "entrant",
    )
    found = [(key, list(own)) for key, own in groupby(rows, key=lambda row: row[:5])]
    shown = [
        match
        for (_day, _slot, match, at, state), _own in found
        if state == Match.State.DECIDED and (competition.for_staff or at)
    ]
    ends = winners_and_losers(shown)
    by_day: dict[int, list[PlayedSlot]] = {}
    for (day, slot, match, _at, _state), own in found:
        if len(own) > 1:
            sources = tuple((row[5], row[6] == Berth.Takes.LOSER) for row in own if row[5])
            entrants = tuple(row[7] for row in own if row[7])
            winner, loser = ends.get(match, (None, None))
            by_day.setdefault(day, []).append(PlayedSlot(slot, sources, winner, loser, entrants))
    return list(by_day.values())


def _members(bands: Iterable[Band]) -> Iterator[RankedEntrant]:
    return (RankedEntrant(band.first, band.last, one) for band in bands for one in band.entrants)


def named(found: Iterable[RankedEntrant], people: Iterable[Placed]) -> list[FinalPlace]:
    """Name the entrants; those who share places in the order of seeds."""
    by_id = {one.entrant_id: one for one in people}
    places = [FinalPlace(one.first, one.last, by_id[one.entrant_id]) for one in found if one.entrant_id in by_id]
    return sorted(places, key=lambda place: (place.first, place.entrant.seed))

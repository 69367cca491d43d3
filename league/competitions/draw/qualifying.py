"""Who goes on from the table of one stage to the next one, when that is drawn and after results of it were amended."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from league.competitions.entrants import seeded
from league.competitions.formats.groups import GroupPlace, Qualifier, knockout_seeds, qualifiers
from league.competitions.models import Berth, Stage
from league.competitions.standings.compute import Row
from league.competitions.standings.stage_table import stage_tables
from league.matches.models import Amendment


def qualified(before: Stage, stage: Stage, *, drawn: Mapping[int, int] | None = None) -> Sequence[Qualifier]:
    """In the order of their seeds in `stage`. Whoever has left goes nowhere, and the next one takes the place.

    `drawn`: the seeds by entrant, where `stage` is drawn already: who left after that was there, and of those who are
    level in everything the one who was drawn is taken, whatever their names are by now.
    """
    drawn = drawn or {}
    seeds = {one.pk: seed for seed, one in enumerate(seeded(before), start=1)}
    order = before.competition.tie_breaks
    places = [
        GroupPlace(row.entrant_id, seeds[row.entrant_id], one.group, place, row.played, totals)
        for one in stage_tables(before, also=drawn)
        for place, row in _placed(one.rows, drawn)
        # In one table a total by matches played would only tell who had a bye.
        for totals in [_totals(row, order) if one.group else ()]
    ]
    chosen = qualifiers(places, best=before.advance_each, rest=before.advance_rest)
    if not stage.is_knock_out:
        return chosen
    by_entrant = {one.entrant: one for one in chosen}
    return [by_entrant[entrant] for entrant in knockout_seeds(chosen)]


def _placed(rows: Sequence[Row], drawn: Mapping[int, int]) -> Iterable[tuple[int, Row]]:
    """Who is level shares a place, until it is drawn."""
    if not drawn:
        return [(row.rank, row) for row in rows]
    return enumerate(sorted(rows, key=lambda row: (row.rank, drawn.get(row.entrant_id, len(drawn) + 1))), start=1)


SUMS = ("match_points", "game_points", "wins", "won", "difference", "points_for")
"""Tie-breaks that mean the same in every group, once they are divided by the matches."""


def _totals(row: Row, order: Sequence[str]) -> tuple[int, ...]:
    """What parts those of different groups: what of the organizer's order can be compared, then what every one has."""
    ordered = [row.figures[key].value for key in order if key in SUMS]
    return (*ordered, row.won, row.difference, row.points_for)


@dataclass(frozen=True, slots=True)
class GoingOn:
    """The published draw of `stage`, and who goes on to it by the official table of the stage before, both by seed."""

    stage: Stage
    drawn: Mapping[int, int]
    due: Mapping[int, Qualifier]

    @property
    def entrants(self) -> Collection[int]:
        """Who goes on by the table."""
        return [self.due[seed].entrant for seed in sorted(self.due)]

    def instead(self, entrant: int) -> int:
        """Who should stand where an entrant was drawn."""
        seed = next((seed for seed, one in self.drawn.items() if one == entrant), None)
        return self.due[seed].entrant if seed in self.due else entrant

    def others(self) -> list[Berth]:
        """Berths of the draw in which somebody else should stand, in their order."""
        return [berth for berth in drawn_berths(self.stage) if self.instead(berth.entrant_id) != berth.entrant_id]


def drawn_berths(stage: Stage) -> list[Berth]:
    """Those of a knock-out to which nobody comes from another slot."""
    rows = Berth.objects.filter(slot__matchday__stage=stage, from_slot=None).select_related(
        "slot__match", "slot__matchday"
    )
    return list(rows.order_by("slot__matchday__number", "slot__number", "number"))


def going_on(before: Stage) -> GoingOn | None:
    """From a stage to the next one; None where that is not drawn, or nobody has seen it: a draft is drawn anew."""
    stage = Stage.objects.filter(competition=before.competition_id, number=before.number + 1).first()
    if stage is None or not stage.is_knock_out or not stage.matchdays.exclude(published_at=None).exists():
        return None
    drawn = dict(stage.entries.values_list("entrant", "seed"))
    due = qualified(before, stage, drawn=drawn)
    return GoingOn(stage, {seed: one for one, seed in drawn.items()}, dict(enumerate(due, start=1)))


def mark_who_goes_on(before: Stage) -> None:
    """After a result that an amendment had opened again: berths of a published draw say that they stand as drawn, where
    somebody else would stand by the table, and only there.
    """
    found = going_on(before)
    if found is None:
        return
    amended = Amendment.objects.filter(state=Amendment.State.CONFIRMED, game__match__slot__matchday__stage=before)
    last = amended.order_by("-closed_at", "-pk").first()
    others = [berth.pk for berth in found.others()]
    mine = Berth.objects.filter(slot__matchday__stage=found.stage, from_slot=None)
    mine.exclude(pk__in=others).update(stands_although=None)
    mine.filter(pk__in=others, stands_although=None).update(stands_although=last)

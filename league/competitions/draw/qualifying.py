"""Qualification from one stage to the next, at its draw and after amendments."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from league.competitions.entrants import seeded, standing_withdrawals
from league.competitions.formats.groups import GroupPlace, Qualifier, knockout_seeds, qualifiers
from league.competitions.models import Berth, Stage
from league.competitions.standings.compute import Row
from league.competitions.standings.stage_table import stage_tables
from league.competitions.standings.tiebreaks.figures import Number
from league.competitions.standings.tiebreaks.registry import TIE_BREAKS
from league.matches.models import Amendment


def qualified(before: Stage, stage: Stage, *, drawn: Mapping[int, int] | None = None) -> Sequence[Qualifier]:
    """Give the qualifiers in the order of their seeds in `stage`.

    A withdrawn entrant does not qualify; the next in the table takes the place, if there is one.

    `drawn`: seeds by entrant, if `stage` is already drawn. Then an entrant who withdrew after the draw counts, and
    among entrants level in all tie-breaks the drawn entrant qualifies, whatever their names are now.
    """
    drawn = drawn or {}
    seeds = {one.pk: seed for seed, one in enumerate(seeded(before), start=1)}
    order = before.competition.tie_breaks
    places = [
        GroupPlace(row.entrant_id, seeds[row.entrant_id], one.group, place, row.played, totals)
        for one in stage_tables(before, also=drawn)
        for place, row in _placed(one.rows, drawn)
        # In a single table a total per match played would only show who had a bye.
        for totals in [_totals(row, order) if one.group else ()]
    ]
    left = standing_withdrawals(before.competition).exists()
    chosen = qualifiers(places, best=before.advance_each, rest=before.advance_rest, may_lack=left)
    if not stage.is_knock_out:
        return chosen
    by_entrant = {one.entrant: one for one in chosen}
    return [by_entrant[entrant] for entrant in knockout_seeds(chosen)]


def _placed(rows: Sequence[Row], drawn: Mapping[int, int]) -> Iterable[tuple[int, Row]]:
    """Give places: level entrants share a place, unless drawn seeds separate them."""
    if not drawn:
        return [(row.rank, row) for row in rows]
    return enumerate(sorted(rows, key=lambda row: (row.rank, drawn.get(row.entrant_id, len(drawn) + 1))), start=1)


def _totals(row: Row, order: Sequence[str]) -> tuple[Number, ...]:
    """Give the comparison between groups: comparable tie-breaks, then common totals."""
    ordered = [row.figures[key].value or 0 for key in order if TIE_BREAKS[key].comparable]
    return (*ordered, row.won, row.difference, row.points_for)


@dataclass(frozen=True, slots=True)
class GoingOn:
    """The published draw of `stage` and the qualifiers by the official table, by seed."""

    stage: Stage
    drawn: Mapping[int, int]
    due: Mapping[int, Qualifier]

    @property
    def entrants(self) -> Collection[int]:
        """Qualifiers by the table."""
        return [self.due[seed].entrant for seed in sorted(self.due)]

    def instead(self, entrant: int | None) -> int | None:
        """Give the entrant due by the table at the place where `entrant` was drawn."""
        seed = next((seed for seed, one in self.drawn.items() if one == entrant), None)
        return self.due[seed].entrant if seed is not None and seed in self.due else entrant

    def others(self) -> list[Berth]:
        """List the draw's berths that are due to another entrant, in order."""
        return [berth for berth in drawn_berths(self.stage) if self.instead(berth.entrant_id) != berth.entrant_id]


def drawn_berths(stage: Stage) -> list[Berth]:
    """List a knock-out's berths that are filled by the draw, not from another slot."""
    rows = Berth.objects.filter(slot__matchday__stage=stage, from_slot=None).select_related(
        "slot__match", "slot__matchday"
    )
    return list(rows.order_by("slot__matchday__number", "slot__number", "number"))


def going_on(before: Stage) -> GoingOn | None:
    """Compare a stage with the next one's published draw; None if that is unpublished.

    A draft is redrawn, so it needs no comparison.
    """
    stage = Stage.objects.filter(competition=before.competition_id, number=before.number + 1).first()
    if stage is None or not stage.is_knock_out or not stage.matchdays.exclude(published_at=None).exists():
        return None
    drawn = dict(stage.entries.values_list("entrant", "seed"))
    due = qualified(before, stage, drawn=drawn)
    return GoingOn(stage, {seed: one for one, seed in drawn.items()}, dict(enumerate(due, start=1)))


def mark_who_goes_on(before: Stage) -> None:
    """Mark berths of a published draw that differ from the amended table, only these.

    For results that an amendment had reopened.
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

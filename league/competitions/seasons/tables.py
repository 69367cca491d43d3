"""Official tables of several divisions, by the rules of the competition page.

A constant number of statements for any number of divisions, and another for each whose tie-breaks count muggins.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from django.contrib.auth.models import AnonymousUser

from league.competitions.draw_view import BerthView, SlotView
from league.competitions.entrant_names import Placed, everybody, placed_in, placed_of
from league.competitions.entrants import planned_rounds, standing_withdrawals
from league.competitions.models import Berth, Competition, Division, Matchday, Registration, Slot, Stage, Withdrawal
from league.competitions.standings.cache import EDITION_KEPT, Shelf, without_terms
from league.competitions.standings.compute import Row
from league.competitions.standings.facts import fingerprint
from league.competitions.standings.table import standings_of, table_rules
from league.matches.models import Match
from league.matches.queries.lines import MatchLine, match_lines
from league.players.models import PEOPLE

OUTSIDER = AnonymousUser()


@dataclass(frozen=True, slots=True)
class DivisionTable:
    """The official table of a division.

    `rows`: by official results, best first, including those who have `left`. `lots`: drawn for the table, by entrant.
    `names`: with the mark that distinguishes namesakes. `bonus`: match points given by an organizer, by entrant.
    """

    division: Division
    stage: Stage
    rows: list[Row]
    left: frozenset[int]
    lots: Mapping[int, int]
    names: Mapping[int, str]
    bonus: Mapping[int, int]

    @property
    def over(self) -> bool:
        return self.stage.finished_at is not None

    @property
    def order(self) -> list[tuple[int, int]]:
        """(entrant, rank), best first.

        Entrants level in everything are in the order of their lots, once drawn, even if the lot is no tie-break of the
        division.
        """
        keyed = sorted(self.rows, key=lambda row: (not row.rank, row.rank, self.lots.get(row.entrant_id, 0)))
        ranks: list[tuple[int, int]] = []
        for place, row in enumerate(keyed, start=1):
            before = keyed[place - 2] if place > 1 else None
            level = before is not None and self._is_level(before, row)
            ranks.append((row.entrant_id, ranks[-1][1] if level else place))
        return ranks

    @property
    def without_rank(self) -> frozenset[int]:
        """Entrants who left before their last match."""
        return frozenset(row.entrant_id for row in self.rows if not row.rank)

    def _is_level(self, one: Row, other: Row) -> bool:
        return one.rank == other.rank and self.lots.get(one.entrant_id) == self.lots.get(other.entrant_id)


@dataclass(slots=True)
class _Parts:
    """Parts of one competition's table."""

    entrants: list[Placed] = field(default_factory=list)
    left: set[int] = field(default_factory=set)
    slots: list[SlotView] = field(default_factory=list)


def division_tables(divisions: Sequence[Division]) -> list[DivisionTable]:
    """Compute the tables of divisions, in the order given.

    A division has one stage; before its draw the table lists all entrants without matches.
    """
    competitions = [one.competition_id for one in divisions]
    stages = {one.competition_id: one for one in Stage.objects.filter(competition__in=competitions, number=1)}
    owners = {one.pk: one for one in Competition.objects.filter(pk__in=competitions).select_related("league")}
    parts = {one: _Parts() for one in competitions}
    _fill_entrants(parts)
    _fill_slots(parts)
    return [
        _table(one, owners[one.competition_id], stages[one.competition_id], parts[one.competition_id])
        for one in divisions
    ]


def _fill_entrants(parts: Mapping[int, _Parts]) -> None:
    gone = Withdrawal.objects.filter(competition__in=parts, undone_at=None)
    left = {(competition, one): at for competition, one, at in gone.values_list("competition", "entrant", "made_at")}
    for competition, entrant in left:
        parts[competition].left.add(entrant)
    rows = Registration.objects.filter(competition__in=parts).select_related(*PEOPLE).order_by("seed")
    for row in rows:
        parts[row.competition_id].entrants.append(placed_of(row, left.get((row.competition_id, row.entrant_id))))


def _fill_slots(parts: Mapping[int, _Parts]) -> None:
    slots = Slot.objects.filter(matchday__stage__competition__in=parts).select_related("matchday__stage")
    rows = list(slots.order_by("matchday__number", "number"))
    berths: dict[int, list[Berth]] = {}
    for berth in Berth.objects.filter(slot__in=slots.values("pk")).order_by("slot", "number"):
        berths.setdefault(berth.slot_id, []).append(berth)
    matches = Match.objects.filter(slot__matchday__stage__competition__in=parts)
    lines = {line.id: line for line in match_lines(matches, OUTSIDER)}
    for slot in rows:
        line = lines.get(slot.match_id) if slot.match_id else None
        parts[slot.matchday.stage.competition_id].slots.append(_view(slot, berths.get(slot.pk, ()), line))


def _view(slot: Slot, berths: Iterable[Berth], line: MatchLine | None) -> SlotView:
    """The slot as far as a table needs it."""
    known = list(berths)
    return SlotView(
        id=slot.pk,
        number=None,
        round_number=slot.matchday.number,
        place=slot.number,
        berths=[BerthView(one.number, None, None, None, "") for one in known],
        match=line,
        table="",
        table_id=None,
        starts_at=slot.starts_at,
        third_place=False,
        entrant_ids=tuple(one.entrant_id for one in known if one.entrant_id),
        published=slot.matchday.published_at is not None,
        requested_bye=slot.requested_bye,
    )


def told(one: Placed) -> str:
    """The name, with the mark that distinguishes it from a namesake's."""
    return f"{one.name} ({one.apart})" if one.apart else one.name


def _table(division: Division, competition: Competition, stage: Stage, parts: _Parts) -> DivisionTable:
    days = {slot.round_number for slot in parts.slots}
    rounds = planned_rounds(stage.rounds, len(parts.entrants)) if stage.is_paired_by_round else len(days)
    rules = table_rules(competition, stage, parts.entrants, parts.slots, rounds=rounds)
    return DivisionTable(
        division=division,
        stage=stage,
        rows=standings_of(parts.entrants, parts.slots, rules, official_only=True),
        left=frozenset(parts.left),
        lots={one.entrant_id: one.lot for one in parts.entrants if one.lot is not None},
        names={one.entrant_id: told(one) for one in parts.entrants},
        bonus=rules.scoring.bonus,
    )


def kept_division_table(division: Division) -> DivisionTable:
    """Return the table of a division, from the cache if possible.

    As in `division_tables`, but rows have no terms of their figures. The division must be read with its competition and
    the stages of that. Four statements, and those of `division_tables` if it is not in the cache.
    """
    competition = division.competition
    days = list(Matchday.objects.filter(stage__competition=competition).order_by("stage__number", "number"))
    registered = everybody(competition)
    shelf = Shelf(
        f"division:{EDITION_KEPT}:{competition.pk}",
        fingerprint(competition, days, registered),
        lambda: fingerprint(competition, days, everybody(competition)),
    )
    rows = shelf.get("rows")
    if rows is None:
        [table] = division_tables([division])
        rows = [without_terms(row) for row in table.rows]
        if shelf.is_now():
            shelf.put({"rows": rows})
    people = placed_in(registered)
    return DivisionTable(
        division=division,
        stage=next(stage for stage in competition.stages.all() if stage.number == 1),
        rows=rows,
        left=frozenset(standing_withdrawals(competition).values_list("entrant", flat=True)),
        lots={one.entrant_id: one.lot for one in people if one.lot is not None},
        names={one.entrant_id: told(one) for one in people},
        bonus={one.entrant_id: one.bonus for one in people if one.bonus},
    )

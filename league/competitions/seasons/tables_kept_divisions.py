"""The official table of a division, kept under the fingerprint of its competition as other tables are."""

from league.competitions.entrant_names import everybody, placed_in
from league.competitions.entrants import standing_withdrawals
from league.competitions.models import Division, Matchday
from league.competitions.seasons.tables import DivisionTable, division_tables, told
from league.competitions.standings.cache import EDITION_KEPT, Shelf, without_terms
from league.competitions.standings.facts import fingerprint


def kept_division_table(division: Division) -> DivisionTable:
    """As `division_tables` has it, its rows without the terms of their figures. Of one read with its competition and
    the stages of that. Four statements, and those of `division_tables` where it is not in the cache.
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
    )

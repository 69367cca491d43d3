"""Whether the tables that are kept say what a look at every row says."""

from collections.abc import Iterator

from django.contrib.auth.models import AnonymousUser

from league.competitions.queries.competition import CompetitionPage, page_of_competition
from league.competitions.queries.rounds import table_page
from league.competitions.standings.cache import KeptTable, without_terms
from league.competitions.visibility import seen_competition


def wrong_kept(competition, reader, *, prospects=False) -> Iterator[str]:
    """What the kept tables of a competition tell wrongly, to the staff and, once it is published, to everybody.
    `prospects`: and of what everybody can still come to, which takes its time.
    """
    readers = [reader, AnonymousUser()] if competition.published_at else [reader]
    for one in readers:
        found = seen_competition(one, competition.league.slug, competition.slug)
        groups = table_page(found)
        for group in (groups.groups or [None]) if groups else ():
            kept, whole = table_page(found, group=group), page_of_competition(one, found, group=group)
            wrong = list(_differences(kept, whole, f"{one}, group {group}"))
            yield from wrong
            if prospects and not wrong:
                yield from _other_prospects(kept, whole)


def _differences(kept: CompetitionPage, whole: CompetitionPage, where: str) -> Iterator[str]:
    facts = {
        "groups": (kept.groups, whole.groups),
        "waiting results": (kept.has_provisional, whole.has_provisional),
        "rounds over": (kept.table.rounds_over, whole.table.rounds_over),
    }
    for official_only in (True, False):
        told = "official" if official_only else "provisional"
        rows = whole.table.rows(official_only=official_only)
        before = {row.entrant_id: row.rank for row in whole.table.rows_before(official_only=official_only)}
        facts[f"{told} rows"] = (kept_rows(kept.table, official_only=official_only), rows)
        plain = kept.table.plain_rows(range(len(rows)), official_only=official_only)
        facts[f"{told} rows without terms"] = (plain, [without_terms(row) for row in rows])
        facts[f"ranks before, {told}"] = (kept.table.listing(official_only=official_only).before, before)
    yield from (
        f"{where}: {name} are {says}, should be {should}" for name, (says, should) in facts.items() if says != should
    )


def kept_rows(table: KeptTable, *, official_only: bool) -> list:
    return table.rows(range(len(table.listing(official_only=official_only).codes)), official_only=official_only)


def _other_prospects(kept: CompetitionPage, whole: CompetitionPage) -> Iterator[str]:
    for official_only in (True, False):
        says, should = (page.table.outlook(official_only=official_only) for page in (kept, whole))
        if (says is None) != (should is None):
            yield f"there are prospects: {says}, should be {should}"
        rows = whole.table.rows(official_only=official_only) if says and should else ()
        for row in (one for one in rows if one.rank):  # without those who left
            if says.of(row.entrant_id) != should.of(row.entrant_id):
                yield f"the prospect of {row.name} is {says.of(row.entrant_id)}, should be {should.of(row.entrant_id)}"

"""The front of a league's page: next matches, latest results, leaders."""

from dataclasses import dataclass
from datetime import datetime

from league.accounts.models import League
from league.accounts.permissions import Asker
from league.competitions.models import Competition
from league.competitions.queries.lists import Whereabouts, competition_of
from league.competitions.queries.rounds import round_tables, table_with
from league.competitions.standings.cache import KeptTables
from league.competitions.standings.compute import Row
from league.matches.queries import lists
from league.matches.queries.lines import MatchLine, match_lines

NEXT_SHOWN = 8
LATEST_SHOWN = 6
LEADERS_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Leaders:
    """The first rows of a table; `competition`: with its league."""

    competition: Competition
    rows: list[Row]


@dataclass(frozen=True, slots=True)
class LeagueFront:
    """`upcoming`: matches at a table now, then the next ones; `places`: match → where it belongs.

    `competition`: that with the latest result, or else with the next match, one with standings first; `tables`: None
    without standings.
    """

    upcoming: list[MatchLine]
    latest: list[MatchLine]
    places: dict[int, Whereabouts]
    competition: Competition | None
    tables: KeptTables | None

    @property
    def leaders(self) -> Leaders | None:
        return _leaders(self.competition, self.tables) if self.competition and self.tables else None


def league_front(league: League, user: Asker, now: datetime) -> LeagueFront:
    """Return the front of a league's page. A constant number of statements."""
    live = lists.live(user, now).filter(league=league).select_related("league", "table")[:NEXT_SHOWN]
    coming = lists.upcoming(user, now).filter(league=league).select_related("league", "table")[:NEXT_SHOWN]
    first = [*live, *coming][:NEXT_SHOWN]
    here = {match.pk for match in first}
    entered = lists.latest_results(user, LATEST_SHOWN, league).select_related("league", "table")
    # A match between two of its games is at a table, and has a result.
    lines = match_lines([*first, *(match for match in entered if match.pk not in here)], user)
    upcoming, latest = lines[: len(first)], lines[len(first) :]
    places = competition_of([line.id for line in lines]) if lines else {}
    near = [places[line.id] for line in [*latest, *upcoming] if line.id in places]
    place = next((one for one in near if one.has_table), near[0] if near else None)
    found = round_tables(user, place.league_slug, place.slug) if place else None
    return LeagueFront(upcoming, latest, places, *(found or (None, None)))


def _leaders(competition: Competition, tables: KeptTables) -> Leaders | None:
    table = table_with(tables)
    most = min(LEADERS_SHOWN, len(table.listing(official_only=False).entrant_ids))
    rows = table.plain_rows(range(most), official_only=False)
    there = [row for row in rows if row.rank and (row.played or row.match_points)]  # also by a bye
    return Leaders(competition, there) if any(row.played for row in there) else None

"""The front of a league's page: next matches, latest results, leaders."""

from dataclasses import dataclass
from datetime import datetime
from typing import cast

from league.accounts.models import League
from league.accounts.permissions import Asker
from league.competitions.models import Competition
from league.competitions.queries.lists import Whereabouts, competition_of
from league.competitions.queries.rounds import table_page
from league.competitions.standings.cache import KeptTable
from league.competitions.standings.compute import Row
from league.competitions.visibility import Cancelled, seen_competition
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
    """`upcoming`: matches at a table now, then the next ones; `places`: match → where it belongs."""

    upcoming: list[MatchLine]
    latest: list[MatchLine]
    places: dict[int, Whereabouts]
    leaders: Leaders | None


def league_front(league: League, user: Asker, now: datetime) -> LeagueFront:
    """Return the front of a league's page. A constant number of statements.

    The leaders are those of the competition with the latest result, or else with the next match.
    """
    live = lists.live(user, now).filter(league=league).select_related("league", "table")[:NEXT_SHOWN]
    coming = lists.upcoming(user, now).filter(league=league).select_related("league", "table")[:NEXT_SHOWN]
    latest = lists.latest_results(user, LATEST_SHOWN, league).select_related("league", "table")
    lines = match_lines([*[*live, *coming][:NEXT_SHOWN], *latest], user)
    places = competition_of([line.id for line in lines]) if lines else {}
    ended = {match.pk for match in latest}
    results = [line for line in lines if line.id in ended]
    first = next((places[line.id] for line in [*results, *lines] if line.id in places), None)
    return LeagueFront([line for line in lines if line.id not in ended], results, places, _leaders(user, first))


def _leaders(user: Asker, place: Whereabouts | None) -> Leaders | None:
    try:
        competition = seen_competition(user, place.league_slug, place.slug) if place else None
    except (Competition.DoesNotExist, Cancelled):
        return None
    page = table_page(competition) if competition else None
    if competition is None or page is None or page.table is None:
        return None
    table = cast(KeptTable, page.table)
    most = min(LEADERS_SHOWN, len(table.listing(official_only=False).entrant_ids))
    rows = table.plain_rows(range(most), official_only=False)
    played = [row for row in rows if row.rank and row.played]
    return Leaders(competition, played) if played else None

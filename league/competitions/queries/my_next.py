"""The next match of a person: opponent, past meetings, and places in reach."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import cast

from django.db.models import Case, F, IntegerField, Q, QuerySet, Value, When

from league.accounts.permissions import Asker
from league.competitions.models import Competition
from league.competitions.queries.lists import Whereabouts, competition_of
from league.competitions.queries.rounds import table_page
from league.competitions.standings.cache import KeptTable
from league.competitions.standings.reachable_places import Prospect
from league.competitions.visibility import Cancelled, seen_competition
from league.matches.models import Match, Side
from league.matches.queries.lines import MatchLine, SideScore, match_lines
from league.players.models import Entrant

OVERDUE = timedelta(hours=12)
"""An unplayed match whose hour is longer ago is not the next one."""
MEETINGS_COUNTED = 100


@dataclass(frozen=True, slots=True)
class MyPlace:
    """The place of an entrant in the standings, and the final places in reach."""

    rank: int
    prospect: Prospect | None


@dataclass(frozen=True, slots=True)
class MyNext:
    """The next match of a person.

    `won`, `lost`: decided matches against the opponent; both 0 at tables of more than two. `standing`: None in a
    knock-out, and before the first result.
    """

    line: MatchLine
    entrant_id: int
    door: str
    place: Whereabouts | None
    won: int
    lost: int
    standing: MyPlace | None

    @property
    def opponents(self) -> list[SideScore]:
        return [side for side in self.line.sides if side.entrant_id != self.entrant_id]

    @property
    def playing(self) -> bool:
        return self.line.state == Match.State.PLAYING


def my_next(mine: QuerySet[Entrant], user: Asker, now: datetime) -> MyNext | None:
    """Return the match that these entrants play now, else their next one; None without.

    A constant number of statements.
    """
    match = _open_matches(mine, now).first()
    if match is None:
        return None
    line = match_lines([match], user)[0]
    entrant = next(iter(mine.filter(sides__match=match).values_list("pk", flat=True)))
    place = competition_of([match.pk]).get(match.pk)
    others = [side.entrant_id for side in line.sides if side.entrant_id != entrant]
    won, lost = _meetings(entrant, others[0], user) if len(others) == 1 else (0, 0)
    return MyNext(line, entrant, match.door, place, won, lost, _standing(user, place, entrant))


def _open_matches(mine: QuerySet[Entrant], now: datetime) -> QuerySet[Match]:
    own = Side.objects.filter(entrant__in=mine).values("match")
    late = Q(state=Match.State.SCHEDULED, starts_at__lt=now - OVERDUE)
    playing = Case(When(state=Match.State.PLAYING, then=Value(0)), default=Value(1), output_field=IntegerField())
    rows = Match.objects.filter(pk__in=own, published_at__lte=now, set_aside_at=None)
    rows = rows.filter(state__in=(Match.State.SCHEDULED, Match.State.PLAYING)).exclude(late)
    return rows.order_by(playing, F("starts_at").asc(nulls_last=True), "pk").select_related("league", "table")


def _meetings(entrant: int, opponent: int, user: Asker) -> tuple[int, int]:
    met = Match.objects.filter(state=Match.State.DECIDED, voided_by=None, sides__entrant=entrant)
    met = met.filter(sides__entrant=opponent).order_by("-pk").select_related("league", "table")
    winners = [side.entrant_id for line in match_lines(met[:MEETINGS_COUNTED], user) for side in line.sides if side.won]
    return winners.count(entrant), winners.count(opponent)


def _standing(user: Asker, place: Whereabouts | None, entrant: int) -> MyPlace | None:
    try:
        competition = seen_competition(user, place.league_slug, place.slug) if place else None
    except (Competition.DoesNotExist, Cancelled):
        return None
    page = table_page(competition) if competition else None
    if page is None or page.table is None:
        return None
    table = cast(KeptTable, page.table)
    listing = table.listing(official_only=False)
    if entrant not in listing.entrant_ids:
        return None
    (row,) = table.plain_rows([listing.entrant_ids.index(entrant)], official_only=False)
    outlook = table.outlook(official_only=False) if row.rank else None
    return MyPlace(row.rank, outlook.of(entrant) if outlook else None) if row.rank else None

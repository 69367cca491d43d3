"""Questions about competitions: the home page, one competition, its tables. Constant statement counts."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, F, IntegerField, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from league.accounts.models import League
from league.accounts.permissions import Asker
from league.competitions.bracket_page import BracketPage, bracket_page, part_views
from league.competitions.competition_page import (
    CompetitionPage,
    competition_page,
    page_of_competition,
    seen_competition,
    visible_competitions,
)
from league.competitions.front_page import RoundPages, front_page, round_pages, table_page
from league.competitions.kept_tables import KeptTable
from league.competitions.models import IS_PLAYED, Competition, Registration, Slot
from league.competitions.slots import BerthView, MatchdayView, Placed, SlotView, paired, placed
from league.competitions.staff_pages import DraftPage, TableMatch, TablesPage, TableView, draft_page, tables_page
from league.matches import queries as match_queries
from league.matches.lines import MatchLine, match_lines
from league.matches.models import Match
from league.players.models import Membership

__all__ = [
    "BerthView",
    "BracketPage",
    "CompetitionPage",
    "DraftPage",
    "HomePage",
    "KeptTable",
    "MatchdayView",
    "Placed",
    "RoundPages",
    "SlotView",
    "TableMatch",
    "TableView",
    "TablesPage",
    "Whereabouts",
    "bracket_page",
    "competition_of",
    "competition_page",
    "competitions",
    "draft_page",
    "entrants_of_published",
    "front_page",
    "home",
    "leagues",
    "page_of_competition",
    "paired",
    "part_views",
    "placed",
    "round_pages",
    "seen_competition",
    "table_page",
    "tables_page",
    "visible_competitions",
]


def entrants_of_published() -> QuerySet:
    """Ids of the entrants who are registered for a published competition: with a bye, one has no match yet."""
    return Registration.objects.filter(competition__published_at__isnull=False).values("entrant")


@dataclass(frozen=True, slots=True)
class HomePage:
    live: list[MatchLine]
    upcoming: list[MatchLine]
    latest: list[MatchLine]
    leagues: list[League]
    competitions: list[Competition]


def competitions(user: Asker) -> QuerySet[Competition]:
    """With `player_count`, `matches_total` and `matches_decided`; the latest published first, drafts before them."""
    slots = Slot.objects.filter(IS_PLAYED, matchday__stage__competition=OuterRef("pk"))
    return (
        visible_competitions(user)
        .annotate(
            player_count=_count(Registration.objects.filter(competition=OuterRef("pk")), "competition"),
            matches_total=_count(slots, "matchday__stage__competition"),
            matches_decided=_count(slots.filter(match__state=Match.State.DECIDED), "matchday__stage__competition"),
        )
        .order_by(F("published_at").desc(nulls_first=True), "name", "pk")
    )


def leagues(user: Asker) -> QuerySet[League]:
    """Every league, with `competition_count` (those the asker may see) and `player_count` (members)."""
    return League.objects.annotate(
        competition_count=_count(
            visible_competitions(user).select_related(None).filter(league=OuterRef("pk")), "league"
        ),
        player_count=_count(Membership.objects.filter(league=OuterRef("pk"), until__isnull=True), "league"),
    ).order_by("name", "pk")


def _count(rows: QuerySet, by: str) -> Coalesce:
    """How many rows of a correlated subquery."""
    counted = rows.order_by().values(by).annotate(counted=Count("pk")).values("counted")
    return Coalesce(Subquery(counted, output_field=IntegerField()), 0)


def home(user: Asker, now: datetime) -> HomePage:
    return HomePage(
        live=match_lines(match_queries.live(user, now)[:6], user),
        upcoming=match_lines(match_queries.upcoming(user, now)[:6], user),
        latest=match_lines(match_queries.latest_results(user)[:8], user),
        leagues=list(leagues(user)[:12]),
        competitions=list(competitions(user)[:12]),
    )


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """Where a match belongs, for the line above its title."""

    competition: str
    league_slug: str
    slug: str
    matchday: str


def competition_of(match_ids: Iterable[int]) -> dict[int, Whereabouts]:
    """One statement; matches outside any competition are left out. Ask only for matches that the asker may see."""
    slots = Slot.objects.filter(match__in=list(match_ids)).select_related("matchday__stage__competition__league")
    return {slot.match_id: _place(slot) for slot in slots}


def _place(slot: Slot) -> Whereabouts:
    competition = slot.matchday.stage.competition
    return Whereabouts(competition.name, competition.league.slug, competition.slug, str(slot.matchday))

"""Questions about competitions: the home page, one competition, its tables. Constant statement counts."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import BooleanField, Count, ExpressionWrapper, IntegerField, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from games.rulesets import RULESETS
from league.accounts.models import League
from league.accounts.permissions import STAFF, Asker, leagues_where
from league.competitions.models import Competition, Registration, Slot, Stage
from league.competitions.slots import BerthView, MatchdayView, Placed, SlotView, matchday_views, placed
from league.competitions.staff_pages import DraftPage, TableMatch, TablesPage, TableView, draft_page, tables_page
from league.competitions.standings import Played, Row, table
from league.matches import queries as match_queries
from league.matches.deciding import GameOutcome, official_standing, provisional_standing
from league.matches.lines import GameScore, MatchLine, match_lines
from league.matches.models import Match
from league.players.models import Membership

__all__ = [
    "BerthView",
    "CompetitionPage",
    "DraftPage",
    "HomePage",
    "MatchdayView",
    "Placed",
    "SlotView",
    "TableMatch",
    "TableView",
    "TablesPage",
    "Whereabouts",
    "competition_of",
    "competition_page",
    "competitions",
    "draft_page",
    "home",
    "leagues",
    "played",
    "tables_page",
    "visible_competitions",
]


@dataclass(frozen=True, slots=True)
class CompetitionPage:
    """`official` counts confirmed results only; `provisional` those that wait for confirmation too. `matchdays`: every
    round of the draw; of one that the asker may not see yet, no more than its shape.
    """

    competition: Competition
    stage: Stage | None
    draft: bool
    edition: int | None
    entrants: list[Placed]
    official: list[Row]
    provisional: list[Row]
    has_provisional: bool
    matchdays: list[MatchdayView]

    @property
    def knock_out(self) -> bool:
        return self.stage is not None and self.stage.format == Stage.Format.SINGLE_ELIMINATION

    @property
    def places(self) -> list[tuple[int, Placed]]:
        """The final ranking of a knock-out, as far as official results decide it: (rank, entrant)."""
        last = self.matchdays[-1].slots if self.knock_out and self.matchdays else []
        first = 1
        found = []
        for slot in last:
            if slot.decided and slot.winner:
                loser = next(berth.entrant for berth in slot.berths if not berth.won)
                found += [(first, slot.winner), (first + 1, loser)]
            first += 2
        return found

    @property
    def shown(self) -> list[MatchdayView]:
        """The rounds that the asker may see."""
        return [day for day in self.matchdays if not day.hidden]


@dataclass(frozen=True, slots=True)
class HomePage:
    live: list[MatchLine]
    upcoming: list[MatchLine]
    latest: list[MatchLine]
    leagues: list[League]
    competitions: list[Competition]


def visible_competitions(user: Asker) -> QuerySet[Competition]:
    """Published ones, and the drafts of the leagues whose staff the asker is."""
    seen = Q(published_at__isnull=False)
    if user.is_authenticated:
        seen |= Q(league__in=leagues_where(user, STAFF))
    return Competition.objects.filter(seen).select_related("league")


def competitions(user: Asker) -> QuerySet[Competition]:
    """With `player_count`, `matches_total` and `matches_decided`; the latest published first, drafts before them."""
    slots = Slot.objects.filter(matchday__stage__competition=OuterRef("pk"), berths__number=2)
    return (
        visible_competitions(user)
        .annotate(
            player_count=_count(Registration.objects.filter(competition=OuterRef("pk")), "competition"),
            matches_total=_count(slots, "matchday__stage__competition"),
            matches_decided=_count(slots.filter(match__state=Match.State.DECIDED), "matchday__stage__competition"),
        )
        .order_by("-published_at", "name", "pk")
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
        live=match_lines(match_queries.live(user, now)[:6]),
        upcoming=match_lines(match_queries.upcoming(user, now)[:6]),
        latest=match_lines(match_queries.latest_results(user)[:8]),
        leagues=list(leagues(user)[:12]),
        competitions=list(competitions(user)[:12]),
    )


def competition_page(user: Asker, league_slug: str, slug: str) -> CompetitionPage:
    """Raises Competition.DoesNotExist."""
    competition = _with_staff(user).get(league__slug=league_slug, slug=slug)
    stage = competition.stages.order_by("number").first()
    entrants = placed(competition)
    days = matchday_views(competition, entrants, everything=competition.for_staff)
    lines = [line for day in days for line in day.matches]
    people = [(one.entrant_id, one.name, one.code) for one in entrants]
    rules = RULESETS.get(competition.ruleset)
    return CompetitionPage(
        competition=competition,
        stage=stage,
        draft=competition.published_at is None,
        edition=rules.edition if rules else None,
        entrants=entrants,
        official=table(people, played(lines, official_only=True)),
        provisional=table(people, played(lines, official_only=False)),
        has_provisional=any(not game.outcome.official for line in lines for game in counting(line)),
        matchdays=days,
    )


def _with_staff(user: Asker) -> QuerySet[Competition]:
    """With `for_staff`: whether the asker sees what is not published."""
    staff = Q(league__in=leagues_where(user, STAFF)) if user.is_authenticated else Q(pk__in=[])
    return visible_competitions(user).annotate(for_staff=ExpressionWrapper(staff, BooleanField()))


def played(lines: Iterable[MatchLine], *, official_only: bool) -> list[Played]:
    """The finished matches among the lines, with the points of the games that count."""
    standing = official_standing if official_only else provisional_standing
    found = []
    for line in lines:
        games = [game for game in counting(line) if _counts(game.outcome, official_only=official_only)]
        end = standing(line.best_of, [game.outcome for game in games])
        if end.over:
            found.append(_played(line, games, end.winner))
    return found


def counting(line: MatchLine) -> list[GameScore]:
    """The games of a match that can count: once official results have decided it, no other game does."""
    official = [game for game in line.games if game.outcome.official]
    return official if official_standing(line.best_of, [game.outcome for game in official]).over else list(line.games)


def _counts(outcome: GameOutcome, *, official_only: bool) -> bool:
    """A result that an official has still to decide counts nowhere."""
    return outcome.official or not (official_only or outcome.needs_decision)


def _played(line: MatchLine, games: Sequence[GameScore], winner: int | None) -> Played:
    entrants = {side.number: side.entrant_id for side in line.sides}
    points = {entrant_id: sum(game.points.get(number, 0) for game in games) for number, entrant_id in entrants.items()}
    return Played(points, entrants.get(winner))


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

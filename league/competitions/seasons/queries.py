"""Pages of seasons, each in a constant number of statements."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db.models import (
    BooleanField,
    Count,
    Exists,
    ExpressionWrapper,
    IntegerField,
    Min,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
)
from django.db.models.functions import Coalesce

from league.accounts.models import League
from league.accounts.permissions import STAFF, Asker, leagues_where
from league.competitions.formats.promotion import DivisionRules, Zone, zones
from league.competitions.models import (
    Berth,
    Competition,
    Division,
    PlayOff,
    Registration,
    Season,
    SeasonDate,
    SeasonMove,
    Slot,
)
from league.competitions.seasons.plans import rules_of
from league.competitions.seasons.tables import DivisionTable, kept_division_table
from league.competitions.standings.compute import Row
from league.competitions.visibility import visible_competitions
from league.matches.models import Match
from league.players.models import PEOPLE


def visible_seasons(user: Asker) -> QuerySet[Season]:
    """Published seasons, and drafts of the leagues in which the asker is staff."""
    seen = Q(published_at__isnull=False)
    if user.is_authenticated:
        seen |= Q(league__in=leagues_where(user, STAFF))
    return Season.objects.filter(seen).select_related("league")


def seasons(user: Asker, league: League) -> QuerySet[Season]:
    """Seasons of a league, the latest first, with `division_count`."""
    found = visible_seasons(user).filter(league=league).annotate(division_count=Count("divisions"))
    return found.order_by("-starts_on", "-pk")


@dataclass(frozen=True, slots=True)
class ZonedRow:
    """A row of the standings with the zone of its place.

    `left`: the entrant has withdrawn, and has no next division.
    """

    row: Row
    zone: Zone
    left: bool


@dataclass(frozen=True, slots=True)
class MatchdayLine:
    """A round of all divisions.

    `starts_at` is the season's date, or the first hour of its matches.
    """

    number: int
    starts_at: datetime | None
    matches: int
    open: int


@dataclass(frozen=True, slots=True)
class SeasonPage:
    """The page of a season.

    `division`: the division of the table; `matchdays`: the public rounds. `standing`: moves into the next season, of
    any division, that the tables by now would make differently; `before`: the same of the moves that made this season.
    """

    season: Season
    divisions: list[Division]
    division: Division | None
    table: DivisionTable | None
    rows: list[ZonedRow]
    rules: DivisionRules
    bonus: Mapping[int, int]
    matchdays: list[MatchdayLine]
    play_offs: list[PlayOff]
    follower: Season | None
    standing: list[SeasonMove]
    before: list[SeasonMove]

    @property
    def draft(self) -> bool:
        return self.season.published_at is None

    @property
    def current(self) -> int | None:
        """The first matchday with a match to play; the last if all are over."""
        coming = next((one.number for one in self.matchdays if one.open), None)
        return coming or (self.matchdays[-1].number if self.matchdays else None)


def season_page(user: Asker, league_slug: str, slug: str, *, level: int | None = None) -> SeasonPage:
    """Return the page of a season.

    `level`: of the division whose table is wanted, else the top. Raises Season.DoesNotExist.
    """
    season = with_staff(user).select_related("follows").get(league__slug=league_slug, slug=slug)
    divisions = list(season.divisions.order_by("level"))
    wanted = next((one for one in divisions if one.level == level), divisions[0] if divisions else None)
    # Only its matches are counted: counting those of all takes longer than the page.
    chosen = with_counts(season).get(pk=wanted.pk) if wanted else None
    table = kept_division_table(chosen) if chosen else None
    rules = rules_with_below(chosen, divisions) if chosen else DivisionRules()
    follower = visible_seasons(user).filter(follows=season).first()
    return SeasonPage(
        season=season,
        divisions=divisions,
        division=chosen,
        table=table,
        rows=zoned_rows(table, rules) if table else [],
        rules=rules,
        bonus=table.bonus if table else {},
        matchdays=matchdays_of(season),
        play_offs=list(_play_offs(season).filter(competition__in=visible_competitions(user))),
        follower=follower,
        standing=standing_moves(season) if follower else [],
        before=standing_moves(season.follows) if season.follows_id else [],
    )


def with_staff(user: Asker) -> QuerySet[Season]:
    """Visible seasons with `for_staff`: whether the asker sees unpublished parts."""
    staff = Q(league__in=leagues_where(user, STAFF)) if user.is_authenticated else Q(pk__in=[])
    return visible_seasons(user).annotate(for_staff=ExpressionWrapper(staff, BooleanField()))


def with_counts(season: Season) -> QuerySet[Division]:
    """Divisions of one season, as `counted` has them."""
    return counted(season.divisions.all())


def counted(divisions: QuerySet[Division]) -> QuerySet[Division]:
    """Divisions, top first, with `player_count`, `matches_total`, `matches_decided`."""
    players = Registration.objects.filter(competition=OuterRef("competition"))
    slots = Slot.objects.filter(_is_played(), matchday__stage__competition=OuterRef("competition"))
    decided = slots.filter(match__state=Match.State.DECIDED)
    by = "matchday__stage__competition"
    return (
        divisions.select_related("competition__league")
        .prefetch_related("competition__stages")
        .order_by("level")
        .annotate(
            player_count=_count(players, "competition"),
            matches_total=_count(slots, by),
            matches_decided=_count(decided, by),
        )
    )


def _is_played() -> Q:
    """Condition of a slot as in IS_PLAYED; berths are asked only without a match."""
    return Q(match__isnull=False) | Q(Exists(Berth.objects.filter(slot=OuterRef("pk"), number=2)))


def _count(rows: QuerySet[Any], by: str) -> Coalesce:
    """Number of rows of a correlated subquery."""
    each = rows.order_by().values(by).annotate(n=Count("pk")).values("n")
    return Coalesce(Subquery(each, output_field=IntegerField()), 0)


def rules_with_below(division: Division, divisions: Sequence[Division]) -> DivisionRules:
    """Promotion rules of a division, with the play-off places of the division below."""
    below = next((one for one in divisions if one.level > division.level), None)
    return replace(rules_of(division), play_off_down=below.play_off if below else 0)


def zoned_rows(table: DivisionTable, rules: DivisionRules) -> list[ZonedRow]:
    """Rows in the order that ends the season, withdrawn entrants last.

    Before the first result the order means nothing, and no place has a zone.
    """
    rows = {row.entrant_id: row for row in table.rows}
    there = [(rows[one], rank) for one, rank in table.order if one not in table.left]
    begun = any(row.played or row.won for row in table.rows)
    led = zones(len(there), rules if begun else DivisionRules(), len(table.left))
    gone = [ZonedRow(row, Zone.STAY, left=True) for row in table.rows if row.entrant_id in table.left]
    placed = [ZonedRow(replace(row, rank=rank), zone, left=False) for (row, rank), zone in zip(there, led, strict=True)]
    return [*placed, *gone]


def zones_of_competition(competition: Competition) -> tuple[Division, DivisionRules] | None:
    """Return the division of a competition, with its season, and its promotion rules.

    One statement; none for other competitions if the competition was read with its `division`.
    """
    division: Division | None = getattr(competition, "division", None)
    if division is None:
        return None
    return division, rules_with_below(division, list(division.season.divisions.order_by("level")))


def matchdays_of(season: Season, *, published: bool = True) -> list[MatchdayLine]:
    """List the rounds by number: the public rounds, or all rounds and every date.

    Two statements.
    """
    slots = Slot.objects.filter(_is_played(), matchday__stage__competition__division__season=season)
    if published:
        slots = slots.filter(matchday__published_at__isnull=False)
    told = (
        slots.order_by("matchday__number")
        .values("matchday__number")
        .annotate(
            total=Count("pk"), decided=Count("pk", filter=Q(match__state=Match.State.DECIDED)), first=Min("starts_at")
        )
    )
    rounds = {one["matchday__number"]: one for one in told}
    dates = dict(SeasonDate.objects.filter(season=season).values_list("number", "starts_at"))
    return [_line(number, dates.get(number), rounds.get(number)) for number in sorted({*rounds, *dates})]


def _line(number: int, date: datetime | None, told: Mapping[str, Any] | None) -> MatchdayLine:
    if told is None:
        return MatchdayLine(number, date, 0, 0)
    return MatchdayLine(number, date or told["first"], told["total"], told["total"] - told["decided"])


def matchday_slots(season: Season, number: int) -> QuerySet[Slot]:
    """Public matches of a matchday, division after division, without byes."""
    return (
        Slot.objects.filter(
            matchday__stage__competition__division__season=season,
            matchday__number=number,
            matchday__published_at__isnull=False,
            match__isnull=False,
        )
        .select_related("matchday__stage__competition__division")
        .order_by("matchday__stage__competition__division__level", "number")
    )


def _play_offs(season: Season) -> QuerySet[PlayOff]:
    return (
        PlayOff.objects.filter(upper__season=season)
        .select_related("upper", "competition__league")
        .order_by("upper__level", "number", "pk")
    )


def standing_moves(season: Season) -> list[SeasonMove]:
    """Moves that were kept although a result was amended since."""
    return list(season.moves.exclude(stands_although=None).select_related(*PEOPLE))

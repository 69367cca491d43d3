"""Rating queries: a league's list, and a player's explained history.

Constant statement counts.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING

from django.db.models import Count, Exists, F, IntegerField, OuterRef, Q, QuerySet, Subquery, Window
from django.db.models.functions import Coalesce, Rank

from league.accounts.models import League
from league.accounts.permissions import Asker
from league.competitions.models import Competition, RatedGame, Rating, RatingList
from league.competitions.ratings.glicko2 import WON, Held, Strength, expected, onset
from league.competitions.ratings.services import first_day, period_of, scheme_of
from league.matches.visibility import visible_players
from league.players.models import Entrant, Player, people_in

if TYPE_CHECKING:
    from typing import TypedDict

    from django_stubs_ext import WithAnnotations

    class Ranked(TypedDict):
        rank: int


@dataclass(frozen=True, slots=True)
class RatingNow:
    """A player's place in a rating list.

    `strength` is that of today: each whole period without a game makes it less certain. `since` is the first day of the
    last period with a game.
    """

    rating_list: RatingList
    rank: int
    player: Player
    strength: Strength
    change: float
    played: int
    since: date

    @property
    def low(self) -> float:
        return self.strength.rating - 2 * self.strength.deviation

    @property
    def high(self) -> float:
        return self.strength.rating + 2 * self.strength.deviation


def last_day(period: int, days: int) -> date:
    return first_day(period, days) + timedelta(days=days - 1)


def rating_lists(league: League) -> list[RatingList]:
    """List a league's rating lists that contain a rating."""
    rated = Rating.objects.filter(rating_list=OuterRef("pk"), latest=True)
    return list(RatingList.objects.filter(Exists(rated), league=league).select_related("league").order_by("ruleset"))


def ranked(user: Asker) -> "QuerySet[WithAnnotations[Rating, Ranked]]":
    """Select visible players' latest ratings with `rank` in the list, best first."""
    return (
        _seen(user)
        .annotate(rank=Window(Rank(), partition_by=F("rating_list"), order_by=F("rating").desc()))
        .select_related("player", "rating_list__league")
        .order_by("rating_list__ruleset", "rating_list", "-rating", "player__code")
    )


def _seen(user: Asker) -> QuerySet[Rating]:
    return Rating.objects.filter(latest=True, player__in=visible_players(user).order_by().values("pk"))


def _with_rank(user: Asker, mine: QuerySet[Rating]) -> "QuerySet[WithAnnotations[Rating, Ranked]]":
    """Annotate `rank` as in `ranked`, without ranking all other rows."""
    stronger = _seen(user).filter(rating_list=OuterRef("rating_list"), rating__gt=OuterRef("rating")).order_by()
    before = stronger.values("rating_list").annotate(counted=Count("pk")).values("counted")
    rank = Coalesce(Subquery(before, output_field=IntegerField()), 0) + 1
    return mine.annotate(rank=rank).select_related("player", "rating_list__league")


def rating_now(row: "WithAnnotations[Rating, Ranked]", now: datetime) -> RatingNow:
    """Build from a row of `ranked`, without a statement."""
    one = row.rating_list
    today = period_of(now, one.league.time_zone, one.period_days)
    held = Held(strength_after(row), row.period, row.played)
    return RatingNow(
        rating_list=one,
        rank=row.rank,
        player=row.player,
        strength=onset(held, today, scheme_of(one)),
        change=row.rating - row.rating_before,
        played=row.played,
        since=first_day(row.period, one.period_days),
    )


def strength_before(row: Rating) -> Strength:
    return Strength(row.rating_before, row.deviation_before, row.volatility_before)


def strength_after(row: Rating) -> Strength:
    return Strength(row.rating, row.deviation, row.volatility)


def ratings_of_player(user: Asker, player: Player, now: datetime) -> list[RatingNow]:
    """Give a player's place in every list, if visible to the asker. One statement."""
    mine = Rating.objects.filter(latest=True, player=player)
    found = [rating_now(row, now) for row in _with_rank(user, mine)]
    return sorted(found, key=lambda one: (-one.played, one.rating_list.league.name, one.rating_list.ruleset))


def strengths(league: League, ruleset: str, players: Iterable[int]) -> dict[int, float]:
    """Give ratings by player, for seeds and tie-breaks, rated players only.

    One statement.
    """
    rows = Rating.objects.filter(
        rating_list__league=league, rating_list__ruleset=ruleset, latest=True, player__in=list(players)
    )
    return dict(rows.values_list("player", "rating"))


def entrants_strengths(competition: Competition, entrants: Collection[Entrant]) -> dict[int, float]:
    """Give ratings by entrant, in the competition's ruleset. One statement.

    A pair has the mean of its partners' ratings, if both are rated; unrated entrants are left out.
    """
    people = {one.pk: people_in(one) for one in entrants}
    found = strengths(competition.league, competition.ruleset, [pk for both in people.values() for pk in both])
    return {
        entrant: sum(found[pk] for pk in both) / len(both)
        for entrant, both in people.items()
        if all(pk in found for pk in both)
    }


# --- One player ---


@dataclass(frozen=True, slots=True)
class GameExplained:
    """A game in a rating calculation.

    `strength` of the opponent at the beginning of the period, `expected` points, and `points` scored (1, ½, 0).
    """

    match_id: int
    number: int
    opponent: Player
    strength: Strength
    expected: float
    points: float


@dataclass(frozen=True, slots=True)
class PeriodExplained:
    """A rating period. `pause`: whole periods without a game before it.

    The pause made `before` less certain than `after` of the last period.
    """

    first: date
    last: date
    before: Strength
    after: Strength
    pause: int
    games: list[GameExplained]

    @property
    def change(self) -> float:
        return self.after.rating - self.before.rating

    @property
    def expected(self) -> float:
        return sum(game.expected for game in self.games)

    @property
    def points(self) -> float:
        return sum(game.points for game in self.games)


@dataclass(frozen=True, slots=True)
class RatingHistory:
    """Rating history. `rows`: every period with games, oldest first; see `explained`."""

    now: RatingNow
    rows: list[Rating]


def rating_history(user: Asker, league: League, ruleset: str, code: str, now: datetime) -> RatingHistory:
    """Read a player's rating history. Raises Rating.DoesNotExist. Two statements."""
    mine = _seen(user).filter(player__code=code.strip().upper())
    found = _with_rank(user, mine).get(rating_list__league=league, rating_list__ruleset=ruleset)
    rows = Rating.objects.filter(rating_list=found.rating_list, player=found.player_id).order_by("period")
    return RatingHistory(rating_now(found, now), list(rows))


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """A rating at the end of a period, and the period's last match."""

    row: Rating
    last: date
    match_id: int | None

    @property
    def change(self) -> float:
        return self.row.rating - self.row.rating_before


def rating_curve(now: RatingNow) -> list[CurvePoint]:
    """List a player's ratings, every period with games, oldest first. Two statements."""
    one, mine = now.rating_list, now.player.pk
    rows = Rating.objects.filter(rating_list=one, player=mine).order_by("period")
    games = RatedGame.objects.filter(Q(first=mine) | Q(second=mine), rating_list=one).order_by("game__match")
    matches = dict(games.values_list("period", "game__match"))
    return [CurvePoint(row, last_day(row.period, one.period_days), matches.get(row.period)) for row in rows]


def explained(history: RatingHistory, rows: Iterable[Rating]) -> list[PeriodExplained]:
    """Explain these periods by their games, in their order. Two statements."""
    wanted, one, mine = list(rows), history.now.rating_list, history.now.player.pk
    periods = [row.period for row in wanted]
    games = list(
        RatedGame.objects.filter(Q(first=mine) | Q(second=mine), rating_list=one, period__in=periods)
        .select_related("game", "first", "second")
        .order_by("game__match", "game__number")
    )
    met = {key for game in games for key in (game.first_id, game.second_id)}
    others = {
        (row.player_id, row.period): strength_before(row)
        for row in Rating.objects.filter(rating_list=one, period__in=periods, player__in=met)
    }
    before = {row.period: last.period for last, row in zip(history.rows, history.rows[1:], strict=False)}
    return [_period(row, one, [game for game in games if game.period == row.period], others, before) for row in wanted]


def _period(
    row: Rating,
    one: RatingList,
    games: Iterable[RatedGame],
    others: Mapping[tuple[int, int], Strength],
    before: Mapping[int, int],
) -> PeriodExplained:
    return PeriodExplained(
        first=first_day(row.period, one.period_days),
        last=last_day(row.period, one.period_days),
        before=strength_before(row),
        after=strength_after(row),
        pause=row.period - before[row.period] - 1 if row.period in before else 0,
        games=[_game(game, row, others) for game in games],
    )


def _game(game: RatedGame, row: Rating, others: Mapping[tuple[int, int], Strength]) -> GameExplained:
    is_first = game.first_id == row.player_id
    opponent = game.second if is_first else game.first
    strength = others[opponent.pk, row.period]
    return GameExplained(
        match_id=game.game.match_id,
        number=game.game.number,
        opponent=opponent,
        strength=strength,
        expected=expected(strength_before(row), strength),
        points=(game.points if is_first else WON - game.points) / WON,
    )

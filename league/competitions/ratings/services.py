"""Rating lists: the games that count, and the ratings computed from them.

`recompute` rebuilds a list from the results at any time. After a match is decided, or its result changes, `rate_match`
finds the differences only, and recomputes from the earliest different period on. It gives the same numbers as a
rebuild, bit by bit, because a period depends only on its games and on earlier periods.
"""

import logging
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from itertools import islice
from typing import Any
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import Exists, Min, OuterRef, QuerySet, Subquery
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.rulesets import RULESETS
from league.accounts.models import League, User
from league.accounts.permissions import Act, check_may
from league.competitions.models import Competition, RatedGame, Rating, RatingList
from league.competitions.ratings.glicko2 import LEVEL, LOST, WON, Held, RatedBout, Scheme, Step, Strength, steps
from league.errors import Refused
from league.matches.models import KnownBy, Match, Record, Result, Side
from league.matches.partners import SeatHolders, seat_holders
from league.players.models import PEOPLE

log = logging.getLogger(__name__)

BATCH = 500
MONDAY = date(1970, 1, 5).toordinal()
BY_FORFEIT = "forfeit"
# Allowed settings of a list: beyond these the search for a volatility is slow or meaningless.
BOUNDS: Mapping[str, tuple[float, float]] = {
    "period_days": (1, 366),
    "start_rating": (0, 5000),
    "start_deviation": (30, 1000),
    "start_volatility": (0.001, 1),
    "tau": (0.1, 2),
}


@dataclass(frozen=True, slots=True)
class Counted:
    """A counted game, as far as ratings need it."""

    period: int
    first: int
    second: int
    points: int


Games = Mapping[int, Counted]

# --- Counted games ---


def period_of(at: datetime, zone: str, days: int) -> int:
    return (at.astimezone(ZoneInfo(zone)).date().toordinal() - MONDAY) // days


def first_day(period: int, days: int) -> date:
    return date.fromordinal(MONDAY + period * days)


def rated_results(league: int, ruleset: str) -> QuerySet[Result]:
    """Select official results of decided matches in rated competitions.

    Without rulings and forfeited games: these were not played.
    """
    return Result.objects.filter(
        current=True,
        state=Result.State.OFFICIAL,
        game__match__league=league,
        game__match__ruleset=ruleset,
        game__match__state=Match.State.DECIDED,
        game__match__published_at__isnull=False,
        game__match__slot__matchday__stage__competition__rated=True,
    ).exclude(known_by=KnownBy.RULED).exclude(ended=BY_FORFEIT)  # fmt: skip


def counted(one: RatingList, match: int | None = None) -> Games:
    """Give the counted games by key, of one match or of all. Two statements.

    In a pair each game counts for the partner who played it.

    A game belongs to the period of its first submission, so an amended result stays in the period when it was played.
    """
    results = rated_results(one.league_id, one.ruleset)
    if match is not None:
        results = results.filter(game__match=match)
    holders: dict[int, dict[int, SeatHolders]] = defaultdict(dict)
    players: dict[str, int] = {}
    of_matches = Side.objects.filter(match__in=results.order_by().values("game__match"))
    who = of_matches.values_list("match", "number", "opener", *PEOPLE, *(f"{one}__code" for one in PEOPLE))
    for key, number, opener, player, partner, code, other in who:
        holders[key][number] = seat_holders(number, opener, code, other)
        players |= {code: player, other: partner}
    records = Record.objects.filter(withdrawn_at=None, game=OuterRef("game")).order_by().values("game")
    rows = results.order_by().annotate(hour=Subquery(records.annotate(hour=Min("submitted_at")).values("hour")))
    found = {}
    for game, key, number, named, winner, hour in rows.values_list(
        "game", "game__match", "game__number", "record__partners", "winner", "hour"
    ):
        sides = {side.number: players[side.of_game(number, named)] for side in holders[key].values()}
        # Games without both sides were decided after the sides were read; they have their own signal.
        if len(set(sides.values())) == 2 and len(sides) == 2:
            period = period_of(hour, one.league.time_zone, one.period_days)
            first, second = (sides[number] for number in sorted(sides))
            found[game] = Counted(period, first, second, _points(winner, sides))
    return found


def _points(winner: int | None, sides: Mapping[int, int]) -> int:
    if winner is None:
        return LEVEL
    return WON if winner == min(sides) else LOST


def stored(one: RatingList, match: int | None = None) -> Games:
    rows = RatedGame.objects.filter(rating_list=one).order_by()
    if match is not None:
        rows = rows.filter(game__match=match)
    return {key: Counted(*row) for key, *row in rows.values_list("game", "period", "first", "second", "points")}


# --- Verbs ---


def rate_match(match_id: int) -> bool:
    """Update the ratings after a match was decided, amended or taken back.

    True if anything changed. Idempotent, safe to run concurrently.
    """
    facts = Match.objects.filter(pk=match_id).values_list("league", "ruleset").first()
    if facts is None:
        return False
    counts = rated_results(*facts).filter(game__match=match_id).exists()
    if not counts and not RatedGame.objects.filter(game__match=match_id).exists():
        return False
    return _bring_up(*facts, match_id)


def rate_league(league_id: int) -> int:
    """Update all lists of a league; return how many changed."""
    return sum(_bring_up(league_id, ruleset) for ruleset in rulesets_of(league_id))


def rulesets_of(league_id: int) -> list[str]:
    """List rulesets that have a rating list, or games that belong in one."""
    decided = Match.objects.filter(league=league_id, state=Match.State.DECIDED).order_by()
    known = set(RatingList.objects.filter(league=league_id).values_list("ruleset", flat=True))
    others = set(decided.values_list("ruleset", flat=True).distinct()) - known
    return sorted(known | {one for one in others if rated_results(league_id, one).exists()})


def rate_missed() -> int:
    """Catch up on all lists; return how many changed.

    Needed after a lost signal or a failed task, or when a name, a time zone or a competition changed without a signal.
    """
    done = 0
    for league in League.objects.filter(Exists(Match.objects.filter(league=OuterRef("pk")))).order_by("pk"):
        try:
            done += rate_league(league.pk)
        except Exception:
            log.exception("the ratings of league %d could not be brought up", league.pk)
    return done


@transaction.atomic
def _bring_up(league_id: int, ruleset: str, match: int | None = None) -> bool:
    one = locked_list(league_id, ruleset)
    now, before = counted(one, match), stored(one, match)
    differ = {game for game in now.keys() | before.keys() if now.get(game) != before.get(game)}
    if not differ:
        return False
    since = min(known[game].period for game in differ for known in (now, before) if game in known)
    _forget_games(differ & before.keys())
    _keep_games(one, {game: now[game] for game in differ & now.keys()})
    _compute(one, since)
    return True


@transaction.atomic
def recompute(league: League, ruleset: str) -> int:
    """Rebuild games, ratings and history of a list from the results.

    Returns the number of counted games.
    """
    one = locked_list(league.pk, ruleset)
    RatedGame.objects.filter(rating_list=one).delete()
    Rating.objects.filter(rating_list=one).delete()
    games = counted(one)
    _keep_games(one, games)
    _compute(one, None)
    return len(games)


def locked_list(league_id: int, ruleset: str) -> RatingList:
    """Lock a list until the end of the transaction; create it if missing."""
    RatingList.objects.get_or_create(league_id=league_id, ruleset=ruleset)
    lists = RatingList.objects.select_for_update(of=("self",)).select_related("league")
    return lists.get(league=league_id, ruleset=ruleset)


@transaction.atomic
def set_up(league: League, ruleset: str, *, user: User, **settings: float) -> RatingList:
    """Change the settings of a list (the keys of `BOUNDS`), and recompute it.

    Raises NotAllowed, and Refused `unknown-ruleset`, `bad-rating-setting`.
    """
    check_may(user, Act.MANAGE_COMPETITIONS, league)
    if ruleset not in RULESETS:
        raise Refused("unknown-ruleset", _("No ruleset is called “%(ruleset)s”."), ruleset=ruleset)
    for name, value in settings.items():
        low, high = BOUNDS[name]
        if not low <= value <= high:
            raise Refused(
                "bad-rating-setting",
                _("%(name)s lies between %(low)s and %(high)s."),
                name=RatingList._meta.get_field(name).verbose_name,  # type: ignore[union-attr]
                low=low,
                high=high,
            )
    one = locked_list(league.pk, ruleset)
    RatingList.objects.filter(pk=one.pk).update(**settings)
    recompute(league, ruleset)
    return RatingList.objects.get(pk=one.pk)


@transaction.atomic
def count_for_ratings(competition: Competition, *, user: User, rated: bool) -> None:
    """Set whether a competition's games are rated, at any time. Raises NotAllowed."""
    check_may(user, Act.MANAGE_COMPETITIONS, competition.league)
    if Competition.objects.filter(pk=competition.pk).exclude(rated=rated).update(rated=rated):
        _bring_up(competition.league_id, competition.ruleset)


# --- Computing ---


def scheme_of(one: RatingList) -> Scheme:
    return Scheme(Strength(one.start_rating, one.start_deviation, one.start_volatility), one.tau)


def _compute(one: RatingList, since: int | None) -> None:
    """Recompute the rows from a period on, or all rows without one."""
    bouts, old = RatedGame.objects.filter(rating_list=one), Rating.objects.filter(rating_list=one)
    if since is not None:
        bouts, old = bouts.filter(period__gte=since), old.filter(period__gte=since)
    affected = set(old.order_by().values_list("player", flat=True))
    old.delete()
    made = list(steps(_bouts(bouts), _held(one, since), scheme_of(one)))
    last = {step.player: step.period for step in made}
    _take_latest(one, last)
    rows = (rating_row(one, step, latest=last[step.player] == step.period) for step in made)
    while part := list(islice(rows, BATCH)):
        Rating.objects.bulk_create(part)
    _give_latest(one, affected - last.keys())
    RatingList.objects.filter(pk=one.pk).update(changed_at=timezone.now())


def _bouts(rows: QuerySet[RatedGame]) -> Iterable[RatedBout]:
    return [RatedBout(*row) for row in rows.order_by().values_list("period", "first", "second", "points")]


def _held(one: RatingList, since: int | None) -> Mapping[int, Held]:
    """Give the strengths before a period of all earlier players."""
    if since is None:
        return {}
    return {
        player: Held(Strength(*numbers), period, played)
        for player, period, played, *numbers in _before(one, since).values_list(
            "player", "period", "played", "rating", "deviation", "volatility"
        )
    }


def _before(one: RatingList, since: int) -> QuerySet[Rating]:
    """Select each player's last row before a period."""
    rows = Rating.objects.filter(rating_list=one, period__lt=since).order_by()
    return rows.exclude(Exists(rows.filter(player=OuterRef("player"), period__gt=OuterRef("period"))))


def rating_row(one: RatingList, step: Step, *, latest: bool) -> Rating:
    return Rating(
        rating_list=one,
        player_id=step.player,
        period=step.period,
        rating_before=step.before.rating,
        deviation_before=step.before.deviation,
        volatility_before=step.before.volatility,
        rating=step.after.rating,
        deviation=step.after.deviation,
        volatility=step.after.volatility,
        games=step.games,
        played=step.played,
        latest=latest,
    )


def _take_latest(one: RatingList, players: Iterable[int]) -> None:
    for part in _parts(players):
        Rating.objects.filter(rating_list=one, latest=True, player__in=part).update(latest=False)


def _give_latest(one: RatingList, players: Iterable[int]) -> None:
    """Restore the `latest` mark for players without a game from the period on."""
    rows = Rating.objects.filter(rating_list=one).order_by()
    for part in _parts(players):
        found = rows.filter(player__in=part).values_list("player", "pk").order_by("period")
        Rating.objects.filter(pk__in=dict(found).values()).update(latest=True)


def _forget_games(games: Iterable[int]) -> None:
    for part in _parts(games):
        RatedGame.objects.filter(game__in=part).delete()


def _keep_games(one: RatingList, games: Games) -> None:
    rows = (
        RatedGame(
            rating_list=one,
            game_id=game,
            period=found.period,
            first_id=found.first,
            second_id=found.second,
            points=found.points,
        )
        for game, found in sorted(games.items())
    )
    while part := list(islice(rows, BATCH)):
        RatedGame.objects.bulk_create(part)


def _parts(keys: Iterable[int]) -> Iterable[list[int]]:
    rest = iter(sorted(keys))
    while part := list(islice(rest, BATCH)):
        yield part


# --- Checking ---

COLUMNS = tuple(field.attname for field in Rating._meta.concrete_fields if not field.primary_key)
# The last bit of a logarithm may differ between machines; a millionth of a point is invisible.
SAME = 1e-6


def size(one: RatingList) -> tuple[int, int]:
    """Count rated games, and players with a rating."""
    mine = {"rating_list__league": one.league_id, "rating_list__ruleset": one.ruleset}
    return RatedGame.objects.filter(**mine).count(), Rating.objects.filter(**mine, latest=True).count()


def differences(one: RatingList) -> list[str]:
    """Describe differences between a stored list and a rebuild. Nothing is written."""
    now, before = counted(one), stored(one) if one.pk else {}
    wrong = [
        f"game {game}: counted {before.get(game)}, should be {now.get(game)}"
        for game in sorted(now.keys() | before.keys())
        if now.get(game) != before.get(game)
    ]
    bouts = [RatedBout(one.period, one.first, one.second, one.points) for one in now.values()]
    made = list(steps(bouts, {}, scheme_of(one)))
    last = {step.player: step.period for step in made}
    should = {
        (step.player, step.period): _numbers(rating_row(one, step, latest=last[step.player] == step.period))
        for step in made
    }
    have = {(row.player_id, row.period): _numbers(row) for row in _rows(one)}
    return wrong + [
        f"player {player}, period {period}: {have.get((player, period))}, should be {should.get((player, period))}"
        for player, period in sorted(should.keys() | have.keys())
        if not _alike(have.get((player, period)), should.get((player, period)))
    ]


def _rows(one: RatingList) -> QuerySet[Rating]:
    return Rating.objects.filter(rating_list=one) if one.pk else Rating.objects.none()


def _numbers(row: Rating) -> dict[str, Any]:
    return {name: getattr(row, name) for name in COLUMNS}


def _alike(one: Mapping[str, Any] | None, other: Mapping[str, Any] | None) -> bool:
    return one is not None and other is not None and all(abs(one[name] - other[name]) <= SAME for name in COLUMNS)

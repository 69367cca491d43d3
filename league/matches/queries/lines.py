"""Match lines for lists: sides and score in one line.

Four statements for any number of matches.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple, Protocol

from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, F, OuterRef, Prefetch, QuerySet, prefetch_related_objects

from league.accounts.models import League
from league.accounts.permissions import Asker
from league.matches.knowledge_level import Known, known_as, least
from league.matches.live_score import LiveScore, live_of
from league.matches.models import Game, KnownBy, Match, Record, Result, Side
from league.matches.results.match_outcome import GameOutcome, places, provisional_standing, sole_first
from league.players.models import PEOPLE, Entrant
from league.players.permissions import hides_table, staff_leagues
from league.players.shown import Person, Who, who, who_values
from league.prepared_statements import FixedSelects

OUTSIDER = AnonymousUser()


@dataclass(frozen=True, slots=True)
class GameScore:
    """The current result of one game: points and winner by side, and its source.

    `forfeited`: ruled without play.
    """

    number: int
    points: dict[int, int]
    outcome: GameOutcome
    known: Known
    contested: bool
    forfeited: bool = False
    amended: bool = False


def people_of(entrant: Entrant) -> tuple[Person, ...]:
    return Who(entrant.players).people


@dataclass(frozen=True, slots=True)
class SideScore:
    """One side of a line; `people` are one or, for a pair, two.

    `apart` distinguishes namesakes. `score` is printed beside the name: points in a single game, else games won; None
    before any result. `place`: at a table of more than two, by the games so far.
    """

    number: int
    entrant_id: int
    name: str
    code: str
    apart: str
    points: list[int]
    games_won: int
    score: int | None
    won: bool
    place: int | None = None
    people: tuple[Person, ...] = ()

    @property
    def codes(self) -> tuple[str, ...]:
        return tuple(one.code for one in self.people)


@dataclass(frozen=True, slots=True)
class MatchLine:
    """One match in a list.

    `table` is empty if it is hidden from the asker. `contested`: two entries of a game differ. `checking`: a log waits
    for its verdict. `no_result`: a game has logs, but no result. `live`: the running score of a tally. `void`: it
    depended on a result that was amended, and does not count. `accessible`, `on_stream`: shown of its table.
    """

    id: int
    league: League
    table: str
    starts_at: datetime | None
    state: str
    best_of: int
    sides: list[SideScore]
    needs_decision: bool
    contested: bool
    checking: bool
    no_result: bool
    games: list[GameScore] = field(repr=False)
    live: LiveScore | None = None
    void: bool = False
    accessible: bool = False
    on_stream: bool = False

    @property
    def amended(self) -> bool:
        """Whether an official result of it was amended."""
        return any(game.amended for game in self.games)

    @property
    def names(self) -> str:
        """The names of its sides: “Ana – Hugo”."""
        return " – ".join(side.name for side in self.sides)

    @property
    def game_now(self) -> int:
        """The number of the game in play, or of the last one."""
        return min(len(self.games) + 1, self.best_of)

    @property
    def time_zone(self) -> str:
        return self.league.time_zone

    @property
    def known(self) -> Known | None:
        """Source of its result: the lowest level of its games. None before any result."""
        return least(game.known for game in self.games)


def needed() -> "list[Prefetch[Any]]":
    """Return the prefetches of a line, besides league and table."""
    return [
        Prefetch("sides", Side.objects.select_related(*PEOPLE).order_by("number")),
        Prefetch("games", Game.objects.annotate(**logs_of()).order_by("number")),
        Prefetch(
            "games__results",
            Result.objects.filter(current=True)
            .select_related("record", "confirmed_by")
            .annotate(verdict_status=F("record__verdict__status")),
            to_attr="current_results",
        ),
    ]


def logs_of() -> dict[str, Exists]:
    """Annotate a game: it has logs, or one that waits for its verdict.

    No extra statement.
    """
    logs = Record.objects.filter(game=OuterRef("pk"), kind=KnownBy.LOG)
    return {"has_log": Exists(logs), "has_unchecked_log": Exists(logs.filter(state=Record.State.RECEIVED))}


def match_lines(matches: QuerySet[Match] | Sequence[Match], user: Asker = OUTSIDER) -> list[MatchLine]:
    """Return the lines in the order given, from a queryset or the matches of a page.

    `user`: outsiders do not see the table of a minor. One statement more for signed-in users if a minor plays.
    """
    if isinstance(matches, QuerySet):
        matches = matches.select_related("league", "table")
    rows = list(matches)
    prefetch_related_objects(rows, "league", "table")
    seated, games = _sides_in(rows), _games_in(rows)
    minors = {match.pk for match in rows if _of_minors(match, seated.get(match.pk, ()))}
    staff_of = staff_leagues(user) if minors else frozenset()
    return [
        _line(match, seated.get(match.pk, ()), games.get(match.pk, ()), _Asks(user, staff_of, match.pk in minors))
        for match in rows
    ]


def line_of(match: Match, user: Asker = OUTSIDER, staff_of: frozenset[int] = frozenset()) -> MatchLine:
    """Return the line of a match with `needed()` loaded. No statement.

    `staff_of`: the leagues where the asker is staff.
    """
    sides = _sides(match)
    return _line(match, sides, _games(match), _Asks(user, staff_of, _of_minors(match, sides)))


class _Side(NamedTuple):
    number: int
    entrant_id: int
    who: Who


class _Game(NamedTuple):
    """One game of a line.

    `tally`: its stored running score, None without; `score`: None before any result.
    """

    number: int
    tally: Mapping[str, Any] | None
    has_log: bool
    has_unchecked_log: bool
    score: GameScore | None


class _Asks(NamedTuple):
    user: Asker
    staff_of: frozenset[int]
    of_minors: bool


def _of_minors(match: Match, sides: Iterable[_Side]) -> bool:
    """Return whether the match is open and has a minor at a table."""
    is_open = match.table_id is not None and match.state != Match.State.DECIDED
    return is_open and any(side.who.is_minor for side in sides)


def _sides(match: Match) -> list[_Side]:
    return [_Side(one.number, one.entrant_id, Who(one.entrant.players)) for one in match.sides.all()]


def _games(match: Match) -> list[_Game]:
    return [
        _Game(one.number, one.tally, one.has_log, one.has_unchecked_log, _score_of(one)) for one in match.games.all()
    ]


def _score_of(game: Game) -> GameScore | None:
    if not game.current_results:
        return None
    one = game.current_results[0]
    return _game_score(game.number, *(getattr(one, name) for name in (*_RESULT, "verdict_status")))


def _sides_in(matches: Sequence[Match]) -> dict[int, list[_Side]]:
    """Return the sides by match, as plain values. One statement."""
    found: dict[int, list[_Side]] = {}
    people: dict[int, Who] = {}
    for match, number, entrant, *values in SIDES.rows(match.pk for match in matches):
        person = people.get(entrant) or people.setdefault(entrant, who(values))
        found.setdefault(match, []).append(_Side(number, entrant, person))
    return found


def _games_in(matches: Sequence[Match]) -> dict[int, list[_Game]]:
    """Return the games by match, as plain values. Two statements, one without games."""
    games = GAMES.rows(match.pk for match in matches)
    results = {game: told for game, *told in RESULTS.rows(game for _match, game, *_rest in games)}
    found: dict[int, list[_Game]] = {}
    for match, game, number, tally, has_log, unchecked in games:
        score = _game_score(number, *results[game]) if game in results else None
        found.setdefault(match, []).append(_Game(number, tally, has_log, unchecked, score))
    return found


# The columns of a result needed for its score.
_RESULT = ("winner", "scores", "state", "needs_decision", "contested", "known_by", "ended", "confirmed_how")
SIDES = FixedSelects(
    lambda matches: (
        Side.objects.filter(match__in=matches)
        .order_by("match", "number")
        .values_list("match", "number", "entrant", *who_values())
    )
)
GAMES = FixedSelects(
    lambda matches: (
        Game.objects.filter(match__in=matches)
        .annotate(**logs_of())
        .order_by("match", "number")
        .values_list("match", "pk", "number", "tally", *logs_of())
    )
)
RESULTS = FixedSelects(
    lambda games: (
        Result.objects.filter(current=True, game__in=games)
        .order_by()
        .values_list("game", *_RESULT, "record__verdict__status")
    )
)


def _line(match: Match, sides: Sequence[_Side], games: Sequence[_Game], asks: _Asks) -> MatchLine:
    players = [player for side in sides for player in side.who.players]
    hidden = asks.of_minors and hides_table(asks.user, match.league_id, players, asks.staff_of)
    scores = [game.score for game in games if game.score]
    at = places_of([side.number for side in sides], scores)
    winner = winner_of(match.best_of, scores, at)
    return MatchLine(
        id=match.pk,
        league=match.league,
        table=match.table.name if match.table and not hidden else "",
        starts_at=match.starts_at,
        state=match.state,
        best_of=match.best_of,
        sides=[_side_score(side, scores, match.best_of, winner, at.get(side.number)) for side in sides],
        needs_decision=any(score.outcome.needs_decision for score in scores),
        contested=any(score.contested for score in scores),
        checking=any(game.has_unchecked_log for game in games),
        no_result=any(game.has_log and not game.score for game in games),
        games=scores,
        live=live_of(games) if match.published_at else None,
        void=match.voided_by_id is not None,
        accessible=match.table is not None and match.table.accessible and not hidden,
        on_stream=match.table is not None and match.table.stream and not hidden,
    )


def _game_score(number: int, *result: Any) -> GameScore:
    winner, scores, state, undecided, contested, known_by, ended, confirmed_how, verdict = result
    return GameScore(
        number=number,
        points=by_side(scores),
        outcome=GameOutcome(winner, official=state == Result.State.OFFICIAL, needs_decision=undecided),
        known=known_as(known_by, verdict),
        contested=contested,
        forfeited=known_by == KnownBy.RULED and ended == "forfeit",
        amended=confirmed_how == Result.Confirmation.AMENDED,
    )


def by_side(scores: dict[str, int]) -> dict[int, int]:
    return {int(number): points for number, points in scores.items()}


class Scored(Protocol):
    """A game with the points of each side and its outcome."""

    @property
    def points(self) -> Mapping[int, int]: ...

    @property
    def outcome(self) -> GameOutcome: ...


def places_of(sides: Sequence[int], games: Sequence[Scored]) -> dict[int, int]:
    """Return places by side in the games so far; empty for a match of two sides."""
    if len(sides) == 2 or not games:
        return {}
    won = Counter(game.outcome.winner for game in games)
    made = {side: sum(game.points.get(side, 0) for game in games) for side in sides}
    return places({side: won[side] for side in sides}, made)


def winner_of(best_of: int, games: Sequence[Scored], at: Mapping[int, int]) -> int | None:
    """Return the winning side, provisional or not. `at`: the places of `places_of`."""
    end = provisional_standing(best_of, [game.outcome for game in games], sides=len(at) or 2)
    return sole_first(at) if at and end.over else end.winner


def _side_score(
    side: _Side, games: Iterable[GameScore], best_of: int, winner: int | None, place: int | None
) -> SideScore:
    points = [game.points.get(side.number, 0) for game in games]
    won = sum(game.outcome.winner == side.number for game in games)
    score = (points[0] if best_of == 1 else won) if points else None
    return SideScore(
        number=side.number,
        entrant_id=side.entrant_id,
        name=side.who.name,
        code=side.who.code,
        apart=side.who.apart,
        people=side.who.people,
        points=points,
        games_won=won,
        score=score,
        won=winner == side.number,
        place=place,
    )

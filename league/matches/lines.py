"""A match as lists show it: one line with its sides and score. Four statements for any number of matches."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, F, OuterRef, Prefetch, QuerySet, prefetch_related_objects

from league.accounts.models import League
from league.accounts.permissions import Asker
from league.matches.deciding import GameOutcome, places, provisional_standing, sole_first
from league.matches.known import Known, known_as, least
from league.matches.live_score import LiveScore, live_of
from league.matches.models import Game, KnownBy, Match, Record, Result, Side
from league.players.models import PEOPLE, Entrant
from league.players.permissions import hides_table, staff_leagues

OUTSIDER = AnonymousUser()


@dataclass(frozen=True, slots=True)
class GameScore:
    """The current result of one game: points and winner by number of the side, and how well it is known. `forfeited`:
    ruled so without play.
    """

    number: int
    points: dict[int, int]
    outcome: GameOutcome
    known: Known
    contested: bool
    forfeited: bool = False
    amended: bool = False


@dataclass(frozen=True, slots=True)
class Person:
    """One of those who play for an entrant, as everybody may read it."""

    name: str
    code: str
    apart: str


def people_of(entrant: Entrant) -> tuple[Person, ...]:
    return tuple(Person(str(player), player.code, player.apart) for player in entrant.players)


@dataclass(frozen=True, slots=True)
class SideScore:
    """One side of a line; `people` are one or, of a pair, two. `apart` tells the name from a namesake's. `score` is
    what is printed beside the name: points in a single game, else games won; None before any result. `place`: at a
    table of more than two, by the games so far.
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
    """`table` is empty where the asker must not learn it. `contested`: two entries of a game differ. `checking`: a log
    waits for its verdict. `no_result`: a game has logs, and none of them gave a result. `live`: the running score of a
    tally. `void`: it rested on a result that was amended, and counts for nothing. `accessible`, `on_stream`: what is
    told of its table.
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
        """Whether an official result of it was changed into the one that counts."""
        return any(game.amended for game in self.games)

    @property
    def time_zone(self) -> str:
        return self.league.time_zone

    @property
    def known(self) -> Known | None:
        """How well its result is known: as well as the game of which least is known. None before any result."""
        return least(game.known for game in self.games)


def needed() -> list[Prefetch]:
    """What a line needs of a match beside its league and table."""
    return [
        Prefetch("sides", Side.objects.select_related(*PEOPLE).order_by("number")),
        Prefetch("games", Game.objects.annotate(**_logs()).order_by("number")),
        Prefetch(
            "games__results",
            Result.objects.filter(current=True)
            .select_related("record", "confirmed_by")
            .annotate(verdict_status=F("record__verdict__status")),
            to_attr="current_results",
        ),
    ]


def _logs() -> dict[str, Exists]:
    """Whether a game has logs, and one that waits for its verdict; as subqueries, so they cost no statement."""
    logs = Record.objects.filter(game=OuterRef("pk"), kind=KnownBy.LOG)
    return {"has_log": Exists(logs), "has_unchecked_log": Exists(logs.filter(state=Record.State.RECEIVED))}


def match_lines(matches: QuerySet[Match] | Sequence[Match], user: Asker = OUTSIDER) -> list[MatchLine]:
    """In the order given. Give a queryset, or the matches of a page, and who asks: outsiders do not learn where a minor
    sits. One statement more for whoever is signed in, where a minor plays.
    """
    if isinstance(matches, QuerySet):
        matches = matches.select_related("league", "table")
    rows = list(matches)
    prefetch_related_objects(rows, "league", "table", *needed())
    staff_of = staff_leagues(user) if any(_of_minors(match) for match in rows) else frozenset()
    return [line_of(match, user, staff_of) for match in rows]


def _of_minors(match: Match) -> bool:
    """An open match in which a minor sits at a table."""
    is_open = match.table_id is not None and match.state != Match.State.DECIDED
    return is_open and any(side.entrant.is_minor for side in match.sides.all())


def line_of(match: Match, user: Asker = OUTSIDER, staff_of: frozenset[int] = frozenset()) -> MatchLine:
    """From a match whose `needed()` is loaded, for an asker who is of the staff of these leagues: no statement."""
    sides = list(match.sides.all())
    players = [player for side in sides for player in side.entrant.players]
    hidden = _of_minors(match) and hides_table(user, match.league_id, players, staff_of)
    games = [_game_score(game) for game in match.games.all() if game.current_results]
    at = _places(sides, games)
    winner = _winner(match.best_of, games, at)
    return MatchLine(
        id=match.pk,
        league=match.league,
        table=match.table.name if match.table and not hidden else "",
        starts_at=match.starts_at,
        state=match.state,
        best_of=match.best_of,
        sides=[_side_score(side, games, match.best_of, winner, at.get(side.number)) for side in sides],
        needs_decision=any(game.outcome.needs_decision for game in games),
        contested=any(game.contested for game in games),
        checking=any(game.has_unchecked_log for game in match.games.all()),
        no_result=any(game.has_log and not game.current_results for game in match.games.all()),
        games=games,
        live=live_of(match.games.all()) if match.published_at else None,
        void=match.voided_by_id is not None,
        accessible=match.table is not None and match.table.accessible and not hidden,
        on_stream=match.table is not None and match.table.stream and not hidden,
    )


def _game_score(game: Game) -> GameScore:
    result = game.current_results[0]
    outcome = GameOutcome(
        winner=result.winner,
        official=result.state == Result.State.OFFICIAL,
        needs_decision=result.needs_decision,
    )
    known = known_as(result.known_by, result.verdict_status)
    forfeited = result.known_by == KnownBy.RULED and result.ended == "forfeit"
    amended = result.confirmed_how == Result.Confirmation.AMENDED
    return GameScore(game.number, by_side(result.scores), outcome, known, result.contested, forfeited, amended)


def by_side(scores: dict[str, int]) -> dict[int, int]:
    return {int(number): points for number, points in scores.items()}


def _places(sides: Sequence[Side], games: Sequence[GameScore]) -> dict[int, int]:
    """By the games so far; of a match between two there are none to tell."""
    if len(sides) == 2 or not games:
        return {}
    won = Counter(game.outcome.winner for game in games)
    made = {side.number: sum(game.points.get(side.number, 0) for game in games) for side in sides}
    return places({side.number: won[side.number] for side in sides}, made)


def _winner(best_of: int, games: Sequence[GameScore], at: Mapping[int, int]) -> int | None:
    end = provisional_standing(best_of, [game.outcome for game in games], sides=len(at) or 2)
    return sole_first(at) if at and end.over else end.winner


def _side_score(
    side: Side, games: Iterable[GameScore], best_of: int, winner: int | None, place: int | None
) -> SideScore:
    points = [game.points.get(side.number, 0) for game in games]
    won = sum(game.outcome.winner == side.number for game in games)
    score = (points[0] if best_of == 1 else won) if points else None
    return SideScore(
        number=side.number,
        entrant_id=side.entrant_id,
        name=str(side.entrant),
        code=side.entrant.code,
        apart=side.entrant.apart,
        people=people_of(side.entrant),
        points=points,
        games_won=won,
        score=score,
        won=winner == side.number,
        place=place,
    )

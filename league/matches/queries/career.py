"""Career: a player's results and figures over a set of matches.

One statement for any number of matches.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby
from typing import Any

from django.db.models import F, QuerySet

from league.matches.models import KnownBy, Match, Result
from league.matches.partners import seat_holders
from league.matches.queries.lines import by_side, places_of, winner_of
from league.matches.results.match_outcome import GameOutcome, provisional_standing
from league.players.models import Entrant
from referee.figures import NAMES, SeatFigures

FORM = 5
# Until then an official result can be appealed; a renege proved by it is shown afterwards.
APPEAL = timedelta(days=7)

RESULT = (
    "game__match",
    "game__match__best_of",
    "game__match__state",
    "game__number",
    "winner",
    "scores",
    "state",
    "needs_decision",
    "known_by",
    "confirmed_at",
    "record__seats",
    "record__partners",
    "record__verdict__figures",
    "game__match__sides__number",
    "game__match__sides__opener",
    "game__match__sides__entrant__player__code",
    "game__match__sides__entrant__partner__code",
)


@dataclass(frozen=True, slots=True)
class GamesKnown:
    """Sources of the games played by the player, not by the partner.

    `games` have a result; `by_level` counts them by source, best first. Events within a game are known only for those
    `from_log`.
    """

    games: int
    by_level: list[tuple[str, int]]
    from_log: int


@dataclass(frozen=True, slots=True)
class Sums:
    """Figures of the games with a log, added up, and their averages; None if unknown."""

    sums: SeatFigures

    @property
    def missed(self) -> int:
        return self.sums.counts - self.sums.called

    @property
    def average_count(self) -> float | None:
        return _share(self.sums.worth, self.sums.counts)

    @property
    def points_a_round(self) -> float | None:
        return _share(self.sums.points, self.sums.rounds)

    @property
    def seconds_a_move(self) -> float | None:
        return _share(self.sums.tenths / 10, self.sums.timed)

    @property
    def opening_percent(self) -> float | None:
        return _share(100 * self.sums.opened, self.sums.openings)

    @property
    def left_a_round(self) -> float | None:
        return _share(self.sums.left, self.sums.rounds)

    @property
    def called_percent(self) -> float | None:
        return _share(100 * self.sums.called, self.sums.counts)


def _share(part: float, whole: int) -> float | None:
    return part / whole if whole else None


@dataclass(frozen=True, slots=True)
class Career:
    """Career over the finished matches, alone and in pairs, provisional ones included.

    `form` has the latest last. `sums` are of the games played by the player, not by the partner. `reneges`: proved this
    year, in games whose time of appeal is over.
    """

    played: int
    won: int
    lost: int
    points_for: int
    points_against: int
    form: list[str]
    known: GamesKnown
    sums: Sums
    reneges: int

    @property
    def drawn(self) -> int:
        return self.played - self.won - self.lost

    @property
    def difference(self) -> int:
        return self.points_for - self.points_against


@dataclass(frozen=True, slots=True)
class OwnGame:
    """A game of the player's side `own`; `mine`: not played by the partner."""

    match_id: int
    best_of: int
    to_come: bool
    own: int
    mine: bool
    points: dict[int, int]
    outcome: GameOutcome
    known_by: str
    official_since: datetime | None
    figures: SeatFigures | None


def career(own: QuerySet[Entrant], matches: QuerySet[Match], now: datetime, *, code: str = "") -> Career:
    """Return the career of these entrants over these matches; others are ignored.

    `code`: of a player, to separate their games from those of the partner in a pair. Two statements, and one for each
    log of a pair that names a player merged since.
    """
    return career_of(own_games(own, matches, code), now)


def career_of(games: Sequence[OwnGame], now: datetime) -> Career:
    """Return the career over these games, in the order of `own_games`."""
    ends = [end for _match, own in groupby(games, key=lambda one: one.match_id) if (end := _end(list(own)))]
    mine = [game for game in games if game.mine]
    levels = Counter(game.known_by for game in mine)
    outcomes = [outcome for outcome, _for, _against in ends]
    return Career(
        played=len(ends),
        won=outcomes.count("W"),
        lost=outcomes.count("L"),
        points_for=sum(made for _outcome, made, _given in ends),
        points_against=sum(given for _outcome, _made, given in ends),
        form=outcomes[-FORM:],
        known=GamesKnown(
            games=len(mine),
            by_level=[(level.value, levels[level]) for level in KnownBy if levels[level]],
            from_log=sum(game.figures is not None for game in mine),
        ),
        sums=Sums(added_up(game.figures for game in mine if game.figures)),
        reneges=sum(game.figures.reneges for game in mine if game.figures and _is_past_appeal(game, now)),
    )


def _is_past_appeal(game: OwnGame, now: datetime) -> bool:
    since = game.official_since
    return since is not None and since.year == now.year and since <= now - APPEAL


def added_up(figures: Iterable[SeatFigures]) -> SeatFigures:
    found = SeatFigures()
    for one in figures:
        for name in NAMES:
            setattr(found, name, getattr(found, name) + getattr(one, name))
    return found


def own_games(own: QuerySet[Entrant], matches: QuerySet[Match], code: str) -> list[OwnGame]:
    """Return the games with a result, in the order of time and game number."""
    results = Result.objects.filter(
        current=True,
        game__match__in=matches.order_by().values("pk"),
        # As keys: with so many joined tables PostgreSQL would run a subquery last, and read every match first.
        game__match__sides__entrant__in=list(own.order_by().values_list("pk", flat=True)),
    ).order_by(F("game__match__starts_at").asc(nulls_first=True), "game__match", "game__number")
    return [_own_game(code, *row) for row in results.values_list(*RESULT)]


def _own_game(
    code: str,
    match_id: int,
    best_of: int,
    match_state: str,
    number: int,
    winner: int | None,
    scores: dict[str, int],
    state: str,
    needs_decision: bool,
    known_by: str,
    confirmed_at: datetime | None,
    seats: dict[str, int],
    partners: dict[str, str],
    figures: dict[str, Any] | None,
    *side: Any,
) -> OwnGame:
    holders = seat_holders(*side)
    official = state == Result.State.OFFICIAL
    seat = next((letter for letter, one in seats.items() if one == holders.number), "")
    return OwnGame(
        match_id=match_id,
        best_of=best_of,
        to_come=match_state == Match.State.SCHEDULED,
        own=holders.number,
        mine=not code or holders.of_game(number, partners) == code,
        points=by_side(scores),
        outcome=GameOutcome(winner, official, needs_decision),
        known_by=known_by,
        official_since=confirmed_at if official else None,
        figures=SeatFigures(**figures[seat]) if figures and seat in figures else None,
    )


def _end(games: Sequence[OwnGame]) -> tuple[str, int, int] | None:
    """Return W, D or L of a finished match, and the points of both sides.

    At a table of more than two only sides that share the first place have drawn.
    """
    one = games[0]
    sides = list(one.points)
    over = provisional_standing(one.best_of, [game.outcome for game in games], sides=len(sides)).over
    if one.to_come or not over:
        return None
    at = places_of(sides, games)
    winner = winner_of(one.best_of, games, at)
    made = sum(game.points.get(one.own, 0) for game in games)
    given = sum(sum(game.points.values()) for game in games) - made
    if winner == one.own:
        return "W", made, given
    return ("L" if winner is not None or at.get(one.own, 1) > 1 else "D"), made, given

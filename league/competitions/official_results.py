"""Official results of matches, independent of pages and askers, and their hash.

The hash shows whether the results have changed since a round was paired from them.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from json import dumps
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from league.competitions.models import Berth, Competition, Matchday, Slot, Stage, Withdrawal
from league.matches.models import KnownBy, Match, Record, Result, Side
from league.matches.results.match_outcome import GameOutcome, official_standing


@dataclass(frozen=True, slots=True)
class MatchEnd:
    """A match decided by official results, by entrant.

    `forfeit`: none of its games was played. `winner`: the entrant with the most games; `games`: games won by each.
    """

    entrants: tuple[int, ...]
    points: Mapping[int, int]
    winner: int | None
    forfeit: bool
    games: Mapping[int, int]

    @property
    def loser(self) -> int | None:
        return next((one for one in self.entrants if self.winner is not None and one != self.winner), None)


@dataclass(slots=True)
class _Games:
    best_of: int
    outcomes: list[GameOutcome] = field(default_factory=list)
    scores: list[Mapping[str, int]] = field(default_factory=list)
    forfeited: bool = True


def match_outcomes(match_ids: Iterable[int]) -> dict[int, MatchEnd]:
    """Official ends by match, without undecided matches. Two statements."""
    found: dict[int, _Games] = {}
    official = Result.objects.filter(
        game__match__in=list(match_ids),
        current=True,
        state=Result.State.OFFICIAL,
        game__match__state=Match.State.DECIDED,
    ).order_by("game__match", "game__number")
    rows = official.values_list("game__match", "game__match__best_of", "winner", "scores", "known_by", "ended")
    for match, best_of, winner, scores, known_by, ended in rows:
        one = found.setdefault(match, _Games(best_of))
        one.outcomes.append(GameOutcome(winner, official=True))
        one.scores.append(scores)
        one.forfeited = one.forfeited and known_by == KnownBy.RULED and ended == "forfeit"
    sides: dict[int, dict[int, int]] = {}
    numbered = Side.objects.filter(match__in=found).order_by("number")
    for match, number, entrant in numbered.values_list("match", "number", "entrant"):
        sides.setdefault(match, {})[number] = entrant
    return {match: _outcome(games, sides[match]) for match, games in found.items()}


def _outcome(games: _Games, sides: Mapping[int, int]) -> MatchEnd:
    number = official_standing(games.best_of, games.outcomes, sides=len(sides)).winner
    winner = None if number is None else sides.get(number)
    points = {entrant: sum(scores.get(str(number), 0) for scores in games.scores) for number, entrant in sides.items()}
    won = Counter(one.winner for one in games.outcomes)
    by_entrant = {entrant: won[number] for number, entrant in sides.items()}
    return MatchEnd(tuple(sides.values()), points, winner, games.forfeited, by_entrant)


def winners_and_losers(match_ids: Iterable[int]) -> dict[int, tuple[int, int]]:
    """(winner, loser) of matches between two that have a winner. Two statements."""
    ends = match_outcomes(match_ids).items()
    return {
        match: (end.winner, end.loser)
        for match, end in ends
        if end.winner is not None and end.loser is not None and len(end.entrants) == 2
    }


def _byes_so_far(competition: Competition) -> list[list[Any]]:
    """List the requested byes of the published rounds and the next one. Two statements, one without any."""
    byes = byes_asked(competition)
    if not byes:
        return []
    next_one = Matchday.objects.filter(stage__competition=competition).exclude(published_at=None).count() + 1
    return [[number, sorted(who)] for number, who in sorted(byes.items()) if number <= next_one]


def byes_asked(competition: Competition) -> dict[int, frozenset[int]]:
    """Give the entrants who asked for a bye, by number of the round. One statement."""
    found: dict[int, set[int]] = {}
    for entrant, rounds in competition.registrations.exclude(bye_rounds=[]).values_list("entrant", "bye_rounds"):
        for number in rounds:
            found.setdefault(number, set()).add(entrant)
    return {number: frozenset(who) for number, who in found.items()}


def results_hash(competition: Competition) -> str:
    """SHA-256 of everything that pairings follow from.

    Official results, entrants, withdrawals, requested byes up to the next round, and absences at tables.
    """
    matches = Slot.objects.filter(matchday__stage__competition=competition).exclude(match=None)
    ends = match_outcomes(matches.values_list("match", flat=True))
    left = Withdrawal.objects.filter(competition=competition, undone_at=None).values_list("entrant", flat=True)
    facts: dict[str, Any] = {
        "results": [
            [match, end.winner, sorted(end.points.items()), end.forfeit] for match, end in sorted(ends.items())
        ],
        "left": sorted(left),
        "entrants": list(competition.registrations.order_by("seed").values_list("entrant", flat=True)),
    }
    if byes := _byes_so_far(competition):
        facts |= {"byes": byes}
    of_tables = {match: sorted(end.games.items()) for match, end in sorted(ends.items()) if len(end.entrants) > 2}
    missed = Berth.objects.filter(slot__matchday__stage__competition=competition, absent_since__isnull=False)
    if of_tables:
        facts |= {"games": of_tables, "missed": sorted(missed.values_list("slot", "number"))}
    return sha256(dumps(facts, separators=(",", ":")).encode()).hexdigest()


def waiting_results(competition: Competition) -> QuerySet[Result]:
    """Results of an imported competition that wait for confirmation.

    They are official in the file and not yet here.
    """
    return waiting_results_of(Competition.objects.filter(pk=competition.pk))


def waiting_results_of(competitions: QuerySet[Competition]) -> QuerySet[Result]:
    """The same for several competitions."""
    return Result.objects.filter(
        game__match__slot__matchday__stage__competition__in=competitions,
        current=True,
        contested=False,
        needs_decision=False,
        state=Result.State.PROVISIONAL,
        record__via=Record.Via.IMPORT,
        record__score_sheet__data__official=True,
    )


def finished() -> QuerySet[Competition]:
    """Published competitions all of whose stages are over, without play-offs and cancelled ones.

    The places of a play-off belong to the season.
    """
    stages = Stage.objects.filter(competition=OuterRef("pk"))
    rows = Competition.objects.filter(published_at__isnull=False, cancelled_at=None, play_off=None)
    return rows.filter(Exists(stages), ~Exists(stages.filter(finished_at=None)))

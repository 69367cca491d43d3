"""What official results say of matches, without a page and whoever asks; and their hash, which says whether they are
still those that a round was paired from.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from json import dumps
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from league.competitions.models import Berth, Competition, Slot, Stage, Withdrawal
from league.matches.models import KnownBy, Match, Record, Result, Side
from league.matches.results.match_outcome import GameOutcome, official_standing


@dataclass(frozen=True, slots=True)
class MatchEnd:
    """A match that official results have decided, by entrant. `forfeit`: none of its games was played. `winner`: who
    won the most games; `games`: how many each won.
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
    """By match; one that is not decided is left out. Two statements."""
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
    winner = sides.get(official_standing(games.best_of, games.outcomes, sides=len(sides)).winner)
    points = {entrant: sum(scores.get(str(number), 0) for scores in games.scores) for number, entrant in sides.items()}
    won = Counter(one.winner for one in games.outcomes)
    by_entrant = {entrant: won[number] for number, entrant in sides.items()}
    return MatchEnd(tuple(sides.values()), points, winner, games.forfeited, by_entrant)


def winners_and_losers(match_ids: Iterable[int]) -> dict[int, tuple[int, int]]:
    """The same as whoever goes on needs it: of matches between two that somebody won. Two statements."""
    ends = match_outcomes(match_ids).items()
    return {
        match: (end.winner, end.loser)
        for match, end in ends
        if end.winner is not None and end.loser is not None and len(end.entrants) == 2
    }


def results_hash(competition: Competition) -> str:
    """SHA-256 over every official result of the competition, who takes part, who has left, and who was missed at a
    table: what pairings follow from.
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
    of_tables = {match: sorted(end.games.items()) for match, end in sorted(ends.items()) if len(end.entrants) > 2}
    missed = Berth.objects.filter(slot__matchday__stage__competition=competition, absent_since__isnull=False)
    if of_tables:
        facts |= {"games": of_tables, "missed": sorted(missed.values_list("slot", "number"))}
    return sha256(dumps(facts, separators=(",", ":")).encode()).hexdigest()


def waiting_results(competition: Competition) -> QuerySet[Result]:
    """Results of an imported competition that are official in the file and not yet here."""
    return waiting_results_of(Competition.objects.filter(pk=competition.pk))


def waiting_results_of(competitions: QuerySet[Competition]) -> QuerySet[Result]:
    """The same of several."""
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
    """Published ones all of whose stages are over; of those that settle who goes up, the season has the place."""
    stages = Stage.objects.filter(competition=OuterRef("pk"))
    rows = Competition.objects.filter(published_at__isnull=False, play_off=None)
    return rows.filter(Exists(stages), ~Exists(stages.filter(finished_at=None)))

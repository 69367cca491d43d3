"""Tie-breaks from the entrant's own rounds (FIDE C.07 article 7, and of dominoes).

Each is a figure of one entrant.
"""

from collections.abc import Mapping
from dataclasses import replace
from itertools import accumulate, groupby

from league.competitions.standings.tiebreaks.crosstable import Bout, Crosstable, HowPlayed, Outcome, Scoring
from league.competitions.standings.tiebreaks.figures import Figure, Number, Term, TermNote, mean, plain, total

KIND_NOTES = {
    HowPlayed.PLAYED: (),
    HowPlayed.FORFEIT: (TermNote.FORFEIT,),
    HowPlayed.BYE: (TermNote.BYE,),
    HowPlayed.FULL_BYE: (TermNote.FULL_BYE,),
    HowPlayed.HALF_BYE: (TermNote.HALF_BYE,),
    HowPlayed.ZERO_BYE: (TermNote.ZERO_BYE,),
}


def place_points(table: Crosstable, entrant_id: int) -> Figure:
    """Sum the points for places at tables, byes included."""
    return total(
        replace(_term(bout, bout.points), notes=_notes(bout, shared=bout.shared)) for bout in table.bouts[entrant_id]
    )


def match_points(table: Crosstable, entrant_id: int) -> Figure:
    """Sum the competition's points for wins, draws, losses and byes, over all rounds, and the organizer's bonus."""
    bonus = table.scoring.bonus.get(entrant_id)
    given = [Term(bonus, notes=(TermNote.BONUS,))] if bonus else []
    return total([*(_term(bout, bout.points) for bout in table.bouts[entrant_id]), *given])


def game_points(table: Crosstable, entrant_id: int) -> Figure:
    """Count games won, over all matches."""
    return total(_term(bout, bout.games_won) for bout in table.bouts[entrant_id])


def wins(table: Crosstable, entrant_id: int) -> Figure:
    """WIN (7.1): count rounds with the points of a win, played or not."""
    return total(_term(bout, 1) for bout in table.bouts[entrant_id] if _as_win(table, bout))


def _as_win(table: Crosstable, bout: Bout) -> bool:
    if bout.outcome is None:
        return bout.points >= table.scoring.win
    return bout.outcome == Outcome.WON


def won(table: Crosstable, entrant_id: int) -> Figure:
    """WON (7.2): count matches won at the table.

    Matches won by forfeit count too, if all pairings are fixed before the start (15.2).
    """
    bouts = table.bouts[entrant_id]
    return total(_term(bout, 1) for bout in bouts if bout.outcome == Outcome.WON and table.as_played(bout))


def points_for(table: Crosstable, entrant_id: int) -> Figure:
    """Sum domino points of all finished matches; in a forfeit, the ruled points."""
    return total(_term(bout, bout.own) for bout in table.bouts[entrant_id])


def difference(table: Crosstable, entrant_id: int) -> Figure:
    """Domino points for minus points against; a bye adds nothing.

    At a table of more than two, minus the mean of the others' points.
    """
    return total(
        replace(_term(bout, plain(bout.own - bout.other)), theirs=bout.other, own=bout.own)
        for bout in table.bouts[entrant_id]
    )


def average(table: Crosstable, entrant_id: int) -> Figure:
    """Average domino points a game, over played games only: no byes, no forfeits."""
    played = table.over_the_board(entrant_id)
    return mean((_term(bout, bout.at_the_table) for bout in played), sum(bout.game_count for bout in played))


def progressive(table: Crosstable, entrant_id: int) -> Figure:
    """PS (7.5): sum the match points after each round.

    Points made early count more often.
    """
    by_round = {number: list(bouts) for number, bouts in groupby(table.bouts[entrant_id], key=lambda bout: bout.round)}
    last = max((bout.round for bouts in table.bouts.values() for bout in bouts), default=0)
    made = [sum(bout.points for bout in by_round.get(number, ())) for number in range(1, last + 1)]
    running = accumulate(made)
    return total(Term(score, number, own=made[number - 1]) for number, score in enumerate(running, start=1))


def muggins(table: Crosstable, entrant_id: int) -> Figure:
    """Count muggins taken, in games known from their log."""
    return Figure(table.scoring.muggins.get(entrant_id, 0))


def lot(table: Crosstable, entrant_id: int) -> Figure:
    """Give the lot, drawn once; 1 is the best. None before it is drawn."""
    return Figure(table.scoring.lots.get(entrant_id))


def points_by_outcome(scoring: Scoring) -> Mapping[Outcome, int]:
    """Give the most match points of one more round, by its outcome."""
    return {Outcome.WON: max(scoring.win, scoring.bye), Outcome.DRAWN: scoring.draw, Outcome.LOST: scoring.loss}


def wins_by_outcome(_scoring: Scoring) -> Mapping[Outcome, int]:
    """Give the wins of one more round, by its outcome."""
    return {Outcome.WON: 1, Outcome.DRAWN: 0, Outcome.LOST: 0}


def _term(bout: Bout, adds: Number) -> Term:
    return Term(adds, bout.round, bout.opponent_id, notes=_notes(bout), others=bout.others, place=bout.place)


def _notes(bout: Bout, *, shared: bool = False) -> tuple[TermNote, ...]:
    return (*KIND_NOTES[bout.kind], *((TermNote.SHARED_PLACE,) if shared else ()))

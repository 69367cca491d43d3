"""Tie-breaks from opponents' scores (FIDE C.07 articles 8, 9, 14 and 16).

Buchholz and variants, Sonneborn-Berger, Koya. Each is a figure of one entrant.

An unplayed round counts as one against a dummy with the entrant's own score (16.4). From 2026 on the dummy's score is
limited: in a forfeit to the score that the scheduled opponent shows to others (16.4.1), otherwise to draws in all
rounds (16.4.2). If all pairings are fixed before the start, a forfeit counts as played (15.2).
"""

from fractions import Fraction

from league.competitions.standings.tiebreaks.crosstable import Bout, Crosstable, HowPlayed
from league.competitions.standings.tiebreaks.figures import Figure, Number, Term, TermNote, mean, total, without
from league.competitions.standings.tiebreaks.own import KIND_NOTES

WITH_CAPS = 2026


def buchholz(table: Crosstable, entrant_id: int) -> Figure:
    """BH (8.1): sum the opponents' scores."""
    return total(_scores(table, entrant_id))


def buchholz_cut_1(table: Crosstable, entrant_id: int) -> Figure:
    """BH-C1 (14.1): exclude the lowest; a voluntarily unplayed round first (16.5)."""
    return total(_cut_lowest(_scores(table, entrant_id)))


def buchholz_median_1(table: Crosstable, entrant_id: int) -> Figure:
    """BH-M1 (14.3): exclude the lowest and then the highest."""
    return total(_cut_highest(_cut_lowest(_scores(table, entrant_id))))


def average_buchholz(table: Crosstable, entrant_id: int) -> Figure:
    """AOB (8.2): average the Buchholz of the opponents met at the table."""
    return mean(
        Term(theirs, bout.round, bout.opponent_id, theirs)
        for bout in table.over_the_board(entrant_id)
        for theirs in [_buchholz_of(table, bout.opponent_id)]
    )


def _buchholz_of(table: Crosstable, entrant_id: int) -> Number:
    if entrant_id not in table.buchholz:
        table.buchholz[entrant_id] = buchholz(table, entrant_id).value
    return table.buchholz[entrant_id]


def fore_buchholz(table: Crosstable, entrant_id: int) -> Figure:
    """FB (8.3): Buchholz with every match of the last round drawn."""
    return total(_scores(table.fore, entrant_id, drawn_in=table.last_round))


def sonneborn_berger(table: Crosstable, entrant_id: int) -> Figure:
    """SB (9.1): sum each opponent's score times the entrant's points against them."""
    return total(_products(table, entrant_id))


def sonneborn_berger_cut_1(table: Crosstable, entrant_id: int) -> Figure:
    """SB-C1 (14.1): exclude the product of the opponent with the lowest score.

    If several have that score, the lowest product. Of this product and the lowest of a voluntarily unplayed round, the
    higher is excluded (16.5).
    """
    terms = _products(table, entrant_id)
    if not terms:
        return total(terms)
    places = range(len(terms))
    least = min(places, key=lambda place: (terms[place].theirs, terms[place].adds))
    voluntary = min((place for place in places if terms[place].voluntary), key=lambda at: terms[at].adds, default=None)
    if voluntary is not None and terms[voluntary].adds >= terms[least].adds:
        return total(without(terms, voluntary, TermNote.CUT_VOLUNTARY))
    return total(without(terms, least, TermNote.CUT_LOWEST))


def koya(table: Crosstable, entrant_id: int) -> Figure:
    """Koya (9.2): match points against entrants with at least half of the maximum."""
    half = Fraction(table.scoring.win * table.matches_each, 2)
    bouts = [bout for bout in table.bouts[entrant_id] if bout.opponent_id is not None]
    return total(
        Term(
            bout.points,
            bout.round,
            bout.opponent_id,
            theirs := table.scores[bout.opponent_id],
            bout.points,
            counted=theirs >= half,
            notes=() if theirs >= half else (TermNote.TOO_FEW_POINTS,),
        )
        for bout in bouts
    )


def _products(table: Crosstable, entrant_id: int) -> list[Term]:
    bouts = table.bouts[entrant_id]
    return [
        Term(term.theirs * bout.points, term.round, term.opponent_id, term.theirs, bout.points, True, *_kept(term))
        for term, bout in zip(_scores(table, entrant_id), bouts, strict=True)
    ]


def _kept(term: Term) -> tuple[bool, tuple[TermNote, ...]]:
    return term.voluntary, term.notes


def _scores(table: Crosstable, entrant_id: int, drawn_in: int = 0) -> list[Term]:
    """Give the score of the opponent or dummy for each round.

    `drawn_in`: the round that is treated as drawn.
    """
    return [_score(table, entrant_id, bout, drawn_in) for bout in table.bouts[entrant_id]]


def _score(table: Crosstable, entrant_id: int, bout: Bout, drawn_in: int) -> Term:
    if not table.as_played(bout):
        return _against_the_dummy(table, entrant_id, bout)
    theirs = table.seen_by_others[bout.opponent_id]
    notes = KIND_NOTES[bout.kind]
    if theirs != table.scores[bout.opponent_id]:
        notes = (*notes, TermNote.ADJUSTED)
    if bout.round and any(one.round == drawn_in for one in table.bouts[bout.opponent_id] if one.opponent_id):
        notes = (*notes, TermNote.LAST_AS_DRAWN)
    return Term(theirs, bout.round, bout.opponent_id, theirs, notes=notes)


def _against_the_dummy(table: Crosstable, entrant_id: int, bout: Bout) -> Term:
    own = table.scores[entrant_id]
    cap, why = own, TermNote.DUMMY
    if table.scoring.edition >= WITH_CAPS:
        cap, why = _cap(table, bout)
    notes = (*KIND_NOTES[bout.kind], why if cap < own else TermNote.DUMMY)
    return Term(min(own, cap), bout.round, bout.opponent_id, min(own, cap), voluntary=bout.voluntary, notes=notes)


def _cap(table: Crosstable, bout: Bout) -> tuple[Number, TermNote]:
    if bout.kind == HowPlayed.FORFEIT:
        return table.seen_by_others[bout.opponent_id], TermNote.CAPPED_BY_OPPONENT
    return table.scoring.draw * table.last_round, TermNote.CAPPED_BY_DRAWS


def _cut_lowest(terms: list[Term]) -> list[Term]:
    if not terms:
        return terms
    of_their_own = [place for place, term in enumerate(terms) if term.voluntary]
    note = TermNote.CUT_VOLUNTARY if of_their_own else TermNote.CUT_LOWEST
    return without(terms, min(of_their_own or range(len(terms)), key=lambda place: terms[place].adds), note)


def _cut_highest(terms: list[Term]) -> list[Term]:
    left = [place for place, term in enumerate(terms) if term.counted]
    return without(terms, max(left, key=lambda place: terms[place].adds), TermNote.CUT_HIGHEST) if left else terms

"""How each number of one standings row is computed, to be checked by hand."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext, pgettext_lazy

from league.competitions.entrant_names import Placed
from league.competitions.standings.compute import Figure, Row
from league.competitions.standings.tiebreaks.figures import Number, Term, TermNote
from league.competitions.standings.tiebreaks.registry import TIE_BREAKS, Needs
from league.web.words.numbers import figure_text, number_text
from league.web.words.tie_breaks import COLUMNS, Column

NOTES: Mapping[TermNote, Any] = {
    TermNote.CUT_LOWEST: _("The lowest: it is left out."),
    TermNote.CUT_HIGHEST: _("The highest: it is left out."),
    TermNote.CUT_VOLUNTARY: _("Not played by choice: it is left out first."),
    TermNote.ADJUSTED: _("Rounds that the opponent left out after the last match count as draws here."),
    TermNote.DUMMY: _("Not played: it counts as a round against an opponent with the same points."),
    TermNote.CAPPED_BY_DRAWS: _(
        "Not played: it counts as a round against an opponent who drew every round and has fewer points."
    ),
    TermNote.CAPPED_BY_OPPONENT: _(
        "Not played: it counts with the points of the opponent who was to be met, who has fewer points than oneself."
    ),
    TermNote.LAST_AS_DRAWN: _("Computed as if the last round had no winners."),
    TermNote.TOO_FEW_POINTS: _("The opponent has less than half of the points: it does not count."),
    TermNote.NOT_RATED: _("Without a rating: it does not count."),
    TermNote.BYE: pgettext_lazy("round", "Bye."),
    TermNote.FULL_BYE: pgettext_lazy("round", "Requested bye, worth a win."),
    TermNote.HALF_BYE: pgettext_lazy("round", "Requested bye, worth a draw."),
    TermNote.ZERO_BYE: pgettext_lazy("round", "Not there."),
    TermNote.FORFEIT: pgettext_lazy("round", "Forfeit."),
    TermNote.BONUS: pgettext_lazy("match points", "Bonus or deduction by an organizer."),
    TermNote.SHARED_PLACE: pgettext_lazy("round", "Shared with others: the average of the points of their places."),
}
MOST_IN_A_SUM = 60


@dataclass(frozen=True, slots=True)
class TermLine:
    """One term of a number.

    `made_of`: how `adds` is computed, if it is more than one figure. `others`: at a table of more than two.
    """

    round: int
    opponent: Placed | None
    others: list[Placed]
    made_of: str
    adds: str
    counted: bool
    notes: list[Any]


@dataclass(frozen=True, slots=True)
class Working:
    """One number of the row with its terms, and its sum in signs: `2 + 4 + 6 = 12`.

    `more`: an explanation beyond the sum.
    """

    column: Column
    text: str
    lines: list[TermLine]
    sum: str
    more: str

    @property
    def has_made_of(self) -> bool:
        return any(line.made_of for line in self.lines)

    @property
    def has_notes(self) -> bool:
        return any(line.notes for line in self.lines)

    @property
    def direct(self) -> bool:
        return self.column.entry.splits_group


def named_in(row: Row) -> set[int]:
    """Return the keys of the entrants that the terms of its numbers are about."""
    terms = [term for figure in row.figures.values() for term in figure.terms]
    return {one for term in terms for one in (term.opponent_id, *term.others) if one is not None}


def workings(row: Row, keys: Sequence[str], entrants: Iterable[Placed]) -> list[Working]:
    """Return the workings in the organizer's order."""
    people = {one.entrant_id: one for one in entrants}
    return [_working(key, row.figures.get(key), people) for key in keys]


def _working(key: str, figure: Figure | None, people: Mapping[int, Placed]) -> Working:
    if figure is None:
        return Working(COLUMNS[key], "", [], "", "")
    return Working(
        column=COLUMNS[key],
        text=figure_text(key, figure),
        lines=[_line(key, term, people) for term in figure.terms],
        sum=_sum(figure),
        more=_more(key, figure),
    )


def _line(key: str, term: Term, people: Mapping[int, Placed]) -> TermLine:
    return TermLine(
        round=term.round,
        opponent=people.get(term.opponent_id),
        others=[people[one] for one in term.others if one in people],
        made_of=COLUMNS[key].made_of(term),
        adds="–" if TermNote.NOT_RATED in term.notes else number_text(term.adds),
        counted=term.counted,
        notes=[NOTES[note] for note in term.notes],
    )


def _sum(figure: Figure) -> str:
    """Write the sum in signs; empty if there is nothing to add or too much to read.

    Examples: `2 + 4 − 1 = 5`, `(2 + 3) ÷ 2 = 2.5`.
    """
    counted = [term.adds for term in figure.terms if term.counted]
    if (len(counted) < 2 and figure.divisor == 1 and not figure.plus) or len(counted) > MOST_IN_A_SUM:
        return ""
    if figure.value is None:
        return ""
    added = _added(counted)
    if figure.divisor > 1:
        added = f"({added}) ÷ {figure.divisor}" if len(counted) > 1 else f"{added} ÷ {figure.divisor}"
    if figure.plus:
        added = f"{added} {'−' if figure.plus < 0 else '+'} {abs(figure.plus)}"
    exact = not figure.rounded and figure.divisor > 1 and not isinstance(figure.value, int)
    return f"{added} {'≈' if exact or figure.rounded else '='} {number_text(figure.value)}"


def _added(numbers: Sequence[Number]) -> str:
    if not numbers:
        return "0"
    first, *others = numbers
    return number_text(first) + "".join(
        f" {'−' if number < 0 else '+'} {number_text(abs(number))}" for number in others
    )


def _more(key: str, figure: Figure) -> str:
    if figure.share is not None:
        told = pgettext("tie-break", "%(percent)s %% of the points that could be made are worth %(worth)s.")
        return told % {"percent": number_text(figure.share * 100), "worth": number_text(figure.plus)}
    if figure.value is None and TIE_BREAKS[key].needs is Needs.LOTS:
        return pgettext("tie-break", "It is not drawn yet.")
    return ""

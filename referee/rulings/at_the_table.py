"""Question for a referee at the table, from the claim window of the ruleset (RULES.md 1.5).

The record is a score pad or nothing: no tile is known, so the moments are those of the window itself. The three-second
hold is not asked about: no time is written.
"""

from __future__ import annotations

from typing import NamedTuple

from games.moves import Seat
from games.ruleset import Announce, Matching, Muggins, Ruleset
from games.wording.base import Sentence
from referee.rulings.outcomes import Names, name_of
from referee.rulings.proposal import Fact
from referee.rulings.protests import ProtestKind

KINDS = (ProtestKind.MUGGINS, ProtestKind.COUNT)
"""Matters that a referee settles at the table by one question."""


class TableQuestion(NamedTuple):
    """Fact to find, and the question. ``favours``: a yes gives the points to the seat that claims them, else a no."""

    fact: Fact
    question: Sentence
    favours: bool = True


def kinds_of(rules: Ruleset) -> tuple[ProtestKind, ...]:
    """Return the matters that these rules have a window for."""
    if rules.matching is Matching.MARKINGS or rules.announce is Announce.AUTO:
        return ()
    return KINDS if rules.muggins is not Muggins.OFF else (ProtestKind.COUNT,)


def table_question(
    rules: Ruleset, kind: ProtestKind, claims: Seat, points: int, names: Names, *, announced: bool = False
) -> TableQuestion | None:
    """Return the question, ``None`` where these rules have no window for it.

    ``claims``: for a count the seat that says it announced its play, for muggins an opponent of the seat that played.
    ``announced``: the record has the points of a muggins call as announced, so the announcement is in question, else
    the call. With two seats.
    """
    if kind not in kinds_of(rules):
        return None
    other = 1 - claims
    if kind is ProtestKind.COUNT:
        return _asked_count(claims, points, names)
    if announced:
        return _asked_count(other, points, names)._replace(favours=False)
    moments: dict[str, object] = {"name": name_of(names, claims), "closed": _next_turn(claims, names)}
    if rules.muggins is Muggins.BEFORE_NEXT:
        return TableQuestion(Fact.CALLED, Sentence("Did %(name)s call muggins before %(closed)s?", moments))
    moments |= {"opened": _next_turn(claims, names), "closed": _next_turn(other, names)}
    template = "Did %(name)s call muggins after %(opened)s, and before %(closed)s?"
    return TableQuestion(Fact.CALLED, Sentence(template, moments))


def _asked_count(scorer: Seat, points: int, names: Names) -> TableQuestion:
    facts = {"name": name_of(names, scorer), "points": points, "closed": _next_turn(1 - scorer, names)}
    return TableQuestion(Fact.ANNOUNCED, Sentence("Did %(name)s say %(points)s before %(closed)s?", facts))


def _next_turn(seat: Seat, names: Names) -> Sentence:
    return Sentence("%(name)s released the next tile, or passed", {"name": name_of(names, seat)})

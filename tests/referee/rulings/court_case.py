"""A protest by hand: a log of a few lines, and the stated outcome."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

NAMES = ("Ana", "Bo", "Cy", "Dee")
A, B, C, D = range(4)
YES, NO, UNKNOWN = "yes", "no", "not known"


@dataclass(frozen=True)
class CourtCase:
    """A protest and its stated outcome.

    ``scores``: the final score, or by the finding. ``question`` is empty where nothing has to be found. ``rule`` is a
    number of RULES.md that is cited, ``says`` one of the reasons.
    """

    id: str
    lines: str
    kind: str
    by: int
    scores: Any
    rule: str
    says: str
    question: str = ""
    ruleset: str = "udl"
    seats: int = 2
    tags: str = ""
    protest: Mapping[str, Any] = field(default_factory=dict)
    case: Mapping[str, Any] = field(default_factory=dict)
    penalties: bool = False
    allowed: bool = True
    calls: Mapping[str, Any] = field(default_factory=dict)

    @property
    def rows(self) -> list[str]:
        """The lines after the round's, with their marks."""
        return self.lines.strip().splitlines()

    @property
    def header(self) -> str:
        """The lines up to the round's."""
        names = "".join(
            f'[Seat.{letter} "{name}"]\n' for letter, name in list(zip("ABCD", NAMES, strict=True))[: self.seats]
        )
        options = "".join('[Option.{} "{}"]\n'.format(*tag.split("=")) for tag in self.tags.split())
        return f'[Ruleset "{self.ruleset}"]\n{names}{options}round 1\n'

    @property
    def text(self) -> str:
        """The log."""
        return self.header + "".join(line.lstrip("!^") + "\n" for line in self.rows)

    def marked(self, mark: str) -> int | None:
        """The number of the line with this mark, if any."""
        first = self.header.count("\n") + 1
        return next((n for n, line in enumerate(self.rows, first) if mark in line[:2]), None)


def case(id_, lines, kind, by, scores, rule, says, question="", **more):
    return CourtCase(id_, lines, kind, by, scores, rule, says, question, **more)


def answers(yes, no, unknown):
    return {YES: yes, NO: no, UNKNOWN: unknown}


WRITTEN = {"miswritten": True}

"""The worked examples of RULES.md 9 as protests: each log of `tests/logs/examples`, with one line in dispute.

Every example can be disputed: its count, its call, its settlement, its chips or the play itself. M01 to M18, E01 to
E05 and E07 to E09 are in the table of cases instead.
"""

from __future__ import annotations

from dataclasses import dataclass

A, B, C, D = range(4)


@dataclass(frozen=True)
class ExampleInDispute:
    """A protest by the seat ``by`` about a line of an example.

    ``wrong`` is written in place of the true ``line``; without it the log is as it is, and the protest is dismissed or
    the fault is the example's own. ``ends``: the log ends with the line, and the protest came then. The outcome is the
    one that the example states. ``rule`` is a number of RULES.md that is cited, ``says`` the beginning of a reason.
    """

    file: str
    line: str
    kind: str
    by: int
    rule: str
    says: str
    wrong: str = ""
    ends: bool = False

    @property
    def example(self) -> str:
        """Number of the example in RULES.md 9."""
        return self.file.partition("-")[0]


def count(file, line, by, rule, says):
    return ExampleInDispute(file, line, "count", by, rule, says)


def result(file, line, wrong, by, rule, says):
    return ExampleInDispute(file, line, "result", by, rule, says, wrong)


def settlement(file, winner, points, wrong, by, rule, left):
    scores = f"{'ABCD'[winner]} scores"
    return result(file, f"{scores} {points}", f"{scores} {wrong}", by, rule, f"{left}; that is {points} points for ")


def misplay(file, line, by, rule, says, wrong=""):
    return ExampleInDispute(file, line, "misplay", by, rule, says, wrong, ends=True)


COUNTS = [
    count("P01", "B 6-5 on 6-6", B, "4.8", "3+2+5 = 10, worth 10"),
    count("P02-udl", "B 6-0 on 6-6 call 5", B, "0.11", "3+2+0 = 5, worth 5"),
    count("P03-all-fives", "A 6-0 on 6-6 call 10", A, "3.10", "3+2+5+0 = 10, worth 10"),
    count("P04", "A 5-5 on 1-5", B, "1.8", "3+2+5+5 = 15, worth 15"),
    count("P05", "A 0-4 on 0-0", B, "1.8", "6+4 = 10, worth 10"),
    count("P06", "B 4-3 on 2-4", A, "1.8", "2+3 = 5, worth 5"),
    count("P07", "B 4-4 on 2-4", A, "1.8", "2+4+4 = 10, worth 10"),
    count("P08-double-six", "A 5-5", B, "4.8", "5+5 = 10, worth 10"),
    count("P09-udl", "A 6-4 call 10", A, "0.11", "6+4 = 10, worth 10"),
    count("P10", "A 5-0", B, "1.8", "5+0 = 5, worth 5"),
    count("P11", "A 3-2", B, "1.8", "3+2 = 5, worth 5"),
    count("P12", "A 4-1", B, "1.8", "4+1 = 5, worth 5"),
    count("P13-muggins", "A 0-0", A, "1.8", "0+0 = 0, no score"),
    count("P14", "B 5-1 on 3-5", B, "1.8", "3+1 = 4, no score"),
    count("P15", "B 5-5 on 3-5", B, "1.8", "3+5+5 = 13, no score"),
    count("P16-udl", "A 4-4 on 5-4", A, "0.11", "6+4+4 = 14, no score"),
    count("P17", "B 3-4 on 0-3", A, "1.8", "3+3+4 = 10, worth 10"),
    misplay("P18-none", "B 4-3 on 4-4", A, "1.7", "4-4 is not on the table, or has no open end"),
    count("P19", "A 4-4 on 6-4", B, "1.8", "6+6+4+4 = 20, worth 20"),
    count("P20", "A 2-5 on 1-2", B, "1.8", "6+6+5+5+4+4+5 = 35, worth 35"),
    count("P21", "A 0-1 on 0-0", B, "1.8", "5+2+2+1 = 10, worth 10"),
    count("P22", "A 5-5 on 0-5", B, "1.8", "0+0+5+5 = 10, worth 10"),
    count("P23", "A 5-1 on 5-5", A, "1.8", "6+4+0+1 = 11, no score"),
    count("P24", "A 6-1 on 6-6", A, "0.11", "3+1 = 4, no score"),
    misplay("P24-none", "B 6-2 on 6-6", A, "1.7", "6-6 is not on the table, or has no open end"),
]
"""Counts of a play: the arithmetic is the court's, whatever was said."""

SETTLEMENTS = [
    settlement("R01", A, 5, 0, A, "0.20", "pips left: Ana Ruiz 0, Bo Chen 3"),
    settlement("R02", A, 0, 5, B, "0.20", "pips left: Ana Ruiz 0, Bo Chen 2"),
    settlement("R03", A, 20, 25, B, "0.20", "pips left: Ana Ruiz 0, Bo Chen 21"),
    settlement("R04", A, 25, 30, B, "0.20", "pips left: Ana Ruiz 0, Bo Chen 27"),
    settlement("R05", A, 30, 25, A, "0.20", "pips left: Ana Ruiz 0, Bo Chen 28"),
    settlement("R06", A, 20, 15, A, "0.21", "pips left: Ana Ruiz 1, Bo Chen 19"),
    settlement("R07", B, 0, 5, A, "0.21", "pips left: Ana Ruiz 7, Bo Chen 7"),
    settlement("R08", A, 10, 5, A, "0.21", "pips left: Ana Ruiz 3, Bo Chen 10"),
    settlement("R09", A, 5, 25, B, "1.16", "pips left: Ana Ruiz 0, Bo Chen 27"),
    settlement("R10", A, 4, 20, B, "1.16", "pips left: Ana Ruiz 2, Bo Chen 11, Cy Doe 7"),
    settlement("R11", A, 4, 5, B, "1.16", "pips left: Ana Ruiz 4, Bo Chen 11, Cy Doe 7"),
    settlement("R12", A, 5, 4, A, "1.16", "pips left: Ana Ruiz 5, Bo Chen 11, Cy Doe 7"),
    settlement("R13", A, 18, 20, B, "3.16", "pips left: Ana Ruiz 0, Bo Chen 11, Cy Doe 7"),
    settlement("R14", A, 23, 18, A, "3.17", "pips left: Ana Ruiz 5, Bo Chen 11, Cy Doe 7"),
    settlement("R15", A, 0, 22, C, "3.17", "pips left: Ana Ruiz 5, Bo Chen 5, Cy Doe 12"),
    settlement("R16", A, 15, 0, A, "4.15", "tiles left: Ana Ruiz 1, Bo Chen 4"),
    settlement("R17", A, 10, 20, B, "4.15", "tiles left: Ana Ruiz 0, Bo Chen 2"),
    settlement("R18", A, 0, 5, B, "4.15", "tiles left: Ana Ruiz 2, Bo Chen 2"),
    settlement("E06", B, 13, 12, B, "1.16", "pips left: Ana Ruiz 63, Bo Chen 0"),
    settlement("E10", B, 15, 20, A, "4.15", "tiles left: Ana Ruiz 3, Bo Chen 0"),
]
"""Points at the end of a hand, with one number written wrongly."""

CHIPS = [
    result("C01", "chips 25-25", "chips 24-25", B, "0.30", "the chips left are 25-25, not 24-25"),
    result("C02", "chips 10-0", "chips 10-1", A, "0.30", "the chips left are 10-0, not 10-1"),
    result("C03", "chips 24-0", "chips 25-0", A, "0.30", "the chips left are 24-0, not 25-0"),
]

UNO = [
    misplay(
        "U01", "B r4-g7 on r3-rS", B, "2.14", "it is the turn of Bo Chen, not of Ana Ruiz", wrong="A r1-b3 on r3-rS"
    ),
    misplay("U02-none", "A r1-g9 on b7-r9", B, "2.7", "r1-g9 does not fit the open end of b7-r9"),
    misplay(
        "U03", "B y6-r7 on y9-y9", A, "2.7", "W-W does not fit the open end of y9-y9", wrong="B W-W on y9-y9 colour red"
    ),
    misplay("U04", "B g6-g6 on g6-DE", A, "2.7", "g6-DE is not on the table, or has no open end"),
    misplay("U04-dead", "A DE-g6 on r6-y9", B, "2.7", "DE-g6 does not fit the open end of r6-y9"),
    ExampleInDispute(
        "U05",
        "B WD4-b1 on r6-y9",
        "challenge",
        A,
        "2.18",
        "the challenge of Ana Ruiz is rejected: Bo Chen held no exposed colour",
    ),
    ExampleInDispute(
        "U06", "B WD4-b1 on b7-r9", "challenge", A, "2.18", "the challenge of Ana Ruiz is upheld: Bo Chen held b6-g7"
    ),
    settlement("U07", A, 25, 4, A, "2.34", "points on the racks: Ana Ruiz 0, Bo Chen 25"),
    misplay(
        "U08", "A y9-r6 on y8-y8", A, "2.14", "it is the turn of Ana Ruiz, not of Cy Doe", wrong="C b6-g9 on y8-y8"
    ),
    misplay(
        "U09", "A b3-r1 on b1-yR", A, "2.14", "it is the turn of Ana Ruiz, not of Bo Chen", wrong="B r9-g4 on y9-y9"
    ),
    settlement("U10", A, 180, 130, A, "2.33", "points on the racks: Ana Ruiz 0, Bo Chen 180"),
    ExampleInDispute(
        "U11", "A b9-y2 on y9-y9", "catch", C, "2.29", "Cy Doe catches Ana Ruiz, who did not say uno at line 31"
    ),
    settlement("U12", A, 90, 116, B, "2.36", "points on the racks: Ana Ruiz 48, Bo Chen 67, Cy Doe 23"),
]
EXAMPLES_IN_DISPUTE = [*COUNTS, *SETTLEMENTS, *CHIPS, *UNO]

"""Protests by hand, as one table: the cases of RULES.md 9 that can be disputed, and at least eight of each system.

In the lines of a log ``!`` stands before the line of the protest, and ``^`` before the last line that was written when
it was filed. Of RULES.md 9 these are disputed: M01 to M18, U03, U05, U07, U11, and about hands left, target and bell
R01 to R18 and E01 to E09; the blocked hands of these (R06 to R08, R10 to R12, R14 to R16, R18) and E06 are compared in
random games instead.
"""

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

# ---- UDL Dominoes: A leads 6-6 (12), B's 6-3 counts 15, A's 6-5 then 8.

LED = "A hand 6-6 6-5 4-1 2-2 1-0 6-4 3-3\nB hand 6-3 6-2 5-5 5-4 3-1 2-0 1-1\nA 6-6\n"
OWED = LED + "!B 6-3 on 6-6\n"
TEN = LED + "!B 6-3 on 6-6 call 10\n"
SAID = LED + "!B 6-3 on 6-6 call 15\n"
# Hands of two tiles: A leads 6-6, B 6-3 (15), A goes out with 6-2 (5), B holds 5-5.
LAST = "A hand 6-6 6-2\nB hand 6-3 5-5\nA 6-6\nB 6-3 call 15\n"
TIMED = "A hand 6-6 6-5 4-1 2-2 1-0 6-4 3-3\nB hand 6-3 6-2 5-5 5-4 3-1 2-0 1-1\n14:50 A 6-6\n"
THREE_LEFT = "A hand 3-3 3-2 2-2\nB hand 6-6 6-5 4-0\n"
TWO = {"tags": "hand=2"}
LATE = "Did Bo say 15 before Ana released 6-5?"
CALLED = "Did Ana call muggins after Ana released 6-5, and before Bo released 5-5?"
SHOWN = "Did Bo call muggins after the hands were shown, and before the hand was settled?"

UDL = [
    case(
        "M01", OWED + "^A muggins", "muggins", A, (0, 0), "0.26", "no muggins for Ana yet: Bo may still announce line 8"
    ),
    case(
        "M02",
        OWED + "A 6-5\n^A muggins",
        "muggins",
        A,
        (15, 0),
        "0.26",
        "muggins for Ana: 6+6+3 = 15, of which Bo left 15 unannounced",
    ),
    case(
        "M02 not written",
        OWED + "A 6-5\n^B 5-5",
        "muggins",
        A,
        answers((15, 0), (0, 0), (0, 0)),
        "0.26",
        "Bo announced nothing in time",
        CALLED,
    ),
    case(
        "M02 denied",
        OWED + "A 6-5\nA muggins\n^B 5-5",
        "muggins",
        B,
        answers((15, 0), (0, 0), (0, 0)),
        "0.26",
        "muggins for Ana: 6+6+3 = 15, of which Bo left 15 unannounced",
        CALLED,
    ),
    case(
        "M02 no turn yet",
        OWED + "^A 6-5",
        "muggins",
        A,
        answers((15, 0), (0, 0), (0, 0)),
        "0.26",
        "Bo announced nothing in time",
        "Did Ana call muggins after Ana released 6-5, and before Bo released the next tile, or passed?",
    ),
    case(
        "M03",
        SAID + "A 6-5\n^A muggins",
        "muggins",
        A,
        (0, 15),
        "0.26",
        "no muggins for Ana: Bo announced 15 for line 8 in time",
    ),
    case(
        "M03 denied",
        SAID + "A 6-5\n^A muggins",
        "count",
        A,
        answers((0, 15), (15, 0), (0, 0)),
        "0.29",
        "Bo announced 15 at line 8",
        LATE,
    ),
    case("M04", OWED + "A 6-5\nB call 15\n^A muggins", "muggins", A, (15, 0), "0.26", "Bo announced nothing in time"),
    case(
        "M04 said in time",
        OWED + "A 6-5\nB call 15\n^A muggins",
        "count",
        B,
        answers((0, 15), (15, 0), (0, 0)),
        "0.29",
        "Bo announced nothing in time",
        LATE,
    ),
    case(
        "M05",
        OWED + "A 6-5\nB 5-5\n^A muggins",
        "muggins",
        A,
        (0, 0),
        "0.26",
        "no muggins for Ana: the call for line 8 was open until Bo released 5-5",
    ),
    case(
        "M05 written late",
        OWED + "A 6-5\nB 5-5\n^A muggins",
        "muggins",
        A,
        answers((15, 0), (0, 0), (0, 0)),
        "0.26",
        "Bo announced nothing in time",
        CALLED,
        protest=WRITTEN,
    ),
    case(
        "M06",
        TEN + "A 6-5\n^A muggins",
        "muggins",
        A,
        (5, 10),
        "0.29",
        "muggins for Ana: 6+6+3 = 15, of which Bo left 5 unannounced",
    ),
    case(
        "M06 said it all",
        TEN + "A 6-5\n^A muggins",
        "count",
        B,
        answers((0, 15), (5, 10), (0, 10)),
        "0.29",
        "Bo announced 10 at line 8",
        LATE,
    ),
    case(
        "M07",
        LAST + "!A 6-2\nB shows 5-5\n^B muggins",
        "muggins",
        B,
        (10, 20),
        "0.26",
        "muggins for Bo: 3+2 = 5, of which Ana left 5 unannounced",
        **TWO,
    ),
    case(
        "M07 not written",
        LAST + "!A 6-2\n^B shows 5-5\nA scores 10\nsettled",
        "muggins",
        B,
        answers((10, 20), (10, 15), (10, 15)),
        "0.26",
        "Ana announced nothing in time",
        SHOWN,
        **TWO,
    ),
    case(
        "M08",
        LAST + "!A 6-2\nB shows 5-5\nsettled\n^B muggins",
        "muggins",
        B,
        (10, 15),
        "0.26",
        "The hand was settled at line 12, before the protest",
        allowed=False,
        **TWO,
    ),
    case(
        "M08 written late",
        LAST + "!A 6-2\nB shows 5-5\nsettled\n^B muggins",
        "muggins",
        B,
        answers((10, 20), (10, 15), (10, 15)),
        "0.26",
        "Fraud, identity and errors of writing outlive a settled hand",
        SHOWN,
        protest=WRITTEN,
        **TWO,
    ),
    case(
        "M09",
        TIMED + "!14:52 B 6-3\n15:00 bell\n^15:10 A muggins",
        "muggins",
        A,
        (15, 0),
        "0.24",
        "muggins for Ana: 6+6+3 = 15, of which Bo left 15 unannounced",
    ),
    case(
        "M09 not written",
        OWED + "bell\n^score 0-0",
        "muggins",
        A,
        answers((15, 0), (0, 0), (0, 0)),
        "0.24",
        "Bo announced nothing in time",
        "Did Ana call muggins within 10 seconds after the bell?",
    ),
    case(
        "M10",
        TIMED + "!14:52 B 6-3\n15:00 bell\n^15:11 A muggins",
        "muggins",
        A,
        (0, 0),
        "0.26",
        "no muggins for Ana: more than 10 s after the bell",
    ),
    case(
        "M14",
        LED + "!B 6-3 on 6-6 call 20\nA 6-5\n^A muggins",
        "muggins",
        A,
        (0, 15),
        "0.29",
        "Bo announced 20 at line 8",
    ),
    case(
        "five seconds at the bell",
        TIMED + "!14:58 B 6-3\n15:00 bell\n^15:10 A muggins",
        "count",
        B,
        answers((0, 15), (15, 0), (0, 0)),
        "0.24",
        "Bo announced nothing in time",
        "Did Bo say 15 within 5 seconds of releasing 6-3?",
    ),
    case(
        "five seconds at the bell, written",
        TIMED + "!14:58 B 6-3\n15:00 bell\n15:02 B call 15\n^15:10 A muggins",
        "muggins",
        A,
        (0, 15),
        "0.24",
        "Bo announced 15 at line 10",
    ),
    case(
        "E01",
        'penalty A 135 "t"\n' + OWED + "^A 6-5",
        "count",
        B,
        answers((0, 150), (0, 135), (0, 135)),
        "0.29",
        "Bo announced nothing in time",
        LATE,
    ),
    case(
        "E02",
        'penalty B 145 "t"\n' + LAST + "!A 6-2\n^B shows 5-5\nA scores 10",
        "count",
        A,
        answers((150, 15), (155, 15), (155, 15)),
        "0.29",
        "3+2 = 5, worth 5",
        "Did Ana say 5 before the hands were shown?",
        **TWO,
    ),
    case(
        "E03",
        'penalty B 140 "t"\npenalty A 130 "t"\n' + LAST + "!A 6-2\n^B shows 5-5\nA scores 10\nsettled",
        "muggins",
        B,
        answers((140, 150), (150, 145), (150, 145)),
        "0.26",
        "Ana announced nothing in time",
        SHOWN,
        **TWO,
    ),
    case(
        "E04",
        LED + "B 6-3 call 15\nbell\n!^score 0-20",
        "result",
        A,
        (0, 15),
        "0.24",
        "the points given so far make 0-15, not 0-20",
    ),
    case("E05", LED + "bell\n!^score 0-0", "result", A, (0, 0), "0.25", "The hand was not settled"),
    case(
        "released at the bell",
        SAID + "^bell",
        "clock",
        A,
        answers((0, 15), (0, 0), (0, 0)),
        "0.24",
        "The hand was not settled",
        "Was 6-3 of Bo released before the bell?",
    ),
    case(
        "released after the bell",
        LED + "bell\n!^B 6-3 call 15",
        "clock",
        B,
        answers((0, 15), (0, 0), (0, 0)),
        "0.24",
        "the bell had rung: no tile may be played or drawn",
        "Was 6-3 of Bo released before the bell?",
    ),
    case(
        "late by the clock",
        LED + "!14:59 B 6-3 call 15\n^bell",
        "clock",
        A,
        (0, 0),
        "0.24",
        "By the clock line 8 was late",
        case={"bell_at": 8980},
    ),
    case(
        "in time by the clock",
        LED + "bell\n!^14:59 B 6-3 call 15",
        "clock",
        B,
        (0, 15),
        "0.24",
        "By the clock line 9 was before the bell",
        case={"bell_at": 9000},
    ),
    case(
        "R01",
        "A hand 6-6\nB hand 2-1\nA 6-6\nB shows 2-1\n!^A scores 3",
        "result",
        A,
        (5, 0),
        "0.20",
        "pips left: Ana 0, Bo 3; that is 5 points for Ana, not 3",
        tags="hand=1",
    ),
    case(
        "R02",
        "A hand 6-6\nB hand 1-1\nA 6-6\nB shows 1-1\n!^A scores 5",
        "result",
        B,
        (0, 0),
        "0.20",
        "pips left: Ana 0, Bo 2; that is 0 points for Ana, not 5",
        tags="hand=1",
    ),
    case(
        "R03",
        "A hand 5-5 5-0\nB hand 6-6 6-3\nA 5-5 call 10\nB draw 5-1\nB 5-1\nA 5-0\nB shows 6-6 6-3\n!^A scores 21",
        "result",
        B,
        (30, 0),
        "0.20",
        "pips left: Ana 0, Bo 21; that is 20 points for Ana, not 21",
        tags="hand=2 lead_first=lot",
    ),
    case(
        "R04",
        THREE_LEFT
        + "A 3-3\nB draw 3-1\nB 3-1\nA 3-2 on 3-3\nB draw 1-0\nB 1-0\nA 2-2\nB shows 6-6 6-5 4-0\n!^A scores 30",
        "result",
        B,
        (25, 0),
        "0.20",
        "pips left: Ana 0, Bo 27; that is 25 points for Ana, not 30",
        tags="hand=3 lead_first=lot",
    ),
    case(
        "a wrong lead in time",
        LED.replace("A 6-6\n", "!^A 6-5\n"),
        "misplay",
        B,
        (0, 0),
        "0.4",
        "6-5 was led by Ana; the lead is Ana with 6-6",
    ),
    case(
        "a wrong lead that stands",
        LED.replace("A 6-6\n", "!A 6-5\n") + "^B 6-3 on 6-5",
        "misplay",
        B,
        (0, 0),
        "0.10",
        "The next turn was completed at line 8: the play stands",
        allowed=False,
    ),
    case(
        "a pass with the boneyard",
        LED + "!^B pass",
        "draw",
        A,
        (30, 0),
        "0.31",
        "Bo passed and could play 6-2 6-3",
        penalties=True,
    ),
    case(
        "a pass that was noticed late",
        LED + "!B pass\n^A 6-5",
        "draw",
        A,
        (0, 0),
        "0.18",
        "Bo passed and could play 6-2 6-3",
    ),
    case(
        "a play in overtime",
        LED + "bell\nscore 0-0\nsettled\nround 2\n" + LED + "!B 6-3 call 15\n^score 0-15",
        "clock",
        A,
        (0, 15),
        "0.24",
        "The hand was not settled",
    ),
    case(
        "played on after the bell",
        LED + "bell\n!B 6-3 call 15\n^A 6-5",
        "clock",
        A,
        (0, 15),
        "0.24",
        "The hand was not settled",
        tags="bell_mode=round",
    ),
    case(
        "a draw when able",
        LED + "!^B draw 4-4",
        "draw",
        A,
        (30, 0),
        "0.31",
        "Bo drew and could play 6-2 6-3",
        penalties=True,
    ),
    case(
        "a draw when able, no penalty",
        LED + "!^B draw 4-4",
        "draw",
        A,
        (0, 0),
        "0.15",
        "Bo drew and could play 6-2 6-3",
    ),
]

# ---- All Fives

FOUR = "A hand 5\nB hand 5\nC hand 5\nD hand 5\n"
FIVES = {"ruleset": "all-fives", "seats": 4}
LEAD = FOUR + "!A 5-5\n"
HELD = FOUR + "!0:10 A 5-5\n0:11.2 C muggins\n"
FIFTEEN = FOUR + "A 6-6\n!0:20 B 6-3\n"
ALL_FIVES = [
    case(
        "M11",
        LEAD + "C muggins\n^B muggins",
        "muggins",
        B,
        (0, 0, 10, 0),
        "3.12",
        "no muggins for Bo: the points of line 11 were claimed already",
        **FIVES,
    ),
    case(
        "M11 first",
        LEAD + "C muggins\n^B 5-3",
        "muggins",
        B,
        answers((0, 10, 0, 0), (0, 0, 10, 0), (0, 0, 0, 0)),
        "3.12",
        "Ana announced nothing in time",
        "Did Bo call muggins before Cy called muggins?",
        **FIVES,
    ),
    case(
        "M12",
        LEAD + "B 5-3\n^B muggins",
        "muggins",
        B,
        (0, 0, 0, 0),
        "3.12",
        "no muggins for Bo: the call for line 11 was open until Bo released 5-3",
        **FIVES,
    ),
    case(
        "M12 not written",
        LEAD + "^B 5-3",
        "muggins",
        B,
        answers((0, 10, 0, 0), (0, 0, 0, 0), (0, 0, 0, 0)),
        "3.12",
        "5+5 = 10, worth 10",
        "Did Bo call muggins after Ana released 5-5, and before Bo released 5-3?",
        **FIVES,
    ),
    case("M13", FOUR + "!A 6-6\n^B muggins", "muggins", B, (0, 0, 0, 0), "3.10", "6+6 = 12, no score", **FIVES),
    case(
        "M15",
        HELD + "^0:12 A call 10\n0:15 B 5-3",
        "muggins",
        C,
        (10, 0, 0, 0),
        "3.12",
        "no muggins for Cy: Ana announced line 11 in time",
        **FIVES,
    ),
    case(
        "M16",
        HELD + "^0:13.4 A call 10\n0:15 B 5-3",
        "muggins",
        C,
        (0, 0, 10, 0),
        "3.12",
        "muggins for Cy: 5+5 = 10, of which Ana left 10 unannounced",
        **FIVES,
    ),
    case(
        "M16 said earlier",
        HELD + "^0:13.4 A call 10\n0:15 B 5-3",
        "count",
        A,
        answers((10, 0, 0, 0), (0, 0, 10, 0), (0, 0, 0, 0)),
        "3.12",
        "Ana announced nothing in time",
        "Did Ana say 10 within 3 seconds of releasing 5-5?",
        **FIVES,
    ),
    case(
        "M16 without times",
        LEAD + "C muggins\n^A call 10\nB 5-3",
        "count",
        A,
        answers((10, 0, 0, 0), (0, 0, 10, 0), (0, 0, 0, 0)),
        "3.11",
        "Ana announced nothing in time",
        "Did Ana say 10 before Cy called muggins?",
        **FIVES,
    ),
    case(
        "M17",
        FIFTEEN + "0:24 A muggins\n^0:24 D muggins",
        "muggins",
        A,
        (0, 0, 0, 15),
        "3.12",
        "no muggins for Ana: the points of line 12 were claimed already",
        **FIVES,
    ),
    case(
        "M18",
        FIFTEEN + "0:24 A muggins\n^0:24.1 C muggins",
        "muggins",
        C,
        (15, 0, 0, 0),
        "3.12",
        "no muggins for Cy: the points of line 12 were claimed already",
        **FIVES,
    ),
    case(
        "called before the count",
        LEAD + "A call 10\n^B 5-3",
        "muggins",
        B,
        answers((0, 10, 0, 0), (10, 0, 0, 0), (10, 0, 0, 0)),
        "3.12",
        "Ana announced 10 at line 12",
        "Did Bo call muggins before Ana announced 10?",
        **FIVES,
    ),
    case(
        "R13",
        "A hand 5-5\nB hand 6-5\nC hand 4-3\nA 5-5 call 10\nB shows 6-5\nC shows 4-3\n!^A scores 20",
        "result",
        B,
        (28, 0, 0),
        "3.16",
        "pips left: Ana 0, Bo 11, Cy 7; that is 18 points for Ana, not 20",
        ruleset="all-fives",
        seats=3,
        tags="hand=1",
    ),
    case(
        "called after a low announcement",
        FOUR + "A 6-6\n!B 6-3\nB call 10\n^C 6-2",
        "muggins",
        C,
        answers((0, 10, 5, 0), (0, 10, 0, 0), (0, 10, 0, 0)),
        "3.12",
        "Bo announced 10 at line 13",
        "Did Cy call muggins after Bo released 6-3, and before Cy released 6-2?",
        **FIVES,
    ),
    case(
        "the last tile, announced while hands are shown",
        "A hand 5-5\nB hand 6-5\n!A 5-5\nB shows 6-5\n^A call 10",
        "count",
        A,
        (21, 0),
        "3.11",
        "Ana announced 10 at line 10",
        ruleset="all-fives",
        tags="hand=1",
    ),
    case(
        "E09",
        'penalty B 90 "t"\nA hand 6-6\nB hand 6-5\nA 6-6\nB shows 6-5\n!A scores 10\n^settled',
        "result",
        B,
        (101, 0),
        "3.20",
        "pips left: Ana 0, Bo 11; that is 11 points for Ana, not 10",
        ruleset="all-fives",
        tags="hand=1",
        protest=WRITTEN,
    ),
    case(
        "E08",
        FOUR + 'penalty B 90 "t"\n!A 5-5\n^B 5-3',
        "count",
        A,
        answers((100, 0, 90, 90), (90, 0, 90, 90), (90, 0, 90, 90)),
        "3.11",
        "Ana announced nothing in time",
        "Did Ana say 10 before Bo released 5-3?",
        **FIVES,
    ),
    case(
        "a pass with the boneyard",
        LEAD.replace("!", "") + "!B pass\n^C 5-4",
        "draw",
        A,
        (0, 0, 0, 0),
        "3.15",
        "Bo passed and could draw: the boneyard had 8",
        **FIVES,
    ),
]

# ---- Muggins without a spinner, Double-Six: points are booked without a call.

HANDS = "A hand 5-5 6-4 6-6 1-0 2-0 3-0 4-0\nB hand 5-0 5-1 2-1 3-1 4-1 6-1 1-1\n"
BOOKED = "Points are booked without an announcement"


def plain(ruleset, match, passing, muggins):
    """Cases of a system without calls."""
    system = {"ruleset": ruleset}
    misplay = "2-1 does not fit the open end of 5-5"
    return [
        case("no count to announce", HANDS + "!A 5-5\n^B 5-0", "count", A, (10, 10), muggins, BOOKED, **system),
        case("a count denied", HANDS + "!A 5-5 call 10\n^B 5-0", "count", B, (10, 10), muggins, BOOKED, **system),
        case(
            "a wrong number",
            HANDS + "!A 5-5 call 15\n^B 5-0",
            "count",
            B,
            (10, 10),
            muggins,
            BOOKED,
            **system,
        ),
        case("no muggins", HANDS + "!A 5-5\n^B 5-0", "muggins", B, (10, 10), muggins, BOOKED, **system),
        case("a misplay in time", HANDS + "A 5-5\n!^B 2-1 on 5-5", "misplay", A, (10, 0), match, misplay, **system),
        case(
            "a misplay that stands",
            HANDS + "A 5-5\n!B 2-1 on 5-5\n^A 6-4",
            "misplay",
            A,
            (10, 0),
            match,
            misplay,
            allowed=False,
            **system,
        ),
        case(
            "a misplay at some time",
            HANDS + "A 5-5\n!B 2-1 on 5-5\nA 6-4",
            "misplay",
            A,
            answers((10, 0), (10, 0), (10, 0)),
            match,
            misplay,
            "Did Ana object to 2-1 before Ana released 6-4?",
            **system,
        ),
        case(
            "a legal play",
            HANDS + "A 5-5\n!^B 5-1",
            "misplay",
            A,
            (10, 0),
            match,
            "Nothing at line 8 is against the rules",
            **system,
        ),
        case(
            "a pass in time",
            HANDS + "A 5-5\n!^B pass",
            "draw",
            A,
            (10, 0),
            passing,
            "Bo passed and could play 5-0 5-1",
            **system,
        ),
    ]


MUGGINS = [
    *plain("muggins", "1.7", "1.13", "1.21"),
    case(
        "a draw when able",
        HANDS + "A 5-5\n!^B draw 6-5",
        "draw",
        A,
        (10, 0),
        "1.11",
        "Bo drew and could play 5-0 5-1",
        ruleset="muggins",
    ),
    case(
        "R09",
        "A hand 5-5\nB hand 6-6\nA 5-5\nB shows 6-6\n!^A scores 12",
        "result",
        B,
        (12, 0),
        "1.16",
        "pips left: Ana 0, Bo 12; that is 2 points for Ana, not 12",
        ruleset="muggins",
        tags="hand=1",
    ),
    case(
        "points at the end of a hand",
        'penalty B 95 "t"\npenalty A 88 "t"\nA hand 5-4\nB hand 6-6\nA 5-4\nB shows 6-6\n!^A scores 2\nscore 97-88',
        "result",
        B,
        (97, 88),
        "1.16",
        "The hand was not settled",
        ruleset="muggins",
        tags="hand=1",
    ),
]
E07 = 'penalty B 98 "t"\npenalty A 60 "t"\nA hand 5-4\nB hand 6-6\nA 5-4\nB shows 6-6\n!A scores 12\n^settled'
MUGGINS.append(
    case(
        "E07",
        E07,
        "result",
        B,
        (100, 60),
        "1.19",
        "pips left: Ana 0, Bo 12; that is 2 points for Ana, not 12",
        ruleset="muggins",
        tags="hand=1 lead_first=highest_double lead_forced=false",
        protest=WRITTEN,
    )
)
DOUBLE_SIX = [
    *plain("double-six", "4.7", "4.12", "4.19"),
    case(
        "R17",
        "A hand 6-6\nB hand 5-5\nA 6-6\nB shows 5-5\n!^A scores 10",
        "result",
        B,
        (5, 0),
        "4.15",
        "pips left: Ana 0, Bo 10; that is 5 points for Ana, not 10",
        ruleset="double-six",
        tags="hand=1",
    ),
]

# ---- Uno Dominoes

RACKS = (
    "A hand g9-g9 r3-rS b4-gD2 b1-WD4 y7-WD4 r2-g9\n"
    "B hand b4-gS g1-y9 b6-g9 g5-DE bD2-g2 W-W\n"
    "C hand b5-g4 g2-b5 gR-r5 b4-b4 r1-b3 y4-r5\n"
)
UNSEEN = "A hand 6\nB hand 6\nC hand 6\n"
SMALL = "A hand g9-g9 g8-b1 r1-b3\nB hand g1-y9 b6-g9 r2-g9\nC hand b5-g4 g2-b5 b4-b4\n"
ROUND = "A g9-g9\nB g1-y9 on g9-g9\nC g4-b5 on g9-g9\n"
WILD = ROUND.replace(" on g9-g9", "", 1) + "!A WD4-b1 on y9-g1\n"
ONE_LEFT = SMALL + ROUND + "!A g8-b1 on g9-g9\n"
UNO = {"ruleset": "uno-dominoes", "seats": 3}
THREE = {**UNO, "tags": "hand=3"}
NONE = (0, 0, 0)
NOTHING = answers(NONE, NONE, NONE)
CATCH = ("uno-dominoes.catch", C, True)
UPHELD, REJECTED = ("uno-dominoes.challenge", B, True), ("uno-dominoes.challenge", B, False)
UNO_DOMINOES = [
    case(
        "U05",
        RACKS + WILD + "B challenges\n^A draw y1-y1 g4-g4 y8-y8 r3-r3",
        "challenge",
        B,
        NONE,
        "2.18",
        "the challenge of Bo is upheld: Ana held g9-r2 b4-gD2 WD4-y7",
        calls={"": (UPHELD,)},
        **UNO,
    ),
    case(
        "U05 not challenged",
        RACKS + WILD.replace("!", "!^") + "B draw 4",
        "challenge",
        B,
        NOTHING,
        "2.20",
        "The hand was not settled",
        "Did Bo challenge before drawing the first penalty tile?",
        calls={YES: (UPHELD,), NO: (), UNKNOWN: ()},
        **UNO,
    ),
    case(
        "U05 rack unseen",
        UNSEEN + WILD + "^B challenges",
        "challenge",
        B,
        NOTHING,
        "2.18",
        "nothing in the record decides the challenge of Bo: line 12 stands",
        "Did Ana hold a tile of an exposed colour when playing WD4-b1?",
        calls={YES: (UPHELD,), NO: (REJECTED,), UNKNOWN: (REJECTED,)},
        **UNO,
    ),
    case(
        "U05 rack shown",
        UNSEEN + WILD + "B challenges\n^A shows r3-rS r2-r2 r3-r3 rS-rS".replace(" r4-r5", ""),
        "challenge",
        B,
        NONE,
        "2.20",
        "The hand was not settled",
        **UNO,
    ),
    case(
        "U11",
        ONE_LEFT + "B draw y1-y1\nB pass\n^C catches A\nA draw 2",
        "catch",
        C,
        NONE,
        "2.29",
        "Cy catches Ana, who did not say uno at line 13",
        calls={"": (CATCH,)},
        **THREE,
    ),
    case(
        "U11 not written",
        ONE_LEFT + "B draw y1-y1\n^B pass",
        "catch",
        C,
        NOTHING,
        "2.29",
        "The hand was not settled",
        "Did Cy catch Ana before another player placed a tile?",
        calls={YES: (CATCH,), NO: (), UNKNOWN: ()},
        **THREE,
    ),
    case(
        "U11 after a placement",
        ONE_LEFT + "B g9-r2 on g9-g9\n^C catches A",
        "catch",
        C,
        NONE,
        "2.29",
        "no catch for Cy: Ana is not open to a catch",
        **THREE,
    ),
    case(
        "U11 written late",
        ONE_LEFT + "B g9-r2 on g9-g9\n^C catches A",
        "catch",
        C,
        NOTHING,
        "2.29",
        "no catch for Cy: Ana is not open to a catch",
        "Did Cy catch Ana before Bo released g9-r2?",
        protest=WRITTEN,
        calls={YES: (CATCH,), NO: (), UNKNOWN: ()},
        **THREE,
    ),
    case(
        "U11 uno was said",
        ONE_LEFT + "A uno\nB draw y1-y1\n^B pass",
        "catch",
        C,
        NONE,
        "2.28",
        "Ana said uno at line 14",
        **THREE,
    ),
    case(
        "U03 a doublet on a doublet",
        RACKS + "A g9-g9\nB draw g4-g4\n!^B g4-g4 on g9-g9",
        "misplay",
        A,
        NONE,
        "2.7",
        "g4-g4 does not fit the open end of g9-g9",
        **UNO,
    ),
    case("no count", RACKS + "!^A g9-g9", "count", A, NONE, "2.33", "Nothing is counted at line 9", **UNO),
    case(
        "U07",
        "A hand g9-g9\nB hand r1-b3\nA g9-g9\nB shows r1-b3\n!^A scores 5",
        "result",
        B,
        (4, 0),
        "2.34",
        "points on the racks: Ana 0, Bo 4; that is 4 points for Ana, not 5",
        ruleset="uno-dominoes",
        seats=2,
        tags="hand=1",
    ),
]

CASES = [*UDL, *ALL_FIVES, *MUGGINS, *DOUBLE_SIX, *UNO_DOMINOES]

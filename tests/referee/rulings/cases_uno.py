"""Protests in Uno Dominoes."""

from tests.referee.rulings.court_case import NO, UNKNOWN, WRITTEN, YES, A, B, C, answers, case

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

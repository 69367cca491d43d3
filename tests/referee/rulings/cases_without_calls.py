"""Protests in Muggins without a spinner and Double-Six: points are booked without a call."""

from tests.referee.rulings.court_case import WRITTEN, A, B, answers, case

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
        "tiles left: Ana 0, Bo 1; that is 5 points for Ana, not 10",
        ruleset="double-six",
        tags="hand=1",
    ),
]

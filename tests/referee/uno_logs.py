"""Short logs of Uno Dominoes for tests: a header, dealt hands, and the lines that matter."""

from referee import Verdict, verify_text
from referee.report import report

HANDS = (
    "A hand g9-g9 r3-rS b4-gD2 b1-WD4 y7-WD4 r2-g9\n"
    "B hand b4-gS g1-y9 b6-g9 g5-DE bD2-g2 W-W\n"
    "C hand b5-g4 g2-b5 gR-r5 b4-b4 r1-b3 y4-r5\n"
)
"""A leads g9-g9; the first line after the hands is line ``FIRST``."""
FIRST = 9
THREE = "A g9-g9\nB g1-y9\nC g4-b5 on g9-g9\n"
DRAW_TWO = THREE + "A gD2-b4 on g9-g9\n"
"""B has to draw two; then C acts."""
WILD_FOUR = THREE + "A WD4-b1 on y9-g1\n"
"""B has to draw four; A held b4, of the colour of b5, so a challenge is right."""

FULL = "A hand 27\nB hand 27\nC hand 27\n"
EMPTY = '[Option.hand "40/27/20/16/13"]\n'
"""Three seats hold the whole set: the draw pile is empty."""


def uno(lines, *, hands=HANDS, tags="", seats=3):
    """The verdict on round 1 of a game that goes on with these lines; in line ``FIRST`` with three seats, no tags."""
    header = '[Ruleset "uno-dominoes"]\n' + "".join(f'[Seat.{letter} "{letter}"]\n' for letter in "ABCDEF"[:seats])
    (verdict,) = verify_text(header + tags + "round 1\n" + hands + lines)
    assert isinstance(verdict, Verdict), verdict.as_json()
    assert "%" not in report(verdict)
    return verdict


def two(a, b, lines, **options):
    """A game of two with these small hands: its lines begin in line 8, and one line later for each option."""
    tags = {"hand": str(len(a.split()))} | {key: str(value).lower() for key, value in options.items()}
    header = "".join(f'[Option.{key} "{value}"]\n' for key, value in tags.items())
    return uno(lines, hands=f"A hand {a}\nB hand {b}\n", tags=header, seats=2)

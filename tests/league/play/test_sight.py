"""What a seat sees of a game: its own tiles, and a rack that was shown to it."""

from games.moves import Deal, Draw, Event, Show
from league.play.sight import seen_by
from referee.frames import reel
from tests.league.play.uno_tables import uno_at

HANDS = (
    "A hand g9-g9 r3-rS r2-g9 y5-g8 y3-r6 r5-g6",
    "B hand b1-WD4 g2-b5 g5-b9 y1-r4 b6-g7 r7-yD2",
    "C hand r2-r2 b2-y6 b3-y7 y4-r5 b7-r8 g6-DE",
)
CHALLENGED = ("A g9-g9", "B WD4-b1 on g9-g9", "C challenges", "B shows g2-b5 g5-b9 y1-r4 b6-g7 r7-yD2", "upheld")


def events(seat: int, *lines: str) -> list[Event]:
    [shown] = seen_by(seat, reel(uno_at(*HANDS, *lines).log)).rounds
    return [frame.event for frame in shown.frames]


def shown_rack(seat: int) -> Show:
    return next(one for one in events(seat, *CHALLENGED) if isinstance(one, Show))


def test_a_rack_is_shown_to_its_challenger_and_its_owner_only() -> None:
    """RULES.md 2.23."""
    hidden = [None in shown_rack(seat).tiles for seat in range(3)]
    assert hidden == [True, False, False]
    assert len(shown_rack(0).tiles) == 5


def test_the_tiles_left_at_the_end_are_seen_by_everybody() -> None:
    lines = ("A g9-g9", "B g2-b5 on g9-g9")
    shown = [one for one in events(0, *lines) if isinstance(one, Show)]
    assert shown == []


def test_a_seat_sees_its_own_draws_and_deal() -> None:
    lines = ("A g9-g9", "B draw b8-DE", "B pass", "C draw y1-g7")
    for seat in range(3):
        found = events(seat, *lines)
        drawn = {one.seat: one.tiles for one in found if isinstance(one, Draw)}
        assert {of: bool(tiles) for of, tiles in drawn.items()} == {1: seat == 1, 2: seat == 2}
        assert all(bool(one.tiles) == (one.seat == seat) for one in found if isinstance(one, Deal))

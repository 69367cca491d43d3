"""Sentences of the document of Uno Dominoes at a dealer's table (docs/rules/sentences.md).

The practice table is such a table: each test holds for it. What the computers do is in test_uno_table.py.
"""

import pytest

from games.errors import IllegalMove, Reason
from games.moves import SEATS, Draw, Pass, Play
from games.rulesets import get
from league.play.table import log_tags
from league.play.uno_dealer import UnoDealer
from league.play.uno_table import UnoTable

TILES = get("uno-dominoes").tiles
A, B, C, D = range(4)
LEAD = "A g9-g9"


def table(*lines: str, before: str = "", **options: str) -> UnoDealer:
    """A table after these lines of its first hand, with as many seats as hands; `before` stands before the hand."""
    seats = sum(" hand " in line for line in lines)
    start = [*before.splitlines(), "round 1", *lines]
    return UnoDealer(log_tags("uno-dominoes", SEATS[:seats], options), "here", start)


def play(seat: int, tile: str, on: str = "", colour: str | None = None) -> Play:
    return Play(seat, TILES.tile(tile), TILES.tile(on) if on else None, None, colour)


def refusal(one: UnoDealer, move: Play | Draw | Pass) -> Reason:
    before = one.lines[:]
    with pytest.raises(IllegalMove) as caught:
        one.make(move)
    assert one.lines == before
    return caught.value.reason


def joined(one: UnoDealer, seat: int, on: str) -> set[str]:
    """Tiles of a seat that it can join to this one; the half written first touches."""
    index = TILES.tile(on).index
    return {move.tile.name for move in one.plays_of(seat) if move.on is not None and move.on.index == index}


def pips(*names: str) -> int:
    return sum(TILES.tile(name).pips for name in names)


def test_the_practice_table_is_a_table_of_the_dealer() -> None:
    assert issubclass(UnoTable, UnoDealer)


# ---- The set, the deal, the lead


@pytest.mark.parametrize(("seats", "pile"), [(2, 69), (3, 63), (4, 57), (5, 51), (6, 45)])
def test_each_player_has_six_of_the_81_tiles_and_the_others_are_the_draw_pile(seats, pile) -> None:
    """Shaken: no two deals are the same."""
    hands = set()
    for seed in range(12):
        one = UnoDealer(log_tags("uno-dominoes", SEATS[:seats], {}), str(seed))
        one.deal()
        drawn = sum(isinstance(entry.event, Draw) for entry in one.log.entries)
        held = sum(one.colours.hands)
        assert (held.bit_count(), len(one.boneyard)) == (6 * seats + drawn, pile - drawn)
        assert held + TILES.mask(one.boneyard) == TILES.all
        assert TILES.all.bit_count() == 81
        hands.add(tuple(one.colours.hands))
    assert len(hands) == 12


@pytest.mark.parametrize(
    ("hands", "seat", "tile"),
    [
        (("y8-y8 rS-rS W-W", "g7-g7 WD4-WD4 bR-bR"), A, "y8-y8"),
        (("g7-g7 WD4-WD4 bR-bR", "y8-y8 rS-rS rD2-rD2"), B, "y8-y8"),
        (("y9-y9 r1-g9 b1-yS", "g9-g9 r3-rS W-W"), B, "g9-g9"),
    ],
)
def test_the_highest_numeric_doublet_leads_and_no_action_doublet(hands, seat, tile) -> None:
    """Of two equal ones red comes before green, yellow and blue."""
    one = table(*(f"{SEATS[n]} hand {names}" for n, names in enumerate(hands)), hand="3")
    assert [move.tile.name for move in one.plays_of(seat)] == [tile]
    assert one.plays_of(1 - seat) == ()
    for n, names in enumerate(hands):
        for other in set(names.split()) - {tile}:
            colour = "red" if other.startswith("W") else None
            assert refusal(one, play(n, other, colour=colour)) is Reason.WRONG_LEAD


# ---- What fits


def test_a_tile_fits_by_colour_or_by_kind() -> None:
    """The example of the document: on a blue seven goes a seven, or a blue half."""
    hands = "A hand g9-g9 y1-y1 r2-r2", "B hand r9-b7 r3-r3 b1-yS", "C hand y7-bS g7-r4 r1-g9"
    one = table(*hands, LEAD, "B r9-b7 on g9-g9", hand="3")
    fitting = joined(one, C, "r9-b7")
    assert fitting == {"y7-bS", "bS-y7", "g7-r4"}
    assert refusal(one, play(C, "r1-g9", "r9-b7")) is Reason.DOES_NOT_MATCH


def test_a_doublet_is_never_joined_to_a_doublet() -> None:
    one = table("A hand g9-g9 r2-r2", "B hand y9-y9 W-W", LEAD, hand="2")
    assert refusal(one, play(B, "y9-y9", "g9-g9")) is Reason.DOES_NOT_MATCH
    assert refusal(one, play(B, "W-W", "g9-g9", "red")) is Reason.DOES_NOT_MATCH
    assert one.plays_of(B) == ()


FIVE = "A hand g9-g9 g1-y9 g4-r9 r2-r2", "B hand g5-b9 g7-r4 gS-b4 y1-y1"
FOUR_ARMS = LEAD, "B g5-b9 on g9-g9", "A g1-y9 on g9-g9", "B g7-r4 on g9-g9", "A g4-r9 on g9-g9"


def test_the_starting_doublet_alone_is_open_on_four_sides() -> None:
    one = table(*FIVE, *FOUR_ARMS[:4], hand="4")
    assert "g4-r9" in joined(one, A, "g9-g9")
    one.make(play(A, "g4-r9", "g9-g9"))
    assert refusal(one, play(B, "gS-b4", "g9-g9")) is Reason.NO_OPEN_END
    later = table("A hand g9-g9 r2-r2", "B hand g2-b5 y1-y1", "C hand b5-b5 y3-y3", LEAD, "B g2-b5 on g9-g9", hand="2")
    later.make(play(C, "b5-b5", "g2-b5"))
    assert later.colours.layout.free[TILES.tile("b5-b5").index] == 1


def test_the_all_doublet_version_is_a_house_rule() -> None:
    hands = "A hand g9-g9 r2-r2", "B hand g2-b5 y1-y1", "C hand b5-b5 y3-y3"
    one = table(*hands, LEAD, "B g2-b5 on g9-g9", hand="2", all_doublet="true")
    one.make(play(C, "b5-b5", "g2-b5"))
    assert one.colours.layout.free[TILES.tile("b5-b5").index] == 3


def test_nothing_is_joined_to_a_dead_end() -> None:
    one = table("A hand g9-g9 r2-r2", "B hand g6-DE y1-y1", "C hand g5-DE gR-r5", LEAD, "B g6-DE on g9-g9", hand="2")
    assert refusal(one, play(C, "gR-r5", "g6-DE")) is Reason.NO_OPEN_END
    assert refusal(one, play(C, "DE-g5", "g9-g9")) is Reason.DOES_NOT_MATCH
    assert {move.tile.name for move in one.plays_of(C)} == {"g5-DE", "gR-r5"}


def test_a_wild_fits_everywhere() -> None:
    """Also where its player holds another tile that fits."""
    one = table("A hand g9-g9 r2-r2", "B hand g1-y9 y1-y1", "C hand W-W y3-r6", LEAD, "B g1-y9 on g9-g9", hand="2")
    assert joined(one, C, "g1-y9") == {"W-W", "y3-r6"}
    one.make(play(C, "W-W", "g1-y9", "red"))
    assert "C W-W on g1-y9 colour red" in one.lines


# ---- Turns


SKIP = "A hand g9-g9 r2-r2", "B hand y9-r6 y1-y1", "C hand r3-rS y3-y3", "D hand y7-bS b4-b4"


def test_the_example_of_an_active_and_an_inactive_skip() -> None:
    before = *SKIP, LEAD, "B y9-r6 on g9-g9"
    active = table(*before, hand="2")
    active.make(play(C, "rS-r3", "y9-r6"))
    assert active.colours.to_act == A
    inactive = table(*before, hand="2")
    inactive.make(play(C, "r3-rS", "y9-r6"))
    assert inactive.colours.to_act == D
    inactive.make(play(D, "bS-y7", "r3-rS"))
    assert inactive.colours.to_act == B, "the skip that touches is active"


def test_a_reverse_turns_the_direction() -> None:
    one = table("A hand g9-g9 gR-r2", "B hand gR-r3 y1-y1", "C hand y3-y3 b4-b4", LEAD, hand="2")
    assert one.colours.to_act == B
    one.make(play(B, "gR-r3", "g9-g9"))
    assert one.colours.to_act == A
    longer = table("A hand g9-g9 gR-r2 r4-g7", "B hand gR-r3 y1-y1 b5-b5", "C hand y3-y3 b4-b4 r2-r2", LEAD, hand="3")
    longer.make(play(B, "gR-r3", "g9-g9"))
    longer.make(play(A, "gR-r2", "g9-g9"))
    assert longer.colours.to_act == B, "two reverses"


def test_who_does_not_play_draws_first() -> None:
    """Also who could play: a player may choose not to."""
    one = table("A hand g9-g9 r2-r2", "B hand g1-y9 y1-y1", LEAD, hand="2")
    assert one.plays_of(B)
    assert refusal(one, Pass(B)) is Reason.PASS_WITH_BONEYARD
    one.draw(B)
    assert refusal(one, play(B, "g1-y9", "g9-g9")) is Reason.MUST_PLAY_DRAWN
    one.draw(B)
    assert (one.lines[-1], one.colours.to_act) == ("B pass", A)


def test_after_the_next_tile_a_catch_has_no_effect() -> None:
    hands = "A hand g9-g9 r2-r2", "B hand g1-y9 y1-y1", "C hand y3-y3 b4-b4"
    in_time, late = table(*hands, LEAD, hand="2"), table(*hands, LEAD, "B g1-y9 on g9-g9", hand="2")
    for one in (in_time, late):
        one.catch(C, A)
    assert (in_time.colours.held[A], late.colours.held[A]) == (3, 1)


# ---- Points


def test_the_hand_s_points_are_those_of_the_other_racks() -> None:
    """Numbers their value, R, S and D2 10, DE and WD4 20, W 25: each marking."""
    racks = ["W-W", "WD4-y7", "gR-r3", "g6-DE", "b4-gS"]
    hands = [f"{SEATS[n]} hand {name}" for n, name in enumerate(["g9-g9", *racks])]
    one = table(*hands, hand="1")
    one.make(play(A, "g9-g9"))
    assert (one.live, one.game.card.scores) == (None, [50 + 27 + 13 + 26 + 14, 0, 0, 0, 0, 0])


def test_a_last_draw_two_is_drawn_before_the_racks_are_counted() -> None:
    hands = "A hand y9-y9 rD2-y4", "B hand r1-b3 y8-rR"
    one = table(*hands, "A y9-y9", "B y8-rR on y9-y9", hand="2")
    one.make(play(A, "rD2-y4", "rR-y8"))
    drawn = next(line for line in one.lines if line.startswith("B draw")).split()[2:]
    assert len(drawn) == 2
    assert one.game.card.scores == [4 + pips(*drawn), 0]


@pytest.mark.parametrize(("start", "over"), [(491, True), (490, False)])
def test_the_game_ends_at_500_points(start, over) -> None:
    one = table("A hand y9-y9", "B hand y4-r5", before=f'penalty B {start} "start"', hand="1")
    one.make(play(A, "y9-y9"))
    assert (one.game.card.scores[A], one.over) == (start + 9, over)

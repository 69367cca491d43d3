"""Sentences of the documents of UDL, Muggins and All Fives, at a dealer's table (docs/rules/sentences.md).

Most of Double-Six are in test_table.py. The practice table is such a table: each test holds for it.
"""

from pathlib import Path

import pytest

from games.errors import IllegalMove, Reason
from games.moves import SEATS, Call, Draw, Pass, Play, Said
from games.tiles import DOUBLE_SIX
from league.play.dealer import Dealer
from league.play.online.table import OnlineTable, OnlineUno
from league.play.table import PracticeTable, log_tags
from league.play.uno_dealer import UnoDealer
from tests.referee.test_systems import BLOCKING, LOWER, OPTIONS, TIE
from tests.volume import seeds

UDL, MUGGINS, ALL_FIVES, DOUBLE_SIX_KEY = "udl", "muggins", "all-fives", "double-six"
PIPS = (UDL, MUGGINS, ALL_FIVES)
ALL_PIPS = (*PIPS, DOUBLE_SIX_KEY)
SIZES = [
    (UDL, 2, 7, 14),
    (MUGGINS, 2, 7, 14),
    (MUGGINS, 3, 5, 13),
    (MUGGINS, 4, 5, 8),
    (ALL_FIVES, 2, 7, 14),
    (ALL_FIVES, 3, 5, 13),
    (ALL_FIVES, 4, 5, 8),
]
A, B, C, D = range(4)
LOGS = Path(__file__).parents[2] / "logs"
HANDS = "A hand 6-6 6-2 5-5 4-1 3-1 2-0 1-0", "B hand 6-3 6-5 5-4 4-3 4-2 2-1 1-1"


def table(system: str, *lines: str, seats: int = 2, seed: object = "here", before: str = "", **options: str) -> Dealer:
    """A table after these lines of its first hand; `before` stands before the hand."""
    start = [*before.splitlines(), "round 1"] if lines else []
    return Dealer(log_tags(system, SEATS[:seats], options), str(seed), [*start, *lines])


def dealt(system: str, seats: int, seed: object) -> Dealer:
    one = table(system, seats=seats, seed=seed)
    one.deal()
    return one


def play(seat: int, tile: str, on: str = "", points: int | None = None) -> Play:
    return Play(seat, DOUBLE_SIX.tile(tile), DOUBLE_SIX.tile(on) if on else None, points)


def refusal(one: Dealer, move: Play | Draw | Pass) -> Reason:
    before = one.lines[:]
    with pytest.raises(IllegalMove) as caught:
        one.make(move)
    assert one.lines == before
    return caught.value.reason


def names(one: Dealer, seat: int) -> list[str]:
    return [move.tile.name for move in one.plays_of(seat)]


def scores(one: Dealer) -> list[int]:
    return one.game.card.scores


def doubles(one: Dealer) -> list[list[int]]:
    return [[tile.high for tile in DOUBLE_SIX.in_mask(hand) if tile.double] for hand in one.live.hands]


def test_the_practice_table_is_a_table_of_the_dealer() -> None:
    assert issubclass(PracticeTable, Dealer)
    own = {"deal", "move", "draw_or_pass", "call_muggins", "plays"}
    assert not own - {"deal"} & set(vars(Dealer)), "it judges nothing itself"


def test_the_online_table_is_a_table_of_the_dealer() -> None:
    """It adds the server's clock, and judges no move itself."""
    assert issubclass(OnlineTable, Dealer)
    assert not {"deal", "make", "draw", "plays_of", "settle", "write", "ring"} & set(vars(OnlineTable))
    assert issubclass(OnlineUno, OnlineTable)
    assert issubclass(OnlineUno, UnoDealer)
    assert not {"make", "draw", "plays_of", "accept", "challenge", "say_uno", "reopen"} & set(vars(OnlineUno))


# ---- The wash, the deal, the lead


@pytest.mark.parametrize(("system", "seats", "size", "rest"), SIZES)
def test_each_player_draws_the_tiles_of_the_document_and_the_others_are_the_boneyard(system, seats, size, rest) -> None:
    hands = set()
    for seed in range(8):
        one = dealt(system, seats, seed)
        held = [hand.bit_count() for hand in one.live.hands]
        assert (held, len(one.boneyard), one.live.boneyard) == ([size] * seats, rest, rest)
        assert sum(one.live.hands) + DOUBLE_SIX.mask(one.boneyard) == DOUBLE_SIX.all
        hands.add(tuple(one.live.hands))
    assert len(hands) == 8, "shuffled"


@pytest.mark.parametrize(("system", "seats"), [(UDL, 2), (ALL_FIVES, 2), (ALL_FIVES, 3), (ALL_FIVES, 4)])
def test_the_highest_double_leads_and_its_holder_must_lead_it(system, seats) -> None:
    for seed in seeds(40, least=10):
        one = dealt(system, seats, seed)
        highest = max(((high, seat) for seat, held in enumerate(doubles(one)) for high in held), default=None)
        if highest:
            high, seat = highest
            assert names(one, seat) == [f"{high}-{high}"]
            assert [names(one, other) for other in one.seats if other != seat] == [[]] * (seats - 1)


@pytest.mark.parametrize(("other", "highest"), [("6-4", "6-5"), ("5-4", "6-2")])
def test_of_hands_without_a_double_the_highest_tile_leads_six_five_before_six_four(other, highest) -> None:
    """By the higher half, then the lower one: six-two comes before five-four too."""
    one = table(UDL, f"A hand {other} 5-3 4-3 4-1 3-1 2-0 1-0", f"B hand {highest} 5-1 5-2 4-0 4-2 2-1 3-0")
    assert (names(one, A), names(one, B)) == ([], [highest])


def test_where_nobody_holds_a_double_each_draws_in_turn_and_the_double_that_is_drawn_is_led() -> None:
    hands = "A hand 6-5 6-4 6-3 6-2 6-1", "B hand 5-4 5-3 5-2 5-1 5-0", "C hand 4-3 4-2 4-1 4-0 3-2"
    drawn_by = set()
    for seed in range(20):
        one, turn = table(ALL_FIVES, *hands, seats=3, seed=seed), A
        while not any(doubles(one)):
            assert [names(one, seat) for seat in one.seats] == [[]] * 3
            assert refusal(one, Pass(turn)) is Reason.PASS_WITH_BONEYARD
            one.draw(turn)
            last, turn = turn, (turn + 1) % 3
        assert names(one, last) == [f"{doubles(one)[last][0]}-{doubles(one)[last][0]}"]
        drawn_by.add(last)
    assert drawn_by == {A, B, C}


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_each_player_draws_a_lot_and_the_highest_leads_any_tile(seats) -> None:
    for seed in range(12):
        one = dealt(MUGGINS, seats, seed)
        lots = [line.split() for line in one.lines if " lot " in line]
        assert [seat for seat, *_rest in lots] == list(SEATS[:seats])
        ranks = [(tile.pips, tile.high) for tile in (DOUBLE_SIX.tile(words[2]) for words in lots)]
        leader = ranks.index(max(ranks))
        held = [len(names(one, seat)) for seat in one.seats]
        assert held == [one.live.held[leader] if seat == leader else 0 for seat in one.seats]


# ---- Turns


@pytest.mark.parametrize(("system", "seats"), [(UDL, 2), (MUGGINS, 2), (MUGGINS, 4), (ALL_FIVES, 3), (ALL_FIVES, 4)])
def test_turns_go_clockwise(system, seats) -> None:
    followed = 0
    for seed in range(10):
        one = dealt(system, seats, seed)
        while one.live and followed < 60:
            seat = one.live.to_act
            if seat is None or not one.plays_of(seat):
                one.draw(seat or A)
                continue
            one.make(one.plays_of(seat)[0])
            if one.live:
                assert one.live.to_act == (seat + 1) % seats
                followed += 1
    assert followed == 60


@pytest.mark.parametrize("system", ALL_PIPS)
def test_a_tile_is_joined_to_a_matching_end(system) -> None:
    one = table(system, *HANDS, "A 6-6", "B 6-3 on 6-6")
    assert refusal(one, play(A, "5-5", "6-3")) is Reason.DOES_NOT_MATCH
    assert refusal(one, play(A, "4-1", "6-6")) is Reason.DOES_NOT_MATCH
    one.make(play(A, "3-1", "6-3"))
    assert [end.face.name for end in one.live.layout.open_ends] == ["6", "1"]


@pytest.mark.parametrize(("system", "spinner"), [(UDL, True), (ALL_FIVES, True), (MUGGINS, False)])
def test_the_ends_of_the_first_double_take_tiles_where_the_system_has_a_spinner(system, spinner) -> None:
    """Muggins: a double is played at two ends only. No later double is a spinner."""
    one = table(system, *HANDS, "A 6-6", "B 6-3 on 6-6", "A 6-2 on 6-6")
    assert ("6-5" in names(one, B)) is spinner
    hands = "A hand 6-6 6-5 5-1 5-2 3-1 2-0 1-0", "B hand 6-3 5-5 5-4 4-3 4-2 2-1 5-0"
    plays = "A 6-6", "B 6-3 on 6-6", "A 6-5 on 6-6", "B 5-5 on 6-5", "A 5-1 on 5-5"
    one = table(system, *hands, *plays)
    assert refusal(one, play(B, "5-4", "5-5")) is Reason.NO_OPEN_END


@pytest.mark.parametrize("system", PIPS)
def test_who_can_play_neither_draws_nor_passes(system) -> None:
    one = table(system, *HANDS, "A 6-6")
    assert refusal(one, Draw(B, 1)) is Reason.DRAW_WHEN_ABLE
    assert refusal(one, Pass(B)) is Reason.PASS_WHEN_ABLE


@pytest.mark.parametrize("system", PIPS)
def test_who_can_not_play_draws_until_a_tile_can_be_played_and_plays_it(system) -> None:
    hands = "A hand 6-6 6-2 5-5 4-1 3-1 2-0 1-0", "B hand 5-4 4-3 4-2 2-1 1-1 3-0 0-0"
    several = 0
    for seed in range(12):
        one, drawn = table(system, *hands, "A 6-6", seed=seed), []
        while not one.plays_of(B):
            assert refusal(one, Pass(B)) is Reason.PASS_WITH_BONEYARD
            drawn.append(one.boneyard[0].name)
            one.draw(B)
        several += len(drawn) > 1
        assert names(one, B) == drawn[-1:], "only the drawn tile fits"
        assert refusal(one, Draw(B, 1)) is Reason.DRAW_WHEN_ABLE
        one.make(one.plays_of(B)[0])
        assert one.live.to_act == A
    assert several > 3


NO_SIX = "5-5 5-4 5-3 5-2 5-1 5-0 4-4 4-3 4-2 4-1 4-0 3-3 3-2"
SIXES = "6-6 6-5 6-4 6-3 6-2 6-1 6-0 3-0 2-2 2-1 2-0 1-1 1-0"


@pytest.mark.parametrize("system", ALL_PIPS)
def test_at_an_empty_boneyard_who_can_not_play_passes_to_the_next_player(system) -> None:
    """The last tile of the boneyard is drawn too."""
    one = table(system, f"A hand {SIXES}", f"B hand {NO_SIX}", "A 6-6", hand="13")
    while one.boneyard:
        assert (refusal(one, Pass(B)), one.plays_of(B)) == (Reason.PASS_WITH_BONEYARD, ())
        one.draw(B)
    assert [line.split()[:2] for line in one.lines[-2:]] == [["B", "draw"]] * 2
    one.draw(B)
    assert (one.lines[-1], one.live.to_act) == ("B pass", A)


# ---- Points of a play


COUNTS = [("6-6", "6-3", 15, 15), ("6-6", "6-5", 17, 0), ("5-5", "5-4", 14, 0), ("5-5", "5-0", 10, 10)]


@pytest.mark.parametrize("system", ALL_PIPS)
@pytest.mark.parametrize(("lead", "second", "count", "points"), COUNTS)
def test_a_play_scores_its_open_ends_if_they_are_a_multiple_of_five(system, lead, second, count, points) -> None:
    """At once. A double at an end counts both its halves."""
    hands = f"A hand {lead} 2-1", f"B hand {second} 1-1"
    one = table(system, *hands, f"A {lead}", hand="2", lead_first="highest_double")
    one.make(play(B, second, lead, points or None))
    assert (one.live.layout.count, scores(one)[B]) == (count, points)


@pytest.mark.parametrize(("system", "points"), [(UDL, 0), (ALL_FIVES, 0), (MUGGINS, 15), (DOUBLE_SIX_KEY, 15)])
def test_points_are_announced_or_the_system_books_them(system, points) -> None:
    one = table(system, *HANDS, "A 6-6", "B 6-3 on 6-6")
    assert scores(one)[B] == points
    if not points:
        one.call(Call(B, Said.COUNT, 15))
        assert scores(one)[B] == 15


def test_udl_muggins_is_called_after_the_next_play() -> None:
    one = table(UDL, *HANDS, "A 6-6", "B 6-3 on 6-6")
    one.call(Call(A, Said.MUGGINS))
    assert scores(one) == [0, 0], "before it the player may still announce"
    one.make(play(A, "6-2", "6-6"))
    one.call(Call(A, Said.MUGGINS))
    assert scores(one) == [15, 0]


@pytest.mark.parametrize("caller", [A, C])
def test_all_fives_any_opponent_calls_muggins_before_the_next_play(caller) -> None:
    hands = "A hand 6-6 6-2 2-0", "B hand 6-3 6-5 2-1", "C hand 3-1 5-4 4-3"
    lines = *hands, "A 6-6", "B 6-3 on 6-6"
    one = table(ALL_FIVES, *lines, seats=3, hand="3")
    one.call(Call(caller, Said.MUGGINS))
    one.make(play(C, "3-1", "6-3"))
    assert scores(one) == [15 if seat == caller else 0 for seat in range(3)]
    late = table(ALL_FIVES, *lines, "C 3-1 on 6-3", seats=3, hand="3")
    late.call(Call(caller, Said.MUGGINS))
    assert scores(late) == [0, 0, 0]


@pytest.mark.parametrize("system", PIPS)
def test_the_first_score_needs_no_least_number(system) -> None:
    leads = {"lead_first": "highest_double", "no_double": "highest_tile"}
    one = table(system, "A hand 3-2 1-0", "B hand 2-1 2-0", hand="2", **leads)
    one.make(play(A, "3-2", points=5))
    assert scores(one) == [5, 0]


# ---- The end of a hand


OUT = [(UDL, (10, 0)), (MUGGINS, (2, 0)), (ALL_FIVES, (11, 0))]


@pytest.mark.parametrize(("system", "points"), OUT)
def test_who_plays_the_last_tile_ends_the_hand_and_scores_the_tiles_that_are_left(system, points) -> None:
    """Eleven pips: to the nearest five; to the nearest five and divided by five; as they are."""
    one = table(system, "A hand 6-6", "B hand 6-5", hand="1", lead_first="highest_double")
    one.make(play(A, "6-6"))
    assert (one.live, one.game.round.went_out) == (None, A)
    one.settle()
    assert tuple(scores(one)) == points


@pytest.mark.parametrize(("system", "points"), [(MUGGINS, 4), (ALL_FIVES, 18)])
def test_the_tiles_of_all_other_players_count(system, points) -> None:
    hands = "A hand 6-6", "B hand 6-5", "C hand 4-3"
    one = table(system, *hands, seats=3, hand="1", lead_first="highest_double")
    one.make(play(A, "6-6"))
    one.settle()
    assert scores(one) == [points, 0, 0]


def blocked(system: str, rests: tuple[str, str]) -> Dealer:
    """A hand that its last tile blocks, with these rests."""
    held = [" ".join([rest, *(one.split()[0] for one in BLOCKING[n::2])]) for n, rest in enumerate(rests)]
    plays = [f"{SEATS[n % 2]} {one}" for n, one in enumerate(BLOCKING[:-1])]
    (key, size) = OPTIONS[2].split("=")
    hands = [f"{SEATS[n]} hand {tiles}" for n, tiles in enumerate(held)]
    one = table(system, *hands, *plays, **{key: size})
    tile, _on, other = BLOCKING[-1].split()
    one.make(play(B, tile, other))
    assert "blocked" in one.lines
    return one


@pytest.mark.parametrize(("system", "points"), [(UDL, 50), (MUGGINS, 18), (ALL_FIVES, 90)])
def test_of_a_blocked_hand_the_lowest_pips_win(system, points) -> None:
    """41 and 49 pips: those of the opponent, rounded; of both, rounded and divided by five; of both."""
    one = blocked(system, LOWER)
    one.settle()
    assert f"A scores {points}" in one.lines
    assert not any(line.startswith("B scores") for line in one.lines)


def test_double_six_one_tile_wins_fifteen_points_against_four_tiles() -> None:
    """The example of the document. The one tile has 12 pips, the four have 6: tiles count, not pips."""
    log = (LOGS / "examples" / "R16.domino").read_text("utf-8").split("round 1\n")[1].splitlines()
    played = log[: log.index("blocked")]
    one = table(DOUBLE_SIX_KEY, *played[:-1], hand="13", lead_forced="false")
    one.make(play(A, "6-3", "6-1"))
    before = scores(one)[:]
    one.settle()
    assert (one.live, "blocked" in one.lines, "A scores 15" in one.lines) == (None, True, True)
    assert "B shows 0-0 1-0 2-0 2-1" in one.lines
    assert before == scores(one), "booked with the last tile"


@pytest.mark.parametrize(("system", "lead"), [(UDL, "double"), (MUGGINS, "winner"), (ALL_FIVES, "double")])
def test_the_lead_after_a_blocked_hand(system, lead) -> None:
    one = blocked(system, LOWER)
    one.deal()
    if lead == "winner":
        assert (one.live.leader, len(names(one, A))) == (A, one.live.held[A])
    else:
        high, seat = max((high, seat) for seat, held in enumerate(doubles(one)) for high in held)
        assert (one.live.leader, names(one, seat)) == (seat, [f"{high}-{high}"])


def test_a_blocked_hand_without_a_winner_draws_lots_again() -> None:
    one = blocked(MUGGINS, TIE)
    one.deal()
    assert not any(" scores " in line for line in one.lines)
    assert sum(" lot " in line for line in one.lines) == 2


@pytest.mark.parametrize(("system", "any_tile"), [(UDL, True), (MUGGINS, True), (ALL_FIVES, False)])
def test_the_winner_of_a_hand_starts_the_next_one_with_any_tile(system, any_tile) -> None:
    """All Fives is silent: there the highest double leads each hand."""
    for seed in range(6):
        hands = "A hand 6-6", "B hand 6-5"
        one = table(system, *hands, hand="1", seed=seed, lead_first="highest_double", no_double="highest_tile")
        one.make(play(A, "6-6"))
        one.deal()
        if any_tile:
            assert (one.live.leader, len(names(one, A))) == (A, 1)
        else:
            rank = [(tile.double, tile.high, tile.low) for hand in one.live.hands for tile in DOUBLE_SIX.in_mask(hand)]
            assert one.live.leader == rank.index(max(rank))

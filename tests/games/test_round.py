"""What is legal in a round of UDL, and what a move does (RULES.md sections 1.4 and 2)."""

from random import Random

import pytest

from games.errors import IllegalMove, OptionError, Reason
from games.moves import Draw, Pass, Play
from games.round import Round, RoundEnd
from games.ruleset import Lead
from games.rulesets import get
from games.tiles import DOUBLE_SIX
from tests.volume import seeds

A, B = 0, 1


def tiles(text):
    return tuple(DOUBLE_SIX.tile(name) for name in text.split())


def dealt(a, b, lead=Lead.HIGHEST_DOUBLE, leader=None, **options):
    live = Round(get("udl").with_options(options), 2, lead, leader)
    live.deal(A, 7, tiles(a))
    live.deal(B, 7, tiles(b))
    return live


def play(seat, tile, on=None):
    return Play(seat, *tiles(tile), *(tiles(on) if on else (None,)))


HANDS = ("6-6 6-5 4-1 2-2 1-0 6-4 3-3", "6-3 6-2 5-5 5-4 3-1 2-0 1-1")
NO_DOUBLES = ("6-5 6-1 4-1 2-1 1-0 5-0 3-1", "6-4 6-2 5-1 5-4 3-0 2-0 4-0")


def test_the_highest_double_must_lead():
    live = dealt(*HANDS)
    assert (live.leader, live.to_act) == (A, A)
    assert live.why_illegal(play(A, "3-3")) == (Reason.WRONG_LEAD,)
    assert live.why_illegal(play(B, "5-5")) == (Reason.WRONG_LEAD,)
    assert [move.tile.name for move in live.legal_moves()] == ["6-6"]


def test_without_a_double_the_highest_tile_leads_by_its_higher_half():
    live = dealt(*NO_DOUBLES)
    assert live.leader == A
    assert [move.tile.name for move in live.legal_moves()] == ["6-5"]
    by_pips = dealt("6-1 6-0 4-1 2-1 1-0 5-0 3-1", "5-4 2-0 3-0 4-0 4-2 3-2 5-1", highest_tile="pips")
    assert [move.tile.name for move in by_pips.legal_moves()] == ["5-4"]


def test_the_double_need_not_be_led_where_the_lead_is_not_forced():
    live = dealt(*HANDS, lead_forced="false")
    assert len(list(live.legal_moves())) == 7
    assert live.why_illegal(play(B, "5-5")) == (Reason.WRONG_LEAD,)


def test_who_dominoed_leads_any_tile():
    live = dealt(*HANDS, Lead.DOMINOER_ANY, B)
    assert {move.tile.name for move in live.legal_moves()} == set(HANDS[1].split())


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        (play(A, "6-5", "6-6"), Reason.OUT_OF_TURN),
        (play(B, "6-6", "6-6"), Reason.TILE_ALREADY_PLAYED),
        (play(B, "6-0", "6-6"), Reason.TILE_NOT_IN_HAND),
        (play(B, "5-4", "6-6"), Reason.DOES_NOT_MATCH),
        (play(B, "5-4"), Reason.DOES_NOT_MATCH),
        (play(B, "6-3", "5-5"), Reason.NO_OPEN_END),
        (Play(B, DOUBLE_SIX.read("9-7"), None), Reason.UNKNOWN_TILE),
        (Play(B, DOUBLE_SIX.tile("6-3"), DOUBLE_SIX.read("9-7")), Reason.UNKNOWN_TILE),
        (Draw(A, 1, (None,)), Reason.OUT_OF_TURN),
        (Draw(B, 15, ()), Reason.DRAW_FROM_EMPTY),
        (Draw(B, 1, (DOUBLE_SIX.read("9-7"),)), Reason.UNKNOWN_TILE),
        (Draw(B, 1, tiles("6-6")), Reason.DUPLICATE_TILE),
        (Draw(B, 2, tiles("0-0 0-0")), Reason.DUPLICATE_TILE),
        (Draw(B, 1, tiles("0-0")), Reason.DRAW_WHEN_ABLE),
        (Pass(A), Reason.OUT_OF_TURN),
        (Pass(B), Reason.PASS_WHEN_ABLE),
    ],
    ids=lambda value: str(value)[:40],
)
def test_what_the_rules_forbid_after_the_lead(move, reason):
    live = dealt(*HANDS)
    live.apply(play(A, "6-6"))
    assert live.why_illegal(move)[0] is reason
    with pytest.raises(IllegalMove) as caught:
        live.apply(move)
    assert caught.value.reason is reason


def test_a_play_that_two_tiles_could_take_must_say_which():
    live = dealt(*HANDS)
    for move in (play(A, "6-6"), play(B, "6-3", "6-6"), play(A, "6-5", "6-6")):
        live.apply(move)
    assert live.why_illegal(play(B, "6-2")) == ()
    live.apply(play(B, "5-5"))
    live.apply(play(A, "6-4", "6-6"))
    assert live.why_illegal(play(B, "5-4")) == (Reason.AMBIGUOUS_PLAY,)


def test_passing_with_a_playable_tile_and_a_boneyard_breaks_two_rules():
    live = dealt(*HANDS)
    live.apply(play(A, "6-6"))
    assert live.why_illegal(Pass(B)) == (Reason.PASS_WHEN_ABLE, Reason.PASS_WITH_BONEYARD)


def test_drawing_past_a_playable_tile_is_found_within_one_line():
    live = dealt("5-5 5-1 4-1 2-2 1-0 6-4 3-3", "6-3 6-2 6-1 6-0 3-1 2-0 1-1")
    live.apply(play(A, "5-5"))
    assert live.why_illegal(Draw(B, 2, tiles("4-4 5-3"))) == ()
    assert live.why_illegal(Draw(B, 2, tiles("5-3 4-4"))) == (Reason.DRAW_WHEN_ABLE,)


def test_a_drawn_tile_that_fits_must_be_played_where_drawing_by_choice_is_allowed():
    live = dealt(*HANDS, voluntary_draw="true", must_play_drawn="true")
    live.apply(play(A, "6-6"))
    assert live.why_illegal(Draw(B, 2, tiles("6-1 0-0"))) == (Reason.MUST_PLAY_DRAWN,)
    live.apply(Draw(B, 2, tiles("0-0 6-1")))
    assert live.why_illegal(play(B, "6-3", "6-6")) == (Reason.MUST_PLAY_DRAWN,)
    assert live.why_illegal(Draw(B, 1, (None,))) == (Reason.MUST_PLAY_DRAWN,)
    assert live.why_illegal(Pass(B))[-1] is Reason.MUST_PLAY_DRAWN
    assert live.why_illegal(play(B, "6-1", "6-6")) == ()


def test_the_reserve_of_the_boneyard_is_not_drawn():
    live = dealt(*HANDS, boneyard_reserve="2", voluntary_draw="true")
    live.apply(play(A, "6-6"))
    assert (live.boneyard, live.drawable) == (14, 12)
    assert live.why_illegal(Draw(B, 13, ())) == (Reason.DRAW_FROM_EMPTY,)


def played_to_the_end(seed):
    """A round of two hands of 14 tiles, played by chance; nothing is left to draw."""
    rng = Random(seed)
    washed = list(DOUBLE_SIX.tiles)
    rng.shuffle(washed)
    live = Round(get("udl").with_options({"hand": "14"}), 2, Lead.DOMINOER_ANY, A)
    for seat in (A, B):
        live.deal(seat, 14, tuple(washed[seat * 14 : seat * 14 + 14]))
    while live.ended is None:
        live.apply(rng.choice(list(live.legal_moves())))
    return live


def test_a_block_is_seen_at_once_where_every_hand_is_known():
    rounds = [played_to_the_end(seed) for seed in range(60)]
    blocked = [live for live in rounds if live.ended is RoundEnd.BLOCKED]
    assert 5 < len(blocked) < 55
    for live in blocked:
        assert (live.found_blocked, live.passes, live.went_out) == (True, 0, None)
        assert all(live.held)
        assert not (live.hands[A] | live.hands[B]) & live.layout.fitting()


def test_all_seats_passing_in_a_row_blocks_the_round():
    live = Round(get("udl"), 2, Lead.DOMINOER_ANY, A)
    live.record(play(A, "6-5"))
    live.record(Pass(B))
    assert live.ended is None
    live.record(Pass(A))
    assert (live.ended, live.found_blocked) == (RoundEnd.BLOCKED, False)


def test_what_is_unknown_has_the_benefit_of_the_doubt():
    live = Round(get("udl"), 2, Lead.DOMINOER_ANY, A)
    live.deal(A, 7, ())
    live.apply(play(A, "6-5"))
    assert live.why_illegal(play(B, "6-6")) == ()
    assert live.why_illegal(Draw(B, 1, (None,))) == ()
    live.apply(Draw(B, 1, tiles("6-2")))
    assert live.why_illegal(Draw(B, 1, (None,))) == (Reason.DRAW_WHEN_ABLE,)
    assert (live.known, live.held, live.hands[B]) == ([False, False], [6, 8], DOUBLE_SIX.tile("6-2").bit)


def test_a_copy_and_a_what_if_leave_the_round_alone():
    live = dealt(*HANDS)
    live.apply(play(A, "6-6"))
    later = live.after(play(B, "6-3", "6-6"))
    assert (live.layout.count, later.layout.count, live.held, later.held) == (12, 15, [6, 7], [6, 6])


def test_random_rounds_conserve_the_tiles_and_legal_moves_are_those_that_are_legal():
    for seed in seeds(150):
        rng = Random(seed)
        boneyard = list(DOUBLE_SIX.tiles)
        rng.shuffle(boneyard)
        live = Round(get("udl"), 2, Lead.HIGHEST_DOUBLE)
        for seat in (A, B):
            live.deal(seat, 7, tuple(boneyard.pop() for _ in range(7)))
        while live.ended is None:
            seat = live.to_act
            moves = list(live.legal_moves())
            every_play = [
                Play(seat, tile, on)
                for tile in DOUBLE_SIX.tiles
                for on in (DOUBLE_SIX.tiles if live.layout.table else (None,))
                if not live.why_illegal(Play(seat, tile, on))
            ]
            assert [move for move in moves if isinstance(move, Play)] == every_play
            if moves:
                live.apply(rng.choice(moves))
            else:
                live.apply(Draw(seat, 1, (boneyard.pop(),)))
            everything = live.layout.table
            for hand in live.hands:
                assert not everything & hand
                everything |= hand
            assert everything.bit_count() + live.boneyard == 28
            assert not everything & DOUBLE_SIX.mask(boneyard)
        assert live.ended is RoundEnd.DOMINO or (live.boneyard == 0 and not live.any_known_playable())


def test_an_unknown_option_or_value_names_the_allowed_ones():
    with pytest.raises(OptionError, match=r"no option 'spiner'; the options are .*spinner"):
        get("udl").with_options({"spiner": "all"})
    with pytest.raises(OptionError, match="bell_mode is stop or turn or round, not 'loud'"):
        get("udl").with_options({"bell_mode": "loud"})
    for value in ("0", "29", "7/7", "x", "7/", ""):
        with pytest.raises(OptionError, match="hand is one number"):
            get("udl").with_options({"hand": value})

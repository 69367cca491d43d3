"""The computer at Uno Dominoes: it knows its own rack only, the same way each time, and plays better at each level."""

from collections.abc import Callable, Iterator
from functools import partial
from random import Random

import pytest

from games.moves import Draw, Pass, Play
from games.ruleset import Lead
from games.uno.round import ColourRound
from league.house import uno_levels
from league.house.levels import Level, forgets, notices
from league.house.uno_knowledge import WildFourSeen, known_at_uno, known_of_wild_four
from league.house.uno_levels import UnoMove, challenges, choose_uno
from tests.league.house.uno_hands import RULES, UnoHand
from tests.volume import seeds

Chooser = Callable[[ColourRound], object]
CAREFUL, GREEDY, RANDOM, STRONG = Level.CAREFUL, Level.GREEDY, Level.RANDOM, Level.STRONG
LEVELS = (RANDOM, GREEDY, CAREFUL, STRONG)


@pytest.fixture(autouse=True)
def few_samples(monkeypatch) -> None:
    monkeypatch.setattr(uno_levels, "UNO_SAMPLES", 60)


def positions() -> Iterator[ColourRound]:
    """Turns of a seat, some way into hands of two to four."""
    for seed in seeds(240, least=60):
        hand = UnoHand([RANDOM] * (2 + seed % 3), f"position {seed}")
        for _turn in range(Random(f"so far {seed}").randint(1, 16)):
            if hand.live.ended is None:
                hand.step()
        if hand.live.ended is None and hand.live.layout.table and not hand.live.unpaid:
            yield hand.live


def with_other_racks(live: ColourRound, chance: Random) -> ColourRound:
    """The same position for the seat to act, with other tiles on the other racks."""
    twin, seat = live.copy(), live.to_act
    hidden = list(live.tiles.in_mask(live.tiles.all & ~live.layout.table & ~live.hands[seat]))
    chance.shuffle(hidden)
    for other in range(live.seats):
        if other != seat:
            twin.hands[other] = live.tiles.mask(hidden.pop() for _tile in range(live.held[other]))
    twin.located = twin.layout.table | sum(twin.hands)
    return twin


def differing(choice: Chooser) -> int:
    """In how many positions other hidden racks change the choice."""
    chance = Random(7)
    return sum(choice(live) != choice(with_other_racks(live, chance)) for live in positions())


def chosen(live: ColourRound, level: Level, seed: str = "x") -> UnoMove:
    return choose_uno(known_at_uno(live.to_act, live), level, seed)


@pytest.mark.parametrize("level", LEVELS)
def test_other_hidden_racks_never_change_the_move(level) -> None:
    assert differing(partial(chosen, level=level)) == 0


def test_the_control_a_player_that_peeks_is_found() -> None:
    def peeking(live: ColourRound) -> object:
        others = sum(live.hands) & ~live.hands[live.to_act]
        plays = known_at_uno(live.to_act, live).plays
        return min(plays, key=lambda play: (others & live.after(play).layout.playable()).bit_count(), default=None)

    assert differing(peeking) > 5


@pytest.mark.parametrize("level", LEVELS)
def test_the_same_position_and_seed_give_the_same_move(level) -> None:
    for live in positions():
        assert chosen(live, level, "one") == chosen(live.copy(), level, "one")


def at_table(mine: str, *plays: str, other: str = "b7-r9 b7-r8") -> ColourRound:
    """Two at a table after plays such as `r7-gS>b7-b7`; the first seat to act with the tiles `mine`."""
    live, tiles = ColourRound(RULES, 2, Lead.HIGHEST_DOUBLE), RULES.tiles
    for text in plays:
        name, _, on = text.partition(">")
        live.play(1, tiles.tile(name), tiles.tile(on).index if on else None, None)
    for seat, rack in ((0, mine), (1, other)):
        held = tiles.named(rack.split())
        live.hands[seat], live.held[seat], live.known[seat] = tiles.mask(held), len(held), True
    live.located = live.layout.table | live.hands[0] | live.hands[1]
    live.to_act, live.last_tile, live.debts = 0, None, [0, 0]
    return live


@pytest.mark.parametrize("level", LEVELS)
def test_without_a_play_one_tile_is_drawn_then_the_turn_passes(level) -> None:
    live = at_table("b6-g7", "r3-r3")
    assert chosen(live, level) == Draw(0, 1)
    live.drew, live.drawn = True, RULES.tiles.tile("b6-g7")
    assert chosen(live, level) == Pass(0)


def test_greedy_sheds_the_most_points() -> None:
    move = chosen(at_table("r2-g9 r8-gD2 r2-g6", "r3-r3"), GREEDY)
    assert isinstance(move, Play)
    assert move.tile.name == "r8-gD2"


def test_careful_keeps_its_wild_while_nobody_is_near_the_end() -> None:
    live = at_table("W-W r2-g9 r2-g6", "r3-r3", "b3-r7>r3-r3", other="b6-g7 b6-g9 g5-b9 g1-y9")
    assert "W-W" in {play.tile.name for play in known_at_uno(0, live).plays}
    assert chosen(live, CAREFUL).tile.name in ("r2-g9", "r2-g6")


def test_careful_names_the_colour_that_it_holds_most_of() -> None:
    live = at_table("W-W g2-b5 g5-b9 g6-DE", "y3-y3", "b3-y7>y3-y3")
    assert {play.colour for play in known_at_uno(0, live).plays} == {"red", "green", "yellow", "blue"}
    assert chosen(live, CAREFUL).colour == "green"


def test_careful_stops_a_player_with_one_tile() -> None:
    """The nine sheds more, but the skip gives a turn more."""
    move = chosen(at_table("gS-b4 g9-b6 y1-r4", "g9-g9", other="b6-g7"), CAREFUL)
    assert isinstance(move, Play)
    assert move.tile.name == "gS-b4"


def test_a_wild_four_is_weighed_by_a_careful_victim() -> None:
    """A full rack without an exposed colour is unlikely, a single tile is not."""
    assert challenges(WildFourSeen(held=6, unseen=60, banned=40, risk=6), CAREFUL, "x")
    assert not challenges(WildFourSeen(held=1, unseen=60, banned=15, risk=6), CAREFUL, "x")
    assert not challenges(WildFourSeen(held=0, unseen=60, banned=40, risk=6), CAREFUL, "x")
    assert challenges(WildFourSeen(held=1, unseen=60, banned=15, risk=4), CAREFUL, "x")


def test_the_chance_of_a_banned_tile() -> None:
    """One of two tiles on a rack of one; both on a rack of two."""
    assert WildFourSeen(held=1, unseen=2, banned=1, risk=6).banned_held == 0.5
    assert WildFourSeen(held=2, unseen=2, banned=1, risk=6).banned_held == 1
    assert WildFourSeen(held=3, unseen=9, banned=0, risk=6).banned_held == 0


def test_other_hidden_racks_never_change_a_challenge() -> None:
    chance, seen = Random(3), 0
    for seed in range(400):
        hand = UnoHand([RANDOM, RANDOM], f"four {seed}")
        while hand.live.ended is None and hand.live.wild_four is None:
            hand.step()
        wild = hand.live.wild_four
        if wild is None or not hand.live.held[wild.player]:
            continue
        twin = hand.live.copy()
        twin.to_act = wild.victim
        assert known_of_wild_four(wild.victim, with_other_racks(twin, chance)) == known_of_wild_four(
            wild.victim, hand.live
        )
        seen += 1
    assert seen > 20


def test_without_a_wild_four_there_is_nothing_to_know() -> None:
    with pytest.raises(ValueError, match="no Wild Draw Four"):
        known_of_wild_four(0, at_table("rS-r3", "r2-r2"))


def test_each_level_forgets_less_and_notices_more() -> None:
    missed = [sum(forgets(level, str(seed)) for seed in range(400)) for level in LEVELS]
    caught = [sum(notices(level, str(seed)) for seed in range(400)) for level in LEVELS]
    assert missed == sorted(missed, reverse=True)
    assert missed[-2:] == [0, 0]
    assert missed[1] > 0
    assert caught == sorted(caught)
    assert caught[-1] == 400


def won(one: Level, other: Level, pairs: int, seats: int) -> tuple[int, int]:
    """Hands won by each level: every deal is played twice, with the racks of both levels exchanged."""
    wins = {one: 0, other: 0}
    for seed in range(pairs):
        for turn in (0, 1):
            levels = [one if (seat + turn) % 2 else other for seat in range(seats)]
            for level, points in zip(levels, UnoHand(levels, f"strength {seed}").played(), strict=True):
                wins[level] += points > 0
    return wins[one], wins[other]


@pytest.mark.parametrize("seats", [2, 4])
def test_each_level_wins_more_hands_than_the_one_below(seats) -> None:
    """150 mirrored deals each."""
    for one, other, share in ((GREEDY, RANDOM, 0.52), (CAREFUL, GREEDY, 0.60), (CAREFUL, RANDOM, 0.66)):
        ours, theirs = won(one, other, 150, seats)
        assert ours / (ours + theirs) > share, (one, other, ours, theirs)


def test_samples_win_more_hands_than_care() -> None:
    """60 mirrored deals; with 60 samples a move."""
    ours, theirs = won(STRONG, CAREFUL, 60, 2)
    assert ours / (ours + theirs) > 0.55, (ours, theirs)

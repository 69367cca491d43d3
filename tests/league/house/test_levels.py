"""The computer chooses by what its seat may know, the same way each time, and better at each level."""

from collections.abc import Callable, Iterator
from functools import partial
from random import Random

import pytest

from games.moves import Draw, Pass, Play
from games.round import Move, Round
from games.ruleset import Lead
from games.rulesets import get
from league.house import levels
from league.house.knowledge import known_to
from league.house.levels import Level, choose, expected_reply
from league.play.table import COMPUTER, PLAYER
from tests.league.play.tables import in_play, played, terms
from tests.volume import seeds

Chooser = Callable[[Round], Move]


@pytest.fixture(autouse=True)
def _few_samples(monkeypatch) -> None:
    monkeypatch.setattr(levels, "SAMPLES", 60)


def position(*plays: str, mine: str, other: str = "") -> Round:
    """A hand of Double-Six after plays such as `6-3>6-6`, the computer to act with the tiles `mine`."""
    rules = get("double-six")
    live = Round(rules, 2, Lead.HIGHEST_DOUBLE)
    for number, text in enumerate(plays):
        tile, _, on = text.partition(">")
        seat = (len(plays) + number + 1) % 2
        live.record(Play(seat, rules.tiles.tile(tile), rules.tiles.tile(on) if on else None))
    for seat, hand in ((PLAYER, other), (COMPUTER, mine)):
        tiles = rules.tiles.named(hand.split())
        live.hands[seat], live.held[seat], live.known[seat] = rules.tiles.mask(tiles), len(tiles), True
    live.to_act = COMPUTER
    return live


def chosen(live: Round, level: Level, seed: str = "x") -> Move:
    return choose(known_to(COMPUTER, live), level, seed)


def with_other_hand(live: Round, chance: Random) -> Round:
    """The same position for the computer, with other tiles in the player's hand."""
    twin, tiles = live.copy(), live.rules.tiles
    hidden = list(tiles.in_mask(tiles.all & ~live.layout.table & ~live.hands[COMPUTER]))
    twin.hands[PLAYER] = tiles.mask(chance.sample(hidden, live.held[PLAYER]))
    twin.located = twin.layout.table | twin.hands[PLAYER] | twin.hands[COMPUTER]
    return twin


def positions() -> Iterator[Round]:
    for seed in seeds(200):
        live = in_play(seed).live
        assert live is not None
        turned = live.copy()
        turned.to_act = COMPUTER
        yield turned


def differing(choice: Chooser) -> int:
    """How often another hidden hand changes the choice, of three in each position."""
    chance = Random(7)
    return sum(choice(live) != choice(with_other_hand(live, chance)) for live in positions() for _hand in range(3))


@pytest.mark.parametrize("level", Level)
def test_another_hidden_hand_never_changes_the_move(level) -> None:
    assert differing(partial(chosen, level=level)) == 0


def test_the_control_a_player_that_peeks_is_found() -> None:
    def peeking(live: Round) -> Move:
        plays = known_to(COMPUTER, live).plays

        def replies(play: Play) -> int:
            return (live.hands[PLAYER] & live.after(play).layout.fitting()).bit_count()

        return min(plays, key=replies) if plays else Pass(COMPUTER)

    assert differing(peeking) > 5


@pytest.mark.parametrize("level", Level)
def test_the_same_position_and_seed_give_the_same_move(level) -> None:
    for live in positions():
        assert chosen(live, level, "one") == chosen(live.copy(), level, "one")


def test_a_random_player_depends_on_its_seed() -> None:
    live = position("6-6", mine="6-0 6-1 6-2 6-3 6-4 6-5")
    assert len({chosen(live, Level.RANDOM, str(seed)).tile.name for seed in range(60)}) == 6


@pytest.mark.parametrize("level", [one for one in Level if one is not Level.STRONG])
def test_a_player_that_can_play_plays(level) -> None:
    assert chosen(position("6-6", mine="6-0 1-1"), level).tile.name == "6-0"


@pytest.mark.parametrize("level", Level)
def test_a_player_without_a_fitting_tile_draws_and_passes_at_an_empty_boneyard(level) -> None:
    live = position("6-6", mine="1-1 1-0")
    assert chosen(live, level) == Draw(COMPUTER, 1)
    live.boneyard = 0
    assert chosen(live, level) == Pass(COMPUTER)


def test_a_greedy_player_takes_the_most_points() -> None:
    """The document's own example: after 6-6 6-3 6-2 the six-five scores 10 and the six-blank 5."""
    live = position("6-6", "6-3>6-6", "6-2>6-6", mine="6-0 6-5 6-4 3-2")
    assert chosen(live, Level.GREEDY).tile.name == "6-5"


def test_a_careful_player_gives_no_easy_points() -> None:
    """6-4 and 6-3 score nothing now, but 6-3 opens a fifteen for 6-x tiles that the player holds with likelihood."""
    live = position("6-6", mine="6-4 6-0", other="5-5 5-4 5-3 5-2 5-1 5-0 4-4")
    known = known_to(COMPUTER, live)
    replies = {play.tile.name: expected_reply(known, live.after(play).layout) for play in known.plays}
    assert chosen(live, Level.CAREFUL).tile.name == min(replies, key=replies.__getitem__)


def strong_wins(system: str, games: int) -> int:
    agreed = (terms(f"strong {number}", Level.GREEDY, system, target="100") for number in range(games))
    return sum(played(each, Level.STRONG).game.card.winner == PLAYER for each in agreed)


def wins(one: Level, other: Level, games: int) -> int:
    agreed = (terms(f"strength {number}", other, target="100") for number in range(games))
    return sum(played(each, one).game.card.winner == PLAYER for each in agreed)


def test_greedy_beats_random_and_careful_beats_greedy_over_200_games() -> None:
    """Measured: 178 and 145 of 200."""
    assert wins(Level.GREEDY, Level.RANDOM, 200) >= 160
    assert wins(Level.CAREFUL, Level.GREEDY, 200) >= 125


@pytest.mark.parametrize("system", ["udl", "double-six"])
def test_strong_beats_greedy_though_it_tries_few_hands(system) -> None:
    """Full figures: `bench_computer`."""
    assert strong_wins(system, 10) >= 7

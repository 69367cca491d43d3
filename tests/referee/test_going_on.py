"""A game that is read in two parts is the game that is read at once."""

from random import Random

import pytest

from games.notation.gamelog import GameLog
from referee.game import Impossible
from referee.playouts.habits import Habits
from referee.playouts.pips import playout
from referee.replay import go_on, opened, replayed
from tests.volume import seeds

SYSTEMS = ("double-six", "muggins", "all-fives", "udl")


def log_of(system: str, seed: int, *, timed: bool = False) -> GameLog:
    return playout(system, rng=Random(seed), habits=Habits(timed=timed), options={"target": "60"}).log


@pytest.mark.parametrize("timed", [False, True])
@pytest.mark.parametrize("system", SYSTEMS)
def test_going_on_line_by_line_gives_the_whole_game(system, timed) -> None:
    for seed in seeds(24):
        log = log_of(system, seed, timed=timed)
        cut = Random(seed).randrange(len(log.entries))
        game = opened(GameLog(log.tags, log.entries[:cut]))
        for entry in log.entries[cut:]:
            go_on(game, entry.event, entry.at)
        game.close_settlement()
        whole = replayed(log)
        assert (game.card.scores, game.card.ended, game.rounds) == (whole.card.scores, whole.card.ended, whole.rounds)


def test_a_line_that_can_not_be_true_is_refused() -> None:
    log = log_of("double-six", 1)
    game = opened(GameLog(log.tags, log.entries[:4]))
    with pytest.raises(Impossible):
        go_on(game, log.entries[0].event)

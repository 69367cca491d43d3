"""``python -m referee simulate``: whole games of every system, the same for the same arguments."""

import re
from collections import Counter

import pytest

from games.notation.reading import loads
from games.rulesets import KEYS, get
from referee import verify_text
from referee.__main__ import main
from referee.playouts.simulate import Hidden, simulate
from tests.volume import SEED, THOROUGH, amount

GAMES = 20  # of each system, number of players and way to see them


@pytest.mark.parametrize("ruleset", KEYS)
@pytest.mark.parametrize("hidden", Hidden, ids=lambda hidden: hidden.value)
def test_simulated_games_are_in_order_whatever_was_seen(ruleset, hidden):
    low, high = get(ruleset).seats
    for players in range(low, high + 1):
        for text in simulate(ruleset, games=amount(GAMES), seed=1 + SEED, players=players, hidden=hidden):
            (verdict,) = verify_text(text)
            assert verdict.status in ({"verified"} if hidden is Hidden.NOTHING else {"verified", "consistent"}), text
            assert len(verdict.seats) == players
            assert verdict.evidence == ("complete" if hidden is Hidden.NOTHING else "partial")


def test_the_same_arguments_give_the_same_games():
    first = list(simulate("all-fives", games=3, seed=5, players=4))
    assert list(simulate("all-fives", games=3, seed=5, players=4)) == first
    assert list(simulate("all-fives", games=2, seed=5, players=4)) == first[:2]
    assert list(simulate("all-fives", games=3, seed=6, players=4)) != first


def test_the_command_prints_one_text_of_several_games(capsys):
    assert main(["simulate", "udl", "--games", "3", "--seed", "4", "--style", "random", "--option", "target=50"]) == 0
    logs = loads(capsys.readouterr().out)
    assert [log.options for log in logs] == [{"target": "50"}] * 3


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["udl", "--players", "3"], "UDL Dominoes is for 2 players, not 3"),
        (["uno-dominoes", "--players", "7"], "Uno Dominoes is for 2 to 6 players, not 7"),
        (["udl", "--option", "tempo=3"], "no option 'tempo'"),
    ],
)
def test_what_cannot_be_played_is_told(arguments, told, capsys):
    assert main(["simulate", *arguments]) == 2
    assert told in capsys.readouterr().err


def with_rests_unseen(text):
    """The record with every shown hand turned down: its number of tiles is known, and no tile."""
    shown = re.compile(r"(?m)^(.* shows )((?!none).+)$")
    return shown.sub(lambda line: line[1] + " ".join("?" for _ in line[2].split()), text)


@pytest.mark.parametrize("ruleset", KEYS)
def test_games_with_true_points_are_in_order_though_nobody_saw_a_hand(ruleset):
    """20,000 games of each system with `THOROUGH=1`."""
    low, high = get(ruleset).seats
    statuses = Counter()
    for players in range(low, high + 1):
        games = (20_000 if THOROUGH else 60) // (high - low + 1)
        for text in simulate(ruleset, games=games, seed=7 + SEED, players=players, hidden=Hidden.HANDS):
            (verdict,) = verify_text(with_rests_unseen(text))
            assert [f for f in verdict.findings if f.severity != "note"] == [], text
            statuses[verdict.status] += 1
    # Double-Six settles by the number of tiles, which is known.
    assert (statuses["consistent"] == 0) == (ruleset == "double-six")

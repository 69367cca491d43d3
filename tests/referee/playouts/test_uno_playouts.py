"""Random games of Uno Dominoes: the referee agrees with the table's own book, whatever the scorer could see."""

from random import Random
from types import SimpleNamespace

import pytest

from games.moves import Blocked
from games.notation.reading import dumps, loads
from games.position import RoundEnd
from games.rulesets import RULESETS
from referee import verify_text
from referee.playouts.uno import UnoHabits, _UnoTable, playout_uno
from tests.volume import seeds

GAMES = 1000  # over all numbers of seats


def options(seed):
    chosen = {"target": ("100", "200", "500")[seed % 3]}
    if seed % 3 == 1:
        chosen["all_doublet"] = "true"
    if seed % 4 == 1:
        chosen["reopening"] = "true"
    if seed % 8 == 3:
        chosen["start_tie"] = "lot"
    if seed % 7 == 0:
        chosen["reverse_2p"] = "none"
    if seed % 6 == 0:
        chosen["block"] = "void"
    if seed % 5 == 0:
        chosen["failed_challenge"] = "4"
    return chosen


def habits(seed, hidden=()):
    return UnoHabits(
        style="random" if seed % 2 else "greedy",
        renege=0.6 if seed % 13 == 0 else 0.05,
        keep=0.5 if seed % 11 == 0 else 0.1,
        timed=seed % 5 != 0,
        hidden=hidden,
    )


def agree(game, seed):
    text = dumps(game.log)
    assert dumps(loads(text)) == text, seed
    assert loads(text) == [game.log], seed
    (verdict,) = verify_text(text)
    assert [finding for finding in verdict.findings if finding.severity != "note"] == [], seed
    assert (verdict.status, verdict.scores, verdict.winner) == ("verified", game.scores, game.winner), seed
    by_rule = {"uno-dominoes.catch": game.book.caught, "uno-dominoes.challenge": game.book.upheld}
    for rule, times in by_rule.items():
        assert sum(ruling.upheld for ruling in verdict.rulings if ruling.rule == rule) == times, seed
    return verdict


@pytest.mark.parametrize("batch", range(8))
def test_the_uno_log_says_what_the_book_says(batch):
    ended = set()
    for seed in seeds(GAMES)[batch::8]:
        game = playout_uno(rng=Random(seed), seats=2 + seed % 5, options=options(seed), habits=habits(seed))
        verdict = agree(game, seed)
        assert verdict.evidence == "complete"
        ended |= {record.ended for record in verdict.rounds}
    assert {"domino", "dead-end"} <= ended


@pytest.mark.parametrize("batch", range(2))
def test_what_the_scorer_did_not_see_is_given_the_benefit_of_the_doubt(batch):
    for seed in seeds(90)[batch::2]:
        seats = 2 + seed % 5
        hidden = ((0,), (0, 1), tuple(range(seats)))[seed % 3]
        game = playout_uno(rng=Random(seed), seats=seats, options=options(seed), habits=habits(seed, hidden))
        assert agree(game, seed).evidence == "partial"


def written_blocks(seed: int, *, says_blocked: bool) -> int:
    """Settle a round that only the hands show as blocked; count its lines `blocked`."""
    rules = RULESETS["uno-dominoes"]
    table = _UnoTable(rules, ["Ana", "Bo"], Random(seed), UnoHabits(says_blocked=says_blocked))
    table.racks, table.pile = [list(rules.tiles.tiles), []], []
    layout = SimpleNamespace(table=0)
    table.live = SimpleNamespace(found_blocked=True, ended=RoundEnd.BLOCKED, scorer=None, layout=layout)
    table.settle()
    return sum(isinstance(entry.event, Blocked) for entry in table.entries)


def test_a_log_without_hands_says_that_a_round_is_blocked() -> None:
    assert {written_blocks(seed, says_blocked=True) for seed in range(20)} == {1}
    assert {written_blocks(seed, says_blocked=False) for seed in range(20)} == {0, 1}  # the control

"""Random games: the referee agrees with the table's own book, and nothing is lost on the way (RULES.md C1-C8)."""

from random import Random

import pytest

from games.notation import dumps, loads
from referee import verify, verify_text
from referee.playout import Habits, playout

GAMES = 2000
SLIPS = {"wrong-count"}


def habits(seed):
    return Habits(
        style="random" if seed % 2 else "greedy",
        slip=0.0 if seed % 3 else 0.05,
        miss=0.1,
        seconds=(2.0, 3.0, 6.0, 12.0)[seed % 4],
        timed=seed % 5 != 0,
    )


def chips_hold(verdict):
    """C1 to C8 on the running totals of the rounds and on the last ones."""
    for scores in [record.scores for record in verdict.rounds] + [verdict.totals]:
        own = [max(0, 30 - points // 5) for points in scores[::-1]]
        captured = [30 - n for n in own[::-1]]
        assert sum(own) + sum(captured) == 60
        assert all(points % 5 == 0 for points in scores)
        if max(scores) <= 150:
            assert list(scores) == [5 * n for n in captured]
    assert verdict.chips == dict(zip("AB", own, strict=True))
    # C5; in overtime the first points win, whatever total they make.
    assert verdict.ended in {True: {"target", "overtime"}, False: {"bell", "overtime"}}[max(verdict.totals) >= 150]


@pytest.mark.parametrize("batch", range(10))
def test_the_log_says_what_the_book_says(batch):
    ended = set()
    for seed in range(batch, GAMES, 10):
        game = playout("udl", rng=Random(seed), habits=habits(seed))
        text = dumps(game.log)
        assert dumps(loads(text)) == text, seed
        assert loads(text) == [game.log], seed
        (verdict,) = verify_text(text)
        assert (verdict.scores, verdict.chips, verdict.winner, verdict.ended) == (
            game.scores,
            game.chips,
            game.winner,
            game.ended,
        ), seed
        assert {f.code for f in verdict.findings if f.severity != "note"} <= SLIPS, seed
        assert sum(ruling.upheld for ruling in verdict.rulings) == game.claimed, seed
        assert verdict.evidence == "complete"
        chips_hold(verdict)
        ended.add(verdict.ended)
    assert {"target", "bell"} <= ended


def mangled(text, rng):
    """A text with one line gone, doubled, exchanged with its neighbour, or with another tile, or its rest gone."""
    lines = text.split("\n")
    at = rng.randrange(3, len(lines) - 1)
    match rng.randrange(6):
        case 0:
            del lines[at]
        case 1:
            lines.insert(at, lines[at])
        case 2:
            lines[at - 1], lines[at] = lines[at], lines[at - 1]
        case 3:
            lines[at] = lines[at].replace(str(rng.randrange(7)), str(rng.randrange(7)), 1)
        case 4:
            del lines[at:]
        case 5:
            lines.insert(at, rng.choice(["A muggins", "B call 5", "A pass", "bell", "settled", "B draw ?", "blocked"]))
    return "\n".join(lines)


def test_no_mangled_record_is_more_than_the_referee_can_answer():
    """Whatever is done to a record, there is a verdict, it is the same twice, and it holds together."""
    statuses = set()
    for seed in range(300):
        rng = Random(seed)
        options = {} if seed % 3 else {"spinner": rng.choice(["all", "none"]), "boneyard_reserve": str(seed % 3)}
        text = dumps(playout("udl", rng=rng, habits=habits(seed), options=options).log)
        for _ in range(5):
            (verdict,) = verify_text(mangled(text, rng))
            statuses.add(verdict.status)
            if verdict.status != "unreadable":
                assert (verdict.status == "impossible") == any(f.severity == "impossible" for f in verdict.findings)
                assert verdict.scores == verdict.as_json()["scores"]
                assert not verdict.rounds or verdict.rounds[-1].scores == verdict.totals
                assert all(finding.message for finding in verdict.findings)
    assert len(statuses) == 6


def test_a_log_that_was_played_has_the_lines_of_its_text():
    for seed in range(60):
        log = playout("udl", rng=Random(seed), habits=habits(seed)).log
        assert verify(log).as_json() == verify_text(dumps(log))[0].as_json()


def test_the_same_log_gives_the_same_verdict_every_time():
    log = playout("udl", rng=Random(5), habits=habits(5)).log
    assert verify(log).as_json() == verify(log).as_json()
    assert playout("udl", rng=Random(5), habits=habits(5)).log == log

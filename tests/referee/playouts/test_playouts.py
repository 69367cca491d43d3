"""Random games: the referee agrees with the table's own book, and nothing is lost on the way (RULES.md C1-C8)."""

from dataclasses import replace
from random import Random

import pytest

from games.moves import Deal, Draw, Lot, Play, Show
from games.notation.reading import dumps, loads
from referee import verify, verify_text
from referee.playouts.pips import Habits, playout
from tests.volume import seeds

GAMES = 2000
PLAYOUTS = 1000  # of each system, over all its numbers of seats
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


@pytest.mark.parametrize("batch", range(7))
def test_the_log_says_what_the_book_says(batch):
    ended = set()
    for seed in seeds(GAMES)[batch::7]:
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


@pytest.mark.slow("play-outs")
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


# ---- every pip system, for every number of seats

NAMES = ("Ana Ruiz", "Bo Chen", "Cy Doe", "Dee Fox")
TABLES = [("udl", 2), ("double-six", 2), *((key, seats) for key in ("muggins", "all-fives") for seats in (2, 3, 4))]
# One value at least of every option that play or arithmetic knows.
HOUSE_RULES = [
    {},
    {"spinner": "all", "lead_first": "lot", "block_tie": "split"},
    {"spinner": "none", "lead_forced": "false", "lead_later": "winner_any", "lead_after_block": "lot"},
    {"no_double": "highest_tile", "highest_tile": "pips", "boneyard_reserve": "2", "blocked_points": "diff"},
    {"no_double": "draw_until", "lead_first": "highest_double", "lead_later": "highest_double", "hand": "4"},
    {"voluntary_draw": "true", "must_play_drawn": "true", "lead_later": "dominoer_any", "target_strict": "true"},
    {"voluntary_draw": "true", "must_play_drawn": "false", "blocked_by": "tiles", "blocked_points": "tiles_x5"},
    {"announce": "manual", "muggins": "after_next", "next_action_counts_draw": "true", "end_check": "round"},
    {"announce": "manual", "muggins": "before_next", "muggins_grace_s": "3", "end_check": "immediate"},
    {"announce": "auto", "muggins": "off", "cap_at_target": "true", "domino_points": "opp_r5", "blocked_scope": "all"},
    {"round_per_hand": "true", "domino_points": "all_r5_div5", "blocked_points": "opp_r5", "block_tie": "split"},
    {"round_bonus": "true", "bonus_divisor": "5", "play_divisor": "5", "target": "40", "bonus_scope": "opponents"},
    {"lead_after_block": "winner_any", "clock_s": "120", "hand": "6", "boneyard_reserve": "1", "block_tie": "split"},
]


def conserved(log, seats):
    """Every tile of the set is in one place: a hand, the table, or the boneyard, at every line of every round."""
    for record in log.rounds:
        dealt, drawn, played = {}, [], set()
        for entry in record.entries:
            match entry.event:
                case Deal(seat, _, tiles):
                    dealt[seat] = set(tiles)
                case Draw(seat, _, tiles):
                    dealt[seat] |= set(tiles)
                    drawn += tiles
                case Play(seat, tile):
                    dealt[seat].remove(tile)
                    played.add(tile)
                case Show(seat, tiles):
                    assert dealt[seat] == set(tiles)
        assert len(dealt) == seats
        places = [played, *dealt.values()]
        assert sum(map(len, places)) == len(set().union(*places)) <= 28
        assert len(drawn) == len(set(drawn))


@pytest.mark.parametrize(("ruleset", "seats"), TABLES)
def test_every_system_for_every_number_of_seats(ruleset, seats):
    ends = set()
    for seed in seeds(PLAYOUTS // sum(key == ruleset for key, _ in TABLES)):
        options = HOUSE_RULES[seed % len(HOUSE_RULES)]
        manner = replace(habits(seed), no_double=0.2, miss=0.15)
        game = playout(ruleset, rng=Random(seed), seats=NAMES[:seats], habits=manner, options=options)
        text = dumps(game.log)
        (read,) = loads(text)
        assert (dumps(read), read) == (text, game.log), seed
        verdict = verify(read)
        assert (verdict.scores, verdict.winner, verdict.ended) == (game.scores, game.winner, game.ended), seed
        assert verdict.chips in (None, game.chips), seed
        assert {f.code for f in verdict.findings if f.severity != "note"} <= SLIPS, seed
        assert sum(ruling.upheld for ruling in verdict.rulings) == game.claimed, seed
        assert verdict.evidence == "complete"
        conserved(game.log, seats)
        ends |= {record.ended for record in verdict.rounds}
        if seed % 4 == 0:
            broken = mangled(text, Random(seed))
            assert verify_text(broken)[0].as_json() == verify_text(broken)[0].as_json()
    assert {"domino", "blocked"} <= ends


def test_lots_and_draws_for_the_lead_are_in_the_games_played():
    games = [playout("muggins", rng=Random(n), seats=NAMES[:3]) for n in range(10)]
    assert sum(isinstance(entry.event, Lot) for game in games for entry in game.log.entries) > 20
    log = playout("all-fives", rng=Random(1), seats=NAMES, habits=Habits(no_double=1.0)).log
    for record in log.rounds:
        events = [entry.event for entry in record.entries]
        first = next(n for n, event in enumerate(events) if isinstance(event, Play))
        assert isinstance(events[first - 1], Draw)
        assert events[first - 1].tiles == (events[first].tile,)

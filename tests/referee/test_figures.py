"""What each seat did in numbers (`referee.figures`), held against verdicts, replays, and games that were played out."""

from pathlib import Path
from random import Random

import pytest

from games.moves import Pass, Play
from games.notation.reading import NotationError, dumps, loads
from referee import verify_text
from referee.figures import SeatFigures, as_plain, verify_and_count
from referee.frames import reel
from referee.playouts.habits import Habits
from referee.playouts.pips import playout
from referee.playouts.uno import playout_uno

LOGS = sorted((Path(__file__).parents[1] / "logs").glob("*/*.domino"))
WITH_RESULT = {"verified", "corrected", "violation"}


def readable():
    for path in LOGS:
        text = path.read_bytes().decode()
        try:
            loads(text)
        except NotationError:
            continue
        yield pytest.param(text, id=f"{path.parent.name}/{path.name}")


@pytest.mark.parametrize("text", list(readable()))
def test_the_figures_of_every_sample_are_what_its_verdict_and_its_replay_say(text):
    verdict, figures = verify_and_count(text)
    plain = verdict.as_json()
    assert plain == verify_text(text)[0].as_json()
    for seat, own in figures.items():
        plays = [play for play in plain["plays"] if play["seat"] == seat and play["worth"]]
        assert own.rounds == len(plain["rounds"])
        assert own.points == plain["scores"][seat]
        assert (own.counts, own.worth) == (len(plays), sum(play["worth"] for play in plays))
        assert own.called == sum(play["awarded"].get(seat) == play["worth"] for play in plays)
        codes = [one["code"] for one in plain["findings"] if one["code"] in {"pass-when-able", "draw-when-able"}]
        assert sum(one.reneges for one in figures.values()) == len(codes)
    if plain["status"] not in WITH_RESULT:
        return
    shown = reel(loads(text)[0]).rounds
    for number, own in enumerate(figures.values()):
        assert own.left == sum(one.frames[-1].held[number] for one in shown)
        events = [frame.event for one in shown for frame in one.frames]
        assert own.passes == sum(isinstance(one, Pass) and one.seat == number for one in events)
    doubles = [lead for one in shown if (lead := _lead(one)) and lead.tile.double]
    assert {own.openings for own in figures.values()} == {len(doubles)}
    assert sum(own.opened for own in figures.values()) == len(doubles)


def _lead(shown):
    return next((frame.event for frame in shown.frames if isinstance(frame.event, Play)), None)


def test_a_game_worked_by_hand():
    """A leads 5-5 (10, announced at 0:04), B joins 5-0 (10, said nothing) at 0:10 and A calls muggins; A draws two
    tiles and passes at 0:31, B plays 5-4 for 4 points, which is no count.
    """
    text = """[Ruleset "udl"]
[Seat.A "Ana"]
[Seat.B "Bo"]

round 1
A hand 5-5 6-6 3-3 2-2 1-1 6-3 3-2
B hand 5-0 5-4 6-1 6-2 4-1 4-2 3-1
0:04 A 5-5 call 10
0:10 B 5-0 on 5-5
"""
    _verdict, figures = verify_and_count(text)
    assert (
        as_plain(figures)["B"]
        == as_plain({"B": SeatFigures(rounds=1, counts=1, worth=10, timed=1, tenths=60, openings=1, left=6)})["B"]
    )
    assert figures["A"] == SeatFigures(rounds=1, points=10, counts=1, called=1, worth=10, openings=1, opened=1, left=6)


@pytest.mark.parametrize("ruleset", ["udl", "all-fives"])
def test_games_played_out_miss_and_claim_what_their_own_book_says(ruleset):
    counts = missed = caught = 0
    for seed in range(12):
        played = playout(ruleset, rng=Random(seed), habits=Habits(miss=0.3, muggins=0.5))
        verdict, figures = verify_and_count(dumps(played.log))
        rulings = [one for one in verdict.as_json()["rulings"] if one["upheld"] and one["rule"].endswith("muggins")]
        assert sum(own.caught for own in figures.values()) == len(rulings)
        assert sum(own.suffered for own in figures.values()) == len(rulings)
        counts += sum(own.counts for own in figures.values())
        missed += sum(own.counts - own.called for own in figures.values())
        caught += len(rulings)
    assert counts > missed > caught > 0


@pytest.mark.parametrize("ruleset", ["muggins", "double-six"])
def test_where_points_are_booked_by_themselves_no_count_is_missed(ruleset):
    _verdict, figures = verify_and_count(dumps(playout(ruleset, rng=Random(3)).log))
    assert all(own.counts == own.called > 0 for own in figures.values())


def test_in_uno_nothing_is_counted_and_a_catch_is_no_muggins():
    for seed in range(12):
        verdict, figures = verify_and_count(dumps(playout_uno(rng=Random(seed)).log))
        assert {(own.counts, own.worth, own.caught, own.suffered) for own in figures.values()} == {(0, 0, 0, 0)}
        assert sum(own.points for own in figures.values()) == sum(verdict.scores.values()) > 0


@pytest.mark.parametrize("line", ["C hand 7", "C 6-6", "C draw 1", "C pass", "F 6-6 on 6-6 call 10", "D lot 6-4"])
@pytest.mark.parametrize("after", ["", "end\n"])
def test_a_line_of_a_seat_that_nobody_has_counts_for_nobody(line, after):
    text = f'[Ruleset "udl"]\n[Seat.A "Ana"]\n[Seat.B "Bo"]\n\nround 1\nA 6-6\n{after}{line}\n'
    verdict, figures = verify_and_count(text)
    assert verdict.status == "impossible"
    assert as_plain(figures).keys() == {"A", "B"}


def test_a_text_that_is_no_log_has_no_figures():
    verdict, figures = verify_and_count("round one\n")
    assert (verdict.status, figures) == ("unreadable", {})

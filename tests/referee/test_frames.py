"""A game step by step (`referee.frames`), held against the verdicts on the sample logs."""

from itertools import pairwise
from pathlib import Path

import pytest

from games.moves import Play, Reopening
from games.notation.reading import NotationError, loads
from referee import verify_text
from referee.frames import TrailTile, reel

LOGS = sorted((Path(__file__).parents[1] / "logs").glob("*/*.domino"))


def readable():
    for path in LOGS:
        text = path.read_bytes().decode()
        try:
            (log,) = loads(text)
        except NotationError:
            continue
        yield pytest.param(log, verify_text(text)[0].as_json(), id=path.name)


SAMPLES = list(readable())


@pytest.mark.parametrize(("log", "verdict"), SAMPLES)
def test_what_stands_after_each_line_is_what_the_referee_found(log, verdict):
    film = reel(log)
    frames = [frame for one in film.rounds for frame in one.frames]
    plays = {play["line"]: play for play in verdict["plays"]}
    lines = [frame.line for frame in frames if isinstance(frame.event, Play | Reopening)]
    if verdict["ruleset"] != "uno-dominoes":
        assert lines == list(plays)
        counted = {frame.line: frame.count for frame in frames}
        assert {line: counted[line] for line in plays} == {line: play["count"] for line, play in plays.items()}
        assert {line: film.plays[line].worth for line in plays} == {line: play["worth"] for line, play in plays.items()}
    ends = {one.number: dict(zip("ABCDEF", one.frames[-1].scores, strict=False)) for one in film.rounds}
    assert ends == {one["number"]: one["scores"] for one in verdict["rounds"]}
    for frame in frames:
        assert frame.count in (None, sum(sum(end.terms) for end in frame.ends))
        for held, hand in zip(frame.held, frame.hands, strict=True):
            assert hand is None or len(hand) == held


@pytest.mark.parametrize(("log", "verdict"), SAMPLES)
def test_the_tiles_of_a_round_are_a_tree_in_the_order_in_which_they_came(log, verdict):
    for shown in reel(log).rounds:
        assert [one.on for one in shown.trail[:1]] in ([], [None])
        for number, one in enumerate(shown.trail[1:], start=1):
            assert one.on is not None
            assert one.on < number
            if verdict["ruleset"] != "uno-dominoes":
                before = shown.trail[one.on]
                assert one.inner in (before.inner, before.outer)
        placed = [frame.placed for frame in shown.frames]
        assert all(later - earlier in (0, 1) for earlier, later in pairwise(placed))
        assert placed[-1:] == [len(shown.trail)]


def test_the_samples_are_many():
    """The control: none of them is left out unseen."""
    assert len(SAMPLES) > 60
    assert sum(len(reel(log.values[0]).rounds) for log in SAMPLES) > 250


TEXT = """[Ruleset "udl"]
round 1
A hand 6-6 6-5 4-1 2-2 1-0 6-4 3-3
B hand 6-3 6-2 5-5 5-4 3-1 2-0 1-1
0:04 A 6-6
0:09 B 6-3 on 6-6 call 15
0:15 A 6-5
"""


def test_a_deal_is_one_frame_and_every_line_after_it_its_own():
    (shown,) = reel(loads(TEXT)[0]).rounds
    assert [frame.line for frame in shown.frames] == [4, 5, 6, 7]
    assert shown.frames[0].held == (7, 7)
    assert shown.frames[0].hands[0] == ("1-0", "2-2", "3-3", "4-1", "6-4", "6-5", "6-6")
    assert shown.spinner
    assert shown.root == 0
    # Where the record does not say what a tile was joined to, the replay found it.
    assert shown.trail[2] == TrailTile(0, "6-5", "6", "5", 0)
    assert [frame.scores for frame in shown.frames] == [(0, 0), (0, 0), (0, 15), (0, 15)]


def test_a_record_that_cannot_be_true_is_shown_up_to_there():
    """Line 8 plays a tile that lies on the table already."""
    (shown,) = reel(loads(TEXT + "0:20 B 6-3\n0:24 A 6-4\n")[0]).rounds
    assert [frame.line for frame in shown.frames] == [4, 5, 6, 7]


def test_points_that_went_to_the_opponent_are_told_at_the_play():
    text = TEXT.replace(" call 15", "") + "0:17 B pass\n"
    plays = reel(loads(text)[0]).plays
    assert plays[6].worth == 15
    assert plays[6].announced is None
    assert plays[6].awarded == {}


def test_frames_from_a_later_round_on_are_those_of_the_whole_game():
    several = 0
    for sample in SAMPLES:
        log = sample.values[0]
        film = reel(log)
        for place, one in enumerate(film.rounds):
            later = reel(log, one.number)
            assert (later.rounds, later.plays) == (film.rounds[place:], film.plays)
        several += len(film.rounds) > 1
    assert several > 10

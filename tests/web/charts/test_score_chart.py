"""The score of a game over time, drawn from its log (`league.web.charts.score`)."""

import re

from games.notation.reading import loads
from league.web.charts.score import MOST_POINTS, Addresses, ScoreChart, score_chart
from referee.frames import reel
from tests.web.matches.test_replay import SHORT, long_log, shown


def chart(text: str, keys: dict[int, str] | None = None) -> ScoreChart | None:
    (log,) = loads(text)
    film = reel(log)
    return score_chart(film, film.rounds, ["Ana", "Bo"][: film.seats], Addresses("", keys or {}))


# Bo misses fifteen, Ana takes them after her next play; then the referee punishes her.
TAKEN = (
    SHORT.split("0:09 B")[0]
    + """0:09 B 6-3 on 6-6
0:15 A 6-5 on 6-6
0:17 A muggins 15
0:20 penalty A 10 "a tile was shown"
"""
)


def test_a_point_is_where_the_score_changed_at_the_time_of_the_log() -> None:
    found = chart(SHORT)
    assert [(one.anchor, one.time, one.scores) for one in found.points] == [("r1.2", "0:09", [0, 15])]
    assert found.timed
    assert found.target == found.ticks[-1].at or found.target is None
    # Of 24 seconds nine are over: the line of Bo goes up there, and stands to the end.
    (dot,) = found.dots
    assert dot.line == 2
    assert dot.x == round(found.left + (found.right - found.left) * 9 / 24, 1)
    assert re.fullmatch(rf"M{found.left} \S+H{dot.x:g}V{dot.y:g}H{found.right}", found.lines[1].path)
    assert found.lines[0].path == f"M{found.left} {found.bottom}H{found.right}"


def test_muggins_and_penalties_have_flags_that_lead_to_their_steps() -> None:
    found = chart(TAKEN)
    assert [(one.letter, one.point.anchor, one.line) for one in found.flags] == [("M", "r1.4", 1), ("P", "r1.5", 1)]
    assert found.signs == {"muggins", "penalty"}
    assert [one.scores for one in found.points][-1] == [15, 10]


def test_a_log_without_times_throughout_runs_by_its_lines() -> None:
    found = chart(re.sub(r"^0:\d\d A", "A", SHORT, flags=re.MULTILINE))
    assert not found.timed
    # Five steps from left to right; the count is at the second of them.
    assert found.dots[0].x == round(found.left + (found.right - found.left) * 2 / 5, 1)
    assert [one.label for one in found.columns] == ["1"]


def test_of_a_long_game_the_ends_of_rounds_are_marked() -> None:
    found = chart(long_log(), dict.fromkeys(range(61, 81), "61"))
    assert found.thinned
    assert len(found.points) <= MOST_POINTS
    assert len({one.round for one in found.points}) == len(found.points) > 60
    # What stands on another page is asked for there.
    assert {one.round for one in found.points if one.key} == set(range(61, 81)) & {one.round for one in found.points}
    assert found.points[-1].scores == shown(long_log()).rounds[-1].scores


def test_where_nobody_scored_there_is_no_chart() -> None:
    assert chart(SHORT.replace(" call 15", "")) is None

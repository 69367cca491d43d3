"""The replay on the page of a match: every step in words, the table of each round as a drawing (SCREENS.md B-7)."""

import gzip
import re
from functools import cache
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest

from games.notation.reading import NotationError, dumps, loads
from league.matches.logs.submission import submit_log, verify_record
from league.web.matches.lead import LeadBy
from league.web.matches.replay import Replay, replay_of
from league.web.matches.replay_html import board_html, steps_html
from league.web.matches.replay_parts import MOST_ROUNDS, MOST_STEPS
from referee import verify_text
from referee.playouts.pips import playout
from tests.web import world as small

LOGS = sorted((Path(__file__).parents[2] / "logs").glob("*/*.domino"))
SHORT = """[Ruleset "udl"]
[Seat.A "Ana Ruiz"]
[Seat.B "Bo Chen"]
round 1
A hand 6-6 6-5 4-1 2-2 1-0 6-4 3-3
B hand 6-3 6-2 5-5 5-4 3-1 2-0 1-1
0:04 A 6-6
0:09 B 6-3 on 6-6 call 15
0:15 A 6-5 on 6-6
0:21 B 5-5
0:24 A 6-4 on 6-6
"""


@cache
def long_log() -> str:
    """A game of more than sixty rounds and two thousand lines: no clock, and a target that is far away."""
    options = {"clock_s": "0", "target": "2500"}
    return dumps(playout("udl", rng=Random(3), seats=("Ana Ruiz", "Bo Chen"), options=options).log)


def shown(text: str, number: int = 1, rounds: str = "") -> Replay | None:
    """The replay of a text whose seats are the sides in order."""
    lines = [SimpleNamespace(number=n, text=line) for n, line in enumerate(text.splitlines(), 1)]
    seats = dict(enumerate("ABCDEF", 1))
    view = SimpleNamespace(
        log=lines, seats=seats, game=SimpleNamespace(number=number), findings=[], verdict="", sealed_text=""
    )
    return replay_of(view, {side: f"Player {letter}" for side, letter in seats.items()}, rounds)


def words(html: str) -> str:
    html = re.sub(r'<span class="named-tile">.*?</svg>(.*?)</span>', r"\1", html)
    return " ".join(re.sub(r"<[^>]+>", " ", html).split()).replace("\u2068", "").replace("\u2069", "")


def test_each_step_says_what_was_done_the_sum_and_the_score() -> None:
    (told,) = shown(SHORT).rounds
    lines = [words(one) for one in steps_html(told, "L").split("</li>")[:-1]]
    assert lines[:4] == [
        "0 The tiles are dealt.",
        "1 0:04 Player A leads 6-6. 6+6 (double) = 12 → no points Open: double 6-6, counts 12.",
        (
            "2 0:09 Player B plays 6-3 on 6-6 and calls 15. 6+6 (double) + 3 = 15 → 15 points 0 – 15 "
            "Open: double 6-6, counts 12; 3 on 6-3."
        ),
        (
            "3 0:15 Player A plays 6-5 on 6-6. 3 + 5 = 8 → no points "
            "Open: an end of 6-6, counts nothing; 3 on 6-3; 5 on 6-5."
        ),
    ]
    assert [step.anchor for step in told.steps] == ["r1.0", "r1.1", "r1.2", "r1.3", "r1.4", "r1.5"]


CALLED_NEXT = SHORT.replace("0:09 B 6-3 on 6-6 call 15\n", "0:09 B 6-3 on 6-6\n0:11 B call 15\n")


def test_a_count_called_in_the_next_line_is_part_of_its_play() -> None:
    (told,) = shown(CALLED_NEXT).rounds
    html = steps_html(told, "L")
    lines = [words(one) for one in html.split("</li>")[:-1]]
    assert lines[2] == (
        "2 0:09 Player B plays 6-3 on 6-6 and calls 15. 6+6 (double) + 3 = 15 → 15 points 0 – 15 "
        "Open: double 6-6, counts 12; 3 on 6-3."
    )
    assert lines[3].startswith("4 0:15 Player A plays 6-5")
    # The address of each line leads somewhere.
    assert re.findall(r' id="([^"]+)"', html) == [f"r1.{number}" for number in range(7)]
    # The chart leads to the play too.
    assert [(one.anchor, one.sentence) for one in shown(CALLED_NEXT).chart.points] == [
        ("r1.2", "\u2068Player B\u2069 plays 6-3 on 6-6 and calls 15.")
    ]


def test_points_that_nobody_got_are_said_not_to_be_called() -> None:
    (told,) = shown(SHORT.replace(" call 15", "")).rounds
    assert told.steps[2].worth == "worth 15, not called"
    (told,) = shown(SHORT.replace(" call 15", "").replace("0:21 B", "0:16 A muggins 15\n0:21 B")).rounds
    assert told.steps[2].worth == "15 points"


def test_a_tile_carries_the_number_of_its_player() -> None:
    replay = shown(SHORT)
    html = board_html(replay.rounds[0], marked=False)
    assert re.findall(r'class="t by-(\d)', html) == ["0", "1", "0", "1", "0"]


def test_the_lead_is_the_step_from_which_the_winner_stayed_ahead() -> None:
    ahead = shown(SHORT).lead
    assert (ahead.seat, ahead.round, ahead.anchor, ahead.first, ahead.behind) == (1, 1, "r1.2", True, 0)
    assert (ahead.by, ahead.tile, ahead.points) == (LeadBy.PLAY, "6-3", 15)
    turned = shown(SHORT + 'penalty B 20 "a tile was shown"\n').lead
    assert (turned.seat, turned.anchor, turned.first, turned.behind) == (0, "r1.6", False, 15)
    assert (turned.by, turned.tile, turned.points) == (LeadBy.OTHER, "", 20)
    assert shown(SHORT.replace(" call 15", "")).lead is None
    long = shown(long_log()).lead
    assert long.key in {part.key for part in shown(long_log()).parts} | {""}


def test_the_steps_of_a_later_game_have_addresses_of_their_own() -> None:
    assert shown(SHORT, number=2).rounds[0].steps[3].anchor == "g2.r1.3"


def test_a_flag_stands_at_every_end_that_counts_and_says_how_much() -> None:
    (told,) = shown(SHORT).rounds
    flags = [[one.rsplit(",", 1)[1] for one in step.flags.split(";") if one] for step in told.steps]
    assert flags == [[], ["12"], ["12", "3"], ["3", "5"], ["3", "10"], ["3", "10", "4"]]


def replays():
    for path in LOGS:
        text = path.read_bytes().decode()
        try:
            loads(text)
        except NotationError:
            continue
        yield pytest.param(text, id=path.name)


@pytest.mark.parametrize("text", list(replays()))
def test_every_sample_is_drawn_whole(text) -> None:
    replay = shown(text)
    if replay is None:
        assert verify_text(text)[0].as_json()["plays"] == []
        return
    for told in replay.rounds:
        if told.picture is None:
            assert told.steps[-1].placed == 0
            continue
        html = board_html(told, marked=replay.marked)
        assert html.count('data-n="') == told.steps[-1].placed
        left, top, width, height = told.picture.box
        for step in told.steps:
            for flag in filter(None, step.flags.split(";")):
                x, y = map(float, flag.split(",")[:2])
                assert left <= x <= left + width
                assert top <= y <= top + height
                covered = [
                    one.number
                    for one in told.picture.tiles
                    if one.number < step.placed
                    and all(abs(a - b) < 0.5 for a, b in zip((x, y), (one.x, one.y), strict=True))
                ]
                assert covered == []


def test_a_text_that_cannot_be_read_has_no_replay() -> None:
    assert shown(SHORT + "B plays something") is None
    assert shown('[Ruleset "udl"]\n') is None


def test_what_people_wrote_is_text() -> None:
    replay = shown(SHORT + '# <b>bold</b>\nnote "<img src=x onerror=alert(1)>"\n')
    html = steps_html(replay.rounds[0], "L")
    assert "<img" not in html
    assert "&lt;img src=x" in html


def test_the_page_of_a_match_has_its_replay(world, browse, log) -> None:
    record = submit_log(game=world.game(), user=world.alice, raw=log.encode()).record
    page = f"/matches/{world.match.pk}/"
    assert "data-replay" not in browse().get(page).content.decode()
    verify_record(record.pk)
    html = browse().get(page).content.decode()
    assert "data-replay" in html
    assert html.count('class="board"') == html.count("data-round") - html.count("data-rounds")
    assert "Ana Ruiz" in words(html.split("data-transcript")[1])
    anchors = re.findall(r'<li id="(r\d+\.\d+)"', html)
    assert len(anchors) == len(set(anchors)) > 40


def test_a_long_game_comes_in_parts_and_every_round_is_drawn() -> None:
    whole = shown(long_log())
    numbers = [one.number for one in whole.listed]
    assert len(numbers) > 60
    found = []
    for part in whole.parts:
        one = shown(long_log(), rounds=part.key)
        assert [told.key for told in one.parts if told.shown] == [part.key]
        assert (one.rounds[0].number, one.rounds[-1].number) == (part.first, part.last)
        assert len(one.rounds) <= MOST_ROUNDS
        assert one.steps <= MOST_STEPS
        assert all(told.picture for told in one.rounds)
        # What the script does not find on this page it finds under the key of its part.
        assert {told.number for told in one.listed if not told.key} == {told.number for told in one.rounds}
        found += [told.number for told in one.rounds]
    assert found == numbers


def test_any_round_of_a_part_asks_for_it_and_else_the_end_is_shown() -> None:
    assert 61 in [one.number for one in shown(long_log(), rounds="61").rounds]
    last = shown(long_log()).rounds[-1].number
    for asked in ("", "x", "0", "g2.61", str(last + 1)):
        assert shown(long_log(), rounds=asked).rounds[-1].number == last
    second = shown(long_log(), number=2, rounds="g2.61")
    assert "g2.r61.0" in [told.steps[0].anchor for told in second.rounds]


def test_a_short_game_is_in_one_part() -> None:
    replay = shown(SHORT, rounds="1")
    assert replay.parts == []
    assert [(one.number, one.key) for one in replay.listed] == [(1, "")]


def test_the_page_of_a_long_game_is_light(world, browse) -> None:
    text = long_log().replace("Ana Ruiz", "{a}").replace("Bo Chen", "{b}")
    record = small.hand_in(world.game(), world.ref, text=text)
    verify_record(record.pk)
    for rounds in ("", "?rounds=1", "?rounds=61"):
        page = browse().get(f"/matches/{world.match.pk}/{rounds}").content
        assert len(gzip.compress(page)) < 60_000  # with the styles and scripts less than a hundred
        told = page.decode().split("data-transcript")[1].split("</section>")[0].split("<details")[1:]
        assert all(len(gzip.compress(one.encode())) < 20_000 for one in told)
    assert 'href="?rounds=1#' in browse().get(f"/matches/{world.match.pk}/?rounds=61").content.decode()
    # The log is cut with the replay, and what was found in another part leads there.
    page = browse().get(f"/matches/{world.match.pk}/?rounds=61").content.decode()
    lines = [int(one) for one in re.findall(r'<li id="L(\d+)"', page)]
    assert 0 < len(lines) < 700
    assert lines == list(range(lines[0], lines[-1] + 1))
    found = re.findall(r'href="([^"]*)#L(\d+)">Line', page)
    assert found
    for query, line in found:
        assert bool(query) == (int(line) not in lines)
        if query:
            other = browse().get(f"/matches/{world.match.pk}/{query}").content.decode()
            assert f'<li id="L{line}"' in other
            break

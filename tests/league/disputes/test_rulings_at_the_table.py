"""Rulings at the table: points on the pad, lines of a log, and the clock with its time given back."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

import pytest
from django.db import connection

from games.notation.reading import loads
from league.accounts.models import Role
from league.competitions.integrity.derived import everything
from league.disputes.calls.ending import TableFinding, close_call, rule_at_table
from league.disputes.calls.services import call_referee, pause_for_call, take_back
from league.disputes.models import RefereeCall
from league.errors import Refused
from league.matches.clock import services as timekeeping
from league.matches.clock.queries import clocks_in
from league.matches.models import Game, Match
from league.matches.models.tally import TallyTap
from tests.league.matches.tapping import Pad, points, rows, tap
from tests.league.tampering import taken_back
from tests.league.world import NOON, SHORT_LOG, make_world


@pytest.fixture
def world(db):
    return make_world()


@pytest.fixture
def pad(world):
    return Pad(world.game, world.alice)


@pytest.fixture
def call(world):
    return call_referee(world.match, world.bob, "muggins", at=NOON)


def found(**facts) -> TableFinding:
    return TableFinding(**{"about": "muggins", "side": 2, "points": 10, "upheld": True, **facts})


def rule(world, call, **facts) -> RefereeCall:
    return rule_at_table(call, world.referee, found(**facts), at=NOON)


def code_of(act, *args, **facts) -> str:
    with pytest.raises(Refused) as refused:
        act(*args, **facts)
    return refused.value.code


def test_an_upheld_muggins_call_is_a_ruled_tap_and_two_lines(world, pad, call) -> None:
    pad.send(points(0, 15))
    ruled = rule(world, call)
    assert rows(world.game) == [(1, "points", 0, 15), (2, "muggins", 1, 10)]
    assert (ruled.tap.ruled, ruled.ended_by, ruled.ended_at) == (True, world.referee, NOON)
    question = (
        "Did B call muggins after B released the next tile, or passed, and before A released the next tile, or passed?"
    )
    assert ruled.lines == f'note "ruling: {question} Yes"\nB muggins 10'
    loads(SHORT_LOG.replace("end", f"{ruled.lines}\nend"))


@pytest.mark.parametrize(
    ("pads", "facts", "left"),
    [
        # The pad gave the points to the scorer; the ruling gives them to the claimant.
        ([points(0, 10)], {"on_pad": True}, [0, 10]),
        # The pad has what was ruled.
        ([tap("muggins", seat=1, points=10)], {"on_pad": True}, [0, 10]),
        # Points of an earlier play stand.
        ([points(0, 10)], {}, [10, 10]),
        # A call that does not count is taken back; points of the scorer stand.
        ([tap("muggins", seat=1, points=10)], {"on_pad": True, "upheld": False}, [0, 0]),
        ([points(0, 10)], {"on_pad": True, "upheld": False}, None),
        # A count that was not announced in time is taken back.
        ([points(0, 10)], {"about": "count", "side": 1, "on_pad": True, "upheld": False}, [0, 0]),
        # The count was another number.
        ([points(0, 10)], {"about": "count", "side": 1, "on_pad": True, "points": 15}, [15, 0]),
    ],
)
def test_the_pad_has_what_was_ruled(world, pad, call, pads, facts, left) -> None:
    pad.send(*pads)
    before = TallyTap.objects.count()
    rule(world, call, **facts)
    taps = list(TallyTap.objects.order_by("number"))
    assert all(one.ruled for one in taps[before:])
    if left is None:
        assert len(taps) == before
    else:
        assert Game.objects.get().tally["points"] == left


@pytest.mark.parametrize(
    ("upheld", "lines"),
    [(True, ["No", "B muggins 10"]), (False, ["Yes", "A call 10"])],
)
def test_points_on_the_pad_put_the_announcement_in_question(world, pad, call, upheld, lines) -> None:
    pad.send(points(0, 10))
    answer, line = lines
    question = f"Did A say 10 before B released the next tile, or passed? {answer}"
    assert rule(world, call, on_pad=True, upheld=upheld).lines == f'note "ruling: {question}"\n{line}'


def test_without_a_pad_the_ruling_is_kept_alone(world, call) -> None:
    ruled = rule(world, call, upheld=False)
    assert (ruled.tap, ruled.upheld, ruled.points) == (None, False, 10)
    assert ruled.lines.endswith('passed? No"')
    assert not TallyTap.objects.exists()


def test_who_plays_does_not_rule_and_nothing_is_kept(world, pad, call) -> None:
    pad.send(points(0, 15))
    Role.objects.create(user=world.bob, league=world.league, kind=Role.Kind.REFEREE)
    assert code_of(rule_at_table, call, world.bob, found()) == "needs-official"
    assert code_of(close_call, call, world.bob, "Done.") == "needs-official"
    assert code_of(rule_at_table, call, world.charlie, found()) == "needs-official"
    assert (TallyTap.objects.count(), RefereeCall.objects.get().ended_at) == (1, None)


@pytest.mark.parametrize(
    ("facts", "code"),
    [
        ({"points": 0}, "bad-points"),
        ({"points": 7}, "bad-points"),
        ({"side": 3}, "no-question"),
        ({"about": "penalty"}, "no-question"),
    ],
)
def test_a_finding_that_cannot_be_is_refused(world, call, facts, code) -> None:
    assert code_of(rule, world, call, **facts) == code


def test_rules_without_muggins_have_no_question(world, call) -> None:
    Match.objects.update(ruleset="double-six")
    assert code_of(rule, world, call) == "no-question"


def test_a_call_ends_once(world, call) -> None:
    rule(world, call)
    assert code_of(rule, world, call) == "call-ended"
    assert code_of(close_call, call, world.referee, "Done.") == "call-ended"
    assert code_of(take_back, call, world.bob) == "call-ended"


def test_other_calls_end_with_a_sentence_and_perhaps_a_penalty(world, pad, call) -> None:
    pad.send(points(0, 15))
    assert code_of(close_call, call, world.referee, " ") == "no-sentence"
    assert code_of(close_call, call, world.referee, "x" * 201) == "long-sentence"
    assert code_of(close_call, call, world.referee, "Slow.", against=2, points=7) == "bad-points"
    assert code_of(close_call, call, world.referee, "Slow.", points=30) == "bad-points"
    ended = close_call(call, world.referee, " Warned  twice. ", against=2, points=30, at=NOON)
    assert (ended.sentence, ended.lines) == ("Warned twice.", 'penalty B 30 "ruling at the table"')
    assert rows(world.game)[-1] == (2, "penalty", 0, 30)


def test_an_official_result_takes_no_ruled_tap(world, pad, call) -> None:
    pad.send(points(0, 15))
    Match.objects.update(state=Match.State.DECIDED)
    assert code_of(rule, world, call) == "match-decided"
    assert RefereeCall.objects.get().ended_at is None


# --- The clock ---


def remaining(world, seconds: float) -> int:
    return clocks_in([world.match.pk], NOON + timedelta(seconds=seconds))[0].reading.remaining_ms


def at(seconds: float):
    return NOON + timedelta(seconds=seconds)


def test_the_ruling_time_is_given_back_exactly(world, call) -> None:
    timekeeping.start_clock(world.game, world.referee, NOON)
    pause_for_call(call, world.referee, at=at(60))
    rule_at_table(call, world.referee, found(), at=at(187))
    # 15 minutes, of which one was played before the pause and ten seconds after it.
    assert remaining(world, 197) == (900 - 70) * 1000
    assert Game.objects.get().rings_at == at(900 + 127)


def test_a_clock_that_was_never_paused_gives_nothing_back(world, call) -> None:
    timekeeping.start_clock(world.game, world.referee, NOON)
    close_call(call, world.referee, "Play on.", at=at(120))
    assert Game.objects.get().rings_at == at(900)
    assert world.game.clock_events.count() == 1


def test_a_clock_that_somebody_else_paused_or_resumed_is_left_alone(world, call) -> None:
    timekeeping.start_clock(world.game, world.referee, NOON)
    timekeeping.pause_clock(world.game, world.alice, at(30))
    close_call(call, world.referee, "Play on.", at=at(60))
    assert [one.kind for one in world.game.clock_events.all()] == ["start", "pause"]
    again = call_referee(world.match, world.bob, "clock", at=at(61))
    timekeeping.resume_clock(world.game, world.alice, at(62))
    pause_for_call(again, world.referee, at=at(70))
    timekeeping.resume_clock(world.game, world.alice, at(80))
    close_call(again, world.referee, "Play on.", at=at(90))
    assert [one.kind for one in world.game.clock_events.all()][2:] == ["resume", "pause", "resume"]


# --- Changes by SQL


@contextmanager
def unchecked() -> Iterator[None]:
    """Let the database take rows that its checks refuse, until the end."""
    with taken_back(), connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("PRAGMA ignore_check_constraints = ON")
        else:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # a table with checks to come is not altered
            for name in ("a_ruling_at_the_table_is_whole", "an_official_rules_at_the_table"):
                cursor.execute(f"ALTER TABLE disputes_refereecall DROP CONSTRAINT {name}")
        try:
            yield
        finally:
            if connection.vendor == "sqlite":
                cursor.execute("PRAGMA ignore_check_constraints = OFF")


def differences() -> list[str]:
    return [str(one) for one in everything() if one.row.startswith(("call", "tap"))]


RULINGS = [
    ([points(0, 15)], {}),
    ([points(0, 10)], {"on_pad": True}),
    ([tap("muggins", seat=1, points=10)], {"on_pad": True}),
    ([tap("muggins", seat=1, points=10)], {"on_pad": True, "upheld": False}),
    ([points(0, 10)], {"on_pad": True, "upheld": False}),
    ([points(0, 10)], {"about": "count", "side": 1, "on_pad": True, "upheld": False}),
    ([points(0, 10)], {"about": "count", "side": 1, "on_pad": True, "points": 15}),
]


@pytest.mark.parametrize(("pads", "facts"), RULINGS)
def test_untouched_rulings_have_no_difference(world, pad, call, pads, facts) -> None:
    pad.send(*pads)
    rule(world, call, **facts)
    assert differences() == []


def test_an_untouched_penalty_has_no_difference(world, pad, call) -> None:
    pad.send(points(0, 15))
    close_call(call, world.referee, "Warned twice.", against=2, points=30, at=NOON)
    assert differences() == []
    RefereeCall.objects.update(side=1)
    assert "side is 1, should be 2" in " ".join(differences())


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"points": 25}, "points is 25, should be 10"),
        ({"side": 1}, "side is 1, should be 2"),
        ({"upheld": False}, "upheld is False, should be True"),
        ({"about": "count"}, "ruling on is points, should be muggins"),
        ({"about": "other"}, "lines is"),
        ({"lines": 'note "ruling"\nA muggins 10'}, "lines is ['A muggins 10'], should be ['B muggins 10']"),
        ({"tap": None}, "call of the ruling is missing, should be there"),
        ({"ended_by": None}, "ended by is None"),
        ({"ended_at": NOON + timedelta(hours=1)}, "ended is"),
        ({"about": "", "side": None, "points": None, "upheld": None, "tap": None, "lines": ""}, "call of the ruling"),
    ],
)
def test_a_changed_ruling_is_found(world, pad, call, change, says) -> None:
    pad.send(points(0, 15))
    rule(world, call)
    with unchecked():
        RefereeCall.objects.update(**change)
        assert says in " ".join(differences())


def test_a_removed_ruling_is_found(world, pad, call) -> None:
    pad.send(points(0, 15))
    rule(world, call)
    RefereeCall.objects.all().delete()
    assert differences() == [f"tap 2 of game {world.game.code}: call of the ruling is missing, should be there"]

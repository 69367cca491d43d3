"""The tile pad's taps: lines of the notation, from which the log is made."""

import json
from datetime import timedelta
from uuid import uuid4

import pytest

from games.notation.lines import MAX_VALUE
from games.rulesets import get
from league.errors import Refused
from league.matches.models import Game, KnownBy, Record
from league.matches.models.tally import TallyTap
from league.matches.tally.hand_in import hand_in
from league.matches.tally.ruled import RuledPoints, keep_ruling
from league.matches.tally.services import AnotherPad, Keeper, broken_at
from league.matches.tally.step_down import step_down
from league.matches.tally.tile_log import is_tiled, log_text
from league.matches.tally.touches import BadTap, read_batch
from league.players.models import Entrant
from league.players.services import enrol
from tests.league.matches.tapping import Pad, points, take_back, tap
from tests.league.world import NOON


@pytest.fixture
def pad(world) -> Pad:
    return Pad(world.game, world.referee)


def line(*lines: str, **facts: object) -> dict[str, object]:
    return tap("line", line="\n".join(lines), **facts)


def taps_of(game: Game) -> list[TallyTap]:
    return list(TallyTap.objects.filter(game=game).order_by("number"))


def events_of(game: Game) -> list[str]:
    game = Game.objects.select_related("match__league").get(pk=game.pk)
    return log_text(game, taps_of(game), get("udl")).partition("\n\n")[2].splitlines()


def test_the_log_joins_draws_in_a_row_and_an_announcement_to_its_play(world, pad) -> None:
    pad.send(line("round 1", "A 6-6"), line("B draw 1"), line("B draw 1"), line("B 6-3 on 6-6"), line("B call 15"))
    assert events_of(world.game) == ["round 1", "A 6-6", "B draw 2", "B 6-3 on 6-6 call 15"]


def test_one_undo_takes_back_every_line_of_a_touch(world, pad) -> None:
    first, wrong = line("round 1", "A 5-5"), line("A call 10")
    pad.send(first, wrong, take_back(wrong))
    assert events_of(world.game) == ["round 1", "A 5-5"]
    assert broken_at(taps_of(world.game)) is None


def test_what_is_taken_back_after_the_opponents_next_line_stays_in_the_log(world, pad) -> None:
    """A scorer who plays on to see the public score leaves a trace; a slip of the thumb does not."""
    first, slip, call = line("round 1", "A 5-5"), line("A call 15"), line("A call 10")
    pad.send(first, slip, take_back(slip), call)
    assert events_of(world.game) == ["round 1", "A 5-5 call 10"]
    false = [line("B 5-0 on 5-5"), line("A 0-0")]
    pad.send(*false)
    world.game.refresh_from_db()
    assert world.game.tally["points"] == [10, 0]  # what they wanted to know
    pad.send(*map(take_back, reversed(false)), line("B muggins"), line("B draw 1"))
    assert events_of(world.game) == [
        "round 1",
        "A 5-5 call 10",
        'note "taken back: B 5-0 on 5-5"',
        "B muggins",
        "B draw 1",
    ]


def test_the_longest_line_that_is_taken_back_late_leaves_a_log_that_can_be_read(world, pad) -> None:
    long = line("round 1", f'note "{chr(92) * 2}{"é" * (MAX_VALUE - 1)}"')
    pad.send(long, line("A 5-5"), take_back(long))
    (note,) = [one for one in events_of(world.game) if one.startswith("note")]
    assert note.startswith("note \"taken back: note 'é")


def test_times_stop_at_the_end_of_the_clock_until_the_bell_is_noted(world, pad) -> None:
    pad.send(
        line("round 1", "A 5-5", clock_ms=4_000),
        line("B 5-0 on 5-5", clock_ms=905_300),
        line("bell", clock_ms=907_000),
        line("A muggins", clock_ms=908_500),
    )
    assert events_of(world.game) == [
        "0:04 round 1",
        "0:04 A 5-5",
        "15:00 B 5-0 on 5-5",
        "15:07 bell",
        "15:08.5 A muggins",
    ]


@pytest.mark.parametrize("text", ["", "A 6-6-6", "0:04 A 6-6", "A 6-6\n", "A 6-6\r", "# nothing", "Z 6-6", "A\t6-6"])
def test_a_line_that_is_none_is_refused_by_its_tap(text) -> None:
    sent = {"id": str(uuid4()), "kind": "line", "line": text, "at": 0}
    with pytest.raises(BadTap) as refused:
        read_batch(json.dumps({"pad": str(uuid4()), "after": 0, "taps": [sent]}).encode())
    assert refused.value.touch == sent["id"]


def test_lines_of_one_touch_are_read() -> None:
    sent = {"id": str(uuid4()), "kind": "line", "line": "round 1\nA 6-6", "at": 0}
    batch = read_batch(json.dumps({"pad": str(uuid4()), "after": 0, "taps": [sent]}).encode())
    assert [touch.line for touch in batch.touches] == ["round 1\nA 6-6"]


def test_a_game_is_kept_on_one_pad(world, pad) -> None:
    first = line("round 1", "A 5-5")
    pad.send(first)
    with pytest.raises(AnotherPad, match="tile pad"):
        pad.send(points(0, 10))
    pad.send(take_back(first))
    pad.send(points(0, 10))
    assert not is_tiled(taps_of(world.game))
    with pytest.raises(AnotherPad, match="score pad"):
        pad.send(line("round 1", "A 5-5"))


def test_the_public_score_waits_for_the_second_next_turn(world, pad) -> None:
    def told() -> object:
        world.game.refresh_from_db()
        return world.game.tally and world.game.tally["points"]

    pad.send(line("round 1", "A 5-5"), line("A call 10"), line("B 5-0 on 5-5"))
    assert told() in (None, [0, 0])
    pad.send(line("A 0-0"))
    assert told() == [10, 0]


@pytest.mark.parametrize(("note", "most"), [('note "x"', 82), (f'note "{"é" * 200}"', 26)])
def test_a_log_that_is_too_long_to_be_read_is_refused_and_loses_nothing(world, pad, note, most) -> None:
    many = [line(*[note] * 12) for _touch in range(most + 1)]
    pad.send(line("round 1", "A 5-5", "A call 10", "B 5-0 on 5-5", "A 0-0"), *many[:most])
    with pytest.raises(Refused) as refused:
        pad.send(many[most])
    assert refused.value.code == "too-many-taps"
    world.game.refresh_from_db()
    assert world.game.tally["points"] == [10, 0]
    pad.send(line("A concedes"), line("end"))
    hand_in(world.game, world.referee, pad=pad.id, after=pad.after, at=NOON + timedelta(minutes=20))
    assert Record.objects.get().kind == KnownBy.LOG


def test_a_ruling_at_the_table_is_no_tap_of_a_tile_pad(world, pad) -> None:
    pad.send(line("round 1", "A 5-5"))
    world.game.match.refresh_from_db()
    assert keep_ruling(world.game, world.referee, points=RuledPoints(kind="muggins", seat=1, points=10)) == []


def test_a_log_is_handed_in_once_the_record_has_ended(world, pad) -> None:
    pad.send(line("round 1", "A 5-5"), line("B concedes"))
    at = NOON + timedelta(minutes=20)
    with pytest.raises(Refused) as early:
        hand_in(world.game, world.referee, pad=pad.id, after=pad.after, at=at)
    assert early.value.code == "not-ended"
    pad.send(line("end"))
    hand_in(world.game, world.referee, pad=pad.id, after=pad.after, at=at)
    assert Record.objects.get().kind == KnownBy.LOG
    assert Record.objects.get().sealed.text.splitlines()[-3:] == ["A 5-5", "B concedes", "end"]


def test_a_table_of_four_is_kept_by_tiles_and_not_by_scores(world, pad) -> None:
    """Its running score is that of four seats, who begin with five tiles each."""
    world.match = world.fixture(entrants=four(world), ruleset="all-fives")
    pad = Pad(world.game, world.referee)
    with pytest.raises(Refused) as refused:
        pad.send(points(0, 10))
    assert refused.value.code == "two-sides"
    pad.send(line("round 1", "A 5-5"), line("A call 10"), line("B 5-0 on 5-5"), line("C 5-1 on 5-5"))
    game = Game.objects.get(pk=world.game.pk)
    assert game.tally["points"] == [10, 0, 0, 0]
    with pytest.raises(Refused) as refused:
        step_down(world.game, Keeper(world.referee.pk), NOON)
    assert refused.value.code == "two-sides"


def test_a_penalty_and_a_draw_of_the_turn_stay_two_lines_in_uno(world) -> None:
    world.match = world.fixture(ruleset="uno-dominoes")
    Pad(world.game, world.referee).send(line("round 1", "A g9-g9"), line("B draw 2"), line("B draw 1"))
    game = Game.objects.select_related("match__league").get(pk=world.game.pk)
    assert log_text(game, taps_of(game), get("uno-dominoes")).splitlines()[-2:] == ["B draw 2", "B draw 1"]


def four(world) -> list[Entrant]:
    more = [enrol(league=world.league, name=name, since=NOON.date()) for name in ("Cy Doe", "Dee Fox")]
    return [world.ana, world.bo, *more]

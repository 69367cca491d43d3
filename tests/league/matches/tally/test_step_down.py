"""From tiles to scores in mid-game."""

from random import Random

import pytest

from games.moves import RoundStart
from games.notation.writing import write_event
from games.rulesets import get
from league.errors import Refused
from league.matches.models.tally import TallyTap
from league.matches.tally import services
from league.matches.tally.hand_in import hand_in
from league.matches.tally.services import Keeper, broken_at, score_now
from league.matches.tally.standing import standing_rows
from league.matches.tally.step_down import step_down
from league.matches.tally.tile_log import is_scored, is_tiled
from referee.playouts.habits import Habits
from referee.playouts.pips import playout
from referee.playouts.simulate import Hidden, hide
from tests.league.matches.tapping import Pad, points, round_end, take_back, tap
from tests.league.world import NOON


@pytest.fixture
def tiled(world) -> Pad:
    """One hand and ten lines of the second, by tiles."""
    pad = Pad(world.game, world.referee)
    habits = Habits(miss=0.15, timed=False, says_blocked=True)
    log = hide(playout("udl", rng=Random(3), seats=("Ana Ruiz", "Bo Chen"), habits=habits).log, Hidden.HANDS)
    starts = [place for place, one in enumerate(log.entries) if isinstance(one.event, RoundStart)]
    pad.send(*(tap("line", line=write_event(one.event)) for one in log.entries[: starts[1] + 10]))
    return pad


def taps() -> list[TallyTap]:
    return list(TallyTap.objects.order_by("number"))


def down(world, pad: Pad) -> None:
    pad.after = step_down(world.game, Keeper(world.referee.pk), NOON)


def ended(world, pad: Pad):
    pad.send(tap("end", ended="forfeit", winner=0, spinner="5-5"))
    return hand_in(world.game, world.referee, pad=pad.id, after=pad.after, insist=True, at=NOON)


def refusal(act) -> str:
    with pytest.raises(Refused) as refused:
        act()
    return refused.value.code


def test_the_scores_say_what_the_tiles_said(world, tiled) -> None:
    before = score_now(taps(), get("udl"), open_shown=True)
    down(world, tiled)
    rows = taps()
    assert not is_tiled(rows)
    after = score_now(rows, get("udl"), open_shown=True)
    assert (after.points, after.round_number) == (before.points, 2)
    assert sum(row.kind == "round_end" for row in standing_rows(rows)) == 1
    assert broken_at(rows) is None


def test_any_pad_goes_on_and_the_tally_is_handed_in(world, tiled) -> None:
    down(world, tiled)
    other = Pad(world.game, world.alice, 1, after=tiled.after)
    other.send(points(1, 10))
    other.send(tap("end", ended="forfeit", winner=1, spinner="5-5"))
    entered = hand_in(world.game, world.alice, pad=other.id, after=other.after, insist=True, at=NOON)
    assert entered.record.kind == "tally"


def test_scores_that_differ_from_the_tiles_of_a_hand_are_not_handed_in(world, tiled) -> None:
    down(world, tiled)
    (end,) = (row for row in standing_rows(taps()) if row.kind == "round_end")
    tiled.send(tap("undo", of=end.touch))
    assert refusal(lambda: ended(world, tiled)) == "not-the-tiles"
    last = taps()[-1]
    tiled.send(take_back(tap_of(last)))
    tiled.send(round_end(end.winner, end.points + 5, spinner=end.spinner, ended=end.ended))
    assert refusal(lambda: ended(world, tiled)) == "not-the-tiles"


def tap_of(row: TallyTap):
    """The touch of a row, to take it back."""
    return type("Touched", (), {"id": row.touch})


def test_without_tiles_or_after_the_end_there_is_no_way_down(world, tiled) -> None:
    tiled.send(tap("line", line="A concedes"))
    assert refusal(lambda: down(world, tiled)) == "game-over"
    tiled.send(take_back(tap_of(taps()[-1])))
    tiled.send(tap("line", line="A 6-6 on 0-0"))
    assert refusal(lambda: down(world, tiled)) == "impossible-tiles"
    tiled.send(take_back(tap_of(taps()[-1])))
    down(world, tiled)
    assert refusal(lambda: down(world, tiled)) == "no-tiles"


# --- Attacks ---


@pytest.fixture
def two_lines(world) -> tuple[Pad, list]:
    """A game without a score yet, kept by tiles on a phone."""
    phone, lines = (
        Pad(world.game, world.alice, 1),
        [tap("line", line="round 1\nA 6-6"), tap("line", line="B 6-3 on 6-6")],
    )
    phone.send(*lines)
    return phone, lines


@pytest.mark.parametrize("is_guarded", [True, False])
def test_a_phone_that_was_away_adds_no_line_after_the_step_down(world, two_lines, monkeypatch, is_guarded) -> None:
    """Without the check a game without a score would go on with half a log: the control."""
    phone, _lines = two_lines
    if not is_guarded:
        monkeypatch.setattr(services, "refuse_other_pad", lambda *_: None)
    phone.after = step_down(world.game, Keeper(world.alice.pk, 1), NOON)
    waiting = tap("line", line="A 6-5 on 6-6")
    if is_guarded:
        assert refusal(lambda: phone.send(waiting)) == "another-pad"
        assert is_scored(taps())
    else:
        phone.send(waiting)
        assert is_tiled(taps())


@pytest.mark.parametrize("which", ["a line", "its undo by the server"])
def test_no_line_is_taken_back_or_brought_back_after_the_step_down(world, two_lines, which) -> None:
    phone, lines = two_lines
    phone.after = step_down(world.game, Keeper(world.alice.pk, 1), NOON)
    of = lines[0].id if which == "a line" else taps()[-1].touch
    assert refusal(lambda: phone.send(tap("undo", of=of))) == "another-pad"
    Pad(world.game, world.referee, after=phone.after).send(points(0, 10))  # nobody else keeps the score


def test_one_batch_has_no_scores_beside_lines(world) -> None:
    phone, one = Pad(world.game, world.alice, 1), tap("line", line="round 1\nA 6-6")
    for batch in ([points(0, 10), one], [one, points(0, 10)]):
        assert refusal(lambda batch=batch: phone.send(*batch)) == "another-pad"
    phone.send(one, take_back(one), points(0, 10))  # as a phone sends again what a restored server lacks
    assert is_scored(taps())


def test_of_two_phones_that_step_down_one_does(world, tiled) -> None:
    down(world, tiled)
    before = len(taps())
    assert refusal(lambda: down(world, tiled)) == "no-tiles"
    assert len(taps()) == before


def test_nobody_ends_the_log_of_another_scorer_without_taking_over_in_sight(world, tiled) -> None:
    player = Keeper(world.alice.pk, 1)
    assert refusal(lambda: step_down(world.game, player, NOON)) == "not-the-keeper"
    Pad(world.game, world.alice, 1, after=tiled.after).send(tap("take_over"))
    step_down(world.game, player, NOON)
    assert not is_tiled(taps())

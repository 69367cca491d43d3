"""The tally of a game: every tap once, in the order of the pad that keeps it, and never changed."""

import json
import threading
from contextlib import nullcontext
from datetime import timedelta
from types import SimpleNamespace
from uuid import uuid4

import pytest
from django.core.exceptions import ValidationError
from django.db import DatabaseError, IntegrityError, connection, transaction

from games.rulesets import RULESETS
from league.errors import NotAllowed, Refused
from league.matches import permissions
from league.matches.live_score import live_score
from league.matches.models import Game, Match
from league.matches.models.tally import TallyTap
from league.matches.tally import services as tallying
from league.matches.tally.services import StaleTally, as_sheet, broken_at, keeper_of
from league.matches.tally.touches import BadTap, read_batch
from referee.running import running
from tests.league.matches.tapping import Pad, points, round_end, rows, take_back, tap
from tests.league.processes import PATIENCE
from tests.league.world import NOON


@pytest.fixture
def pad(world) -> Pad:
    return Pad(world.game, world.referee)


def taps_of(game: Game) -> list[TallyTap]:
    return list(TallyTap.objects.filter(game=game).order_by("number"))


def test_taps_are_numbered_in_the_order_sent_and_chained(world, pad):
    assert pad.send(points(0, 10), points(1, 5)) == 2
    assert pad.send(round_end(0, 25)) == 3
    assert rows(world.game) == [(1, "points", 0, 10), (2, "points", 1, 5), (3, "round_end", None, 25)]
    assert broken_at(taps_of(world.game)) is None
    world.match.refresh_from_db()
    assert world.match.state == Match.State.PLAYING


def test_the_same_tap_again_is_acknowledged_and_never_doubled(world, pad):
    first, second = points(0, 10), points(1, 5)
    pad.send(first)
    pad.after = 0  # the answer was lost: the pad knows of nothing
    assert pad.send(first, second) == 2
    pad.after = 0
    assert pad.send(first, second) == 2
    assert rows(world.game) == [(1, "points", 0, 10), (2, "points", 1, 5)]


def test_two_equal_scores_are_two_taps(world, pad):
    pad.send(points(0, 10), points(0, 10))
    assert len(rows(world.game)) == 2


def test_another_pad_is_told_who_keeps_the_tally_and_nothing_of_it_is_stored(world, pad):
    other = Pad(world.game, world.alice, 1)
    pad.send(points(0, 10))
    for after in (0, 1):
        other.after = after
        with pytest.raises(StaleTally):
            other.send(points(1, 15))
    assert rows(world.game) == [(1, "points", 0, 10)]


def test_who_takes_over_goes_on_and_the_first_pad_is_refused_from_then_on(world, pad):
    other, late = Pad(world.game, world.alice, 1, after=1), points(0, 20)
    pad.send(points(0, 10))
    assert other.send(tap("take_over"), points(1, 15)) == 3
    with pytest.raises(StaleTally):
        pad.send(late)
    pad.after = 3
    assert pad.send(tap("take_over"), late) == 5
    assert [kind for _, kind, *_ in rows(world.game)] == ["points", "take_over", "points", "take_over", "points"]
    assert running(as_sheet(taps_of(world.game), RULESETS["udl"]), RULESETS["udl"], open_shown=True).points == (30, 15)


def test_who_takes_over_must_know_what_is_there(world, pad):
    pad.send(points(0, 10), points(1, 5))
    with pytest.raises(StaleTally):
        Pad(world.game, world.alice, 1, after=1).send(tap("take_over"))


def test_the_same_device_in_two_windows_is_told_of_what_the_other_sent(world, pad):
    window = Pad(world.game, world.referee, id=pad.id)
    pad.send(points(0, 10))
    with pytest.raises(StaleTally):
        window.send(points(1, 5))
    window.after = 1
    assert window.send(points(1, 5)) == 2


def test_taking_back_appends_and_names_the_tap(world, pad):
    wrong = points(0, 30)
    pad.send(wrong, take_back(wrong), points(0, 5))
    assert [tap["of"] for tap in as_sheet(taps_of(world.game), RULESETS["udl"]) if "of" in tap] == [1]
    assert running(as_sheet(taps_of(world.game), RULESETS["udl"]), RULESETS["udl"], open_shown=True).points == (5, 0)


def test_what_is_not_there_cannot_be_taken_back_and_the_batch_stays_on_the_phone(world, pad):
    wrong = take_back(points(0, 30))
    with pytest.raises(BadTap) as refused:
        pad.send(points(0, 5), wrong)
    assert (refused.value.touch, rows(world.game)) == (str(wrong.id), [])


@pytest.mark.parametrize(
    ("change", "code"),
    [({"published_at": None}, "not-published"), ({"state": Match.State.DECIDED}, "match-decided")],
)
def test_a_match_that_is_not_open_takes_no_tap(world, pad, change, code):
    Match.objects.filter(pk=world.match.pk).update(**change)
    with pytest.raises(Refused) as refused:
        pad.send(points(0, 5))
    assert (refused.value.code, rows(world.game)) == (code, [])


def test_a_tally_has_an_end(world, pad, monkeypatch):
    monkeypatch.setattr(tallying, "MOST_TAPS", 2)
    pad.send(points(0, 5), points(0, 5))
    with pytest.raises(Refused, match="too long"):
        pad.send(points(0, 5))


# --- Rows are final ---


def test_a_tap_is_never_changed_or_removed(world, pad):
    pad.send(points(0, 5))
    row = TallyTap.objects.get()
    for act in (row.save, row.delete, TallyTap.objects.all().delete, lambda: TallyTap.objects.update(points=10)):
        with pytest.raises(ValidationError, match="never"):
            act()


def test_a_tap_cannot_be_changed_by_the_database(world, pad):
    pad.send(points(0, 5))
    with pytest.raises(DatabaseError, match="never changed"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("UPDATE matches_tallytap SET points = 10")
    with pytest.raises(DatabaseError, match="never"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("DELETE FROM matches_tallytap")


def test_with_the_trigger_away_the_chain_names_the_tap_that_was_changed(world, pad):
    # The control of the test before; the test's transaction puts the trigger back.
    pad.send(points(0, 5), points(1, 5), points(0, 5))
    where = " ON matches_tallytap" if connection.vendor == "postgresql" else ""
    with connection.cursor() as cursor:
        cursor.execute(f"DROP TRIGGER matches_tallytap_is_final{where}")
        cursor.execute("UPDATE matches_tallytap SET points = 10 WHERE number = 2")
    assert broken_at(taps_of(world.game)) == 2


# --- Two at once ---


def together(acts):
    """What each gave or was refused with, in threads of their own."""
    found, barrier = [], threading.Barrier(len(acts), timeout=PATIENCE)

    def run(act):
        barrier.wait()
        try:
            found.append(act())
        except Refused as refused:
            found.append(refused.code)
        except Exception as error:
            found.append(type(error))
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sorted(found, key=str)


def test_two_pads_at_once_one_keeps_the_tally_and_the_other_is_told(shared_world):
    game = shared_world.game
    pads = [Pad(game, shared_world.alice, 1), Pad(game, shared_world.referee)]
    found = together([lambda pad=pad: pad.send(points(0, 10), points(1, 5)) for pad in pads])
    assert (found, len(rows(game)), broken_at(taps_of(game))) == ([2, "stale-tally"], 2, None)


def test_the_same_batch_eight_times_at_once_is_one_tap_each(shared_world):
    game, touches = shared_world.game, [points(0, 10), points(1, 5)]
    pad = Pad(game, shared_world.referee)
    same = [Pad(game, shared_world.referee, id=pad.id) for _ in range(8)]
    assert together([lambda one=one: one.send(*touches) for one in same]) == [2] * 8
    assert rows(game) == [(1, "points", 0, 10), (2, "points", 1, 5)]


def test_a_sheet_numbers_what_counts_without_gaps(world, pad):
    other, first, last = Pad(world.game, world.alice, 1, after=1), points(0, 10), points(1, 15)
    pad.send(first)
    other.send(
        tap("take_over"), last, take_back(last), tap("round_end", winner=0, points=25, ended="domino", left=[0, 23])
    )
    assert as_sheet(taps_of(world.game), RULESETS["udl"]) == [
        {"n": 1, "kind": "points", "seat": 0, "points": 10},
        {"n": 2, "kind": "points", "seat": 1, "points": 15},
        {"n": 3, "kind": "undo", "of": 2},
        {"n": 4, "kind": "round_end", "points": 25, "ended": "domino", "winner": 0, "pips": [0, 23]},
    ]


def test_with_the_lock_away_only_the_database_stops_a_doubled_tap(shared_world, monkeypatch):
    # The control of the two tests before: both read before either writes, and the constraint refuses one of them.
    game, barrier = shared_world.game, threading.Barrier(2, timeout=PATIENCE)

    def meet(*given):
        barrier.wait()
        return check(*given)

    check = tallying._check_turn
    monkeypatch.setattr(tallying, "transaction", SimpleNamespace(atomic=nullcontext))
    monkeypatch.setattr(tallying, "locked_match", lambda match_id: None)
    monkeypatch.setattr(tallying, "_check_turn", meet)
    pads = [Pad(game, shared_world.alice, 1), Pad(game, shared_world.referee)]
    assert together([lambda pad=pad: pad.send(points(0, 10)) for pad in pads]) == [1, IntegrityError]


# --- Who may ---


@pytest.mark.parametrize(
    ("who", "code"),
    [("alice", None), ("bob", None), ("referee", None), ("owner", None), ("charlie", "not-your-match")],
)
def test_officials_and_the_players_of_the_match_keep_its_tally(world, who, code):
    one = permissions.actor(getattr(world, who), world.match)
    refusal = permissions.why_not_keep_tally(one)
    assert (refusal and refusal.code) == code
    if code:
        with pytest.raises(NotAllowed):
            keeper_of(one)


# --- What spectators see ---


def test_the_running_score_is_told_once_the_claim_window_is_over(world, pad):
    second = timedelta(seconds=1)

    def live():
        shown = live_score(world.game)
        return shown and (shown.points, shown.round_number, (shown.as_of - NOON) / second)

    assert live() is None
    pad.send(points(0, 10))
    assert live() is None
    pad.send(points(1, 15), at=NOON + second)
    assert live() == ({1: 10, 2: 0}, 1, 0)
    pad.send(round_end(0, 25), at=NOON + 2 * second)
    assert live() == ({1: 35, 2: 15}, 2, 2)


def test_without_muggins_the_running_score_is_told_at_once(world):
    game = world.fixture(ruleset="double-six").games.get()
    Pad(game, world.referee).send(points(0, 10))
    game.refresh_from_db()
    assert live_score(game).points == {1: 10, 2: 0}


# --- What a pad may send ---


def sent(**changes: object) -> bytes:
    one = {"id": str(uuid4()), "kind": "points", "seat": 0, "points": 5, "at": 1_790_000_000_000, "mono": 3}
    return json.dumps({"pad": str(uuid4()), "after": 0, "taps": [one | changes]}).encode()


def test_a_batch_is_read_as_it_was_sent():
    (touch,) = read_batch(sent(clock_ms=61_000)).touches
    assert (touch.kind, touch.seat, touch.points, touch.clock_ms, touch.mono_ms) == ("points", 0, 5, 61_000, 3)
    (touch,) = read_batch(sent(kind="round_end", winner=None, points=0, spinner="none", ended="blocked")).touches
    assert (touch.winner, touch.points, touch.spinner, touch.ended) == (None, 0, "none", "blocked")


@pytest.mark.parametrize(
    "changes",
    [
        {"kind": "gift"},
        {"seat": 2},
        {"seat": True},
        {"seat": None},
        {"points": 0},
        {"points": -5},
        {"points": 10**9},
        {"points": "5"},
        {"id": "x"},
        {"at": None},
        {"at": 10**30},
        {"mono": -1},
        {"clock_ms": 2**31},
        {"kind": "undo"},
        {"kind": "undo", "of": 5},
        {"kind": "round_end", "ended": "target"},
        {"kind": "round_end", "ended": "domino", "spinner": "6-5", "winner": 0},
        {"kind": "round_end", "ended": "domino", "points": 5},
        {"kind": "end", "ended": "domino"},
    ],
    ids=str,
)
def test_a_tap_that_says_what_none_can_say_is_refused_by_its_id(changes):
    with pytest.raises(BadTap) as refused:
        read_batch(sent(**changes))
    assert refused.value.code == "bad-tap"
    assert bool(refused.value.touch)


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"[]", b"null", b'{"pad": 1}', b"\xff", b"[" * 100_000, b'{"pad":"x","after":0,"taps":[]}'],
    ids=lambda body: repr(body[:12]),
)
def test_a_body_that_is_no_batch_is_refused(body):
    with pytest.raises(BadTap):
        read_batch(body)

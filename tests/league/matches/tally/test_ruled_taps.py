"""Ruled taps: an official gives or takes back points on a pad that somebody else keeps."""

import pytest

from games.rulesets import get
from league.errors import NotAllowed, Refused
from league.matches.models import Game, Match
from league.matches.models.tally import TallyTap
from league.matches.tally.queries import tally_state
from league.matches.tally.ruled import RuledPoints, keep_ruling
from league.matches.tally.services import StaleTally, as_sheet, broken_at
from league.matches.tally.standing import standing_rows
from league.matches.tally.touches import BadTap
from referee.cards.tally import check
from tests.league.matches.tapping import Pad, points, take_back, tap
from tests.league.world import NOON, make_world

TEN = RuledPoints(kind="muggins", seat=1, points=10)


@pytest.fixture
def world(db):
    return make_world()


@pytest.fixture
def pad(world):
    pad = Pad(world.game, world.alice)
    pad.send(points(0, 15))
    return pad


def rule(world, **facts):
    return keep_ruling(world.game, world.referee, at=NOON, **facts)


def test_a_ruling_follows_the_last_tap_and_counts_at_once(world, pad) -> None:
    (ruled,) = rule(world, points=TEN)
    assert (ruled.number, ruled.kind, ruled.by, ruled.ruled, ruled.pad) == (2, "muggins", world.referee, True, pad.id)
    assert world.game.tally["points"] == [15, 10]
    taps = list(TallyTap.objects.order_by("number"))
    assert (broken_at(taps), world.game.taps_head) == (None, ruled.head)
    assert as_sheet(taps, get("udl"))[1] == {"n": 2, "kind": "muggins", "seat": 1, "points": 10, "ruled": True}


def test_the_pad_keeps_the_tally_and_goes_on_once_it_knows_the_ruling(world, pad) -> None:
    rule(world, points=TEN)
    with pytest.raises(StaleTally):
        pad.send(points(0, 5))
    pad.after = 2
    assert pad.send(points(0, 5)) == 3
    assert tally_state(world.game, NOON).keeping.name == "alice"


def test_the_official_takes_back_a_tap_and_no_pad_takes_back_a_ruling(world, pad) -> None:
    undo, ten = rule(world, undo=TallyTap.objects.get(), points=TEN)
    assert [(undo.kind, undo.of), (ten.kind, ten.points)] == [("undo", 1), ("muggins", 10)]
    assert world.game.tally["points"] == [0, 10]
    assert standing_rows(list(TallyTap.objects.order_by("number"))) == [ten]
    pad.after = 3
    for ruling in (undo, ten):
        with pytest.raises(BadTap):
            pad.send(tap("undo", of=ruling.touch))


def test_without_a_pad_nothing_is_kept(world) -> None:
    assert rule(world, points=TEN) == []
    assert Game.objects.get().tally is None


def test_a_player_and_a_closed_match_are_refused(world, pad) -> None:
    with pytest.raises(NotAllowed):
        keep_ruling(world.game, world.alice, points=TEN, at=NOON)
    Match.objects.update(state=Match.State.DECIDED)
    with pytest.raises(Refused) as refused:
        rule(world, points=TEN)
    assert refused.value.code == "match-decided"


def test_the_chain_names_a_ruling_whose_mark_was_removed(world, pad) -> None:
    (ruled,) = rule(world, points=TEN)
    ruled.ruled = None
    assert broken_at([TallyTap.objects.get(number=1), ruled]) == 2


def test_the_tally_with_a_ruling_is_a_card_that_adds_up(world, pad) -> None:
    rule(world, points=TEN)
    taps = as_sheet(list(TallyTap.objects.order_by("number")), get("udl"))
    assert check({"taps": taps, "scores": [15, 10]}, get("udl")).scores == (15, 10)


def test_taken_back_by_the_pad_is_its_own_tap_only(world, pad) -> None:
    first = points(0, 5)
    pad.send(first)
    rule(world, points=TEN)
    pad.after = 3
    pad.send(take_back(first))
    assert world.game.tally["points"] == [15, 10]

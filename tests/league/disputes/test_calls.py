"""Call the referee: each role, one open call a match, on the way, taken back."""

import pytest
from django.contrib.auth.models import AnonymousUser

from league.accounts.models import Role
from league.accounts.signals import account_erased
from league.disputes.calls.services import (
    call_referee,
    forget_sentences_of,
    go_to_table,
    hand_over,
    pause_for_call,
    take_back,
)
from league.disputes.calls.zones import hand_over_zone, set_zone
from league.disputes.models import Caller, RefereeCall, ZoneTable
from league.errors import Refused
from league.matches.clock import services as timekeeping
from league.matches.models import Match, Table
from league.matches.permissions import Guest
from league.players.signals import player_erased
from tests.league.world import NOON, make_world, person

NOBODY = AnonymousUser()
PHONE = "f" * 32


@pytest.fixture
def world(db):
    return make_world()


def call(world, who, reason: str = "muggins", **facts) -> RefereeCall:
    return call_referee(world.match, who, reason, at=NOON, **facts)


def code_of(act, *args, **facts) -> str:
    with pytest.raises(Refused) as refused:
        act(*args, **facts)
    return refused.value.code


@pytest.mark.parametrize("who", ["alice", "referee", "desk", "guest", "pin", "card"])
def test_players_officials_the_desk_and_the_code_of_the_card_call(world, who) -> None:
    desk = person("desk")
    Role.objects.create(user=desk, league=world.league, kind=Role.Kind.DESK_HELPER)
    asks = {
        "alice": (world.alice, {}),
        "referee": (world.referee, {}),
        "desk": (desk, {}),
        "guest": (Guest(world.match.pk, 2), {}),
        "pin": (Guest(world.match.pk, 1, by_pin=True), {}),
        "card": (NOBODY, {"code": True, "device": PHONE}),
    }
    visitor, facts = asks[who]
    assert call(world, visitor, **facts).game == world.game
    caller = Caller.objects.get()
    assert (caller.by_id, caller.side, caller.device) == {
        "alice": (world.alice.pk, 1, ""),
        "referee": (world.referee.pk, None, ""),
        "desk": (desk.pk, None, ""),
        "guest": (None, 2, ""),
        "pin": (None, 1, ""),
        "card": (None, None, PHONE),
    }[who]


def test_strangers_do_not_call(world) -> None:
    assert code_of(call, world, NOBODY) == "sign-in"
    assert code_of(call, world, world.charlie) == "not-your-match"
    assert code_of(call, world, Guest(world.match.pk + 1, 1)) == "sign-in"
    Match.objects.update(published_at=None)
    world.match.refresh_from_db()
    assert code_of(call, world, world.charlie) == "no-permission"
    assert not RefereeCall.objects.exists()


def test_a_reason_is_needed_and_a_decided_match_has_no_call(world) -> None:
    assert code_of(call, world, world.alice, "noise") == "no-reason"
    Match.objects.update(state=Match.State.DECIDED)
    assert code_of(call, world, world.alice) == "match-decided"


def test_a_closed_card_does_not_call(world) -> None:
    Match.objects.update(starts_at=NOON.replace(day=28))
    world.match.refresh_from_db()
    assert code_of(call, world, NOBODY, code=True, device=PHONE) == "door-early"
    assert code_of(call, world, Guest(world.match.pk, 1)) == "door-early"


def test_a_second_caller_joins_and_the_same_caller_changes_the_reason(world) -> None:
    first = call(world, world.alice)
    assert call(world, Guest(world.match.pk, 2), "count") == first
    assert call(world, world.alice, "clock") == first
    assert [(one.side, one.reason) for one in first.callers.all()] == [(1, "clock"), (2, "count")]
    assert RefereeCall.objects.get().reason == "clock"


def test_the_call_ends_with_its_last_caller(world) -> None:
    first = call(world, world.alice)
    call(world, NOBODY, code=True, device=PHONE)
    take_back(first, world.alice, at=NOON)
    first.refresh_from_db()
    assert first.ended_at is None
    assert code_of(take_back, first, world.alice) == "not-your-call"
    assert code_of(take_back, first, NOBODY, device="0" * 32) == "not-your-call"
    take_back(first, NOBODY, device=PHONE, at=NOON)
    first.refresh_from_db()
    assert (first.ended_at, first.ended_by) == (NOON, None)
    assert code_of(take_back, first, NOBODY, device=PHONE) == "call-ended"
    assert call(world, world.alice) != first


def test_the_desk_takes_back_only_its_own_call(world) -> None:
    first = call(world, world.alice)
    assert code_of(take_back, first, world.referee) == "not-your-call"


def test_an_official_goes_and_hands_over(world) -> None:
    first = call(world, world.alice)
    go_to_table(first, world.referee, at=NOON)
    first.refresh_from_db()
    assert (first.taken_by, first.taken_at) == (world.referee, NOON)
    hand_over(first, world.referee, world.second_referee, at=NOON)
    first.refresh_from_db()
    assert first.taken_by == world.second_referee
    assert code_of(hand_over, first, world.referee, world.charlie) == "no-such-official"


def test_players_of_the_match_and_outsiders_do_not_answer(world) -> None:
    first = call(world, world.alice)
    Role.objects.create(user=world.alice, league=world.league, kind=Role.Kind.HEAD_REFEREE)
    for asker, code in ((world.alice, "needs-official"), (world.charlie, "needs-official"), (NOBODY, "sign-in")):
        assert code_of(go_to_table, first, asker) == code
        assert code_of(pause_for_call, first, asker) == code
    assert code_of(hand_over, first, world.referee, world.alice) == "no-such-official"


def test_the_call_pauses_no_clock_and_the_referee_does(world) -> None:
    timekeeping.start_clock(world.game, world.referee, NOON)
    first = call(world, world.alice)
    assert world.game.clock_events.count() == 1
    pause_for_call(first, world.referee, at=NOON)
    first.refresh_from_db()
    assert (first.pause.kind, first.taken_by) == ("pause", world.referee)
    assert code_of(take_back, first, world.alice) == "referee-here"


def test_an_erased_player_leaves_no_sentence(world) -> None:
    first = call(world, world.alice)
    RefereeCall.objects.filter(pk=first.pk).update(sentence="Ana was loud.")
    assert forget_sentences_of(0) == 0
    player_erased.send(None, player_id=world.ana.player_id)
    assert RefereeCall.objects.get().sentence == ""


# --- Zones ---


@pytest.fixture
def cup(world):
    from league.competitions.models import Competition

    return Competition.objects.create(league=world.league, name="Cup", slug="cup", ruleset="udl")


def zones() -> dict[str, str]:
    return {one.table.name: one.official.username for one in ZoneTable.objects.select_related("table", "official")}


def test_a_table_has_one_official_and_a_zone_is_handed_over_whole(world, cup) -> None:
    one, two, three = (Table.objects.create(league=world.league, name=name) for name in "123")
    set_zone(cup, world.referee, [one, two], by=world.referee)
    set_zone(cup, world.second_referee, [two, three], by=world.referee)
    assert zones() == {"1": "referee", "2": "second", "3": "second"}
    assert hand_over_zone(cup, world.second_referee, world.owner, by=world.second_referee) == 2
    assert zones() == {"1": "referee", "2": "owner", "3": "owner"}
    assert code_of(hand_over_zone, cup, world.second_referee, world.owner, by=world.owner) == "no-zone"


def test_an_erased_account_leaves_no_zone(world, cup) -> None:
    set_zone(cup, world.referee, [Table.objects.create(league=world.league, name="1")], by=world.referee)
    account_erased.send(None, user_id=world.referee.pk)
    assert zones() == {}


def test_zones_are_for_officials_and_tables_of_the_league(world, cup) -> None:
    table = Table.objects.create(league=world.elsewhere, name="1")
    assert code_of(set_zone, cup, world.referee, [], by=world.alice) == "needs-official"
    assert code_of(set_zone, cup, world.alice, [], by=world.referee) == "no-such-official"
    assert code_of(set_zone, cup, world.referee, [table], by=world.referee) == "no-such-table"
    assert code_of(hand_over_zone, cup, world.referee, world.alice, by=world.referee) == "no-such-official"

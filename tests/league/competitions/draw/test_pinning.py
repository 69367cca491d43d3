"""Pinned, accessible and stream tables, from the organizer's word to the match."""

import pytest

from league.competitions.draw.advancing import advance
from league.competitions.draw.plans import Plan, found
from league.competitions.draw.publishing import publish
from league.competitions.draw.schedule.rescheduling import move
from league.competitions.draw.schedule.table_assignment import Wish
from league.competitions.draw.schedule.table_wishes import (
    put_on_stream,
    seat_anew,
    set_wishes,
    stream_top_boards,
    unmet_wishes,
)
from league.competitions.draw.stages import draw
from league.competitions.draw.swiss_rounds import pair_anew, swap
from league.competitions.models import Berth, Slot
from league.competitions.registration.entries import register
from league.errors import NotAllowed, Refused
from league.matches.models import Match, Table
from league.players.erasing import erase
from league.players.services import enrol
from tests.league.competitions.cup import drafted, enter_result, published, slot
from tests.league.world import NOON

pytestmark = pytest.mark.django_db
TABLES = ("1", "2", "3", "4")


def table(name, **flags):
    found = Table.objects.get(name=name)
    for key, value in flags.items():
        setattr(found, key, value)
    found.save()
    return found


def entrant(competition, seed):
    return competition.registrations.get(seed=seed).entrant


def plays_at(competition, seed, round_number=1):
    """The table of an entrant's slot, and of the match if there is one."""
    berth = Berth.objects.select_related("slot__table", "slot__match__table").get(
        slot__matchday__stage__competition=competition,
        slot__matchday__number=round_number,
        entrant=entrant(competition, seed),
    )
    names = {berth.slot.table.name, berth.slot.match.table.name if berth.slot.match else berth.slot.table.name}
    [name] = names
    return name


def tables_of(competition, round_number=1):
    slots = Slot.objects.filter(matchday__stage__competition=competition, matchday__number=round_number)
    return [one.table.name for one in slots.select_related("table").order_by("number")]


def wish(competition, seed, *, by, pinned=None, needs=False):
    at = Table.objects.get(name=pinned) if pinned else None
    return set_wishes(competition, entrant(competition, seed), user=by, table=at, needs_accessible=needs)


def told(competition):
    return [(one.wish, one.who, one.table, one.wished, one.rival) for one in unmet_wishes(competition)]


def refused(act, *arguments, **more):
    with pytest.raises(Refused) as caught:
        act(*arguments, **more)
    return caught.value


def test_whoever_is_pinned_moves_there_at_once_and_the_other_match_takes_the_table(world):
    cup = drafted(world, tables=TABLES)
    assert (tables_of(cup), plays_at(cup, 1)) == (["1", "2", "3", "4"], "1")
    assert wish(cup, 1, by=world.owner, pinned="3") == 2
    assert (tables_of(cup), plays_at(cup, 1)) == (["3", "2", "1", "4"], "3")
    draw(cup, user=world.owner)
    assert tables_of(cup) == ["3", "1", "2", "4"]
    assert told(cup) == []


def test_in_a_knock_out_the_table_is_found_again_in_every_round(world):
    cup = published(world, tables=TABLES)
    wish(cup, 1, by=world.owner, pinned="4")
    for round_number, places in ((1, (1, 2, 3, 4)), (2, (1, 2))):
        for place in places:
            match = slot(cup, round_number, place).match
            enter_result(world, match, 1)
            advance(match.pk)
        assert plays_at(cup, 1, round_number) == "4"
    assert plays_at(cup, 1, 3) == "4"


def test_two_who_are_pinned_and_meet_play_at_the_better_seed_s_table_and_it_is_told(world):
    cup = drafted(world, 4, tables=TABLES)
    wish(cup, 4, by=world.owner, pinned="2")
    wish(cup, 1, by=world.owner, pinned="3")
    assert plays_at(cup, 1) == "3"
    assert told(cup) == [(Wish.PINNED, "P4", "3", "2", "Ana Ruiz")]


def test_a_table_is_pinned_for_one_and_must_be_of_the_competition(world):
    cup = drafted(world, tables=("1", "2"))
    Table.objects.create(league=world.league, name="9")
    Table.objects.create(league=world.elsewhere, name="Far")
    wish(cup, 1, by=world.owner, pinned="1")
    answers = [refused(wish, cup, 2, by=world.owner, pinned=name) for name in ("1", "9", "Far")]
    assert [one.code for one in answers] == ["table-pinned", "other-table", "other-table"]
    assert str(answers[0]) == "Table 1 is kept for Ana Ruiz, who plays at no other one."
    assert not cup.registrations.filter(seed=2).exclude(pinned_table=None).exists()


def test_who_needs_an_accessible_table_has_one_in_every_competition_of_the_league(world):
    cup = drafted(world, tables=TABLES)
    table("4", accessible=True)
    wish(cup, 2, by=world.owner, needs=True)
    assert plays_at(cup, 2) == "4"
    other = drafted(world, name="Other", format="round_robin", tables=TABLES, starts_at=None)
    assert {plays_at(other, 2, number) for number in range(1, 8)} == {"4"}


def test_a_need_that_cannot_be_met_is_told_until_the_tables_change(world):
    cup = drafted(world, tables=TABLES)
    wish(cup, 2, by=world.owner, needs=True)
    assert told(cup) == [(Wish.NEEDS, "Bo Chen", "3", "", "")]
    table("1", accessible=True)
    assert seat_anew(cup, user=world.owner) == 2
    assert (plays_at(cup, 2), told(cup)) == ("1", [])
    assert seat_anew(cup, user=world.owner) == 0


def test_what_somebody_has_begun_stays_at_its_table(world):
    cup = published(world, tables=TABLES)
    Match.objects.filter(slot=slot(cup, 1, 3)).update(state=Match.State.PLAYING)
    wish(cup, 1, by=world.owner, pinned="3")
    assert tables_of(cup) == ["1", "2", "3", "4"]
    assert told(cup) == [(Wish.PINNED, "Ana Ruiz", "1", "3", "")]


def test_a_published_round_says_what_changed(world):
    cup = published(world, tables=TABLES)
    wish(cup, 1, by=world.owner, pinned="3")
    changed = Slot.objects.filter(matchday__stage__competition=cup, changed_at__isnull=False)
    assert (changed.count(), slot(cup, 1, 1).matchday.version) == (2, 2)


def test_no_table_of_another_competition_is_taken_at_that_hour(world):
    cup = drafted(world, 4, tables=TABLES)
    others = found(world.league, Plan(name="Other", ruleset="udl", starts_at=NOON, tables=("3", "4")), user=world.owner)
    register(others, [enrol(league=world.league, name=f"Q{n}", since=NOON.date()) for n in range(4)])
    draw(others, user=world.owner)
    publish(others, user=world.owner)
    assert wish(cup, 1, by=world.owner, pinned="4") == 0
    assert told(cup) == [(Wish.PINNED, "Ana Ruiz", "1", "4", "")]


def test_a_match_that_is_put_on_the_stream_changes_tables_with_the_one_that_is_there(world):
    cup = published(world, tables=TABLES)
    table("2", stream=True)
    assert put_on_stream(slot(cup, 1, 4), user=world.owner, on=True)
    assert tables_of(cup) == ["1", "4", "3", "2"]
    assert not put_on_stream(slot(cup, 1, 4), user=world.owner, on=True)
    answer = refused(put_on_stream, slot(cup, 1, 1), user=world.owner, on=True)
    assert (answer.code, tables_of(cup)) == ("stream-taken", ["1", "4", "3", "2"])
    assert not slot(cup, 1, 1).for_stream
    assert put_on_stream(slot(cup, 1, 4), user=world.owner, on=False)
    assert tables_of(cup) == ["1", "4", "3", "2"]


def test_the_stream_takes_nobody_from_the_table_where_they_are_pinned(world):
    cup = drafted(world, tables=TABLES)
    table("2", stream=True)
    wish(cup, 1, by=world.owner, pinned="1")
    wish(cup, 4, by=world.owner, pinned="2")
    assert refused(put_on_stream, slot(cup, 1, 1), user=world.owner, on=True).code == "stream-taken"


def test_without_a_stream_table_and_once_it_has_begun_no_match_is_put_there(world):
    published(world, 5, tables=("1", "2", "3"))
    [bye] = Slot.objects.filter(matchday__number=1, match=None)[:1]
    playing = Slot.objects.filter(matchday__number=1).exclude(match=None).first()
    assert refused(put_on_stream, playing, user=world.owner, on=True).code == "no-stream"
    Match.objects.filter(pk=playing.match_id).update(state=Match.State.PLAYING)
    codes = [refused(put_on_stream, one, user=world.owner, on=True).code for one in (bye, playing)]
    assert codes == ["is-bye", "match-begun"]


def test_the_top_board_of_each_round_goes_to_the_stream(world):
    robin = drafted(world, 4, format="round_robin", tables=TABLES)
    table("4", stream=True)
    assert stream_top_boards(robin, user=world.owner, on=True)
    assert not stream_top_boards(robin, user=world.owner, on=True)
    draw(robin, user=world.owner)
    seeds = dict(robin.registrations.values_list("entrant", "seed"))
    at_four = [
        sorted(seeds[berth.entrant_id] for berth in one.berths.all())
        for one in Slot.objects.filter(table__name="4", for_stream=True).order_by("matchday__number")
    ]
    assert at_four == [[1, 4], [1, 2], [1, 3]]


def test_a_swiss_round_keeps_its_tables_when_it_is_paired_anew_or_exchanged(world):
    cup = drafted(world, 8, format="swiss", tables=TABLES)
    table("4", stream=True)
    stream_top_boards(cup, user=world.owner, on=True)
    wish(cup, 1, by=world.owner, pinned="2")
    draw(cup, user=world.owner)
    day = slot(cup, 1, 1).matchday
    assert plays_at(cup, 1) == "2"
    assert [(one.names.startswith("Ana"), one.wish) for one in unmet_wishes(cup)] == [(True, Wish.STREAM)]
    swap(day, entrant(cup, 5).pk, entrant(cup, 6).pk, user=world.owner)
    assert plays_at(cup, 1) == "2"
    pair_anew(slot(cup, 1, 1).matchday, user=world.owner)
    assert plays_at(cup, 1) == "2"


def test_an_organizer_may_still_move_a_match_by_hand_and_is_told_what_it_breaks(world):
    cup = drafted(world, 4, tables=TABLES)
    wish(cup, 1, by=world.owner, pinned="1")
    first = slot(cup, 1, 1)
    move(first, user=world.owner, table=table("4"), starts_at=first.starts_at)
    assert told(cup) == [(Wish.PINNED, "Ana Ruiz", "4", "1", "")]


def test_only_those_who_run_competitions_may_and_a_need_goes_with_the_name(world):
    cup = drafted(world, tables=TABLES)
    for act in (
        lambda user: wish(cup, 1, by=user, needs=True),
        lambda user: seat_anew(cup, user=user),
        lambda user: put_on_stream(slot(cup, 1, 1), user=user, on=True),
        lambda user: stream_top_boards(cup, user=user, on=True),
    ):
        for user in (world.referee, world.charlie, world.alice):
            with pytest.raises(NotAllowed):
                act(user)
    wish(cup, 1, by=world.owner, needs=True)
    erase(entrant(cup, 1).player)
    assert not entrant(cup, 1).needs_accessible

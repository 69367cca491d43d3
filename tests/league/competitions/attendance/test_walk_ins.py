"""Who comes late is registered before the draw is published, and fills a bye after it."""

from datetime import timedelta
from random import Random

import pytest
from django.utils import timezone

from league.competitions.attendance.late_entries import walk_in
from league.competitions.attendance.late_entry_undo import undo_late_entry
from league.competitions.attendance.late_places import offers
from league.competitions.attendance.withdrawals import undo_withdrawal, withdraw
from league.competitions.draw.advancing import advance
from league.competitions.draw.publishing import publish_matchday
from league.competitions.draw.rebuilding import differences
from league.competitions.draw.stages import draw_next
from league.competitions.integrity.draws import draw_differences
from league.competitions.models import Berth, Competition, Matchday, Slot
from league.errors import NotAllowed, Refused
from league.matches.models import Match, Result, Table
from league.players.models import Player
from tests.league.competitions.attendance.evening import seen
from tests.league.competitions.cup import drafted, enter_result, names, published, slot
from tests.league.competitions.draw.test_advancing import both_at_once
from tests.volume import seeds

ROUND_ROBIN = "round_robin"


def evening(world, count=5, **plan):
    return published(world, count, **({"format": ROUND_ROBIN, "tables": ["1", "2", "3"]} | plan))


def play(world, competition, number):
    """Every match of a round gets its official result."""
    for match in Match.objects.filter(slot__matchday__stage__competition=competition, slot__matchday__number=number):
        enter_result(world, match, 1)
        advance(match.pk)


def pairs(competition):
    return [names(competition, number) for number in range(1, 1 + Matchday.objects.count())]


def offered(competition):
    return [
        [(place.slot.matchday.number, str(place.opponent), place.running) for place in one.places]
        for one in offers(competition)
    ]


def refused(act, *arguments, **more):
    with pytest.raises(Refused) as caught:
        act(*arguments, **more)
    return caught.value.code


def test_before_the_draw_is_published_a_newcomer_is_registered_and_checked_in(world):
    cup = drafted(world, 4)
    done = walk_in(cup, "Zoe Late, Hillside", user=world.owner)
    assert (done.places, done.registration.seed, str(done.registration.entrant)) == ((), 5, "Zoe Late")
    assert done.registration.checked_in_by == world.owner
    assert not Slot.objects.exists(), "the draft is redrawn"
    assert offers(cup) == []


def test_in_a_round_robin_a_newcomer_takes_the_place_of_the_ghost_in_every_round(world):
    cup = evening(world, 5)
    with_six = evening(world, 6, name="Six")
    assert offered(cup) == [
        [(1, "Ana Ruiz", False), (2, "P4", False), (3, "Bo Chen", False), (4, "P5", False), (5, "P3", False)]
    ]
    done = walk_in(cup, "P6", user=world.owner)
    assert [place.slot.matchday.number for place in done.places] == [1, 2, 3, 4, 5]
    for number in range(1, 6):
        assert sorted(names(cup, number)) == sorted(names(with_six, number)), "as if drawn with six, sides and all"
    matches = Match.objects.filter(slot__matchday__stage__competition=cup)
    assert matches.count() == 15
    assert not matches.filter(published_at=None).exists()
    assert offers(cup) == []


def test_the_round_that_runs_is_played_only_if_wanted_and_a_round_that_is_over_stays(world):
    for now, played in ((True, [2, 3, 4, 5]), (False, [3, 4, 5])):
        cup = evening(world, 5, name=f"Now {now}")
        play(world, cup, 1)
        Match.objects.filter(pk=slot(cup, 2, 1).match_id).update(state=Match.State.PLAYING)
        [offer] = offers(cup)
        assert (offer.missed, str(offer.now.opponent)) == (1, "P4")
        done = walk_in(cup, f"Late {now}", user=world.owner, now=now)
        assert [place.slot.matchday.number for place in done.places] == played
        assert Berth.objects.filter(entrant=done.registration.entrant).count() == len(played)


@pytest.mark.parametrize("forfeited", [True, False])
def test_a_round_that_is_over_is_forfeited_where_the_organizer_says_so(at_once, forfeited):
    cup = evening(at_once, 5)
    play(at_once, cup, 1)
    before = seen(cup)
    [offer] = offers(cup)
    assert [(place.slot.matchday.number, str(place.opponent)) for place in offer.over] == [(1, "Ana Ruiz")]
    done = walk_in(cup, "P6", user=at_once.owner, forfeit_missed=forfeited)
    assert [place.slot.matchday.number for place in done.places] == [2, 3, 4, 5]
    assert len(done.over) == forfeited
    missed = Match.objects.filter(slot__matchday__number=1, sides__entrant=done.registration.entrant)
    assert [match.state for match in missed] == [Match.State.DECIDED] * forfeited
    ruled = Result.objects.filter(game__match__in=missed, current=True)
    assert [(one.ended, one.record.reason) for one in ruled] == [("forfeit", "Came after this round")] * forfeited
    assert [*differences(cup), *draw_differences(cup)] == []
    undo_late_entry(done.registration, user=at_once.owner)
    assert seen(cup) == before


def test_a_forfeit_of_the_own_match_waits_for_another_official(at_once):
    """Ana runs the evening, and had the bye of the first round."""
    cup = evening(at_once, 5)
    play(at_once, cup, 1)
    at_once.ana.player.user = at_once.owner
    at_once.ana.player.save()
    done = walk_in(cup, "P6", user=at_once.owner, forfeit_missed=True)
    missed = Match.objects.get(slot__matchday__number=1, sides__entrant=done.registration.entrant)
    assert missed.state == Match.State.SCHEDULED
    undo_late_entry(done.registration, user=at_once.owner)


def test_a_second_newcomer_finds_no_bye_before_play_begins(world):
    cup = evening(world, 5)
    walk_in(cup, "Late One", user=world.owner)
    assert offers(cup) == []
    assert refused(walk_in, cup, "Late Two", user=world.owner) == "no-bye"
    assert not Player.objects.filter(name="Late Two").exists(), "nothing is stored"


def test_a_newcomer_has_no_match_where_whoever_had_the_bye_has_left(world):
    cup = evening(world, 5)
    withdraw(cup, world.bo, user=world.owner, reason="goes home")
    done = walk_in(cup, "Late One", user=world.owner)
    assert [place.slot.matchday.number for place in done.places] == [1, 2, 4, 5]


def test_nobody_and_no_table_is_booked_twice(world):
    cup = evening(world, 5)
    walk_in(cup, "Late One", user=world.owner)
    for day in Matchday.objects.filter(stage__competition=cup):
        seats = list(day.slots.values_list("starts_at", "table__name"))
        assert len(set(seats)) == 3
        assert all(table for _at, table in seats)


def test_a_table_out_of_order_is_given_to_nobody(world):
    cup = evening(world, 5)
    Table.objects.filter(name="3").update(out_of_order=True)
    places = walk_in(cup, "Late One", user=world.owner).places
    assert {place.slot.table for place in places} == {None}
    Table.objects.filter(name="3").update(out_of_order=False)
    undo_late_entry(cup.registrations.get(entrant__player__name="Late One"), user=world.owner)
    places = walk_in(cup, "Late Two", user=world.owner).places
    assert {place.slot.table.name for place in places} == {"3"}


def test_who_plays_elsewhere_at_that_hour_waits_for_the_next_free_one(world):
    cup = evening(world, 5, tables=["1", "2"])
    walk_in(cup, "Late One", user=world.owner)
    first = Slot.objects.filter(matchday__stage__competition=cup, matchday__number=1)
    seats = {(one.starts_at, one.table_id) for one in first if one.table_id}
    without = [one for one in first if one.table_id is None]
    assert (len(seats), len(without)) == (2, 1), "two tables, both taken: the third match has none yet"


def test_a_changed_round_has_a_new_version_and_says_which_match_is_new(world):
    cup = evening(world, 5)
    assert set(Matchday.objects.values_list("version", flat=True)) == {1}
    walk_in(cup, "Late One", user=world.owner)
    assert set(Matchday.objects.values_list("version", flat=True)) == {2}
    changed = Slot.objects.filter(changed_at__isnull=False)
    assert {str(one.berths.get(entrant__player__name="Late One").entrant) for one in changed} == {"Late One"}
    assert changed.count() == 5


def test_round_by_round_the_hidden_rounds_take_the_newcomer_too(world):
    cup = evening(world, 5, release=Competition.Release.ROUND_BY_ROUND)
    walk_in(cup, "Late One", user=world.owner)
    matches = Match.objects.filter(slot__matchday__stage__competition=cup)
    assert (matches.count(), matches.filter(published_at__isnull=False).count()) == (15, 3)
    assert list(Matchday.objects.order_by("number").values_list("version", flat=True)) == [2, 1, 1, 1, 1]


# --- Knock-out ---


def test_in_a_knock_out_a_newcomer_meets_whom_the_next_seed_would_have_met(world):
    cup = published(world, 5)
    assert offered(cup) == [[(1, "P3", False)], [(1, "Bo Chen", False)], [(1, "Ana Ruiz", False)]]
    walk_in(cup, "P6", user=world.owner)
    assert names(cup, 1) == names(published(world, 6, name="Six"), 1)
    assert names(cup, 2) == [["Ana Ruiz", None], ["Bo Chen", None]]
    walk_in(cup, "P7", user=world.owner)
    walk_in(cup, "P8", user=world.owner)
    assert names(cup, 1) == [["Ana Ruiz", "P8"], ["P4", "P5"], ["Bo Chen", "P7"], ["P3", "P6"]]
    play(world, cup, 1)
    assert refused(walk_in, cup, "P9", user=world.owner) == "no-bye"
    for number in (2, 3):
        play(world, cup, number)
    assert cup.stages.get().finished_at is not None


def test_the_match_of_the_next_round_waits_for_the_winner_again(world):
    cup = published(world, 6)
    play(world, cup, 1)
    assert slot(cup, 2, 1).match is not None
    before = Match.objects.filter(slot__matchday__stage__competition=cup).count()
    ana = next(one for one in offers(cup) if str(one.first.opponent) == "Ana Ruiz")
    walk_in(cup, "Late One", user=world.owner, slot_id=ana.first.slot.pk)
    assert slot(cup, 2, 1).match is None
    assert names(cup, 2)[0] == [None, "P4"]
    assert (slot(cup, 2, 1).matchday.version, slot(cup, 2, 1).changed_at is None) == (2, False)
    assert Match.objects.filter(slot__matchday__stage__competition=cup).count() == before
    late = slot(cup, 1, 1).match
    enter_result(world, late, 2)
    advance(late.pk)
    assert names(cup, 2)[0] == ["Late One", "P4"]
    assert slot(cup, 2, 1).match is not None


@pytest.mark.parametrize("begun", ["played", "log"])
def test_a_bye_whose_next_match_has_begun_is_not_offered(world, begun):
    cup = published(world, 6)
    play(world, cup, 1)
    match = slot(cup, 2, 1).match
    if begun == "played":
        Match.objects.filter(pk=match.pk).update(state=Match.State.PLAYING)
    else:
        kept = world.submit(by=world.referee)
        type(kept).objects.filter(pk=kept.pk).update(game=match.games.get())
    assert offered(cup) == [[(1, "Bo Chen", False)]]
    assert refused(walk_in, cup, "Late", user=world.owner, slot_id=slot(cup, 1, 1).pk) == "bye-taken"
    walk_in(cup, "Late", user=world.owner)
    assert refused(walk_in, cup, "Later", user=world.owner) == "no-bye"


# --- Who, and at once ---


def test_somebody_who_takes_part_is_not_taken_in_twice(world):
    cup = evening(world, 5)
    assert refused(walk_in, cup, "Ana Ruiz", user=world.owner) == "already-registered"
    walk_in(cup, "Late One", user=world.owner)
    assert refused(walk_in, cup, "Late One", user=world.owner) == "already-registered"
    assert cup.registrations.count() == 6


@pytest.mark.parametrize("who", ["referee", "alice", "charlie"])
def test_only_whoever_manages_the_competition_changes_its_draw(world, who):
    cup = evening(world, 5)
    with pytest.raises(NotAllowed) as caught:
        walk_in(cup, "Late One", user=getattr(world, who))
    assert (caught.value.code, cup.registrations.count()) == ("no-permission", 5)


def test_two_desks_that_give_the_same_bye_away_at_once_seat_one_newcomer(shared_world):
    cup = published(shared_world, 7)
    place = offers(cup)[0].first.slot.pk
    errors = both_at_once(
        lambda name: walk_in(cup, name, user=shared_world.owner, slot_id=place), "Late One", "Late Two"
    )
    assert [one.code for one in errors] == ["bye-taken"]
    assert (cup.registrations.count(), Berth.objects.filter(slot=place).count()) == (8, 2)
    assert Player.objects.filter(name__startswith="Late").count() == 1


@pytest.mark.parametrize("count", [3, 5, 39])
def test_offers_take_the_same_statements_for_any_number_of_entrants(world, django_assert_num_queries, count):
    cup = evening(world, count)
    with django_assert_num_queries(11):
        assert len(offers(cup)[0].places) == count


def test_a_newcomer_of_a_running_round_plays_now(world):
    cup = evening(world, 5, starts_at=timezone.now() - timedelta(minutes=5))
    Match.objects.filter(pk=slot(cup, 1, 1).match_id).update(state=Match.State.PLAYING)
    done = walk_in(cup, "Late One", user=world.owner)
    seat = Slot.objects.get(pk=done.places[0].slot.pk)
    assert abs(seat.starts_at - timezone.now()) < timedelta(minutes=2)
    assert seat.table.name == "3", "the tables of the others are taken until those are over"


def test_where_every_table_is_taken_now_a_newcomer_plays_at_a_later_hour_of_the_running_round(world):
    start = timezone.now().replace(second=0, microsecond=0) - timedelta(minutes=5)
    cup = evening(world, 7, starts_at=start, tables=["1", "2"], minutes=30)
    Match.objects.filter(pk=slot(cup, 1, 1).match_id).update(state=Match.State.PLAYING)
    [place, *_] = walk_in(cup, "Late One", user=world.owner).places
    seat = Slot.objects.get(pk=place.slot.pk)
    assert (seat.starts_at, seat.table.name) == (start + timedelta(minutes=30), "2")


def test_the_newcomer_of_a_swiss_round_that_is_yet_to_begin_does_not_play_before_it(world):
    start = timezone.now().replace(second=0, microsecond=0) + timedelta(minutes=20)
    cup = published(world, 5, format="swiss", starts_at=start, tables=["1", "2", "3"])
    [place] = walk_in(cup, "Late One", user=world.owner).places
    seat = Slot.objects.get(pk=place.slot.pk)
    assert (seat.starts_at, seat.table.name, seat.reasons) == (start, "3", []), "nor is it told why there was a bye"


def test_a_swiss_that_was_published_keeps_its_number_of_rounds(world):
    """Eight players make three rounds, nine would make four: who came for three goes home after three."""
    cup = published(world, 8, format="swiss")
    stage = cup.stages.get()
    assert walk_in(cup, "Zoe Late", user=world.owner).rounds == 3
    assert walk_in(cup, "Zed Later", user=world.owner).rounds == 0, "said once"
    stage.refresh_from_db()
    assert stage.rounds == 3
    for number in (1, 2, 3):
        if number > 1:
            publish_matchday(draw_next(cup, user=world.owner), user=world.owner)
        play(world, cup, number)
    stage.refresh_from_db()
    assert stage.finished_at


def test_a_swiss_that_would_have_as_many_rounds_anyway_keeps_nothing(world):
    """The control: six players make three rounds, and seven as well."""
    cup = published(world, 6, format="swiss")
    assert walk_in(cup, "Zoe Late", user=world.owner).rounds == 0
    assert cup.stages.get().rounds == 0


def test_before_it_is_published_a_swiss_has_the_rounds_of_those_who_are_there(world):
    cup = drafted(world, 8, format="swiss")
    assert walk_in(cup, "Zoe Late", user=world.owner).rounds == 0
    assert cup.stages.get().rounds == 0


# --- Double elimination ---


def shape(competition):
    """Every slot with its berths as they were drawn, and where they come from."""
    slots = Slot.objects.filter(matchday__stage__competition=competition).select_related("matchday")
    return [
        (
            one.matchday.number,
            str(one.matchday),
            one.number,
            [
                (str(berth.entrant or ""), berth.from_slot and str(berth.from_slot), berth.takes)
                for berth in one.berths.order_by("number")
            ],
            one.match_id is not None,
        )
        for one in slots.order_by("matchday__number", "number")
    ]


@pytest.mark.parametrize("count", [3, 5, 6, 7, 9, 13])
def test_the_lowest_bye_of_a_double_elimination_gives_the_draw_of_one_more(world, count):
    cup = published(world, count, format="double_elimination", tables=["1", "2", "3"])
    drawn = published(world, count + 1, name="One more", format="double_elimination", tables=["1", "2", "3"])
    [done] = walk_in(cup, f"P{count + 1}", user=world.owner).places
    assert str(done.opponent) == str(opponent_of_the_last(drawn))
    assert shape(cup) == shape(drawn)
    assert [*differences(cup), *draw_differences(cup)] == []


def opponent_of_the_last(drawn):
    """The opponent of the last seed in the draw of one more."""
    last = drawn.registrations.order_by("-seed").first().entrant
    first = Slot.objects.get(matchday__stage__competition=drawn, matchday__number=1, berths__entrant=last)
    return first.berths.exclude(entrant=last).get().entrant


@pytest.mark.parametrize("seed", seeds(12))
def test_any_bye_of_a_running_double_elimination_becomes_matches_in_both_brackets(world, seed):
    """After some results; every bye that is offered keeps the draw whole, and the evening ends."""
    chance = Random(seed)
    cup = published(world, chance.choice([5, 6, 9, 10, 11]), format="double_elimination", tables=["1", "2", "3"])
    for _ in range(chance.randrange(6)):
        play_one(world, cup, chance)
    offered = offers(cup)
    if not offered:
        return
    place = chance.choice(offered).places[0]
    more = 2 * (cup.registrations.count() + 1) - 1
    walk_in(cup, "Zoe Late", user=world.owner, slot_id=place.slot.pk)
    assert [*differences(cup), *draw_differences(cup)] == []
    assert Slot.objects.filter(matchday__stage__competition=cup, berths__number=2).count() == more
    while play_one(world, cup, chance):
        assert differences(cup) == []
    assert cup.stages.get().finished_at is not None


def play_one(world, cup, chance) -> bool:
    matches = Match.objects.filter(slot__matchday__stage__competition=cup, state=Match.State.SCHEDULED)
    match = matches.order_by("slot__matchday__number", "slot__number").first()
    if match is not None:
        enter_result(world, match, chance.choice([1, 2]))
        advance(match.pk)
    return match is not None


def test_a_bye_whose_opponent_plays_already_is_not_offered_in_a_double_elimination(world):
    cup = published(world, 5, format="double_elimination")
    assert [str(one.first.opponent) for one in offers(cup)] == ["P3", "Bo Chen", "Ana Ruiz"]
    enter_result(world, slot(cup, 2, 2).match, 1)
    assert [str(one.first.opponent) for one in offers(cup)] == ["Ana Ruiz"]


# --- Groups ---


def in_groups(world, count, **plan):
    wanted = {"format": "groups", "groups": 2, "then": "single_elimination", "advance_each": 2, "release": "all"}
    return published(world, count, **(wanted | {"tables": ["1", "2", "3"]} | plan))


def members(competition):
    rows = Berth.objects.filter(slot__matchday__stage__competition=competition)
    found = {}
    for group, name in rows.values_list("slot__group", "entrant__player__name"):
        found.setdefault(group, set()).add(name)
    return found


def test_in_groups_a_newcomer_joins_the_smallest_group_with_byes(world):
    cup = in_groups(world, 7)
    small = min(members(cup), key=lambda group: len(members(cup)[group]))
    [offer] = offers(cup)
    assert (offer.group, [place.slot.matchday.number for place in offer.places]) == (small, [1, 2, 3])
    done = walk_in(cup, "Zoe Late", user=world.owner)
    with_eight = in_groups(world, 8, name="Eight")
    assert len(done.places) == 3
    assert [len(who) for who in members(cup).values()] == [4, 4]
    assert Match.objects.filter(slot__matchday__stage__competition=cup).count() == 12
    for number in range(1, 4):
        newest = {"Zoe Late": "P8"}
        own = [[newest.get(name, name) for name in pair] for pair in names(cup, number)]
        assert sorted(own) == sorted(names(with_eight, number)), "as if drawn with eight"
    assert [*differences(cup), *draw_differences(cup)] == []
    assert offers(cup) == [], "both groups are even, and it can be reopened"


def test_a_group_round_that_is_over_stays(world):
    cup = in_groups(world, 7)
    play(world, cup, 1)
    [offer] = offers(cup)
    assert (offer.missed, [place.slot.matchday.number for place in offer.places]) == (1, [2, 3])


@pytest.mark.parametrize("undone", [False, True])
def test_forfeits_of_whoever_has_left_begin_no_round(at_once, undone):
    """Every round has a forfeit of Ana, also one that was taken back; a newcomer plays from the next round on."""
    cup = evening(at_once, 5)
    done = withdraw(cup, at_once.ana, user=at_once.owner, reason="ill")
    if undone:
        undo_withdrawal(done, user=at_once.owner)
    [places] = offered(cup)
    assert [(number, running) for number, _name, running in places] == [
        (number, False) for number in range(1 if undone else 2, 6)
    ]
    Match.objects.filter(pk=slot(cup, 2, 1).match_id).update(state=Match.State.PLAYING)
    late = walk_in(cup, "Zoe Late", user=at_once.owner, now=False)
    played = [place.slot for place in late.places]
    assert [one.matchday.number for one in played] == ([1] if undone else []) + [3, 4, 5]
    assert all(one.table for one in played)

"""A late entry in a round robin without byes, once play has begun: a match against everybody is added."""

from collections import Counter
from datetime import datetime, timedelta
from random import Random
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from league.competitions.attendance.late_entries import walk_in
from league.competitions.attendance.late_entry_undo import undo_late_entry
from league.competitions.attendance.late_places import no_place, offers
from league.competitions.attendance.withdrawals import withdraw
from league.competitions.draw.advancing import advance
from league.competitions.draw.rebuilding import differences
from league.competitions.integrity.draws import draw_differences
from league.competitions.models import Berth, Competition, Matchday, Slot
from league.matches.models import Match
from tests.league.competitions.attendance.evening import seen
from tests.league.competitions.attendance.test_walk_ins import in_groups, play, play_one, refused
from tests.league.competitions.cup import enter_result, names, published, slot
from tests.league.competitions.season_world import TOP, published_season

ROUND_ROBIN, DOUBLE = "round_robin", "double_round_robin"


def begun(world, count=4, **plan):
    """A round robin whose first match has its result."""
    cup = published(world, count, **({"format": ROUND_ROBIN, "tables": ["1", "2", "3"]} | plan))
    match = slot(cup, 1, 1).match
    enter_result(world, match, 1)
    advance(match.pk)
    return cup


def late(world, cup, name="Zoe Late"):
    return walk_in(cup, name, user=world.owner).registration


def opponents(cup, name="Zoe Late"):
    """Rounds and opponents of somebody, with the side of the opponent."""
    rows = Berth.objects.filter(slot__berths__entrant__player__name=name, slot__matchday__stage__competition=cup)
    rows = rows.exclude(entrant__player__name=name).order_by("slot__matchday__number")
    return list(rows.values_list("slot__matchday__number", "entrant__player__name", "number"))


def whole(cup) -> bool:
    """Nobody is twice in a round, no table twice at an hour, and the draw has its layout."""
    berths = Berth.objects.filter(slot__matchday__stage__competition=cup)
    seats = Counter(berths.values_list("slot__matchday", "entrant"))
    slots = Slot.objects.filter(matchday__stage__competition=cup, table__isnull=False)
    tables = Counter(slots.values_list("table", "starts_at"))
    return [*differences(cup), *draw_differences(cup)] == [] and {*seats.values(), *tables.values()} == {1}


def test_before_play_begins_it_is_reopened_instead_and_the_refusal_says_so(world):
    cup = published(world, 4, format=ROUND_ROBIN)
    assert offers(cup) == []
    assert refused(walk_in, cup, "Zoe Late", user=world.owner) == "no-bye"
    assert "reopen it and draw it again" in str(no_place(cup))


def test_the_newcomer_meets_everybody_in_new_rounds_and_what_is_drawn_stays(world):
    cup = begun(world)
    before = [names(cup, number) for number in (1, 2, 3)]
    [offer] = offers(cup)
    assert offer.new_rounds == 4
    assert [str(place.opponent) for place in offer.places] == ["Ana Ruiz", "Bo Chen", "P3", "P4"]
    assert not Matchday.objects.filter(number=4).exists(), "an offer stores nothing"
    done = walk_in(cup, "Zoe Late", user=world.owner)
    assert [names(cup, number) for number in (1, 2, 3)] == before
    assert opponents(cup) == [(4, "Ana Ruiz", 1), (5, "Bo Chen", 2), (6, "P3", 1), (7, "P4", 2)]
    assert [str(place.slot.matchday) for place in done.places] == ["Round 4", "Round 5", "Round 6", "Round 7"]
    assert not Match.objects.filter(published_at=None).exists()
    assert whole(cup)


def test_the_next_newcomer_plays_beside_the_first_one(world):
    cup = begun(world)
    late(world, cup)
    [offer] = offers(cup)
    assert offer.new_rounds == 0
    late(world, cup, "Zed Later")
    found = opponents(cup, "Zed Later")
    assert sorted(name for _round, name, _side in found) == ["Ana Ruiz", "Bo Chen", "P3", "P4", "Zoe Late"]
    assert found[0] == (2, "Zoe Late", 1), "both are free then"
    assert whole(cup)


def test_in_a_double_round_robin_there_are_two_matches_against_everybody_with_both_sides(world):
    cup = begun(world, format=DOUBLE)
    late(world, cup)
    found = opponents(cup)
    assert Counter(name for _round, name, _side in found) == dict.fromkeys(("Ana Ruiz", "Bo Chen", "P3", "P4"), 2)
    assert len({(name, side) for _round, name, side in found}) == 8
    assert whole(cup)


def test_who_has_left_is_no_opponent(world):
    cup = begun(world)
    withdraw(cup, world.bo, user=world.owner, reason="ill")
    late(world, cup)
    assert [name for _round, name, _side in opponents(cup)] == ["Ana Ruiz", "P3", "P4"]


def test_the_second_newcomer_of_an_odd_round_robin_gets_added_matches(world):
    """The first one has taken the byes."""
    cup = begun(world, 5)
    late(world, cup)
    late(world, cup, "Zed Later")
    assert len(opponents(cup, "Zed Later")) == 6
    assert whole(cup)


@pytest.mark.parametrize("kind", [ROUND_ROBIN, DOUBLE])
def test_it_is_undone_and_ends_without_the_newcomer(world, kind):
    cup = begun(world, format=kind)
    before = seen(cup)
    row = late(world, cup)
    undo_late_entry(row, user=world.owner)
    assert seen(cup) == before
    row = late(world, cup)
    chance = Random(1)
    while play_one(world, cup, chance):
        pass
    assert cup.stages.get().finished_at is not None
    assert offers(cup) == [], "it is over"
    assert refused(undo_late_entry, row, user=world.owner) == "entry-begun"
    assert whole(cup)


def test_the_hours_follow_the_last_round_on_free_tables(world):
    start = timezone.now().replace(second=0, microsecond=0) + timedelta(hours=1)
    cup = begun(world, starts_at=start, minutes=30, tables=["1", "2"])
    late(world, cup)
    rows = Slot.objects.filter(matchday__number__gt=3).order_by("matchday__number")
    assert [one.starts_at for one in rows] == [start + timedelta(minutes=30 * at) for at in (3, 4, 5, 6)]
    assert {one.table.name for one in rows} == {"1"}


def test_a_draw_over_several_days_goes_on_with_its_pause(world):
    start = timezone.now().replace(second=0, microsecond=0) + timedelta(hours=1)
    cup = begun(world, starts_at=start, days_between=7)
    late(world, cup)
    rows = Slot.objects.filter(matchday__number__gt=3).order_by("matchday__number")
    assert [(one.starts_at - start).days for one in rows] == [21, 28, 35, 42]


def test_round_by_round_the_new_rounds_wait_for_their_publication(world):
    cup = begun(world, release=Competition.Release.ROUND_BY_ROUND)
    late(world, cup)
    assert not Match.objects.filter(slot__matchday__number__gt=3, published_at__isnull=False).exists()


def test_even_groups_take_a_newcomer_into_the_smallest_one(world):
    cup = in_groups(world, 8)
    play(world, cup, 1)
    [offer] = offers(cup)
    assert (len(offer.places), offer.new_rounds) == (4, 4)
    late(world, cup)
    groups = set(Slot.objects.filter(berths__entrant__player__name="Zoe Late").values_list("group", flat=True))
    assert groups == {offer.group}
    assert whole(cup)
    [second] = offers(cup)
    assert (second.group != offer.group, second.new_rounds) == (True, 0), "the other group is the smallest now"
    late(world, cup, "Zed Later")
    assert whole(cup)


def test_newcomers_in_a_bye_and_in_added_matches_of_another_group_pass_the_check(world):
    """Nine in two groups: the first newcomer fills the group of five, the others get matches in the group of four."""
    cup = in_groups(world, 9)
    play_one(world, cup, Random(1))
    added = []
    for name in ("Zoe Late", "Zed Late", "Zac Late"):
        added.append(offers(cup)[0].has_added)
        late(world, cup, name)
    assert added == [False, True, True]
    assert whole(cup)


def test_a_match_that_is_missing_or_twice_is_found_by_the_check(world):
    cup = begun(world)
    late(world, cup)
    Slot.objects.filter(matchday__number=4).update(third_place=True)
    assert draw_differences(cup)
    Slot.objects.filter(matchday__number=4).update(third_place=False)
    Slot.objects.get(matchday__number=2, number=1).delete()
    assert draw_differences(cup)


def test_added_rounds_of_a_division_keep_day_and_hour_over_the_change_of_the_clocks(world):
    """Saturdays at seven in Madrid; on 29 March 2026 the clocks go forward."""
    madrid = ZoneInfo("Europe/Madrid")
    world.league.time_zone = "Europe/Madrid"
    world.league.save()
    dates = [datetime(2026, 3, 21, 19, tzinfo=madrid) + timedelta(days=7 * at) for at in range(3)]
    season = published_season(world, dates=dates, starts_on=dates[0].date(), names=(TOP,), places=((0, 0, 0),))
    division = season.divisions.get().competition
    match = slot(division, 1, 1).match
    enter_result(world, match, 1)
    advance(match.pk)
    late(world, division)
    days = Matchday.objects.filter(stage__competition=division, number__gt=3)
    added = Slot.objects.filter(matchday__in=days).order_by("starts_at").values_list("starts_at", flat=True)
    assert [one.astimezone(madrid).strftime("%a %d.%m. %H:%M") for one in added] == [
        f"Sat {day} 19:00" for day in ("11.04.", "18.04.", "25.04.", "02.05.")
    ]

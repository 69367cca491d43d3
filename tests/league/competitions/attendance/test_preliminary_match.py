"""A full knock-out takes a late entry by a preliminary match: the draw is that of one entrant more."""

from datetime import timedelta
from random import Random

import pytest
from django.utils import timezone

from league.competitions.attendance.late_entries import walk_in
from league.competitions.attendance.late_entry_undo import undo_late_entry
from league.competitions.attendance.late_places import offers
from league.competitions.draw.advancing import advance
from league.competitions.draw.publishing import publish
from league.competitions.draw.rebuilding import differences
from league.competitions.draw.stages import draw
from league.competitions.integrity.draws import draw_differences
from league.competitions.models import Competition, Slot
from league.competitions.queries.competition import competition_page
from league.competitions.queries.final_places import final_ranking
from league.matches.models import Match
from tests.league.competitions.attendance.evening import seen
from tests.league.competitions.attendance.test_walk_ins import play_one, refused, shape
from tests.league.competitions.cup import enter_result, published, slot
from tests.league.competitions.pair_world import pairs_of
from tests.volume import seeds

SINGLE, DOUBLE = "single_elimination", "double_elimination"


@pytest.mark.parametrize(
    ("kind", "count"), [*((SINGLE, count) for count in (2, 4, 8, 16)), *((DOUBLE, count) for count in (4, 8, 16, 32))]
)
def test_the_draw_is_that_of_one_more_and_other_matches_keep_their_codes(world, kind, count):
    cup = published(world, count, format=kind, tables=["1", "2", "3"])
    drawn = published(world, count + 1, format=kind, name="One more", tables=["1", "2", "3"])
    doors = dict(Match.objects.filter(slot__matchday__stage__competition=cup).values_list("pk", "door"))
    [offer] = offers(cup)
    assert str(offer.first.opponent) == ("Bo Chen" if count == 2 else f"P{count}")
    done = walk_in(cup, f"P{count + 1}", user=world.owner)
    assert shape(cup) == shape(drawn)
    assert [*differences(cup), *draw_differences(cup)] == []
    now = dict(Match.objects.filter(slot__matchday__stage__competition=cup).values_list("pk", "door"))
    assert len(now.items() & doors.items()) == count // 2 - 1
    assert done.places[0].slot == slot(cup, 1, done.places[0].slot.number)
    undo_late_entry(done.registration, user=world.owner)
    assert shape(cup) == shape(published(world, count, format=kind, name="Same", tables=["1", "2", "3"]))


def test_it_has_the_table_and_the_hour_of_the_match_that_waits_and_that_one_is_later(world):
    start = timezone.now().replace(second=0, microsecond=0) + timedelta(hours=1)
    cup = published(world, 8, tables=["1", "2", "3", "4"], starts_at=start, minutes=30)
    place = offers(cup)[0].first.slot
    walk_in(cup, "P9", user=world.owner)
    first = Slot.objects.get(berths__entrant__player__name="P9")
    assert (first.table, first.starts_at) == (place.table, start)
    later = list(
        Slot.objects.filter(matchday__stage__competition=cup).exclude(pk=first.pk).order_by("matchday__number")
    )
    waits = Slot.objects.get(berths__from_slot=first)
    hours = [waits.starts_at]
    while after := Slot.objects.filter(berths__from_slot=waits).first():
        hours.append(after.starts_at)
        waits = after
    assert hours == [start + timedelta(minutes=30 * at) for at in (1, 2, 3)]
    assert len({(one.table_id, one.starts_at) for one in later if one.table_id}) == 7


def test_the_loser_stands_last(world):
    cup = published(world, 4)
    walk_in(cup, "P5", user=world.owner)
    match = slot(cup, 1, 2).match
    enter_result(world, match, 2 if str(match.sides.get(number=1).entrant) == "P5" else 1)
    advance(match.pk)
    chance = Random(3)
    while play_one(world, cup, chance):
        assert differences(cup) == []
    found = final_ranking(competition_page(world.owner, "harbour", cup.slug))
    assert [(found[-1].first, found[-1].last, found[-1].entrant.name.split()[0])] == [(5, 5, "P5")]
    assert len(found) == 5


def test_the_next_latecomer_takes_one_of_the_new_byes(world):
    cup = published(world, 4)
    before = seen(cup)
    first = walk_in(cup, "P5", user=world.owner).registration
    assert [str(one.first.opponent) for one in offers(cup)] == ["P3", "Bo Chen", "Ana Ruiz"]
    second = walk_in(cup, "P6", user=world.owner).registration
    assert draw_differences(cup) == []
    undo_late_entry(second, user=world.owner)
    undo_late_entry(first, user=world.owner)
    assert seen(cup) == before


def test_once_a_match_has_begun_every_place_is_taken(world):
    cup = published(world, 4)
    Match.objects.filter(pk=slot(cup, 1, 2).match_id).update(state=Match.State.PLAYING)
    assert offers(cup) == []
    assert refused(walk_in, cup, "P5", user=world.owner) == "no-bye"


@pytest.mark.parametrize("seed", seeds(8))
def test_the_loser_of_a_double_elimination_plays_on_in_the_losers_bracket(world, seed):
    chance = Random(seed)
    cup = published(world, chance.choice([4, 8]), format=DOUBLE, tables=["1", "2", "3"], starts_at=timezone.now())
    place = walk_in(cup, "Zoe Late", user=world.owner).places[0]
    match = Slot.objects.get(pk=place.slot.pk).match
    loser = match.sides.get(number=1).entrant
    enter_result(world, match, 2)
    advance(match.pk)
    again = Slot.objects.get(matchday__section="losers", berths__entrant=loser)
    hours = list(Slot.objects.filter(leads_to__slot=again).values_list("starts_at", flat=True))
    assert all(hour + timedelta(minutes=cup.minutes) <= again.starts_at for hour in hours)
    while play_one(world, cup, chance):
        assert differences(cup) == []
    assert cup.stages.get().finished_at is not None
    count = cup.registrations.count()
    played = Match.objects.filter(slot__matchday__stage__competition=cup).count()
    assert played in {2 * count - 2, 2 * count - 1}
    found = final_ranking(competition_page(world.owner, "harbour", cup.slug))
    assert len(found) == count


def test_partners_in_a_double_elimination_alternate_too(world):
    cup = pairs_of(world, format=DOUBLE)
    draw(cup, user=world.owner)
    publish(cup, user=world.owner)
    cup = Competition.objects.get(pk=cup.pk)
    before = seen(cup)
    row = walk_in(cup, "Zoe Late / Zed Later", user=world.owner).registration
    assert draw_differences(cup) == []
    undo_late_entry(row, user=world.owner)
    assert seen(cup) == before


def test_partners_of_pairs_alternate_as_in_the_draw_of_one_more(world):
    cup = pairs_of(world, format="single_elimination")
    draw(cup, user=world.owner)
    publish(cup, user=world.owner)
    cup = Competition.objects.get(pk=cup.pk)
    before = seen(cup)
    row = walk_in(cup, "Zoe Late / Zed Later", user=world.owner).registration
    assert draw_differences(cup) == []
    undo_late_entry(row, user=world.owner)
    assert seen(cup) == before
    assert draw_differences(cup) == []

"""No-shows: the countdown, the forfeit of one match, and a match to which nobody came."""

from datetime import timedelta

import pytest
from django.utils import timezone

from league.competitions.attendance.no_shows import forfeit_absent, nobody_came, wait_for
from league.competitions.draw.rebuilding import differences
from league.competitions.integrity.draws import draw_differences
from league.competitions.models import Berth
from league.competitions.queries.open_matches import nobody_won
from league.errors import NotAllowed
from league.matches.models import KnownBy, Match
from tests.league.competitions import at_tables
from tests.league.competitions.attendance.test_withdrawals import ROUND_ROBIN, decided, refused, results
from tests.league.competitions.cup import names, published, slot


def test_who_is_not_there_is_waited_for_and_then_forfeits(at_once):
    cup = published(at_once, 4)
    here = slot(cup, 1, 1)
    absent = here.berths.get(number=2).entrant
    assert refused(forfeit_absent, here, absent, user=at_once.referee) == "not-awaited"
    assert wait_for(here, absent, user=at_once.referee)
    assert not wait_for(here, absent, user=at_once.referee)
    assert refused(forfeit_absent, here, absent, user=at_once.referee) == "still-waiting"
    Berth.objects.filter(slot=here, entrant=absent).update(awaited_since=timezone.now() - timedelta(minutes=15))
    forfeit_absent(here, absent, user=at_once.referee)
    assert results(cup) == [
        ("150–0", 1, "forfeit", KnownBy.RULED, "official", "Not at the table after 15 minutes"),
    ]
    assert refused(forfeit_absent, here, absent, user=at_once.referee) == "begun-already"


def awaited(here, *entrants, minutes=15):
    """Start the countdown so many minutes ago."""
    berths = Berth.objects.filter(slot=here, entrant__in=entrants)
    berths.update(awaited_since=timezone.now() - timedelta(minutes=minutes))


def test_if_nobody_came_nobody_wins_and_both_have_lost(at_once):
    cup = published(at_once, 4, format=ROUND_ROBIN)
    here = slot(cup, 1, 1)
    both = [one.entrant for one in here.berths.order_by("number")]
    assert refused(nobody_came, here, user=at_once.referee) == "not-awaited"
    awaited(here, both[0])
    assert refused(nobody_came, here, user=at_once.referee) == "not-awaited"
    awaited(here, both[1], minutes=14)
    assert refused(nobody_came, here, user=at_once.referee) == "still-waiting"
    awaited(here, both[1])
    with pytest.raises(NotAllowed):
        nobody_came(here, user=at_once.charlie)
    assert len(nobody_came(here, user=at_once.referee)) == 1
    assert results(cup) == [
        ("0–0", None, "forfeit", KnownBy.RULED, "official", "Not at the table after 15 minutes"),
    ]
    assert decided(cup) == 1
    assert refused(nobody_came, here, user=at_once.referee) == "begun-already"


def test_if_nobody_came_to_a_match_of_three_games_it_is_over_with_all_three(at_once):
    cup = published(at_once, 4, format=ROUND_ROBIN, best_of=3)
    here = slot(cup, 1, 1)
    awaited(here, *(one.entrant for one in here.berths.all()))
    assert len(nobody_came(here, user=at_once.referee)) == 3
    assert decided(cup) == 1


def test_if_nobody_came_in_a_knock_out_an_official_decides_who_advances(at_once, django_capture_on_commit_callbacks):
    cup = published(at_once, 4)
    here = slot(cup, 1, 1)
    awaited(here, *(one.entrant for one in here.berths.all()))
    with django_capture_on_commit_callbacks(execute=True):
        nobody_came(here, user=at_once.referee)
    assert names(cup, 2) == [[None, None]]
    waits = nobody_won(cup, cup.stages.all(), timezone.now())
    assert [one.match_id for one in waits.first] == [here.match_id]


def test_a_table_of_four_to_which_nobody_came_is_not_played(at_once):
    evening = at_tables.published(at_once, 8)
    here, other = at_tables.slots(evening, 1)
    awaited(here, *(one.entrant for one in here.berths.all()))
    assert nobody_came(here, user=at_once.referee) == []
    here.refresh_from_db()
    assert here.not_needed
    assert not here.berths.filter(absent_since=None).exists()
    at_tables.play(at_once, other, (150, 100, 50, 0), official=False)
    assert differences(evening) == draw_differences(evening) == []


def test_the_countdown_stops_when_they_come_and_is_as_long_as_the_competition_says(world):
    cup = published(world, 4)
    type(cup).objects.filter(pk=cup.pk).update(forfeit_after_min=5)
    here = slot(cup, 1, 1)
    wait_for(here, world.ana, user=world.owner)
    assert wait_for(here, world.ana, user=world.owner, waiting=False)
    assert refused(forfeit_absent, here, world.ana, user=world.owner) == "not-awaited"
    wait_for(here, world.ana, user=world.owner)
    Berth.objects.filter(slot=here, entrant=world.ana).update(awaited_since=timezone.now() - timedelta(minutes=5))
    assert len(forfeit_absent(here, world.ana, user=world.owner)) == 1


def test_players_of_the_match_start_no_countdown_and_a_begun_match_has_none(world):
    cup = published(world, 4)
    here = slot(cup, 1, 1)
    for stranger in (world.alice, world.charlie):
        with pytest.raises(NotAllowed):
            wait_for(here, world.ana, user=stranger)
    assert refused(wait_for, here, world.bo, user=world.owner) == "not-in-match"
    Match.objects.filter(pk=here.match_id).update(state=Match.State.PLAYING)
    assert refused(wait_for, here, world.ana, user=world.owner) == "begun-already"

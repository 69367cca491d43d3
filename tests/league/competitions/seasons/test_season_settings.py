"""What of a season is changed once it is there: name and days at any time, places until somebody has begun."""

from datetime import date, timedelta

import pytest

from league.competitions.formats.promotion import DivisionRules
from league.competitions.models import Competition, Season
from league.competitions.seasons.services import close_season
from league.competitions.seasons.settings import SeasonSettings, change_settings, set_places
from league.errors import NotAllowed, Refused
from tests.league.competitions.season_world import FIRST, founded, play_out, play_season, published_season, slots

pytestmark = pytest.mark.django_db
DAY = FIRST.date()


def wanted(**changes) -> SeasonSettings:
    return SeasonSettings(**{"name": "Winter 2027", "starts_on": DAY, "ends_on": None} | changes)


def refused(act) -> str:
    with pytest.raises(Refused) as caught:
        act()
    return caught.value.code


def test_a_published_season_is_called_otherwise_and_its_divisions_with_it(world):
    season = published_season(world)
    Competition.objects.filter(division__level=2).update(name="The Second")
    before = list(Competition.objects.order_by("pk").values_list("slug", flat=True))
    change_settings(season, wanted(name=" Spring  2027 ", ends_on=date(2027, 6, 1)), user=world.owner)
    season.refresh_from_db()
    assert (season.name, season.slug, season.ends_on) == ("Spring 2027", "winter-2027", date(2027, 6, 1))
    names = season.divisions.values_list("competition__name", flat=True)
    assert list(names) == ["Spring 2027: Division 1", "The Second", "Spring 2027: Division 3"]
    assert list(Competition.objects.order_by("pk").values_list("slug", flat=True)) == before


def test_what_would_break_something_is_refused(world):
    season = published_season(world)
    other = founded(world, name="Other", names=[["A A", "B B"]], places=[(0, 0, 0)])

    def change(**changes):
        return refused(lambda: change_settings(season, wanted(**changes), user=world.owner))

    assert change(name="other") == "name-taken"
    assert change(name=" ") == "bad-name"
    assert change(ends_on=DAY - timedelta(days=1)) == "bad-season"
    Season.objects.filter(pk=season.pk).update(follows=other)
    assert change(starts_on=DAY) == "bad-season"
    for user in (world.alice, world.referee, world.charlie):
        with pytest.raises(NotAllowed):
            change_settings(season, wanted(), user=user)
    assert Season.objects.get(pk=season.pk).name == "Winter 2027"


def test_the_same_again_changes_nothing(world):
    season = published_season(world)
    before = Season.objects.filter(pk=season.pk).values().get()
    change_settings(season, wanted(), user=world.owner)
    assert Season.objects.filter(pk=season.pk).values().get() == before


def test_places_are_changed_until_somebody_has_begun_to_play_for_them(world):
    season = published_season(world)
    set_places(season, {1: DivisionRules(relegate=2), 2: DivisionRules(promote=2)}, user=world.owner)
    assert list(season.divisions.values_list("promote", "relegate")) == [(0, 2), (2, 0), (1, 0)]
    play_out(world, season.divisions.get(level=3).competition)
    assert slots(season.divisions.get(level=1).competition).count() == 6
    assert refused(lambda: set_places(season, {}, user=world.owner)) == "season-begun"


def test_a_closed_season_stays_as_it_is(world):
    season = published_season(world)
    play_season(world, season)
    close_season(season, user=world.owner)
    assert refused(lambda: change_settings(season, wanted(name="Late"), user=world.owner)) == "season-closed"
    assert refused(lambda: set_places(season, {}, user=world.owner)) == "season-closed"

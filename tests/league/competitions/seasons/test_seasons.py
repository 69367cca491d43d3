"""A season is founded from one plan, drawn and published as a whole, and changed while it is a draft."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from league.competitions.draw.plans import replan
from league.competitions.draw.stages import draw
from league.competitions.draw.undo import discard
from league.competitions.formats.promotion import DivisionRules
from league.competitions.jobs import set_dates
from league.competitions.models import Competition, Season, Slot, Stage
from league.competitions.registration.entries import register
from league.competitions.seasons.plans import DateRule, DivisionPlan, found_season, plan_like
from league.competitions.seasons.services import close_season, draw_season, publish_season, transfer
from league.competitions.seasons.settings import set_places
from league.errors import NotAllowed, Refused
from league.matches.models import Match
from league.players.services import enrol
from tests.league.competitions.season_world import (
    FIRST,
    LAST,
    MIDDLE,
    TOP,
    entrant,
    founded,
    play_season,
    published_season,
    season_plan,
    who,
)

pytestmark = pytest.mark.django_db


def refused(act) -> tuple[str, str]:
    with pytest.raises(Refused) as caught:
        act()
    return caught.value.code, str(caught.value)


def test_a_season_is_founded_with_its_divisions_and_whoever_plays_in_them(world):
    season = founded(world)
    assert [(one.level, one.name, str(one.competition), who(one)) for one in season.divisions.all()] == [
        (1, "Division 1", "Winter 2027: Division 1", TOP),
        (2, "Division 2", "Winter 2027: Division 2", MIDDLE),
        (3, "Division 3", "Winter 2027: Division 3", LAST),
    ]
    assert [(one.promote, one.relegate, one.play_off) for one in season.divisions.all()] == [
        (0, 1, 0), (1, 1, 0), (1, 0, 0),
    ]  # fmt: skip
    assert (season.slug, season.published_at, season.closed_at, season.follows) == ("winter-2027", None, None, None)
    assert [one.starts_at for one in season.dates.all()] == [FIRST + timedelta(days=7 * n) for n in range(3)]
    assert set(Competition.objects.values_list("starts_at", "published_at")) == {(FIRST, None)}


def test_a_division_has_what_is_its_own_and_the_rest_from_the_season(world):
    plan = season_plan()
    own = {"format": Stage.Format.SWISS, "rounds": 2, "best_of": 3}
    plan = replace(plan, divisions=[plan.divisions[0], plan.divisions[1], replace(plan.divisions[2], own=own)])
    season = found_season(world.league, plan, user=world.owner)
    shapes = season.divisions.values_list(
        "competition__stages__format", "competition__stages__rounds", "competition__best_of"
    )
    assert list(shapes) == [("round_robin", 0, 1), ("round_robin", 0, 1), ("swiss", 2, 3)]


def test_a_season_is_drawn_on_its_dates_and_published_as_a_whole(world):
    season = founded(world)
    assert draw_season(season, user=world.owner) == 3
    hours = Slot.objects.order_by("matchday__number").values_list("matchday__number", "starts_at").distinct()
    assert list(hours) == [(n, FIRST + timedelta(days=7 * (n - 1))) for n in (1, 2, 3)]
    assert publish_season(season, user=world.owner)
    assert not publish_season(season, user=world.owner)
    assert not Competition.objects.filter(published_at=None).exists()
    assert Match.objects.filter(slot__isnull=False, published_at__isnull=False).count() == 18


def test_a_plan_that_is_wrong_stores_nothing_and_says_what_and_where(world):
    good = season_plan()

    def with_(place, **changes):
        divisions = list(good.divisions)
        divisions[place] = replace(divisions[place], **changes)
        return replace(good, divisions=divisions)

    def found(plan):
        return refused(lambda: found_season(world.league, plan, user=world.owner))

    assert found(replace(good, name=" ")) == ("bad-name", "A name has 1 to 120 characters.")
    assert found(replace(good, divisions=[])) == ("bad-season", "A season has 1 to 64 divisions.")
    assert found(with_(1, name="division  1"))[0] == "bad-season"
    assert found(with_(0, promote=1)) == ("bad-places", "Nobody goes up from Division 1: it is the top.")
    assert found(with_(0, play_off=1))[0] == "bad-places"
    assert found(with_(2, relegate=1)) == ("bad-places", "Nobody goes down from Division 3: it is the last one.")
    assert found(with_(1, own={"format": Stage.Format.SINGLE_ELIMINATION}))[0] == "bad-plan"
    assert found(with_(1, own={"best_of": 2}))[0] == "bad-plan"
    assert found(replace(good, ends_on=FIRST.date() - timedelta(days=1)))[0] == "bad-season"
    assert found(replace(good, play_off_best_of=2))[0] == "bad-season"
    assert found(with_(2, names="Leo Mar\nAna Ruiz")) == (
        "in-two-divisions",
        "Ana Ruiz is named in Division 1 and in Division 3. Everybody plays in one division.",
    )
    assert found(replace(good, dates=[FIRST, FIRST])) == (
        "bad-dates",
        "Round 2 (5 January 2027, 19:00) is not after the one before it.",
    )
    assert found(replace(good, dates=[FIRST])) == (
        "too-few-dates",
        "Division 1 has 3 rounds, and there are dates for 1.",
    )
    assert (Season.objects.count(), Competition.objects.count()) == (0, 0)


def test_what_is_wrong_with_one_division_says_which(world):
    plan = season_plan()
    divisions = [*plan.divisions[:2], replace(plan.divisions[2], names="Ida Jay\nIda Jay")]
    with pytest.raises(Refused) as caught:
        found_season(world.league, replace(plan, divisions=divisions), user=world.owner)
    assert (caught.value.code, caught.value.facts["division_place"]) == ("paste-unclear", 2)
    assert not Season.objects.exists()


def test_a_form_that_is_sent_twice_founds_one_season(world):
    founded(world)
    assert refused(lambda: founded(world))[0] == "name-taken"
    assert (Season.objects.count(), Competition.objects.count()) == (1, 3)


def test_seasons_are_for_those_who_manage_competitions(world):
    season = founded(world)
    for act in (
        lambda user: found_season(world.league, season_plan(name="Other"), user=user),
        lambda user: draw_season(season, user=user),
        lambda user: publish_season(season, user=user),
        lambda user: set_dates(season, [], user=user),
        lambda user: set_places(season, {}, user=user),
        lambda user: transfer(season, world.ana, season.divisions.get(level=2), user=user),
        lambda user: close_season(season, user=user),
    ):
        for user in (world.alice, world.referee, world.charlie):
            with pytest.raises(NotAllowed):
                act(user)
    assert Season.objects.get().published_at is None


def test_a_player_changes_the_division_of_a_draft_and_both_are_drawn_anew_later(world):
    season = founded(world)
    draw_season(season, user=world.owner)
    transfer(season, entrant(world, "Di Eze"), season.divisions.get(level=2), user=world.owner)
    assert [who(one) for one in season.divisions.all()] == [TOP[:3], [*MIDDLE, "Di Eze"], LAST]
    drawn = season.divisions.filter(competition__stages__matchdays__isnull=False).distinct()
    assert [one.level for one in drawn] == [3]
    # Five have five rounds.
    assert refused(lambda: draw_season(season, user=world.owner))[0] == "too-few-dates"
    assert set_dates(season, DateRule(first=FIRST, every=7), user=world.owner) == 5
    assert draw_season(season, user=world.owner) == 3


def test_a_transfer_that_is_none_is_refused(world):
    season, stranger = founded(world), entrant(world, "Ana Ruiz")
    top, second = season.divisions.filter(level__in=[1, 2])
    assert refused(lambda: transfer(season, stranger, top, user=world.owner))[0] == "same-division"
    season2 = founded(world, name="Other", names=(["Zed One", "Zed Two"], MIDDLE, LAST))
    assert refused(lambda: transfer(season2, stranger, season2.divisions.get(level=2), user=world.owner))[0] == (
        "not-in-season"
    )
    assert refused(lambda: transfer(season, stranger, season2.divisions.get(level=1), user=world.owner))[0] == (
        "other-season"
    )
    publish = published_season(world, name="Third", names=(["Yan One", "Yan Two"], MIDDLE, LAST), dates=())
    code = refused(lambda: transfer(publish, stranger, second, user=world.owner))[0]
    assert code == "already-published"


def test_the_places_of_a_draft_are_changed_and_never_more_than_there_are_players(world):
    season = founded(world)
    set_places(season, {1: DivisionRules(relegate=2), 2: DivisionRules(promote=2, play_off_up=1)}, user=world.owner)
    places = season.divisions.values_list("promote", "relegate", "play_off")
    assert list(places) == [(0, 2, 0), (2, 0, 1), (1, 0, 0)]
    assert refused(lambda: set_places(season, {1: DivisionRules(relegate=4)}, user=world.owner)) == (
        "bad-places",
        "5 places of Division 1 lead up or down, and 4 play there.",
    )
    assert refused(lambda: set_places(season, {1: DivisionRules(promote=1)}, user=world.owner))[0] == "bad-places"
    assert refused(lambda: set_places(season, {3: DivisionRules(relegate=1)}, user=world.owner))[0] == "bad-places"
    assert refused(lambda: set_places(season, {2: DivisionRules(promote=65)}, user=world.owner))[0] == "bad-places"


def test_a_season_with_too_many_places_is_not_drawn(world):
    season = founded(world, places=((0, 3, 0), (1, 1, 2), (1, 0, 0)))
    assert refused(lambda: draw_season(season, user=world.owner))[0] == "bad-places"


def test_a_division_that_cannot_be_drawn_is_named_and_nothing_is_drawn(world):
    season = founded(world, names=(TOP, MIDDLE, ["Ida Jay"]), places=((0, 1, 0), (1, 0, 0), (0, 0, 0)))
    assert refused(lambda: draw_season(season, user=world.owner)) == (
        "too-few",
        "Division 3: This draw takes 2 entrants or more, and there are 1.",
    )
    assert not Slot.objects.exists()
    assert refused(lambda: publish_season(season, user=world.owner))[0] == "not-drawn"
    assert not Competition.objects.exclude(published_at=None).exists()


def test_dates_skip_holidays_and_keep_the_hour_when_the_clocks_change(world):
    world.league.time_zone = "Europe/Lisbon"
    world.league.save()
    first = datetime(2027, 3, 16, 19, tzinfo=UTC)  # summer time begins on 28 March
    season = founded(world, dates=DateRule(first=first, every=7, holidays=[date(2027, 3, 23)]))
    assert [one.starts_at for one in season.dates.all()] == [
        first,
        datetime(2027, 3, 30, 18, tzinfo=UTC),
        datetime(2027, 4, 6, 18, tzinfo=UTC),
    ]


def test_a_season_that_is_published_keeps_its_dates_and_draw(world):
    season = published_season(world)
    for act in (
        lambda: draw_season(season, user=world.owner),
        lambda: set_dates(season, [FIRST], user=world.owner),
    ):
        assert refused(act)[0] == "already-published"


def test_a_season_without_dates_has_no_hours(world):
    season = founded(world, dates=())
    draw_season(season, user=world.owner)
    assert set(Slot.objects.values_list("starts_at", flat=True)) == {None}
    # Dates that come later are drawn on at once.
    set_dates(season, DateRule(first=FIRST, every=1), user=world.owner)
    assert set(Slot.objects.filter(matchday__number=2).values_list("starts_at", flat=True)) == {
        FIRST + timedelta(days=1)
    }


def test_a_season_is_closed_once_every_division_is_over(world):
    season = founded(world)
    assert refused(lambda: close_season(season, user=world.owner))[0] == "not-published"
    draw_season(season, user=world.owner)
    publish_season(season, user=world.owner)
    play_season(world, season, {})
    Stage.objects.filter(competition__division__level=2).update(finished_at=None)
    assert refused(lambda: close_season(season, user=world.owner)) == (
        "season-open",
        "Confirmed results are missing in Division 2.",
    )
    Stage.objects.update(finished_at=FIRST)
    assert close_season(season, user=world.owner)
    assert not close_season(season, user=world.owner)


def test_divisions_share_tables_and_nobody_is_booked_twice(world):
    plan = season_plan()
    shared = replace(plan.plan, tables=["1", "2"], minutes=30)
    season = found_season(world.league, replace(plan, plan=shared), user=world.owner)
    draw_season(season, user=world.owner)
    seats = list(Slot.objects.filter(matchday__number=1).values_list("table__name", "starts_at"))
    assert len(set(seats)) == len(seats) == 6
    assert {hour for _table, hour in seats} == {FIRST + timedelta(minutes=30 * n) for n in range(3)}


def test_a_division_without_names_waits_for_them(world):
    plan = season_plan()
    empty = replace(plan, divisions=[DivisionPlan(name="Only")], dates=())
    season = found_season(world.league, empty, user=world.owner)
    assert who(season.divisions.get()) == []


def test_a_division_stays_one_however_it_is_planned_anew(world):
    season = founded(world)
    competition = season.divisions.get(level=1).competition
    for changes in ({"format": Stage.Format.SINGLE_ELIMINATION}, {"then": Stage.Format.SINGLE_ELIMINATION}):
        plan = replace(plan_like(competition), advance_each=2 if "then" in changes else 0, **changes)
        assert refused(lambda plan=plan: replan(competition, plan, user=world.owner))[0] == "bad-plan"
    swiss = replace(plan_like(competition), format=Stage.Format.SWISS, rounds=2)
    assert replan(competition, swiss, user=world.owner).stages.get().format == "swiss"


def test_rounds_for_which_there_is_no_date_go_on_after_the_same_pause_and_are_not_published(world):
    season = founded(world)
    competition = season.divisions.get(level=1).competition
    register(competition, [enrol(league=world.league, name="New One", since=FIRST.date())])
    draw(competition, user=world.owner)
    last = Slot.objects.filter(matchday__stage__competition=competition, matchday__number=5)
    assert set(last.exclude(starts_at=None).values_list("starts_at", flat=True)) == {FIRST + timedelta(days=28)}
    assert refused(lambda: publish_season(season, user=world.owner)) == (
        "too-few-dates",
        "Division 1 has 5 rounds, and there are dates for 3.",
    )


def test_a_division_is_not_discarded_behind_its_seasons_back(world):
    season = founded(world)
    competition = season.divisions.first().competition
    assert refused(lambda: discard(competition, user=world.owner))[0] == "in-season"
    assert season.divisions.filter(competition=competition).exists()

"""The dates of a season: made by rule, and moved one by one without booking anything or anybody twice."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.competitions.draw.plans import Plan
from league.competitions.draw.schedule.rescheduling import move
from league.competitions.draw.stages import draw_next
from league.competitions.models import Matchday, Slot, Stage
from league.competitions.seasons.dates import RegularDates, checked_dates, move_matchday
from league.competitions.seasons.plans import DateRule, date_season
from league.competitions.seasons.services import close_season
from league.errors import Refused
from league.matches.models import Match
from tests.league.competitions.cup import drafted, enter_result
from tests.league.competitions.season_world import FIRST, play_season, published_season, slots
from tests.league.competitions.seasons.test_seasons import refused

WEEK = timedelta(days=7)
LISBON = ZoneInfo("Europe/Lisbon")


def hours(season, number):
    found = Slot.objects.filter(matchday__stage__competition__division__season=season, matchday__number=number)
    return sorted(set(found.values_list("starts_at", flat=True)))


def test_a_rule_makes_so_many_dates_without_the_holidays():
    rule = RegularDates(
        first=date(2027, 12, 14), hour=time(19, 30), every=7, count=3, holidays={date(2027, 12, 21), date(2027, 12, 28)}
    )
    assert [one.strftime("%d.%m.%Y %H:%M %z") for one in rule.in_zone(LISBON)] == [
        "14.12.2027 19:30 +0000",
        "04.01.2028 19:30 +0000",
        "11.01.2028 19:30 +0000",
    ]


@given(
    st.dates(date(2020, 1, 1), date(2040, 1, 1)), st.integers(1, 60), st.integers(0, 40), st.sets(st.integers(0, 99))
)
def test_a_rule_keeps_the_hour_and_leaves_out_every_holiday(first, every, count, days):
    holidays = {first + timedelta(days=one) for one in days}
    found = RegularDates(first=first, hour=time(19), every=every, count=count, holidays=holidays).in_zone(LISBON)
    assert len(found) == count
    assert {one.hour for one in found} <= {19}
    assert not holidays & {one.date() for one in found}
    assert all((one.date() - first).days % every == 0 for one in found)
    assert checked_dates(found) == found


FAR = datetime(9999, 12, 31, 23, 30, tzinfo=UTC)


@pytest.mark.django_db
def test_a_date_at_the_end_of_the_calendar_is_refused(world):
    rule = RegularDates(first=FAR.date(), hour=time(19), every=7, count=2)
    told = ("bad-dates", "A date is in the years 1900 to 2200.")
    assert refused(lambda: rule.in_zone(LISBON)) == told
    assert refused(lambda: checked_dates([FAR])) == told
    season = published_season(world)
    world.league.time_zone = "Asia/Tokyo"
    world.league.save()
    season.league.refresh_from_db()
    assert refused(lambda: date_season(season, DateRule(first=FAR, every=7))) == told
    assert refused(lambda: move_matchday(season, 3, FAR, user=world.owner)) == told
    slot = Slot.objects.filter(matchday__stage__competition__division__season=season, match__isnull=False).first()
    assert refused(lambda: move(slot, user=world.owner, table=slot.table, starts_at=FAR)) == told


def test_a_rule_that_is_none_is_refused():
    def rule(**changes):
        return RegularDates(**({"first": date(2027, 1, 5), "hour": time(19), "every": 7, "count": 2} | changes))

    assert refused(lambda: rule(every=0).in_zone(LISBON)) == (
        "bad-dates",
        "There are 1 to 366 days between rounds.",
    )
    assert refused(lambda: rule(count=129).in_zone(LISBON))[0] == "bad-dates"
    assert refused(lambda: checked_dates([datetime(2027, 1, 5, 19)]))[0] == "bad-dates"
    assert refused(lambda: checked_dates([FIRST + n * WEEK for n in range(129)]))[0] == "bad-dates"


@pytest.mark.django_db
def test_a_matchday_moves_with_every_match_of_it_that_has_not_begun(world):
    season = published_season(world)
    top = season.divisions.get(level=1).competition
    begun = slots(top).filter(matchday__number=2).first()
    enter_result(world, begun.match, 1)
    to = FIRST + WEEK + timedelta(days=2, hours=1)
    assert move_matchday(season, 2, to, user=world.owner) == 5
    assert hours(season, 2) == [FIRST + WEEK, to]
    assert (hours(season, 1), hours(season, 3)) == ([FIRST], [FIRST + 2 * WEEK])
    assert season.dates.get(number=2).starts_at == to
    moved = Match.objects.filter(slot__matchday__number=2).exclude(pk=begun.match_id)
    assert set(moved.values_list("starts_at", flat=True)) == {to}
    # Whoever looks at the round again sees that it changed.
    assert set(Matchday.objects.filter(number=2).values_list("version", flat=True)) == {2}
    for match in moved:
        enter_result(world, match, 1)
    assert refused(lambda: move_matchday(season, 2, FIRST + WEEK, user=world.owner)) == (
        "match-begun",
        "Every match of round 2 has begun: there is nothing to move.",
    )
    assert season.dates.get(number=2).starts_at == to


@pytest.mark.django_db
def test_matches_keep_their_tables_and_their_order_when_their_matchday_moves(world):
    plan = Plan(name="-", ruleset="udl", tables=["1", "2"])
    season = published_season(world, plan=plan)
    before = dict(Slot.objects.filter(matchday__number=1).values_list("pk", "starts_at"))
    tables = dict(Slot.objects.filter(matchday__number=1).values_list("pk", "table"))
    move_matchday(season, 1, FIRST + timedelta(days=1), user=world.owner)
    after = dict(Slot.objects.filter(matchday__number=1).values_list("pk", "starts_at"))
    assert after == {one: hour + timedelta(days=1) for one, hour in before.items()}
    assert dict(Slot.objects.filter(matchday__number=1).values_list("pk", "table")) == tables
    assert set(season.divisions.values_list("competition__starts_at", flat=True)) == {FIRST + timedelta(days=1)}


@pytest.mark.django_db
def test_the_hour_stays_when_a_matchday_moves_over_the_change_of_the_clocks(world):
    world.league.time_zone = "Europe/Lisbon"
    world.league.save()
    season = published_season(world)
    summer = datetime(2027, 4, 6, 19, tzinfo=LISBON)
    move_matchday(season, 3, summer, user=world.owner)
    assert hours(season, 3) == [datetime(2027, 4, 6, 18, tzinfo=UTC)]


@pytest.mark.django_db
def test_a_table_or_a_player_that_is_taken_is_named_and_nothing_moves(world):
    season = published_season(world, plan=Plan(name="-", ruleset="udl", tables=["1", "2", "3", "4", "5", "6"]))
    to = FIRST + timedelta(days=1)
    cup = drafted(world, 2, tables=["1"], starts_at=to)
    assert refused(lambda: move_matchday(season, 1, to, user=world.owner)) == (
        "table-taken",
        "Table 1 has a match of Cup, Final, at 6 January 2027, 19:00. Nothing was moved.",
    )
    move(Slot.objects.get(matchday__stage__competition=cup), user=world.owner, table=None, starts_at=to)
    assert refused(lambda: move_matchday(season, 1, to, user=world.owner)) == (
        "entrant-busy",
        "Ana Ruiz plays in Cup, Final, at 6 January 2027, 19:00. Nothing was moved.",
    )
    assert hours(season, 1) == [FIRST]
    assert season.dates.get(number=1).starts_at == FIRST
    # A matchday that is played elsewhere at the same hour is in the way too.
    assert refused(lambda: move_matchday(season, 1, FIRST + WEEK, user=world.owner))[0] == "table-taken"
    assert move_matchday(season, 1, FIRST + WEEK - timedelta(days=1), user=world.owner) == 6


@pytest.mark.django_db
def test_a_round_robin_may_play_a_matchday_after_the_next_one_a_swiss_system_may_not(world):
    season = published_season(world)
    assert move_matchday(season, 1, FIRST + WEEK + timedelta(days=1), user=world.owner) == 6
    swiss = Plan(name="-", ruleset="udl", format=Stage.Format.SWISS, rounds=3)
    other = published_season(world, name="Swiss", plan=swiss, names=(["A1", "A2", "A3", "A4"],), places=((0, 0, 0),))
    late = FIRST + WEEK + timedelta(hours=1)
    assert refused(lambda: move_matchday(other, 1, late, user=world.owner)) == (
        "out-of-turn",
        "Round 2 is on 12 January 2027, 19:00. In a Swiss system the rounds keep their order.",
    )


@pytest.mark.django_db
def test_a_swiss_round_is_drawn_on_the_date_of_its_matchday_wherever_that_was_moved(world):
    swiss = Plan(name="-", ruleset="udl", format=Stage.Format.SWISS, rounds=2)
    season = published_season(world, plan=swiss, names=(["A1", "A2", "A3", "A4"],), places=((0, 0, 0),))
    to = FIRST + WEEK + timedelta(days=3)
    assert move_matchday(season, 2, to, user=world.owner) == 0
    play_season(world, season)
    draw_next(season.divisions.get().competition, user=world.owner)
    assert hours(season, 2) == [to]


@pytest.mark.django_db
def test_a_matchday_that_is_not_there_or_a_closed_season_is_refused(world):
    season = published_season(world)
    assert refused(lambda: move_matchday(season, 9, FIRST, user=world.owner))[0] == "no-such-date"
    assert refused(lambda: move_matchday(season, 1, datetime(2027, 1, 5), user=world.owner))[0] == "bad-dates"
    play_season(world, season)
    close_season(season, user=world.owner)
    assert refused(lambda: move_matchday(season, 1, FIRST + WEEK, user=world.owner))[0] == "season-closed"
    with pytest.raises(Refused):
        move_matchday(season, 1, FIRST, user=world.alice)

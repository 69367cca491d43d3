"""Calendar feeds, read back by the library that calendar programs' tests use."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from icalendar import Calendar

from league.accounts.models import League
from league.competitions.attendance.withdrawals import withdraw
from league.competitions.draw.schedule.rescheduling import move
from league.competitions.models import Competition, Slot
from league.competitions.queries import calendars
from league.competitions.queries.calendars import (
    competition_feed,
    entrant_feed,
    league_feed,
    player_feed,
    table_feed,
    to_ical,
)
from league.matches.models import Match, Table
from league.players.models import Player
from tests.league.competitions.cup import drafted, published
from tests.league.world import NOON


def written(feed):
    return to_ical(feed, host="example.org", root="https://example.org")


def events(feed):
    return list(Calendar.from_ical(written(feed)).walk("VEVENT"))


def by_uid(feed):
    return {str(one["uid"]): one for one in events(feed)}


def feed_of(competition, now=NOON):
    return competition_feed("harbour", competition.slug, now)


@pytest.fixture
def table_of_four(world) -> Competition:
    return published(world, 4, format="round_robin", tables=["1", "2"], starts_at=NOON, days_between=7, minutes=45)


def test_a_match_is_an_event_with_both_names_its_round_its_table_and_its_length(world, table_of_four):
    one = events(feed_of(table_of_four))[0]
    slot = Slot.objects.filter(matchday__stage__competition=table_of_four).order_by("starts_at", "pk")[0]
    names = " – ".join(str(berth.entrant) for berth in slot.berths.order_by("number"))
    assert {key: str(one[key]) for key in ("uid", "summary", "description", "location", "status", "url")} == {
        "uid": f"slot-{slot.pk}@example.org",
        "summary": names,
        "description": "Cup, Round 1",
        "location": f"Table {slot.table}",
        "status": "CONFIRMED",
        "url": f"https://example.org/matches/{slot.match_id}/",
    }
    assert (one["dtstart"].dt, one["dtend"].dt - one["dtstart"].dt) == (slot.starts_at, timedelta(minutes=45))
    assert len(events(feed_of(table_of_four))) == 6


@pytest.mark.parametrize(
    ("zone", "before", "after"),
    [("Europe/Madrid", 1, 2), ("America/Puerto_Rico", -4, -4), ("America/New_York", -5, -4)],
)
def test_hours_are_those_of_the_leagues_zone_when_summer_time_begins(world, zone, before, after):
    """On 2027-03-14 in New York, on 2027-03-28 in Madrid; Puerto Rico has none. 19:00 stays 19:00."""
    League.objects.filter(pk=world.league.pk).update(time_zone=zone)
    world.league.refresh_from_db()
    start = datetime(2027, 3, 10, 19, tzinfo=UTC) - timedelta(hours=before)
    competition = published(world, 4, format="round_robin", tables=["1", "2"], starts_at=start, days_between=20)
    text = written(feed_of(competition))
    calendar = Calendar.from_ical(text)
    starts = sorted({one["dtstart"].dt for one in calendar.walk("VEVENT")})
    assert [one.replace(tzinfo=None) for one in starts] == [
        datetime(2027, 3, 10, 19), datetime(2027, 3, 30, 19), datetime(2027, 4, 19, 19),
    ]  # fmt: skip
    assert [one.utcoffset() for one in starts] == [timedelta(hours=hours) for hours in (before, after, after)]
    assert {str(one["dtstart"].params["TZID"]) for one in calendar.walk("VEVENT")} == {zone}
    assert [str(one["tzid"]) for one in calendar.walk("VTIMEZONE")] == [zone]


@pytest.mark.parametrize(("zone", "before", "after"), [("Europe/Madrid", 2, 1), ("America/Puerto_Rico", -4, -4)])
def test_hours_are_those_of_the_leagues_zone_when_summer_time_ends(world, zone, before, after):
    """On 2026-10-25 in Madrid."""
    League.objects.filter(pk=world.league.pk).update(time_zone=zone)
    world.league.refresh_from_db()
    start = datetime(2026, 10, 20, 19, tzinfo=UTC) - timedelta(hours=before)
    competition = published(world, 4, format="round_robin", tables=["1", "2"], starts_at=start, days_between=10)
    starts = sorted({one["dtstart"].dt for one in events(feed_of(competition))})
    assert [one.replace(tzinfo=None) for one in starts] == [
        datetime(2026, 10, 20, 19), datetime(2026, 10, 30, 19), datetime(2026, 11, 9, 19),
    ]  # fmt: skip
    assert [one.utcoffset() for one in starts] == [timedelta(hours=hours) for hours in (before, after, after)]
    assert [one.astimezone(UTC).hour for one in starts] == [19 - before, 19 - after, 19 - after]


def test_the_zone_in_the_file_gives_the_same_hours_to_who_knows_no_zones(world):
    """The VTIMEZONE's own rules, not the reader's: Madrid is an hour ahead before the change, two after it."""
    League.objects.filter(pk=world.league.pk).update(time_zone="Europe/Madrid")
    world.league.refresh_from_db()
    start = datetime(2027, 3, 27, 18, tzinfo=UTC)
    competition = published(world, 4, format="round_robin", starts_at=start, days_between=1)
    zone = Calendar.from_ical(written(feed_of(competition))).walk("VTIMEZONE")[0].to_tz(lookup_tzid=False)
    offsets = [datetime(2027, 3, day, 19, tzinfo=zone).utcoffset() for day in (27, 29)]
    assert offsets == [timedelta(hours=1), timedelta(hours=2)]


def test_a_move_keeps_the_uid_and_raises_the_sequence(world, table_of_four):
    before = by_uid(feed_of(table_of_four))
    slot = Slot.objects.filter(matchday__stage__competition=table_of_four).order_by("starts_at", "pk")[0]
    # Later than the second in which it was published.
    slot.matchday.published_at -= timedelta(minutes=5)
    slot.matchday.save()
    before = by_uid(feed_of(table_of_four))
    move(slot, user=world.owner, table=slot.table, starts_at=slot.starts_at + timedelta(hours=2))
    after = by_uid(feed_of(table_of_four))
    assert set(after) == set(before)
    uid = f"slot-{slot.pk}@example.org"
    assert after[uid]["dtstart"].dt - before[uid]["dtstart"].dt == timedelta(hours=2)
    assert after[uid]["sequence"] > before[uid]["sequence"]
    assert after[uid]["last-modified"].dt > before[uid]["last-modified"].dt
    others = set(after) - {uid}
    assert {one: str(after[one]["sequence"]) for one in others} == {one: str(before[one]["sequence"]) for one in others}


def test_a_forfeited_match_is_called_off(world, table_of_four):
    withdraw(table_of_four, world.bo, user=world.owner, reason="ill")
    told = {}
    for one in events(feed_of(table_of_four)):
        told.setdefault(str(one["status"]), set()).add("Bo Chen" in str(one["summary"]))
    assert told == {"CANCELLED": {True}, "CONFIRMED": {False}}


def test_a_feed_without_news_is_the_same_to_the_letter(world, table_of_four):
    assert written(feed_of(table_of_four)) == written(feed_of(table_of_four))


def test_hidden_rounds_and_drafts_are_in_no_feed(world):
    with pytest.raises(Competition.DoesNotExist):
        feed_of(drafted(world, 4, name="Draft"))
    shown = published(world, 4, format="round_robin", release="round_by_round", starts_at=NOON, tables=["1", "2"])
    assert len(events(feed_of(shown))) == 2
    assert len(player_feed(world.ana.player.code, NOON).events) == 1
    assert [len(table_feed(table, NOON).events) for table in Table.objects.order_by("name")] == [1, 1]


def test_a_minor_has_no_public_feed_and_nobody_learns_the_table(world, table_of_four):
    Player.objects.filter(pk=world.ana.player_id).update(born=2012)
    with pytest.raises(Player.DoesNotExist):
        player_feed(world.ana.player.code, NOON)
    with_minor = [one for one in events(feed_of(table_of_four)) if "A. R." in str(one["summary"])]
    assert ([one.get("location") for one in with_minor], "Ana Ruiz" in written(feed_of(table_of_four)).decode()) == (
        [None] * 3, False,
    )  # fmt: skip
    for table in Table.objects.all():
        assert not any("A. R." in str(one["summary"]) for one in events(table_feed(table, NOON)))
    opponents = [one for one in events(player_feed(world.bo.player.code, NOON)) if "A. R." in str(one["summary"])]
    assert [one.get("location") for one in opponents] == [None] * len(opponents)
    assert opponents
    # Whoever holds the personal link is the player.
    own = [one for one in events(entrant_feed(world.ana, NOON)) if "slot-" in str(one["uid"])]
    assert [str(one["location"])[:6] for one in own] == ["Table "] * 3


def test_once_it_is_played_a_minors_match_says_where_as_its_page_does(world, table_of_four):
    Player.objects.filter(pk=world.ana.player_id).update(born=2012)
    Match.objects.update(state=Match.State.DECIDED)
    with_minor = [one for one in events(feed_of(table_of_four)) if "A. R." in str(one["summary"])]
    assert all(one.get("location") for one in with_minor)


def test_no_name_breaks_out_of_its_line(world, table_of_four):
    hostile = "Ana;Ruiz,\\n\r\nBEGIN:VEVENT" + "é" * 34
    Player.objects.filter(pk=world.ana.player_id).update(name=hostile)
    text = written(feed_of(table_of_four))
    assert text.count(b"BEGIN:VEVENT\r\n") == 6
    assert max(len(line) for line in text.split(b"\r\n")) <= 75
    told = next(str(one["summary"]) for one in events(feed_of(table_of_four)) if "Ana" in str(one["summary"]))
    assert "Ana;Ruiz,\\n" in told


def test_a_feed_takes_the_same_statements_for_any_number_of_matches(world):
    counts = set()
    for size in (2, 6):
        competition = published(world, size, format="round_robin", name=f"Cup {size}", starts_at=NOON)
        with CaptureQueriesContext(connection) as asked:
            written(feed_of(competition))
        counts.add(len(asked))
        Player.objects.filter(name__startswith="P").update(name="Q")
    assert len(counts) == 1


def test_a_leagues_feed_has_all_that_is_published_in_it_and_nothing_of_others(world, table_of_four):
    published(world, 3, format="round_robin", name="Second", starts_at=NOON)
    drafted(world, 3, format="round_robin", name="Draft", starts_at=NOON)
    loose = world.fixture(starts_at=NOON)
    world.fixture(starts_at=NOON, published_at=None)
    League.objects.filter(pk=world.league.pk).update(time_zone="America/New_York")
    feed = league_feed("harbour", NOON)
    calendar = Calendar.from_ical(written(feed))
    told = {str(one["description"]).split(",")[0] for one in calendar.walk("VEVENT")}
    assert told == {"Cup", "Second", world.league.name}
    assert len(feed.events) == 6 + 3 + 1
    assert f"match-{loose.pk}@example.org" in by_uid(feed)
    assert {str(one["dtstart"].params["TZID"]) for one in calendar.walk("VEVENT")} == {"America/New_York"}
    assert str(calendar["x-wr-timezone"]) == "America/New_York"
    hill = League.objects.create(name="Hill", slug="hill-2")
    assert league_feed(hill.slug, NOON).events == []
    with pytest.raises(League.DoesNotExist):
        league_feed("nowhere", NOON)


def test_a_leagues_feed_is_bounded_what_comes_first_then_what_was_last(world, table_of_four, monkeypatch):
    """Rounds on three days, a week apart, two matches each."""
    slots = Slot.objects.filter(matchday__stage__competition=table_of_four)
    days = sorted(set(slots.values_list("matchday__slots__starts_at", flat=True)))

    def told(now):
        return sorted({one.starts_at for one in league_feed("harbour", now).events})

    assert told(days[1]) == days
    monkeypatch.setattr(calendars, "OF_LEAGUE", replace(calendars.OF_LEAGUE, most=4))
    assert told(days[0]) == days[:2]
    assert told(days[1]) == days[1:]
    assert told(days[2]) == days[1:]
    month = calendars.OF_LEAGUE.remembered
    assert told(days[1] + month) == days[2:]
    assert told(days[2] + month) == []
    first = Match.objects.get(slot=slots.order_by("starts_at", "pk").first())
    Match.objects.filter(pk=first.pk).update(starts_at=days[2] + timedelta(days=1))  # put off: its own hour counts
    assert told(days[2] + month) == [days[2] + timedelta(days=1)]


def test_every_feed_is_bounded_in_the_database_and_keeps_what_is_nearest(world, table_of_four, monkeypatch):
    """Rounds on three days, a week apart, two matches each: with a bound of two, those of the day that is next."""
    slots = Slot.objects.filter(matchday__stage__competition=table_of_four)
    days = sorted(set(slots.values_list("starts_at", flat=True)))
    player = slots.filter(starts_at=days[1]).first().berths.first().entrant
    table = Table.objects.get(league=world.league, name="1")
    feeds = {
        "competition": lambda: feed_of(table_of_four, days[1]),
        "player": lambda: player_feed(player.player.code, days[1]),
        "personal": lambda: entrant_feed(player, days[1]),
        "table": lambda: table_feed(table, days[1]),
    }
    whole = {name: [one.starts_at for one in feed().events] for name, feed in feeds.items()}
    assert {name: len(hours) for name, hours in whole.items()} == {
        "competition": 6, "player": 3, "personal": 3, "table": 3,
    }  # fmt: skip
    monkeypatch.setattr(calendars, "WHOLE", replace(calendars.WHOLE, most=2))
    monkeypatch.setattr(calendars, "LATELY", replace(calendars.LATELY, most=1))
    for name, feed in feeds.items():
        with CaptureQueriesContext(connection) as asked:
            told = feed().events
        assert {one.starts_at for one in told} == {days[1]}, name
        assert len(told) == (2 if name == "competition" else 1), name
        assert [one["sql"] for one in asked if "LIMIT" in one["sql"]], name


def test_a_competition_long_over_still_has_its_calendar(world, table_of_four):
    """It has an end, so it is bounded by its size alone."""
    assert len(feed_of(table_of_four, NOON + timedelta(days=3000)).events) == 6


def test_a_leagues_feed_tells_no_table_of_a_minor(world, table_of_four):
    assert any(one.table for one in league_feed("harbour", NOON).events)
    Player.objects.update(born=2016)
    assert not any(one.table for one in league_feed("harbour", NOON).events)


def test_what_is_long_over_leaves_a_players_feed(world, table_of_four):
    later = NOON + timedelta(days=14) + calendars.LATELY.remembered - timedelta(hours=1)
    assert len(player_feed(world.ana.player.code, later).events) == 1


def test_a_match_outside_of_competitions_is_in_the_feed_of_its_players(world):
    match = world.fixture(starts_at=NOON)
    world.fixture(starts_at=NOON, published_at=None)
    assert [(str(one["uid"]), str(one["summary"])) for one in events(player_feed(world.bo.player.code, NOON))] == [
        (f"match-{match.pk}@example.org", "Ana Ruiz – Bo Chen")
    ]

"""Two tables of the demonstration are always live, and their games end as those of people do. The clock is driven."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import uuid4

import pytest
from django.contrib.auth.models import AnonymousUser
from django.utils import timezone

from league.competitions.models import Challenge, Competition
from league.matches.logs.submission import verify_record
from league.matches.models import Game, Match, Record, Result, StoredVerdict, Table
from league.matches.models.tally import TallyTap
from league.matches.queries.lists import live
from league.matches.tally.services import Keeper, keep_taps
from league.matches.tally.touches import Batch, Touch
from league.rehearsals import live_tables
from league.rehearsals.demo_people import Crew, evening_of, found_league
from league.rehearsals.live_games import planned
from league.rehearsals.live_tables import LIVE_TABLES, is_over, open_tables, play_on
from tests.kept_rows import kept

STEP = timedelta(seconds=40)
"""Longer than any pause, so that every table acts in each step."""


@kept
def opened() -> tuple[Crew, datetime]:
    now = timezone.now()
    _league, crew = found_league(evening_of(now))
    open_tables(now)
    return crew, now


@dataclass
class Evening:
    """Tables that are open, and the hour."""

    crew: Crew
    now: datetime

    def go_on(self) -> None:
        """Let some time pass, and the background work with it."""
        self.now += STEP
        play_on(self.now)
        for record in Record.objects.filter(state=Record.State.RECEIVED).values_list("pk", flat=True):
            verify_record(record)

    def hurry(self) -> None:
        """Play each game at the tables up to its last touches, as a pad sends what it kept without a network."""
        for table in LIVE_TABLES:
            game = last_game(table.name)
            made, whole = game.taps.count(), planned(game.pk, table.by_tiles)
            if made < len(whole) - 2 and not game.records.exists():
                live_tables.send(game, whole[made:-2], made, self.now)

    def until(self, games: int, *, hurry: bool = True) -> Iterator[None]:
        """Go on until so many games are official."""
        for _step in range(200 * games):
            if Match.objects.filter(state=Match.State.DECIDED).count() >= games:
                return
            if hurry:
                self.hurry()
            self.go_on()
            yield
        pytest.fail("the games do not end")

    @property
    def live(self) -> list[str]:
        """Names of the tables that a visitor sees live."""
        return sorted(live(AnonymousUser(), self.now).values_list("table__name", flat=True))


@pytest.fixture
def evening(db) -> Evening:
    return Evening(*opened())


def last_game(table: str) -> Game:
    return Game.objects.filter(match__table__name=table).order_by("-pk")[0]


def test_the_first_visitor_finds_both_games_under_way(evening) -> None:
    assert evening.live == ["5", "6"]
    for table in LIVE_TABLES:
        game = last_game(table.name)
        assert 0 < game.taps.count() < len(planned(game.pk, table.by_tiles)) / 2
    assert {last_game(table.name).match.state for table in LIVE_TABLES} == {"playing"}


def test_two_tables_are_live_all_evening_and_each_game_becomes_official(evening) -> None:
    for _step in evening.until(2, hurry=False):
        assert evening.live == ["5", "6"]
    for _step in evening.until(6):
        assert evening.live == ["5", "6"]
    assert set(StoredVerdict.objects.filter(record__kind="log").values_list("status", flat=True)) == {"verified"}
    official = Result.objects.filter(state="official")
    assert {(one.known_by, one.game.match.table.name) for one in official} == {("log", "5"), ("tally", "6")}
    assert {(one.confirmed_how, one.record.for_side, one.one_device) for one in official} == {("side", 1, "")}
    assert not Result.objects.filter(needs_decision=True).exists()
    assert not Result.objects.filter(contested=True).exists()
    # Nobody plays for a visitor.
    assert set(Match.objects.values_list("sides__entrant__player__user", flat=True)) == {None}


def test_calls_at_the_same_time_make_one_touch(evening) -> None:
    before = TallyTap.objects.count()
    evening.now += STEP
    play_on(evening.now)
    play_on(evening.now)
    assert TallyTap.objects.count() == before + 2


def test_nothing_happens_before_it_is_due(evening) -> None:
    before = TallyTap.objects.count()
    play_on(evening.now + timedelta(seconds=3))
    assert TallyTap.objects.count() == before


def test_the_players_go_on_with_the_same_games_after_a_stop_of_days(evening) -> None:
    games, before = {last_game(table.name).pk for table in LIVE_TABLES}, TallyTap.objects.count()
    planned.cache_clear()
    evening.now += timedelta(days=3)
    evening.go_on()
    assert {last_game(table.name).pk for table in LIVE_TABLES} == games
    assert TallyTap.objects.count() == before + 2


def test_a_visitor_who_takes_a_game_over_keeps_it_and_the_table_goes_on(evening) -> None:
    game = last_game("5")
    before = game.taps.count()
    mine = Touch(id=uuid4(), kind=TallyTap.Kind.TAKE_OVER, at=evening.now)
    keep_taps(game, Keeper(evening.crew.rosa.pk), Batch(uuid4(), before, [mine]), evening.now)
    evening.go_on()
    evening.go_on()
    assert game.taps.count() == before + 1
    assert last_game("5").pk != game.pk
    assert evening.live == ["5", "5", "6"]


def test_without_its_table_or_organizer_a_game_ends_and_no_other_begins(evening) -> None:
    evening.crew.olga.username = "somebody"
    evening.crew.olga.save()
    for _step in evening.until(2):
        pass
    evening.crew.olga.username = "olga"
    evening.crew.olga.save()
    Table.objects.filter(name="6").update(name="12")
    evening.go_on()
    assert evening.live == ["5"]
    assert Match.objects.count() == 3


def test_a_ladder_takes_so_many_challenges_and_then_the_next_one_begins(evening, monkeypatch) -> None:
    monkeypatch.setattr(live_tables, "CHALLENGES", 3)
    for _step in evening.until(5):
        assert evening.live == ["5", "6"]
    ladders = Competition.objects.order_by("pk")
    assert [one.name for one in ladders][:2] == ["Friendly Ladder 1", "Friendly Ladder 2"]
    assert all(Challenge.objects.filter(stage__competition=one).count() <= 3 for one in ladders)
    assert Competition.objects.filter(stages__finished_at=None).count() <= 2


def test_a_ladder_that_is_closed_is_followed_by_another(evening) -> None:
    Competition.objects.get().stages.update(finished_at=evening.now)
    for _step in evening.until(3):
        assert evening.live == ["5", "6"]
    assert Competition.objects.count() == 2


def test_the_demonstration_is_over_after_so_many_challenges(evening, monkeypatch) -> None:
    assert not is_over()
    monkeypatch.setattr(live_tables, "MOST", 3)
    for _step in evening.until(1):
        pass
    assert is_over()

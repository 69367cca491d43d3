"""Rehearsals of what is no plain match of two: rounds at tables, pairs, a division of a season, a ladder."""

from datetime import datetime, timedelta
from itertools import pairwise

import pytest
from django.utils import timezone

from league.competitions.draw.plans import Plan, found
from league.competitions.formats.table_rounds import table_sizes
from league.competitions.models import Competition, Rehearsal, SeasonDate, Stage
from league.errors import Refused
from league.matches.models import KnownBy
from league.rehearsals.evening import Mishaps, play_through
from league.rehearsals.services import ToRehearse, ask_to_rehearse, carry_out
from tests.league.competitions import at_tables
from tests.league.competitions.earlier import START
from tests.league.competitions.season_world import FIRST, founded
from tests.league.rehearsals.test_rehearsing import ALL, counted

Format = Stage.Format


def planned(world, **changes) -> Competition:
    facts = {"name": "Cup", "ruleset": "udl", "starts_at": START, "tables": ("1", "2", "3"), "minutes": 30}
    return found(world.league, Plan(**facts | changes), user=world.owner)


def rehearsed(world, source, entrants, wishes=None) -> dict:
    """The stored report."""
    job = ask_to_rehearse(source, ToRehearse(entrants, 5, wishes or Mishaps()), user=world.owner)
    carry_out(job.pk)
    job.refresh_from_db()
    assert not job.refused
    return job.report


@pytest.mark.parametrize("wishes", [Mishaps(), ALL], ids=["calm", "everything goes wrong"])
@pytest.mark.parametrize(("seats", "ruleset"), [(3, "all-fives"), (4, "muggins"), (6, "uno-dominoes")])
@pytest.mark.parametrize("entrants", [9, pytest.param(13, marks=pytest.mark.slow("more entrants at the tables"))])
def test_rounds_at_tables_are_played_to_their_end(world, entrants, seats, ruleset, wishes) -> None:
    source = found(world.league, at_tables.plan(seats=seats, ruleset=ruleset, bye_points=1), user=world.owner)
    before = counted()
    told = rehearsed(world, source, entrants, wishes)
    Rehearsal.objects.all().delete()
    assert counted() == before
    assert (told["ended"], told["agrees"], len(told["rounds"])) == (True, True, 3)
    assert told["matches"] == 3 * len(table_sizes(entrants, seats))
    by_kind = {event["what"]: event for event in told["events"]}
    assert not {"stopped", "undecided"} & set(by_kind)
    # Every seat is told, and the level score is refused for being level, not for its number of scores.
    assert max(len(slot["sides"]) for one in told["rounds"] for slot in one["slots"]) >= 3
    assert wishes == Mishaps() or by_kind["level-game"]["code"] == "does-not-add-up"
    [table] = told["rounds"][-1]["tables"]
    assert table["by_place"] is True
    points = [row["points"] for row in table["rows"] if row["rank"]]  # without those who left
    assert points == sorted(points, reverse=True)
    # Whoever comes late takes an empty seat, where a table has one.
    late = by_kind.get("late-entry", {"code": "not asked for"})["code"] == ""
    assert late == (
        wishes != Mishaps() and sum(table_sizes(entrants, seats)) < len(table_sizes(entrants, seats)) * seats
    )
    assert len(table["rows"]) == entrants + late
    assert points[0] > 0


@pytest.mark.parametrize("level", [KnownBy.SCORE, KnownBy.LOG])
def test_pairs_are_rehearsed_as_pairs(world, level) -> None:
    plan = {"pairs": True, "format": Format.SINGLE_ELIMINATION, "best_of": 3, "level": level, "final_level": level}
    told = rehearsed(world, planned(world, **plan), 5, Mishaps(no_show=True, late_entry=True, withdraw_after=1))
    assert (told["ended"], told["agrees"]) == (True, True)
    assert told["places"]
    assert all(" & " in name for _rank, name in told["places"])
    late = next(event for event in told["events"] if event["what"] == "late-entry")
    assert late["who"] == "Latecomer 6 & Partner 6"


def test_a_division_is_rehearsed_on_the_dates_of_its_season(world, monkeypatch) -> None:
    monkeypatch.setattr(timezone, "now", lambda: FIRST - timedelta(days=30))
    season = founded(world)
    source = season.divisions.get(level=1).competition
    before = counted()
    told = play_through(source, entrants=4, seed=5, wishes=Mishaps())
    assert counted() == before
    assert (told["ended"], told["agrees"]) == (True, True)
    assert [one["starts_at"] for one in told["rounds"]] == [
        (FIRST + timedelta(days=7 * nth)).isoformat() for nth in range(3)
    ]


def test_dates_that_are_over_come_again_with_the_same_days_between(world) -> None:
    season = founded(world)
    for one in SeasonDate.objects.filter(season=season):
        SeasonDate.objects.filter(pk=one.pk).update(starts_at=one.starts_at - timedelta(days=3650))
    source = season.divisions.get(level=1).competition
    Competition.objects.filter(pk=source.pk).update(starts_at=FIRST - timedelta(days=3650))
    source.refresh_from_db()
    told = play_through(source, entrants=4, seed=5, wishes=Mishaps())
    begins = [datetime.fromisoformat(one["starts_at"]) for one in told["rounds"]]
    assert [then - one for one, then in pairwise(begins)] == [timedelta(days=7)] * 2
    assert {one.hour for one in begins} == {FIRST.hour}


def test_a_ladder_has_no_end_and_says_so(world) -> None:
    source = planned(world, format=Format.LADDER, challenge_reach=2)
    for ask in (
        lambda: ask_to_rehearse(source, ToRehearse(8), user=world.owner),
        lambda: play_through(source, entrants=8, seed=5, wishes=Mishaps()),
    ):
        with pytest.raises(Refused) as refused:
            ask()
        assert refused.value.code == "no-end"
    assert str(refused.value).startswith("Cup is a ladder")
    assert not Rehearsal.objects.exists()

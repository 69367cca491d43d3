"""Draws that several ask for, or carry out, at the same moment. Real threads, on the database of this run."""

import threading

import pytest

from league.competitions import jobs
from league.competitions.draw import plans
from league.competitions.draw.plans import Plan
from league.competitions.jobs import ask_to_draw
from league.competitions.models import Competition, DrawJob, Matchday
from league.competitions.registration.entries import register
from league.matches.models import Match
from tests.league.competitions.cup import people, published
from tests.league.competitions.draw.test_stages import play
from tests.league.matches.results.test_entering_at_once import at_once
from tests.league.processes import PATIENCE

FIRST, NEXT = DrawJob.What.FIRST, DrawJob.What.NEXT


@pytest.fixture
def world(shared_world):
    return shared_world


def rounds(competition):
    days = Matchday.objects.filter(stage__competition=competition).order_by("number")
    return list(days.values_list("number", flat=True))


def test_two_who_ask_for_the_first_draw_at_once_get_one(world):
    draft = plans.found(world.league, Plan(name="Cup", ruleset="udl"), user=world.owner)
    register(draft, people(world, 6))
    at_once(*[lambda: ask_to_draw(draft, FIRST, user=world.owner)] * 2)
    assert rounds(draft) == [1, 2, 3, 4, 5]
    assert Match.objects.exclude(pk=world.match.pk).count() == 15


def test_two_workers_that_carry_out_one_job_at_once_pair_one_round(world, monkeypatch):
    """Its message was delivered twice, or the sweep met the worker."""
    cup = published(world, 8, format="swiss", rounds=5)
    play(world, cup, 1)
    monkeypatch.setattr(jobs, "AT_ONCE", 0)
    job = ask_to_draw(cup, NEXT, user=world.owner)
    assert job.done_at is None
    found = at_once(*[lambda: jobs.carry_out(job.pk)] * 2)
    assert sorted(found) == [False, True]
    job.refresh_from_db()
    assert (rounds(cup), job.made, job.refused) == ([1, 2], 2, "")
    assert Match.objects.filter(slot__matchday__stage__competition=cup).count() == 8


@pytest.mark.postgres  # SQLite lets one write at a time, lock or not
def test_without_the_lock_two_workers_would_both_make_it(world, monkeypatch):
    """The control: both have read that the job is open before either has made it."""
    cup = published(world, 8, format="swiss", rounds=5)
    play(world, cup, 1)
    monkeypatch.setattr(jobs, "AT_ONCE", 0)
    job = ask_to_draw(cup, NEXT, user=world.owner)
    both, made = threading.Barrier(2, timeout=PATIENCE), []
    monkeypatch.setattr(jobs, "locked", lambda key: Competition.objects.select_related("league").get(pk=key))

    def meets_the_other(competition, _job):
        made.append(competition.pk)
        both.wait()

    monkeypatch.setattr(jobs, "_make", meets_the_other)
    assert at_once(*[lambda: jobs.carry_out(job.pk)] * 2) == [True, True]
    assert made == [cup.pk, cup.pk]

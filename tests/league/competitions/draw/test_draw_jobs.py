"""A draw that is asked for is made once: at once where it is small, in the background where it is large."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from league.competitions import jobs, tasks
from league.competitions.attendance.check_in import check_in
from league.competitions.draw.plans import Plan, found, replan
from league.competitions.draw.publishing import publish
from league.competitions.job_progress import of_job, progress_of, report
from league.competitions.jobs import ask_to_draw, carry_out, carry_out_missed
from league.competitions.models import DrawJob, Matchday
from league.competitions.registration.entries import register
from league.errors import NotAllowed, Refused
from tests.league.competitions.cup import people, published
from tests.league.competitions.draw.test_stages import play

FIRST, NEXT, HERE = DrawJob.What.FIRST, DrawJob.What.NEXT, DrawJob.What.HERE


@pytest.fixture
def draft(world):
    made = found(world.league, Plan(name="Cup", ruleset="udl"), user=world.owner)
    register(made, people(world, 6))
    return made


@pytest.fixture
def large(monkeypatch):
    """Any draw is a large one."""
    monkeypatch.setattr(jobs, "AT_ONCE", 0)


def drawn(competition):
    return Matchday.objects.filter(stage__competition=competition).count()


def test_a_small_draw_is_made_at_once(world, draft) -> None:
    job = ask_to_draw(draft, FIRST, user=world.owner)
    assert (drawn(draft), job.made, job.refused, job.done_at is not None) == (5, 1, "", True)


def test_a_large_one_waits_for_the_workers_and_is_made_once(world, draft, large, django_capture_on_commit_callbacks):
    asked = []
    with django_capture_on_commit_callbacks(execute=False) as callbacks:
        job = ask_to_draw(draft, FIRST, user=world.owner)
        again = ask_to_draw(draft, FIRST, user=world.owner)
        asked += callbacks
    assert (drawn(draft), job.done_at, again) == (0, None, job)
    assert len(callbacks) == 1, "one hint to the workers"
    tasks.draw(job.pk)
    days = list(Matchday.objects.filter(stage__competition=draft).values_list("pk", flat=True))
    tasks.draw(job.pk)
    assert list(Matchday.objects.filter(stage__competition=draft).values_list("pk", flat=True)) == days
    assert len(days) == 5


def test_two_draws_at_a_time_cannot_be(world, draft, large) -> None:
    ask_to_draw(draft, FIRST, user=world.owner)
    with pytest.raises(IntegrityError), transaction.atomic():
        DrawJob.objects.create(competition=draft, what=FIRST, asked_at=timezone.now(), asked_by=world.owner)


def test_what_is_refused_is_told_in_the_language_of_who_asked(world, large) -> None:
    cup = published(world, 4, format="swiss")
    from django.utils import translation

    with translation.override("es"):
        job = ask_to_draw(cup, NEXT, user=world.owner)
    assert job.language == "es"
    DrawJob.objects.filter(pk=job.pk).update(language="en")
    assert carry_out(job.pk)
    job.refresh_from_db()
    assert (job.refused_code, job.made) == ("results-missing", None)
    assert job.refused.startswith("2 confirmed results are missing in Swiss system")


def test_the_sweep_finds_a_draw_whose_message_was_lost(world, draft, large) -> None:
    job = ask_to_draw(draft, FIRST, user=world.owner)
    assert carry_out_missed() == 0, "its worker may be on its way"
    DrawJob.objects.filter(pk=job.pk).update(asked_at=timezone.now() - timedelta(minutes=1))
    assert tasks.sweep() == 1
    assert drawn(draft) == 5


def test_a_worker_that_dies_leaves_nothing_half_made_and_a_draw_that_always_fails_is_given_up(
    world, draft, large, monkeypatch
) -> None:
    job = ask_to_draw(draft, FIRST, user=world.owner)
    DrawJob.objects.filter(pk=job.pk).update(asked_at=timezone.now() - timedelta(minutes=1))

    def dies(*_arguments: object, **_more: object) -> None:
        report(50)
        raise MemoryError

    monkeypatch.setattr(jobs, "draw", dies)
    for tried in (1, 2, 3):
        assert carry_out_missed() == 0
        job.refresh_from_db()
        assert (job.tries, job.done_at, drawn(draft)) == (tried, None, 0)
    assert carry_out_missed() == 1
    job.refresh_from_db()
    assert (job.refused_code, job.done_at is not None) == ("draw-failed", True)


def test_a_job_tells_how_far_it_has_come_and_nobody_else_does(world) -> None:
    report(90)
    with of_job(-7):  # no key of a row, of which another test may have told
        report(40)
    assert (progress_of(-7), progress_of(-8)) == (40, 0)


def test_only_who_manages_asks(world, draft) -> None:
    with pytest.raises(NotAllowed):
        ask_to_draw(draft, FIRST, user=world.referee)
    assert not DrawJob.objects.exists()


def test_of_a_swiss_system_one_round_counts(world) -> None:
    cup = published(world, 8, format="swiss", rounds=7)
    assert jobs.matches_of(cup) == 4
    play(world, cup, 1)
    assert ask_to_draw(cup, NEXT, user=world.owner).made == 2


# --- With those who are here ---


def some_here(world, draft, *seeds):
    for seed in seeds:
        check_in(draft, draft.registrations.get(seed=seed).entrant, user=world.owner)
    return list(draft.registrations.filter(checked_in_at=None).values_list("entrant", flat=True))


def test_a_large_draw_with_those_who_are_here_takes_nobody_out_before_it_is_made(world, draft, large):
    absent = some_here(world, draft, 1, 2, 4)
    job = ask_to_draw(draft, HERE, user=world.owner, absent=absent)
    twice = ask_to_draw(draft, HERE, user=world.owner, absent=absent)
    assert (twice, job.done_at, draft.registrations.count(), drawn(draft)) == (job, None, 6, 0)
    tasks.draw(job.pk)
    assert [str(row.entrant) for row in draft.registrations.order_by("seed")] == ["Ana Ruiz", "Bo Chen", "P4"]
    assert drawn(draft) == 3


def test_who_comes_while_it_waits_is_not_taken_out(world, draft, large):
    absent = some_here(world, draft, 1, 2)
    job = ask_to_draw(draft, HERE, user=world.owner, absent=absent)
    some_here(world, draft, 3)
    tasks.draw(job.pk)
    job.refresh_from_db()
    assert (job.refused_code, job.done_at is None, draft.registrations.count()) == ("others-absent", False, 6)


def test_it_counts_as_large_by_who_is_here(world, draft, monkeypatch):
    """A round robin of six has 15 matches, of three 3."""
    replan(draft, Plan(name="Cup", ruleset="udl", format="round_robin"), user=world.owner)
    monkeypatch.setattr(jobs, "AT_ONCE", 3)
    assert ask_to_draw(draft, HERE, user=world.owner, absent=some_here(world, draft, 1, 2, 3)).made == 1


def test_a_draw_that_fails_takes_nobody_out(world, draft):
    replan(draft, Plan(name="Cup", ruleset="udl", format="double_elimination"), user=world.owner)
    job = ask_to_draw(draft, HERE, user=world.owner, absent=some_here(world, draft, 1, 2))
    assert (job.refused_code, draft.registrations.count()) == ("too-few", 6)


def test_a_draft_is_not_published_while_a_draw_is_being_made(world, draft, monkeypatch) -> None:
    ask_to_draw(draft, FIRST, user=world.owner)
    monkeypatch.setattr(jobs, "AT_ONCE", 0)
    job = ask_to_draw(draft, FIRST, user=world.owner)
    with pytest.raises(Refused) as refused:
        publish(draft, user=world.owner)
    assert refused.value.code == "being-drawn"
    assert carry_out(job.pk) is True
    assert publish(draft, user=world.owner) is True

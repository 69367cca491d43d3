"""A rehearsal that is asked for is played once: at once where it is small, in the background where it is large."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from league.competitions.models import Competition, Rehearsal, Stage
from league.errors import NotAllowed, Refused
from league.players.models import Player
from league.rehearsals import services as rehearsals
from league.rehearsals import tasks
from league.rehearsals.evening import Mishaps
from league.rehearsals.services import ToRehearse, ask_to_rehearse, carry_out_missed, progress_of, remove
from tests.league.competitions.earlier import drafted, people


@pytest.fixture
def cup(world) -> Competition:
    return drafted(world.league, world.owner, people(world.league, 4))


@pytest.fixture
def large(monkeypatch) -> None:
    """Any rehearsal is a large one."""
    monkeypatch.setattr(rehearsals, "AT_ONCE", 0)


def test_a_small_one_is_played_at_once_and_only_its_report_stays(world, cup) -> None:
    players = Player.objects.count()
    job = ask_to_rehearse(cup, ToRehearse(5, seed=9, wishes=Mishaps(protest=True)), user=world.owner)
    assert (job.done_at is not None, job.refused, job.seed, job.entrants) == (True, "", 9, 5)
    assert (job.report["entrants"], job.report["matches"], job.report["ended"]) == (5, 4, True)
    assert [event["what"] for event in job.report["events"]] == ["protest"]
    assert Player.objects.count() == players
    assert Competition.objects.count() == 1


def test_without_a_seed_chance_chooses_one_that_is_told(world, cup) -> None:
    job = ask_to_rehearse(cup, ToRehearse(4), user=world.owner)
    assert job.report["seed"] == job.seed > 0


def test_a_large_one_waits_for_the_workers_and_is_played_once(
    world, cup, large, django_capture_on_commit_callbacks
) -> None:
    with django_capture_on_commit_callbacks(execute=False) as callbacks:
        job = ask_to_rehearse(cup, ToRehearse(4, seed=1), user=world.owner)
        again = ask_to_rehearse(cup, ToRehearse(8, seed=2), user=world.owner)
    assert (job.done_at, again, len(callbacks)) == (None, job, 1)
    tasks.rehearse(job.pk)
    job.refresh_from_db()
    first = job.report, job.done_at
    assert first[0]["ended"]
    assert progress_of(job.pk) == 99
    tasks.rehearse(job.pk)
    job.refresh_from_db()
    assert (job.report, job.done_at) == first
    cache.clear()


def test_two_at_a_time_cannot_be(world, cup, large) -> None:
    ask_to_rehearse(cup, ToRehearse(4), user=world.owner)
    with pytest.raises(IntegrityError), transaction.atomic():
        Rehearsal.objects.create(competition=cup, seed=1, entrants=4, asked_at=timezone.now(), asked_by=world.owner)


def test_what_cannot_be_drawn_is_told_in_the_row(world, cup) -> None:
    Stage.objects.filter(competition=cup).update(third_place=True)
    job = ask_to_rehearse(cup, ToRehearse(3), user=world.owner)
    assert (job.refused_code, job.report, job.done_at is not None) == ("third-place", {}, True)
    assert "two semi-finals that are played" in job.refused


def test_the_sweep_finds_one_whose_message_was_lost(world, cup, large) -> None:
    job = ask_to_rehearse(cup, ToRehearse(4), user=world.owner)
    assert carry_out_missed() == 0, "its worker may be on its way"
    Rehearsal.objects.filter(pk=job.pk).update(asked_at=timezone.now() - timedelta(minutes=1))
    assert tasks.rehearse_missed() == 1
    assert carry_out_missed() == 0


def test_one_that_fails_again_and_again_is_given_up_and_says_so(world, cup, large, monkeypatch) -> None:
    def breaks(*_args: object, **_facts: object) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr(rehearsals, "play_through", breaks)
    job = ask_to_rehearse(cup, ToRehearse(4), user=world.owner)
    for _ in range(rehearsals.MOST_TRIES + 1):
        Rehearsal.objects.filter(pk=job.pk).update(asked_at=timezone.now() - timedelta(hours=1))
        carry_out_missed()
    job.refresh_from_db()
    assert (job.refused_code, job.done_at is not None) == ("rehearsal-failed", True)


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        (ToRehearse(1), "bad-entrants"),
        (ToRehearse(rehearsals.MOST_ENTRANTS + 1), "bad-entrants"),
        (ToRehearse(4, seed=-1), "bad-seed"),
        (ToRehearse(4, seed=2**31), "bad-seed"),
    ],
)
def test_odd_numbers_are_refused_and_nothing_is_stored(world, cup, asked, code) -> None:
    with pytest.raises(Refused) as refused:
        ask_to_rehearse(cup, asked, user=world.owner)
    assert refused.value.code == code
    assert not Rehearsal.objects.exists()


def test_more_matches_than_the_database_bears_are_refused_with_both_numbers(world, cup, monkeypatch) -> None:
    monkeypatch.setitem(rehearsals.MOST_MATCHES, connection.vendor, 6)
    with pytest.raises(Refused) as refused:
        ask_to_rehearse(cup, ToRehearse(8), user=world.owner)
    assert str(refused.value) == ("With so many players there would be 7 matches; at most 6 are rehearsed here.")
    assert ask_to_rehearse(cup, ToRehearse(7), user=world.owner).report["matches"] == 6


def test_only_who_manages_competitions_rehearses_and_removes(world, cup) -> None:
    job = ask_to_rehearse(cup, ToRehearse(4), user=world.owner)
    for nobody in (world.referee, world.charlie, world.alice):
        with pytest.raises(NotAllowed):
            ask_to_rehearse(cup, ToRehearse(4), user=nobody)
        with pytest.raises(NotAllowed):
            remove(job, user=nobody)
    assert remove(job, user=world.owner) is True
    assert remove(job, user=world.owner) is False
    assert not Rehearsal.objects.exists()


def test_ten_of_a_competition_are_kept(world, cup, monkeypatch) -> None:
    monkeypatch.setattr(rehearsals, "MOST_KEPT", 2)
    made = [ask_to_rehearse(cup, ToRehearse(2, seed=n), user=world.owner).seed for n in range(1, 4)]
    assert made == [1, 2, 3]
    assert list(Rehearsal.objects.values_list("seed", flat=True)) == [3, 2]

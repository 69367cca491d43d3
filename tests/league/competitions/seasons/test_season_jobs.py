"""All divisions of a season are drawn as one job: at once where they are small, in the background where they are
large; and a season is founded and drawn in as many statements as its size asks for.
"""

from datetime import timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from league.competitions import jobs, tasks
from league.competitions.draw.publishing import publish
from league.competitions.job_progress import of_job, one_of, progress_of, report
from league.competitions.jobs import ask_to_draw_season, carry_out, carry_out_missed, set_dates
from league.competitions.models import Competition, DrawJob, Matchday, Season, SeasonDate, Slot
from league.competitions.seasons.plans import DateRule
from league.competitions.seasons.services import publish_season
from league.errors import NotAllowed, Refused
from league.players.models import Entrant, Player
from league.players.services import enrol
from tests.league.competitions.season_world import FIRST, LAST, MIDDLE, TOP, founded, published_season, who

pytestmark = pytest.mark.django_db


@pytest.fixture
def large(monkeypatch):
    """Any draw is a large one."""
    monkeypatch.setattr(jobs, "AT_ONCE", 0)


def drawn(season) -> list[int]:
    """Levels of the divisions that are."""
    days = Matchday.objects.filter(stage__competition__division__season=season)
    return sorted(set(days.values_list("stage__competition__division__level", flat=True)))


def test_a_small_season_is_drawn_at_once(world):
    season = founded(world)
    job = ask_to_draw_season(season, user=world.owner)
    assert (drawn(season), job.made, job.refused, job.done_at is not None) == ([1, 2, 3], 3, "", True)


def test_a_large_one_waits_for_the_workers_and_is_drawn_once(world, large, django_capture_on_commit_callbacks):
    season = founded(world)
    with django_capture_on_commit_callbacks(execute=False) as callbacks:
        job = ask_to_draw_season(season, user=world.owner)
        again = ask_to_draw_season(season, user=world.owner)
    assert (drawn(season), job.done_at, again, len(callbacks)) == ([], None, job, 1)
    tasks.draw(job.pk)
    days = set(Matchday.objects.values_list("pk", flat=True))
    tasks.draw(job.pk)
    assert set(Matchday.objects.values_list("pk", flat=True)) == days
    assert drawn(season) == [1, 2, 3]
    job.refresh_from_db()
    assert (job.made, job.refused, str(job)) == (3, "", "Winter 2027: all divisions")


def test_while_it_is_being_drawn_neither_the_season_nor_a_division_is_published(world, large):
    season = founded(world)
    job = ask_to_draw_season(season, user=world.owner)
    for act in (
        lambda: publish_season(season, user=world.owner),
        lambda: publish(season.divisions.get(level=1).competition, user=world.owner),
    ):
        with pytest.raises(Refused) as refused:
            act()
        assert refused.value.code == "being-drawn"
    assert carry_out(job.pk)
    assert publish_season(season, user=world.owner)


def test_what_is_refused_names_the_division_and_stands_in_the_job(world, large):
    season = founded(world, names=(TOP, MIDDLE, ["Ida Jay"]), places=((0, 1, 0), (1, 0, 0), (0, 0, 0)))
    job = ask_to_draw_season(season, user=world.owner)
    assert carry_out(job.pk)
    job.refresh_from_db()
    assert (job.refused_code, job.refused, job.made, drawn(season)) == (
        "too-few",
        "Division 3: This draw takes 2 entrants or more, and there are 1.",
        None,
        [],
    )


def test_the_sweep_finds_a_draw_whose_message_was_lost(world, large):
    season = founded(world)
    job = ask_to_draw_season(season, user=world.owner)
    assert carry_out_missed() == 0
    DrawJob.objects.filter(pk=job.pk).update(asked_at=timezone.now() - timedelta(minutes=1))
    assert tasks.sweep() == 1
    assert drawn(season) == [1, 2, 3]


def test_other_dates_draw_a_large_season_anew_in_the_background(world, monkeypatch):
    season = founded(world)
    later = DateRule(first=FIRST + timedelta(days=1), every=7)
    assert (set_dates(season, later, user=world.owner), DrawJob.objects.count()) == (3, 0), "nothing was drawn"
    ask_to_draw_season(season, user=world.owner)
    monkeypatch.setattr(jobs, "AT_ONCE", 0)
    set_dates(season, DateRule(first=FIRST + timedelta(days=2), every=7), user=world.owner)
    set_dates(season, DateRule(first=FIRST + timedelta(days=3), every=7), user=world.owner)
    job = DrawJob.objects.get(done_at=None)
    assert job.what == DrawJob.What.DATED
    assert min(Slot.objects.values_list("starts_at", flat=True)) == FIRST + timedelta(days=1)
    assert carry_out(job.pk)
    assert min(Slot.objects.values_list("starts_at", flat=True)) == FIRST + timedelta(days=3)


def test_only_what_was_drawn_is_drawn_on_the_other_dates(world, monkeypatch):
    season = founded(world)
    ask_to_draw_season(season, user=world.owner)
    Matchday.objects.filter(stage__competition__division__level=2).delete()
    monkeypatch.setattr(jobs, "AT_ONCE", 0)
    set_dates(season, DateRule(first=FIRST + timedelta(days=2), every=7), user=world.owner)
    assert carry_out(DrawJob.objects.get(done_at=None).pk)
    assert drawn(season) == [1, 3]


def test_only_who_manages_asks_and_only_of_a_draft(world):
    season = founded(world)
    with pytest.raises(NotAllowed):
        ask_to_draw_season(season, user=world.referee)
    other = published_season(
        world, name="Other", names=[[f"{name} Z" for name in some] for some in (TOP, MIDDLE, LAST)]
    )
    with pytest.raises(Refused) as refused:
        ask_to_draw_season(other, user=world.owner)
    assert refused.value.code == "already-published"
    assert not DrawJob.objects.exists()


@pytest.mark.parametrize("what", [DrawJob.What.FIRST, DrawJob.What.ALL])
def test_a_job_is_of_a_competition_or_of_a_season(world, what):
    season = founded(world)
    competition = Competition.objects.get(division__level=1)
    facts = {"what": what, "asked_at": timezone.now(), "asked_by": world.owner}
    wrong = {"season": season} if what == DrawJob.What.FIRST else {"competition": competition}
    for of in ({}, wrong, {"season": season, "competition": competition}):
        with pytest.raises(IntegrityError), transaction.atomic():
            DrawJob.objects.create(**of, **facts)


def test_the_progress_of_a_season_is_that_of_its_divisions_one_after_the_other():
    with of_job(-9):
        with one_of(4, 1):
            report(40)
            assert progress_of(-9) == 35
        with one_of(4, 3):
            report(100)
    assert progress_of(-9) == 100


# --- In bulk ---


def named(count: int, each: int, letter: str) -> list[list[str]]:
    return [[f"{letter} {division} {number}" for number in range(each)] for division in range(count)]


def statements(act) -> int:
    with CaptureQueriesContext(connection) as asked:
        act()
    return len(asked)


def test_a_season_of_any_size_is_founded_in_as_many_statements(world):
    few = statements(lambda: founded(world, name="Few", names=named(2, 3, "F"), places=[(0, 0, 0)] * 2))
    many = statements(lambda: founded(world, name="Many", names=named(6, 12, "M"), places=[(0, 0, 0)] * 6))
    known = statements(lambda: founded(world, name="Known", names=named(6, 12, "M"), places=[(0, 0, 0)] * 6))
    assert few == many
    assert known <= many
    assert (
        Player.objects.filter(name__startswith="M ").count()
        == Entrant.objects.filter(player__name__startswith="M ").count()
        == 72
    )
    assert Season.objects.get(name="Known").divisions.count() == 6


def test_whoever_is_known_is_found_and_whoever_comes_back_is_a_member_again(world):
    gone = enrol(league=world.league, name="Fay Gil", since=FIRST.date() - timedelta(days=999), club="Hill")
    gone.player.memberships.update(until=FIRST.date() - timedelta(days=900))
    season = founded(world, names=(["Ana Ruiz, Harbour, 7", "Bo Chen"], MIDDLE, LAST), places=[(0, 0, 0)] * 3)
    assert who(season.divisions.get(level=1)) == ["Ana Ruiz", "Bo Chen"]
    assert Player.objects.filter(name__in=["Ana Ruiz", "Bo Chen", "Fay Gil"]).count() == 3
    ana = world.ana.player.memberships.get()
    assert (ana.club, ana.number) == ("Harbour", "7")
    assert gone.player.memberships.filter(until=None, club="Hill").count() == 1


@pytest.mark.parametrize("line", ["ok one", "x" * 61, "a, b, c, d"])
def test_a_line_that_needs_a_decision_is_named_by_its_own_number(world, line):
    with pytest.raises(Refused) as refused:
        founded(world, names=(TOP, ["Ok One", "", line, "Ok Two"], LAST))
    assert (refused.value.code, refused.value.facts["lines"], refused.value.facts["division_place"]) == (
        "paste-unclear", "3", 1,
    )  # fmt: skip
    assert not Season.objects.exists()


def test_namesakes_of_two_clubs_in_two_divisions_are_two_people(world):
    season = founded(world, names=(["Eva Fox, Hill", "Bo Chen"], ["Eva Fox, Harbour", "Cy Diaz"], LAST))
    both = Player.objects.filter(name="Eva Fox")
    assert sorted(both.values_list("apart", flat=True)) == ["Harbour", "Hill"]
    assert season.divisions.count() == 3


def test_what_was_set_by_hand_is_not_drawn_over_with_all_the_others(world):
    season = founded(world)
    ask_to_draw_season(season, user=world.owner)
    Slot.objects.filter(pk=Slot.objects.order_by("pk").first().pk).update(locked=True)
    for act in (
        lambda: ask_to_draw_season(season, user=world.owner),
        lambda: set_dates(season, [FIRST], user=world.owner),
    ):
        with pytest.raises(Refused, match="Draw that division on its own page") as caught:
            act()
        assert caught.value.code == "set-by-hand"
    assert Slot.objects.filter(locked=True).count() == 1


def test_a_refusal_is_gone_once_there_are_other_dates(world):
    season = founded(world, dates=())
    SeasonDate.objects.create(season=season, number=1, starts_at=FIRST)
    assert ask_to_draw_season(season, user=world.owner).refused_code == "too-few-dates"
    set_dates(season, DateRule(first=FIRST, every=7), user=world.owner)
    assert not DrawJob.objects.exclude(refused="").exists()

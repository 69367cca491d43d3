"""Founding in one act: plan, names and draw, all or nothing; and a rehearsal that leaves nothing behind."""

import contextlib
import threading
from datetime import UTC, datetime

import pytest
from django.db import connection

from league.accounts.models import League
from league.competitions.draw import founding
from league.competitions.draw.founding import add_players, found_with_players, outlook, plan_anew, rehearse
from league.competitions.draw.plans import Plan
from league.competitions.draw.publishing import publish
from league.competitions.models import Competition, Matchday, Stage
from league.errors import NotAllowed, Refused
from league.matches.models import Match, Table
from league.players.models import Entrant, Player

NAMES = "Vera Lund\nWim Maas\nXenia Ode\nYuri Pohl\nZoe Quist"
START = datetime(2026, 12, 4, 19, 0, tzinfo=UTC)


@pytest.fixture
def owner(world):
    return world.owner


def plan(**changes) -> Plan:
    knock_out = Stage.Format.SINGLE_ELIMINATION
    facts = {"name": "Friday Cup", "ruleset": "udl", "format": knock_out, "starts_at": START, "tables": ("1", "2")}
    return Plan(**facts | changes)


def rows() -> tuple[int, ...]:
    return tuple(model.objects.count() for model in (Competition, Stage, Matchday, Match, Table, Player, Entrant))


def test_one_act_makes_a_draft_with_players_tables_and_a_draw(world, owner) -> None:
    made = found_with_players(world.league, plan(), NAMES, user=owner)
    assert made.published_at is None
    assert [str(one) for one in made.registrations.order_by("seed")] == NAMES.split("\n")
    seen = outlook(made)
    # Three byes of eight places: one match, then two, then the final, on two tables of thirty minutes.
    assert (seen.entrants, seen.rounds, seen.matches) == (5, 3, 4)
    assert (seen.starts_at, seen.finish) == (START, datetime(2026, 12, 4, 20, 30, tzinfo=UTC))


def test_a_rehearsal_says_the_same_and_leaves_nothing(world, owner) -> None:
    before = rows()
    seen = rehearse(lambda: found_with_players(world.league, plan(), NAMES, user=owner))
    assert (seen.entrants, seen.rounds, seen.matches) == (5, 3, 4)
    assert rows() == before


@pytest.mark.parametrize(
    ("changes", "names", "code"),
    [
        ({"options": {"goal": "1"}}, NAMES, "bad-option"),
        ({}, "Vera Lund\nVera Lund", "paste-unclear"),
        ({"third_place": True}, "Vera Lund\nWim Maas", "third-place"),
        ({"starts_at": datetime(9999, 12, 31, 23, 30, tzinfo=UTC)}, NAMES, "bad-plan"),
        ({"starts_at": datetime(1, 1, 1, 0, 30, tzinfo=UTC)}, NAMES, "bad-plan"),
    ],
)
def test_what_is_refused_at_any_step_leaves_nothing(world, owner, changes, names, code) -> None:
    before = rows()
    with pytest.raises(Refused) as refused:
        found_with_players(world.league, plan(**changes), names, user=owner)
    assert refused.value.code == code
    assert rows() == before


def test_a_second_founding_under_one_name_is_refused(world, owner) -> None:
    found_with_players(world.league, plan(), NAMES, user=owner)
    before = rows()
    with pytest.raises(Refused) as refused:
        found_with_players(world.league, plan(name="friday cup"), NAMES, user=owner)
    assert refused.value.code == "name-taken"
    assert rows() == before


def test_nobody_or_one_is_registered_and_not_drawn(world, owner) -> None:
    assert outlook(found_with_players(world.league, plan(), " \n", user=owner)).rounds == 0
    one = found_with_players(world.league, plan(name="Saturday Cup"), "Vera Lund", user=owner)
    assert (outlook(one).entrants, outlook(one).rounds) == (1, 0)


def test_players_are_added_behind_the_others(world, owner) -> None:
    made = found_with_players(world.league, plan(), NAMES, user=owner)
    add_players(made, "Ada Berg\nVito Cruz", user=owner)
    assert [str(one) for one in made.registrations.order_by("seed")][5:] == ["Ada Berg", "Vito Cruz"]
    assert not Matchday.objects.exists()
    assert (outlook(made).entrants, outlook(made).rounds, outlook(made).matches) == (7, 3, 6)


def test_a_draft_planned_anew_is_drawn_anew_and_keeps_its_players(world, owner) -> None:
    made = found_with_players(world.league, plan(), NAMES, user=owner)
    again = plan_anew(made, plan(format=Stage.Format.ROUND_ROBIN), user=owner)
    assert (outlook(again).entrants, outlook(again).rounds, outlook(again).matches) == (5, 5, 10)
    publish(again, user=owner)
    with pytest.raises(Refused) as refused:
        plan_anew(again, plan(), user=owner)
    assert refused.value.code == "already-published"


def test_only_those_who_manage_competitions_found(world) -> None:
    with pytest.raises(NotAllowed):
        found_with_players(world.league, plan(), NAMES, user=world.referee)
    assert not Competition.objects.filter(name="Friday Cup").exists()


# --- Two at once ---


def sent_twice(world, monkeypatch, read) -> list[str]:
    """One form sent twice at once: both have read the league before either goes on, and where a lock keeps the second
    out, the first does not wait for ever. What the second and the first were told, by code.
    """
    both, told = threading.Barrier(2), []

    def read_and_wait(league):
        found = read(league)
        with contextlib.suppress(threading.BrokenBarrierError):
            both.wait(timeout=1)
        return found

    def send():
        try:
            found_with_players(world.league, plan(), NAMES, user=world.owner)
            told.append("founded")
        except Refused as refused:
            told.append(refused.code)
        finally:
            connection.close()

    monkeypatch.setattr(founding, "locked_league", read_and_wait)
    threads = [threading.Thread(target=send) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    return sorted(told)


def test_a_form_sent_twice_at_once_founds_once(shared_world, monkeypatch) -> None:
    assert sent_twice(shared_world, monkeypatch, founding.locked_league) == ["founded", "name-taken"]
    assert Competition.objects.filter(name="Friday Cup").count() == 1


@pytest.mark.postgres
def test_without_the_lock_a_form_sent_twice_founds_twice(shared_world, monkeypatch) -> None:
    """The control of the test before it. The names are those of players who are there already."""
    found_with_players(shared_world.league, plan(name="Before"), NAMES, user=shared_world.owner)
    assert sent_twice(shared_world, monkeypatch, lambda league: League.objects.get(pk=league.pk)) == ["founded"] * 2

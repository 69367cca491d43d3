"""The log of changes: each public change leaves a row in its transaction, and no reader misses one."""

import pytest
from django.db import connection, transaction
from django.utils import timezone

from league.competitions.draw.publishing import publish
from league.competitions.draw.reopening import reopen
from league.competitions.models import Stage
from league.live import log
from league.live.messages import Messenger, has_changed, of_topic
from league.live.models import LiveChange
from league.matches.models import Game, Match
from tests.league.competitions.draw.test_reopening import made_of, slots
from tests.league.world import NOON, World

pytestmark = pytest.mark.django_db


def tallied(match: Match, points: list[int]) -> None:
    tally = {"points": points, "round": 2, "at": timezone.now().isoformat()}
    Game.objects.filter(match=match, number=1).update(tally=tally)


def test_every_watched_table_has_its_triggers() -> None:
    """SQLite drops those of a table that a migration remakes."""
    from importlib import import_module

    changes, desk = (import_module(f"league.live.migrations.{name}") for name in ("0001_changes", "0002_desk"))
    watched = (*changes.WATCHED, *desk.WATCHED)
    names = {changes.trigger_name(table, event) for table, event, *_rest in watched}
    found = (
        "SELECT tgname FROM pg_trigger"
        if connection.vendor == "postgresql"
        else "SELECT name FROM sqlite_master WHERE type = 'trigger'"
    )
    with connection.cursor() as cursor:
        cursor.execute(found)
        assert names <= {name for (name,) in cursor.fetchall()}


def test_a_public_change_leaves_a_row_and_goes_with_its_transaction(world: World) -> None:
    LiveChange.objects.all().delete()
    match = Match.objects.get(pk=world.match.pk)
    with transaction.atomic():
        tallied(match, [10, 0])
        transaction.set_rollback(True)
    assert not LiveChange.objects.exists()
    tallied(match, [10, 0])
    assert [row.match_id for row in LiveChange.objects.all()] == [match.pk]


def test_a_tap_that_changes_no_public_score_leaves_nothing(world: World) -> None:
    tallied(world.match, [10, 0])
    LiveChange.objects.all().delete()
    game = Game.objects.get(match=world.match, number=1)
    Game.objects.filter(pk=game.pk).update(tally=game.tally, taps_head="f" * 64)
    assert not LiveChange.objects.exists()


def test_only_news_of_public_matches_has_a_message_and_only_once(world: World) -> None:
    messenger, match = Messenger(), world.match.pk
    topic, desk = f"match:{match}", f"desk:{world.league.pk}"
    Match.objects.filter(pk=match).update(published_at=timezone.now())
    tallied(world.match, [10, 0])
    changes = [log.Changed(match, None, clock=False, at=timezone.now())]
    [first] = messenger.messages_of(changes)[topic]
    assert first["more"]
    assert "10–0" in first["tally"]["en"]
    assert messenger.messages_of(changes) == {desk: [{"match": match}]}
    tallied(world.match, [10, 15])
    messages = messenger.messages_of(changes)
    [second] = messages[topic]
    assert not second["more"]
    assert "10–15" in second["tally"]["es"]
    assert messages[desk] == [second]
    Match.objects.filter(pk=match).update(published_at=None)
    assert messenger.messages_of(changes)[topic] == [{"match": match, "tally": {}, "more": True}]
    tallied(world.match, [25, 15])
    assert messenger.messages_of(changes) == {desk: [{"match": match}]}


def written() -> list[log.Changed]:
    return log.LogPosition("0").changes_after()[0]


@pytest.mark.sqlite
def test_only_the_desk_learns_of_a_check_in(world: World) -> None:
    cup = made_of(world, Stage.Format.ROUND_ROBIN)
    publish(cup, user=world.owner)
    LiveChange.objects.all().delete()
    cup.registrations.filter(seed=1).update(checked_in_at=timezone.now())
    desk, public = f"desk:{world.league.pk}", f"competition:{cup.pk}"
    assert Messenger().messages_of(written()) == {desk: [{"competition": cup.pk}]}
    assert [has_changed(topic, NOON) for topic in (desk, public, "site")] == [True, False, False]
    assert [of_topic(written(), topic) for topic in (desk, public, "desk:0")] == [None, set(), set()]
    cup.stages.update(finished_at=timezone.now())
    assert {desk, public, "site"} <= set(Messenger().messages_of(written()))


def test_the_time_of_a_change_of_a_draft_is_no_hint(world: World) -> None:
    made = made_of(world, Stage.Format.ROUND_ROBIN)
    match = slots(made)[0].match
    topics = ("site", f"league:{world.league.pk}", f"competition:{made.pk}")

    def found() -> set[object]:
        rows = LiveChange.objects.filter(desk=False)
        changes = [log.Changed(row.match_id, row.competition_id, clock=False, at=row.at) for row in rows]
        seen = {of_topic(changes, topic) is None for topic in topics}
        return seen | {has_changed(topic, NOON) for topic in topics}

    LiveChange.objects.all().delete()
    LiveChange.objects.create(match_id=match.pk, at=timezone.now())
    made.stages.update(finished_at=timezone.now())
    made.stages.update(finished_at=None)
    assert LiveChange.objects.count() > 1
    assert found() == {False}
    publish(made, user=world.owner)
    assert found() == {True}
    reopen(made, user=world.owner)
    assert found() == {True}


def test_old_rows_are_pruned(world: World) -> None:
    tallied(world.match, [10, 0])
    kept = LiveChange.objects.count()
    LiveChange.objects.create(match_id=world.match.pk, at=timezone.now() - log.KEPT)
    assert log.prune() == 1
    assert LiveChange.objects.count() == kept

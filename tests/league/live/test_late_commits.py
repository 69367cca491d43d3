"""A row that commits late is not missed, though a later row was read before it."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest
from django.db import connection, transaction
from django.utils import timezone

from league.live import log
from league.matches.logs.submission import Fixture, schedule_matches
from league.matches.models import Game
from tests.league.world import World

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]
PATIENCE_S = 20


def tallied(game: Game, points: int) -> None:
    tally = {"points": [points, 0], "round": 2, "at": timezone.now().isoformat()}
    Game.objects.filter(pk=game.pk).update(tally=tally)


@pytest.fixture
def games(shared_world: World) -> list[Game]:
    agreed = Fixture(
        league=shared_world.league,
        entrants=[shared_world.ana, shared_world.bo],
        ruleset="udl",
        options={},
        published_at=timezone.now(),
        best_of=1,
    )
    return [match.games.get() for match in schedule_matches([agreed, agreed])]


def test_no_reader_misses_a_late_commit_or_waits_for_it(games: list[Game]) -> None:
    late, early = games
    written, let_go = Event(), Event()

    def slow() -> None:
        try:
            with transaction.atomic():
                tallied(late, 10)
                written.set()
                assert let_go.wait(PATIENCE_S)
        finally:
            connection.close()

    begin = log.here()
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(slow)
        assert written.wait(PATIENCE_S)
        tallied(early, 20)
        first, between = begin.changes_after()
        let_go.set()
        running.result(PATIENCE_S)
    second, after = between.changes_after()
    assert [change.match_id for change in first] == [early.match_id]
    assert [change.match_id for change in second] == [late.match_id]
    # A reader who comes back gets the changes between two positions, once.
    assert begin.changes_after(between)[0] == first
    assert between.changes_after(after)[0] == second
    assert after.changes_after()[0] == []

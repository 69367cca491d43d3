"""CPU seconds to make a list of ratings from its games: `python tests/benchmarks/bench_ratings.py [games]`.

100,000 games of 1,300 players (the clubs of Barbados, COMPETITIONS.md) over five years, on a database of its own that
is dropped afterwards: SQLite, or what DATABASE_URL names. Told are the numbers alone (`glicko.steps`), the list from
nothing (`recompute`), the comparison that the sweep and the check make, and what a new match and an amended one cost.
"""

import os
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
os.environ.setdefault("DATA_DIR", tempfile.mkdtemp(prefix="bench-"))

PLAYERS = 1300
WEEKS = 260
BEGIN = datetime(2021, 1, 4, 19, tzinfo=UTC)
BATCH = 500


def main(games: int) -> int:
    import django

    django.setup()
    from django.db import connection
    from django.test.utils import setup_test_environment, teardown_test_environment

    setup_test_environment(debug=False)  # with DEBUG every statement would be noted down
    connection.creation.create_test_db(verbosity=0)
    try:
        print(f"{games} games of {PLAYERS} players in {WEEKS} weeks on {connection.vendor}")
        measure(games)
    finally:
        connection.creation.destroy_test_db(":memory:", verbosity=0)
        teardown_test_environment()
    return 0


def measure(games: int) -> None:
    from league.competitions.models import RatedGame, Rating, RatingList
    from league.competitions.ratings import services as ratings
    from league.competitions.ratings.glicko2 import RatedBout, steps
    from league.matches.models import Match, Result

    league = fill(games)
    told("recompute from nothing", lambda: ratings.recompute(league, "udl"))
    bouts = [RatedBout(*row) for row in RatedGame.objects.values_list("period", "first", "second", "points")]
    told("of which the numbers alone", lambda: list(steps(bouts, {})))
    one = RatingList.objects.select_related("league").get()
    told("the sweep, nothing to do", lambda: ratings.rate_league(league.pk))
    told("--check", lambda: ratings.differences(one))
    for name, match in (("a match of the last week", games - 1), ("an amended match of the middle", games // 2)):
        key = Match.objects.order_by("pk")[match].pk
        Result.objects.filter(game__match=key).update(winner=None)
        told(name, lambda key=key: ratings.rate_match(key))
    print(f"  rows of history {Rating.objects.count()}")


def told(what: str, act: Callable[[], object]) -> None:
    begun = time.process_time()
    act()
    print(f"  {what:32} {time.process_time() - begun:7.2f} s")


def fill(games: int) -> object:
    """Straight into the tables; a stronger player wins more often."""
    from league.accounts.models import League, User
    from league.competitions.models import Competition, Matchday, Slot, Stage
    from league.matches.models import Game, Match, Record, Result, Side
    from league.players.models import Entrant, Player

    rng = Random(1)
    league = League.objects.create(name="Bench", slug="bench")
    user = User.objects.create(username="bench")
    people = Player.objects.bulk_create((Player(name=f"P{n}") for n in range(PLAYERS)), batch_size=BATCH)
    entrants = Entrant.objects.bulk_create((Entrant(league=league, player=one) for one in people), batch_size=BATCH)
    cup = Competition.objects.create(league=league, name="Bench", slug="bench", ruleset="udl", published_at=BEGIN)
    day = Matchday.objects.create(stage=Stage.objects.create(competition=cup), number=1)
    matches = Match.objects.bulk_create(
        (Match(league=league, ruleset="udl", published_at=BEGIN, state="decided") for _n in range(games)),
        batch_size=BATCH,
    )
    Slot.objects.bulk_create((Slot(matchday=day, number=n, match=m) for n, m in enumerate(matches)), batch_size=BATCH)
    pairs = [rng.sample(range(PLAYERS), 2) for _match in matches]
    sides = (
        Side(match=match, number=number, entrant=entrants[place])
        for match, pair in zip(matches, pairs, strict=True)
        for number, place in enumerate(pair, start=1)
    )
    Side.objects.bulk_create(sides, batch_size=BATCH)
    played = Game.objects.bulk_create((Game(match=match) for match in matches), batch_size=BATCH)
    records = Record.objects.bulk_create(
        (
            Record(
                game=game,
                submitted_by=user,
                submitted_at=BEGIN + timedelta(weeks=WEEKS * n // games),
                upload_sha256=str(n),
                state="verified",
            )
            for n, game in enumerate(played)
        ),
        batch_size=BATCH,
    )
    results = (
        Result(
            game_id=record.game_id,
            record=record,
            scores={},
            winner=1 if rng.random() < 1 / (1 + 10 ** ((one - other) / PLAYERS)) else 2,
            state="official",
            entered_at=record.submitted_at,
        )
        for record, (one, other) in zip(records, pairs, strict=True)
    )
    Result.objects.bulk_create(results, batch_size=BATCH)
    return league


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000))

"""Pages of a competition of 7,000 beside one of 16: `python -m tests.benchmarks.bench_pages [entrants] [--only Swiss]`.

CPU milliseconds and statements of each page, on a database of its own that is dropped afterwards: SQLite, or what
DATABASE_URL names. `first`: the look after something changed, which computes what the others find kept; then the
fastest of several. A knock-out, a Swiss system of nine rounds of which all are played (the first paired by the product,
the others by chance), and as many groups of ten as there may be. Target: the large one in at most five times the time
of the small one, with no more statements.
"""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from random import Random

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
os.environ.setdefault("DATA_DIR", tempfile.mkdtemp(prefix="bench-"))
os.environ.setdefault("DEBUG", "1")

SMALL = 16
TARGET = 5.0
LOOKS = 3
BATCH = 500
SIDE = ("number", "entrant")
AT = datetime(2026, 11, 6, 19, tzinfo=UTC)
ROUNDS = 9
MOST_GROUPS = 64
A_GROUP = 10
PAGES = {
    "knock-out: front page": "/competitions/bench/knock-out-{n}/",
    "knock-out: bracket": "/competitions/bench/knock-out-{n}/bracket/",
    "knock-out: organizer": "/organize/bench/competitions/knock-out-{n}/",
    "Swiss: front page, standings": "/competitions/bench/swiss-{n}/",
    "Swiss: last page of the rounds": "/competitions/bench/swiss-{n}/?page=1000",
    "Swiss: after a round": "/competitions/bench/swiss-{n}/?after=2",
    "Swiss: in another order": "/competitions/bench/swiss-{n}/?sort=points_for",
    "Swiss: a player followed": "/competitions/bench/swiss-{n}/?player={code}",
    "Swiss: how a player stands": "/competitions/bench/swiss-{n}/standings/{code}/",
    "Swiss: places by round": "/competitions/bench/swiss-{n}/places/?player={code}",
    "Swiss: cross-table": "/competitions/bench/swiss-{n}/cross-table/?player={code}",
    "Swiss: schedule": "/competitions/bench/swiss-{n}/schedule/",
    "Swiss: players": "/competitions/bench/swiss-{n}/players/",
    "Swiss: on another site": "/embed/bench/swiss-{n}/standings/",
    "Swiss: organizer": "/organize/bench/competitions/swiss-{n}/",
    "groups: front page, standings": "/competitions/bench/groups-{n}/",
    "groups: organizer": "/organize/bench/competitions/groups-{n}/",
}


def main(entrants: int, only: str) -> int:
    with database():
        return measure(entrants, only)


@contextmanager
def database() -> Iterator[None]:
    """Of its own, dropped afterwards."""
    import django

    django.setup()
    from django.db import connection
    from django.test.utils import setup_test_environment, teardown_test_environment

    setup_test_environment(debug=False)
    connection.creation.create_test_db(verbosity=0)
    try:
        yield
    finally:
        connection.creation.destroy_test_db(":memory:", verbosity=0)
        teardown_test_environment()


def measure(entrants: int, only: str) -> int:
    from django.db import connection
    from django.test import Client

    from league.competitions.models import Registration

    league, owner, people = club(max(entrants, SMALL))
    codes = {}
    for count in (SMALL, entrants):
        begun = time.process_time()
        if only in "knock-out":
            knock_out(league, owner, people[:count])
        if only in "Swiss":
            swiss(league, owner, people[:count])
        if only in "groups":
            groups(league, owner, people[:count])
        rows = Registration.objects.filter(competition__name__endswith=f" {count}").order_by("-seed")
        codes[count] = rows.select_related("entrant__player").first().entrant.code
        print(f"{count} entrants: drawn and played in {time.process_time() - begun:.1f} s CPU")
    client = Client()
    client.force_login(owner)
    print(f"on {connection.vendor}: first, then CPU ms, statements, kB of {SMALL} | of {entrants} | times")
    worst = 0.0
    for name, path in ((name, path) for name, path in PAGES.items() if name.startswith(only)):
        small, large = (look(client, path.format(n=count, code=codes[count])) for count in (SMALL, entrants))
        times = large[1] / small[1]
        worst = max(worst, times)
        same = "" if small[2] >= large[2] else "  MORE STATEMENTS"
        told = " | ".join(
            f"{first:7.0f}, {ms:7.1f} ms {count:3} {size:6.0f} kB" for first, ms, count, size in (small, large)
        )
        print(f"  {name:30} {told} | {times:5.1f}{same}")
    print(f"  slowest {worst:.1f} times, target {TARGET}")
    return 0 if worst <= TARGET else 1


def look(client, path: str) -> tuple[float, float, int, float]:
    from django.core.cache import cache
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    client.get(path)  # what a process computes once
    cache.clear()
    seconds = []
    for _ in range(1 + LOOKS):
        begun = time.process_time()
        answer = client.get(path)
        seconds.append(time.process_time() - begun)
        assert answer.status_code == 200, (path, answer.status_code)
    with CaptureQueriesContext(connection) as asked:
        client.get(path)
    return 1000 * seconds[0], 1000 * min(seconds[1:]), len(asked), len(answer.content) / 1000


def club(count: int):
    from league.accounts.models import League, Role, User
    from league.players.models import Entrant, Membership, Player
    from league.players.naming import fold

    league = League.objects.create(name="Bench", slug="bench", confirmation_required=False)
    owner = User.objects.create(username="owner")
    Role.objects.create(user=owner, league=league, kind=Role.Kind.OWNER)
    names = [f"Player {number:05}" for number in range(1, count + 1)]
    players = Player.objects.bulk_create([Player(name=name, folded=fold(name)) for name in names], batch_size=BATCH)
    Membership.objects.bulk_create(
        [Membership(player=one, league=league, since=AT.date()) for one in players], batch_size=BATCH
    )
    people = Entrant.objects.bulk_create([Entrant(league=league, player=one) for one in players], batch_size=BATCH)
    return league, owner, people


def founded(league, owner, people, **plan):
    from league.competitions.draw.plans import Plan, found
    from league.competitions.draw.publishing import publish
    from league.competitions.draw.stages import draw
    from league.competitions.registration.entries import register

    made = found(league, Plan(ruleset="udl", **plan), user=owner)
    register(made, people)
    draw(made, user=owner)
    publish(made, user=owner)
    made.refresh_from_db()
    return made


def score(winner: int, chance: Random) -> dict[str, int]:
    return {str(winner): 150, str(3 - winner): 5 * chance.randrange(28)}


def knock_out(league, owner, people) -> None:
    made = founded(league, owner, people, name=f"Knock-out {len(people)}", format="single_elimination")
    play(owner, made, 1)


def swiss(league, owner, people) -> None:
    """Its first round is paired by the product, the others by chance: nine rounds of thousands take an hour to pair."""
    plan = {"format": "swiss", "release": "round_by_round", "rounds": ROUNDS}
    made = founded(league, owner, people, name=f"Swiss {len(people)}", **plan)
    play(owner, made, 1)
    for number in range(2, ROUNDS + 1):
        pair_by_chance(made, people, number)
        play(owner, made, number)


def pair_by_chance(competition, people, number: int) -> None:
    from league.competitions.models import Berth, Matchday, Slot
    from league.matches.models import Game, Match, Side

    order = list(people)
    Random(number).shuffle(order)
    pairs = list(zip(order[::2], order[1::2], strict=False))
    day = Matchday.objects.create(stage=competition.stages.get(), number=number, published_at=AT)
    shared = {"league": competition.league, "ruleset": "udl", "published_at": AT, "starts_at": AT}
    matches = Match.objects.bulk_create([Match(**shared) for _ in pairs], batch_size=BATCH)
    slots = [Slot(matchday=day, number=place, match=match) for place, match in enumerate(matches, start=1)]
    Slot.objects.bulk_create(slots, batch_size=BATCH)
    Game.objects.bulk_create([Game(match=match) for match in matches], batch_size=BATCH)
    sides, berths = [], []
    for match, slot, pair in zip(matches, slots, pairs, strict=True):
        sides += [Side(match=match, number=side, entrant=one) for side, one in enumerate(pair, start=1)]
        berths += [Berth(slot=slot, number=side, entrant=one) for side, one in enumerate(pair, start=1)]
    Side.objects.bulk_create(sides, batch_size=BATCH)
    Berth.objects.bulk_create(berths, batch_size=BATCH)


def groups(league, owner, people) -> None:
    count = min(MOST_GROUPS, max(2, len(people) // A_GROUP))
    plan = {"name": f"Groups {len(people)}", "format": "groups", "groups": count}
    made = founded(league, owner, people[: count * A_GROUP], **plan)
    for number in range(1, A_GROUP):
        play(owner, made, number)


def play(owner, competition, number: int) -> None:
    """Every match of a round gets an official result, straight into the rows; of a knock-out the winners go on."""
    from league.competitions.draw.advancing import schedule, without_match
    from league.competitions.models import Berth, Slot
    from league.matches.models import Game, KnownBy, Match, Record, Result

    chance = Random(number)
    slots = Slot.objects.filter(matchday__stage__competition=competition, matchday__number=number, match__isnull=False)
    games = list(Game.objects.filter(match__slot__in=slots).order_by("pk"))
    made = {"submitted_by": owner, "submitted_at": AT, "seats": {"A": 1, "B": 2}, "state": Record.State.VERIFIED}
    records = Record.objects.bulk_create(
        [Record(game=game, upload_sha256=f"{game.pk:064d}", **made) for game in games], batch_size=BATCH
    )
    official = {"state": Result.State.OFFICIAL, "known_by": KnownBy.LOG, "ended": "target", "entered_at": AT}
    winners = [chance.choice((1, 2)) for _ in games]
    results = (
        Result(
            game=game,
            record=record,
            winner=side,
            scores={str(side): 150, str(3 - side): 5 * chance.randrange(28)},
            **official,
        )
        for game, record, side in zip(games, records, winners, strict=True)
    )
    Result.objects.bulk_create(list(results), batch_size=BATCH)
    matches = Match.objects.filter(slot__in=slots)
    matches.update(state=Match.State.DECIDED)
    side_of = {game.match_id: side for game, side in zip(games, winners, strict=True)}
    winner_of = {
        slot: entrant
        for slot, match, side, entrant in slots.values_list(
            "pk", "match", "match__sides__number", "match__sides__entrant"
        )
        if side_of[match] == side
    }
    waiting = list(Berth.objects.filter(from_slot__in=slots, entrant=None))
    for berth in waiting:
        berth.entrant_id = winner_of[berth.from_slot_id]
    Berth.objects.bulk_update(waiting, ["entrant"], batch_size=BATCH)
    schedule(competition, without_match().filter(matchday__stage__competition=competition))


if __name__ == "__main__":
    asked = argparse.ArgumentParser()
    asked.add_argument("entrants", nargs="?", type=int, default=7000)
    asked.add_argument("--only", default="", choices=["knock-out", "Swiss", "groups"])
    given = asked.parse_args()
    sys.exit(main(given.entrants, given.only))

"""Compare times of `verify` and `rebuild --check`: `bench_rows.py [games] [jobs]`.

Both check the same official UDL games, played out by chance. Target: at most 1.5 times the time of `rebuild --check`,
no alarm, and memory that does not grow with the number of games. On SQLite, in a folder that is removed afterwards.
"""

import contextlib
import io
import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
os.environ["DJANGO_SETTINGS_MODULE"] = "league.settings"
os.environ["DEBUG"] = "0"
os.environ.setdefault("SECRET_KEY", "of a benchmark")
os.environ.setdefault("ALLOWED_HOSTS", "localhost")
TARGET = 1.5
LOGS = 200
"""Number of different logs; each is submitted for several games."""


def main(games: int, jobs: int) -> int:
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        os.environ["DATA_DIR"] = folder
        import django

        django.setup()
        from django.core.management import call_command

        from tests.template_database import put_into

        put_into(Path(folder))
        fill(games)
        rebuild = timed(lambda: call_command("rebuild", check=True))
        before = peak()
        found = timed(lambda: call_command("verify"))
        grown = peak() - before
        print(f"{games} games, {os.cpu_count()} cores")
        print(f"  rebuild --check  {rebuild:7.1f} s")
        print(f"  verify           {found:7.1f} s, ratio {found / rebuild:.2f}, target at most {TARGET}")
        print(f"  memory of verify {grown:7.1f} MB more than before")
        if jobs > 1:
            print(f"  verify --jobs {jobs}  {timed(lambda: call_command('verify', jobs=jobs)):7.1f} s")
    return 0 if found <= TARGET * rebuild else 1


def fill(games: int) -> None:
    from unittest import mock

    from django.db import connection, transaction

    from league.matches.logs import submission
    from tests.league.world import make_world, played_log

    connection.force_debug_cursor = False
    world = make_world()
    world.league.confirmation_required = False
    world.league.save()
    texts = [played_log(seed) for seed in range(LOGS)]
    with mock.patch.object(submission, "queue_verification"):
        for start in range(0, games, 500):
            with transaction.atomic():
                for number in range(start, min(start + 500, games)):
                    world.match = world.fixture()
                    submission.verify_record(world.submit(texts[number % LOGS]).pk)


def timed(act: Callable[[], object]) -> float:
    """Return wall seconds. Raises CommandError if a row differs."""
    begun = time.perf_counter()
    with contextlib.redirect_stdout(io.StringIO()):
        act()
    return time.perf_counter() - begun


def peak() -> float:
    """Return the peak memory in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    numbers = [int(one) for one in sys.argv[1:]]
    sys.exit(main(*[*numbers, *(10_000, 1)[len(numbers) :]]))

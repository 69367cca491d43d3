"""CPU of the verification service against the engine's own: `python tests/benchmarks/bench_verification.py [games]`.

The service reads a stored log, verifies it and stores verdict and result in one transaction. The engine is what
`referee` does of that: `verify_text(text)` and `as_json` of the verdict. Target: outside of the engine at most 5 times
the engine's CPU time, on games of about 160 event lines. Runs on a database of its own that is dropped afterwards:
SQLite, or what DATABASE_URL names.
"""

import os
import sys
import tempfile
import time
from itertools import count, islice
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
os.environ.setdefault("DATA_DIR", tempfile.mkdtemp(prefix="bench-"))

TARGET = 5.0


def main(games: int) -> int:
    import django

    django.setup()
    from django.db import connection
    from django.test.utils import setup_test_environment, teardown_test_environment

    setup_test_environment(debug=False)  # with DEBUG every statement would be noted down
    connection.creation.create_test_db(verbosity=0)
    try:
        engine, service = measure(games)
    finally:
        connection.creation.destroy_test_db(":memory:", verbosity=0)
        teardown_test_environment()
    outside = service - engine
    print(f"{games} games on {connection.vendor}, CPU milliseconds a game")
    print(f"  engine (text to stored form)  {1000 * engine / games:6.2f}")
    print(f"  service outside of the engine {1000 * outside / games:6.2f}")
    print(f"  ratio {outside / engine:.2f}, target at most {TARGET}")
    return 0 if outside <= TARGET * engine else 1


def is_about_160_lines(text: str) -> bool:
    return 140 <= sum(1 for line in text.split("\n") if line and line[0] != "[") <= 180


def measure(games: int) -> tuple[float, float]:
    """CPU seconds of the engine alone and of the service, over the same logs."""
    from unittest import mock

    from league.matches.logs import submission
    from referee import verify_text
    from tests.league.world import make_world, played_log

    world = make_world()
    records = []
    with mock.patch.object(submission, "queue_verification"):
        for text in islice(filter(is_about_160_lines, map(played_log, count())), games):
            world.match = world.fixture()
            records.append(world.submit(text))
    for record in records[:10]:  # warm up
        verify_text(record.sealed.text)[0].as_json(plays=False, stored=True)
    begun = time.process_time()
    for record in records:
        verify_text(record.sealed.text)[0].as_json(plays=False, stored=True)
    engine = time.process_time() - begun
    begun = time.process_time()
    for record in records:
        submission.verify_record(record.pk)
    return engine, time.process_time() - begun


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 500))

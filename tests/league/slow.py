"""The site's Celery application with a referee that takes its time: `celery -A tests.league.slow worker`.

For tests that kill a worker in the middle of its work, or have several at the same record. SLOW_FOLDER: each
verification leaves a file there when it begins. SLOW_SECONDS: how long it then takes.
"""

import os
import time
import uuid
from pathlib import Path

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
django.setup()

from league.celery import app  # noqa: E402
from league.matches.logs import submission  # noqa: E402

__all__ = ["app"]

judge = submission.judge


def judge_slowly(due: object) -> object:
    (Path(os.environ["SLOW_FOLDER"]) / f"{uuid.uuid4().hex}.judging").touch()
    time.sleep(float(os.environ["SLOW_SECONDS"]))
    return judge(due)


# Only in a worker that was started for it: whoever merely reads this module keeps the referee as it is.
if "SLOW_FOLDER" in os.environ:
    submission.judge = judge_slowly

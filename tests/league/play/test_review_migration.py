"""Reviews of practice games from before they had a table of their own are kept in it."""

import pytest
from django.db import connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from league.backups import schema
from league.play.models import MoveReview, PracticeGame

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both]


@pytest.mark.slow("runs the migrations of the app back and on")
def test_reviews_of_practice_games_are_kept() -> None:
    executor = MigrationExecutor(connection)
    executor.migrate([("play", "0002_tables")])
    old = schema.apps_after(schema.applied()).get_model("play", "PracticeGame")
    now = timezone.now()
    about = {"ruleset": "udl", "level": "greedy", "seed": "s", "lines": "", "started_at": now, "moved_at": now}
    old.objects.create(**about, code="A", review=[{"number": 1}], review_asked_at=now, review_tries=2)
    old.objects.create(**about, code="B", review_asked_at=now)
    old.objects.create(**about, code="C")
    with connection.constraint_checks_disabled(), transaction.atomic():
        schema.migrate_to_today()
    kept = MoveReview.objects.order_by("practice__code").values_list("practice__code", "hands", "tries", "asked_at")
    assert list(kept) == [("A", [{"number": 1}], 2, now), ("B", None, 0, now)]
    assert PracticeGame.objects.get(code="C").hinted == []

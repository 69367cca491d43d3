import django.db.models.deletion
from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def copy_reviews(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    games = apps.get_model("play", "PracticeGame").objects.filter(review_asked_at__isnull=False)
    rows = games.order_by("pk").values_list("pk", "review_asked_at", "review_tries", "review")
    review = apps.get_model("play", "MoveReview")
    review.objects.bulk_create(
        review(practice_id=pk, asked_at=asked_at, tries=tries, hands=hands)
        for pk, asked_at, tries, hands in rows.iterator(chunk_size=500)
    )


class Migration(migrations.Migration):
    dependencies = [
        ("matches", "0001_tables"),
        ("play", "0002_tables"),
    ]

    operations = [
        migrations.AddField(
            model_name="practicegame",
            name="hinted",
            field=models.JSONField(blank=True, default=list, verbose_name="lines with a hint"),
        ),
        migrations.CreateModel(
            name="MoveReview",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("seat", models.PositiveSmallIntegerField(default=0, verbose_name="seat")),
                ("asked_at", models.DateTimeField(verbose_name="review asked")),
                ("tries", models.PositiveSmallIntegerField(default=0, verbose_name="tries")),
                ("hands", models.JSONField(blank=True, null=True, verbose_name="review")),
                ("public", models.BooleanField(default=False, verbose_name="public, if all agree")),
                (
                    "online",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="reviews",
                        to="play.onlinegame",
                        verbose_name="online game",
                    ),
                ),
                (
                    "practice",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="move_review",
                        to="play.practicegame",
                        verbose_name="practice game",
                    ),
                ),
                (
                    "record",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="move_reviews",
                        to="matches.record",
                        verbose_name="record",
                    ),
                ),
            ],
            options={
                "verbose_name": "review of moves",
                "verbose_name_plural": "reviews of moves",
                "constraints": [
                    models.UniqueConstraint(fields=("online", "seat"), name="one_review_a_seat_online"),
                    models.UniqueConstraint(fields=("record", "seat"), name="one_review_a_seat_of_a_log"),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("online", None), ("practice__isnull", False), ("record", None)),
                            models.Q(("online__isnull", False), ("practice", None), ("record", None)),
                            models.Q(("online", None), ("practice", None), ("record__isnull", False)),
                            _connector="OR",
                        ),
                        name="a_review_of_one_game",
                    ),
                ],
            },
        ),
        migrations.RunPython(copy_reviews, migrations.RunPython.noop),
        migrations.RemoveField(model_name="practicegame", name="review"),
        migrations.RemoveField(model_name="practicegame", name="review_asked_at"),
        migrations.RemoveField(model_name="practicegame", name="review_tries"),
    ]

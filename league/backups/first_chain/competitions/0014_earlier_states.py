"""What a draft was before an act that destroyed something of it."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0004_silence"),
        ("competitions", "0013_amendments"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="EarlierState",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(max_length=16, verbose_name="key of the competition")),
                ("name", models.CharField(max_length=120, verbose_name="name")),
                (
                    "before",
                    models.CharField(
                        choices=[
                            ("drawn", "drawn anew"),
                            ("planned", "planned anew"),
                            ("added", "players added, and the draw taken back"),
                            ("taken_out", "players taken out"),
                            ("seeded", "another order of seeds"),
                            ("lots", "lots drawn for the order"),
                            ("paired", "draft round paired anew"),
                            ("swapped", "two exchanged in the draft round"),
                            ("stage", "stage drawn anew"),
                            ("undone", "gone back to an earlier state"),
                            ("discarded", "discarded"),
                        ],
                        max_length=9,
                        verbose_name="before",
                    ),
                ),
                ("made_at", models.DateTimeField(db_index=True, verbose_name="kept")),
                ("entrants", models.PositiveIntegerField(default=0, verbose_name="entrants")),
                ("matches", models.PositiveIntegerField(default=0, verbose_name="matches")),
                ("rounds", models.PositiveIntegerField(default=0, verbose_name="rounds")),
                ("rounds_shown", models.PositiveIntegerField(blank=True, null=True, verbose_name="rounds shown")),
                ("rows", models.BinaryField(verbose_name="rows")),
                ("size", models.PositiveIntegerField(default=0, verbose_name="bytes")),
                ("restored_at", models.DateTimeField(blank=True, null=True, verbose_name="restored")),
                (
                    "league",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="earlier_states",
                        to="accounts.league",
                        verbose_name="league",
                    ),
                ),
                (
                    "made_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="earlier_states",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="by",
                    ),
                ),
                (
                    "restored_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="restored_states",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="restored by",
                    ),
                ),
            ],
            options={
                "verbose_name": "earlier state",
                "verbose_name_plural": "earlier states",
                "ordering": ["-pk"],
                "indexes": [models.Index(fields=["league", "key"], name="earlier_states_of_one")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("restored_at__isnull", True), ("restored_by__isnull", True)),
                            models.Q(("restored_at__isnull", False), ("restored_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="restored_by_somebody",
                    )
                ],
            },
        ),
    ]

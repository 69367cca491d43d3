"""Rehearsals: what was asked for, and their reports."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("competitions", "0022_ladders"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Rehearsal",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("seed", models.PositiveIntegerField(verbose_name="seed of chance")),
                ("entrants", models.PositiveIntegerField(verbose_name="entrants")),
                ("wishes", models.JSONField(blank=True, default=dict, verbose_name="wishes")),
                ("asked_at", models.DateTimeField(verbose_name="asked")),
                ("language", models.CharField(blank=True, max_length=16, verbose_name="language")),
                ("tries", models.PositiveSmallIntegerField(default=0, verbose_name="tries")),
                ("done_at", models.DateTimeField(blank=True, null=True, verbose_name="done")),
                ("report", models.JSONField(blank=True, default=dict, verbose_name="report")),
                ("refused_code", models.CharField(blank=True, max_length=40, verbose_name="refused: code")),
                ("refused", models.CharField(blank=True, max_length=1000, verbose_name="refused")),
                (
                    "asked_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="rehearsals",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="asked by",
                    ),
                ),
                (
                    "competition",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="rehearsals",
                        to="competitions.competition",
                        verbose_name="competition",
                    ),
                ),
            ],
            options={
                "verbose_name": "rehearsal",
                "verbose_name_plural": "rehearsals",
                "ordering": ["-pk"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("done_at__isnull", True)),
                        fields=("competition",),
                        name="one_rehearsal_at_a_time",
                    )
                ],
            },
        ),
    ]

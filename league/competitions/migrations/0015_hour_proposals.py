"""Hours that a side of a match proposes to the other."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("competitions", "0014_delay_of_running_scores"),
        ("matches", "0006_tile_lines"),
        ("players", "0002_names_by_three_letters"),
    ]

    operations = [
        migrations.CreateModel(
            name="HourProposal",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("first", models.DateTimeField(verbose_name="first hour")),
                ("second", models.DateTimeField(blank=True, null=True, verbose_name="second hour")),
                ("instead_of", models.DateTimeField(blank=True, null=True, verbose_name="instead of")),
                ("made_at", models.DateTimeField(verbose_name="made")),
                ("agreed_at", models.DateTimeField(blank=True, null=True, verbose_name="agreed")),
                (
                    "entrant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="hour_proposals",
                        to="players.entrant",
                        verbose_name="proposed by",
                    ),
                ),
                (
                    "match",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="hour_proposals",
                        to="matches.match",
                        verbose_name="match",
                    ),
                ),
            ],
            options={
                "verbose_name": "proposal of hours",
                "verbose_name_plural": "proposals of hours",
                "ordering": ["made_at", "pk"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("agreed_at", None)), fields=("match",), name="one_open_proposal_a_match"
                    )
                ],
            },
        ),
    ]

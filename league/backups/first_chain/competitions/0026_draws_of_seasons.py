"""A draw that was asked for may be of all divisions of a season."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("competitions", "0025_sign_ups_of_pairs"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="drawjob",
            name="season",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="draw_jobs",
                to="competitions.season",
                verbose_name="season",
            ),
        ),
        migrations.AlterField(
            model_name="drawjob",
            name="competition",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="draw_jobs",
                to="competitions.competition",
                verbose_name="competition",
            ),
        ),
        migrations.AlterField(
            model_name="drawjob",
            name="what",
            field=models.CharField(
                choices=[
                    ("first", "the draw"),
                    ("next", "the next round"),
                    ("anew", "the draft round anew"),
                    ("here", "the draw with those who are here"),
                    ("all", "all divisions"),
                    ("dated", "what was drawn, on other dates"),
                ],
                max_length=5,
                verbose_name="what",
            ),
        ),
        migrations.AddConstraint(
            model_name="drawjob",
            constraint=models.UniqueConstraint(
                condition=models.Q(("done_at__isnull", True)), fields=("season",), name="one_draw_of_a_season_at_a_time"
            ),
        ),
        migrations.AddConstraint(
            model_name="drawjob",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("competition__isnull", True), ("season__isnull", False), ("what__in", ["all", "dated"])),
                    models.Q(
                        ("competition__isnull", False),
                        ("season__isnull", True),
                        models.Q(("what__in", ["all", "dated"]), _negated=True),
                    ),
                    _connector="OR",
                ),
                name="a_draw_of_a_competition_or_a_season",
            ),
        ),
    ]

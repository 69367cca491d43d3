import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("competitions", "0021_draws_with_those_who_are_here"),
        ("players", "0004_doors"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="stage",
            name="challenge_days",
            field=models.PositiveSmallIntegerField(default=0, verbose_name="days until a challenge lapses"),
        ),
        migrations.AddField(
            model_name="stage",
            name="challenge_reach",
            field=models.PositiveSmallIntegerField(default=0, verbose_name="challenge up to so many places above"),
        ),
        migrations.AlterField(
            model_name="stage",
            name="format",
            field=models.CharField(
                choices=[
                    ("round_robin", "round robin"),
                    ("double_round_robin", "double round robin"),
                    ("single_elimination", "knock-out"),
                    ("double_elimination", "double elimination"),
                    ("groups", "groups"),
                    ("swiss", "Swiss system"),
                    ("table_rounds", "rounds at tables of 3 to 6"),
                    ("ladder", "ladder"),
                ],
                default="round_robin",
                max_length=20,
                verbose_name="format",
            ),
        ),
        migrations.CreateModel(
            name="Challenge",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("made_at", models.DateTimeField(verbose_name="made")),
                ("closed_at", models.DateTimeField(blank=True, null=True, verbose_name="closed unplayed")),
                (
                    "closed_how",
                    models.CharField(
                        blank=True,
                        choices=[("withdrawn", "withdrawn"), ("expired", "not played in time")],
                        max_length=10,
                        verbose_name="how",
                    ),
                ),
                (
                    "challenged",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="challenges_met",
                        to="players.entrant",
                        verbose_name="challenged",
                    ),
                ),
                (
                    "challenger",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="challenges_made",
                        to="players.entrant",
                        verbose_name="challenger",
                    ),
                ),
                (
                    "made_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="challenges",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="made by",
                    ),
                ),
                (
                    "slot",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="challenge",
                        to="competitions.slot",
                        verbose_name="slot",
                    ),
                ),
                (
                    "stage",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="challenges",
                        to="competitions.stage",
                        verbose_name="stage",
                    ),
                ),
            ],
            options={
                "verbose_name": "challenge",
                "verbose_name_plural": "challenges",
                "ordering": ["made_at", "pk"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("challenger", models.F("challenged")), _negated=True),
                        name="nobody_challenges_oneself",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("closed_at__isnull", True), ("closed_how", "")),
                            models.Q(
                                ("closed_at__isnull", False),
                                ("slot__isnull", True),
                                models.Q(("closed_how", ""), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="a_closed_challenge_is_not_played",
                    ),
                ],
            },
        ),
    ]

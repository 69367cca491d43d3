import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    """The judge of a match.

    `contested` is called "under review", which changes no column.
    """

    dependencies = [
        ("matches", "0026_later_verdicts"),
        ("players", "0008_long_names"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AlterField(
            model_name="result",
            name="contested",
            field=models.BooleanField(default=False, verbose_name="under review"),
        ),
        migrations.CreateModel(
            name="NamedJudge",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("named_at", models.DateTimeField(verbose_name="named")),
                ("accepted", models.JSONField(blank=True, default=dict, verbose_name="accepted by")),
                (
                    "match",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="judge",
                        to="matches.match",
                        verbose_name="match",
                    ),
                ),
                (
                    "named_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="named_judges",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="named by",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="judged",
                        to="players.player",
                        verbose_name="member",
                    ),
                ),
            ],
            options={"verbose_name": "judge", "verbose_name_plural": "judges", "ordering": ["pk"]},
        ),
    ]

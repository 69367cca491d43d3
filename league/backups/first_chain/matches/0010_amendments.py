"""An official result can be amended; what was official before, and what became void, says so."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0004_silence"),
        ("matches", "0009_imports"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Amendment",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(max_length=8, verbose_name="kind")),
                ("data", models.JSONField(verbose_name="what it says")),
                ("scores", models.JSONField(verbose_name="scores")),
                ("winner", models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="winner")),
                ("reason", models.CharField(max_length=200, verbose_name="reason")),
                (
                    "later",
                    models.CharField(
                        blank=True,
                        choices=[("stand", "they stand as played"), ("void", "they are void, and played anew")],
                        max_length=5,
                        verbose_name="later matches",
                    ),
                ),
                ("effect", models.CharField(editable=False, max_length=64)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("proposed", "waits for another official"),
                            ("confirmed", "confirmed"),
                            ("refused", "refused"),
                            ("withdrawn", "withdrawn"),
                        ],
                        default="proposed",
                        max_length=9,
                        verbose_name="state",
                    ),
                ),
                ("proposed_at", models.DateTimeField(verbose_name="proposed")),
                ("closed_at", models.DateTimeField(blank=True, db_index=True, null=True, verbose_name="closed")),
            ],
            options={
                "verbose_name": "amendment",
                "verbose_name_plural": "amendments",
                "ordering": ["pk"],
            },
        ),
        migrations.RemoveConstraint(
            model_name="result",
            name="an_official_result_stays",
        ),
        migrations.RemoveConstraint(
            model_name="result",
            name="confirmed_is_official",
        ),
        migrations.AlterField(
            model_name="result",
            name="confirmed_how",
            field=models.CharField(
                blank=True,
                choices=[
                    ("person", "by somebody signed in"),
                    ("side", "by the other side at the table"),
                    ("pin", "by the other side, with its PIN"),
                    ("signed", "both signed the card"),
                    ("agreed", "two entered the same"),
                    ("silence", "the other side said nothing in time"),
                    ("amended", "it amends an official result"),
                ],
                max_length=8,
                verbose_name="confirmed how",
            ),
        ),
        migrations.AlterField(
            model_name="result",
            name="state",
            field=models.CharField(
                choices=[("provisional", "provisional"), ("official", "official"), ("amended", "amended")],
                default="provisional",
                max_length=12,
                verbose_name="state",
            ),
        ),
        migrations.AddConstraint(
            model_name="result",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("current", True), ("state__in", ["provisional", "official"])),
                    models.Q(("current", False), ("state__in", ["provisional", "amended"])),
                    _connector="OR",
                ),
                name="an_official_result_stays",
            ),
        ),
        migrations.AddConstraint(
            model_name="result",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("confirmed_at__isnull", True), ("confirmed_by__isnull", True), ("confirmed_how", "")),
                    models.Q(
                        ("confirmed_at__isnull", False),
                        ("confirmed_by__isnull", False),
                        ("confirmed_how", "person"),
                        ("state__in", ("official", "amended")),
                    ),
                    models.Q(
                        ("confirmed_at__isnull", False),
                        ("confirmed_how__in", ("side", "pin", "signed", "agreed", "silence", "amended")),
                        ("state__in", ("official", "amended")),
                    ),
                    _connector="OR",
                ),
                name="confirmed_is_official",
            ),
        ),
        migrations.AddField(
            model_name="amendment",
            name="closed_by",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="amendments_closed",
                to=settings.AUTH_USER_MODEL,
                verbose_name="closed by",
            ),
        ),
        migrations.AddField(
            model_name="amendment",
            name="game",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="amendments",
                to="matches.game",
                verbose_name="game",
            ),
        ),
        migrations.AddField(
            model_name="amendment",
            name="new",
            field=models.OneToOneField(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="amendment",
                to="matches.result",
                verbose_name="result after it",
            ),
        ),
        migrations.AddField(
            model_name="amendment",
            name="old",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="amended_by",
                to="matches.result",
                verbose_name="result before it",
            ),
        ),
        migrations.AddField(
            model_name="amendment",
            name="proposed_by",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="amendments_proposed",
                to=settings.AUTH_USER_MODEL,
                verbose_name="proposed by",
            ),
        ),
        migrations.AddField(
            model_name="match",
            name="voided_by",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="voided",
                to="matches.amendment",
                verbose_name="void since",
            ),
        ),
        migrations.AddConstraint(
            model_name="match",
            constraint=models.CheckConstraint(
                condition=models.Q(("voided_by__isnull", True), ("state", "decided"), _connector="OR"),
                name="a_void_match_is_closed",
            ),
        ),
        migrations.AddConstraint(
            model_name="amendment",
            constraint=models.UniqueConstraint(
                condition=models.Q(("state", "proposed")), fields=("game",), name="one_amendment_at_a_time"
            ),
        ),
        migrations.AddConstraint(
            model_name="amendment",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("closed_at__isnull", True), ("closed_by__isnull", True), ("state", "proposed")),
                    models.Q(
                        models.Q(("state", "proposed"), _negated=True),
                        ("closed_at__isnull", False),
                        ("closed_by__isnull", False),
                    ),
                    _connector="OR",
                ),
                name="an_amendment_is_closed_by_somebody",
            ),
        ),
        migrations.AddConstraint(
            model_name="amendment",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("new__isnull", False), ("state", "confirmed")),
                    models.Q(models.Q(("state", "confirmed"), _negated=True), ("new__isnull", True)),
                    _connector="OR",
                ),
                name="a_confirmed_amendment_has_a_result",
            ),
        ),
    ]

"""A game may be known from a tally, a card or a bare score as well, and be confirmed by people without an account."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from league.accounts.codes import new_match_door

BATCH = 500


def open_doors(apps, schema_editor):
    matches = apps.get_model("matches", "Match").objects
    rows = []
    for match in matches.only("pk").iterator():
        match.door = new_match_door()
        rows.append(match)
    matches.bulk_update(rows, ["door"], batch_size=BATCH)


def say_how(apps, schema_editor):
    results = apps.get_model("matches", "Result").objects
    results.exclude(confirmed_at=None).update(confirmed_how="person")


class Migration(migrations.Migration):
    dependencies = [
        ("matches", "0005_clock_events_never_change"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="ScoreSheet",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("data", models.JSONField(verbose_name="what it says")),
                ("sha256", models.CharField(max_length=64, verbose_name="SHA-256")),
            ],
            options={
                "verbose_name": "score sheet",
                "verbose_name_plural": "score sheets",
                "base_manager_name": "objects",
            },
        ),
        migrations.RemoveConstraint(
            model_name="result",
            name="confirmed_is_official",
        ),
        migrations.AddField(
            model_name="match",
            name="door",
            field=models.CharField(default="", editable=False, max_length=12),
        ),
        migrations.AddField(
            model_name="match",
            name="level",
            field=models.CharField(
                choices=[
                    ("log", "verified from the log"),
                    ("tally", "checked tally"),
                    ("card", "checked card"),
                    ("score", "recorded"),
                ],
                default="score",
                max_length=8,
                verbose_name="to be known by",
            ),
        ),
        migrations.AddField(
            model_name="record",
            name="reason",
            field=models.CharField(blank=True, max_length=200, verbose_name="reason"),
        ),
        migrations.AddField(
            model_name="record",
            name="signed",
            field=models.BooleanField(default=False, verbose_name="signed by both"),
        ),
        migrations.AddField(
            model_name="record",
            name="via",
            field=models.CharField(
                choices=[("account", "signed in"), ("desk", "typed by the desk"), ("table", "at the table")],
                default="account",
                max_length=8,
                verbose_name="came in",
            ),
        ),
        migrations.AddField(
            model_name="record",
            name="withdrawn_at",
            field=models.DateTimeField(blank=True, null=True, verbose_name="withdrawn"),
        ),
        migrations.AddField(
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
                ],
                max_length=8,
                verbose_name="confirmed how",
            ),
        ),
        migrations.AddField(
            model_name="result",
            name="contested",
            field=models.BooleanField(default=False, verbose_name="contested"),
        ),
        migrations.AddField(
            model_name="side",
            name="device",
            field=models.CharField(blank=True, editable=False, max_length=32),
        ),
        migrations.AlterField(
            model_name="record",
            name="kind",
            field=models.CharField(
                choices=[
                    ("log", "verified from the log"),
                    ("tally", "checked tally"),
                    ("card", "checked card"),
                    ("score", "recorded"),
                    ("ruled", "ruled"),
                ],
                default="log",
                max_length=8,
                verbose_name="kind",
            ),
        ),
        migrations.AlterField(
            model_name="record",
            name="submitted_by",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="records",
                to=settings.AUTH_USER_MODEL,
                verbose_name="submitted by",
            ),
        ),
        migrations.AlterField(
            model_name="result",
            name="known_by",
            field=models.CharField(
                choices=[
                    ("log", "verified from the log"),
                    ("tally", "checked tally"),
                    ("card", "checked card"),
                    ("score", "recorded"),
                    ("ruled", "ruled"),
                ],
                default="log",
                max_length=8,
                verbose_name="known by",
            ),
        ),
        migrations.RunPython(open_doors, migrations.RunPython.noop),
        migrations.RunPython(say_how, migrations.RunPython.noop),
        migrations.AlterField(
            model_name="match",
            name="door",
            field=models.CharField(default=new_match_door, editable=False, max_length=12, unique=True),
        ),
        migrations.AddConstraint(
            model_name="record",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("for_side__isnull", False), ("via", "table")),
                    ("submitted_by__isnull", False),
                    _connector="OR",
                ),
                name="a_record_comes_from_somebody",
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
                        ("state", "official"),
                    ),
                    models.Q(
                        ("confirmed_at__isnull", False),
                        ("confirmed_how__in", ("side", "pin", "signed", "agreed", "silence")),
                        ("state", "official"),
                    ),
                    _connector="OR",
                ),
                name="confirmed_is_official",
            ),
        ),
        migrations.AddField(
            model_name="scoresheet",
            name="record",
            field=models.OneToOneField(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="score_sheet",
                to="matches.record",
                verbose_name="record",
            ),
        ),
    ]

"""Competitions can come from files: each has a key by which a file names it."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import league.accounts.codes

BATCH = 500


def make_keys(apps, schema_editor):
    """Adding the column gave all of them the same one."""
    competitions = apps.get_model("competitions", "Competition").objects
    rows = list(competitions.only("pk"))
    for row in rows:
        row.key = league.accounts.codes.new_code()
    competitions.bulk_update(rows, ["key"], batch_size=BATCH)


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0004_silence"),
        ("competitions", "0011_ratings"),
        ("matches", "0009_imports"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="competition",
            name="imported_at",
            field=models.DateTimeField(blank=True, editable=False, null=True, verbose_name="imported"),
        ),
        migrations.AddField(
            model_name="competition",
            name="imported_by",
            field=models.ForeignKey(
                blank=True,
                editable=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="imported_competitions",
                to=settings.AUTH_USER_MODEL,
                verbose_name="imported by",
            ),
        ),
        migrations.AddField(
            model_name="competition",
            name="key",
            field=models.CharField(
                default=league.accounts.codes.new_code, editable=False, max_length=16, verbose_name="key"
            ),
        ),
        migrations.AddField(
            model_name="registration",
            name="key",
            field=models.CharField(blank=True, editable=False, max_length=16, verbose_name="key"),
        ),
        migrations.RunPython(make_keys, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name="competition",
            constraint=models.UniqueConstraint(fields=("league", "key"), name="a_competition_key_once"),
        ),
        migrations.AddConstraint(
            model_name="competition",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("imported_at__isnull", True), ("imported_by__isnull", True)),
                    models.Q(("imported_at__isnull", False), ("imported_by__isnull", False)),
                    _connector="OR",
                ),
                name="imported_by_somebody",
            ),
        ),
    ]

from django.db import migrations, models


def to_be_counted(apps, schema_editor) -> None:
    """The sweep counts them, some at a time (league/matches/logs/figures.py)."""
    verdicts = apps.get_model("matches", "StoredVerdict").objects.using(schema_editor.connection.alias)
    with_result = verdicts.filter(status__in=["verified", "corrected", "violation"])
    with_result.filter(record__kind="log").update(figures=None)


class Migration(migrations.Migration):
    dependencies = [
        ("matches", "0013_amendments_by_state"),
    ]

    operations = [
        migrations.AddField(
            model_name="storedverdict",
            name="figures",
            field=models.JSONField(blank=True, default=dict, editable=False, null=True, verbose_name="figures"),
        ),
        migrations.AddIndex(
            model_name="storedverdict",
            index=models.Index(condition=models.Q(("figures__isnull", True)), fields=["id"], name="verdicts_to_count"),
        ),
        migrations.RunPython(to_be_counted, migrations.RunPython.noop),
    ]

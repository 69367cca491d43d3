"""Write the titles of knock-outs again: the losers of semi-finals without a match for third place share it."""

from django.db import migrations

KNOCK_OUTS = ("single_elimination", "double_elimination")


def forget_titles(apps, _schema_editor):
    competitions = apps.get_model("competitions", "Competition").objects.filter(stages__format__in=KNOCK_OUTS)
    apps.get_model("competitions", "Competition").objects.filter(pk__in=competitions.values("pk")).update(
        honours_at=None
    )


class Migration(migrations.Migration):
    dependencies = [("competitions", "0001_tables")]

    operations = [migrations.RunPython(forget_titles, migrations.RunPython.noop)]

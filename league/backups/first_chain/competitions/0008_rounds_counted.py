"""Rounds that are there already are counted as their names say: within their stage, which had one part."""

from django.db import migrations
from django.db.models import F


def count(apps, _schema_editor):
    apps.get_model("competitions", "Matchday").objects.update(nth=F("number"))


class Migration(migrations.Migration):
    dependencies = [("competitions", "0007_stages")]

    operations = [migrations.RunPython(count, migrations.RunPython.noop)]

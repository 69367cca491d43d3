import unicodedata

from django.db import migrations


def fold(name):
    parts = unicodedata.normalize("NFKD", name.casefold())
    return "".join(letter for letter in parts if unicodedata.category(letter) != "Mn")


def write_folded(apps, schema_editor):
    players = apps.get_model("players", "Player")
    for player in players.objects.exclude(name="").iterator():
        players.objects.filter(pk=player.pk).update(folded=fold(player.name))


class Migration(migrations.Migration):
    dependencies = [("players", "0002_people")]
    operations = [migrations.RunPython(write_folded, migrations.RunPython.noop)]

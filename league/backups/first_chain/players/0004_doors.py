"""Every entrant gets a door and a PIN of its own."""

from django.db import migrations, models

from league.accounts.codes import new_entrant_door, new_pin

BATCH = 500


def open_doors(apps, schema_editor):
    entrants = apps.get_model("players", "Entrant").objects
    rows = []
    for entrant in entrants.only("pk").iterator():
        entrant.door, entrant.pin = new_entrant_door(), new_pin()
        rows.append(entrant)
    entrants.bulk_update(rows, ["door", "pin"], batch_size=BATCH)


class Migration(migrations.Migration):
    dependencies = [("players", "0003_folded_names")]

    operations = [
        migrations.AddField("entrant", "door", models.CharField(default="", editable=False, max_length=16)),
        migrations.AddField("entrant", "pin", models.CharField(default=new_pin, editable=False, max_length=4)),
        migrations.RunPython(open_doors, migrations.RunPython.noop),
        migrations.AlterField(
            "entrant",
            "door",
            models.CharField(default=new_entrant_door, editable=False, max_length=16, unique=True),
        ),
    ]

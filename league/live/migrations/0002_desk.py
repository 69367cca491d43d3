"""Changes that only the desk sees: check-in, fees, disputes, calls for the referee."""

from functools import partial
from importlib import import_module

from django.db import migrations, models

changes = import_module("league.live.migrations.0001_changes")

OF_DISPUTE = "(SELECT match_id FROM disputes_dispute WHERE id = {row}.dispute_id)"

WATCHED = (
    ("competitions_registration", "INSERT", "", "competition_id", "{row}.competition_id"),
    ("competitions_registration", "UPDATE", "checked_in_at", "competition_id", "{row}.competition_id"),
    ("competitions_registration", "DELETE", "", "competition_id", "{row}.competition_id"),
    ("competitions_payment", "INSERT", "", "competition_id", "{row}.competition_id"),
    ("competitions_payment", "UPDATE", "returned_at", "competition_id", "{row}.competition_id"),
    ("disputes_disputeentry", "INSERT", "", "match_id", OF_DISPUTE),
    ("disputes_refereecall", "INSERT", "", "match_id", "{row}.match_id"),
    ("disputes_refereecall", "UPDATE", "taken_at ended_at", "match_id", "{row}.match_id"),
)


class Migration(migrations.Migration):
    dependencies = [
        ("live", "0001_changes"),
        ("matches", "0006_tile_lines"),
        ("disputes", "0003_referee_calls"),
    ]

    operations = [
        # SQLite remakes the table, which the triggers name.
        migrations.RunPython(changes.unwatch, changes.watch),
        migrations.AddField("livechange", "desk", models.BooleanField(db_default=False)),
        migrations.RunPython(changes.watch, changes.unwatch),
        migrations.RunPython(
            partial(changes.watch, watched=WATCHED, flag="desk"), partial(changes.unwatch, watched=WATCHED)
        ),
    ]

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def copy_players(apps: Apps, schema_editor: BaseDatabaseSchemaEditor | None) -> None:
    seats = apps.get_model("play", "OnlineSeat").objects
    rematches = seats.filter(player="", game__rematch_of__isnull=False).select_related("game")
    for seat in rematches.order_by("game", "pk"):  # the first rematch of a series comes first
        before = seats.filter(game=seat.game.rematch_of_id, key=seat.key).exclude(player="").first()
        if before is not None:
            seat.player = before.player
            seat.name = before.player if before.name == before.player else seat.name  # an erased player
            seat.save(update_fields=["player", "name"])


class Migration(migrations.Migration):
    dependencies = [
        ("play", "0004_online_players"),
    ]

    operations = [
        migrations.RunPython(copy_players, migrations.RunPython.noop),
    ]

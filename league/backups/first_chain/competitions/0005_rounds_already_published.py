"""Rounds of competitions that are published already are published; their slots get the berths, tables and hours that
their matches have.
"""

from django.db import migrations


def fill(apps, _schema_editor):
    matchdays = apps.get_model("competitions", "Matchday").objects
    for day in matchdays.filter(published_at=None, stage__competition__published_at__isnull=False).select_related(
        "stage__competition"
    ):
        day.published_at = day.stage.competition.published_at
        day.save(update_fields=["published_at"])
    berth = apps.get_model("competitions", "Berth")
    side = apps.get_model("matches", "Side")
    for slot in apps.get_model("competitions", "Slot").objects.filter(berths=None).select_related("match"):
        if slot.match is None:
            continue
        slot.table_id, slot.starts_at = slot.match.table_id, slot.match.starts_at
        slot.save(update_fields=["table", "starts_at"])
        berth.objects.bulk_create(
            berth(slot=slot, number=one.number, entrant_id=one.entrant_id)
            for one in side.objects.filter(match=slot.match)
        )


class Migration(migrations.Migration):
    dependencies = [("competitions", "0004_matchday_kinds"), ("matches", "0003_order_of_logs_and_decisions")]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]

"""Hash chain of payments. Null columns without a default: SQLite keeps the triggers."""

from django.db import migrations, models

from league.competitions.registration.payment_chain import PaymentFacts, payment_head, return_head


def chain(apps, schema_editor):
    payments = apps.get_model("competitions", "Payment").objects.using(schema_editor.connection.alias)
    before: dict[int, str] = {}
    for one in payments.select_related("entrant__player", "entrant__partner").order_by("competition", "pk"):
        players = [player.code for player in (one.entrant.player, one.entrant.partner) if player is not None]
        facts = PaymentFacts(one.competition_id, players, one.amount, one.taken_at, one.taken_by_id)
        one.paid_head = before[one.competition_id] = payment_head(before.get(one.competition_id, ""), facts)
        if one.returned_at is not None:
            one.returned_head = return_head(one.paid_head, one.returned_at, one.returned_by_id)
        one.save(update_fields=["paid_head", "returned_head"])


class Migration(migrations.Migration):
    dependencies = [
        ("competitions", "0015_hour_proposals"),
    ]

    operations = [
        migrations.AddField(
            model_name="payment",
            name="paid_head",
            field=models.CharField(blank=True, editable=False, max_length=64, null=True, verbose_name="chain head"),
        ),
        migrations.AddField(
            model_name="payment",
            name="returned_head",
            field=models.CharField(
                blank=True, editable=False, max_length=64, null=True, verbose_name="hash of the return"
            ),
        ),
        migrations.RunPython(chain, migrations.RunPython.noop),
    ]

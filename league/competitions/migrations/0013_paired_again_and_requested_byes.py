"""Pairings that a waiting amendment questions."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("competitions", "0011_dispatcher"),
        ("matches", "0004_called_to_a_table"),
    ]

    operations = [
        migrations.AddField(
            model_name="slot",
            name="questioned_by",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=models.SET_NULL,
                related_name="questioned_slots",
                to="matches.amendment",
                verbose_name="questioned by",
            ),
        ),
    ]

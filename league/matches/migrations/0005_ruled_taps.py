"""Taps that an official ruled at the table. A null column without a default: SQLite keeps the triggers."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("matches", "0004_called_to_a_table"),
    ]

    operations = [
        migrations.AddField(
            model_name="tallytap",
            name="ruled",
            field=models.BooleanField(blank=True, null=True, verbose_name="ruled by an official"),
        ),
    ]

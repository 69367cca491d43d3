"""Taps of the tile pad: lines of the notation. A null column without a default: SQLite keeps the triggers."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("matches", "0005_ruled_taps"),
    ]

    operations = [
        migrations.AddField(
            model_name="tallytap",
            name="line",
            field=models.TextField(blank=True, null=True, verbose_name="lines"),
        ),
        migrations.AlterField(
            model_name="tallytap",
            name="kind",
            field=models.CharField(
                choices=[
                    ("points", "points"),
                    ("muggins", "muggins"),
                    ("penalty", "penalty"),
                    ("round_end", "end of a round"),
                    ("undo", "taken back"),
                    ("bell", "the bell"),
                    ("end", "end of the game"),
                    ("take_over", "another pad goes on"),
                    ("line", "lines of the log"),
                ],
                max_length=9,
                verbose_name="what",
            ),
        ),
    ]

"""Pairings that a waiting amendment questions, and requested byes."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("competitions", "0012_push_notifications"),
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
        migrations.AddField(
            model_name="slot",
            name="requested_bye",
            field=models.BooleanField(default=False, verbose_name="requested bye"),
        ),
        migrations.AddField(
            model_name="registration",
            name="bye_rounds",
            field=models.JSONField(blank=True, default=list, editable=False, verbose_name="requested byes"),
        ),
        migrations.AddField(
            model_name="competition",
            name="requested_bye",
            field=models.CharField(
                choices=[
                    ("draw", "the points of a draw"),
                    ("none", "no points"),
                    ("win", "the points of a win"),
                ],
                default="draw",
                max_length=4,
                verbose_name="a requested bye gives",
            ),
        ),
        migrations.AddField(
            model_name="competition",
            name="most_byes",
            field=models.PositiveSmallIntegerField(default=1, verbose_name="requested byes a player"),
        ),
    ]

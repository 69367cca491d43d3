"""Matches of an entrant who leaves; competitions founded before keep and forfeit, as they were founded."""

from django.db import migrations, models


def keep_what_they_were_founded_with(apps, _schema_editor):
    apps.get_model("competitions", "Competition").objects.update(leaving="keep")


class Migration(migrations.Migration):
    dependencies = [("competitions", "0009_changes_by_a_late_entry")]

    operations = [
        migrations.AddField(
            model_name="competition",
            name="leaving",
            field=models.CharField(
                choices=[
                    ("half", "kept from half of the matches on, else annulled"),
                    ("keep", "kept, the rest forfeited"),
                    ("annul", "all annulled"),
                ],
                default="half",
                max_length=5,
                verbose_name="matches of a player who leaves",
            ),
        ),
        migrations.RunPython(keep_what_they_were_founded_with, migrations.RunPython.noop),
    ]

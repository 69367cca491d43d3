"""Two settings of the standings; competitions founded before keep what they were founded with."""

from django.db import migrations, models


def keep_what_they_were_founded_with(apps, _schema_editor):
    apps.get_model("competitions", "Competition").objects.update(forfeit_points=True, direct_by="wins")


class Migration(migrations.Migration):
    dependencies = [("competitions", "0002_shared_third_places")]

    operations = [
        migrations.AddField(
            model_name="competition",
            name="forfeit_points",
            field=models.BooleanField(
                default=False,
                help_text="Target to nothing; otherwise they add no points.",
                verbose_name="forfeits count in the points",
            ),
        ),
        migrations.AddField(
            model_name="competition",
            name="direct_by",
            field=models.CharField(
                choices=[
                    ("points", "wins, points difference, then points for among them"),
                    ("wins", "wins among them only"),
                ],
                default="points",
                max_length=6,
                verbose_name="direct encounter by",
            ),
        ),
        migrations.RunPython(keep_what_they_were_founded_with, migrations.RunPython.noop),
    ]

"""By how many seconds a competition's running scores are delayed."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("competitions", "0013_paired_again_and_requested_byes")]

    operations = [
        migrations.AddField(
            model_name="competition",
            name="live_delay_s",
            field=models.PositiveSmallIntegerField(
                choices=[(0, "At once"), (30, "After 30 seconds"), (60, "After 60 seconds")],
                default=0,
                editable=False,
                verbose_name="delay of running scores",
            ),
        ),
    ]

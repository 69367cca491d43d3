"""Matches that rested on a result that was taken back."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("matches", "0002_rows_never_change"),
    ]

    operations = [
        migrations.AddField(
            model_name="match",
            name="set_aside_at",
            field=models.DateTimeField(blank=True, editable=False, null=True, verbose_name="set aside"),
        ),
    ]

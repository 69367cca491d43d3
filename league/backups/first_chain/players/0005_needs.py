"""Who needs an accessible table."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("players", "0004_doors"),
    ]

    operations = [
        migrations.AddField(
            model_name="entrant",
            name="needs_accessible",
            field=models.BooleanField(default=False, verbose_name="needs an accessible table"),
        ),
    ]

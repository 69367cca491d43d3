"""A record can come from a file."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("matches", "0008_taps"),
    ]

    operations = [
        migrations.AlterField(
            model_name="record",
            name="via",
            field=models.CharField(
                choices=[
                    ("account", "signed in"),
                    ("desk", "typed by the desk"),
                    ("table", "at the table"),
                    ("import", "imported"),
                ],
                default="account",
                max_length=8,
                verbose_name="came in",
            ),
        ),
    ]

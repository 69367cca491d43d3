"""Tables in the order of the hall; which are accessible, and which on the stream."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("matches", "0011_partners"),
    ]

    operations = [
        migrations.AddField(
            model_name="table",
            name="accessible",
            field=models.BooleanField(default=False, verbose_name="accessible"),
        ),
        migrations.AddField(
            model_name="table",
            name="place",
            field=models.PositiveSmallIntegerField(default=0, verbose_name="place in the order"),
        ),
        migrations.AddField(
            model_name="table",
            name="stream",
            field=models.BooleanField(default=False, verbose_name="on the stream"),
        ),
    ]

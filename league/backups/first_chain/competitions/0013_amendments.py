"""Who stands in a berth although an earlier result was amended."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("competitions", "0012_imports"),
        ("matches", "0010_amendments"),
    ]

    operations = [
        migrations.AddField(
            model_name="berth",
            name="stands_although",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="berths",
                to="matches.amendment",
                verbose_name="stands although",
            ),
        ),
    ]

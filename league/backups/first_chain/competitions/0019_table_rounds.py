from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("competitions", "0018_starting_ratings"),
        ("matches", "0010_amendments"),
        ("players", "0004_doors"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="berth",
            name="a_slot_has_two_berths",
        ),
        migrations.AddField(
            model_name="berth",
            name="absent_since",
            field=models.DateTimeField(blank=True, null=True, verbose_name="absent since"),
        ),
        migrations.AddField(
            model_name="stage",
            name="place_points",
            field=models.JSONField(blank=True, default=list, verbose_name="points by place"),
        ),
        migrations.AddField(
            model_name="stage",
            name="seats",
            field=models.PositiveSmallIntegerField(default=0, verbose_name="seats at a table"),
        ),
        migrations.AlterField(
            model_name="stage",
            name="format",
            field=models.CharField(
                choices=[
                    ("round_robin", "round robin"),
                    ("double_round_robin", "double round robin"),
                    ("single_elimination", "knock-out"),
                    ("double_elimination", "double elimination"),
                    ("groups", "groups"),
                    ("swiss", "Swiss system"),
                    ("table_rounds", "rounds at tables of 3 to 6"),
                ],
                default="round_robin",
                max_length=20,
                verbose_name="format",
            ),
        ),
        migrations.AddConstraint(
            model_name="berth",
            constraint=models.CheckConstraint(
                condition=models.Q(("number__gte", 1), ("number__lte", 6)), name="a_slot_has_up_to_six_berths"
            ),
        ),
    ]

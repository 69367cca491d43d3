"""Who is pinned to a table, and which match is for the stream."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("competitions", "0019_table_rounds"),
        ("matches", "0012_tables_of_the_hall"),
        ("players", "0005_needs"),
    ]

    operations = [
        migrations.AddField(
            model_name="competition",
            name="top_board_streamed",
            field=models.BooleanField(
                default=False,
                help_text="Of each round, when it is drawn.",
                verbose_name="the top board goes to the stream table",
            ),
        ),
        migrations.AddField(
            model_name="registration",
            name="pinned_table",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="pinned",
                to="matches.table",
                verbose_name="plays at this table only",
            ),
        ),
        migrations.AddField(
            model_name="slot",
            name="for_stream",
            field=models.BooleanField(default=False, verbose_name="for the stream"),
        ),
        migrations.AddConstraint(
            model_name="registration",
            constraint=models.UniqueConstraint(
                fields=("competition", "pinned_table"), name="a_table_is_pinned_for_one"
            ),
        ),
    ]

"""The rows of live tallies. Both databases refuse to change them; PostgreSQL refuses to remove them as well (0002 says
why not SQLite).
"""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

POSTGRESQL = """
CREATE FUNCTION matches_refuse_tallytap_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'a tap of a tally is never changed or removed' USING ERRCODE = 'restrict_violation';
END;
$$;
CREATE TRIGGER matches_tallytap_is_final
    BEFORE UPDATE OR DELETE ON matches_tallytap FOR EACH ROW EXECUTE FUNCTION matches_refuse_tallytap_change();
"""
POSTGRESQL_UNDO = """
DROP TRIGGER matches_tallytap_is_final ON matches_tallytap;
DROP FUNCTION matches_refuse_tallytap_change();
"""
SQLITE = """
CREATE TRIGGER matches_tallytap_is_final
BEFORE UPDATE ON matches_tallytap
BEGIN
    SELECT RAISE(ABORT, 'a tap of a tally is never changed or removed');
END;
"""
SQLITE_UNDO = "DROP TRIGGER matches_tallytap_is_final;"


def seal(apps, schema_editor):
    schema_editor.execute({"postgresql": POSTGRESQL, "sqlite": SQLITE}[schema_editor.connection.vendor])


def unseal(apps, schema_editor):
    schema_editor.execute({"postgresql": POSTGRESQL_UNDO, "sqlite": SQLITE_UNDO}[schema_editor.connection.vendor])


class Migration(migrations.Migration):
    dependencies = [
        ("matches", "0007_score_sheets_never_change"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="game",
            name="tally",
            field=models.JSONField(blank=True, editable=False, null=True, verbose_name="running score"),
        ),
        migrations.CreateModel(
            name="TallyTap",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField(verbose_name="number")),
                ("touch", models.UUIDField(verbose_name="touch")),
                ("pad", models.UUIDField(verbose_name="pad")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("points", "points"),
                            ("muggins", "muggins"),
                            ("penalty", "penalty"),
                            ("round_end", "end of a round"),
                            ("undo", "taken back"),
                            ("bell", "the bell"),
                            ("end", "end of the game"),
                            ("take_over", "another pad goes on"),
                        ],
                        max_length=9,
                        verbose_name="what",
                    ),
                ),
                ("seat", models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="seat")),
                ("points", models.PositiveIntegerField(default=0, verbose_name="points")),
                ("spinner", models.CharField(blank=True, max_length=4, verbose_name="spinner")),
                ("ended", models.CharField(blank=True, max_length=8, verbose_name="ended by")),
                ("winner", models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="winner")),
                ("left", models.JSONField(blank=True, null=True, verbose_name="left in the hands")),
                ("of", models.PositiveIntegerField(blank=True, null=True, verbose_name="of tap")),
                ("clock_ms", models.PositiveIntegerField(blank=True, null=True, verbose_name="the clock had counted")),
                ("for_side", models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="for side")),
                ("tapped_at", models.DateTimeField(verbose_name="tapped")),
                ("mono_ms", models.PositiveBigIntegerField(default=0, verbose_name="timer of the device")),
                ("received_at", models.DateTimeField(verbose_name="received")),
                ("head", models.CharField(max_length=64, verbose_name="chain head")),
                (
                    "by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="taps",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="by",
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="taps",
                        to="matches.game",
                        verbose_name="game",
                    ),
                ),
            ],
            options={
                "verbose_name": "tap of a tally",
                "verbose_name_plural": "taps of tallies",
                "ordering": ["game", "number"],
                "base_manager_name": "objects",
                "constraints": [
                    models.UniqueConstraint(fields=("game", "number"), name="a_tap_number_once"),
                    models.UniqueConstraint(fields=("game", "touch"), name="a_touch_once"),
                    models.CheckConstraint(
                        condition=models.Q(("by__isnull", False), ("for_side__isnull", False), _connector="OR"),
                        name="a_tap_comes_from_somebody",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("kind", "undo"), ("of__isnull", False)),
                            models.Q(models.Q(("kind", "undo"), _negated=True), ("of__isnull", True)),
                            _connector="OR",
                        ),
                        name="only_an_undo_takes_back",
                    ),
                ],
            },
        ),
        migrations.RunPython(seal, unseal),
    ]

import django.db.models.deletion
import django.db.models.functions.comparison
from django.conf import settings
from django.db import migrations, models

import league.accounts.codes
import league.accounts.lettered
from league.initial_tables import InitialTables
from league.matches.migrations._rows_never_change import guard, unguard


class Migration(InitialTables):
    replaces = [
        ("matches", "0001_tables"),
        ("matches", "0002_rows_never_change"),
        ("matches", "0003_set_aside"),
        ("matches", "0004_called_to_a_table"),
        ("matches", "0005_ruled_taps"),
        ("matches", "0006_tile_lines"),
    ]

    dependencies = [
        ("accounts", "0001_tables_squashed_0002"),
        ("players", "0001_tables_squashed_0002"),
    ]

    operations = [
        migrations.CreateModel(
            name="RowCheck",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("started_at", models.DateTimeField(verbose_name="started")),
                ("finished_at", models.DateTimeField(blank=True, db_index=True, null=True, verbose_name="finished")),
                ("after", models.PositiveBigIntegerField(default=0, verbose_name="after match")),
                ("records", models.PositiveIntegerField(default=0, verbose_name="records")),
                ("rows", models.PositiveIntegerField(default=0, verbose_name="rows that differ")),
                (
                    "official",
                    models.PositiveIntegerField(default=0, verbose_name="official results of another edition"),
                ),
                ("edition", models.PositiveIntegerField(default=0, verbose_name="other verdicts of another edition")),
                ("found", models.JSONField(default=list, verbose_name="found")),
            ],
            options={
                "verbose_name": "check of all rows",
                "verbose_name_plural": "checks of all rows",
                "ordering": ["pk"],
            },
        ),
        migrations.CreateModel(
            name="Table",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "league",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="tables",
                        to="accounts.league",
                        verbose_name="league",
                    ),
                ),
                ("name", league.accounts.lettered.NameColumn(letters=40, max_length=440, verbose_name="name")),
                ("place", models.PositiveSmallIntegerField(default=0, verbose_name="place in the order")),
                ("accessible", models.BooleanField(default=False, verbose_name="accessible")),
                ("stream", models.BooleanField(default=False, verbose_name="on the stream")),
                ("out_of_order", models.BooleanField(default=False, verbose_name="out of order")),
            ],
            options={
                "verbose_name": "table",
                "verbose_name_plural": "tables",
                "constraints": [models.UniqueConstraint(fields=("league", "name"), name="a_table_once")],
            },
        ),
        migrations.CreateModel(
            name="Match",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "league",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="matches",
                        to="accounts.league",
                        verbose_name="league",
                    ),
                ),
                ("ruleset", models.CharField(max_length=40, verbose_name="ruleset")),
                ("options", models.JSONField(blank=True, default=dict, verbose_name="options")),
                ("best_of", models.PositiveSmallIntegerField(default=1, verbose_name="best of")),
                (
                    "table",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="matches",
                        to="matches.table",
                        verbose_name="table",
                    ),
                ),
                ("starts_at", models.DateTimeField(blank=True, db_index=True, null=True, verbose_name="starts")),
                (
                    "level",
                    models.CharField(
                        choices=[
                            ("log", "verified from the log"),
                            ("tally", "checked tally"),
                            ("card", "checked card"),
                            ("score", "recorded"),
                        ],
                        default="score",
                        max_length=8,
                        verbose_name="to be known by",
                    ),
                ),
                (
                    "door",
                    models.CharField(
                        default=league.accounts.codes.new_match_door, editable=False, max_length=12, unique=True
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("scheduled", "upcoming"),
                            ("playing", "being played"),
                            ("provisional", "provisional"),
                            ("decided", "official"),
                        ],
                        db_index=True,
                        default="scheduled",
                        max_length=16,
                        verbose_name="state",
                    ),
                ),
                ("published_at", models.DateTimeField(blank=True, null=True, verbose_name="published")),
                (
                    "door_opened_at",
                    models.DateTimeField(
                        blank=True, editable=False, null=True, verbose_name="opened for entry by code"
                    ),
                ),
                (
                    "voided_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="voided",
                        to="matches.amendment",
                        verbose_name="void since",
                    ),
                ),
                ("set_aside_at", models.DateTimeField(blank=True, editable=False, null=True, verbose_name="set aside")),
                ("called_at", models.DateTimeField(blank=True, editable=False, null=True, verbose_name="called")),
                ("here_at", models.DateTimeField(blank=True, editable=False, null=True, verbose_name="all here")),
                ("on_hold", models.BooleanField(default=False, editable=False, verbose_name="on hold")),
            ],
            options={
                "verbose_name": "match",
                "verbose_name_plural": "matches",
                "indexes": [
                    models.Index(condition=models.Q(("published_at", None)), fields=["id"], name="matches_to_publish")
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("best_of__in", [1, 3, 5, 7, 9, 11])), name="best_of_an_odd_number"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("voided_by__isnull", True), ("state", "decided"), _connector="OR"),
                        name="a_void_match_is_closed",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="NamedJudge",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "match",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="judge",
                        to="matches.match",
                        verbose_name="match",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="judged",
                        to="players.player",
                        verbose_name="member",
                    ),
                ),
                (
                    "named_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="named_judges",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="named by",
                    ),
                ),
                ("named_at", models.DateTimeField(verbose_name="named")),
                ("accepted", models.JSONField(blank=True, default=dict, verbose_name="accepted by")),
                ("head", models.CharField(blank=True, editable=False, max_length=64, verbose_name="chain head")),
            ],
            options={
                "verbose_name": "judge",
                "verbose_name_plural": "judges",
                "ordering": ["pk"],
            },
        ),
        migrations.CreateModel(
            name="Side",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "match",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="sides",
                        to="matches.match",
                        verbose_name="match",
                    ),
                ),
                ("number", models.PositiveSmallIntegerField(verbose_name="number")),
                (
                    "entrant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="sides",
                        to="players.entrant",
                        verbose_name="entrant",
                    ),
                ),
                ("opener", models.PositiveSmallIntegerField(default=1, editable=False, verbose_name="first game by")),
                ("device", models.CharField(blank=True, editable=False, max_length=32)),
                ("device_proved", models.BooleanField(default=False, editable=False)),
            ],
            options={
                "verbose_name": "side",
                "verbose_name_plural": "sides",
                "ordering": ["match", "number"],
                "constraints": [
                    models.UniqueConstraint(fields=("match", "number"), name="a_side_number_once"),
                    models.UniqueConstraint(fields=("match", "entrant"), name="nobody_meets_oneself"),
                    models.CheckConstraint(condition=models.Q(("number__gte", 1)), name="sides_count_from_one"),
                    models.CheckConstraint(condition=models.Q(("opener__in", [1, 2])), name="a_pair_has_two_partners"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Game",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "match",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="games",
                        to="matches.match",
                        verbose_name="match",
                    ),
                ),
                ("number", models.PositiveSmallIntegerField(default=1, verbose_name="number")),
                (
                    "code",
                    models.CharField(
                        default=league.accounts.codes.new_code,
                        editable=False,
                        max_length=8,
                        unique=True,
                        verbose_name="code",
                    ),
                ),
                (
                    "rings_at",
                    models.DateTimeField(blank=True, db_index=True, editable=False, null=True, verbose_name="rings"),
                ),
                ("tally", models.JSONField(blank=True, editable=False, null=True, verbose_name="running score")),
                ("taps_head", models.CharField(blank=True, editable=False, max_length=64, verbose_name="chain head")),
            ],
            options={
                "verbose_name": "game",
                "verbose_name_plural": "games",
                "ordering": ["match", "number"],
                "constraints": [models.UniqueConstraint(fields=("match", "number"), name="a_game_number_once")],
            },
        ),
        migrations.CreateModel(
            name="ClockEvent",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="clock_events",
                        to="matches.game",
                        verbose_name="game",
                    ),
                ),
                ("number", models.PositiveIntegerField(verbose_name="number")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("start", "started"),
                            ("pause", "paused"),
                            ("resume", "resumed"),
                            ("give", "time given"),
                            ("bell", "the bell"),
                            ("overtime", "overtime"),
                            ("stop", "stopped"),
                            ("cancel", "start taken back"),
                        ],
                        max_length=8,
                        verbose_name="what",
                    ),
                ),
                ("at", models.DateTimeField(verbose_name="when")),
                (
                    "by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="clock_events",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="by",
                    ),
                ),
                ("reason", models.CharField(blank=True, max_length=200, verbose_name="reason")),
                ("given_ms", models.PositiveIntegerField(default=0, verbose_name="milliseconds given")),
                ("level_at", models.PositiveIntegerField(blank=True, null=True, verbose_name="level at")),
                ("set_back_ms", models.PositiveBigIntegerField(default=0, verbose_name="milliseconds set back")),
            ],
            options={
                "verbose_name": "event of a clock",
                "verbose_name_plural": "events of clocks",
                "ordering": ["game", "number"],
                "base_manager_name": "objects",
                "constraints": [
                    models.UniqueConstraint(fields=("game", "number"), name="a_clock_event_number_once"),
                    models.UniqueConstraint(
                        condition=models.Q(("kind", "bell")), fields=("game",), name="one_bell_a_game"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("given_ms__gt", 0), ("kind", "give")),
                            models.Q(models.Q(("kind", "give"), _negated=True), ("given_ms", 0)),
                            _connector="OR",
                        ),
                        name="only_a_gift_gives",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("level_at__isnull", True), ("kind", "overtime"), _connector="OR"),
                        name="level_scores_belong_to_overtime",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="TallyTap",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="taps",
                        to="matches.game",
                        verbose_name="game",
                    ),
                ),
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
                            ("line", "lines of the log"),
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
                ("for_side", models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="for side")),
                ("tapped_at", models.DateTimeField(verbose_name="tapped")),
                ("mono_ms", models.PositiveBigIntegerField(default=0, verbose_name="timer of the device")),
                ("received_at", models.DateTimeField(verbose_name="received")),
                ("head", models.CharField(max_length=64, verbose_name="chain head")),
                ("ruled", models.BooleanField(blank=True, null=True, verbose_name="ruled by an official")),
                ("line", models.TextField(blank=True, null=True, verbose_name="lines")),
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
        migrations.CreateModel(
            name="Record",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="records",
                        to="matches.game",
                        verbose_name="game",
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("log", "verified from the log"),
                            ("tally", "checked tally"),
                            ("card", "checked card"),
                            ("score", "recorded"),
                            ("ruled", "ruled"),
                        ],
                        default="log",
                        max_length=8,
                        verbose_name="kind",
                    ),
                ),
                (
                    "submitted_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="records",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="submitted by",
                    ),
                ),
                (
                    "via",
                    models.CharField(
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
                ("alone", models.BooleanField(default=False, editable=False, verbose_name="by one official alone")),
                ("device", models.CharField(blank=True, editable=False, max_length=80)),
                ("signed", models.BooleanField(default=False, verbose_name="signed by both")),
                ("reason", models.CharField(blank=True, max_length=200, verbose_name="reason")),
                ("withdrawn_at", models.DateTimeField(blank=True, null=True, verbose_name="withdrawn")),
                ("for_side", models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="for side")),
                ("submitted_at", models.DateTimeField(verbose_name="submitted")),
                (
                    "replaces",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="replaced_by",
                        to="matches.record",
                        verbose_name="replaces",
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[("received", "being checked"), ("verified", "checked")],
                        default="received",
                        max_length=8,
                        verbose_name="state",
                    ),
                ),
                ("upload_sha256", models.CharField(max_length=64, verbose_name="SHA-256 of the upload")),
                (
                    "seats",
                    models.JSONField(
                        default=dict, help_text='Which side sits where: {"A": 1, "B": 2}.', verbose_name="seats"
                    ),
                ),
                (
                    "partners",
                    models.JSONField(blank=True, default=dict, editable=False, verbose_name="partners who played"),
                ),
                ("turn", models.PositiveIntegerField(default=0, editable=False, verbose_name="turn")),
                ("sides", models.JSONField(default=dict, editable=False, verbose_name="sides")),
                ("head", models.CharField(blank=True, editable=False, max_length=64, verbose_name="chain head")),
                ("too_late", models.BooleanField(default=False, editable=False, verbose_name="checked too late")),
            ],
            options={
                "verbose_name": "record",
                "verbose_name_plural": "records",
                "ordering": ["pk"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("state", "received")), fields=["submitted_at"], name="records_to_verify"
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        models.F("game"),
                        models.F("upload_sha256"),
                        django.db.models.functions.comparison.Coalesce("for_side", 0),
                        name="the_same_log_of_a_side_once",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("for_side__isnull", False), ("via", "table")),
                            ("submitted_by__isnull", False),
                            _connector="OR",
                        ),
                        name="a_record_comes_from_somebody",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ScoreSheet",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "record",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="score_sheet",
                        to="matches.record",
                        verbose_name="record",
                    ),
                ),
                ("data", models.JSONField(verbose_name="what it says")),
                ("sha256", models.CharField(max_length=64, verbose_name="SHA-256")),
            ],
            options={
                "verbose_name": "score sheet",
                "verbose_name_plural": "score sheets",
                "base_manager_name": "objects",
            },
        ),
        migrations.CreateModel(
            name="SealedLog",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "record",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="sealed",
                        to="matches.record",
                        verbose_name="record",
                    ),
                ),
                ("text", models.TextField(verbose_name="log")),
                ("sha256", models.CharField(max_length=64, verbose_name="SHA-256")),
                ("heads", models.JSONField(help_text="The header's, then one a round.", verbose_name="chain heads")),
            ],
            options={
                "verbose_name": "sealed log",
                "verbose_name_plural": "sealed logs",
                "base_manager_name": "objects",
            },
        ),
        migrations.CreateModel(
            name="Upload",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "record",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="upload",
                        to="matches.record",
                        verbose_name="record",
                    ),
                ),
                ("filename", models.CharField(blank=True, max_length=200, verbose_name="file name")),
                ("raw", models.BinaryField(verbose_name="bytes")),
                ("erased_at", models.DateTimeField(blank=True, null=True, verbose_name="erased")),
            ],
            options={
                "verbose_name": "upload",
                "verbose_name_plural": "uploads",
            },
        ),
        migrations.CreateModel(
            name="StoredVerdict",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "record",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="verdict",
                        to="matches.record",
                        verbose_name="record",
                    ),
                ),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("verified", "verified"),
                            ("consistent", "consistent"),
                            ("corrected", "corrected"),
                            ("violation", "a rule was broken"),
                            ("incomplete", "incomplete"),
                            ("impossible", "impossible"),
                            ("unreadable", "unreadable"),
                        ],
                        max_length=12,
                        verbose_name="status",
                    ),
                ),
                ("evidence", models.CharField(blank=True, max_length=8, verbose_name="evidence")),
                ("scores", models.JSONField(default=dict, verbose_name="scores")),
                ("winner", models.CharField(blank=True, max_length=1, verbose_name="winner")),
                ("ended", models.CharField(blank=True, max_length=12, verbose_name="ended by")),
                ("rounds", models.JSONField(default=list, verbose_name="rounds")),
                ("findings", models.JSONField(default=list, verbose_name="findings")),
                ("rulings", models.JSONField(default=list, verbose_name="rulings")),
                ("chips", models.JSONField(blank=True, null=True, verbose_name="chips")),
                ("points_on_word", models.PositiveIntegerField(default=0, verbose_name="points on the record's word")),
                (
                    "figures",
                    models.JSONField(blank=True, default=dict, editable=False, null=True, verbose_name="figures"),
                ),
                ("engine_edition", models.PositiveIntegerField(verbose_name="edition of the engine")),
                (
                    "ruleset_edition",
                    models.PositiveIntegerField(blank=True, null=True, verbose_name="edition of the ruleset"),
                ),
                ("verified_at", models.DateTimeField(verbose_name="verified")),
            ],
            options={
                "verbose_name": "verdict",
                "verbose_name_plural": "verdicts",
                "indexes": [
                    models.Index(condition=models.Q(("figures__isnull", True)), fields=["id"], name="verdicts_to_count")
                ],
            },
        ),
        migrations.CreateModel(
            name="AdoptedVerdict",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "record",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="adopted_verdicts",
                        to="matches.record",
                        verbose_name="record",
                    ),
                ),
                ("engine_edition", models.PositiveIntegerField(verbose_name="edition of the engine")),
                ("ruleset_edition", models.PositiveIntegerField(default=0, verbose_name="edition of the ruleset")),
                ("verdict", models.JSONField(verbose_name="verdict")),
                ("adopted_at", models.DateTimeField(verbose_name="adopted")),
            ],
            options={
                "verbose_name": "verdict of a later edition",
                "verbose_name_plural": "verdicts of later editions",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("record", "engine_edition", "ruleset_edition"), name="a_verdict_of_an_edition_once"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Result",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="results",
                        to="matches.game",
                        verbose_name="game",
                    ),
                ),
                (
                    "record",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="result",
                        to="matches.record",
                        verbose_name="record",
                    ),
                ),
                (
                    "scores",
                    models.JSONField(
                        help_text='Points by number of the side: {"1": 150, "2": 95}.', verbose_name="scores"
                    ),
                ),
                ("winner", models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="winner")),
                ("ended", models.CharField(blank=True, max_length=12, verbose_name="ended by")),
                (
                    "state",
                    models.CharField(
                        choices=[("provisional", "provisional"), ("official", "official"), ("amended", "amended")],
                        default="provisional",
                        max_length=12,
                        verbose_name="state",
                    ),
                ),
                (
                    "known_by",
                    models.CharField(
                        choices=[
                            ("log", "verified from the log"),
                            ("tally", "checked tally"),
                            ("card", "checked card"),
                            ("score", "recorded"),
                            ("ruled", "ruled"),
                        ],
                        default="log",
                        max_length=8,
                        verbose_name="known by",
                    ),
                ),
                ("needs_decision", models.BooleanField(default=False, verbose_name="needs a decision")),
                ("contested", models.BooleanField(default=False, verbose_name="under review")),
                ("current", models.BooleanField(default=True, verbose_name="current")),
                ("entered_at", models.DateTimeField(db_index=True, verbose_name="entered")),
                (
                    "confirmed_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="confirmed_results",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="confirmed by",
                    ),
                ),
                ("confirmed_at", models.DateTimeField(blank=True, null=True, verbose_name="confirmed")),
                (
                    "confirmed_how",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("person", "by somebody signed in"),
                            ("side", "by the other side at the table"),
                            ("pin", "by the other side, with its PIN"),
                            ("signed", "both signed the card"),
                            ("agreed", "two entered the same"),
                            ("silence", "the other side said nothing in time"),
                            ("amended", "it amends an official result"),
                            ("alone", "by the organizer alone"),
                        ],
                        max_length=8,
                        verbose_name="confirmed how",
                    ),
                ),
                (
                    "one_device",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("", ""),
                            ("same", "both sides from one phone"),
                            ("alike", "both sides from one address and browser"),
                        ],
                        editable=False,
                        max_length=5,
                        verbose_name="one device",
                    ),
                ),
                ("decided", models.BooleanField(default=False, verbose_name="decided")),
                ("reason", models.CharField(blank=True, max_length=200, verbose_name="reason of the decision")),
                ("seal", models.CharField(blank=True, editable=False, max_length=64, verbose_name="seal")),
            ],
            options={
                "verbose_name": "result",
                "verbose_name_plural": "results",
                "ordering": ["pk"],
                "indexes": [
                    models.Index(
                        condition=models.Q(
                            models.Q(("needs_decision", True), ("contested", True), _connector="OR"), ("current", True)
                        ),
                        fields=["game"],
                        name="results_under_review",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("current", True)), fields=("game",), name="one_current_result_a_game"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("current", True), ("state__in", ["provisional", "official"])),
                            models.Q(("current", False), ("state__in", ["provisional", "amended"])),
                            _connector="OR",
                        ),
                        name="an_official_result_stays",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("confirmed_at__isnull", True), ("confirmed_by__isnull", True), ("confirmed_how", "")
                            ),
                            models.Q(
                                ("confirmed_at__isnull", False),
                                ("confirmed_by__isnull", False),
                                ("confirmed_how", "person"),
                                ("state__in", ("official", "amended")),
                            ),
                            models.Q(
                                ("confirmed_at__isnull", False),
                                (
                                    "confirmed_how__in",
                                    ("side", "pin", "signed", "agreed", "silence", "amended", "alone"),
                                ),
                                ("state__in", ("official", "amended")),
                            ),
                            _connector="OR",
                        ),
                        name="confirmed_is_official",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("decided", False),
                            models.Q(("confirmed_by__isnull", False), ("needs_decision", False)),
                            _connector="OR",
                        ),
                        name="decided_by_somebody",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Amendment",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="amendments",
                        to="matches.game",
                        verbose_name="game",
                    ),
                ),
                (
                    "old",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="amended_by",
                        to="matches.result",
                        verbose_name="result before it",
                    ),
                ),
                (
                    "new",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="amendment",
                        to="matches.result",
                        verbose_name="result after it",
                    ),
                ),
                ("kind", models.CharField(max_length=8, verbose_name="kind")),
                ("data", models.JSONField(verbose_name="what it says")),
                ("scores", models.JSONField(verbose_name="scores")),
                ("winner", models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="winner")),
                ("reason", models.CharField(max_length=200, verbose_name="reason")),
                (
                    "later",
                    models.CharField(
                        blank=True,
                        choices=[("stand", "they stand as played"), ("void", "they are cancelled and replayed")],
                        max_length=5,
                        verbose_name="later matches",
                    ),
                ),
                ("effect", models.CharField(editable=False, max_length=64)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("proposed", "waits for another official"),
                            ("confirmed", "confirmed"),
                            ("refused", "refused"),
                            ("withdrawn", "withdrawn"),
                        ],
                        default="proposed",
                        max_length=9,
                        verbose_name="state",
                    ),
                ),
                (
                    "proposed_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="amendments_proposed",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="proposed by",
                    ),
                ),
                ("proposed_at", models.DateTimeField(verbose_name="proposed")),
                (
                    "closed_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="amendments_closed",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="closed by",
                    ),
                ),
                ("closed_at", models.DateTimeField(blank=True, db_index=True, null=True, verbose_name="closed")),
            ],
            options={
                "verbose_name": "amendment",
                "verbose_name_plural": "amendments",
                "ordering": ["pk"],
                "indexes": [models.Index(fields=["state"], name="amendments_by_state")],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("state", "proposed")), fields=("game",), name="one_amendment_at_a_time"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("closed_at__isnull", True), ("closed_by__isnull", True), ("state", "proposed")),
                            models.Q(
                                models.Q(("state", "proposed"), _negated=True),
                                ("closed_at__isnull", False),
                                ("closed_by__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="an_amendment_is_closed_by_somebody",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("new__isnull", False), ("state", "confirmed")),
                            models.Q(models.Q(("state", "confirmed"), _negated=True), ("new__isnull", True)),
                            _connector="OR",
                        ),
                        name="a_confirmed_amendment_has_a_result",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Reply",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "result",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="replies",
                        to="matches.result",
                        verbose_name="result",
                    ),
                ),
                ("agrees", models.BooleanField(verbose_name="agrees")),
                ("sentence", models.CharField(blank=True, max_length=200, verbose_name="sentence")),
                ("for_side", models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="for side")),
                (
                    "said_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="replies",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="said by",
                    ),
                ),
                ("said_at", models.DateTimeField(verbose_name="said")),
                ("turn", models.PositiveIntegerField(default=0, editable=False)),
                ("after", models.PositiveBigIntegerField(default=0, editable=False)),
                ("head", models.CharField(blank=True, editable=False, max_length=64, verbose_name="chain head")),
            ],
            options={
                "verbose_name": "reply",
                "verbose_name_plural": "replies",
                "ordering": ["pk"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("for_side__isnull", False), ("said_by__isnull", False), _connector="OR"),
                        name="a_reply_comes_from_somebody",
                    )
                ],
            },
        ),
        migrations.RunPython(guard, unguard),
    ]

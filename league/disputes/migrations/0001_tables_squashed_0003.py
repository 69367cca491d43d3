import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import league.accounts.codes
from league.disputes.migrations._entries_never_change import guard, unguard
from league.initial_tables import InitialTables


class Migration(InitialTables):
    replaces = [
        ("disputes", "0001_tables"),
        ("disputes", "0002_entries_never_change"),
        ("disputes", "0003_referee_calls"),
    ]

    dependencies = [
        ("accounts", "0001_tables_squashed_0002"),
        ("competitions", "0001_tables_squashed_0014"),
        ("matches", "0001_tables_squashed_0006"),
    ]

    operations = [
        migrations.CreateModel(
            name="CourtRules",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "minutes_in_hall",
                    models.PositiveIntegerField(
                        default=10,
                        help_text="Minutes after the result was shown, for a match with a table.",
                        verbose_name="protest in a hall within",
                    ),
                ),
                (
                    "minutes_elsewhere",
                    models.PositiveIntegerField(
                        default=1440,
                        help_text="Minutes after the result was shown.",
                        verbose_name="protest elsewhere within",
                    ),
                ),
                (
                    "hold_minutes",
                    models.PositiveIntegerField(
                        default=5,
                        help_text="Minutes until play goes on under reserve. A final waits for the ruling.",
                        verbose_name="hold",
                    ),
                ),
                (
                    "appeal_minutes",
                    models.PositiveIntegerField(
                        default=1440, help_text="Minutes after the ruling.", verbose_name="appeal within"
                    ),
                ),
                (
                    "hears",
                    models.CharField(
                        choices=[
                            ("head", "the head referee or an owner"),
                            ("owner", "an owner"),
                            ("parent", "the parent league"),
                        ],
                        default="head",
                        max_length=8,
                        verbose_name="appeals go to",
                    ),
                ),
                (
                    "proof",
                    models.CharField(
                        choices=[
                            ("nobody", "the points in question go to nobody"),
                            ("claimant", "the protester has to show it"),
                            ("replay", "the hand is played again"),
                        ],
                        default="nobody",
                        max_length=8,
                        verbose_name="rule of proof",
                    ),
                ),
                ("penalties", models.JSONField(blank=True, default=dict, verbose_name="penalties")),
                (
                    "league",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="court_rules",
                        to="accounts.league",
                        verbose_name="league",
                    ),
                ),
            ],
            options={
                "verbose_name": "rules of the court",
                "verbose_name_plural": "rules of the court",
            },
        ),
        migrations.CreateModel(
            name="Dispute",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
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
                    "kind",
                    models.CharField(
                        choices=[
                            ("count", "a count"),
                            ("muggins", "muggins"),
                            ("misplay", "a misplay"),
                            ("draw", "a draw or pass"),
                            ("clock", "the bell"),
                            ("result", "the result"),
                            ("catch", "a catch"),
                            ("challenge", "a challenge"),
                            ("fraud", "fraud"),
                            ("identity", "the identity of a player"),
                            ("conduct", "conduct"),
                        ],
                        max_length=9,
                        verbose_name="about",
                    ),
                ),
                ("line", models.PositiveIntegerField(blank=True, null=True, verbose_name="line")),
                (
                    "filed_line",
                    models.PositiveIntegerField(blank=True, null=True, verbose_name="last line before the protest"),
                ),
                ("hand", models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="hand")),
                ("column", models.CharField(blank=True, max_length=9, verbose_name="column")),
                ("number", models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="points")),
                ("against", models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="against side")),
                ("miswritten", models.BooleanField(default=False, verbose_name="error of writing")),
                ("for_side", models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="for side")),
                (
                    "via",
                    models.CharField(
                        choices=[
                            ("account", "signed in"),
                            ("slip", "with the slip"),
                            ("pin", "with the PIN"),
                            ("official", "by an official"),
                            ("desk", "by the desk for a side"),
                        ],
                        max_length=8,
                        verbose_name="filed",
                    ),
                ),
                ("raised_at", models.DateTimeField(verbose_name="filed at")),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("open", "under review"),
                            ("found", "facts found"),
                            ("waiting", "ruling waits for another official"),
                            ("ruled", "ruled"),
                            ("appealed", "appealed"),
                            ("agreed", "agreed by both sides"),
                            ("withdrawn", "withdrawn"),
                        ],
                        default="open",
                        max_length=9,
                        verbose_name="state",
                    ),
                ),
                ("instance", models.PositiveSmallIntegerField(default=1, editable=False)),
                (
                    "outcome",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("upheld", "protest upheld"),
                            ("count", "count corrected"),
                            ("call", "call corrected"),
                            ("penalty", "penalty"),
                            ("hand", "hand replayed"),
                            ("game", "game replayed"),
                            ("result", "result ruled"),
                            ("dismissed", "protest dismissed"),
                        ],
                        max_length=9,
                        verbose_name="ruling",
                    ),
                ),
                (
                    "effect",
                    models.CharField(
                        choices=[("play_on", "play on under reserve"), ("hold", "the next matches wait")],
                        default="hold",
                        max_length=7,
                        verbose_name="effect",
                    ),
                ),
                ("hold_until", models.DateTimeField(blank=True, null=True, verbose_name="next matches wait until")),
                ("deadline", models.DateTimeField(blank=True, null=True, verbose_name="appeal until")),
                ("closed_at", models.DateTimeField(blank=True, null=True, verbose_name="closed")),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="disputes",
                        to="matches.game",
                        verbose_name="game",
                    ),
                ),
                (
                    "match",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="disputes",
                        to="matches.match",
                        verbose_name="match",
                    ),
                ),
                (
                    "raised_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="disputes",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="filed by",
                    ),
                ),
                (
                    "record",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="disputes",
                        to="matches.record",
                        verbose_name="record",
                    ),
                ),
            ],
            options={
                "verbose_name": "dispute",
                "verbose_name_plural": "disputes",
                "ordering": ["raised_at", "pk"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("state__in", ["open", "found", "waiting", "appealed"])),
                        fields=["raised_at"],
                        name="disputes_open",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("instance", 1), ("state__in", ["open", "found", "waiting"])),
                        fields=("match",),
                        name="one_open_dispute_a_match",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("for_side__isnull", False), ("raised_by__isnull", False), _connector="OR"),
                        name="a_protest_comes_from_somebody",
                    ),
                    models.CheckConstraint(condition=models.Q(("instance__in", [1, 2])), name="one_appeal"),
                ],
            },
        ),
        migrations.CreateModel(
            name="DisputeEntry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField(verbose_name="number")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("filed", "protest filed"),
                            ("joined", "further protest joined"),
                            ("effect", "effect chosen"),
                            ("statement", "statement given"),
                            ("photo", "photo added"),
                            ("offered", "outcome proposed by a side"),
                            ("agreed", "outcome accepted by the other side"),
                            ("withdrawn", "protest withdrawn"),
                            ("taken", "case taken"),
                            ("back", "referee stepped back"),
                            ("refused", "referee refused by a side"),
                            ("found", "facts found"),
                            ("ruled", "ruling given"),
                            ("confirmed", "ruling confirmed"),
                            ("rejected", "ruling rejected"),
                            ("appealed", "appeal filed"),
                        ],
                        max_length=9,
                        verbose_name="kind",
                    ),
                ),
                ("data", models.JSONField(default=dict, verbose_name="what it says")),
                ("for_side", models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="for side")),
                ("at", models.DateTimeField(verbose_name="at")),
                ("head", models.CharField(editable=False, max_length=64, verbose_name="chain head")),
                (
                    "by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="dispute_entries",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="by",
                    ),
                ),
                (
                    "dispute",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="entries",
                        to="disputes.dispute",
                        verbose_name="dispute",
                    ),
                ),
            ],
            options={
                "verbose_name": "entry of a dispute",
                "verbose_name_plural": "entries of a dispute",
                "ordering": ["dispute", "number"],
                "base_manager_name": "objects",
                "constraints": [
                    models.UniqueConstraint(fields=("dispute", "number"), name="an_entry_of_a_dispute_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="DisputeLook",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField(verbose_name="at")),
                (
                    "dispute",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="looks",
                        to="disputes.dispute",
                        verbose_name="dispute",
                    ),
                ),
                (
                    "entry",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="looks",
                        to="disputes.disputeentry",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="dispute_looks",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="person",
                    ),
                ),
            ],
            options={
                "verbose_name": "look at a dispute",
                "verbose_name_plural": "looks at a dispute",
                "ordering": ["pk"],
            },
        ),
        migrations.CreateModel(
            name="DisputePhoto",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("image", models.BinaryField(help_text="JPEG", verbose_name="image")),
                ("removed_at", models.DateTimeField(blank=True, null=True, verbose_name="removed")),
                (
                    "entry",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="photo",
                        to="disputes.disputeentry",
                        verbose_name="entry",
                    ),
                ),
            ],
            options={
                "verbose_name": "photo of a dispute",
                "verbose_name_plural": "photos of a dispute",
            },
        ),
        migrations.CreateModel(
            name="DisputeText",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("text", models.TextField(blank=True, verbose_name="text")),
                ("erased_at", models.DateTimeField(blank=True, null=True, verbose_name="erased")),
                (
                    "entry",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="words",
                        to="disputes.disputeentry",
                        verbose_name="entry",
                    ),
                ),
            ],
            options={
                "verbose_name": "text of a dispute",
                "verbose_name_plural": "texts of a dispute",
            },
        ),
        migrations.CreateModel(
            name="SealedRuling",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("text", models.TextField(verbose_name="text")),
                ("sha256", models.CharField(max_length=64, verbose_name="SHA-256")),
                ("amends", models.CharField(max_length=64, verbose_name="SHA-256 of the amended text")),
                ("results_in", models.CharField(max_length=64, verbose_name="SHA-256 of the text after it")),
                (
                    "entry",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="sealed",
                        to="disputes.disputeentry",
                        verbose_name="ruling",
                    ),
                ),
            ],
            options={
                "verbose_name": "ruling text",
                "verbose_name_plural": "ruling texts",
                "base_manager_name": "objects",
            },
        ),
        migrations.CreateModel(
            name="RefereeCall",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "reason",
                    models.CharField(
                        choices=[
                            ("count", "Count"),
                            ("muggins", "Muggins"),
                            ("play", "Play or draw"),
                            ("clock", "Clock"),
                            ("conduct", "Conduct"),
                            ("other", "Something else"),
                        ],
                        max_length=8,
                        verbose_name="reason",
                    ),
                ),
                ("called_at", models.DateTimeField(verbose_name="called")),
                ("taken_at", models.DateTimeField(blank=True, null=True, verbose_name="on the way since")),
                ("ended_at", models.DateTimeField(blank=True, null=True, verbose_name="ended")),
                ("sentence", models.CharField(blank=True, max_length=200, verbose_name="what was decided")),
                (
                    "about",
                    models.CharField(
                        blank=True,
                        choices=[("count", "count"), ("muggins", "muggins"), ("penalty", "penalty")],
                        max_length=8,
                        verbose_name="ruling on",
                    ),
                ),
                ("side", models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="side")),
                ("points", models.PositiveIntegerField(blank=True, null=True, verbose_name="points")),
                ("upheld", models.BooleanField(blank=True, null=True, verbose_name="upheld")),
                ("lines", models.TextField(blank=True, verbose_name="lines of the ruling")),
                (
                    "ended_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="ended_calls",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="ended by",
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="referee_calls",
                        to="matches.game",
                        verbose_name="game",
                    ),
                ),
                (
                    "match",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="referee_calls",
                        to="matches.match",
                        verbose_name="match",
                    ),
                ),
                (
                    "pause",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="matches.clockevent",
                        verbose_name="pause of the clock",
                    ),
                ),
                (
                    "taken_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="taken_calls",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="on the way",
                    ),
                ),
                (
                    "tap",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="matches.tallytap",
                        verbose_name="tap of a tally",
                    ),
                ),
            ],
            options={
                "verbose_name": "call for the referee",
                "verbose_name_plural": "calls for the referee",
                "ordering": ["called_at", "pk"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("ended_at__isnull", True)), fields=("match",), name="one_open_call_a_match"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("about", ""), ("side__isnull", True), ("upheld__isnull", True)),
                            models.Q(
                                ("points__isnull", False),
                                ("side__isnull", False),
                                ("upheld__isnull", False),
                                models.Q(("about", ""), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="a_ruling_at_the_table_is_whole",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("about", ""),
                            models.Q(("ended_at__isnull", False), ("ended_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="an_official_rules_at_the_table",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Caller",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "reason",
                    models.CharField(
                        choices=[
                            ("count", "Count"),
                            ("muggins", "Muggins"),
                            ("play", "Play or draw"),
                            ("clock", "Clock"),
                            ("conduct", "Conduct"),
                            ("other", "Something else"),
                        ],
                        max_length=8,
                        verbose_name="reason",
                    ),
                ),
                ("called_at", models.DateTimeField(verbose_name="called")),
                ("side", models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="for side")),
                ("device", models.CharField(blank=True, editable=False, max_length=32)),
                ("withdrawn_at", models.DateTimeField(blank=True, null=True, verbose_name="taken back")),
                (
                    "by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="referee_calls",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="by",
                    ),
                ),
                (
                    "call",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="callers",
                        to="disputes.refereecall",
                        verbose_name="call",
                    ),
                ),
            ],
            options={
                "verbose_name": "caller of the referee",
                "verbose_name_plural": "callers of the referee",
                "ordering": ["pk"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("by__isnull", False),
                            ("side__isnull", False),
                            models.Q(("device", ""), _negated=True),
                            _connector="OR",
                        ),
                        name="a_call_comes_from_somebody",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="ZoneTable",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "competition",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="zone_tables",
                        to="competitions.competition",
                        verbose_name="competition",
                    ),
                ),
                (
                    "official",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="zone_tables",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="official",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="zones",
                        to="matches.table",
                        verbose_name="table",
                    ),
                ),
            ],
            options={
                "verbose_name": "table of a zone",
                "verbose_name_plural": "tables of zones",
                "ordering": ["competition", "table__place", "table__name"],
                "constraints": [models.UniqueConstraint(fields=("competition", "table"), name="a_table_in_one_zone")],
            },
        ),
        migrations.RunPython(guard, unguard),
    ]

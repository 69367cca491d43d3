import django.db.models.deletion
import django.db.models.functions.comparison
from django.conf import settings
from django.db import migrations, models

import league.accounts.codes
import league.accounts.lettered
from league.initial_tables import InitialTables
from league.players.migrations._names_by_three_letters import forget_index, index_names


class Migration(InitialTables):
    replaces = [("players", "0001_tables"), ("players", "0002_names_by_three_letters")]

    dependencies = [
        ("accounts", "0001_tables_squashed_0002"),
    ]

    operations = [
        migrations.CreateModel(
            name="Player",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "name",
                    league.accounts.lettered.NameColumn(
                        blank=True,
                        help_text="Empty once it was erased.",
                        letters=60,
                        max_length=660,
                        verbose_name="name",
                    ),
                ),
                ("folded", models.CharField(blank=True, db_index=True, editable=False, max_length=660)),
                (
                    "apart",
                    league.accounts.lettered.NameColumn(
                        blank=True, editable=False, letters=60, max_length=660, verbose_name="told apart by"
                    ),
                ),
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
                    "born",
                    models.PositiveSmallIntegerField(
                        blank=True,
                        help_text="Seen by those who manage the league only. While it makes a minor, others see initials.",
                        null=True,
                        verbose_name="year of birth",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="players",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="account",
                    ),
                ),
                (
                    "merged_into",
                    models.ForeignKey(
                        blank=True,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="absorbed",
                        to="players.player",
                        verbose_name="is",
                    ),
                ),
            ],
            options={
                "verbose_name": "player",
                "verbose_name_plural": "players",
                "ordering": ["name", "code"],
            },
        ),
        migrations.CreateModel(
            name="Membership",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="memberships",
                        to="players.player",
                        verbose_name="player",
                    ),
                ),
                (
                    "league",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="memberships",
                        to="accounts.league",
                        verbose_name="league",
                    ),
                ),
                (
                    "club",
                    league.accounts.lettered.NameColumn(blank=True, letters=60, max_length=660, verbose_name="club"),
                ),
                ("number", models.CharField(blank=True, max_length=20, verbose_name="member number")),
                ("since", models.DateField(verbose_name="since")),
                ("until", models.DateField(blank=True, null=True, verbose_name="until")),
            ],
            options={
                "verbose_name": "membership",
                "verbose_name_plural": "memberships",
                "constraints": [
                    models.UniqueConstraint(fields=("player", "league", "since"), name="a_membership_once"),
                    models.CheckConstraint(
                        condition=models.Q(("until__isnull", True), ("until__gt", models.F("since")), _connector="OR"),
                        name="a_membership_has_a_day",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Entrant",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "league",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="entrants",
                        to="accounts.league",
                        verbose_name="league",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="entrants",
                        to="players.player",
                        verbose_name="player",
                    ),
                ),
                (
                    "partner",
                    models.ForeignKey(
                        blank=True,
                        help_text="Of a pair that shares a seat: the partners alternate games, the player has the first.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="entrants_as_partner",
                        to="players.player",
                        verbose_name="partner",
                    ),
                ),
                (
                    "door",
                    models.CharField(
                        default=league.accounts.codes.new_entrant_door, editable=False, max_length=16, unique=True
                    ),
                ),
                ("pin", models.CharField(default=league.accounts.codes.new_pin, editable=False, max_length=4)),
                ("needs_accessible", models.BooleanField(default=False, verbose_name="needs an accessible table")),
            ],
            options={
                "verbose_name": "entrant",
                "verbose_name_plural": "entrants",
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("partner__isnull", True)),
                        fields=("league", "player"),
                        name="an_entrant_once",
                    ),
                    models.UniqueConstraint(
                        models.F("league"),
                        django.db.models.functions.comparison.Least("player", "partner"),
                        django.db.models.functions.comparison.Greatest("player", "partner"),
                        condition=models.Q(("partner__isnull", False)),
                        name="a_pair_once",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("partner__isnull", True),
                            models.Q(("partner", models.F("player")), _negated=True),
                            _connector="OR",
                        ),
                        name="a_pair_is_two_people",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="PlayerClaim",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="claims",
                        to="players.player",
                        verbose_name="player",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="claims",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="account",
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[("waiting", "waiting"), ("accepted", "accepted"), ("refused", "refused")],
                        default="waiting",
                        max_length=8,
                        verbose_name="state",
                    ),
                ),
                ("made_at", models.DateTimeField(verbose_name="made")),
                ("decided_at", models.DateTimeField(blank=True, null=True, verbose_name="decided")),
                (
                    "decided_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="decided_claims",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="decided by",
                    ),
                ),
            ],
            options={
                "verbose_name": "claim",
                "verbose_name_plural": "claims",
                "ordering": ["made_at", "pk"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("state", "waiting")), fields=("player", "user"), name="a_claim_waits_once"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("decided_at__isnull", True), ("state", "waiting")),
                            models.Q(models.Q(("state", "waiting"), _negated=True), ("decided_at__isnull", False)),
                            _connector="OR",
                        ),
                        name="a_claim_waits_until_decided",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ClaimLink",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="claim_links",
                        to="players.player",
                        verbose_name="player",
                    ),
                ),
                ("digest", models.CharField(editable=False, max_length=64, unique=True, verbose_name="SHA-256")),
                (
                    "made_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="made_claim_links",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="made by",
                    ),
                ),
                ("made_at", models.DateTimeField(verbose_name="made")),
                ("expires_at", models.DateTimeField(verbose_name="expires")),
                ("used_at", models.DateTimeField(blank=True, null=True, verbose_name="used")),
            ],
            options={
                "verbose_name": "claim link",
                "verbose_name_plural": "claim links",
                "ordering": ["-made_at", "-pk"],
            },
        ),
        migrations.CreateModel(
            name="PlayerMerge",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kept",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="merges",
                        to="players.player",
                        verbose_name="kept",
                    ),
                ),
                (
                    "absorbed",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="merged_by",
                        to="players.player",
                        verbose_name="absorbed",
                    ),
                ),
                ("moved", models.JSONField(default=dict, verbose_name="moved")),
                (
                    "made_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="made_merges",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="made by",
                    ),
                ),
                ("made_at", models.DateTimeField(verbose_name="made")),
                (
                    "undone_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="undone_merges",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="undone by",
                    ),
                ),
                ("undone_at", models.DateTimeField(blank=True, null=True, verbose_name="undone")),
            ],
            options={
                "verbose_name": "merge of players",
                "verbose_name_plural": "merges of players",
                "ordering": ["-made_at", "-pk"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("undone_at__isnull", True)),
                        fields=("absorbed",),
                        name="absorbed_by_one_player",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("kept", models.F("absorbed")), _negated=True),
                        name="nobody_is_merged_into_oneself",
                    ),
                ],
            },
        ),
        migrations.RunPython(index_names, forget_index),
    ]

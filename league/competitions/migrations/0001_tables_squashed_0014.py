import django.core.validators
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import league.accounts.codes
import league.accounts.folding
import league.accounts.lettered
import league.competitions.models
import league.competitions.models.choices
from league.initial_tables import InitialTables


class Migration(InitialTables):
    replaces = [
        ("competitions", "0001_tables"),
        ("competitions", "0002_shared_third_places"),
        ("competitions", "0003_points_of_forfeits_and_direct_encounters"),
        ("competitions", "0004_former_cards"),
        ("competitions", "0005_cancelled_competitions"),
        ("competitions", "0006_circuits"),
        ("competitions", "0007_bonuses_and_deductions"),
        ("competitions", "0008_best_of_in_last_rounds_and_clubs_apart"),
        ("competitions", "0009_changes_by_a_late_entry"),
        ("competitions", "0010_leaving"),
        ("competitions", "0011_dispatcher"),
        ("competitions", "0012_push_notifications"),
        ("competitions", "0013_paired_again_and_requested_byes"),
        ("competitions", "0014_delay_of_running_scores"),
    ]

    dependencies = [
        ("accounts", "0001_tables_squashed_0002"),
        ("matches", "0001_tables_squashed_0006"),
        ("players", "0001_tables_squashed_0002"),
    ]

    operations = [
        migrations.CreateModel(
            name="EarlierState",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "league",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="earlier_states",
                        to="accounts.league",
                        verbose_name="league",
                    ),
                ),
                ("key", models.CharField(max_length=16, verbose_name="key of the competition")),
                ("name", league.accounts.lettered.NameColumn(letters=120, max_length=1320, verbose_name="name")),
                (
                    "before",
                    models.CharField(
                        choices=[
                            ("drawn", "redrawn"),
                            ("planned", "planned again"),
                            ("added", "players added, and the draw taken back"),
                            ("taken_out", "players taken out"),
                            ("seeded", "another order of seeds"),
                            ("lots", "lots drawn for the order"),
                            ("paired", "draft round paired again"),
                            ("swapped", "two exchanged in the draft round"),
                            ("stage", "stage redrawn"),
                            ("undone", "gone back to an earlier state"),
                            ("discarded", "discarded"),
                        ],
                        max_length=9,
                        verbose_name="before",
                    ),
                ),
                ("made_at", models.DateTimeField(db_index=True, verbose_name="kept")),
                (
                    "made_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="earlier_states",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="by",
                    ),
                ),
                ("entrants", models.PositiveIntegerField(default=0, verbose_name="entrants")),
                ("matches", models.PositiveIntegerField(default=0, verbose_name="matches")),
                ("rounds", models.PositiveIntegerField(default=0, verbose_name="rounds")),
                ("rounds_shown", models.PositiveIntegerField(blank=True, null=True, verbose_name="rounds shown")),
                ("rows", models.BinaryField(verbose_name="rows")),
                ("size", models.PositiveIntegerField(default=0, verbose_name="bytes")),
                ("restored_at", models.DateTimeField(blank=True, null=True, verbose_name="restored")),
                (
                    "restored_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="restored_states",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="restored by",
                    ),
                ),
            ],
            options={
                "verbose_name": "earlier state",
                "verbose_name_plural": "earlier states",
                "ordering": ["-pk"],
                "indexes": [models.Index(fields=["league", "key"], name="earlier_states_of_one")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("restored_at__isnull", True), ("restored_by__isnull", True)),
                            models.Q(("restored_at__isnull", False), ("restored_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="restored_by_somebody",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Followed",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="followed",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="account",
                    ),
                ),
                ("what", models.CharField(max_length=60, verbose_name="what")),
                ("since", models.DateTimeField(verbose_name="since")),
            ],
            options={
                "verbose_name": "followed",
                "verbose_name_plural": "followed",
                "ordering": ["since", "pk"],
                "constraints": [models.UniqueConstraint(fields=("user", "what"), name="followed_once")],
            },
        ),
        migrations.CreateModel(
            name="RatingList",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "league",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="rating_lists",
                        to="accounts.league",
                        verbose_name="league",
                    ),
                ),
                ("ruleset", models.CharField(max_length=40, verbose_name="ruleset")),
                (
                    "period_days",
                    models.PositiveSmallIntegerField(
                        default=7,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(366),
                        ],
                        verbose_name="days of a rating period",
                    ),
                ),
                ("start_rating", models.FloatField(default=1500.0, verbose_name="rating of a newcomer")),
                ("start_deviation", models.FloatField(default=350.0, verbose_name="deviation of a newcomer")),
                ("start_volatility", models.FloatField(default=0.06, verbose_name="volatility of a newcomer")),
                ("tau", models.FloatField(default=0.5, verbose_name="τ")),
                ("changed_at", models.DateTimeField(blank=True, editable=False, null=True, verbose_name="computed")),
            ],
            options={
                "verbose_name": "rating list",
                "verbose_name_plural": "rating lists",
                "ordering": ["league", "ruleset"],
                "constraints": [
                    models.UniqueConstraint(fields=("league", "ruleset"), name="a_rating_list_once"),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("period_days__gte", 1),
                            ("start_deviation__gt", 0),
                            ("start_volatility__gt", 0),
                            ("tau__gt", 0),
                        ),
                        name="a_rating_list_can_be_computed",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="RatedGame",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "rating_list",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="rated_games",
                        to="competitions.ratinglist",
                        verbose_name="rating list",
                    ),
                ),
                (
                    "game",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="rated",
                        to="matches.game",
                        verbose_name="game",
                    ),
                ),
                ("period", models.IntegerField(verbose_name="period")),
                (
                    "first",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="players.player",
                        verbose_name="player",
                    ),
                ),
                (
                    "second",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="players.player",
                        verbose_name="opponent",
                    ),
                ),
                ("points", models.PositiveSmallIntegerField(verbose_name="points")),
            ],
            options={
                "verbose_name": "rated game",
                "verbose_name_plural": "rated games",
                "ordering": ["period", "game"],
                "indexes": [models.Index(fields=["rating_list", "period"], name="rated_games_of_a_period")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("points__in", [0, 1, 2])), name="a_rated_game_gives_one_point"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("first", models.F("second")), _negated=True),
                        name="a_rated_game_has_two_players",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Rating",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "rating_list",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="ratings",
                        to="competitions.ratinglist",
                        verbose_name="rating list",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="ratings",
                        to="players.player",
                        verbose_name="player",
                    ),
                ),
                ("period", models.IntegerField(verbose_name="period")),
                ("rating_before", models.FloatField(verbose_name="rating before")),
                ("deviation_before", models.FloatField(verbose_name="deviation before")),
                ("volatility_before", models.FloatField(verbose_name="volatility before")),
                ("rating", models.FloatField(verbose_name="rating")),
                ("deviation", models.FloatField(verbose_name="deviation")),
                ("volatility", models.FloatField(verbose_name="volatility")),
                ("games", models.PositiveIntegerField(verbose_name="games")),
                ("played", models.PositiveIntegerField(verbose_name="games so far")),
                ("latest", models.BooleanField(default=True, verbose_name="latest")),
            ],
            options={
                "verbose_name": "rating",
                "verbose_name_plural": "ratings",
                "ordering": ["rating_list", "player", "period"],
                "indexes": [
                    models.Index(fields=["rating_list", "period"], name="ratings_of_a_period"),
                    models.Index(
                        condition=models.Q(("latest", True)), fields=["rating_list", "-rating"], name="ratings_by_rank"
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("rating_list", "player", "period"), name="a_rating_a_period"),
                    models.UniqueConstraint(
                        condition=models.Q(("latest", True)),
                        fields=("rating_list", "player"),
                        name="one_latest_rating_a_player",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Season",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "league",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="seasons",
                        to="accounts.league",
                        verbose_name="league",
                    ),
                ),
                ("name", league.accounts.lettered.NameColumn(letters=120, max_length=1320, verbose_name="name")),
                ("slug", models.SlugField(max_length=60, verbose_name="address")),
                ("starts_on", models.DateField(verbose_name="begins")),
                ("ends_on", models.DateField(blank=True, null=True, verbose_name="ends")),
                (
                    "follows",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="followed_by",
                        to="competitions.season",
                        verbose_name="follows",
                    ),
                ),
                (
                    "play_off_best_of",
                    models.PositiveSmallIntegerField(default=1, verbose_name="best of, in a play-off"),
                ),
                ("published_at", models.DateTimeField(blank=True, null=True, verbose_name="published")),
                ("closed_at", models.DateTimeField(blank=True, null=True, verbose_name="closed")),
                (
                    "closed_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="closed_seasons",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="closed by",
                    ),
                ),
            ],
            options={
                "verbose_name": "season",
                "verbose_name_plural": "seasons",
                "ordering": ["-starts_on", "-pk"],
                "constraints": [
                    models.UniqueConstraint(fields=("league", "slug"), name="a_season_address_once"),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("ends_on__isnull", True), ("ends_on__gte", models.F("starts_on")), _connector="OR"
                        ),
                        name="a_season_ends_after_it_began",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="SeasonDate",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "season",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="dates",
                        to="competitions.season",
                        verbose_name="season",
                    ),
                ),
                ("number", models.PositiveSmallIntegerField(verbose_name="number")),
                ("starts_at", models.DateTimeField(verbose_name="starts")),
            ],
            options={
                "verbose_name": "date of a season",
                "verbose_name_plural": "dates of a season",
                "ordering": ["season", "number"],
                "constraints": [models.UniqueConstraint(fields=("season", "number"), name="a_date_of_a_season_once")],
            },
        ),
        migrations.CreateModel(
            name="SeasonMove",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "season",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="moves",
                        to="competitions.season",
                        verbose_name="season",
                    ),
                ),
                (
                    "entrant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="season_moves",
                        to="players.entrant",
                        verbose_name="entrant",
                    ),
                ),
                ("from_level", models.PositiveSmallIntegerField(verbose_name="from level")),
                ("to_level", models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="to level")),
                ("place", models.PositiveSmallIntegerField(verbose_name="place")),
                (
                    "why",
                    models.CharField(
                        choices=[
                            ("stays", "stays"),
                            ("promoted", "promoted"),
                            ("relegated", "relegated"),
                            ("won-up", "promoted by the play-off"),
                            ("missed-up", "stays after the play-off"),
                            ("held", "stays by the play-off"),
                            ("lost-down", "relegated by the play-off"),
                            ("left", "has left"),
                        ],
                        max_length=12,
                        verbose_name="why",
                    ),
                ),
                (
                    "stands_although",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="season_moves",
                        to="matches.amendment",
                        verbose_name="stands although",
                    ),
                ),
            ],
            options={
                "verbose_name": "move at the end of a season",
                "verbose_name_plural": "moves at the end of a season",
                "ordering": ["season", "from_level", "place"],
                "constraints": [
                    models.UniqueConstraint(fields=("season", "entrant"), name="moved_once_at_the_end_of_a_season")
                ],
            },
        ),
        migrations.CreateModel(
            name="Competition",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "league",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="competitions",
                        to="accounts.league",
                        verbose_name="league",
                    ),
                ),
                ("name", league.accounts.lettered.NameColumn(letters=120, max_length=1320, verbose_name="name")),
                (
                    "folded",
                    league.accounts.folding.FoldedField(
                        blank=True, db_index=True, default="", editable=False, max_length=660, of="name"
                    ),
                ),
                ("slug", models.SlugField(max_length=60, verbose_name="address")),
                ("ruleset", models.CharField(max_length=40, verbose_name="ruleset")),
                ("options", models.JSONField(blank=True, default=dict, verbose_name="options")),
                ("best_of", models.PositiveSmallIntegerField(default=1, verbose_name="best of")),
                (
                    "pairs",
                    models.BooleanField(
                        default=False,
                        help_text="Two partners share a seat and alternate games.",
                        verbose_name="of pairs",
                    ),
                ),
                (
                    "tie_breaks",
                    models.JSONField(
                        default=league.competitions.models.usual_tie_breaks,
                        help_text="In this order.",
                        verbose_name="tie-breaks",
                    ),
                ),
                (
                    "tie_break_edition",
                    models.PositiveSmallIntegerField(
                        choices=[(2024, "FIDE C.07 of August 2024"), (2026, "FIDE C.07 of March 2026")],
                        default=2026,
                        verbose_name="edition of the tie-breaks",
                    ),
                ),
                ("win_points", models.PositiveSmallIntegerField(default=2, verbose_name="points for a win")),
                ("draw_points", models.PositiveSmallIntegerField(default=1, verbose_name="points for a draw")),
                ("loss_points", models.PositiveSmallIntegerField(default=0, verbose_name="points for a loss")),
                ("bye_points", models.PositiveSmallIntegerField(default=2, verbose_name="points for a bye")),
                (
                    "release",
                    models.CharField(
                        choices=[("all", "all rounds at once"), ("round_by_round", "round by round")],
                        default="all",
                        max_length=16,
                        verbose_name="rounds are shown",
                    ),
                ),
                ("starts_at", models.DateTimeField(blank=True, null=True, verbose_name="starts")),
                ("minutes", models.PositiveSmallIntegerField(default=30, verbose_name="minutes a match")),
                ("days_between", models.PositiveSmallIntegerField(default=0, verbose_name="days between rounds")),
                (
                    "top_board_streamed",
                    models.BooleanField(
                        default=False,
                        help_text="Of each round, when it is drawn.",
                        verbose_name="the top board goes to the stream table",
                    ),
                ),
                ("fee", models.PositiveIntegerField(default=0, verbose_name="fee")),
                ("currency", models.CharField(blank=True, max_length=8, verbose_name="currency")),
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
                        verbose_name="results need",
                    ),
                ),
                (
                    "final_level",
                    models.CharField(
                        choices=[
                            ("log", "verified from the log"),
                            ("tally", "checked tally"),
                            ("card", "checked card"),
                            ("score", "recorded"),
                        ],
                        default="score",
                        max_length=8,
                        verbose_name="finals need",
                    ),
                ),
                (
                    "forfeit_after_min",
                    models.PositiveSmallIntegerField(default=15, verbose_name="minutes until a forfeit"),
                ),
                (
                    "check_in_open",
                    models.BooleanField(
                        default=False,
                        help_text="With the personal link or code that each of them has.",
                        verbose_name="players check in by themselves",
                    ),
                ),
                (
                    "registration",
                    models.CharField(
                        choices=[
                            ("closed", "nobody: the organizer registers"),
                            ("open", "everybody"),
                            ("invited", "anyone with an invitation"),
                        ],
                        default="closed",
                        max_length=8,
                        verbose_name="who may sign up",
                    ),
                ),
                (
                    "registration_closes_at",
                    models.DateTimeField(blank=True, null=True, verbose_name="registration closes"),
                ),
                (
                    "admission",
                    models.CharField(
                        choices=[
                            ("by_hand", "an organizer looks at each"),
                            ("members", "members with an account are in at once, others wait"),
                        ],
                        default="by_hand",
                        max_length=8,
                        verbose_name="sign-ups",
                    ),
                ),
                ("places", models.PositiveSmallIntegerField(default=0, verbose_name="places")),
                (
                    "rated",
                    models.BooleanField(
                        default=True,
                        help_text="Its official games count for the ratings of the league.",
                        verbose_name="rated",
                    ),
                ),
                ("published_at", models.DateTimeField(blank=True, null=True, verbose_name="published")),
                (
                    "honours_at",
                    models.DateTimeField(blank=True, editable=False, null=True, verbose_name="titles written"),
                ),
                (
                    "key",
                    models.CharField(
                        default=league.accounts.codes.new_code, editable=False, max_length=16, verbose_name="key"
                    ),
                ),
                ("imported_at", models.DateTimeField(blank=True, editable=False, null=True, verbose_name="imported")),
                (
                    "imported_by",
                    models.ForeignKey(
                        blank=True,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="imported_competitions",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="imported by",
                    ),
                ),
                (
                    "tables",
                    models.ManyToManyField(
                        blank=True, related_name="competitions", to="matches.table", verbose_name="tables"
                    ),
                ),
                (
                    "forfeit_points",
                    models.BooleanField(
                        default=False,
                        help_text="Target to nothing; otherwise they add no points.",
                        verbose_name="forfeits count in the points",
                    ),
                ),
                (
                    "direct_by",
                    models.CharField(
                        choices=[
                            ("points", "wins, points difference, then points for among them"),
                            ("wins", "wins among them only"),
                        ],
                        default="points",
                        max_length=6,
                        verbose_name="direct encounter by",
                    ),
                ),
                ("cancel_reason", models.CharField(blank=True, editable=False, max_length=200, verbose_name="reason")),
                ("cancelled_at", models.DateTimeField(blank=True, editable=False, null=True, verbose_name="cancelled")),
                (
                    "cancelled_by",
                    models.ForeignKey(
                        blank=True,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="cancelled_competitions",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="cancelled by",
                    ),
                ),
                (
                    "clubs_apart",
                    models.BooleanField(
                        default=False,
                        help_text="In a Swiss system among those level on points, and from the first round of a knock-out on.",
                        verbose_name="club mates apart",
                    ),
                ),
                ("own_best_of", models.JSONField(blank=True, default=dict, verbose_name="best of, in the last rounds")),
                (
                    "leaving",
                    models.CharField(
                        choices=[
                            ("half", "kept from half of the matches on, else annulled"),
                            ("keep", "kept, the rest forfeited"),
                            ("annul", "all annulled"),
                        ],
                        default="half",
                        max_length=5,
                        verbose_name="matches of a player who leaves",
                    ),
                ),
                (
                    "dispatches",
                    models.BooleanField(
                        default=False,
                        help_text="Tables and hours of the plan are then a forecast.",
                        verbose_name="the next ready match goes to the next free table",
                    ),
                ),
                (
                    "rest_minutes",
                    models.PositiveSmallIntegerField(
                        default=0, verbose_name="minutes of rest between two matches of a player"
                    ),
                ),
                (
                    "requested_bye",
                    models.CharField(
                        choices=[
                            ("draw", "the points of a draw"),
                            ("none", "no points"),
                            ("win", "the points of a win"),
                        ],
                        default="draw",
                        max_length=4,
                        verbose_name="a requested bye gives",
                    ),
                ),
                ("most_byes", models.PositiveSmallIntegerField(default=1, verbose_name="requested byes a player")),
                (
                    "live_delay_s",
                    models.PositiveSmallIntegerField(
                        choices=[(0, "At once"), (30, "After 30 seconds"), (60, "After 60 seconds")],
                        default=0,
                        editable=False,
                        verbose_name="delay of running scores",
                    ),
                ),
            ],
            options={
                "verbose_name": "competition",
                "verbose_name_plural": "competitions",
                "ordering": ["name"],
                "constraints": [
                    models.UniqueConstraint(fields=("league", "slug"), name="a_competition_address_once"),
                    models.UniqueConstraint(fields=("league", "key"), name="a_competition_key_once"),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("imported_at__isnull", True), ("imported_by__isnull", True)),
                            models.Q(("imported_at__isnull", False), ("imported_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="imported_by_somebody",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("cancel_reason", ""), ("cancelled_at", None), ("cancelled_by", None)),
                            models.Q(
                                ("cancelled_at__isnull", False),
                                ("cancelled_by__isnull", False),
                                models.Q(("cancel_reason", ""), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="cancelled_by_somebody_with_a_reason",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="DrawJob",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "competition",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="draw_jobs",
                        to="competitions.competition",
                        verbose_name="competition",
                    ),
                ),
                (
                    "season",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="draw_jobs",
                        to="competitions.season",
                        verbose_name="season",
                    ),
                ),
                (
                    "what",
                    models.CharField(
                        choices=[
                            ("first", "the draw"),
                            ("next", "the next round"),
                            ("anew", "the draft round again"),
                            ("here", "the draw with those who are here"),
                            ("all", "all divisions"),
                            ("dated", "what was drawn, on other dates"),
                        ],
                        max_length=5,
                        verbose_name="what",
                    ),
                ),
                ("asked_at", models.DateTimeField(verbose_name="asked")),
                (
                    "asked_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="draw_jobs",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="asked by",
                    ),
                ),
                ("language", models.CharField(blank=True, max_length=16, verbose_name="language")),
                ("absent", models.JSONField(blank=True, default=list, verbose_name="absent")),
                ("tries", models.PositiveSmallIntegerField(default=0, verbose_name="tries")),
                ("done_at", models.DateTimeField(blank=True, null=True, verbose_name="done")),
                ("made", models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="round made")),
                ("refused_code", models.CharField(blank=True, max_length=40, verbose_name="refused: code")),
                ("refused", models.CharField(blank=True, max_length=1000, verbose_name="refused")),
            ],
            options={
                "verbose_name": "draw asked for",
                "verbose_name_plural": "draws asked for",
                "ordering": ["asked_at", "pk"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("done_at__isnull", True)),
                        fields=("competition",),
                        name="one_draw_at_a_time",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("done_at__isnull", True)),
                        fields=("season",),
                        name="one_draw_of_a_season_at_a_time",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("competition__isnull", True), ("season__isnull", False), ("what__in", ["all", "dated"])
                            ),
                            models.Q(
                                ("competition__isnull", False),
                                ("season__isnull", True),
                                models.Q(("what__in", ["all", "dated"]), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="a_draw_of_a_competition_or_a_season",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Honour",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "competition",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="honours",
                        to="competitions.competition",
                        verbose_name="competition",
                    ),
                ),
                (
                    "entrant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="honours",
                        to="players.entrant",
                        verbose_name="entrant",
                    ),
                ),
                ("place", models.PositiveSmallIntegerField(verbose_name="place")),
            ],
            options={
                "verbose_name": "title",
                "verbose_name_plural": "titles",
                "ordering": ["competition", "place", "pk"],
                "constraints": [
                    models.UniqueConstraint(fields=("competition", "entrant"), name="one_place_in_a_competition"),
                    models.CheckConstraint(
                        condition=models.Q(("place__gte", 1), ("place__lte", 3)), name="an_honour_is_of_the_first"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Notice",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "league",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="notices",
                        to="accounts.league",
                        verbose_name="league",
                    ),
                ),
                (
                    "competition",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="notices",
                        to="competitions.competition",
                        verbose_name="competition",
                    ),
                ),
                ("withdrawn_at", models.DateTimeField(blank=True, null=True, verbose_name="withdrawn")),
                (
                    "withdrawn_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="withdrawn_notices",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="withdrawn by",
                    ),
                ),
                ("withdrawn_reason", models.CharField(blank=True, max_length=200, verbose_name="why it was withdrawn")),
            ],
            options={
                "verbose_name": "notice",
                "verbose_name_plural": "notices",
                "ordering": ["-pk"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("withdrawn_at__isnull", True), ("withdrawn_by__isnull", True)),
                            models.Q(("withdrawn_at__isnull", False), ("withdrawn_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="a_notice_is_withdrawn_by_somebody",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="NoticeVersion",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "notice",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="versions",
                        to="competitions.notice",
                        verbose_name="notice",
                    ),
                ),
                ("number", models.PositiveSmallIntegerField(verbose_name="version")),
                ("title", models.CharField(max_length=120, verbose_name="title")),
                ("text", models.TextField(max_length=4000, verbose_name="text")),
                ("published_at", models.DateTimeField(db_index=True, verbose_name="published")),
                (
                    "published_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="notices",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="published by",
                    ),
                ),
                ("replaced_at", models.DateTimeField(blank=True, null=True, verbose_name="replaced")),
            ],
            options={
                "verbose_name": "version of a notice",
                "verbose_name_plural": "versions of notices",
                "ordering": ["-published_at", "-pk"],
                "constraints": [
                    models.UniqueConstraint(fields=("notice", "number"), name="a_version_of_a_notice_once"),
                    models.UniqueConstraint(
                        condition=models.Q(("replaced_at__isnull", True)),
                        fields=("notice",),
                        name="a_notice_says_one_thing",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Registration",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "competition",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="registrations",
                        to="competitions.competition",
                        verbose_name="competition",
                    ),
                ),
                (
                    "entrant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="registrations",
                        to="players.entrant",
                        verbose_name="entrant",
                    ),
                ),
                ("seed", models.PositiveSmallIntegerField(verbose_name="seed")),
                ("checked_in_at", models.DateTimeField(blank=True, null=True, verbose_name="checked in")),
                (
                    "checked_in_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="checked_in",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="checked in by",
                    ),
                ),
                ("lot", models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="lot")),
                (
                    "rating",
                    models.IntegerField(blank=True, editable=False, null=True, verbose_name="rating at the start"),
                ),
                ("free_reason", models.CharField(blank=True, max_length=120, verbose_name="plays free because")),
                (
                    "pinned_table",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="pinned",
                        to="matches.table",
                        verbose_name="plays at this table only",
                    ),
                ),
                ("key", models.CharField(blank=True, editable=False, max_length=16, verbose_name="key")),
                ("bonus", models.SmallIntegerField(default=0, editable=False, verbose_name="bonus or deduction")),
                (
                    "late_changes",
                    models.JSONField(blank=True, editable=False, null=True, verbose_name="changes by the late entry"),
                ),
                (
                    "bye_rounds",
                    models.JSONField(blank=True, default=list, editable=False, verbose_name="requested byes"),
                ),
            ],
            options={
                "verbose_name": "registration",
                "verbose_name_plural": "registrations",
                "ordering": ["competition", "seed"],
                "constraints": [
                    models.UniqueConstraint(fields=("competition", "entrant"), name="registered_once"),
                    models.UniqueConstraint(fields=("competition", "seed"), name="a_seed_once"),
                    models.UniqueConstraint(fields=("competition", "lot"), name="a_lot_once"),
                    models.UniqueConstraint(fields=("competition", "pinned_table"), name="a_table_is_pinned_for_one"),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("checked_in_by__isnull", True), ("checked_in_at__isnull", False), _connector="OR"
                        ),
                        name="checked_in_at_an_hour",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Payment",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "competition",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="payments",
                        to="competitions.competition",
                        verbose_name="competition",
                    ),
                ),
                (
                    "entrant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="payments",
                        to="players.entrant",
                        verbose_name="entrant",
                    ),
                ),
                ("amount", models.PositiveIntegerField(verbose_name="amount")),
                ("taken_at", models.DateTimeField(verbose_name="taken")),
                (
                    "taken_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="payments_taken",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="taken by",
                    ),
                ),
                ("returned_at", models.DateTimeField(blank=True, null=True, verbose_name="given back")),
                (
                    "returned_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="payments_returned",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="given back by",
                    ),
                ),
            ],
            options={
                "verbose_name": "payment",
                "verbose_name_plural": "payments",
                "ordering": ["taken_at", "pk"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("amount__gt", 0)), name="a_payment_is_more_than_nothing"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("returned_at__isnull", True), ("returned_by__isnull", True)),
                            models.Q(("returned_at__isnull", False), ("returned_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="a_payment_is_given_back_by_somebody",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Withdrawal",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "competition",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="withdrawals",
                        to="competitions.competition",
                        verbose_name="competition",
                    ),
                ),
                (
                    "entrant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="withdrawals",
                        to="players.entrant",
                        verbose_name="entrant",
                    ),
                ),
                ("reason", models.CharField(max_length=200, verbose_name="reason")),
                ("made_at", models.DateTimeField(verbose_name="made")),
                (
                    "made_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="withdrawals_made",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="made by",
                    ),
                ),
                ("forfeits", models.JSONField(blank=True, default=list, verbose_name="forfeits")),
                ("undone_at", models.DateTimeField(blank=True, null=True, verbose_name="undone")),
                (
                    "undone_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="withdrawals_undone",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="undone by",
                    ),
                ),
            ],
            options={
                "verbose_name": "withdrawal",
                "verbose_name_plural": "withdrawals",
                "ordering": ["made_at", "pk"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("undone_at__isnull", True)),
                        fields=("competition", "entrant"),
                        name="withdrawn_once",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Rehearsal",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "competition",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="rehearsals",
                        to="competitions.competition",
                        verbose_name="competition",
                    ),
                ),
                ("seed", models.PositiveIntegerField(verbose_name="seed of chance")),
                ("entrants", models.PositiveIntegerField(verbose_name="entrants")),
                ("wishes", models.JSONField(blank=True, default=dict, verbose_name="wishes")),
                ("asked_at", models.DateTimeField(verbose_name="asked")),
                (
                    "asked_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="rehearsals",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="asked by",
                    ),
                ),
                ("language", models.CharField(blank=True, max_length=16, verbose_name="language")),
                ("tries", models.PositiveSmallIntegerField(default=0, verbose_name="tries")),
                ("done_at", models.DateTimeField(blank=True, null=True, verbose_name="done")),
                ("report", models.JSONField(blank=True, default=dict, verbose_name="report")),
                ("refused_code", models.CharField(blank=True, max_length=40, verbose_name="refused: code")),
                ("refused", models.CharField(blank=True, max_length=1000, verbose_name="refused")),
            ],
            options={
                "verbose_name": "rehearsal",
                "verbose_name_plural": "rehearsals",
                "ordering": ["-pk"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("done_at__isnull", True)),
                        fields=("competition",),
                        name="one_rehearsal_at_a_time",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Division",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "season",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="divisions",
                        to="competitions.season",
                        verbose_name="season",
                    ),
                ),
                ("level", models.PositiveSmallIntegerField(verbose_name="level")),
                ("name", league.accounts.lettered.NameColumn(letters=60, max_length=660, verbose_name="name")),
                (
                    "competition",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="division",
                        to="competitions.competition",
                        verbose_name="competition",
                    ),
                ),
                ("promote", models.PositiveSmallIntegerField(default=0, verbose_name="go up")),
                ("relegate", models.PositiveSmallIntegerField(default=0, verbose_name="go down")),
                ("play_off", models.PositiveSmallIntegerField(default=0, verbose_name="play off to go up")),
            ],
            options={
                "verbose_name": "division",
                "verbose_name_plural": "divisions",
                "ordering": ["season", "level"],
                "constraints": [
                    models.UniqueConstraint(fields=("season", "level"), name="a_level_of_a_season_once"),
                    models.CheckConstraint(condition=models.Q(("level__gte", 1)), name="levels_count_from_one"),
                ],
            },
        ),
        migrations.CreateModel(
            name="PlayOff",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "upper",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="play_offs",
                        to="competitions.division",
                        verbose_name="upper division",
                    ),
                ),
                ("number", models.PositiveSmallIntegerField(verbose_name="number")),
                (
                    "competition",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="play_off",
                        to="competitions.competition",
                        verbose_name="competition",
                    ),
                ),
            ],
            options={
                "verbose_name": "play-off",
                "verbose_name_plural": "play-offs",
                "ordering": ["upper", "number", "pk"],
            },
        ),
        migrations.CreateModel(
            name="Seeding",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "competition",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="seedings",
                        to="competitions.competition",
                        verbose_name="competition",
                    ),
                ),
                (
                    "how",
                    models.CharField(
                        choices=[("hand", "by hand"), ("rating", "by rating"), ("lot", "by lot")],
                        max_length=6,
                        verbose_name="how",
                    ),
                ),
                ("before", models.JSONField(verbose_name="before")),
                ("after", models.JSONField(verbose_name="after")),
                ("made_at", models.DateTimeField(verbose_name="made")),
                (
                    "made_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="seedings",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="made by",
                    ),
                ),
                ("undone_at", models.DateTimeField(blank=True, null=True, verbose_name="undone")),
                (
                    "undone_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="seedings_undone",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="undone by",
                    ),
                ),
            ],
            options={
                "verbose_name": "seeding",
                "verbose_name_plural": "seedings",
                "ordering": ["made_at", "pk"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("undone_at__isnull", True), ("undone_by__isnull", True)),
                            models.Q(("undone_at__isnull", False), ("undone_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="a_seeding_is_undone_by_somebody",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Invitation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "competition",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="invitations",
                        to="competitions.competition",
                        verbose_name="competition",
                    ),
                ),
                ("digest", models.CharField(editable=False, max_length=64, unique=True, verbose_name="SHA-256")),
                (
                    "whom",
                    league.accounts.lettered.NameColumn(
                        blank=True, letters=80, max_length=880, verbose_name="invited person"
                    ),
                ),
                ("uses", models.PositiveSmallIntegerField(default=1, verbose_name="uses")),
                ("made_at", models.DateTimeField(verbose_name="made")),
                (
                    "made_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="invitations_made",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="made by",
                    ),
                ),
                ("expires_at", models.DateTimeField(verbose_name="expires")),
                ("revoked_at", models.DateTimeField(blank=True, null=True, verbose_name="revoked")),
                (
                    "revoked_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="invitations_revoked",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="revoked by",
                    ),
                ),
            ],
            options={
                "verbose_name": "invitation",
                "verbose_name_plural": "invitations",
                "ordering": ["-made_at", "-pk"],
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("uses__gte", 1)), name="an_invitation_is_for_somebody"),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("revoked_at__isnull", True), ("revoked_by__isnull", True)),
                            models.Q(("revoked_at__isnull", False), ("revoked_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="an_invitation_is_revoked_by_somebody",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Applicant",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "competition",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="applicants",
                        to="competitions.competition",
                        verbose_name="competition",
                    ),
                ),
                (
                    "name",
                    league.accounts.lettered.NameColumn(blank=True, letters=130, max_length=1430, verbose_name="name"),
                ),
                (
                    "club",
                    league.accounts.lettered.NameColumn(blank=True, letters=60, max_length=660, verbose_name="club"),
                ),
                (
                    "partner_name",
                    league.accounts.lettered.NameColumn(blank=True, letters=60, max_length=660, verbose_name="partner"),
                ),
                (
                    "partner_born",
                    models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="partner’s year of birth"),
                ),
                (
                    "player",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="applications",
                        to="players.player",
                        verbose_name="player",
                    ),
                ),
                ("born", models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="year of birth")),
                ("contact", models.CharField(blank=True, max_length=120, verbose_name="contact")),
                ("word", models.CharField(blank=True, max_length=300, verbose_name="a word to the organizer")),
                ("digest", models.CharField(editable=False, max_length=64, unique=True, verbose_name="SHA-256")),
                (
                    "user",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="applications",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="account",
                    ),
                ),
                (
                    "invitation",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="applicants",
                        to="competitions.invitation",
                        verbose_name="invitation",
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "waiting"),
                            ("accepted", "accepted"),
                            ("refused", "refused"),
                            ("withdrawn", "withdrawn"),
                        ],
                        default="waiting",
                        max_length=9,
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
                        related_name="applicants_decided",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="decided by",
                    ),
                ),
                (
                    "entrant",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="applications",
                        to="players.entrant",
                        verbose_name="entrant",
                    ),
                ),
                ("leaves_since", models.DateTimeField(blank=True, null=True, verbose_name="leaves the draw since")),
            ],
            options={
                "verbose_name": "sign-up",
                "verbose_name_plural": "sign-ups",
                "ordering": ["made_at", "pk"],
                "indexes": [models.Index(fields=["competition", "state", "made_at"], name="applicants_in_order")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("decided_at__isnull", True), ("state", "waiting")),
                            models.Q(models.Q(("state", "waiting"), _negated=True), ("decided_at__isnull", False)),
                            _connector="OR",
                        ),
                        name="an_applicant_waits_until_decided",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("state", "accepted"), _negated=True), ("entrant__isnull", False), _connector="OR"
                        ),
                        name="an_accepted_applicant_is_an_entrant",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Stage",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "competition",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="stages",
                        to="competitions.competition",
                        verbose_name="competition",
                    ),
                ),
                ("number", models.PositiveSmallIntegerField(default=1, verbose_name="number")),
                (
                    "format",
                    models.CharField(
                        choices=league.competitions.models.choices.format_choices,
                        default="round_robin",
                        max_length=20,
                        verbose_name="format",
                    ),
                ),
                ("third_place", models.BooleanField(default=False, verbose_name="match for third place")),
                (
                    "reset",
                    models.BooleanField(
                        default=True,
                        help_text="When the grand final is the first loss of the one who lost it.",
                        verbose_name="deciding match",
                    ),
                ),
                ("rounds", models.PositiveSmallIntegerField(default=0, verbose_name="rounds")),
                ("groups", models.PositiveSmallIntegerField(default=0, verbose_name="groups")),
                ("seats", models.PositiveSmallIntegerField(default=0, verbose_name="seats at a table")),
                ("place_points", models.JSONField(blank=True, default=list, verbose_name="points by place")),
                (
                    "challenge_reach",
                    models.PositiveSmallIntegerField(default=0, verbose_name="challenge up to so many places above"),
                ),
                (
                    "challenge_days",
                    models.PositiveSmallIntegerField(default=0, verbose_name="days until a challenge lapses"),
                ),
                ("advance_each", models.PositiveSmallIntegerField(default=0, verbose_name="go on, of each")),
                ("advance_rest", models.PositiveSmallIntegerField(default=0, verbose_name="go on, of the rest")),
                ("finished_at", models.DateTimeField(blank=True, null=True, verbose_name="finished")),
            ],
            options={
                "verbose_name": "stage",
                "verbose_name_plural": "stages",
                "ordering": ["competition", "number"],
                "constraints": [models.UniqueConstraint(fields=("competition", "number"), name="a_stage_number_once")],
            },
        ),
        migrations.CreateModel(
            name="Matchday",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "stage",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="matchdays",
                        to="competitions.stage",
                        verbose_name="stage",
                    ),
                ),
                ("number", models.PositiveSmallIntegerField(verbose_name="number")),
                (
                    "section",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("", "all"),
                            ("winners", "winners’ bracket"),
                            ("losers", "losers’ bracket"),
                            ("final", "final"),
                        ],
                        default="",
                        max_length=8,
                        verbose_name="part",
                    ),
                ),
                ("nth", models.PositiveSmallIntegerField(default=1, verbose_name="number within its part")),
                ("results_hash", models.CharField(blank=True, max_length=64, verbose_name="hash of the results")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("round", "Round"),
                            ("round_of_16", "Round of 16"),
                            ("quarter_finals", "Quarter-finals"),
                            ("semi_finals", "Semi-finals"),
                            ("final", "Final"),
                            ("decider", "Deciding match"),
                        ],
                        default="round",
                        max_length=16,
                        verbose_name="kind",
                    ),
                ),
                (
                    "name",
                    league.accounts.lettered.NameColumn(
                        blank=True,
                        help_text="Instead of the usual one.",
                        letters=60,
                        max_length=660,
                        verbose_name="name",
                    ),
                ),
                ("published_at", models.DateTimeField(blank=True, null=True, verbose_name="published")),
                (
                    "published_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="published_matchdays",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="published by",
                    ),
                ),
                ("missing_before", models.PositiveIntegerField(default=0, verbose_name="results missing before")),
                (
                    "missing_rounds",
                    models.JSONField(blank=True, default=list, verbose_name="rounds with missing results"),
                ),
                ("reason", models.CharField(blank=True, max_length=200, verbose_name="reason")),
                ("version", models.PositiveSmallIntegerField(default=1, verbose_name="version")),
            ],
            options={
                "verbose_name": "round",
                "verbose_name_plural": "rounds",
                "ordering": ["stage", "number"],
                "constraints": [models.UniqueConstraint(fields=("stage", "number"), name="a_matchday_number_once")],
            },
        ),
        migrations.CreateModel(
            name="Slot",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "matchday",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="slots",
                        to="competitions.matchday",
                        verbose_name="round",
                    ),
                ),
                ("number", models.PositiveSmallIntegerField(verbose_name="number")),
                (
                    "match",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="slot",
                        to="matches.match",
                        verbose_name="match",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="slots",
                        to="matches.table",
                        verbose_name="table",
                    ),
                ),
                ("starts_at", models.DateTimeField(blank=True, null=True, verbose_name="starts")),
                ("third_place", models.BooleanField(default=False, verbose_name="match for third place")),
                ("group", models.PositiveSmallIntegerField(default=0, verbose_name="group")),
                ("conditional", models.BooleanField(default=False, verbose_name="only if needed")),
                ("not_needed", models.BooleanField(default=False, verbose_name="not needed")),
                ("reasons", models.JSONField(blank=True, default=list, verbose_name="reasons")),
                ("locked", models.BooleanField(default=False, verbose_name="locked")),
                ("for_stream", models.BooleanField(default=False, verbose_name="for the stream")),
                ("changed_at", models.DateTimeField(blank=True, null=True, verbose_name="changed")),
                (
                    "questioned_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="questioned_slots",
                        to="matches.amendment",
                        verbose_name="questioned by",
                    ),
                ),
                ("requested_bye", models.BooleanField(default=False, verbose_name="requested bye")),
            ],
            options={
                "verbose_name": "slot",
                "verbose_name_plural": "slots",
                "ordering": ["matchday", "number"],
                "constraints": [models.UniqueConstraint(fields=("matchday", "number"), name="a_slot_number_once")],
            },
        ),
        migrations.CreateModel(
            name="Berth",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "slot",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="berths",
                        to="competitions.slot",
                        verbose_name="slot",
                    ),
                ),
                ("number", models.PositiveSmallIntegerField(verbose_name="number")),
                (
                    "entrant",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="berths",
                        to="players.entrant",
                        verbose_name="entrant",
                    ),
                ),
                (
                    "from_slot",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="leads_to",
                        to="competitions.slot",
                        verbose_name="comes from",
                    ),
                ),
                (
                    "takes",
                    models.CharField(
                        blank=True,
                        choices=[("winner", "winner"), ("loser", "loser")],
                        max_length=6,
                        verbose_name="takes",
                    ),
                ),
                ("awaited_since", models.DateTimeField(blank=True, null=True, verbose_name="awaited since")),
                ("absent_since", models.DateTimeField(blank=True, null=True, verbose_name="absent since")),
                (
                    "stands_although",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="berths",
                        to="matches.amendment",
                        verbose_name="stands although",
                    ),
                ),
            ],
            options={
                "verbose_name": "berth",
                "verbose_name_plural": "berths",
                "ordering": ["slot", "number"],
                "constraints": [
                    models.UniqueConstraint(fields=("slot", "number"), name="a_berth_number_once"),
                    models.CheckConstraint(
                        condition=models.Q(("number__gte", 1), ("number__lte", 6)), name="a_slot_has_up_to_six_berths"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("entrant__isnull", False), ("from_slot__isnull", True), ("takes", "")),
                            models.Q(("from_slot__isnull", False), models.Q(("takes", ""), _negated=True)),
                            _connector="OR",
                        ),
                        name="a_berth_is_known_or_comes_from_a_slot",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Challenge",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "stage",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="challenges",
                        to="competitions.stage",
                        verbose_name="stage",
                    ),
                ),
                (
                    "challenger",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="challenges_made",
                        to="players.entrant",
                        verbose_name="challenger",
                    ),
                ),
                (
                    "challenged",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="challenges_met",
                        to="players.entrant",
                        verbose_name="challenged",
                    ),
                ),
                (
                    "slot",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="challenge",
                        to="competitions.slot",
                        verbose_name="slot",
                    ),
                ),
                ("made_at", models.DateTimeField(verbose_name="made")),
                (
                    "made_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="challenges",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="made by",
                    ),
                ),
                ("closed_at", models.DateTimeField(blank=True, null=True, verbose_name="closed unplayed")),
                (
                    "closed_how",
                    models.CharField(
                        blank=True,
                        choices=[("withdrawn", "withdrawn"), ("expired", "not played in time")],
                        max_length=10,
                        verbose_name="how",
                    ),
                ),
            ],
            options={
                "verbose_name": "challenge",
                "verbose_name_plural": "challenges",
                "ordering": ["made_at", "pk"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("challenger", models.F("challenged")), _negated=True),
                        name="nobody_challenges_oneself",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("closed_at__isnull", True), ("closed_how", "")),
                            models.Q(
                                ("closed_at__isnull", False),
                                ("slot__isnull", True),
                                models.Q(("closed_how", ""), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="a_closed_challenge_is_not_played",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="StageEntry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "stage",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="entries",
                        to="competitions.stage",
                        verbose_name="stage",
                    ),
                ),
                (
                    "entrant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="stage_entries",
                        to="players.entrant",
                        verbose_name="entrant",
                    ),
                ),
                ("seed", models.PositiveSmallIntegerField(verbose_name="seed")),
                ("place", models.PositiveSmallIntegerField(verbose_name="place")),
                ("group", models.PositiveSmallIntegerField(default=0, verbose_name="group")),
            ],
            options={
                "verbose_name": "stage entry",
                "verbose_name_plural": "stage entries",
                "ordering": ["stage", "seed"],
                "constraints": [
                    models.UniqueConstraint(fields=("stage", "entrant"), name="in_a_stage_once"),
                    models.UniqueConstraint(fields=("stage", "seed"), name="a_seed_of_a_stage_once"),
                ],
            },
        ),
        migrations.CreateModel(
            name="FormerCard",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("match", models.PositiveBigIntegerField(unique=True, verbose_name="key of the match")),
                ("door", models.CharField(max_length=12, unique=True)),
                ("codes", models.JSONField(default=list, verbose_name="codes of the games")),
                ("round", models.CharField(max_length=40, verbose_name="round")),
                ("slot", models.PositiveSmallIntegerField(verbose_name="slot")),
                (
                    "competition",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="former_cards",
                        to="competitions.competition",
                        verbose_name="competition",
                    ),
                ),
            ],
            options={
                "verbose_name": "former card",
                "verbose_name_plural": "former cards",
                "ordering": ["competition", "round", "slot", "pk"],
            },
        ),
        migrations.CreateModel(
            name="FormerSeat",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveSmallIntegerField(verbose_name="number")),
                (
                    "card",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="seats",
                        to="competitions.formercard",
                        verbose_name="former card",
                    ),
                ),
                (
                    "entrant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="former_seats",
                        to="players.entrant",
                        verbose_name="entrant",
                    ),
                ),
            ],
            options={
                "verbose_name": "seat of a former card",
                "verbose_name_plural": "seats of former cards",
                "ordering": ["card", "number"],
                "constraints": [models.UniqueConstraint(fields=("card", "number"), name="a_former_side_number_once")],
            },
        ),
        migrations.CreateModel(
            name="Circuit",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", league.accounts.lettered.NameColumn(letters=120, max_length=1320, verbose_name="name")),
                ("slug", models.SlugField(max_length=60, verbose_name="address")),
                (
                    "points_by",
                    models.CharField(
                        choices=[
                            ("list", "a list: points for each place"),
                            ("entrants", "1 for the last place, 1 more for each place before it"),
                            ("percent", "100 for the first place, less in equal steps"),
                        ],
                        default="list",
                        max_length=8,
                        verbose_name="points",
                    ),
                ),
                ("points", models.JSONField(blank=True, default=list, verbose_name="points by place")),
                ("counted", models.PositiveSmallIntegerField(default=0, verbose_name="best evenings that count")),
                (
                    "competitions",
                    models.ManyToManyField(
                        blank=True, related_name="circuits", to="competitions.competition", verbose_name="evenings"
                    ),
                ),
                (
                    "league",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="circuits",
                        to="accounts.league",
                        verbose_name="league",
                    ),
                ),
            ],
            options={
                "verbose_name": "circuit",
                "verbose_name_plural": "circuits",
                "ordering": ["-pk"],
                "constraints": [models.UniqueConstraint(fields=("league", "slug"), name="a_circuit_address_once")],
            },
        ),
        migrations.CreateModel(
            name="CircuitPlace",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("first", models.PositiveSmallIntegerField(verbose_name="first of the shared places")),
                ("last", models.PositiveSmallIntegerField(verbose_name="last of the shared places")),
                (
                    "registration",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="circuit_place",
                        to="competitions.registration",
                        verbose_name="registration",
                    ),
                ),
            ],
            options={
                "verbose_name": "place in a circuit",
                "verbose_name_plural": "places in a circuit",
                "ordering": ["first", "pk"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("first__gte", 1), ("last__gte", models.F("first"))),
                        name="a_circuit_place_in_order",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Adjustment",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("points", models.SmallIntegerField(verbose_name="match points")),
                ("reason", models.CharField(max_length=200, verbose_name="reason")),
                ("made_at", models.DateTimeField(verbose_name="made")),
                ("undone_at", models.DateTimeField(blank=True, null=True, verbose_name="undone")),
                (
                    "made_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="adjustments_made",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="made by",
                    ),
                ),
                (
                    "registration",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="adjustments",
                        to="competitions.registration",
                        verbose_name="registration",
                    ),
                ),
                (
                    "undone_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="adjustments_undone",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="undone by",
                    ),
                ),
            ],
            options={
                "verbose_name": "bonus or deduction",
                "verbose_name_plural": "bonuses and deductions",
                "ordering": ["made_at", "pk"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("points", 0), _negated=True), name="an_adjustment_changes_points"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("undone_at__isnull", True), ("undone_by__isnull", True)),
                            models.Q(("undone_at__isnull", False), ("undone_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="an_adjustment_is_undone_by_somebody",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="PushKey",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("private", models.CharField(editable=False, max_length=100)),
                ("made_at", models.DateTimeField(verbose_name="made")),
            ],
            options={
                "verbose_name": "key for notifications",
                "verbose_name_plural": "keys for notifications",
                "constraints": [models.CheckConstraint(condition=models.Q(("pk", 1)), name="a_single_push_key")],
            },
        ),
        migrations.CreateModel(
            name="PushSubscription",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("endpoint", models.CharField(editable=False, max_length=1000, unique=True)),
                ("p256dh", models.CharField(editable=False, max_length=100)),
                ("auth", models.CharField(editable=False, max_length=100)),
                ("language", models.CharField(max_length=10, verbose_name="language")),
                ("created_at", models.DateTimeField(verbose_name="made")),
                ("last_ok_at", models.DateTimeField(blank=True, null=True, verbose_name="last delivery")),
                (
                    "entrant",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="push_subscriptions",
                        to="players.entrant",
                        verbose_name="entrant",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="push_subscriptions",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="account",
                    ),
                ),
            ],
            options={
                "verbose_name": "subscription to notifications",
                "verbose_name_plural": "subscriptions to notifications",
                "ordering": ["created_at", "pk"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("entrant__isnull", True), ("user__isnull", False)),
                            models.Q(("entrant__isnull", False), ("user__isnull", True)),
                            _connector="OR",
                        ),
                        name="a_push_subscription_has_one_owner",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Delivery",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("called_at", models.DateTimeField(verbose_name="called")),
                ("tries", models.PositiveSmallIntegerField(default=0, verbose_name="attempts")),
                ("due_at", models.DateTimeField(db_index=True, verbose_name="due")),
                (
                    "match",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="deliveries",
                        to="matches.match",
                        verbose_name="match",
                    ),
                ),
                (
                    "subscription",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="deliveries",
                        to="competitions.pushsubscription",
                        verbose_name="subscription to notifications",
                    ),
                ),
            ],
            options={
                "verbose_name": "delivery of a call",
                "verbose_name_plural": "deliveries of calls",
                "constraints": [models.UniqueConstraint(fields=("subscription", "match"), name="a_delivery_once")],
            },
        ),
    ]

import django.contrib.auth.models
import django.contrib.auth.validators
import django.core.validators
import django.db.models.deletion
import django.db.models.functions.text
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import league.accounts.codes
import league.accounts.folding
import league.accounts.lettered


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
    ]

    operations = [
        migrations.CreateModel(
            name="User",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("password", models.CharField(max_length=128, verbose_name="password")),
                ("last_login", models.DateTimeField(blank=True, null=True, verbose_name="last login")),
                (
                    "is_superuser",
                    models.BooleanField(
                        default=False,
                        help_text="Designates that this user has all permissions without explicitly assigning them.",
                        verbose_name="superuser status",
                    ),
                ),
                (
                    "username",
                    models.CharField(
                        error_messages={"unique": "A user with that username already exists."},
                        help_text="Required. 150 characters or fewer. Letters, digits and @/./+/-/_ only.",
                        max_length=150,
                        unique=True,
                        validators=[django.contrib.auth.validators.UnicodeUsernameValidator()],
                        verbose_name="username",
                    ),
                ),
                ("last_name", models.CharField(blank=True, max_length=150, verbose_name="last name")),
                ("email", models.EmailField(blank=True, max_length=254, verbose_name="email address")),
                (
                    "is_staff",
                    models.BooleanField(
                        default=False,
                        help_text="Designates whether the user can log into this admin site.",
                        verbose_name="staff status",
                    ),
                ),
                (
                    "is_active",
                    models.BooleanField(
                        default=True,
                        help_text="Designates whether this user should be treated as active. Unselect this instead of deleting accounts.",
                        verbose_name="active",
                    ),
                ),
                ("date_joined", models.DateTimeField(default=django.utils.timezone.now, verbose_name="date joined")),
                (
                    "first_name",
                    league.accounts.lettered.NameColumn(
                        blank=True, letters=100, max_length=1100, verbose_name="first name"
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
                    "initials_until",
                    models.PositiveSmallIntegerField(
                        blank=True,
                        help_text="The last year in which others see initials only.",
                        null=True,
                        verbose_name="initials until",
                    ),
                ),
                ("erased_at", models.DateTimeField(blank=True, editable=False, null=True, verbose_name="erased")),
                (
                    "groups",
                    models.ManyToManyField(
                        blank=True,
                        help_text="The groups this user belongs to. A user will get all permissions granted to each of their groups.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.group",
                        verbose_name="groups",
                    ),
                ),
                (
                    "user_permissions",
                    models.ManyToManyField(
                        blank=True,
                        help_text="Specific permissions for this user.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.permission",
                        verbose_name="user permissions",
                    ),
                ),
            ],
            options={
                "verbose_name": "user",
                "verbose_name_plural": "users",
                "abstract": False,
                "constraints": [
                    models.UniqueConstraint(
                        django.db.models.functions.text.Lower("email"),
                        condition=models.Q(("email", ""), _negated=True),
                        name="one_account_an_email",
                        violation_error_message="There is an account with this e-mail address.",
                    ),
                    models.UniqueConstraint(
                        django.db.models.functions.text.Lower("username"),
                        name="one_account_a_username",
                        violation_error_message="There is an account with this name.",
                    ),
                ],
            },
            managers=[
                ("objects", django.contrib.auth.models.UserManager()),
            ],
        ),
        migrations.CreateModel(
            name="League",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", league.accounts.lettered.NameColumn(letters=120, max_length=1320, verbose_name="name")),
                (
                    "folded",
                    league.accounts.folding.FoldedField(
                        blank=True, db_index=True, default="", editable=False, max_length=660, of="name"
                    ),
                ),
                ("slug", models.SlugField(max_length=60, unique=True, verbose_name="address")),
                (
                    "place",
                    league.accounts.lettered.NameColumn(blank=True, letters=120, max_length=1320, verbose_name="place"),
                ),
                ("contact", models.CharField(blank=True, max_length=200, verbose_name="contact")),
                ("contact_email", models.EmailField(blank=True, max_length=254, verbose_name="e-mail")),
                ("contact_phone", models.CharField(blank=True, max_length=40, verbose_name="telephone")),
                (
                    "contact_web",
                    models.CharField(
                        blank=True,
                        max_length=200,
                        validators=[django.core.validators.URLValidator(["http", "https"])],
                        verbose_name="page of its own",
                    ),
                ),
                (
                    "parent",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="children",
                        to="accounts.league",
                        verbose_name="part of",
                    ),
                ),
                (
                    "confirmation_required",
                    models.BooleanField(
                        default=True,
                        help_text="Off for casual nights: what a log proves is confirmed at once.",
                        verbose_name="results are confirmed",
                    ),
                ),
                (
                    "second_side_proves",
                    models.BooleanField(
                        default=False,
                        help_text="At the table it confirms with PIN, slip or account, as in every knock-out.",
                        verbose_name="the second side proves itself",
                    ),
                ),
                (
                    "silence_minutes",
                    models.PositiveSmallIntegerField(
                        blank=True,
                        help_text="Minutes after which the other side's silence confirms what a player entered. Empty: never.",
                        null=True,
                        verbose_name="silence confirms after",
                    ),
                ),
                (
                    "officials_needed",
                    models.PositiveSmallIntegerField(
                        choices=[(2, "two, where the league has two"), (1, "one")],
                        default=2,
                        help_text="For results that officials enter, forfeits, rulings and amendments.",
                        verbose_name="officials for one act",
                    ),
                ),
                ("time_zone", models.CharField(default="UTC", max_length=64, verbose_name="time zone")),
            ],
            options={
                "verbose_name": "league",
                "verbose_name_plural": "leagues",
                "ordering": ["name"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("officials_needed__in", [1, 2])), name="one_or_two_officials"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Role",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="roles",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="person",
                    ),
                ),
                (
                    "league",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="roles",
                        to="accounts.league",
                        verbose_name="league",
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("owner", "owner"),
                            ("manager", "manager"),
                            ("head_referee", "head referee"),
                            ("referee", "referee"),
                            ("desk_helper", "desk helper"),
                            ("player", "player"),
                            ("read_only", "read only"),
                        ],
                        max_length=16,
                        verbose_name="role",
                    ),
                ),
            ],
            options={
                "verbose_name": "role",
                "verbose_name_plural": "roles",
                "constraints": [models.UniqueConstraint(fields=("user", "league", "kind"), name="a_role_once")],
            },
        ),
        migrations.CreateModel(
            name="ResetLink",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="reset_links",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="person",
                    ),
                ),
                (
                    "made_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="made_reset_links",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="made by",
                    ),
                ),
                ("made_at", models.DateTimeField(verbose_name="made")),
            ],
            options={
                "verbose_name": "reset link",
                "verbose_name_plural": "reset links",
                "ordering": ["-made_at", "-pk"],
            },
        ),
        migrations.CreateModel(
            name="Founding",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="founded",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="person",
                    ),
                ),
            ],
            options={
                "verbose_name": "founding of the site",
                "verbose_name_plural": "founding of the site",
                "constraints": [models.CheckConstraint(condition=models.Q(("pk", 1)), name="a_site_is_founded_once")],
            },
        ),
        migrations.CreateModel(
            name="Attempts",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(editable=False, max_length=64, unique=True, verbose_name="key")),
                ("times", models.JSONField(default=list, verbose_name="seconds since 1970")),
                ("ends_at", models.DateTimeField(db_index=True, verbose_name="counts until")),
            ],
            options={
                "verbose_name": "attempts",
                "verbose_name_plural": "attempts",
            },
        ),
    ]

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0001_tables"),
    ]

    operations = [
        migrations.CreateModel(
            name="RoleInvitation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
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
                ("digest", models.CharField(editable=False, max_length=64, unique=True, verbose_name="SHA-256")),
                ("made_at", models.DateTimeField(verbose_name="made")),
                ("expires_at", models.DateTimeField(verbose_name="expires")),
                ("revoked_at", models.DateTimeField(blank=True, null=True, verbose_name="revoked")),
                ("taken_at", models.DateTimeField(blank=True, null=True, verbose_name="taken")),
                ("decided_at", models.DateTimeField(blank=True, null=True, verbose_name="decided")),
                ("accepted", models.BooleanField(default=False, verbose_name="accepted")),
                (
                    "decided_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="decided by",
                    ),
                ),
                (
                    "league",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="role_invitations",
                        to="accounts.league",
                        verbose_name="league",
                    ),
                ),
                (
                    "made_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="made_role_invitations",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="made by",
                    ),
                ),
                (
                    "taken_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="taken_role_invitations",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="taken by",
                    ),
                ),
            ],
            options={
                "verbose_name": "invitation to a role",
                "verbose_name_plural": "invitations to a role",
                "ordering": ["made_at", "pk"],
            },
        ),
    ]

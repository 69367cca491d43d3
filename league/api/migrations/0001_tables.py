import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import league.accounts.lettered


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("accounts", "__first__"),
    ]

    operations = [
        migrations.CreateModel(
            name="Token",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="tokens",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="account",
                    ),
                ),
                ("name", league.accounts.lettered.NameColumn(letters=60, max_length=660, verbose_name="name")),
                ("prefix", models.CharField(editable=False, max_length=12, verbose_name="begins with")),
                ("digest", models.CharField(editable=False, max_length=64, unique=True, verbose_name="SHA-256")),
                ("scopes", models.JSONField(default=list, verbose_name="scopes")),
                ("created_at", models.DateTimeField(verbose_name="made")),
                ("last_used_at", models.DateTimeField(blank=True, editable=False, null=True, verbose_name="last used")),
                ("expires_at", models.DateTimeField(blank=True, null=True, verbose_name="expires")),
                ("revoked_at", models.DateTimeField(blank=True, null=True, verbose_name="revoked")),
            ],
            options={
                "verbose_name": "token",
                "verbose_name_plural": "tokens",
                "ordering": ["-created_at", "-pk"],
            },
        ),
        migrations.CreateModel(
            name="StoredAnswer",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("principal", models.CharField(max_length=30, verbose_name="asker")),
                ("method", models.CharField(max_length=7, verbose_name="method")),
                ("path", models.CharField(max_length=255, verbose_name="path")),
                ("key", models.CharField(max_length=128, verbose_name="key")),
                ("fingerprint", models.CharField(max_length=64, verbose_name="fingerprint")),
                ("status", models.PositiveSmallIntegerField(default=0, verbose_name="status")),
                ("headers", models.JSONField(default=dict, verbose_name="headers")),
                ("body", models.TextField(blank=True, verbose_name="body")),
                ("created_at", models.DateTimeField(db_index=True, verbose_name="stored")),
            ],
            options={
                "verbose_name": "stored answer",
                "verbose_name_plural": "stored answers",
                "constraints": [
                    models.UniqueConstraint(fields=("principal", "method", "path", "key"), name="one_answer_a_key"),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("status", 0),
                            models.Q(
                                ("status__range", (200, 499)), models.Q(("status__in", [409, 429]), _negated=True)
                            ),
                            _connector="OR",
                        ),
                        name="answers_worth_keeping",
                    ),
                ],
            },
        ),
    ]

"""Tokens of programs, and stored answers for their retries."""

from collections.abc import Iterable

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.accounts.lettered import NameColumn

LONGEST_TOKEN = 60


class TokenScope(models.TextChoices):
    """Acts of a token in the name of its owner, who also needs the right to them."""

    READ = "read", pgettext_lazy("scope of a token", "read what you may see")
    SUBMIT = "submit", pgettext_lazy("scope of a token", "submit logs and scores")
    CONFIRM = "confirm", pgettext_lazy("scope of a token", "confirm results")
    TAKE_PART = "take-part", pgettext_lazy("scope of a token", "sign you up and challenge")
    MANAGE = "manage", pgettext_lazy("scope of a token", "run competitions: sign-ups, seeds, draws, undo, imports")


class Token(models.Model):
    """A key that a program shows instead of a password. The key itself is not stored."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="tokens", verbose_name=_("account"))
    name = NameColumn(_("name"), letters=LONGEST_TOKEN)
    prefix = models.CharField(_("begins with"), max_length=12, editable=False)
    digest = models.CharField(_("SHA-256"), max_length=64, unique=True, editable=False)
    scopes = models.JSONField(_("scopes"), default=list)
    created_at = models.DateTimeField(_("made"))
    last_used_at = models.DateTimeField(_("last used"), null=True, blank=True, editable=False)
    expires_at = models.DateTimeField(_("expires"), null=True, blank=True)
    revoked_at = models.DateTimeField(_("revoked"), null=True, blank=True)

    class Meta:
        ordering = ["-created_at", "-pk"]
        verbose_name = _("token")
        verbose_name_plural = _("tokens")

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"

    def opens(self, scope: TokenScope) -> bool:
        return scope in self.scopes

    @property
    def scope_names(self) -> Iterable[str]:
        return [TokenScope(scope).label for scope in self.scopes if scope in TokenScope.values]


class StoredAnswer(models.Model):
    """The answer to a request with an `Idempotency-Key`, written in the transaction of its effect.

    `principal`: the token, else the account, that asked. `fingerprint`: SHA-256 of the query, the type and the body,
    which distinguishes other requests under the same key.
    """

    principal = models.CharField(_("asker"), max_length=30)
    method = models.CharField(_("method"), max_length=7)
    path = models.CharField(_("path"), max_length=255)
    key = models.CharField(_("key"), max_length=128)
    fingerprint = models.CharField(_("fingerprint"), max_length=64)
    status = models.PositiveSmallIntegerField(_("status"), default=0)
    headers = models.JSONField(_("headers"), default=dict)
    body = models.TextField(_("body"), blank=True)
    created_at = models.DateTimeField(_("stored"), db_index=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["principal", "method", "path", "key"], name="one_answer_a_key"),
            models.CheckConstraint(
                condition=Q(status=0) | Q(status__range=(200, 499)) & ~Q(status__in=[409, 429]),
                name="answers_worth_keeping",
            ),
        ]
        verbose_name = _("stored answer")
        verbose_name_plural = _("stored answers")

    def __str__(self) -> str:
        return f"{self.method} {self.path}: {self.status}"

"""Notifications of phones by Web Push: the key of the site, subscriptions, and deliveries that are due."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from league.matches.models import Match
from league.players.models import Entrant

LONGEST_ENDPOINT = 1000
LONGEST_KEY = 100


class PushKey(models.Model):
    """The key pair (VAPID, RFC 8292) by which push services know this site: a single row, made once.

    `private`: the 32 bytes of the key on P-256, in base64url. Another key makes every subscription useless.
    """

    private = models.CharField(max_length=LONGEST_KEY, editable=False)
    made_at = models.DateTimeField(_("made"))

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(pk=1), name="a_single_push_key")]
        verbose_name = _("key for notifications")
        verbose_name_plural = _("keys for notifications")

    def __str__(self) -> str:
        return f"{self.made_at:%Y-%m-%d}"


class PushSubscription(models.Model):
    """A browser that asked for the calls of an account, or of a personal link.

    `endpoint`: its secret address at the push service, shown nowhere; `p256dh` and `auth`: the keys that encrypt its
    messages (RFC 8291), in base64url.
    """

    endpoint = models.CharField(max_length=LONGEST_ENDPOINT, unique=True, editable=False)
    p256dh = models.CharField(max_length=LONGEST_KEY, editable=False)
    auth = models.CharField(max_length=LONGEST_KEY, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        null=True,
        blank=True,
        related_name="push_subscriptions",
        verbose_name=_("account"),
    )
    entrant = models.ForeignKey(
        Entrant,
        models.CASCADE,
        null=True,
        blank=True,
        related_name="push_subscriptions",
        verbose_name=_("entrant"),
    )
    language = models.CharField(_("language"), max_length=10)
    created_at = models.DateTimeField(_("made"))
    last_ok_at = models.DateTimeField(_("last delivery"), null=True, blank=True)

    class Meta:
        ordering = ["created_at", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(user__isnull=False, entrant__isnull=True) | Q(user__isnull=True, entrant__isnull=False),
                name="a_push_subscription_has_one_owner",
            )
        ]
        verbose_name = _("subscription to notifications")
        verbose_name_plural = _("subscriptions to notifications")

    def __str__(self) -> str:
        return f"{self.user or self.entrant}, {self.created_at:%Y-%m-%d}"


class Delivery(models.Model):
    """A call that a subscription is still to get; removed once it is delivered, or too late.

    `called_at`: of the call, which may be taken back meanwhile. `due_at`: of the next attempt.
    """

    subscription = models.ForeignKey(
        PushSubscription, models.CASCADE, related_name="deliveries", verbose_name=_("subscription to notifications")
    )
    match = models.ForeignKey(Match, models.CASCADE, related_name="deliveries", verbose_name=_("match"))
    called_at = models.DateTimeField(_("called"))
    tries = models.PositiveSmallIntegerField(_("attempts"), default=0)
    due_at = models.DateTimeField(_("due"), db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["subscription", "match"], name="a_delivery_once")]
        verbose_name = _("delivery of a call")
        verbose_name_plural = _("deliveries of calls")

    def __str__(self) -> str:
        return f"{self.match}, {self.called_at:%H:%M}"

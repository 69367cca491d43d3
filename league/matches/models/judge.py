"""Model of named judges, re-exported by models/__init__.py."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from league.players.models import Player


class NamedJudge(models.Model):
    """A member named by the desk as the judge of a match. One a match."""

    match = models.OneToOneField("matches.Match", models.PROTECT, related_name="judge", verbose_name=_("match"))
    player = models.ForeignKey(Player, models.PROTECT, related_name="judged", verbose_name=_("member"))
    named_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="named_judges", verbose_name=_("named by")
    )
    named_at = models.DateTimeField(_("named"))
    # The proof of each side, by its number: {"1": "account", "2": "pin"}.
    accepted = models.JSONField(_("accepted by"), default=dict, blank=True)
    # Pins all of this (seals.py).
    head = models.CharField(_("chain head"), max_length=64, blank=True, editable=False)

    class Meta:
        ordering = ["pk"]
        verbose_name = _("judge")
        verbose_name_plural = _("judges")

    def __str__(self) -> str:
        return str(self.player)

"""Who plays, where, and under which name in a competition."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from league.accounts.codes import LENGTH, new_code
from league.accounts.models import League


class Player(models.Model):
    """A person who plays. The name can be erased; the code stays, and is what sealed logs hold."""

    name = models.CharField(_("name"), max_length=60, blank=True, help_text=_("Empty once it was erased."))
    code = models.CharField(_("code"), max_length=LENGTH, unique=True, default=new_code, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="players",
        verbose_name=_("account"),
    )

    class Meta:
        ordering = ["name", "code"]
        verbose_name = _("player")
        verbose_name_plural = _("players")

    def __str__(self) -> str:
        return self.name or self.code


class Membership(models.Model):
    """From when to when a player is of a league. `until` is the first day that is not."""

    player = models.ForeignKey(Player, models.CASCADE, related_name="memberships", verbose_name=_("player"))
    league = models.ForeignKey(League, models.CASCADE, related_name="memberships", verbose_name=_("league"))
    since = models.DateField(_("since"))
    until = models.DateField(_("until"), null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["player", "league", "since"], name="a_membership_once"),
            models.CheckConstraint(
                condition=Q(until__isnull=True) | Q(until__gt=F("since")), name="a_membership_has_a_day"
            ),
        ]
        verbose_name = _("membership")
        verbose_name_plural = _("memberships")

    def __str__(self) -> str:
        return f"{self.player} – {self.league}"


class Entrant(models.Model):
    """Who takes part in the competitions of a league: a player."""

    league = models.ForeignKey(League, models.PROTECT, related_name="entrants", verbose_name=_("league"))
    player = models.ForeignKey(Player, models.PROTECT, related_name="entrants", verbose_name=_("player"))

    class Meta:
        constraints = [models.UniqueConstraint(fields=["league", "player"], name="an_entrant_once")]
        verbose_name = _("entrant")
        verbose_name_plural = _("entrants")

    def __str__(self) -> str:
        return str(self.player)

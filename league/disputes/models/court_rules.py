"""Rules of a league for protests, rulings and appeals."""

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.accounts.models import League


class CourtRules(models.Model):
    """The times, the rule of proof and the penalties of a league; without a row these defaults."""

    class Proof(models.TextChoices):
        """Outcome of a fact that nobody finds (`referee.rulings.court.ProofRule`)."""

        NOBODY = "nobody", pgettext_lazy("rule of proof", "the points in question go to nobody")
        CLAIMANT = "claimant", pgettext_lazy("rule of proof", "the protester has to show it")
        REPLAY = "replay", pgettext_lazy("rule of proof", "the hand is played again")

    class Hears(models.TextChoices):
        """Officials who hear an appeal; never one who decided before."""

        HEAD = "head", pgettext_lazy("appeals go to", "the head referee or an owner")
        OWNER = "owner", pgettext_lazy("appeals go to", "an owner")
        PARENT = "parent", pgettext_lazy("appeals go to", "the parent league")

    league = models.OneToOneField(League, models.PROTECT, related_name="court_rules", verbose_name=_("league"))
    minutes_in_hall = models.PositiveIntegerField(
        _("protest in a hall within"),
        default=10,
        help_text=_("Minutes after the result was shown, for a match with a table."),
    )
    minutes_elsewhere = models.PositiveIntegerField(
        _("protest elsewhere within"), default=24 * 60, help_text=_("Minutes after the result was shown.")
    )
    hold_minutes = models.PositiveIntegerField(
        _("hold"), default=5, help_text=_("Minutes until play goes on under reserve. A final waits for the ruling.")
    )
    appeal_minutes = models.PositiveIntegerField(
        _("appeal within"), default=24 * 60, help_text=_("Minutes after the ruling.")
    )
    hears = models.CharField(_("appeals go to"), max_length=8, choices=Hears, default=Hears.HEAD)
    proof = models.CharField(_("rule of proof"), max_length=8, choices=Proof, default=Proof.NOBODY)
    # Points by the code of a violation (`referee.rulings.penalties.PenaltyPolicy`).
    penalties = models.JSONField(_("penalties"), default=dict, blank=True)

    class Meta:
        verbose_name = _("rules of the court")
        verbose_name_plural = _("rules of the court")

    def __str__(self) -> str:
        return f"{self._meta.verbose_name}: {self.league}"

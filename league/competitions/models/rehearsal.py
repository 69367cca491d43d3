"""Rows of rehearsals: the request, and the stored report."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class Rehearsal(models.Model):
    """A competition played through with invented players.

    Only the report is stored (league/rehearsals/evening.py), none of the play; a large rehearsal is made in the
    background, as a draw is.
    """

    competition = models.ForeignKey(
        "competitions.Competition", models.CASCADE, related_name="rehearsals", verbose_name=_("competition")
    )
    seed = models.PositiveIntegerField(_("seed of chance"))
    entrants = models.PositiveIntegerField(_("entrants"))
    # Mishaps to simulate (league/rehearsals/evening.py: Mishaps).
    wishes = models.JSONField(_("wishes"), default=dict, blank=True)
    asked_at = models.DateTimeField(_("asked"))
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="rehearsals", verbose_name=_("asked by")
    )
    # Language of round names and refusals.
    language = models.CharField(_("language"), max_length=16, blank=True)
    tries = models.PositiveSmallIntegerField(_("tries"), default=0)
    done_at = models.DateTimeField(_("done"), null=True, blank=True)
    report = models.JSONField(_("report"), default=dict, blank=True)
    refused_code = models.CharField(_("refused: code"), max_length=40, blank=True)
    refused = models.CharField(_("refused"), max_length=1000, blank=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["competition"], condition=Q(done_at__isnull=True), name="one_rehearsal_at_a_time"
            ),
        ]
        verbose_name = _("rehearsal")
        verbose_name_plural = _("rehearsals")

    def __str__(self) -> str:
        return f"{self.competition}: {self.seed}"

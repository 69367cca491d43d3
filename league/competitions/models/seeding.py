"""History of the seed order: each stored change, for display and undo."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


class Seeding(models.Model):
    """A change of the seed order of a draft.

    `before` and `after`: ids of entrants from seed 1 on.
    """

    class How(models.TextChoices):
        HAND = "hand", pgettext_lazy("seeding", "by hand")
        RATING = "rating", pgettext_lazy("seeding", "by rating")
        LOT = "lot", pgettext_lazy("seeding", "by lot")

    competition = models.ForeignKey(
        "competitions.Competition", models.CASCADE, related_name="seedings", verbose_name=_("competition")
    )
    how = models.CharField(_("how"), max_length=6, choices=How)
    before = models.JSONField(_("before"))
    after = models.JSONField(_("after"))
    made_at = models.DateTimeField(_("made"))
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="seedings", verbose_name=_("made by")
    )
    undone_at = models.DateTimeField(_("undone"), null=True, blank=True)
    undone_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="seedings_undone",
        verbose_name=_("undone by"),
    )

    class Meta:
        ordering = ["made_at", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(undone_at__isnull=True, undone_by__isnull=True)
                | Q(undone_at__isnull=False, undone_by__isnull=False),
                name="a_seeding_is_undone_by_somebody",
            ),
        ]
        verbose_name = _("seeding")
        verbose_name_plural = _("seedings")

    def __str__(self) -> str:
        return f"{self.competition}, {self.get_how_display()}, {self.made_at:%Y-%m-%d}"

"""Match points given to an entrant, or taken from it, by an organizer."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from league.competitions.models.registration import Registration

LONGEST_REASON = 200
MOST_ADJUSTED = 100


class Adjustment(models.Model):
    """A bonus, or a deduction if `points` is negative; shown in the table with its reason.

    It counts until it is removed (`undone_at`). `Registration.bonus` is the sum of those that count.
    """

    registration = models.ForeignKey(
        Registration, models.CASCADE, related_name="adjustments", verbose_name=_("registration")
    )
    points = models.SmallIntegerField(_("match points"))
    reason = models.CharField(_("reason"), max_length=LONGEST_REASON)
    made_at = models.DateTimeField(_("made"))
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="adjustments_made", verbose_name=_("made by")
    )
    undone_at = models.DateTimeField(_("undone"), null=True, blank=True)
    undone_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="adjustments_undone",
        verbose_name=_("undone by"),
    )

    class Meta:
        ordering = ["made_at", "pk"]
        constraints = [
            models.CheckConstraint(condition=~Q(points=0), name="an_adjustment_changes_points"),
            models.CheckConstraint(
                condition=Q(undone_at__isnull=True, undone_by__isnull=True)
                | Q(undone_at__isnull=False, undone_by__isnull=False),
                name="an_adjustment_is_undone_by_somebody",
            ),
        ]
        verbose_name = _("bonus or deduction")
        verbose_name_plural = _("bonuses and deductions")

    def __str__(self) -> str:
        return f"{self.registration}: {self.points:+}"

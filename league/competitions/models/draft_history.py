"""Rows of earlier states: one before each destructive act on a draft."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.accounts.codes import LENGTH
from league.accounts.lettered import NameColumn
from league.accounts.models import LONGEST_NAME, League


class EarlierState(models.Model):
    """Snapshot of a competition before an act, with the rows to restore it.

    It refers to the competition by key and not by a foreign key, because a discarded draft has no row any more.
    """

    class Before(models.TextChoices):
        DRAWN = "drawn", pgettext_lazy("act on a draft", "redrawn")
        PLANNED = "planned", pgettext_lazy("act on a draft", "planned again")
        ADDED = "added", pgettext_lazy("act on a draft", "players added, and the draw taken back")
        TAKEN_OUT = "taken_out", pgettext_lazy("act on a draft", "players taken out")
        SEEDED = "seeded", pgettext_lazy("act on a draft", "another order of seeds")
        LOTS = "lots", pgettext_lazy("act on a draft", "lots drawn for the order")
        PAIRED = "paired", pgettext_lazy("act on a draft", "draft round paired again")
        SWAPPED = "swapped", pgettext_lazy("act on a draft", "two exchanged in the draft round")
        STAGE = "stage", pgettext_lazy("act on a draft", "stage redrawn")
        UNDONE = "undone", pgettext_lazy("act on a draft", "gone back to an earlier state")
        DISCARDED = "discarded", pgettext_lazy("act on a draft", "discarded")

    league = models.ForeignKey(League, models.CASCADE, related_name="earlier_states", verbose_name=_("league"))
    key = models.CharField(_("key of the competition"), max_length=2 * LENGTH)
    name = NameColumn(_("name"), letters=LONGEST_NAME)
    before = models.CharField(_("before"), max_length=9, choices=Before)
    made_at = models.DateTimeField(_("kept"), db_index=True)
    # Null if a program did it.
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="earlier_states",
        verbose_name=_("by"),
    )
    # Contents of the state.
    entrants = models.PositiveIntegerField(_("entrants"), default=0)
    matches = models.PositiveIntegerField(_("matches"), default=0)
    rounds = models.PositiveIntegerField(_("rounds"), default=0)
    # Published rounds; null for a draft.
    rounds_shown = models.PositiveIntegerField(_("rounds shown"), null=True, blank=True)
    # The rows as JSON, compressed (snapshots.py); empty if too large.
    rows = models.BinaryField(_("rows"))
    size = models.PositiveIntegerField(_("bytes"), default=0)
    restored_at = models.DateTimeField(_("restored"), null=True, blank=True)
    restored_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="restored_states",
        verbose_name=_("restored by"),
    )

    class Meta:
        ordering = ["-pk"]
        indexes = [models.Index(fields=["league", "key"], name="earlier_states_of_one")]
        constraints = [
            models.CheckConstraint(
                condition=Q(restored_at__isnull=True, restored_by__isnull=True)
                | Q(restored_at__isnull=False, restored_by__isnull=False),
                name="restored_by_somebody",
            ),
        ]
        verbose_name = _("earlier state")
        verbose_name_plural = _("earlier states")

    def __str__(self) -> str:
        return f"{self.name}: {self.get_before_display()}"

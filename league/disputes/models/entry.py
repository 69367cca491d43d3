"""Entries of a dispute, one for every act. They are appended, never changed."""

from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.disputes.models.dispute import Dispute


class DisputeEntries(models.QuerySet["DisputeEntry"]):
    """Rows that are written once. The databases refuse as well (migrations)."""

    def update(self, **_: object) -> int:
        raise ValidationError("an entry of a dispute is never changed")

    def delete(self) -> tuple[int, dict[str, int]]:
        raise ValidationError("an entry of a dispute is never removed")


class DisputeEntry(models.Model):
    """One act in a dispute; texts and photos are rows apart, here is their SHA-256 only.

    `data` by kind: stage.py.
    """

    class Kind(models.TextChoices):
        FILED = "filed", pgettext_lazy("dispute", "protest filed")
        JOINED = "joined", pgettext_lazy("dispute", "further protest joined")
        EFFECT = "effect", pgettext_lazy("dispute", "effect chosen")
        STATEMENT = "statement", pgettext_lazy("dispute", "statement given")
        PHOTO = "photo", pgettext_lazy("dispute", "photo added")
        OFFERED = "offered", pgettext_lazy("dispute", "outcome proposed by a side")
        AGREED = "agreed", pgettext_lazy("dispute", "outcome accepted by the other side")
        WITHDRAWN = "withdrawn", pgettext_lazy("dispute", "protest withdrawn")
        TAKEN = "taken", pgettext_lazy("dispute", "case taken")
        STEPPED_BACK = "back", pgettext_lazy("dispute", "referee stepped back")
        REFUSED = "refused", pgettext_lazy("dispute", "referee refused by a side")
        FOUND = "found", pgettext_lazy("dispute", "facts found")
        RULED = "ruled", pgettext_lazy("dispute", "ruling given")
        CONFIRMED = "confirmed", pgettext_lazy("dispute", "ruling confirmed")
        REJECTED = "rejected", pgettext_lazy("dispute", "ruling rejected")
        APPEALED = "appealed", pgettext_lazy("dispute", "appeal filed")

    dispute = models.ForeignKey(Dispute, models.PROTECT, related_name="entries", verbose_name=_("dispute"))
    number = models.PositiveIntegerField(_("number"))
    kind = models.CharField(_("kind"), max_length=9, choices=Kind)
    data = models.JSONField(_("what it says"), default=dict)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="dispute_entries",
        verbose_name=_("by"),
    )
    for_side = models.PositiveSmallIntegerField(_("for side"), null=True, blank=True)
    at = models.DateTimeField(_("at"))
    head = models.CharField(_("chain head"), max_length=64, editable=False)

    objects = DisputeEntries.as_manager()

    class Meta:
        ordering = ["dispute", "number"]
        base_manager_name = "objects"
        constraints = [
            models.UniqueConstraint(fields=["dispute", "number"], name="an_entry_of_a_dispute_once"),
        ]
        verbose_name = _("entry of a dispute")
        verbose_name_plural = _("entries of a dispute")

    def __str__(self) -> str:
        return f"{self.number}: {self.get_kind_display()}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise ValidationError("an entry of a dispute is never changed")
        super().save(*args, **kwargs)

    def delete(self, *args: object, **kwargs: object) -> tuple[int, dict[str, int]]:
        raise ValidationError("an entry of a dispute is never removed")

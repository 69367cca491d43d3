"""Ruling texts of disputes, sealed as the logs that they amend."""

from typing import Any

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _

from league.disputes.models.entry import DisputeEntry


class SealedRulings(models.QuerySet["SealedRuling"]):
    """Rows that are written once. The databases refuse as well (migrations)."""

    def update(self, **_: object) -> int:
        raise ValidationError("a ruling text is never changed")

    def delete(self) -> tuple[int, dict[str, int]]:
        raise ValidationError("a ruling text is never removed")


class SealedRuling(models.Model):
    """A ruling text (`referee.rulings.text`) of one ruling on a log.

    `amends` is the SHA-256 of the text that it amends, `results_in` that of the text which results.
    """

    entry = models.OneToOneField(DisputeEntry, models.PROTECT, related_name="sealed", verbose_name=_("ruling"))
    text = models.TextField(_("text"))
    sha256 = models.CharField(_("SHA-256"), max_length=64)
    amends = models.CharField(_("SHA-256 of the amended text"), max_length=64)
    results_in = models.CharField(_("SHA-256 of the text after it"), max_length=64)

    objects = SealedRulings.as_manager()

    class Meta:
        base_manager_name = "objects"
        verbose_name = _("ruling text")
        verbose_name_plural = _("ruling texts")

    def __str__(self) -> str:
        return self.sha256

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise ValidationError("a ruling text is never changed")
        super().save(*args, **kwargs)

    def delete(self, *args: object, **kwargs: object) -> tuple[int, dict[str, int]]:
        raise ValidationError("a ruling text is never removed")

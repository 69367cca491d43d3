"""Texts and photos of a dispute, which can be erased, and the looks at them."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from league.disputes.models.dispute import Dispute
from league.disputes.models.entry import DisputeEntry


class DisputeText(models.Model):
    """The words of an entry. They may name somebody, so they can be emptied; the chain holds their SHA-256."""

    entry = models.OneToOneField(DisputeEntry, models.PROTECT, related_name="words", verbose_name=_("entry"))
    text = models.TextField(_("text"), blank=True)
    erased_at = models.DateTimeField(_("erased"), null=True, blank=True)

    class Meta:
        verbose_name = _("text of a dispute")
        verbose_name_plural = _("texts of a dispute")

    def __str__(self) -> str:
        return str(self.entry)


class DisputePhoto(models.Model):
    """A photo of an entry, encoded again without metadata; empty once it is removed."""

    entry = models.OneToOneField(DisputeEntry, models.PROTECT, related_name="photo", verbose_name=_("entry"))
    image = models.BinaryField(_("image"), help_text=_("JPEG"))
    removed_at = models.DateTimeField(_("removed"), null=True, blank=True)

    class Meta:
        verbose_name = _("photo of a dispute")
        verbose_name_plural = _("photos of a dispute")

    def __str__(self) -> str:
        return str(self.entry)


class DisputeLook(models.Model):
    """One look of an official at the statements or a photo of a dispute."""

    dispute = models.ForeignKey(Dispute, models.PROTECT, related_name="looks", verbose_name=_("dispute"))
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="dispute_looks", verbose_name=_("person")
    )
    # The entry of a photo; null: the statements.
    entry = models.ForeignKey(DisputeEntry, models.PROTECT, null=True, blank=True, related_name="looks")
    at = models.DateTimeField(_("at"))

    class Meta:
        ordering = ["pk"]
        verbose_name = _("look at a dispute")
        verbose_name_plural = _("looks at a dispute")

    def __str__(self) -> str:
        return f"{self.user}, {self.at:%Y-%m-%d %H:%M}"

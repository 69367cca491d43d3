"""Whom and what people follow."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class Followed(models.Model):
    """What an account follows, as `watching.py` names it: by codes that outlive a merge and not by rows, for a visitor
    without an account keeps the same names in a cookie.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="followed", verbose_name=_("account")
    )
    what = models.CharField(_("what"), max_length=60)
    since = models.DateTimeField(_("since"))

    class Meta:
        ordering = ["since", "pk"]
        constraints = [models.UniqueConstraint(fields=["user", "what"], name="followed_once")]
        verbose_name = _("followed")
        verbose_name_plural = _("followed")

    def __str__(self) -> str:
        return self.what

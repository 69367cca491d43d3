"""Follows of an account."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class Followed(models.Model):
    """A follow of an account, by a name as in `following.py`.

    Names contain codes that survive a merge, not row ids, because visitors without an account keep the same names in a
    cookie.
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

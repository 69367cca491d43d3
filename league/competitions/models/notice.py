"""Official notices of a league.

A notice stays readable: it is replaced by another version, or withdrawn with a reason.
"""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from league.accounts.models import League

LONGEST_TITLE = 120
LONGEST_TEXT = 4000
LONGEST_REASON = 200


class Notice(models.Model):
    """A notice; its text is in its versions."""

    league = models.ForeignKey(League, models.PROTECT, related_name="notices", verbose_name=_("league"))
    competition = models.ForeignKey(
        "competitions.Competition",
        models.PROTECT,
        null=True,
        blank=True,
        related_name="notices",
        verbose_name=_("competition"),
    )
    withdrawn_at = models.DateTimeField(_("withdrawn"), null=True, blank=True)
    withdrawn_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="withdrawn_notices",
        verbose_name=_("withdrawn by"),
    )
    withdrawn_reason = models.CharField(_("why it was withdrawn"), max_length=LONGEST_REASON, blank=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(withdrawn_at__isnull=True, withdrawn_by__isnull=True)
                | Q(withdrawn_at__isnull=False, withdrawn_by__isnull=False),
                name="a_notice_is_withdrawn_by_somebody",
            ),
        ]
        verbose_name = _("notice")
        verbose_name_plural = _("notices")

    def __str__(self) -> str:
        return f"{self.league}: {self.pk}"


class NoticeVersion(models.Model):
    """Text of a notice from `published_at` until the next version; never changed."""

    notice = models.ForeignKey(Notice, models.CASCADE, related_name="versions", verbose_name=_("notice"))
    # From 1.
    number = models.PositiveSmallIntegerField(_("version"))
    title = models.CharField(_("title"), max_length=LONGEST_TITLE)
    text = models.TextField(_("text"), max_length=LONGEST_TEXT)
    published_at = models.DateTimeField(_("published"), db_index=True)
    published_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="notices", verbose_name=_("published by")
    )
    replaced_at = models.DateTimeField(_("replaced"), null=True, blank=True)

    class Meta:
        ordering = ["-published_at", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["notice", "number"], name="a_version_of_a_notice_once"),
            models.UniqueConstraint(
                fields=["notice"], condition=Q(replaced_at__isnull=True), name="a_notice_says_one_thing"
            ),
        ]
        verbose_name = _("version of a notice")
        verbose_name_plural = _("versions of notices")

    def __str__(self) -> str:
        return self.title

"""Models of the row check: progress, differences, verdicts of later editions.

Re-exported by models/__init__.py.
"""

from django.db import models
from django.utils.translation import gettext_lazy as _


class RowCheck(models.Model):
    """One check of the site, in parts; `after`: the key of the last match checked."""

    started_at = models.DateTimeField(_("started"))
    finished_at = models.DateTimeField(_("finished"), null=True, blank=True, db_index=True)
    after = models.PositiveBigIntegerField(_("after match"), default=0)
    records = models.PositiveIntegerField(_("records"), default=0)
    # Numbers by `integrity.differences.Gravity`: rows that differ, official results and other verdicts that today's
    # edition of the engine would change.
    rows = models.PositiveIntegerField(_("rows that differ"), default=0)
    official = models.PositiveIntegerField(_("official results of another edition"), default=0)
    edition = models.PositiveIntegerField(_("other verdicts of another edition"), default=0)
    # The first of them: kind, league, match, row and difference.
    found = models.JSONField(_("found"), default=list)

    class Meta:
        ordering = ["pk"]
        verbose_name = _("check of all rows")
        verbose_name_plural = _("checks of all rows")

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}"


class AdoptedVerdict(models.Model):
    """A later edition's verdict beside the one in force (`verify --adopt`)."""

    record = models.ForeignKey(
        "matches.Record", models.PROTECT, related_name="adopted_verdicts", verbose_name=_("record")
    )
    engine_edition = models.PositiveIntegerField(_("edition of the engine"))
    # 0 if the record has no ruleset.
    ruleset_edition = models.PositiveIntegerField(_("edition of the ruleset"), default=0)
    # The columns of a StoredVerdict by name.
    verdict = models.JSONField(_("verdict"))
    adopted_at = models.DateTimeField(_("adopted"))

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["record", "engine_edition", "ruleset_edition"], name="a_verdict_of_an_edition_once"
            )
        ]
        verbose_name = _("verdict of a later edition")
        verbose_name_plural = _("verdicts of later editions")

    def __str__(self) -> str:
        return str(self.verdict.get("status", ""))

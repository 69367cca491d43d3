"""Contents of a record, and the referee's verdict on it."""

from typing import Any

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.errors import Reason


class ScoreSheets(models.QuerySet["ScoreSheet"]):
    """Rows that are written once. The databases refuse as well (migrations/0007)."""

    def update(self, **_: object) -> int:
        raise ValidationError("what was entered is never changed")

    def delete(self) -> tuple[int, dict[str, int]]:
        raise ValidationError("what was entered is never removed")


class ScoreSheet(models.Model):
    """Content of a tally, card or bare score, as entered (`referee.cards.check.read`)."""

    record = models.OneToOneField(
        "matches.Record", models.PROTECT, related_name="score_sheet", verbose_name=_("record")
    )
    data = models.JSONField(_("what it says"))
    sha256 = models.CharField(_("SHA-256"), max_length=64)

    objects = ScoreSheets.as_manager()

    class Meta:
        base_manager_name = "objects"
        verbose_name = _("score sheet")
        verbose_name_plural = _("score sheets")

    def __str__(self) -> str:
        return self.sha256

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise ValidationError("what was entered is never changed")
        super().save(*args, **kwargs)

    def delete(self, *args: object, **kwargs: object) -> tuple[int, dict[str, int]]:
        raise ValidationError("what was entered is never removed")


class SealedLogs(models.QuerySet["SealedLog"]):
    """Rows that are written once. The databases refuse as well (migrations/0002)."""

    def update(self, **_: object) -> int:
        raise ValidationError("a sealed log is never changed")

    def delete(self) -> tuple[int, dict[str, int]]:
        raise ValidationError("a sealed log is never removed")


class SealedLog(models.Model):
    """A log as proof: text with codes for names, SHA-256 and hash chain.

    See league/matches/hash_chain.py.
    """

    record = models.OneToOneField("matches.Record", models.PROTECT, related_name="sealed", verbose_name=_("record"))
    text = models.TextField(_("log"))
    sha256 = models.CharField(_("SHA-256"), max_length=64)
    heads = models.JSONField(_("chain heads"), help_text=_("The header's, then one a round."))

    objects = SealedLogs.as_manager()

    class Meta:
        base_manager_name = "objects"
        verbose_name = _("sealed log")
        verbose_name_plural = _("sealed logs")

    def __str__(self) -> str:
        return self.sha256

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise ValidationError("a sealed log is never changed")
        super().save(*args, **kwargs)

    def delete(self, *args: object, **kwargs: object) -> tuple[int, dict[str, int]]:
        raise ValidationError("a sealed log is never removed")


class Upload(models.Model):
    """The bytes as received, with names. Not part of the proof, so they can be erased."""

    record = models.OneToOneField("matches.Record", models.PROTECT, related_name="upload", verbose_name=_("record"))
    filename = models.CharField(_("file name"), max_length=200, blank=True)
    raw = models.BinaryField(_("bytes"))
    erased_at = models.DateTimeField(_("erased"), null=True, blank=True)

    class Meta:
        verbose_name = _("upload")
        verbose_name_plural = _("uploads")

    def __str__(self) -> str:
        return self.filename or str(self.record)


class StoredVerdict(models.Model):
    """The referee's verdict on a record, as in NOTATION.md 6.

    Plays are left out; they come from replay.
    """

    class Status(models.TextChoices):
        VERIFIED = "verified", pgettext_lazy("verdict", "verified")
        CONSISTENT = "consistent", pgettext_lazy("verdict", "consistent")
        CORRECTED = "corrected", pgettext_lazy("verdict", "corrected")
        VIOLATION = "violation", pgettext_lazy("verdict", "a rule was broken")
        INCOMPLETE = "incomplete", pgettext_lazy("verdict", "incomplete")
        IMPOSSIBLE = "impossible", pgettext_lazy("verdict", "impossible")
        UNREADABLE = "unreadable", pgettext_lazy("verdict", "unreadable")

    record = models.OneToOneField("matches.Record", models.PROTECT, related_name="verdict", verbose_name=_("record"))
    status = models.CharField(_("status"), max_length=12, choices=Status)
    evidence = models.CharField(_("evidence"), max_length=8, blank=True)
    scores = models.JSONField(_("scores"), default=dict)
    winner = models.CharField(_("winner"), max_length=1, blank=True)
    ended = models.CharField(_("ended by"), max_length=12, blank=True)
    rounds = models.JSONField(_("rounds"), default=list)
    findings = models.JSONField(_("findings"), default=list)
    rulings = models.JSONField(_("rulings"), default=list)
    chips = models.JSONField(_("chips"), null=True, blank=True)
    # Round-end points that were booked though the record does not prove them.
    points_on_word = models.PositiveIntegerField(_("points on the record's word"), default=0)
    # The acts of each seat (`referee.figures`), by its letter: a copy of the log's content. Empty without a log or
    # result, null if still to be counted (logs/figures.py).
    figures = models.JSONField(_("figures"), default=dict, null=True, blank=True, editable=False)
    engine_edition = models.PositiveIntegerField(_("edition of the engine"))
    ruleset_edition = models.PositiveIntegerField(_("edition of the ruleset"), null=True, blank=True)
    verified_at = models.DateTimeField(_("verified"))

    class Meta:
        indexes = [
            models.Index(
                fields=["id"],
                condition=models.Q(figures__isnull=True),
                name="verdicts_to_count",
            )
        ]
        verbose_name = _("verdict")
        verbose_name_plural = _("verdicts")

    def __str__(self) -> str:
        return self.get_status_display()

    @property
    def rests_on_word(self) -> bool:
        """Whether some points are not proved: such a log counts as a checked card.

        The sum of these points does not matter.
        """
        return any(finding["code"] == Reason.UNVERIFIED_POINTS.value for finding in self.findings)

"""Events of game clocks: rows that are written once."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


class ClockEvents(models.QuerySet["ClockEvent"]):
    """Rows that are written once. The databases refuse as well (migrations/0005)."""

    def forget_reasons(self) -> int:
        """Erase the reasons, which may contain names, and return how many."""
        return super().update(reason="")

    def update(self, **_: object) -> int:
        raise ValidationError("what was done to a clock is never changed")

    def delete(self) -> tuple[int, dict[str, int]]:
        raise ValidationError("what was done to a clock is never removed")


class ClockEvent(models.Model):
    """One event of a game's clock, numbered from 1.

    Never changed: a mistaken start is followed by another event (league/matches/clock/state.py makes the clock from
    them).
    """

    class Kind(models.TextChoices):
        START = "start", pgettext_lazy("clock", "started")
        PAUSE = "pause", pgettext_lazy("clock", "paused")
        RESUME = "resume", pgettext_lazy("clock", "resumed")
        GIVE = "give", pgettext_lazy("clock", "time given")
        BELL = "bell", pgettext_lazy("clock", "the bell")
        OVERTIME = "overtime", pgettext_lazy("clock", "overtime")
        STOP = "stop", pgettext_lazy("clock", "stopped")
        CANCEL = "cancel", pgettext_lazy("clock", "start taken back")

    game = models.ForeignKey("matches.Game", models.PROTECT, related_name="clock_events", verbose_name=_("game"))
    number = models.PositiveIntegerField(_("number"))
    kind = models.CharField(_("what"), max_length=8, choices=Kind)
    # The server's time, in whole milliseconds. Of a bell: when it was due, not when that was noticed.
    at = models.DateTimeField(_("when"))
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="clock_events",
        verbose_name=_("by"),
    )
    reason = models.CharField(_("reason"), max_length=200, blank=True)
    given_ms = models.PositiveIntegerField(_("milliseconds given"), default=0)
    # Both sides' score at the bell, which overtime is played for.
    level_at = models.PositiveIntegerField(_("level at"), null=True, blank=True)
    # How far the server's time was before the previous event.
    set_back_ms = models.PositiveBigIntegerField(_("milliseconds set back"), default=0)

    objects = ClockEvents.as_manager()

    class Meta:
        base_manager_name = "objects"
        ordering = ["game", "number"]
        constraints = [
            models.UniqueConstraint(fields=["game", "number"], name="a_clock_event_number_once"),
            models.UniqueConstraint(fields=["game"], condition=Q(kind="bell"), name="one_bell_a_game"),
            models.CheckConstraint(
                condition=Q(kind="give", given_ms__gt=0) | ~Q(kind="give") & Q(given_ms=0), name="only_a_gift_gives"
            ),
            models.CheckConstraint(
                condition=Q(level_at__isnull=True) | Q(kind="overtime"), name="level_scores_belong_to_overtime"
            ),
        ]
        verbose_name = _("event of a clock")
        verbose_name_plural = _("events of clocks")

    def __str__(self) -> str:
        return f"{self.get_kind_display()}, {self.at:%H:%M:%S}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise ValidationError("what was done to a clock is never changed")
        super().save(*args, **kwargs)

    def delete(self, *args: object, **kwargs: object) -> tuple[int, dict[str, int]]:
        raise ValidationError("what was done to a clock is never removed")

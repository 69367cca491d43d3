"""Model of tally taps, one a touch; re-exported by models/__init__.py."""

from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


class TallyTaps(models.QuerySet["TallyTap"]):
    """Rows that are written once. The databases refuse as well (migrations)."""

    def update(self, **_: object) -> int:
        raise ValidationError("a tap of a tally is never changed")

    def delete(self) -> tuple[int, dict[str, int]]:
        raise ValidationError("a tap of a tally is never removed")


class TallyTap(models.Model):
    """One touch on the score pad of a game, numbered from 1 in counting order.

    Kept for ever; a mistake is followed by a tap that takes it back. `seat` 0 is side 1, as on a score sheet
    (`referee.cards.tally`).
    """

    class Kind(models.TextChoices):
        POINTS = "points", pgettext_lazy("tap", "points")
        MUGGINS = "muggins", pgettext_lazy("tap", "muggins")
        PENALTY = "penalty", pgettext_lazy("tap", "penalty")
        ROUND_END = "round_end", pgettext_lazy("tap", "end of a round")
        UNDO = "undo", pgettext_lazy("tap", "taken back")
        BELL = "bell", pgettext_lazy("tap", "the bell")
        END = "end", pgettext_lazy("tap", "end of the game")
        TAKE_OVER = "take_over", pgettext_lazy("tap", "another pad goes on")
        LINE = "line", pgettext_lazy("tap", "lines of the log")

    game = models.ForeignKey("matches.Game", models.PROTECT, related_name="taps", verbose_name=_("game"))
    number = models.PositiveIntegerField(_("number"))
    # Made by the device at the touch: the same touch sent twice is one tap.
    touch = models.UUIDField(_("touch"))
    # The session of a device at this game. The pad of the last tap keeps the tally.
    pad = models.UUIDField(_("pad"))
    kind = models.CharField(_("what"), max_length=9, choices=Kind)
    seat = models.PositiveSmallIntegerField(_("seat"), null=True, blank=True)
    points = models.PositiveIntegerField(_("points"), default=0)
    spinner = models.CharField(_("spinner"), max_length=4, blank=True)
    ended = models.CharField(_("ended by"), max_length=8, blank=True)
    winner = models.PositiveSmallIntegerField(_("winner"), null=True, blank=True)
    # At the end of a round: the pips (or tiles, if the rules count those) in each hand, null if not counted.
    left = models.JSONField(_("left in the hands"), null=True, blank=True)
    # Of a tile pad: the lines of the notation that one touch made, without times. Null for every other tap: SQLite adds
    # a column without a default, and so keeps the triggers of the table.
    line = models.TextField(_("lines"), null=True, blank=True)
    # The number of the tap that this one takes back.
    of = models.PositiveIntegerField(_("of tap"), null=True, blank=True)
    clock_ms = models.PositiveIntegerField(_("the clock had counted"), null=True, blank=True)
    # Null if a guest at the table keeps the tally without an account; then `for_side` is the guest's side.
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="taps",
        verbose_name=_("by"),
    )
    for_side = models.PositiveSmallIntegerField(_("for side"), null=True, blank=True)
    # By the official `by` as a ruling at the table (tally/ruled.py); null for every other tap: SQLite adds a column
    # without a default, and so keeps the triggers of the table.
    ruled = models.BooleanField(_("ruled by an official"), null=True, blank=True)
    # Times of the device: its clock, which may be wrong, and its monotonic timer. Neither decides an order.
    tapped_at = models.DateTimeField(_("tapped"))
    mono_ms = models.PositiveBigIntegerField(_("timer of the device"), default=0)
    received_at = models.DateTimeField(_("received"))
    # SHA-256 of the hash before it and of its own line (`tally.services.line_of`).
    head = models.CharField(_("chain head"), max_length=64)

    objects = TallyTaps.as_manager()

    class Meta:
        base_manager_name = "objects"
        ordering = ["game", "number"]
        constraints = [
            models.UniqueConstraint(fields=["game", "number"], name="a_tap_number_once"),
            models.UniqueConstraint(fields=["game", "touch"], name="a_touch_once"),
            models.CheckConstraint(
                condition=Q(by__isnull=False) | Q(for_side__isnull=False), name="a_tap_comes_from_somebody"
            ),
            models.CheckConstraint(
                condition=Q(kind="undo", of__isnull=False) | ~Q(kind="undo") & Q(of__isnull=True),
                name="only_an_undo_takes_back",
            ),
        ]
        verbose_name = _("tap of a tally")
        verbose_name_plural = _("taps of tallies")

    def __str__(self) -> str:
        return f"{self.number} {self.get_kind_display()}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise ValidationError("a tap of a tally is never changed")
        super().save(*args, **kwargs)

    def delete(self, *args: object, **kwargs: object) -> tuple[int, dict[str, int]]:
        raise ValidationError("a tap of a tally is never removed")

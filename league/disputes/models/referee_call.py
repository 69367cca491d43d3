"""Calls for the referee while a game runs, and the tables that a referee looks after."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.competitions.models import Competition
from league.matches.models import ClockEvent, Game, Match, Table
from league.matches.models.tally import TallyTap

LONGEST_SENTENCE = 200


class CallReason(models.TextChoices):
    """Reason of a call, in the order of the buttons."""

    COUNT = "count", pgettext_lazy("call for the referee", "Count")
    MUGGINS = "muggins", pgettext_lazy("call for the referee", "Muggins")
    PLAY = "play", pgettext_lazy("call for the referee", "Play or draw")
    CLOCK = "clock", pgettext_lazy("call for the referee", "Clock")
    CONDUCT = "conduct", pgettext_lazy("call for the referee", "Conduct")
    OTHER = "other", pgettext_lazy("call for the referee", "Something else")


class RefereeCall(models.Model):
    """A call for the referee at the table of a match. One open call a match.

    Open until `ended_at`: by the official `ended_by`, or by its callers, who took it back. A ruling names the `side`
    that claimed, the `points`, and whether it was `upheld`; `lines` are its lines in the notation, without names.
    """

    class About(models.TextChoices):
        COUNT = "count", pgettext_lazy("ruling at the table", "count")
        MUGGINS = "muggins", pgettext_lazy("ruling at the table", "muggins")
        PENALTY = "penalty", pgettext_lazy("ruling at the table", "penalty")

    match = models.ForeignKey(Match, models.CASCADE, related_name="referee_calls", verbose_name=_("match"))
    # The game that was being played.
    game = models.ForeignKey(
        Game, models.CASCADE, null=True, blank=True, related_name="referee_calls", verbose_name=_("game")
    )
    # That of the first caller.
    reason = models.CharField(_("reason"), max_length=8, choices=CallReason)
    called_at = models.DateTimeField(_("called"))
    taken_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="taken_calls",
        verbose_name=_("on the way"),
    )
    taken_at = models.DateTimeField(_("on the way since"), null=True, blank=True)
    # The pause of the clock for this call; the end of the call resumes it.
    pause = models.ForeignKey(
        ClockEvent, models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("pause of the clock")
    )
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)
    ended_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="ended_calls",
        verbose_name=_("ended by"),
    )
    # May name somebody, so it can be emptied. Not public.
    sentence = models.CharField(_("what was decided"), max_length=LONGEST_SENTENCE, blank=True)
    about = models.CharField(_("ruling on"), max_length=8, choices=About, blank=True)
    side = models.PositiveSmallIntegerField(_("side"), null=True, blank=True)
    points = models.PositiveIntegerField(_("points"), null=True, blank=True)
    upheld = models.BooleanField(_("upheld"), null=True, blank=True)
    lines = models.TextField(_("lines of the ruling"), blank=True)
    # The ruled tap on the pad of the game.
    tap = models.ForeignKey(
        TallyTap, models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("tap of a tally")
    )

    class Meta:
        ordering = ["called_at", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["match"], condition=Q(ended_at__isnull=True), name="one_open_call_a_match"),
            models.CheckConstraint(
                condition=Q(about="", side__isnull=True, upheld__isnull=True)
                | Q(side__isnull=False, points__isnull=False, upheld__isnull=False) & ~Q(about=""),
                name="a_ruling_at_the_table_is_whole",
            ),
            models.CheckConstraint(
                condition=Q(about="") | Q(ended_at__isnull=False, ended_by__isnull=False),
                name="an_official_rules_at_the_table",
            ),
        ]
        verbose_name = _("call for the referee")
        verbose_name_plural = _("calls for the referee")

    def __str__(self) -> str:
        return f"{self.get_reason_display()}, {self.called_at:%H:%M}"


class Caller(models.Model):
    """A person that called: an account or a phone, perhaps for a side. Further callers join the open call."""

    call = models.ForeignKey(RefereeCall, models.CASCADE, related_name="callers", verbose_name=_("call"))
    reason = models.CharField(_("reason"), max_length=8, choices=CallReason)
    called_at = models.DateTimeField(_("called"))
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="referee_calls",
        verbose_name=_("by"),
    )
    # Number of the side; null for the desk, and for a phone that has only the code of the card.
    side = models.PositiveSmallIntegerField(_("for side"), null=True, blank=True)
    # The key of a phone without an account.
    device = models.CharField(max_length=32, blank=True, editable=False)
    withdrawn_at = models.DateTimeField(_("taken back"), null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(by__isnull=False) | Q(side__isnull=False) | ~Q(device=""), name="a_call_comes_from_somebody"
            ),
        ]
        verbose_name = _("caller of the referee")
        verbose_name_plural = _("callers of the referee")

    def __str__(self) -> str:
        return f"{self.get_reason_display()}, {self.called_at:%H:%M}"


class ZoneTable(models.Model):
    """A table of a competition in the zone of an official. All tables of an official are the zone."""

    competition = models.ForeignKey(
        Competition, models.CASCADE, related_name="zone_tables", verbose_name=_("competition")
    )
    table = models.ForeignKey(
        Table, models.CASCADE, related_name="zones", verbose_name=pgettext_lazy("furniture", "table")
    )
    official = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="zone_tables", verbose_name=_("official")
    )

    class Meta:
        ordering = ["competition", "table__place", "table__name"]
        constraints = [models.UniqueConstraint(fields=["competition", "table"], name="a_table_in_one_zone")]
        verbose_name = _("table of a zone")
        verbose_name_plural = _("tables of zones")

    def __str__(self) -> str:
        return f"{self.table}: {self.official}"

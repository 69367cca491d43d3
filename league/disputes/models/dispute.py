"""Model of disputes: the case file of a protest."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.accounts.codes import LENGTH, new_code
from league.matches.models import Game, Match, Record


class Dispute(models.Model):
    """The protest of a side about one game, at a line of a log, a hand of a card, or its result.

    What happens to it is appended (`DisputeEntry`); `state`, `instance`, `effect`, `hold_until` and `deadline` are
    copies of that (stage.py).
    """

    class Kind(models.TextChoices):
        """Matter of a protest (`referee.rulings.protests.ProtestKind`), and conduct."""

        COUNT = "count", pgettext_lazy("protest about", "a count")
        MUGGINS = "muggins", pgettext_lazy("protest about", "muggins")
        MISPLAY = "misplay", pgettext_lazy("protest about", "a misplay")
        DRAW = "draw", pgettext_lazy("protest about", "a draw or pass")
        CLOCK = "clock", pgettext_lazy("protest about", "the bell")
        RESULT = "result", pgettext_lazy("protest about", "the result")
        CATCH = "catch", pgettext_lazy("protest about", "a catch")
        CHALLENGE = "challenge", pgettext_lazy("protest about", "a challenge")
        FRAUD = "fraud", pgettext_lazy("protest about", "fraud")
        IDENTITY = "identity", pgettext_lazy("protest about", "the identity of a player")
        CONDUCT = "conduct", pgettext_lazy("protest about", "conduct")

    class Via(models.TextChoices):
        ACCOUNT = "account", pgettext_lazy("protest filed", "signed in")
        SLIP = "slip", pgettext_lazy("protest filed", "with the slip")
        PIN = "pin", pgettext_lazy("protest filed", "with the PIN")
        OFFICIAL = "official", pgettext_lazy("protest filed", "by an official")
        DESK = "desk", pgettext_lazy("protest filed", "by the desk for a side")

    class Effect(models.TextChoices):
        PLAY_ON = "play_on", pgettext_lazy("protest", "play on under reserve")
        HOLD = "hold", pgettext_lazy("protest", "the next matches wait")

    class State(models.TextChoices):
        OPEN = "open", pgettext_lazy("protest", "under review")
        FOUND = "found", pgettext_lazy("protest", "facts found")
        WAITING = "waiting", pgettext_lazy("protest", "ruling waits for another official")
        RULED = "ruled", pgettext_lazy("protest", "ruled")
        APPEALED = "appealed", pgettext_lazy("protest", "appealed")
        AGREED = "agreed", pgettext_lazy("protest", "agreed by both sides")
        WITHDRAWN = "withdrawn", pgettext_lazy("protest", "withdrawn")

    class Outcome(models.TextChoices):
        UPHELD = "upheld", pgettext_lazy("ruling", "protest upheld")
        COUNT = "count", pgettext_lazy("ruling", "count corrected")
        CALL = "call", pgettext_lazy("ruling", "call corrected")
        PENALTY = "penalty", pgettext_lazy("ruling", "penalty")
        HAND = "hand", pgettext_lazy("ruling", "hand replayed")
        GAME = "game", pgettext_lazy("ruling", "game replayed")
        RESULT = "result", pgettext_lazy("ruling", "result ruled")
        DISMISSED = "dismissed", pgettext_lazy("ruling", "protest dismissed")

    code = models.CharField(_("code"), max_length=LENGTH, unique=True, default=new_code, editable=False)
    match = models.ForeignKey(Match, models.PROTECT, related_name="disputes", verbose_name=_("match"))
    game = models.ForeignKey(Game, models.PROTECT, related_name="disputes", verbose_name=_("game"))
    # Null: a protest about a game without a record.
    record = models.ForeignKey(
        Record, models.PROTECT, null=True, blank=True, related_name="disputes", verbose_name=_("record")
    )
    kind = models.CharField(_("about"), max_length=9, choices=Kind)
    # Of a log: the line, and the last line before the protest. Of a card: the hand, and the points that its column
    # gives to a side, with those that it should have.
    line = models.PositiveIntegerField(_("line"), null=True, blank=True)
    filed_line = models.PositiveIntegerField(_("last line before the protest"), null=True, blank=True)
    hand = models.PositiveSmallIntegerField(_("hand"), null=True, blank=True)
    column = models.CharField(_("column"), max_length=9, blank=True)
    number = models.PositiveSmallIntegerField(_("points"), null=True, blank=True)
    # The side of a catch, or with the points of the column.
    against = models.PositiveSmallIntegerField(_("against side"), null=True, blank=True)
    miswritten = models.BooleanField(_("error of writing"), default=False)
    # The protesting side; null for an official.
    for_side = models.PositiveSmallIntegerField(_("for side"), null=True, blank=True)
    raised_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="disputes",
        verbose_name=_("filed by"),
    )
    via = models.CharField(_("filed"), max_length=8, choices=Via)
    raised_at = models.DateTimeField(_("filed at"))
    # --- Copies of the entries ---
    state = models.CharField(_("state"), max_length=9, choices=State, default=State.OPEN)
    # 1, and 2 for the appeal.
    instance = models.PositiveSmallIntegerField(default=1, editable=False)
    # Of the ruling that stands.
    outcome = models.CharField(_("ruling"), max_length=9, choices=Outcome, blank=True)
    effect = models.CharField(_("effect"), max_length=7, choices=Effect, default=Effect.HOLD)
    # Null: until the ruling.
    hold_until = models.DateTimeField(_("next matches wait until"), null=True, blank=True)
    # Of the appeal against the ruling that stands; photos go 30 days after it.
    deadline = models.DateTimeField(_("appeal until"), null=True, blank=True)
    closed_at = models.DateTimeField(_("closed"), null=True, blank=True)

    class Meta:
        ordering = ["raised_at", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["match"],
                condition=Q(state__in=["open", "found", "waiting"], instance=1),
                name="one_open_dispute_a_match",
            ),
            models.CheckConstraint(
                condition=Q(for_side__isnull=False) | Q(raised_by__isnull=False), name="a_protest_comes_from_somebody"
            ),
            models.CheckConstraint(condition=Q(instance__in=[1, 2]), name="one_appeal"),
        ]
        # Few are open, and every page of an organizer asks for them.
        indexes = [
            models.Index(
                fields=["raised_at"],
                condition=Q(state__in=["open", "found", "waiting", "appealed"]),
                name="disputes_open",
            )
        ]
        verbose_name = _("dispute")
        verbose_name_plural = _("disputes")

    def __str__(self) -> str:
        return self.code

    @property
    def is_open(self) -> bool:
        """Whether it waits for facts, a ruling, a second official or an appeal's ruling."""
        return self.state in OPEN


OPEN = frozenset({Dispute.State.OPEN, Dispute.State.FOUND, Dispute.State.WAITING, Dispute.State.APPEALED})
# Nobody sees a match that was set aside, so its cases rest.
NOT_SET_ASIDE = Q(match__set_aside_at=None)

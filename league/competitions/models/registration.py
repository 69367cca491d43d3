"""The rows of those who take part: entered, paid, gone."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from league.accounts.codes import LENGTH
from league.matches.models import Table
from league.players.models import Entrant


class Registration(models.Model):
    """Who takes part, and at which seed."""

    competition = models.ForeignKey(
        "competitions.Competition", models.CASCADE, related_name="registrations", verbose_name=_("competition")
    )
    entrant = models.ForeignKey(Entrant, models.PROTECT, related_name="registrations", verbose_name=_("entrant"))
    seed = models.PositiveSmallIntegerField(_("seed"))
    checked_in_at = models.DateTimeField(_("checked in"), null=True, blank=True)
    # Empty where the player did it, by the personal link.
    checked_in_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="checked_in",
        verbose_name=_("checked in by"),
    )
    # Drawn once, the last resort of the table: 1 is the best.
    lot = models.PositiveSmallIntegerField(_("lot"), null=True, blank=True)
    # Of the league's list when the competition was published, or when its entrant came after that: it moves no more, so
    # that a table can be checked. Empty for whoever had none.
    rating = models.IntegerField(_("rating at the start"), null=True, blank=True, editable=False)
    # Of the fee; why is always said.
    free_reason = models.CharField(_("plays free because"), max_length=120, blank=True)
    # The one table at which the entrant plays, where there is one.
    pinned_table = models.ForeignKey(
        Table,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="pinned",
        verbose_name=_("plays at this table only"),
    )
    # What the file from which the competition was imported calls the entrant; elsewhere the player's code does.
    key = models.CharField(_("key"), max_length=2 * LENGTH, blank=True, editable=False)

    class Meta:
        ordering = ["competition", "seed"]
        constraints = [
            models.UniqueConstraint(fields=["competition", "entrant"], name="registered_once"),
            models.UniqueConstraint(fields=["competition", "seed"], name="a_seed_once"),
            models.UniqueConstraint(fields=["competition", "lot"], name="a_lot_once"),
            models.UniqueConstraint(fields=["competition", "pinned_table"], name="a_table_is_pinned_for_one"),
            models.CheckConstraint(
                condition=Q(checked_in_by__isnull=True) | Q(checked_in_at__isnull=False), name="checked_in_at_an_hour"
            ),
        ]
        verbose_name = _("registration")
        verbose_name_plural = _("registrations")

    def __str__(self) -> str:
        return str(self.entrant)


class Payment(models.Model):
    """Money that somebody took from an entrant, in hundredths. It stays in the sums when the entrant is taken out of
    the competition; a mistake is taken back, never removed.
    """

    competition = models.ForeignKey(
        "competitions.Competition", models.PROTECT, related_name="payments", verbose_name=_("competition")
    )
    entrant = models.ForeignKey(Entrant, models.PROTECT, related_name="payments", verbose_name=_("entrant"))
    amount = models.PositiveIntegerField(_("amount"))
    taken_at = models.DateTimeField(_("taken"))
    taken_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="payments_taken", verbose_name=_("taken by")
    )
    returned_at = models.DateTimeField(_("given back"), null=True, blank=True)
    returned_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="payments_returned",
        verbose_name=_("given back by"),
    )

    class Meta:
        ordering = ["taken_at", "pk"]
        constraints = [
            models.CheckConstraint(condition=Q(amount__gt=0), name="a_payment_is_more_than_nothing"),
            models.CheckConstraint(
                condition=Q(returned_at__isnull=True, returned_by__isnull=True)
                | Q(returned_at__isnull=False, returned_by__isnull=False),
                name="a_payment_is_given_back_by_somebody",
            ),
        ]
        verbose_name = _("payment")
        verbose_name_plural = _("payments")

    def __str__(self) -> str:
        return f"{self.entrant}, {self.taken_at:%Y-%m-%d}"


class Withdrawal(models.Model):
    """An entrant leaves a competition that is drawn and published. What was not played by then is forfeited; what was
    played stands.
    """

    competition = models.ForeignKey(
        "competitions.Competition", models.PROTECT, related_name="withdrawals", verbose_name=_("competition")
    )
    entrant = models.ForeignKey(Entrant, models.PROTECT, related_name="withdrawals", verbose_name=_("entrant"))
    reason = models.CharField(_("reason"), max_length=200)
    made_at = models.DateTimeField(_("made"))
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="withdrawals_made", verbose_name=_("made by")
    )
    # Keys of the records of its forfeits: what is taken back when it is undone.
    forfeits = models.JSONField(_("forfeits"), default=list, blank=True)
    undone_at = models.DateTimeField(_("undone"), null=True, blank=True)
    undone_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="withdrawals_undone",
        verbose_name=_("undone by"),
    )

    class Meta:
        ordering = ["made_at", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["competition", "entrant"], condition=Q(undone_at__isnull=True), name="withdrawn_once"
            ),
        ]
        verbose_name = _("withdrawal")
        verbose_name_plural = _("withdrawals")

    def __str__(self) -> str:
        return f"{self.entrant} – {self.competition}"

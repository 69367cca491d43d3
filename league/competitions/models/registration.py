"""Rows of registrations, payments and withdrawals."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from league.accounts.codes import LENGTH
from league.matches.models import Table
from league.players.models import Entrant


class Registration(models.Model):
    """An entrant of a competition, with the seed."""

    competition = models.ForeignKey(
        "competitions.Competition", models.CASCADE, related_name="registrations", verbose_name=_("competition")
    )
    entrant = models.ForeignKey(Entrant, models.PROTECT, related_name="registrations", verbose_name=_("entrant"))
    seed = models.PositiveSmallIntegerField(_("seed"))
    checked_in_at = models.DateTimeField(_("checked in"), null=True, blank=True)
    # Null if the player checked in by the personal link.
    checked_in_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="checked_in",
        verbose_name=_("checked in by"),
    )
    # The last tie-break of the table, drawn once: 1 is the best.
    lot = models.PositiveSmallIntegerField(_("lot"), null=True, blank=True)
    # From the league's list at publication, or at a late entry after it; fixed, so that a table can be checked. Null if
    # unrated.
    rating = models.IntegerField(_("rating at the start"), null=True, blank=True, editable=False)
    # Sum of its `adjustments` that count, in match points.
    bonus = models.SmallIntegerField(_("bonus or deduction"), default=0, editable=False)
    # Numbers of the rounds for which the entrant asked for a bye.
    bye_rounds = models.JSONField(_("requested byes"), default=list, blank=True, editable=False)
    # Reason for a waived fee, always required.
    free_reason = models.CharField(_("plays free because"), max_length=120, blank=True)
    # The only table at which the entrant plays, if any.
    pinned_table = models.ForeignKey(
        Table,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="pinned",
        verbose_name=_("plays at this table only"),
    )
    # Rows of the draw that a late entry changed, to take it back (draw/row_changes.py); null if drawn with the others.
    late_changes = models.JSONField(_("changes by the late entry"), null=True, blank=True, editable=False)
    # The entrant's key in the file of an imported competition; otherwise the player's code is used.
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
    """A payment by an entrant, in hundredths.

    It stays in the sums after the entrant is removed; a mistake is returned, never deleted.
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
    # The chain of the competition's payments (registration/payment_chain.py), and the hash of the return. Null columns
    # without a default: SQLite adds them, and so keeps the triggers of the table.
    paid_head = models.CharField(_("chain head"), max_length=64, null=True, blank=True, editable=False)
    returned_head = models.CharField(_("hash of the return"), max_length=64, null=True, blank=True, editable=False)

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
    """Withdrawal of an entrant from a published competition.

    Unplayed matches are forfeited; played ones stay.
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
    # Keys of the records of its forfeits, to take back if the withdrawal is undone.
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

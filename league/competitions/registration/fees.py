"""Fees of a competition: owed, paid or waived; and each desk official's cash."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.db import transaction
from django.db.models import Sum
from django.utils import timezone
from django.utils.formats import number_format
from django.utils.translation import gettext_lazy as _

from league.accounts.models import User
from league.accounts.permissions import Act, check_may
from league.competitions.entrants import registration_of
from league.competitions.locks import locked
from league.competitions.models import Competition, Payment, Registration
from league.competitions.registration.payment_chain import PaymentFacts, payment_head, return_head
from league.errors import Refused
from league.players.models import PEOPLE, Entrant

LONGEST_REASON = 120


@transaction.atomic
def take_fee(
    competition: Competition, entrant: Entrant, *, user: User, owed: int, amount: int | None = None
) -> Payment:
    """Record a payment of `amount` (default: all that is owed) to `user`.

    `owed` is the debt that the asker was shown: a form sent twice, or by two desks at once, takes the money once.

    Raises NotAllowed, and Refused `not-registered`, `fee-changed`, `bad-amount`.
    """
    competition = locked(competition.pk)
    check_may(user, Act.RUN_DESK, competition.league)
    row = registration_of(competition, entrant)
    left = owed_by(row, competition, paid(competition, entrant))
    if left != owed or left == 0:
        raise Refused(
            "fee-changed",
            _("%(entrant)s owes %(left)s now. Look again: somebody may have taken the fee meanwhile."),
            entrant=entrant,
            left=told(left, competition.currency),
        )
    amount = left if amount is None else amount
    if not 0 < amount <= left:
        raise Refused(
            "bad-amount",
            _("An amount lies between nothing and %(left)s, which is owed."),
            left=told(left, competition.currency),
        )
    taken_at = timezone.now()
    facts = PaymentFacts(competition.pk, codes_of(entrant), amount, taken_at, user.pk)
    last = Payment.objects.filter(competition=competition).order_by("pk").last()
    head = payment_head((last and last.paid_head) or "", facts)
    return Payment.objects.create(
        competition=competition, entrant=entrant, amount=amount, taken_at=taken_at, taken_by=user, paid_head=head
    )


def codes_of(entrant: Entrant) -> list[str]:
    """Return the codes of the players of an entrant, the first partner first."""
    return [player.code for player in (entrant.player, entrant.partner) if player is not None]


@transaction.atomic
def give_back(payment: Payment, *, user: User) -> bool:
    """Return a payment, so that it no longer counts; True if this call did it.

    Raises NotAllowed.
    """
    competition = locked(payment.competition_id, even_cancelled=True)
    check_may(user, Act.RUN_DESK, competition.league)
    open_one = Payment.objects.filter(pk=payment.pk, returned_at=None).first()
    if open_one is None:
        return False
    open_one.returned_at, open_one.returned_by = timezone.now(), user
    open_one.returned_head = return_head(open_one.paid_head or "", open_one.returned_at, user.pk)
    open_one.save(update_fields=["returned_at", "returned_by", "returned_head"])
    return True


@transaction.atomic
def let_off(competition: Competition, entrant: Entrant, *, user: User, reason: str) -> None:
    """Waive an entrant's fee for a reason; without a reason, end the waiver.

    Raises NotAllowed, and Refused `not-registered`, `long-reason`.
    """
    competition = locked(competition.pk)
    check_may(user, Act.RUN_DESK, competition.league)
    row = registration_of(competition, entrant)
    reason = " ".join(reason.split())
    if len(reason) > LONGEST_REASON:
        raise Refused("long-reason", _("A reason has at most %(longest)d characters."), longest=LONGEST_REASON)
    row.free_reason = reason
    row.save(update_fields=["free_reason"])


def paid(competition: Competition, entrant: Entrant) -> int:
    rows = Payment.objects.filter(competition=competition, entrant=entrant, returned_at=None)
    return rows.aggregate(sum=Sum("amount"))["sum"] or 0


def owed_by(row: Registration, competition: Competition, already: int) -> int:
    """Give the amount still owed."""
    return 0 if row.free_reason else max(competition.fee - already, 0)


def told(amount: int, currency: str) -> str:
    """Format an amount in the reader's language: `1250` and `€` give `12.50 €`."""
    return f"{number_format(Decimal(amount) / 100, 2, use_l10n=True, force_grouping=True)} {currency}".strip()


# --- Cash ---


@dataclass(frozen=True, slots=True)
class Till:
    """Payments that one official took and did not return."""

    name: str
    payments: int
    amount: int


@dataclass(frozen=True, slots=True)
class Cash:
    """Cash report of a competition.

    `tills` by name; `payments` by time, returned ones included; `owed`: still due from registered entrants; `free`:
    registrations with a waived fee; `to_return`: payments to give back, of a cancelled competition or of entrants
    who are not registered any more.
    """

    tills: Sequence[Till]
    payments: Sequence[Payment]
    total: int
    owed: int
    free: Sequence[Registration]
    to_return: frozenset[int]


def cash(competition: Competition) -> Cash:
    """Read the cash report. Three statements. For desk officials only."""
    payments = list(competition.payments.select_related(*PEOPLE, "taken_by", "returned_by"))
    kept = [one for one in payments if one.returned_at is None]
    by_person: dict[int, list[Payment]] = {}
    by_entrant: dict[int, int] = {}
    for one in kept:
        by_person.setdefault(one.taken_by_id, []).append(one)
        by_entrant[one.entrant_id] = by_entrant.get(one.entrant_id, 0) + one.amount
    tills = [Till(str(of[0].taken_by), len(of), sum(one.amount for one in of)) for of in by_person.values()]
    rows = list(competition.registrations.select_related(*PEOPLE))
    stay = set() if competition.cancelled_at else {row.entrant_id for row in rows}
    return Cash(
        tills=sorted(tills, key=lambda till: till.name.casefold()),
        payments=payments,
        total=sum(one.amount for one in kept),
        owed=sum(owed_by(row, competition, by_entrant.get(row.entrant_id, 0)) for row in rows),
        free=[row for row in rows if row.free_reason],
        to_return=frozenset(one.pk for one in kept if one.entrant_id not in stay),
    )

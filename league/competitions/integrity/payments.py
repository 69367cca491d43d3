"""Check of payments: the chain of each competition, and the hashes of returns."""

from collections.abc import Iterator
from itertools import chain, product

from league.competitions.models import Payment
from league.competitions.registration.fees import codes_of
from league.competitions.registration.payment_chain import PaymentFacts, payment_head, return_head
from league.matches.integrity.differences import RowDifference
from league.matches.integrity.reviews import codes_ever_of
from league.matches.integrity.running import NOT_READ


def payment_differences() -> Iterator[RowDifference]:
    """Find the differences of every payment. Nothing is written."""
    before: dict[int, str] = {}
    rows = Payment.objects.order_by("competition", "pk").values_list(
        "pk", "competition", "competition__league", "paid_head"
    )
    for key, competition, league, head in list(rows):
        try:
            payment = Payment.objects.select_related("entrant__player", "entrant__partner").get(pk=key)
            found = list(_of_payment(payment, before.get(competition, "")))
        except NOT_READ as error:
            found = [("row", repr(error), "readable")]
        before[competition] = head or ""
        for what, says, should in found:
            yield RowDifference(f"payment {key}", what, says, should, league=league)


def _of_payment(one: Payment, before: str) -> Iterator[tuple[str, object, object]]:
    if not any(one.paid_head == head for head in _heads(one, before)):
        yield "chain head", one.paid_head, "that of its facts and of the payment before it"
    should = None
    if one.returned_at is not None and one.returned_by_id is not None:
        should = return_head(one.paid_head or "", one.returned_at, one.returned_by_id)
    if one.returned_head != should:
        yield "hash of the return", one.returned_head, should


def _heads(one: Payment, before: str) -> Iterator[str]:
    """Yield the head by the players of today, then those by players merged with them."""
    today = codes_of(one.entrant)
    for players in chain([today], product(*map(codes_ever_of, today))):
        yield payment_head(before, PaymentFacts(one.competition_id, players, one.amount, one.taken_at, one.taken_by_id))

"""Hash chain of the payments of a competition. Pure.

Each payment has a head, SHA-256(head of the payment before it in the competition || its own facts): a changed or
removed payment breaks the chain, but not the last one if it is removed. A returned one has a second hash, over its
head, time and person of the return.
"""

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from league.matches.hash_chain import sha256


class PaymentFacts(NamedTuple):
    """The facts in the head of a payment. `players`: their codes at that time, the first partner first."""

    competition: int
    players: Sequence[str]
    amount: int
    taken_at: datetime
    taken_by: int


def payment_head(before: str, facts: PaymentFacts) -> str:
    """Compute the head of a payment. `before`: the head of the payment before it, empty for the first."""
    return sha256(before.encode() + _line(facts))


def return_head(head: str, at: datetime, by: int) -> str:
    """Compute the hash of the return of the payment with this head."""
    return sha256(head.encode() + _line((at, by)))


def _line(facts: tuple[object, ...]) -> bytes:
    return json.dumps(facts, separators=(",", ":"), default=_hour).encode()


def _hour(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="microseconds")

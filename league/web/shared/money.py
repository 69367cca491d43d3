"""Typed amounts of money."""

from decimal import Decimal, InvalidOperation

from django.utils.translation import gettext as _

from league.competitions.draw.plans import HIGHEST_FEE
from league.errors import Refused


def hundredths(text: str) -> int:
    """Parse an amount to hundredths: `12,50` and `12.5` are 1250.

    Raises Refused `bad-amount`.
    """
    try:
        amount = Decimal(text.replace(",", ".")) * 100
    except InvalidOperation:
        amount = Decimal(-1)
    if not amount.is_finite() or amount != amount.to_integral_value() or not 0 <= amount <= HIGHEST_FEE:
        raise Refused("bad-amount", _("An amount is written like 5 or 12.50."))
    return int(amount)

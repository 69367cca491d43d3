"""Typed amounts of money."""

from decimal import Decimal
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from league.competitions.draw.plans import HIGHEST_FEE


class AmountField(forms.CharField):
    """Amount in hundredths, None if empty: `12,50` and `12.5` are 1250."""

    def clean(self, value: Any) -> int | None:
        text = super().clean(value)
        if not text:
            return None
        try:
            amount = Decimal(text.replace(",", ".")) * 100
        except ArithmeticError:  # too large, or no number
            amount = Decimal(-1)
        if not amount.is_finite() or amount != amount.to_integral_value() or not 0 <= amount <= HIGHEST_FEE:
            raise forms.ValidationError(_("An amount is written like 5 or 12.50."))
        return int(amount)

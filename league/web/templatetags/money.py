"""Amounts of money in templates."""

from django import template

from league.competitions.registration.fees import told

register = template.Library()


@register.simple_tag
def money(amount: int, currency: str) -> str:
    """Hundredths as the reader's language writes them: `12.50 €`."""
    return told(amount, currency)

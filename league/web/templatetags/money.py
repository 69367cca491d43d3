"""Template tag for amounts of money."""

from django import template

from league.competitions.registration.fees import told

register = template.Library()


@register.simple_tag
def money(amount: int, currency: str) -> str:
    """Write an amount in hundredths in the reader's language: `12.50 €`."""
    return told(amount, currency)

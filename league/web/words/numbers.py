"""Numbers of standings as text."""

from fractions import Fraction

from django.utils.formats import number_format
from django.utils.translation import npgettext

from league.competitions.standings.compute import Figure
from league.competitions.standings.tiebreaks.registry import TIE_BREAKS


def figure_text(key: str, figure: Figure) -> str:
    """Return a figure as text, a dash if it has no number."""
    if figure.value is None:
        return "–"
    return signed(figure.value) if TIE_BREAKS[key].signed else number_text(figure.value)


def signed(number: int | Fraction) -> str:
    return f"{'+' if number > 0 else '−' if number < 0 else ''}{number_text(abs(number))}"


def points_given(points: int) -> str:
    """Return a bonus or deduction in words: `−2 match points`."""
    told = npgettext("bonus", "%(points)s match point", "%(points)s match points", abs(points))
    return told % {"points": signed(points)}


def number_text(number: int | Fraction) -> str:
    """Round a fraction to two decimals for display; comparisons use exact values."""
    if Fraction(number).denominator == 1:
        return str(number).replace("-", "−")
    return number_format(round(float(number), DECIMALS), decimal_pos=DECIMALS).replace("-", "−")


DECIMALS = 2

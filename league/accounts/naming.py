"""How people are named to others: whole, or by initials while they may be under age."""

from datetime import date, timedelta

from django.utils import timezone

from league.accounts.graphemes import letters

# Only the year of birth is known, so the protection lasts to the end of the year in which somebody comes of age.
OF_AGE = 18


def initials(name: str) -> str:
    """`Ana María Ruiz` → `A. M. R.`; of a word its first letter or digit, with the marks that belong to it."""
    found = [letter for letter in (_first_letter(word) for word in name.split()) if letter]
    return " ".join(f"{letter}." for letter in found) or "?"


def _first_letter(word: str) -> str:
    start = next((place for place, sign in enumerate(word) if sign.isalnum()), None)
    if start is None:
        return ""
    return next(letters(word[start:]))


def this_year() -> int:
    """The year where it begins last on Earth, so that no time zone of a league ends the protection early."""
    return (timezone.now() - timedelta(hours=12)).year


def last_minor_year(born: int | None) -> int | None:
    """The last year in which somebody born in that year is named by initials; None where the year is not known."""
    return born + OF_AGE if born else None


def is_minor(born: int | None, on: date | None = None) -> bool:
    last = last_minor_year(born)
    return last is not None and (on.year if on else this_year()) <= last

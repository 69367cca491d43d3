"""Public names of people: whole, or initials of possible minors."""

from datetime import date, timedelta

from django.utils import timezone

from league.accounts.graphemes import letters

# Only the year of birth is known, so the protection lasts to the end of the year of the eighteenth birthday.
OF_AGE = 18


def initials(name: str) -> str:
    """Return the initials: `Ana María Ruiz` → `A. M. R.`.

    The first letter or digit of each word, with its marks.
    """
    found = [letter for letter in (_first_letter(word) for word in name.split()) if letter]
    return " ".join(f"{letter}." for letter in found) or "?"


def _first_letter(word: str) -> str:
    start = next((place for place, sign in enumerate(word) if sign.isalnum()), None)
    if start is None:
        return ""
    return next(letters(word[start:]))


def this_year() -> int:
    """Return the current year in the time zone where it begins last.

    So no time zone of a league ends the protection early.
    """
    return (timezone.now() - timedelta(hours=12)).year


def last_minor_year(born: int | None) -> int | None:
    """Return the last year with initials for this year of birth; None if not known."""
    return born + OF_AGE if born else None


def is_minor(born: int | None, on: date | None = None) -> bool:
    last = last_minor_year(born)
    return last is not None and (on.year if on else this_year()) <= last

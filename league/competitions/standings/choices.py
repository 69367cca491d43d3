"""Tie-breaks as choices of a form, with names in the reader's language."""

from django.utils.translation import pgettext

from league.competitions.standings.tiebreaks.registry import TIE_BREAKS


def tie_break_choices() -> list[tuple[str, str]]:
    """Give key and name of each tie-break."""
    return [(key, pgettext("tie-break", entry.name)) for key, entry in TIE_BREAKS.items()]

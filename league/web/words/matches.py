"""Names of a draw's matches, and the origin of their sides."""

from django.utils.translation import pgettext

from league.competitions.draw_view import BerthView, SlotView
from league.competitions.models import Matchday

Section = Matchday.Section


def numbered(number: int | None, section: str) -> str:
    """Return a match number: "3", in a double elimination "W3" or "L3" by its bracket.

    The number is the same everywhere.
    """
    if section == Section.WINNERS:
        return pgettext("a match of the winners’ bracket", "W%(number)s") % {"number": number}
    if section == Section.LOSERS:
        return pgettext("a match of the losers’ bracket", "L%(number)s") % {"number": number}
    return str(number)


def number_of(slot: SlotView) -> str:
    return numbered(slot.number, slot.section)


def source_of(berth: BerthView) -> str:
    return numbered(berth.from_match, berth.from_section)


def comes_from(berth: BerthView) -> str:
    """Return a berth's origin as a line: "Loser of W3", "Winner of match 3"."""
    if not berth.from_match:
        return pgettext("draw", "Not known yet")
    loser = berth.takes == "loser"
    if berth.from_section in (Section.WINNERS, Section.LOSERS):
        told = pgettext("draw", "Loser of %(match)s") if loser else pgettext("draw", "Winner of %(match)s")
        return told % {"match": source_of(berth)}
    told = pgettext("draw", "Loser of match %(number)s") if loser else pgettext("draw", "Winner of match %(number)s")
    return told % {"number": berth.from_match}


def coming_from(berth: BerthView) -> str:
    """Return a berth's origin as part of a sentence."""
    if not berth.from_match:
        return pgettext("draw", "Not known yet")
    told = (
        pgettext("draw", "loser of match %(number)s")
        if berth.takes == "loser"
        else pgettext("draw", "winner of match %(number)s")
    )
    return told % {"number": source_of(berth)}

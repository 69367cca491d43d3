"""Matches of a bracket in sentences, for screen readers."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import pgettext, pgettext_lazy

from league.competitions.draw_view import BerthView, MatchdayView, SlotView
from league.competitions.models import Matchday
from league.web.charts.bracket_parts import BracketPart
from league.web.words import labels
from league.web.words.matches import coming_from, number_of

Kind = Matchday.Kind
MATCH_OF: Mapping[str, Any] = {
    Kind.ROUND_OF_16: pgettext_lazy("one match of a round", "Round of 16, match %(number)d"),
    Kind.QUARTER_FINALS: pgettext_lazy("one match of a round", "Quarter-final %(number)d"),
    Kind.SEMI_FINALS: pgettext_lazy("one match of a round", "Semi-final %(number)d"),
    Kind.FINAL: pgettext_lazy("one match of a round", "Final"),
    Kind.DECIDER: pgettext_lazy("one match of a round", "Deciding match"),
}
WINNER_PLAYS: Mapping[str, Any] = {
    Kind.ROUND_OF_16: pgettext_lazy("bracket", "winner plays round of 16, match %(number)d"),
    Kind.QUARTER_FINALS: pgettext_lazy("bracket", "winner plays quarter-final %(number)d"),
    Kind.SEMI_FINALS: pgettext_lazy("bracket", "winner plays semi-final %(number)d"),
    Kind.FINAL: pgettext_lazy("bracket", "winner plays the final"),
    Kind.DECIDER: pgettext_lazy("bracket", "winner plays the deciding match"),
}


def spoken(part: BracketPart) -> dict[int, str]:
    """Return a sentence by slot.

    "Quarter-final 2, Ana 2, Luis 1, winner plays semi-final 1"
    """
    place = {slot.id: (day, slot) for day, slots in part.days for slot in slots}
    following = {berth.from_slot: slot.id for slot in part.slots for berth in slot.berths if berth.takes == "winner"}
    below = {
        berth.from_slot: slot
        for slot in part.slots
        for berth in slot.berths
        if berth.takes == "loser" and slot.section == Matchday.Section.LOSERS
    }
    return {
        slot.id: ", ".join(
            [name_of(day, slot), *_sides(slot), *_state(slot), *_goes_on(slot, following, place), *_drops(slot, below)]
        )
        for day, slots in part.days
        for slot in slots
    }


def name_of(day: MatchdayView, slot: SlotView) -> str:
    """Return a match's usual name: "Semi-final 1", else "Round 3, match 7"."""
    if slot.bye:
        return pgettext("draw", "Bye")
    if slot.third_place:
        return pgettext("draw", "Third place")
    if _usual(day):
        return str(MATCH_OF[day.kind]) % {"number": slot.place}
    return pgettext("one match of a round", "%(round)s, match %(number)s") % {
        "round": day.name,
        "number": number_of(slot),
    }


def _usual(day: MatchdayView) -> bool:
    return day.kind in MATCH_OF and day.name == str(Kind(day.kind).label)


def _goes_on(
    slot: SlotView, following: Mapping[int | None, int], place: Mapping[int, tuple[MatchdayView, SlotView]]
) -> list[str]:
    if slot.id not in following:
        return []
    day, later = place[following[slot.id]]
    if _usual(day):
        return [str(WINNER_PLAYS[day.kind]) % {"number": later.place}]
    return [pgettext("bracket", "winner plays match %(number)s") % {"number": number_of(later)}]


def _drops(slot: SlotView, below: Mapping[int | None, SlotView]) -> list[str]:
    if slot.id not in below:
        return []
    return [pgettext("bracket", "loser plays match %(number)s") % {"number": number_of(below[slot.id])}]


def _sides(slot: SlotView) -> list[str]:
    return [_side(berth) for berth in slot.berths]


def _side(berth: BerthView) -> str:
    if berth.entrant:
        return f"{berth.entrant.name} {berth.score}" if berth.score is not None else berth.entrant.name
    return coming_from(berth)


def _state(slot: SlotView) -> list[str]:
    """Return the state in words, empty for an official or upcoming match."""
    if (label := labels.of_condition(slot)) is not None:
        return [str(label.word)]
    if slot.match is None or (slot.decided and not slot.no_winner) or slot.match.state == "scheduled":
        return []
    return [str(labels.of_slot(slot).word)]

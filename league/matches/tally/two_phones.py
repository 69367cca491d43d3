"""Two phones, one record: each player enters the lines of the own seat on an own tile pad.

A `TallyTap.Kind.TAKE_OVER` with a seat gives that seat to its pad; one without a seat goes back to one phone, and its
`line` is the reason. Each tap keeps the person, the phone and the time, so a call is the caller's own entry.
"""

from collections.abc import Mapping, Sequence
from uuid import UUID

from django.utils.translation import gettext_lazy as _

from games.moves import SEATS
from games.ruleset import Matching, Ruleset
from league.errors import Refused
from league.matches.annotated_log import sentence
from league.matches.models.tally import TallyTap
from league.matches.tally.standing import NO_PAD, standing_rows
from league.matches.tally.touches import BadTap, Touch
from referee.running_log import why_impossible
from referee.verdict import Finding

Kind = TallyTap.Kind
OF_BOTH = frozenset({"round", "blocked", "score", "chips", "settled", "bell", "end", "note"})
"""First words of the lines that either phone may enter."""


class NotYours(BadTap):
    """A line of the other seat, or one that is not this phone's to take back."""

    def __init__(self, touch: Touch) -> None:
        Refused.__init__(self, "not-yours", _("On two phones each player enters and takes back only their own."))
        self.touch = str(touch.id)


class NotNow(BadTap):
    """A line that can't follow what both phones have entered; the sentence is the referee's."""

    def __init__(self, touch: Touch, finding: Finding) -> None:
        why = sentence(finding.as_json(stored=True))
        Refused.__init__(self, "not-now", _("The game has gone on: %(why)s"), why=why)
        self.touch = str(touch.id)


def pads_by_seat(taps: Sequence[TallyTap]) -> Mapping[int, UUID]:
    """Return the pad of each seat that has one; nothing while one phone enters both.

    A single entry: the other player has not sat down yet.
    """
    seats: dict[int, UUID] = {}
    for tap in taps:
        if tap.kind == Kind.TAKE_OVER and tap.seat is not None:
            seats[tap.seat] = tap.pad
        elif tap.kind == Kind.TAKE_OVER or tap.pad == NO_PAD:
            seats = {}
    return seats


def may_keep(taps: Sequence[TallyTap], pad: UUID) -> bool:
    """Return whether this pad enters taps without taking over: one of two, or that of the last tap."""
    if seats := pads_by_seat(taps):
        return pad in seats.values()
    return not taps or taps[-1].pad in {pad, NO_PAD}


def refuse_other_seat(
    taps: Sequence[TallyTap], new: Sequence[Touch], side: int | None, pad: UUID, rules: Ruleset
) -> None:
    """Check new touches of a pad of this side where two phones make the record.

    Raises NotYours; NotNow for the first touch with a line that the referee finds impossible after those before it.
    """
    seats = dict(pads_by_seat(taps))
    standing = [(row.touch, row.for_side == side, (row.line or "").split("\n")) for row in standing_rows(taps)]
    for touch in new:
        if touch.kind == Kind.TAKE_OVER:
            if touch.seat is not None and (touch.seat + 1 != side or rules.matching is not Matching.PIPS):
                raise NotYours(touch)
            seats = {} if touch.seat is None else seats | {touch.seat: pad}
        elif not seats:
            return
        elif touch.kind == Kind.UNDO:
            if not standing or standing.pop()[:2] != (touch.of, True):
                raise NotYours(touch)
        else:
            own = (touch.line or "").split("\n")
            if not all(_is_own(line, side) for line in own):
                raise NotYours(touch)
            if why := why_impossible(rules, [line for _touch, _own, lines in standing for line in lines], own):
                raise NotNow(touch, why)
            standing.append((touch.id, True, own))


def is_first_hand(lines: Sequence[tuple[str, TallyTap]]) -> bool:
    """Return whether two phones entered these lines, each only those of its seat."""
    return len({tap.pad for _line, tap in lines}) > 1 and all(_is_own(line, tap.for_side) for line, tap in lines)


def _is_own(line: str, side: int | None) -> bool:
    """Return whether a phone of this side enters the line.

    A seat's acts are for its own phone; a penalty is for that of the seat which loses by it. Points of a round follow
    from the hands: the phone that shows the last one enters them.
    """
    words = line.split(" ")
    if words[0] in OF_BOTH or words[1:2] == ["scores"]:
        return True
    seat = words[1] if words[0] == "penalty" else words[0]
    return side is not None and seat == SEATS[side - 1]

"""Objection to the result of a pad at one of its taps: a review, and a protest of a side that has proved itself."""

from dataclasses import dataclass
from datetime import datetime

from games.moves import Bell, Call, Draw, End, Event, Pass, Play, Said
from games.notation.reading import loads
from league.disputes.models import Dispute
from league.disputes.protests.protesting import Point, protest
from league.errors import Refused
from league.matches.models import KnownBy, Record, Result, TallyTap
from league.matches.permissions import Guest, Visitor
from league.matches.results import reviews
from league.matches.results.judging import rules_of_match
from league.matches.tally.standing import standing_rows
from league.matches.tally.tile_log import entry_of_tap

Kind = Dispute.Kind


@dataclass(frozen=True, slots=True)
class PadObjection:
    """An objection that was made. `refused`: why its protest was not filed; the review stands all the same."""

    dispute: Dispute | None = None
    refused: Refused | None = None


def object_on_pad(
    result: Result, who: Visitor, *, sentence: str, tap: int | None = None, at: datetime | None = None
) -> PadObjection:
    """Put a result under review, and file a protest if `who` has proved the side, at the tap with this number.

    Raises Refused, and stores nothing: those of `reviews.disagree`.
    """
    reviews.disagree(result, who, sentence=sentence, at=at)
    if isinstance(who, Guest) and not who.is_proved:
        return PadObjection()
    try:
        point = _point(result.record, tap)
        return PadObjection(protest(result.game, who, point, sentence, record=result.record, at=at))
    except Refused as refused:
        return PadObjection(refused=refused)


def _point(record: Record, number: int | None) -> Point:
    """Return the place of a tap in the record: a line of the log, or a hand of the tally; else the result."""
    taps = list(TallyTap.objects.filter(game=record.game_id).order_by("number"))
    standing = standing_rows(taps)
    if number is None or number not in {tap.number for tap in standing}:
        return Point(kind=Kind.RESULT)
    if record.kind != KnownBy.LOG:
        before = [tap for tap in standing if tap.kind == TallyTap.Kind.ROUND_END and tap.number < number]
        return Point(kind=Kind.RESULT, hand=len(before) + 1)
    (log,) = loads(record.sealed.text)
    found = log.entries[entry_of_tap(taps, number, rules_of_match(record.game.match))]
    # The last line of the pad ends the record: what is said after it is said before the hand is settled.
    filed = [entry.line for entry in log.entries if not isinstance(entry.event, End)]
    return Point(kind=_kind(found.event), line=found.line, filed_line=max(filed))


def _kind(event: Event) -> Dispute.Kind:
    match event:
        case Play() | Call(said=Said.COUNT):
            return Kind.COUNT
        case Call(said=Said.MUGGINS):
            return Kind.MUGGINS
        case Draw() | Pass():
            return Kind.DRAW
        case Bell():
            return Kind.CLOCK
        case _:
            return Kind.RESULT

"""Figures of each seat in one game: counts, muggins, time, tiles. No judgement.

Points come from the verdict; draws, passes and plays from the record: every line of it can be true if the verdict gives
a result.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields

from games.claims import PlayScore
from games.errors import Reason
from games.moves import SEATS, Deal, Draw, Event, Pass, Play, Reopening, RoundStart
from games.notation.gamelog import GameLog, Tenths
from games.notation.lines import NotationError
from games.notation.reading import loads
from referee.replay import rules_of, unreadable, verify
from referee.verdict import Severity, Unreadable, Verdict


@dataclass(slots=True)
class SeatFigures:
    """Figures of one seat in one game; all are sums, so that games can be added up.

    ``counts`` are the plays that scored, worth ``worth`` points together. In ``called`` of them the player got every
    point, announced in time or booked automatically; the others are missed. ``caught`` and ``suffered`` are upheld
    muggins calls. ``tenths`` is the time between the turn before and the seat's own, over the ``timed`` turns with both
    times written. ``openings`` are the rounds that began with a double, ``opened`` those in which the seat had it.
    ``left`` are the tiles in hand at the ends of rounds. ``reneges`` are the passes and draws with a playable tile, as
    proved by the record.
    """

    rounds: int = 0
    points: int = 0
    counts: int = 0
    called: int = 0
    worth: int = 0
    caught: int = 0
    suffered: int = 0
    timed: int = 0
    tenths: int = 0
    openings: int = 0
    opened: int = 0
    passes: int = 0
    drawn: int = 0
    left: int = 0
    reneges: int = 0


_RENEGES = {Reason.PASS_WHEN_ABLE.value, Reason.DRAW_WHEN_ABLE.value}
NAMES = tuple(one.name for one in fields(SeatFigures))
Figures = dict[str, SeatFigures]
"""Figures by letter of the seat."""


def verify_and_count(text: str) -> tuple[Verdict | Unreadable, Figures]:
    """Return the verdict on the first game of a text, and its figures.

    The verdict is that of `verify_text`; an unreadable game has no figures.
    """
    try:
        log = loads(text)[0]
    except NotationError as error:
        return unreadable("", error), {}
    verdict = verify(log)
    return verdict, seat_figures(log, verdict)


def as_plain(figures: Figures) -> dict[str, dict[str, int]]:
    """Return the figures as plain data for storing."""
    return {seat: {name: getattr(one, name) for name in NAMES} for seat, one in figures.items()}


def seat_figures(log: GameLog, verdict: Verdict) -> Figures:
    """Compute the figures of each seat from a log and its verdict.

    Lines after the end of the verdict's game are not left out: such a record gives no result. Those of a seat that
    nobody has are.
    """
    found = [SeatFigures(rounds=len(verdict.rounds), points=points) for points in verdict.totals]
    for play in verdict.plays:
        if isinstance(play, PlayScore) and play.worth:
            own = found[play.seat]
            own.counts += 1
            own.worth += play.worth
            own.called += play.awarded.get(play.seat, 0) >= play.worth
    rules = rules_of(log)
    muggins = rules.rule_id("muggins")
    for ruling in verdict.rulings:
        if ruling.upheld and ruling.rule == muggins and ruling.against is not None:
            found[ruling.claimant].caught += 1
            found[ruling.against].suffered += 1
    for finding in verdict.findings:
        if finding.code in _RENEGES and finding.severity == Severity.VIOLATION.value:
            found[SEATS.index(finding.facts["seat"])].reneges += 1
    for entries in _rounds(log, len(found)):
        _add_round(found, entries, rules.hand_size(len(found)))
    return dict(zip(SEATS, found, strict=False))


Entries = list[tuple[Tenths | None, Event]]


def _rounds(log: GameLog, seats: int) -> Iterator[Entries]:
    """Yield the entries of each round; entries before the first round belong to none."""
    entries: Entries | None = None
    for _line, at, event in log.each():
        if isinstance(event, RoundStart):
            if entries is not None:
                yield entries
            entries = []
        elif entries is not None and getattr(event, "seat", 0) < seats:
            entries.append((at, event))
    if entries is not None:
        yield entries


def _add_round(found: list[SeatFigures], entries: Entries, dealt: int) -> None:
    """Add the figures of one round; ``dealt`` is the size of a hand without a line."""
    held = [dealt] * len(found)
    begun = False
    before: Tenths | None = None
    for at, event in entries:
        if isinstance(event, Play | Pass | Reopening):
            if before is not None and at is not None:
                found[event.seat].timed += 1
                found[event.seat].tenths += at - before
            before = at
        if isinstance(event, Play | Reopening):
            held[event.seat] -= 1
        if isinstance(event, Play) and not begun:
            begun = True
            _open(found, event)
        elif isinstance(event, Pass):
            found[event.seat].passes += 1
        elif isinstance(event, Draw):
            held[event.seat] += event.count
            found[event.seat].drawn += event.count
        elif isinstance(event, Deal):
            held[event.seat] = event.count
    for own, count in zip(found, held, strict=True):
        own.left += count


def _open(found: list[SeatFigures], lead: Play) -> None:
    if lead.tile.double:
        for seat, one in enumerate(found):
            one.openings += 1
            one.opened += seat == lead.seat

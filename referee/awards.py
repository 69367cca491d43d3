"""Awards of one game from a log or a tally, to compare two records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from games.claims import PlayScore
from games.moves import Seat
from games.ruleset import Ruleset
from referee.cards.tally import AWARDS, bonus_of, read_taps
from referee.replay import verify_text
from referee.verdict import Unreadable

Award = tuple[Seat, int]
"""Seat and points."""


def of_log(text: str) -> Counter[Award] | None:
    """Count the awards of the first game of a text by its verdict.

    ``None`` if it can't be read. Points outside of plays and ends of rounds (a caught "uno", for example) are one award
    for each seat.
    """
    verdict = verify_text(text)[0]
    if isinstance(verdict, Unreadable):
        return None
    plays = (item for play in verdict.plays if isinstance(play, PlayScore) for item in play.awarded.items())
    rounds = (item for one in verdict.rounds for item in enumerate(one.points))
    found = Counter((seat, points) for seat, points in (*plays, *rounds) if points)
    listed: Counter[Seat] = Counter()
    for (seat, points), count in found.items():
        listed[seat] += points * count
    found.update((seat, total - listed[seat]) for seat, total in enumerate(verdict.totals) if total != listed[seat])
    return found


def of_tally(taps: Sequence[Mapping[str, Any]], rules: Ruleset, seats: int = 2) -> Counter[Award]:
    """Count the awards of the taps that were not taken back.

    Raises :class:`referee.cards.check.CardError`.
    """
    found: Counter[Award] = Counter()
    for tap in read_taps(taps, rules, seats):
        if tap.kind in AWARDS and tap.seat is not None:
            found[tap.seat, tap.points or 0] += 1
        elif tap.kind == "round_end":
            found.update(enumerate(bonus_of(tap, seats)))
    return Counter({award: count for award, count in found.items() if award[1]})

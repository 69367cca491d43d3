"""Outcome of a game, and the events of a log, in sentences with names."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from games import moves
from games.moves import SEATS, Event, Said, Seat
from games.tile import Tile
from games.wording.base import Sentence
from referee.sentences import SENTENCES
from referee.verdict import Finding, Status, Verdict

Names = Sequence[str]
"""Name of each seat; its letter where it has none."""


class LogOutcome(NamedTuple):
    """Outcome of a game by the verdict on its log; ``winner`` is a seat."""

    status: str
    scores: tuple[int, ...]
    winner: Seat | None
    ended: str | None

    def sentence(self, names: Names) -> Sentence:
        """Return score and winner as a sentence.

        >>> LogOutcome("verified", (125, 150), 1, "target").sentence(["Ana", "Bo"]).text
        '125–150, Bo wins'
        """
        if self.status == Status.UNREADABLE.value:
            return Sentence("the log cannot be read")
        facts = {"score": "–".join(map(str, self.scores))}
        if self.status == Status.IMPOSSIBLE.value:
            return Sentence("%(score)s, up to a line that cannot be true", facts)
        if self.ended is None:
            return Sentence("%(score)s so far", facts)
        if self.winner is None:
            return Sentence("%(score)s, nobody wins", facts)
        return Sentence("%(score)s, %(winner)s wins", {**facts, "winner": names[self.winner]})


UNREADABLE = LogOutcome(Status.UNREADABLE.value, (), None, None)


def outcome_of(verdict: Verdict) -> LogOutcome:
    """Return the outcome that a verdict gives."""
    return LogOutcome(verdict.status, verdict.totals, verdict.won_by, verdict.ended)


def names_of(seats: Mapping[str, str]) -> Names:
    """Return the name of each seat, its letter where it has none."""
    return [name or letter for letter, name in seats.items()]


_SEAT_IN_WORDS = re.compile(r"\b([A-F])(?= \d| with |$)")
_SEAT_FACTS = ("seat", "claimant", "against", "scorer", "player", "turn")


def finding_sentence(finding: Finding, names: Names) -> Sentence:
    """Return the sentence of a finding with names instead of seats."""
    facts = dict(finding.facts)
    for key in _SEAT_FACTS:
        letter = facts.get(key)
        if isinstance(letter, str) and len(letter) == 1 and letter in SEATS:
            facts[key] = name_of(names, SEATS.index(letter))
    for key in ("left", "due"):
        if isinstance(words := facts.get(key), str):
            facts[key] = _SEAT_IN_WORDS.sub(lambda match: name_of(names, SEATS.index(match[1])), words)
    return Sentence(SENTENCES[finding.say], facts)


def moment_sentence(event: Event, names: Names) -> Sentence:
    """Return the moment of an event that moves a claim window on (RULES.md 1.4, 1.5).

    A tile counts from its release, a settlement from the first hand shown.
    """
    match event:
        case moves.Play(seat, tile):
            return Sentence("%(name)s released %(tile)s", {"name": name_of(names, seat), "tile": tile.name})
        case moves.Pass() | moves.Bell() | moves.Call() | moves.Draw():
            return event_sentence(event, names)
        case moves.Show() | moves.RoundPoints() | moves.Totals() | moves.ChipsLeft():
            return Sentence("the hands were shown")
    return Sentence("the hand was settled")


# ---- Events


def event_sentence(event: Event, names: Names) -> Sentence:
    """Return an event as a sentence in the past.

    >>> from games.notation.reading import loads
    >>> (log,) = loads('[Ruleset "udl"]\\nround 1\\nB 6-3 on 6-6 call 15\\nA draw ?\\n')
    >>> [event_sentence(entry.event, ["Ana", "Bo"]).text for entry in log.entries[1:]]
    ['Bo played 6-3 on 6-6 and announced 15', 'Ana drew 1 tile unseen']
    """
    said = _WRITERS[type(event)](event)
    seat = getattr(event, "seat", None)
    named = {} if seat is None else {"name": name_of(names, seat)}
    if isinstance(event, moves.Call) and event.whom is not None:
        named["other"] = name_of(names, event.whom)
    return Sentence(said.template, {**named, **said.facts})


def name_of(names: Names, seat: Seat) -> str:
    """Return the name of a seat, also of one that the game does not have."""
    return names[seat] if seat < len(names) else SEATS[seat]


_PLAYED = {
    (False, ""): Sentence("%(name)s played %(tile)s"),
    (True, ""): Sentence("%(name)s played %(tile)s on %(on)s"),
    (False, "call"): Sentence("%(name)s played %(tile)s and announced %(points)s"),
    (True, "call"): Sentence("%(name)s played %(tile)s on %(on)s and announced %(points)s"),
    (False, "colour"): Sentence("%(name)s played %(tile)s and named %(colour)s"),
    (True, "colour"): Sentence("%(name)s played %(tile)s on %(on)s and named %(colour)s"),
}
"""Plays with and without a place, and with a number or a colour."""


def _play(event: moves.Play) -> Sentence:
    said = "colour" if event.colour is not None else "call" if event.call is not None else ""
    on = event.on.name if event.on is not None else ""
    facts = {"tile": event.tile.name, "on": on, "points": event.call, "colour": event.colour}
    return _PLAYED[bool(on), said]._replace(facts=facts)


def _call(event: moves.Call) -> Sentence:
    if event.said is Said.MUGGINS and event.number is not None:
        return Sentence("%(name)s called muggins for %(points)s", {"points": event.number})
    return _CALLS[event.said]._replace(facts={"points": event.number or 0})


_CALLS = {
    Said.COUNT: Sentence("%(name)s announced %(points)s"),
    Said.MUGGINS: Sentence("%(name)s called muggins"),
    Said.DOMINO: Sentence("%(name)s said domino"),
    Said.UNO: Sentence("%(name)s said uno"),
    Said.CATCH: Sentence("%(name)s caught %(other)s without uno"),
    Said.CHALLENGE: Sentence("%(name)s challenged the Wild Draw Four"),
}


def _tiles(tiles: Sequence[Tile | None]) -> str:
    return " ".join("?" if tile is None else tile.name for tile in tiles)


def _draw(event: moves.Draw) -> Sentence:
    if any(event.tiles):
        return Sentence("%(name)s drew %(tiles)s", {"tiles": _tiles(event.tiles)})
    if event.count == 1:
        return Sentence("%(name)s drew 1 tile unseen", {})
    return Sentence("%(name)s drew %(count)s tiles unseen", {"count": event.count})


def _deal(event: moves.Deal) -> Sentence:
    if any(event.tiles):
        return Sentence("%(name)s was dealt %(tiles)s", {"tiles": _tiles(event.tiles)})
    return Sentence("%(name)s was dealt %(count)s tiles unseen", {"count": event.count})


def _show(event: moves.Show) -> Sentence:
    if event.tiles:
        return Sentence("%(name)s showed %(tiles)s", {"tiles": _tiles(event.tiles)})
    return Sentence("%(name)s had no tile left", {})


def _numbers(numbers: Sequence[int]) -> str:
    return "–".join(map(str, numbers))


def _ruled(event: moves.ChallengeOutcome) -> Sentence:
    return Sentence("the challenge was upheld") if event.upheld else Sentence("the challenge was rejected")


def _penalty(event: moves.Penalty) -> Sentence:
    facts = {"points": event.points, "reason": event.reason}
    return Sentence("%(name)s had a penalty of %(points)s: %(reason)s", facts)


def _reopening(event: moves.Reopening) -> Sentence:
    facts = {"tile": event.tile.name, "on": event.on.name, "colour": event.colour}
    return Sentence("%(name)s opened the dead end with %(tile)s on %(on)s and named %(colour)s", facts)


_Writer = Callable[[Any], Sentence]
_WRITERS: Mapping[type, _Writer] = {
    moves.Play: _play,
    moves.Call: _call,
    moves.Draw: _draw,
    moves.Deal: _deal,
    moves.Show: _show,
    moves.Pass: lambda _: Sentence("%(name)s passed"),
    moves.RoundStart: lambda event: Sentence("hand %(number)s began", {"number": event.number}),
    moves.Lot: lambda event: Sentence("%(name)s drew %(tile)s by lot", {"tile": event.tile.name}),
    moves.Blocked: lambda _: Sentence("the hand was blocked"),
    moves.RoundPoints: lambda event: Sentence("%(name)s scored %(points)s for the hand", {"points": event.points}),
    moves.Totals: lambda event: Sentence("the score was %(score)s", {"score": _numbers(event.scores)}),
    moves.ChipsLeft: lambda event: Sentence("the chips left were %(chips)s", {"chips": _numbers(event.chips)}),
    moves.Settled: lambda _: Sentence("the hand was settled"),
    moves.Bell: lambda _: Sentence("the bell rang"),
    moves.Penalty: _penalty,
    moves.Concession: lambda _: Sentence("%(name)s conceded"),
    moves.Forfeit: lambda event: Sentence("%(name)s forfeited: %(reason)s", {"reason": event.reason}),
    moves.End: lambda _: Sentence("the log ended"),
    moves.Note: lambda event: Sentence("remark: %(remark)s", {"remark": event.text}),
    moves.ChallengeOutcome: _ruled,
    moves.Reopening: _reopening,
}

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
    template, facts = _WRITERS[type(event)](event)
    seat = getattr(event, "seat", None)
    named = {} if seat is None else {"name": name_of(names, seat)}
    if isinstance(event, moves.Call) and event.whom is not None:
        named["other"] = name_of(names, event.whom)
    return Sentence(template, {**named, **facts})


def name_of(names: Names, seat: Seat) -> str:
    """Return the name of a seat, also of one that the game does not have."""
    return names[seat] if seat < len(names) else SEATS[seat]


_Words = tuple[str, dict[str, Any]]


def _play(event: moves.Play) -> _Words:
    template = "%(name)s played %(tile)s"
    facts: dict[str, Any] = {"tile": event.tile.name}
    if event.on is not None:
        template, facts["on"] = template + " on %(on)s", event.on.name
    if event.call is not None:
        template, facts["points"] = template + " and announced %(points)s", event.call
    if event.colour is not None:
        template, facts["colour"] = template + " and named %(colour)s", event.colour
    return template, facts


def _call(event: moves.Call) -> _Words:
    if event.said is Said.MUGGINS and event.number is not None:
        return "%(name)s called muggins for %(points)s", {"points": event.number}
    return _CALLS[event.said], {"points": event.number or 0}


_CALLS = {
    Said.COUNT: "%(name)s announced %(points)s",
    Said.MUGGINS: "%(name)s called muggins",
    Said.DOMINO: "%(name)s said domino",
    Said.UNO: "%(name)s said uno",
    Said.CATCH: "%(name)s caught %(other)s without uno",
    Said.CHALLENGE: "%(name)s challenged the Wild Draw Four",
}


def _tiles(tiles: Sequence[Tile | None]) -> str:
    return " ".join("?" if tile is None else tile.name for tile in tiles)


def _draw(event: moves.Draw) -> _Words:
    if any(event.tiles):
        return "%(name)s drew %(tiles)s", {"tiles": _tiles(event.tiles)}
    if event.count == 1:
        return "%(name)s drew 1 tile unseen", {}
    return "%(name)s drew %(count)s tiles unseen", {"count": event.count}


def _deal(event: moves.Deal) -> _Words:
    if any(event.tiles):
        return "%(name)s was dealt %(tiles)s", {"tiles": _tiles(event.tiles)}
    return "%(name)s was dealt %(count)s tiles unseen", {"count": event.count}


def _show(event: moves.Show) -> _Words:
    if event.tiles:
        return "%(name)s showed %(tiles)s", {"tiles": _tiles(event.tiles)}
    return "%(name)s had no tile left", {}


def _numbers(numbers: Sequence[int]) -> str:
    return "–".join(map(str, numbers))


_Writer = Callable[[Any], _Words]
_WRITERS: Mapping[type, _Writer] = {
    moves.Play: _play,
    moves.Call: _call,
    moves.Draw: _draw,
    moves.Deal: _deal,
    moves.Show: _show,
    moves.Pass: lambda _: ("%(name)s passed", {}),
    moves.RoundStart: lambda event: ("hand %(number)s began", {"number": event.number}),
    moves.Lot: lambda event: ("%(name)s drew %(tile)s by lot", {"tile": event.tile.name}),
    moves.Blocked: lambda _: ("the hand was blocked", {}),
    moves.RoundPoints: lambda event: ("%(name)s scored %(points)s for the hand", {"points": event.points}),
    moves.Totals: lambda event: ("the score was %(score)s", {"score": _numbers(event.scores)}),
    moves.ChipsLeft: lambda event: ("the chips left were %(chips)s", {"chips": _numbers(event.chips)}),
    moves.Settled: lambda _: ("the hand was settled", {}),
    moves.Bell: lambda _: ("the bell rang", {}),
    moves.Penalty: lambda event: (
        "%(name)s had a penalty of %(points)s: %(reason)s",
        {"points": event.points, "reason": event.reason},
    ),
    moves.Concession: lambda _: ("%(name)s conceded", {}),
    moves.Forfeit: lambda event: ("%(name)s forfeited: %(reason)s", {"reason": event.reason}),
    moves.End: lambda _: ("the log ended", {}),
    moves.Note: lambda event: ("remark: %(remark)s", {"remark": event.text}),
    moves.ChallengeOutcome: lambda event: (
        "the challenge was upheld" if event.upheld else "the challenge was rejected",
        {},
    ),
    moves.Reopening: lambda event: (
        "%(name)s opened the dead end with %(tile)s on %(on)s and named %(colour)s",
        {"tile": event.tile.name, "on": event.on.name, "colour": event.colour},
    ),
}

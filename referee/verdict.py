"""Verdict on one game: findings, rulings, and the real course of the game.

Source: NOTATION.md sections 4 to 6.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, NamedTuple

from games.claims import PlainPlay, PlayScore, score_of
from games.errors import Reason
from games.moves import SEATS, Seat
from games.tiles import TileSet
from referee.sentences import SENTENCES

EDITION = 2
"""Edition of the engine: it grows when a log could get a different verdict."""


class Severity(Enum):
    """Consequence of a finding for the record."""

    IMPOSSIBLE = "impossible"
    VIOLATION = "violation"
    CORRECTION = "correction"
    NOTE = "note"


class Status(Enum):
    """Status of a game in one word: the worst finding decides."""

    VERIFIED = "verified"
    CONSISTENT = "consistent"
    CORRECTED = "corrected"
    VIOLATION = "violation"
    INCOMPLETE = "incomplete"
    IMPOSSIBLE = "impossible"
    UNREADABLE = "unreadable"


_VIOLATIONS = frozenset(
    {
        Reason.WRONG_LEAD,
        Reason.HAND_SIZE,
        Reason.DRAW_WHEN_ABLE,
        Reason.PASS_WHEN_ABLE,
        Reason.PASS_WITH_BONEYARD,
        Reason.MUST_PLAY_DRAWN,
        Reason.TILE_COUNT,
        Reason.FORCED_DRAW,
        Reason.UNCLEAR_OFFENCE,
    }
)
_CORRECTIONS = frozenset(
    {
        Reason.WRONG_COUNT,
        Reason.WRONG_POINTS,
        Reason.WRONG_TOTAL,
        Reason.WRONG_CHIPS,
        Reason.WRONG_RESULT,
        Reason.WRONG_RULING,
    }
)
_NOTES = frozenset(
    {
        Reason.CLAIM_UPHELD,
        Reason.CLAIM_REJECTED,
        Reason.MISSED_POINTS,
        Reason.UNVERIFIED_POINTS,
        Reason.INCOMPLETE,
        Reason.CLOCK_UNKNOWN,
    }
)


def severity(reason: Reason) -> Severity:
    """Return the severity of a finding with this code (NOTATION.md section 4)."""
    if reason in _NOTES:
        return Severity.NOTE
    if reason in _CORRECTIONS:
        return Severity.CORRECTION
    return Severity.VIOLATION if reason in _VIOLATIONS else Severity.IMPOSSIBLE


class Finding(NamedTuple):
    """One finding at one line.

    ``say`` names the sentence in `referee.sentences`, ``facts`` fill it.
    """

    line: int
    code: str
    severity: str
    rule: str
    say: str
    facts: Mapping[str, Any]
    column: int | None = None

    @property
    def message(self) -> str:
        """Sentence in English."""
        return SENTENCES[self.say] % self.facts

    def as_json(self, *, stored: bool = False) -> dict[str, Any]:
        """Return the finding as plain data; ``stored`` adds the facts for a translation."""
        data: dict[str, Any] = {"line": self.line}
        if self.column is not None:
            data["column"] = self.column
        data |= {"code": self.code, "severity": self.severity, "rule": self.rule, "message": self.message}
        return data | {"say": self.say, "facts": dict(self.facts)} if stored else data


class Ruling(NamedTuple):
    """Outcome of one call.

    ``line`` is the line of the call, ``play`` the line of the play it is about.
    """

    line: int
    claimant: Seat
    against: Seat | None
    play: int | None
    claimed: int | None
    upheld: bool
    points: int
    rule: str

    def as_json(self) -> dict[str, Any]:
        """Return the ruling as plain data."""
        return {
            "line": self.line,
            "claimant": SEATS[self.claimant],
            "against": None if self.against is None else SEATS[self.against],
            "play": self.play,
            "claimed": self.claimed,
            "upheld": self.upheld,
            "points": self.points,
            "rule": self.rule,
        }


class Placement(NamedTuple):
    """A play in a game without points for plays.

    Its line, and the tile as it was played, its active half first.
    """

    line: int
    seat: Seat
    tile: int
    on: int | None
    name: str


class RoundRecord(NamedTuple):
    """Course of one round.

    ``points`` are its round-end points, ``scores`` the totals after its settlement.
    """

    number: int
    spinner: str | None
    led: Seat | None
    ended: str | None
    winner: Seat | None
    points: tuple[int, ...]
    scores: tuple[int, ...]

    def as_json(self) -> dict[str, Any]:
        """Return the round as plain data."""
        return {
            "number": self.number,
            "spinner": self.spinner,
            "led": None if self.led is None else SEATS[self.led],
            "ended": self.ended,
            "winner": None if self.winner is None else SEATS[self.winner],
            "points": by_seat(self.points),
            "scores": by_seat(self.scores),
        }


def by_seat(numbers: tuple[int, ...] | list[int]) -> dict[str, int]:
    """Map numbers in seat order to seat letters."""
    return dict(zip(SEATS, numbers, strict=False))


@dataclass(slots=True, kw_only=True)
class Verdict:
    """Verdict on one game.

    ``totals`` and ``chips_left`` are in seat order; ``won_by`` is a seat.
    """

    file: str
    game: int
    ruleset: str
    tiles: TileSet
    status: str
    evidence: str
    seats: Mapping[str, str]
    totals: tuple[int, ...]
    won_by: Seat | None
    ended: str | None
    rounds: tuple[RoundRecord, ...]
    played: tuple[PlainPlay | PlayScore | Placement, ...]
    rulings: tuple[Ruling, ...]
    findings: tuple[Finding, ...]
    chips_left: tuple[int, ...] | None
    points_on_word: int = 0

    @property
    def plays(self) -> tuple[PlayScore | Placement, ...]:
        """Plays, with the count and the awarded points of each."""
        return tuple(play if isinstance(play, Placement) else score_of(play) for play in self.played)

    @property
    def scores(self) -> dict[str, int]:
        """Final score by seat letter."""
        return by_seat(self.totals)

    @property
    def winner(self) -> str | None:
        """Letter of the winner."""
        return None if self.won_by is None else SEATS[self.won_by]

    @property
    def chips(self) -> dict[str, int] | None:
        """Chips of their own colour left, by seat letter; ``None`` without chips."""
        return None if self.chips_left is None else by_seat(self.chips_left)

    def as_json(self, *, plays: bool = True, stored: bool = False) -> dict[str, Any]:
        """Return the object of NOTATION.md section 6.

        For storing: without ``plays``, and ``stored`` adds the facts of findings.
        """
        data: dict[str, Any] = {
            "file": self.file,
            "game": self.game,
            "ruleset": self.ruleset,
            "status": self.status,
            "evidence": self.evidence,
            "seats": dict(self.seats),
            "scores": self.scores,
            "winner": self.winner,
            "ended": self.ended,
            "rounds": [record.as_json() for record in self.rounds],
        }
        if plays:
            data["plays"] = [self._play(play) for play in self.plays]
        data["rulings"] = [ruling.as_json() for ruling in self.rulings]
        data["findings"] = [finding.as_json(stored=stored) for finding in self.findings]
        if self.chips_left is not None:
            data["chips"] = self.chips
        if self.points_on_word:
            data["points_on_word"] = self.points_on_word
        return data

    def _play(self, play: PlayScore | Placement) -> dict[str, Any]:
        tiles = self.tiles.tiles
        if isinstance(play, Placement):
            on = None if play.on is None else tiles[play.on].name
            nothing: dict[str, Any] = {"count": None, "worth": 0, "announced": None, "awarded": {}}
            return {"line": play.line, "seat": SEATS[play.seat], "tile": play.name, "on": on, **nothing}
        return {
            "line": play.line,
            "seat": SEATS[play.seat],
            "tile": tiles[play.tile].name,
            "on": None if play.on is None else tiles[play.on].name,
            "count": play.count,
            "worth": play.worth,
            "announced": play.announced,
            "awarded": {SEATS[seat]: points for seat, points in sorted(play.awarded.items())},
        }


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Answer to a file that is not Domino Game Notation."""

    file: str
    findings: tuple[Finding, ...]

    @property
    def status(self) -> str:
        """Always ``unreadable``."""
        return Status.UNREADABLE.value

    def as_json(self, *, plays: bool = True, stored: bool = False) -> dict[str, Any]:
        """Return the object of NOTATION.md section 6."""
        findings = [finding.as_json(stored=stored) for finding in self.findings]
        for finding in findings:
            del finding["rule"]
        return {"file": self.file, "status": self.status, "findings": findings}

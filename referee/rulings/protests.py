"""Protest against a line of a log, and whether the rules still allow it.

Source: RULES.md 1.4, 8 (Q20, Q25), 10.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from games.errors import Reason
from games.moves import (
    Bell,
    ChipsLeft,
    Draw,
    End,
    Event,
    Pass,
    Play,
    RoundPoints,
    RoundStart,
    Seat,
    Settled,
    Show,
    Totals,
)
from games.notation.gamelog import Entry, GameLog, Tenths
from games.notation.reading import loads
from games.ruleset import Muggins, Ruleset
from games.wording.base import Sentence
from games.wording.rulebook import Article, article
from referee.game import ReplayedGame
from referee.replay import replayed, rules_of, verify
from referee.rulings.amending import UnfitRuling, amend
from referee.rulings.outcomes import LogOutcome, Names, name_of, names_of, outcome_of
from referee.rulings.text import LineChange, Verb, ruling_on
from referee.verdict import Verdict


class ProtestKind(Enum):
    """Matter of a protest."""

    COUNT = "count"
    MUGGINS = "muggins"
    MISPLAY = "misplay"
    DRAW = "draw"
    """A draw or a pass against the rules."""
    CLOCK = "clock"
    """A tile released before or after the bell."""
    RESULT = "result"
    """Points at the end of a hand, totals, winner."""
    CATCH = "catch"
    CHALLENGE = "challenge"
    FRAUD = "fraud"
    IDENTITY = "identity"


@dataclass(frozen=True, slots=True, kw_only=True)
class Protest:
    """Protest of the seat ``by`` about ``line`` of a log.

    ``number`` are the points that were announced according to the protest, ``against`` the seat of a catch. ``filed``
    is the last line before the protest; without it the protest came after the whole log, at an unknown moment.
    ``miswritten``: the line is an error of writing, so the protest outlives a settled hand.
    """

    kind: ProtestKind
    by: Seat
    line: int
    number: int | None = None
    against: Seat | None = None
    filed: int | None = None
    miswritten: bool = False


class Version(NamedTuple):
    """One version of the log: its changes, its outcome, and the points by seat of the play in question.

    ``calls`` are the rulings on calls, each with its rule, claimant and outcome; of the rejected ones only challenges
    have an effect, and are listed.
    """

    changes: tuple[LineChange, ...]
    outcome: LogOutcome
    awarded: dict[Seat, int]
    calls: tuple[tuple[str, Seat, bool], ...]


class CaseFile:
    """A protest with its log, the verdict on it and the replay.

    ``text`` may hold several games; ``number`` is that of the game, from 1. ``agreed_to`` is the last line that both
    sides agreed on or one shared pad recorded before the dispute, 0 for none: a log handed in after the game is
    neither. ``bell_at`` is the time of the bell by the game clock. Raises
    :class:`~games.notation.lines.NotationError` for an unreadable text, ``ValueError`` for a line of the protest
    without an event.
    """

    def __init__(
        self, text: str, protest: Protest, *, number: int = 1, agreed_to: int = 0, bell_at: Tenths | None = None
    ) -> None:
        self.text = text
        self.protest = protest
        self.number = number
        self.agreed_to = agreed_to
        self.bell_at = bell_at
        self.log: GameLog = loads(text)[number - 1]
        self.verdict: Verdict = verify(self.log)
        self.rules: Ruleset = rules_of(self.log)
        self.names: Names = names_of(self.log.seats)
        self.live: dict[int, bool] = {}
        self.game: ReplayedGame = replayed(self.log, self._look)
        if all(entry.line != protest.line for entry in self.log.entries):
            raise ValueError(f"line {protest.line} has no event of this game")

    def _look(self, game: ReplayedGame, _: Tenths | None, __: Event) -> None:
        self.live[game.line] = game.live

    @property
    def entry(self) -> Entry:
        """Entry of the protest's line."""
        return next(entry for entry in self.log.entries if entry.line == self.protest.line)

    def after(self, line: int) -> list[Entry]:
        """Return the entries after a line."""
        return [entry for entry in self.log.entries if entry.line > line]

    def name(self, seat: Seat) -> str:
        """Return the name of a seat."""
        return name_of(self.names, seat)

    def article(self, slug: str) -> Article:
        """Return a rule of this game, with its number and its text."""
        return article(self.rules, slug)

    def found(self, line: int) -> Sequence[str]:
        """Return the codes of the findings at a line."""
        return [finding.code for finding in self.verdict.findings if finding.line == line]

    def version(self, *changes: LineChange) -> Version:
        """Return the version of the log with these changes."""
        changes = self._effective(changes)
        if not changes:
            return self._judged((), self.verdict)
        verdict = self._verdict(changes)
        over = next((one.line for one in verdict.findings if one.code == Reason.GAME_OVER.value), None)
        if over is not None and Reason.GAME_OVER.value not in {one.code for one in self.verdict.findings}:
            changes = (*changes, *self._after_the_end(changes, over))
            verdict = self._verdict(changes)
        return self._judged(tuple(sorted(changes, key=lambda change: change.number)), verdict)

    def _judged(self, changes: tuple[LineChange, ...], verdict: Verdict) -> Version:
        challenge = "challenge" in self.rules.rules and self.rules.rule_id("challenge")
        calls = ((one.rule, one.claimant, one.upheld) for one in verdict.rulings if one.upheld or one.rule == challenge)
        return Version(changes, outcome_of(verdict), self._awarded(verdict), tuple(calls))

    def _effective(self, changes: tuple[LineChange, ...]) -> tuple[LineChange, ...]:
        """Return the changes without those that leave a line as it is; none if all together change nothing."""
        lines = self.text.removeprefix("\ufeff").split("\n")
        kept = tuple(
            one for one in changes if one.verb is not Verb.REPLACE or lines[one.number - 1].rstrip("\r") != one.text
        )
        try:
            amend(self.text, ruling_on(self.text, "version", *kept))
        except UnfitRuling:
            return ()
        return kept

    def _verdict(self, changes: Sequence[LineChange]) -> Verdict:
        amended = amend(self.text, ruling_on(self.text, "version", *changes)).text
        return verify(loads(amended)[self.number - 1])

    def _after_the_end(self, changes: Sequence[LineChange], over: int) -> list[LineChange]:
        """Return the removal of the lines from ``over`` on, a line of the changed text: the game had ended."""
        touched = {change.number for change in changes if change.verb is not Verb.INSERT}
        moved = {entry.line: entry.line + _shift(changes, entry.line) for entry in self.log.entries}
        return [LineChange(Verb.REMOVE, line) for line, at in moved.items() if at >= over and line not in touched]

    def _awarded(self, verdict: Verdict) -> dict[Seat, int]:
        """Return the points of the protest's play, which has one number in every version."""
        lines = [play.line for play in self.verdict.plays]
        if self.protest.line not in lines or lines.index(self.protest.line) >= len(verdict.plays):
            return {}
        play = verdict.plays[lines.index(self.protest.line)]
        return dict(sorted(getattr(play, "awarded", {}).items()))


def _shift(changes: Sequence[LineChange], line: int) -> int:
    """Return the number of lines by which changes move a line down."""
    inserted = sum(change.verb is Verb.INSERT and change.number < line for change in changes)
    return inserted - sum(change.verb is Verb.REMOVE and change.number < line for change in changes)


# ---- Order of events


_SETTLEMENT = (Show, RoundPoints, Totals, ChipsLeft)
_CLOSES = (Settled, RoundStart, End)


def closing(case: CaseFile, line: int) -> Entry | None:
    """Return the entry that closed the settlement of a line's hand; ``None`` while it is open."""
    return next((entry for entry in case.after(line) if isinstance(entry.event, _CLOSES)), None)


def next_turn(case: CaseFile, line: int) -> Entry | None:
    """Return the entry that completed the next turn after a line, in the same hand."""
    close = closing(case, line)
    last = close.line if close else case.log.last_line + 1
    turns = (entry for entry in case.after(line) if entry.line < last and isinstance(entry.event, Play | Pass))
    return next(turns, None)


def is_closing(event: Event) -> bool:
    """Return whether an event closes the settlement of the hand before it."""
    return isinstance(event, _CLOSES)


def claim_steps(case: CaseFile, line: int) -> list[Entry]:
    """Return the entries that move the claim windows on after a play, the closing one last.

    Source: RULES.md 1.5, NOTATION.md 5.
    """
    found: list[Entry] = []
    for entry in case.after(line):
        if isinstance(entry.event, _CLOSES):
            return [*found, entry]
        if _moves_on(case, entry, found):
            found.append(entry)
    return found


def _moves_on(case: CaseFile, entry: Entry, before: Sequence[Entry]) -> bool:
    event, last = entry.event, before[-1].event if before else None
    counts_draw = case.rules.next_action_counts_draw
    if isinstance(event, Draw):
        return counts_draw and not (isinstance(last, Draw) and last.seat == event.seat)
    if isinstance(event, Play | Pass):
        return not (counts_draw and isinstance(last, Draw) and last.seat == event.seat)
    if case.rules.muggins is not Muggins.AFTER_NEXT:
        return False
    if isinstance(event, _SETTLEMENT):
        return not case.live.get(entry.line, True) and not isinstance(last, _SETTLEMENT)
    return isinstance(event, Bell)


# ---- Admission


class Admission(NamedTuple):
    """Whether a protest is still allowed, the reason in a sentence, and the rule."""

    allowed: bool
    reason: Sentence
    rule: Article


_OUTLIVES = (ProtestKind.FRAUD, ProtestKind.IDENTITY)


def admission(case: CaseFile) -> Admission:
    """Return whether the rules still allow the protest.

    A count is open until the settlement closes; a misplay stands after the next completed turn; only fraud, identity
    and errors of writing outlive a settled hand.
    """
    protest = case.protest
    if protest.kind in _OUTLIVES or protest.miswritten:
        reason = Sentence("Fraud, identity and errors of writing outlive a settled hand")
        return Admission(True, reason, case.article("record"))
    if protest.kind is ProtestKind.MISPLAY:
        return _misplay_admission(case)
    close = closing(case, protest.line)
    if close is None or (protest.filed is not None and close.line > protest.filed):
        return Admission(True, Sentence("The hand was not settled"), case.article("total"))
    reason = Sentence("The hand was settled at line %(line)s, before the protest", {"line": close.line})
    return Admission(False, reason, case.article("total"))


def _misplay_admission(case: CaseFile) -> Admission:
    turn = next_turn(case, case.protest.line)
    rule = case.article("match")
    if turn is None or case.protest.filed is None or turn.line > case.protest.filed:
        return Admission(True, Sentence("A misplay is taken back until the next completed turn"), rule)
    facts = {"line": turn.line}
    return Admission(False, Sentence("The next turn was completed at line %(line)s: the play stands", facts), rule)

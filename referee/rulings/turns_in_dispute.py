"""Protests about a turn: a misplay, a draw or pass, the bell.

Source: RULES.md 8 (Q17, Q25), 10.
"""

from __future__ import annotations

from games.errors import Reason
from games.moves import Bell, Call, Event, Play, Said
from games.notation.gamelog import Entry, Tenths
from games.notation.reading import write_time
from games.notation.writing import write_event
from games.ruleset import BellMode
from games.wording.base import Sentence
from referee.rulings.outcomes import moment_sentence
from referee.rulings.proposal import Fact, FactQuestion
from referee.rulings.protests import CaseFile, next_turn
from referee.rulings.text import LineChange, Verb

MISPLAYS = frozenset(
    {
        Reason.DOES_NOT_MATCH.value,
        Reason.NO_OPEN_END.value,
        Reason.OUT_OF_TURN.value,
        Reason.TILE_NOT_IN_HAND.value,
        Reason.TILE_ALREADY_PLAYED.value,
        Reason.WRONG_LEAD.value,
        Reason.MUST_PLAY_DRAWN.value,
        Reason.PASS_WHEN_ABLE.value,
        Reason.PASS_WITH_BONEYARD.value,
    }
)
"""Findings on a play or pass that is taken back until the next completed turn (Q25, RULES.md 10)."""


def taken_back(case: CaseFile) -> list[LineChange]:
    """Return the changes to a log that ends before the turn in question: it is taken back and played again."""
    return [LineChange(Verb.REMOVE, entry.line) for entry in [case.entry, *case.after(case.entry.line)]]


def noticed_in_time(case: CaseFile) -> bool:
    """Return whether the protest came before the next completed turn, by the lines of the log."""
    turn, filed = next_turn(case, case.entry.line), case.protest.filed
    return turn is None or (filed is not None and filed < turn.line)


def objection_question(case: CaseFile) -> FactQuestion | None:
    """Return the question whether a misplay was noticed in time, ``None`` where the log tells it."""
    turn = next_turn(case, case.entry.line)
    event = case.entry.event
    if turn is None or case.protest.filed is not None or not MISPLAYS & set(case.found(case.entry.line)):
        return None
    facts: dict[str, object] = {"name": case.name(case.protest.by), "closed": moment_sentence(turn.event, case.names)}
    question = Sentence("Did %(name)s object to the pass before %(closed)s?", facts)
    if isinstance(event, Play):
        question = Sentence("Did %(name)s object to %(tile)s before %(closed)s?", {**facts, "tile": event.tile.name})
    back, record = case.version(*taken_back(case)), case.version()
    return FactQuestion(Fact.OBJECTED, question, back, record, record)


# ---- The bell


def bell_question(case: CaseFile) -> FactQuestion | None:
    """Return the question whether a tile was released before the bell, ``None`` where times tell it."""
    entry = case.entry
    bell = _bell(case)
    if bell is None or not isinstance(entry.event, Play) or released_by_clock(case) is not None:
        return None
    facts = {"name": case.name(entry.event.seat), "tile": entry.event.tile.name}
    question = Sentence("Was %(tile)s of %(name)s released before the bell?", facts)
    record, without = case.version(), case.version(*_not_played(case, bell))
    if entry.line < bell.line:
        favours = case.protest.by == entry.event.seat
        return FactQuestion(Fact.RELEASED, question, record, without, without, favours)
    moved = case.version(_insert(bell.line - 1, entry.event), LineChange(Verb.REMOVE, entry.line))
    return FactQuestion(Fact.RELEASED, question, moved, without, without, case.protest.by == entry.event.seat)


def by_the_clock(case: CaseFile) -> list[LineChange]:
    """Return the changes to a log in which the tile is where the clock says; none where the log has it so."""
    bell, released = _bell(case), released_by_clock(case)
    if bell is None or released is None or not isinstance(case.entry.event, Play):
        return []
    if not released:
        return _not_played(case, bell)
    if case.entry.line < bell.line:
        return []
    return [_insert(bell.line - 1, case.entry.event, case.entry.at), LineChange(Verb.REMOVE, case.entry.line)]


def released_by_clock(case: CaseFile) -> bool | None:
    """Return whether the tile was released before the bell by the clock; ``None`` without both times."""
    written = _bell(case)
    rang: Tenths | None = case.bell_at if case.bell_at is not None else written and written.at
    at = case.entry.at
    return None if at is None or rang is None else at <= rang


def _bell(case: CaseFile) -> Entry | None:
    """Return the bell that stopped play in the hand of the protest; ``None`` where the hand is played on after it."""
    if case.rules.bell_mode is not BellMode.STOP:
        return None
    for hand in case.log.rounds:
        if hand.entries[0].line <= case.entry.line <= hand.entries[-1].line:
            return next((one for one in hand.entries if isinstance(one.event, Bell)), None)
    return None


def _not_played(case: CaseFile, bell: Entry) -> list[LineChange]:
    """Return the changes to a log without the play, and without the calls about it."""
    last = bell.line if bell.line > case.entry.line else case.log.last_line
    about = [
        entry
        for entry in case.after(case.entry.line)
        if isinstance(entry.event, Call) and (entry.line < last or entry.event.said is Said.MUGGINS)
    ]
    return [LineChange(Verb.REMOVE, entry.line) for entry in (case.entry, *about)]


def _insert(line: int, event: Event, at: Tenths | None = None) -> LineChange:
    words = write_event(event)
    return LineChange(Verb.INSERT, line, words if at is None else f"{write_time(at)} {words}")

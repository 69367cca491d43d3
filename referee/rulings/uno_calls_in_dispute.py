"""Protests about a catch or a challenge of Uno Dominoes.

Source: RULES.md 4.3 (2.18, 2.20 to 2.23, 2.28, 2.29), NOTATION.md 7.19, 7.21.
"""

from __future__ import annotations

from games.moves import Call, ChallengeOutcome, Draw, Event, Pass, Play, Said, Seat
from games.notation.gamelog import Entry
from games.notation.writing import write_event
from games.uno.calling import CAUGHT_DRAWS
from games.wording.base import Sentence
from referee.rulings.outcomes import moment_sentence
from referee.rulings.proposal import Fact, FactQuestion
from referee.rulings.protests import CaseFile, Version
from referee.rulings.text import LineChange, Verb
from referee.verdict import Ruling, Status

# ---- Catches


def catch_question(case: CaseFile) -> FactQuestion | None:
    """Return the question whether a seat was caught in time, ``None`` where nobody denies what the log has.

    The second catch of one tile has no effect, so it is not asked about.
    """
    event, by = case.entry.event, case.protest.by
    if not isinstance(event, Play) or "catch" not in case.rules.rules:
        return None
    caught = _upheld(case, "catch")
    if caught is not None:
        return _denied_catch(case, event, caught) if by == event.seat else None
    if by == event.seat:
        return None
    last = _next_placed(case, event)
    said = [one for one in _uno_calls(case, event) if last is None or one.line < last.line]
    tried = [one for one in case.after(case.entry.line) if one.event == Call(by, Said.CATCH, whom=event.seat)]
    if not tried or case.protest.miswritten:
        return _own_catch(case, event, [*said, *tried], said[0] if said else last)
    in_time = last is None or tried[0].line < last.line
    return _denied_uno(case, event, said, tried[0]) if said and in_time else None


def _own_catch(case: CaseFile, play: Play, gone: list[Entry], limit: Entry | None) -> FactQuestion:
    """Return the question for a catch that is not written, or in the wrong place."""
    by = case.protest.by
    facts = {"name": case.name(by), "other": case.name(play.seat), "closed": _moment(case, limit)}
    question = Sentence("Did %(name)s catch %(other)s before %(closed)s?", facts)
    caught = _insert(case.entry.line, Call(by, Said.CATCH, whom=play.seat))
    drawn = _insert(case.entry.line, Draw(play.seat, CAUGHT_DRAWS))
    record = case.version()
    return FactQuestion(Fact.CAUGHT, question, _played_on(case, caught, drawn, *map(_remove, gone)), record, record)


def _denied_catch(case: CaseFile, play: Play, caught: Ruling) -> FactQuestion:
    """Return the question for a caught player that denies the catch: call and catch count in the order received."""
    entry = _at(case, caught.line)
    facts = {
        "name": case.name(caught.claimant),
        "other": case.name(play.seat),
        "closed": _moment(case, _next_placed(case, play)),
    }
    template = "Did %(name)s catch %(other)s before %(other)s said uno, and before %(closed)s?"
    without = case.version(_remove(entry), *map(_remove, _penalty_draws(case, entry, play.seat)))
    if _is_impossible(without):
        without = case.version(*_cut(case, entry))
    return FactQuestion(Fact.CAUGHT, Sentence(template, facts), case.version(), without, without, favours=False)


def _denied_uno(case: CaseFile, play: Play, said: list[Entry], tried: Entry) -> FactQuestion:
    """Return the question for an opponent whose catch the log rejects because uno was said."""
    facts = {"name": case.name(play.seat), "other": case.name(case.protest.by)}
    question = Sentence("Did %(name)s say uno before %(other)s caught %(name)s?", facts)
    drawn = _insert(tried.line, Draw(play.seat, CAUGHT_DRAWS))
    silent = case.version(*map(_remove, said), drawn)
    if _is_impossible(silent):
        silent = case.version(*map(_remove, said), drawn, *_cut(case, tried)[1:])
    record = case.version()
    return FactQuestion(Fact.SAID_UNO, question, record, silent, record, favours=False)


def _next_placed(case: CaseFile, play: Play) -> Entry | None:
    """Return the next tile of another player: it closes the window (2.29)."""
    return next((one for one in case.after(case.entry.line) if _places(one.event, play.seat)), None)


def _uno_calls(case: CaseFile, play: Play) -> list[Entry]:
    """Return the uno calls of a player from the begin of the turn on."""
    before = [entry.line for entry in case.log.entries if entry.line < case.entry.line and _is_turn(entry.event)]
    return [one for one in case.after(max(before, default=0)) if _said(one.event, Said.UNO, play.seat)]


def _moment(case: CaseFile, entry: Entry | None) -> Sentence:
    return Sentence("another player placed a tile") if entry is None else moment_sentence(entry.event, case.names)


def _penalty_draws(case: CaseFile, caught: Entry, seat: Seat) -> list[Entry]:
    """Return the draws of a caught player, in one or two lines."""
    found: list[Entry] = []
    for entry in case.after(caught.line):
        drawn = sum(one.event.count for one in found if isinstance(one.event, Draw))
        if not isinstance(entry.event, Draw) or entry.event.seat != seat or drawn >= CAUGHT_DRAWS:
            return found
        found.append(entry)
    return found


# ---- Challenges


def challenge_question(case: CaseFile) -> FactQuestion | None:
    """Return the question that decides a challenge: the rack, or whether it was challenged at all."""
    event = case.entry.event
    if not isinstance(event, Play):
        return None
    challenge = next((one for one in case.after(case.entry.line) if _said(one.event, Said.CHALLENGE)), None)
    drawn = next((one for one in case.after(case.entry.line) if _is_turn(one.event)), None)
    if challenge is not None and (drawn is None or challenge.line < drawn.line):
        return _ruled_challenge(case, event, challenge)
    if case.protest.by == event.seat:
        return None
    facts = {"name": case.name(case.protest.by)}
    question = Sentence("Did %(name)s challenge before drawing the first penalty tile?", facts)
    challenged = _insert(case.entry.line, Call(case.protest.by, Said.CHALLENGE))
    record = case.version()
    return FactQuestion(Fact.CHALLENGED, question, _played_on(case, challenged), record, record)


def _ruled_challenge(case: CaseFile, play: Play, challenge: Entry) -> FactQuestion | None:
    """Return the question about a challenge that the log has.

    A rack that the log shows decides; the challenged player may deny then that the challenge came in time. A rack that
    rests on the word of the record may be denied by the party that the outcome harmed.
    """
    say = next((one.say for one in case.verdict.findings if one.line == challenge.line), "")
    ruling = next((one for one in case.verdict.rulings if one.line == challenge.line), None)
    if ruling is None or not say.startswith("challenge-"):
        return None
    if say == "challenge-open":
        upheld, rejected = (case.version(_insert(challenge.line, ChallengeOutcome(word))) for word in (True, False))
        return _rack_question(case, play, upheld, rejected, case.version())
    if case.protest.by != (play.seat if ruling.upheld else ruling.claimant):
        return None
    if say.endswith("-known"):
        return _denied_challenge(case, challenge, ruling.claimant) if ruling.upheld else None
    other = case.version(_insert(challenge.line, ChallengeOutcome(not ruling.upheld)), *_cut(case, challenge)[1:])
    upheld, rejected = (case.version(), other) if ruling.upheld else (other, case.version())
    return _rack_question(case, play, upheld, rejected, rejected)


def _rack_question(case: CaseFile, play: Play, yes: Version, no: Version, neither: Version) -> FactQuestion:
    """Return the question about the rack of a challenged player."""
    facts = {"name": case.name(play.seat), "tile": play.tile.name}
    template = "Did %(name)s hold a tile of an exposed colour when playing %(tile)s?"
    favours = case.protest.by != play.seat
    return FactQuestion(Fact.HELD_COLOUR, Sentence(template, facts), yes, no, neither, favours)


def _denied_challenge(case: CaseFile, challenge: Entry, claimant: Seat) -> FactQuestion:
    """Return the question for a party that denies that a challenge came in time; without it play goes on from there."""
    facts = {"name": case.name(claimant)}
    question = Sentence("Did %(name)s challenge before drawing the first penalty tile?", facts)
    without = case.version(*_cut(case, challenge))
    return FactQuestion(Fact.CHALLENGED, question, case.version(), without, without, favours=False)


# ---- Lines


def _upheld(case: CaseFile, slug: str) -> Ruling | None:
    """Return the upheld ruling about the play in question."""
    rule = case.rules.rule_id(slug)
    rulings = case.verdict.rulings
    return next((one for one in rulings if one.upheld and one.rule == rule and one.play == case.entry.line), None)


def _played_on(case: CaseFile, *called: LineChange) -> Version:
    """Return the version with a call after the play in question.

    If the lines after it cannot be true then, the log ends with the call: the hand is played on from there.
    """
    kept = case.version(*called)
    if not _is_impossible(kept):
        return kept
    named = {change.number for change in called if change.verb is Verb.REMOVE}
    gone = [_remove(entry) for entry in case.after(case.entry.line) if entry.line not in named]
    return case.version(*called, *gone)


def _cut(case: CaseFile, first: Entry) -> list[LineChange]:
    """Return the changes to a log that ends before an entry."""
    return [_remove(entry) for entry in case.log.entries if entry.line >= first.line]


def _at(case: CaseFile, line: int) -> Entry:
    return next(entry for entry in case.log.entries if entry.line == line)


def _is_impossible(version: Version) -> bool:
    return version.outcome.status == Status.IMPOSSIBLE.value


def _is_turn(event: Event) -> bool:
    return isinstance(event, Draw | Play | Pass)


def _places(event: Event, seat: Seat) -> bool:
    return isinstance(event, Play) and event.seat != seat


def _said(event: Event, said: Said, seat: Seat | None = None) -> bool:
    return isinstance(event, Call) and event.said is said and seat in (None, event.seat)


def _remove(entry: Entry) -> LineChange:
    return LineChange(Verb.REMOVE, entry.line)


def _insert(line: int, event: Event) -> LineChange:
    return LineChange(Verb.INSERT, line, write_event(event))

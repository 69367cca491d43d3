"""Proposal for a protest, from the log, its verdict and the clock (RULES.md 1.5, 8 to 10)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from games.errors import Reason
from games.moves import Bell, Call, Penalty, Play, RoundPoints, RoundStart, Said
from games.notation.writing import write_event
from games.ruleset import Announce, Matching
from games.wording.base import Sentence
from games.wording.rulebook import Article
from referee.rulings.claims_in_dispute import PlayInDispute
from referee.rulings.outcomes import finding_sentence
from referee.rulings.penalties import NO_PENALTIES, PenaltyPolicy
from referee.rulings.proposal import DECISIVE, CallWindow, Certainty, FactQuestion, PlayWorth, Proposal
from referee.rulings.protests import CaseFile, ProtestKind, Version, admission, closing
from referee.rulings.text import LineChange, Verb
from referee.rulings.turns_in_dispute import (
    MISPLAYS,
    bell_question,
    by_the_clock,
    noticed_in_time,
    objection_question,
    released_by_clock,
    taken_back,
)
from referee.rulings.uno_calls_in_dispute import catch_question, challenge_question
from referee.verdict import Finding, Status

_SLUGS = {
    ProtestKind.COUNT: ("score", "announce"),
    ProtestKind.MUGGINS: ("score", "announce", "muggins"),
    ProtestKind.MISPLAY: ("match",),
    ProtestKind.DRAW: ("draw", "pass"),
    ProtestKind.CLOCK: ("bell",),
    ProtestKind.RESULT: ("total", "target", "points"),
    ProtestKind.CATCH: ("uno", "catch"),
    ProtestKind.CHALLENGE: ("draw-four", "challenge"),
    ProtestKind.FRAUD: ("record",),
    ProtestKind.IDENTITY: ("record",),
}
"""Rules of a matter, by their slugs."""
_NO_FAULT = (Reason.INCOMPLETE.value, Reason.UNVERIFIED_POINTS.value, Reason.MISSED_POINTS.value)
_ON_A_PLAY = (ProtestKind.COUNT, ProtestKind.MUGGINS)
_NOT_IN_THE_RECORD = (ProtestKind.FRAUD, ProtestKind.IDENTITY)


@dataclass(slots=True)
class _Draft:
    """Parts of a proposal under work."""

    case: CaseFile
    proposed: Version
    question: FactQuestion | None = None
    play: PlayWorth | None = None
    window: CallWindow | None = None
    nobody: Version | None = None
    league_rule: Sentence | None = None
    reasons: list[Sentence] = field(default_factory=list)
    slugs: list[str] = field(default_factory=list)


def propose(case: CaseFile, policy: PenaltyPolicy = NO_PENALTIES) -> Proposal:
    """Make the proposal for a protest.

    Without penalties in ``policy`` none is proposed. A protest that the rules no longer allow changes nothing.
    """
    draft = _Draft(case, case.version(), slugs=list(_SLUGS[case.protest.kind]))
    allowed = admission(case)
    if case.protest.kind in _ON_A_PLAY:
        _judge_play(draft)
    elif case.protest.kind not in _NOT_IN_THE_RECORD:
        _judge_turn(draft)
    if draft.question is not None and not (allowed.allowed and _decides(draft, draft.question)):
        draft.question = None
    if not allowed.allowed:
        draft.proposed = case.version()
    else:
        _add_penalty(draft, policy)
    draft.reasons.append(allowed.reason)
    return Proposal(
        admission=allowed,
        certainty=_certainty(draft),
        record=case.version(),
        proposed=draft.proposed,
        reasons=tuple(draft.reasons),
        rules=tuple(_articles(draft)),
        play=draft.play,
        window=draft.window,
        question=draft.question,
        nobody=draft.nobody,
        league_rule=draft.league_rule,
    )


def _decides(draft: _Draft, question: FactQuestion) -> bool:
    """Return whether the answers differ, and both can be true if the log can."""
    if not question.decisive:
        return False
    impossible = Status.IMPOSSIBLE.value
    answers = {question.yes.outcome.status, question.no.outcome.status}
    if impossible not in answers or draft.case.verdict.status == impossible:
        return True
    draft.reasons.append(Sentence("The rest of the log excludes the version of the protest"))
    return False


def _certainty(draft: _Draft) -> Certainty:
    if draft.question is not None:
        return Certainty.FOLLOWS_IF
    unknown = draft.nobody is not None or draft.case.protest.kind in _NOT_IN_THE_RECORD
    return Certainty.NOT_KNOWN if unknown else Certainty.PROVED


def _articles(draft: _Draft) -> Iterator[Article]:
    """Yield the rules of the matter and of the question that are in force."""
    slugs = list(draft.slugs)
    if draft.question is not None:
        slugs.append(DECISIVE[draft.question.fact][0])
    for slug in dict.fromkeys(slugs):
        if slug in draft.case.rules.rules and (found := draft.case.article(slug)).sentences:
            yield found


# ---- A play that scores


def _judge_play(draft: _Draft) -> None:
    case = draft.case
    event = case.entry.event
    if not isinstance(event, Play) or case.rules.matching is Matching.MARKINGS:
        draft.reasons.append(Sentence("Nothing is counted at line %(line)s", {"line": case.entry.line}))
        draft.slugs.append("points")
        return
    disputed = PlayInDispute(case, event)
    draft.play, draft.window = disputed.worth(), disputed.window()
    draft.reasons += _worth_reasons(case, draft.play)
    draft.reasons += [call.reason for call in draft.window.calls]
    if case.rules.clock_s and any(isinstance(step.event, Bell) for step in disputed.steps):
        draft.slugs.append("bell")
    ask = disputed.count_question if case.protest.kind is ProtestKind.COUNT else disputed.call_question
    draft.question = ask()


def _worth_reasons(case: CaseFile, play: PlayWorth | None) -> Iterator[Sentence]:
    if play is None:
        yield Sentence("The log cannot be true up to line %(line)s", {"line": case.entry.line})
        return
    facts = {"sum": play.terms, "count": play.total, "worth": play.worth, "name": case.name(play.seat)}
    if play.worth:
        yield Sentence("%(sum)s = %(count)s, worth %(worth)s", facts)
    else:
        yield Sentence("%(sum)s = %(count)s, no score", facts)
    if case.rules.announce is Announce.AUTO:
        yield Sentence("Points are booked without an announcement")
    elif play.announced is None:
        yield Sentence("%(name)s announced nothing in time", facts)
    else:
        said = {"points": play.announced, "line": play.announced_line}
        yield Sentence("%(name)s announced %(points)s at line %(line)s", {**facts, **said})


# ---- A turn, the clock, a result


def _judge_turn(draft: _Draft) -> None:
    case, kind = draft.case, draft.case.protest.kind
    findings = [one for one in case.verdict.findings if _is_about(case, one) and one.code not in _NO_FAULT]
    draft.reasons += [finding_sentence(finding, case.names) for finding in findings]
    draft.slugs += [finding.rule.partition(".")[2] for finding in findings]
    if kind in (ProtestKind.MISPLAY, ProtestKind.DRAW):
        draft.question = objection_question(case)
        if draft.question is None and MISPLAYS & {one.code for one in findings} and noticed_in_time(case):
            draft.proposed = case.version(*taken_back(case))
        if not findings:
            draft.reasons.append(Sentence("Nothing at line %(line)s is against the rules", {"line": case.entry.line}))
    elif kind is ProtestKind.CLOCK:
        draft.question = bell_question(case)
        draft.reasons += _clock_reasons(case)
        draft.proposed = case.version(*by_the_clock(case))
    elif kind is ProtestKind.RESULT:
        draft.slugs += _result_slugs(case)
        _judge_unseen(draft)
    elif kind is ProtestKind.CATCH:
        draft.question = catch_question(case)
        draft.reasons += _said_uno(case)
    elif kind is ProtestKind.CHALLENGE:
        draft.question = challenge_question(case)


def _result_slugs(case: CaseFile) -> list[str]:
    """Return the rules of the end of the hand, and of the end of the game if it ended at the bell."""
    number = _hand_of(case, case.entry.line)
    ended = {one.ended for one in case.verdict.rounds if one.number == number} - {None}
    level = len(set(case.verdict.totals)) == 1
    return [*(str(one) for one in ended), *(["overtime"] if "bell" in ended and level else [])]


def _judge_unseen(draft: _Draft) -> None:
    """Leave round-end points open that rest on the word of the record: the tiles left are not known."""
    case = draft.case
    hand = _hand_of(case, case.entry.line)
    unseen = [
        one
        for one in case.verdict.findings
        if one.code == Reason.UNVERIFIED_POINTS.value and _hand_of(case, one.line) == hand
    ]
    written = [
        LineChange(Verb.REMOVE, entry.line)
        for entry in case.log.entries
        if isinstance(entry.event, RoundPoints) and _hand_of(case, entry.line) == hand
    ]
    if unseen and written:
        draft.reasons.append(finding_sentence(unseen[0], case.names))
        draft.nobody = case.version(*written)


def _is_about(case: CaseFile, finding: Finding) -> bool:
    """Return whether a finding is about the protest.

    It is of the protest's line, for a catch or challenge of that call in the same hand, for a result of the whole hand
    or of the tags.
    """
    kind, own, line = case.protest.kind, case.protest.line, finding.line
    if kind is ProtestKind.RESULT:
        return _hand_of(case, line) in (0, _hand_of(case, own))
    if kind in (ProtestKind.CATCH, ProtestKind.CHALLENGE) and finding.say.startswith(f"{kind.value}-"):
        return _hand_of(case, line) == _hand_of(case, own) and finding.facts.get("play") in (None, own)
    return line == own


def _hand_of(case: CaseFile, line: int) -> int:
    """Return the number of the hand of a line, 0 before the first."""
    return sum(isinstance(entry.event, RoundStart) and entry.line <= line for entry in case.log.entries)


def _said_uno(case: CaseFile) -> Iterator[Sentence]:
    player = getattr(case.entry.event, "seat", None)
    close = closing(case, case.entry.line)
    for entry in case.after(case.entry.line):
        if close is not None and entry.line > close.line:
            return
        if isinstance(entry.event, Call) and entry.event.said is Said.UNO and entry.event.seat == player:
            facts = {"name": case.name(entry.event.seat), "line": entry.line}
            yield Sentence("%(name)s said uno at line %(line)s", facts)


def _clock_reasons(case: CaseFile) -> Iterator[Sentence]:
    released, facts = released_by_clock(case), {"line": case.entry.line}
    if released:
        yield Sentence("By the clock line %(line)s was before the bell", facts)
    elif released is not None:
        yield Sentence("By the clock line %(line)s was late", facts)


# ---- Penalties of the league


def _add_penalty(draft: _Draft, policy: PenaltyPolicy) -> None:
    """Propose the league's penalty for a violation at the protest's line."""
    case = draft.case
    seat = getattr(case.entry.event, "seat", None)
    codes = [code for code in case.found(case.entry.line) if code in policy.points]
    if seat is None or not codes or draft.question is not None:
        return
    draft.league_rule = policy.sentence(codes[0])
    punished = Penalty(seat, policy.points[codes[0]], f"league rule: {codes[0]}")
    gone = {change.number for change in draft.proposed.changes}
    place = case.entry.line if case.entry.line not in gone else case.entry.line - 1
    added = LineChange(Verb.INSERT, place, write_event(punished))
    draft.proposed = case.version(*draft.proposed.changes, added)
    draft.slugs.append("penalty")

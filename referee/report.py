"""Verdict in words, for reading aloud."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.moves import SEATS
from games.ruleset import Matching
from games.rulesets import RULESETS
from referee.rulings.amending import AppliedChange
from referee.rulings.text import Verb
from referee.verdict import Finding, RoundRecord, Status, Unreadable, Verdict

_STATUS = {
    Status.VERIFIED.value: "verified: every score and every call is in order",
    Status.CONSISTENT.value: "consistent: every play is in order, and some round-end points rest on the record's word",
    Status.CORRECTED.value: "corrected: a recorded number was wrong; the right score is given here",
    Status.VIOLATION.value: "violation: a rule was broken and the record stands; an official decides",
    Status.INCOMPLETE.value: "incomplete: the record ends before the game does",
    Status.IMPOSSIBLE.value: "impossible: the record cannot be true; it was checked up to the line named below",
    Status.UNREADABLE.value: "unreadable: it cannot be read as Domino Game Notation (docs/notation.md)",
}
_ENDED = {
    "target": "by reaching the target",
    "bell": "at the bell",
    "overtime": "in overtime",
    "concession": "by concession",
    "forfeit": "by forfeit",
}
_HOW_ROUNDS_END = {
    "domino": "{} dominoed",
    "blocked": "blocked, {} had the lowest hand",
    "dead-end": "dead end, closed by {}",
}


_CHANGED = {
    Verb.REPLACE: "was %(was)s, now %(now)s",
    Verb.INSERT: "new: %(now)s",
    Verb.REMOVE: "removed after this line: %(was)s",
}


def report(verdict: Verdict | Unreadable, changes: Sequence[AppliedChange] = ()) -> str:
    """Write the whole report on one game, lines joined; no newline at the end.

    ``changes`` are those of the rulings on its text.
    """
    return "\n".join([*_lines(verdict), *_amendments(changes)])


def _amendments(changes: Sequence[AppliedChange]) -> Iterator[str]:
    if changes:
        yield "  Amended by rulings; lines are those of the text that results:"
    for change in changes:
        said = _CHANGED[change.verb] % {"was": change.was, "now": change.now}
        yield f"    line {change.line}: {said} [ruling {change.ruling}: {change.says}]"


def _lines(verdict: Verdict | Unreadable) -> Iterator[str]:
    if isinstance(verdict, Unreadable):
        yield f"{verdict.file}: {_STATUS[verdict.status]}"
        for finding in verdict.findings:
            yield f"  line {finding.line}, column {finding.column}: {finding.message}"
        return
    rules = RULESETS[verdict.ruleset]
    yield f"{verdict.file}, game {verdict.game}: {rules.name}, {_names(verdict)}"
    yield f"  {_STATUS[verdict.status]}"
    yield f"  {_outcome(verdict)}"
    if verdict.evidence == "partial":
        yield "  Not every tile was written down: what nobody saw is taken as legal where a deal allows it."
    if verdict.points_on_word:
        yield f"  {verdict.points_on_word} of these points rest on the record's word: nobody wrote down the tiles left."
    for record in verdict.rounds:
        last = record is verdict.rounds[-1]
        ended_the_game = last and verdict.ended is not None
        yield f"  {_round(record, ended_the_game=ended_the_game, spinners=rules.matching is Matching.PIPS)}"
    if verdict.findings:
        yield "  Findings:"
    for finding in verdict.findings:
        yield f"    {_finding(finding, rules.rules)}"


def _names(verdict: Verdict) -> str:
    return " – ".join(f"{name} ({seat})" if name else seat for seat, name in verdict.seats.items())


def _outcome(verdict: Verdict) -> str:
    score = "-".join(map(str, verdict.totals))
    chips = "" if verdict.chips_left is None else f" Chips left: {'-'.join(map(str, verdict.chips_left))}."
    if verdict.ended is None:
        return f"The score so far is {score}.{chips}"
    if verdict.winner is None:
        return f"The game ended {_ENDED[verdict.ended]}, {score}; nobody won.{chips}"
    return f"{verdict.seats[verdict.winner] or verdict.winner} won {_ENDED[verdict.ended]}, {score}.{chips}"


def _round(record: RoundRecord, *, ended_the_game: bool, spinners: bool) -> str:
    led = "nobody led" if record.led is None else f"{SEATS[record.led]} led"
    score = "-".join(map(str, record.scores))
    spinner = (f"spinner {record.spinner}; " if record.spinner else "no spinner; ") if spinners else ""
    return f"Round {record.number}: {spinner}{led}; {_round_end(record, ended_the_game)}. Score {score}."


def _round_end(record: RoundRecord, ended_the_game: bool) -> str:
    if record.ended is None:
        return "the game ended in it" if ended_the_game else "not played to its end"
    if record.ended == "bell":
        return "cut by the bell"
    winner = "nobody" if record.winner is None else SEATS[record.winner]
    points = max(record.points)
    if record.ended == "blocked" and record.winner is None:
        return "blocked, the lowest hands were equal, no points"
    how = _HOW_ROUNDS_END[record.ended].format(winner)
    return f"{how}, {points} points" if points else f"{how}, no points"


def _finding(finding: Finding, rules: object) -> str:
    slug = finding.rule.partition(".")[2]
    rule = rules[slug] if isinstance(rules, dict) and slug in rules else None
    cited = f"{finding.rule}, rule {rule.number}" if rule else finding.rule
    return f"line {finding.line}: {finding.message} [{finding.severity}: {finding.code}; {cited}]"

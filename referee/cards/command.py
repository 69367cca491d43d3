"""Command ``python -m referee card``: check cards and tallies, in words or JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from games.moves import SEATS
from games.ruleset import Ruleset
from referee.cards import tally
from referee.cards.check import CardCheck, CardError, CardFinding, check, read
from referee.verdict import Status

_STATUS = {
    Status.VERIFIED.value: "nothing on it contradicts the rules or itself; that is not to say that it is true",
    Status.VIOLATION.value: "this can't all be so; an official decides",
}
_ENDED = {
    "target": "by reaching the target",
    "bell": "at the bell",
    "overtime": "in overtime",
    "forfeit": "by forfeit",
}


def check_text(text: str, rules: Ruleset, seats: int | None) -> CardCheck:
    """Check a card, or a tally if it has taps.

    Without ``seats`` the number of scores is the number of seats. Raises ``ValueError`` for a text that is not JSON,
    and its kind :class:`CardError` for data that is no card.
    """
    try:
        data: Any = json.loads(text)
    except RecursionError:
        raise CardError(0, "", "card-nested") from None
    if not isinstance(data, Mapping):
        raise CardError(0, "", "card-not-a-card", given=type(data).__name__)
    if seats is None:
        scores = data.get("scores")
        seats = len(scores) if isinstance(scores, list) and len(scores) > 1 else rules.seats[0]
    return tally.check(data, rules, seats) if data.get("taps") is not None else check(read(data, rules, seats))


def as_json(name: str, rules: Ruleset, checked: CardCheck) -> dict[str, Any]:
    """Return the check as plain data."""
    return {
        "file": name,
        "ruleset": rules.key,
        "status": checked.status,
        "scores": dict(zip(SEATS, checked.scores, strict=False)),
        "winner": None if checked.winner is None else SEATS[checked.winner],
        "ended": checked.ended,
        "findings": [finding.as_json() for finding in checked.findings],
    }


def in_words(name: str, rules: Ruleset, checked: CardCheck) -> str:
    """Write the check for reading aloud; no newline at the end."""
    score = "-".join(map(str, checked.scores))
    won = "nobody leads" if checked.winner is None else f"{SEATS[checked.winner]} won"
    how = f" {_ENDED[checked.ended]}" if checked.ended and checked.winner is not None else ""
    lines = [f"{name}: {rules.name}, {score}: {won}{how}", f"  {checked.status}: {_STATUS[checked.status]}"]
    return "\n".join(lines + [f"    {_finding(finding, rules)}" for finding in checked.findings])


def _finding(finding: CardFinding, rules: Ruleset) -> str:
    rule = rules.rules[finding.rule.partition(".")[2]]
    where = "" if "tap" in finding.facts else f"round {finding.row}: " if finding.row else "card: "
    return f"{where}{finding.message} [{finding.severity}: {finding.code}; {finding.rule}, rule {rule.number}]"


def refused(name: str, error: ValueError) -> str:
    """Write the reason why a file is no card, with its place."""
    if isinstance(error, CardError):
        row = f", row {error.row}" if error.row else ""
        return f"{name}{row}: {error}"
    if isinstance(error, json.JSONDecodeError):
        return f"{name}, line {error.lineno}, column {error.colno}: this is not JSON: {error.msg}"
    return f"{name}: {error}"

"""Annotated log: names for codes, and findings at their lines. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from games.errors import OptionError, filled
from games.ruleset import Ruleset
from games.rulesets import RULESETS
from games.wording.rulebook import article
from league.matches.log_text import escape, read_header
from referee.cards.sentences import CARD_SENTENCES
from referee.sentences import SENTENCES

KEPT = 64
"""Logs whose lines are kept, for the next look at the same log with the same names."""


@dataclass(frozen=True, slots=True)
class FindingLine:
    """One finding with the log's own line beside it.

    `column` is set only in a log that cannot be read. `names_tiles`: text in the sentence that looks like a tile is a
    tile, and no score.
    """

    line: int
    column: int | None
    code: str
    severity: str
    rule: str
    rule_number: str
    rule_text: str
    sentence: str
    source: str
    names_tiles: bool = False


@dataclass(frozen=True, slots=True)
class LogLine:
    number: int
    text: str
    findings: tuple[FindingLine, ...] = ()


@dataclass(frozen=True, slots=True)
class RoundLine:
    """A round by side instead of seat.

    `points` and `scores` are in the order of the sides.
    """

    number: int
    spinner: str | None
    led: int | None
    led_name: str
    ended: str | None
    winner: int | None
    winner_name: str
    points: list[int]
    scores: list[int]


def join_names(text: str, names: Mapping[str, str]) -> list[str]:
    """Return the lines of a sealed text with known names (code → name) for codes."""
    return [join_line(line.rstrip("\r"), names) for line in text.split("\n")]


def join_line(line: str, names: Mapping[str, str]) -> str:
    """Replace codes by names in one line.

    Codes occur wherever a name did, between quotes and in comments (`log_text.without_names`).
    """
    for code, name in names.items():
        if code in line:
            between_quotes = line.count('"', 0, line.index(code)) % 2
            line = line.replace(code, escape(name) if between_quotes else name)
    return line


def log_lines(text: str, names: Mapping[str, str], findings: Sequence[FindingLine]) -> list[LogLine]:
    """Return the lines, numbered from 1 like the findings.

    An empty end after the last line break is not a line.
    """
    return list(_log_lines(text, tuple(names.items()), tuple(findings)))


@lru_cache(KEPT)
def _log_lines(text: str, names: tuple[tuple[str, str], ...], findings: tuple[FindingLine, ...]) -> tuple[LogLine, ...]:
    shown = join_names(text, dict(names))
    if len(shown) > 1 and not shown[-1]:
        shown.pop()
    at: dict[int, list[FindingLine]] = {}
    for finding in findings:
        at.setdefault(min(finding.line, len(shown)), []).append(finding)
    return tuple(LogLine(number, line, tuple(at.get(number, ()))) for number, line in enumerate(shown, start=1))


def finding_lines(stored: Sequence[Mapping[str, Any]], text: str, names: Mapping[str, str]) -> list[FindingLine]:
    """Return the findings of a stored verdict as sentences in the reader's language.

    The text of a rule is given once, with its first finding.
    """
    if not stored:
        return []
    rules, lines = rules_of(text), text.split("\n")
    seats = {letter: names[code] for letter, code in read_header(text).seats.items() if code in names}
    found = [
        _finding(one, lines[one["line"] - 1].rstrip("\r") if one["line"] <= len(lines) else "", names, seats, rules)
        for one in stored
    ]
    first = {finding.rule: finding for finding in reversed(found)}
    return [one if one is first[one.rule] else replace(one, rule_text="") for one in found]


def _finding(
    one: Mapping[str, Any], line: str, names: Mapping[str, str], seats: Mapping[str, str], rules: Ruleset | None
) -> FindingLine:
    column = one.get("column")
    rule = one.get("rule") or ""
    number, text = rule_of(rule, rules)
    return FindingLine(
        line=one["line"],
        # A name is longer or shorter than the code in the sealed text.
        column=len(join_line(line[: column - 1], names)) + 1 if column else None,
        code=one["code"],
        severity=one["severity"],
        rule=rule,
        rule_number=number,
        rule_text=text,
        sentence=sentence(one, seats),
        source=join_line(line, names),
        names_tiles=column is None and "scores" not in one.get("facts", {}),
    )


def sentence(finding: Mapping[str, Any], seats: Mapping[str, str] = MappingProxyType({})) -> str:
    """Return the finding in the reader's language, else in the referee's English.

    `seats`: letter → name, used instead of seats.
    """
    say, facts = finding.get("say", ""), finding.get("facts", {})
    if say == "syntax" and "template" in facts:
        return in_words(facts["template"], facts)
    template = (NAMED.get(say) if seats else None) or SENTENCES.get(say)
    if not template:
        return str(finding["message"])
    people = {key: _apart(seats[facts[key]]) for key in PLAYERS if facts.get(key) in seats}
    return _(template) % {**facts, **people}


def _apart(name: str) -> str:
    """Isolate a name's direction from the text around it (Unicode's isolates)."""
    return f"\u2068{name}\u2069"


PLAYERS = ("seat", "turn", "claimant", "against", "scorer", "player")
"""Facts of a finding on a log that hold the letter of a seat."""
NAMED = {
    "claim-owed": gettext_noop(
        "%(against)s didn’t announce %(points)s (%(sum)s = %(count)s), so %(claimant)s takes it by muggins"
    ),
    "missed-points": gettext_noop(
        "%(seat)s didn’t announce %(points)s (%(sum)s = %(count)s), and nobody called muggins"
    ),
}
"""Sentences for readers who see names, where they differ from the referee's."""

# The facts of a finding on a card that hold the letter of a seat.
SEAT_FACTS = ("seat", "leader", "winner")


def card_sentence(finding: Mapping[str, Any], names: Mapping[str, str]) -> str:
    """Return a finding on a card or tally in the reader's language.

    `names`: letter → name, used instead of seats.
    """
    if finding["say"] not in CARD_SENTENCES:
        return str(finding["message"])
    facts = finding["facts"]
    people = {key: names.get(facts[key], facts[key]) for key in SEAT_FACTS if key in facts}
    return _(CARD_SENTENCES[finding["say"]]) % {**facts, **people}


def in_words(template: str, facts: Mapping[str, Any]) -> str:
    """Translate a message of the notation reader or an option (`games.errors.filled`)."""
    expected = {"expected": _(facts["expected"])} if "expected" in facts else {}
    return filled(_(template), {**facts, **expected})


def card_finding_lines(
    stored: Sequence[Mapping[str, Any]], rules: Ruleset | None, names: Mapping[str, str]
) -> list[FindingLine]:
    """Return the findings on a card or a tally.

    `line` is the round, 0 for the whole card.
    """
    found = []
    for one in stored:
        number, text = rule_of(str(one["rule"]), rules)
        found.append(
            FindingLine(
                line=one["row"],
                column=None,
                code=one["code"],
                severity=one["severity"],
                rule=one["rule"],
                rule_number=number,
                rule_text=text,
                sentence=card_sentence(one, names),
                source="",
            )
        )
    return found


def rules_of(text: str) -> Ruleset | None:
    """Return the rules of a log with its house rules; None if no longer known."""
    tags = read_header(text).tags
    rules = RULESETS.get(tags.get("Ruleset", ""))
    options = {name[7:]: value for name, value in tags.items() if name.startswith("Option.")}
    try:
        return rules.with_options(options) if rules else None
    except OptionError:
        return rules


def rule_of(rule_id: str, rules: Ruleset | None) -> tuple[str, str]:
    """Return number and text of a rule (`udl.muggins`); empty if no longer known."""
    ruleset, _dot, slug = rule_id.partition(".")
    if rules is None or rules.key != ruleset or slug not in rules.rules:
        return "", ""
    found = article(rules, slug)
    return found.number, " ".join(_(one.template) % one.facts for one in found.sentences)


def round_lines(
    rounds: Sequence[Mapping[str, Any]], seats: Mapping[str, int], names: Mapping[int, str]
) -> list[RoundLine]:
    """Return the rounds by side.

    `seats`: letter → side; `names`: side → name, in the order in which sides are shown.
    """
    return [_round(one, seats, names) for one in rounds]


def _round(one: Mapping[str, Any], seats: Mapping[str, int], names: Mapping[int, str]) -> RoundLine:
    led, winner = seats.get(one["led"] or ""), seats.get(one["winner"] or "")
    return RoundLine(
        number=one["number"],
        spinner=one["spinner"],
        led=led,
        led_name=names.get(led, "") if led is not None else "",
        ended=one["ended"],
        winner=winner,
        winner_name=names.get(winner, "") if winner is not None else "",
        points=in_order(one["points"], seats, names),
        scores=in_order(one["scores"], seats, names),
    )


def in_order(values: Mapping[str, int], seats: Mapping[str, int], names: Mapping[int, str]) -> list[int]:
    """Convert numbers by seat letter into a list by side."""
    sides = {seats[seat]: value for seat, value in values.items() if seat in seats}
    return [sides.get(number, 0) for number in names]

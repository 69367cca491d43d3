"""Rules of a system in words, written from the data that the engine uses.

An article is one rule with the id that findings cite. Its sentences follow the data of the ruleset, options included,
so a house rule changes the page automatically. A sentence is a template and its facts, never a finished text: a page
translates the template and fills in the facts.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import NamedTuple

from games.ruleset import OPTIONS, Matching, Ruleset
from games.wording.base import Sentence, Writers
from games.wording.markings import MARKING_WRITERS
from games.wording.pips import PIP_WRITERS


class Article(NamedTuple):
    """One rule: its id, its number in RULES.md, and its sentences."""

    id: str
    number: str
    sentences: tuple[Sentence, ...]

    @property
    def text(self) -> str:
        """Rule in English."""
        return " ".join(sentence.text for sentence in self.sentences)


UNSAID = "as the settlement says"
"""Placeholder for an unset value."""


class Setting(NamedTuple):
    """One option: key, value as in a log's header, allowed values, house rule or not."""

    key: str
    value: str
    allowed: str
    overridden: bool


def article(rules: Ruleset, slug: str) -> Article:
    """Return the rule ``slug`` under these options.

    Raises ``KeyError`` for a rule that the system does not have.

    >>> from games.rulesets import get
    >>> article(get("udl").with_options({"target": "100"}), "target").text
    'The first player with 100 points wins at once, also in mid-round.'
    """
    rule = rules.rules[slug]
    write = _WRITERS[rules.matching].get(slug)
    sentences = write(rules) if write is not None else (Sentence(rule.text),)
    return Article(rules.rule_id(slug), rule.number, sentences)


def articles(rules: Ruleset) -> tuple[Article, ...]:
    """Return every rule in force under these options, in the order of the ruleset."""
    written = (article(rules, slug) for slug in rules.rules)
    return tuple(one for one in written if one.sentences)


def settings(rules: Ruleset) -> tuple[Setting, ...]:
    """Return every option with its value, in the order of the keys."""
    return tuple(
        Setting(key, _written(getattr(rules, key)), OPTIONS[key].allowed, key in rules.overrides)
        for key in sorted(rules.option_keys)
    )


def _written(value: object) -> str:
    """Write a value as in the header of a log (NOTATION.md 7.16)."""
    if value is None:
        return UNSAID
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return "-".join(map(str, value))
    if isinstance(value, Mapping):
        sizes = dict.fromkeys(value.values())
        return "/".join(map(str, sizes if len(sizes) == 1 else value.values()))
    return str(value)


_WRITERS: Mapping[Matching, Writers] = {Matching.PIPS: PIP_WRITERS, Matching.MARKINGS: MARKING_WRITERS}

"""Sentences of the rules, as templates with facts that a page can translate."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from games.ruleset import Ruleset


class Sentence(NamedTuple):
    """One sentence: ``template % facts``. A fact may be a sentence too."""

    template: str
    facts: Mapping[str, object] = {}

    @property
    def text(self) -> str:
        """Sentence in English."""
        return self.template % self.facts

    def __str__(self) -> str:
        return self.text


Sentences = tuple[Sentence, ...]
Writers = Mapping[str, Callable[[Ruleset], Sentences]]
"""Writer of a rule's sentences by its slug; no sentence for a rule not in force."""

NOTHING: Sentences = ()


def say(template: str, **facts: object) -> Sentences:
    """Return one sentence."""
    return (Sentence(template, facts),)

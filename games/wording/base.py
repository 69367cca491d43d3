"""What a rule says: sentences as templates with their facts, so that a page can translate them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from games.ruleset import Ruleset


class Sentence(NamedTuple):
    """One sentence: ``template % facts``."""

    template: str
    facts: Mapping[str, object] = {}

    @property
    def text(self) -> str:
        """The sentence in English."""
        return self.template % self.facts


Sentences = tuple[Sentence, ...]
Writers = Mapping[str, Callable[[Ruleset], Sentences]]
"""By the slug of a rule: what writes its sentences from a ruleset; none where the rule is not in force."""

NOTHING: Sentences = ()


def say(template: str, **facts: object) -> Sentences:
    """One sentence."""
    return (Sentence(template, facts),)

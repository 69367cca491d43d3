"""Sentences of the rules and of the referee in the reader's language."""

from django.utils.translation import gettext

from games.wording.base import Sentence


def told(sentence: Sentence) -> str:
    """Translate a sentence, and those among its facts."""
    facts = {name: told(fact) if isinstance(fact, Sentence) else fact for name, fact in sentence.facts.items()}
    return gettext(sentence.template) % facts

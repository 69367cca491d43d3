"""Findings in plain words: the question of a proposal, answered."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import pgettext_lazy

from games.wording.base import Sentence
from league.web.words.disputes import said
from referee.rulings.court import FactFound

FINDINGS: Mapping[str, tuple[Any, Any]] = {
    "Did %(name)s say %(points)s within %(seconds)s seconds of releasing %(tile)s?": (
        pgettext_lazy("finding", "%(name)s said %(points)s within %(seconds)s seconds of releasing %(tile)s"),
        pgettext_lazy("finding", "%(name)s did not say %(points)s within %(seconds)s seconds of releasing %(tile)s"),
    ),
    "Did %(name)s say %(points)s before %(closed)s?": (
        pgettext_lazy("finding", "%(name)s said %(points)s before %(closed)s"),
        pgettext_lazy("finding", "%(name)s did not say %(points)s before %(closed)s"),
    ),
    "Did %(name)s call muggins before %(closed)s?": (
        pgettext_lazy("finding", "%(name)s called muggins before %(closed)s"),
        pgettext_lazy("finding", "%(name)s did not call muggins before %(closed)s"),
    ),
    "Did %(name)s call muggins within %(seconds)s seconds after the bell?": (
        pgettext_lazy("finding", "%(name)s called muggins within %(seconds)s seconds after the bell"),
        pgettext_lazy("finding", "%(name)s did not call muggins within %(seconds)s seconds after the bell"),
    ),
    "Did %(name)s call muggins after %(opened)s, and before %(closed)s?": (
        pgettext_lazy("finding", "%(name)s called muggins after %(opened)s, and before %(closed)s"),
        pgettext_lazy("finding", "%(name)s did not call muggins after %(opened)s and before %(closed)s"),
    ),
    "Did %(name)s catch %(other)s before %(closed)s?": (
        pgettext_lazy("finding", "%(name)s caught %(other)s before %(closed)s"),
        pgettext_lazy("finding", "%(name)s did not catch %(other)s before %(closed)s"),
    ),
    "Did %(name)s catch %(other)s before %(other)s said uno, and before %(closed)s?": (
        pgettext_lazy("finding", "%(name)s caught %(other)s before %(other)s said uno, and before %(closed)s"),
        pgettext_lazy("finding", "%(name)s did not catch %(other)s before %(other)s said uno and before %(closed)s"),
    ),
    "Did %(name)s say uno before %(other)s caught %(name)s?": (
        pgettext_lazy("finding", "%(name)s said uno before %(other)s caught %(name)s"),
        pgettext_lazy("finding", "%(name)s did not say uno before %(other)s caught %(name)s"),
    ),
    "Did %(name)s challenge before drawing the first penalty tile?": (
        pgettext_lazy("finding", "%(name)s challenged before drawing the first penalty tile"),
        pgettext_lazy("finding", "%(name)s did not challenge before drawing the first penalty tile"),
    ),
    "Did %(name)s hold a tile of an exposed colour when playing %(tile)s?": (
        pgettext_lazy("finding", "%(name)s held a tile of an exposed colour when playing %(tile)s"),
        pgettext_lazy("finding", "%(name)s held no tile of an exposed colour when playing %(tile)s"),
    ),
    "Did %(name)s object to the pass before %(closed)s?": (
        pgettext_lazy("finding", "%(name)s objected to the pass before %(closed)s"),
        pgettext_lazy("finding", "%(name)s did not object to the pass before %(closed)s"),
    ),
    "Did %(name)s object to %(tile)s before %(closed)s?": (
        pgettext_lazy("finding", "%(name)s objected to %(tile)s before %(closed)s"),
        pgettext_lazy("finding", "%(name)s did not object to %(tile)s before %(closed)s"),
    ),
    "Was %(tile)s of %(name)s released before the bell?": (
        pgettext_lazy("finding", "%(tile)s of %(name)s was released before the bell"),
        pgettext_lazy("finding", "%(tile)s of %(name)s was not released before the bell"),
    ),
}
"""For each question of the judge the sentence of a yes and that of a no."""


def found_in_words(question: Sentence, answer: FactFound) -> str:
    """Return the finding as a sentence without its stop; `answer` is yes or no."""
    yes, no = FINDINGS[question.template]
    return said(Sentence(str(yes if answer is FactFound.YES else no), question.facts))

"""Evidence and proposal of a case in words. Pure: shapes of the judge in, lines of a page out."""

from dataclasses import dataclass

from django.utils.translation import ngettext

from games.wording.rulebook import Article
from league.web.words.disputes import CERTAINTIES, capital, said
from league.web.words.labels import Label
from league.web.words.rules import rule_text
from referee.rulings.card_court import CardProposal
from referee.rulings.card_difference import CardComparison
from referee.rulings.difference import LogComparison, LogDifference
from referee.rulings.outcomes import Names
from referee.rulings.proposal import Proposal


@dataclass(frozen=True, slots=True)
class ProposalWords:
    """A proposal in words.

    `record`: outcome of the log as it is; `outcome`: that of the proposed version. `owed`: name and points of the play.
    `answers`: outcome by answer (`yes`, `no`), for a question that is open. `rules`: as `components/rule.html` wants.
    """

    certainty: Label
    reasons: list[str]
    owed: list[tuple[str, int]]
    record: str
    outcome: str
    answers: list[tuple[str, str]]
    rules: list[dict[str, str]]
    league_rule: str


@dataclass(frozen=True, slots=True)
class VersionLine:
    """One place where two records differ, by one of them; `line` is None where it has nothing."""

    line: int | None
    said: str


@dataclass(frozen=True, slots=True)
class DifferenceLine:
    """One place where two records differ, and what each version leads to."""

    left: VersionLine
    right: VersionLine
    leads_to: tuple[str, str]


@dataclass(frozen=True, slots=True)
class ComparisonWords:
    """Two records side by side: outcome of each, and the places that differ.

    `sentences`: for a card, which has no lines.
    """

    left: str
    right: str
    lines: list[DifferenceLine]
    sentences: list[str]


def proposal_words(proposal: Proposal, names: Names) -> ProposalWords:
    question = proposal.question
    answers = {"yes": question.yes, "no": question.no} if question else {}
    return ProposalWords(
        certainty=CERTAINTIES[proposal.certainty],
        reasons=[said(one) for one in proposal.reasons],
        owed=[(names[seat], points) for seat, points in proposal.owed.items() if points],
        record=said(proposal.record.outcome.sentence(names)),
        outcome=said(proposal.proposed.outcome.sentence(names)),
        answers=[(key, said(version.outcome.sentence(names))) for key, version in answers.items()],
        rules=[rule_line(one) for one in proposal.rules],
        league_rule=said(proposal.league_rule) if proposal.league_rule else "",
    )


def card_words(proposal: CardProposal) -> ProposalWords:
    """Return the proposal for a card, which asks nothing and cites no rule of play."""
    points = proposal.in_question
    told = ngettext("%(count)d point is in question", "%(count)d points are in question", abs(points))
    return ProposalWords(
        certainty=CERTAINTIES[proposal.certainty],
        reasons=[told % {"count": abs(points)}] if points else [],
        owed=[],
        record="",
        outcome="",
        answers=[],
        rules=[],
        league_rule="",
    )


def rule_line(article: Article) -> dict[str, str]:
    """Return a rule as `components/rule.html` shows it."""
    return {"rule": article.id, "rule_number": article.number, "rule_text": rule_text(article)}


def comparison_words(found: LogComparison | CardComparison) -> ComparisonWords:
    if isinstance(found, CardComparison):
        told = [capital(said(one.sentence(found.names))) for one in found.differences]
        names = found.names
        return ComparisonWords(said(found.log.sentence(names)), said(found.card.sentence(names)), [], told)
    kept = said(found.left.sentence(found.names))
    return ComparisonWords(
        left=kept,
        right=said(found.right.sentence(found.names)),
        lines=[_difference(one, found.names, kept) for one in found.differences],
        sentences=[],
    )


def _difference(one: LogDifference, names: Names, kept: str) -> DifferenceLine:
    left, right = one.versions(names)
    return DifferenceLine(
        left=VersionLine(one.left.line if one.left else None, capital(said(left)) if left else ""),
        right=VersionLine(one.right.line if one.right else None, capital(said(right)) if right else ""),
        leads_to=(kept, said(one.outcome.sentence(names))),
    )

"""Rulings at the lines of an amended log, on the match page and in its replay."""

from collections.abc import Sequence
from dataclasses import replace

from django.utils.translation import gettext as _

from league.disputes.models import SealedRuling
from league.disputes.queries import PERSONAL
from league.matches.annotated_log import FindingLine, LogLine
from league.matches.queries.match import GameView
from referee.rulings.amending import AppliedChange, amend
from referee.rulings.reading import read_ruling
from referee.rulings.text import digest

CODE = "ruling"


def with_rulings(view: GameView) -> GameView:
    """Return a game whose log shown results from rulings, with each ruling at its lines. One statement for a log."""
    found = ruling_lines(view) if view.sealed_text else []
    if not found:
        return view
    return replace(view, findings=[*view.findings, *found], log=[_beside(line, found) for line in view.log])


def ruling_lines(view: GameView) -> list[FindingLine]:
    """Return the changes by which the log shown came about, as findings; none for a log as it was handed in."""
    rows = SealedRuling.objects.filter(entry__dispute__game=view.game)
    rulings = list(rows.select_related("entry__words", "entry__dispute__record__sealed").order_by("pk"))
    for base in {one.entry.dispute.record.sealed.text for one in rulings}:
        if chain := _chain(base, digest(view.sealed_text), rulings):
            changes = amend(base, *(read_ruling(one.text) for one in chain)).changes
            return [_finding(one, chain[one.ruling - 1]) for one in changes]
    return []


def _chain(base: str, target: str, rulings: Sequence[SealedRuling]) -> list[SealedRuling]:
    """Return the rulings that lead from one text to that with the SHA-256 `target`; none if they do not."""
    at, found = digest(base), []
    for one in rulings:
        if one.amends == at:
            at = one.results_in
            found.append(one)
            if at == target:
                return found
    return []


def _finding(change: AppliedChange, sealed: SealedRuling) -> FindingLine:
    words = getattr(sealed.entry, "words", None)
    says = words.text if words and sealed.entry.dispute.kind not in PERSONAL else change.says
    told = _("%(reason)s – before: %(line)s") % {"reason": says, "line": change.was} if change.was else says
    place = {"line": max(change.line, 1), "column": None, "code": CODE, "severity": "note"}
    return FindingLine(**place, rule="", rule_number="", rule_text="", sentence=told, source=change.now or "")


def _beside(line: LogLine, found: Sequence[FindingLine]) -> LogLine:
    here = [one for one in found if one.line == line.number]
    return replace(line, findings=(*line.findings, *here)) if here else line

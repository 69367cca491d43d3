"""The record of a case beside the other record of its game that differs."""

from dataclasses import replace

from games.notation.lines import NotationError
from games.notation.reading import loads
from league.disputes.case_file import LogCase, names_by_seat
from league.disputes.models import Dispute
from league.disputes.queries import CaseView
from league.matches.models import IN_ORDER, KnownBy, Record
from league.matches.results.judging import rules_of_match
from league.web.disputes.evidence import ComparisonWords, comparison_words
from referee.cards import check as card
from referee.cards import tally
from referee.rulings.card_difference import compare_with_card
from referee.rulings.difference import compare_logs


def difference_of(view: CaseView) -> ComparisonWords | None:
    """Return the difference for those who see the proposal; None without a log or another record. Two statements."""
    if view.proposal is None or not isinstance(view.case, LogCase):
        return None
    mine = view.dispute.record
    other = _other(mine)
    if mine is None or other is None or mine.seats != other.seats:
        return None
    try:
        found = _compared(view.dispute, view.case, other)
    except (NotationError, ValueError):
        return None
    return comparison_words(replace(found, names=names_by_seat(view.dispute, mine)))


def _other(mine: Record | None) -> Record | None:
    """Return the latest record of somebody else about the same game."""
    if mine is None:
        return None
    rows = Record.objects.filter(game=mine.game_id, withdrawn_at=None).exclude(pk=mine.pk)
    rows = rows.exclude(submitted_by=mine.submitted_by_id, for_side=mine.for_side).exclude(kind=KnownBy.RULED)
    return rows.select_related("sealed", "score_sheet").order_by(*IN_ORDER).last()


def _compared(dispute: Dispute, case: LogCase, other: Record) -> object:
    if other.kind == KnownBy.LOG:
        (log,) = loads(other.sealed.text)
        return compare_logs(case.file.log, log)
    read = tally.read_card if other.kind == KnownBy.TALLY else card.read
    return compare_with_card(case.file.log, read(other.score_sheet.data, rules_of_match(dispute.match), 2))

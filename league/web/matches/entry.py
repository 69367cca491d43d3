"""Result entry for one game, step by step, on its own page.

The typed score is repeated in words before it counts. Used at the table without an account, and by signed-in users.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from league.competitions.queries.results_grid import GridEntry, GridRow
from league.errors import Refused
from league.matches.logs import submission
from league.matches.models import KnownBy, Reply, Result
from league.matches.permissions import Visitor
from league.matches.results import reviews, second_side
from league.matches.results.entering import enter_sheet, undo_entry
from league.matches.results.judging import judge_sheet
from league.web.components.result_row import ObjectionLine, SaidLine, objection_of, said_of
from league.web.components.score_fields import TypedScore, result_in_words, sheet_in_words, typed_score
from league.web.shared.staff import number_in


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreDraft:
    """A score being typed for a game.

    `words`: the score in words, empty before the check; `findings`: errors of arithmetic, entered only if the user
    insists.
    """

    game: int = 0
    typed: TypedScore = field(default_factory=TypedScore)
    words: str = ""
    findings: str = ""
    error: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """One game on its page, for one visitor.

    `acceptable`: entries of others that the visitor's side can accept; `has_own`: one of the entries is theirs;
    `until`: time of the automatic confirmation.
    """

    row: GridRow
    names: list[str]
    fields: list[tuple[int, str, str]]
    entries: list[SaidLine]
    objections: list[ObjectionLine]
    words: str
    state: str
    others: str
    draft: ScoreDraft
    until: datetime | None
    level_points: bool
    acceptable: frozenset[int] = frozenset()
    has_own: bool = False


def names_of(row: GridRow) -> list[str]:
    return [side.name for side in row.line.sides]


def panel(row: GridRow, side: int | None, draft: ScoreDraft, against: Sequence[Reply] = ()) -> Panel:
    """Return the panel of a game; `side`: the visitor's side, None for the desk."""
    names = names_of(row)
    mine = draft if draft.game == row.game.pk else ScoreDraft(typed=TypedScore(points=("",) * len(names)))
    return Panel(
        row=row,
        names=names,
        fields=[
            (number, name, point) for number, (name, point) in enumerate(zip(names, mine.typed.points, strict=True), 1)
        ],
        entries=[said_of(entry, names) for entry in row.entries],
        objections=[objection_of(one, names) for one in against],
        words=result_in_words(names, row.current.result) if row.current else "",
        state=state_of(row, side),
        others=", ".join(one.name for one in row.line.sides if one.number != side),
        draft=mine,
        until=_until(row),
        level_points=bool(mine.typed.points) and all(mine.typed.points) and len(set(mine.typed.points)) == 1,
        acceptable=_acceptable(row, side),
        has_own=side is not None and any(one.record.for_side == side for one in row.entries),
    )


def _acceptable(row: GridRow, side: int | None) -> frozenset[int]:
    if side is None or row.official or not row.contested:
        return frozenset()
    return frozenset(one.result.pk for one in row.entries if one.record.for_side != side)


def state_of(row: GridRow, side: int | None) -> str:
    """Return the state of a game for a visitor.

    `official`, `review`, `decide`, `mine` (waits for the others), `theirs` (waits for the visitor), `checking`, `open`.
    """
    if row.contested:
        return "review"
    if row.official:
        return "official"
    if row.current is None:
        return "checking" if row.checking else "open"
    if row.needs_decision:
        return "decide"
    if row.checking:
        return "checking"
    return "mine" if side is not None and row.current.record.for_side == side else "theirs"


def _until(row: GridRow) -> datetime | None:
    """Return the time of automatic confirmation, or None.

    Only for a side's entry without a log (league/matches/results/auto_confirm.py).
    """
    minutes, current = row.match.league.silence_minutes, row.current
    if minutes is None or not _may_be_silent(row, current):
        return None
    return current.result.entered_at + timedelta(minutes=minutes)


def _may_be_silent(row: GridRow, current: GridEntry | None) -> bool:
    """Whether silence may confirm the result.

    At most three statements if the league allows silence.
    """
    return (
        current is not None
        and not (row.official or row.contested or row.needs_decision or row.checking)
        and current.record.for_side is not None
        and current.result.known_by != KnownBy.LOG
        and second_side.counts(current.result)
    )


# --- Form handling ---


def row_asked_for(request: HttpRequest, rows: Sequence[GridRow]) -> GridRow:
    """Return the row named in the form. Raises Refused `no-game`."""
    key = number_in(request.POST, "game")
    row = next((one for one in rows if one.game.pk == key), None)
    if row is None:
        raise Refused("no-game", _("This game has ended already. See its current result."))
    return row


def check(request: HttpRequest, row: GridRow) -> ScoreDraft:
    """Return the typed score in words; an error is part of the draft."""
    typed = typed_score(request.POST, len(row.line.sides))
    draft = {"game": row.game.pk, "typed": typed}
    try:
        sheet = typed.sheet()
        judged = judge_sheet(row.match, sheet, KnownBy.SCORE)
    except Refused as refused:
        return ScoreDraft(**draft, error=str(refused))
    words = sheet_in_words(names_of(row), sheet)
    return ScoreDraft(**draft, words=words, findings="" if judged.sound else judged.sentences)


def send(request: HttpRequest, row: GridRow, who: Visitor) -> str:
    """Enter the typed score and return it in words. Raises Refused."""
    typed = typed_score(request.POST, len(row.line.sides))
    sheet = typed.sheet()
    enter_sheet(
        row.game,
        who,
        sheet,
        kind=KnownBy.SCORE,
        insist="insist" in request.POST,
        after=number_in(request.POST, "after"),
    )
    return sheet_in_words(names_of(row), sheet)


def confirm(request: HttpRequest, row: GridRow, who: Visitor) -> Result:
    """Confirm the result named in the form if it is still current. Raises Refused."""
    key = number_in(request.POST, "result")
    if row.current is None or row.current.result.pk != key:
        raise _changed()
    return submission.confirm_result(result=row.current.result, user=who)


def disagree(request: HttpRequest, row: GridRow, who: Visitor) -> Result:
    """Disagree with the result named in the form if it is still current.

    Raises Refused.
    """
    key = number_in(request.POST, "result")
    if row.current is None or row.current.result.pk != key:
        raise _changed()
    return reviews.disagree(row.current.result, who, sentence=request.POST.get("sentence", ""))


def accept(request: HttpRequest, row: GridRow, who: Visitor) -> Result:
    """Accept the other side's entry under review. Raises Refused."""
    key = number_in(request.POST, "result")
    entry = next((one for one in row.entries if one.result.pk == key), None)
    if entry is None:
        raise _changed()
    return reviews.accept(entry.result, who)


def _changed() -> Refused:
    return Refused("no-result", _("Meanwhile something else was entered. Check the current result."))


def take_back(request: HttpRequest, row: GridRow, who: Visitor) -> None:
    """Undo the entry named in the form. Raises Refused."""
    key = number_in(request.POST, "record")
    record = next((entry.record for entry in row.entries if entry.record.pk == key), None)
    if record is None:
        raise Refused("no-record", _("There is nothing to take back any more."))
    undo_entry(record, who, timezone.now())

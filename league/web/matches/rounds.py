"""Score card of a game's rounds on its page: sums for display, no decisions."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from zoneinfo import ZoneInfo

from django.utils.formats import date_format
from django.utils.timezone import localtime

from games.moves import SEATS
from league.matches.annotated_log import FindingLine, LogLine, RoundLine
from league.matches.knowledge_level import known_as
from league.matches.models import KnownBy, Result, StoredVerdict
from league.matches.queries.lines import SideScore
from league.matches.queries.match import GameView, verdict_of
from league.web.charts.rounds import RoundChart, WrittenRound, round_chart, written_rounds
from league.web.matches.clock import ClockFace, face
from league.web.matches.earlier_log import earlier_log
from league.web.matches.lead import LastingLead
from league.web.matches.replay import Replay, replay_of
from league.web.matches.reviews import ReviewCard, review_card
from league.web.words import labels


@dataclass(frozen=True, kw_only=True)
class Cell:
    """One side in one round: running total, points of the round, lead after it."""

    total: int
    gain: int
    ahead: bool


@dataclass(frozen=True, kw_only=True)
class CardRow:
    """One side of the record shown. `seat`: its letter in the log, "" without a log.

    `final` and `won` come from that record, even if the result rests on another one.
    """

    side: SideScore
    seat: str
    cells: list[Cell]
    final: int | None
    won: bool
    chips: int | None


@dataclass(frozen=True, kw_only=True)
class RoundRow:
    """A round with each side's points in play and at its end.

    Points in play: counts, muggins, penalties.
    """

    line: RoundLine
    ended: Any
    in_play: list[int]


@dataclass(frozen=True, kw_only=True)
class GameSheet:
    """One game on its page.

    `anchor`: the prefix of its log lines' anchors: L, L2- in the second game; `known`: the source of the result;
    `written`: the rounds of a tally or card; `chart`: their chart; `earlier`: the notice that a newer log exists.
    """

    view: GameView
    anchor: str
    findings: list[FindingLine]
    rows: list[CardRow]
    rounds: list[RoundRow]
    verdict: labels.Label
    state: labels.Label
    ended: Any
    evidence: Any
    meaning: Any
    known: labels.Label | None
    confirmed: str
    written: list[WrittenRound]
    chart: RoundChart | None
    earlier: str
    first_seat: CardRow | None
    clock: ClockFace | None
    replay: Replay | None
    review: ReviewCard | None

    @property
    def log(self) -> list[LogLine]:
        """Lines of the log; for a long game those of the rounds shown."""
        return [line for line in self.view.log if self.replay is None or self.replay.shows(line.number)]

    @property
    def of_result(self) -> bool:
        """Whether seats and chips of this record belong to the match score."""
        return self.view.is_result_of_record or self.view.result is None

    @property
    def on_plates(self) -> bool:
        """Whether the plates of a match of one game are the scoreboard of its replay."""
        return self.replay is not None and self.of_result

    @property
    def lead(self) -> LastingLead | None:
        """Lead in the log shown, if its winner is that of the result."""
        lead = self.replay.lead if self.replay and self.of_result else None
        won = {SEATS.index(row.seat) for row in self.rows if row.won and row.seat}
        return lead if lead and won == {lead.seat} else None

    @property
    def is_told(self) -> bool:
        """Whether the record shown already names the result's source."""
        return self.view.sheet is not None and self.view.is_result_of_record


def sheet_of(view: GameView, sides: list[SideScore], rounds: str = "") -> GameSheet:
    """Lay out a game; `rounds`: the shown part of a long replay (replay_parts.py)."""
    cells = _cells(view.rounds, len(sides))
    stored = view.verdict
    points, winner = _says(view)
    # Before an official decides, no side is shown as the winner.
    stands = view.result is not None and not view.result.needs_decision
    rows = [
        CardRow(
            side=side,
            seat=view.seats.get(side.number, ""),
            cells=cells[place],
            final=points.get(side.number),
            won=winner == side.number and (stands or not view.is_result_of_record),
            chips=(view.chips or {}).get(side.number),
        )
        for place, side in enumerate(sides)
    ]
    written = written_rounds(view.sheet, sides) if view.sheet else []
    return GameSheet(
        view=view,
        findings=by_weight(view.findings),
        anchor="L" if view.game.number == 1 else f"L{view.game.number}-",
        rows=rows,
        rounds=_rounds(view.rounds, len(sides), labels.CUT_BY.get(stored.ended, "") if stored else ""),
        verdict=_verdict(view),
        state=_state(view),
        ended=_end(view.result) if stored and stands else "",
        evidence=labels.EVIDENCE.get(stored.evidence, "") if stored else "",
        meaning=_meaning(view),
        known=_known(view),
        confirmed=_confirmed(view),
        written=written,
        chart=round_chart(written, sides, [row.final for row in rows], view.target) if written else None,
        earlier=earlier_log(view),
        first_seat=next((row for row in rows if row.seat == "A"), None) if view.seats_differ else None,
        clock=face(view.clock) if view.clock else None,
        replay=replay_of(view, {side.number: side.name for side in sides}, rounds),
        review=review_card(view, sides),
    )


def _says(view: GameView) -> tuple[Mapping[int, int], int | None]:
    """Return points by side and the winner; after a result, by the record shown."""
    stored = view.verdict
    if view.is_result_of_record or view.result is None:
        return view.points, view.winner
    if stored is None or stored.status in labels.WITHOUT_RESULT:
        return {}, None
    points = {side: stored.scores[letter] for side, letter in view.seats.items() if letter in stored.scores}
    broken = stored.status == stored.Status.VIOLATION
    return points, next((side for side, letter in view.seats.items() if letter == stored.winner and not broken), None)


def _end(result: Result) -> str:
    """Return how the game ended; a forfeit without a winner is that of both sides."""
    end = "forfeits" if result.ended == "forfeit" and result.winner is None else result.ended
    return labels.GAME_ENDS.get(end, "")


def _verdict(view: GameView) -> labels.Label:
    """Return the referee's verdict on a log, or the source of another record's result."""
    if view.verdict is None:
        return labels.CHECKING
    return labels.VERDICTS[view.verdict.status] if view.sheet is None else labels.of_record(view.record)


def _meaning(view: GameView) -> Any:
    """Return the meaning of the verdict, given the state of the result."""
    if view.verdict is None:
        return labels.CHECKING.meaning
    if view.sheet is not None:
        return labels.of_record(view.record).meaning
    official = view.is_result_of_record and view.result is not None and view.result.state == view.result.State.OFFICIAL
    if official and view.verdict.status == view.verdict.Status.VIOLATION:
        return labels.RULED if view.result.decided else labels.BROKEN
    meaning = labels.VERDICTS[view.verdict.status].meaning
    points = view.verdict.points_on_word
    return f"{meaning} {labels.ON_WORD % {'points': points}}" if points else meaning


def _known(view: GameView) -> labels.Label | None:
    """Return the source of the result that counts, whichever record is shown."""
    if view.result is None:
        return None
    stored = _verdict_behind(view)
    return labels.of_known(known_as(view.result.known_by, stored.status if stored else None))


def _verdict_behind(view: GameView) -> StoredVerdict | None:
    """Return the verdict on the record behind the result."""
    return verdict_of(next((one for one in view.records if view.result and one.pk == view.result.record_id), None))


def _confirmed(view: GameView) -> str:
    """Return how the result became official if no account confirmed it, else ""."""
    result = view.result
    if result is None or result.confirmed_how not in labels.CONFIRMED or result.decided:
        return ""
    when = localtime(result.confirmed_at, ZoneInfo(view.game.match.league.time_zone))
    return labels.CONFIRMED[result.confirmed_how] % {"when": date_format(when, "j F Y, H:i")}


def by_weight(findings: list[FindingLine]) -> list[FindingLine]:
    return sorted(findings, key=_weight)


def _weight(finding: FindingLine) -> int:
    """Return a finding's sort key: the cause of the verdict first (NOTATION.md 4).

    Within a severity the order of lines stays.
    """
    order = list(labels.SEVERITIES)
    return order.index(finding.severity) if finding.severity in order else len(order)


def _state(view: GameView) -> labels.Label:
    if view.game.match.voided_by_id is not None:
        return labels.VOID
    if view.result is None:
        if view.checking:
            return labels.CHECKING
        begun = (view.clock and view.clock.view.reading.started_at) or view.game.tally
        if begun and not view.records:
            return labels.PLAYING
        return labels.NO_RESULT if view.records else labels.of_no_log(view.game.match.starts_at)
    if view.result.contested:
        return labels.UNDER_REVIEW
    if view.result.state == view.result.State.OFFICIAL:
        return labels.OFFICIAL
    if view.result.needs_decision:
        if view.result.record.kind != KnownBy.LOG:
            return labels.FAILED_CHECK
        stored = _verdict_behind(view)
        broken = stored is None or stored.status == stored.Status.VIOLATION
        return labels.NEEDS_DECISION if broken else labels.WORD_NEEDS_DECISION
    return labels.PROVISIONAL if view.result.record.kind == KnownBy.LOG else labels.ENTERED


def _cells(rounds: list[RoundLine], sides: int) -> list[list[Cell]]:
    rows: list[list[Cell]] = [[] for _ in range(sides)]
    before = [0] * sides
    for line in rounds:
        best = max(line.scores)
        leads = line.scores.count(best) == 1
        for place in range(sides):
            total = line.scores[place]
            rows[place].append(Cell(total=total, gain=total - before[place], ahead=leads and total == best))
        before = line.scores
    return rows


def _rounds(rounds: list[RoundLine], sides: int, cut_by: Any) -> list[RoundRow]:
    """Return the rows of the rounds.

    `cut_by`: why the last round has no end of its own; "" if the record just stops.
    """
    rows = []
    before = [0] * sides
    for line in rounds:
        in_play = [line.scores[place] - before[place] - line.points[place] for place in range(sides)]
        rows.append(
            RoundRow(
                line=line,
                ended=labels.ROUND_ENDS.get(line.ended or "", cut_by if line is rounds[-1] else ""),
                in_play=in_play,
            )
        )
        before = line.scores
    return rows

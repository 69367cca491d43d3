"""The rounds of a game laid out as a score card. Sums that are shown, never decisions."""

from dataclasses import dataclass
from typing import Any

from league.matches.lines import SideScore
from league.matches.match_page import GameView
from league.matches.sheet import FindingLine, RoundLine
from league.web import labels


@dataclass(frozen=True, kw_only=True)
class Cell:
    """One side in one round: the running total, what the round brought, and whether the side then leads."""

    total: int
    gain: int
    ahead: bool


@dataclass(frozen=True, kw_only=True)
class CardRow:
    """One side of the card; `seat` is its letter in the log, "" where no log names one."""

    side: SideScore
    seat: str
    cells: list[Cell]
    final: int | None
    won: bool
    chips: int | None


@dataclass(frozen=True, kw_only=True)
class RoundRow:
    """A round with what each side made in play (counts, muggins, penalties) and at its end."""

    line: RoundLine
    ended: Any
    in_play: list[int]


@dataclass(frozen=True, kw_only=True)
class GameSheet:
    """One game as its page shows it. `anchor` begins the anchors of its log's lines: L, L2- in the second game."""

    view: GameView
    anchor: str
    findings: list[FindingLine]
    rows: list[CardRow]
    rounds: list[RoundRow]
    verdict: labels.Label
    state: labels.Label
    ended: Any
    evidence: Any


def sheet_of(view: GameView, sides: list[SideScore]) -> GameSheet:
    seats = {number: letter for letter, number in (view.record.seats if view.record else {}).items()}
    cells = _cells(view.rounds, len(sides))
    stored = view.verdict
    # Until an official has decided, nobody is shown as the winner.
    stands = view.result is not None and not view.result.needs_decision
    return GameSheet(
        view=view,
        findings=sorted(view.findings, key=_weight),
        anchor="L" if view.game.number == 1 else f"L{view.game.number}-",
        rows=[
            CardRow(
                side=side,
                seat=seats.get(side.number, ""),
                cells=cells[place],
                final=view.points.get(side.number),
                won=view.winner == side.number and stands,
                chips=(view.chips or {}).get(side.number),
            )
            for place, side in enumerate(sides)
        ],
        rounds=_rounds(view.rounds, len(sides), labels.CUT_BY.get(stored.ended, "") if stored else ""),
        verdict=labels.VERDICTS[stored.status] if stored else labels.CHECKING,
        state=_state(view),
        ended=labels.GAME_ENDS.get(stored.ended, "") if stored and stands else "",
        evidence=labels.EVIDENCE.get(stored.evidence, "") if stored else "",
    )


def _weight(finding: FindingLine) -> int:
    """What decides the verdict comes first (NOTATION.md 4); within a severity the order of lines stays."""
    order = list(labels.SEVERITIES)
    return order.index(finding.severity) if finding.severity in order else len(order)


def _state(view: GameView) -> labels.Label:
    if view.result is None:
        if view.checking:
            return labels.CHECKING
        return labels.NO_RESULT if view.records else labels.of_no_log(view.game.match.starts_at)
    if view.result.state == view.result.State.OFFICIAL:
        return labels.OFFICIAL
    return labels.NEEDS_DECISION if view.result.needs_decision else labels.PROVISIONAL


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
    """`cut_by` says why the last round has no end of its own; "" where the record just stops."""
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

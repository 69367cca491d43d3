"""Circuits of a league as plain values, and the ranking of one as a table."""

from fractions import Fraction
from typing import Any

from league.accounts.models import League
from league.accounts.permissions import Asker
from league.competitions.import_export.tabular import Cell, to_csv
from league.competitions.queries.circuits import CircuitLine, CircuitPage, with_evenings

RANKING = ("place", "code", "name", "points", "evenings", "won")
OF_EVENING = ("place", "points", "counts")


def circuits_told(user: Asker, league: League) -> list[dict[str, Any]]:
    """Settings of the circuits, each with the addresses of its evenings. Two statements."""
    return [
        {
            "slug": one.slug,
            "name": one.name,
            "points_by": one.points_by,
            "points": one.points,
            "counted": one.counted,
            "competitions": [evening.slug for evening in one.competitions.all()],
        }
        for one in with_evenings(user).filter(league=league)
    ]


def circuit_table(page: CircuitPage) -> bytes:
    """Return the ranking as CSV, with three columns for each evening that counts. Points have two decimals at most."""
    slugs = [one.slug for one in page.counting]
    columns = [*RANKING, *(f"{slug} {what}" for slug in slugs for what in OF_EVENING)]
    return to_csv(columns, [_cells(line, slugs) for line in page.lines])


def _cells(line: CircuitLine, slugs: list[str]) -> dict[str, Cell]:
    row, entrant = line.row, line.entrant
    found: dict[str, Cell] = {
        "place": row.rank,
        "code": entrant.code,
        "name": entrant.name,
        "points": number(row.points),
        "evenings": len(row.scores),
        "won": row.won,
    }
    for at, score in row.scores.items():
        first, last = score.place
        cells = (
            first if first == last else f"{first}–{last}",
            number(score.points),
            "true" if score.counts else "false",
        )
        found |= {f"{slugs[at]} {what}": cell for what, cell in zip(OF_EVENING, cells, strict=True)}
    return found


def number(points: Fraction) -> int | float:
    """Return points as a number: whole, or with two decimals."""
    return int(points) if points.denominator == 1 else round(float(points), 2)

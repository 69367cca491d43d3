"""Warning of the row check on the owner's page: differing rows by match."""

from dataclasses import dataclass

from league.competitions.integrity.row_check import told_in
from league.matches.models import Match
from league.matches.queries.lines import match_lines


@dataclass(frozen=True, slots=True)
class MatchDifferences:
    """Differences of one match.

    `match`: None for rows without a match; `names`: its sides in order.
    """

    match: int | None
    names: list[str]
    texts: list[str]


def row_differences(league_id: int) -> dict[str, list[MatchDifferences]]:
    """Return the differences by kind (`RowDifference.kind`).

    One statement if nothing differs.
    """
    told = told_in(league_id)
    matches = {one["match"] for found in told.values() for one in found if one["match"]}
    lines = match_lines(Match.objects.filter(pk__in=matches)) if matches else []
    names = {line.id: [side.name for side in line.sides] for line in lines}
    return {kind: _by_match(found, names) for kind, found in told.items()}


def _by_match(found: list[dict], names: dict[int, list[str]]) -> list[MatchDifferences]:
    texts: dict[int | None, list[str]] = {}
    for one in found:
        texts.setdefault(one["match"] if one["match"] in names else None, []).append(one["text"])
    return [MatchDifferences(match, names.get(match or 0, []), said) for match, said in texts.items()]

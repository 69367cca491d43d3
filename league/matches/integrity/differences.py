"""Differences that a check finds: one row that does not agree with the records."""

from dataclasses import dataclass
from enum import StrEnum

LONGEST = 200
"""Longest value in a message, in letters; a log or a list of findings is longer."""


class Gravity(StrEnum):
    """The gravity of a difference. Only `ROW` makes a check fail."""

    ROW = "row"
    # Today's edition judges differently; no official result would change.
    EDITION = "edition"
    # Today's edition judges differently, and an official result would change.
    OFFICIAL = "official"


Found = tuple[str, str, object, object, Gravity]
"""Row, fact, stored value, expected value, gravity."""


@dataclass(frozen=True, slots=True)
class RowDifference:
    """One difference: the stored value `says` of the fact `what`, and `should`.

    `row`: table and key ("result 12"). `league`: key of the league, None if it is unknown.
    """

    row: str
    what: str
    says: object
    should: object
    kind: Gravity = Gravity.ROW
    league: int | None = None
    match: int | None = None

    def __str__(self) -> str:
        return f"{self.row}: {self.what} is {_short(self.says)}, should be {_short(self.should)}"


def _short(value: object) -> str:
    text = str(value) if value != "" else "empty"
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"

"""What a check finds: one row that is not what the records say."""

from dataclasses import dataclass
from enum import StrEnum

LONGEST = 200
"""Letters of a value that are told; a log or a list of findings is longer."""


class Gravity(StrEnum):
    """How grave it is. Only `ROW` makes a check fail."""

    ROW = "row"
    # Today's edition judges otherwise than the one that judged then; no official result would be another one.
    EDITION = "edition"
    # The same, and an official result would be another one.
    OFFICIAL = "official"


Found = tuple[str, str, object, object, Gravity]
"""Row, fact, what is stored, what should be, how grave it is."""


@dataclass(frozen=True, slots=True)
class RowDifference:
    """`row` is named by its table and key ("result 12"), `what` is a fact of it; `says` is stored, `should` follows
    from the records. `league` is the key of the league, None where no league can be told.
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

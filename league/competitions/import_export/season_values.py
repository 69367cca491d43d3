"""Plain values of a season file.

Its divisions and play-offs are files of competitions (values.py).
"""

from dataclasses import dataclass
from datetime import date, datetime

from league.competitions.import_export.values import FiledCompetition


@dataclass(frozen=True, slots=True, kw_only=True)
class FiledDivision:
    level: int
    name: str
    promote: int = 0
    relegate: int = 0
    play_off: int = 0
    competition: FiledCompetition


@dataclass(frozen=True, slots=True, kw_only=True)
class FiledPlayOff:
    upper_level: int
    number: int
    competition: FiledCompetition


@dataclass(frozen=True, slots=True, kw_only=True)
class FiledSeason:
    """A season in a file.

    `divisions` from the top down. `dates`: aware, one a matchday, in their order.
    """

    name: str
    starts_on: date
    ends_on: date | None = None
    play_off_best_of: int = 1
    dates: tuple[datetime, ...] = ()
    divisions: tuple[FiledDivision, ...]
    play_offs: tuple[FiledPlayOff, ...] = ()

    @property
    def key(self) -> str:
        """Key of the top division's competition; it identifies the season."""
        return self.divisions[0].competition.key

    @property
    def competitions(self) -> list[tuple[str, FiledCompetition]]:
        """Competitions with their places in the file, those of the divisions first."""
        return [
            *((f"divisions[{n}].competition", one.competition) for n, one in enumerate(self.divisions, start=1)),
            *((f"play_offs[{n}].competition", one.competition) for n, one in enumerate(self.play_offs, start=1)),
        ]

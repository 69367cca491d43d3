"""Reading of a season file into plain values; mistakes are named by place. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from league.accounts.models import LONGEST_NAME
from league.competitions.import_export.reading import EDITION, MOST_MISTAKES, Reader, TooMuchError, read
from league.competitions.import_export.season_values import FiledDivision, FiledPlayOff, FiledSeason
from league.competitions.import_export.values import FiledCompetition, Mistake
from league.competitions.models.season import LONGEST_DIVISION

FORMAT = "domino-league-season"
MOST_PLACES = 64
MOST_GAMES = 11


@dataclass(frozen=True, slots=True)
class ReadSeason:
    """Outcome of reading. `filed` is None if something must be corrected first."""

    filed: FiledSeason | None
    mistakes: tuple[Mistake, ...]


def is_season(value: Any) -> bool:
    """Tell whether the file calls itself a season."""
    return isinstance(value, dict) and value.get("format") == FORMAT


def read_season(value: Any) -> ReadSeason:
    """Read the value that `season_exporting.season_file` makes. Never raises."""
    reader = _SeasonReader()
    try:
        filed = reader.season(value)
    except TooMuchError:
        filed = None
    return ReadSeason(None if reader.mistakes else filed, tuple(reader.mistakes[:MOST_MISTAKES]))


class _SeasonReader(Reader):
    """Reader of the parts that a competition does not have."""

    def season(self, value: Any) -> FiledSeason | None:
        if not is_season(value):
            self.wrong("format", "no-season", value.get("format") if isinstance(value, dict) else "")
            return None
        if value.get("edition") != EDITION:
            self.wrong("edition", "other-edition", value.get("edition"))
            return None
        facts = self.get(value, "season", "", dict, {})
        divisions = self.rows(value, "divisions", "", self.division)
        play_offs = self.rows(value, "play_offs", "", self.play_off)
        starts_on = self.day(facts, "starts_on", "season.")
        dates = self.rows(value, "dates", "", lambda one, place: self.moment(one, "starts_at", place))
        self._check(divisions, play_offs)
        if starts_on is None:
            self.wrong("season.starts_on", "bad-day", facts.get("starts_on", ""))
        if self.mistakes or starts_on is None:
            return None
        return FiledSeason(
            name=self.named(facts, "season.", LONGEST_NAME),
            starts_on=starts_on,
            ends_on=self.day(facts, "ends_on", "season."),
            play_off_best_of=self.number(facts, "play_off_best_of", "season.", 1, MOST_GAMES),
            dates=tuple(one for one in dates if one),
            divisions=divisions,
            play_offs=play_offs,
        )

    def day(self, value: Mapping[str, Any], name: str, place: str) -> date | None:
        text = self.get(value, name, place, str)
        if text is None:
            return None
        try:
            return date.fromisoformat(text)
        except ValueError:
            self.wrong(f"{place}{name}", "bad-day", text)
            return None

    def division(self, value: Mapping[str, Any], place: str) -> FiledDivision | None:
        competition = self.inner(value, place)
        if competition is None:
            return None
        return FiledDivision(
            level=self.number(value, "level", place, 1),
            name=self.named(value, place, LONGEST_DIVISION),
            promote=self.number(value, "promote", place, most=MOST_PLACES),
            relegate=self.number(value, "relegate", place, most=MOST_PLACES),
            play_off=self.number(value, "play_off", place, most=MOST_PLACES),
            competition=competition,
        )

    def play_off(self, value: Mapping[str, Any], place: str) -> FiledPlayOff | None:
        competition = self.inner(value, place)
        if competition is None:
            return None
        return FiledPlayOff(
            upper_level=self.number(value, "upper_level", place, 1),
            number=self.number(value, "number", place, 1),
            competition=competition,
        )

    def inner(self, value: Mapping[str, Any], place: str) -> FiledCompetition | None:
        """Read the competition in it; its mistakes are named by place in the whole file."""
        found = read(value.get("competition"))
        for one in found.mistakes:
            self.wrong(f"{place}competition.{one.place}", one.code, one.found)
        if found.filed is None:
            return None
        here = f"{place}competition."
        entrants = tuple(replace(one, place=f"{here}{one.place}") for one in found.filed.entrants)
        return replace(found.filed, entrants=entrants)

    def _check(self, divisions: tuple[Any, ...], play_offs: tuple[Any, ...]) -> None:
        if not divisions:
            self.wrong("divisions", "no-divisions")
        keys: set[str] = set()
        for count, one in enumerate(filter(None, divisions), start=1):
            if one.level != count:
                self.wrong(f"divisions[{count}].level", "bad-level", one.level)
            if one.competition.key in keys:
                self.wrong(f"divisions[{count}].competition.key", "key-twice", one.competition.key)
            keys.add(one.competition.key)
        for count, one in enumerate(filter(None, play_offs), start=1):
            if not 1 <= one.upper_level < len(divisions):
                self.wrong(f"play_offs[{count}].upper_level", "bad-level", one.upper_level)
            if one.competition.key in keys:
                self.wrong(f"play_offs[{count}].competition.key", "key-twice", one.competition.key)
            keys.add(one.competition.key)

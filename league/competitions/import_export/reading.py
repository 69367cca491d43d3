"""Reading of a competition file into plain values; mistakes are named by place.

Pure.

Not carried over: money, check-ins, logs, and how well a result is known elsewhere.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from functools import partial
from typing import Any

from league.accounts.graphemes import JOINERS, first_letters, longer_than
from league.accounts.models import LONGEST_NAME
from league.competitions.formats.match_length import GAMES
from league.competitions.formats.registry import MOST_ROUNDS, TABLE_FORMATS
from league.competitions.import_export.values import (
    LONGEST_KEY,
    MOST_POINTS,
    NOT_CARRIED,
    PLAN_NUMBERS,
    PLAN_TRUTHS,
    PLAN_WORDS,
    STAGE_NUMBERS,
    TOLD,
    FiledBerth,
    FiledCompetition,
    FiledEntry,
    FiledGame,
    FiledRound,
    FiledSlot,
    FiledStage,
    Mistake,
    check_challenges,
    read_challenge,
)
from league.competitions.models import YEARS
from league.competitions.models.adjustment import LONGEST_REASON, MOST_ADJUSTED
from league.competitions.models.draw import LONGEST_ROUND
from league.competitions.registration.enrolment import FiledAdjustment, FiledEntrant, FiledPartner
from league.players.models import LONGEST, LONGEST_CLUB

FORMAT = "domino-league-competition"
EDITION = 1
MOST_MISTAKES = 20
FURTHEST_RATING = 10_000
USUAL_KIND = "round"
OF_OLDER_FILES = {"forfeit_points": True, "direct_by": "wins", "leaving": "keep"}
MOST_ENTRANTS = 10_000
MOST_SLOTS = 200_000
MOST_SIDES = 6


@dataclass(frozen=True, slots=True)
class ReadFile:
    """Outcome of reading. `filed` is None if something must be corrected first."""

    filed: FiledCompetition | None
    mistakes: tuple[Mistake, ...]


def read(value: Any) -> ReadFile:
    """Read the value that `exporting.competition_file` makes. Never raises."""
    reader = Reader()
    try:
        filed = reader.competition(value)
    except TooMuchError:
        filed = None
    return ReadFile(None if reader.mistakes else filed, tuple(reader.mistakes[:MOST_MISTAKES]))


class TooMuchError(Exception):
    """More mistakes than a page shows."""


@dataclass
class Reader:
    mistakes: list[Mistake] = field(default_factory=list)

    def wrong(self, place: str, code: str, found: object = "") -> None:
        self.mistakes.append(Mistake(place, code, first_letters(str(found), TOLD)))
        if len(self.mistakes) >= MOST_MISTAKES:
            raise TooMuchError

    # --- Values by their kind ---

    def get(self, value: Mapping[str, Any], name: str, place: str, kind: type, default: Any = None) -> Any:
        """Return the value under a name, of a kind, or the default.

        Any other value is a mistake.
        """
        found = value.get(name, default)
        # In Python a bool is an int; in a file it is no number.
        if found is default or (isinstance(found, kind) and not (kind is int and isinstance(found, bool))):
            return found
        self.wrong(f"{place}{name}", "bad-value", found)
        return default

    def number(self, value: Mapping[str, Any], name: str, place: str, default: int = 0, most: int = 30_000) -> int:
        found: int = self.get(value, name, place, int, default)
        if 0 <= found <= most:
            return found
        self.wrong(f"{place}{name}", "bad-number", found)
        return default

    def word(self, value: Mapping[str, Any], name: str, place: str, longest: int) -> str:
        found = self.get(value, name, place, str, "")
        return self._harmless(found, f"{place}{name}", too_long=len(found) > longest)

    def named(self, value: Mapping[str, Any], place: str, longest: int, name: str = "name") -> str:
        """Return a name of at most so many letters, as people count them."""
        found = self.get(value, name, place, str, "")
        return self._harmless(found, f"{place}{name}", too_long=longer_than(found, longest))

    def _harmless(self, found: str, place: str, *, too_long: bool) -> str:
        if not too_long and all(one.isprintable() or one in JOINERS for one in found):
            return found
        self.wrong(place, "too-long", found)
        return ""

    def moment(self, value: Mapping[str, Any], name: str, place: str) -> datetime | None:
        text = self.get(value, name, place, str)
        if text is None:
            return None
        try:
            found = datetime.fromisoformat(text)
        except ValueError:
            found = None
        if found is None or found.tzinfo is None or found.year not in YEARS:
            self.wrong(f"{place}{name}", "bad-hour", text)
            return None
        return found

    def rows(
        self, value: Mapping[str, Any], name: str, place: str, read_one: Callable[[Mapping[str, Any], str], Any]
    ) -> tuple[Any, ...]:
        found = []
        for count, one in enumerate(self.get(value, name, place, list, []), start=1):
            here = f"{place}{name}[{count}]."
            if isinstance(one, dict):
                found.append(read_one(one, here))
            else:
                self.wrong(here.rstrip("."), "bad-value", one)
        return tuple(found)

    # --- The parts of a file ---

    def competition(self, value: Any) -> FiledCompetition | None:
        if not isinstance(value, dict) or value.get("format") != FORMAT:
            self.wrong("format", "other-file", value.get("format") if isinstance(value, dict) else "")
            return None
        if value.get("edition") != EDITION:
            self.wrong("edition", "other-edition", value.get("edition"))
            return None
        key = self.word(value, "key", "", LONGEST_KEY)
        if not key:
            self.wrong("key", "bad-value", key)
        filed = FiledCompetition(
            key=key,
            plan=self.plan(self.get(value, "competition", "", dict, {}), "competition."),
            stages=self.rows(value, "stages", "", self.stage),
            entrants=self.rows(value, "entrants", "", self.entrant),
            rounds=self.rows(value, "rounds", "", self.round),
            challenges=self.rows(value, "challenges", "", partial(read_challenge, self)),
        )
        self.check(filed)
        return filed

    def plan(self, value: Mapping[str, Any], place: str) -> dict[str, Any]:
        """Plan fields of the file; a missing field is as in `plans.Plan`.

        A file of an earlier edition keeps the settings that it was founded with.
        """
        options = self.get(value, "options", place, dict, {})
        words = {name: self.word(value, name, place, longest) for name, longest in PLAN_WORDS.items()}
        words["name"] = self.named(value, place, LONGEST_NAME)
        numbers = {name: self.number(value, name, place, 0, most) for name, most in PLAN_NUMBERS.items()}
        lists = {name: self.words(value, name, place) for name in ("tie_breaks", "tables")}
        truths = {name: self.get(value, name, place, bool, False) for name in PLAN_TRUTHS}
        lengths = {"own_best_of": self.lengths(value, "own_best_of", place)}
        given = {name: one for name, one in {**words, **numbers, **lists, **truths, **lengths}.items() if name in value}
        older = OF_OLDER_FILES if "tie_break_edition" in value else {}
        return {
            **older,
            **given,
            "options": {str(key): one for key, one in options.items() if isinstance(one, str | int | bool)},
            "starts_at": self.moment(value, "starts_at", place),
        }

    def lengths(self, value: Mapping[str, Any], name: str, place: str) -> dict[str, int]:
        found: dict[str, Any] = self.get(value, name, place, dict, {})
        if all(type(one) is int and one in GAMES for one in found.values()):
            return found
        self.wrong(f"{place}{name}", "bad-value", found)
        return {}

    def words(self, value: Mapping[str, Any], name: str, place: str) -> list[str]:
        found: list[str] = self.get(value, name, place, list, [])
        if all(isinstance(one, str) for one in found):
            return found
        self.wrong(f"{place}{name}", "bad-value", found)
        return []

    def whole_numbers(self, value: Mapping[str, Any], name: str, place: str) -> tuple[int, ...]:
        found: list[Any] = self.get(value, name, place, list, [])
        if len(found) <= MOST_SIDES and all(type(one) is int and 0 <= one <= MOST_POINTS for one in found):
            return tuple(found)
        self.wrong(f"{place}{name}", "bad-value", found)
        return ()

    def round_numbers(self, value: Mapping[str, Any], name: str, place: str) -> tuple[int, ...]:
        found: list[Any] = self.get(value, name, place, list, [])
        if all(type(one) is int and 1 <= one <= MOST_ROUNDS for one in found):
            return tuple(sorted(set(found)))
        self.wrong(f"{place}{name}", "bad-value", found)
        return ()

    def stage(self, value: Mapping[str, Any], place: str) -> FiledStage:
        return FiledStage(
            number=self.number(value, "number", place, 1),
            format=self.word(value, "format", place, 20),
            third_place=self.get(value, "third_place", place, bool, False),
            reset=self.get(value, "reset", place, bool, True),
            finished=self.get(value, "finished", place, bool, False),
            place_points=self.whole_numbers(value, "place_points", place),
            entries=self.rows(value, "entries", place, self.entry),
            **{name: self.number(value, name, place) for name in STAGE_NUMBERS},
        )

    def entry(self, value: Mapping[str, Any], place: str) -> FiledEntry:
        return FiledEntry(
            entrant=self.word(value, "entrant", place, LONGEST_KEY),
            seed=self.number(value, "seed", place, 1),
            entry_place=self.number(value, "place", place, 1),
            group=self.number(value, "group", place),
            place=place.rstrip("."),
        )

    def entrant(self, value: Mapping[str, Any], place: str) -> FiledEntrant:
        first, partner = value, None
        if "players" in value:
            both = self.rows(value, "players", place, self.partner)
            if len(both) != 2:
                self.wrong(f"{place}players", "no-pair", len(both))
                both = (FiledPartner(name=""), FiledPartner(name=""))
            first, partner = asdict(both[0]), both[1]
        return FiledEntrant(
            key=self.word(value, "key", place, LONGEST_KEY),
            **asdict(self.partner(first, place)),
            partner=partner,
            rating=self.rating(value, place),
            free_reason=self.word(value, "free_reason", place, 120),
            withdrawn_because=self.word(value, "withdrawn_because", place, 200),
            adjustments=self.rows(value, "adjustments", place, self.adjustment),
            byes=self.round_numbers(value, "byes", place),
            place=place.rstrip("."),
        )

    def adjustment(self, value: Mapping[str, Any], place: str) -> FiledAdjustment:
        points: int = self.get(value, "points", place, int, 0)
        if not 0 < abs(points) <= MOST_ADJUSTED:
            self.wrong(f"{place}points", "bad-number", points)
        reason = self.word(value, "reason", place, LONGEST_REASON)
        return FiledAdjustment(points=points, reason=reason, made_at=self.moment(value, "made_at", place))

    def partner(self, value: Mapping[str, Any], place: str) -> FiledPartner:
        return FiledPartner(
            name=self.named(value, place, LONGEST),
            club=self.named(value, place, LONGEST_CLUB, "club"),
            number=self.word(value, "number", place, 20),
            born=self.get(value, "born", place, int),
            minor=self.get(value, "minor", place, bool, False),
        )

    def rating(self, value: Mapping[str, Any], place: str) -> int | None:
        found: int | None = self.get(value, "rating", place, int)
        if found is None or abs(found) <= FURTHEST_RATING:
            return found
        self.wrong(f"{place}rating", "bad-number", found)
        return None

    def round(self, value: Mapping[str, Any], place: str) -> FiledRound:
        return FiledRound(
            stage=self.number(value, "stage", place, 1),
            number=self.number(value, "number", place, 1),
            section=self.word(value, "section", place, 8),
            nth=self.number(value, "nth", place),
            kind=self.word(value, "kind", place, 16) or USUAL_KIND,
            name=self.named(value, place, LONGEST_ROUND),
            missing_before=self.number(value, "missing_before", place),
            missing_rounds=tuple(
                one for one in self.get(value, "missing_rounds", place, list, []) if isinstance(one, int)
            ),
            reason=self.word(value, "reason", place, 200),
            slots=self.rows(value, "slots", place, self.slot),
        )

    def slot(self, value: Mapping[str, Any], place: str) -> FiledSlot:
        match = self.get(value, "match", place, dict)
        return FiledSlot(
            number=self.number(value, "number", place, 1),
            berths=self.rows(value, "berths", place, self.berth),
            table=self.word(value, "table", place, 40),
            starts_at=self.moment(value, "starts_at", place),
            third_place=self.get(value, "third_place", place, bool, False),
            group=self.number(value, "group", place),
            conditional=self.get(value, "conditional", place, bool, False),
            not_needed=self.get(value, "not_needed", place, bool, False),
            requested_bye=self.get(value, "requested_bye", place, bool, False),
            has_match=match is not None,
            games=self.rows(match, "games", f"{place}match.", self.game) if match else (),
            place=place.rstrip("."),
        )

    def berth(self, value: Mapping[str, Any], place: str) -> FiledBerth:
        source = self.get(value, "from", place, list)
        if source is not None and not (len(source) == 3 and all(isinstance(one, int) for one in source)):
            self.wrong(f"{place}from", "bad-value", source)
            source = None
        return FiledBerth(
            entrant=self.get(value, "entrant", place, str),
            source=tuple(source) if source else None,
            takes=self.word(value, "takes", place, 6),
            absent=self.get(value, "absent", place, bool, False),
        )

    def game(self, value: Mapping[str, Any], place: str) -> FiledGame:
        points = self.get(value, "points", place, list, [])
        sound = 2 <= len(points) <= MOST_SIDES and all(type(one) is int and 0 <= one <= MOST_POINTS for one in points)
        if not sound:
            self.wrong(f"{place}points", "bad-points", points)
        winner = self.get(value, "winner", place, int)
        if winner is not None and not 1 <= winner <= max(len(points), 2):
            self.wrong(f"{place}winner", "bad-winner", winner)
        return FiledGame(
            number=self.number(value, "number", place, 1, most=11),
            points=tuple(points) if sound else (0, 0),
            winner=winner,
            ended=self.word(value, "ended", place, 12),
            ruled=self.get(value, "known_by", place, str, "") == "ruled",
            official=self.get(value, "state", place, str, "official") == "official",
            needs_decision=self.get(value, "needs_decision", place, bool, False),
        )

    # --- Consistency ---

    def check(self, filed: FiledCompetition) -> None:
        if not filed.stages or filed.stages[0].number != 1:
            self.wrong("stages", "no-stage")
        if len(filed.entrants) > MOST_ENTRANTS or sum(len(one.slots) for one in filed.rounds) > MOST_SLOTS:
            self.wrong("rounds", "too-much")
        known: set[str] = set()
        for one in filed.entrants:
            if not one.key or one.key in known:
                self.wrong(f"{one.place}.key", "key-twice", one.key)
            for person in (one, one.partner) if one.partner else (one,):
                if person.minor and person.born is None:
                    self.wrong(f"{one.place}.born", "minor-without-year", person.name)
            if bool(one.partner) != bool(filed.plan.get("pairs")):
                self.wrong(one.place, "is-pair" if one.partner else "no-pair", one.name)
            known.add(one.key)
        self._check_entries(filed)
        self._check_rounds(filed, known)

    def _check_entries(self, filed: FiledCompetition) -> None:
        for stage in filed.stages:
            entrants: set[str] = set()
            seeds: set[int] = set()
            for one in stage.entries:
                if one.entrant in entrants:
                    self.wrong(f"{one.place}.entrant", "entry-twice", one.entrant)
                if one.seed in seeds:
                    self.wrong(f"{one.place}.seed", "seed-twice", one.seed)
                entrants.add(one.entrant)
                seeds.add(one.seed)

    def _check_rounds(self, filed: FiledCompetition, known: set[str]) -> None:
        stages = {one.number: MOST_SIDES if one.format in TABLE_FORMATS else 2 for one in filed.stages}
        places: set[tuple[int, int, int]] = set()
        numbers: set[tuple[int, int]] = set()
        for count, one in enumerate(filed.rounds, start=1):
            if one.stage not in stages:
                self.wrong(f"rounds[{count}].stage", "no-stage", one.stage)
            if (one.stage, one.number) in numbers:
                self.wrong(f"rounds[{count}].number", "round-twice", one.number)
            numbers.add((one.stage, one.number))
            for slot in one.slots:
                here = (one.stage, one.number, slot.number)
                if here in places:
                    self.wrong(f"{slot.place}.number", "slot-twice", slot.number)
                self._check_slot(slot, known, places, stages.get(one.stage, 2))
                places.add(here)
        check_challenges(self, filed)

    def _check_slot(self, slot: FiledSlot, known: set[str], before: set[tuple[int, int, int]], most: int) -> None:
        if not 1 <= len(slot.berths) <= most:
            self.wrong(f"{slot.place}.berths", "bad-berths", len(slot.berths))
        named = [berth.entrant for berth in slot.berths if berth.entrant is not None]
        for count, berth in enumerate(slot.berths, start=1):
            here = f"{slot.place}.berths[{count}]"
            if berth.entrant is not None and berth.entrant not in known:
                self.wrong(f"{here}.entrant", "not-an-entrant", berth.entrant)
            if berth.source is not None and berth.source not in before:
                self.wrong(f"{here}.from", "no-slot", berth.source)
            if (berth.source is None) != (berth.takes == "") or berth.takes not in {"", "winner", "loser"}:
                self.wrong(f"{here}.takes", "bad-value", berth.takes)
            if berth.absent and most == 2:
                self.wrong(f"{here}.absent", "bad-value", berth.absent)
            if berth.source is None and berth.entrant is None:
                self.wrong(f"{here}.entrant", "not-an-entrant")
        if len(set(named)) < len(named):
            self.wrong(f"{slot.place}.berths", "against-oneself", named[0])
        if slot.requested_bye and len(slot.berths) > 1:
            self.wrong(f"{slot.place}.requested_bye", "bad-value", slot.requested_bye)
        if slot.has_match and (len(slot.sides) < 2 or len(named) < len(slot.berths)):
            self.wrong(f"{slot.place}.match", "nobody-plays")
        for game in slot.games:
            if len(game.points) != len(slot.sides):
                self.wrong(f"{slot.place}.match.games[{game.number}].points", "bad-points", list(game.points))
        if [game.number for game in slot.games] != list(range(1, len(slot.games) + 1)):
            self.wrong(f"{slot.place}.match.games", "games-in-order")


# --- Comparing ---


def differences(ours: Any, theirs: Any, place: str = "") -> list[str]:
    """Places where two files differ in data that an import carries over, in order.

    Empty if they agree.
    """
    if isinstance(ours, dict) and isinstance(theirs, dict):
        names = [name for name in {**ours, **theirs} if name not in NOT_CARRIED]
        here = f"{place}." if place else ""
        return [one for name in names for one in differences(ours.get(name), theirs.get(name), f"{here}{name}")]
    if isinstance(ours, list) and isinstance(theirs, list) and _holds_entries(ours) and _holds_entries(theirs):
        found = [] if len(ours) == len(theirs) else [place]
        both = enumerate(zip(ours, theirs, strict=False), start=1)
        return found + [one for count, (a, b) in both for one in differences(a, b, f"{place}[{count}]")]
    return [] if ours == theirs else [place]


def contradictions(ours: Any, theirs: Any) -> list[str]:
    """Places where a file contradicts ours.

    Data missing from the file is no difference.
    """
    return differences(_spoken_of(ours, theirs), theirs)


def _spoken_of(ours: Any, theirs: Any) -> Any:
    if isinstance(ours, dict) and isinstance(theirs, dict):
        return {name: _spoken_of(ours[name], one) for name, one in theirs.items() if name in ours}
    if isinstance(ours, list) and isinstance(theirs, list):
        both = [_spoken_of(a, b) for a, b in zip(ours, theirs, strict=False)]
        return [*both, *ours[len(both) :]]
    return ours


def _holds_entries(rows: Sequence[Any]) -> bool:
    return all(isinstance(one, dict) for one in rows)

"""Finished matches as the public knows them, and the highlights of their games.

Plain values for stories and records: two statements for any number of matches, two more for highlights that are not in
the cache. A sealed log and a sheet never change, so their cached highlights can't be old.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from django.core.cache import cache
from django.db.models import Exists, F, OuterRef, QuerySet

from games.errors import OptionError
from games.moves import SEATS
from games.notation.lines import NotationError
from games.notation.reading import loads
from league.matches.models import Amendment, KnownBy, Match, Result, ScoreSheet, SealedLog, Side, StoredVerdict
from league.matches.queries.lines import OUTSIDER, by_side, places_of, winner_of
from league.matches.results.match_outcome import GameOutcome, provisional_standing
from league.matches.rules import rules_agreed
from league.matches.visibility import visible_matches
from league.players.shown import Who, who, who_values
from referee.cards.sheet import CardError, read
from referee.highlights import Highlights, card_highlights, log_highlights
from referee.verdict import EDITION

KEPT_S = 30 * 24 * 3600
# Logs replayed for one page, a millisecond each; a page with more unknown logs leaves their records out.
MOST_REPLAYED = 300
FINISHED = (Match.State.PROVISIONAL, Match.State.DECIDED)
PROVED = (StoredVerdict.Status.VERIFIED, StoredVerdict.Status.CORRECTED)


class FinishedSide(NamedTuple):
    number: int
    entrant_id: int
    who: Who


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """The current result of a game; `record_id`: the record behind it, with its `seats` by letter.

    `by_log`: its log is proved; `by_hands`: its hands are known, from that log or from a tally or card.
    """

    number: int
    points: Mapping[int, int]
    outcome: GameOutcome
    ended: str
    known_by: str
    record_id: int
    seats: Mapping[str, int]
    by_log: bool
    by_hands: bool

    @property
    def is_played(self) -> bool:
        return self.known_by != KnownBy.RULED and self.ended != "forfeit"

    @property
    def is_played_out(self) -> bool:
        """Whether it was played to its end, so that its score is a full one."""
        return self.is_played and self.ended != "concession"


@dataclass(frozen=True, slots=True)
class FinishedMatch:
    """A match with its winner, None if nobody won.

    `in_question`: a result is contested or waits for a decision, or an amendment is proposed.
    """

    id: int
    best_of: int
    sides: Sequence[FinishedSide]
    games: Sequence[FinishedGame]
    in_question: bool
    third_place: bool
    winner: int | None = field(default=None)

    @property
    def is_played(self) -> bool:
        return all(game.is_played for game in self.games)

    def side(self, number: int) -> FinishedSide:
        return next(side for side in self.sides if side.number == number)

    def others(self, number: int) -> list[FinishedSide]:
        return [side for side in self.sides if side.number != number]


def finished_matches(matches: QuerySet[Match]) -> list[FinishedMatch]:
    """Return those of these matches that are public and finished, in the order of play. Two statements."""
    over = matches.filter(pk__in=visible_matches(OUTSIDER), state__in=FINISHED, voided_by=None).order_by()
    by_match: dict[int, list[Any]] = {}
    for match, *row in _results(over):
        by_match.setdefault(match, []).append(row)
    sides = _sides(over) if by_match else {}
    found = [_match(match, sides[match], rows) for match, rows in by_match.items()]
    return [one for one in found if _is_over(one)]


def _results(matches: QuerySet[Match]) -> Iterable[Any]:
    waits = Amendment.objects.filter(game__match=OuterRef("game__match"), state=Amendment.State.PROPOSED)
    results = Result.objects.filter(current=True, game__match__in=matches.values("pk")).annotate(asked=Exists(waits))
    at = "game__match__slot__matchday"
    ordered = results.order_by(
        F("game__match__starts_at").asc(nulls_first=True), f"{at}__number", "game__match", "game__number"
    )
    return ordered.values_list(
        *(
            "game__match",
            "game__match__best_of",
            "game__match__slot__third_place",
            "asked",
            "contested",
            "game__number",
        ),
        *("scores", "winner", "state", "needs_decision", "ended", "known_by", "record", "record__seats"),
        *("record__kind", "record__verdict__status"),
    )


def _sides(matches: QuerySet[Match]) -> dict[int, list[FinishedSide]]:
    rows = Side.objects.filter(match__in=matches.values("pk")).order_by("match", "number")
    found: dict[int, list[FinishedSide]] = {}
    people: dict[int, Who] = {}
    for match, number, entrant, *values in rows.values_list("match", "number", "entrant", *who_values()):
        person = people.get(entrant) or people.setdefault(entrant, who(values))
        found.setdefault(match, []).append(FinishedSide(number, entrant, person))
    return found


def _match(match: int, sides: Sequence[FinishedSide], rows: Sequence[Sequence[Any]]) -> FinishedMatch:
    best_of, third_place = rows[0][:2]
    games = [_game(*row[4:]) for row in rows]
    at = places_of([side.number for side in sides], games)
    return FinishedMatch(
        id=match,
        best_of=best_of,
        sides=sides,
        games=games,
        in_question=any(asked or contested for _best_of, _third, asked, contested, *_rest in rows)
        or any(game.outcome.needs_decision for game in games),
        third_place=bool(third_place),
        winner=winner_of(best_of, games, at),
    )


def _game(
    number: int,
    scores: dict[str, int],
    winner: int | None,
    state: str,
    undecided: bool,
    ended: str,
    known_by: str,
    record: int,
    seats: dict[str, int],
    kind: str,
    verdict: str | None,
) -> FinishedGame:
    by_log = known_by == KnownBy.LOG and kind == KnownBy.LOG and verdict in PROVED
    on_sheet = known_by in (KnownBy.TALLY, KnownBy.CARD) and kind in (KnownBy.TALLY, KnownBy.CARD)
    return FinishedGame(
        number=number,
        points=by_side(scores),
        outcome=GameOutcome(winner, official=state == Result.State.OFFICIAL, needs_decision=undecided),
        ended=ended,
        known_by=known_by,
        record_id=record,
        seats=seats,
        by_log=by_log,
        by_hands=by_log or on_sheet,
    )


def _is_over(match: FinishedMatch) -> bool:
    outcomes = [game.outcome for game in match.games]
    return match.in_question or provisional_standing(match.best_of, outcomes, sides=len(match.sides)).over


# --- Highlights ---


class GameHighlights(NamedTuple):
    """A game of a match with its highlights."""

    match: FinishedMatch
    game: FinishedGame
    highlights: Highlights

    def side_of(self, seat: int) -> FinishedSide:
        """Return the side of a seat; on a sheet the seats are the sides in order."""
        number = self.game.seats.get(SEATS[seat]) if self.game.by_log else self.match.sides[seat].number
        return self.match.side(number or 0)


class KnownHighlights(NamedTuple):
    """Highlights of the games with known hands; `complete`: there were not too many logs to replay for one page."""

    games: list[GameHighlights]
    complete: bool


def highlights_of(scope: str, matches: Iterable[FinishedMatch]) -> KnownHighlights:
    """Return the highlights of the games with known hands.

    `scope`: the name of the set of matches, for one entry of the cache. No statement if all are in it, else two.
    """
    wanted = [(match, game) for match in matches for game in match.games if game.by_hands]
    name = f"highlights:{EDITION}:{scope}"
    known: dict[int, Highlights | None] = cache.get(name) or {} if wanted else {}
    ids = {game.record_id for _match, game in wanted}
    if missing := sorted(ids - known.keys()):
        known = {one: known[one] for one in ids & known.keys()} | _read(missing[:MOST_REPLAYED])
        cache.set(name, known, KEPT_S)
    found = [(match, game, known.get(game.record_id)) for match, game in wanted]
    games = [GameHighlights(match, game, one) for match, game, one in found if one and _agrees(match, game, one)]
    return KnownHighlights(games, complete=len(missing) <= MOST_REPLAYED)


def _agrees(match: FinishedMatch, game: FinishedGame, one: Highlights) -> bool:
    """Return whether the highlights are of the score that counts."""
    if len(one.scores) != len(match.sides) or (game.by_log and len(game.seats) != len(one.scores)):
        return False
    numbers = [game.seats.get(SEATS[seat]) if game.by_log else side.number for seat, side in enumerate(match.sides)]
    return [game.points.get(number or 0) for number in numbers] == list(one.scores)


def _read(records: Collection[int]) -> dict[int, Highlights | None]:
    """Compute the highlights of records; None if a record can't be read. Two statements."""
    found: dict[int, Highlights | None] = dict.fromkeys(records)
    for record, text in SealedLog.objects.filter(record__in=records).values_list("record", "text"):
        found[record] = _of_text(text)
    sheets = ScoreSheet.objects.filter(record__in=records)
    of_match = ("record__game__match__ruleset", "record__game__match__options")
    for record, data, ruleset, options in sheets.values_list("record", "data", *of_match):
        found[record] = _of_sheet(data, ruleset, options)
    return found


def _of_text(text: str) -> Highlights | None:
    try:
        return log_highlights(loads(text)[0])
    except (NotationError, OptionError, KeyError, ValueError):
        return None


def _of_sheet(data: Mapping[str, Any], ruleset: str, options: object) -> Highlights | None:
    rules = rules_agreed(ruleset, options)
    try:
        return card_highlights(read(data, rules, len(data.get("scores") or ()))) if rules else None
    except (CardError, OptionError):
        return None

"""Check one match: chain of records, results, taps, amendments, and state."""

from collections.abc import Iterator, Sequence
from typing import Any

from games.notation.gamelog import GameLog
from games.notation.lines import NotationError
from games.notation.reading import dumps
from games.ruleset import Ruleset
from league.matches.integrity.differences import Found, Gravity, RowDifference
from league.matches.integrity.reading import GameRows, MatchRows, StoredRecord, StoredResult, is_official, results_of
from league.matches.integrity.records import check_record
from league.matches.integrity.reviews import check_amendments, check_judge, check_replies, check_review, check_states
from league.matches.models import KnownBy, Match, TallyTap
from league.matches.results.entries import plain
from league.matches.results.match_outcome import GameOutcome, official_standing, provisional_standing
from league.matches.rules import rules_agreed
from league.matches.tally.services import as_sheet, broken_at, copy_of
from league.matches.tally.tile_log import entries_of, has_ended


def check_match(match: MatchRows) -> Iterator[RowDifference]:
    """Find every difference of the match and of its records."""
    for row, what, says, should, kind in _check(match):
        yield RowDifference(row, what, says, should, kind, match.league, match.pk)


def _check(match: MatchRows) -> Iterator[Found]:
    row = f"match {match.pk}"
    numbers = [game.number for game in match.games]
    if len(numbers) != match.best_of or numbers != list(range(1, len(numbers) + 1)):
        yield row, "games", numbers, f"1 to {match.best_of}", Gravity.ROW
    if list(match.sides) != [str(number) for number in range(1, len(match.sides) + 1)] or not match.sides:
        yield row, "sides", list(match.sides), "numbered from 1", Gravity.ROW
    for league in {*match.leagues} - {match.league}:
        yield row, "league", match.league, f"{league}, as its entrants", Gravity.ROW
    for game in match.games:
        before = ""
        for record in game.records:
            yield from check_record(record, before, game, match)
            before = record.head
        yield from _check_taps(game, match)
        yield from check_replies(game)
        yield from check_amendments(game, match)
        yield from check_states(game, match)
        if not match.is_void:
            yield from check_review(game)
    yield from check_judge(match)
    yield from _check_state(match)


# --- Taps ---

# The rest of a copy is the delay with which the score becomes public.
SCORE = ("points", "round", "at")


def _check_taps(game: GameRows, match: MatchRows) -> Iterator[Found]:
    place = broken_at(game.taps)
    if place is not None:
        yield f"tap {place} of game {game.code}", "chain head", "broken", "whole", Gravity.ROW
    last = game.taps[-1].head if game.taps else ""
    if game.taps_head != last:
        yield f"taps of game {game.code}", "head of the last one", last, game.taps_head, Gravity.ROW
    rules = rules_agreed(match.ruleset, match.options)
    if rules is None or place is not None:
        return
    if game.taps or game.tally is not None:
        should = plain(copy_of(game.taps, rules, len(match.sides))) if game.taps else None
        told = game.tally and {name: value for name, value in game.tally.items() if name in SCORE}
        if told != should:
            yield f"game {game.code}", "running score", told, should, Gravity.ROW
    for record in game.records if game.taps else ():
        yield from _check_tally(record, game, plain(as_sheet(game.taps, rules)))
        yield from _check_tile_log(record, game, rules)


def _check_tally(record: StoredRecord, game: GameRows, sheet: list[Any]) -> Iterator[Found]:
    """Compare the taps of a tally with those of its game.

    A tally that was kept elsewhere, or that amends a result, has other taps, and another number of them.
    """
    if record.kind != KnownBy.TALLY or not isinstance(record.sheet, dict):
        return
    said = record.sheet.get("taps", [])
    kept = [tap for tap in game.taps if tap.kind != TallyTap.Kind.TAKE_OVER and tap.received_at <= record.submitted_at]
    if len(said) == len(kept) and sheet[: len(said)] != said:
        yield f"taps of game {game.code}", f"first {len(said)}", sheet[: len(said)], said, Gravity.ROW


def _check_tile_log(record: StoredRecord, game: GameRows, rules: Ruleset) -> Iterator[Found]:
    """Compare the log of a tile pad with the taps of its game. A log that was written elsewhere has other lines."""
    kept = [tap for tap in game.taps if tap.received_at <= record.submitted_at]
    if record.kind != KnownBy.LOG or record.text is None or not has_ended(kept):
        return
    stored = _lines(record.text)
    try:
        should = _lines(dumps(GameLog({}, entries_of(kept, rules))))
    except NotationError as error:
        yield f"taps of game {game.code}", "lines", str(error), "a log", Gravity.ROW
        return
    if len(stored) == len(should) and stored != should:
        yield f"log of record {record.pk}", "lines", stored, should, Gravity.ROW


def _lines(log: str) -> list[str]:
    return [line for line in log.splitlines() if line and not line.startswith("[")]


# --- State ---


def _check_state(match: MatchRows) -> Iterator[Found]:
    """Compare the state with the one that `results.settle` computes."""
    should = expected_states(match, [one for game in match.games for one in results_of(game) if one.current])
    if match.state not in should:
        yield f"match {match.pk}", "state", match.state, " or ".join(should), Gravity.ROW


def expected_states(match: MatchRows, standing: Sequence[StoredResult]) -> Sequence[str]:
    if match.is_void:
        return [Match.State.DECIDED.value]
    if not standing:  # upcoming, or at the table
        return [Match.State.SCHEDULED.value, Match.State.PLAYING.value]
    games = [GameOutcome(one.winner, is_official(one), one.needs_decision) for one in standing]
    sides = len(match.sides)
    if official_standing(match.best_of, games, sides=sides).over:
        return [Match.State.DECIDED.value]
    if provisional_standing(match.best_of, games, sides=sides).over or len(games) == match.best_of:
        return [Match.State.PROVISIONAL.value]
    return [Match.State.PLAYING.value]

"""Records over a set of finished matches: play, hand, win, run of wins, muggins, time.

Computed at each look, from the present rows and names. Of equal ones the first holds the record.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.urls import reverse

from games.notation.reading import write_time
from league.competitions.models import Season
from league.competitions.visibility import visible_competitions
from league.disputes.queries import publicly_open
from league.matches.models import Match
from league.matches.queries.finished import FinishedMatch, GameHighlights, finished_matches, highlights_of
from league.web.matches.replay_parts import MOST_ROUNDS, MOST_STEPS
from league.web.words import records as words
from referee.highlights import BestHand, BestPlay


@dataclass(frozen=True, slots=True)
class HeldRecord:
    """A record: its value, the sentence of its holder, and the address of its match or step.

    `equalled`: others that reach the same, in words; "" without any.
    """

    title: Any
    value: str
    holder: str
    address: str
    equalled: str = ""


@dataclass(frozen=True, slots=True)
class Records:
    """Records of `games` games; `basis`: how many of them have a log or known hands, "" if all have both."""

    held: Sequence[HeldRecord]
    games: int
    basis: str


def records_of_season(season: Season) -> Records | None:
    """Return the records of the public divisions of a season; None without any. A constant number of statements."""
    if season.published_at is None:
        return None
    divisions = visible_competitions(AnonymousUser()).filter(division__season=season)
    matches = Match.objects.filter(slot__matchday__stage__competition__in=divisions.order_by().values("pk"))
    disputed = set(publicly_open(season.league).values_list("match", flat=True))
    every = finished_matches(matches)
    sound = [one for one in every if not one.in_question and one.id not in disputed]
    known = highlights_of(f"season:{season.pk}", sound)
    held = [
        *_by_highlights(known.games if known.complete else ()),
        *_by_score(sound),
        *_longest_run(every, {one.id for one in sound}),
    ]
    games = [game for match in sound for game in match.games if game.is_played]
    logs, hands = sum(game.by_log for game in games), sum(game.by_hands for game in games)
    basis = words.basis(logs, hands, len(games)) if min(logs, hands) < len(games) else ""
    return Records(held, len(games), basis) if held else None


def _best(candidates: Sequence[tuple[int, Any]]) -> tuple[int, Any, int] | None:
    """Return the highest number, the first candidate that has it, and how many others have it."""
    if not candidates:
        return None
    most = max(number for number, _one in candidates)
    found = [one for number, one in candidates if number == most]
    return most, found[0], len(found) - 1


def _held(
    title: Any, candidates: Sequence[tuple[int, Any]], tell: Callable[[int, Any], tuple[str, str, str]]
) -> Iterator[HeldRecord]:
    """Yield the record; `tell` gives value, holder and address of the first that has it."""
    if found := _best(candidates):
        most, one, others = found
        value, holder, address = tell(most, one)
        yield HeldRecord(title, value, holder, address, words.equalled(others) if others else "")


# --- By the score ---


def _by_score(matches: Iterable[FinishedMatch]) -> Iterator[HeldRecord]:
    """Yield the largest win of a game between two, in points."""
    wins = [
        (2 * game.points[game.outcome.winner] - sum(game.points.values()), (match, game))
        for match in matches
        if len(match.sides) == 2
        for game in match.games
        if game.is_played_out and game.outcome.winner is not None
    ]
    yield from _held(words.WIN, [one for one in wins if one[0] > 0], _told_win)


def _told_win(margin: int, one: Any) -> tuple[str, str, str]:
    match, game = one
    winner = match.side(game.outcome.winner)
    [other] = match.others(winner.number)
    score = f"{game.points[winner.number]}–{game.points[other.number]}"
    return str(margin), words.by_score(winner.who.name, score, [other.who.name]), _address(match)


def _address(match: FinishedMatch) -> str:
    return reverse("matches:detail", args=[match.id])


# --- By plays and hands ---


def _by_highlights(games: Sequence[GameHighlights]) -> Iterator[HeldRecord]:
    plays = [(play.points, (one, play)) for one in games if (play := one.highlights.play)]
    yield from _held(words.PLAY, plays, _told_play)
    hands = [(hand.points, (one, hand)) for one in games if (hand := one.highlights.hand)]
    yield from _held(words.HAND, hands, _told_hand)
    muggins = [(max(one.highlights.muggins), one) for one in games if any(one.highlights.muggins)]
    yield from _held(words.MUGGINS, muggins, _told_muggins)
    times = [
        (-one.highlights.tenths, one)
        for one in games
        if one.highlights.tenths and one.game.is_played_out and one.game.outcome.winner is not None
    ]
    yield from _held(words.TIME, times, _told_time)


def _others(one: GameHighlights, number: int) -> list[str]:
    return [side.who.name for side in one.match.others(number)]


def _told_play(points: int, found: tuple[GameHighlights, BestPlay]) -> tuple[str, str, str]:
    one, play = found
    side = one.side_of(play.seat)
    holder = words.with_tile(side.who.name, play.tile, _others(one, side.number))
    return str(points), holder, f"{_address(one.match)}{_step(one, play.round, play.step)}"


def _step(one: GameHighlights, number: int, step: int) -> str:
    """Return the address of a step on the page of its match, in a long log with its part."""
    prefix = "" if one.game.number == 1 else f"g{one.game.number}."
    is_long = one.highlights.entries > MOST_STEPS or one.highlights.rounds > MOST_ROUNDS
    return f"{f'?rounds={prefix}{number}' if is_long else ''}#{prefix}r{number}.{step}"


def _told_hand(points: int, found: tuple[GameHighlights, BestHand]) -> tuple[str, str, str]:
    one, hand = found
    side = one.side_of(hand.seat)
    holder = words.in_hand(side.who.name, hand.round, _others(one, side.number))
    step = _step(one, hand.round, 0) if one.game.by_log else ""
    return str(points), holder, f"{_address(one.match)}{step}"


def _told_muggins(count: int, one: GameHighlights) -> tuple[str, str, str]:
    side = one.side_of(one.highlights.muggins.index(count))
    return str(count), words.against(side.who.name, _others(one, side.number)), _address(one.match)


def _told_time(tenths: int, one: GameHighlights) -> tuple[str, str, str]:
    side = one.match.side(one.game.outcome.winner or 0)
    seconds = -tenths // 10
    return write_time(10 * seconds), words.against(side.who.name, _others(one, side.number)), _address(one.match)


# --- Runs ---


def _longest_run(matches: Iterable[FinishedMatch], sound: set[int]) -> Iterator[HeldRecord]:
    """Yield the longest run of matches won at the table.

    A match in question ends the run of each side; a win without play neither ends nor lengthens one.
    """
    now: dict[int, int] = {}
    best: dict[int, tuple[int, str, FinishedMatch]] = {}
    for match in matches:
        for side in match.sides:
            one = side.entrant_id
            if match.id not in sound or match.winner != side.number:
                now[one] = 0
            elif match.is_played:
                now[one] = now.get(one, 0) + 1
                if now[one] > best.get(one, (0,))[0]:
                    best[one] = now[one], side.who.name, match
    found = _best([(count, (name, match)) for count, name, match in best.values() if count > 1])
    if found:
        most, (name, match), others = found
        equalled = words.equalled_run(others) if others else ""
        yield HeldRecord(words.RUN, str(most), words.apart(name), _address(match), equalled)

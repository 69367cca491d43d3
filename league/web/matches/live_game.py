"""Live game on its page, as far as it is public (A-17): the table of a tile pad, or the curve of a score pad."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from django.utils.safestring import SafeString

from games.moves import Blocked, Call, Draw, Event, Pass, Play, Reopening
from games.notation.lines import NotationError
from games.notation.reading import loads
from games.ruleset import Ruleset
from league.matches.live_score import LiveScore
from league.matches.tally.public_lines import public_game
from league.web.charts.live_curve import LiveCurve, live_curve
from league.web.matches.replay import shown_round
from league.web.matches.replay_html import board_html
from league.web.words.games.replay import said
from league.web.words.games.running_score import scored
from referee.frames import RoundFrames, reel
from referee.running_log import tags_of

SHOWN = (Play, Reopening, Draw, Pass, Call, Blocked)
MOST_EVENTS = 4


@dataclass(frozen=True, slots=True)
class LiveTable:
    """The hand in play: its picture, the open ends in words, the last events, the latest first, and
    the tiles left by name."""

    number: int
    board: SafeString
    ends: str
    events: list[str]
    held: list[tuple[str, int]]


@dataclass(frozen=True, slots=True)
class LiveGame:
    """Table of a tile pad or curve of a score pad; neither before a play or point is public.

    `scored`: the last scores of a score pad in words, each with the score after it, the latest first.
    """

    table: LiveTable | None = None
    curve: LiveCurve | None = None
    scored: Sequence[tuple[str, str]] = ()


def live_game(game_id: int, live: LiveScore, rules: Ruleset | None, names: Sequence[str]) -> LiveGame:
    """Return the public part of a live game. One statement."""
    found = public_game(game_id, live, rules, len(names))
    if rules is None:
        return LiveGame()
    if found.lines:
        return LiveGame(table=_table(found.lines, rules, names))
    told = list(scored(found.scores, names))[::-1][:MOST_EVENTS]
    return LiveGame(curve=live_curve(found.scores, names, rules.target), scored=told)


def _table(lines: Sequence[str], rules: Ruleset, names: Sequence[str]) -> LiveTable | None:
    try:
        [log] = loads("\n".join([*tags_of(rules, len(names)), *lines, ""]))
    except NotationError:
        return None
    film = reel(log)
    last = next((one for one in reversed(film.rounds) if one.frames and one.trail), None)
    if last is None:
        return None
    shown = shown_round(film, last, names)
    return LiveTable(
        number=shown.number,
        board=board_html(shown, marked=not film.counts) if shown.picture else SafeString(),
        ends=shown.ends,
        events=list(_events(last, names))[::-1][:MOST_EVENTS],
        held=list(zip(names, last.frames[-1].held, strict=True)),
    )


def _events(shown: RoundFrames, names: Sequence[str]) -> Iterator[str]:
    for step, frame in enumerate(shown.frames):
        if isinstance(frame.event, SHOWN) and shown.owning_step(step) == step:
            yield said(_public(shown.announced(step) or frame.event), names, shown.joined_to(frame))


def _public(event: Event) -> Event:
    """Return the event without the tiles that only the player saw."""
    return replace(event, tiles=()) if isinstance(event, Draw) else event

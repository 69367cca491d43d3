"""Mini boards on home page match cards: the final table of the last logged game.

A sealed log never changes, so its drawing stays in the cache as long as the cache keeps it; a log that fixes another
has a record, and a picture, of its own. An empty cache costs a page at most MOST_DRAWN pictures: further requests draw
the others.
"""

from collections.abc import Iterable
from typing import NamedTuple

from django.core.cache import cache
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from games.notation.lines import NotationError
from games.notation.reading import loads
from league.matches.last_logs import LastLog, last_logs, texts_of
from league.matches.queries.lines import MatchLine
from league.web.charts.board.drawing import MARGIN, DrawnTile, Picture, picture
from league.web.charts.board.trail import Joint
from league.web.words.games.halves import parts_of
from referee.frames import OpenFace, Reel, RoundFrames, reel

EDITION = 1
"""Edition of the drawing; a new edition invalidates every cached picture."""
KEPT_S = 30 * 24 * 3600
MOST_DRAWN = 2
MOST_BYTES = 6_000
FRAME = (232.0, 96.0)
"""Box on a card, in CSS pixels."""
LEAST = (17.0, 7.0)
"""Smallest picture, in units of half a tile: few tiles are not drawn larger than many."""

TRIM = MARGIN - 0.3
"""Margin cut off: without flags at the ends it is not needed."""


class MiniBoard(NamedTuple):
    """A small board; `drawing`: SVG, "" if too large for a card; `ends`: open faces."""

    round_number: int
    ends: str
    box: str
    drawing: str


NO_BOARD = MiniBoard(0, "", "", "")


def mini_boards(lines: Iterable[MatchLine]) -> dict[int, SafeString]:
    """Return the boards by match. One statement, a second if something is to be drawn."""
    keys = [line.id for line in lines if line.games]
    last = last_logs(keys) if keys else {}
    boards = _kept([one.record for one in last.values()])
    return {match: _html(boards[one.record], one) for match, one in last.items() if boards.get(one.record, NO_BOARD)[3]}


def _kept(records: Iterable[int]) -> dict[int, MiniBoard]:
    by_key = {f"mini-board:{EDITION}:{record}": record for record in records}
    found = {by_key[key]: MiniBoard(*kept) for key, kept in cache.get_many(by_key).items()} if by_key else {}
    missing = [record for record in by_key.values() if record not in found][:MOST_DRAWN]
    if missing:
        drawn = {record: board_of(text) for record, text in texts_of(missing).items()}
        cache.set_many({f"mini-board:{EDITION}:{record}": tuple(one) for record, one in drawn.items()}, KEPT_S)
        found |= drawn
    return found


def board_of(text: str) -> MiniBoard:
    """Return the table at the end of the last round with a played tile in a log."""
    try:
        [log] = loads(text)
    except (NotationError, ValueError):
        return NO_BOARD
    film = reel(log)
    last = next((one for one in reversed(film.rounds) if one.trail and one.frames), None)
    return _drawn(film, last) if last else NO_BOARD


def _drawn(film: Reel, last: RoundFrames) -> MiniBoard:
    trail = tuple(Joint(one.inner, one.outer, one.on) for one in last.trail)
    laid = picture(trail, last.root, spinner=last.spinner, frame=FRAME)
    if laid is None:
        return NO_BOARD
    drawing = "".join(map(_tile, laid.tiles)) if film.counts else _marked(laid)
    if len(drawing) > MOST_BYTES - 500:
        return NO_BOARD
    ends = next((frame.ends for frame in reversed(last.frames) if frame.ends), ())
    return MiniBoard(last.number, ", ".join(_end(one, last) for one in ends), _box(laid), drawing)


def _end(end: OpenFace, shown: RoundFrames) -> str:
    """Return an open end's text: a half's face, a double's name."""
    return shown.trail[end.tile].tile if len(end.terms) > 1 else end.face


def _box(laid: Picture) -> str:
    left, top, width, height = laid.box
    wide, high = max(width - 2 * TRIM, LEAST[0]), max(height - 2 * TRIM, LEAST[1])
    return " ".join(f"{one:g}" for one in (left - (wide - width) / 2, top - (high - height) / 2, wide, high))


def _tile(tile: DrawnTile) -> str:
    """Draw a tile with the symbol of the lying tile (higher half on the left)."""
    turn = (tile.turn + (90 if tile.first >= tile.second else 270)) % 360
    high, low = max(tile.first, tile.second), min(tile.first, tile.second)
    spinner = ' class="spinner"' if tile.spinner else ""
    return f'<use href="#t{high}-{low}"{spinner} transform="translate({tile.x:g} {tile.y:g})rotate({turn})"/>'


def _marked(laid: Picture) -> str:
    """Draw tiles without pips by colours only, each colour in a single group.

    With groups, fifty tiles are as light as thirty without.
    """
    bones = "".join(
        f'<use href="#tile" transform="translate({one.x:g} {one.y:g}){f"rotate({one.turn})" if one.turn else ""}"/>'
        for one in laid.tiles
    )
    places: dict[str, list[str]] = {}
    for one in laid.tiles:
        for half, (x, y) in zip((one.first, one.second), one.halves, strict=True):
            colour = parts_of(half)[0]
            places.setdefault(colour, []).append(f'<use href="#c{colour or "none"}" x="{x:g}" y="{y:g}"/>')
    return bones + "".join(f'<g class="face {colour}">{"".join(uses)}</g>' for colour, uses in places.items())


def _html(board: MiniBoard, last: LastLog) -> SafeString:
    told = _("Table at the end of game %(game)s, hand %(round)s. Open ends: %(ends)s.") % {
        "game": last.game,
        "round": board.round_number,
        "ends": board.ends or "–",
    }
    return format_html(
        '<svg class="mini-board" viewBox="{}" role="img" aria-label="{}" focusable="false">{}</svg>',
        board.box,
        told,
        mark_safe(board.drawing),  # noqa: S308 (built above from numbers and faces)
    )

"""HTML of a replay's small parts: steps of a round and tiles of its picture.

Built here instead of in templates: a game has hundreds of them, and a template takes ten times as long (figures in
docs/decisions/pages.md). All text written by people is escaped.
"""

from collections.abc import Iterable

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from games.uno.markings import COLOUR_NAMES
from league.matches.annotated_log import FindingLine
from league.web.charts.board.drawing import DrawnTile, Picture
from league.web.charts.board.snake import Rect
from league.web.components.icons import icon
from league.web.components.tiles import mark, with_tiles
from league.web.matches.replay import ReplayRound, ReplayStep
from league.web.words import labels

LEAST = (14.0, 9.0)
"""Smallest picture, in units of half a tile."""


def steps_html(shown: ReplayRound, anchor: str) -> SafeString:
    """Return the list items of a round; `anchor`: prefix of the log lines' anchors."""
    opened = _("Open: %(ends)s.")
    return _safe(_step(step, anchor, opened) for step in shown.steps)


def _step(step: ReplayStep, anchor: str, opened: str) -> str:
    kinds = " ".join(
        kind for kind, is_so in (("play", step.is_play), ("scored", step.scored), ("marked", step.findings)) if is_so
    )
    turn = "" if step.to_act is None else f' data-turn="{step.to_act}"'
    data = {"k": step.placed, "flags": step.flags, "held": step.held, "hands": step.hands, "yard": step.boneyard}
    if step.at is not None:
        data["at"] = step.at
    told = "".join(f' data-{name}="{escape(value)}"' for name, value in data.items())
    parts = [
        f'<li id="{step.anchor}" class="{kinds}"{told} data-scores="{"|".join(map(str, step.scores))}"{turn}>',
        f'<a class="number" href="#{step.anchor}">{step.number}</a> ',
        f'<span id="{step.also}"></span>' if step.also else "",
        f"<time>{step.time}</time> " if step.time else "",
        f'<span class="said">{with_tiles(step.sentence)}</span>',
        f' <span class="worked">{escape(step.sum)} → {escape(step.worth)}</span>' if step.sum else "",
        f' <b class="score">{" – ".join(map(str, step.scores))}</b>' if step.scored else "",
        f'<span class="hidden open-ends"> {escape(opened % {"ends": step.ends})}</span>' if step.ends else "",
        *(_mark(finding, anchor) for finding in step.findings),
        "</li>",
    ]
    return "".join(parts)


def _mark(finding: FindingLine, anchor: str) -> str:
    label = labels.finding_label(finding.code, finding.severity)
    rule = f' <a href="#{anchor}{finding.line}">{escape(finding.rule_number)}</a>' if finding.rule_number else ""
    told = with_tiles(finding.sentence) if finding.names_tiles else escape(finding.sentence)
    said = f"{icon(label.icon)}{escape(label.word)}: {told}{rule}"
    return f' <span class="mark {label.tone}">{said}</span>'


def board_html(shown: ReplayRound, *, marked: bool) -> SafeString:
    """Return the table at the end of a round; no tile moves while its steps are shown."""
    drawn: Picture = shown.picture
    label = _("Table at the end of hand %(number)s. Open: %(ends)s.") % {
        "number": shown.number,
        "ends": shown.ends or "–",
    }
    box = " ".join(f"{one:g}" for one in _roomy(drawn.box))
    return _safe(
        (
            f'<svg class="board" viewBox="{box}" role="img" aria-label="{escape(label)}" focusable="false">',
            *(_tile(one, shown.seats[one.number], marked=marked) for one in drawn.tiles),
            '<g class="flags">',
            *(flag_html(*flag.split(",", 2)) for flag in shown.steps[-1].flags.split(";") if flag),
            "</g></svg>",
        )
    )


def _roomy(box: Rect) -> Rect:
    """Enlarge a small box, so that two tiles are not drawn larger than ten."""
    left, top, width, height = box
    wide, high = max(width, LEAST[0]), max(height, LEAST[1])
    return left - (wide - width) / 2, top - (high - height) / 2, wide, high


def _tile(tile: DrawnTile, seat: int, *, marked: bool) -> str:
    turn = f"rotate({tile.turn})" if tile.turn else ""
    halves = "" if marked else f'<use href="#h{tile.first}" y="-.5"/><use href="#h{tile.second}" y=".5"/>'
    faces = zip((tile.first, tile.second), tile.halves, strict=True) if marked else ()
    return (
        f'<g class="t by-{seat}{" spinner" if tile.spinner else ""}" data-n="{tile.number}">'
        f'<g transform="translate({tile.x:g} {tile.y:g}){turn}"><use href="#tile"/>{halves}</g>'
        f"{''.join(mark(name, f'translate({x:g} {y:g})') for name, (x, y) in faces)}</g>"
    )


def flag_html(x: str, y: str, word: str) -> str:
    """Return the flag of an open end: its count, or the named colour."""
    if word in COLOUR_NAMES:
        return f'<g class="face {word}" transform="translate({x} {y})"><use href="#c{word}"/></g>'
    return f'<g transform="translate({x} {y})"><circle r=".42"/><text y=".2">{escape(word)}</text></g>'


def _safe(parts: Iterable[str]) -> SafeString:
    return mark_safe("".join(parts))  # noqa: S308 (built here from numbers and escaped text)

"""Matches as rows: names and scores, the hour of an unplayed one, the source of a result; a mark for the unusual."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import pgettext

from league.competitions.queries.lists import Whereabouts
from league.matches.queries.lines import MatchLine, SideScore
from league.web.components.match_row import NOTHING, USUAL, badge, known_badges, name_apart
from league.web.words import labels

EVENING = 17
"""From this hour on, today is called tonight."""


def by_round(lines: Iterable[MatchLine], places: Mapping[int, Whereabouts]) -> dict[str, list[MatchLine]]:
    """Group the lines under competition and round, in the order of their first lines."""
    found: dict[str, list[MatchLine]] = {}
    for line in lines:
        place = places.get(line.id)
        found.setdefault(f"{place.competition} · {place.matchday}" if place else line.league.name, []).append(line)
    return found


def by_competition(lines: Iterable[MatchLine], places: Mapping[int, Whereabouts]) -> dict[str, list[MatchLine]]:
    """Group the lines under competition, in the order of their first lines."""
    found: dict[str, list[MatchLine]] = {}
    for line in lines:
        place = places.get(line.id)
        found.setdefault(place.competition if place else line.league.name, []).append(line)
    return found


def row(
    line: MatchLine, now: datetime, board: SafeString | None = None, place: Whereabouts | None = None
) -> SafeString:
    """Return the row of a match: one link, and the running score of a live one.

    `board`: its picture, for wide screens. `place`: the row says its round, and the day of a played match.
    """
    shape = (
        '<li class="row{}"><a href="{}"><span class="row-sides">{}</span>{}<span class="row-note">{}</span></a>{}</li>'
    )
    return format_html(
        shape,
        " running-here" if _points_of(line) else "",
        reverse("matches:detail", args=[line.id]),
        format_html_join("", "{}", ((_side(line, one),) for one in line.sides)),
        board or NOTHING,
        format_html_join("", "{}", ((one,) for one in _notes(line, now, place))),
        _running(line),
    )


def _running(line: MatchLine) -> SafeString:
    if line.live is None:
        return NOTHING
    with timezone.override(line.time_zone):
        return render_to_string("components/live_score.html", {"line": line})


def _notes(line: MatchLine, now: datetime, place: Whereabouts | None) -> Iterator[SafeString]:
    """Yield what stands beside names and score."""
    yield from _round(line, place)
    yield from _coming(line, now)
    state = labels.of_match(line)
    if state == labels.PROVISIONAL:
        yield format_html('<span class="hint">{}</span>', pgettext("match in a row", "unconfirmed"))
    elif state not in USUAL:
        yield badge(state)
    yield known_badges(line)


def _round(line: MatchLine, place: Whereabouts | None) -> Iterator[SafeString]:
    if place is None:
        return
    played = _has_score(line) and line.starts_at
    day = date_format(line.starts_at.astimezone(ZoneInfo(line.time_zone)), "j M Y") if played else ""
    yield format_html("<span>{}</span>", " · ".join(filter(None, (place.matchday, day))))


def _coming(line: MatchLine, now: datetime) -> Iterator[SafeString]:
    """Yield hour and table of a match without a score."""
    if _has_score(line):
        return
    if line.starts_at:
        yield when(line.starts_at, line.time_zone, now)
    if line.table:
        yield format_html('<span class="hint">{}</span>', _table(line))


def when(at: datetime, time_zone: str, now: datetime) -> SafeString:
    """Return day and hour as people say them: “Tonight, 19:00”, “Tue 24 Nov, 19:00”."""
    zone = ZoneInfo(time_zone)
    there, today = at.astimezone(zone), now.astimezone(zone).date()
    day = date_format(there, "D j M")
    if there.date() == today:
        day = pgettext("day", "Tonight") if there.hour >= EVENING else pgettext("day", "Today")
    elif there.date() == today + timedelta(days=1):
        day = pgettext("day", "Tomorrow")
    return format_html('<time datetime="{}">{}, {}</time>', there.isoformat(), day, date_format(there, "H:i"))


def _points_of(line: MatchLine) -> Mapping[int, int]:
    """Return the running score by side, where it is the score: in a match of one game."""
    return line.live.points if line.live and line.best_of == 1 else {}


def _side(line: MatchLine, one: SideScore) -> SafeString:
    won = format_html('<span class="hidden">{} </span>', pgettext("before a name", "Winner:")) if one.won else NOTHING
    score = NOTHING if one.score is None else format_html("<b>{}</b>", one.score)
    if points := _points_of(line):
        score = format_html('<b data-points-of="{}">{}</b>', line.id, points.get(one.number, 0))
    shape = '<span class="row-side{}">{}<span><bdi>{}</bdi>{}</span>{}</span>'
    return format_html(shape, " won" if one.won else "", won, one.name, name_apart(one.apart), score)


def _table(line: MatchLine) -> str:
    return pgettext("furniture", "Table %(name)s") % {"name": line.table}


def _has_score(line: MatchLine) -> bool:
    return line.live is not None or any(one.score is not None for one in line.sides)

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

from league.competitions.draw_view import BerthView, SlotView
from league.competitions.queries.lists import Whereabouts
from league.matches.queries.lines import MatchLine, SideScore
from league.web.components.match_row import NOTHING, USUAL, badge, berth_name, hour, known_badges, name_apart
from league.web.words import labels
from league.web.words.matches import number_of

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
    notes = [*_round(line, place), *_coming(line, now), *_state(line, labels.of_match(line))]
    return _linked(line, _sides(line), notes, board=board or NOTHING)


def slot_row(slot: SlotView, round_at: datetime | None, time_zone: str) -> SafeString:
    """Return the row of a match in a draw.

    `round_at`: the hour of its round, which its rows do not repeat.
    """
    notes = [*_where(slot), *_own_hour(slot, round_at, time_zone)]
    below = _draw_notes(slot)
    if line := slot.match:
        absent = (_berth(one) for one in slot.berths if one.absent)
        return _linked(line, [*_sides(line), *absent], [*notes, *_state(line, labels.of_slot(slot))], below=below)
    label = labels.to_come(slot)
    notes += [] if label in USUAL else [badge(label)]
    body = '<div class="row-body"><span class="row-sides">{}</span><span class="row-note">{}</span></div>'
    return format_html(f'<li class="row">{body}{{}}</li>', _joined(map(_berth, slot.berths)), _joined(notes), below)


def _linked(
    line: MatchLine,
    sides: Iterable[SafeString],
    notes: Iterable[SafeString],
    *,
    board: SafeString = NOTHING,
    below: SafeString = NOTHING,
) -> SafeString:
    """Return a row that is one link to the match."""
    link = '<a href="{}"><span class="row-sides">{}</span>{}<span class="row-note">{}</span></a>'
    return format_html(
        f'<li class="row{{}}">{link}{{}}{{}}</li>',
        " running-here" if _points_of(line) else "",
        reverse("matches:detail", args=[line.id]),
        _joined(sides),
        board,
        _joined(notes),
        _running(line),
        below,
    )


def _joined(parts: Iterable[SafeString]) -> SafeString:
    return format_html_join("", "{}", ((one,) for one in parts))


def _sides(line: MatchLine) -> list[SafeString]:
    return [_side(line, one) for one in line.sides]


def _berth(berth: BerthView) -> SafeString:
    return format_html('<span class="row-side"><span>{}</span></span>', berth_name(berth))


def _running(line: MatchLine) -> SafeString:
    if line.live is None:
        return NOTHING
    with timezone.override(line.time_zone):
        return render_to_string("components/live_score.html", {"line": line})


# --- Notes beside names and score ---


def _state(line: MatchLine, state: labels.Label) -> Iterator[SafeString]:
    """Yield state and source of a result, the usual state excepted."""
    if state == labels.PROVISIONAL:
        yield format_html('<span class="hint">{}</span>', pgettext("match in a row", "unconfirmed"))
    elif state not in USUAL:
        yield badge(state)
    yield known_badges(line)


def _where(slot: SlotView) -> Iterator[SafeString]:
    """Yield the number in a knock-out, and before a score the table with its marks."""
    words = [pgettext("draw", "Third place")] if slot.third_place else []
    if slot.number and slot.knock_out:
        words.append(pgettext("draw", "Match %(number)s") % {"number": number_of(slot)})
    at_table = slot.table and not slot.not_needed and not _is_played(slot)
    if at_table:
        words.append(pgettext("furniture", "Table %(name)s") % {"name": slot.table})
    marks = _marks(slot) if at_table else NOTHING
    if words:
        yield format_html('<span class="hint">{}{}</span>', " · ".join(words), marks)


def _marks(at: SlotView | MatchLine) -> SafeString:
    return render_to_string("components/table_marks.html", {"at": at}) if at.accessible or at.on_stream else NOTHING


def _own_hour(slot: SlotView, round_at: datetime | None, time_zone: str) -> Iterator[SafeString]:
    """Yield the hour of a match without a score, where it is not that of the round."""
    if slot.starts_at and slot.starts_at != round_at and not slot.not_needed and not _is_played(slot):
        yield hour(slot.starts_at, time_zone)


def _is_played(slot: SlotView) -> bool:
    return slot.match is not None and any(one.score is not None for one in slot.match.sides)


def _draw_notes(slot: SlotView) -> SafeString:
    """Return what amendments of earlier results mean for the match; nothing, mostly."""
    if not (slot.may_change or slot.stands or slot.stands_as_drawn):
        return NOTHING
    return render_to_string("components/draw_notes.html", {"slot": slot})


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
        yield format_html('<span class="hint">{}{}</span>', _table(line), _marks(line))


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

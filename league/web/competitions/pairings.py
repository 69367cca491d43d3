"""Pairings of a round for a crowd: phones, print, projector, and text for a chat."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from league.competitions.adjustments import standing_adjustments
from league.competitions.draw_view import BerthView, MatchdayView, SlotView
from league.competitions.models import Competition, Matchday
from league.competitions.queries.check_in import NameLine, RoundPage, own_slots, round_page
from league.competitions.queries.competition import CompetitionPage, competition_page
from league.competitions.queries.final_places import FinalPlace, final_ranking
from league.matches.models import Match
from league.matches.queries.finished import FINISHED
from league.matches.queries.lines import match_lines
from league.web.competitions.round_up import RoundUp, round_up_at
from league.web.components import tie_break_cells
from league.web.components.text_width import sizes_on_wall
from league.web.shared.absolute_url import absolute, public_code
from league.web.shared.open_graph import preview_of_round
from league.web.shared.page_cache import kept_page
from league.web.shared.pagination import page_of
from league.web.words.matches import coming_from
from league.web.words.numbers import points_given
from league.web.words.tie_breaks import COLUMNS

# Fits one sheet of A4 or Letter in two columns of 14 points, with room for names that take two lines.
ROWS_A_SHEET = 26
# Two columns, each row a ninth of the screen's height: no row is cut.
ROWS_A_SCREEN = 14
TURN_S = 10
# At larger tables the others play on without an entrant who has left.
MOST_SIDES = 2
ROWS_A_PAGE = 400
MOST_ROUNDS = 2000
# A later start is shown as an hour, without a countdown.
SOON = timedelta(hours=3)


# Letters of ": forfeit from 19:15" behind a name.
LATE = 20


@dataclass(frozen=True, slots=True)
class PairingRow:
    """A line of the list: by table with both names, by name with the opponent."""

    slot: SlotView
    name: NameLine | None = None

    @property
    def changed(self) -> datetime | None:
        return self.slot.changed_at

    @property
    def sizes(self) -> str:
        """Classes of its letters on a projector, so that no name is cut."""
        names = [berth.entrant.name for berth in self.slot.berths if berth.entrant]
        if self.name:
            names = [self.name.name, self.name.opponent]
        elif len(names) > MOST_SIDES:
            names = [" · ".join(names)]
        notes = [berth.entrant.name + " " * LATE for berth in self.slot.berths if berth.entrant and berth.awaited_since]
        notes += [""] * (bool(self.changed) + self.slot.on_stream)
        return sizes_on_wall(names, notes)


@dataclass(frozen=True, slots=True)
class OwnPairing:
    """A pairing of the reader.

    `table`: empty if none is assigned; `against`: berths of the opponents; `minutes`: until the start, None after
    it or if it is more than `SOON` away.
    """

    slot: SlotView
    table: str
    against: list[BerthView]
    minutes: int | None


@kept_page
def detail(request: HttpRequest, league_slug: str, slug: str, number: int) -> HttpResponse:
    """Show the pairings of a round.

    `?sort=name` lists every name once; `?wall=1` is for a projector, by name unless `?sort=` says otherwise.
    """
    page = _page(league_slug, slug, number)
    wall = request.GET.get("wall") == "1"
    by_name = request.GET.get("sort", "name" if wall else "table") == "name"
    rows = [PairingRow(one.slot, one) for one in page.names] if by_name else [PairingRow(slot) for slot in page.tables]
    with timezone.override(page.competition.league.time_zone):
        context = {
            "page": page,
            "competition": page.competition,
            "by_name": by_name,
            "now": timezone.now(),
            "live": absolute(request, request.path),
            "area": "competitions",
        }
        if wall:
            shown = page_of(request, [] if page.day.hidden else _played(rows, page.left), ROWS_A_SCREEN)
            following = shown.next_page_number() if shown.has_next() else 1
            return render(
                request, "competitions/wall.html", {**context, "rows": shown, "following": following, "seconds": TURN_S}
            )
        size, path = public_code(context["live"])
        told = _round_up(page)
        listed = page_of(request, [] if page.day.hidden else rows, ROWS_A_PAGE)
        context |= {
            "rows": listed,
            "sheets": _sheets(listed.object_list),
            "mine": _mine(request, page, context["now"]),
            "text": round_text(page, by_name=by_name, now=context["now"]),
            "size": size,
            "path": path,
            "round_up": told,
            "preview": preview_of_round(request, told.competition, number, told.name, told.sentences) if told else None,
        }
        return render(request, "competitions/round.html", context)


def _round_up(page: RoundPage) -> RoundUp | None:
    """Return the round-up of a finished round; no statement before."""
    open_ones = [
        one for one in page.tables if not one.not_needed and (not one.match or one.match.state not in FINISHED)
    ]
    if page.day.hidden or open_ones:
        return None
    return round_up_at(page.competition.league.slug, page.competition.slug, page.day.number)


def _played(rows: Sequence[PairingRow], left: frozenset[int]) -> list[PairingRow]:
    """Leave out forfeited matches, and those of entrants who have withdrawn: nobody goes to their tables."""
    return [
        row
        for row in rows
        if not row.slot.forfeited and (len(row.slot.berths) > MOST_SIDES or left.isdisjoint(row.slot.entrant_ids))
    ]


def text(request: HttpRequest, league_slug: str, slug: str, number: int) -> HttpResponse:
    """Show the same list as plain text to copy by hand, if no copy button works."""
    page = _page(league_slug, slug, number)
    if page.day.hidden:
        raise Http404
    by_name = request.GET.get("sort") == "name"
    with timezone.override(page.competition.league.time_zone):
        context = {
            "competition": page.competition,
            "heading": page.day.name,
            "back": reverse("competitions:round", args=[league_slug, slug, number]),
            "text": round_text(page, by_name=by_name, now=timezone.now()),
            "area": "competitions",
        }
        return render(request, "competitions/text.html", context)


def standings(request: HttpRequest, league_slug: str, slug: str) -> HttpResponse:
    """Show the standings, or the final ranking of a knock-out, as plain text."""
    try:
        page = competition_page(request.user, league_slug, slug)
    except Competition.DoesNotExist as absent:
        raise Http404 from absent
    with timezone.override(page.competition.league.time_zone):
        context = {
            "competition": page.competition,
            "heading": pgettext("heading", "Standings"),
            "back": reverse("competitions:detail", args=[league_slug, slug]),
            "text": standings_text(page, now=timezone.now()),
            "area": "competitions",
        }
        return render(request, "competitions/text.html", context)


def _page(league_slug: str, slug: str, number: int) -> RoundPage:
    if number > MOST_ROUNDS:  # a larger number may not fit the database's integer
        raise Http404
    try:
        return round_page(league_slug, slug, number)
    except (Competition.DoesNotExist, Matchday.DoesNotExist) as absent:
        raise Http404 from absent


def _sheets(rows: Sequence[PairingRow]) -> list[Sequence[PairingRow]]:
    return [rows[start : start + ROWS_A_SHEET] for start in range(0, len(rows), ROWS_A_SHEET)]


def _mine(request: HttpRequest, page: RoundPage, now: datetime) -> list[OwnPairing]:
    """Return the reader's pairings with their tables.

    The table of a minor is visible only to that player and the staff.
    """
    own = own_slots(page, request.user)
    if not own:
        return []
    matches = Match.objects.filter(slot__in=own).select_related("slot")
    ids = dict(matches.values_list("slot", "pk"))
    lines = {line.id: line for line in match_lines(matches, request.user)}
    found = []
    for slot in page.day.slots:
        if slot.id in own:
            line = lines.get(ids.get(slot.id, 0))
            against = [one for one in slot.berths if one.entrant is None or one.entrant.entrant_id != own[slot.id]]
            found.append(OwnPairing(slot, line.table if line else "", against, _minutes(slot.starts_at, now)))
    return found


def _minutes(starts_at: datetime | None, now: datetime) -> int | None:
    left = starts_at - now if starts_at else None
    return ceil(left / timedelta(minutes=1)) if left is not None and timedelta() < left <= SOON else None


# --- Plain text ---


def round_text(page: RoundPage, *, by_name: bool, now: datetime) -> str:
    """Write the round as text: a line for each match, or for each name.

    Contains no secrets, only what the page shows.
    """
    head = f"{page.competition}, {page.day.name}"
    lines = [_name_text(one) for one in page.names] if by_name else [_slot_text(one) for one in page.tables]
    byes = [] if by_name else list(_bye_lines(page.day))
    return "\n".join([head, _as_of(now, page.day.version), "", *lines, *byes])


def _bye_lines(day: MatchdayView) -> Iterator[str]:
    if day.bye:
        yield f"{_('Bye:')} {', '.join(day.bye)}"
    if day.requested_byes:
        yield f"{pgettext('matchday', 'Requested bye:')} {', '.join(day.requested_byes)}"


def _as_of(now: datetime, version: int) -> str:
    told = pgettext("pairings", "As of %(time)s, version %(version)d")
    return told % {"time": date_format(now, "H:i"), "version": version}


def _slot_text(slot: SlotView) -> str:
    """`Table 4 · 19:30 · Ana Ruiz – Bo Chen`"""
    both = " – ".join(_berth_text(berth) for berth in slot.berths)
    return " · ".join([*_place(slot), both])


def _name_text(one: NameLine) -> str:
    name = f"{one.name} ({one.apart})" if one.apart else one.name
    if one.bye:
        kind = pgettext("draw", "Requested bye") if one.slot.requested_bye else pgettext("draw", "Bye")
        return f"{name}: {kind}"
    against = one.opponent or pgettext("opponent", "not known yet")
    return f"{name}: {' · '.join([*_place(one.slot), against])}"


def _place(slot: SlotView) -> list[str]:
    table = pgettext("furniture", "Table %(name)s") % {"name": slot.table} if slot.table else ""
    hour = date_format(timezone.localtime(slot.starts_at), "H:i") if slot.starts_at else ""
    return [part for part in (table, hour) if part]


def _berth_text(berth: BerthView) -> str:
    if berth.entrant:
        return f"{berth.entrant.name} ({berth.entrant.apart})" if berth.entrant.apart else berth.entrant.name
    return coming_from(berth)


def standings_text(page: CompetitionPage, *, now: datetime) -> str:
    """Write the standings with each number beside its word.

    Columns would not align in a chat.
    """
    rows = page.table.rows(official_only=not page.has_provisional) if page.table else []
    lines = tie_break_cells.lines(rows, page.competition.tie_breaks, page.entrants, {})
    listed = [_standing_text(line) for line in lines]
    if not page.stages[-1].spec.has_table:
        places = [_place_text(place) for place in final_ranking(page)]
        listed = [*places, "", pgettext("heading", "Standings"), *listed] if places and page.table else places or listed
    told = pgettext("standings", "As of %(time)s") % {"time": date_format(now, "j M, H:i")}
    waits = [_("Includes unconfirmed results.")] if page.has_provisional and page.table else []
    nothing = [_("Nothing is decided yet.")]
    return "\n".join([str(page.competition), told, *waits, "", *(listed or nothing), *_bonus_texts(page)])


def _bonus_texts(page: CompetitionPage) -> list[str]:
    """Write `Bo Chen: −2 match points, arrived late`, after an empty line. One statement, none without any."""
    having = page.table.rules.scoring.bonus if page.table else {}
    given = standing_adjustments(page.competition, having) if having else ()
    lines = [f"{one.registration.entrant}: {points_given(one.points)}, {one.reason}" for one in given]
    return ["", *lines] if lines else []


def _place_text(place: FinalPlace) -> str:
    """`5–8. Ana Ruiz`"""
    one = place.entrant
    return f"{place.numbers}. {one.name} ({one.apart})" if one.apart else f"{place.numbers}. {one.name}"


def _standing_text(line: tie_break_cells.StandingLine) -> str:
    """`1. Ana Ruiz: P 4 · W 3 · +/− +120`"""
    row = line.row
    name = f"{row.name} ({line.apart})" if line.apart else row.name
    played = f"{pgettext('column: played', 'P')} {row.played}"
    columns = [
        f"{COLUMNS[one.key].short} {line.direct_points or '–' if one.direct else one.text}" for one in line.cells
    ]
    place = f"{row.rank}." if row.rank else "–"
    return f"{place} {name}: {' · '.join([played, *columns])}"

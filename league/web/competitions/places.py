"""Chart of places as one address asks for it: a window of entrants and of rounds."""

from dataclasses import dataclass, replace

from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import pgettext

from league.competitions.entrant_names import placed
from league.competitions.models import Competition
from league.competitions.queries.competition import CompetitionPage
from league.competitions.queries.places_by_round import Climb, Journey, climbs, journeys, ways_on_ladder
from league.web.charts.places import MOST_COLUMNS, MOST_LINES, PlaceChart, PlaceColumn, place_chart
from league.web.competitions.standings_view import asked_number, place_followed


@dataclass(frozen=True, slots=True)
class PlacesView:
    """One window of the chart of places.

    `at`: places of the table that are drawn, from 0, of `total`; `columns`: the rounds drawn, of `count`. `chart`:
    None before the first result. `followed`: a code, or empty. `official_only` as in the standings. `left_out`:
    number of rounds before all of these.
    """

    chart: PlaceChart | None
    at: range
    total: int
    columns: range
    count: int
    followed: str
    official_only: bool
    left_out: int = 0

    @property
    def first(self) -> int:
        return self.at.start + 1

    @property
    def before(self) -> int | None:
        """First place of the previous window."""
        return max(self.first - MOST_LINES, 1) if self.at.start else None

    @property
    def beyond(self) -> int | None:
        return self.at.stop + 1 if self.at.stop < self.total else None

    @property
    def earlier(self) -> int | None:
        """Last round of the previous columns."""
        return self.columns.start or None

    @property
    def later(self) -> int | None:
        return min(self.columns.stop + MOST_COLUMNS, self.count) if self.columns.stop < self.count else None


def table_places(request: HttpRequest, page: CompetitionPage) -> PlacesView:
    """Chart the places of the page's cached table.

    At most one statement while the table is cached.
    """
    official_only = request.GET.get("table") == "official" or not page.has_provisional
    codes = page.table.listing(official_only=official_only).codes
    followed = place_followed(request, codes)
    at = _window(request, len(codes), followed)
    found = journeys(page.table, at, official_only=official_only)
    columns = _columns(request, len(found.rounds), MOST_COLUMNS)
    code = "" if followed is None else codes[followed]
    rounds = [_round(page.competition, found.rounds[number]) for number in columns]
    chart = place_chart([_cut(way, columns) for way in found.ways], rounds, code) if rounds else None
    return PlacesView(chart, at, len(codes), columns, len(found.rounds), code, official_only, found.left_out)


def ladder_places(request: HttpRequest, page: CompetitionPage) -> PlacesView:
    """Chart the places of a ladder.

    The first column holds the places before the first challenge shown.
    """
    found = climbs(next(one for one in page.stages if one.is_ladder))
    people = {one.entrant_id: one for one in placed(page.competition, only=found.now)}
    codes = [people[one].code for one in found.now]
    followed = place_followed(request, codes)
    at = _window(request, len(codes), followed)
    columns = _columns(request, len(found.climbs), MOST_COLUMNS - 1)
    code = "" if followed is None else codes[followed]
    ways = ways_on_ladder(found, [people[found.now[one]] for one in at], columns)
    start = reverse("competitions:detail", args=[page.competition.league.slug, page.competition.slug])
    before = PlaceColumn("–", pgettext("chart of places", "Before the first challenge shown"), start)
    with timezone.override(page.competition.league.time_zone):
        challenges = [_challenge(found.climbs[number]) for number in columns]
    chart = place_chart(ways, [before, *challenges], code) if challenges else None
    return PlacesView(chart, at, len(codes), columns, len(found.climbs), code, official_only=True)


def _round(competition: Competition, number: int) -> PlaceColumn:
    told = pgettext("chart of places", "Round %(number)d") % {"number": number}
    address = reverse("competitions:round", args=[competition.league.slug, competition.slug, number])
    return PlaceColumn(str(number), told, address)


def _challenge(one: Climb) -> PlaceColumn:
    at = timezone.localtime(one.at)
    told = pgettext("chart of places", "Challenge decided on %(day)s") % {"day": date_format(at, "j M Y, H:i")}
    return PlaceColumn(date_format(at, "j M"), told, reverse("matches:detail", args=[one.match]))


def _window(request: HttpRequest, total: int, followed: int | None) -> range:
    asked = asked_number(request, "from")
    first = asked - 1 if asked else (followed or 0) - MOST_LINES // 2 + 1
    first = max(min(first, total - MOST_LINES), 0)
    return range(first, min(first + MOST_LINES, total))


def _columns(request: HttpRequest, count: int, most: int) -> range:
    asked = asked_number(request, "until")
    last = asked if asked and asked < count else count
    return range(max(last - most, 0), last)


def _cut(way: Journey, columns: range) -> Journey:
    part = slice(columns.start, columns.stop)
    return replace(way, ranks=way.ranks[part], lines=way.lines[part])

"""Rows of the standings as HTML built in Python.

A template would take longer for hundreds of cells (docs/decisions/speed.md).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import attrgetter

from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import npgettext, pgettext

from league.competitions.standings.compute import Outcome
from league.web.competitions.standings_view import StandingsView
from league.web.components.icons import icon
from league.web.components.initials import initials_badge
from league.web.components.match_row import name_apart
from league.web.components.tie_break_cells import StandingCell, StandingLine
from league.web.words.labels import Label
from league.web.words.numbers import points_given

NO_RESULTS = SafeString('<span aria-hidden="true">–</span>')
STRONG = SafeString(' class="strong"')

Plain = Callable[[StandingLine], object]


def rows(view: StandingsView, at_tables: object) -> SafeString:
    """Build the rows of the page shown.

    `at_tables`: whether tables seat more than two, so that nobody loses and places replace results.
    """
    plain = list(_plain(view, at_tables=bool(at_tables)))
    last, bonus = _places if at_tables else _form, view.bonus
    return format_html_join("\n", "{}", ((_row(view, line, plain, last, bonus),) for line in view.lines))


def _plain(view: StandingsView, *, at_tables: bool) -> Iterable[Plain]:
    """Yield the columns after the tie-breaks, except those that are one themselves."""
    shown = {
        "won": "won" not in view.shown_fields,
        "drawn": view.drawn,
        "lost": not at_tables,
        "points_for": "points_for" not in view.shown_fields,
        "points_against": not at_tables,
    }
    yield from (attrgetter(f"row.{name}") for name, here in shown.items() if here)
    if view.rated:
        yield lambda line: "–" if line.rating is None else line.rating


def _row(
    view: StandingsView, line: StandingLine, plain: Iterable[Plain], last: Plain, bonus: Mapping[int, int]
) -> SafeString:
    followed = view.followed is not None and line.row.code == view.followed.code
    tones = [*(["followed"] if followed else []), *([] if line.row.rank else ["left"])]
    return format_html(
        '<tr{}>{}{}<td>{}</td>{}{}<td class="text">{}</td></tr>',
        format_html(' class="{}"', " ".join(tones)) if tones else "",
        _rank(line),
        _name(line, view.review.get(line.row.entrant_id), bonus.get(line.row.entrant_id, 0)),
        line.row.played,
        format_html_join("", "{}", ((_cell(view, line, cell),) for cell in line.cells)),
        format_html_join("", "<td>{}</td>", ((one(line),) for one in plain)),
        last(line),
    )


def _rank(line: StandingLine) -> SafeString:
    zone = line.zone
    tone = f" zone {zone.tone}" if zone else ""
    return format_html(
        '<td class="rank{}">{}{}{}</td>',
        tone,
        line.row.rank or NO_RESULTS,
        _moved(line.moved),
        _zone(zone) if zone else "",
    )


def _moved(places: int) -> str:
    if places == 0:
        return ""
    far = abs(places)
    if places > 0:
        tone, arrow = "good", "▲"
        told = npgettext(
            "standings", "%(count)s place up since the round before", "%(count)s places up since the round before", far
        )
    else:
        tone, arrow = "bad", "▼"
        told = npgettext(
            "standings",
            "%(count)s place down since the round before",
            "%(count)s places down since the round before",
            far,
        )
    return format_html(
        ' <span class="moved {}"><span aria-hidden="true">{}{}</span><span class="hidden">{}</span></span>',
        tone,
        arrow,
        far,
        told % {"count": far},
    )


def _zone(zone: Label) -> SafeString:
    return format_html(
        ' <span class="led {}">{}<span class="hidden">{}</span></span>', zone.tone, icon(zone.icon), zone.word
    )


def _name(line: StandingLine, under_review: int | None, bonus: int) -> SafeString:
    return format_html(
        '<th scope="row" class="name"><a class="plain-link" href="{}">{}<bdi>{}</bdi></a>{}{}{}{}</th>',
        reverse("players:detail", args=[line.row.code]),
        initials_badge(line.row.name, line.row.code),
        line.row.name,
        name_apart(line.apart),
        _bonus(bonus) if bonus else "",
        "" if line.row.rank else format_html(" <small>{}</small>", pgettext("entrant", "withdrawn")),
        _review(under_review) if under_review else "",
    )


def _bonus(points: int) -> SafeString:
    return format_html(' <small class="apart">{}</small>', points_given(points))


def _review(match: int) -> SafeString:
    address, told = reverse("matches:detail", args=[match]), pgettext("result of a match", "under review")
    return format_html(' <a class="under-review" href="{}">{}{}</a>', address, icon("scales"), told)


def _cell(view: StandingsView, line: StandingLine, cell: StandingCell) -> SafeString:
    if cell.direct:
        opened = render_to_string("components/direct_encounter.html", {"line": line})
        return format_html('<td class="direct">{}</td>', opened)
    address = f"{view.rows_at}{line.row.code}/{view.query}#{cell.key}"
    strong = STRONG if cell.strong else ""
    return format_html('<td{}><a class="figure" href="{}">{}</a></td>', strong, address, cell.text)


def _form(line: StandingLine) -> SafeString:
    return results(line.row.form)


def _places(line: StandingLine) -> SafeString:
    return render_to_string("components/places.html", {"places": line.row.places})


def results(form: Sequence[str]) -> SafeString:
    """Build the last results as letters, the latest last."""
    if not form:
        return NO_RESULTS
    told = {
        Outcome.WON: ("won", pgettext("result of a match", "won"), pgettext("won, as one letter", "W")),
        Outcome.LOST: ("lost", pgettext("result of a match", "lost"), pgettext("lost, as one letter", "L")),
        Outcome.DRAWN: ("", pgettext("result of a match", "drawn"), pgettext("drawn, as one letter", "D")),
    }
    letters = (told.get(one, told[Outcome.DRAWN]) for one in form)
    items = format_html_join("", '<li class="{}"><abbr title="{}">{}</abbr></li>', letters)
    return format_html('<ul class="results">{}</ul>', items)

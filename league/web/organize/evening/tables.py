"""All tables: current matches, and results that need action."""

from dataclasses import dataclass, field, replace

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy
from django.views.decorators.http import require_POST

from league.accounts.models import League
from league.accounts.permissions import Act, acts_of
from league.competitions.queries import lists as queries
from league.competitions.queries.desk import MatchActs, further_matches, in_play, match_acts
from league.competitions.queries.staff import TableMatch, TableView, tables_page
from league.disputes.calls.queries import calls_waiting
from league.errors import NotAllowed, Refused
from league.matches.clock.queries import ClockView, clocks_of
from league.matches.clock.state import SECOND, ClockReading, ClockState
from league.matches.logs import submission
from league.matches.models import Result
from league.matches.queries.lines import MatchLine
from league.web.shared.staff import competition_of, id_of, of_league
from league.web.words import labels
from league.web.words.labels import Label

FREE = Label(word=pgettext_lazy("table", "Free"), icon="tables")
WAITING = Label(
    word=pgettext_lazy("match", "Waiting for confirmation"),
    icon="clock",
    tone="warm",
    meaning=gettext_lazy("The other side or an official confirms it."),
)
LATE = replace(labels.AWAITED, tone="warm")
# Most urgent first: tasks of an official, tasks of others, matches that need nobody.
URGENCY = (
    labels.UNDER_REVIEW,
    labels.NEEDS_DECISION,
    labels.NO_WINNER,
    labels.NO_RESULT,
    WAITING,
    LATE,
    labels.CHECKING,
    labels.PLAYING,
    labels.NOT_PLAYED,
    labels.OFFICIAL,
    FREE,
)
NEEDS_SOMEBODY = URGENCY[:5]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRow:
    """A table with its match, or a further match, whose `table` has no `id`."""

    table: TableView
    label: Label
    clock: str = ""
    acts: MatchActs = field(default_factory=MatchActs)

    @property
    def at(self) -> TableMatch | None:
        return self.table.now or self.table.coming

    @property
    def match(self) -> MatchLine | None:
        return self.at.line if self.at else None

    @property
    def key(self) -> str:
        """Id of the row on the page, which survives reloads."""
        return f"table-{self.table.name}" if self.table.id else f"match-{self.match.id}"

    @property
    def to_decide(self) -> bool:
        return self.label in {labels.NEEDS_DECISION, labels.NO_WINNER}

    @property
    def differ(self) -> bool:
        return self.label is labels.UNDER_REVIEW

    @property
    def needs(self) -> bool:
        return self.label in NEEDS_SOMEBODY


@of_league(Act.SEE_DRAFTS)
def tables(request: HttpRequest, league: League, slug: str | None = None) -> HttpResponse:
    """Show all tables; `?sort=table` sorts as in the hall, `?live=off` stops reloads."""
    competition = competition_of(league, slug) if slug else None
    rows = _rows(request, league, slug)
    acts = acts_of(request.user, league)
    by_table = request.GET.get("sort") == "table"
    context = {
        "league": league,
        "competition": competition,
        "competitions": in_play(league),
        "rows": rows if by_table else sorted(rows, key=_urgency),
        "by_table": by_table,
        "calendars": [row.table for row in rows if row.table.id],
        "needing": sum(row.needs for row in rows),
        "live": request.GET.get("live") != "off",
        "enters": Act.ENTER_RESULTS in acts,
        "manages": Act.MANAGE_COMPETITIONS in acts,
        "runs_desk": Act.RUN_DESK in acts,
        "referee_calls": [one for one in calls_waiting(request.user) if one[0] == league],
        "now": timezone.now(),
        "area": "organize",
    }
    return render(request, "organize/tables.html", context)


def _urgency(row: TableRow) -> tuple[int, bool]:
    """Sort key: state first, then results that the user may confirm."""
    return URGENCY.index(row.label), not row.acts.confirm


def _rows(request: HttpRequest, league: League, slug: str | None) -> list[TableRow]:
    now = timezone.now()
    page = tables_page(request.user, league.slug, slug, now=now)
    shown = [one.now.line.id for one in page.tables if one.now]
    coming = [one.coming.line.id for one in page.tables if one.coming]
    further = further_matches(request.user, league, slug, [*shown, *coming], now)
    ids = [line.id for line in further]
    acts = match_acts(request.user, league, [*shown, *coming, *ids])
    places = queries.competition_of(ids)
    rows = [_table_row(one, acts) for one in page.tables]
    rows += [_further_row(line, places.get(line.id), acts) for line in further]
    clocks = clocks_of([row.match.id for row in rows if row.match], now)
    return [_with_clock(row, clocks.get(row.match.id)) if row.match else row for row in rows]


def _with_clock(row: TableRow, view: ClockView | None) -> TableRow:
    """Show a match as playing once its clock has started, whatever its planned hour."""
    state = view.reading.state if view else ClockState.NOT_STARTED
    if state in {ClockState.NOT_STARTED, ClockState.OVER} or row.label not in {labels.NOT_PLAYED, LATE, labels.PLAYING}:
        return row
    return replace(row, label=labels.PLAYING, clock=told_clock(view.reading))


def told_clock(reading: ClockReading) -> str:
    """Describe the clock's reading in a few words."""
    minutes, seconds = divmod(max(reading.remaining_ms, 0) // SECOND, 60)
    told = {
        ClockState.RUNNING: pgettext("clock", "%(left)s left"),
        ClockState.PAUSED: pgettext("clock", "%(left)s left, the clock stands"),
        ClockState.RUNG: pgettext("clock", "The bell has rung"),
        ClockState.OVERTIME: pgettext("clock", "Overtime"),
    }[reading.state]
    return told % {"left": f"{minutes}:{seconds:02}"}


def _table_row(one: TableView, acts: dict[int, MatchActs]) -> TableRow:
    at = one.now or one.coming
    if at is None:
        return TableRow(table=one, label=FREE)
    label = labels.NO_WINNER if at.no_winner and not at.line.contested else _label(at.line)
    return TableRow(table=one, label=label, acts=acts[at.line.id])


def _further_row(line: MatchLine, place: queries.Whereabouts | None, acts: dict[int, MatchActs]) -> TableRow:
    at = TableMatch(line, place.competition if place else "", place.matchday if place else "", no_winner=False)
    table = TableView(line.table, at, None, accessible=line.accessible, on_stream=line.on_stream)
    return TableRow(table=table, label=_label(line), acts=acts[line.id])


def _label(line: MatchLine) -> Label:
    """Return the match's label, with the words of this page."""
    label = labels.of_match(line)
    return {labels.PROVISIONAL: WAITING, labels.AWAITED: LATE}.get(label, label)


@require_POST
@of_league(Act.SEE_DRAFTS)
def confirm(request: HttpRequest, league: League) -> HttpResponse:
    """Confirm the result named in the form, and return to the tables."""
    wanted = id_of(request.POST.get("result", ""))
    result = Result.objects.filter(pk=wanted, game__match__league=league).select_related("game__match").first()
    try:
        if result is None:
            raise Refused("no-result", _("There is no such result any more. Look at the one shown now."))
        submission.confirm_result(result=result, user=request.user)
    except NotAllowed as refused:
        raise PermissionDenied(str(refused)) from refused
    except Refused as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, _("The result is confirmed now. The standings count it."))
    back = request.POST.get("back", "")
    if url_has_allowed_host_and_scheme(back, {request.get_host()}, require_https=request.is_secure()):
        return redirect(back)
    return redirect("organize:tables", league.slug)

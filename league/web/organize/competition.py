"""Data for the staff page of one competition."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.http import Http404, HttpRequest
from django.utils import timezone
from django.utils.translation import pgettext

from league.accounts.models import League
from league.accounts.permissions import Act, acts_of
from league.competitions.adjustments import takes_adjustments
from league.competitions.draw.reopening import reason_against
from league.competitions.draw.schedule.bookings import double_booked
from league.competitions.draw.schedule.calling import called_matches
from league.competitions.draw.schedule.seating import natural
from league.competitions.draw_view import SlotView
from league.competitions.entrant_names import placed_of
from league.competitions.job_progress import progress_of
from league.competitions.models import Competition, Stage
from league.competitions.queries.check_in import gone
from league.competitions.queries.inbox import InboxKind
from league.competitions.queries.next_step import DayRound, HeldBy, Part
from league.competitions.queries.staff import DraftPage, draft_page
from league.competitions.registration.seeding import SeedLine, stand_of
from league.players.models import PEOPLE
from league.web.components.inbox import AT_THE_STRIP, PARAMETER, Inbox, inbox_of
from league.web.organize.draft_history import last_act
from league.web.shared.pagination import page_of
from league.web.shared.staff import id_of
from league.web.words.next_step import DayWords, HoldWords, day_words

ENTRANTS_A_PAGE = 64
"""Larger drafts have a separate page for their seeds."""
AMONG_TABLES = frozenset({HeldBy.PLAYING, HeldBy.NO_RESULT})
IN_THE_INBOX: Mapping[str, InboxKind] = {
    HeldBy.DIFFERS: InboxKind.REVIEW,
    HeldBy.TO_DECIDE: InboxKind.DECIDE,
    HeldBy.TO_MEND: InboxKind.FIX,
    HeldBy.UNCONFIRMED: InboxKind.CONFIRM,
    HeldBy.AMENDMENT: InboxKind.AMENDMENT,
    HeldBy.IMPORTED: InboxKind.IMPORTED,
}
NIGHT_ROWS = 16
"""With the tools, and the lines of the inbox in their stead, these are at most thirty links and buttons."""


@dataclass(frozen=True, slots=True)
class NightRow:
    """A match; `waits`: a dispatcher has still to call it to a table."""

    slot: SlotView
    round: str
    waits: bool = False


@dataclass(frozen=True, slots=True)
class Night:
    """A published competition on its staff page: strip, tools and tables; all else is folded away.

    `rows`: open matches, the next of each table first, else those of the round that was played last; `rest`: number of
    further ones; `several`: they are of several rounds. `first`: the tables come before what holds the round up;
    `enters`: entering results is the next act. `holds`: without those among the tables and in the inbox. `unfolded`:
    the address asks for something that is folded away.
    """

    rows: Sequence[NightRow]
    rest: int
    first: bool
    enters: bool
    holds: Sequence[HoldWords]
    unfolded: bool

    @property
    def several(self) -> bool:
        return len({row.round for row in self.rows}) > 1


def page_context(request: HttpRequest, league: League, slug: str) -> dict[str, object]:
    """Return the template's context. Raises Http404.

    A constant number of statements.
    """
    acts, now = acts_of(request.user, league), timezone.now()
    needs = Act.SEE_NEEDS in acts
    try:
        page = draft_page(
            request.user,
            league.slug,
            slug,
            number=id_of(request.GET.get("round", "")) or 0,
            slot=id_of(request.GET.get("slot", "")) or 0,
            part=lambda one: request.GET.get(f"part-{one}"),
            now=now,
            with_needs=needs,
        )
    except Competition.DoesNotExist as absent:
        raise Http404 from absent
    official = Act.SEE_NEEDS in acts  # an act of all officials, and of nobody else
    left = gone(page.competition, now, request.user, official=official)
    needs_you = inbox_of(request, AT_THE_STRIP, competition=page.competition)
    day = day_words(page.competition, page.day, acts)
    return {
        "league": league,
        "page": page,
        "day": day,
        "night": None if page.draft else _night(page, day, needs_you, unfolded=bool(set(request.GET) - {PARAMETER})),
        "inbox": needs_you,
        **_entrants(request, page),
        "last_act": last_act(page.competition) if page.may_manage else None,
        "moved": id_of(request.GET.get("moved", "")),
        "way": request.GET.get("way", ""),
        "may_print": Act.ENTER_RESULTS in acts,
        "gone": left,
        "is_official": official,
        "closed": page.day.endless and all(stage.finished for stage in page.day.stages),
        "left": {one.withdrawal.entrant_id for one in left},
        "current_round": _current_round(page),
        "open_rounds": _open_rounds(page),
        "may_reopen": _may_reopen(page),
        "double": double_booked(page.competition) if page.draft and page.drawn else [],
        "runs_desk": Act.RUN_DESK in acts,
        "sees_needs": needs,
        "has_stream": page.has_stream,
        "swap_fields": [
            ("first", pgettext("form field: exchange two players", "Exchange")),
            ("second", pgettext("form field: exchange two players", "with")),
        ],
        "swiss": (swiss := _swiss(page)),
        "planned_rounds": next((one.rounds for one in page.day.stages if swiss and one.number == swiss.number), 0),
        "job": page.job,
        "progress": progress_of(page.job.pk) if page.job and page.job.done_at is None else 0,
        "draws_lots": page.day.lots and page.may_manage and not page.draft,
        "takes_adjustments": page.may_manage and not page.draft and takes_adjustments(page.competition),
        "area": "organize",
    }


def _night(page: DraftPage, day: DayWords, needs_you: Inbox, *, unfolded: bool) -> Night:
    called = called_matches(page.competition, timezone.now())
    every = [
        NightRow(slot, part.day.name, called is not None and slot.match.id not in called and not slot.decided)
        for part in page.rounds
        for slot in part.day.slots
        if slot.match
    ]
    current = _current_round(page)
    rows = [row for row in every if row.slot.published and not row.slot.decided and not row.slot.not_needed]
    rows = rows or [row for row in every if current and row.slot.round_number == current.number]
    rows = _next_first(rows)
    now = day.now.part if day.now else ""
    plays = now in {Part.ROUND, Part.CHALLENGES}
    most = NIGHT_ROWS - len(needs_you.lines) - needs_you.page.has_other_pages()
    return Night(
        rows=rows[:most],
        rest=len(rows[most:]),
        first=plays,
        enters=plays and bool(rows),
        holds=[one for one in day.now.holds if not _is_shown(one, needs_you)] if day.now else [],
        unfolded=unfolded,
    )


def _next_first(rows: Sequence[NightRow]) -> list[NightRow]:
    """The next match of each table, in the order of the tables, then the second of each; without a table last."""
    turns: Counter[str] = Counter()
    ordered = []
    for row in sorted(rows, key=lambda row: (row.slot.round_number, row.slot.place)):
        table = "" if row.waits else row.slot.table
        ordered.append((not table, turns[table], natural(table), len(ordered), row))
        turns[table] += 1
    return [row for *_, row in sorted(ordered, key=lambda one: one[:-1])]


def _is_shown(hold: HoldWords, needs_you: Inbox) -> bool:
    """Tell whether an obstacle is on the page already: among the tables, or all of it in the inbox."""
    kind = IN_THE_INBOX.get(hold.code)
    of_kind = needs_you.counts[kind] if kind else 0
    return hold.code in AMONG_TABLES or 0 < max(hold.count, 1) <= of_kind


def _swiss(page: DraftPage) -> Stage | None:
    """Return the Swiss stage that still allows another number of rounds."""
    if page.draft or not page.may_manage:
        return None
    return next((one for one in page.stages if one.is_paired_by_round and one.finished_at is None), None)


def _may_reopen(page: DraftPage) -> bool:
    """Tell whether the competition can be reopened. No statement once a result is official."""
    if page.draft or not page.may_manage or any(one.open < one.matches for one in page.day.rounds):
        return False
    return reason_against(page.competition) is None


def _current_round(page: DraftPage) -> DayRound | None:
    """Return the current published round, else the last published one with matches.

    A deciding match that is not needed leaves a round without matches.
    """
    shown = [one for one in page.day.rounds if one.shown and one.matches]
    return page.day.current or (shown[-1] if shown else None)


def _open_rounds(page: DraftPage) -> set[int]:
    """Return the unfolded rounds: all of a draft, else the chosen and the unpublished."""
    if page.draft or page.in_parts:
        return {one.day.number for one in page.rounds}
    chosen = {page.chosen.number} if page.chosen else set()
    return chosen | {one.day.number for one in page.rounds if one.day.published_at is None}


def _entrants(request: HttpRequest, page: DraftPage) -> dict[str, object]:
    """List the entrants; to the managers of a draft with full names.

    Seeding needs full names, also of minors, whose names other pages shorten to initials. For many entrants the seeds
    have a separate page.
    """
    rows = page.competition.registrations.select_related(*PEOPLE).order_by("seed")
    listed = page_of(request, rows, ENTRANTS_A_PAGE, name="entrants")
    if not (page.draft and page.may_manage):
        return {"listed": listed, "entrants": [placed_of(row) for row in listed]}
    lines = [SeedLine(row.entrant_id, row.seed, row.entrant.full_name, None) for row in listed]
    if listed.paginator.num_pages > 1:
        return {"listed": listed, "named": lines}
    order = [one.entrant_id for one in lines]
    return {
        "seeds": [(line.seed, line) for line in lines],
        "stand": stand_of(order),
        "last": order[-1] if order else 0,
    }

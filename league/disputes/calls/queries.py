"""Open calls for the referee, the call of a match, and the record of a table for the referee who settles it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from django.db.models import Count, Exists, F, OuterRef, Prefetch, Q

from league.accounts.models import League, Role, User
from league.accounts.permissions import OFFICIALS, Asker, leagues_where
from league.competitions.models import Competition
from league.disputes.calls.ending import last_score
from league.disputes.calls.permissions import is_own
from league.disputes.models import Caller, RefereeCall, ZoneTable
from league.disputes.models.referee_call import CallReason
from league.matches.clock.queries import ClockView, clocks_in
from league.matches.models import Match, Side
from league.matches.models.tally import TallyTap
from league.matches.permissions import Visitor, actor
from league.matches.queries.lines import MatchLine, match_lines
from league.matches.rules import rules_agreed
from league.matches.tally.services import score_now
from league.matches.tally.standing import standing_rows
from league.prepared_statements import FixedSelect, Given

SETTLED_SHOWN = timedelta(minutes=10)
"""Time for which the caller's page shows the end of a call."""
LAST_TAPS = 5
ZONE_OF = "competition__stages__matchdays__slots__match"


@dataclass(frozen=True, slots=True, kw_only=True)
class RefereeCallLine:
    """An open call for officials. `zone`: the official of its table; `own`: it is in the zone of the asker."""

    call: RefereeCall
    line: MatchLine
    callers: Sequence[Caller]
    zone: User | None
    own: bool

    @property
    def reasons(self) -> list[str]:
        """Reasons of the callers, each once."""
        return list(dict.fromkeys(str(one.get_reason_display()) for one in self.callers))


def open_calls(league: League, user: User) -> list[RefereeCallLine]:
    """List the open calls of a league: the own zone first, then the oldest. Ask only for its officials and desk.

    A constant number of statements.
    """
    callers = Prefetch("callers", Caller.objects.filter(withdrawn_at=None).select_related("by"))
    rows = RefereeCall.objects.filter(match__league=league, ended_at=None).order_by("called_at", "pk")
    calls = list(rows.select_related("match__league", "match__table", "taken_by").prefetch_related(callers))
    lines = match_lines([call.match for call in calls], user)
    zones = _zones([call.match_id for call in calls])
    found = [
        RefereeCallLine(
            call=call,
            line=line,
            callers=list(call.callers.all()),
            zone=zones.get(call.match_id),
            own=call.match_id in zones and zones[call.match_id].pk == user.pk,
        )
        for call, line in zip(calls, lines, strict=True)
    ]
    return sorted(found, key=lambda one: not one.own)


def _zones(match_ids: Sequence[int]) -> dict[int, User]:
    """Return the official of the table of each match."""
    rows = ZoneTable.objects.filter(**{f"{ZONE_OF}__in": match_ids}, table=F(f"{ZONE_OF}__table"))
    return {row.at: row.official for row in rows.annotate(at=F(ZONE_OF)).select_related("official")}


def calls_waiting(user: Asker) -> list[tuple[League, int]]:
    """Return the leagues of an official with open calls, and their number. One statement for signed-in users."""
    if not user.is_authenticated:
        return []
    open_ones = RefereeCall.objects.filter(match__league__in=leagues_where(user, OFFICIALS), ended_at=None)
    rows = open_ones.order_by().values("match__league").annotate(count=Count("pk"))
    counts = {row["match__league"]: row["count"] for row in rows}
    return [(one, counts[one.pk]) for one in League.objects.filter(pk__in=counts).order_by("name")] if counts else []


def officials_of(league: League, but: Match | None = None) -> list[User]:
    """Return the active officials of a league, without the players of a match. Two statements at most."""
    rows = User.objects.filter(roles__in=Role.objects.filter(league=league, kind__in=OFFICIALS), is_active=True)
    if but is not None:
        sides = Side.objects.filter(match=but)
        accounts = sides.values_list("entrant__player__user", "entrant__partner__user")
        rows = rows.exclude(pk__in={account for pair in accounts for account in pair} - {None})
    return list(rows.distinct().order_by("username"))


# --- The caller ---


@dataclass(frozen=True, slots=True, kw_only=True)
class CallState:
    """The call of a match for its callers. `call` is open, or ended a few minutes ago; `mine`: own reason, or ""."""

    call: RefereeCall | None = None
    mine: str = ""

    @property
    def is_open(self) -> bool:
        return self.call is not None and self.call.ended_at is None


def call_state(match: Match, who: Visitor, now: datetime, *, device: str = "") -> CallState:
    """Return the state of the call of a match for one visitor. Four statements at most."""
    call = last_call(match.pk, now)
    if call is None:
        return CallState()
    one = actor(who, match)
    own = [caller for caller in call.callers.filter(withdrawn_at=None) if is_own(caller, one, device)]
    return CallState(call=call, mine=str(own[0].get_reason_display()) if own else "")


def calls_of(match_id: int) -> list[RefereeCall]:
    """Return the calls of a match, the oldest first. One statement."""
    return CALLS.models(match=match_id)


CALLS = FixedSelect(
    lambda: RefereeCall.objects.filter(match=Given("match")).select_related("taken_by", "ended_by").order_by("pk")
)


def last_call(match_id: int, now: datetime) -> RefereeCall | None:
    """Return the current call of a match, as `current_of`. One statement."""
    return current_of(calls_of(match_id), now)


def current_of(calls: Sequence[RefereeCall], now: datetime) -> RefereeCall | None:
    """Return the open call, or the last one if an official ended it a few minutes ago."""
    call = calls[-1] if calls else None
    if call is None or call.ended_at is None:
        return call
    return call if call.ended_by_id is not None and call.ended_at > now - SETTLED_SHOWN else None


def public_rulings(calls: Sequence[RefereeCall]) -> list[RefereeCall]:
    """Return the rulings at the table, without those on conduct."""
    return [call for call in calls if call.about and call.reason != CallReason.CONDUCT]


# --- The table ---


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRecord:
    """Facts that the record of a table has. `scores` is None without a pad; `taps`: the last ones that count.

    `last`: the last score, if it is of a play.
    """

    line: MatchLine
    scores: Sequence[int] | None
    taps: Sequence[TallyTap]
    last: TallyTap | None
    clock: ClockView | None


def table_record(call: RefereeCall, user: User, now: datetime) -> TableRecord:
    """Return the record of the table of a call."""
    taps = list(TallyTap.objects.filter(game=call.game_id).select_related("by").order_by("number"))
    rules = rules_agreed(call.match.ruleset, call.match.options)
    line = match_lines([call.match], user)[0]
    scores = score_now(taps, rules, len(line.sides), open_shown=True).points if taps and rules else None
    clocks = [view for view in clocks_in([call.match_id], now) if view.game_id == call.game_id]
    return TableRecord(
        line=line,
        scores=scores,
        taps=standing_rows(taps)[-LAST_TAPS:],
        last=last_score(taps),
        clock=clocks[0] if clocks else None,
    )


# --- Zones ---


def competitions_with_zones(league: League, now: datetime) -> list[Competition]:
    """List the published competitions with matches today, or with open ones at tables. One statement."""
    begins = now.astimezone(ZoneInfo(league.time_zone)).replace(hour=0, minute=0, second=0, microsecond=0)
    today = Q(starts_at__gte=begins, starts_at__lt=begins + timedelta(days=1))
    at_table = Q(table__isnull=False) & (
        Q(state=Match.State.PLAYING) | Q(state=Match.State.SCHEDULED, starts_at__isnull=True)
    )
    wanted = Match.objects.filter(today | at_table, slot__matchday__stage__competition=OuterRef("pk"))
    rows = league.competitions.filter(Exists(wanted), published_at__isnull=False, cancelled_at=None)
    return list(rows.order_by("name", "pk"))


def zones_of(competition: Competition) -> list[ZoneTable]:
    """Return the tables of all zones of a competition. One statement."""
    return list(ZoneTable.objects.filter(competition=competition).select_related("table", "official"))

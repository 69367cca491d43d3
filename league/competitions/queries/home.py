"""The home page: live and upcoming matches, latest results; followed ones first."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from django.db.models import Exists, OuterRef, Q, QuerySet

from league.accounts.models import League
from league.accounts.permissions import Asker
from league.competitions.draw.counts import with_counts
from league.competitions.following import watched
from league.competitions.formats.registry import KNOCK_OUTS
from league.competitions.models import Berth, Competition, Slot
from league.competitions.queries.lists import Whereabouts, competition_of, competitions, leagues
from league.competitions.visibility import visible_competitions
from league.matches.models import Game, Match
from league.matches.queries import lists as match_queries
from league.matches.queries.lines import MatchLine, match_lines

LIVE_SHOWN = 12
# So many are put in order; in a larger hall the rest keeps its order.
LIVE_ORDERED = 200
UPCOMING_SHOWN = 6
LATEST_SHOWN = 8
TODAY_SHOWN = 12
EVENTS_SHOWN = 5
DAY_BEGINS = timedelta(hours=5)
LONG_AGO = ""


@dataclass(frozen=True, slots=True)
class LiveNow:
    """Live matches.

    `lines`: of the `count` live matches those shown, in order of interest.

    Compared with the matches already on the screen: `new`, number of more interesting matches; `gone`, number of
    finished matches.
    """

    lines: list[MatchLine]
    count: int
    places: dict[int, Whereabouts]
    new: int = 0
    gone: int = 0

    @property
    def rest(self) -> int:
        return self.count - len(self.lines)


@dataclass(frozen=True, slots=True)
class HomePage:
    """The home page.

    `latest`: the results of today if any (`today`), else the latest. `mine`: leagues of the asker. `events`: upcoming
    competitions if there is no match. `places`: match → where it belongs.
    """

    live: LiveNow
    upcoming: list[MatchLine]
    latest: list[MatchLine]
    today: bool
    leagues: list[League]
    mine: list[League]
    competitions: list[Competition]
    events: list[Competition]
    places: dict[int, Whereabouts]


def live_now(
    user: Asker,
    now: datetime,
    followed: Iterable[str],
    shown: Sequence[int] | None = None,
    *,
    within: Q | None = None,
    most: int = LIVE_SHOWN,
) -> LiveNow:
    """The first `most`, or those of the matches `shown` that are still live, these in the order given.

    `within`: condition on the matches, for a league or a competition.
    """
    names = list(followed)
    rows = match_queries.live(user, now)
    if within is not None:
        rows = rows.filter(within)
    live = in_order_of_interest(rows, watched(user, names).matches if names else None)
    first, at_table = live[:most], set(live)
    if others := set(shown or ()) - at_table:  # over, or beyond those that are ordered
        at_table |= set(rows.filter(pk__in=others).values_list("pk", flat=True))
    kept = first if shown is None else [pk for pk in shown if pk in at_table]
    return LiveNow(
        lines=match_lines(_at_table(kept), user),
        count=len(live),
        places=competition_of(kept) if kept else {},
        new=len(set(first).difference(kept)),
        gone=len(set(shown or ()) - at_table),
    )


def _at_table(keys: list[int]) -> list[Match]:
    shown = list(Match.objects.filter(pk__in=keys).select_related("league", "table"))
    return sorted(shown, key=lambda match: keys.index(match.pk))


def home(user: Asker, now: datetime, followed: Iterable[str] = ()) -> HomePage:
    """Return the home page.

    `followed`: names as in `following.py`. Today is that of each league.
    """
    names = list(followed)
    mine = watched(user, names).matches if names else None
    live = in_order_of_interest(match_queries.live(user, now), mine)
    to_come = match_queries.upcoming(user, now).select_related("league", "table")
    latest, today = _latest(user, now)
    parts = _at_table(live[:LIVE_SHOWN]), _followed_first(to_come, mine, UPCOMING_SHOWN), latest
    lines = {line.id: line for line in match_lines([match for part in parts for match in part], user)}
    places = competition_of([*lines]) if lines else {}
    live_lines, upcoming_lines, latest_lines = ([lines[match.pk] for match in part] for part in parts)
    return HomePage(
        live=LiveNow(lines=live_lines, count=len(live), places=places),
        upcoming=upcoming_lines,
        latest=latest_lines,
        today=today,
        leagues=list(leagues(user)[:12]),
        mine=_leagues_of(user),
        competitions=with_counts(competitions(user)[:12]),
        events=[] if live or upcoming_lines else _events(user, now),
        places=places,
    )


def _events(user: Asker, now: datetime) -> list[Competition]:
    to_come = visible_competitions(user).filter(starts_at__gt=now).order_by("starts_at", "pk")
    return list(to_come[:EVENTS_SHOWN])


def _latest(user: Asker, now: datetime) -> tuple[list[Match], bool]:
    """Matches with a result of today, else the latest ones; and whether they are of today."""
    rows = list(match_queries.latest_results(user, TODAY_SHOWN).select_related("league", "table"))
    today = [match for match in rows if _evening(match, match.latest) == _evening(match, now)]
    return [*(today or rows[:LATEST_SHOWN])], bool(today)


def _evening(match: Match, at: datetime) -> date:
    """Return the day of the league; it ends late, so that an evening stays whole after midnight."""
    return (at - DAY_BEGINS).astimezone(ZoneInfo(match.league.time_zone)).date()


def _followed_first(matches: QuerySet[Match], mine: Q | None, most: int) -> Sequence[Match]:
    """Followed matches first, each part in its own order.

    One statement more if anything is followed.
    """
    if mine is None:
        return list(matches[:most])
    first = list(matches.filter(mine).distinct()[:most])
    keys = {match.pk for match in first}
    return [*first, *(match for match in matches[:most] if match.pk not in keys)][:most]


def _leagues_of(user: Asker) -> list[League]:
    if not user.is_authenticated:
        return []
    part = Q(roles__user=user) | Q(memberships__player__user=user, memberships__until=None)
    return list(League.objects.filter(part).distinct().order_by("name"))


# --- Order of interest ---


def in_order_of_interest(live: QuerySet[Match], mine: Q | None) -> list[int]:
    """Keys of live matches: followed, finals, closest score, latest event.

    Three statements.
    """
    rows = live.annotate(final=Exists(_finals())).values_list("pk", "final")
    finals = dict(rows[:LIVE_ORDERED])
    followed = set(live.filter(mine).values_list("pk", flat=True)) if mine is not None else set()
    scores = _running([*finals])
    keys = list(finals)
    keys.sort(key=lambda pk: scores.get(pk, (0, LONG_AGO))[1], reverse=True)
    keys.sort(key=lambda pk: (pk not in followed, not finals[pk], scores[pk][0] if pk in scores else float("inf")))
    return keys


def _finals() -> QuerySet[Slot]:
    """Finals of knock-outs: no entrant goes on from them."""
    onward = Berth.objects.filter(from_slot=OuterRef("pk"))
    slots = Slot.objects.filter(match=OuterRef("pk"), matchday__stage__format__in=KNOCK_OUTS, third_place=False)
    return slots.filter(~Exists(onward))


def _running(match_ids: Sequence[int]) -> dict[int, tuple[int, str]]:
    """By match: the lead in the tallied game in points, and the time of that score."""
    found = {}
    games = Game.objects.filter(match__in=match_ids, tally__isnull=False).exclude(results__current=True)
    for match_id, tally in games.order_by("-number").values_list("match", "tally"):
        points = sorted(tally["points"], reverse=True)
        found[match_id] = (points[0] - points[1], tally["at"])
    return found

"""The next match of a person: opponent, past meetings, and places in reach."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.db.models import Case, Exists, F, IntegerField, OuterRef, Q, QuerySet, Value, When

from league.accounts.permissions import Asker
from league.competitions.agreed_hours import open_proposals
from league.competitions.countdown import counts_down, ends_at
from league.competitions.queries.lists import Whereabouts, competition_of
from league.competitions.queries.rounds import table_at
from league.competitions.standings.reachable_places import Prospect
from league.matches.models import Match, Side
from league.matches.queries.head_to_head import head_to_head
from league.matches.queries.lines import MatchLine, SideScore, match_lines
from league.players.models import PEOPLE, Entrant

if TYPE_CHECKING:
    from typing import TypedDict

    from django_stubs_ext import WithAnnotations

    class HoursProposed(TypedDict):
        hours_proposed: bool


OVERDUE = timedelta(hours=12)
"""An unplayed match whose hour is longer ago is not the next one."""


@dataclass(frozen=True, slots=True)
class MyPlace:
    """The place of an entrant in the standings, and the final places in reach."""

    rank: int
    prospect: Prospect | None


@dataclass(frozen=True, slots=True)
class MyNext:
    """The next match of a person.

    `won`, `lost`: earlier matches against the opponent; both 0 for pairs and at tables of more than two. `standing`:
    None in a knock-out, and for an entrant without a rank. `called_until`: end of the countdown of its call, or None.
    `hours_proposed`: by either side.
    """

    line: MatchLine
    entrant_id: int
    door: str
    place: Whereabouts | None
    won: int
    lost: int
    standing: MyPlace | None
    called_until: datetime | None = None
    hours_proposed: bool = False

    @property
    def opponents(self) -> list[SideScore]:
        return [side for side in self.line.sides if side.entrant_id != self.entrant_id]

    @property
    def playing(self) -> bool:
        return self.line.state == Match.State.PLAYING


def my_next(mine: QuerySet[Entrant], user: Asker, now: datetime) -> MyNext | None:
    """Return the match that these entrants play now, else a called one, else their next one; None without.

    A constant number of statements.
    """
    match = _open_matches(mine, now).first()
    if match is None:
        return None
    # A minor's table is hidden from others, not from the player.
    line = replace(match_lines([match], user)[0], table=match.table.name if match.table else "")
    sides = list(match.sides.select_related(*PEOPLE).order_by("number"))
    own = set(mine.filter(sides__match=match).values_list("pk", flat=True))
    one = next(side.entrant for side in sides if side.entrant_id in own)
    others = [side.entrant for side in sides if side.entrant_id != one.pk]
    place = competition_of([match.pk]).get(match.pk)
    won, lost = _meetings(one, others, user, now)
    called_until = _called_until(match, now)
    return MyNext(
        line, one.pk, match.door, place, won, lost, _standing(user, place, one), called_until, match.hours_proposed
    )


def _called_until(match: Match, now: datetime) -> datetime | None:
    slot = getattr(match, "slot", None)
    competition = slot.matchday.stage.competition if slot else None
    return ends_at(match, competition) if competition and counts_down(match, competition, now) else None


def _open_matches(mine: QuerySet[Entrant], now: datetime) -> "QuerySet[WithAnnotations[Match, HoursProposed]]":
    own = Side.objects.filter(entrant__in=mine).values("match")
    late = Q(state=Match.State.SCHEDULED, starts_at__lt=now - OVERDUE)
    playing, called = Q(state=Match.State.PLAYING), Q(called_at__isnull=False)
    steps = (When(playing, then=Value(0)), When(called, then=Value(1)))
    first = Case(*steps, default=Value(2), output_field=IntegerField())
    rows = Match.objects.filter(pk__in=own, published_at__lte=now, set_aside_at=None)
    rows = rows.filter(state__in=(Match.State.SCHEDULED, Match.State.PLAYING)).exclude(late)
    rows = rows.order_by(first, F("starts_at").asc(nulls_last=True), "pk")
    proposed = Exists(open_proposals(now).filter(match=OuterRef("pk")))
    return rows.annotate(hours_proposed=proposed).select_related(
        "league", "table", "slot__matchday__stage__competition"
    )


def _meetings(one: Entrant, others: list[Entrant], user: Asker, now: datetime) -> tuple[int, int]:
    if len(others) != 1 or one.partner_id or others[0].partner_id:
        return 0, 0
    met = head_to_head(user, one.player, others[0].player, now)
    return met.career.won, met.of_opponent.won


def _standing(user: Asker, place: Whereabouts | None, one: Entrant) -> MyPlace | None:
    found = table_at(user, place.league_slug, place.slug, one.player.code) if place else None
    if found is None:
        return None
    _competition, table = found
    listing = table.listing(official_only=False)
    if one.pk not in listing.entrant_ids:
        return None
    (row,) = table.plain_rows([listing.entrant_ids.index(one.pk)], official_only=False)
    outlook = table.outlook(official_only=False) if row.rank else None
    return MyPlace(row.rank, outlook.of(one.pk) if outlook else None) if row.rank else None

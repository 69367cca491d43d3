"""Calls that concern the person at a phone, for an open page."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef, Prefetch, QuerySet

from league.accounts.models import User
from league.competitions.countdown import counts_down, ends_at
from league.competitions.draw.schedule.seating import FORGOTTEN
from league.competitions.models import Competition, Registration, Stage
from league.matches.models import Match, Side
from league.players.models import PEOPLE, Entrant, plays_for
from league.prepared_statements import FixedSelect, GivenUser

LOOK_S = 5
"""Seconds between two looks of a page during an evening."""
QUIET_LOOK_S = 60
EARLY = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class OwnCall:
    """A call to a table. `until`: end of the countdown."""

    match: Match
    until: datetime

    @property
    def key(self) -> str:
        """Name of this call; a match that is called again, or moved to another table, has another one."""
        called = self.match.called_at
        return f"{self.match.pk}-{self.match.table_id or 0}-{int(called.timestamp()) if called else 0}"

    @property
    def until_ms(self) -> int:
        """Milliseconds since 1970, for a script."""
        return int(self.until.timestamp() * 1000)

    @property
    def names(self) -> list[str]:
        return [str(side.entrant) for side in self.match.sides.all()]


@dataclass(frozen=True, slots=True)
class OwnCalls:
    """Calls of one person.

    `plays`: in a competition with a dispatcher that is not over. `look_s`: seconds until a page without a stream looks
    again. `matches`: keys of the own matches, whose changes a page with a stream looks at.
    """

    calls: Sequence[OwnCall] = ()
    plays: bool = False
    look_s: int = QUIET_LOOK_S
    matches: Sequence[int] = ()


def calls_of_user(user: User, now: datetime) -> OwnCalls:
    """List the calls of an account, as `own_calls`."""
    competitions = DISPATCHED.models(user=user.pk)
    return own_calls(Entrant.objects.filter(plays_for(user)), now, competitions) if competitions else OwnCalls()


def own_calls(mine: QuerySet[Entrant], now: datetime, known: Sequence[Competition] = ()) -> OwnCalls:
    """List the calls of these entrants, the latest first. Four statements at most, one outside of evenings.

    `known`: their competitions, if they are loaded.
    """
    competitions = known or list(_dispatched(mine))
    if not competitions:
        return OwnCalls()
    matches = list(_called(mine, now))
    own = Match.objects.filter(sides__entrant__in=mine, slot__matchday__stage__competition__in=competitions)
    keys = list(own.filter(published_at__isnull=False).order_by("pk").values_list("pk", flat=True).distinct())
    of_match = [(match, match.slot.matchday.stage.competition) for match in matches]
    calls = [OwnCall(match, ends_at(match, cup)) for match, cup in of_match if counts_down(match, cup, now)]
    evening = bool(matches) or any(_is_evening(one, now) for one in competitions)
    return OwnCalls(calls, plays=True, look_s=LOOK_S if evening else QUIET_LOOK_S, matches=keys)


def _dispatched(mine: QuerySet[Entrant]) -> QuerySet[Competition]:
    """Select published competitions with a dispatcher, not over, that the entrants play in."""
    registered = Registration.objects.filter(competition=OuterRef("pk"), entrant__in=mine)
    running = Stage.objects.filter(competition=OuterRef("pk"), finished_at=None)
    found = Competition.objects.filter(Exists(registered), Exists(running), dispatches=True)
    return found.filter(published_at__isnull=False, imported_at=None, cancelled_at=None)


DISPATCHED = FixedSelect(lambda: _dispatched(Entrant.objects.filter(plays_for(GivenUser()))))  # type: ignore[arg-type]


def _is_evening(competition: Competition, now: datetime) -> bool:
    starts = competition.starts_at or competition.published_at
    return starts is not None and starts - EARLY < now < starts + FORGOTTEN


def _called(mine: QuerySet[Entrant], now: datetime) -> QuerySet[Match]:
    own = Side.objects.filter(entrant__in=mine).values("match")
    rows = Match.objects.filter(pk__in=own, called_at__gt=now - FORGOTTEN, published_at__isnull=False)
    rows = rows.filter(slot__isnull=False).order_by("-called_at", "pk")
    sides = Prefetch("sides", Side.objects.select_related(*PEOPLE).order_by("number"))
    return rows.select_related("table", "league", "slot__matchday__stage__competition").prefetch_related(sides)

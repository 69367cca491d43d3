"""Lists of competitions, leagues and entrants. Constant statement counts."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Case, Count, Exists, F, IntegerField, OuterRef, QuerySet, Subquery, When
from django.db.models.functions import Coalesce
from django.utils.translation import pgettext

from league.accounts.models import League
from league.accounts.permissions import Asker
from league.competitions.entrants import standing_withdrawals
from league.competitions.formats.registry import KNOCK_OUTS, SPECS
from league.competitions.models import Competition, Matchday, Registration, Slot, Stage
from league.competitions.queries.last_match import last_day
from league.competitions.visibility import visible_competitions
from league.players.models import Membership
from league.prepared_statements import FixedSelects


def entrants_of_published() -> QuerySet[Registration, Any]:
    """Ids of entrants registered for a published competition.

    An entrant with a bye has no match yet.
    """
    return Registration.objects.filter(competition__published_at__isnull=False).values("entrant")


def ratings_at_start(competition: Competition) -> dict[int, int]:
    """Ratings by entrant at publication, without unrated entrants. One statement."""
    rows = Registration.objects.filter(competition=competition, rating__isnull=False)
    return {entrant: rating for entrant, rating in rows.values_list("entrant", "rating") if rating is not None}


def withdrawn_among(competition: Competition, entrants: Iterable[int]) -> frozenset[int]:
    """Those of these entrants that have withdrawn. One statement."""
    return frozenset(
        standing_withdrawals(competition).filter(entrant__in=list(entrants)).values_list("entrant", flat=True)
    )


def latest_competitions(user: Asker) -> QuerySet[Competition]:
    """Visible competitions, drafts first, then the latest published first."""
    return visible_competitions(user).order_by(F("published_at").desc(nulls_first=True), "name", "pk")


def competitions(user: Asker) -> QuerySet[Competition]:
    """The same with the `format` of the first stage, and with the `last_day`.

    The time of the last match of a finished competition; before its end the planned start.
    """
    stages = Stage.objects.filter(competition=OuterRef("pk")).order_by("number")
    over = ~Exists(stages.filter(finished_at=None))
    return latest_competitions(
        user
    ).annotate(  # type: ignore[no-redef]
        format=Subquery(stages.values("format")[:1]),
        last_day=Case(When(over, then=Coalesce(last_day(), "starts_at")), default="starts_at"),
    )


def leagues(user: Asker) -> QuerySet[League]:
    """All leagues, with `competition_count` and `player_count`.

    These count the competitions visible to the asker, and the members.
    """
    return League.objects.annotate(
        competition_count=_count(
            visible_competitions(user).select_related(None).filter(league=OuterRef("pk")), "league"
        ),
        player_count=_count(Membership.objects.filter(league=OuterRef("pk"), until__isnull=True), "league"),
    ).order_by("name", "pk")


def _count(rows: QuerySet[Any], by: str) -> Coalesce:
    """Number of rows of a correlated subquery."""
    counted = rows.order_by().values(by).annotate(counted=Count("pk")).values("counted")
    return Coalesce(Subquery(counted, output_field=IntegerField()), 0)


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """Competition and round of a match, for the line above its title. `has_table`: its stage has standings."""

    competition: str
    league_slug: str
    slug: str
    matchday: str
    has_table: bool = False


def competition_of(match_ids: Iterable[int]) -> dict[int, Whereabouts]:
    """Competition and round by match, without matches outside any competition.

    Ask only for matches that the asker may see. One statement.
    """
    return {match: _place(*told) for match, *told in _PLACES.rows(match_ids)}


# Fields that form the name of a round, and fields that name a competition.
NAMED = ("name", "kind", "section", "nth")
PLACED = ("name", "league__slug", "slug")
_PLACES = FixedSelects(
    lambda matches: Slot.objects.filter(match__in=matches).values_list(
        "match",
        "third_place",
        "matchday__stage__format",
        *(f"matchday__{name}" for name in NAMED),
        *(f"matchday__stage__competition__{name}" for name in PLACED),
    )
)


def _place(
    third_place: bool, format_: str, name: str, kind: str, section: str, nth: int, *competition: str
) -> Whereabouts:
    """The match for third place is in the round of the final, but is not the final."""
    matchday = str(Matchday(name=name, kind=kind, section=section, nth=nth))
    shown = pgettext("draw", "Third place") if third_place else matchday
    return Whereabouts(*competition, shown, SPECS[format_].has_table)  # type: ignore[arg-type, call-arg]


def is_of_knock_out(match_id: int) -> bool:
    """Tell whether a match belongs to a knock-out (signal `knock_out_asked`).

    One statement.
    """
    return Slot.objects.filter(match=match_id, matchday__stage__format__in=KNOCK_OUTS).exists()


def live_delay_of(match_id: int) -> int:
    """Return by how many seconds running scores of the match are delayed. One statement."""
    delays = Competition.objects.filter(stages__matchdays__slots__match=match_id).values_list("live_delay_s", flat=True)
    return delays.first() or 0

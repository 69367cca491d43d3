"""Competitions on the page of a player: filter of matches, and titles won."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from django.db.models import (
    Case,
    Count,
    Exists,
    F,
    IntegerField,
    Max,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    When,
    Window,
)
from django.db.models.functions import Coalesce

from league.competitions.formats.registry import LADDERS
from league.competitions.models import Competition, Registration, Season, Stage
from league.competitions.models.honour import Honour
from league.competitions.official_results import finished
from league.competitions.queries.last_match import last_match
from league.matches.models import Match
from league.matches.queries.lines import people_of
from league.players.models import Entrant, Player, plays
from league.players.shown import Person

if TYPE_CHECKING:
    from typing import TypedDict

    from django_stubs_ext import WithAnnotations

    class Summed(TypedDict):
        total: int
        entrants: int
        finished_at: datetime


MOST_COMPETITIONS = 200


@dataclass(frozen=True, slots=True)
class Choice:
    """Filter of a player's matches. `year` is None and `competition` empty for all."""

    competitions: list[Competition]
    years: list[int]
    competition: str = ""
    year: int | None = None

    @property
    def within(self) -> Q:
        """Condition on the matches."""
        found = Q()
        if self.competition:
            league, _, slug = self.competition.partition("/")
            place = "slot__matchday__stage__competition"
            found &= Q(**{f"{place}__league__slug": league, f"{place}__slug": slug})
        if self.year:
            found &= Q(starts_at__year=self.year)
        return found

    @property
    def is_all(self) -> bool:
        return not self.competition and self.year is None


def choice(matches: QuerySet[Match], competition: str, year: str) -> Choice:
    """Return the possible filters of these matches, all visible to the asker.

    An unknown competition or year is ignored. Two statements.
    """
    slots = matches.order_by().values("slot__matchday__stage__competition")
    competitions = list(
        Competition.objects.filter(pk__in=slots).select_related("league").order_by("-pk")[:MOST_COMPETITIONS]
    )
    years = [day.year for day in matches.order_by().dates("starts_at", "year", order="DESC")]
    known = {f"{one.league.slug}/{one.slug}" for one in competitions}
    return Choice(
        competitions=competitions,
        years=years,
        competition=competition if competition in known else "",
        year=int(year) if year in {str(one) for one in years} else None,
    )


@dataclass(frozen=True, slots=True)
class TitleWon:
    """A title.

    `place`: 1 to 3, of so many `entrants`. `division` and `season`: if the competition was a division of a published
    season. `partners`: the partner in a pair. `finished_at`: time of the last match; of a ladder, when it was closed.
    """

    place: int
    entrants: int
    competition: Competition
    division: str
    season: Season | None
    partners: list[Person]
    finished_at: datetime


def honours_of(player: Player) -> "QuerySet[WithAnnotations[Honour, Summed]]":
    """Titles of a player, the latest first, with `total`, their number.

    Only of finished competitions with official results alone.
    """
    stages = Stage.objects.filter(competition=OuterRef("competition")).order_by().values("competition")
    entrants = Registration.objects.filter(competition=OuterRef("competition")).order_by().values("competition")
    mine = Entrant.objects.filter(plays(player)).values("pk")
    rows = Honour.objects.filter(entrant__in=mine, competition__in=finished().values("pk"))
    closed = Subquery(stages.annotate(last=Max("finished_at")).values("last"))
    rows = rows.filter(competition__honours_at__isnull=False).annotate(
        finished_at=Case(
            When(Exists(stages.filter(format__in=LADDERS)), then=closed),
            default=Coalesce(Subquery(last_match(OuterRef("competition"))), closed),
        ),
        entrants=Coalesce(Subquery(entrants.annotate(all=Count("pk")).values("all"), output_field=IntegerField()), 0),
        total=Window(Count("pk")),
    )
    people = [f"entrant__{one}" for one in ("player", "partner")]
    rows = rows.select_related("competition__league", "competition__division__season", *people)
    return rows.order_by(F("finished_at").desc(), "-pk")


@dataclass(frozen=True, slots=True)
class LatestTitles:
    """The latest titles. `total`: number of all titles."""

    titles: list[TitleWon]
    total: int


def titles_of(player: Player, most: int) -> LatestTitles:
    """Return the latest titles of a player. One statement."""
    rows = list(honours_of(player)[:most])
    return LatestTitles(titles_won(rows, player), rows[0].total if rows else 0)


def titles_won(rows: "Iterable[WithAnnotations[Honour, Summed]]", player: Player) -> list[TitleWon]:
    """Convert honours to titles. No statement."""
    return [_title(one, player) for one in rows]


def _title(row: "WithAnnotations[Honour, Summed]", player: Player) -> TitleWon:
    division = getattr(row.competition, "division", None)
    shown = division if division is not None and division.season.published_at is not None else None
    return TitleWon(
        place=row.place,
        entrants=row.entrants,
        competition=row.competition,
        division=shown.name if shown else "",
        season=shown.season if shown else None,
        partners=[one for one in people_of(row.entrant) if one.code != player.code],
        finished_at=row.finished_at,
    )

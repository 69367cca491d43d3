"""What the page of a player shows of competitions: in which ones the player has matches, and which of these to show."""

from dataclasses import dataclass

from django.db.models import Q, QuerySet

from league.competitions.models import Competition
from league.matches.models import Match

MOST_COMPETITIONS = 200


@dataclass(frozen=True, slots=True)
class Choice:
    """What the matches of a player may be narrowed down to. `year` is None and `competition` empty for all."""

    competitions: list[Competition]
    years: list[int]
    competition: str = ""
    year: int | None = None

    @property
    def within(self) -> Q:
        """Which matches."""
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
    """Of these matches, all visible to the asker; what is not among the choices is left aside. Two statements."""
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

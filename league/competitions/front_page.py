"""The front page of a knock-out, whose rounds come in pages: what is not on the page is not read."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.db.models import Q

from games.rulesets import RULESETS
from league.accounts.permissions import Asker
from league.competitions.competition_page import CompetitionPage
from league.competitions.models import Competition, Matchday, Slot, Stage
from league.competitions.shape import Shape, shape_of
from league.competitions.slots import MatchdayView, window_views
from league.matches.models import Match

DAYS_A_PAGE = 8
MATCHES_A_PAGE = 128


@dataclass(frozen=True, slots=True)
class RoundPages:
    """The rounds that the asker may see, cut into pages of slots (their keys). `current`: the number of the page with
    the first match that is not decided, the last one once all are. `last`: the slots that the final ranking follows
    from.
    """

    competition: Competition
    stages: list[Stage]
    shape: Shape
    pages: list[list[int]]
    current: int
    last: tuple[int, ...]


def round_pages(competition: Competition) -> RoundPages | None:
    """Of one that `seen_competition` gave; None where one of its stages has a table, for which every result is read. As
    many statements for any number of entrants.
    """
    stages = list(competition.stages.all())
    if not all(stage.is_knock_out for stage in stages):
        return None
    shape = shape_of(competition)
    days = list(Matchday.objects.filter(stage__competition=competition).order_by("stage__number", "number"))
    shown = [day for day in days if competition.for_staff or day.published_at is not None]
    pages = _pages([shape.days.get(day.pk, ()) for day in shown])
    return RoundPages(
        competition=competition,
        stages=stages,
        shape=shape,
        pages=pages,
        current=_current(shown, pages),
        last=tuple(slot for day in _last(days) for slot in shape.days.get(day.pk, ())),
    )


def _pages(days: Sequence[Sequence[int]]) -> list[list[int]]:
    """So many rounds on each page, or where one is larger than a page, so many of its matches."""
    largest = max(map(len, days), default=0)
    if largest > MATCHES_A_PAGE:
        return [list(day[at : at + MATCHES_A_PAGE]) for day in days for at in range(0, len(day), MATCHES_A_PAGE)]
    size = max(1, min(DAYS_A_PAGE, MATCHES_A_PAGE // max(largest, 1)))
    return [[slot for day in days[at : at + size] for slot in day] for at in range(0, len(days), size)]


def _current(shown: Sequence[Matchday], pages: Sequence[Sequence[int]]) -> int:
    matches = Slot.objects.filter(matchday__in=[day.pk for day in shown], berths__number=2)
    still_open = matches.filter(Q(match=None) | ~Q(match__state=Match.State.DECIDED))
    ordered = still_open.order_by("matchday__stage__number", "matchday__number", "number")
    first = ordered.values_list("pk", flat=True).first()
    return next((number for number, page in enumerate(pages, start=1) if first in page), max(len(pages), 1))


def _last(days: Sequence[Matchday]) -> list[Matchday]:
    """The rounds that decide the first places: the last one; of two brackets the finals and the losers' last round."""
    finals = [day for day in days if day.section == Matchday.Section.FINAL]
    losers = [day for day in days if day.section == Matchday.Section.LOSERS]
    return [*losers[-1:], *finals] if finals else list(days[-1:])


def front_page(user: Asker, found: RoundPages, number: int) -> tuple[CompetitionPage, list[MatchdayView]]:
    """The head of the page with the final ranking, and the rounds of the page of this number."""
    wanted = set(found.pages[number - 1]) if found.pages else set()
    competition = found.competition
    views = window_views(
        competition, found.shape.numbers, wanted.union(found.last), user, everything=competition.for_staff
    )
    ruleset = RULESETS.get(competition.ruleset)
    page = CompetitionPage(
        competition=competition,
        stages=found.stages,
        draft=competition.published_at is None,
        edition=ruleset.edition if ruleset else None,
        entrants=[],
        table=None,
        groups=[],
        has_provisional=False,
        matchdays=views,
    )
    days = [replace(day, slots=[slot for slot in day.slots if slot.id in wanted]) for day in views]
    return page, [day for day in days if day.slots]

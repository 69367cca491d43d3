"""The front page of a competition, whose rounds come in pages and whose table in parts: what is not on the page is not
read.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.db.models import Q

from games.rulesets import RULESETS
from league.accounts.permissions import Asker
from league.competitions.competition_page import CompetitionPage
from league.competitions.kept_tables import KeptTables, kept_tables
from league.competitions.models import Competition, Matchday, Slot, Stage
from league.competitions.shape import Shape, shape_of
from league.competitions.slots import MatchdayView, entrant_by_code, window_views
from league.matches.models import Match

OPEN = (Match.State.SCHEDULED, Match.State.PLAYING, Match.State.PROVISIONAL)
DAYS_A_PAGE = 8
MATCHES_A_PAGE = 128
MATCHES_OF_A_LARGE_ROUND = 64
# Beside a table, so that with forty players the page stays below 100 kB.
MATCHES_BESIDE_A_TABLE = 40


@dataclass(frozen=True, slots=True)
class RoundPages:
    """The rounds that the asker may see, cut into pages of slots (their keys). `current`: the number of the page with
    the first match that is not decided, the last one once all are. `last`: the slots that the final ranking follows
    from. `tables`: None where every stage is a knock-out.
    """

    competition: Competition
    stages: list[Stage]
    shape: Shape
    pages: list[list[int]]
    current: int
    last: tuple[int, ...]
    tables: KeptTables | None


def round_pages(competition: Competition) -> RoundPages | None:
    """Of one that `seen_competition` gave; None where one of its stages is a ladder. As many statements for any number
    of entrants, and three to five more where a table is not kept.
    """
    stages = list(competition.stages.all())
    if any(stage.is_ladder for stage in stages):
        return None
    days = _days(competition)
    tables = kept_tables(competition, days)
    shape = tables.shape if tables else shape_of(competition)
    shown = [day for day in days if competition.for_staff or day.published_at is not None]
    knock_outs = [day for day in days if day.stage.is_knock_out]
    beside = MATCHES_A_PAGE if knock_outs or not tables else MATCHES_BESIDE_A_TABLE
    pages = _pages([shape.days.get(day.pk, ()) for day in shown], beside, min(beside, MATCHES_OF_A_LARGE_ROUND))
    return RoundPages(
        competition=competition,
        stages=stages,
        shape=shape,
        pages=pages,
        current=_current(shown, pages),
        last=tuple(slot for day in _last(knock_outs) for slot in shape.days.get(day.pk, ())),
        tables=tables,
    )


def _days(competition: Competition) -> list[Matchday]:
    days = Matchday.objects.filter(stage__competition=competition).select_related("stage")
    return list(days.order_by("stage__number", "number"))


def _pages(days: Sequence[Sequence[int]], matches: int, part: int) -> list[list[int]]:
    """So many rounds on each page that they come to `matches`, one at least; or where one is larger than any page, a
    `part` of its matches.
    """
    largest = max(map(len, days), default=0)
    if largest > MATCHES_A_PAGE:
        return [list(day[at : at + part]) for day in days for at in range(0, len(day), part)]
    size = max(1, min(DAYS_A_PAGE, matches // max(largest, 1)))
    return [[slot for day in days[at : at + size] for slot in day] for at in range(0, len(days), size)]


def _current(shown: Sequence[Matchday], pages: Sequence[Sequence[int]]) -> int:
    slots = Slot.objects.filter(matchday__in=[day.pk for day in shown])
    # Open matches are found by their state: of a large draw most are decided.
    not_over = Match.objects.filter(state__in=OPEN, slot__matchday__in=[day.pk for day in shown])
    still_open = slots.filter(Q(match=None) | Q(pk__in=not_over.values("slot")))
    ordered = still_open.filter(berths__number=2).order_by("matchday__stage__number", "matchday__number", "number")
    first = ordered.values_list("pk", flat=True).first()
    return next((number for number, page in enumerate(pages, start=1) if first in page), max(len(pages), 1))


def _last(days: Sequence[Matchday]) -> list[Matchday]:
    """The rounds that decide the first places: the last one; of two brackets the finals and the losers' last round."""
    finals = [day for day in days if day.section == Matchday.Section.FINAL]
    losers = [day for day in days if day.section == Matchday.Section.LOSERS]
    return [*losers[-1:], *finals] if finals else list(days[-1:])


def front_page(
    user: Asker, found: RoundPages, number: int, *, after: int | None = None, group: int | None = None, code: str = ""
) -> tuple[CompetitionPage, list[MatchdayView]]:
    """The head of the page with its table and the final ranking, and the rounds of the page of this number. `after`,
    `group`, `code`: as in `competition_page`.
    """
    wanted = set(found.pages[number - 1]) if found.pages else set()
    competition = found.competition
    views = window_views(
        competition, found.shape.numbers, wanted.union(found.last), user, everything=competition.for_staff
    )
    page = _page(competition, found.stages, found.tables, views, after=after, group=group, code=code)
    days = [replace(day, slots=[slot for slot in day.slots if slot.id in wanted]) for day in views]
    return page, [day for day in days if day.slots]


def table_page(
    competition: Competition, *, after: int | None = None, group: int | None = None, code: str = ""
) -> CompetitionPage | None:
    """The same without the rounds; None where every stage is a knock-out or a ladder."""
    tables = kept_tables(competition, _days(competition))
    if tables is None:
        return None
    return _page(competition, list(competition.stages.all()), tables, [], after=after, group=group, code=code)


def _page(
    competition: Competition,
    stages: list[Stage],
    tables: KeptTables | None,
    views: list[MatchdayView],
    *,
    after: int | None,
    group: int | None,
    code: str,
) -> CompetitionPage:
    ruleset = RULESETS.get(competition.ruleset)
    groups = tables.draw.groups if tables else []
    return CompetitionPage(
        competition=competition,
        stages=stages,
        draft=competition.published_at is None,
        edition=ruleset.edition if ruleset else None,
        entrants=[],
        table=tables.table(group=_chosen(tables, group, code), after=after) if tables else None,
        groups=groups,
        has_provisional=tables.draw.has_provisional if tables else False,
        matchdays=views,
    )


def _chosen(tables: KeptTables, group: int | None, code: str) -> int:
    groups = tables.draw.groups
    if not groups or group in groups:
        return group if group in groups else 0
    own = entrant_by_code(tables.competition, code)
    return tables.draw.group_of.get(own or 0, groups[0])

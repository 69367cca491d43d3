"""The front page of a competition: rounds in pages, standings in parts.

Only the rows on the page are read.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.db.models import Case, Q, When

from games.rulesets import RULESETS
from league.accounts.permissions import Asker
from league.competitions.draw_shape import Shape, shape_of
from league.competitions.draw_view import MatchdayView, all_days, window_views
from league.competitions.entrant_names import entrant_by_code
from league.competitions.models import IS_PLAYED, Competition, Matchday, Slot, Stage
from league.competitions.queries.competition import CompetitionPage
from league.competitions.standings.cache import KeptTable, KeptTables, kept_tables
from league.competitions.standings.facts import table_days
from league.competitions.standings.table import any_provisional
from league.competitions.visibility import Cancelled, seen_competition
from league.matches.models import Match

OPEN = (Match.State.SCHEDULED, Match.State.PLAYING, Match.State.PROVISIONAL)
DAYS_A_PAGE = 8


class Room(NamedTuple):
    """Room of a page for rounds.

    Rounds with so many `matches` in all; a round with at most `whole` matches is not divided, a larger round comes in
    `parts`.
    """

    matches: int
    whole: int
    parts: int


ALONE = Room(matches=128, whole=128, parts=64)
# The page stays below 100 kB with forty players, and with two hundred.
BESIDE_A_TABLE = Room(matches=40, whole=64, parts=40)


@dataclass(frozen=True, slots=True)
class RoundPages:
    """The rounds that the asker may see, cut into pages of slots (their keys).

    `current`: the number of the page with the first match to play, the last page once all are decided. `tables`: None
    if every stage is a knock-out.
    """

    competition: Competition
    stages: list[Stage]
    days: list[Matchday]
    shape: Shape
    pages: list[list[int]]
    current: int
    tables: KeptTables | None


def round_pages(competition: Competition) -> RoundPages | None:
    """Cut the rounds of a competition from `seen_competition`; None for a ladder.

    As many statements for any number of entrants, and three to five more if a table is not cached.
    """
    stages = list(competition.stages.all())
    if any(stage.is_ladder for stage in stages):
        return None
    days = _days(competition)
    tables = kept_tables(competition, days)
    shape = tables.shape if tables else shape_of(competition)
    shown = [day for day in days if competition.for_staff or day.published_at is not None]
    knock_outs = [day for day in days if day.stage.is_knock_out]
    room = ALONE if knock_outs or not tables else BESIDE_A_TABLE
    pages = _pages([shape.days.get(day.pk, ()) for day in shown], room)
    return RoundPages(
        competition=competition,
        stages=stages,
        days=days,
        shape=shape,
        pages=pages,
        current=_current(competition, pages),
        tables=tables,
    )


def _days(competition: Competition) -> list[Matchday]:
    return list(all_days(competition))


def _pages(days: Sequence[Sequence[int]], room: Room) -> list[list[int]]:
    """The slots of each page: at least one round, or a part of a larger round."""
    largest = max(map(len, days), default=0)
    if largest > room.whole:
        return [list(day[at : at + room.parts]) for day in days for at in range(0, len(day), room.parts)]
    size = max(1, min(DAYS_A_PAGE, room.matches // max(largest, 1)))
    return [[slot for day in days[at : at + size] for slot in day] for at in range(0, len(days), size)]


def _current(competition: Competition, pages: Sequence[Sequence[int]]) -> int:
    first = _first_open(competition)
    return next((number for number, page in enumerate(pages, start=1) if first in page), max(len(pages), 1))


def _first_open(competition: Competition) -> int | None:
    """The first slot with a match to play, of the rounds that the asker of `seen_competition` sees.

    Without one the first with a result that waits for its confirmation, then the first whose players are not known.
    """
    of_it: dict[str, object] = {"matchday__stage__competition": competition}
    if not competition.for_staff:
        of_it["matchday__published_at__isnull"] = False
    # Open matches are found by their state: most matches of a large draw are decided.
    not_over = Match.objects.filter(state__in=OPEN, **{f"slot__{name}": value for name, value in of_it.items()})
    still_open = Slot.objects.filter(Q(match=None) | Q(pk__in=not_over.values("slot")), not_needed=False, **of_it)
    turn = Case(When(match=None, then=2), When(match__state=Match.State.PROVISIONAL, then=1), default=0)
    ordered = still_open.filter(IS_PLAYED).order_by(turn, "matchday__stage__number", "matchday__number", "number")
    return ordered.values_list("pk", flat=True).first()


def front_page(
    user: Asker, found: RoundPages, number: int, *, after: int | None = None, group: int | None = None, code: str = ""
) -> tuple[CompetitionPage, list[MatchdayView]]:
    """The head of the page with its standings, and the rounds of a page.

    `number`: of the page; `after`, `group`, `code`: as in `competition_page`.
    """
    wanted = set(found.pages[number - 1]) if found.pages else set()
    competition = found.competition
    views = window_views(
        competition,
        found.shape.numbers,
        wanted,
        user,
        everything=competition.for_staff,
        days=found.days,
        people=found.tables.registered.placed if found.tables else None,
    )
    page = _page(competition, found.stages, found.tables, views, after=after, group=group, code=code)
    return page, views


def table_page(
    competition: Competition, *, after: int | None = None, group: int | None = None, code: str = ""
) -> CompetitionPage | None:
    """The same without the rounds; None if every stage is a knock-out or a ladder."""
    tables = kept_tables(competition, _days(competition))
    if tables is None:
        return None
    return _page(competition, list(competition.stages.all()), tables, [], after=after, group=group, code=code)


def table_at(user: Asker, league_slug: str, slug: str, code: str = "") -> tuple[Competition, KeptTable] | None:
    """Return a competition and its table, of groups that of the entrant with this code.

    None without a table, and if the competition is hidden or cancelled.
    """
    competition, tables = round_tables(user, league_slug, slug) or (None, None)
    return (competition, table_with(tables, code)) if competition and tables else None


def round_tables(user: Asker, league_slug: str, slug: str) -> tuple[Competition, KeptTables | None] | None:
    """Return a competition and its tables, None without any; None if the competition is hidden or cancelled."""
    try:
        competition = seen_competition(user, league_slug, slug)
    except (Competition.DoesNotExist, Cancelled):
        return None
    return competition, kept_tables(competition, _days(competition))


def table_with(tables: KeptTables, code: str = "") -> KeptTable:
    """Return the table, of groups that of the entrant with this code."""
    return tables.table(group=_chosen(tables, None, code))


def waits_somewhere(competition: Competition) -> bool:
    """Whether a result of the competition waits for its confirmation.

    Only results that count; with or without standings. Four statements.
    """
    days = table_days(_days(competition), everything=competition.for_staff)
    return any_provisional(slot for day in days for slot in day.slots)


def head_page(competition: Competition) -> CompetitionPage:
    """Only the head of a page, of a competition from `seen_competition`.

    No statement.
    """
    return _page(competition, list(competition.stages.all()), None, [], after=None, group=None, code="")


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
        # It answers for a table, part by part.
        table=tables.table(group=_chosen(tables, group, code), after=after) if tables else None,  # type: ignore[arg-type]
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

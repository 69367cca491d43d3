"""Creation of a season: its divisions, from one plan, and their dates."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import date, datetime, time
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Protocol
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import Count, QuerySet
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext

from league.accounts.graphemes import first_letters, longer_than
from league.accounts.models import LONGEST_NAME, League, User
from league.accounts.permissions import Act, check_may
from league.competitions.draw.addresses import LONGEST_SLUG
from league.competitions.draw.forecast import stage_sizes
from league.competitions.draw.founding import locked_league
from league.competitions.draw.plans import BATCH, Plan, check, found_all
from league.competitions.draw.stage_plans import plan_of_stages
from league.competitions.formats.promotion import DivisionRules
from league.competitions.formats.registry import DIVISION_FORMATS, FEWEST
from league.competitions.models import Competition, Division, Registration, Season
from league.competitions.models.season import LONGEST_DIVISION
from league.competitions.seasons.dates import RegularDates, refuse_if_far, write_dates
from league.errors import Refused
from league.players.lists import NameList, TwoListsError, paste_lists
from league.players.models import PEOPLE, Entrant, people_in

if TYPE_CHECKING:
    from typing import TypeAlias, TypedDict

    from django_stubs_ext import WithAnnotations

    class Sized(TypedDict):
        size: int

    SizedDivision: TypeAlias = WithAnnotations[Division, Sized]


MOST_DIVISIONS = 64
MOST_PLACES = 64
GAMES = (1, 3, 5, 7, 9, 11)


@dataclass(frozen=True, slots=True, kw_only=True)
class DivisionPlan:
    """Plan of a division.

    `names`: pasted, one a line, strongest first. `promote`, `relegate`, `play_off`: places, as in `Division`. `own`:
    fields of a Plan that differ from those of the season.
    """

    name: str
    names: str = ""
    promote: int = 0
    relegate: int = 0
    play_off: int = 0
    own: Mapping[str, Any] = field(default_factory=dict)


class _Bordered(Protocol):
    """A division in a plan or a file."""

    @property
    def name(self) -> str: ...
    @property
    def promote(self) -> int: ...
    @property
    def relegate(self) -> int: ...
    @property
    def play_off(self) -> int: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class DateRule:
    """Rule for dates at a fixed interval, as many as the longest division has rounds.

    A date every so many days from the first on, at the hour of the first, without holidays.
    """

    first: datetime
    every: int
    holidays: Collection[date] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonPlan:
    """Plan of a season.

    `plan` is shared by all divisions; its name and start are ignored. `divisions` from the top down. `dates`: aware,
    one a matchday, or the rule that makes them; empty: no hours.
    """

    name: str
    plan: Plan
    divisions: Sequence[DivisionPlan]
    starts_on: date
    ends_on: date | None = None
    dates: Sequence[datetime] | DateRule = ()
    play_off_best_of: int = 1


@transaction.atomic
def found_season(league: League, plan: SeasonPlan, *, user: User) -> Season:
    """Create a season as a draft that only the league's staff sees.

    Each division is a draft of a competition with its entrants. All or nothing.

    Raises NotAllowed, and Refused `bad-name`, `name-taken`, `bad-season`, `bad-places`, `in-two-divisions`, which name
    the division or the player, `bad-dates`, `too-few-dates`; the errors of `found`, `paste` and `register`, with the
    number of the division among the facts (`division_place`, from 0).
    """
    check_may(user, Act.MANAGE_COMPETITIONS, league)
    check_season(plan)
    locked_league(league)
    season = name_season(
        league,
        plan.name,
        starts_on=plan.starts_on,
        ends_on=plan.ends_on,
        play_off_best_of=plan.play_off_best_of,
    )
    entrants = _enrolled(league, plan, user)
    plans = [competition_plan(plan, one) for one in plan.divisions]
    divisions = [
        Division(
            season=season,
            level=level,
            name=" ".join(one.name.split()),
            promote=one.promote,
            relegate=one.relegate,
            play_off=one.play_off,
        )
        for level, one in enumerate(plan.divisions, start=1)
    ]
    write_divisions(divisions, plans, entrants, user=user)
    refuse_if_twice(season)
    date_season(season, plan.dates)
    return season


def write_divisions(
    divisions: Sequence[Division], plans: Sequence[Plan], entrants: Sequence[Sequence[Entrant]], *, user: User
) -> None:
    """Create the divisions of a new season with their competitions and entrants.

    Entrants in the order of their seeds. As many statements as for one division. The caller has checked that all may
    play there.
    """
    league = divisions[0].season.league
    for division, competition in zip(divisions, found_all(league, plans, user=user), strict=True):
        division.competition = competition
    Division.objects.bulk_create(divisions)
    Registration.objects.bulk_create(
        [
            Registration(competition=division.competition, entrant=entrant, seed=seed)
            for division, those in zip(divisions, entrants, strict=True)
            for seed, entrant in enumerate(those, start=1)
        ],
        batch_size=BATCH,
    )


def _enrolled(league: League, plan: SeasonPlan, user: User) -> list[list[Entrant]]:
    """Enrol the named entrants, by division."""
    lists = [NameList(one.names, pairs=competition_plan(plan, one).pairs) for one in plan.divisions]
    try:
        return paste_lists(league, lists, user=user, since=timezone.localdate())
    except TwoListsError as twice:
        first, second = (plan.divisions[place].name for place in (twice.first, twice.second))
        raise _in_two(twice.name, first, second) from twice
    except Refused as refused:
        if (place := refused.facts.get("place")) is not None:
            refused.facts = {**refused.facts, "division_place": place}
        raise


def check_season(plan: SeasonPlan) -> None:
    """Raise those errors of `found_season` that the plan alone shows."""
    check_name(plan.name)
    for code, sentence, wrong in _wrong(plan):
        if wrong:
            raise Refused(code, sentence)
    for place, one in enumerate(plan.divisions):
        _of_division(place, lambda one=one: _check_division(plan, one))
    refuse_wrong_borders(plan.divisions)


def check_name(name: str) -> None:
    """Raise Refused `bad-name`."""
    plain = " ".join(name.split())
    if not plain or longer_than(plain, LONGEST_NAME):
        raise Refused("bad-name", _("A name has 1 to %(longest)d characters."), longest=LONGEST_NAME)


def _wrong(plan: SeasonPlan) -> Iterable[tuple[str, Promise, bool]]:
    names = [" ".join(one.name.split()).casefold() for one in plan.divisions]
    yield "bad-season", _("A season has 1 to 64 divisions."), not 1 <= len(names) <= MOST_DIVISIONS
    yield "bad-season", _("Each division has a name of its own."), len(set(names)) < len(names)
    yield (
        "bad-season",
        _("A season ends after it has begun."),
        plan.ends_on is not None and plan.ends_on < plan.starts_on,
    )
    yield "bad-season", _("A play-off is best of 1, 3, 5, 7, 9 or 11 games."), plan.play_off_best_of not in GAMES


def _check_division(plan: SeasonPlan, one: DivisionPlan) -> None:
    name = " ".join(one.name.split())
    if not name or longer_than(name, LONGEST_DIVISION):
        raise Refused(
            "bad-division-name", _("A division's name has 1 to %(longest)d characters."), longest=LONGEST_DIVISION
        )
    if not all(0 <= number <= MOST_PLACES for number in (one.promote, one.relegate, one.play_off)):
        raise Refused("bad-places", _("0 to %(most)d places lead up or down."), most=MOST_PLACES)
    whole = competition_plan(plan, one)
    check(whole)
    if whole.format not in DIVISION_FORMATS or whole.then is not None:
        raise Refused("bad-plan", _("A division is a round robin or a Swiss system: it ends with one table."))


def refuse_wrong_borders(divisions: Sequence[_Bordered]) -> None:
    """Refuse places that lead up from the top division or down from the last."""
    if divisions[0].promote or divisions[0].play_off:
        raise Refused("bad-places", _("Nobody goes up from %(division)s: it is the top."), division=divisions[0].name)
    if divisions[-1].relegate:
        raise Refused(
            "bad-places", _("Nobody goes down from %(division)s: it is the last one."), division=divisions[-1].name
        )


def _of_division(place: int, act: Any) -> Any:
    """Add the number of the division to a refusal."""
    try:
        return act()
    except Refused as refused:
        refused.facts = {**refused.facts, "division_place": place}
        raise


def competition_plan(plan: SeasonPlan, one: DivisionPlan) -> Plan:
    """Return the plan of a division: the season's plan with its own fields."""
    return replace(plan.plan, **{**one.own, "name": division_title(plan.name, one.name), "starts_at": None})


def division_title(season: str, division: str) -> str:
    """Return the name of a division's competition: "Winter 2027: First division"."""
    told = pgettext("season and division", "%(season)s: %(division)s")
    whole = told % {"season": " ".join(season.split()), "division": " ".join(division.split())}
    return first_letters(whole, LONGEST_NAME)


def name_season(league: League, name: str, **facts: Any) -> Season:
    """Create the season under a free name and slug.

    Raises Refused `name-taken`, so that a form sent twice creates one season.
    """
    name = " ".join(name.split())
    refuse_if_name_taken(league, name)
    return Season.objects.create(league=league, name=name, slug=_free_slug(league, name), **facts)


def refuse_if_name_taken(league: League, name: str, *, but: Season | None = None) -> None:
    if league.seasons.filter(name__iexact=name).exclude(pk=but.pk if but else 0).exists():
        raise Refused(
            "name-taken",
            _("%(league)s has a season “%(name)s” already. Choose another name, or open that one."),
            league=league,
            name=name,
        )


def _free_slug(league: League, name: str) -> str:
    base = slugify(name)[: LONGEST_SLUG - 4].strip("-") or "season"
    taken = set(league.seasons.filter(slug__startswith=base).values_list("slug", flat=True))
    return base if base not in taken else next(one for n in range(2, 10_000) if (one := f"{base}-{n}") not in taken)


def refuse_if_twice(season: Season) -> None:
    """Raise Refused `in-two-divisions` if a player plays in two divisions."""
    seen: dict[int, Registration] = {}
    rows = Registration.objects.filter(competition__division__season=season)
    for row in rows.select_related(*PEOPLE, "competition__division").order_by("competition__division__level", "seed"):
        others = [seen.setdefault(player, row) for player in people_in(row.entrant)]
        if other := next((one for one in others if one is not row), None):
            raise _in_two(row.entrant, other.competition.division, row.competition.division)


def _in_two(entrant: object, first: object, second: object) -> Refused:
    return Refused(
        "in-two-divisions",
        _("%(entrant)s is named in %(first)s and in %(second)s. Everybody plays in one division."),
        entrant=entrant,
        first=first,
        second=second,
    )


def date_season(season: Season, dates: Sequence[datetime] | DateRule) -> None:
    if isinstance(dates, DateRule):
        zone = ZoneInfo(season.league.time_zone)
        refuse_if_far(dates.first)
        first = dates.first.astimezone(zone)
        hour = time(first.hour, first.minute)
        rule = RegularDates(
            first=first.date(), hour=hour, every=dates.every, count=rounds_needed(season), holidays=dates.holidays
        )
        dates = rule.in_zone(zone)
    write_dates(season, dates)
    refuse_if_too_few_dates(season)


def rounds_needed(season: Season) -> int:
    """Number of rounds of the longest division."""
    return max((rounds for _division, rounds in _rounds(season)), default=0)


def matches_at_once(season: Season) -> int:
    """Largest number of matches that one draw of all divisions can create."""
    return sum(
        sum(stage_sizes(stage, one.size, one_round=True))
        for one in sized(season.divisions.all())
        for stage in one.competition.stages.all()
    )


def _rounds(season: Season) -> Iterable[tuple[Division, int]]:
    for one in sized(season.divisions.all()):
        for stage in one.competition.stages.all():
            yield one, len(stage_sizes(stage, one.size))


def sized(divisions: QuerySet[Division]) -> "QuerySet[SizedDivision]":
    """Divisions from the top down, with `size` (number of entrants) and their stages.

    Two statements.
    """
    counted = divisions.annotate(size=Count("competition__registrations")).order_by("level")
    return counted.select_related("competition__league").prefetch_related("competition__stages__competition")


def refuse_if_too_few_dates(season: Season) -> None:
    """Raise Refused `too-few-dates`; a season without dates has no hours."""
    dates = season.dates.count()
    for division, rounds in _rounds(season) if dates else ():
        if dates < rounds:
            raise Refused(
                "too-few-dates",
                _("%(division)s has %(rounds)d rounds, and there are dates for %(dates)d."),
                division=division,
                rounds=rounds,
                dates=dates,
            )


def refuse_too_many_places(divisions: "Sequence[SizedDivision]") -> None:
    """Refuse more places up or down than a division has entrants.

    `divisions`: as `sized` has them.
    """
    below = {one.level: lower for one, lower in pairwise(divisions)}
    for one in divisions:
        size = one.size
        lower = below.get(one.level)
        places = one.promote + one.play_off + one.relegate + (lower.play_off if lower else 0)
        if places > size >= FEWEST:
            raise Refused(
                "bad-places",
                _("%(places)d places of %(division)s lead up or down, and %(size)d play there."),
                places=places,
                division=one,
                size=size,
            )


def plan_like(competition: Competition, **changes: Any) -> Plan:
    """Return a plan that would create the same competition, for a later season."""
    stages = plan_of_stages(competition)
    own = {one.name for one in fields(stages)}
    told = {one.name: getattr(competition, one.name) for one in fields(Plan) if one.name not in {*own, "tables"}}
    told |= {name: getattr(stages, name) for name in own}
    told["tables"] = list(competition.tables.order_by("pk").values_list("name", flat=True))
    return Plan(**{**told, "starts_at": None, **changes})


def rules_of(division: Division) -> DivisionRules:
    """Return the promotion rules of a division.

    Without the places that the division below plays off for (`queries.rules_with_below`).
    """
    return DivisionRules(promote=division.promote, relegate=division.relegate, play_off_up=division.play_off)

"""What the page of a bracket shows: the shape of the whole, and the people and matches of the part that is drawn."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Q

from games.rulesets import RULESETS
from league.accounts.permissions import Asker
from league.competitions.competition_page import seen_competition
from league.competitions.models import KNOCK_OUTS, Berth, Competition, Matchday, Registration, Stage
from league.competitions.shape import Shape, shape_of
from league.competitions.slots import MatchdayView, Placed, placed, window_views
from league.players.naming import fold

# So many names are chosen from a list, more are typed.
MOST_CHOICES = 64


@dataclass(frozen=True, slots=True)
class DayShape:
    """A round of a knock-out with the keys of its slots."""

    id: int
    section: str
    slots: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class BracketPage:
    """`choices`: whom one can follow, where they are few enough for a list. `followed`: who is, and `own`: the slots in
    which that one stands, of rounds that the asker may see. `unknown`: nobody here is called so.
    """

    competition: Competition
    stages: list[Stage]
    draft: bool
    edition: int | None
    days: list[DayShape]
    shape: Shape
    choices: list[Placed]
    followed: Placed | None
    own: frozenset[int]
    unknown: str

    @property
    def knock_out(self) -> bool:
        return any(stage.is_knock_out for stage in self.stages)


def bracket_page(user: Asker, league_slug: str, slug: str, *, player: str = "") -> BracketPage:
    """`player`: the code or the name of whom to follow. As many statements for any number of entrants. Raises
    Competition.DoesNotExist.
    """
    competition = seen_competition(user, league_slug, slug)
    shape = shape_of(competition)
    days = Matchday.objects.filter(stage__competition=competition, stage__format__in=KNOCK_OUTS)
    ordered = days.order_by("stage__number", "number").values_list("pk", "section")
    choices = placed(competition, first=MOST_CHOICES + 1)
    followed = _followed(competition, player)
    ruleset = RULESETS.get(competition.ruleset)
    return BracketPage(
        competition=competition,
        stages=list(competition.stages.all()),
        draft=competition.published_at is None,
        edition=ruleset.edition if ruleset else None,
        days=[DayShape(key, section, shape.days.get(key, ())) for key, section in ordered],
        shape=shape,
        choices=choices if len(choices) <= MOST_CHOICES else [],
        followed=followed,
        own=_slots_of(competition, followed) if followed else frozenset(),
        unknown=player if player and followed is None else "",
    )


def _followed(competition: Competition, player: str) -> Placed | None:
    """By code, else by name; of namesakes the better seed."""
    if not player:
        return None
    codes, name = player.upper().split("-"), fold(player)
    named = Q(entrant__player__code__in=codes) | Q(entrant__player__folded=name)
    named |= Q(entrant__partner__code__in=codes) | Q(entrant__partner__folded=name)
    rows = Registration.objects.filter(named, competition=competition)
    found = [row.entrant_id for row in rows.order_by("seed")[:1]]
    return next(iter(placed(competition, only=found)), None)


def _slots_of(competition: Competition, one: Placed) -> frozenset[int]:
    berths = Berth.objects.filter(slot__matchday__stage__competition=competition, entrant=one.entrant_id)
    if not competition.for_staff:
        berths = berths.filter(slot__matchday__published_at__isnull=False)
    return frozenset(berths.values_list("slot", flat=True))


def part_views(user: Asker, page: BracketPage, slots: Collection[int]) -> list[MatchdayView]:
    """The rounds of the draw that have one of these slots, with these alone."""
    return window_views(page.competition, page.shape.numbers, slots, user, everything=page.competition.for_staff)


def leading_to(root: int, days: Sequence[DayShape], sources: Mapping[int, Sequence[int]]) -> dict[int, list[int]]:
    """The slots of these rounds, by round, out of which somebody can come to `root`; itself among them."""
    wanted, found = {root}, {}
    for day in reversed(days):
        slots = [slot for slot in day.slots if slot in wanted]
        wanted.update(source for slot in slots for source in sources.get(slot, ()))
        found[day.id] = slots
    return {day.id: found[day.id] for day in days}

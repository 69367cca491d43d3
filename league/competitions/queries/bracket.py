"""The page of a bracket: shape of the draw, entrants and matches of a part."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Q

from games.rulesets import RULESETS
from league.accounts.permissions import Asker
from league.competitions.draw.forecast import going_on
from league.competitions.draw.laying_out import fewest
from league.competitions.draw_shape import Shape, shape_of
from league.competitions.draw_view import MatchdayView, window_views
from league.competitions.entrant_names import Placed, called, placed
from league.competitions.entrants import slots_of_withdrawn
from league.competitions.formats.registry import KNOCK_OUTS
from league.competitions.models import Berth, Competition, Matchday, Stage
from league.competitions.queries.competition import WithStages
from league.competitions.queries.rounds import OPEN
from league.competitions.visibility import seen_competition
from league.matches.models import KnownBy, Match, Result
from league.players.naming import by_surname

RULED_FORFEIT = Q(known_by=KnownBy.RULED, ended="forfeit")
# So many names are chosen from a list; of more, a name is typed.
MOST_CHOICES = 64


@dataclass(frozen=True, slots=True)
class DayShape:
    """A round of a knock-out with the keys of its slots."""

    id: int
    section: str
    slots: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class BracketPage(WithStages):
    """The page of a bracket.

    `choices`: the entrants that can be followed, by surname, if few enough for a list. `followed`: the followed
    entrant; `own`: its slots, of rounds that the asker may see. `unknown`: the name that no entrant has.
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


def bracket_page(user: Asker, league_slug: str, slug: str, *, player: str = "") -> BracketPage:
    """Return the page of a bracket.

    `player`: code or name of the entrant to follow. A constant number of statements. Raises Competition.DoesNotExist.
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
        choices=sorted(choices, key=lambda one: by_surname(one.name)) if len(choices) <= MOST_CHOICES else [],
        followed=followed,
        own=_slots_of(competition, followed) if followed else frozenset(),
        unknown=player if player and followed is None else "",
    )


def _followed(competition: Competition, player: str) -> Placed | None:
    """Find the entrant by code, else by name; of namesakes the better seed."""
    if not player:
        return None
    found = called(competition, player).values_list("entrant", flat=True)[:1]
    return next(iter(placed(competition, only=found)), None)


def _slots_of(competition: Competition, one: Placed) -> frozenset[int]:
    berths = Berth.objects.filter(slot__matchday__stage__competition=competition, entrant=one.entrant_id)
    if not competition.for_staff:
        berths = berths.filter(slot__matchday__published_at__isnull=False)
    return frozenset(berths.values_list("slot", flat=True))


def part_views(user: Asker, page: BracketPage, slots: Collection[int]) -> list[MatchdayView]:
    """The rounds of the draw with at least one of these slots, reduced to these slots."""
    return window_views(page.competition, page.shape.numbers, slots, user, everything=page.competition.for_staff)


def trees(days: Sequence[DayShape], sources: Mapping[int, Sequence[int]]) -> list[dict[int, list[int]]]:
    """Cut these rounds into trees, from the top of the draw to its bottom.

    A tree has its slots by round: a last slot that leads to no other slot of these rounds, and all slots that lead to
    it.
    """
    inner = {source for day in days for slot in day.slots for source in sources.get(slot, ())}
    roots = [slot for day in reversed(days) for slot in day.slots if slot not in inner]
    tree_of = {root: number for number, root in enumerate(roots)}
    for day in reversed(days):
        for slot in day.slots:
            for source in sources.get(slot, ()):
                tree_of.setdefault(source, tree_of[slot])
    found: list[dict[int, list[int]]] = [{day.id: [] for day in days} for _root in roots]
    for day in days:
        for slot in day.slots:
            found[tree_of[slot]][day.id].append(slot)
    return found


def being_played(page: BracketPage) -> frozenset[int]:
    """Slots of the knock-out with a published undecided match. One statement.

    Without forfeits that wait for their confirmation, and without matches of an entrant who has withdrawn.
    """
    played = Result.objects.filter(game__match=OuterRef("pk"), current=True).exclude(RULED_FORFEIT)
    matches = Match.objects.filter(state__in=OPEN, published_at__isnull=False)
    matches = matches.exclude(~Exists(played), state=Match.State.PROVISIONAL)
    matches = matches.exclude(slot__in=slots_of_withdrawn().values("pk"))
    return frozenset(matches.filter(slot__matchday__in=[day.id for day in page.days]).values_list("slot", flat=True))


def to_be_drawn(page: BracketPage) -> tuple[Stage, int] | None:
    """Return the undrawn knock-out and its number of entrants.

    None if it is drawn, or if too few are registered for a draw. One statement at most.
    """
    if page.days:
        return None
    entrants = page.competition.registrations.count()
    for stage in page.stages:
        if stage.is_knock_out:
            return (stage, entrants) if entrants >= fewest(stage) else None
        entrants = min(entrants, going_on(stage))
    return None

"""Circuits of a league: found, change, remove, and the copied places of their evenings."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import QuerySet
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

from league.accounts.folding import clean_words
from league.accounts.graphemes import longer_than
from league.accounts.models import LONGEST_NAME, League, User
from league.accounts.permissions import Act, check_may
from league.competitions.formats.circuit import EveningPlace, PointsBy
from league.competitions.models import Circuit, CircuitPlace, Competition, Registration
from league.competitions.official_results import finished
from league.competitions.task_queue import honours_due
from league.errors import Refused

LONGEST_SLUG = 60
MOST_EVENINGS = 200
MOST_PLACES, MOST_POINTS = 1000, 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class CircuitPlan:
    """Settings of a circuit. `points`: of a list only; `competitions`: keys; `counted`: best evenings, 0 for all."""

    name: str
    points_by: PointsBy
    points: Sequence[int] = ()
    counted: int = 0
    competitions: Iterable[int] = ()


@transaction.atomic
def found_circuit(league: League, plan: CircuitPlan, *, user: User) -> Circuit:
    """Found a circuit under a free address.

    Raises NotAllowed; Refused `bad-name`, `name-taken`, `bad-points`, `bad-counted`, `not-of-league`,
    `too-many-evenings`, `pairs-and-singles`.
    """
    _lock(league, user)
    return _write(Circuit(league=league, slug=_free_slug(league, plan.name)), plan)


@transaction.atomic
def change_circuit(circuit: Circuit, plan: CircuitPlan, *, user: User) -> Circuit:
    """Change everything but the address of a circuit. Raises as `found_circuit`."""
    _lock(circuit.league, user)
    return _write(Circuit.objects.select_related("league").get(pk=circuit.pk), plan)


@transaction.atomic
def remove_circuit(circuit: Circuit, *, user: User) -> None:
    """Delete a circuit; its competitions stay as they are. Raises NotAllowed."""
    _lock(circuit.league, user)
    Circuit.objects.filter(pk=circuit.pk).delete()


def offered(league: League, circuit: Circuit | None = None) -> QuerySet[Competition]:
    """Competitions that can be evenings, the latest first: those of the circuit, and the latest of the league.

    Play-offs belong to their season.
    """
    rows = Competition.objects.filter(league=league, play_off=None).order_by("-starts_at", "-pk")
    keys = set(rows.values_list("pk", flat=True)[:MOST_EVENINGS])
    if circuit is not None:
        keys |= set(circuit.competitions.values_list("pk", flat=True))
    return rows.filter(pk__in=keys)


def copy_places(competition: Competition, places: Mapping[int, EveningPlace]) -> None:
    """Replace the copied places of a competition, given by entrant."""
    rows = Registration.objects.filter(competition=competition)
    CircuitPlace.objects.filter(registration__in=rows).delete()
    keys = dict(rows.filter(entrant__in=places).values_list("entrant", "pk"))
    CircuitPlace.objects.bulk_create(
        CircuitPlace(registration_id=keys[entrant], first=place.first, last=place.last)
        for entrant, place in places.items()
        if entrant in keys
    )


def copied_places(competition: Competition) -> dict[int, EveningPlace]:
    """Read the copied places by entrant. One statement."""
    rows = CircuitPlace.objects.filter(registration__competition=competition)
    return {one: EveningPlace(*place) for one, *place in rows.values_list("registration__entrant", "first", "last")}


def _lock(league: League, user: User) -> None:
    check_may(user, Act.MANAGE_COMPETITIONS, league)
    League.objects.select_for_update().get(pk=league.pk)


def _write(circuit: Circuit, plan: CircuitPlan) -> Circuit:
    circuit.name = _checked_name(circuit, plan.name)
    circuit.points_by, circuit.points = plan.points_by, _checked_points(plan)
    if not 0 <= plan.counted <= MOST_EVENINGS:
        raise Refused("bad-counted", _("Between 1 and %(most)d evenings can count."), most=MOST_EVENINGS)
    circuit.counted = plan.counted
    chosen = _checked_competitions(circuit.league, set(plan.competitions))
    circuit.save()
    before = set(circuit.competitions.values_list("pk", flat=True))
    circuit.competitions.set(chosen)
    over = finished().filter(circuits=circuit).exclude(pk__in=before).order_by("pk")
    for key in over.values_list("pk", flat=True):
        honours_due(key)  # which copies its places
    return circuit


def _checked_name(circuit: Circuit, name: str) -> str:
    name = clean_words(name)
    if not name or longer_than(name, LONGEST_NAME):
        raise Refused("bad-name", _("A name has 1 to %(longest)d characters."), longest=LONGEST_NAME)
    if circuit.league.circuits.filter(name__iexact=name).exclude(pk=circuit.pk or 0).exists():
        raise Refused(
            "name-taken",
            _("%(league)s has a circuit “%(name)s” already. Choose another name, or open that one."),
            league=circuit.league,
            name=name,
        )
    return name


def _checked_points(plan: CircuitPlan) -> list[int]:
    if plan.points_by is not PointsBy.LIST:
        return []
    fit = all(0 <= one <= MOST_POINTS for one in plan.points)
    if not fit or not 0 < len(plan.points) <= MOST_PLACES:
        raise Refused(
            "bad-points",
            _("Write the points from the first place on, as whole numbers up to %(most)d: 10, 8, 6, 5."),
            most=MOST_POINTS,
        )
    return list(plan.points)


def _checked_competitions(league: League, keys: set[int]) -> list[Competition]:
    if len(keys) > MOST_EVENINGS:
        raise Refused("too-many-evenings", _("A circuit has at most %(most)d evenings."), most=MOST_EVENINGS)
    found = list(Competition.objects.filter(pk__in=keys, league=league, play_off=None))
    if len(found) < len(keys):
        raise Refused("not-of-league", _("A circuit has competitions of %(league)s only."), league=league)
    if len({one.pairs for one in found}) > 1:
        raise Refused(
            "pairs-and-singles", _("Pairs and single players can't share a ranking. Make a circuit for each of them.")
        )
    return found


def _free_slug(league: League, name: str) -> str:
    base = slugify(name)[: LONGEST_SLUG - 4].strip("-") or "circuit"
    taken = set(league.circuits.filter(slug__startswith=base).values_list("slug", flat=True))
    return base if base not in taken else next(one for n in range(2, 10_000) if (one := f"{base}-{n}") not in taken)

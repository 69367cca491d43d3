"""Shape of a draw without entrants: slots of each round, sources, match numbers.

A page that shows a part of a large draw finds the part in it and reads no other rows.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from django.core.cache import cache
from django.db.models import Count, Max, QuerySet, Sum

from league.competitions.models import Berth, Competition

KEPT_S = 3600


@dataclass(frozen=True, slots=True)
class Shape:
    """Shape of a draw, by the keys of the rows.

    `days`: the slots of each matchday, both in order. `sources`: the slots that a slot's entrants come from. `numbers`:
    of the match within the draw, without byes.
    """

    days: Mapping[int, tuple[int, ...]]
    sources: Mapping[int, tuple[int, ...]]
    numbers: Mapping[int, int]


def shape_of(competition: Competition) -> Shape:
    """Return the shape of a draw. Two statements, one if it is cached."""
    berths = Berth.objects.filter(slot__matchday__stage__competition=competition).order_by()
    key = f"shape:{competition.pk}:{_fingerprint(berths)}"
    found: Shape | None = cache.get(key)
    if found is None:
        found = read_shape(competition)
        cache.set(key, found, KEPT_S)
    return found


def _fingerprint(berths: QuerySet[Berth]) -> str:
    """Fingerprint of the draw, different for each draw.

    A berth is never moved to another slot, and its key never used again. (The sums are for a rolled-back transaction,
    after which SQLite does use keys again.)
    """
    told = berths.aggregate(
        count=Count("pk"), last=Max("pk"), slots=Sum("slot"), sources=Sum("from_slot"), days=Sum("slot__matchday")
    )
    return "-".join(str(told[name] or 0) for name in ("count", "last", "slots", "sources", "days"))


def read_shape(competition: Competition) -> Shape:
    """The same without the cache. One statement."""
    berths = Berth.objects.filter(slot__matchday__stage__competition=competition)
    days: dict[int, dict[int, int]] = {}
    sources: dict[int, tuple[int, ...]] = {}
    ordered = berths.order_by("slot__matchday__stage__number", "slot__matchday__number", "slot__number", "number")
    for day, slot, source in ordered.values_list("slot__matchday", "slot", "from_slot"):
        slots = days.setdefault(day, {})
        slots[slot] = slots.get(slot, 0) + 1
        if source is not None:
            sources[slot] = (*sources.get(slot, ()), source)
    played = (slot for slots in days.values() for slot, berth_count in slots.items() if berth_count > 1)
    return Shape(
        days={day: tuple(slots) for day, slots in days.items()},
        sources=sources,
        numbers={slot: number for number, slot in enumerate(played, start=1)},
    )

"""Seed order of a draft: by hand, by rating, by lot.

Each change undoes the draw, is logged, and can be undone until the draw.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from random import Random

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.accounts.models import User
from league.competitions.locks import locked_draft, undo_draw
from league.competitions.models import Competition, EarlierState, Matchday, Seeding
from league.competitions.ratings.queries import entrants_strengths
from league.competitions.registration.entries import order_of, write_seeds
from league.competitions.snapshots import keep
from league.errors import Refused
from league.players.models import PEOPLE

# Lots are kept for ever. Other changes are limited: each move up or down writes a row.
MOST_KEPT = 30
SHOWN = 10
_KEPT_AS = {
    Seeding.How.HAND: EarlierState.Before.SEEDED,
    Seeding.How.RATING: EarlierState.Before.SEEDED,
    Seeding.How.LOT: EarlierState.Before.LOTS,
}


def stand_of(order: Sequence[int]) -> str:
    """Hash a seed order, so that a form can state the order its page showed."""
    return sha256(",".join(map(str, order)).encode()).hexdigest()[:16]


@transaction.atomic
def reseed(competition: Competition, entrant_ids: Sequence[int], *, user: User, seen: str | None = None) -> None:
    """Set seeds from 1 in the given order, which names every registered entrant once.

    `seen`: the `stand_of` the order on the asker's page. Raises NotAllowed, and Refused `already-published`,
    `has-logs`, `other-entrants`, `seeds-changed`.
    """
    competition = locked_draft(competition.pk, user)
    order = order_of(competition)
    _check_seen(order, seen)
    if sorted(entrant_ids) != sorted(order):
        raise Refused(
            "other-entrants",
            _("Somebody was added or taken out meanwhile. Look at the list again before you change the order."),
        )
    _change(competition, Seeding.How.HAND, order, list(entrant_ids), user)


@transaction.atomic
def draw_lots(competition: Competition, *, user: User, rng: Random, seen: str | None = None) -> None:
    """Seed by lot, once for the same entrants unless the lot was undone.

    An undone lot stays on record. Raises NotAllowed, and Refused `already-published`, `has-logs`, `seeds-changed`,
    `lots-drawn`.
    """
    competition = locked_draft(competition.pk, user)
    order = order_of(competition)
    _check_seen(order, seen)
    if before := _standing_lot(competition, order):
        raise Refused(
            "lots-drawn",
            _("Lots were drawn among these players already, by %(by)s. They are drawn once."),
            by=before.made_by,
        )
    drawn = list(order)
    rng.shuffle(drawn)
    _change(competition, Seeding.How.LOT, order, drawn, user)


@transaction.atomic
def seed_by_rating(competition: Competition, *, user: User, seen: str | None = None) -> int:
    """Seed by the league's ratings of this ruleset; return how many have no rating.

    Unrated entrants follow in their former order. Raises NotAllowed, and Refused `already-published`, `has-logs`,
    `seeds-changed`, `nobody-rated`.
    """
    competition = locked_draft(competition.pk, user)
    order = order_of(competition)
    _check_seen(order, seen)
    ratings = ratings_of(competition)
    if not ratings:
        raise Refused(
            "nobody-rated", _("No player here has a rating in this ruleset yet. Order them by hand, or draw lots.")
        )
    _change(competition, Seeding.How.RATING, order, by_rating(order, ratings), user)
    return len(order) - len(ratings)


def by_rating(order: Sequence[int], ratings: Mapping[int, float]) -> list[int]:
    """Sort by rating; equal and unrated entrants keep their order, unrated ones last.

    >>> by_rating([1, 2, 3, 4], {2: 1500.0, 4: 1600.0})
    [4, 2, 1, 3]
    """
    return sorted(order, key=lambda one: (one not in ratings, -ratings.get(one, 0.0)))


def ratings_of(competition: Competition) -> dict[int, float]:
    """Give ratings by entrant, rated entrants only. Two statements."""
    rows = competition.registrations.select_related("entrant")
    return entrants_strengths(competition, [row.entrant for row in rows])


@transaction.atomic
def undo_seeding(competition: Competition, seeding_id: int, *, user: User) -> Seeding:
    """Restore the order before the last change.

    Raises NotAllowed, and Refused `already-published`, `not-the-last`, `drawn-already`, `other-entrants`.
    """
    competition = locked_draft(competition.pk, user)
    last = _standing(competition).last()
    if last is None or last.pk != seeding_id:
        raise Refused("not-the-last", _("The order was changed since, or this was taken back. Look at the list again."))
    if Matchday.objects.filter(stage__competition=competition).exists():
        raise Refused(
            "drawn-already",
            _("The draw used this order, so it can't be undone. Change the order, then redraw."),
        )
    order = order_of(competition)
    if last.after != order or sorted(last.before) != sorted(order):
        raise Refused(
            "other-entrants",
            _("Somebody was added or taken out since, so the order before does not fit. Change it by hand."),
        )
    write_seeds(competition, last.before)
    last.undone_at, last.undone_by = timezone.now(), user
    last.save(update_fields=["undone_at", "undone_by"])
    return last


def _check_seen(order: Sequence[int], seen: str | None) -> None:
    if seen is not None and seen != stand_of(order):
        raise Refused(
            "seeds-changed",
            _("The order was changed meanwhile, by somebody else or in another window. Nothing was stored."),
        )


def _change(competition: Competition, how: Seeding.How, before: list[int], after: list[int], user: User) -> None:
    keep(competition, _KEPT_AS[how], user=user)
    undo_draw(competition)
    write_seeds(competition, after)
    if after == before and how == Seeding.How.HAND:
        return
    Seeding.objects.create(
        competition=competition, how=how, before=before, after=after, made_at=timezone.now(), made_by=user
    )
    old = competition.seedings.exclude(how=Seeding.How.LOT).order_by("-made_at", "-pk").values_list("pk", flat=True)
    Seeding.objects.filter(pk__in=list(old[MOST_KEPT:])).delete()


def _standing(competition: Competition) -> QuerySet[Seeding]:
    return competition.seedings.filter(undone_at=None).select_related("made_by").order_by("made_at", "pk")


def _standing_lot(competition: Competition, order: Sequence[int]) -> Seeding | None:
    lots = _standing(competition).filter(how=Seeding.How.LOT)
    return next((one for one in lots if sorted(one.after) == sorted(order)), None)


# --- The page ---


@dataclass(frozen=True, slots=True)
class SeedLine:
    """A line of the seeding page, for managers only.

    `name` is the full name, also of a minor. `rating` is None if unrated.
    """

    entrant_id: int
    seed: int
    name: str
    rating: float | None


@dataclass(frozen=True, slots=True)
class SeedingPage:
    """Data of the seeding page.

    `history`: latest changes, newest first. `undoable`: the change that can be undone now. `lot`: the valid lot among
    these entrants.
    """

    lines: Sequence[SeedLine]
    stand: str
    history: Sequence[Seeding]
    undoable: Seeding | None
    lot: Seeding | None
    drawn: bool

    @property
    def rated(self) -> int:
        return sum(line.rating is not None for line in self.lines)

    @property
    def unrated(self) -> int:
        return len(self.lines) - self.rated


def seeding_page(competition: Competition, wanted: Iterable[int] | None = None) -> SeedingPage:
    """Read the seeding page. A constant number of statements.

    `wanted`: a refused order, shown in place of the stored order; entrants that it lacks follow at the end.
    """
    rows = list(competition.registrations.select_related(*PEOPLE).order_by("seed"))
    order = [row.entrant_id for row in rows]
    ratings = ratings_of(competition)
    lines = [SeedLine(row.entrant_id, row.seed, row.entrant.full_name, ratings.get(row.entrant_id)) for row in rows]
    if wanted is not None:
        place = {entrant: number for number, entrant in enumerate(wanted)}
        lines.sort(key=lambda line: (place.get(line.entrant_id, len(place)), line.seed))
    drawn = Matchday.objects.filter(stage__competition=competition).exists()
    last = _standing(competition).last()
    fits = last is not None and last.after == order and not drawn
    history = competition.seedings.select_related("made_by", "undone_by").order_by("-made_at", "-pk")
    return SeedingPage(
        lines=lines,
        stand=stand_of(order),
        history=list(history[:SHOWN]),
        undoable=last if fits else None,
        lot=_standing_lot(competition, order),
        drawn=drawn,
    )

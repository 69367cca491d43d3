"""Who takes part in a competition, and in which order. Every change undoes the draw of a draft."""

from collections.abc import Sequence
from random import Random

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from league.accounts.models import User
from league.competitions.drafts import locked, locked_draft, refuse_if_published, undo_draw
from league.competitions.models import Competition, Registration
from league.errors import Refused
from league.players.models import Entrant


@transaction.atomic
def register(competition: Competition, entrants: Sequence[Entrant]) -> list[Registration]:
    """Seeds go on from the last one. Raises Refused `already-published`, `has-logs`, `other-league`,
    `already-registered`.
    """
    competition = refuse_if_published(locked(competition.pk))
    if any(entrant.league_id != competition.league_id for entrant in entrants):
        raise Refused("other-league", _("Only entrants of %(league)s can be registered."), league=competition.league)
    before = set(competition.registrations.values_list("entrant", flat=True))
    for entrant in entrants:
        if entrant.pk in before:
            raise Refused(
                "already-registered",
                _("%(entrant)s is registered for %(competition)s already."),
                entrant=entrant,
                competition=competition,
            )
        before.add(entrant.pk)
    if entrants:
        undo_draw(competition)
    first = competition.registrations.count() + 1
    return Registration.objects.bulk_create(
        Registration(competition=competition, entrant=entrant, seed=seed)
        for seed, entrant in enumerate(entrants, start=first)
    )


def unregister(competition: Competition, entrant: Entrant, *, user: User) -> None:
    """Those behind move up a seed. Raises NotAllowed, and Refused `already-published`, `has-logs`,
    `not-registered`.
    """
    unregister_all(competition, [entrant], user=user)


@transaction.atomic
def unregister_all(competition: Competition, entrants: Sequence[Entrant], *, user: User) -> None:
    """The same for several at once."""
    competition = locked_draft(competition.pk, user)
    order = _order(competition)
    for entrant in entrants:
        if entrant.pk not in order:
            raise Refused(
                "not-registered",
                _("%(entrant)s is not registered for %(competition)s."),
                entrant=entrant,
                competition=competition,
            )
    undo_draw(competition)
    competition.registrations.filter(entrant__in=entrants).delete()
    gone = {entrant.pk for entrant in entrants}
    _seed(competition, [one for one in order if one not in gone])


@transaction.atomic
def reseed(competition: Competition, entrant_ids: Sequence[int], *, user: User) -> None:
    """Seeds from 1 in the order given, which names every registered entrant once. Raises NotAllowed, and Refused
    `already-published`, `has-logs`, `other-entrants`.
    """
    competition = locked_draft(competition.pk, user)
    if sorted(entrant_ids) != sorted(_order(competition)):
        raise Refused(
            "other-entrants",
            _("Somebody was added or taken out meanwhile. Look at the list again before you change the order."),
        )
    undo_draw(competition)
    _seed(competition, entrant_ids)


@transaction.atomic
def draw_lots(competition: Competition, *, user: User, rng: Random) -> None:
    """Seeds by lot. Raises NotAllowed, and Refused `already-published`, `has-logs`."""
    competition = locked_draft(competition.pk, user)
    order = _order(competition)
    rng.shuffle(order)
    undo_draw(competition)
    _seed(competition, order)


def _order(competition: Competition) -> list[int]:
    return list(competition.registrations.order_by("seed").values_list("entrant", flat=True))


def _seed(competition: Competition, entrant_ids: Sequence[int]) -> None:
    """In two steps, for a seed is unique: first out of the way, then to their places. The rows stay, and with them who
    is checked in.
    """
    rows = {row.entrant_id: row for row in competition.registrations.all()}
    beyond = max((row.seed for row in rows.values()), default=0) + len(rows)
    for first in (beyond + 1, 1):
        for seed, one in enumerate(entrant_ids, start=first):
            rows[one].seed = seed
        Registration.objects.bulk_update(rows.values(), ["seed"], batch_size=500)

"""Registrations of a competition. Every change undoes the draw of a draft."""

from collections.abc import Collection, Sequence

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from league.accounts.models import User
from league.competitions.entrants import standing_withdrawals
from league.competitions.locks import locked, locked_draft, refuse_if_published, undo_draw
from league.competitions.models import Competition, EarlierState, Registration
from league.competitions.snapshots import keep, keep_drawn
from league.errors import Refused
from league.players.models import PEOPLE, Entrant, Player


@transaction.atomic
def register(competition: Competition, entrants: Sequence[Entrant], *, user: User | None = None) -> list[Registration]:
    """Register entrants, with seeds after the last one.

    `user`: shown as the author of the change. Raises Refused `already-published`, `has-logs`, and as `check_entrants`.
    """
    competition = refuse_if_published(locked(competition.pk))
    check_entrants(competition, entrants)
    if entrants:
        keep_drawn(competition, EarlierState.Before.ADDED, user=user)
        undo_draw(competition)
    first = competition.registrations.count() + 1
    return Registration.objects.bulk_create(
        Registration(competition=competition, entrant=entrant, seed=seed)
        for seed, entrant in enumerate(entrants, start=first)
    )


def check_entrants(competition: Competition, entrants: Sequence[Entrant]) -> None:
    """Check that entrants can be registered, each player once.

    A player must not be in two entrants, neither alone nor in pairs. Raises Refused `other-league`, `no-pair`,
    `is-pair`, `already-registered`, `plays-already`.
    """
    if any(entrant.league_id != competition.league_id for entrant in entrants):
        raise Refused("other-league", _("Only entrants of %(league)s can be registered."), league=competition.league)
    taken: dict[int, Entrant] = {}
    for row in competition.registrations.select_related(*PEOPLE):
        taken |= {player.pk: row.entrant for player in row.entrant.players}
    for entrant in entrants:
        _check_kind(competition, entrant)
        for player in entrant.players:
            if other := taken.get(player.pk):
                raise _plays_already(competition, entrant, other, player)
        taken |= {player.pk: entrant for player in entrant.players}


def _check_kind(competition: Competition, entrant: Entrant) -> None:
    facts = {"entrant": entrant, "competition": competition}
    if competition.pairs and not entrant.is_pair:
        raise Refused("no-pair", _("%(competition)s is played by pairs, and %(entrant)s is one player."), **facts)
    if entrant.is_pair and not competition.pairs:
        raise Refused("is-pair", _("%(entrant)s are a pair, and in %(competition)s everybody plays alone."), **facts)


def _plays_already(competition: Competition, entrant: Entrant, other: Entrant, player: Player) -> Refused:
    if entrant.pk == other.pk:
        if standing_withdrawals(competition).filter(entrant=entrant).exists():
            return Refused(
                "already-registered",
                _("%(entrant)s has left %(competition)s. Take the withdrawal back on the page of the competition."),
                entrant=entrant,
                competition=competition,
            )
        return Refused(
            "already-registered",
            _("%(entrant)s is registered for %(competition)s already."),
            entrant=entrant,
            competition=competition,
        )
    return Refused(
        "plays-already",
        _("%(player)s plays in %(competition)s already, in the pair %(other)s. Nobody plays in two pairs."),
        player=player,
        competition=competition,
        other=other,
    )


def unregister(competition: Competition, entrant: Entrant, *, user: User) -> None:
    """Remove an entrant; later seeds move up.

    Raises NotAllowed, and Refused `already-published`, `has-logs`, `not-registered`.
    """
    unregister_all(competition, [entrant], user=user)


@transaction.atomic
def unregister_all(competition: Competition, entrants: Sequence[Entrant], *, user: User) -> None:
    """Remove several entrants; raises as `unregister`."""
    competition = locked_draft(competition.pk, user)
    order = set(order_of(competition))
    for entrant in entrants:
        if entrant.pk not in order:
            raise Refused(
                "not-registered",
                _("%(entrant)s is not registered for %(competition)s."),
                entrant=entrant,
                competition=competition,
            )
    take_out(competition, [entrant.pk for entrant in entrants], user=user)


def take_out(competition: Competition, entrant_ids: Collection[int], *, user: User | None) -> None:
    """Remove entrants of a locked draft; `user` None: the entrant withdrew.

    Raises Refused `has-logs`.
    """
    keep(competition, EarlierState.Before.TAKEN_OUT, user=user)
    undo_draw(competition)
    competition.registrations.filter(entrant__in=entrant_ids).delete()
    write_seeds(competition, [one for one in order_of(competition) if one not in set(entrant_ids)])


def order_of(competition: Competition) -> list[int]:
    """List entrant ids from seed 1 on."""
    return list(competition.registrations.order_by("seed").values_list("entrant", flat=True))


def write_seeds(competition: Competition, entrant_ids: Sequence[int]) -> None:
    """Write seeds in two steps, beyond the range and then final: a seed is unique.

    Rows are updated in place, so check-ins stay.
    """
    rows = {row.entrant_id: row for row in competition.registrations.all()}
    beyond = max((row.seed for row in rows.values()), default=0) + len(rows)
    for first in (beyond + 1, 1):
        for seed, one in enumerate(entrant_ids, start=first):
            rows[one].seed = seed
        Registration.objects.bulk_update(rows.values(), ["seed"], batch_size=500)


def enter(competition: Competition, entrants: Sequence[Entrant], *, user: User | None = None) -> list[Registration]:
    """Register those that are not registered yet, in their order.

    Raises as `register`.
    """
    there = set(locked(competition.pk).registrations.values_list("entrant", flat=True))
    new = [one for one in entrants if one.pk not in there]
    return register(competition, new, user=user) if new else []

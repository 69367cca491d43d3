"""Merges of duplicate players, and their undoing.

Rows that refer to the absorbed entrant or player are found through the models, so no higher package must be known here:
every row is moved and its key kept. The absorbed rows are kept, empty, with their codes. A model with `MADE_ANEW` holds
copies: their owner listens to `players_merged` and rebuilds them.
"""

from collections.abc import Iterator
from typing import Any

from django.apps import apps
from django.db import models, transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.accounts.models import League, User
from league.accounts.permissions import Act, check_may
from league.errors import Refused
from league.players.claiming import guard_account
from league.players.models import ClaimLink, Entrant, Membership, Player, PlayerClaim, PlayerMerge, plays
from league.players.naming import tell_apart
from league.players.signals import players_merged

# Moved by rules of their own, or history that is not moved.
OWN_RULES = {Entrant, Membership, PlayerClaim, ClaimLink, PlayerMerge, Player}


@transaction.atomic
def merge(*, kept: Player, absorbed: Player, league: League, by: User) -> PlayerMerge:
    """Merge two players.

    Raises NotAllowed; Refused `same-player`, `not-in-this-league`, `two-accounts`, `play-together`, `one-pair`.
    """
    check_may(by, Act.MANAGE_PEOPLE, league)
    if kept.pk == absorbed.pk:
        raise Refused("same-player", _("This is one player."))
    rows = Player.objects.select_for_update().filter(pk__in=[kept.pk, absorbed.pk], merged_into=None).exclude(name="")
    both = {player.pk: player for player in rows.order_by("pk")}
    if len(both) < 2 or not all(_is_of(player, league) for player in both.values()):
        raise Refused("not-in-this-league", _("Both must be players of %(league)s."), league=league)
    kept, absorbed = both[kept.pk], both[absorbed.pk]
    _check_leagues(kept, absorbed, league, by)
    if kept.user_id and absorbed.user_id and kept.user_id != absorbed.user_id:
        raise Refused("two-accounts", _("Both have an account of their own. Part one of them from its account first."))
    moved: dict[str, Any] = {
        "rows": list(_move_entrants(kept, absorbed)),
        "memberships": _move_memberships(kept, absorbed),
    }
    for model, field in pointing_at(Player):
        moved["rows"].append(_move(model, field, absorbed.pk, kept.pk))
    moved |= _move_person(kept, absorbed)
    Player.objects.filter(pk=absorbed.pk).update(merged_into=kept)
    tell_apart([kept.folded, absorbed.folded])
    players_merged.send(Player, player_ids=[kept.pk, absorbed.pk])
    return PlayerMerge.objects.create(kept=kept, absorbed=absorbed, moved=moved, made_by=by, made_at=timezone.now())


def _is_of(player: Player, league: League) -> bool:
    return Membership.objects.filter(player=player, league=league).exists()


def _check_leagues(kept: Player, absorbed: Player, league: League, by: User) -> None:
    """Check the permission in every league of both players.

    Else the manager of one league could rewrite the tables of another.
    """
    ids = Membership.objects.filter(player__in=[kept, absorbed]).values("league")
    for other in League.objects.filter(pk__in=ids).exclude(pk=league.pk):
        check_may(by, Act.MANAGE_PEOPLE, other)


def pointing_at(target: type[models.Model]) -> Iterator[tuple[type[models.Model], str]]:
    """Yield each (model, field) with a foreign key to the target, except `OWN_RULES`."""
    for model in apps.get_models(include_auto_created=True):
        if model in OWN_RULES or getattr(model, "MADE_ANEW", False):
            continue
        for field in model._meta.local_fields:
            if field.remote_field and field.remote_field.model is target:
                yield model, field.attname


def _move(model: type[models.Model], field: str, before: int, after: int) -> list[Any]:
    keys = list(model._base_manager.filter(**{field: before}).order_by("pk").values_list("pk", flat=True))
    if keys:
        model._base_manager.filter(pk__in=keys).update(**{field: after})
    return [model._meta.label_lower, field, before, after, keys]


def _move_entrants(kept: Player, absorbed: Player) -> Iterator[list[Any]]:
    """Move the absorbed player's entrants to the kept player.

    If the kept player has the same one, its rows are moved instead. The same: an entrant of that league, alone or with
    the same partner.
    """
    held = list(_entrants(kept))
    moving = list(_entrants(absorbed))
    for entrant in moving:
        _refuse_if_one(entrant, kept, absorbed)
        for other in held:
            if other.league_id == entrant.league_id:
                for model, field in pointing_at(Entrant):
                    _check_apart(model, field, entrant, other)
    beside = {(one.league_id, _other(one, kept)): one for one in held}
    for entrant in moving:
        double = beside.get((entrant.league_id, _other(entrant, absorbed)))
        if double is None:
            field = "player_id" if entrant.player_id == absorbed.pk else "partner_id"
            Entrant.objects.filter(pk=entrant.pk).update(**{field: kept.pk})
            yield [Entrant._meta.label_lower, field, absorbed.pk, kept.pk, [entrant.pk]]
            continue
        for model, field in pointing_at(Entrant):
            yield _move(model, field, entrant.pk, double.pk)
        if entrant.needs_accessible and not double.needs_accessible:
            Entrant.objects.filter(pk=double.pk).update(needs_accessible=True)
            yield [Entrant._meta.label_lower, "needs_accessible", False, True, [double.pk]]


def _entrants(player: Player) -> models.QuerySet[Entrant]:
    found = Entrant.objects.select_for_update(of=("self",)).filter(plays(player)).order_by("pk")
    return found.select_related("player", "partner")


def _other(entrant: Entrant, player: Player) -> int | None:
    """Return the partner of a player in an entrant (key), None if alone."""
    return entrant.player_id if entrant.partner_id == player.pk else entrant.partner_id


def _refuse_if_one(entrant: Entrant, kept: Player, absorbed: Player) -> None:
    if _other(entrant, absorbed) == kept.pk:
        raise Refused("one-pair", _("%(pair)s play as a pair, so they are not one person."), pair=entrant)


def _check_apart(model: type[models.Model], field: str, one: Entrant, other: Entrant) -> None:
    """Refuse if both are in one match or competition, found by the unique constraints."""
    name = model._meta.get_field(field.removesuffix("_id")).name
    for constraint in model._meta.constraints:
        if not isinstance(constraint, models.UniqueConstraint) or name not in constraint.fields:
            continue
        beside = [part for part in constraint.fields if part != name]
        of_one = set(model._base_manager.filter(**{field: one.pk}).values_list(*beside))
        of_other = set(model._base_manager.filter(**{field: other.pk}).values_list(*beside))
        if of_one & of_other:
            what: Any = model._meta.get_field(beside[0])
            shared = min(of_one & of_other)[0]
            named = what.related_model._base_manager.get(pk=shared) if what.is_relation else shared
            raise Refused(
                "play-together",
                _("Both take part in one %(what)s (%(name)s), so they are not one person."),
                what=what.verbose_name,
                name=named,
            )


def _move_memberships(kept: Player, absorbed: Player) -> list[int]:
    held = set(Membership.objects.filter(player=kept).values_list("league", "since"))
    rows = Membership.objects.filter(player=absorbed)
    moving = [row.pk for row in rows.order_by("pk") if (row.league_id, row.since) not in held]
    Membership.objects.filter(pk__in=moving).update(player=kept)
    return moving


def _move_person(kept: Player, absorbed: Player) -> dict[str, Any]:
    """Move account, year of birth and waiting claims that the kept player lacks."""
    moved: dict[str, Any] = {"user": None, "born": None, "kept_born": kept.born, "claims": []}
    if absorbed.user_id and not kept.user_id:
        moved["user"] = absorbed.user_id
        Player.objects.filter(pk=absorbed.pk).update(user=None)
        Player.objects.filter(pk=kept.pk).update(user=absorbed.user_id)
    elif absorbed.user_id:
        moved["shared_user"] = absorbed.user_id
        Player.objects.filter(pk=absorbed.pk).update(user=None)
    if absorbed.born and not kept.born:
        moved["born"] = absorbed.born
        Player.objects.filter(pk=kept.pk).update(born=absorbed.born)
    for waiting in PlayerClaim.objects.filter(player=absorbed, state=PlayerClaim.State.WAITING):
        own = PlayerClaim.objects.filter(player=kept, user=waiting.user_id, state=PlayerClaim.State.WAITING)
        if not own.exists():
            PlayerClaim.objects.filter(pk=waiting.pk).update(player=kept)
            moved["claims"].append(waiting.pk)
    ClaimLink.objects.filter(player=absorbed, used_at=None).delete()
    owner = Player.objects.select_related("user").get(pk=kept.pk).user
    if owner:
        guard_account(owner)
    return moved


@transaction.atomic
def unmerge(done: PlayerMerge, *, league: League, by: User) -> None:
    """Undo a merge: move everything back, except later acts of the kept player.

    Raises NotAllowed; Refused `undone-already`, `merged-further`, `name-erased`.
    """
    check_may(by, Act.MANAGE_PEOPLE, league)
    done = PlayerMerge.objects.select_for_update().get(pk=done.pk)
    kept, absorbed = done.kept, done.absorbed
    _check_leagues(kept, absorbed, league, by)
    if done.undone_at:
        raise Refused("undone-already", _("This was undone already."))
    if kept.merged_into_id:
        raise Refused("merged-further", _("%(name)s was merged further. Undo that one first."), name=kept)
    if not absorbed.name:
        raise Refused("name-erased", _("The name was erased since, and with it the person to bring back."))
    for label, field, before, after, keys in reversed(done.moved["rows"]):
        apps.get_model(label)._base_manager.filter(pk__in=keys, **{field: after}).update(**{field: before})
    Membership.objects.filter(pk__in=done.moved["memberships"], player=kept).update(player=absorbed)
    PlayerClaim.objects.filter(pk__in=done.moved["claims"], player=kept).update(player=absorbed)
    _give_back(done, kept, absorbed)
    done.undone_at, done.undone_by = timezone.now(), by
    done.save(update_fields=["undone_at", "undone_by"])
    tell_apart([kept.folded, absorbed.folded])
    players_merged.send(Player, player_ids=[kept.pk, absorbed.pk])


def _give_back(done: PlayerMerge, kept: Player, absorbed: Player) -> None:
    owner = done.moved["user"]
    if owner and kept.user_id == owner:
        Player.objects.filter(pk=kept.pk).update(user=None)
        Player.objects.filter(pk=absorbed.pk).update(user=owner)
    if shared := done.moved.get("shared_user"):
        Player.objects.filter(pk=absorbed.pk).update(user=shared)
    if done.moved["born"] and kept.born == done.moved["born"]:
        Player.objects.filter(pk=kept.pk).update(born=done.moved["kept_born"])
    Player.objects.filter(pk=absorbed.pk).update(merged_into=None)
    for user in User.objects.filter(pk__in={owner, shared or None} - {None}):
        guard_account(user)

"""Erasure of a player's name; results and proofs are kept."""

from django.db import transaction

from league.accounts import services as accounts
from league.accounts.models import League, User
from league.accounts.permissions import Act, check_may
from league.players.models import ClaimLink, Entrant, Membership, Player, PlayerClaim, plays
from league.players.naming import tell_apart
from league.players.signals import player_erased


@transaction.atomic
def erase(player: Player) -> None:
    """Erase a player's name and private data, with those of players merged into it.

    In a single transaction: name, year of birth, club, number, claims, and the rows of other apps that hold the name.
    The code is kept in results and sealed logs, whose proofs remain valid.
    """
    for one in _with_absorbed(player):
        Player.objects.filter(pk=one.pk).update(name="", folded="", apart="", born=None, user=None)
        Membership.objects.filter(player=one).update(club="", number="")
        Entrant.objects.filter(plays(one)).update(needs_accessible=False)
        PlayerClaim.objects.filter(player=one).delete()
        ClaimLink.objects.filter(player=one).delete()
        player_erased.send(Player, player_id=one.pk)
        tell_apart([one.folded])


def _with_absorbed(player: Player) -> list[Player]:
    found = [Player.objects.get(pk=player.pk)]
    for one in found:  # grows while it is read: players merged into an absorbed one count too
        found.extend(one.absorbed.order_by("pk"))
    return found


def erase_for(player: Player, league: League, by: User) -> None:
    """Erase a player, as a manager of the league or as its own account.

    Raises NotAllowed.
    """
    if player.user_id != by.pk:
        check_may(by, Act.MANAGE_PEOPLE, league)
    erase(player)


@transaction.atomic
def erase_account(user: User, *, with_names: bool) -> None:
    """Erase an account and unlink its players; `with_names` erases their names too.

    Raises Refused `last-owner`, `last-administrator`.
    """
    for player in Player.objects.filter(user=user):
        if with_names:
            erase(player)
    Player.objects.filter(user=user).update(user=None)
    accounts.erase_account(user)

"""A name is forgotten; results and proofs stay."""

from django.db import transaction

from league.accounts import services as accounts
from league.accounts.models import League, User
from league.accounts.permissions import Act, check_may
from league.players.models import ClaimLink, Entrant, Membership, Player, PlayerClaim, plays
from league.players.naming import tell_apart
from league.players.signals import player_erased


@transaction.atomic
def erase(player: Player) -> None:
    """Forget the name, and in the same transaction whatever else holds it or is private: year of birth, club, number,
    claims, and the same of every player that was merged into this one. The code stays in results and sealed logs,
    whose proofs hold as before.
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
    for one in found:  # grows while it is read: who was merged into somebody absorbed counts too
        found.extend(one.absorbed.order_by("pk"))
    return found


def erase_for(player: Player, league: League, by: User) -> None:
    """By a manager of the league or by the person, through the account that the player belongs to. Raises
    NotAllowed.
    """
    if player.user_id != by.pk:
        check_may(by, Act.MANAGE_PEOPLE, league)
    erase(player)


@transaction.atomic
def erase_account(user: User, *, with_names: bool) -> None:
    """The account goes; its players are parted from it, and lose their names where that is asked for. Raises Refused
    `last-owner`, `last-administrator`.
    """
    for player in Player.objects.filter(user=user):
        if with_names:
            erase(player)
    Player.objects.filter(user=user).update(user=None)
    accounts.erase_account(user)

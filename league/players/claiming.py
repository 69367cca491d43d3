"""Links between players and accounts: claims, and links given out by a manager."""

import secrets
from datetime import timedelta
from hashlib import sha256
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.accounts.models import League, Role, User
from league.accounts.naming import last_minor_year
from league.accounts.permissions import ALLOWED, Act, check_may, leagues_where
from league.errors import NotAllowed, Refused
from league.players.models import ClaimLink, Player, PlayerClaim

LINK_DAYS = 14
MOST_WAITING = 10


@transaction.atomic
def claim(player: Player, user: User) -> PlayerClaim:
    """Claim a player as one's own. A second claim returns the first.

    Raises NotAllowed `sign-in`, Refused `claimed-already`, `player-here-already`, `too-many-claims`, `no-such-player`.
    """
    if not user.is_authenticated:
        raise NotAllowed("sign-in", _("Sign in first."))
    player = _locked(player)
    _check_free(player, user)
    waiting = PlayerClaim.objects.filter(user=user, state=PlayerClaim.State.WAITING)
    held = waiting.filter(player=player).first()
    if held:
        return held
    if waiting.count() >= MOST_WAITING:
        raise Refused("too-many-claims", _("You wait for %(most)d answers already."), most=MOST_WAITING)
    return PlayerClaim.objects.create(player=player, user=user, made_at=timezone.now())


def _locked(player: Player) -> Player:
    """Lock the player, so that concurrent decisions wait, and return its row."""
    found = Player.objects.select_for_update().filter(pk=player.pk, merged_into=None).exclude(name="").first()
    if found is None:
        raise Refused("no-such-player", _("This player is not there any more."))
    return found


def _check_free(player: Player, user: User) -> None:
    if player.user_id:
        raise Refused("claimed-already", _("%(name)s has an account already."), name=player)
    leagues = League.objects.filter(memberships__player=player)
    own = Player.objects.filter(user=user, memberships__league__in=leagues).first()
    if own:
        raise Refused(
            "player-here-already",
            _("Your account is %(name)s in this league already. If both are you, a manager can merge them."),
            name=own,
        )


@transaction.atomic
def decide_claim(claim_id: int, by: User, *, accept: bool, league: League) -> PlayerClaim:
    """Accept or refuse a claim, as a manager of a league of the player.

    Raises NotAllowed, Refused `decided-already` and those of `claim`.
    """
    check_may(by, Act.MANAGE_PEOPLE, league)
    found = PlayerClaim.objects.select_for_update().filter(pk=claim_id, player__memberships__league=league).first()
    if found is None or found.state != PlayerClaim.State.WAITING:
        raise Refused("decided-already", _("This link request has already been decided."))
    if found.user_id == by.pk and not _sole_manager(league, by):
        raise NotAllowed("own-claim", _("Another manager decides your own link request."))
    if accept:
        player = _locked(found.player)
        _check_free(player, found.user)
        _give(player, found.user)
    found.state = PlayerClaim.State.ACCEPTED if accept else PlayerClaim.State.REFUSED
    found.decided_at, found.decided_by = timezone.now(), by
    found.save(update_fields=["state", "decided_at", "decided_by"])
    return found


def _sole_manager(league: League, user: User) -> bool:
    """Return whether a user is the only manager of a league.

    A single manager must be able to play in it, and so decides their own claim.
    """
    managers = Role.objects.filter(league=league, kind__in=ALLOWED[Act.MANAGE_PEOPLE], user__is_active=True)
    return not managers.exclude(user=user).exists()


def _give(player: Player, user: User) -> None:
    Player.objects.filter(pk=player.pk).update(user=user)
    others = PlayerClaim.objects.filter(player=player, state=PlayerClaim.State.WAITING).exclude(user=user)
    others.update(state=PlayerClaim.State.REFUSED, decided_at=timezone.now())
    ClaimLink.objects.filter(player=player, used_at=None).delete()
    guard_account(user)


def guard_account(user: User) -> None:
    """Copy to the account the last year in which its players make it a minor's."""
    years = [last_minor_year(born) for born in Player.objects.filter(user=user).values_list("born", flat=True)]
    User.objects.filter(pk=user.pk).update(initials_until=max((year for year in years if year), default=None))


@transaction.atomic
def release(player: Player, league: League, by: User) -> None:
    """Unlink a player from its account, after a wrong claim. Raises NotAllowed."""
    check_may(by, Act.MANAGE_PEOPLE, league)
    held = player.user
    Player.objects.filter(pk=player.pk).update(user=None)
    if held:
        guard_account(held)


# --- Links ---


@transaction.atomic
def make_claim_link(player: Player, league: League, by: User) -> str:
    """Create a link and return its secret, which is shown only now.

    Earlier links for the player become void. Raises NotAllowed, Refused `claimed-already`, `no-such-player`.
    """
    check_may(by, Act.MANAGE_PEOPLE, league)
    player = _locked(player)
    if player.user_id:
        raise Refused("claimed-already", _("%(name)s has an account already."), name=player)
    ClaimLink.objects.filter(player=player, used_at=None).delete()
    secret = secrets.token_urlsafe(18)
    now = timezone.now()
    ClaimLink.objects.create(
        player=player, digest=_digest(secret), made_by=by, made_at=now, expires_at=now + timedelta(days=LINK_DAYS)
    )
    return secret


def _digest(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()


def link_of(secret: str) -> ClaimLink:
    """Return a valid link by its secret. Raises ClaimLink.DoesNotExist."""
    links = ClaimLink.objects.filter(used_at=None, expires_at__gt=timezone.now(), player__merged_into=None)
    return links.select_related("player").get(digest=_digest(secret))


@transaction.atomic
def use_claim_link(secret: str, user: User) -> Player:
    """Link the player to the account. A link works once.

    Raises NotAllowed `sign-in`, ClaimLink.DoesNotExist, Refused `claimed-already`, `player-here-already`.
    """
    if not user.is_authenticated:
        raise NotAllowed("sign-in", _("Sign in first."))
    link = link_of(secret)
    player = _locked(link.player)
    _check_free(player, user)
    link.used_at = timezone.now()
    link.save(update_fields=["used_at"])
    _give(player, user)
    PlayerClaim.objects.filter(player=player, user=user, state=PlayerClaim.State.WAITING).update(
        state=PlayerClaim.State.ACCEPTED, decided_at=link.used_at, decided_by=link.made_by_id
    )
    player.refresh_from_db()
    return player


def managed_by(user: User) -> QuerySet[Role, Any]:
    """Return ids of the leagues in which the asker manages people."""
    return leagues_where(user, ALLOWED[Act.MANAGE_PEOPLE])

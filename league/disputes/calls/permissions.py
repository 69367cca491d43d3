"""Permissions of calls for the referee: call, take back, answer. Used by pages and the API alike."""

from django.utils.translation import gettext_lazy as _

from league.accounts.models import League, Role
from league.accounts.permissions import OFFICIALS, Asker
from league.disputes.models import Caller
from league.errors import NotAllowed
from league.matches.permissions import Actor


def why_not_call(one: Actor, *, by_code: bool = False) -> NotAllowed | None:
    """Refuse a call; None for players of the match, officials, the desk, and a phone with the code of the card.

    `sign-in`, `no-permission`, `not-your-match`.
    """
    if not one.sees:
        return NotAllowed("no-permission", _("You may not do this."))
    if one.plays or one.official or one.enters or by_code:
        return None
    if one.user_id is None:
        return NotAllowed("sign-in", _("Sign in, or scan the code on the card of the match, to call the referee."))
    return NotAllowed("not-your-match", _("Only players of this match and its officials call the referee here."))


def why_not_answer(one: Actor) -> NotAllowed | None:
    """Refuse an act of the referee; None for an official outside the match.

    `sign-in`, `no-permission`, `needs-official`.
    """
    if one.user_id is None:
        return NotAllowed("sign-in", _("Sign in to answer a call."))
    if not one.sees:
        return NotAllowed("no-permission", _("You may not do this."))
    if one.plays or not one.official:
        return NotAllowed("needs-official", _("Only an official who does not play in this match answers its call."))
    return None


def is_own(caller: Caller, one: Actor, device: str) -> bool:
    """Return whether the asker made this call: the account, the side of its guest, or the phone."""
    if one.user_id is not None:
        return caller.by_id == one.user_id
    if caller.by_id is not None:
        return False
    return (one.plays and caller.side == one.side) or (bool(device) and caller.device == device)


def is_official(user: Asker, league: League) -> bool:
    """Return whether the asker is an official of the league. One statement for signed-in users."""
    return user.is_authenticated and Role.objects.filter(user=user.pk, league=league, kind__in=OFFICIALS).exists()


def check_official(user: Asker, league: League) -> None:
    """Raise NotAllowed `needs-official` for everybody but officials of the league."""
    if not is_official(user, league):
        raise NotAllowed("needs-official", _("Only an official of the league does this."))

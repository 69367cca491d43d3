"""Invitations to a role: a link or QR code that one account takes, within a day."""

import secrets
from datetime import timedelta
from hashlib import sha256

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.accounts.models import League, Role, RoleInvitation, User
from league.accounts.permissions import Act, check_may, may
from league.accounts.roles import act_for
from league.errors import NotAllowed, Refused

VALID_FOR = timedelta(hours=24)
MOST_AT_ONCE = 40
"""Most invitations of a league that are open or wait for an owner."""


@transaction.atomic
def invite_to_role(league: League, by: User, *, kind: str) -> str:
    """Make an invitation and return its secret, which is shown only now.

    Raises NotAllowed, Refused `bad-role`, `too-many-role-invitations`.
    """
    if kind not in Role.Kind.values:
        raise Refused("bad-role", _("There is no such role."))
    check_may(by, act_for(kind), league)
    league = League.objects.select_for_update().get(pk=league.pk)
    if open_invitations(league).count() + waiting_invitations(league).count() >= MOST_AT_ONCE:
        raise Refused(
            "too-many-role-invitations",
            _("%(most)d invitations are open already. Revoke some of them first."),
            most=MOST_AT_ONCE,
        )
    secret, now = secrets.token_urlsafe(18), timezone.now()
    RoleInvitation.objects.create(
        league=league, kind=kind, digest=_digest(secret), made_by=by, made_at=now, expires_at=now + VALID_FOR
    )
    return secret


def open_invitations(league: League) -> QuerySet[RoleInvitation]:
    """Return the invitations that can still be taken."""
    return _open().filter(league=league).select_related("made_by")


def waiting_invitations(*leagues: League | int) -> QuerySet[RoleInvitation]:
    """Return the taken invitations of the leagues that wait for an owner."""
    waiting = RoleInvitation.objects.filter(league__in=leagues, decided_at=None, taken_by__is_active=True)
    return waiting.select_related("taken_by", "made_by").order_by("taken_at", "pk")


def _open() -> QuerySet[RoleInvitation]:
    return RoleInvitation.objects.filter(taken_at=None, revoked_at=None, expires_at__gt=timezone.now())


def invitation_of(secret: str) -> RoleInvitation:
    """Return an open invitation by its secret. Raises RoleInvitation.DoesNotExist.

    An invitation ends with the power of its maker.
    """
    found = _open().select_related("league", "made_by").get(digest=_digest(secret))
    if not found.made_by.is_active or not may(found.made_by, act_for(found.kind), found.league):
        raise RoleInvitation.DoesNotExist
    return found


@transaction.atomic
def take_invitation(secret: str, user: User) -> RoleInvitation:
    """Take an invitation: a player has the role at once, any other role waits for an owner.

    Raises NotAllowed `sign-in`, RoleInvitation.DoesNotExist, Refused `role-held`.
    """
    if not user.is_authenticated:
        raise NotAllowed("sign-in", _("Sign in first."))
    league = League.objects.select_for_update().get(pk=invitation_of(secret).league_id)
    found = invitation_of(secret)  # of two accounts at once the second finds none
    waits = waiting_invitations(league).filter(kind=found.kind, taken_by=user)
    if waits.exists() or Role.objects.filter(user=user, league=league, kind=found.kind).exists():
        raise Refused("role-held", _("You have this role, or wait for it, already."))
    found.taken_by, found.taken_at = user, timezone.now()
    if found.kind == Role.Kind.PLAYER:
        Role.objects.get_or_create(user=user, league=league, kind=found.kind)
        found.decided_at, found.accepted = found.taken_at, True
    found.save(update_fields=["taken_by", "taken_at", "decided_at", "accepted"])
    return found


@transaction.atomic
def decide_invitation(invitation: RoleInvitation, by: User, *, accept: bool) -> RoleInvitation:
    """Give the role to the account that took the invitation, or refuse it, as an owner.

    Raises NotAllowed, Refused `decided-already`.
    """
    check_may(by, Act.RUN_LEAGUE, invitation.league)
    league = League.objects.select_for_update().get(pk=invitation.league_id)
    found = waiting_invitations(league).filter(pk=invitation.pk).first()
    if found is None or found.taken_by is None:
        raise Refused("decided-already", _("Somebody decided this already."))
    if accept:
        Role.objects.get_or_create(user=found.taken_by, league=league, kind=found.kind)
    found.decided_by, found.decided_at, found.accepted = by, timezone.now(), accept
    found.save(update_fields=["decided_by", "decided_at", "accepted"])
    return found


@transaction.atomic
def revoke_invitation(invitation: RoleInvitation, by: User) -> None:
    """Revoke an invitation that nobody took; once more changes nothing.

    Raises NotAllowed, Refused `invitation-taken`.
    """
    check_may(by, act_for(invitation.kind), invitation.league)
    League.objects.select_for_update().get(pk=invitation.league_id)
    found = RoleInvitation.objects.get(pk=invitation.pk)
    if found.taken_at:
        raise Refused("invitation-taken", _("Somebody took this invitation already."))
    if not found.revoked_at:
        found.revoked_at = timezone.now()
        found.save(update_fields=["revoked_at"])


def _digest(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()

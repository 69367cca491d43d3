"""Roles in a league: grant and removal."""

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from league.accounts.models import League, Role, User
from league.accounts.permissions import Act, check_may
from league.errors import NotAllowed, Refused

# Only owners appoint owners and managers; managers grant the other roles.
HIGH = frozenset({Role.Kind.OWNER, Role.Kind.MANAGER})


def act_for(kind: str) -> Act:
    return Act.RUN_LEAGUE if kind in HIGH else Act.MANAGE_PEOPLE


@transaction.atomic
def give_role(league: League, by: User, *, who: str, kind: str) -> Role:
    """Grant a role to the account with this user name or e-mail address.

    Granting it twice changes nothing. Raises NotAllowed, Refused `unknown-account`, `bad-role`.
    """
    if kind not in Role.Kind.values:
        raise Refused("bad-role", _("There is no such role."))
    check_may(by, act_for(kind), league)
    role, _made = Role.objects.get_or_create(user=find_account(who), league=league, kind=kind)
    return role


def find_account(who: str) -> User:
    """Return an active account by user name or address, in any case.

    The user name is preferred if two accounts fit. Raises Refused `unknown-account`.
    """
    wanted = who.strip()
    found = list(User.objects.filter(Q(username__iexact=wanted) | Q(email__iexact=wanted), is_active=True)[:2])
    if not wanted or not found:
        raise Refused(
            "unknown-account", _("No account has this user name or e-mail address. Has the person signed up?")
        )
    return next((user for user in found if user.username.casefold() == wanted.casefold()), found[0])


@transaction.atomic
def take_role(role: Role, by: User) -> None:
    """Remove a role; everybody may remove their own. One owner must remain.

    Raises NotAllowed, Refused `last-owner`.
    """
    # If two owners remove each other's role at once, the second waits here, and then finds a single owner.
    league = League.objects.select_for_update().get(pk=role.league_id)
    if role.user_id != by.pk:
        check_may(by, act_for(role.kind), league)
    elif not by.is_authenticated:
        raise NotAllowed("sign-in", _("Sign in first."))
    if role.kind == Role.Kind.OWNER and not other_owners(league, role.user).exists():
        raise last_owner(league)
    Role.objects.filter(pk=role.pk).delete()


def other_owners(league: League, user: User) -> QuerySet[Role]:
    owners = Role.objects.filter(league=league, kind=Role.Kind.OWNER, user__is_active=True)
    return owners.exclude(user=user)


def last_owner(league: League) -> Refused:
    return Refused("last-owner", _("%(league)s would have no owner. Make somebody else an owner first."), league=league)

"""Erasure of an account on request; its acts keep its code."""

from allauth.account.models import EmailAddress
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.accounts.models import League, ResetLink, Role, RoleInvitation, User
from league.accounts.roles import last_owner, other_owners
from league.accounts.signals import account_erased
from league.errors import Refused


@transaction.atomic
def erase_account(user: User) -> None:
    """Erase an account: names, addresses, password and roles.

    The row and its code are kept, because results, confirmations and sealed logs refer to them. Every session and token
    is void at once. Raises Refused `last-owner`, `last-administrator`.
    """
    owned = Role.objects.filter(user=user, kind=Role.Kind.OWNER).values("league")
    for league in League.objects.select_for_update().filter(pk__in=owned).order_by("pk"):
        if not other_owners(league, user).exists():
            raise last_owner(league)
    superusers = User.objects.filter(is_superuser=True, is_active=True)
    if user.is_superuser and not superusers.exclude(pk=user.pk).exists():
        raise Refused("last-administrator", _("The site would have nobody to run it. Let somebody else do so first."))
    EmailAddress.objects.filter(user=user).delete()
    ResetLink.objects.filter(user=user).delete()
    Role.objects.filter(user=user).delete()
    RoleInvitation.objects.filter(made_by=user, taken_at=None).delete()
    user.groups.clear()
    user.user_permissions.clear()
    user.username, user.email = f"erased-{user.code.lower()}", ""
    user.first_name = user.last_name = ""
    user.initials_until, user.last_login = None, None
    user.is_active = user.is_staff = user.is_superuser = False
    user.erased_at = timezone.now()
    user.set_unusable_password()  # every session carries a mark of the password (django.contrib.auth)
    user.save()
    account_erased.send(User, user_id=user.pk)

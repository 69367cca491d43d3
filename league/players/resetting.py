"""Password reset without mail: a link given out by a manager."""

from datetime import timedelta

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.accounts.models import League, ResetLink, Role, User
from league.accounts.permissions import ALLOWED, Act, check_may, leagues_where
from league.errors import NotAllowed, Refused
from league.players.models import Entrant, Player, plays_for

SHOWN_FOR = timedelta(days=90)


def make_reset_link(league: League, user: User, *, by: User) -> ResetLink:
    """Record a reset link; `league/web/leagues/people.py` makes the address from it.

    The owner of the account sees the maker and the time.

    The holder of the link can sign in as that person. So it is made only for members over whom the maker has power
    anyway: with no role in a league that the maker does not manage, no higher role here, and not for administrators of
    the site. Raises NotAllowed `no-permission`, `beyond-your-league`, Refused `not-a-member`, `own-account`,
    `closed-account`.
    """
    check_may(by, Act.MANAGE_PEOPLE, league)
    if not is_of(league, user):
        raise Refused("not-a-member", _("This account has no role and no player in %(league)s."), league=league)
    if user.pk == by.pk:
        raise Refused("own-account", _("This is your own account. You change its password on its page."))
    if not user.is_active:
        raise Refused("closed-account", _("This account is closed."))
    if not by.is_superuser and is_beyond(user, by):
        raise NotAllowed(
            "beyond-your-league",
            _("%(name)s has a higher role or plays elsewhere too, so only those who run the site help."),
            name=user,
        )
    return ResetLink.objects.create(user=user, made_by=by, made_at=timezone.now())


def is_of(league: League, user: User) -> bool:
    has_role = Role.objects.filter(user=user, league=league).exists()
    return has_role or Player.objects.filter(user=user, memberships__league=league).exists()


def is_beyond(user: User, by: User) -> bool:
    """Return whether the account has permissions that `by` does not have."""
    if user.is_superuser or user.is_staff:
        return True
    roles = Role.objects.filter(user=user)
    high = roles.filter(kind__in={Role.Kind.OWNER, Role.Kind.MANAGER})
    foreign = roles.exclude(league__in=leagues_where(by, ALLOWED[Act.MANAGE_PEOPLE]))
    unruled = high.exclude(league__in=leagues_where(by, ALLOWED[Act.RUN_LEAGUE]))
    plays = Entrant.objects.filter(plays_for(user))
    elsewhere = plays.exclude(league__in=leagues_where(by, ALLOWED[Act.MANAGE_PEOPLE]))
    return foreign.exists() or unruled.exists() or elsewhere.exists()


def recent_links(user: User) -> QuerySet[ResetLink]:
    """Return recent links made by others for this account, the latest first."""
    return ResetLink.objects.filter(user=user, made_at__gt=timezone.now() - SHOWN_FOR).select_related("made_by")

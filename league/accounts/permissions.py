"""Which roles open which doors in a league."""

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet

from league.accounts.models import Role, User

Asker = User | AnonymousUser

# Those who run and judge: they may submit and confirm for anybody.
OFFICIALS = frozenset({Role.Kind.OWNER, Role.Kind.MANAGER, Role.Kind.HEAD_REFEREE, Role.Kind.REFEREE})
# Those who see what is not published yet.
STAFF = OFFICIALS | {Role.Kind.DESK_HELPER, Role.Kind.READ_ONLY}


def leagues_where(user: Asker, kinds: frozenset[Role.Kind]) -> QuerySet:
    """Ids of the leagues in which the asker is one of `kinds`; as a subquery, so it costs no statement of its own."""
    return Role.objects.filter(user_id=user.pk, kind__in=kinds).values("league_id")

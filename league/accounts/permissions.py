"""Which roles open which doors in a league."""

from collections.abc import Mapping
from enum import StrEnum

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from league.accounts.models import League, Role, User
from league.errors import NotAllowed

Asker = User | AnonymousUser

# Those who run and judge: they may submit and confirm for anybody.
OFFICIALS = frozenset({Role.Kind.OWNER, Role.Kind.MANAGER, Role.Kind.HEAD_REFEREE, Role.Kind.REFEREE})
# Those who see what is not published yet.
STAFF = OFFICIALS | {Role.Kind.DESK_HELPER, Role.Kind.READ_ONLY}


def leagues_where(user: Asker, kinds: frozenset[Role.Kind]) -> QuerySet:
    """Ids of the leagues in which the asker is one of `kinds`; as a subquery, so it costs no statement of its own."""
    return Role.objects.filter(user_id=user.pk, kind__in=kinds).values("league_id")


class Act(StrEnum):
    """What somebody may want to do in a league as a whole. Acts on one match are in league/matches/permissions.py."""

    SEE_DRAFTS = "see-drafts"
    SEE_PEOPLE = "see-people"  # whole names, clubs and numbers, also of minors; no years of birth
    SEE_NEEDS = "see-needs"  # who needs an accessible table
    RUN_LEAGUE = "run-league"  # its settings, and who is owner or manager
    MANAGE_PEOPLE = "manage-people"  # players, memberships, claims, other roles
    MANAGE_COMPETITIONS = "manage-competitions"  # found, register, draw, publish
    PUBLISH_NOTICES = "publish-notices"  # what the league tells everybody
    RUN_CLOCKS = "run-clocks"
    ENTER_RESULTS = "enter-results"  # type in what others wrote: cards, scores; log and ruling are the officials'
    RUN_DESK = "run-desk"  # check in, take fees, note who is awaited


# The one table that pages, API and tasks ask.
ALLOWED: Mapping[Act, frozenset[Role.Kind]] = {
    Act.SEE_DRAFTS: STAFF,
    Act.SEE_PEOPLE: STAFF,
    Act.SEE_NEEDS: OFFICIALS,
    Act.RUN_LEAGUE: frozenset({Role.Kind.OWNER}),
    Act.MANAGE_PEOPLE: frozenset({Role.Kind.OWNER, Role.Kind.MANAGER}),
    Act.MANAGE_COMPETITIONS: frozenset({Role.Kind.OWNER, Role.Kind.MANAGER}),
    Act.PUBLISH_NOTICES: frozenset({Role.Kind.OWNER, Role.Kind.MANAGER}),
    Act.RUN_CLOCKS: OFFICIALS | {Role.Kind.DESK_HELPER},
    Act.ENTER_RESULTS: OFFICIALS | {Role.Kind.DESK_HELPER},
    Act.RUN_DESK: OFFICIALS | {Role.Kind.DESK_HELPER},
}


# Those who run the site may put a league in order whose owners are gone; for the rest they need a role in it.
OF_THE_SITE = frozenset({Act.RUN_LEAGUE})


def may(user: Asker, act: Act, league: League) -> bool:
    """One statement for whoever is signed in, none for others."""
    if not user.is_authenticated:
        return False
    if user.is_superuser and act in OF_THE_SITE:
        return True
    return Role.objects.filter(user_id=user.pk, league=league, kind__in=ALLOWED[act]).exists()


def acts_of(user: Asker, league: League) -> frozenset[Act]:
    """Everything that the asker may do in a league, in one statement: for pages that show what is open to whom."""
    if not user.is_authenticated:
        return frozenset()
    kinds = set(Role.objects.filter(user_id=user.pk, league=league).values_list("kind", flat=True))
    of_the_site = OF_THE_SITE if user.is_superuser else frozenset()
    return of_the_site | {act for act, allowed in ALLOWED.items() if kinds & allowed}


def check_may(user: Asker, act: Act, league: League) -> None:
    """Raises NotAllowed `sign-in`, `no-permission`."""
    if not user.is_authenticated:
        raise NotAllowed("sign-in", _("Sign in first."))
    if not may(user, act, league):
        raise NotAllowed("no-permission", _("Your role in %(league)s does not allow this."), league=league)

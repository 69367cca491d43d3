"""Permissions in a league by role."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from league.accounts.models import League, Role, User
from league.errors import NotAllowed

Asker = User | AnonymousUser

# Organizers and referees: they may submit and confirm for anybody.
OFFICIALS = frozenset({Role.Kind.OWNER, Role.Kind.MANAGER, Role.Kind.HEAD_REFEREE, Role.Kind.REFEREE})
# Roles that see unpublished matches and draws.
STAFF = OFFICIALS | {Role.Kind.DESK_HELPER, Role.Kind.READ_ONLY}


def leagues_where(user: Asker, kinds: frozenset[Role.Kind]) -> QuerySet[Role, Any]:
    """Return ids of the leagues where the asker has one of these roles.

    A subquery, so it costs no statement of its own.
    """
    return Role.objects.filter(user=user.pk, kind__in=kinds).values("league_id")


class Act(StrEnum):
    """An act in a league as a whole.

    Acts on one match are in league/matches/permissions.py.
    """

    SEE_DRAFTS = "see-drafts"
    SEE_PEOPLE = "see-people"  # whole names, clubs and numbers, also of minors; no years of birth
    SEE_NEEDS = "see-needs"  # entrants who need an accessible table
    RUN_LEAGUE = "run-league"  # its settings, and its owners and managers
    MANAGE_PEOPLE = "manage-people"  # players, memberships, claims, other roles
    MANAGE_COMPETITIONS = "manage-competitions"  # found, register, draw, publish
    PUBLISH_NOTICES = "publish-notices"  # news of the league
    RUN_CLOCKS = "run-clocks"
    ENTER_RESULTS = "enter-results"  # type in results for others: cards, scores; log and ruling are the officials'
    RUN_DESK = "run-desk"  # check in, take fees, note awaited entrants


# The only table of permissions, for pages, API and tasks.
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


# Site administrators may repair a league without owners; for the rest they need a role in it.
OF_THE_SITE = frozenset({Act.RUN_LEAGUE})


def may(user: Asker, act: Act, league: League) -> bool:
    """Return whether the asker may do this act.

    One statement for signed-in users, none for others.
    """
    if not user.is_authenticated:
        return False
    if user.is_superuser and act in OF_THE_SITE:
        return True
    return Role.objects.filter(user=user.pk, league=league, kind__in=ALLOWED[act]).exists()


def acts_of(user: Asker, league: League) -> frozenset[Act]:
    """Return all acts of the asker in a league, for pages. One statement."""
    if not user.is_authenticated:
        return frozenset()
    kinds = set(Role.objects.filter(user=user.pk, league=league).values_list("kind", flat=True))
    of_the_site = OF_THE_SITE if user.is_superuser else frozenset()
    return of_the_site | {act for act, allowed in ALLOWED.items() if kinds & allowed}


def check_may(user: Asker, act: Act, league: League) -> None:
    """Raise NotAllowed `sign-in` or `no-permission` if the asker may not do this act."""
    if not user.is_authenticated:
        raise NotAllowed("sign-in", _("Sign in first."))
    if not may(user, act, league):
        raise NotAllowed("no-permission", _("Your role in %(league)s does not allow this."), league=league)

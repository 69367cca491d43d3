"""Leagues and their officials."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import QuerySet

from league.accounts.models import League, Role, User
from league.accounts.permissions import ALLOWED, OFFICIALS, Act, Asker, leagues_where

# From the best person to ask for help to the last.
ORDER = list(Role.Kind)


@dataclass(frozen=True, slots=True)
class Official:
    """A person and their roles in a league, the highest first."""

    user: User
    roles: list[Role]


def officials(league: League) -> list[Official]:
    """Return the officials of a league with public names, no addresses. One statement."""
    return grouped(Role.objects.filter(league=league, kind__in=OFFICIALS, user__is_active=True).select_related("user"))


def roles_of(league: League) -> QuerySet[User]:
    """Return accounts with a role in the league, by name.

    `grouped` converts a page of them into officials.
    """
    holders = Role.objects.filter(league=league).values("user")
    return User.objects.filter(pk__in=holders).order_by("first_name", "last_name", "username", "pk")


def holders(league: League, users: Iterable[User]) -> list[Official]:
    """Return all roles of these accounts in the league, in the order given.

    One statement.
    """
    found = {
        one.user.pk: one
        for one in grouped(Role.objects.filter(league=league, user__in=list(users)).select_related("user"))
    }
    return [Official(user, found[user.pk].roles) for user in users if user.pk in found]


def grouped(roles: Iterable[Role]) -> list[Official]:
    by_user: dict[int, Official] = {}
    for role in sorted(roles, key=lambda role: (ORDER.index(Role.Kind(role.kind)), role.pk)):
        by_user.setdefault(role.user_id, Official(role.user, [])).roles.append(role)
    return list(by_user.values())


def children(league: League) -> list[League]:
    return list(league.children.order_by("name"))


def leagues_run_by(user: Asker) -> QuerySet[League]:
    """Return the leagues in which the asker may found leagues."""
    if not user.is_authenticated:
        return League.objects.none()
    if user.is_superuser:
        return League.objects.order_by("name")
    return League.objects.filter(pk__in=leagues_where(user, ALLOWED[Act.RUN_LEAGUE])).order_by("name")


def may_found_somewhere(user: Asker) -> bool:
    return user.is_authenticated and (user.is_superuser or leagues_run_by(user).exists())


def possible_parents(user: Asker, league: League) -> QuerySet[League]:
    """Return possible parents of a league: those run by the asker, and its parent now."""
    found = leagues_run_by(user).exclude(pk=league.pk)
    return (found | League.objects.filter(pk=league.parent_id)).distinct().order_by("name")

"""Creation of a competition in one act: plan, entrants, draw."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.accounts.models import League, User
from league.competitions.draw.forecast import expected
from league.competitions.draw.plans import Plan, found, replan
from league.competitions.draw.stages import draw
from league.competitions.formats.registry import FEWEST
from league.competitions.models import Competition, Registration, Stage
from league.competitions.registration.entries import register
from league.errors import Refused
from league.players.services import paste


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlook:
    """Summary of a plan.

    Hours are None if the plan has none; `finish` is the end of the last match.
    """

    competition: Competition
    stages: list[Stage]
    entrants: int
    rounds: int
    matches: int
    starts_at: datetime | None
    finish: datetime | None


@transaction.atomic
def found_with_players(league: League, plan: Plan, names: str, *, user: User) -> Competition:
    """Create a draft with entrants in line order, and draw it for two or more.

    All or nothing. Raises Refused `name-taken` if the league has a competition with this name, so that a form sent
    twice creates one competition; else as `found`, `paste`, `register` and `draw`.
    """
    locked_league(league)
    if league.competitions.filter(name__iexact=plan.name).exists():
        raise Refused(
            "name-taken",
            _("%(league)s has a competition “%(name)s” already. Choose another name, or open that one."),
            league=league,
            name=plan.name,
        )
    competition = found(league, plan, user=user)
    add_players(competition, names, user=user)
    if competition.registrations.count() >= FEWEST:
        draw(competition, user=user)
    return competition


def locked_league(league: League) -> League:
    """Lock the league: no competition is created in it until the transaction ends."""
    return League.objects.select_for_update().get(pk=league.pk)


@transaction.atomic
def add_players(competition: Competition, names: str, *, user: User) -> list[Registration]:
    """Enrol and register the named players or pairs, one a line.

    Raises as `paste` and `register`.
    """
    if not names.strip():
        return []
    pasted = paste(competition.league, names, user=user, since=timezone.localdate(), pairs=competition.pairs)
    return register(competition, pasted.entrants, user=user)


@transaction.atomic
def plan_anew(competition: Competition, plan: Plan, *, user: User) -> Competition:
    """Change the plan of a draft, and draw it if it has two or more entrants.

    Raises as `replan` and `draw`.
    """
    competition = replan(competition, plan, user=user)
    if competition.registrations.count() >= FEWEST:
        draw(competition, user=user)
    return competition


def rehearse(act: Callable[[], Competition]) -> Outlook:
    """Summarize the result of `act` without storing it, by a rollback.

    Raises as `act`.
    """
    with transaction.atomic():
        seen = outlook(act())
        transaction.set_rollback(True)
    return seen


def outlook(competition: Competition) -> Outlook:
    """Summarize a competition with its present registrations."""
    come = expected(competition)
    return Outlook(
        competition=competition,
        stages=list(competition.stages.order_by("number")),
        entrants=competition.registrations.count(),
        rounds=come.rounds,
        matches=come.matches,
        starts_at=come.starts_at,
        finish=come.finish,
    )

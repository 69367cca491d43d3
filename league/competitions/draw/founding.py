"""A competition founded in one act: what was decided, who takes part, and the draw."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.accounts.models import League, User
from league.competitions.draw.forecast import expected
from league.competitions.draw.laying_out import FEWEST
from league.competitions.draw.plans import Plan, found, replan
from league.competitions.draw.stages import draw
from league.competitions.models import Competition, Registration, Stage
from league.competitions.registration.entries import register
from league.errors import Refused
from league.players.services import paste


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlook:
    """What a plan comes to. Hours are None where the plan has none, `finish` is that of the last match."""

    competition: Competition
    stages: list[Stage]
    entrants: int
    rounds: int
    matches: int
    starts_at: datetime | None
    finish: datetime | None


@transaction.atomic
def found_with_players(league: League, plan: Plan, names: str, *, user: User) -> Competition:
    """A draft with its entrants, in the order of the lines, and its draw where there are two or more. All or nothing.

    Raises Refused `name-taken` where the league has a competition of this name, so that a form that is sent twice
    founds once; else what `found`, `paste`, `register` and `draw` raise.
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
    """Nobody else founds anything in it until the end of the transaction."""
    return League.objects.select_for_update().get(pk=league.pk)


@transaction.atomic
def add_players(competition: Competition, names: str, *, user: User) -> list[Registration]:
    """Enrol and register whoever is named, a player or a pair a line; no name, nobody. Raises what `paste` and
    `register` raise.
    """
    if not names.strip():
        return []
    pasted = paste(competition.league, names, user=user, since=timezone.localdate(), pairs=competition.pairs)
    return register(competition, pasted.entrants, user=user)


@transaction.atomic
def plan_anew(competition: Competition, plan: Plan, *, user: User) -> Competition:
    """Decide anew about a draft, and draw it where two or more take part. Raises what `replan` and `draw` raise."""
    competition = replan(competition, plan, user=user)
    if competition.registrations.count() >= FEWEST:
        draw(competition, user=user)
    return competition


def rehearse(act: Callable[[], Competition]) -> Outlook:
    """What `act` would make, by doing it and taking it back: nothing is stored. Raises what it raises."""
    with transaction.atomic():
        seen = outlook(act())
        transaction.set_rollback(True)
    return seen


def outlook(competition: Competition) -> Outlook:
    """Of a competition with those who are registered now."""
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

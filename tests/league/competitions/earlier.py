"""Drafts to destroy, and everything of a competition as it stands in the tables."""

from collections.abc import Iterable
from datetime import UTC, date, datetime
from typing import Any

from django.db.models import Model

from league.accounts.models import League, User
from league.competitions.draw.plans import Plan, found
from league.competitions.draw.stages import draw
from league.competitions.models import (
    Berth,
    Competition,
    EarlierState,
    Matchday,
    Payment,
    Registration,
    Slot,
    Stage,
    StageEntry,
    Withdrawal,
)
from league.competitions.registration.entries import register
from league.matches.models import Game, Match, Side
from league.players.models import Entrant
from league.players.services import enrol

START = datetime(datetime.now(UTC).year + 1, 3, 5, 19, tzinfo=UTC)  # always to come
COLUMNS = {
    Competition: "pk",
    Stage: "competition",
    StageEntry: "stage__competition",
    Registration: "competition",
    Payment: "competition",
    Withdrawal: "competition",
    Matchday: "stage__competition",
    Slot: "matchday__stage__competition",
    Berth: "slot__matchday__stage__competition",
    Match: "slot__matchday__stage__competition",
    Side: "match__slot__matchday__stage__competition",
    Game: "match__slot__matchday__stage__competition",
}


def everything(competition: Competition) -> dict[str, list[dict[str, Any]]]:
    """Every row with every column, keys among them."""
    found = {model.__name__: rows(model, path, competition) for model, path in COLUMNS.items()}
    found["tables"] = list(Competition.objects.get(pk=competition.pk).tables.order_by("pk").values("pk"))
    return found


def rows(model: type[Model], path: str, competition: Competition) -> list[dict[str, Any]]:
    return list(model._base_manager.filter(**{path: competition.pk}).order_by("pk").values())


def people(league: League, count: int, prefix: str = "Player") -> list[Entrant]:
    return [enrol(league=league, name=f"{prefix} {n:02}", since=date(2026, 1, 1)) for n in range(1, count + 1)]


def drafted(league: League, user: User, entrants: Iterable[Entrant], **changes: Any) -> Competition:
    """Drawn, nobody has seen it."""
    facts = {"name": "Cup", "ruleset": "udl", "format": Stage.Format.SINGLE_ELIMINATION, "starts_at": START}
    plan = Plan(**facts | {"tables": ("1", "2"), "minutes": 40} | changes)
    competition = found(league, plan, user=user)
    register(competition, list(entrants), user=user)
    draw(competition, user=user)
    return Competition.objects.get(pk=competition.pk)


def newest(competition: Competition) -> EarlierState:
    return EarlierState.objects.filter(key=competition.key).first()

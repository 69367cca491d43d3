"""Confirmation of all imported results by a second official."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import Count
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.accounts.models import Role, User
from league.accounts.permissions import OFFICIALS
from league.competitions.draw.advancing import advance
from league.competitions.draw.finishing import finish_played_out
from league.competitions.locks import locked
from league.competitions.models import Competition, Slot
from league.competitions.official_results import waiting_results
from league.errors import NotAllowed
from league.matches.models import Match, Result, Side
from league.matches.officials import may_act_alone
from league.matches.results.match_outcome import GameOutcome, official_standing
from league.matches.seals import seal_of
from league.matches.signals import match_decided

BATCH = 500


@transaction.atomic
def confirm_import(competition: Competition, *, user: User) -> int:
    """Confirm all results that the file calls official; return how many.

    A second call changes nothing. In a league where one official is enough, the importer may confirm. Raises NotAllowed
    `no-permission`, `own-submission`.
    """
    competition = locked(competition.pk)
    kinds = set(Role.objects.filter(user=user, league=competition.league).values_list("kind", flat=True))
    if not kinds & OFFICIALS:
        raise NotAllowed("no-permission", _("Your role in %(league)s does not allow this."), league=competition.league)
    league = competition.league
    if competition.imported_by_id == user.pk and not may_act_alone(league.pk, league.officials_needed):
        raise NotAllowed("own-submission", _("You imported this yourself. Another official of the league confirms it."))
    return make_official_as_a_whole(competition, by=user, at=timezone.now())


def make_official_as_a_whole(competition: Competition, *, by: User | None, at: datetime) -> int:
    waiting = list(waiting_results(competition).values_list("pk", "game__match"))
    if not waiting:
        return 0
    confirmed: dict[str, Any] = {"state": Result.State.OFFICIAL}
    if by is not None:
        own = competition.imported_by_id == by.pk
        how = Result.Confirmation.ALONE if own else Result.Confirmation.PERSON
        confirmed |= {"confirmed_by": by, "confirmed_at": at, "confirmed_how": how}
    matches = {match.pk: match for match in _locked({match for _result, match in waiting})}
    for start in range(0, len(waiting), BATCH):
        ids = [result for result, _match in waiting[start : start + BATCH]]
        rows = list(Result.objects.filter(pk__in=ids, state=Result.State.PROVISIONAL).select_related("record"))
        for row in rows:
            for name, value in confirmed.items():
                setattr(row, name, value)
            row.seal = seal_of(row, row.record.head)
        Result.objects.bulk_update(rows, [*confirmed, "seal"])
    decided = _decided(competition, matches)
    for start in range(0, len(decided), BATCH):
        part = list(decided)[start : start + BATCH]
        Match.objects.filter(pk__in=part).update(state=Match.State.DECIDED)
    for match, winner in decided.items():
        transaction.on_commit(partial(_tell, match, winner))
    open_ones = Slot.objects.filter(match__in=decided, leads_to__isnull=False, leads_to__entrant=None)
    for match in open_ones.values_list("match", flat=True).distinct():
        advance(match)
    finish_played_out(competition)
    return len(waiting)


def _locked(ids: Iterable[int]) -> list[Match]:
    ordered = sorted(ids)
    parts = [ordered[start : start + BATCH] for start in range(0, len(ordered), BATCH)]
    return [match for part in parts for match in Match.objects.select_for_update().filter(pk__in=part).order_by("pk")]


def _decided(competition: Competition, matches: Mapping[int, Match]) -> dict[int, int | None]:
    """Match → winning side, for the matches newly decided by official results."""
    games: dict[int, list[GameOutcome]] = {}
    rows = Result.objects.filter(
        game__match__slot__matchday__stage__competition=competition, current=True, state=Result.State.OFFICIAL
    )
    for match, winner in rows.values_list("game__match", "winner"):
        games.setdefault(match, []).append(GameOutcome(winner, official=True))
    counted = Side.objects.filter(match__in=matches).order_by().values_list("match")
    sides = dict(counted.annotate(count=Count("pk")))
    ends = {
        pk: official_standing(match.best_of, games.get(pk, []), sides=sides.get(pk, 2))
        for pk, match in matches.items()
        if match.state != Match.State.DECIDED
    }
    return {pk: end.winner for pk, end in ends.items() if end.over}


def _tell(match_id: int, winner: int | None) -> None:
    match_decided.send_robust(Match, match_id=match_id, winner=winner)

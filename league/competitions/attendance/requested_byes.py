"""Byes that entrants of a Swiss system ask for in advance."""

from collections.abc import Sequence

from django.db import transaction
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from league.accounts.models import User
from league.accounts.permissions import Act, check_may
from league.competitions.entrants import how_many, registration_of, rounds_to_pair, standing_withdrawals
from league.competitions.locks import locked
from league.competitions.models import Competition, Matchday, Registration, Stage
from league.errors import Refused
from league.players.models import Entrant


@transaction.atomic
def request_bye(competition: Competition, entrant: Entrant, *, number: int, user: User) -> bool:
    """Note that an entrant asks for a bye in a round to come; True if this call did it.

    A draft of that round has to be paired again before it is published.

    Raises NotAllowed; Refused `not-registered`, `no-byes`, `withdrawn-already`, `bad-round`, `too-many-byes`.
    """
    competition, row = _registration(competition, entrant, user)
    if number in row.bye_rounds:
        return False
    stage = _stage(competition)
    _refuse_unless_open(stage, number)
    if standing_withdrawals(competition).filter(entrant=entrant).exists():
        raise Refused("withdrawn-already", _("%(entrant)s has left already."), entrant=entrant)
    _refuse_if_too_many(stage, [*row.bye_rounds, number])
    row.bye_rounds = sorted([*row.bye_rounds, number])
    row.save(update_fields=["bye_rounds"])
    return True


@transaction.atomic
def take_request_back(competition: Competition, entrant: Entrant, *, number: int, user: User) -> bool:
    """Forget a request for a bye in a round to come; True if this call did it.

    Raises NotAllowed; Refused `not-registered`, `no-byes`, `bad-round`.
    """
    competition, row = _registration(competition, entrant, user)
    if number not in row.bye_rounds:
        return False
    _refuse_unless_open(_stage(competition), number)
    row.bye_rounds = [one for one in row.bye_rounds if one != number]
    row.save(update_fields=["bye_rounds"])
    return True


def open_rounds(competition: Competition) -> range:
    """Give the rounds for which a bye can be asked; empty if the competition has none. Four statements at most."""
    stage = competition.stages.order_by("number").first()
    if stage is None or not stage.spec.takes_requests or not competition.most_byes:
        return range(0)
    shown = Matchday.objects.filter(stage=stage, published_at__isnull=False).count()
    return range(shown + 1, rounds_to_pair(stage, how_many(stage)) + 1)


def _registration(competition: Competition, entrant: Entrant, user: User) -> tuple[Competition, Registration]:
    competition = locked(competition.pk)
    check_may(user, Act.RUN_DESK, competition.league)
    return competition, registration_of(competition, entrant)


def _stage(competition: Competition) -> Stage:
    """Give the stage with requested byes. Raises Refused `no-byes`."""
    stage = competition.stages.get(number=1)
    if not (stage.spec.takes_requests and competition.most_byes):
        raise Refused("no-byes", _("%(competition)s has no requested byes."), competition=competition)
    return stage


def _refuse_unless_open(stage: Stage, number: int) -> None:
    rounds = open_rounds(stage.competition)
    if number not in rounds:
        raise Refused(
            "bad-round",
            _("A bye can be requested in rounds that are not published yet: %(rounds)s."),
            rounds=", ".join(map(str, rounds)) or "–",
        )


def _refuse_if_too_many(stage: Stage, rounds: Sequence[int]) -> None:
    """Count the byes that can give points: all but that of the last round."""
    last = rounds_to_pair(stage, how_many(stage))
    most = stage.competition.most_byes
    if sum(one != last for one in rounds) > most:
        told = ngettext_lazy(
            "A player of %(competition)s has at most %(count)d requested bye, without the last round.",
            "A player of %(competition)s has at most %(count)d requested byes, without the last round.",
            most,
        )
        raise Refused("too-many-byes", told, count=most, competition=stage.competition)

"""Closing of a ladder.

It has no last round, so an organizer ends it and its places become final.
"""

from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.accounts.models import User
from league.accounts.permissions import Act, check_may
from league.competitions.draw.publishing import named, open_slots
from league.competitions.formats.registry import LADDERS
from league.competitions.ladders.services import close_unplayed, ladder_of, open_challenges
from league.competitions.locks import locked
from league.competitions.models import Challenge, Competition, Stage
from league.competitions.task_queue import honours_due
from league.competitions.typed_confirmation import refuse_unless_typed
from league.errors import Refused


@transaction.atomic
def close_ladder(
    competition: Competition, *, user: User, typed: str | None = None, now: datetime | None = None
) -> bool:
    """Close a ladder: its places become final, unbegun challenges are closed unplayed.

    True if this call did it. `typed`: the confirmation word (`word_to_close`), None for a program. Raises NotAllowed,
    and Refused `not-a-ladder`, `not-published`, `results-missing`, `type-it`.
    """
    competition = locked(competition.pk)
    check_may(user, Act.MANAGE_COMPETITIONS, competition.league)
    stage = ladder_of(competition)
    if stage.finished_at is not None:
        return False
    now, word = now or timezone.now(), word_to_close(competition)
    for one in open_challenges(stage):
        close_unplayed(one, Challenge.Closed.EXPIRED, now)
    if begun := list(open_slots(stage)):
        raise Refused(
            "results-missing",
            _("%(matches)s: begun, and without a confirmed result. Play these to their end, then close the ladder."),
            matches=named(begun),
        )
    refuse_unless_typed(word, typed)
    stage.finished_at = now
    stage.save(update_fields=["finished_at"])
    honours_due(competition.pk)
    return True


@transaction.atomic
def reopen_ladder(competition: Competition, *, user: User) -> bool:
    """Reopen a ladder with its places as they are. True if this call did it.

    Challenges that were closed with it must be made again. Raises NotAllowed, and Refused `not-a-ladder`,
    `not-published`.
    """
    competition = locked(competition.pk)
    check_may(user, Act.MANAGE_COMPETITIONS, competition.league)
    stage = ladder_of(competition)
    return bool(Stage.objects.filter(pk=stage.pk, finished_at__isnull=False).update(finished_at=None))


def word_to_close(competition: Competition) -> str:
    """Return the confirmation word: the ladder's name, or "".

    The name while a challenge is open on it; else nothing is lost. Two statements.
    """
    stages = Stage.objects.filter(competition=competition, format__in=LADDERS, finished_at=None)
    return competition.name if any(open_challenges(stage).exists() for stage in stages) else ""

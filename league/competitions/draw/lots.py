"""Lots: the last tie-break, drawn once, stored and shown."""

from random import Random

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from league.accounts.models import User
from league.accounts.permissions import Act, check_may
from league.competitions.locks import locked
from league.competitions.models import Competition, Registration
from league.competitions.task_queue import honours_due
from league.errors import Refused


@transaction.atomic
def draw_table_lots(competition: Competition, *, user: User, rng: Random) -> int:
    """Draw a lot for each entrant without a lot; return how many.

    A lot is never redrawn: a later entrant gets a lot after all existing lots. Raises NotAllowed, and Refused
    `not-published`, because entrants may change until publication.
    """
    competition = locked(competition.pk)
    check_may(user, Act.MANAGE_COMPETITIONS, competition.league)
    if competition.published_at is None:
        raise Refused(
            "not-published",
            _("Publish %(competition)s first. Lots are drawn once, when it is known who takes part."),
            competition=competition,
        )
    rows = list(competition.registrations.order_by("seed"))
    last = max((row.lot for row in rows if row.lot is not None), default=0)
    without = [row for row in rows if row.lot is None]
    rng.shuffle(without)
    for lot, row in enumerate(without, start=last + 1):
        row.lot = lot
    Registration.objects.bulk_update(without, ["lot"], batch_size=500)
    honours_due(competition.pk)
    return len(without)

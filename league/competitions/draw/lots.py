"""The last resort of a table: a lot for everybody, drawn once, stored and shown."""

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
    """Give a lot to each entrant who has none; how many. A lot that was drawn is never drawn again: whoever came later
    gets one behind all that are drawn. Raises NotAllowed, and Refused `not-published`, for until then entrants change.
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

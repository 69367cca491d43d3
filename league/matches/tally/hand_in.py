"""Submission of a tally: its taps become a card, or a log, entered like any other.

See results/entering.py and logs/submission.py. A person submits it, never the pad automatically.
"""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from games.ruleset import Ruleset
from league.errors import Refused
from league.matches.locks import locked_match
from league.matches.logs.submission import Submission, submit_log
from league.matches.models import Game, KnownBy
from league.matches.models.tally import TallyTap
from league.matches.permissions import Visitor
from league.matches.results.entering import Entered, enter_sheet
from league.matches.results.judging import rules_of_match
from league.matches.tally.services import StaleTally, as_sheet
from league.matches.tally.step_down import check_tiles
from league.matches.tally.tile_log import has_ended, is_tiled, log_text
from league.matches.tally.two_phones import may_keep
from referee.cards.tally import card_of
from referee.running import standing_taps


@transaction.atomic
def hand_in(
    game: Game, who: Visitor, *, pad: UUID, after: int, insist: bool = False, at: datetime | None = None
) -> Entered | Submission:
    """Submit the tally of a game whose match is loaded.

    `after`: the number of the last tap shown to the players, and so the state they agreed to.

    Raises Refused (nothing is stored): `stale-tally` if there are other taps, or another pad keeps the tally;
    `not-ended`; `not-the-tiles` (step_down.py); those of `entering.enter_sheet`, for a log of the tile pad of
    `submission.submit_log`.
    """
    locked_match(game.match_id)
    rows = list(TallyTap.objects.filter(game=game).order_by("number"))
    if len(rows) != after or not rows or not may_keep(rows, pad):
        raise StaleTally
    rules = rules_of_match(game.match)
    if is_tiled(rows):
        return _hand_in_log(game, who, rows, rules, at)
    check_tiles(game, rows, rules)
    taps = as_sheet(rows, rules)
    if [tap["kind"] for tap in standing_taps(taps)[-1:]] != [TallyTap.Kind.END]:
        raise _not_ended()
    return enter_sheet(game, who, card_of(taps, rules) | {"taps": taps}, kind=KnownBy.TALLY, insist=insist, at=at)


def _hand_in_log(game: Game, who: Visitor, rows: Sequence[TallyTap], rules: Ruleset, at: datetime | None) -> Submission:
    if not has_ended(rows):
        raise _not_ended()
    return submit_log(game=game, user=who, raw=log_text(game, rows, rules).encode(), at=at)


def _not_ended() -> Refused:
    return Refused("not-ended", _("Say first that the game is over, and how it ended."))

"""Public part of a live game: the lines or scores that stand behind its public running score (RELIABILITY.md A-17)."""

from collections.abc import Sequence
from dataclasses import dataclass

from games.notation.lines import NotationError
from games.ruleset import Ruleset
from league.matches.live_score import LiveScore
from league.matches.models.tally import TallyTap
from league.matches.tally.services import as_sheet, of_scores, score_now
from league.matches.tally.tile_log import is_tiled, lines_of
from referee.running import Tap, standing_taps


@dataclass(frozen=True, slots=True)
class PublicGame:
    """`lines` of a tile pad in the notation, or `scores` of a score pad as in `referee.cards.tally`,
    without those taken back."""

    lines: list[str]
    scores: list[Tap]


def public_game(game_id: int, live: LiveScore, rules: Ruleset | None, seats: int) -> PublicGame:
    """Return what the public running score `live` counts, and nothing after it. One statement.

    The claim window of every line is closed, and the match's delay is over: none was received after the last line
    that `live` counts.
    """
    if rules is None:
        return PublicGame([], [])
    taps = list(TallyTap.objects.filter(game=game_id).order_by("number"))
    try:
        counted = score_now(taps, rules, seats).counted
    except NotationError:
        return PublicGame([], [])  # only of a row that was tampered with
    if is_tiled(taps):
        public = [line for line, tap in lines_of(taps)[:counted] if tap.received_at <= live.as_of]
        return PublicGame(public, [])
    return PublicGame([], _scores(taps, rules, live, counted))


def _scores(taps: Sequence[TallyTap], rules: Ruleset, live: LiveScore, counted: int) -> list[Tap]:
    received = [tap.received_at for tap in of_scores(taps)]
    public = zip(as_sheet(taps, rules)[:counted], received, strict=False)
    return standing_taps([tap for tap, at in public if at <= live.as_of])

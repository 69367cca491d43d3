"""Step down in mid-game: a game of the tile pad goes on with scores only.

Its lines are taken back, and taps of the score pad follow that say the same points. The lines stay in the chain of
taps as they were: at the end the scores of the hands that they tell are checked against them.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import zip_longest
from uuid import uuid4

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.claims import PlayScore
from games.moves import Bell, Penalty, RoundPoints, RoundStart
from games.notation.gamelog import GameLog
from games.notation.reading import loads
from games.ruleset import Ruleset
from league.errors import Refused
from league.matches.locks import locked_match
from league.matches.models import Game, Match
from league.matches.models.tally import TallyTap
from league.matches.results.judging import rules_of_match
from league.matches.tally.services import Keeper, appended, refuse_many_sides, store, why_closed
from league.matches.tally.standing import NO_PAD, standing_rows
from league.matches.tally.tile_log import is_tiled, log_text
from league.matches.tally.touches import Touch
from referee import Verdict, verify
from referee.verdict import RoundRecord

Kind = TallyTap.Kind


def step_down(game: Game, keeper: Keeper, at: datetime | None = None) -> int:
    """Go on with scores, and return the number of the last tap. The match and league of `game` are loaded.

    No pad keeps the score then: the first that taps does. There is no way back, so only the keeper of the score does
    it. Raises Refused (nothing is stored): `no-tiles`, `not-the-keeper`, `impossible-tiles`, `game-over`, `two-sides`,
    and those of `services.why_closed`.
    """
    at = at or timezone.now()
    with transaction.atomic():
        locked_match(game.match_id)
        match = Match.objects.get(pk=game.match_id)
        rows = list(TallyTap.objects.filter(game=game).order_by("number"))
        if closed := why_closed(game, match):
            raise closed
        refuse_many_sides(match)
        if not is_tiled(rows):
            raise Refused("no-tiles", _("This game is not kept on the tile pad."))
        if (rows[-1].by_id, rows[-1].for_side) != (keeper.user_id, keeper.side):
            raise Refused("not-the-keeper", _("Another phone keeps this score. Take over on the tile pad first."))
        log, verdict = _judged(game, rows, rules_of_match(game.match))
        if verdict.status == "impossible":
            raise Refused(
                "impossible-tiles",
                _("These tiles make no possible game. Undo the wrong one first, or enter the score."),
            )
        if verdict.ended is not None or any(isinstance(entry.event, Bell) for entry in log.entries):
            raise Refused("game-over", _("This game is over, or the bell has rung. Go on with the tiles."))
        undone = [Touch(id=uuid4(), kind=Kind.UNDO, at=at, of=row.touch) for row in reversed(standing_rows(rows))]
        touches = [*undone, *scores_of(log, verdict, at)]
        store(game, match, rows, appended(game, keeper, NO_PAD, rows, touches, at))
    return len(rows) + len(touches)


def check_tiles(game: Game, rows: Sequence[TallyTap], rules: Ruleset) -> None:
    """Check the scores of a game against the hands that it told by tiles. Raises Refused `not-the-tiles`."""
    tiled = _before(rows)
    if not tiled:
        return
    log, verdict = _judged(game, tiled, rules)
    closed = verdict.rounds[: _closed(log)]
    for one, told in zip_longest(closed, _totals(rows)[: len(closed)]):
        if told != one.scores:
            raise Refused(
                "not-the-tiles",
                _(
                    "By its tiles hand %(number)d ended %(tiles)s, here it is %(scores)s. Take the scores back to "
                    "there, or enter the final score."
                ),
                number=one.number,
                tiles=_dashed(one.scores),
                scores=_dashed(told or ()),
            )


def _dashed(scores: Sequence[int]) -> str:
    return "–".join(map(str, scores)) or "–"


def _before(rows: Sequence[TallyTap]) -> Sequence[TallyTap]:
    """Return the taps before the last step down, none without one."""
    last = max((place for place, row in enumerate(rows) if row.pad == NO_PAD), default=-1)
    while last >= 0 and rows[last].pad == NO_PAD:
        last -= 1
    return rows[: last + 1]


def _judged(game: Game, rows: Sequence[TallyTap], rules: Ruleset) -> tuple[GameLog, Verdict]:
    (log,) = loads(log_text(game, rows, rules))
    return log, verify(log)


def _closed(log: GameLog) -> int:
    """Return how many hands are counted."""
    events = [entry.event for entry in log.entries]
    begun = [place for place, event in enumerate(events) if isinstance(event, RoundStart)]
    last = events[begun[-1] :] if begun else []
    return len(begun) - (not any(isinstance(event, RoundPoints) for event in last)) if begun else 0


def _totals(rows: Sequence[TallyTap]) -> list[tuple[int, ...]]:
    """Return the totals after each end of a round."""
    scores, found = [0, 0], []
    for row in standing_rows(rows):
        seat = row.winner if row.kind == Kind.ROUND_END else row.seat
        if seat is not None:
            scores[seat] += row.points or 0
        if row.kind == Kind.ROUND_END:
            found.append(tuple(scores))
    return found


def scores_of(log: GameLog, verdict: Verdict, at: datetime) -> Iterator[Touch]:
    """Yield the points of a log as taps of the score pad, in their order."""
    plays = {play.line: play for play in verdict.plays if isinstance(play, PlayScore)}
    ends = iter(verdict.rounds[: _closed(log)])
    begun = False
    for entry in log.entries:
        event = entry.event
        if isinstance(event, RoundStart) and begun:
            yield _round_end(next(ends), at)
        begun |= isinstance(event, RoundStart)
        if entry.line in plays:
            yield from _awards(plays[entry.line], at)
        elif isinstance(event, Penalty) and event.points:
            yield Touch(id=uuid4(), kind=Kind.PENALTY, at=at, seat=1 - event.seat, points=event.points)
    for one in ends:
        yield _round_end(one, at)


def _awards(play: PlayScore, at: datetime) -> Iterator[Touch]:
    """Yield the points of a play; points of another seat were called."""
    for seat, points in play.awarded.items():
        if points:
            kind = Kind.POINTS if seat == play.seat else Kind.MUGGINS
            yield Touch(id=uuid4(), kind=kind, at=at, seat=seat, points=points)


def _round_end(one: RoundRecord, at: datetime) -> Touch:
    points = sum(one.points)
    winner = one.points.index(points) if points else one.winner
    return Touch(
        id=uuid4(),
        kind=Kind.ROUND_END,
        at=at,
        spinner=one.spinner or "none",
        ended=one.ended or "",
        winner=winner,
        points=points,
    )

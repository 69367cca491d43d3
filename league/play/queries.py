"""Practice game as its player may see it."""

from dataclasses import dataclass
from typing import Literal

from games.notation.reading import dumps
from games.ruleset import Announce, Muggins
from games.scorecard import awards_of_a_play
from league.play.hands import HeldTile, hand_of
from league.play.models import PracticeGame
from league.play.sight import seen_by
from league.play.table import PLAYER
from referee.frames import Reel, RoundFrames, reel


@dataclass(frozen=True, slots=True)
class PracticeView:
    """A practice game, without what the player may not know.

    `line`: number of lines of the log; `joins`: tiles on the table with an open end. `announces`: the points that can
    be announced, none where they are booked at once; `muggins`: it can be called. `seen`: the last two hands. `result`:
    the log of the finished game with its verdict's status.
    """

    code: str
    ruleset: str
    level: str
    options: dict[str, str]
    line: int
    state: Literal["turn", "between", "over"]
    hand: list[HeldTile]
    joins: list[str]
    can_draw: bool
    boneyard: int
    announces: tuple[int, ...]
    muggins: bool
    scores: tuple[int, ...]
    target: int
    seen: Reel
    winner: int | None
    result: str
    status: str

    @property
    def shown(self) -> RoundFrames:
        """The hand in play, or the last one."""
        return self.seen.rounds[-1]


def practice_view(code: str) -> PracticeView:
    """Return the game at an address. One statement.

    Raises PracticeGame.DoesNotExist.
    """
    game = PracticeGame.objects.get(code=code)
    table = game.table()
    seen = seen_by(PLAYER, reel(table.log, table.game.number - 1))
    last = seen.rounds[-1].frames[-1]
    live, rules = table.live, table.game.rules
    return PracticeView(
        code=game.code,
        ruleset=game.ruleset,
        level=game.level,
        options=game.options,
        line=len(table.lines),
        state="over" if table.over else "between" if live is None else "turn",
        hand=hand_of(table, PLAYER),
        joins=[] if live is None else list(dict.fromkeys(place.tile.name for place in live.layout.open_places())),
        can_draw=live is not None and live.can_draw,
        boneyard=last.boneyard,
        announces=awards_of_a_play(rules) if rules.announce is Announce.MANUAL else (),
        muggins=rules.muggins is not Muggins.OFF and not (live is None and table.game.settled),
        scores=last.scores,
        target=rules.target,
        seen=seen,
        winner=table.game.card.winner,
        result=dumps(table.log) if table.over else "",
        status=game.status,
    )

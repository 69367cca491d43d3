"""Online game as a seat or a spectator may see it."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Literal

from games.moves import Concession, Forfeit, Seat
from games.notation.reading import dumps
from games.ruleset import Muggins
from games.scorecard import GameEnd
from league.play.acts import points_to_announce
from league.play.hands import HeldTile, hand_of
from league.play.models import OnlineGame, OnlineSeat
from league.play.online.absence import THERE, overdue, waited_for
from league.play.online.clock import rings_at
from league.play.online.services import BETWEEN_HANDS, attendance, left_seats, patience
from league.play.online.table import OnlineTable, OnlineUno
from league.play.queries import UnoView, uno_view
from league.play.sight import seen_by
from referee.deal_check import hash_of
from referee.frames import Reel, RoundFrames, reel

SPECTATOR: Final = -1
"""The seat of a spectator, which holds no tiles."""
STEP: Final = 30
REFRESH_S: Final = 5
State = Literal["waiting", "turn", "four", "reopen", "theirs", "between", "bell", "over"]
OWN_TURN: Final = ("turn", "four", "reopen")
"""States in which the game waits for its reader: a move, or in Uno Dominoes an answer to four tiles or a dead end."""


@dataclass(frozen=True, slots=True)
class SeatView:
    """A seat for its reader; `waited`: the game waits for it. `greeting` is empty where the reader has muted it."""

    number: Seat
    name: str
    mine: bool
    agreed: bool
    there: bool
    waited: bool
    greeting: str


@dataclass(frozen=True, slots=True)
class OnlineHand:
    """The hand in play or the last one, without what its reader may not know.

    `line`: lines of the log at this table. `announces`, `can_say`: points that can be announced with a tile, and
    whether those of the last tile still can be. `can_call`: muggins can be called now; `with_tile`: with a tile too.
    `ready`: its reader has asked for the next hand, and cannot yet have it alone.
    `late`: another seat that can be forfeited. `rings_at`: the bell, if it is running; `move_ends`: the time a move.
    `uno`: None in games without coloured tiles.
    """

    line: int
    hand: list[HeldTile]
    joins: list[str]
    can_draw: bool
    boneyard: int
    announces: tuple[int, ...]
    can_say: bool
    can_call: bool
    with_tile: bool
    ready: bool
    late: Seat | None
    scores: tuple[int, ...]
    target: int
    seen: Reel
    rings_at: datetime | None
    move_ends: datetime | None
    uno: UnoView | None

    @property
    def shown(self) -> RoundFrames:
        return self.seen.rounds[-1]


@dataclass(frozen=True, slots=True)
class OnlineView:
    """An online game. `seat` is None for a spectator; `version` changes with everything that its page shows.

    `lobby`: the slug of the league whose players alone can join. `players`: number of seats; `seats` are those taken,
    `free`: number of the others and of those that were left. `leaves`: the reader can give the seat back. `ended`: how
    it ended. `gave_up`: the seat that conceded or forfeited it. `result`: the log of the finished game, which opens its
    deal, with its verdict's status. `rematch`: the code of the next game.
    """

    code: str
    ruleset: str
    options: dict[str, str]
    lobby: str
    players: int
    free: int
    leaves: bool
    move_s: int
    absence_s: int
    deal_hash: str
    state: State
    seat: Seat | None
    seats: list[SeatView]
    muted: bool
    version: str
    table: OnlineHand | None
    winner: Seat | None
    ended: GameEnd | None
    gave_up: Seat | None
    result: str
    status: str
    rematch: str

    @property
    def pair(self) -> bool:
        """Whether two players sit at a table of two."""
        return len(self.seats) == self.players == 2

    @property
    def others(self) -> int:
        """Number of the other players."""
        return self.players - 1

    @property
    def mine(self) -> SeatView | None:
        return None if self.seat is None else self.seats[self.seat]

    @property
    def refresh_s(self) -> int:
        """Seconds until a page without a script reloads itself, 0 for never.

        A reload clears the fields of a turn, so it only comes in time that the reader does not count as absent.
        """
        if self.state == "over":
            return 0
        if self.state in OWN_TURN:
            return self.absence_s * 3 // 4
        waits = self.table is not None or (self.mine.agreed if self.mine else not self.free)
        return REFRESH_S if waits else 0

    @property
    def names(self) -> list[str]:
        return [seat.name for seat in self.seats]


def asked_game(code: str) -> OnlineGame:
    """Return a game with its seats. Two statements. Raises OnlineGame.DoesNotExist."""
    return OnlineGame.objects.select_related("rematch", "lobby").prefetch_related("seats").get(code=code)


def version_of(game: OnlineGame, now: datetime) -> str:
    """Return a text that changes whenever a page of the game has to be read again, from the rows alone.

    Of a seat the number of half minutes since it was seen counts, up to the longest absence, and that of the time for
    which the table has waited; of a turn its lateness.
    """
    if game.ended_at is not None or game.started_at is None:
        return f"{game.version}-{len(game.seated())}"
    steps = (min(seat.away_for(now), game.absence_s) // STEP for seat in game.seated())
    waited = (now - (game.waits_since or now)).total_seconds()
    late = game.move_s and waited >= game.move_s
    alone = waited >= BETWEEN_HANDS.total_seconds()
    kept = min(waited, game.absence_s) // STEP
    return "-".join(map(str, (game.version, *map(int, (*steps, kept, bool(late), alone)))))


def online_view(game: OnlineGame, key: str, now: datetime) -> OnlineView:
    """Return the game as the seat with this key, or a spectator, may see it."""
    seats = game.seated()
    own = next((seat for seat in seats if key and seat.key == key), None)
    table = game.table() if game.started_at is not None else None
    waits = set() if table is None else {one.number for one in waited_for(table, attendance(seats))}
    ended = game.ended_at is not None
    return OnlineView(
        code=game.code,
        ruleset=game.ruleset,
        options=game.options,
        lobby=game.lobby.slug if game.lobby else "",
        players=game.players,
        free=game.players - len(seats) + sum(one != own for one in left_seats(game, seats, now)),
        leaves=own is not None and game.started_at is None and not game.fixture,
        move_s=game.move_s,
        absence_s=game.absence_s,
        deal_hash=hash_of(game.secret),
        state=_state(table, own),
        seat=None if own is None else own.number,
        seats=[_seat_view(seat, own, waits, now) for seat in seats],
        muted=own is not None and own.muted,
        version=version_of(game, now),
        table=None if table is None else _hand_view(game, table, own, now),
        winner=table.game.card.winner if table is not None and ended else None,
        ended=table.game.card.ended if table is not None and ended else None,
        gave_up=_gave_up(table) if table is not None and ended else None,
        result=dumps(table.log) if table is not None and ended else "",
        status=game.status,
        rematch=game.rematch.code if hasattr(game, "rematch") else "",
    )


def _seat_view(seat: OnlineSeat, own: OnlineSeat | None, waits: set[Seat], now: datetime) -> SeatView:
    mine = own is not None and seat.number == own.number
    heard = own is not None and (mine or not own.muted)
    there = mine or seat.away_for(now) < THERE
    greeting = seat.greeting if heard else ""
    return SeatView(seat.number, seat.name, mine, seat.agreed, there, seat.number in waits, greeting)


def _state(table: OnlineTable | None, own: OnlineSeat | None) -> State:
    if table is None:
        return "waiting"
    if table.over:
        return "over"
    if table.to_act is None:
        return "bell" if table.belled else "between"
    if own is None or table.to_act != own.number:
        return "theirs"
    if isinstance(table, OnlineUno) and table.live is None:
        return "reopen"
    return "four" if isinstance(table, OnlineUno) and table.victim == own.number else "turn"


def _gave_up(table: OnlineTable) -> Seat | None:
    events = (event for event in reversed(table.events_from(0)) if isinstance(event, Concession | Forfeit))
    return next((event.seat for event in events), None)


def _hand_view(game: OnlineGame, table: OnlineTable, own: OnlineSeat | None, now: datetime) -> OnlineHand:
    seat = SPECTATOR if own is None else own.number
    shown = table if own is not None else before_open_claims(game, table)
    seen = seen_by(seat, reel(shown.log, max(1, shown.game.number - 1)))
    last, trail = seen.rounds[-1].frames[-1], seen.rounds[-1].trail
    live, rules = shown.live, shown.game.rules
    kept_waiting = overdue(table, attendance(game.seated()), patience(game), now)
    playing = live is not None and table.to_act == seat
    between = table.between and not table.belled
    alone_at = (game.waits_since or now) + BETWEEN_HANDS
    return OnlineHand(
        line=len(shown.lines),
        hand=[] if own is None else hand_of(table, seat),
        joins=[] if live is None else list(dict.fromkeys(trail[end.tile].tile for end in last.ends)),
        can_draw=live is not None and live.can_draw and not (isinstance(table, OnlineUno) and table.colours.drew),
        boneyard=last.boneyard,
        announces=points_to_announce(rules),
        can_say=own is not None and table.can_announce(seat),
        can_call=own is not None and table.claimable_by(seat) is not None,
        with_tile=playing and rules.muggins is Muggins.AFTER_NEXT and table.game.claims.fresh is not None,
        ready=own is not None and between and own.ready_hand == table.game.number and now < alone_at,
        late=None if own is None else next((number for number in kept_waiting if number != seat), None),
        scores=last.scores,
        target=rules.target,
        seen=seen,
        rings_at=None if table.clock is None or table.game.rung else rings_at(table.clock, now),
        move_ends=_move_ends(game, table),
        uno=uno_view(table, seat) if isinstance(table, OnlineUno) else None,
    )


def _move_ends(game: OnlineGame, table: OnlineTable) -> datetime | None:
    if not game.move_s or table.to_act is None or game.waits_since is None:
        return None
    return game.waits_since + timedelta(seconds=game.move_s)


def before_open_claims(game: OnlineGame, table: OnlineTable) -> OnlineTable:
    """Return the table before the first tile whose points can still be announced or called.

    So no spectator can help a player to see points.
    """
    claims = table.game.claims
    open_plays = [play.line for play in (claims.claimable, claims.fresh) if play is not None]
    if table.over or table.game.rules.muggins is Muggins.OFF or not open_plays:
        return table
    entries = table.log.entries
    kept = next(number for number, entry in enumerate(entries) if entry.line == min(open_plays))
    return OnlineTable(table.tags, table.seed, table.lines[:kept], game.marks)

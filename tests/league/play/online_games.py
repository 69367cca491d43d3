"""Online games for tests: seats that play by a level of the computer."""

from datetime import datetime, timedelta

from games.moves import Play, Seat
from league.house.knowledge import known_to
from league.house.levels import Level, choose
from league.house.uno_knowledge import known_at_uno
from league.house.uno_levels import choose_uno
from league.play.models import OnlineGame, OnlineSeat
from league.play.online import services
from league.play.online.acts import OnlineAct
from league.play.online.table import OnlineUno

NAMES = ("Ana", "Bo", "Cy", "Di", "Ed", "Fay")


def opened(
    ruleset: str = "muggins", players: int = 2, *, clock: str = "900", move_time: str = "0", **options: str
) -> list[OnlineSeat]:
    """All seats at a table before the deal."""
    times = {"clock": clock, "move_time": move_time, "absence": "300"}
    first = services.open_game(ruleset, options, NAMES[0], players, **times)
    return [first, *(services.join(first.game.code, name) for name in NAMES[1:players])]


def dealt(ruleset: str = "muggins", players: int = 2, **terms: str) -> list[OnlineSeat]:
    seats = opened(ruleset, players, **terms)
    for seat in seats:
        services.agree_to_deal(seat.game.code, seat.key, f"words of {seat.name}")
    return seats


def fresh(seat: OnlineSeat) -> OnlineGame:
    return OnlineGame.objects.prefetch_related("seats").get(pk=seat.game_id)


def line_of(seat: OnlineSeat) -> int:
    return len(fresh(seat).lines.splitlines())


def do(seat: OnlineSeat, asked: OnlineAct, line: int | None = None) -> OnlineGame:
    return services.act(seat.game.code, seat.key, line_of(seat) if line is None else line, asked)


def choice(seat: OnlineSeat, level: Level = Level.GREEDY, salt: object = "") -> OnlineAct | None:
    """What the seat does next; None if it is not its turn."""
    table = fresh(seat).table()
    if isinstance(table, OnlineUno):
        return _choice_at_uno(seat.number, table, level, salt)
    if table.live is None:
        return OnlineAct("deal")
    if table.to_act != seat.number:
        return None
    move = choose(known_to(seat.number, table.live), level, f"{salt} {table.seed} {len(table.lines)}")
    if isinstance(move, Play):
        return OnlineAct("play", move.tile.name, move.on.name if move.on else "", move.call)
    return OnlineAct("draw")


def _choice_at_uno(seat: Seat, table: OnlineUno, level: Level, salt: object) -> OnlineAct | None:
    """It says uno, accepts every Wild Draw Four, and reopens nothing."""
    if table.between:
        return OnlineAct("deal")
    if table.to_act != seat:
        return None
    if table.live is None or table.victim == seat:
        return OnlineAct("leave" if table.live is None else "four")
    if table.may_say_uno(seat):
        return OnlineAct("uno")
    move = choose_uno(known_at_uno(seat, table.colours), level, f"{salt} {table.seed} {len(table.lines)}")
    if isinstance(move, Play):
        return OnlineAct("play", move.tile.name, move.on.name if move.on else "", colour=move.colour or "")
    return OnlineAct("draw")


def step(seats: list[OnlineSeat], level: Level = Level.GREEDY, salt: object = "") -> None:
    """Let the seats do the next thing: a move, or all ask for the next hand."""
    for seat in seats:
        if fresh(seat).ended_at is None and (asked := choice(seat, level, salt)):
            do(seat, asked)
            if asked.do != "deal":
                return


def play_to_end(seats: list[OnlineSeat], level: Level = Level.GREEDY) -> OnlineGame:
    while fresh(seats[0]).ended_at is None:
        step(seats, level)
    return fresh(seats[0])


def later(game: OnlineGame, **passed: float) -> datetime:
    """The time this long after the last line."""
    return game.waits_since + timedelta(**passed)

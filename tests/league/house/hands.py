"""Hands with known tiles for tests of the computer: positions, and an exhaustive search by the engine alone."""

from collections.abc import Iterator
from random import Random

from games.moves import Draw, Play
from games.round import Move, Round
from games.ruleset import Lead, Ruleset
from games.rulesets import get
from games.scorecard import worths
from games.settlement import settle

SYSTEMS = ("double-six", "muggins", "all-fives", "udl")


def dealt(rules: Ruleset, chance: Random) -> tuple[Round, list]:
    """A hand of two seats, all tiles known, seat 0 to lead any tile; and the boneyard in its order."""
    live = Round(rules, 2, Lead.WINNER_ANY, leader=0)
    tiles = list(rules.tiles.tiles)
    chance.shuffle(tiles)
    for seat in range(2):
        live.deal(seat, 7, tuple(tiles[seat * 7 : seat * 7 + 7]))
    return live, tiles[14:]


def moves(live: Round) -> list[Move]:
    """The moves of the seat to act, without draws by choice."""
    plays = list(live.legal_moves())
    if live.can_draw and not any(isinstance(move, Play) for move in plays):
        return [Draw(live.to_act, 1)]
    return plays


def made(live: Round, move: Move, boneyard: list) -> tuple[Round, list, int]:
    """The hand after a move, its boneyard, and the points of the move."""
    if isinstance(move, Draw):
        return live.after(Draw(move.seat, 1, (boneyard[0],))), boneyard[1:], 0
    twin = live.after(move)
    points = worths(live.rules.tiles, live.rules.play_divisor)[twin.layout.count] if isinstance(move, Play) else 0
    return twin, boneyard, points


def lead(live: Round, boneyard: list, seat: int) -> int:
    """What seat 0 leads by from here on, if both play their best: every line is tried, by the engine alone."""
    if live.ended is not None or live.to_act is None:
        return settled(live, seat)
    values = []
    for move in moves(live):
        after, left, points = made(live, move, boneyard)
        value = lead(after, left, seat)
        values.append(value + points if move.seat == seat else value - points)
    return max(values) if live.to_act == seat else min(values)


def settled(live: Round, seat: int) -> int:
    tiles, held = live.rules.tiles, [hand.bit_count() for hand in live.hands]
    points = settle(live.rules, held, [tiles.pips_in(hand) for hand in live.hands], live.went_out).points
    return points[seat] - points[1 - seat]


def played_to(rules: Ruleset, chance: Random, left: int, *, drawn: int = 0) -> tuple[Round, list, list] | None:
    """A hand played at random until both hands have `left` tiles at most; its boneyard, and its events.

    The first `drawn` tiles are drawn by choice, by the seat with fewer tiles.
    """
    live, boneyard = dealt(rules, chance)
    events: list[Move] = []
    while live.ended is None and sum(live.held) > left:
        move = chance.choice(moves(live))
        fewer = live.held[move.seat] <= live.held[1 - move.seat]
        if isinstance(move, Draw) or (drawn > 0 and live.layout.table and fewer):
            move = Draw(live.to_act, 1, (boneyard[0],))
            boneyard, drawn = boneyard[1:], drawn - 1
        live.apply(move)
        events.append(move)
    return None if live.ended is not None else (live, boneyard, events)


def endgames(system: str, number: int, left: int) -> Iterator[Round]:
    """Positions with a choice and few tiles, where nothing is hidden: the boneyard is empty."""
    rules, chance = get(system).with_options({"voluntary_draw": "true", "must_play_drawn": "false"}), Random(system)
    while number:
        found = played_to(rules, chance, left, drawn=14)
        if found and not found[1] and len(moves(found[0])) > 1:
            number -= 1
            yield found[0]

"""True cards and tallies, made of games that were played out: figures from the table's own book and from its lines.

Running totals, round-end points, chips and the final score are those of the table's book (`referee.playouts.book`);
spinners, hands and ends of rounds are read off the tiles; who called what muggins is told by the verdict.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random
from typing import Any

from games.moves import SEATS, Bell, Blocked, Deal, Draw, Play, RoundPoints, Show, Totals
from games.notation.gamelog import GameLog
from games.ruleset import BellMode, Matching, Muggins, Ruleset, Spinner
from games.rulesets import get
from referee import verify
from referee.playouts.habits import Habits
from referee.playouts.pips import playout
from referee.playouts.uno import UnoHabits, playout_uno
from referee.playouts.uno import points as uno_points

# What the table's book keeps: it knows no other bell, no replay of a tie, and no points for a number too high.
NAMES = ("Ana Ruiz", "Bo Chen", "Cy Doe", "Dee Fox")
TABLES = [
    *(("udl", 2),) * 5,
    *(("double-six", 2),) * 2,
    *(("muggins", seats) for seats in (2, 3, 4)),
    *(("all-fives", seats) for seats in (2, 3, 4)),
    *(("uno-dominoes", seats) for seats in (2, 4)),
]
HOUSE_RULES = [
    {},
    {"spinner": "all", "lead_first": "lot", "block_tie": "split"},
    {},
    {"spinner": "none", "lead_forced": "false", "lead_later": "winner_any", "lead_after_block": "lot"},
    {"no_double": "highest_tile", "highest_tile": "pips", "boneyard_reserve": "2", "blocked_points": "diff"},
    {"clock_s": "300"},
    {"no_double": "draw_until", "lead_first": "highest_double", "lead_later": "highest_double", "hand": "4"},
    {"voluntary_draw": "true", "must_play_drawn": "false", "blocked_by": "tiles", "blocked_points": "tiles_x5"},
    {"clock_s": "240"},
    {"announce": "manual", "muggins": "after_next", "end_check": "round", "target_strict": "true"},
    {"announce": "manual", "muggins": "before_next", "end_check": "immediate"},
    {"announce": "auto", "muggins": "off", "cap_at_target": "true", "domino_points": "opp_r5", "blocked_scope": "all"},
    {"clock_s": "200"},
    {"round_per_hand": "true", "domino_points": "all_r5_div5", "blocked_points": "opp_r5", "block_tie": "split"},
    {"round_bonus": "true", "bonus_divisor": "5", "play_divisor": "5", "target": "40", "bonus_scope": "opponents"},
    {"lead_after_block": "winner_any", "clock_s": "120", "hand": "6", "boneyard_reserve": "1", "block_tie": "split"},
]
UNO_RULES = [{}, {"block": "void"}, {"target": "200"}, {"all_doublet": "true", "reopening": "true"}]


@dataclass(frozen=True)
class TrueGame:
    """A game that was played: its rules, what its card says with everything written, its taps, and its log."""

    rules: Ruleset
    seats: int
    card: dict[str, Any]
    taps: list[dict[str, Any]]
    log: GameLog


def true_game(seed: int) -> TrueGame:
    """A game of some system and house rules; the same seed gives the same game."""
    key, seats = TABLES[seed % len(TABLES)]
    rng = Random(f"card {seed}")
    turn = seed // len(TABLES)
    if get(key).matching is Matching.MARKINGS:
        options = UNO_RULES[turn % len(UNO_RULES)]
        game = playout_uno(rng=rng, seats=seats, habits=UnoHabits(style="random"), options=options)
        return _written(game, get(key).with_options(options), seats, rng)
    options = HOUSE_RULES[turn % len(HOUSE_RULES)]
    style = "greedy" if seed % 22 == 0 else "random"
    habits = Habits(style=style, miss=0.15, slip=0.03, no_double=0.1, timed=seed % 5 != 0, says_blocked=True)
    habits = replace(habits, seconds=(2.0, 4.0, 8.0)[seed % 3])
    game = playout(key, rng=rng, seats=NAMES[:seats], habits=habits, options=options)
    return _written(game, get(key).with_options(options), seats, rng)


def _written(game: Any, rules: Ruleset, seats: int, rng: Random) -> TrueGame:
    verdict = verify(game.log)
    rounds = [_round(record, rules, seats) for record in game.log.rounds]
    taps: list[dict[str, Any]] = []
    for number, (row, record) in enumerate(zip(rounds, game.log.rounds, strict=True)):
        lines = range(record.entries[0].line, record.entries[-1].line + 1)
        plays = [play for play in verdict.plays if play.line in lines] if rules.matching is Matching.PIPS else []
        _book(row, taps, plays, seats)
        _close(row, taps, record, rules, last=number == len(rounds) - 1)
    for row in rounds:
        if rules.muggins is Muggins.OFF:
            del row["muggins"]
        if rules.matching is not Matching.PIPS:
            del row["play"]
    _totals(rounds, list(game.scores.values()), rules)
    ended = getattr(game, "ended", "target")
    card: dict[str, Any] = {
        "scores": list(game.scores.values()),
        "ended": ended,
        "winner": SEATS.index(game.winner),
        "rounds": rounds,
    }
    if rules.chips:
        card["chips"] = list(game.chips.values())
    _hours(card, rules, rng)
    taps.append({"kind": "end", "ended": ended, "winner": card["winner"]})
    return TrueGame(rules, seats, card, [{"n": n, **tap} for n, tap in enumerate(taps, 1)], game.log)


def _round(record: Any, rules: Ruleset, seats: int) -> dict[str, Any]:
    """One line of the card, from the lines of the round alone."""
    hands: list[set[int]] = [set() for _ in range(seats)]
    tiles_of = rules.tiles.tiles
    row: dict[str, Any] = {name: [0] * seats for name in ("play", "muggins", "penalties", "bonus")}
    row |= {"spinner": "none", "ended": None, "winner": None, "pips": None, "tiles": None}
    for entry in record.entries:
        match entry.event:
            case Deal(seat, _, tiles) | Draw(seat, _, tiles):
                hands[seat] |= {tile.index for tile in tiles}
            case Play(seat, tile):
                hands[seat].discard(tile.index)
                if tile.double and row["spinner"] == "none":
                    row["spinner"] = tile.name
                if not hands[seat]:
                    row |= {"ended": "domino", "winner": seat}
            case Blocked():
                row["ended"] = "blocked"
            case RoundPoints(seat, points):
                row["bonus"][seat] = points
                row["winner"] = seat
            case Totals(scores):
                row["totals"] = list(scores)
            case Bell() if row["ended"] is None and rules.bell_mode is BellMode.STOP:
                row["ended"] = "bell"
            case Show():
                row["shown"] = True
    if rules.matching is not Matching.PIPS:
        # The racks change after the last tile, by penalties; a dead end leaves the closer's own rack.
        row["spinner"] = None
        row["pips"] = [sum(uno_points(tiles_of[tile].name) for tile in hand) for hand in hands]
        if row["ended"] is None:
            row["ended"] = "dead-end"
            row["pips"] = None
    elif row["ended"] in ("domino", "blocked"):
        row["pips"] = [sum(tiles_of[tile].pips for tile in hand) for hand in hands]
        row["tiles"] = [len(hand) for hand in hands]
    if row["ended"] is None and row.pop("shown", False):
        row["ended"] = "blocked"
    row.pop("shown", None)
    if rules.spinner is Spinner.NONE:
        row["spinner"] = None
    if sum(points > 0 for points in row["bonus"]) > 1:
        row["winner"] = None
    return row


def _book(row: dict[str, Any], taps: list[dict[str, Any]], plays: list[Any], seats: int) -> None:
    """Points of each play: to its player, or to whoever called them, in play order (RULES.md 1.4)."""
    for play in plays:
        for seat, points in play.awarded.items():
            own = seat == play.seat
            row["play" if own else "muggins"][seat] += points
            if points:
                taps.append({"kind": "points" if own else "muggins", "seat": seat, "points": points})


def _close(row: dict[str, Any], taps: list[dict[str, Any]], record: Any, rules: Ruleset, *, last: bool) -> None:
    rung = any(isinstance(entry.event, Bell) for entry in record.entries)
    if rung:
        taps.append({"kind": "bell"})
    if last and row["ended"] is None:
        return
    bonus, winner = row["bonus"], row["winner"]
    tap = {"kind": "round_end", "ended": row["ended"], "winner": winner, "spinner": row["spinner"]}
    if sum(n > 0 for n in bonus) > 1:
        taps.append({**tap, "bonus": bonus})
    else:
        taps.append({**tap, "points": max(bonus), "winner": bonus.index(max(bonus)) if max(bonus) else winner})


def _totals(rounds: list[dict[str, Any]], scores: list[int], rules: Ruleset) -> None:
    """A book does not always write its totals: then the next ones, or the last, tell."""
    if rounds:
        rounds[-1]["totals"] = scores


def _hours(card: dict[str, Any], rules: Ruleset, rng: Random) -> None:
    started = rng.randrange(24 * 60)
    minutes = 20 if not rules.clock_s else -(-rules.clock_s // 60)
    if card["ended"] == "overtime":
        minutes += 3
    stopped = (started + minutes) % (24 * 60)
    card["started"] = f"{started // 60:02d}:{started % 60:02d}"
    card["stopped"] = f"{stopped // 60}:{stopped % 60:02d}"
    if rules.clock_s and card["ended"] in ("bell", "overtime"):
        card["clock_s"] = rules.clock_s


WAYS = ("everything", "hands and totals", "spinners and totals", "spinners and the final score", "what came to mind")


def written(game: TrueGame, way: str, rng: Random) -> dict[str, Any]:
    """The true card as somebody wrote it who wrote less."""
    card = {**game.card, "rounds": [dict(row) for row in game.card["rounds"]]}
    if way == "everything":
        return card
    if way == "what came to mind":
        left = {name: value for name, value in card.items() if name == "scores" or rng.random() < 0.7}
        left["rounds"] = [_holes(row, rng) for row in card["rounds"]]
        return left
    kept = {
        "hands and totals": ("spinner", "ended", "winner", "bonus", "pips", "tiles", "totals"),
        "spinners and totals": ("spinner", "totals"),
        "spinners and the final score": ("spinner",),
    }[way]
    rounds = [{name: row[name] for name in kept if name in row} for row in card["rounds"]]
    return {"scores": card["scores"], "ended": card["ended"], "rounds": rounds}


def _holes(row: dict[str, Any], rng: Random) -> dict[str, Any]:
    left = {}
    for name, value in row.items():
        if rng.random() < 0.6:
            some = isinstance(value, list) and rng.random() < 0.5
            left[name] = [None if rng.random() < 0.4 else n for n in value] if some else value
    return left

"""Wording of the rules for tiles that match by pips: one function for each rule.

See `games.wording.rulebook`.
"""

from __future__ import annotations

from games.ruleset import (
    Announce,
    BellMode,
    BlockedBy,
    BlockTie,
    EndCheck,
    Lead,
    Muggins,
    NoDouble,
    Overclaim,
    Ruleset,
    Scope,
    Settlement,
    Spinner,
    Tie,
    TileOrder,
)
from games.settlement import bonus_divisor, is_rounded
from games.wording.base import NOTHING, Sentence, Sentences, Writers, say


def _set(rules: Ruleset) -> Sentences:
    tiles = rules.tiles
    return say("The game is played with the %(name)s set of %(tiles)s tiles.", name=tiles.name, tiles=len(tiles.tiles))


def _hand(rules: Ruleset) -> Sentences:
    total = len(rules.tiles.tiles)
    low, high = rules.seats
    return tuple(
        Sentence(
            "With %(seats)s players each draws %(hand)s tiles, and %(left)s stay in the boneyard.",
            {"seats": seats, "hand": rules.hand_size(seats), "left": total - seats * rules.hand_size(seats)},
        )
        for seats in range(low, high + 1)
        if seats in rules.hand  # a large hand leaves no tiles for more players
    )


def _lead(rules: Ruleset) -> Sentences:
    if rules.lead_first is Lead.LOT:
        return say("The first lead is drawn by lot: the highest tile leads, with any tile.") + _order(rules)
    if not rules.lead_forced:
        return say("The holder of the highest double leads the first round, with any tile.")
    return say("The holder of the highest double leads it in the first round.") + _no_double(rules)


def _no_double(rules: Ruleset) -> Sentences:
    if rules.no_double is NoDouble.DRAW_UNTIL:
        return say(
            "Where nobody holds a double, one tile each is drawn in seat order until a double comes, which is led."
        )
    return say("Where nobody holds a double, the highest tile is led.") + _order(rules)


def _order(rules: Ruleset) -> Sentences:
    if rules.highest_tile is TileOrder.PIPS:
        return say("Tiles rank by their pips, then by their higher half.")
    return say("Tiles rank by their higher half, then by their lower half.")


def _lead_later(rules: Ruleset) -> Sentences:
    later = {
        Lead.DOMINOER_ANY: "The player that dominoed leads the next round with any tile.",
        Lead.WINNER_ANY: "The winner of a round leads the next one with any tile.",
        Lead.HIGHEST_DOUBLE: "Later rounds are led like the first one, by the highest double.",
    }
    blocked = {
        Lead.HIGHEST_DOUBLE: "After a blocked round the highest double leads.",
        Lead.WINNER_ANY: "After a blocked round its winner leads; without a winner the lead is drawn by lot.",
        Lead.LOT: "After a blocked round the lead is drawn by lot.",
    }
    return say(later[rules.lead_later]) + say(blocked[rules.lead_after_block])


def _match(rules: Ruleset) -> Sentences:
    spinner = {
        Spinner.NONE: "A double is joined on its two sides only.",
        Spinner.FIRST: "The first double of a round is its spinner: once both its sides are covered, "
        "tiles are joined to its two ends too.",
        Spinner.ALL: "Every double is a spinner: once both its sides are covered, "
        "tiles are joined to its two ends too.",
    }
    return say("A tile is joined to an open end with an equal half.") + say(spinner[rules.spinner])


def _draw(rules: Ruleset) -> Sentences:
    must = say("A player who can't play draws until a tile can be played or the boneyard is empty.")
    if rules.voluntary_draw:
        return must + say("A player may also draw by choice, any number of tiles in the own turn.")
    return must + say("Nobody draws by choice.")


def _drawn(rules: Ruleset) -> Sentences:
    if rules.must_play_drawn:
        return say("A drawn tile that can be played must be played.")
    return say("A player who drew a tile that can be played may go on drawing.")


def _boneyard(rules: Ruleset) -> Sentences:
    if rules.boneyard_reserve:
        return say("Of the boneyard %(left)s are never drawn.", left=rules.boneyard_reserve)
    return say("The boneyard is drawn to the last tile.")


def _pass(_: Ruleset) -> Sentences:
    return say("A player passes only with no playable tile and no tile to draw.")


_COUNTED = {
    Settlement.OPP_R5: "the pips of all other hands",
    Settlement.ALL_R5_DIV5: "the pips of all hands",
    Settlement.ALL: "the pips of all hands",
    Settlement.OPP: "the pips of all other hands",
    Settlement.DIFF: "the pips of all other hands less the own ones",
    Settlement.TILES_X5: "five points for each tile that another hand holds more",
}
_SCOPES = {Scope.ALL: "the pips of all hands", Scope.OPPONENTS: "the pips of all other hands"}


def _wins(rules: Ruleset, how: Settlement, *, blocked: bool) -> Sentences:
    """Write the points of a round's winner: pips counted, rounding, divisor."""
    counted = _COUNTED[how]
    scope = (blocked and rules.blocked_scope) or rules.bonus_scope
    if scope and how not in (Settlement.DIFF, Settlement.TILES_X5):
        counted = _SCOPES[scope]
    said = say(f"The winner scores {counted}.")
    if how is not Settlement.TILES_X5:
        said += _rounding(rules, how)
    divisor = bonus_divisor(rules, how)
    return said if divisor == 1 else said + say("That is divided by %(by)s, fractions dropped.", by=divisor)


def _rounding(rules: Ruleset, how: Settlement) -> Sentences:
    if not is_rounded(rules, how):
        return say("The sum is not rounded.")
    if rules.round_per_hand:
        return say("Each hand is rounded to the nearest five separately.")
    return say("The sum is rounded to the nearest five.")


def _domino(rules: Ruleset) -> Sentences:
    said = say("The first player to run out of tiles wins the round.")
    return said + _wins(rules, rules.domino_points, blocked=False)


def _blocked(rules: Ruleset) -> Sentences:
    if rules.blocked_by is BlockedBy.TILES:
        said = say("When nobody can play or draw, the hand with the fewest tiles wins the round.")
    else:
        said = say("When nobody can play or draw, the hand with the fewest pips wins the round.")
    said += _wins(rules, rules.blocked_points, blocked=True)
    if rules.block_tie is BlockTie.SPLIT:
        return said + say("Equal lowest hands of three players or more share what the others have left.")
    return said + say("Equal lowest hands: nobody scores.")


def _score(rules: Ruleset) -> Sentences:
    said = say("A play whose open ends add up to a multiple of five scores that sum.")
    said += say("An open end counts its pips, a double with a free side both halves.")
    if rules.play_divisor == 1:
        return said
    return said + say("Points in play are divided by %(by)s, fractions dropped.", by=rules.play_divisor)


def target_rule(rules: Ruleset) -> Sentences:
    more = "more than " if rules.target_strict else ""
    if rules.end_check is EndCheck.IMMEDIATE:
        said = say(f"The first player with {more}%(target)s points wins at once, also in mid-round.", **_of(rules))
    else:
        said = say(
            f"When a round is settled and somebody has {more}%(target)s points, the highest score wins.", **_of(rules)
        ) + say("Level at the top: another round.")
    return said + say("No score is written above the target.") if rules.cap_at_target else said


def _of(rules: Ruleset) -> dict[str, object]:
    minutes, seconds = divmod(rules.clock_s, 60)
    return {
        "target": rules.target,
        "clock": f"{minutes}:{seconds:02d}",
        "grace": rules.announce_grace_s,
        "after": rules.post_bell_claim_s,
        "hold": rules.muggins_grace_s,
        "chips": rules.chips,
    }


def bell_rule(rules: Ruleset) -> Sentences:
    if not rules.clock_s:
        return NOTHING
    said = {
        BellMode.STOP: "At %(clock)s the bell stops play; a round that it cuts has no round-end points.",
        BellMode.TURN: "At %(clock)s the bell rings; the player to act finishes the turn, then play stops.",
        BellMode.ROUND: "At %(clock)s the bell rings; the round is played to its end and counts.",
    }
    return say(said[rules.bell_mode] + " The player with the most points wins.", **_of(rules))


def _overtime(rules: Ruleset) -> Sentences:
    if not rules.clock_s:
        return NOTHING
    if rules.tie is Tie.REPLAY:
        return say("Level scores at the bell: further rounds without a clock, until one is settled unequal.")
    return say("Level scores at the bell: overtime without a clock, and the first points win.")


def _muggins(rules: Ruleset) -> Sentences:
    if rules.muggins is Muggins.OFF:
        return say("There is no muggins call.")
    said = say("Points of a play that its player did not announce go to the opponent who calls muggins.")
    if rules.muggins is Muggins.BEFORE_NEXT:
        said += say("The call is open from the release of the tile until the next play or pass.")
        if rules.muggins_grace_s:
            said += say(
                "A call in the first %(hold)s seconds is held, and void if the player announces in that time.",
                **_of(rules),
            )
    else:
        said += say("The call opens with the next play or pass and closes with the one after it.")
        said += say("When hands are shown, the last play is open to a call until the round is settled.")
        if rules.clock_s:
            said += say("After the bell there are %(after)s seconds for a call.", **_of(rules))
    if rules.next_action_counts_draw:
        said += say("The first draw of a turn counts as its play does.")
    if rules.muggins_on_round_end:
        said += say("Round-end points that the winner left out may be called too, until the round is settled.")
    return said + say(
        "One call per player and play. If several call at once, the player seated next after the scorer gets it."
    )


def _announce(rules: Ruleset) -> Sentences:
    if rules.announce is Announce.AUTO:
        return say("Points are booked by themselves; an announced number is only compared.")
    said = say("Points must be announced with the play, or before the next play or pass.")
    if rules.clock_s and rules.muggins is Muggins.AFTER_NEXT:
        said += say("A tile released just before the bell may be announced for %(grace)s seconds.", **_of(rules))
    said += say("Announce too little and you keep that much; the rest is open to muggins.")
    if rules.overclaim is Overclaim.FOSTER:
        return said + say("A number that is too high goes to the next player, as announced.")
    return said + say("Of a number that is too high the true points count.")


def _chips(rules: Ruleset) -> Sentences:
    if not rules.chips:
        return NOTHING
    return say("Each player has %(chips)s chips of five points and pays the scorer in them.", **_of(rules))


def _turn(rules: Ruleset) -> Sentences:
    return say("The two players take turns.") if rules.seats == (2, 2) else say("Turns go clockwise.")


def _penalty(_: Ruleset) -> Sentences:
    return say("The referee punishes irregular play with points to every opponent.")


def _total(_: Ruleset) -> Sentences:
    return say("The score is the sum of the points a player was given, in play and at the end of rounds.")


def _record(_: Ruleset) -> Sentences:
    return say("Every line of a record has its place and its time.")


PIP_WRITERS: Writers = {
    "set": _set,
    "hand": _hand,
    "lead": _lead,
    "lead-later": _lead_later,
    "match": _match,
    "draw": _draw,
    "drawn": _drawn,
    "boneyard": _boneyard,
    "pass": _pass,
    "domino": _domino,
    "blocked": _blocked,
    "score": _score,
    "target": target_rule,
    "bell": bell_rule,
    "overtime": _overtime,
    "muggins": _muggins,
    "announce": _announce,
    "chips": _chips,
    "turn": _turn,
    "penalty": _penalty,
    "total": _total,
    "record": _record,
}

"""Wording of the rules for tiles that match by colour or kind.

See `games.wording.rulebook`.
"""

from __future__ import annotations

from games.ruleset import Deadlock, ReverseOfTwo, Ruleset, StartTie
from games.wording.base import NOTHING, Sentence, Sentences, Writers, say
from games.wording.pips import bell_rule, target_rule


def _hand_from_pile(rules: Ruleset) -> Sentences:
    sizes = sorted(set(rules.hand.values()))
    if len(sizes) == 1:
        return say("Each player draws %(hand)s tiles; the others are the draw pile.", hand=sizes[0])
    return tuple(
        Sentence("With %(seats)s players each draws %(hand)s tiles.", {"seats": seats, "hand": size})
        for seats, size in rules.hand.items()
    )


def _start_tie(rules: Ruleset) -> Sentences:
    if rules.start_tie is StartTie.LOT:
        return say("Of two equal highest doublets the lot decides which is led.")
    return say("Of two equal highest doublets red comes before green, yellow and blue.")


def _reverse(rules: Ruleset) -> Sentences:
    said = say("An active R turns the direction of play.")
    if rules.reverse_2p is ReverseOfTwo.SKIP:
        return said + say("Where two play it acts as a skip.")
    return said + say("Where two play it has no effect.")


def _challenge(rules: Ruleset) -> Sentences:
    return say("A player who has to draw four may challenge before the first tile is drawn.") + say(
        "If the rack had an exposed colour, its player draws four; if not, the challenger draws %(tiles)s in all "
        "and loses the turn.",
        tiles=rules.failed_challenge,
    )


def _deadlock(rules: Ruleset) -> Sentences:
    said = say("The round is blocked when the draw pile is empty and every player has passed in a row.")
    if rules.block is Deadlock.VOID:
        return said + say("A blocked round is void: nobody scores.")
    return said + say("The lowest rack has the points of the others; equal lowest racks: nobody scores.")


def _reopening(rules: Ruleset) -> Sentences:
    if not rules.reopening:
        return NOTHING
    return say("The holder of W-W may open a dead end again, beside any doublet, and names the colour.")


def _all_doublet(rules: Ruleset) -> Sentences:
    return say("Every doublet is open on its sides and its ends.") if rules.all_doublet else NOTHING


MARKING_WRITERS: Writers = {
    "hand": _hand_from_pile,
    "start-tie": _start_tie,
    "reverse": _reverse,
    "challenge": _challenge,
    "blocked": _deadlock,
    "target": target_rule,
    "reopening": _reopening,
    "all-doublet": _all_doublet,
    "bell": bell_rule,
    "muggins": lambda _: NOTHING,
    "announce": lambda _: NOTHING,
    "chips": lambda _: NOTHING,
}

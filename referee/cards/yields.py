"""Upper bounds for plays, rounds and round ends, by number of tiles and spinner.

**Points in play.** A *state* is the open part of the layout: the halves and doubles at the tips of the arms, and the
cover of the spinner. A play goes from a state to a state, by one tile, for the open-end count if that is a multiple of
five (RULES.md 1.2). A round is a walk that uses each tile once. Give every tile a price, and every play a price of
``per_play``: then no walk earns more than the prices of all tiles, plus ``per_play`` for each of its plays, plus the
most that any walk earns beyond its prices, tiles used again or not. That last number is finite for good prices;
relaxing longest paths finds it. Linear programs found the prices, stored in ``tests/referee/round_yields.json``;
``tests/referee/cards/test_yields.py`` computes the bounds from them again. So a round of ``n`` plays gives at most the
least of ``fixed + n * per_play`` over the cuts below, to all seats together.

Where every double is a spinner a round may have sixteen arms, and the states are too many: there each play counts as
the best one, which proves little.

**Plays.** Tiles that stay in the boneyard or in a hand are not played. Each hand except that of a player that went out
has at least one tile, and pips that are left need tiles that hold them. A seat never plays a tile dealt to another
seat.

**Round-end points.** A seat that went out has played at least the tiles dealt, the lightest of the set at best; a
blocked round has every tile of one face on the table, except those that are never drawn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import gcd
from typing import Final

from games.once import once
from games.ruleset import Announce, BlockTie, Matching, Overclaim, Ruleset, Settlement, Spinner
from games.settlement import bonus_divisor, is_rounded, settle

CUTS: Final[Mapping[Spinner, tuple[tuple[float, float], ...]]] = {
    Spinner.NONE: ((225, 0), (157, 2.5), (88, 5), (35, 7.5), (15, 10)),
    Spinner.FIRST: ((616, 0), (481, 5), (346, 10), (213, 15), (98, 20), (35, 25)),
    Spinner.ALL: (),
}
"""Bounds on the points in play of one round: pairs of ``fixed`` and ``per_play``."""


def largest_count(rules: Ruleset) -> int:
    """Return the highest open-end count that scores.

    20 and 35 for no spinner and one (RULES.md 1.2). With ``k`` of the doubles covered and open on their ends there are
    ``2 + 2k`` arms. At best the other doubles lie at tips, and the other tips are the highest single halves: a face is
    on six tiles that are no double, and on one fewer where its double lies at a tip.
    """
    if rules.spinner is not Spinner.ALL:
        return 35 if rules.spinner is Spinner.FIRST else 20
    faces = [face.pips for face in rules.tiles.faces]
    best = 0
    for covered in range(len(faces) + 1):
        arms = 2 + 2 * covered
        doubles = sorted(faces, reverse=True)[: len(faces) - covered]
        singles = [pips for pips in faces for _ in range(len(faces) - 1 - (pips in doubles))]
        tips = sorted([2 * pips for pips in doubles] + singles, reverse=True)
        best = max(best, sum(tips[:arms]))
    return best - best % 5


@once
def largest_play(rules: Ruleset) -> int:
    """Return the most points of one play; 0 where plays score nothing."""
    return 0 if rules.matching is Matching.MARKINGS else largest_count(rules) // rules.play_divisor


def bounded(rules: Ruleset) -> bool:
    """Return whether points in play are bounded.

    They are not where a number announced too high is paid to the next player: it may be any number.
    """
    return rules.announce is Announce.AUTO or rules.overclaim is not Overclaim.FOSTER


def most_in_play(rules: Ruleset, plays: int) -> int:
    """Return the most points of this many plays in one round, for all seats together.

    >>> from games.rulesets import get
    >>> [most_in_play(get(key), 27) for key in ("muggins", "udl")]
    [220, 615]
    """
    if rules.matching is Matching.MARKINGS:
        return 0
    counts = min([plays * largest_count(rules), *(int(fixed + plays * each) for fixed, each in CUTS[rules.spinner])])
    return (counts - counts % 5) // rules.play_divisor


def plays_of_all(rules: Ruleset, seats: int, pips: Sequence[int | None] = (), tiles: Sequence[int | None] = ()) -> int:
    """Return the most plays of a round with these pips and tiles left.

    By seat, ``None`` where not known.
    """
    left = [_tiles_left(rules, *both) for both in zip(pips, tiles, strict=True)] or [0] * seats
    kept = sum(left)
    if left.count(0) > 1:
        # At most one hand is empty when play stops.
        kept += left.count(0) - 1
    return len(rules.tiles.tiles) - rules.boneyard_reserve - kept


def _tiles_left(rules: Ruleset, pips: int | None, tiles: int | None) -> int:
    """Return the fewest tiles of a hand with these pips."""
    if tiles is not None:
        return tiles
    needed = 0
    for heaviest in sorted(rules.tiles.pips, reverse=True):
        if not pips or pips <= 0:
            break
        pips -= heaviest
        needed += 1
    return needed


def plays_of_one(rules: Ruleset, seats: int) -> int:
    """Return the most tiles that one seat plays: none that was dealt to another."""
    return len(rules.tiles.tiles) - rules.boneyard_reserve - (seats - 1) * rules.hand_size(seats)


def most_at_round_end(rules: Ruleset, seats: int) -> int:
    """Return the most round-end points of one seat.

    >>> from games.rulesets import get
    >>> [most_at_round_end(get(key), 2) for key in ("udl", "muggins", "double-six")]
    [155, 31, 105]
    """
    known: dict[object, int] = rules.derived
    key = (most_at_round_end, seats)
    if key not in known:
        known[key] = max(_most_left(rules, seats, blocked=False), _most_left(rules, seats, blocked=True))
    return known[key]


def _most_left(rules: Ruleset, seats: int, *, blocked: bool) -> int:
    tiles = rules.tiles
    on_table = rules.hand_size(seats)
    if blocked:
        faces = len(tiles.faces) - rules.boneyard_reserve
        on_table = faces if rules.matching is Matching.PIPS else 1
    pips = sum(tiles.pips) - sum(sorted(tiles.pips)[:on_table])
    count = len(tiles.tiles) - on_table
    # Nearly everything in one hand, and something in the others, which would share a tie.
    others = [1] * (seats - 2)
    held, counted = ([0, most_left - len(others), *others] for most_left in (count, pips))
    most = max(settle(rules, held, counted, None if blocked else 0).points)
    # With rounding by hand each hand may be rounded up by two.
    how = rules.blocked_points if blocked else rules.domino_points
    return most + (-(-2 * seats // bonus_divisor(rules, how)) if rules.round_per_hand else 0)


@once
def play_step(rules: Ruleset) -> int:
    """Return the step of every award in play (RULES.md C6).

    5 where points in play are not divided.
    """
    if rules.matching is Matching.MARKINGS:
        return 1
    return gcd(*(count // rules.play_divisor for count in range(5, largest_count(rules) + 1, 5))) or 1


def bonus_step(rules: Ruleset, seats: int) -> int:
    """Return the step of round-end points.

    5 where they are rounded or tiles count, and nobody shares them.
    """
    if rules.block_tie is BlockTie.SPLIT and seats > 2:
        return 1
    kinds = (rules.domino_points, rules.blocked_points)
    fives = (how is Settlement.TILES_X5 or is_rounded(rules, how) for how in kinds)
    return 5 if all(fives) and all(bonus_divisor(rules, how) == 1 for how in kinds) else 1


def penalty_step(rules: Ruleset) -> int:
    """Return the step of a penalty: chips are worth five (RULES.md C6).

    Without chips an event decides.
    """
    return 5 if rules.chips else 1

"""Rules of a game as plain values, for a device without an engine.

The tile pad computes its hints from these values (league/web/static/web/pad/tile_rules.js). The referee alone judges.
"""

from __future__ import annotations

from typing import Any

from games.ruleset import (
    Announce,
    BellMode,
    Deadlock,
    EndCheck,
    Lead,
    NoDouble,
    Overclaim,
    ReverseOfTwo,
    Ruleset,
    StartTie,
    Tie,
    TileOrder,
)
from games.settlement import is_split, terms
from games.uno.calling import CAUGHT_DRAWS, GUILTY_DRAWS
from games.uno.markings import COLOUR_NAMES, WILD, MarkedSet
from games.uno.round import DRAWS

MOST_SEATS = 4
"""Most seats that a device shows."""


def has_device_rules(rules: Ruleset, seats: int) -> bool:
    """Return whether `device_rules` covers a game: four seats at most, and no dead end that is opened again."""
    return seats <= MOST_SEATS and not rules.reopening


def device_rules(rules: Ruleset, seats: int) -> dict[str, Any]:
    """Return what a device needs to follow a game of ``seats`` players.

    ``tiles``: names of the set, lowest first. ``lead``: `Lead` values of the first round, later rounds, and rounds
    after a block. ``by_pips``: the order of lots. ``drawn_for``: where nobody holds a double, the seats draw for the
    lead. ``bell_s``: seconds to announce a play of the last moment, and to call muggins after the bell. ``terms``: see
    `games.settlement.terms`. ``splits``: level hands of a block share the points. ``colours``: see `_colours`, None for
    tiles with pips. Other keys are options of RULES.md section 11, as plain values.
    """
    return {
        "seats": seats,
        "hand": rules.hand_size(seats),
        "tiles": [tile.name for tile in rules.tiles.tiles],
        "reserve": rules.boneyard_reserve,
        "spinner": rules.spinner.value,
        "lead": [rules.lead_first.value, rules.lead_later.value, rules.lead_after_block.value],
        "by_pips": rules.highest_tile is TileOrder.PIPS,
        "drawn_for": rules.no_double is NoDouble.DRAW_UNTIL and Lead.HIGHEST_DOUBLE in _leads(rules),
        "auto": rules.announce is Announce.AUTO,
        "muggins": rules.muggins.value,
        "foster": rules.overclaim is Overclaim.FOSTER,
        "divisor": rules.play_divisor,
        "chips": rules.chips,
        "target": rules.target,
        "target_strict": rules.target_strict,
        "at_once": rules.end_check is EndCheck.IMMEDIATE,
        "stops_at_bell": rules.bell_mode is BellMode.STOP,
        "bell_s": [rules.announce_grace_s, rules.post_bell_claim_s],
        "first_to_score": rules.tie is Tie.OVERTIME,
        "terms": terms(rules),
        "splits": is_split(rules, seats),
        "colours": _colours(rules, rules.tiles) if isinstance(rules.tiles, MarkedSet) else None,
    }


def kinds_of_tiles(rules: Ruleset) -> list[str]:
    """Return the kinds of halves by which a tile can be laid; none for tiles with pips."""
    if not isinstance(rules.tiles, MarkedSet):
        return []
    return list(dict.fromkeys(one.kind for one in rules.tiles.markings if not rules.tiles.dead >> one.index & 1))


def _colours(rules: Ruleset, tiles: MarkedSet) -> dict[str, Any]:
    """Return the rules of tiles that match by colour or kind.

    ``faces``: of each half its kind, its colour or "", its points. ``starters``: the tiles that may lead. ``draws``:
    tiles that the next player draws, by kind. ``caught``, ``guilty``, ``failed``: tiles for a missed uno call, an
    unlawful Wild Draw Four, a wrong challenge. ``turns_two``: a reverse skips the other of two seats. ``lots``: equal
    doublets draw for the lead. ``void``: nobody wins a block.
    """
    shown = {one.index: "" if one.colour is None else COLOUR_NAMES[one.colour] for one in tiles.markings}
    return {
        "names": COLOUR_NAMES,
        "faces": {one.name: [one.kind, shown[one.index], one.pips] for one in tiles.markings},
        "wild": WILD,
        "starters": [tiles.tiles[index].name for index in tiles.starters],
        "draws": DRAWS,
        "caught": CAUGHT_DRAWS,
        "guilty": GUILTY_DRAWS,
        "failed": rules.failed_challenge,
        "turns_two": rules.reverse_2p is ReverseOfTwo.SKIP,
        "all_doublets": rules.all_doublet,
        "lots": rules.start_tie is StartTie.LOT,
        "void": rules.block is Deadlock.VOID,
    }


def _leads(rules: Ruleset) -> tuple[Lead, ...]:
    return rules.lead_first, rules.lead_later, rules.lead_after_block

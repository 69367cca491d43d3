"""Rules of a pip game as plain values, for a device without an engine.

The tile pad computes its hints from these values (league/web/static/web/pad/tile_rules.js). The referee alone judges.
"""

from __future__ import annotations

from typing import Any

from games.ruleset import (
    Announce,
    BellMode,
    EndCheck,
    Lead,
    Matching,
    NoDouble,
    Overclaim,
    Ruleset,
    Tie,
    TileOrder,
)
from games.settlement import terms


def has_device_rules(rules: Ruleset) -> bool:
    """Return whether `device_rules` covers the system: tiles that match by pips."""
    return rules.matching is Matching.PIPS


def device_rules(rules: Ruleset, seats: int) -> dict[str, Any]:
    """Return what a device needs to follow a game of ``seats`` players.

    ``tiles``: names of the set, lowest first. ``lead``: `Lead` values of the first round, later rounds, and rounds
    after a block. ``by_pips``: the order of lots. ``drawn_for``: where nobody holds a double, the seats draw for the
    lead. ``terms``: see `games.settlement.terms`. Other keys are options of RULES.md section 11, as plain values.
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
        "first_to_score": rules.tie is Tie.OVERTIME,
        "terms": terms(rules),
    }


def _leads(rules: Ruleset) -> tuple[Lead, ...]:
    return rules.lead_first, rules.lead_later, rules.lead_after_block

"""Muggins without a spinner (S1): RULES.md section 3.

Source: onlinedominogames.com, "Muggins Dominoes Game Rules".
"""

from __future__ import annotations

from typing import Final

from games.ruleset import Lead, Rule, Ruleset, Settlement, Spinner, TileOrder
from games.tiles import DOUBLE_SIX

_RULES = (
    Rule("set", "1.2"),
    Rule("hand", "1.3"),
    Rule("lead", "1.4"),
    Rule("lead-later", "1.5"),
    Rule("match", "1.7"),
    Rule("draw", "1.11"),
    Rule("drawn", "1.12"),
    Rule("boneyard", "1.11"),
    Rule("pass", "1.13"),
    Rule("domino", "1.16"),
    Rule("blocked", "1.15"),
    Rule("score", "1.8"),
    Rule("target", "1.19"),
    Rule("bell", "1.22"),
    Rule("overtime", "Q18"),
    Rule("chips", "Q24"),
    Rule("muggins", "1.21"),
    Rule("announce", "1.21"),
    Rule("turn", "1.23"),
    Rule("penalty", "C8"),
    Rule("total", "N4"),
    Rule("record", "N4"),
)

MUGGINS: Final = Ruleset(
    key="muggins",
    name="Muggins",
    edition=1,
    tiles=DOUBLE_SIX,
    seats=(2, 4),
    hand={2: 7, 3: 5, 4: 5},
    rules={rule.slug: rule for rule in _RULES},
    spinner=Spinner.NONE,
    lead_first=Lead.LOT,
    lead_forced=False,
    highest_tile=TileOrder.PIPS,
    lead_later=Lead.WINNER_ANY,
    lead_after_block=Lead.WINNER_ANY,
    domino_points=Settlement.ALL_R5_DIV5,
    blocked_points=Settlement.ALL_R5_DIV5,
    notes=(
        "Points are booked by themselves; a `call` may be written and is checked.",
        "Lots (`A lot 6-4`) stand after the `round` line; where they are due and none is written, any seat may lead.",
    ),
)

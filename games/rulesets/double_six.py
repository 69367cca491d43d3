"""Double-Six Dominoes, The Five Game (S4): RULES.md section 6.

Source: boltbait.com, "Double-Six Dominoes Rules".
"""

from __future__ import annotations

from typing import Final

from games.ruleset import BlockedBy, Rule, Ruleset, Settlement, Spinner
from games.tiles import DOUBLE_SIX

_RULES = (
    Rule("set", "4.1"),
    Rule("hand", "4.1"),
    Rule("lead", "4.2"),
    Rule("lead-later", "4.4"),
    Rule("match", "4.7"),
    Rule("draw", "4.9"),
    Rule("drawn", "4.10"),
    Rule("boneyard", "4.11"),
    Rule("pass", "4.12"),
    Rule("domino", "4.15"),
    Rule("blocked", "4.14"),
    Rule("score", "4.8"),
    Rule("target", "4.17"),
    Rule("bell", "4.20"),
    Rule("overtime", "Q18"),
    Rule("chips", "Q24"),
    Rule("muggins", "4.19"),
    Rule("announce", "4.19"),
    Rule("turn", "4.1"),
    Rule("penalty", "C8"),
    Rule("total", "N4"),
    Rule("record", "N4"),
)

DOUBLE_SIX_DOMINOES: Final = Ruleset(
    key="double-six",
    name="Double-Six Dominoes",
    edition=1,
    tiles=DOUBLE_SIX,
    seats=(2, 2),
    hand={2: 7},
    rules={rule.slug: rule for rule in _RULES},
    spinner=Spinner.ALL,
    voluntary_draw=True,
    must_play_drawn=False,
    domino_points=Settlement.TILES_X5,
    blocked_by=BlockedBy.TILES,
    blocked_points=Settlement.TILES_X5,
    target=250,
    notes=(
        "Points are booked by themselves; a `call` may be written and is checked.",
        "Tiles settle a round, not pips, so its points are known even where nobody saw the tiles that were left.",
    ),
)

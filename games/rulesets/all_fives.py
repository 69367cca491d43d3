"""Official Muggins, All Fives (S3): RULES.md section 5.

Source: officialgamerules.org, "Muggins (All Fives)".
"""

from __future__ import annotations

from typing import Final

from games.ruleset import Announce, EndCheck, Muggins, NoDouble, Rule, Ruleset, Settlement
from games.tiles import DOUBLE_SIX

_RULES = (
    Rule("set", "3.2"),
    Rule("hand", "3.2"),
    Rule("lead", "3.3"),
    Rule("lead-later", "3.5"),
    Rule("match", "3.7"),
    Rule("draw", "3.14"),
    Rule("drawn", "3.14"),
    Rule("boneyard", "3.14"),
    Rule("pass", "3.15"),
    Rule("domino", "3.16"),
    Rule("blocked", "3.17"),
    Rule("score", "3.10"),
    Rule("target", "3.20"),
    Rule("bell", "3.22"),
    Rule("overtime", "Q18"),
    Rule("chips", "Q24"),
    Rule("muggins", "3.12"),
    Rule("announce", "3.11"),
    Rule("turn", "3.6"),
    Rule("penalty", "C8"),
    Rule("total", "N4"),
    Rule("record", "N4"),
)

ALL_FIVES: Final = Ruleset(
    key="all-fives",
    name="All Fives",
    edition=1,
    tiles=DOUBLE_SIX,
    seats=(2, 4),
    hand={2: 7, 3: 5, 4: 5},
    rules={rule.slug: rule for rule in _RULES},
    no_double=NoDouble.DRAW_UNTIL,
    blocked_points=Settlement.ALL,
    end_check=EndCheck.IMMEDIATE,
    announce=Announce.MANUAL,
    muggins=Muggins.BEFORE_NEXT,
    muggins_grace_s=3,
    notes=(
        "Lines without times know no hold: a call counts at once.",
        "Draws for the lead are one line of one tile a seat, in seat order from A.",
        "With the option `spinner` at `all` the game is Five Up.",
    ),
)

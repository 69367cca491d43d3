"""UDL Dominoes (S0): RULES.md section 2.

Source: universaldominoleague.com, "Learn To Play UDL Dominoes".
"""

from __future__ import annotations

from typing import Final

from games.ruleset import Announce, EndCheck, Lead, Muggins, Rule, Ruleset, Settlement
from games.tiles import DOUBLE_SIX

_RULES = (
    Rule("set", "0.2"),
    Rule("hand", "0.3"),
    Rule("lead", "0.4"),
    Rule("lead-later", "0.6"),
    Rule("match", "0.10"),
    Rule("draw", "0.15"),
    Rule("drawn", "0.16"),
    Rule("boneyard", "0.17"),
    Rule("pass", "0.18"),
    Rule("domino", "0.20"),
    Rule("blocked", "0.21"),
    Rule("score", "0.11"),
    Rule("target", "0.23"),
    Rule("bell", "0.24"),
    Rule("overtime", "0.25"),
    Rule("muggins", "0.26"),
    Rule("announce", "0.29"),
    Rule("chips", "0.30"),
    Rule("turn", "0.32"),
    Rule("penalty", "0.31"),
    Rule("total", "C3"),
    Rule("record", "N4"),
)

UDL: Final = Ruleset(
    key="udl",
    name="UDL Dominoes",
    edition=1,
    tiles=DOUBLE_SIX,
    seats=(2, 2),
    hand={2: 7},
    rules={rule.slug: rule for rule in _RULES},
    lead_later=Lead.DOMINOER_ANY,
    domino_points=Settlement.OPP_R5,
    blocked_points=Settlement.OPP_R5,
    target=150,
    end_check=EndCheck.IMMEDIATE,
    clock_s=900,
    announce=Announce.MANUAL,
    muggins=Muggins.AFTER_NEXT,
    chips=30,
)

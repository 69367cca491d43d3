"""Registered rule systems, by the name in a log's ``Ruleset`` tag."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from games.ruleset import Ruleset
from games.rulesets.all_fives import ALL_FIVES
from games.rulesets.double_six import DOUBLE_SIX_DOMINOES
from games.rulesets.muggins import MUGGINS
from games.rulesets.udl import UDL
from games.rulesets.uno import UNO_DOMINOES

RULESETS: Final[Mapping[str, Ruleset]] = {
    rules.key: rules for rules in (UDL, MUGGINS, ALL_FIVES, DOUBLE_SIX_DOMINOES, UNO_DOMINOES)
}
KEYS: Final = tuple(RULESETS)


def get(key: str) -> Ruleset:
    """Return the ruleset with this name.

    Raises ``KeyError`` if none has it.

    >>> get("udl").target
    150
    """
    return RULESETS[key]

"""The rule systems that are registered, by the name a log's ``Ruleset`` tag gives."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from games.ruleset import Ruleset
from games.rulesets.all_fives import ALL_FIVES
from games.rulesets.double_six import DOUBLE_SIX_DOMINOES
from games.rulesets.muggins import MUGGINS
from games.rulesets.udl import UDL

RULESETS: Final[Mapping[str, Ruleset]] = {rules.key: rules for rules in (UDL, MUGGINS, ALL_FIVES, DOUBLE_SIX_DOMINOES)}
KEYS: Final = tuple(RULESETS)


def get(key: str) -> Ruleset:
    """The ruleset with this name. Raises ``KeyError`` if there is none.

    >>> get("udl").target
    150
    """
    return RULESETS[key]

"""The rule systems that are registered, by the name a log's ``Ruleset`` tag gives."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from games.ruleset import Ruleset
from games.rulesets.udl import UDL
from games.rulesets.uno import UNO_DOMINOES

RULESETS: Final[Mapping[str, Ruleset]] = {rules.key: rules for rules in (UDL, UNO_DOMINOES)}
KEYS: Final = tuple(RULESETS)


def get(key: str) -> Ruleset:
    """The ruleset with this name. Raises ``KeyError`` if there is none.

    >>> get("udl").target
    150
    """
    return RULESETS[key]

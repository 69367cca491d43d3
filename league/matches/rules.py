"""Rules of a match, with its house rules."""

from collections.abc import Mapping

from games.errors import OptionError
from games.ruleset import Ruleset
from games.rulesets import RULESETS


def option_text(value: object) -> str:
    """Return the value as a log writes it: `true`, `100`, `stop`, `7/5/5`."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Mapping):
        return "/".join(str(number) for number in value.values())
    return str(getattr(value, "value", value))


def rules_agreed(ruleset: str, options: object) -> Ruleset | None:
    """Return the rules of a match; None if the ruleset is no longer known.

    Without its options if they no longer fit.
    """
    rules = RULESETS.get(ruleset)
    if not isinstance(options, Mapping):  # a row that the site did not write
        return rules
    try:
        return rules.with_options({key: option_text(value) for key, value in options.items()}) if rules else None
    except OptionError:
        return rules

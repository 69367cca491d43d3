"""Systems and options of the practice table, agreed before the deal."""

import secrets
from collections.abc import Mapping
from typing import Final

from django.utils.translation import gettext_lazy as _

from games.ruleset import Ruleset
from games.rulesets import RULESETS
from league.errors import Refused
from league.house.levels import Level
from league.play.table import Terms

BOOLEAN: Final = ("true", "false")
VALUES: Final[Mapping[str, tuple[str, ...]]] = {
    "target": ("50", "100", "150", "200", "250", "500"),
    "spinner": ("none", "first", "all"),
    "hand": ("5", "6", "7", "9"),
    "lead_first": ("highest_double", "lot"),
    "lead_forced": BOOLEAN,
    "lead_later": ("highest_double", "winner_any", "dominoer_any"),
    "voluntary_draw": BOOLEAN,
    "must_play_drawn": BOOLEAN,
    "boneyard_reserve": ("0", "1", "2"),
    "announce": ("manual", "auto"),
    "muggins": ("after_next", "before_next", "off"),
    "failed_challenge": ("6", "4"),
    "reverse_2p": ("skip", "none"),
    "block": ("low", "void"),
    "all_doublet": BOOLEAN,
    "reopening": BOOLEAN,
}
"""Values of the options, as a log writes them."""
SYSTEMS: Final[Mapping[str, tuple[str, ...]]] = {
    "double-six": (
        "target",
        "spinner",
        "hand",
        "lead_forced",
        "lead_later",
        "voluntary_draw",
        "must_play_drawn",
        "boneyard_reserve",
    ),
    "muggins": (
        "target",
        "spinner",
        "hand",
        "lead_first",
        "lead_later",
        "voluntary_draw",
        "must_play_drawn",
        "boneyard_reserve",
    ),
    "all-fives": ("target", "spinner", "hand", "lead_forced", "lead_later", "announce", "muggins", "boneyard_reserve"),
    "udl": ("target", "spinner", "hand", "lead_forced", "lead_later", "announce", "muggins", "boneyard_reserve"),
    "uno-dominoes": ("target", "hand", "failed_challenge", "reverse_2p", "block", "all_doublet", "reopening"),
}
"""Systems of the table with their options; the first one is shown first."""
SEATS: Final[Mapping[str, tuple[int, ...]]] = {
    "muggins": (2, 3, 4),
    "all-fives": (2, 3, 4),
    "uno-dominoes": (2, 3, 4),
}
"""Numbers of players at the practice table, of systems that are played by more than two there."""
NO_CLOCK: Final[Mapping[str, Mapping[str, str]]] = {"all-fives": {"muggins_grace_s": "0"}, "udl": {"clock_s": "0"}}
"""The table has no clock: options of the systems that have one."""


def usual(ruleset: str, option: str, seats: int = 2) -> str:
    """Return the value of an option that the system has without house rules."""
    rules = RULESETS[ruleset]
    return next(
        one
        for one in VALUES[option]
        if _at(rules.with_options({option: one}), option, seats) == _at(rules, option, seats)
    )


def _at(rules: Ruleset, option: str, seats: int) -> object:
    """Return the value of an option at a table of so many seats; None if it has not enough tiles."""
    return rules.hand.get(seats) if option == "hand" else getattr(rules, option)


def agree(ruleset: str, level: str, options: Mapping[str, str], seats: int = 2) -> Terms:
    """Return the terms of a new game, with a new secret; usual values are left out.

    Raises Refused `bad-terms` for a system, level, option or number of players that the table does not have.
    """
    if ruleset not in SYSTEMS or level not in {one.value for one in Level}:
        raise bad_terms()
    if seats not in SEATS.get(ruleset, (2,)):
        raise bad_terms()
    if seats > 2 and options.get("muggins") == "after_next" and options.get("announce") != "auto":
        raise Refused("bad-terms", _("With more than two players muggins is called before the next tile."))
    changed = house_rules(ruleset, options, seats)
    return Terms(ruleset, Level(level), secrets.token_hex(16), {**changed, **NO_CLOCK.get(ruleset, {})}, seats)


def house_rules(ruleset: str, options: Mapping[str, str], seats: int = 2) -> dict[str, str]:
    """Return the options of a game that differ from the usual ones.

    Raises Refused `bad-terms` for a system, option or number of players that the table does not have.
    """
    if ruleset not in SYSTEMS or not RULESETS[ruleset].seats_allowed(seats):
        raise bad_terms()
    for key, value in options.items():
        if key not in SYSTEMS[ruleset] or value not in VALUES[key]:
            raise bad_terms()
    if options.get("announce") == "auto":
        options = {**options, "muggins": "off"}  # nothing is left open where points are booked at once
    changed = {key: value for key, value in options.items() if value != usual(ruleset, key, seats)}
    if not RULESETS[ruleset].with_options(changed).seats_allowed(seats):
        raise Refused("bad-terms", _("There are not enough tiles for so many players."))
    return changed


def bad_terms() -> Refused:
    return Refused("bad-terms", _("This table has no such game."))

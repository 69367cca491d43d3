"""Terms of an online game, agreed before the deal: system, house rules, clock, time a move. Pure but for its texts."""

from collections.abc import Mapping
from typing import Final

from games.rulesets import RULESETS
from league.play.terms import SYSTEMS, bad_terms, house_rules

ONLINE: Final = tuple(SYSTEMS)
"""Systems that can be played online."""
PLAYERS: Final = {
    key: tuple(number for number in RULESETS[key].hand if RULESETS[key].seats_allowed(number)) for key in ONLINE
}
"""Numbers of players that the rules of each system allow."""
CLOCKED: Final = tuple(key for key, rules in RULESETS.items() if rules.clock_s)
"""Systems with a game clock."""
CLOCKS: Final = ("0", "300", "600", "900", "1500")
"""Lengths of a game clock in seconds; 0: no clock."""
MOVE_TIMES: Final = ("0", "30", "60", "120", "300")
"""Times a move in seconds; 0: no limit."""
USUAL_MOVE_TIME: Final = "120"
ABSENCES: Final = ("120", "300", "900")
"""Times in seconds that a player may be away in its turn."""
USUAL_ABSENCE: Final = "300"


def agree_online(
    ruleset: str, options: Mapping[str, str], players: int = 2, *, clock: str, move_time: str, absence: str
) -> tuple[dict[str, str], int, int]:
    """Return the options as a log writes them, the seconds a move, and the seconds of an absence.

    Raises Refused `bad-terms` for a system, value or number of players that the table does not have.
    """
    if ruleset not in ONLINE or move_time not in MOVE_TIMES or absence not in ABSENCES:
        raise bad_terms()
    changed = house_rules(ruleset, options, players)
    if ruleset in CLOCKED:
        if clock not in CLOCKS:
            raise bad_terms()
        changed |= {} if int(clock) == RULESETS[ruleset].clock_s else {"clock_s": clock}
    elif RULESETS[ruleset].muggins_grace_s:
        changed |= {"muggins_grace_s": "0"}  # without a clock no line has a time
    return changed, int(move_time), int(absence)

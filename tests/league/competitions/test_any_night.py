"""Whatever organizers, referees and players do in whatever order, what is promised holds (RELIABILITY.md, T-26).

One night of 30 acts of each kind, always the same; four with `THOROUGH=1`, others with `SEED=n`. What fails is made
smaller first, which takes minutes.
"""

import pytest
from hypothesis import HealthCheck, seed, settings
from hypothesis.stateful import run_state_machine_as_test

from league.competitions.models import Competition, Stage
from tests.league.competitions.night import Night
from tests.league.competitions.night_kinds import LadderNight, PairsNight, TablesNight
from tests.volume import SEED, amount

pytestmark = pytest.mark.both

NIGHTS = 4
ACTS = 30
BY_PLACE = ["place_points", "game_points", "difference"]
NIGHTS_OF = {"pairs": PairsNight, "tables": TablesNight, "ladder": LadderNight}
KINDS = {
    "round robin": {"format": Stage.Format.ROUND_ROBIN},
    "knock-out": {"format": Stage.Format.SINGLE_ELIMINATION, "third_place": True},
    "double elimination": {"format": Stage.Format.DOUBLE_ELIMINATION},
    "groups, knock-out": {
        "format": Stage.Format.GROUPS,
        "groups": 2,
        "then": Stage.Format.SINGLE_ELIMINATION,
        "advance_each": 2,
        "release": Competition.Release.ROUND_BY_ROUND,
    },
    "Swiss": {"format": Stage.Format.SWISS, "release": Competition.Release.ROUND_BY_ROUND},
    "pairs, Swiss": {
        "format": Stage.Format.SWISS,
        "rounds": 3,
        "pairs": True,
        "release": Competition.Release.ROUND_BY_ROUND,
    },
    "tables": {
        "ruleset": "all-fives",
        "format": Stage.Format.TABLE_ROUNDS,
        "seats": 4,
        "rounds": 3,
        "bye_points": 1,
        "tie_breaks": BY_PLACE,
    },
    "tables, knock-out": {
        "ruleset": "all-fives",
        "format": Stage.Format.TABLE_ROUNDS,
        "seats": 3,
        "rounds": 2,
        "place_points": [5, 3, 1],
        "tie_breaks": BY_PLACE,
        "best_of": 3,
        "then": Stage.Format.SINGLE_ELIMINATION,
        "advance_each": 4,
        "release": Competition.Release.ROUND_BY_ROUND,
    },
    "ladder": {
        "format": Stage.Format.LADDER,
        "challenge_reach": LadderNight.reach,
        "challenge_days": LadderNight.days,
    },
    "Swiss, knock-out": {
        "format": Stage.Format.SWISS,
        "rounds": 2,
        "then": Stage.Format.SINGLE_ELIMINATION,
        "advance_each": 4,
        "release": Competition.Release.ROUND_BY_ROUND,
    },
}


@pytest.mark.parametrize("kind", KINDS)
def test_any_night_keeps_every_promise(db, at_once, kind):
    base = NIGHTS_OF.get(kind.partition(",")[0], Night)
    night = type(base.__name__, (base,), {"plan": KINDS[kind]})
    chosen = settings(
        max_examples=1 + amount(NIGHTS),  # Hypothesis begins with the shortest there is
        stateful_step_count=ACTS,
        derandomize=not SEED,
        database=None,
        deadline=None,
        # A night is slow for the statements in it, whatever Hypothesis thinks of.
        suppress_health_check=list(HealthCheck),
        print_blob=True,
    )
    run_state_machine_as_test(seed(SEED)(night) if SEED else night, settings=chosen)

"""Whatever happened before: what is done and undone leaves every row as it was, in every format."""

from collections.abc import Callable

import pytest
from django.db import transaction

from league.competitions.attendance.late_entry_undo import undo_late_entry
from league.competitions.attendance.withdrawals import undo_withdrawal
from league.matches.models import Record
from league.matches.results.entering import undo_entry
from tests.league.competitions.attendance.evening import PLANS, Evening, clock, seen
from tests.volume import SEED, THOROUGH

LONGEST = 20
EVENINGS, TURNS = (500, 2) if THOROUGH else (20, 1)
FEW = 1


def withdrawn(evening: Evening) -> None:
    done = evening.withdraw()
    if done is not None:
        evening.act(lambda: undo_withdrawal(done, user=evening.world.owner))


def entered(evening: Evening) -> None:
    game = evening.game()
    if game is not None:
        record = Record.objects.select_related("game__match").get(pk=evening.enter(game).pk)
        evening.act(lambda: undo_entry(record, evening.world.referee))


def came_late(evening: Evening) -> None:
    row = evening.come_late()
    if row is not None:
        evening.act(lambda: undo_late_entry(row, user=evening.world.owner))


ACTS = (withdrawn, entered, came_late)


def one_evening(kind: str, seed: int) -> None:
    """After some acts each undo is tried; with `THOROUGH=1` some more follow, and again."""
    with clock(), transaction.atomic():
        evening = Evening(kind, seed)
        leaves_no_trace(evening, came_late, f"{kind} {seed}")  # into a full draw that has not begun, too
        for _ in range(TURNS):
            # Mostly few acts, for short evenings take less time.
            evening.pass_by(min(evening.chance.randrange(LONGEST) for _ in range(2)))
            for act in ACTS:
                leaves_no_trace(evening, act, f"{kind} {seed}")
        transaction.set_rollback(True)


def leaves_no_trace(evening: Evening, act: Callable[[Evening], None], told: str) -> None:
    before = seen(evening.competition)
    act(evening)
    after = seen(evening.competition)
    for name, rows in before.items():
        assert after[name] == rows, f"{told}: {act.__name__} and undone, other {name}"


@pytest.mark.parametrize("kind", PLANS)
def test_what_is_undone_leaves_no_trace(db, kind):
    for seed in range(FEW):
        one_evening(kind, seed)


@pytest.mark.slow("20 evenings of each format")
@pytest.mark.parametrize("kind", PLANS)
def test_what_is_undone_leaves_no_trace_on_any_evening(db, kind):
    for seed in range(SEED * EVENINGS + FEW, SEED * EVENINGS + EVENINGS):
        one_evening(kind, seed)

"""T-08: a restore refuses a backup with one changed row, and names the row."""

import re
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from league.backups import BackupProblem, archive, checks, restoring, writing
from league.competitions.integrity.row_check import go_on
from tests import volume
from tests.league.backups.rows import every_row, place, rewritten
from tests.league.every_record import every_kind
from tests.league.matches.integrity.test_tampering import COLUMNS, flipped

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow("each case restores a site")]

BACKUPS = 1000
# An organizer may change a fixture without a record, so the edits by SQL cover these (test_tampering.py).
TABLES = sorted(set(COLUMNS) - {"matches_match", "matches_side", "matches_game"})
# Covered in some rows only: current results, confirmed results.
IN_SOME_ROWS = {"needs_decision", "proposed_by_id"}
# Nothing refers to the last reply of a game, a waiting amendment or a judge, so their removal can't be found.
NOT_REMOVED = {"matches_reply", "matches_amendment", "matches_namedjudge"}

Rows = list[list[object]]


@dataclass(frozen=True)
class Forgery:
    kind: str
    table: str
    change: Callable[[Rows], object]


def forgeries(rng: Random, path: Path, number: int) -> list[Forgery]:
    """Make forgeries of each kind, on each table in turn."""
    with zipfile.ZipFile(path) as file:
        columns = {one.table: one.columns for one in archive.loads(file.read(archive.MANIFEST)).tables}
    found = []
    for turn in range(number):
        table = TABLES[turn % len(TABLES)]
        make = (changed, swapped, changed if table in NOT_REMOVED else removed)[turn % 3]
        found.append(make(rng, table, columns[table]))
    return found


def changed(rng: Random, table: str, columns: list[str]) -> Forgery:
    column = rng.choice([one for one in COLUMNS[table] if one not in IN_SOME_ROWS])

    def act(rows: Rows) -> None:
        row, at = rng.choice(rows), columns.index(column)
        row[at] = flipped(rng, row[at])

    return Forgery(f"bit of {column}", table, act)


def swapped(rng: Random, table: str, columns: list[str]) -> Forgery:
    """Swap a value of two rows; change it if both are equal."""
    column = rng.choice([one for one in COLUMNS[table] if not one.endswith("_id") and one not in IN_SOME_ROWS])

    def act(rows: Rows) -> None:
        at = columns.index(column)
        one, other = rng.choice(rows), rng.choice(rows)
        if one[at] == other[at]:
            one[at] = flipped(rng, one[at])
        else:
            one[at], other[at] = other[at], one[at]

    return Forgery(f"swap of {column}", table, act)


def removed(rng: Random, table: str, columns: list[str]) -> Forgery:
    return Forgery("deletion", table, lambda rows: rows.pop(rng.randrange(len(rows))))


@pytest.fixture
def saved(transactional_db, tmp_path: Path) -> Path:
    every_kind()
    go_on()
    path = tmp_path / "saved.zip"
    writing.save(path)
    return path


def quietly(_text: str) -> None:
    pass


def taken_in(saved: Path, number: int) -> list[str]:
    """Return the forgeries that a restore accepts."""
    rng, passed = Random(volume.SEED), []
    for one in forgeries(rng, saved, number):
        forged = rewritten(saved, one.table, one.change)
        try:
            restoring.restore(forged, quietly)
        except BackupProblem:
            continue
        passed.append(f"{one.kind} in {one.table}")
    return passed


def test_every_changed_backup_is_refused(saved):
    before = every_row()
    assert taken_in(saved, BACKUPS if volume.THOROUGH else len(TABLES)) == []
    assert every_row() == before


def test_a_time_in_another_spelling_is_refused(saved):
    """Drawn once: Python reads any sign between day and hour."""
    at = place(saved, "matches_reply", "said_at")
    forged = rewritten(saved, "matches_reply", lambda rows: rows[1].__setitem__(at, rows[1][at].replace("T", "U")))
    with pytest.raises(BackupProblem, match=r"2026-11-20U12.* is not how a backup writes"):
        restoring.restore(forged, quietly)


def test_the_untouched_backup_is_taken_in_without_a_word(saved):
    told: list[str] = []
    restoring.restore(saved, told.append)
    assert [line for line in told if " is " in line] == []


def test_the_control_without_the_check_they_pass(saved, monkeypatch):
    monkeypatch.setattr(checks, "check_rows", lambda *_, **__: None)
    restoring.restore(other_scores(saved), quietly)


def other_scores(saved: Path) -> Path:
    at = place(saved, "matches_result", "scores")
    return rewritten(saved, "matches_result", lambda rows: rows[0].__setitem__(at, '{"1": 1, "2": 2}'))


def test_with_differences_it_is_taken_in_and_the_rows_are_named(saved):
    told: list[str] = []
    restoring.restore(other_scores(saved), told.append, accept=True)
    assert any(re.match(r"result \d+: scores is \{'1': 1, '2': 2\}, should be", line) for line in told)

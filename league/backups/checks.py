"""Checks of a database that was just filled."""

from collections.abc import Callable, Mapping

from django.db.models import Model

from league.backups import BackupProblem
from league.competitions.integrity.derived import derived, evidence
from league.matches.integrity.differences import Gravity, RowDifference

Report = Callable[[str], None]

MOST_NAMED = 20


def check_counts(expected: Mapping[type[Model], int]) -> None:
    for model, rows in expected.items():
        found = model._base_manager.count()
        if found != rows:
            raise BackupProblem(f"{model._meta.db_table} has {found} rows and should have {rows}. Nothing was changed.")


def check_rows(report: Report, *, accept: bool = False) -> None:
    """Compare every row with the records.

    Differences in derived tables are reported only, because the site recomputes those tables. Raises BackupProblem that
    names the other rows, unless they are accepted.
    """
    wrong = [one for one in evidence() if one.kind is Gravity.ROW]
    for line in _named([*wrong, *derived()] if accept or not wrong else []):
        report(line)
    if wrong and not accept:
        raise BackupProblem(
            "\n".join(_named(wrong))
            + f"\n{len(wrong)} differences: rows of the file are not what its records say. Nothing was changed. Take "
            f"an older backup, or put this one in as it is with --with-differences: `verify` goes on naming the rows."
        )


def _named(found: list[RowDifference]) -> list[str]:
    more = [f"… and {len(found) - MOST_NAMED} more"] if len(found) > MOST_NAMED else []
    return [*map(str, found[:MOST_NAMED]), *more]

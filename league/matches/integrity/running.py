"""Check all matches, in one or several processes; look at differences twice."""

import multiprocessing
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field

from django.core.exceptions import ObjectDoesNotExist
from django.db import transaction
from django.db.models import Max

from league.matches.integrity.differences import RowDifference
from league.matches.integrity.matches import check_match
from league.matches.integrity.processes import begin
from league.matches.integrity.reading import AT_ONCE, parts, read
from league.matches.locks import locked_match
from league.matches.models import (
    Amendment,
    Game,
    Match,
    NamedJudge,
    Record,
    Reply,
    Result,
    ScoreSheet,
    SealedLog,
    StoredVerdict,
    TallyTap,
    Upload,
)

# Errors of reading and judging a column with an invalid value, or a missing row; a lost connection raises others.
NOT_READ = (
    *(ValueError, TypeError, KeyError, AttributeError, IndexError, StopIteration, RecursionError, OverflowError),
    ObjectDoesNotExist,
)
OF_MATCH = {
    Match: "pk",
    Game: "match",
    Record: "game__match",
    SealedLog: "record__game__match",
    ScoreSheet: "record__game__match",
    StoredVerdict: "record__game__match",
    Result: "game__match",
    Upload: "record__game__match",
    Reply: "result__game__match",
    TallyTap: "game__match",
    Amendment: "game__match",
    NamedJudge: "match",
}

CHUNK = 5 * AT_ONCE
"""Matches of one task of a process."""


@dataclass(slots=True)
class Checked:
    """A checked part.

    `upto`: the key of its last match; all matches up to it were checked.
    """

    upto: int
    matches: int = 0
    records: int = 0
    found: list[RowDifference] = field(default_factory=list)


def check_records(after: int = 0, *, jobs: int = 1) -> Iterator[Checked]:
    """Check all matches in the order of their keys, one part at a time.

    With several processes each has its own connection, which does not see an open transaction.
    """
    if jobs <= 1:
        yield from check_range(after)
        return
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), initializer=begin) as pool:
        for checked in pool.map(_all_of, *zip(*_ranges(after), strict=True)):
            yield from checked


def _ranges(after: int) -> Iterator[tuple[int, int]]:
    last = Match.objects.aggregate(last=Max("pk"))["last"] or 0
    keys = Match.objects.filter(pk__gt=after).order_by("pk").values_list("pk", flat=True)
    ends = [*keys.iterator()][CHUNK - 1 :: CHUNK]
    for end in [*ends, max(last, after + 1)]:
        yield after, end
        after = end


def _all_of(after: int, upto: int) -> list[Checked]:
    return list(check_range(after, upto))


def check_range(after: int = 0, upto: int | None = None) -> Iterator[Checked]:
    for keys in parts(after, upto):
        part = Checked(keys[-1], len(keys))
        try:
            for match in read(keys[0], keys[-1]):
                part.records += sum(len(game.records) for game in match.games)
                if next(check_match(match), None) is not None:
                    part.found += _check_under_lock(match.pk)
        except NOT_READ:
            part.found = [one for key in keys for one in _check_under_lock(key)]
        yield part


def _check_under_lock(match_id: int) -> list[RowDifference]:
    """Check a match again under its lock; the first look may have met a write."""
    with transaction.atomic():
        locked_match(match_id)
        try:
            return [one for match in read(match_id, match_id) for one in check_match(match)]
        except NOT_READ as error:
            return list(_unreadable(match_id, error))


def _unreadable(match_id: int, error: Exception) -> Iterator[RowDifference]:
    """Name the rows of a match with an invalid value in a column."""
    named = False
    for model, path in OF_MATCH.items():
        for key in model._base_manager.filter(**{path: match_id}).order_by("pk").values_list("pk", flat=True):
            try:
                model._base_manager.get(pk=key)
            except NOT_READ as problem:
                named = True
                yield RowDifference(f"{model._meta.verbose_name} {key}", "row", problem, "readable", match=match_id)
    if not named:
        yield RowDifference(f"match {match_id}", "rows", repr(error), "readable", match=match_id)

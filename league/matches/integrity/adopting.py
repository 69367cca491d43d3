"""Store today's verdicts beside those of earlier editions; no result changes."""

from collections.abc import Iterator

from django.utils import timezone

from league.matches.integrity.reading import VERDICT, parts, read
from league.matches.integrity.records import JudgedAgain, judge_again
from league.matches.models import AdoptedVerdict
from league.matches.results.entries import plain


def adopt(after: int = 0) -> Iterator[int]:
    """Store today's verdicts a part at a time, and yield the number of new ones."""
    for keys in parts(after):
        rows = [
            _row(judged)
            for match in read(keys[0], keys[-1])
            for game in match.games
            for record in game.records
            if record.verdict and (judged := JudgedAgain(record, judge_again(record, match))).edition_differs
        ]
        before = AdoptedVerdict.objects.count()
        AdoptedVerdict.objects.bulk_create(rows, ignore_conflicts=True)
        yield AdoptedVerdict.objects.count() - before


def _row(judged: JudgedAgain) -> AdoptedVerdict:
    now = judged.now
    return AdoptedVerdict(
        record_id=judged.row.pk,
        engine_edition=now.engine_edition,
        ruleset_edition=now.ruleset_edition or 0,
        verdict=plain({name: getattr(now, name) for name in VERDICT}),
        adopted_at=timezone.now(),
    )

"""Complete records that a test made by hand: with sheet, verdict, head and seal."""

from league.matches.hash_chain import sha256
from league.matches.models import KnownBy, Record, Result, ScoreSheet
from league.matches.results.entries import sheet_text
from league.matches.results.judging import judge_ruling_of
from league.matches.seals import facts_of_record, record_head, seal_of, sides_of


def give_evidence() -> None:
    """Complete every record without a sheet, as if it was imported with its score."""
    for record in Record.objects.filter(sealed=None, score_sheet=None).select_related("game__match").order_by("pk"):
        result = Result.objects.get(record=record)
        scores = [result.scores[side] for side in sorted(result.scores)]
        data = {"scores": scores, "winner": result.winner, "ended": result.ended, "official": True}
        content = sha256(sheet_text(data).encode())
        record.kind, record.via, record.sides = KnownBy.SCORE, Record.Via.IMPORT, sides_of(record.game.match_id)
        before = Record.objects.filter(game=record.game, pk__lt=record.pk).order_by("pk").last()
        record.head = record_head(before.head if before else "", facts_of_record(record, record.game, content))
        record.save()
        ScoreSheet.objects.create(record=record, data=data, sha256=content)
        verdict = judge_ruling_of(len(scores), scores, result.winner, result.ended).verdict
        verdict.record, verdict.verified_at = record, record.submitted_at
        verdict.save()
        # The source of an official result never changes.
        Result.objects.filter(pk=result.pk).update(state=Result.State.PROVISIONAL)
        result.known_by = KnownBy.SCORE
        result.seal = seal_of(result, record.head)
        result.save()

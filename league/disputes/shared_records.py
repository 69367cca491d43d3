"""Records that both sides share: they stand where a fact is not known (rule of proof).

Both agreed on it (signed, confirmed by the other side, two logs alike), or one shared pad made it before the dispute.
The record of one side alone is no proof.
"""

from itertools import takewhile

from games.moves import Settled
from games.notation.reading import loads
from league.disputes.models import Dispute
from league.matches.models import KnownBy, Record, Reply, Result, Side, TallyTap
from league.matches.results.judging import rules_of_match
from league.matches.tally.tile_log import is_log_of


def is_shared(dispute: Dispute, record: Record) -> bool:
    """Return whether both sides agreed on a record, or one pad made it before the dispute for both."""
    if record.signed:
        return True
    sides = set(Side.objects.filter(match=dispute.match_id).values_list("number", flat=True))
    result = Result.objects.filter(record=record).select_related("record", "game").first()
    agree = {record.for_side} | {side for side in sides if result is not None and has_confirmed(result, side)}
    return agree >= sides or (_is_of_shared_pad(dispute, sides) and _is_of_pad(dispute, record))


def _is_of_shared_pad(dispute: Dispute, sides: set[int]) -> bool:
    """Return whether the desk kept the pad, or each side a part of it, and all of it came before the dispute."""
    taps = TallyTap.objects.filter(game=dispute.game_id).exclude(ruled=True)
    if taps.filter(received_at__gt=dispute.raised_at).exists():
        return False
    keepers = set(taps.values_list("for_side", flat=True))
    return keepers == {None} or keepers - {None} >= sides


def _is_of_pad(dispute: Dispute, record: Record) -> bool:
    """Return whether the taps of the game made the record; a log that was written elsewhere has other lines."""
    if record.kind != KnownBy.LOG:
        return record.kind == KnownBy.TALLY
    taps = list(TallyTap.objects.filter(game=dispute.game_id).order_by("number"))
    return is_log_of(record.sealed.text, taps, rules_of_match(dispute.match))


def agreed_to(dispute: Dispute, record: Record) -> int:
    """Return the last settled line of a log that both sides share, 0 for none. Raises NotationError.

    Of a log that both agreed on the last one; else that up to which the logs of both sides are alike.
    """
    if is_shared(dispute, record):
        return _last_settled(record, len(record.sealed.text.splitlines()))
    return _last_settled(record, _alike(record)) if record.for_side is not None else 0


def _alike(record: Record) -> int:
    """Return how many lines the log of another side has alike."""
    logs = Record.objects.filter(game=record.game_id, kind=KnownBy.LOG, withdrawn_at=None, for_side__isnull=False)
    alike = 0
    for other in logs.exclude(for_side=record.for_side).values_list("sealed__text", flat=True):
        pairs = zip(record.sealed.text.splitlines(), other.splitlines(), strict=False)
        alike = max(alike, sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs)))
    return alike


def _last_settled(record: Record, line: int) -> int:
    (log, *_more) = loads(record.sealed.text)
    settled = [one.line for one in log.entries if isinstance(one.event, Settled) and one.line <= line]
    return max(settled, default=0)


def has_confirmed(result: Result, side: int | None) -> bool:
    """Return whether a side has signed or confirmed a result itself. Two statements at most.

    Without an account the row does not say which side confirmed: it is known of a record of the other of two sides.
    """
    how = Result.Confirmation
    if result.record.signed or result.confirmed_how == how.AGREED:
        return True
    if result.confirmed_how in (how.SIDE, how.PIN):
        by = result.record.for_side
        return by is not None and by != side and Side.objects.filter(match=result.game.match_id).count() == 2
    if Reply.objects.filter(result=result, agrees=True, for_side=side).exists():
        return True
    if result.confirmed_by_id is None or result.confirmed_how != how.PERSON:
        return False
    mine = Side.objects.filter(match=result.game.match_id, number=side or 0)
    both = mine.values_list("entrant__player__user", "entrant__partner__user").first()
    return both is not None and result.confirmed_by_id in both

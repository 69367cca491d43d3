"""Hide the last round of an unfinished log from all but submitter and officials.

An unannounced count can be claimed until its window closes (RELIABILITY.md A-17). The log and its verdict
would give the claim away; claims of earlier rounds are settled.
"""

import re
from copy import copy
from dataclasses import dataclass

from league.accounts.permissions import Asker
from league.matches import permissions
from league.matches.hash_chain import ROUND_LINE, heads
from league.matches.models import Game, KnownBy, Match, Record, Result, SealedLog, StoredVerdict

UNREADABLE, IMPOSSIBLE = StoredVerdict.Status.UNREADABLE, StoredVerdict.Status.IMPOSSIBLE
# Each may carry the match clock before it, as `hash_chain.ROUND_LINE`.
END_LINE = re.compile(r"^[ \t]*(?:\d+:\d\d(?:\.\d)?[ \t]+)?end\b", re.MULTILINE)
RESULT_TAG = re.compile(r"^[ \t]*\[Result\b.*$", re.MULTILINE)


def may_be_unfinished(record: Record) -> bool:
    """Return whether the record is a log without a verdict that its game ended.

    An unreadable log counts as finished, because it has no claims.
    """
    verdict = getattr(record, "verdict", None)
    if verdict is not None and (verdict.ended or verdict.status == UNREADABLE):
        return False
    return record.kind == KnownBy.LOG


def is_held(record: Record, text: str, result: Result | None, match: Match, one: permissions.Actor) -> bool:
    """Return whether the last round is hidden from `one`.

    `result`: the current one of the game.
    """
    if not may_be_unfinished(record) or (_lacks_end_verdict(record) and END_LINE.search(text)):
        return False
    if (one.official and not one.plays) or (one.user_id and record.submitted_by_id == one.user_id):
        return False
    if match.state == Match.State.DECIDED:
        return False
    return result is None or not _closes_claims(result, record)


def _lacks_end_verdict(record: Record) -> bool:
    """Return whether no verdict shows the end of the game, only an `end` line may."""
    verdict = getattr(record, "verdict", None)
    return verdict is None or verdict.status == IMPOSSIBLE


def _closes_claims(result: Result, record: Record) -> bool:
    """Return whether a result closes all claims.

    An entry of the other side does not: it would open the log to it.
    """
    other_word = result.record_id != record.pk and result.record.for_side in (None, record.for_side)
    return other_word or result.state == Result.State.OFFICIAL


@dataclass(frozen=True, slots=True)
class GameAsked:
    """The current result of a game, and the asker's part in its match."""

    result: Result | None
    one: permissions.Actor


def game_asked(game: Game, asker: Asker) -> GameAsked:
    """Read both in up to three statements. `game` has its match loaded."""
    result = Result.objects.filter(game=game, current=True).select_related("record").first()
    return GameAsked(result, permissions.actor(asker, game.match))


def hold_back(record: Record, asker: Asker, asked: GameAsked | None = None) -> bool:
    """Cut the verdict of a record in memory if this asker may not read all of it.

    `record` has its log, game and match loaded. No statement for a finished log or with `asked`, else up to three.
    """
    if not may_be_unfinished(record):
        return False
    asked = asked or game_asked(record.game, asker)
    if not is_held(record, record.sealed.text, asked.result, record.game.match, asked.one):
        return False
    if getattr(record, "verdict", None):
        record.verdict = cut_verdict(record.verdict, record.sealed.text)
    return True


def cut_text(text: str) -> str:
    """Remove the last round, and the text of a result tag, which may count it."""
    starts = [match.start() for match in ROUND_LINE.finditer(text)]
    return RESULT_TAG.sub("", text[: starts[-1]] if starts else text)


def cut_heads(sealed: SealedLog) -> list[str]:
    """Return the heads of the shown part only.

    From all heads, a result in the tags could be guessed: by trying scores until the heads fit.
    """
    shown = heads(cut_text(sealed.text))
    return [head for head, of_shown in zip(sealed.heads, shown, strict=False) if head == of_shown]


def cut_verdict(verdict: StoredVerdict, text: str) -> StoredVerdict:
    """Copy a verdict without its last round and its statements about the whole log.

    Impossible findings are kept. Never save the copy.
    """
    kept_lines = len(cut_text(text).splitlines())
    settled = max(0, len(ROUND_LINE.findall(text)) - 1)
    held = copy(verdict)
    held.rounds = list(verdict.rounds)[:settled]
    held.scores = dict(held.rounds[-1]["scores"]) if held.rounds else {}
    held.findings = [
        one for one in verdict.findings if 0 < one.get("line", 0) <= kept_lines or one["severity"] == IMPOSSIBLE
    ]
    held.rulings = [one for one in verdict.rulings if one["line"] <= kept_lines]
    held.winner, held.evidence, held.chips, held.points_on_word = "", "", None, 0
    return held

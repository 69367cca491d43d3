"""An unfinished log while its game is open: its last round is for its submitter and officials alone.

A count that nobody announced can be claimed until its window closes (RELIABILITY.md A-17). Whoever reads the record, or
the referee's word about it, before that would know of the claim; the rounds before are settled.
"""

import re
from copy import copy
from dataclasses import dataclass

from league.accounts.permissions import Asker
from league.matches import permissions
from league.matches.chain import ROUND_LINE
from league.matches.models import Game, KnownBy, Match, Record, Result, StoredVerdict

UNREADABLE, IMPOSSIBLE = StoredVerdict.Status.UNREADABLE, StoredVerdict.Status.IMPOSSIBLE
# Each may carry the match clock before it, as `chain.ROUND_LINE`.
END_LINE = re.compile(r"^[ \t]*(?:\d+:\d\d(?:\.\d)?[ \t]+)?end\b", re.MULTILINE)
RESULT_TAG = re.compile(r"^[ \t]*\[Result\b.*$", re.MULTILINE)


def may_be_unfinished(record: Record) -> bool:
    """Whether the record is a log of which no verdict says that it reaches the end of its game. A log that cannot be
    read has no claims.
    """
    verdict = getattr(record, "verdict", None)
    if verdict is not None and (verdict.ended or verdict.status == UNREADABLE):
        return False
    return record.kind == KnownBy.LOG


def is_held(record: Record, text: str, result: Result | None, match: Match, one: permissions.Actor) -> bool:
    """Whether the last round of its text is kept from `one`. `result`: the current one of the game."""
    if not may_be_unfinished(record) or (_only_says_so(record) and END_LINE.search(text)):
        return False
    if (one.official and not one.plays) or (one.user_id and record.submitted_by_id == one.user_id):
        return False
    if match.state == Match.State.DECIDED:
        return False
    return result is None or not _says_it_is_over(result, record)


def _only_says_so(record: Record) -> bool:
    """Whether no verdict tells if the game has ended, so that the log's own word counts."""
    verdict = getattr(record, "verdict", None)
    return verdict is None or verdict.status == IMPOSSIBLE


def _says_it_is_over(result: Result, record: Record) -> bool:
    """Whether no claim is open any more: not by a word of the other side alone, which would open the log to it."""
    other_word = result.record_id != record.pk and result.record.for_side in (None, record.for_side)
    return other_word or result.state == Result.State.OFFICIAL


@dataclass(frozen=True, slots=True)
class GameAsked:
    """The result of a game that is current, and what the asker is to its match."""

    result: Result | None
    one: permissions.Actor


def game_asked(game: Game, asker: Asker) -> GameAsked:
    """Up to three statements. `game` comes with its match."""
    result = Result.objects.filter(game=game, current=True).select_related("record").first()
    return GameAsked(result, permissions.actor(asker, game.match))


def hold_back(record: Record, asker: Asker, asked: GameAsked | None = None) -> bool:
    """Cut the verdict of a record for this asker, in memory; whether that was needed. No statement for a log that is
    finished, up to three for another one, none where `asked` is given. `record` comes with its log, game and match.
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
    """Without its last round, and with an empty line for a result in its tags, which may count that round."""
    starts = [match.start() for match in ROUND_LINE.finditer(text)]
    return RESULT_TAG.sub("", text[: starts[-1]] if starts else text)


def cut_verdict(verdict: StoredVerdict, text: str) -> StoredVerdict:
    """A copy, not to be saved: what it says of the rounds before the last one, and why the log cannot be true."""
    kept_lines = len(cut_text(text).splitlines())
    settled = max(0, len(ROUND_LINE.findall(text)) - 1)
    held = copy(verdict)
    held.rounds = list(verdict.rounds)[:settled]
    held.scores = dict(held.rounds[-1]["scores"]) if held.rounds else {}
    held.findings = [
        one for one in verdict.findings if one.get("line", 0) <= kept_lines or one["severity"] == IMPOSSIBLE
    ]
    held.rulings = [one for one in verdict.rulings if one["line"] <= kept_lines]
    held.winner, held.chips = "", None
    return held

"""Read batches of matches with all records, in a constant number of statements."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import BooleanField, ExpressionWrapper, Q

from league.matches.models import Amendment, Game, Match, NamedJudge, Record, Reply, Result, Side, TallyTap
from league.players.models import Player

AT_ONCE = 100
"""Matches of a batch: a few MB with their logs."""

RESULT = (
    "pk", "scores", "winner", "ended", "state", "known_by", "current", "confirmed_how", "confirmed_by",
    "confirmed_at", "decided", "seal", "needs_decision", "game", "contested", "entered_at",
)  # fmt: skip
VERDICT = (
    "status", "evidence", "scores", "winner", "ended", "rounds", "findings", "rulings", "chips", "points_on_word",
    "figures", "engine_edition", "ruleset_edition",
)  # fmt: skip
RECORD = (
    "pk", "game", "kind", "submitted_by", "via", "signed", "withdrawn_at", "for_side", "submitted_at", "replaces",
    "state", "upload_sha256", "seats", "partners", "sides", "head", "too_late", "alone", "turn",
)  # fmt: skip
CONTENT = (
    "sealed__text", "sealed__sha256", "sealed__heads", "score_sheet__data", "score_sheet__sha256", "upload__pk",
    "upload__raw", "upload__filename", "upload__erased_at", "verdict__pk",
)  # fmt: skip
COLUMNS = (*RECORD, *CONTENT, *(f"verdict__{name}" for name in VERDICT), *(f"result__{name}" for name in RESULT))


class StoredResult(NamedTuple):
    pk: int
    scores: Mapping[str, int]
    winner: int | None
    ended: str
    state: str
    known_by: str
    current: bool
    confirmed_how: str
    confirmed_by: int | None
    confirmed_at: datetime | None
    decided: bool
    seal: str
    needs_decision: bool
    game: int
    contested: bool
    entered_at: datetime


class StoredRecord(NamedTuple):
    """The columns of `RECORD` and `CONTENT`.

    `verdict` by the names of `VERDICT`, None without one.
    """

    pk: int
    game: int
    kind: str
    submitted_by: int | None
    via: str
    signed: bool
    withdrawn_at: datetime | None
    for_side: int | None
    submitted_at: datetime
    replaces: int | None
    state: str
    upload_sha256: str
    seats: Mapping[str, int]
    partners: Mapping[str, str]
    sides: Mapping[str, list[str]]
    head: str
    too_late: bool
    alone: bool
    turn: int
    text: str | None
    text_sha256: str | None
    heads: list[str] | None
    sheet: Any
    sheet_sha256: str | None
    upload: int | None
    raw: bytes | None
    filename: str | None
    erased_at: datetime | None
    verdict_pk: int | None
    verdict: Mapping[str, Any] | None
    result: StoredResult | None


class AmendmentRow(NamedTuple):
    pk: int
    game: int
    old: int
    new: int | None
    kind: str
    data: Any
    scores: Mapping[str, int]
    winner: int | None
    state: str
    proposed_by: int
    closed_by: int | None
    closed_at: datetime | None


class ReplyRow(NamedTuple):
    pk: int
    result: int
    head: str
    agrees: bool
    for_side: int | None
    said_by: int | None
    said_at: datetime
    turn: int
    after: int


class JudgeRow(NamedTuple):
    pk: int
    head: str
    player: str
    named_by: int
    named_at: datetime
    accepted: Any


AMENDMENT = (
    "pk", "game", "old", "new", "kind", "data", "scores", "winner", "state", "proposed_by", "closed_by", "closed_at",
)  # fmt: skip
REPLY = ("pk", "result", "head", "agrees", "for_side", "said_by", "said_at", "turn", "after")
JUDGE = ("pk", "head", "player__code", "named_by", "named_at", "accepted")


@dataclass(slots=True)
class GameRows:
    pk: int
    number: int
    code: str
    tally: Any
    taps_head: str
    records: list[StoredRecord] = field(default_factory=list)
    taps: list[TallyTap] = field(default_factory=list)
    amendments: list[AmendmentRow] = field(default_factory=list)
    replies: list[ReplyRow] = field(default_factory=list)


@dataclass(slots=True)
class MatchRows:
    """A match. `sides`: today's codes of its players (`today`) by side number.

    `leagues`: of its entrants.
    """

    pk: int
    league: int
    ruleset: str
    options: Mapping[str, Any]
    best_of: int
    state: str
    is_void: bool
    sides: dict[str, list[str]] = field(default_factory=dict)
    leagues: list[int] = field(default_factory=list)
    games: list[GameRows] = field(default_factory=list)
    judge: JudgeRow | None = None
    merged: Mapping[str, str] = field(default_factory=dict)

    def today(self, codes: Sequence[str]) -> list[str]:
        """Replace codes of merged players by the remaining ones, and sort them."""
        return sorted(_remaining_code(code, self.merged) for code in codes)


def _remaining_code(code: str, merged: Mapping[str, str]) -> str:
    for _ in range(len(merged)):
        if code not in merged:
            break
        code = merged[code]
    return code


IS_VOID = ExpressionWrapper(Q(voided_by__isnull=False) | Q(set_aside_at__isnull=False), BooleanField())


def merged_codes() -> dict[str, str]:
    """Map the code of each merged player to the code of the remaining player.

    One statement.
    """
    rows = Player.objects.filter(merged_into__isnull=False)
    return dict(rows.values_list("code", "merged_into__code"))


def parts(after: int = 0, upto: int | None = None) -> Iterator[list[int]]:
    """Yield the keys of matches above `after` up to `upto` in batches.

    One statement each.
    """
    matches = Match.objects.order_by("pk")
    if upto is not None:
        matches = matches.filter(pk__lte=upto)
    while keys := list(matches.filter(pk__gt=after).values_list("pk", flat=True)[:AT_ONCE]):
        yield keys
        after = keys[-1]


def read(first: int, last: int) -> list[MatchRows]:
    """Read the matches from one key to another with all their rows. Nine statements."""
    merged = merged_codes()
    matches = Match.objects.filter(pk__gte=first, pk__lte=last).order_by("pk")
    matches = matches.annotate(is_void=IS_VOID)
    rows = matches.values_list("pk", "league", "ruleset", "options", "best_of", "state", "is_void")
    found = {row[0]: MatchRows(*row, merged=merged) for row in rows}
    _fill(found, first, last)
    return list(found.values())


def _fill(batch: Mapping[int, MatchRows], first: int, last: int) -> None:
    sides = Side.objects.filter(match__gte=first, match__lte=last).order_by("match", "number")
    columns = ("match", "number", "entrant__league", "entrant__player__code", "entrant__partner__code")
    for match, number, league, *both in sides.values_list(*columns):
        batch[match].sides[str(number)] = [code for code in both if code]
        batch[match].leagues.append(league)
    games: dict[int, GameRows] = {}
    rows = Game.objects.filter(match__gte=first, match__lte=last).order_by("match", "number")
    facts: list[Any]
    for match, *facts in rows.values_list("match", "pk", "number", "code", "tally", "taps_head"):
        game = games[facts[0]] = GameRows(*facts)
        batch[match].games.append(game)
    of_games = {"game__match__gte": first, "game__match__lte": last}
    for row in Record.objects.filter(**of_games).order_by("pk").values_list(*COLUMNS):
        games[row[1]].records.append(_record(row))
    for tap in TallyTap.objects.filter(**of_games).order_by("game", "number"):
        games[tap.game_id].taps.append(tap)
    amended = Amendment.objects.filter(**of_games).order_by("pk")
    for row in amended.values_list(*AMENDMENT):
        games[row[1]].amendments.append(AmendmentRow(*row))
    replies = Reply.objects.filter(**{f"result__{path}": key for path, key in of_games.items()}).order_by("pk")
    for game_id, *row in replies.values_list("result__game", *REPLY):
        games[game_id].replies.append(ReplyRow(*row))
    for match, *row in NamedJudge.objects.filter(match__gte=first, match__lte=last).values_list("match", *JUDGE):
        batch[match].judge = JudgeRow(*row)


NARROW = len(RECORD) + len(CONTENT)
WIDE = NARROW + len(VERDICT)


def _record(row: Sequence[Any]) -> StoredRecord:
    verdict = dict(zip(VERDICT, row[NARROW:WIDE], strict=True)) if row[NARROW - 1] is not None else None
    result = StoredResult(*row[WIDE:]) if row[WIDE] is not None else None
    return StoredRecord(*row[:NARROW], verdict, result)  # type: ignore[call-arg]


def results_of(game: GameRows) -> list[StoredResult]:
    return [one.result for one in game.records if one.result is not None]


def is_official(result: StoredResult) -> bool:
    return result.state == Result.State.OFFICIAL

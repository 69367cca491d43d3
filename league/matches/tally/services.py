"""Tally of a game, kept tap by tap as a pad sends it.

One transaction a batch, which locks the match first. The order of taps is that of their numbers, never of a clock. A
single pad keeps the tally: that of the last tap. Another pad takes it over with a tap of its own
(`TallyTap.Kind.TAKE_OVER`). On the tile pad two phones can make one record (two_phones.py).
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.notation.lines import NotationError
from games.notation.reading import MAX_BYTES
from games.ruleset import Ruleset
from games.settlement import terms
from league.errors import Refused
from league.matches.hash_chain import sha256
from league.matches.live_score import delayed
from league.matches.locks import locked_match
from league.matches.models import Game, Match, Result
from league.matches.models.tally import TallyTap
from league.matches.permissions import Actor, why_not_keep_tally
from league.matches.rules import rules_agreed
from league.matches.signals import answers, live_delay_asked
from league.matches.tally.standing import NO_PAD, standing_rows
from league.matches.tally.tile_log import SCORES, is_tiled, lines_of
from league.matches.tally.touches import BadTap, Batch, Touch
from league.matches.tally.two_phones import may_keep, refuse_other_seat
from referee.running import Running, running
from referee.running_log import running_log

MOST_TAPS = 1000
"""Most taps of a game; the longest random games have a fifth of it."""
MOST_LINES = 1000
"""Most lines of a game on the tile pad; the longest random games have less than half of it."""
MOST_BYTES = MAX_BYTES // 2
"""Most bytes of these lines: with its tags the log is readable."""


class StaleTally(Refused):
    """Another pad has sent taps that this one did not know.

    Nothing was stored; the pad keeps its own taps.
    """

    def __init__(self) -> None:
        super().__init__("stale-tally", _("Another pad keeps this tally. Nothing of yours is lost."))


class AnotherPad(BadTap):
    """A score on a game of the tile pad, or a line on a game of the score pad."""

    def __init__(self, touch: str, *, tiled: bool) -> None:
        words = _("This game is kept on the tile pad.") if tiled else _("This game is kept on the score pad.")
        Refused.__init__(self, "another-pad", words)
        self.touch = touch


@dataclass(frozen=True, slots=True)
class Keeper:
    """Keeper of a tally: a signed-in user, or a guest at the table for `side`."""

    user_id: int | None
    side: int | None = None


def keeper_of(one: Actor) -> Keeper:
    """Return the keeper. Raises NotAllowed; see `permissions.why_not_keep_tally`."""
    if refusal := why_not_keep_tally(one):
        raise refusal
    return Keeper(one.user_id, one.side)


def keep_taps(game: Game, keeper: Keeper, batch: Batch, at: datetime | None = None) -> int:
    """Append the new taps of a batch, and return the number of the last tap.

    A touch that was sent before is one tap.

    Raises Refused (nothing of the batch is stored): `stale-tally`; BadTap if it takes back an unknown touch;
    AnotherPad; NotYours, NotNow (two_phones.py); `not-published`, `two-sides`, `too-many-taps`, `already-official`,
    `match-decided`.
    """
    at = at or timezone.now()
    with transaction.atomic():
        locked_match(game.match_id)
        match = Match.objects.get(pk=game.match_id)
        rows = list(TallyTap.objects.filter(game=game).order_by("number"))
        known = {row.touch for row in rows}
        new = [touch for touch in batch.touches if touch.id not in known]
        if not new:
            return len(rows)
        if closed := why_closed(game, match):
            raise closed
        _check_turn(rows, batch, new)
        if is_too_long([*rows, *new]):
            raise Refused("too-many-taps", _("This tally is too long to be true. Tell the desk."))
        refuse_undone_rulings(rows, new)
        refuse_other_pad(rows, new)
        if any(touch.kind in SCORES or touch.seat is not None for touch in new):
            refuse_many_sides(match)
        if rules := rules_agreed(match.ruleset, match.options):
            refuse_other_seat(rows, new, keeper.side, batch.pad, rules)
        store(game, match, rows, appended(game, keeper, batch.pad, rows, new, at))
        Match.objects.filter(pk=match.pk, state=Match.State.SCHEDULED).update(state=Match.State.PLAYING)
    return len(rows) + len(new)


def is_too_long(taps: Sequence[TallyTap | Touch]) -> bool:
    """Return whether these are too many taps, or too much text for a log."""
    text = "\n".join(one.line for one in taps if one.line)
    return len(taps) > MOST_TAPS or text.count("\n") >= MOST_LINES or len(text.encode()) > MOST_BYTES


def refuse_many_sides(match: Match) -> None:
    """Raise Refused `two-sides` for a match that the score pad cannot keep."""
    if match.sides.count() != 2:
        raise Refused("two-sides", _("The score pad is for two sides. Use the tile pad, or enter the scores."))


def why_closed(game: Game, match: Match) -> Refused | None:
    """Return why taps are refused, None if they are not."""
    if match.published_at is None:
        return Refused("not-published", _("This match is a draft. Its tally can be kept once it is published."))
    if Result.objects.filter(game=game, current=True, state=Result.State.OFFICIAL).exists():
        return Refused("already-official", _("The result of game %(code)s is confirmed already."), code=game.code)
    if match.state == Match.State.DECIDED:
        return Refused("match-decided", _("This match is decided; game %(code)s is not played."), code=game.code)
    return None


def _check_turn(rows: Sequence[TallyTap], batch: Batch, new: Sequence[Touch]) -> None:
    """Check that the pad knows all taps, and keeps or takes over the tally.

    Taps that it has just sent are known. Raises StaleTally.
    """
    sent = {touch.id for touch in batch.touches}
    knows_all = batch.after <= len(rows) and all(row.touch in sent for row in rows[batch.after :])
    takes = new[0].kind == TallyTap.Kind.TAKE_OVER
    if not (knows_all and (takes or may_keep(rows, batch.pad))):
        raise StaleTally


def refuse_undone_rulings(rows: Sequence[TallyTap], new: Sequence[Touch]) -> None:
    """Raise BadTap for a touch of a pad that takes back a ruling."""
    rulings = {row.touch for row in rows if row.ruled}
    for touch in new:
        if touch.of in rulings:
            raise BadTap(str(touch.id))


def refuse_other_pad(rows: Sequence[TallyTap], new: Sequence[Touch]) -> None:
    """Raise AnotherPad for the first touch of the pad that does not keep this game.

    After a step down no line comes back: a phone that was away neither adds to the lines nor takes one back, and what
    took them back stands.
    """
    standing = standing_rows(rows)
    lines = {row.touch for row in standing if row.kind == TallyTap.Kind.LINE}
    scores = {row.touch for row in standing if row.kind in SCORES}
    stepped_down = not lines and any(row.pad == NO_PAD for row in rows)
    sealed = {row.touch for row in rows if stepped_down and (row.line or (row.of and row.pad == NO_PAD))}
    for touch in new:
        if (
            (lines and touch.kind in SCORES)
            or (touch.kind == TallyTap.Kind.LINE and not lines and (scores or stepped_down))
            or touch.of in sealed
        ):
            raise AnotherPad(str(touch.id), tiled=bool(lines))
        for kept, kinds in ((lines, {TallyTap.Kind.LINE}), (scores, SCORES)):
            kept.discard(touch.of)
            kept.update({touch.id} if touch.kind in kinds else ())


def store(game: Game, match: Match, rows: Sequence[TallyTap], more: Sequence[TallyTap]) -> None:
    """Store new taps after `rows`, and the copies on the row of the game. The caller holds the lock of the match."""
    TallyTap.objects.bulk_create(more)
    taps = [*rows, *more]
    seats = match.sides.count() if is_tiled(taps) else 2
    score = copy_of(taps, rules_agreed(match.ruleset, match.options), seats)
    delay = max(answers(live_delay_asked, match_id=match.pk), default=0)
    before = Game.objects.values_list("tally", flat=True).get(pk=game.pk) if delay else None
    Game.objects.filter(pk=game.pk).update(tally=delayed(score, before, delay), taps_head=more[-1].head)


def appended(
    game: Game,
    keeper: Keeper,
    pad: UUID,
    rows: Sequence[TallyTap],
    new: Sequence[Touch],
    at: datetime,
    *,
    ruled: bool | None = None,
) -> list[TallyTap]:
    """Make the rows of new touches after `rows`. Raises BadTap for an unknown touch that is taken back."""
    numbers = {row.touch: row.number for row in rows}
    head, more = rows[-1].head if rows else "", []
    for number, touch in enumerate(new, start=len(rows) + 1):
        if touch.id in numbers or (touch.of is not None and touch.of not in numbers):
            raise BadTap(str(touch.id))
        numbers[touch.id] = number
        tap = TallyTap(
            game=game,
            number=number,
            touch=touch.id,
            pad=pad,
            kind=touch.kind,
            seat=touch.seat,
            points=touch.points,
            spinner=touch.spinner,
            ended=touch.ended,
            winner=touch.winner,
            left=touch.left,
            line=touch.line,
            of=numbers[touch.of] if touch.of else None,
            clock_ms=touch.clock_ms,
            by_id=keeper.user_id,
            for_side=keeper.side,
            ruled=ruled,
            tapped_at=touch.at,
            mono_ms=touch.mono_ms,
            received_at=at,
        )
        tap.head = head = next_head(head, tap)
        more.append(tap)
    return more


WITH_POINTS = frozenset({TallyTap.Kind.POINTS, TallyTap.Kind.MUGGINS, TallyTap.Kind.PENALTY, TallyTap.Kind.ROUND_END})
LINE = ("number", "kind", "seat", "points", "spinner", "ended", "winner", "left", "of", "clock_ms", "mono_ms")


def next_head(head: str, tap: TallyTap) -> str:
    """Return the SHA-256 of the previous hash (64 hexadecimal digits) and the line."""
    return sha256(head.encode() + line_of(tap).encode())


def line_of(tap: TallyTap) -> str:
    """Return the hashed line of a tap: its facts as compact JSON.

    Times are whole seconds since 1970, ids are unchanged.
    """
    facts = [getattr(tap, name) for name in LINE]
    who = [tap.touch.hex, tap.pad.hex, tap.by_id, tap.for_side, int(tap.tapped_at.timestamp())]
    more = [*(["ruled"] if tap.ruled else []), *([tap.line] if tap.line else [])]
    return json.dumps([*facts, *who, *more], separators=(",", ":"))


def broken_at(taps: Sequence[TallyTap]) -> int | None:
    """Return the number of the first tap with a wrong hash; None if all are right."""
    head = ""
    for place, tap in enumerate(taps, start=1):
        if tap.number != place or tap.head != (head := next_head(head, tap)):
            return place
    return None


# --- Content of the taps ---


def as_sheet(taps: Sequence[TallyTap], rules: Ruleset) -> list[dict[str, object]]:
    """Return the taps in the form of a score sheet (`referee.cards.tally`).

    Numbered from 1; see `of_scores`.
    """
    kept = of_scores(taps)
    places = {tap.number: place for place, tap in enumerate(kept, start=1)}
    unit = "tiles" if terms(rules)["domino"]["tiles"] else "pips"
    return [{"n": places[tap.number]} | _told(tap, places, unit) for tap in kept]


def of_scores(taps: Sequence[TallyTap]) -> list[TallyTap]:
    """Return the taps of the score pad: without changes of the pad, lines, and what takes lines back."""
    kept, lines = [], set()
    for tap in taps:
        if tap.kind == TallyTap.Kind.LINE or tap.of in lines:
            lines.add(tap.number)
        elif tap.kind != TallyTap.Kind.TAKE_OVER:
            kept.append(tap)
    return kept


def _told(tap: TallyTap, places: Mapping[int, int], unit: str) -> dict[str, object]:
    facts = {
        "kind": str(tap.kind),
        "seat": tap.seat,
        "points": tap.points if tap.kind in WITH_POINTS else None,
        "spinner": tap.spinner or None,
        "ended": tap.ended or None,
        "winner": tap.winner,
        unit: tap.left,
        "of": places.get(tap.of) if tap.of else None,
        "clock_ms": tap.clock_ms,
        "ruled": tap.ruled,
    }
    return {name: value for name, value in facts.items() if value is not None}


def copy_of(taps: Sequence[TallyTap], rules: Ruleset | None, seats: int = 2) -> dict[str, object] | None:
    """Return the public score for the row of the game; None before a counted tap."""
    if rules is None:
        return None
    try:
        now = score_now(taps, rules, seats)
    except NotationError:
        return None  # only of a row that was tampered with: `read_batch` lets no other line in
    told = of_scores(taps)
    if is_tiled(taps):
        told = [tap for _line, tap in lines_of(taps)]
    told = told[: now.counted]
    if not told:
        return None
    return {"points": list(now.points), "round": now.round_number, "at": told[-1].received_at.isoformat()}


def score_now(taps: Sequence[TallyTap], rules: Ruleset, seats: int = 2, *, open_shown: bool = False) -> Running:
    """Return the running score of either pad; with `open_shown` also what is still open to a claim."""
    if is_tiled(taps):
        return running_log(rules, [line for line, _tap in lines_of(taps)], seats=seats, open_shown=open_shown)
    return running(as_sheet(taps, rules), rules, open_shown=open_shown)

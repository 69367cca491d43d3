"""End of a call for the referee: a ruling at the table, or a sentence. The clock paused for it goes on.

The ruling is kept as the lines of a log that it leads to, and on a score pad as a ruled tap.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.moves import SEATS, Call, Event, Note, Penalty, Said
from games.notation.writing import write_event
from games.ruleset import Ruleset
from league.accounts.models import User
from league.disputes.calls.services import check_answers, locked_call
from league.disputes.models import RefereeCall
from league.disputes.models.referee_call import LONGEST_SENTENCE
from league.errors import Refused
from league.matches.clock import services as timekeeping
from league.matches.models import ClockEvent, Game, Side
from league.matches.models.tally import TallyTap
from league.matches.rules import rules_agreed
from league.matches.tally.ruled import RuledPoints, keep_ruling
from league.matches.tally.standing import standing_rows
from referee.cards.yields import penalty_step
from referee.rulings.at_the_table import TableQuestion, table_question
from referee.rulings.protests import ProtestKind

About = RefereeCall.About
MOST_POINTS = 1000
KINDS = {About.COUNT: TallyTap.Kind.POINTS, About.MUGGINS: TallyTap.Kind.MUGGINS, About.PENALTY: TallyTap.Kind.PENALTY}
"""Kind of the ruled tap."""
MATTERS = {str(About.COUNT): ProtestKind.COUNT, str(About.MUGGINS): ProtestKind.MUGGINS}
PENALTY_TEXT = "ruling at the table"
PLAYS = (TallyTap.Kind.POINTS, TallyTap.Kind.MUGGINS)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableFinding:
    """Answer of the referee to the one question.

    `side` claims the `points`: for a count it says that it announced them, for muggins that it called. `on_pad`: the
    last score on the pad is that of this play.
    """

    about: str
    side: int
    points: int
    upheld: bool
    on_pad: bool = False


def rule_at_table(call: RefereeCall, official: User, found: TableFinding, *, at: datetime | None = None) -> RefereeCall:
    """Settle a count or a muggins call by the answer to the question of the ruleset; play goes on.

    Raises NotAllowed (`permissions.why_not_answer`); Refused `call-ended`, `no-question`, `bad-points`, and as
    `tally.ruled.keep_ruling`.
    """
    check_answers(call, official)
    at = at or timezone.now()
    with transaction.atomic():
        call = locked_call(call)
        last = _last_score(call) if found.on_pad else None
        undo, points = effect(last, found)
        facts = {"about": found.about, "side": found.side, "points": found.points, "upheld": found.upheld}
        lines = _lines(_asked(call, found, last), found)
        return _ended(call, official, at, lines=lines, tap=_tap(call, official, undo, points, at), **facts)


def _lines(asked: TableQuestion, found: TableFinding) -> Iterator[Event]:
    """Yield the note of the ruling, and the call that it leads to."""
    yield Note(f"ruling: {asked.question.text} {'Yes' if found.upheld == asked.favours else 'No'}")
    seat = found.side - 1
    if found.about == About.MUGGINS and found.upheld:
        yield Call(seat, Said.MUGGINS, found.points)
    elif found.upheld or not asked.favours:
        yield Call(seat if asked.favours else 1 - seat, Said.COUNT, found.points)


def _asked(call: RefereeCall, found: TableFinding, last: TallyTap | None) -> TableQuestion:
    """Return the question with the letters of seats, which name nobody."""
    rules = rules_of_call(call)
    if not 0 < found.points <= MOST_POINTS or found.points % 5:
        raise Refused("bad-points", _("Points of a play are a multiple of five."))
    asked = None
    if rules and found.about in MATTERS and found.side in (1, 2):
        asked = question_of(rules, found.about, found.side, found.points, SEATS[:2], last)
    if asked is None:
        raise Refused("no-question", _("These rules have no claim window for this. Close the call with a sentence."))
    return asked


def question_of(
    rules: Ruleset, about: str, side: int, points: int, names: Sequence[str], last: TallyTap | None
) -> TableQuestion | None:
    """Return the one question. `last`: the tap of the play in question, None if the pad does not have it."""
    announced = last is not None and last.kind == TallyTap.Kind.POINTS and last.seat != side - 1
    return table_question(rules, MATTERS[about], side - 1, points, names, announced=announced)


def rules_of_call(call: RefereeCall) -> Ruleset | None:
    """Return the rules of a match of two sides, None for another."""
    if Side.objects.filter(match=call.match_id).count() != 2:
        return None
    return rules_agreed(call.match.ruleset, call.match.options)


def effect(last: TallyTap | None, found: TableFinding) -> tuple[TallyTap | None, RuledPoints | None]:
    """Return the tap to take back and the points to give on the pad.

    `last`: the tap of the play in question, None if the pad does not have it. Points upheld take its place; points
    not upheld are taken back from the side that claimed them.
    """
    kind, seat = KINDS[About(found.about)], found.side - 1
    if not found.upheld:
        return (last if last and last.seat == seat else None), None
    if last and (last.kind, last.seat, last.points) == (kind, seat, found.points):
        return None, None
    return last, RuledPoints(kind=kind, seat=seat, points=found.points)


def _last_score(call: RefereeCall) -> TallyTap | None:
    return last_score(list(TallyTap.objects.filter(game=call.game_id).order_by("number")))


def last_score(taps: Sequence[TallyTap]) -> TallyTap | None:
    """Return the last tap that counts, if it scores a play and is no ruling."""
    standing = standing_rows(taps)
    last = standing[-1] if standing else None
    return last if last and last.kind in PLAYS and not last.ruled else None


def close_call(
    call: RefereeCall, official: User, sentence: str, *, against: int = 0, points: int = 0, at: datetime | None = None
) -> RefereeCall:
    """Close a call with a sentence, and perhaps with a penalty of the referee against a side.

    The points of a penalty go to the other side. Raises NotAllowed (`permissions.why_not_answer`); Refused
    `call-ended`, `no-sentence`, `long-sentence`, `bad-points`, and as `tally.ruled.keep_ruling`.
    """
    check_answers(call, official)
    said, at = _sentence(sentence), at or timezone.now()
    with transaction.atomic():
        call = locked_call(call)
        if not points and not against:
            return _ended(call, official, at, sentence=said)
        rules = rules_of_call(call)
        if rules is None or against not in (1, 2) or not 0 < points <= MOST_POINTS or points % penalty_step(rules):
            raise Refused("bad-points", _("Choose a side for the penalty, and points that the rules allow."))
        given = RuledPoints(kind=KINDS[About.PENALTY], seat=2 - against, points=points)
        facts = {"about": About.PENALTY, "side": against, "points": points, "upheld": True}
        lines = [Penalty(against - 1, points, PENALTY_TEXT)]
        return _ended(
            call, official, at, sentence=said, lines=lines, tap=_tap(call, official, None, given, at), **facts
        )


def _sentence(text: str) -> str:
    plain = " ".join(text.replace("\0", "").split())  # PostgreSQL takes no such byte
    if not plain:
        raise Refused("no-sentence", _("Say in a few words what you decided."))
    if len(plain) > LONGEST_SENTENCE:
        raise Refused("long-sentence", _("Use at most %(longest)d characters."), longest=LONGEST_SENTENCE)
    return plain


def _tap(
    call: RefereeCall, official: User, undo: TallyTap | None, points: RuledPoints | None, at: datetime
) -> TallyTap | None:
    if call.game is None:
        return None
    game = Game.objects.select_related("match__league").get(pk=call.game.pk)
    more = keep_ruling(game, official, undo=undo, points=points, at=at)
    return more[-1] if more else None


def _ended(
    call: RefereeCall, official: User, at: datetime, *, lines: Iterable[Event] = (), **facts: Any
) -> RefereeCall:
    written = "\n".join(write_event(event) for event in lines)
    for name, value in {**facts, "lines": written, "ended_at": at, "ended_by": official}.items():
        setattr(call, name, value)
    call.save(update_fields=[*facts, "lines", "ended_at", "ended_by"])
    resume(call, official, at)
    return call


def resume(call: RefereeCall, official: User, at: datetime) -> None:
    """Resume the clock if the pause for this call is its last event: the ruling time is given back."""
    if call.pause is None or call.game is None:
        return
    last = ClockEvent.objects.filter(game=call.game_id).order_by("-number").first()
    if last == call.pause:
        # A game with a result has no clock to resume.
        with suppress(Refused), transaction.atomic():
            timekeeping.resume_clock(Game.objects.select_related("match__league").get(pk=call.game.pk), official, at)

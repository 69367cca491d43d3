"""Acts on a game's clock: start, pause, resume, give time, ring, overtime, stop.

Each is one transaction that locks the match first. The reading of the clock is computed in state.py and never stored.
"""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.accounts.permissions import Asker
from league.celery import app, send
from league.errors import Refused
from league.matches import permissions
from league.matches.clock.state import (
    MOST_GIVEN_MS,
    SECOND,
    ClockMark,
    ClockRefusal,
    ClockRules,
    ClockState,
    GameClock,
    clock_rules,
)
from league.matches.clock_acts import ClockAct
from league.matches.models import ClockEvent, Game, Match, Result
from league.matches.rules import rules_agreed
from league.matches.visibility import matches_of
from league.prepared_statements import FixedSelect, Given

log = logging.getLogger(__name__)

# Redis gives a message without acknowledgement to another worker after `visibility_timeout` (settings.py), so no
# message waits longer than this: a task that wakes too early sends itself on.
LONGEST_WAIT = timedelta(minutes=5)
MOST_LEVEL = 100_000

SENTENCES: Mapping[ClockRefusal, Any] = {
    ClockRefusal.NOT_RUNNING: _("The clock of game %(code)s is not running."),
    ClockRefusal.NOT_PAUSED: _("The clock of game %(code)s has not been started yet."),
    ClockRefusal.NOT_RUNG: _("The bell of game %(code)s has not rung yet."),
    ClockRefusal.NOT_DUE: _("The bell of game %(code)s is not due."),
    ClockRefusal.ALREADY_RUNNING: _("The clock of game %(code)s is running already."),
    ClockRefusal.ALREADY_STARTED: _("The clock of game %(code)s was started already. It is paused."),
    ClockRefusal.ALREADY_PAUSED: _("The clock of game %(code)s is paused already."),
    ClockRefusal.ALREADY_OVERTIME: _("The overtime of game %(code)s has begun already."),
    ClockRefusal.RUNG: _("The bell of game %(code)s has rung; its time is up."),
    ClockRefusal.OVER: _("The clock of game %(code)s is stopped for good."),
    ClockRefusal.TOO_LATE: _("A start can be taken back within one minute only. Pause the clock instead."),
    ClockRefusal.BAD_TIME: _("Give from 1 second to %(minutes)d minutes."),
}


def clock_rules_of(ruleset: str, options: Mapping[str, object]) -> ClockRules | None:
    """Return the clock rules of a match.

    None if it is played without a clock, or its rules are no longer known.
    """
    rules = rules_agreed(ruleset, options)
    return clock_rules(rules) if rules else None


# --- Acts of people ---


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """One act with the facts to store."""

    act: ClockAct
    facts: Mapping[str, Any] = field(default_factory=dict)

    def mark(self, at: datetime) -> ClockMark:
        return ClockMark(self.act, at, self.facts.get("given_ms", 0))


def start_clock(game: Game, user: Asker, at: datetime | None = None) -> ClockEvent:
    """Start the clock; the match counts as being played.

    Raises Refused: see `_do`; `not-published`, `another-running`.
    """
    return _do(game, user, Deed(act=ClockAct.START), at)


def pause_clock(game: Game, user: Asker, at: datetime | None = None) -> ClockEvent:
    return _do(game, user, Deed(act=ClockAct.PAUSE), at)


def resume_clock(game: Game, user: Asker, at: datetime | None = None) -> ClockEvent:
    """Resume after a pause or a mistaken stop. Raises as `_do`; `another-running`."""
    return _do(game, user, Deed(act=ClockAct.RESUME), at)


def give_time(game: Game, user: Asker, *, seconds: int, reason: str = "", at: datetime | None = None) -> ClockEvent:
    """Delay the bell. Raises as `_do`; `bad-time`."""
    if not 0 < seconds * SECOND <= MOST_GIVEN_MS:
        raise _refused(ClockRefusal.BAD_TIME, game)
    facts = {"given_ms": seconds * SECOND, "reason": _plain(reason)}
    return _do(game, user, Deed(act=ClockAct.GIVE, facts=facts), at)


def start_overtime(game: Game, user: Asker, *, level_at: int, at: datetime | None = None) -> ClockEvent:
    """Start overtime, without a bell: at the bell both sides had `level_at`.

    Raises as `_do`; `bad-score`.
    """
    if not 0 <= level_at <= MOST_LEVEL:
        raise Refused("bad-score", _("Enter the score that both sides have."))
    return _do(game, user, Deed(act=ClockAct.OVERTIME, facts={"level_at": level_at}), at)


def stop_clock(game: Game, user: Asker, at: datetime | None = None) -> ClockEvent:
    """Stop the clock: the game is over."""
    return _do(game, user, Deed(act=ClockAct.STOP), at)


def cancel_start(game: Game, user: Asker, *, reason: str, at: datetime | None = None) -> ClockEvent:
    """Take back a mistaken start, at most a minute old.

    The clock has its full time again, and the mistake stays in the history. Raises as `_do`; `no-reason`.
    """
    return _do(game, user, taking_back(reason), at)


def taking_back(reason: str) -> Deed:
    """Return the act that takes back a start. Raises Refused `no-reason`."""
    reason = _plain(reason)
    if not reason:
        raise Refused("no-reason", _("Say in a few words why the start is taken back."))
    return Deed(act=ClockAct.CANCEL, facts={"reason": reason})


def _do(game: Game, user: Asker, deed: Deed, at: datetime | None) -> ClockEvent:
    """Check the permission, ring a due bell, then carry out the act.

    Raises Refused (nothing is stored): those of `permissions.why_not_run_clock` and of `carry_out`. A bell that is due
    is kept even then.
    """
    if refusal := permissions.why_not_run_clock(permissions.actor(user, game.match), deed.act):
        raise refusal
    at = at or timezone.now()
    ring_if_due(game.pk, at)
    return carry_out(game, user, deed, at)


def carry_out(game: Game, user: Asker, deed: Deed, at: datetime, *, tell_workers: bool = True) -> ClockEvent:
    """Carry out an act whose permission was checked.

    Raises Refused (nothing is stored): `untimed`, `match-decided`; the codes of `state.ClockRefusal`. Seven statements;
    without `tell_workers` no task for the bell is queued.
    """
    with transaction.atomic():
        match = _locked(game.match_id)
        rules = clock_rules_of(match.ruleset, match.options)
        if rules is None:
            raise Refused("untimed", _("This match is played without a clock."))
        if closed := _why_closed(game, match, deed.act, at):
            raise closed
        clock, number = _clock(rules, game.pk)
        if no := clock.why_not(deed.mark(at)):
            raise _refused(no, game)
        placed, set_back_ms = clock.placed(at)
        event = ClockEvent.objects.create(
            game=game,
            number=number + 1,
            kind=deed.act,
            at=placed,
            by=user,  # type: ignore[misc]  # nobody without an account may
            set_back_ms=set_back_ms,
            **deed.facts,
        )
        rings_at = clock.after(deed.mark(at)).reading(placed).rings_at
        _set_bell(game.pk, event.number, rings_at, tell_workers=tell_workers)
        _set_match(match, game, deed.act)
    return event


def _refused(no: ClockRefusal, game: Game) -> Refused:
    return Refused(no, SENTENCES[no], code=game.code, minutes=MOST_GIVEN_MS // (60 * SECOND))


def _why_closed(game: Game, match: Match, act: ClockAct, at: datetime) -> Refused | None:
    if Result.objects.filter(game=game, current=True).exists():
        return Refused(ClockRefusal.OVER, _("Game %(code)s has a result; its clock is stopped."), code=game.code)
    if match.state == Match.State.DECIDED:
        return Refused("match-decided", _("This match is decided; game %(code)s is not played."), code=game.code)
    if act not in {ClockAct.START, ClockAct.RESUME}:
        return None
    if match.published_at is None:
        return Refused("not-published", _("This match is a draft. Its clock can be started once it is published."))
    other = Game.objects.filter(match=match, rings_at__gt=at).exclude(pk=game.pk).first()
    if other is not None:
        return Refused(
            "another-running", _("The clock of game %(number)d of this match is running."), number=other.number
        )
    return None


def _set_match(match: Match, game: Game, act: ClockAct) -> None:
    """Set the state of the match.

    Playing at a start; scheduled again after its only start is taken back.
    """
    if act is ClockAct.START:
        Match.objects.filter(pk=match.pk, state=Match.State.SCHEDULED).update(state=Match.State.PLAYING)
    elif act is ClockAct.CANCEL:
        others = ClockEvent.objects.filter(game__match=match).exclude(game=game)
        if not (others.exists() or Result.objects.filter(game__match=match, current=True).exists()):
            Match.objects.filter(pk=match.pk).update(state=Match.State.SCHEDULED)


def _plain(text: str) -> str:
    return "".join(letter for letter in text if letter.isprintable()).strip()[:200]


# --- Automatic acts ---

CLOCK_ROWS = FixedSelect(
    lambda: (
        ClockEvent.objects.filter(game=Given("game"))
        .order_by("number")
        .values_list("number", "kind", "at", "given_ms", "game__match__ruleset", "game__match__options")
    )
)


def ring_if_due(game_id: int, at: datetime) -> bool:
    """Store the bell of a game whose time is up, with the instant at which it was due.

    True if this call stored it. Called by the task set for that instant, by the sweep, and by the first reader of the
    clock.
    """
    match_id = Game.objects.filter(pk=game_id, rings_at__lte=at).values_list("match", flat=True).first()
    if match_id is None:
        return False
    with transaction.atomic():
        match = _locked(match_id)
        rules = clock_rules_of(match.ruleset, match.options)
        if rules is None:
            return False
        clock, number = _clock(rules, game_id)
        due = clock.bell_missing(at)
        if due is None:
            return False
        ClockEvent.objects.create(game_id=game_id, number=number + 1, kind=ClockAct.BELL, at=due)
        _set_bell(game_id, number + 1, None)
    return True


def ring_or_wait(game_id: int, number: int) -> None:
    """Ring, or send the message of event `number` on while that event is the last."""
    now = timezone.now()
    if ring_if_due(game_id, now):
        return
    last = ClockEvent.objects.filter(game=game_id).order_by("-number").values_list("number", "game__rings_at").first()
    if last and last[0] == number and last[1] is not None:
        queue_bell(game_id, number, last[1])


def stop_at_result(game_id: int, at: datetime) -> None:
    """Stop the clock of a game that has a result.

    The caller holds the lock of the match.

    At most three statements, one if there is no clock to stop.
    """
    rows = CLOCK_ROWS.rows(game=game_id)
    rules = clock_rules_of(*rows[-1][4:]) if rows else None
    if rules is None:
        return
    clock = GameClock.of(rules, (ClockMark(ClockAct(kind), when, given) for _number, kind, when, given, *_ in rows))
    if clock.state in {ClockState.NOT_STARTED, ClockState.OVER}:
        return
    number = rows[-1][0]
    placed, set_back_ms = clock.placed(at)
    new = []
    if due := clock.bell_missing(at):
        new.append(ClockEvent(game_id=game_id, number=number + 1, kind=ClockAct.BELL, at=due))
    stop = ClockEvent(game_id=game_id, kind=ClockAct.STOP, at=placed, set_back_ms=set_back_ms)
    stop.number = number + len(new) + 1
    ClockEvent.objects.bulk_create([*new, stop])
    Game.objects.filter(pk=game_id).update(rings_at=None)


def games_to_ring(at: datetime, most: int) -> Sequence[int]:
    """Return the ids of games whose bell is due and not stored, the longest due first."""
    return list(Game.objects.filter(rings_at__lte=at).order_by("rings_at", "pk").values_list("pk", flat=True)[:most])


def queue_bell(game_id: int, number: int, rings_at: datetime) -> bool:
    """Queue the task that rings, and return whether the broker took it.

    With eager tasks nothing is sent: the sweep finds the row.
    """
    if app.conf.task_always_eager:
        return False
    return send("matches.ring", game_id, number, eta=min(rings_at, timezone.now() + LONGEST_WAIT))


def forget_reasons_of(player_id: int) -> int:
    """Erase the reasons at the clocks of a player's games, and return how many.

    Names may occur in them.
    """
    return ClockEvent.objects.filter(game__match__in=matches_of(player_id)).exclude(reason="").forget_reasons()


def _locked(match_id: int) -> Match:
    """Return the match, locked until the transaction ends.

    Order of locks: season → competition → match.
    """
    return Match.objects.select_for_update().get(pk=match_id)


def marks(rows: Sequence[ClockEvent]) -> list[ClockMark]:
    """Convert the rows of one game, in their order, into the values of state.py."""
    return [ClockMark(ClockAct(row.kind), row.at, row.given_ms) for row in rows]


def _clock(rules: ClockRules, game_id: int) -> tuple[GameClock, int]:
    """Return the clock of a game, and the number of its last event, 0 if it has none."""
    rows = list(ClockEvent.objects.filter(game=game_id).order_by("number"))
    return GameClock.of(rules, marks(rows)), rows[-1].number if rows else 0


def _set_bell(game_id: int, number: int, rings_at: datetime | None, *, tell_workers: bool = True) -> None:
    Game.objects.filter(pk=game_id).update(rings_at=rings_at)
    if rings_at is not None and tell_workers:
        transaction.on_commit(lambda: queue_bell(game_id, number, rings_at))

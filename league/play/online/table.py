"""Online tables: the dealer with the server's clock, and what each seat may do now. Pure."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final

from games.claims import PlayScore
from games.moves import Call, Deal, Draw, Event, Pass, Play, RoundStart, Said, Seat
from games.round import RoundEnd
from games.ruleset import Announce, Muggins
from league.matches.clock.state import GameClock
from league.play.dealer import Dealer, WrongMoment
from league.play.online.clock import TENTH_MS, Marks, clock_of, elapsed, rings_at
from league.play.uno_dealer import UnoDealer

AFTER_WINDOW: Final = timedelta(seconds=1)
"""Time from the end of the claims after the bell until the hand is settled."""


class OnlineTable(Dealer):
    """A game between people, at the last line of its log, at a time of the server."""

    def __init__(self, tags: Mapping[str, str], seed: str, lines: Sequence[str], marks: Marks) -> None:
        super().__init__(tags, seed, lines)
        self.clock: GameClock | None = clock_of(self.game.rules, marks)

    # ---- The clock

    def advance(self, now: datetime) -> None:
        """Do what is due: ring the bell, and settle the hand once no call is possible after it."""
        clock = self.clock
        if clock is None or self.over:
            return
        bell = rings_at(clock, now)
        if bell is not None and now >= bell and not self.game.rung:
            self.at = elapsed(clock, bell)
            self.ring()
        ends = self._window_ends(now)
        if ends is not None and now >= ends:
            self.at = max(elapsed(clock, ends), self.game.clock)
            self.settle()
        self.at = max(elapsed(clock, now), self.game.clock)

    def due_at(self, now: datetime) -> datetime | None:
        """Return when :meth:`advance` has something to do next."""
        if self.clock is None or self.over:
            return None
        return self._window_ends(now) if self.game.rung else rings_at(self.clock, now)

    def _window_ends(self, now: datetime) -> datetime | None:
        """Return the end of the claims after the bell, None where the bell waits for nothing.

        A hand that goes on after the bell has its claims after its last line.
        """
        bell = None if self.clock is None else rings_at(self.clock, now)
        waits = self.game.rung and not self.game.settled and self.live is None and not self.game.card.overtime
        if self.clock is None or bell is None or not waits:
            return None
        ended = next(entry.at for entry in reversed(self.log.entries) if not isinstance(entry.event, Call)) or 0
        bell += timedelta(milliseconds=TENTH_MS * max(0, ended - elapsed(self.clock, bell)))
        return bell + timedelta(seconds=self.game.rules.post_bell_claim_s) + AFTER_WINDOW

    @property
    def belled(self) -> bool:
        """Whether the bell has cut the hand, and calls are still possible."""
        ended = self.game.round
        return ended is not None and ended.ended is RoundEnd.BELL and not self.game.settled

    # ---- Seats

    @property
    def to_act(self) -> Seat | None:
        """The seat whose turn it is; seat 0 begins to draw for a lead that nobody holds."""
        return None if self.live is None else self.live.to_act or 0

    def claimable_by(self, seat: Seat) -> PlayScore | None:
        """Return the play on which the seat can call muggins now, whether any points are open or not."""
        claims, rule = self.game.claims, self.game.rules.muggins
        if rule is Muggins.OFF or self.over or self.game.settled:
            return None
        play = claims.claimable if rule is Muggins.AFTER_NEXT else claims.fresh
        if play is None or play.seat == seat or self._has_called(seat):
            return None
        return play

    def _has_called(self, seat: Seat) -> bool:
        """Return whether the seat has called muggins since the last turn was completed."""
        return any(_is_call(event, seat, Said.MUGGINS) for event in self._since_turn())

    def can_announce(self, seat: Seat) -> bool:
        """Return whether the last tile is the seat's, without an announcement."""
        rules, play = self.game.rules, self.game.claims.fresh
        if rules.announce is not Announce.MANUAL or play is None or play.seat != seat or self.over:
            return False
        return play.announced is None and self.live is not None

    def _since_turn(self) -> list[Event]:
        said: list[Event] = []
        for event in reversed(self.events_from(0)):
            if completes_turn(event):
                break
            said.append(event)
        return said

    def events_from(self, line: int) -> list[Event]:
        """Return the events after the first `line` lines."""
        return [entry.event for entry in self.log.entries[line:]]


class OnlineUno(OnlineTable, UnoDealer):
    """A game of Uno Dominoes between people."""

    @property
    def to_act(self) -> Seat | None:
        """The seat whose turn it is, or that answers a Wild Draw Four or a dead end."""
        return self.awaited

    def catch(self, seat: Seat, whom: Seat) -> None:
        """Catch a seat that came down to one tile and did not say uno. Only a right catch is written into the log.

        Raises :class:`~league.play.dealer.WrongMoment` for any other one.
        """
        last = self.colours.last_tile if self.live is not None else None
        if last is None or last.seat != whom or last.called:
            raise WrongMoment
        super().catch(seat, whom)


def completes_turn(event: Event) -> bool:
    return isinstance(event, Play | Pass | Deal | RoundStart)


def _is_call(event: Event, seat: Seat, said: Said) -> bool:
    return isinstance(event, Call) and event.seat == seat and event.said is said


def is_draw(event: Event, seat: Seat) -> bool:
    """Return whether the event is what the button for a draw or pass of a seat wrote."""
    return isinstance(event, Draw | Pass) and event.seat == seat


def has_called(events: Sequence[Event], seat: Seat, said: Said) -> bool:
    """Return whether the seat said this in these events."""
    return any(_is_call(event, seat, said) for event in events)

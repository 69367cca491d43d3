"""Announcements and muggins calls: rights, windows and awards (RULES.md 1.5)."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from games.layout import Layout
from games.moves import Play, Seat
from games.notation.gamelog import Tenths
from games.ruleset import Announce, Muggins, Overclaim, Ruleset
from games.scorecard import CHIP_POINTS, Scorecard, worths
from games.tile import Join, Mask

SECOND: Tenths = 10

PlainPlay = tuple[int, Tenths | None, Play, Join, int, int]
"""A play without open points: its player announced the worth, or need not.

Line and time in the record, the play, the join of its tile, the open-end count after it, and its worth. Most plays are
plain, so a :class:`PlayScore` is made only on request: see :func:`score_of`.
"""


class PlayScore:
    """Count of one play, and the seats that got its points.

    ``count`` is the open-end count, ``worth`` the points of the play, ``announced`` the points its player announced in
    time (``None`` for nothing), ``awarded`` the points by seat, ``owed`` the points still open to a muggins call.
    ``line`` and ``at`` are line and time of the play in the record, ``tile`` and ``on`` the indices of its tile and of
    the tile it was joined to. ``ends`` are the layout and its open places after the play, kept where points were left
    open: they give the summands of the count.
    """

    def __init__(
        self, line: int, at: Tenths | None, seat: Seat, tile: int, on: int | None, count: int, worth: int
    ) -> None:
        self.line = line
        self.at = at
        self.seat = seat
        self.tile = tile
        self.on = on
        self.count = count
        self.worth = self.owed = worth
        self.announced: int | None = None
        self.awarded: dict[Seat, int] = {}
        self.called = 0
        self.ends: tuple[Layout, Mask] | None = None

    def give(self, seat: Seat, points: int) -> None:
        """Note points given to a seat."""
        self.awarded[seat] = self.awarded.get(seat, 0) + points


def score_of(play: PlainPlay | PlayScore) -> PlayScore:
    """Return a play with its points, from either form."""
    if isinstance(play, PlayScore):
        return play
    line, at, made, join, count, worth = play
    score = PlayScore(line, at, made.seat, made.tile.index, join.on, count, worth)
    score.announced = made.call
    if worth:
        score.owed = 0
        score.give(made.seat, worth)
    return score


class Why(Enum):
    """Reason why a muggins call was upheld or rejected."""

    OWED = "owed"
    NO_PLAY = "no-play"
    OWN_PLAY = "own-play"
    NO_SCORE = "no-score"
    ANNOUNCED = "announced"
    BOOKED = "booked"
    TAKEN = "taken"
    PREMATURE = "premature"
    TOO_LATE = "too-late"
    SECOND_CALL = "second-call"
    ROUND_END = "round-end"
    NO_ROUND_END = "no-round-end"
    VOID = "void"
    GAME_OVER = "game-over"


# Enum member access runs Python code, so frequent members have names of their own.
_OWED, _ROUND_END, _PREMATURE, _TOO_LATE = Why.OWED, Why.ROUND_END, Why.PREMATURE, Why.TOO_LATE
_AFTER_NEXT, _BEFORE_NEXT, _AUTO = Muggins.AFTER_NEXT, Muggins.BEFORE_NEXT, Announce.AUTO


class Decision(NamedTuple):
    """Outcome of one muggins call: its line, its play, and the points moved."""

    line: int
    claimant: Seat
    play: PlayScore | None
    claimed: int | None
    why: Why
    points: int
    untimed: bool = False
    winner: Seat | None = None
    """The winner of the round, where the call was about round-end points and no play."""

    @property
    def upheld(self) -> bool:
        """Whether the claimant got the points."""
        return self.why is _OWED or self.why is _ROUND_END


class _Held(NamedTuple):
    line: int
    claimant: Seat
    claimed: int | None


class Claims:
    """Claim windows of a game.

    Under ``after_next`` the scorer may announce the *fresh* play until the next completed turn; then the opponents may
    claim it (*claimable*) until the turn after is completed. Under ``before_next`` both rights run from the release of
    the tile to the next completed turn. Awards go to ``card`` at once. ``plays`` are the plays of the game, in order;
    ``decisions`` holds the outcome of every call, ``missed`` the plays whose points nobody got. ``quiet``: nothing is
    owed or held and no bell runs, so that the windows can move on unchecked. ``ended_game``: a held call ended the game
    before the current turn could begin.
    """

    __slots__ = (
        "_after_next",
        "_auto",
        "_before_next",
        "_bell_at",
        "_claimable",
        "_drew",
        "_fresh",
        "_grace",
        "_held",
        "_worths",
        "card",
        "decisions",
        "ended_game",
        "missed",
        "plays",
        "quiet",
        "rules",
    )

    def __init__(self, rules: Ruleset, card: Scorecard) -> None:
        self.rules = rules
        self.card = card
        self.plays: list[PlainPlay | PlayScore] = []
        # The windows hold numbers of plays: a plain play becomes a PlayScore on first use.
        self._fresh: int | None = None
        self._claimable: int | None = None
        self.decisions: list[Decision] = []
        self.missed: list[PlayScore] = []
        self._held: list[_Held] = []
        self._bell_at: Tenths | None = None
        self._grace: PlayScore | None = None
        self._after_next = rules.muggins is _AFTER_NEXT
        self._before_next = rules.muggins is _BEFORE_NEXT
        self._auto = rules.announce is _AUTO
        self._worths = worths(rules.tiles, rules.play_divisor)
        self._drew = False
        self.ended_game = False
        self.quiet = True

    def score(self, number: int) -> PlayScore:
        """Return the play with this number, from 0, with its points.

        The list keeps this object from now on, with all later changes of its points.
        """
        play = self.plays[number] = score_of(self.plays[number])
        return play

    def seat_of(self, number: int) -> Seat:
        """Return the seat of the play with this number; its form in the list stays."""
        play = self.plays[number]
        return play.seat if isinstance(play, PlayScore) else play[2].seat

    @property
    def fresh(self) -> PlayScore | None:
        """Play that its player may announce."""
        return None if self._fresh is None else self.score(self._fresh)

    @property
    def claimable(self) -> PlayScore | None:
        """Play that opponents may claim, under ``after_next``."""
        return None if self._claimable is None else self.score(self._claimable)

    # ---- Turns

    def played(self, line: int, at: Tenths | None, play: Play, join: Join, count: int) -> PlayScore | None:
        """Complete a turn with a placed tile, and book plain points.

        Returns ``None`` if the play was plain. Any other play is returned with its points: its announcement is still to
        be heard.
        """
        if self.quiet:
            self._claimable = self._fresh
        else:
            self.turn_completed()
            self._bell_at = self._grace = None
            self._look()
        plays = self.plays
        self._fresh = len(plays)
        call, worth = play.call, self._worths[count]
        if (not worth or self._auto) if call is None else call == worth:
            plays.append((line, at, play, join, count, worth))
            if worth:
                self.card.award(play.seat, worth)
            return None
        score = PlayScore(line, at, play.seat, play.tile.index, join.on, count, worth)
        plays.append(score)
        if self._auto and worth:
            score.owed = 0
            self._award(score, play.seat, worth)
        self.quiet = False
        return score

    def drawn(self) -> None:
        """Take a draw into account, where it counts as the next action (Q19).

        The rest of that turn then does not count as an action.
        """
        if self.rules.next_action_counts_draw and not self._drew:
            self._move_on()
            self._drew = True
            self.quiet = False

    def turn_completed(self) -> None:
        """Move the windows on after a placed tile or a pass."""
        if self._drew:
            self._drew = False
            self._look()
        else:
            self._move_on()

    def _move_on(self) -> None:
        self._drew = False
        if self.quiet:
            self._claimable, self._fresh = self._fresh, None
            return
        self._close(self._claimable)
        self._claimable = None
        number, self._fresh = self._fresh, None
        if number is not None:
            if self._held:
                self._take_effect(self.score(number))
                self.ended_game = self.card.ended is not None
            if self._after_next:
                self._claimable = number
            else:
                self._close(number)
        self._look()

    def _look(self) -> None:
        owed = self._owed(self._claimable)
        self.quiet = not owed and not self._held and self._bell_at is None and self._grace is None

    def _owed(self, number: int | None) -> PlayScore | None:
        """Return the play with this number, if some of its points are still open."""
        play = None if number is None else self.plays[number]
        return play if isinstance(play, PlayScore) and play.owed else None

    def settlement_opened(self) -> None:
        """Count shown hands as a completed turn, under ``after_next`` (NOTATION.md 5)."""
        if self._after_next:
            self._move_on()

    def bell_rung(self, at: Tenths | None) -> None:
        """Count the bell as a completed turn, under ``after_next``.

        A tile just released may still be announced.
        """
        if not self._after_next:
            return
        fresh = self.fresh
        self.turn_completed()
        self.quiet = False
        self._bell_at = at
        grace = self.rules.announce_grace_s * SECOND
        if fresh is not None and fresh.at is not None and at is not None and at - fresh.at <= grace:
            self._grace = fresh

    def closed(self) -> None:
        """Close every window: the settlement is closed, or the game is over."""
        if self._held:
            self._close_held()
        if not self.quiet:
            self._close(self._claimable)
            self._close(self._fresh)
        self._fresh = self._claimable = self._bell_at = self._grace = None
        self._drew = False
        self.quiet = True

    def _close_held(self) -> None:
        if self.fresh is not None and self.card.ended is None:
            self._take_effect(self.fresh)
        for held in self._held:
            self._decide(held.line, held.claimant, self.fresh, held.claimed, Why.GAME_OVER)
        self._held = []

    def _close(self, number: int | None) -> None:
        """Close the window of a play: points still owed are missed."""
        play = self._owed(number)
        if play is not None:
            self.missed.append(play)
            play.owed = 0

    # ---- Announcements

    def announce(self, seat: Seat, points: int, at: Tenths | None) -> PlayScore | None:
        """Announce points for the seat's last play.

        Returns the play, or ``None`` if the right has lapsed.
        """
        play = self._announceable(seat, at)
        if play is None or play.announced is not None:
            return None
        if self._held and not self._in_hold(play, at):
            self._take_effect(play)
            return None
        if not play.owed and play.worth and not self._auto:
            return None
        play.announced = points
        for held in self._held:
            self._decide(held.line, held.claimant, play, held.claimed, Why.VOID)
        self._held = []
        if not self._auto:
            self._book(play, points)
        return play

    def _announceable(self, seat: Seat, at: Tenths | None) -> PlayScore | None:
        fresh = self.fresh
        if fresh is not None and fresh.seat == seat:
            return fresh
        grace = self._grace
        if grace is not None and grace.seat == seat and at is not None and self._in_grace(at):
            return grace
        return None

    def _in_grace(self, at: Tenths) -> bool:
        play = self._grace
        return play is not None and play.at is not None and at - play.at <= self.rules.announce_grace_s * SECOND

    def _book(self, play: PlayScore, said: int) -> None:
        if said > play.worth:
            if self.rules.overclaim is Overclaim.FOSTER:
                play.owed = 0
                self._award(play, (play.seat + 1) % len(self.card.scores), said)
                return
            said = play.worth
        # Chips move in fives: of an announced 7 the scorer keeps 5 (RULES.md C6); else all 7 (Q21).
        in_chips = self.rules.chips and self.rules.play_divisor == 1
        points = said - said % CHIP_POINTS if in_chips else said
        if points:
            play.owed -= points
            self._award(play, play.seat, points)

    def _award(self, play: PlayScore, seat: Seat, points: int) -> None:
        play.give(seat, points)
        self.card.award(seat, points)

    # ---- Muggins

    def claim(self, line: int, claimant: Seat, claimed: int | None, at: Tenths | None) -> None:
        """Call muggins for a seat.

        The decision is in :attr:`decisions` at once, or later for a held call.
        """
        if self._before_next:
            self._claim_before_next(line, claimant, claimed, at)
            return
        play = self.claimable
        why = None
        if play is not None and at is not None and self.card.ended is None:
            why = self._why_not_after_bell(play, at)
        why = why or self._why_not(play, claimant)
        untimed = why is None and at is None and self._bell_at is not None
        if why is _PREMATURE or why is _TOO_LATE:
            play = None  # its window is not open yet, or closed
        if play is not None:
            play.called |= 1 << claimant
        self._decide(line, claimant, play, claimed, why or _OWED, untimed=untimed)

    def _why_not(self, play: PlayScore | None, claimant: Seat) -> Why | None:
        if self.card.ended is not None:
            return Why.GAME_OVER
        if play is None:
            return Why.NO_PLAY if self.fresh is None else Why.PREMATURE
        if play.seat == claimant:
            return Why.OWN_PLAY
        if not play.owed:
            return self._why_nothing_owed(play)
        return Why.SECOND_CALL if play.called >> claimant & 1 else None

    def _why_nothing_owed(self, play: PlayScore) -> Why:
        if not play.worth:
            return Why.NO_SCORE
        if self._auto:
            return Why.BOOKED
        taken = any(seat != play.seat for seat in play.awarded)
        return Why.TAKEN if taken else Why.ANNOUNCED

    def _why_not_after_bell(self, play: PlayScore, at: Tenths) -> Why | None:
        if play is self._grace and self._in_grace(at):
            return Why.PREMATURE
        if self._bell_at is not None and at > self._bell_at + self.rules.post_bell_claim_s * SECOND:
            return Why.TOO_LATE
        return None

    def _claim_before_next(self, line: int, claimant: Seat, claimed: int | None, at: Tenths | None) -> None:
        play = self.fresh
        if self._held and play is not None and self._hold_is_over(play, at):
            self._take_effect(play)
            if self.card.ended is not None:
                play = None  # the end of the game closes every window (NOTATION.md 7.5)
        why = self._why_not(play, claimant)
        untimed = False
        if play is not None:
            untimed = self.rules.muggins_grace_s > 0 and (at is None or play.at is None)
            play.called |= 1 << claimant
        # A second call ends no hold, and ranks after the held call (NOTATION.md 7.8).
        waits = play is not None and (bool(self._held) or self._in_hold(play, at, strictly=True))
        if why is None and play is not None and waits and play.announced is None:
            self._held.append(_Held(line, claimant, claimed))
            return
        self._decide(line, claimant, play, claimed, why or _OWED, untimed=untimed and why is None)

    def _in_hold(self, play: PlayScore, at: Tenths | None, *, strictly: bool = False) -> bool:
        """Return whether a call or an announcement falls in the hold of a play (7.8).

        A call less than the grace after the play is held; an announcement up to the grace voids the call.
        """
        if at is None or play.at is None:
            return False
        grace = self.rules.muggins_grace_s * SECOND
        return at - play.at < grace or (not strictly and at - play.at == grace)

    def _hold_is_over(self, play: PlayScore, at: Tenths | None) -> bool:
        return at is not None and not self._in_hold(play, at)

    def nearest_first(self, seats: list[Seat]) -> list[int]:
        """Order claimants by seat after the scorer, as indices (RULES.md 3.13)."""
        play = self.fresh if self._before_next else self.claimable
        scorer = 0 if play is None else play.seat
        return sorted(range(len(seats)), key=lambda n: (seats[n] - scorer) % len(self.card.scores))

    @property
    def anything_owed(self) -> bool:
        """Whether points of a play are still open, to its scorer or to a call."""
        return self._owed(self._fresh) is not None or self._owed(self._claimable) is not None

    @property
    def held_call(self) -> tuple[Seat, int] | None:
        """Claimant and points of a held call that takes effect if nothing more is said."""
        if not self._held:
            return None
        play = self.fresh
        if play is None or not play.owed or self.card.ended is not None:
            return None
        return self._held[0].claimant, play.owed

    def end_hold(self, at: Tenths | None = None) -> None:
        """Let a held call take effect if its hold is over at this time.

        Without a time it is over.
        """
        play = self.fresh
        if self._held and play is not None and not self._in_hold(play, at):
            self._take_effect(play)

    def _take_effect(self, play: PlayScore) -> None:
        held, self._held = self._held, []
        for call in held:
            why = Why.OWED if play.owed else self._why_nothing_owed(play)
            self._decide(call.line, call.claimant, play, call.claimed, why)

    def _decide(
        self,
        line: int,
        claimant: Seat,
        play: PlayScore | None,
        claimed: int | None,
        why: Why,
        *,
        untimed: bool = False,
    ) -> None:
        points = 0
        if why is _OWED and play is not None:
            points, play.owed = play.owed, 0
            self._award(play, claimant, points)
        self.decisions.append(Decision(line, claimant, play, claimed, why, points, untimed))

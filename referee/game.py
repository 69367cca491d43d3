"""State of a replay: the game after the lines read so far, and the findings."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from operator import add
from typing import Any, NoReturn

from games.claims import Claims, PlainPlay, PlayScore
from games.errors import Reason
from games.layout import Layout
from games.moves import SEATS, Blocked, Draw, Pass, Seat, Show
from games.notation.gamelog import Entry, GameLog, Tenths
from games.notation.reading import write_time
from games.round import Round, RoundEnd
from games.ruleset import BellMode, BlockedBy, Lead, Ruleset, Settlement
from games.scorecard import Scorecard
from games.settlement import RoundScore, settle
from games.tile import Mask
from referee.hands.bounds import Leftovers
from referee.hands.deals import HiddenHands, NoDeal
from referee.hands.hidden import Placed
from referee.hands.unproved import RoundBooking, settle_unseen
from referee.verdict import Finding, Placement, RoundRecord, Ruling, severity

RULE_OF: Mapping[Reason, str] = {
    Reason.UNKNOWN_TILE: "set",
    Reason.DUPLICATE_TILE: "set",
    Reason.TILE_ALREADY_PLAYED: "set",
    Reason.TILE_NOT_IN_HAND: "hand",
    Reason.NO_OPEN_END: "match",
    Reason.DOES_NOT_MATCH: "match",
    Reason.AMBIGUOUS_PLAY: "match",
    Reason.OUT_OF_TURN: "turn",
    Reason.DRAW_FROM_EMPTY: "boneyard",
    Reason.NOT_BLOCKED: "blocked",
    Reason.AFTER_BELL: "bell",
    Reason.WRONG_LEAD: "lead",
    Reason.HAND_SIZE: "hand",
    Reason.DRAW_WHEN_ABLE: "draw",
    Reason.PASS_WHEN_ABLE: "pass",
    Reason.PASS_WITH_BONEYARD: "pass",
    Reason.MUST_PLAY_DRAWN: "drawn",
    Reason.TILE_COUNT: "hand",
    Reason.WRONG_COUNT: "announce",
    Reason.WRONG_POINTS: "domino",
    Reason.WRONG_TOTAL: "total",
    Reason.WRONG_CHIPS: "chips",
    Reason.WRONG_RESULT: "target",
    Reason.CLAIM_UPHELD: "muggins",
    Reason.CLAIM_REJECTED: "muggins",
    Reason.MISSED_POINTS: "muggins",
    Reason.UNVERIFIED_POINTS: "domino",
    Reason.CLOCK_UNKNOWN: "muggins",
}
"""Rule cited by a finding, by its slug; every other code cites ``record``."""


def about(rule_of: Mapping[Reason, str]) -> Mapping[Reason, tuple[str, str, str]]:
    """Return code, severity and cited rule of every reason, for one look-up a finding."""
    return {reason: (reason.value, severity(reason).value, rule_of.get(reason, "record")) for reason in Reason}


# Made once: an enum member's hash and value cost more than the finding itself.
_ABOUT = about(RULE_OF)

# Enum member access runs Python code, so members needed in every round have names of their own.
_BLOCKED, _CUT = RoundEnd.BLOCKED, RoundEnd.BELL
_DOMINOER_ANY, _WINNER_ANY = Lead.DOMINOER_ANY, Lead.WINNER_ANY


NEVER: Tenths = sys.maxsize
"""A time after every clock time."""


class Impossible(Exception):
    """The record cannot be true: replay stops before the current line."""


class ReplayedGame:
    """A game under replay.

    ``round`` is the current or the last round, ``settled`` whether its settlement is closed, ``opened`` whether a
    settlement line was read. ``recorded`` are the written round-end points, by seat: line and number. ``rung``: the
    bell rang; ``bell_waits``: it decides when the round is settled; ``play_stopped``: no tile may move any more after
    it. ``points_on_word`` are round-end points booked without proof. ``round_end_call`` are the seat and the points of
    a muggins call on round-end points, ``together`` the muggins lines of the same time, by the line of the first.
    ``hidden`` keeps the lines of rounds with an unknown hand.
    """

    __slots__ = (
        "_found",
        "_settlement",
        "bell_due",
        "bell_waits",
        "bell_written",
        "card",
        "claims",
        "clock",
        "findings",
        "finished",
        "first_play",
        "hidden",
        "last_turn",
        "line",
        "lots",
        "number",
        "opened",
        "over",
        "partial",
        "play_stopped",
        "points_on_word",
        "recorded",
        "round",
        "round_end_call",
        "round_line",
        "rounds",
        "rules",
        "rung",
        "seats",
        "settled",
        "together",
    )

    about: Mapping[Reason, tuple[str, str, str]] = _ABOUT
    """Code, severity and cited rule of every reason."""

    def __init__(self, log: GameLog, rules: Ruleset) -> None:
        self.rules = rules
        self.seats = len(log.seats)
        self.card = Scorecard(rules, self.seats)
        self.claims = Claims(rules, self.card)
        self.line = 0
        self.clock: Tenths = 0
        self.round: Round | None = None
        self.number = 0
        self.round_line = 0
        self.settled = True
        self.opened = False
        self.first_play = 0
        self.recorded: dict[Seat, tuple[int, int]] = {}
        self.lots: dict[Seat, int] = {}
        self.round_end_call: tuple[Seat, int] | None = None
        self.together: Mapping[int, Sequence[Entry]] = {}
        self._settlement: RoundBooking | None = None
        self.points_on_word = 0
        self.bell_due: Tenths = rules.clock_s * 10 or NEVER
        self.rung = self.bell_written = self.bell_waits = self.play_stopped = self.last_turn = False
        self.over = self.finished = self.partial = False
        self.rounds: list[RoundRecord] = []
        self.findings: list[Finding] = []
        self._found: set[tuple[int, str]] = set()
        self.hidden = HiddenHands(self._found)

    # ---- Findings

    def find(self, reason: Reason, say: str = "", /, *, line: int = 0, **facts: Any) -> None:
        """Note a finding at the current line, or at ``line``.

        One finding a line and code (NOTATION.md 7.2).
        """
        line = line or self.line
        code, how_bad, slug = self.about[reason]
        if (line, code) not in self._found:
            self._found.add((line, code))
            self.findings.append(Finding(line, code, how_bad, self.rules.rule_id(slug), say or code, facts))

    def stop(self, reason: Reason, say: str = "", **facts: Any) -> NoReturn:
        """Stop the replay: the current line is impossible."""
        self.find(reason, say, **facts)
        raise Impossible

    def bad_event(self, say: str = "", **facts: Any) -> NoReturn:
        """Stop the replay: the event has no meaning here."""
        self.stop(Reason.BAD_EVENT, say, **facts)

    # ---- Queries

    def need_seat(self, seat: Seat) -> None:
        """Stop the replay if the game does not have the seat."""
        if seat >= self.seats:
            self.bad_event("no-seat", seat=SEATS[seat])

    def need_round(self) -> Round:
        """Return the current round, or stop before the first round."""
        if self.round is None:
            self.stop(Reason.NO_ROUND)
        return self.round

    @property
    def live(self) -> bool:
        """Whether a round is in play."""
        return self.round is not None and self.round.ended is None and self.card.ended is None

    @property
    def played(self) -> Sequence[PlainPlay | PlayScore | Placement]:
        """Plays so far, in order, in their stored form."""
        return self.claims.plays

    @property
    def plays(self) -> list[PlayScore]:
        """Plays so far, in order, with their points."""
        return list(map(self.claims.score, range(len(self.claims.plays))))

    def has_played(self, seat: Seat) -> bool:
        """Return whether the seat has placed a tile in this round.

        ``first_play`` is the number of the round's first play.
        """
        seat_of = self.claims.seat_of
        return any(seat_of(number) == seat for number in range(len(self.claims.plays) - 1, self.first_play - 1, -1))

    def names(self, mask: Mask) -> str:
        """Return the tiles of a mask, for a sentence."""
        return " ".join(tile.name for tile in self.rules.tiles.in_mask(mask))

    def terms(self, play: PlayScore) -> str:
        """Return the sum behind the count of a play: ``6+6+3``.

        If it was not kept, the layout is built again up to the play.
        """
        if play.ends is not None:
            layout, ends = play.ends
            return "+".join(map(str, layout.terms(ends)))
        plays = self.plays
        first = last = plays.index(play)
        while plays[first].on is not None:
            first -= 1
        layout = Layout(self.rules.tiles, self.rules.spinner)
        for earlier in plays[first : last + 1]:
            layout.place(earlier.tile, earlier.on)
        return "+".join(map(str, layout.terms()))

    # ---- The bell

    def pass_time(self, at: Tenths) -> None:
        """Set the clock to the current line's time, and ring the bell if time ran out.

        Stops the replay if the clock runs backwards.
        """
        if at < self.clock:
            times = {"before": write_time(self.clock), "now": write_time(at)}
            self.stop(Reason.CLOCK_BACKWARDS, **times)
        self.clock = at
        if at > self.bell_due:
            self.ring(self.bell_due)

    def ring(self, at: Tenths | None) -> None:
        """Ring the bell (RULES.md Q17, NOTATION.md 7.7)."""
        due, self.bell_due, self.rung = self.bell_due, NEVER, True
        if at is None and due != NEVER:
            at = due
        if self.card.ended is not None:
            return
        if self.round is None or self.settled:
            self.play_stopped = True
            self.card.ring()
            self.note_end()
            return
        self.bell_waits = True
        if self.round.ended is not None:
            self.play_stopped = True
        elif self.rules.bell_mode is BellMode.STOP:
            self.round.cut()
            self.play_stopped = True
        else:
            self.last_turn = self.rules.bell_mode is BellMode.TURN
        self.claims.bell_rung(at)

    def turn_done(self, live: Round) -> None:
        """Stop play after a turn, if the bell waited for the end of the turn or round."""
        if self.rung and not self.card.overtime:
            if self.last_turn and live.ended is None:
                live.cut()
            self.play_stopped = live.ended is not None

    # ---- Bookings

    def note_end(self) -> None:
        """Close open windows without award, if a booking has ended the game.

        Source: NOTATION.md 7.5.
        """
        if self.card.ended is not None and not self.over:
            self.over = True
            self._settlement = None
            self.claims.closed()

    def open_settlement(self) -> None:
        """Open the settlement at its first line, which counts as a turn (NOTATION.md 5)."""
        self._settlement = None
        if not self.opened:
            self.opened = True
            self.claims.settlement_opened()

    def settlement(self) -> RoundBooking:
        """Return the round-end points of the current round, and whether they are proved.

        Cached until the next settlement line, round-end call or end of the game.
        """
        if self._settlement is None:
            settled = self._settle()
            if self.card.ended is not None:
                # The game was over before: nobody gets these points, with any unseen tiles.
                settled = RoundBooking(RoundScore(settled.score.winner, (0,) * self.seats), True, {})
            elif settled.proved and self.round_end_call is not None:
                settled = settled._replace(score=self._without_called(settled.score))
            self._settlement = settled
        return self._settlement

    def _settle(self) -> RoundBooking:
        ended = self.round
        if ended is None or ended.ended is None or ended.ended is _CUT:
            return RoundBooking(RoundScore(None, (0,) * self.seats), True, {})
        return self._settle_rests(ended, ended.went_out)

    def _settle_rests(self, ended: Round, went_out: Seat | None) -> RoundBooking:
        """Return round-end points by the tiles left.

        Unseen tiles left leave them to the record (NOTATION.md 4).
        """
        rests = ended.rests()
        if None in rests and not self._counts_tiles(ended):
            said = {seat: points for seat, (_, points) in self.recorded.items()}
            return settle_unseen(self.rules, ended.held, went_out, said, self.unseen_rests(ended))
        pips_in = self.rules.tiles.pips_in
        score = settle(self.rules, ended.held, [pips_in(rest) if rest else 0 for rest in rests], went_out)
        return RoundBooking(score, True, {})

    def unseen_rests(self, ended: Round) -> Sequence[Leftovers]:
        """Return the tiles that may be left in the hands, by every deal that fits so far."""
        return self.hidden.rests(ended, self.placed())

    def call_round_end(self, claimant: Seat, points: int) -> None:
        """Move round-end points from the winner to a muggins caller.

        Option ``muggins_on_round_end``.
        """
        self.round_end_call = (claimant, points)
        self._settlement = None

    def _without_called(self, score: RoundScore) -> RoundScore:
        if self.round_end_call is None or score.winner is None:
            return score
        claimant, called = self.round_end_call
        moved = {score.winner: -called, claimant: called}
        return RoundScore(score.winner, tuple(n + moved.get(seat, 0) for seat, n in enumerate(score.points)))

    def _counts_tiles(self, ended: Round) -> bool:
        """Return whether the number of tiles settles the round.

        It is known even where the tiles are not.
        """
        if ended.ended is RoundEnd.DOMINO:
            return self.rules.domino_points is Settlement.TILES_X5
        return self.rules.blocked_by is BlockedBy.TILES and self.rules.blocked_points is Settlement.TILES_X5

    def close_settlement(self) -> None:
        """Book and compare the round-end points, and let a waiting bell decide."""
        closing, card = self.round, self.card
        if closing is None or self.settled:
            return
        self.claims.closed()
        if card.ended is not None:
            self.note_end()
        settled = self.settlement()
        score = settled.score
        self._settlement = None
        if card.ended is None and closing.ended is not None:
            card.settle(score.points)
            if self.bell_waits and card.ended is None:
                card.ring()
        self.settled = True
        self.round_end_call = None
        if card.ended is not None:
            self.note_end()
        if not settled.proved:
            self.points_on_word += sum(score.points)
            line = min((line for line, _ in self.recorded.values()), default=self.round_line)
            self.find(Reason.UNVERIFIED_POINTS, line=line)
        if self.recorded:
            self._compare_points(closing, settled)
        self._list_round(closing, score)
        if False in closing.known:
            self.judge_hidden(closing)

    def note_unseen(self, live: Round, event: Draw | Pass | Show | Blocked) -> None:
        """Keep the current line for the analysis of hidden hands."""
        self.hidden.note(self.line, live, event)

    def placed(self) -> list[Placed]:
        """Return the plays of the current round, in the form of the analysis."""
        plays = self.claims.plays[self.first_play :]
        return [
            (play.line, play.seat, play.tile)
            if isinstance(play, PlayScore)
            else (play[0], play[2].seat, play[2].tile.index)
            for play in plays
        ]

    def judge_hidden(self, closing: Round) -> None:
        """Judge a settled round with unseen tiles by every deal that fits (NOTATION.md 4).

        Raises :class:`NoDeal` if none fits.
        """
        for judged in self.hidden.judge(closing, self.number, self.placed()):
            self.find(judged.reason, judged.say, line=judged.line, **judged.facts)
        if self.hidden.no_deal:
            raise NoDeal

    def _compare_points(self, closing: Round, settled: RoundBooking) -> None:
        due = settled.score.points
        for seat, (line, points) in self.recorded.items():
            if points != due[seat]:
                least, most = settled.range.get(seat, (0, 0))
                facts = {"points": due[seat], "recorded": points, "left": self._left(closing)}
                facts |= {"least": least, "most": most}
                say = self._points_sentence(closing, settled, seat)
                self.find(Reason.WRONG_POINTS, say, line=line, seat=SEATS[seat], **facts)

    def _points_sentence(self, closing: Round, settled: RoundBooking, seat: Seat) -> str:
        if closing.ended is RoundEnd.BELL:
            return "wrong-points-bell"
        if None not in closing.rests():
            return "wrong-points-tiles" if self._by_tiles else "wrong-points"
        if settled.proved:
            return "wrong-points-unseen"
        return "wrong-points-range" if seat in settled.range else "wrong-points-of-loser"

    def _left(self, closing: Round) -> str:
        """Return the pips left in each hand, for a sentence; the tiles where these score."""
        measure = int.bit_count if self._by_tiles else self.rules.tiles.pips_in
        rests = enumerate(closing.rests())
        return ", ".join(f"{SEATS[s]} {measure(rest)}" for s, rest in rests if rest is not None)

    @property
    def _by_tiles(self) -> bool:
        """Whether round-end points count tiles, not pips."""
        return self.rules.domino_points is Settlement.TILES_X5

    def _list_round(self, closing: Round, score: RoundScore) -> None:
        if False in closing.known:
            self.partial = True
        spinner = closing.layout.spinner
        name = None if spinner is None else self.rules.tiles.tiles[spinner].name
        ended = None if closing.ended is None else closing.ended.word
        scores = tuple(self.card.scores)
        self.rounds.append(RoundRecord(self.number, name, closing.led_by, ended, score.winner, score.points, scores))

    def would_be_totals(self) -> list[int]:
        """Return the totals if the settlement closed at the current line (NOTATION.md 4)."""
        card, ended = self.card, self.round
        if self.settled or ended is None or ended.ended is None or card.ended is not None:
            return card.scores[:]
        points, held = self.settlement().score.points, self.claims.held_call
        if held is not None or self.rules.cap_at_target:
            return card.foresee(points, held)
        return list(map(add, card.scores, points))

    # ---- Rounds

    def begin_round(self) -> None:
        """Begin the next round; the end of the last round decides the lead."""
        lead, leader = self._lead()
        self.round = self.new_round(lead, leader)
        self.hidden.begin_round()
        self.number += 1
        self.round_line = self.line
        self.settled = self.opened = self.play_stopped = self.bell_waits = self.last_turn = False
        self.first_play = len(self.claims.plays)
        self.recorded = {}
        if self.lots:
            self.lots = {}

    def new_round(self, lead: Lead, leader: Seat | None) -> Round:
        """Make a round of this game, before its deal."""
        return Round(self.rules, self.seats, lead, leader)

    def other_rulings(self) -> list[Ruling]:
        """Return the rulings besides muggins after the last line; note their findings."""
        return []

    def _lead(self) -> tuple[Lead, Seat | None]:
        before, rules = self.round, self.rules
        if before is None:
            return rules.lead_first, None
        if self.card.overtime:
            return Lead.HIGHEST_DOUBLE, None
        lead = rules.lead_after_block if before.ended is _BLOCKED else rules.lead_later
        if lead is _DOMINOER_ANY or lead is _WINNER_ANY:
            winner = self.rounds[-1].winner
            # Nobody won a blocked tie: the lead is drawn by lot again (RULES.md 1.6).
            return (lead, winner) if winner is not None else (Lead.LOT, None)
        return lead, None

    @staticmethod
    def scores_text(numbers: Iterable[int]) -> str:
        """Write numbers by seat as in the record."""
        return "-".join(map(str, numbers))

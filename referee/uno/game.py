"""State of a replay, for tiles that match by colour or kind (RULES.md 4.3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from games.errors import Reason
from games.moves import SEATS, Blocked, Draw, Pass, Seat, Show
from games.notation.gamelog import GameLog
from games.round import Round, RoundEnd
from games.ruleset import Deadlock, Lead, Ruleset
from games.settlement import RoundScore
from games.uno.calls import WildFour
from games.uno.round import ColourRound
from referee.game import RULE_OF, ReplayedGame, about
from referee.hands.bounds import Leftovers
from referee.hands.deals import NoDeal
from referee.hands.uno_deals import UnseenRacks
from referee.hands.unproved import RoundBooking
from referee.verdict import Finding, Placement, Ruling, severity

COLOUR_RULE_OF: Mapping[Reason, str] = {
    **RULE_OF,
    Reason.FORCED_DRAW: "forced",
    Reason.WRONG_RULING: "challenge",
    Reason.WRONG_COUNT: "record",
}
"""Rule cited by a finding, by its slug."""
PLAYED_OUT = frozenset({RoundEnd.DOMINO, RoundEnd.DEAD_END, RoundEnd.BLOCKED})
"""Ends of a round with points; the bell has none."""


class ColourGame(ReplayedGame):
    """A game of Uno Dominoes under replay.

    ``challenges`` are the challenged Wild Draw Fours.
    """

    __slots__ = ("challenges", "placements", "ruled", "unseen")

    about = about(COLOUR_RULE_OF)

    def __init__(self, log: GameLog, rules: Ruleset) -> None:
        super().__init__(log, rules)
        self.challenges: list[WildFour] = []
        self.placements: list[Placement] = []
        self.ruled: list[Ruling] = []
        self.unseen = UnseenRacks()

    @property
    def played(self) -> Sequence[Placement]:
        """Plays so far, in order; none of them scores."""
        return self.placements

    @property
    def colours(self) -> ColourRound | None:
        """Current or last round."""
        return cast("ColourRound | None", self.round)

    def need_colours(self) -> ColourRound:
        """Return the current round, or stop before the first round."""
        return cast(ColourRound, self.need_round())

    def new_round(self, lead: Lead, leader: Seat | None) -> Round:
        """Make a round of this game, with the interface of a finished :class:`Round`."""
        self.unseen = UnseenRacks()
        return cast(Round, ColourRound(self.rules, self.seats, lead, leader))

    # ---- Unseen racks

    def note_unseen(self, live: Round, event: Draw | Pass | Show | Blocked) -> None:
        """Keep the shown tiles.

        A pass and a block prove nothing about a rack (RULES.md 2.25, 2.27).
        """
        if isinstance(event, Show):
            self.unseen.show(self.line, cast(ColourRound, live), event, self.hidden.dealt)

    def judge_hidden(self, closing: Round) -> None:
        """Judge unknown racks by the record (NOTATION.md 4).

        Raises :class:`NoDeal` if no deal fits.
        """
        unseen = self.unseen
        if unseen.clash is not None:
            line, say, facts = unseen.clash
            self.find(Reason.NO_CONSISTENT_DEAL, say, line=line, **facts)
            self.hidden.no_deal = True
            raise NoDeal
        if unseen.better and unseen.led is not None:
            line, tile = unseen.led
            names = {"tile": self.rules.tiles.tiles[tile].name, "due": self.names(unseen.better)}
            leader = SEATS[cast(int, closing.led_by)]
            self.find(Reason.WRONG_LEAD, line=line, seat=leader, **names)

    # ---- Penalties

    def draws_at_end(self, seat: Seat) -> bool:
        """Return whether a seat draws a penalty after the last play (RULES.md 2.31).

        The draw belongs to the points of the round, which a later bell keeps (NOTATION.md 4, 7.18).
        """
        live = self.colours
        return live is not None and live.ended in PLAYED_OUT and live.owed(seat) > 0

    def find_unpaid(self, unpaid: list[Seat]) -> None:
        """Find the seats that have not drawn their penalty before a turn or settlement."""
        if unpaid:
            self.find(Reason.FORCED_DRAW, seats=" and ".join(SEATS[seat] for seat in unpaid))

    def settlement_line(self) -> None:
        """Check penalties before a line of the settlement (NOTATION.md 7.18)."""
        live = self.colours
        if live is None or self.settled or self.live:
            return
        if live.ended in PLAYED_OUT:
            self.find_unpaid(live.begin_turn(None))

    # ---- Rulings

    def rule_on(self, ruling: Ruling, say: str, **facts: Any) -> None:
        """Note a ruling and its finding."""
        reason = Reason.CLAIM_UPHELD if ruling.upheld else Reason.CLAIM_REJECTED
        self.ruled.append(ruling)
        if (ruling.line, reason.value) in self._found:
            return
        self._found.add((ruling.line, reason.value))
        facts |= {"claimant": SEATS[ruling.claimant], "play": ruling.play}
        facts["against"] = "" if ruling.against is None else SEATS[ruling.against]
        self.findings.append(Finding(ruling.line, reason.value, severity(reason).value, ruling.rule, say, facts))

    def other_rulings(self) -> list[Ruling]:
        """Return the rulings on catches and challenges, one each.

        An undecided challenge leaves the play unchanged.
        """
        for wild in self.challenges:
            guilty = bool(wild.guilty)
            rule = self.rules.rule_id("challenge")
            ruling = Ruling(wild.challenged, wild.victim, wild.player, wild.line, None, guilty, 0, rule)
            say = "challenge-open" if wild.guilty is None else f"challenge-{'guilty' if guilty else 'innocent'}"
            if wild.known and wild.guilty is not None and not wild.inferred:
                say += "-known"
            self.rule_on(ruling, say, tiles=self.names(wild.rack & wild.banned))
        return self.ruled

    # ---- Settlement

    def _settle(self) -> RoundBooking:
        """Return the round-end points (RULES.md 2.34, 2.36).

        The player that went out, or closed the last arm, has the others'.
        """
        ended = self.colours
        nobody = RoundBooking(RoundScore(None, (0,) * self.seats), True, {})
        if ended is None or ended.ended not in PLAYED_OUT:
            return nobody
        if ended.scorer is None and self.rules.block is Deadlock.VOID:
            return nobody
        return self._settle_rests(cast(Round, ended), ended.scorer)

    def unseen_rests(self, ended: Round) -> Sequence[Leftovers]:
        """Return the tiles that may be left on the racks (NOTATION.md 4).

        Draws and passes prove nothing about them.
        """
        return self.unseen.rests(cast(ColourRound, ended), self.hidden.dealt)

    def _points_sentence(self, closing: Round, settled: RoundBooking, seat: Seat) -> str:
        say = super()._points_sentence(closing, settled, seat)
        return "wrong-points-racks" if say == "wrong-points" else say

"""Hands of Uno Dominoes for tests: played to their end by levels of the computer, or up to a turn."""

from collections.abc import Mapping, Sequence
from random import Random

from games.moves import Draw, Seat
from games.round import RoundEnd
from games.ruleset import Lead
from games.rulesets import get
from games.tile import Tile
from games.uno.round import ColourRound
from league.house.levels import Level
from league.house.uno_knowledge import known_at_uno, known_of_wild_four
from league.house.uno_levels import challenges, choose_uno

RULES = get("uno-dominoes")


class UnoHand:
    """A hand whose seats are played by levels; the same seed deals the same tiles."""

    def __init__(self, levels: Sequence[Level], seed: object, options: Mapping[str, str] | None = None) -> None:
        self.levels, self.seed, self.turns = levels, seed, 0
        self.pile: list[Tile] = list(RULES.tiles.tiles)
        Random(f"deal {seed}").shuffle(self.pile)
        self.live = ColourRound(RULES.with_options(options or {}), len(levels), Lead.HIGHEST_DOUBLE)
        for seat in range(len(levels)):
            self.live.deal(seat, 6, self.taken(6))
        while not self.live.starter_seen:
            self.draw(self.live.next_lead_drawer, 1)

    def taken(self, count: int) -> tuple[Tile, ...]:
        return tuple(self.pile.pop() for _tile in range(min(count, len(self.pile))))

    def draw(self, seat: Seat, count: int) -> None:
        tiles = self.taken(count)
        self.live.apply(Draw(seat, len(tiles), tiles))

    def step(self) -> None:
        """Let the seat to act move, after all penalties."""
        live, self.turns = self.live, self.turns + 1
        wild, chance = live.wild_four, f"{self.seed} {self.turns}"
        asked = wild is not None and live.can_challenge(wild.victim) and live.held[wild.player]
        if wild and asked and challenges(known_of_wild_four(wild.victim, live), self.levels[wild.victim], chance):
            live.challenge(1)
        self.pay()
        seat = live.to_act
        assert seat is not None
        live.begin_turn(seat)
        move = choose_uno(known_at_uno(seat, live), self.levels[seat], chance)
        if isinstance(move, Draw):
            self.draw(seat, 1)
        else:
            live.apply(move)

    def pay(self) -> None:
        for seat in self.live.unpaid:
            self.draw(seat, self.live.debts[seat])

    def played(self) -> list[int]:
        """Play the hand to its end; the points of each seat (RULES.md 2.27, 2.34, 2.36)."""
        while self.live.ended is None:
            self.step()
        self.pay()
        rests = [RULES.tiles.pips_in(rack) for rack in self.live.hands]
        winner = self.live.scorer
        if self.live.ended is RoundEnd.BLOCKED and rests.count(min(rests)) == 1:
            winner = rests.index(min(rests))
        return [sum(rests) - rests[seat] if seat == winner else 0 for seat in range(len(rests))]

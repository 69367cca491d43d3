"""Swiss tournaments played by chance, and what a round costs, worked out in another way than the pairing does."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations
from random import Random

from league.competitions.formats.swiss import Contender, NoPairing, Past, SwissRound, pair, state_of


@dataclass
class Event:
    """A tournament under way: who is there, what was played."""

    chance: Random
    here: list[tuple[int, int]]
    past: list[list[Past]] = field(default_factory=list)

    def contenders(self) -> list[Contender]:
        return state_of(self.here, self.past)

    @property
    def played(self) -> set[frozenset[int]]:
        """Who has met whom at a table."""
        return {frozenset((one.first, one.second)) for past in self.past for one in past if one.kind == "played"}

    @property
    def rested(self) -> set[int]:
        """Who had a bye or won by forfeit."""
        every = [one for past in self.past for one in past]
        return {one.first for one in every if one.kind == "bye"} | {
            one.winner for one in every if one.kind == "forfeit" and one.winner is not None
        }

    def play(self, drawn: SwissRound, absent: list[Contender]) -> None:
        """Draws and forfeits, of one or of both, among the results; some leave, somebody comes late."""
        chance = self.chance
        past = [Past(one.id, kind="absent") for one in absent]
        past += [] if drawn.bye is None else [Past(drawn.bye, kind="bye")]
        for one in drawn.pairs:
            winner = chance.choice([one.first, one.second, one.first, one.second, None])
            past.append(Past(one.first, one.second, winner, "forfeit" if chance.random() < 0.05 else "played"))
        self.past.append(past)
        self.here = [one for one in self.here if len(self.here) < 5 or chance.random() > 0.02]
        if chance.random() < 0.05:
            self.here.append((2000 + len(self.past), 2000 + len(self.past)))


def event(seed: int, fewest: int, most: int) -> Event:
    chance = Random(seed)
    ids = chance.sample(range(1, 1000), chance.randint(fewest, most))
    return Event(chance, [(id_, number) for number, id_ in enumerate(ids, start=1)])


def rounds(seed: int, fewest: int, most: int) -> Iterator[tuple[Event, list[Contender], SwissRound | NoPairing]]:
    """Round by round what was played, who is to be paired, and the round or why there is none, which ends it all."""
    one = event(seed, fewest, most)
    for _ in range(min(len(one.here) - 1, 4 + len(one.here).bit_length())):
        everybody = one.contenders()
        absent = [each for each in everybody if len(everybody) > 6 and one.chance.random() < 0.02]
        contenders = [each for each in everybody if each not in absent]
        try:
            drawn = pair(contenders)
        except NoPairing as none:
            yield one, contenders, none
            return
        yield one, contenders, drawn
        one.play(drawn, absent)


# --- The costs of a round, from the sentences of COMPETITIONS.md ---

Pairs = list[tuple[Contender, Contender]]


def pairs_of(contenders: list[Contender], drawn: SwissRound) -> tuple[Pairs, Contender | None]:
    by_id = {one.id: one for one in contenders}
    return [(by_id[one.first], by_id[one.second]) for one in drawn.pairs], by_id.get(drawn.bye)


def costs(contenders: list[Contender], pairs: Pairs, bye: Contender | None) -> tuple[int, ...]:
    """Second byes and the bye's score, squared score differences, second floats; of the fold who leaves a group, pairs
    of one half and distance; of leads once the round is played the sum of squares, then who lead, or don't, again."""
    groups = {
        score: sorted((one for one in contenders if one.score == score), key=lambda one: one.number)
        for score in {one.score for one in contenders}
    }
    squares = floats = leavers = same_half = fold = sides = running = 0
    for pair_ in pairs:
        upper, lower = sorted(pair_, key=lambda one: (-one.score, one.number))
        top, bottom = groups[upper.score], groups[lower.score]
        squares += (upper.score - lower.score) ** 2
        if top is bottom:
            half, rest = divmod(len(top), 2)
            first_half, second_half = top[: half + rest], top[half:]
            middle = set(first_half) & set(second_half)
            same_half += any({upper, lower} <= set(one) - middle for one in (first_half, second_half))
            fold += (bottom.index(lower) - top.index(upper) - half) ** 2
        else:
            off = len(top) - 1 - top.index(upper) + bottom.index(lower)
            leavers += off
            fold += off**2
            floats += (1 in upper.floats[-2:]) + (-1 in lower.floats[-2:])
        first, second = sorted(pair_, key=lambda one: one.leads)
        sides += (first.leads + 1) ** 2 + (second.leads - 1) ** 2
        running += upper.led_last is not None and upper.led_last is lower.led_last
    if bye is None:
        return (0, 0, squares, floats, leavers, same_half, fold, sides, running)
    floats += 1 in bye.floats[-2:]
    sides += bye.leads**2
    leavers += len(groups[bye.score]) - 1 - groups[bye.score].index(bye)
    return (bye.byes, bye.score, squares, floats, leavers, same_half, fold, sides, running)


def least(contenders: list[Contender]) -> tuple[int, ...] | None:
    """The least costs of all legal rounds, by looking at every one of them; None if there is none."""
    byes = [None]
    if len(contenders) % 2:
        without = [one for one in contenders if not one.byes]
        byes = without or contenders
    every = (
        costs(contenders, pairs, bye)
        for bye in byes
        for pairs in matchings([one for one in contenders if one is not bye])
    )
    return min(every, default=None)


def matchings(left: list[Contender]) -> Iterator[Pairs]:
    """Every way to pair them in which nobody meets somebody again."""
    if not left:
        yield []
        return
    one, *others = left
    for other in others:
        if other.id not in one.met:
            for pairs in matchings([each for each in others if each is not other]):
                yield [(one, other), *pairs]


def met_again(played: set[frozenset[int]], drawn: SwissRound) -> list[tuple[int, int]]:
    return [(one.first, one.second) for one in drawn.pairs if frozenset((one.first, one.second)) in played]


def seated(drawn: SwissRound) -> list[int]:
    ids = [id_ for one in drawn.pairs for id_ in (one.first, one.second)]
    return sorted(ids if drawn.bye is None else [*ids, drawn.bye])


def all_met(*ids: int) -> dict[int, frozenset[int]]:
    """Each of them has met the others."""
    met: dict[int, set[int]] = {id_: set() for id_ in ids}
    for one, other in combinations(ids, 2):
        met[one].add(other)
        met[other].add(one)
    return {id_: frozenset(others) for id_, others in met.items()}

"""Round robin by the Berger tables (FIDE Handbook C.05, Annex 1; COMPETITIONS.md). Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from league.competitions.formats.drawn import DrawnBerth, DrawnRound, DrawnSlot, RoundKind


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two seeds, from 1. `first` leads the first round of the match."""

    first: int
    second: int


@dataclass(frozen=True, slots=True)
class PairedRound:
    """One matchday: who meets whom, and who sits out (None with an even number)."""

    pairings: tuple[Pairing, ...]
    bye: int | None = None


def berger(n: int, *, double: bool = False) -> list[PairedRound]:
    """The whole draw for `n` entrants: n-1 rounds, n where n is odd; twice as many when `double`.

    Everybody meets everybody once (twice), and leads about half of the matches: the numbers differ by at most one in
    a single cycle. In a double round robin sides change in the second cycle, and the last two rounds of the first are
    swapped, so that nobody has three in a row on one side. Raises ValueError below two entrants.
    """
    if n < 2:
        raise ValueError(f"a round robin takes two entrants or more, not {n}")
    places = n + n % 2
    cycle = [_round(number, places, n) for number in range(1, places)]
    if not double:
        return cycle
    first = [*cycle[:-2], *reversed(cycle[-2:])]
    return first + [_mirrored(one) for one in cycle]


def round_robin(n: int, *, double: bool = False) -> list[DrawnRound]:
    """The Berger tables as a draw; whoever sits out has a bye, the last slot of the round. Raises as `berger`."""
    berths = [DrawnBerth(seed) for seed in range(1, n + 1)]  # values: one of each seed serves in every round
    return [DrawnRound(RoundKind.PLAIN, tuple(_slots(one, berths))) for one in berger(n, double=double)]


def _slots(one: PairedRound, berths: Sequence[DrawnBerth]) -> Iterator[DrawnSlot]:
    for pair in one.pairings:
        yield DrawnSlot((berths[pair.first - 1], berths[pair.second - 1]))
    if one.bye:
        yield DrawnSlot((berths[one.bye - 1],))


def _round(number: int, places: int, n: int) -> PairedRound:
    """Round 1 is 1–n, 2–(n-1), …; each next one adds n/2 to the others' numbers modulo n-1, while n stays where it
    is.
    """
    shift = (number - 1) * (places // 2)
    moved = [(seat + shift) % (places - 1) + 1 for seat in range(places - 1)]
    fixed = (moved[0], places) if number % 2 else (places, moved[0])
    pairs = [fixed, *((moved[i], moved[places - 1 - i]) for i in range(1, places // 2))]
    bye = next((a if b > n else b for a, b in pairs if max(a, b) > n), None)
    return PairedRound(tuple(Pairing(a, b) for a, b in pairs if max(a, b) <= n), bye)


def _mirrored(one: PairedRound) -> PairedRound:
    return PairedRound(tuple(Pairing(pair.second, pair.first) for pair in one.pairings), one.bye)

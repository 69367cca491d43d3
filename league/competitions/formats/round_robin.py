"""Round robin by the Berger tables. Pure.

Source: FIDE Handbook C.05, Annex 1; COMPETITIONS.md.
"""

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
    """One round: its pairings, and the bye (None with an even number of entrants)."""

    pairings: tuple[Pairing, ...]
    bye: int | None = None


def berger(n: int, *, double: bool = False) -> list[PairedRound]:
    """Draw a round robin of `n` entrants: n-1 rounds, n for odd n; twice if `double`.

    All meet once (twice), and lead about half of their matches: the numbers differ by at most one in a single cycle. In
    a double round robin sides change in the second cycle, and the last two rounds of the first are swapped, so that
    nobody has the same side three times in a row. Raises ValueError below two entrants.
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
    """Convert the Berger tables to a draw; a bye is the last slot of its round.

    Raises as `berger`.
    """
    berths = [DrawnBerth(seed) for seed in range(1, n + 1)]  # immutable, so all rounds share them
    return [DrawnRound(RoundKind.PLAIN, tuple(_slots(one, berths))) for one in berger(n, double=double)]


def _slots(one: PairedRound, berths: Sequence[DrawnBerth]) -> Iterator[DrawnSlot]:
    for pair in one.pairings:
        yield DrawnSlot((berths[pair.first - 1], berths[pair.second - 1]))
    if one.bye:
        yield DrawnSlot((berths[one.bye - 1],))


def _round(number: int, places: int, n: int) -> PairedRound:
    """Pair one round of the Berger tables.

    Round 1 is 1–n, 2–(n-1), …; each later round adds n/2 to the other numbers modulo n-1, while n stays in place.
    """
    shift = (number - 1) * (places // 2)
    moved = [(seat + shift) % (places - 1) + 1 for seat in range(places - 1)]
    fixed = (moved[0], places) if number % 2 else (places, moved[0])
    pairs = [fixed, *((moved[i], moved[places - 1 - i]) for i in range(1, places // 2))]
    bye = next((a if b > n else b for a, b in pairs if max(a, b) > n), None)
    return PairedRound(tuple(Pairing(a, b) for a, b in pairs if max(a, b) <= n), bye)


def _mirrored(one: PairedRound) -> PairedRound:
    return PairedRound(tuple(Pairing(pair.second, pair.first) for pair in one.pairings), one.bye)

"""Glicko-2 ratings. Pure.

Source: M. E. Glickman, "Example of the Glicko-2 system", 2013; step numbers below are from there. Ratings and
deviations are on the usual scale (1500, 350). Sums are exact (`fsum`), so that the order of games never changes a
number.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import exp, fsum, log, pi, sqrt

SCALE = 173.7178
MIDDLE = 1500.0
# Precision of the new volatility (step 5).
CLOSE = 1e-6
# Points of one side in halves: a game without a winner gives one half to both.
WON, LEVEL, LOST = 2, 1, 0


@dataclass(frozen=True, slots=True)
class Strength:
    """A rating with its uncertainty and volatility.

    With a probability of 95% the true strength is within `rating` ± 2 · `deviation`.
    """

    rating: float
    deviation: float
    volatility: float


@dataclass(frozen=True, slots=True)
class Scheme:
    """Settings of a list: strength of a newcomer, and τ, which limits the volatility."""

    start: Strength = Strength(1500.0, 350.0, 0.06)
    tau: float = 0.5


USUAL = Scheme()


@dataclass(frozen=True, slots=True)
class RatedBout:
    """A game between two players in a period; `points` of the first one, in halves."""

    period: int
    first: int
    second: int
    points: int


@dataclass(frozen=True, slots=True)
class Held:
    """A player's strength after their last period with a game, and their games so far."""

    strength: Strength
    period: int
    played: int


@dataclass(frozen=True, slots=True)
class Step:
    """One player's change in one period with games.

    `before` includes the uncertainty from the pause since the last period with a game. `played` counts all games so
    far.
    """

    player: int
    period: int
    before: Strength
    after: Strength
    games: int
    played: int


def expected(one: Strength, other: Strength) -> float:
    """Give the expected points of `one` in a game, from 0 to 1: E of step 3."""
    return _expected(_mu(one), _mu(other), _weight(other.deviation / SCALE))


def chance(one: Strength, other: Strength) -> float:
    """Give the probability that `one` wins, with both uncertainties.

    Source: FICS help "glicko", which cites Glickman.
    """
    both = sqrt(one.deviation**2 + other.deviation**2) / SCALE
    return _expected(_mu(one), _mu(other), _weight(both))


def idle(one: Strength, periods: int, scheme: Scheme = USUAL) -> Strength:
    """Give the strength after periods without a game (step 6).

    Each period makes it less certain, but never less certain than a newcomer.
    """
    if periods <= 0:
        return one
    grown = SCALE * sqrt((one.deviation / SCALE) ** 2 + periods * one.volatility**2)
    most = max(scheme.start.deviation, one.deviation)
    return Strength(one.rating, min(grown, most), one.volatility)


def after(one: Strength, games: Sequence[tuple[Strength, float]], scheme: Scheme = USUAL) -> Strength:
    """Give the strength after a period with these opponents and points (1, ½ or 0).

    All games count at once: steps 2 to 8.
    """
    mu, phi = _mu(one), one.deviation / SCALE
    weights = [_weight(other.deviation / SCALE) for other, _points in games]
    hopes = [_expected(mu, _mu(other), weight) for (other, _points), weight in zip(games, weights, strict=True)]
    certain = fsum(weight * weight * hope * (1 - hope) for weight, hope in zip(weights, hopes, strict=True))
    gained = fsum(
        weight * (points - hope) for (_other, points), weight, hope in zip(games, weights, hopes, strict=True)
    )
    volatility = _volatility(phi, one.volatility, 1 / certain, gained / certain, scheme.tau)
    squared = 1 / (1 / (phi * phi + volatility * volatility) + certain)
    return Strength(MIDDLE + SCALE * (mu + squared * gained), SCALE * sqrt(squared), volatility)


def _mu(one: Strength) -> float:
    return (one.rating - MIDDLE) / SCALE


def _weight(phi: float) -> float:
    """Give g of step 3: the weight of a game against an opponent this uncertain."""
    return 1 / sqrt(1 + 3 * phi * phi / (pi * pi))


def _expected(mu: float, other: float, weight: float) -> float:
    # Limited to 30 against overflow; nobody is ever expected to win for certain.
    return 1 / (1 + exp(max(-30.0, min(30.0, -weight * (mu - other)))))


def _volatility(phi: float, sigma: float, variance: float, delta: float, tau: float) -> float:
    """Find the new volatility by the Illinois algorithm (step 5)."""
    start = log(sigma * sigma)

    def slope(x: float) -> float:
        grown = phi * phi + variance + exp(x)
        return exp(x) * (delta * delta - grown) / (2 * grown * grown) - (x - start) / (tau * tau)

    low = start
    if delta * delta > phi * phi + variance:
        high = log(delta * delta - phi * phi - variance)
    else:
        high = start - tau
        while slope(high) < 0:
            high -= tau
    at_low, at_high = slope(low), slope(high)
    while abs(high - low) > CLOSE:
        middle = low + (low - high) * at_low / (at_high - at_low)
        at_middle = slope(middle)
        if at_middle * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = middle, at_middle
    return exp(low / 2)


def steps(bouts: Iterable[RatedBout], held: Mapping[int, Held], scheme: Scheme = USUAL) -> Iterator[Step]:
    """Yield every player's step in every period of `bouts`, by period, then by player.

    `held`: strengths of earlier players; all others are newcomers.
    """
    now = dict(held)
    for period, games in groupby(sorted(bouts, key=lambda one: one.period), key=lambda one: one.period):
        found = list(_period(period, list(games), now, scheme))
        yield from found
        now.update((one.player, Held(one.after, period, one.played)) for one in found)


def _period(period: int, bouts: Sequence[RatedBout], now: Mapping[int, Held], scheme: Scheme) -> Iterator[Step]:
    met: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for bout in bouts:
        met[bout.first].append((bout.second, bout.points))
        met[bout.second].append((bout.first, WON - bout.points))
    before = {one: onset(now.get(one), period, scheme) for one in met}
    for player in sorted(met):
        games = [(before[other], points / WON) for other, points in met[player]]
        played = len(games) + (now[player].played if player in now else 0)
        yield Step(player, period, before[player], after(before[player], games, scheme), len(games), played)


def onset(held: Held | None, period: int, scheme: Scheme = USUAL) -> Strength:
    """Give the strength of a player at the beginning of a period."""
    return idle(held.strength, period - held.period - 1, scheme) if held else scheme.start

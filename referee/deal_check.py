"""Check of a dealt game: the tiles lie as the seed says that the server and the players gave.

The server shows the SHA-256 of its secret before the wash, and each player adds words. After the game the log has all
of them in its tags: `Deal.Hash`, `Deal.Secret`, and `Deal.Words.A` for each seat. The seed is the SHA-256, in
hexadecimal, of the secret and the words by seat, each in a line of its own; `referee.wash` washes by it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

from games.moves import SEATS, Deal, Draw, Lot, RoundStart
from games.notation.gamelog import Entry, GameLog
from games.rulesets import RULESETS
from games.tile import Tile
from referee.wash import lots, washed

HASH, SECRET, WORDS = "Deal.Hash", "Deal.Secret", "Deal.Words."


@dataclass(frozen=True, slots=True)
class DealFault:
    """A line of a log that is not as dealt; ``line`` 0: the tags."""

    line: int
    message: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.message}" if self.line else self.message


def hash_of(secret: str) -> str:
    """Return the SHA-256 of a secret in hexadecimal: shown before the wash."""
    return sha256(secret.encode()).hexdigest()


def seed_of(secret: str, words: Sequence[str]) -> str:
    """Return the seed of a deal: ``words`` by seat."""
    return sha256("\n".join([secret, *words]).encode()).hexdigest()


def deal_tags(secret: str, words: Sequence[str]) -> dict[str, str]:
    """Return the tags that open a deal, for the log of the finished game."""
    said = {f"{WORDS}{SEATS[seat]}": text for seat, text in enumerate(words)}
    return {HASH: hash_of(secret), SECRET: secret, **said}


def check_deal(log: GameLog) -> list[DealFault]:
    """Return the faults of a deal, none if every hand, lot and draw is as the seed says."""
    words = [log.tags.get(f"{WORDS}{seat}") for seat in log.seats]
    missing = [tag for tag in (HASH, SECRET) if tag not in log.tags]
    missing += [f"{WORDS}{seat}" for seat, text in zip(log.seats, words, strict=True) if text is None]
    if missing:
        return [DealFault(0, f"the log does not open its deal: no {', '.join(missing)}")]
    secret = log.tags[SECRET]
    if hash_of(secret) != log.tags[HASH]:
        return [DealFault(0, f"the secret does not have the hash {log.tags[HASH]}")]
    seed = seed_of(secret, [text for text in words if text is not None])
    return [fault for hand in _hands(log) for fault in _faults(log, seed, hand)]


def _hands(log: GameLog) -> Iterator[tuple[int, Sequence[Entry]]]:
    for dealt in log.rounds:
        yield dealt.number, dealt.entries


def _faults(log: GameLog, seed: str, hand: tuple[int, Sequence[Entry]]) -> Iterator[DealFault]:
    """Yield the first line of a hand that is not as dealt: the later ones follow from it."""
    number, entries = hand
    tiles, seats = RULESETS[log.ruleset].tiles.tiles, len(log.seats)
    order, lead = washed(tiles, seed, number), lots(tiles, seed, number, seats)
    dealt: Mapping[int, Sequence[Tile]] = {}
    for line, _at, event in entries:
        due: Sequence[Tile] = ()
        if isinstance(event, RoundStart):
            sizes = [one.event.count for one in entries if isinstance(one.event, Deal)]
            dealt = {seat: order[sum(sizes[:seat]) : sum(sizes[: seat + 1])] for seat in range(len(sizes))}
            order = order[sum(sizes) :]
        elif isinstance(event, Deal):
            due = dealt.get(event.seat, ())
        elif isinstance(event, Lot):
            due = lead[event.seat : event.seat + 1]
        elif isinstance(event, Draw):
            due, order = order[: event.count], order[event.count :]
        given = (event.tile,) if isinstance(event, Lot) else getattr(event, "tiles", ())
        if isinstance(event, Deal | Draw | Lot) and tuple(given) != tuple(due):
            names = " ".join(tile.name for tile in due) or "no tile"
            yield DealFault(line, f"hand {number}: the seed gives {SEATS[event.seat]} {names} here")
            return

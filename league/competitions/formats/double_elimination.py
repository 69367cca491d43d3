"""Double elimination for three entrants or more (COMPETITIONS.md, formats). Pure."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from league.competitions.formats.drawn import DrawnBerth, DrawnRound, DrawnSlot, RoundKind, Section, Source
from league.competitions.formats.single_elimination import single_elimination

FEWEST_FOR_TWO_LIVES = 3
# By bracket size: how the losers of winners' round 2, 3, … but the last are reordered on their way down, from the
# largest part to the smallest. "110": the halves, and the quarters within each half, are exchanged, the eighths are
# not. So the loser of slot p (from 0) drops to p XOR this number. Losers of round 1 keep their order. Values up to size
# 128 give COMPETITIONS.md's earliest rounds of a rematch; an exhaustive search found none of this kind that is better
# in all rounds. Larger ones add a round to the next smaller bracket (docs/decisions/formats.md).
CROSSINGS = {
    8: "1",
    16: "10 0",
    32: "110 10 0",
    64: "1000 010 11 1",
    128: "11000 1000 010 00 0",
    256: "001000 11100 1010 011 00 0",
    512: "0100000 011000 10100 1110 001 01 0",
    1024: "11000000 1000000 101000 01100 0010 111 10 1",
    2048: "010000000 10000000 1100000 111000 00100 0110 101 11 1",
    4096: "1010000000 111000000 00100000 0110000 010000 10000 1100 000 01 0",
    8192: "01010000000 1111000000 101100000 01110000 0011000 000100 11010 1001 010 00 0",
}
MOST_WITH_TWO_LIVES = max(CROSSINGS)


class _Leaver(NamedTuple):
    """Winner or loser of a slot of either bracket, before both are merged; from 1."""

    section: Section
    round_number: int
    slot_number: int
    loser: bool = False


class _LosersMatch(NamedTuple):
    """A match of the losers' bracket; `place`: its number in its round if nobody had a bye."""

    place: int
    first: _Leaver
    second: _Leaver


class _LosersRound(NamedTuple):
    """A round of the losers' bracket; `phase`: its number if nobody had a bye."""

    phase: int
    matches: list[_LosersMatch]


def double_elimination(n: int, *, reset: bool = True, late: Sequence[int] = ()) -> list[DrawnRound]:
    """Draw a double elimination of `n` entrants and the `late` ones: 2n-2 matches, and the `reset`.

    The winners' bracket is that of `single_elimination`, with the same `late`. Its losers of round 1 meet in losers'
    round 1, those of round r > 1 drop into losers' round 2(r-1). A slot of the losers' bracket that can only ever have
    one arrival is left out, and so is a round without slots: every losers' slot is a match. Rounds are a single list in
    which each can be played after those before it: winners' round r, then the losers' rounds that its losers make
    possible. The final has the winners' champion first; the reset, one more match, is `conditional` and has the same
    two again.

    Raises ValueError below three entrants (with two, the only loser meets the winner again at once) and above 8,192,
    the largest bracket of CROSSINGS.
    """
    if not FEWEST_FOR_TWO_LIVES <= n <= MOST_WITH_TWO_LIVES:
        raise ValueError(f"double elimination takes {FEWEST_FOR_TWO_LIVES} to {MOST_WITH_TWO_LIVES} entrants, not {n}")
    winners = single_elimination(n, late=late)
    order, losers = _in_playable_order(winners)
    numbers = {key: number for number, key in enumerate(order, start=1)}
    rounds = [
        _winners_round(winners[number - 1], numbers)
        if section == Section.WINNERS
        else _losers_round(losers[number - 1], numbers)
        for section, number in order
    ]
    return [*rounds, *_final_rounds(numbers[Section.WINNERS, len(winners)], len(rounds), reset=reset)]


def crossing(size: int, round_number: int) -> int:
    """Give the XOR value for the losers of a winners' round.

    Slots are counted from 0; `size` is that of the bracket.
    """
    orders = CROSSINGS[size].split() if size in CROSSINGS else []
    return int(orders[round_number - 2], 2) if 2 <= round_number < len(orders) + 2 else 0


def _in_playable_order(winners: Sequence[DrawnRound]) -> tuple[list[tuple[Section, int]], list[_LosersRound]]:
    """List both brackets' rounds by section and number, and the losers' rounds."""
    order = [(Section.WINNERS, 1)]
    losers: list[_LosersRound] = []
    waiting = _dropped(winners, 1)
    for number in range(2, len(winners) + 1):
        before = len(losers)
        waiting = _meet(zip(waiting[::2], waiting[1::2], strict=True), losers, phase=2 * number - 3)
        waiting = _meet(zip(_dropped(winners, number), waiting, strict=True), losers, phase=2 * number - 2)
        order.append((Section.WINNERS, number))
        order.extend((Section.LOSERS, one) for one in range(before + 1, len(losers) + 1))
    return order, losers


def _dropped(winners: Sequence[DrawnRound], number: int) -> list[_Leaver | None]:
    """List the losers of a winners' round in losers' bracket order; None for a bye."""
    slots = winners[number - 1].slots
    moved = crossing(2 ** len(winners), number)
    return [
        None if slots[place ^ moved].is_bye else _Leaver(Section.WINNERS, number, (place ^ moved) + 1, loser=True)
        for place in range(len(slots))
    ]


def _meet(
    pairs: Iterable[tuple[_Leaver | None, _Leaver | None]], losers: list[_LosersRound], *, phase: int
) -> list[_Leaver | None]:
    """Append the pairs' matches to the losers' rounds; return each place's leaver.

    An entrant without an opponent advances. Losers from the winners' bracket have the first berth, because they come
    from the better bracket.
    """
    matches: list[_LosersMatch] = []
    after: list[_Leaver | None] = []
    for place, (first, second) in enumerate(pairs, start=1):
        if first and second:
            matches.append(_LosersMatch(place, first, second))
            after.append(_Leaver(Section.LOSERS, len(losers) + 1, len(matches)))
        else:
            after.append(first or second)
    if matches:
        losers.append(_LosersRound(phase, matches))
    return after


def _winners_round(one: DrawnRound, numbers: dict[tuple[Section, int], int]) -> DrawnRound:
    """Renumber a winners' round in the merged list.

    The first round has no sources, and the second round's source keeps its number: both stay unchanged, which is most
    of the bracket.
    """
    source = one.slots[0].berths[0].source
    if source is None or numbers[Section.WINNERS, source.round_number] == source.round_number:
        return DrawnRound(RoundKind.PLAIN, one.slots, Section.WINNERS)
    before = numbers[Section.WINNERS, source.round_number]
    slots = (DrawnSlot(tuple(_renumbered(berth, before) for berth in slot.berths)) for slot in one.slots)
    return DrawnRound(RoundKind.PLAIN, tuple(slots), Section.WINNERS)


def _renumbered(berth: DrawnBerth, before: int) -> DrawnBerth:
    """Change the source of a berth to the winners' round of this number."""
    return DrawnBerth(berth.seed, Source(before, berth.source.slot_number) if berth.source else None)


def _losers_round(one: _LosersRound, numbers: dict[tuple[Section, int], int]) -> DrawnRound:
    slots = (
        DrawnSlot((_berth(match.first, numbers), _berth(match.second, numbers)), place=match.place)
        for match in one.matches
    )
    return DrawnRound(RoundKind.PLAIN, tuple(slots), Section.LOSERS, one.phase)


def _berth(arrival: _Leaver, numbers: dict[tuple[Section, int], int]) -> DrawnBerth:
    number = numbers[arrival.section, arrival.round_number]
    return DrawnBerth(source=Source(number, arrival.slot_number, arrival.loser))


def _final_rounds(winners_final: int, losers_final: int, *, reset: bool) -> Iterator[DrawnRound]:
    """Yield final and reset.

    `winners_final` and `losers_final`: the numbers of these two rounds in the merged list.
    """
    champions = (DrawnBerth(source=Source(winners_final, 1)), DrawnBerth(source=Source(losers_final, 1)))
    yield DrawnRound(RoundKind.FINAL, (DrawnSlot(champions),), Section.FINAL)
    if reset:
        final = losers_final + 1
        again = (DrawnBerth(source=Source(final, 1)), DrawnBerth(source=Source(final, 1, loser=True)))
        yield DrawnRound(RoundKind.FINAL, (DrawnSlot(again, conditional=True),), Section.FINAL)


def section_before(section: str, number: int, *, loser: bool, conditional: bool) -> str:
    """Give the section of the match that feeds berth `number` of a slot of `section`.

    `loser`: it sends its loser, else its winner. Losers drop from the winners' bracket only; the final has the winners'
    champion first, and the deciding match comes from the final.
    """
    if section == Section.FINAL and not conditional:
        return Section.WINNERS if number == 1 else Section.LOSERS
    return Section.WINNERS if section == Section.LOSERS and loser else section

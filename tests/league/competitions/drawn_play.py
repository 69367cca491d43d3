"""Drawn rounds played to the end by seeds, without a database."""

from random import Random


def numbered(rounds):
    """Every slot with its ((round, slot) number), in the order of the draw."""
    for number, one in enumerate(rounds, start=1):
        for place, slot in enumerate(one.slots, start=1):
            yield (number, place), slot


def matches(rounds):
    """Every slot that is played, whatever happens."""
    return [slot for one in rounds for slot in one.slots if not slot.is_bye and not slot.conditional]


def play(rounds, wins):
    """Who comes out of each slot that is played, (winner, loser) by (round, slot); `wins(a, b)` names the winner of two
    seeds. A bye has no loser; a conditional slot is played only if its source was won by the second berth.
    """
    ends = {}
    for key, slot in numbered(rounds):
        if slot.conditional and not needed(rounds, slot, ends):
            continue
        seeds = [seed_of(berth, ends) for berth in slot.berths]
        winner = seeds[0] if slot.is_bye else wins(*seeds)
        ends[key] = (winner, next((seed for seed in seeds if seed != winner), None))
    return ends


def needed(rounds, slot, ends):
    """Whether whoever stood in the second berth of the earlier slot won it."""
    at = slot.berths[0].source
    before = rounds[at.round_number - 1].slots[at.slot_number - 1]
    return ends[at.round_number, at.slot_number][0] == seed_of(before.berths[1], ends)


def seed_of(berth, ends):
    if berth.source is None:
        return berth.seed
    winner, loser = ends[berth.source.round_number, berth.source.slot_number]
    assert berth.seed in (None, winner)
    return loser if berth.source.loser else winner


def chance(seed):
    rng = Random(seed)
    return lambda *pair: rng.choice(pair)

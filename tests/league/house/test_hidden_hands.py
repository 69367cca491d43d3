"""Sampled hands fit what everybody saw, each with the same chance, and never depend on the true ones."""

from collections import Counter
from itertools import islice, permutations
from random import Random

import pytest

from games.layout import Layout
from games.moves import Draw, Pass, Play
from games.round import Round
from games.ruleset import Lead
from games.rulesets import get
from league.house.hidden_hands import deals
from league.house.history import PublicAct, absent, public_history
from league.house.knowledge import Knowledge, known_to
from tests.league.house.hands import SYSTEMS, played_to
from tests.volume import amount

RULES = get("muggins")
TILES = RULES.tiles


def tile(name: str) -> int:
    return TILES.tile(name).bit


def tiles(names: str) -> int:
    return TILES.mask(TILES.named(names.split()))


def live_hand(lead: Lead = Lead.WINNER_ANY, system: str = "muggins", **options: str) -> Round:
    return Round(get(system).with_options(options), 2, lead, leader=0)


def lead_and(event, **options: str) -> tuple[PublicAct, ...]:
    return public_history(live_hand(**options), [Play(0, TILES.tile("6-5")), event])


def test_a_forced_draw_and_a_pass_prove_that_nothing_fitted() -> None:
    fitting = (TILES.with_face[6] | TILES.with_face[5]) & ~tile("6-5")
    assert lead_and(Draw(1, 1)) == (PublicAct(0, played=tile("6-5")), PublicAct(1, fitting, drew=1))
    assert lead_and(Pass(1)) == (PublicAct(0, played=tile("6-5")), PublicAct(1, fitting))


def test_a_draw_by_choice_proves_nothing() -> None:
    assert lead_and(Draw(1, 1), voluntary_draw="true")[1] == PublicAct(1, 0, drew=1)


def test_the_tile_that_was_drawn_is_no_part_of_the_history() -> None:
    assert (
        lead_and(Draw(1, 1, (TILES.tile("1-1"),))) == lead_and(Draw(1, 1, (TILES.tile("2-2"),))) == lead_and(Draw(1, 1))
    )


def test_a_forced_lead_proves_that_nobody_held_a_higher_double() -> None:
    acts = public_history(live_hand(Lead.HIGHEST_DOUBLE, "udl"), [Play(0, TILES.tile("4-4"))])
    assert acts[:2] == (PublicAct(0, tiles("5-5 6-6")), PublicAct(1, tiles("5-5 6-6")))


def test_a_forced_lead_without_a_double_proves_that_nobody_held_one() -> None:
    acts = public_history(live_hand(Lead.HIGHEST_DOUBLE, "udl"), [Play(0, TILES.tile("6-4"))])
    assert acts[1].lacks == TILES.doubles | tile("6-5")


def test_a_draw_for_the_lead_proves_that_nobody_held_a_double() -> None:
    acts = public_history(live_hand(Lead.HIGHEST_DOUBLE, "all-fives"), [Draw(0, 1), Draw(1, 1)])
    assert acts == (
        PublicAct(0, TILES.doubles),
        PublicAct(1, TILES.doubles),
        PublicAct(0, drew=1),
        PublicAct(1, drew=1),
    )


def test_a_tile_that_was_drawn_and_kept_may_be_one_that_was_absent() -> None:
    lacks = tiles("6-6 6-5 5-5")
    assert absent([PublicAct(1, lacks)], 1) == lacks
    assert absent([PublicAct(1, lacks, drew=1)], 1) == 0
    assert absent([PublicAct(1, lacks, drew=1)], 0) == 0


def test_a_tile_that_was_drawn_and_played_at_once_leaves_the_proof() -> None:
    lacks = tiles("6-6 6-5 5-5")
    assert absent([PublicAct(1, lacks, drew=1), PublicAct(1, played=tile("6-5"))], 1) == lacks


def known(hand: str, other: int, boneyard: int, history: tuple[PublicAct, ...], hidden: str) -> Knowledge:
    """A seat 0 that sees all but the tiles `hidden`: they are with seat 1 and in the boneyard."""
    layout = Layout(TILES, RULES.spinner)
    layout.table = TILES.all & ~tiles(hidden) & ~tiles(hand)
    return Knowledge(RULES, 0, tiles(hand), layout, (1, other), boneyard, (), boneyard > 0, history=history)


HIDDEN = "6-6 6-5 4-4 4-3 2-2 1-0"
PROOFS = {
    "nothing": (),
    "a pass": (PublicAct(1, tiles("6-6 6-5")),),
    "a draw that was kept": (PublicAct(1, tiles("6-6 6-5 4-4"), drew=1),),
    "a draw, and later a pass": (PublicAct(1, tiles("6-6 6-5 4-4"), drew=1), PublicAct(1, tiles("4-4"))),
    "a play between two proofs": (
        PublicAct(1, tiles("6-6 2-2"), drew=1),
        PublicAct(1, played=tile("5-0")),
        PublicAct(1, tiles("4-3")),
    ),
}


def counted(one: Knowledge, places: int) -> Counter[int]:
    """How often seat 1 holds each hand, over all ways to lay the tiles: counted out by the proofs themselves."""
    played = [act.played for act in one.history if act.played]
    lie: Counter[int] = Counter()
    everything = [bit for bit in (1 << n for n in range(28)) if bit & (one.unseen | sum(played))]
    for way in permutations(everything, places):
        hand, ahead, fine = set(way), list(way), True
        drawn = sum(act.drew for act in one.history)
        hand = set(ahead[: places - drawn])
        ahead = ahead[places - drawn :]
        for act in one.history:
            fine = fine and not any(bit & act.lacks for bit in hand)
            hand |= set(ahead[: act.drew])
            ahead = ahead[act.drew :]
            if act.played:
                fine = fine and act.played in hand
                hand.discard(act.played)
        if fine:
            lie[sum(hand)] += 1
    return lie


@pytest.mark.parametrize("proof", PROOFS)
def test_every_deal_that_fits_is_equally_likely(proof) -> None:
    history = PROOFS[proof]
    one = known("3-0", 3, 3, history, HIDDEN)
    expected = counted(one, 3 + sum(bool(act.played) for act in history))
    drawn = Counter(hidden.hands[1] for hidden in islice(deals(one, Random(5)), 6000))
    assert set(drawn) == set(expected)
    for hand, ways in expected.items():
        share = ways / expected.total()
        assert drawn[hand] / 6000 == pytest.approx(share, abs=0.05)


@pytest.mark.parametrize("system", SYSTEMS)
def test_sampled_deals_have_the_numbers_of_the_table_and_break_no_proof(system) -> None:
    for seed in range(amount(80)):
        found = played_to(get(system), Random(seed), 8)
        if found is None or found[0].to_act is None:
            continue
        live, _boneyard, events = found
        one = known_to(live.to_act, live, events)
        other = 1 - one.seat
        for hidden in islice(deals(one, Random(seed)), 20):
            assert hidden.hands[one.seat] == one.hand
            assert hidden.hands[other].bit_count() == one.held[other]
            assert hidden.hands[other] | sum(hidden.boneyard) == one.unseen
            assert len(hidden.boneyard) == one.boneyard
            assert not hidden.hands[other] & absent(one.history, other)


def test_the_true_hand_is_never_ruled_out() -> None:
    proofs = 0
    for seed in range(amount(400)):
        found = played_to(get("udl"), Random(seed), 8)
        if found is None or found[0].to_act is None:
            continue
        live, _boneyard, events = found
        one = known_to(live.to_act, live, events)
        gone = absent(one.history, 1 - one.seat) & one.unseen
        assert not live.hands[1 - one.seat] & gone
        proofs += bool(gone)
    assert proofs > 10


def test_a_history_that_no_deal_has_still_gives_deals() -> None:
    """A broken rule in a log: the tile was played after a proof that it was absent."""
    one = known("3-0", 3, 3, (PublicAct(1, tile("5-0")), PublicAct(1, played=tile("5-0"))), HIDDEN)
    assert next(deals(one, Random(1))).hands[1].bit_count() == 3


def test_the_same_chance_gives_the_same_deals() -> None:
    one = known("3-0", 3, 3, PROOFS["a pass"], HIDDEN)
    assert [*islice(deals(one, Random(3)), 9)] == [*islice(deals(one, Random(3)), 9)]

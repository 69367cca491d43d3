"""A corrected result and the Swiss round that was paired from it: its pairings stay, or follow by choice."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.utils import timezone

from league.competitions.amendments.services import (
    again_now,
    close_amendment,
    confirm_amendment,
    effect_now,
    outlooks,
    propose_amendment,
)
from league.competitions.attendance.withdrawals import undo_withdrawal, withdraw
from league.competitions.draw.publishing import publish_matchday
from league.competitions.draw.rebuilding import differences
from league.competitions.draw.stages import draw_next
from league.competitions.draw.swiss_rounds import keep_pair
from league.competitions.integrity.draws import draw_differences
from league.competitions.models import Berth, FormerCard, Matchday, Slot, Stage
from league.competitions.queries.competition import competition_page
from league.competitions.queries.former_cards import new_places
from league.competitions.queries.hall import hall
from league.errors import Refused
from league.matches.models import KnownBy, Match, Record
from league.matches.results.entering import enter_sheet, undo_entry
from tests.league.competitions.amended import score, win
from tests.league.competitions.cup import names, published, slot

LOST = score(95, 150)
SHEET = {"scores": [150, 95]}
PLAN = {"format": Stage.Format.SWISS, "rounds": 3, "release": "round_by_round", "tables": ["1", "2", "3"]}


def first_round(world, count=6, **plan):
    """Every first side has won."""
    cup = published(world, count, **(PLAN | plan))
    return cup, [win(world, cup, 1, place) for place in range(1, count // 2 + 1)]


def second_round(world, cup):
    publish_matchday(draw_next(cup, user=world.owner), user=world.owner)
    return Matchday.objects.get(stage__competition=cup, number=2)


def game_of(match):
    return match.games.select_related("match__league").get()


def proposed(world, match, wanted=LOST):
    return propose_amendment(game_of(match), world.referee, wanted)


def decided(world, match, *, again):
    return confirm_amendment(proposed(world, match), world.owner, again=again)


def pairs(competition, number=2):
    return {frozenset(one) for one in names(competition, number)}


def marked(world, competition, number=2, reader=None):
    """The pairs that may change, as a reader without an account sees them."""
    page = competition_page(reader or AnonymousUser(), "harbour", competition.slug)
    slots = page.matchdays[number - 1].slots
    return {frozenset(berth.entrant.name for berth in one.berths) for one in slots if one.may_change}


def outside(world, match):
    """Every row of the draw but the match that is amended."""
    kept = [Matchday, Slot, Berth]
    rows = [list(model.objects.order_by("pk").values()) for model in kept]
    return [*rows, list(Match.objects.exclude(pk=match.pk).order_by("pk").values())]


def test_by_default_the_round_stays_and_nothing_but_the_result_changes(world):
    cup, matches = first_round(world)
    second_round(world, cup)
    before = outside(world, matches[0])
    amendment = proposed(world, matches[0])
    Slot.objects.update(questioned_by=None)
    confirm_amendment(amendment, world.owner)
    assert outside(world, matches[0]) == before
    assert not FormerCard.objects.exists()


def test_paired_again_it_is_the_round_that_the_corrected_results_give(world):
    other, played = first_round(world, name="Control")
    win_again = Match.objects.filter(pk=played[0].pk)
    decided(world, win_again.get(), again=False)
    second_round(world, other)
    cup, matches = first_round(world)
    day = second_round(world, cup)
    before, hours = names(cup, 2), list(day.slots.order_by("number").values_list("table", "starts_at"))
    decided(world, matches[0], again=True)
    assert names(cup, 2) == names(other, 2) != before
    new = Matchday.objects.get(stage__competition=cup, number=2)
    assert (new.version, new.published_by, new.nth) == (2, world.owner, 2)
    assert list(new.slots.order_by("number").values_list("table", "starts_at")) == hours
    shown = Slot.objects.filter(matchday=new, match__published_at__isnull=False)
    assert shown.count() == 3
    page = competition_page(AnonymousUser(), "harbour", cup.slug)
    assert [one.paired_before for one in page.matchdays] == [None, None]
    win(world, cup, 2, 1)
    with pytest.raises(Refused, match="stays as it is paired"):
        decided(world, matches[1], again=True)


def test_printed_cards_answer_with_the_new_tables_and_pairs_that_stay_keep_their_codes(world):
    cup, matches = first_round(world)
    second_round(world, cup)
    before = {one.number: one for one in Slot.objects.filter(matchday__number=2).select_related("match")}
    cards = {number: (one.match.door, set(one.match.sides.values_list("entrant", flat=True)))
             for number, one in before.items()}  # fmt: skip
    decided(world, matches[0], again=True)
    moved = 0
    for number, (door, who) in cards.items():
        same = Match.objects.filter(door=door, slot__number=number).first()
        if same is not None:
            assert (set(same.sides.values_list("entrant", flat=True)), same.pk) == (who, before[number].match_id)
            continue
        moved += 1
        found = new_places(door=door)
        assert {one.line.id for one in found.places} == set(
            Match.objects.filter(slot__matchday__number=2, sides__entrant__in=who).values_list("pk", flat=True)
        )
    assert moved >= 2


def test_a_locked_pair_stays(world):
    cup, matches = first_round(world)
    draw_next(cup, user=world.owner)
    kept = slot(cup, 2, 1)
    keep_pair(kept, user=world.owner)
    publish_matchday(kept.matchday, user=world.owner)
    pair = frozenset(names(cup, 2)[0])
    decided(world, matches[0], again=True)
    assert pair in pairs(cup)


def called(match):
    Match.objects.filter(pk=match.pk).update(called_at=timezone.now())


def awaited(match):
    Berth.objects.filter(slot__match=match, number=1).update(awaited_since=timezone.now())


def on_the_clock(match):
    Match.objects.filter(pk=match.pk).update(state=Match.State.PLAYING)


@pytest.mark.parametrize("begin", [called, awaited, on_the_clock])
def test_a_round_with_a_match_that_was_called_or_begun_stays_with_the_reason(world, begin):
    cup, matches = first_round(world)
    second_round(world, cup)
    amendment = proposed(world, matches[0])
    begin(slot(cup, 2, 3).match)
    before = names(cup, 2)
    choice = again_now(amendment, world.owner, effect_now(amendment, world.owner))
    assert (choice.round, choice.effect, choice.why_not.code) == ("Round 2", None, "has-begun")
    assert " – ".join(before[2]) in str(choice.why_not)
    with pytest.raises(Refused) as refused:
        confirm_amendment(amendment, world.owner, again=True)
    assert refused.value.code == "has-begun"
    confirm_amendment(amendment, world.owner)
    assert names(cup, 2) == before


def entry_taken_back(world, match):
    undo_entry(enter_sheet(game_of(match), world.referee, SHEET, kind=KnownBy.SCORE).record, user=world.referee)


def forfeit_taken_back(world, match):
    entrant = match.sides.get(number=1).entrant
    undo_withdrawal(
        withdraw(match.slot.matchday.stage.competition, entrant, user=world.owner, reason="ill"), user=world.owner
    )


@pytest.mark.parametrize("act", [entry_taken_back, forfeit_taken_back])
def test_an_entry_that_was_taken_back_does_not_keep_the_pairings(world, act):
    cup, matches = first_round(world)
    second_round(world, cup)
    match, before = slot(cup, 2, 1).match, names(cup, 2)
    act(world, match)
    record = Record.objects.get(game__match=match)
    decided(world, matches[0], again=True)
    assert names(cup, 2) != before
    assert (record.game.match_id, slot(cup, 2, 1).match != match) == (match.pk, True), "its record stays with its sides"
    assert [*differences(cup), *draw_differences(cup)] == []


def test_who_does_not_pair_rounds_and_who_only_proposes_has_no_choice(world):
    cup, matches = first_round(world)
    second_round(world, cup)
    assert outlooks(game_of(matches[0]), world.owner, LOST, again=True).again is None, "another official decides"
    with pytest.raises(Refused) as refused:
        propose_amendment(game_of(matches[0]), world.owner, LOST, again=True)
    assert refused.value.code == "not-paired-again"
    amendment = proposed(world, matches[0])
    with pytest.raises(Refused) as refused:
        confirm_amendment(amendment, world.second_referee, again=True)
    assert refused.value.code == "not-paired-again"


def test_one_official_alone_sees_the_effect_and_it_comes_like_that(world):
    world.league.confirmation_required = False
    world.league.save()
    cup, matches = first_round(world)
    second_round(world, cup)
    choice = outlooks(game_of(matches[0]), world.owner, LOST, again=True).again
    told = {one.after.number: set(one.after.berths) for one in choice.effect.slots if one.kind == "replaced"}
    before = names(cup, 2)
    done = propose_amendment(game_of(matches[0]), world.owner, LOST, seen=choice.effect.digest, again=True)
    assert done.state == "confirmed"
    now = {slot(cup, 2, place).number + 3: set(both) for place, both in enumerate(names(cup, 2), start=1)}
    assert told == {number: both for number, both in now.items() if both != set(before[number - 4])}
    assert choice.effect.paired_before == ()


def test_a_correction_that_changes_no_pairing_offers_no_choice(world):
    cup, matches = first_round(world, tie_breaks=["match_points", "wins"])
    second_round(world, cup)
    amendment = proposed(world, matches[0], score(150, 90))
    assert again_now(amendment, world.owner, effect_now(amendment, world.owner)) is None
    assert marked(world, cup) == set()


# --- While it waits ---


def test_pairings_that_would_change_say_so_until_another_official_decides(world):
    cup, matches = first_round(world)
    day = second_round(world, cup)
    before = pairs(cup)
    amendment = proposed(world, matches[0])
    said = marked(world, cup)
    assert said
    [shown] = hall(AnonymousUser(), world.league, day.slots.first().starts_at or timezone.now()).next_rounds
    assert (shown.matchday.number, shown.may_change) == (2, True)
    close_amendment(amendment, world.second_referee)
    assert marked(world, cup) == set()
    decided(world, matches[0], again=True)
    assert said == before - pairs(cup)
    assert marked(world, cup) == set()


def test_a_round_that_has_begun_says_nothing_for_its_pairings_stay(world):
    cup, matches = first_round(world)
    second_round(world, cup)
    proposed(world, matches[0])
    assert marked(world, cup), "the control"
    called(slot(cup, 2, 1).match)
    assert marked(world, cup) == set()


def test_a_round_that_is_published_while_the_amendment_waits_says_so_too(world):
    cup, matches = first_round(world)
    proposed(world, matches[0])
    second_round(world, cup)
    assert marked(world, cup)


def test_a_draft_says_nothing_to_outsiders(world):
    cup, matches = first_round(world)
    draw_next(cup, user=world.owner)
    proposed(world, matches[0])
    assert marked(world, cup) == set()

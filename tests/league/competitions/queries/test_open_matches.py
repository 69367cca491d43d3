"""What an open match waits for, as the database counts it."""

import pytest
from django.utils import timezone

from league.competitions.attendance.no_shows import wait_for
from league.competitions.draw.advancing import advance
from league.competitions.models import Competition
from league.competitions.queries.next_step import HeldBy, playing
from league.competitions.queries.next_step_facts import day_facts
from league.competitions.queries.open_matches import NAMED, open_matches
from league.matches.models import KnownBy, Match, Record, Result
from tests.league.competitions.cup import enter_result, published, slot
from tests.league.tampering import drop_triggers

pytestmark = pytest.mark.django_db


def handed_in(world, match, **facts):
    usual = {"submitted_by": world.referee, "submitted_at": timezone.now(), "upload_sha256": f"{match.pk:064d}"}
    return Record.objects.create(game=match.games.get(number=1), **(usual | facts))


def as_result(world, match, **facts):
    Result.objects.filter(pk=enter_result(world, match, 1, official=False).pk).update(**facts)


def state(match, to):
    Match.objects.filter(pk=match.pk).update(state=to)


def is_awaited(world, match):
    wait_for(match.slot, match.slot.berths.get(number=2).entrant, user=world.owner, waiting=True)


def one_of_three_is_official(world, match):
    enter_result(world, match, 1)
    drop_triggers()
    Result.objects.filter(game__match=match, game__number=2).delete()
    Record.objects.filter(game__match=match, game__number=2).delete()
    state(match, Match.State.PLAYING)


def tells_a_tally(world, match):
    """Typed, and taken back: nobody knows anything of the match."""
    handed_in(world, match, kind=KnownBy.TALLY, withdrawn_at=timezone.now())
    state(match, Match.State.PLAYING)


CASES = {
    HeldBy.AWAITED: is_awaited,
    HeldBy.DIFFERS: lambda world, match: as_result(world, match, contested=True, needs_decision=True),
    HeldBy.TO_DECIDE: lambda world, match: as_result(world, match, needs_decision=True),
    HeldBy.TO_MEND: lambda world, match: handed_in(world, match, state=Record.State.VERIFIED),
    HeldBy.UNCONFIRMED: as_result,
    HeldBy.PLAYING: lambda world, match: state(match, Match.State.PLAYING),
    HeldBy.NO_RESULT: lambda world, match: None,
}


def told(cup):
    fresh = Competition.objects.get(pk=cup.pk)
    rounds = day_facts(fresh, timezone.now(), with_needs=False).rounds
    found = open_matches(fresh, rounds, playing(rounds, by_round=False), timezone.now())
    return {one.reason: [match.match_id for match in one.first] for one in found}


@pytest.mark.parametrize("reason", CASES, ids=lambda one: one.value)
def test_each_match_is_listed_once_for_the_most_urgent_reason(world, reason):
    cup = published(world, 8, tables=("1",), best_of=3)
    first, second = (slot(cup, 1, place).match for place in (1, 2))
    CASES[reason](world, first)
    found = told(cup)
    assert first.pk in found[reason]
    assert sorted(one for matches in found.values() for one in matches) == sorted(
        Match.objects.filter(slot__matchday__stage__competition=cup).values_list("pk", flat=True)
    )
    assert second.pk in found[HeldBy.NO_RESULT]


def test_a_match_of_several_games_is_played_on_after_an_official_one(world):
    cup = published(world, 4, best_of=3)
    one_of_three_is_official(world, slot(cup, 1, 1).match)
    assert told(cup)[HeldBy.PLAYING] == [slot(cup, 1, 1).match_id]


def test_a_match_of_which_all_was_taken_back_has_no_result(world):
    cup = published(world, 4)
    tells_a_tally(world, slot(cup, 1, 1).match)
    assert told(cup) == {HeldBy.NO_RESULT: [slot(cup, 1, 1).match_id, slot(cup, 1, 2).match_id]}


def test_a_log_that_is_being_checked_says_so_once_the_game_has_a_result(world):
    cup = published(world, 4)
    match = slot(cup, 1, 1).match
    as_result(world, match)
    handed_in(world, match, upload_sha256="f" * 64)
    assert told(cup)[HeldBy.CHECKING] == [match.pk]


@pytest.mark.parametrize(("best_of", "winners"), [(1, [None]), (3, [1, 2, None])])
def test_nobody_won_is_said_of_decided_matches_alone_that_no_side_has_won(world, best_of, winners):
    cup = published(world, 8, best_of=best_of)
    level, won = slot(cup, 1, 1).match, slot(cup, 1, 2).match
    enter_result(world, won, 2)
    enter_result(world, level, None)
    drop_triggers()
    for number, winner in enumerate(winners, start=1):
        Result.objects.filter(game__match=level, game__number=number).update(winner=winner)
    for match in (level, won):
        advance(match.pk)
    held = day_facts(Competition.objects.get(pk=cup.pk), timezone.now(), with_needs=False).no_winner
    assert (held.reason, held.count, [one.match_id for one in held.first]) == (HeldBy.NO_WINNER, 1, [level.pk])


def test_of_many_the_first_in_the_order_of_the_draw_are_named(world):
    cup = published(world, 32)
    ordered = Match.objects.filter(slot__matchday__stage__competition=cup).order_by("slot__number")
    assert told(cup)[HeldBy.NO_RESULT] == list(ordered.values_list("pk", flat=True)[:NAMED])

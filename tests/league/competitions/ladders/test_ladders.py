"""Ladders: challenges, places by official results, amendments, lapses."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from league.accounts.models import Role
from league.competitions.amendments.services import confirm_amendment, outlooks, propose_amendment
from league.competitions.attendance.late_entries import walk_in
from league.competitions.attendance.withdrawals import undo_withdrawal, withdraw
from league.competitions.draw.advancing import advance
from league.competitions.draw.plans import Plan, found
from league.competitions.draw.publishing import publish
from league.competitions.draw.rebuilding import differences
from league.competitions.draw.stages import draw
from league.competitions.import_export.confirming import confirm_import
from league.competitions.import_export.exporting import competition_file, to_json
from league.competitions.import_export.importing import import_competition
from league.competitions.import_export.reading import read
from league.competitions.ladders.closing import close_ladder
from league.competitions.ladders.services import challenge, expire, ladder_of, places, withdraw_challenge
from league.competitions.models import Challenge, Competition, Matchday, Slot, Stage, Withdrawal
from league.competitions.registration.entries import register
from league.errors import NotAllowed, Refused
from league.matches.amendments import Wanted
from league.matches.logs.submission import confirm_result
from league.matches.models import KnownBy, Match, Result
from league.matches.results.entering import enter_sheet, undo_entry
from league.players.models import Entrant
from tests.league.competitions.cup import people
from tests.league.competitions.draw.test_advancing import both_at_once
from tests.league.world import NOON

pytestmark = pytest.mark.django_db
LADDER = Stage.Format.LADDER
THEN = datetime(2026, 11, 20, 12, tzinfo=UTC)


def plan(**changes) -> Plan:
    return Plan(**({"name": "Ladder", "ruleset": "udl", "format": LADDER, "challenge_reach": 2} | changes))


def ladder(world, count=5, **changes) -> Competition:
    competition = found(world.league, plan(**changes), user=world.owner)
    register(competition, people(world, count))
    draw(competition, user=world.owner)
    publish(competition, user=world.owner)
    Matchday.objects.update(published_at=NOON)
    competition.refresh_from_db()
    return competition


def who(name) -> Entrant:
    return Entrant.objects.select_related("player").get(player__name__startswith=name)


def order(competition) -> list[str]:
    people = Entrant.objects.select_related("player").in_bulk()
    return [str(people[one]).split()[0] for one in places(ladder_of(competition)).order]


def challenged(world, competition, challenger, above, *, at=THEN) -> Challenge:
    return challenge(competition, who(challenger), who(above), by=world.owner, now=at)


def play(world, one: Challenge, scores, *, at=None) -> None:
    """`scores`: of the challenged and of the challenger."""
    match = Slot.objects.get(pk=one.slot_id).match
    done = enter_sheet(match.games.get(), world.referee, {"scores": list(scores)}, kind=KnownBy.SCORE, insist=True)
    confirm_result(result=done.result, user=world.second_referee, at=at)
    advance(match.pk)


def test_a_ladder_is_published_with_its_seeds_and_no_match(world):
    competition = ladder(world)
    assert order(competition) == ["Ana", "Bo", "P3", "P4", "P5"]
    assert not Slot.objects.filter(matchday__stage__competition=competition).exists()
    assert differences(competition) == []


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"challenge_reach": 0}, "bad-reach"),
        ({"challenge_reach": 101}, "bad-reach"),
        ({"challenge_days": 367}, "bad-reach"),
        ({"format": Stage.Format.SWISS}, "bad-reach"),
        ({"then": Stage.Format.SINGLE_ELIMINATION, "advance_each": 4}, "bad-plan"),
    ],
)
def test_a_plan_of_a_ladder_that_can_not_be_is_refused(world, changes, code):
    with pytest.raises(Refused) as refused:
        found(world.league, plan(**changes), user=world.owner)
    assert refused.value.code == code


def test_a_challenge_is_a_match_at_once_and_the_challenged_leads(world):
    competition = ladder(world)
    one = challenged(world, competition, "P4", "Bo")
    match = Slot.objects.get(pk=one.slot_id).match
    assert [str(side.entrant) for side in match.sides.order_by("number")] == ["Bo Chen", "P4"]
    assert match.published_at is not None
    assert (one.made_by, one.made_at) == (world.owner, THEN)
    assert differences(competition) == []


def test_the_winner_takes_the_place_once_the_result_is_official(world):
    competition = ladder(world)
    one = challenged(world, competition, "P4", "Bo")
    match = Slot.objects.get(pk=one.slot_id).match
    done = enter_sheet(match.games.get(), world.referee, {"scores": [20, 150]}, kind=KnownBy.SCORE, insist=True)
    assert order(competition) == ["Ana", "Bo", "P3", "P4", "P5"]
    confirm_result(result=done.result, user=world.second_referee)
    advance(match.pk)
    assert order(competition) == ["Ana", "P4", "Bo", "P3", "P5"]
    assert [(one.before, one.after) for one in places(ladder_of(competition)).history] == [(4, 2)]
    assert Stage.objects.get(competition=competition).finished_at is None, "a ladder has no end"
    assert differences(competition) == []


def test_who_keeps_the_place_keeps_it(world):
    competition = ladder(world)
    play(world, challenged(world, competition, "P3", "Ana"), (150, 20))
    assert order(competition) == ["Ana", "Bo", "P3", "P4", "P5"]


@pytest.mark.parametrize(
    ("challenger", "above", "code"),
    [("P5", "Bo", "out-of-reach"), ("Ana", "Bo", "out-of-reach"), ("P3", "P3", "out-of-reach")],
)
def test_one_challenges_upwards_and_within_reach(world, challenger, above, code):
    competition = ladder(world)
    with pytest.raises(Refused) as refused:
        challenged(world, competition, challenger, above)
    assert refused.value.code == code
    assert not Challenge.objects.exists()


def test_a_refusal_names_whom_one_may_challenge(world):
    competition = ladder(world)
    challenged(world, competition, "P3", "Bo")
    with pytest.raises(Refused) as refused:
        challenged(world, competition, "P4", "Ana")
    assert str(refused.value) == "P4 may challenge up to 2 places above: –."
    with pytest.raises(Refused) as refused:
        challenged(world, competition, "P5", "Ana")
    assert str(refused.value) == "P5 may challenge up to 2 places above: P4."


@pytest.mark.parametrize(("challenger", "above"), [("P3", "Ana"), ("P4", "Bo"), ("P5", "P3")])
def test_everybody_has_one_open_challenge_at_most(world, challenger, above):
    competition = ladder(world)
    challenged(world, competition, "P3", "Bo")
    with pytest.raises(Refused) as refused:
        challenged(world, competition, challenger, above)
    assert refused.value.code == "open-challenge"


def test_players_challenge_for_themselves_signed_in_or_by_their_link_and_the_desk_for_all(world):
    competition = ladder(world)
    bo, ana, third = who("Bo"), who("Ana"), who("P3")
    for somebody in (world.alice, world.charlie, third):
        with pytest.raises(NotAllowed):
            challenge(competition, bo, ana, by=somebody)
    assert challenge(competition, bo, ana, by=world.bob).made_by == world.bob
    withdraw_challenge(Challenge.objects.get(), by=world.bob)
    assert challenge(competition, bo, ana, by=bo).made_by is None
    withdraw_challenge(Challenge.objects.get(slot__isnull=False), by=bo)
    assert challenge(competition, bo, ana, by=world.referee).made_by == world.referee
    with pytest.raises(NotAllowed):
        withdraw_challenge(Challenge.objects.get(slot__isnull=False), by=world.alice)


def test_somebody_of_another_league_stands_on_no_ladder_of_this_one(world):
    competition = ladder(world)
    stranger = Entrant.objects.get(player__user=world.charlie)
    with pytest.raises(NotAllowed):
        challenge(competition, stranger, who("Ana"), by=world.charlie)
    with pytest.raises(Refused) as refused:
        challenge(competition, stranger, who("Ana"), by=world.owner)
    assert refused.value.code == "not-registered"


def test_a_draft_and_another_format_take_no_challenge(world):
    competition = ladder(world)
    Competition.objects.update(published_at=None)
    with pytest.raises(Refused) as refused:
        challenged(world, competition, "Bo", "Ana")
    assert refused.value.code == "not-published"
    Stage.objects.update(format=Stage.Format.ROUND_ROBIN)
    with pytest.raises(Refused) as refused:
        challenged(world, competition, "Bo", "Ana")
    assert refused.value.code == "not-a-ladder"


def test_a_challenge_is_taken_back_until_it_has_begun(world):
    competition = ladder(world)
    one = challenged(world, competition, "P4", "Bo")
    done = withdraw_challenge(one, by=world.owner)
    assert (done.slot, done.closed_how) == (None, "withdrawn")
    assert not Slot.objects.filter(matchday__stage__competition=competition).exists()
    with pytest.raises(Refused) as refused:
        withdraw_challenge(one, by=world.owner)
    assert refused.value.code == "challenge-closed"
    again = challenged(world, competition, "P4", "Bo")
    match = Slot.objects.get(pk=again.slot_id).match
    enter_sheet(match.games.get(), world.referee, {"scores": [20, 150]}, kind=KnownBy.SCORE, insist=True)
    with pytest.raises(Refused) as refused:
        withdraw_challenge(again, by=world.owner)
    assert refused.value.code == "begun-already"
    assert differences(competition) == []


@pytest.mark.parametrize("back", ["entry", "withdrawal"])
@pytest.mark.parametrize("end", ["withdrawn", "lapsed", "closed"])
def test_a_challenge_whose_entries_were_taken_back_has_not_begun(world, back, end):
    competition = ladder(world, challenge_days=14)
    one = challenged(world, competition, "P4", "Bo")
    match = Slot.objects.get(pk=one.slot_id).match
    if back == "entry":
        entered = enter_sheet(match.games.get(), world.referee, {"scores": [20, 150]}, kind=KnownBy.SCORE, insist=True)
        undo_entry(entered.record, world.referee)
    else:
        undo_withdrawal(withdraw(competition, who("Bo"), user=world.owner, reason="ill"), user=world.owner)
    match.refresh_from_db()
    assert match.state == Match.State.SCHEDULED
    if end == "withdrawn":
        withdraw_challenge(one, by=world.owner)
    elif end == "lapsed":
        assert expire(THEN + timedelta(days=14, seconds=1)) == 1
    else:
        assert close_ladder(competition, user=world.owner)
    match.refresh_from_db()
    assert match.set_aside_at is not None, "its records are kept"
    assert not Slot.objects.filter(matchday__stage__competition=competition).exists()
    assert differences(competition) == []


def test_an_amended_result_moves_the_ladder_from_there_on(world):
    competition = ladder(world)
    first = challenged(world, competition, "P3", "Ana")
    play(world, first, (20, 150), at=THEN)
    second = challenged(world, competition, "P4", "Ana")
    play(world, second, (20, 150), at=THEN + timedelta(days=1))
    assert order(competition) == ["P3", "P4", "Ana", "Bo", "P5"]
    game = Match.objects.get(slot=first.slot_id).games.get()
    wanted = Wanted(kind=KnownBy.SCORE, data={"scores": [150, 20]}, reason="The columns were swapped")
    effect = outlooks(game, world.referee, wanted).stand
    assert effect.places_change
    assert [name.split()[0] for _rank, name in effect.places_after] == ["P4", "Ana", "Bo", "P3", "P5"]
    confirm_amendment(propose_amendment(game, world.referee, wanted), world.second_referee)
    assert order(competition) == ["P4", "Ana", "Bo", "P3", "P5"]
    assert [one.slot for one in places(ladder_of(competition)).history] == [second.slot_id, first.slot_id]
    assert differences(competition) == []


def test_the_order_is_that_of_the_decisions_not_of_the_challenges(world):
    competition = ladder(world)
    first = challenged(world, competition, "Bo", "Ana")
    second = challenged(world, competition, "P4", "P3")
    play(world, second, (20, 150), at=THEN)
    play(world, first, (20, 150), at=THEN + timedelta(hours=1))
    assert [one.slot for one in places(ladder_of(competition)).history] == [first.slot_id, second.slot_id]
    assert order(competition) == ["Bo", "Ana", "P4", "P3", "P5"]


def test_who_leaves_loses_the_place_and_those_below_move_up(world):
    competition = ladder(world)
    one = challenged(world, competition, "P3", "Bo")
    done = withdraw(competition, who("Bo"), user=world.owner, reason="Moved away")
    assert order(competition) == ["Ana", "P3", "P4", "P5"]
    assert Match.objects.get(slot=one.slot_id).games.get().results.get().winner == 2
    undo_withdrawal(done, user=world.owner)
    assert order(competition) == ["Ana", "Bo", "P3", "P4", "P5"]


@pytest.mark.parametrize("challenged_by", ["P3", None])
def test_who_left_comes_back_later_to_the_place_that_the_challenges_since_have_left(world, challenged_by):
    competition = ladder(world)
    if challenged_by:
        challenged(world, competition, challenged_by, "Bo")
    done = withdraw(competition, who("Bo"), user=world.owner, reason="Moved away")
    for result in Result.objects.filter(record__in=done.forfeits):
        confirm_result(result=result, user=world.second_referee)
        advance(result.game.match_id)
    play(world, challenged(world, competition, "P4", "Ana"), (20, 150))
    Withdrawal.objects.filter(pk=done.pk).update(made_at=done.made_at - timedelta(minutes=11))
    done.refresh_from_db()
    undo_withdrawal(done, user=world.owner)
    assert order(competition) == (["P4", "Ana", "P3", "Bo", "P5"] if challenged_by else ["P4", "Ana", "Bo", "P3", "P5"])
    assert differences(competition) == []


def test_challenges_count_places_without_those_who_had_left(world):
    competition = ladder(world)
    withdraw(competition, who("Bo"), user=world.owner, reason="Moved away")
    play(world, challenged(world, competition, "P4", "P3"), (20, 150))
    assert order(competition) == ["Ana", "P4", "P3", "P5"]
    assert [(one.before, one.after) for one in places(ladder_of(competition)).history] == [(3, 2)]


def test_challenges_keep_their_places_when_a_player_returns(world):
    competition = ladder(world)
    done = withdraw(competition, who("Bo"), user=world.owner, reason="Moved away")
    play(world, challenged(world, competition, "P4", "P3"), (20, 150))
    undo_withdrawal(done, user=world.owner)
    play(world, challenged(world, competition, "P5", "P3"), (20, 150))
    assert [(one.before, one.after) for one in places(ladder_of(competition)).history] == [(5, 4), (3, 2)]


def test_who_comes_late_stands_at_the_bottom(world):
    competition = ladder(world)
    play(world, challenged(world, competition, "Bo", "Ana"), (20, 150))
    walk_in(competition, "Zoe Last", user=world.owner)
    assert order(competition) == ["Bo", "Ana", "P3", "P4", "P5", "Zoe"]


def test_a_challenge_that_nobody_begins_lapses(world):
    competition = ladder(world, challenge_days=14)
    challenged(world, competition, "P4", "Bo")
    late = THEN + timedelta(days=14, seconds=1)
    assert expire(THEN + timedelta(days=14)) == 0
    assert (expire(late), expire(late)) == (1, 0)
    assert Challenge.objects.get().closed_how == "expired"
    assert order(competition) == ["Ana", "Bo", "P3", "P4", "P5"]
    challenged(world, competition, "P4", "Bo", at=late)
    begun = Challenge.objects.get(slot__isnull=False)
    match = Slot.objects.get(pk=begun.slot_id).match
    enter_sheet(match.games.get(), world.referee, {"scores": [20, 150]}, kind=KnownBy.SCORE, insist=True)
    assert expire(late + timedelta(days=30)) == 0


def test_without_days_no_challenge_lapses(world):
    competition = ladder(world)
    challenged(world, competition, "P4", "Bo")
    assert expire(THEN + timedelta(days=1000)) == 0


def test_each_month_has_a_round_of_its_own(world):
    competition = ladder(world)
    play(world, challenged(world, competition, "Bo", "Ana"), (20, 150))
    challenged(world, competition, "P4", "P3", at=THEN + timedelta(days=5))
    challenged(world, competition, "Ana", "Bo", at=THEN + timedelta(days=20))
    days = Matchday.objects.filter(stage__competition=competition).order_by("number")
    assert [(str(day), day.slots.count()) for day in days] == [("Round 1", 2), ("Round 2", 1)]
    assert all(day.published_at for day in days)


def test_the_number_of_statements_does_not_grow(world, django_assert_num_queries):
    competition = ladder(world, 9)
    stage = Stage.objects.select_related("competition").get(competition=competition)
    for challenger, above in (("Bo", "Ana"), ("P4", "P3"), ("P6", "P5")):
        play(world, challenged(world, competition, challenger, above), (20, 150))
        with django_assert_num_queries(6):
            places(stage)


def test_a_file_carries_a_ladder_with_its_places(world):
    competition = ladder(world, challenge_days=9)
    play(world, challenged(world, competition, "P3", "Ana"), (20, 150))
    play(world, challenged(world, competition, "Bo", "Ana"), (20, 150))
    value = competition_file(world.owner, world.league.slug, competition.slug)
    assert [one["rank"] for one in value["places"]] == [1, 2, 3, 4, 5]
    filed = read(json.loads(to_json(value))).filed
    there = import_competition(world.elsewhere, filed, user=world.charlie).competition
    stage = there.stages.get()
    assert (stage.format, stage.challenge_reach, stage.challenge_days) == (LADDER, 2, 9)
    Role.objects.create(user=world.second_referee, league=world.elsewhere, kind=Role.Kind.HEAD_REFEREE)
    confirm_import(there, user=world.second_referee)
    publish(there, user=world.charlie)
    there.refresh_from_db()
    assert order(there) == order(competition) == ["P3", "Bo", "Ana", "P4", "P5"]
    assert differences(there) == []


@pytest.mark.django_db(transaction=True)
def test_two_who_challenge_the_same_at_once_make_one_match(world):
    competition = ladder(world)
    errors = both_at_once(lambda one: challenged(world, competition, one, "Ana"), "Bo", "P3")
    assert [one.code for one in errors if isinstance(one, Refused)] == ["open-challenge"]
    assert Slot.objects.filter(matchday__stage__competition=competition).count() == 1

"""Tallies, cards, scores and rulings as results: who may, what several words come to, and taking one back."""

from datetime import timedelta

import pytest
from django.db import DatabaseError, connection, transaction

from league.accounts.models import League, Role
from league.errors import NotAllowed, Refused
from league.matches.logs.submission import confirm_result, verify_record
from league.matches.models import Game, KnownBy, Match, Record, Result, ScoreSheet
from league.matches.permissions import Guest
from league.matches.queries.match import match_page
from league.matches.results import auto_confirm
from league.matches.results.entering import enter_sheet, rule, undo_entry
from league.matches.results.reviews import choose, under_review
from tests.league.world import NOON, person, played_log, without_hands

ANA_WINS = {"scores": [150, 95]}
BO_WINS = {"scores": [120, 150]}

WHY = "the card says so"


@pytest.fixture
def desk(world):
    helper = person("desk")
    Role.objects.create(user=helper, league=world.league, kind=Role.Kind.DESK_HELPER)
    return helper


def enter(world, who, data=ANA_WINS, **more):
    return enter_sheet(world.game, who, data, kind=more.pop("kind", KnownBy.SCORE), at=more.pop("at", NOON), **more)


def guest(world, side, **more):
    return Guest(world.match.pk, side, **more)


def standing(world):
    """State, score, how it is known, how it was confirmed, whether it is contested, of what stands."""
    result = Result.objects.get(game=world.game, current=True)
    return result.state, result.scores, result.known_by, result.confirmed_how, result.contested


def state(world):
    return Match.objects.get(pk=world.match.pk).state


def test_a_score_by_one_side_is_provisional_and_recorded(world):
    entered = enter(world, world.alice)
    assert (entered.created, entered.contested) == (True, False)
    assert standing(world) == ("provisional", {"1": 150, "2": 95}, "score", "", False)
    assert (entered.result.winner, entered.record.kind, entered.record.via) == (1, "score", "account")
    assert ScoreSheet.objects.get(record=entered.record).data == ANA_WINS
    assert state(world) == "provisional"


def test_the_other_side_confirms_by_saying_the_same(world):
    enter(world, world.alice)
    enter(world, world.bob)
    assert standing(world) == ("official", {"1": 150, "2": 95}, "score", "agreed", False)
    assert Result.objects.get(game=world.game, current=True).confirmed_by == world.bob
    assert state(world) == "decided"


def test_somebody_at_the_table_needs_no_account(world):
    entered = enter(world, guest(world, 1))
    assert (entered.record.via, entered.record.for_side, entered.record.submitted_by) == ("table", 1, None)
    enter(world, guest(world, 2))
    assert standing(world)[3] == "agreed"


def test_the_other_side_confirms_at_the_table_by_a_button_or_with_its_pin(world):
    for by_pin, how in ((False, "side"), (True, "pin")):
        world.match = world.fixture()
        result = enter(world, guest(world, 1), {"scores": [150, 5 if by_pin else 10]}).result
        with pytest.raises(NotAllowed) as own:
            confirm_result(result=result, user=guest(world, 1))
        assert own.value.code == "own-submission"
        confirm_result(result=result, user=guest(world, 2, by_pin=by_pin))
        assert standing(world)[3] == how


def test_a_guest_of_another_match_is_a_stranger(world):
    with pytest.raises(NotAllowed) as refused:
        enter(world, Guest(world.match.pk + 1, 1))
    assert refused.value.code == "sign-in"
    assert not Record.objects.exists()


def test_two_that_differ_stand_side_by_side_and_nobody_of_them_decides(world):
    first = enter(world, world.alice).result
    second = enter(world, guest(world, 2), BO_WINS)
    assert second.contested
    rows = under_review([world.game.pk])[world.game.pk]
    assert [(row.scores, row.current) for row in rows] == [
        ({"1": 120, "2": 150}, True),
        ({"1": 150, "2": 95}, False),
    ]
    assert state(world) == "provisional"
    for who in (world.alice, world.bob, guest(world, 1)):
        with pytest.raises(Refused):
            choose(first, who, reason=WHY)
    choose(first, world.referee, reason=WHY, at=NOON)
    assert standing(world) == ("official", {"1": 150, "2": 95}, "score", "person", False)
    assert Result.objects.get(game=world.game, current=True).decided
    assert under_review([world.game.pk]) == {}
    assert state(world) == "decided"


def test_whoever_mistyped_corrects_it_and_both_agree(world):
    enter(world, world.alice)
    enter(world, world.bob, BO_WINS)
    enter(world, world.bob)
    assert standing(world) == ("official", {"1": 150, "2": 95}, "score", "agreed", False)


def test_the_same_again_has_one_effect(world):
    first = enter(world, world.alice)
    again = enter(world, world.alice)
    assert (again.created, again.record) == (False, first.record)
    assert Record.objects.count() == 1


def test_a_signed_card_is_official_and_only_the_desk_enters_one(world, desk):
    with pytest.raises(Refused) as refused:
        enter(world, world.alice, signed=True)
    assert refused.value.code == "not-the-desk"
    entered = enter(world, desk, signed=True)
    assert (entered.record.via, entered.record.signed) == ("desk", True)
    assert standing(world) == ("official", {"1": 150, "2": 95}, "score", "signed", False)


def test_a_desk_that_plays_in_the_match_is_a_side_of_it(world):
    Role.objects.create(user=world.alice, league=world.league, kind=Role.Kind.REFEREE)
    with pytest.raises(Refused):
        enter(world, world.alice, signed=True)
    assert enter(world, world.alice).record.for_side == 1


def test_two_desks_that_differ_lose_nothing(world, desk):
    enter(world, desk, signed=True)
    entered = enter(world, world.referee, BO_WINS, signed=True)
    assert (entered.created, entered.contested) == (True, True)
    assert standing(world) == ("official", {"1": 150, "2": 95}, "score", "signed", True)
    assert len(under_review([world.game.pk])[world.game.pk]) == 2
    choose(Result.objects.get(game=world.game, current=True), world.second_referee, reason=WHY)
    assert under_review([world.game.pk]) == {}


def test_strangers_and_outsiders_enter_nothing(world):
    for who, code in ((world.charlie, "not-your-match"),):
        with pytest.raises(NotAllowed) as refused:
            enter(world, who)
        assert refused.value.code == code
    assert not Record.objects.exists()


def test_a_match_that_demands_a_log_takes_no_less(world):
    Match.objects.update(level=KnownBy.LOG)
    with pytest.raises(Refused) as refused:
        enter(world, world.alice)
    assert refused.value.code == "level-too-low"
    assert not Record.objects.exists()


def test_what_cannot_be_so_is_told_first_and_decided_by_an_official_if_it_is_entered_all_the_same(world):
    with pytest.raises(Refused) as refused:
        enter(world, world.alice, {"scores": [147, 95]})
    assert refused.value.code == "does-not-add-up"
    assert not Record.objects.exists()
    entered = enter(world, world.alice, {"scores": [147, 95]}, kind=KnownBy.CARD, insist=True)
    assert (entered.result.known_by, entered.result.needs_decision, entered.record.kind) == ("score", True, "card")
    enter(world, world.bob, {"scores": [147, 95]}, kind=KnownBy.CARD, insist=True)
    assert standing(world)[0] == "provisional"


def test_a_log_takes_the_place_of_the_score_of_the_same_side_and_is_known_better(world):
    enter(world, world.alice)
    verify_record(world.submit(played_log()).pk)
    assert (standing(world)[2], standing(world)[4]) == ("log", False)


def test_a_score_that_differs_from_a_log_puts_the_game_under_review(world):
    record = world.submit(played_log())
    verify_record(record.pk)
    entered = enter(world, world.bob, BO_WINS if record.result.winner == 1 else ANA_WINS)
    assert entered.contested
    assert (standing(world)[2], standing(world)[4]) == ("log", True)
    assert Result.objects.get(game=world.game, current=True).needs_decision


def test_a_score_that_says_what_the_log_says_confirms_it(world):
    record = world.submit(played_log())
    verify_record(record.pk)
    said = record.result
    entered = enter(world, world.bob, {"scores": [said.scores["1"], said.scores["2"]], "winner": said.winner - 1})
    assert (entered.contested, standing(world)[0], standing(world)[2:4]) == (False, "official", ("log", "agreed"))


def test_a_log_that_was_handed_in_before_a_score_outranks_it_when_it_is_checked(world):
    record = world.submit(played_log())
    Record.objects.filter(pk=record.pk).update(state="received")
    Result.objects.all().delete()
    record.verdict.delete() if hasattr(record, "verdict") else None
    Match.objects.update(state="scheduled")
    enter(world, world.bob, BO_WINS)
    verify_record(record.pk)
    assert standing(world)[2] == "log"


# --- Rulings ---


def test_an_official_rules_with_a_reason_and_somebody_else_confirms(world):
    with pytest.raises(Refused) as refused:
        rule(world.game, world.referee, scores=[150, 0], winner=1, reason=" ")
    assert refused.value.code == "no-reason"
    entered = rule(world.game, world.referee, scores=[150, 0], winner=1, reason="Bo did not come.", at=NOON)
    assert standing(world) == ("provisional", {"1": 150, "2": 0}, "ruled", "", False)
    assert (entered.record.reason, entered.result.ended) == ("Bo did not come.", "forfeit")
    with pytest.raises(NotAllowed):
        confirm_result(result=entered.result, user=world.referee)
    confirm_result(result=entered.result, user=world.alice)
    assert (state(world), standing(world)[3]) == ("decided", "person")


def test_what_is_known_from_a_log_is_not_ruled_on_but_confirmed_or_mended(world):
    verify_record(world.submit(played_log()).pk)
    with pytest.raises(Refused) as refused:
        rule(world.game, world.referee, scores=[150, 0], winner=1, reason="Late.")
    assert refused.value.code == "better-known"
    assert Record.objects.count() == 1


def test_a_log_with_points_on_its_word_is_ruled_on_like_a_card(world):
    verify_record(world.submit(without_hands(played_log())).pk)
    assert match_page(world.alice, world.match.pk).games[0].may_enter
    assert rule(world.game, world.referee, scores=[150, 0], winner=1, reason="Late.").created


def test_players_and_desk_helpers_do_not_rule(world, desk):
    Role.objects.create(user=world.alice, league=world.league, kind=Role.Kind.REFEREE)
    for who in (world.alice, world.bob, desk):
        with pytest.raises(NotAllowed):
            rule(world.game, who, scores=[150, 0], winner=1, reason="No.")
    assert not Record.objects.exists()


# --- Undo ---


def test_what_was_entered_is_taken_back_within_ten_minutes_and_stays_on_record(world, desk):
    entered = enter(world, desk, signed=True)
    assert undo_entry(entered.record, desk, NOON + timedelta(minutes=10)) is None
    assert not Result.objects.filter(current=True).exists()
    assert Record.objects.get().withdrawn_at == NOON + timedelta(minutes=10)
    assert state(world) == "scheduled"
    enter(world, desk, BO_WINS, signed=True)
    assert standing(world)[1] == {"1": 120, "2": 150}


def test_after_ten_minutes_it_stays(world, desk):
    entered = enter(world, desk, signed=True)
    with pytest.raises(Refused) as refused:
        undo_entry(entered.record, desk, NOON + timedelta(minutes=10, seconds=1))
    assert refused.value.code == "too-late"
    assert standing(world)[0] == "official"


def test_taking_back_one_of_two_words_leaves_the_other(world):
    enter(world, world.alice)
    second = enter(world, world.bob)
    undo_entry(second.record, world.bob, NOON)
    assert standing(world) == ("provisional", {"1": 150, "2": 95}, "score", "", False)


def test_what_somebody_confirmed_is_not_taken_back(world):
    entered = enter(world, world.alice)
    confirm_result(result=entered.result, user=world.bob)
    with pytest.raises(Refused) as refused:
        undo_entry(entered.record, world.alice, NOON)
    assert refused.value.code == "confirmed-already"


def test_the_other_side_does_not_take_it_back(world):
    entered = enter(world, world.alice)
    for who in (world.bob, guest(world, 2), world.charlie):
        with pytest.raises(Refused):
            undo_entry(entered.record, who, NOON)
    undo_entry(entered.record, guest(world, 1), NOON)


# --- Silence ---


def test_silence_confirms_where_the_league_says_so(world, monkeypatch):
    result = enter(world, world.alice).result
    assert auto_confirm.due(NOON + timedelta(hours=9), 10) == []
    League.objects.update(silence_minutes=30)
    assert auto_confirm.due(NOON + timedelta(minutes=29, seconds=59), 10) == []
    later = NOON + timedelta(minutes=30)
    assert auto_confirm.due(later, 10) == [(result.pk, world.match.pk)]
    assert auto_confirm.confirm_by_silence(result.pk, world.match.pk, later)
    assert not auto_confirm.confirm_by_silence(result.pk, world.match.pk, later)
    assert standing(world)[3] == "silence"
    assert state(world) == "decided"


def test_silence_says_nothing_about_what_is_contested_or_the_desk_typed(world, desk):
    League.objects.update(silence_minutes=30)
    enter(world, desk)
    assert auto_confirm.due(NOON + timedelta(days=1), 10) == []
    enter(world, world.alice, BO_WINS)
    assert auto_confirm.due(NOON + timedelta(days=1), 10) == []


def test_the_database_keeps_what_was_entered(world):
    enter(world, world.alice)
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("UPDATE matches_scoresheet SET sha256 = 'x'")


def test_the_pages_and_the_api_show_what_has_no_log(world, client):
    enter(world, world.alice)
    enter(world, guest(world, 2), BO_WINS)
    assert client.get(f"/matches/{world.match.pk}/").status_code == 200
    record = Record.objects.first()
    assert client.get(f"/api/v1/records/{record.pk}").status_code == 200
    assert client.get(f"/api/v1/games/{world.game.code}/records").status_code == 200
    assert Game.objects.count() == 1


TAPS = [
    {"n": 1, "kind": "points", "seat": 0, "points": 20},
    {"n": 2, "kind": "round_end", "ended": "domino", "winner": 1, "spinner": "6-6", "points": 15},
    {"n": 3, "kind": "points", "seat": 1, "points": 10},
    {"n": 4, "kind": "bell"},
    {"n": 5, "kind": "end", "ended": "bell"},
]


def test_a_tally_gives_its_rounds_and_its_score_by_its_taps_alone(world):
    entered = enter(world, world.alice, {"taps": TAPS}, kind=KnownBy.TALLY)
    assert (entered.result.scores, entered.result.known_by) == ({"1": 20, "2": 25}, "tally")
    verdict = entered.record.verdict
    assert (verdict.chips, verdict.ended) == ({"A": 25, "B": 26}, "bell")
    rounds = [(one["spinner"], one["ended"], one["points"], one["scores"]) for one in verdict.rounds]
    assert rounds == [
        ("6-6", "domino", {"A": 0, "B": 15}, {"A": 20, "B": 15}),
        (None, "bell", {"A": 0, "B": 0}, {"A": 20, "B": 25}),
    ]


def test_chips_that_nobody_wrote_are_not_stored_and_totals_are_reckoned(world):
    play = {"play": [100, 95], "muggins": [0, 0], "bonus": [50, 0]}
    data = {"scores": [150, 95], "chips": [11, None], "rounds": [play, {}]}
    with pytest.raises(Refused) as refused:
        enter(world, world.alice, data, kind=KnownBy.CARD)
    assert refused.value.facts["judged"].findings == [
        (1, "Ana Ruiz had 150 after this round: the game was over, and more rounds are written")
    ]
    entered = enter(world, world.alice, {**data, "rounds": [play]}, kind=KnownBy.CARD)
    assert entered.record.verdict.chips is None
    assert entered.record.verdict.rounds[0]["scores"] == {"A": 150, "B": 95}

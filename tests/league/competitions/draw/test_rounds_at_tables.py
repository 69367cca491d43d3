"""Rounds at tables of three to six, from the draw to the table of the competition."""

import json
from datetime import timedelta
from fractions import Fraction
from random import Random
from zoneinfo import ZoneInfo

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from games.notation.reading import dumps
from league.accounts.models import Role
from league.competitions.amendments.services import confirm_amendment, outlooks, propose_amendment
from league.competitions.attendance.no_shows import forfeit_absent, wait_for
from league.competitions.attendance.withdrawals import undo_withdrawal, withdraw
from league.competitions.draw.advancing import advance, sweep
from league.competitions.draw.forecast import expected
from league.competitions.draw.plans import found
from league.competitions.draw.rebuilding import differences
from league.competitions.draw.stages import draw_next
from league.competitions.import_export.confirming import confirm_import
from league.competitions.import_export.exporting import competition_file, competition_files, to_json
from league.competitions.import_export.importing import import_competition
from league.competitions.import_export.reading import differences as file_differences
from league.competitions.import_export.reading import read
from league.competitions.import_export.result_columns import RESULT_WORDS, guess, words_of
from league.competitions.import_export.result_tables import read_results
from league.competitions.import_export.tabular import read_sheet
from league.competitions.import_export.trf_report import has_report
from league.competitions.models import Berth, Matchday, RatedGame, Slot, Stage, Withdrawal
from league.competitions.official_results import results_hash
from league.competitions.queries.competition import competition_page
from league.competitions.ratings.services import rate_match
from league.errors import NotAllowed, Refused
from league.matches.amendments import Wanted
from league.matches.logs.submission import confirm_result, submit_log, verify_record
from league.matches.models import KnownBy, Match
from league.matches.results.entering import enter_sheet
from league.players.models import Entrant
from referee.playouts.pips import playout
from tests.league.competitions.at_tables import TABLES, drafted, plan, play, published, sides, slots

pytestmark = pytest.mark.django_db


def rows(world, competition, *, official=True):
    page = competition_page(world.owner, world.league.slug, competition.slug)
    return [
        (row.rank, row.name, row.match_points, row.points_for, row.difference)
        for row in page.table.rows(official_only=official)
    ]


def test_every_table_is_one_match_of_all_who_sit_there(world):
    competition = drafted(world, 11, rounds=2)
    drawn = [[slot.berths.count() for slot in slots(competition, number)] for number in (1, 2)]
    assert drawn == [[4, 4, 3], [4, 4, 3]]
    for slot in slots(competition, 1):
        assert sides(slot.match) == [str(one.entrant) for one in slot.berths.order_by("number")]
        assert (slot.match.best_of, slot.match.ruleset, slot.match.state) == (1, "all-fives", Match.State.SCHEDULED)
    assert differences(competition) == []


def test_whom_the_tables_leave_over_has_a_bye(world):
    competition = drafted(world, 7, seats=3, rounds=2)
    assert [[slot.berths.count() for slot in slots(competition, number)] for number in (1, 2)] == [[3, 3, 1]] * 2
    assert [slot.match is None for slot in slots(competition, 1)] == [False, False, True]


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"ruleset": "udl"}, "bad-seats"),
        ({"seats": 5}, "bad-seats"),
        ({"seats": 2}, "bad-seats"),
        ({"seats": 0}, "bad-seats"),
        ({"seats": 7, "ruleset": "uno-dominoes"}, "bad-seats"),
        ({"rounds": 0}, "bad-rounds"),
        ({"rounds": 65}, "bad-rounds"),
        ({"place_points": [3, 1, 0]}, "bad-place-points"),
        ({"place_points": [3, 1, 2, 0]}, "bad-place-points"),
        ({"place_points": [1, 1, 1, 1]}, "bad-place-points"),
        ({"place_points": [101, 1, 0, 0]}, "bad-place-points"),
        ({"bye_points": 4}, "bad-bye-points"),
        ({"tie_breaks": ["place_points", "buchholz"]}, "bad-order"),
        ({"format": Stage.Format.SWISS, "seats": 0, "rounds": 0}, "bad-order"),
        ({"format": Stage.Format.SWISS, "tie_breaks": ["wins"], "rounds": 0}, "bad-seats"),
    ],
)
def test_a_plan_of_tables_that_can_not_be_is_refused_in_words(world, changes, code):
    with pytest.raises(Refused) as refused:
        found(world.league, plan(**changes), user=world.owner)
    assert refused.value.code == code


def test_uneven_numbers_are_refused_where_the_ruleset_plays_full_tables_only(world):
    with pytest.raises(Refused) as refused:
        drafted(world, 7, options={"players": 4})
    assert refused.value.code == "uneven-tables"
    assert drafted(world, 8, name="Full", options={"players": 4}).stages.get().matchdays.count() == 3


def test_places_bring_their_points_and_who_is_level_shares_them(world):
    competition = published(world, 8, rounds=1)
    first, second = slots(competition, 1)
    play(world, first, (100, 40, 40, 10))
    assert rows(world, competition)[:4] == [
        (1, sides(first.match)[0], 3, 100, 70),
        (2, sides(first.match)[1], Fraction(3, 2), 40, -10),
        (2, sides(first.match)[2], Fraction(3, 2), 40, -10),
        (4, "Bo Chen", 0, 0, 0),
    ]
    assert Stage.objects.get(competition=competition).finished_at is None
    play(world, second, (30, 100, 5, 20))
    assert Stage.objects.get(competition=competition).finished_at is not None
    assert [row[2] for row in rows(world, competition)] == [3, 3, 2, Fraction(3, 2), Fraction(3, 2), 1, 0, 0]
    assert differences(competition) == []


def test_a_result_that_nobody_has_confirmed_counts_as_provisional_only(world):
    competition = published(world, 4, rounds=1)
    [slot] = slots(competition, 1)
    play(world, slot, (100, 40, 30, 10), official=False)
    assert [row[2] for row in rows(world, competition, official=False)] == [3, 2, 1, 0]
    assert [row[2] for row in rows(world, competition)] == [0, 0, 0, 0]


def test_at_a_table_of_several_games_all_are_played_and_games_won_come_before_points(world):
    competition = published(world, 4, rounds=1, best_of=3, place_points=[5, 3, 1, 0])
    [slot] = slots(competition, 1)
    play(world, slot, (100, 90, 0, 5), (100, 90, 0, 5))
    assert Match.objects.get(pk=slot.match_id).state == Match.State.PLAYING
    assert [row[2] for row in rows(world, competition, official=False)] == [0, 0, 0, 0]
    third = slot.match.games.get(number=3)
    done = enter_sheet(third, world.referee, {"scores": [0, 10, 100, 5]}, kind=KnownBy.SCORE, insist=True)
    assert Match.objects.get(pk=slot.match_id).state == Match.State.PROVISIONAL
    confirm_result(result=done.result, user=world.second_referee)
    assert Match.objects.get(pk=slot.match_id).state == Match.State.DECIDED
    names = sides(slot.match)
    assert [row[1:4] for row in rows(world, competition)] == [
        (names[0], 5, 200),
        (names[2], 3, 100),
        (names[1], 1, 190),
        (names[3], 0, 15),
    ]


def test_a_bye_brings_what_the_competition_gives_for_it_once_its_round_is_shown(world):
    competition = published(world, 4, seats=3, rounds=1, bye_points=1)
    [_slot, bye] = slots(competition, 1)
    alone = str(bye.berths.get().entrant)
    assert rows(world, competition)[0][1:3] == (alone, 1)
    Matchday.objects.update(published_at=None)
    assert {row[2] for row in rows(world, competition)} == {0}


def test_slots_have_up_to_six_berths(world):
    competition = drafted(world, 4, rounds=1)
    slot = Slot.objects.get(matchday__stage__competition=competition)
    for number in (0, 7):
        with pytest.raises(IntegrityError), transaction.atomic():
            Berth.objects.create(slot=slot, number=number, entrant=world.ana)


# --- Who is not there ---


def test_who_has_left_is_missed_at_every_table_that_has_not_begun_and_the_others_play_on(world):
    competition = published(world, 4, rounds=2, place_points=[5, 3, 1, 1])
    first, second = (slots(competition, number)[0] for number in (1, 2))
    play(world, first, (100, 40, 30, 10))
    before = list(second.match.games.values_list("code", flat=True)), second.match.door
    leaver = Entrant.objects.get(player__name="P3")
    done = withdraw(competition, leaver, user=world.owner, reason="Home")
    second.refresh_from_db()
    assert (list(second.match.games.values_list("code", flat=True)), second.match.door) == before
    assert len(sides(second.match)) == 3
    assert "P3" not in sides(second.match)
    assert len(sides(first.match)) == 4, "what was played stands"
    assert done.forfeits == []
    assert differences(competition) == []
    play(world, second, (5, 100, 60))
    made = {row[1]: row[2] for row in rows(world, competition)}
    assert made["P3"] == dict(zip(sides(first.match), (5, 3, 1, 1), strict=True))["P3"]
    there = sides(second.match)
    of_second = {name: made[name] - (5, 3, 1, 1)[sides(first.match).index(name)] for name in there}
    assert of_second == dict(zip(there, (1, 5, 3), strict=True)), "the last place stays empty"
    assert Stage.objects.get(competition=competition).finished_at is not None


def test_a_withdrawal_that_is_taken_back_seats_them_again(world):
    competition = published(world, 4, rounds=2)
    seated = [sides(slots(competition, number)[0].match) for number in (1, 2)]
    done = withdraw(competition, world.bo, user=world.owner, reason="Home")
    assert [len(sides(slots(competition, number)[0].match)) for number in (1, 2)] == [3, 3]
    assert undo_withdrawal(done, user=world.owner)
    assert [sides(slots(competition, number)[0].match) for number in (1, 2)] == seated
    assert not Berth.objects.exclude(absent_since=None).exists()
    assert differences(competition) == []


def test_a_withdrawal_is_not_taken_back_once_the_others_have_begun(world):
    competition = published(world, 4, rounds=1)
    done = withdraw(competition, world.bo, user=world.owner, reason="Home")
    play(world, slots(competition, 1)[0], (100, 40, 30))
    with pytest.raises(Refused) as refused:
        undo_withdrawal(done, user=world.owner)
    assert refused.value.code == "next-begun"
    assert differences(competition) == []


@pytest.mark.parametrize("minutes", [0, 12])
def test_who_left_comes_back_to_the_tables_that_have_not_begun(world, minutes):
    competition = published(world, 4, rounds=2)
    done = withdraw(competition, world.bo, user=world.owner, reason="Home")
    play(world, slots(competition, 1)[0], (100, 40, 30))
    at = done.made_at - timedelta(minutes=minutes)
    Berth.objects.filter(absent_since=done.made_at).update(absent_since=at)
    Withdrawal.objects.filter(pk=done.pk).update(made_at=at)
    assert undo_withdrawal(done, user=world.owner)
    assert [len(sides(slots(competition, number)[0].match)) for number in (1, 2)] == [3, 4]
    assert differences(competition) == []


def test_whoever_is_left_alone_at_a_table_has_a_bye_and_the_stage_can_end(world):
    competition = published(world, 6, seats=3, rounds=1, bye_points=1)
    first, second = slots(competition, 1)
    play(world, second, (100, 40, 30))
    for berth in first.berths.order_by("number")[:2]:
        withdraw(competition, berth.entrant, user=world.owner, reason="Home")
    first.refresh_from_db()
    assert (first.match, first.not_needed) == (None, True)
    assert Stage.objects.get(competition=competition).finished_at is not None
    alone = str(first.berths.get(absent_since=None).entrant)
    made = {row[1]: row[2] for row in rows(world, competition)}
    assert made[alone] == 1
    assert sorted(made.values()) == [0, 0, 0, 1, 1, 2]
    assert differences(competition) == []
    assert sweep() == 0


def test_two_who_are_left_at_a_table_play_for_its_first_places(world):
    competition = published(world, 3, seats=3, rounds=1)
    [slot] = slots(competition, 1)
    withdraw(competition, world.ana, user=world.owner, reason="Home")
    assert len(sides(slot.match)) == 2
    play(world, slot, (40, 100))
    assert [row[2] for row in rows(world, competition)] == [2, 1, 0]


def test_who_was_awaited_and_did_not_come_is_missed_at_that_table_only(world):
    competition = published(world, 4, rounds=2)
    slot, later = (slots(competition, number)[0] for number in (1, 2))
    assert wait_for(slot, world.bo, user=world.owner)
    Berth.objects.filter(slot=slot, entrant=world.bo).update(awaited_since=timezone.now() - timedelta(hours=1))
    assert forfeit_absent(slot, world.bo, user=world.owner) == []
    assert "Bo Chen" not in sides(slot.match)
    assert "Bo Chen" in sides(later.match)
    play(world, slot, (100, 40, 30))
    assert {row[1]: row[2] for row in rows(world, competition)}["Bo Chen"] == 0
    assert differences(competition) == []


def test_who_comes_after_all_sits_down_again_as_long_as_nothing_has_begun(world):
    competition = published(world, 4, rounds=1)
    [slot] = slots(competition, 1)
    seated = sides(slot.match)
    wait_for(slot, world.bo, user=world.owner)
    Berth.objects.filter(slot=slot, entrant=world.bo).update(awaited_since=timezone.now() - timedelta(hours=1))
    forfeit_absent(slot, world.bo, user=world.owner)
    assert wait_for(slot, world.bo, user=world.owner, waiting=False)
    assert sides(slot.match) == seated
    forfeit_again = Berth.objects.filter(slot=slot, entrant=world.bo)
    forfeit_again.update(awaited_since=timezone.now() - timedelta(hours=1))
    forfeit_absent(slot, world.bo, user=world.owner)
    play(world, slot, (100, 40, 30))
    with pytest.raises(Refused) as refused:
        wait_for(slot, world.bo, user=world.owner, waiting=False)
    assert refused.value.code == "next-begun"


def test_who_has_left_does_not_sit_down_again_at_one_table(world):
    competition = published(world, 4, rounds=1)
    [slot] = slots(competition, 1)
    withdraw(competition, world.bo, user=world.owner, reason="Home")
    with pytest.raises(Refused) as refused:
        wait_for(slot, world.bo, user=world.owner, waiting=False)
    assert refused.value.code == "withdrawn-already"
    assert "Bo Chen" not in sides(slot.match)


def test_a_table_that_has_begun_keeps_who_leaves_in_the_middle(world):
    competition = published(world, 4, rounds=1, best_of=3)
    [slot] = slots(competition, 1)
    play(world, slot, (100, 40, 30, 10))
    withdraw(competition, world.bo, user=world.owner, reason="Home")
    assert len(sides(slot.match)) == 4
    assert differences(competition) == []


def test_only_the_staff_says_who_is_not_there(world):
    competition = published(world, 4, rounds=1)
    [slot] = slots(competition, 1)
    for somebody in (world.alice, world.charlie):
        with pytest.raises(NotAllowed):
            wait_for(slot, world.bo, user=somebody)
        with pytest.raises(NotAllowed):
            withdraw(competition, world.bo, user=somebody, reason="x")


# --- Afterwards ---


def test_a_file_carries_tables_with_their_results_and_who_was_missed(world):
    competition = published(world, 7, rounds=2, place_points=[5, 3, 1, 0], best_of=3)
    first, second = slots(competition, 1)
    play(world, first, (100, 40, 40, 10), (0, 100, 0, 0), (1, 2, 100, 0))
    withdraw(competition, second.berths.get(number=2).entrant, user=world.owner, reason="Home")
    second.refresh_from_db()
    play(world, second, (100, 40))
    value = competition_file(world.owner, world.league.slug, competition.slug)
    filed = read(json.loads(to_json(value))).filed
    assert filed is not None
    there = import_competition(world.elsewhere, filed, user=world.charlie).competition
    again = competition_file(world.charlie, world.elsewhere.slug, there.slug)
    assert [one for one in file_differences(again, value) if not one.startswith("entrants")] == []
    stage = there.stages.get()
    assert (stage.format, stage.seats, stage.rounds, stage.place_points) == (TABLES, 4, 2, [5, 3, 1, 0])
    Role.objects.create(user=world.second_referee, league=world.elsewhere, kind=Role.Kind.HEAD_REFEREE)
    confirm_import(there, user=world.second_referee)
    made = [one[2:] for one in rows(world, competition)]
    page = competition_page(world.charlie, world.elsewhere.slug, there.slug)
    assert [(row.match_points, row.points_for, row.difference) for row in page.table.official] == made
    assert differences(there) == []


def test_the_tables_of_a_file_have_a_column_for_everybody_and_points_by_place(world):
    competition = published(world, 4, rounds=1)
    play(world, slots(competition, 1)[0], (100, 40, 40, 10))
    files = competition_files(world.owner, world.league.slug, competition.slug)
    games = files["games.csv"].decode("utf-8-sig").splitlines()
    assert '"player_a","player_b","player_c","player_d","points_a","points_b","points_c","points_d"' in games[0]
    assert ",100,40,40,10," in games[1]
    standings = files["standings.csv"].decode("utf-8-sig").splitlines()
    assert standings[0].endswith('"difference","place_points","game_points"')
    assert [line.split(",")[-2] for line in standings[1:5]] == ["3", "1.5", "1.5", "0"]


def test_a_list_of_games_of_more_than_two_is_no_list_of_results(world):
    competition = published(world, 4, rounds=1)
    play(world, slots(competition, 1)[0], (100, 40, 40, 10))
    text = competition_files(world.owner, world.league.slug, competition.slug)["games.csv"].decode()
    sheet = read_sheet(text, words_of(RESULT_WORDS))
    found = read_results(sheet, guess(sheet, RESULT_WORDS), name="X", ruleset="all-fives", zone=ZoneInfo("UTC"))
    assert (found.filed, [one.code for one in found.mistakes]) == (None, ["more-than-two"])


@pytest.mark.parametrize(
    ("spoil", "code"),
    [
        (lambda slot: slot["match"]["games"][0]["points"].pop(), "bad-points"),
        (lambda slot: slot["match"]["games"][0].update(winner=5), "bad-winner"),
        (lambda slot: slot["berths"].extend([{"entrant": "x"}] * 3), "bad-berths"),
        (lambda slot: slot["berths"][0].update(absent="yes"), "bad-value"),
    ],
)
def test_a_file_with_a_table_that_can_not_be_names_the_place(world, spoil, code):
    competition = published(world, 4, rounds=1)
    play(world, slots(competition, 1)[0], (100, 40, 40, 10))
    value = competition_file(world.owner, world.league.slug, competition.slug)
    spoil(value["rounds"][0]["slots"][0])
    found = read(value)
    assert found.filed is None
    assert code in {one.code for one in found.mistakes}


def test_an_amended_result_shows_first_what_it_does_to_the_table(world):
    competition = published(world, 4, rounds=2)
    [slot] = slots(competition, 1)
    play(world, slot, (100, 40, 30, 10))
    game = slot.match.games.get()
    wanted = Wanted(kind=KnownBy.SCORE, data={"scores": [10, 40, 30, 100]}, reason="Two columns were swapped")
    effect = outlooks(game, world.referee, wanted).stand
    names = sides(slot.match)
    told = {one.name: (one.rank_before, one.rank_after) for one in effect.rows}
    assert told == {names[0]: (1, 4), names[3]: (4, 1)}
    proposed = propose_amendment(game, world.referee, wanted, seen=effect.digest)
    confirm_amendment(proposed, world.second_referee)
    assert [(row[1], row[2]) for row in rows(world, competition)] == [
        (names[3], 3),
        (names[1], 2),
        (names[2], 1),
        (names[0], 0),
    ]
    assert differences(competition) == []


def test_the_best_of_the_tables_meet_in_a_knock_out(world):
    competition = published(world, 8, rounds=2, then=Stage.Format.SINGLE_ELIMINATION, advance_each=4)
    for number in (1, 2):
        for slot in slots(competition, number):
            play(world, slot, (100, 60, 40, 10))
    best = [row[1] for row in rows(world, competition)][:4]
    draw_next(competition, user=world.owner)
    semi = Slot.objects.filter(matchday__stage__number=2, matchday__number=3).order_by("number")
    assert [sorted(sides(one.match)) for one in semi] == [sorted([best[0], best[3]]), sorted([best[1], best[2]])]
    hash_before = results_hash(competition)
    Berth.objects.filter(slot__matchday__number=1, number=4).update(absent_since=timezone.now())
    assert results_hash(competition) != hash_before


def test_a_log_of_four_seats_gives_the_result_of_a_table(world):
    competition = published(world, 4, rounds=1)
    [slot] = slots(competition, 1)
    names = sides(slot.match)
    seated = [names[2], names[0], names[3], names[1]]
    text = dumps(playout("all-fives", rng=Random(3), seats=seated).log)
    game = slot.match.games.get()
    record = submit_log(game=game, user=world.referee, raw=text.encode()).record
    verify_record(record.pk)
    result = record.result
    assert record.seats == {"A": 3, "B": 1, "C": 4, "D": 2}
    confirm_result(result=result, user=world.second_referee)
    advance(slot.match_id)
    made = {row[1]: row[3] for row in rows(world, competition)}
    assert made == {name: result.scores[str(number)] for number, name in enumerate(names, start=1)}
    assert differences(competition) == []


def test_games_of_more_than_two_are_not_rated(world):
    competition = published(world, 4, rounds=1)
    [slot] = slots(competition, 1)
    play(world, slot, (100, 40, 30, 10))
    rate_match(slot.match_id)
    assert not RatedGame.objects.exists()


@pytest.mark.parametrize(("count", "seats"), [(11, 4), (7, 3), (9, 6), (5, 4)])
def test_what_is_expected_is_what_is_drawn(world, count, seats):
    competition = drafted(world, count, seats=seats, ruleset="uno-dominoes", bye_points=1)
    matches = Match.objects.filter(slot__matchday__stage__competition=competition)
    found = expected(competition)
    assert (found.rounds, found.matches) == (3, matches.count())


def test_a_report_of_rounds_of_two_is_not_made_of_tables(world):
    competition = published(world, 4, rounds=1)
    assert not has_report(competition_file(world.owner, world.league.slug, competition.slug))

"""The demonstration league is played, not painted."""

import re
from collections import Counter

import pytest
from django.contrib.auth import authenticate
from django.contrib.auth.models import AnonymousUser

from league.accounts.models import User
from league.competitions.models import Competition
from league.competitions.queries.competition import competition_page
from league.competitions.queries.final_places import final_ranking
from league.competitions.queries.inbox import inbox
from league.matches.logs.submission import game_named_in, submit_log, verify_record
from league.matches.models import Match, Record, Result, SealedLog, StoredVerdict, Upload
from league.matches.queries.lists import games_to_submit
from league.players.models import Player
from league.rehearsals.demo import DEMO_SIGN_INS, load_demo
from referee import verify_text
from tests.kept_rows import kept


@pytest.fixture
def told(db, settings, tmp_path):
    settings.DATA_DIR = tmp_path
    return loaded()


@kept
def loaded():
    sentences = []
    load_demo(sentences.append)
    return [str(one) for one in sentences]


def test_the_league_has_8_players_a_league_of_28_matches_and_two_cups(told):
    assert Player.objects.count() == 8
    assert Counter(Match.objects.values_list("state", flat=True)) == {"decided": 27, "provisional": 3, "scheduled": 9}
    assert Counter(StoredVerdict.objects.values_list("status", flat=True)) == {
        "verified": 27,
        "corrected": 2,
        "violation": 1,
        "impossible": 1,
    }
    assert Record.objects.count() == SealedLog.objects.count() == Upload.objects.count() == 31
    assert Counter(Result.objects.values_list("state", "needs_decision")) == {
        ("official", False): 27,
        ("provisional", False): 2,
        ("provisional", True): 1,
    }
    codes = {one["code"] for found in StoredVerdict.objects.values_list("findings", flat=True) for one in found}
    assert {"missed-points", "claim-upheld", "wrong-total", "tile-already-played"} <= codes
    assert told[0].startswith("Founding the Harbour Domino League")


def test_every_score_can_be_recomputed_from_its_log_alone(told):
    for result in Result.objects.select_related("record__sealed"):
        verdict = verify_text(result.record.sealed.text)[0]
        assert {str(result.record.seats[seat]): points for seat, points in verdict.scores.items()} == result.scores


def test_the_illegal_log_is_kept_without_a_result(told):
    record = Record.objects.get(verdict__status="impossible")
    assert not Result.objects.filter(record=record).exists()
    assert record.game.match.state == "scheduled"
    assert record.sealed.text != ""


def test_no_two_games_are_the_same_deal(told):
    texts = SealedLog.objects.values_list("text", flat=True)
    # A broken rule is a tile too many at the end of the hand.
    deals = Counter(tuple(re.search(r"A hand (.*)", text)[1].split()[:7]) for text in texts)
    assert (len(deals), set(deals.values())) == (31, {1})


def test_both_tables_of_the_competition_have_moved_and_differ(told):
    page = competition_page(AnonymousUser(), "harbour", "autumn-round-robin")
    assert [row.played for row in page.official] == [5] * 8
    assert sorted(row.played for row in page.provisional) == [5, 5, 5, 5, 6, 6, 6, 6]
    assert page.official != page.provisional
    assert [len(day.matches) for day in page.matchdays] == [4] * 7


def test_the_summer_cup_of_seven_is_played_to_its_end(told):
    page = competition_page(AnonymousUser(), "harbour", "summer-cup")
    assert [day.name for day in page.matchdays] == ["Quarter-finals", "Semi-finals", "Final"]
    assert page.matchdays[0].bye == ["Ana Ruiz"]
    assert [sum(not slot.bye for slot in day.slots) for day in page.matchdays] == [3, 2, 2]
    assert all(slot.bye or slot.decided for day in page.matchdays for slot in day.slots)
    assert page.stages[0].finished_at is not None
    ranked = [place.entrant.name for place in final_ranking(page)]
    assert len(set(ranked)) == 7
    semi_finals = page.matchdays[1].slots
    assert {one.winner.name for one in semi_finals} == set(ranked[:2])


def test_the_winter_cup_is_a_draft_that_only_the_staff_sees(told):
    players = User.objects.get(username="ana")
    for outsider in (AnonymousUser(), players):
        with pytest.raises(Competition.DoesNotExist):
            competition_page(outsider, "harbour", "winter-cup")
    page = competition_page(User.objects.get(username="olga"), "harbour", "winter-cup")
    assert (page.draft, len(page.entrants), [day.name for day in page.matchdays]) == (
        True,
        8,
        ["Quarter-finals", "Semi-finals", "Final"],
    )


def test_a_second_load_changes_nothing(told):
    before = Record.objects.count(), Player.objects.count()
    again = []
    load_demo(again.append)
    assert again == ["The demonstration league is there already."]
    assert (Record.objects.count(), Player.objects.count()) == before


def test_a_load_that_fails_leaves_nothing(db, monkeypatch):
    def fail(*_arguments):
        raise RuntimeError("out of tiles")

    monkeypatch.setattr("league.rehearsals.demo._tonight", fail)
    with pytest.raises(RuntimeError):
        load_demo(lambda _sentence: None)
    assert (Player.objects.count(), Record.objects.count()) == (0, 0)


def test_every_demo_sign_in_signs_in(told):
    assert [role for role, _name, _password in DEMO_SIGN_INS] == [
        "organizer",
        "referee",
        "player Ana Ruiz",
        "player Bo Chen",
    ]
    for _role, username, password in DEMO_SIGN_INS:
        assert authenticate(username=username, password=password) is not None


def test_each_of_the_demo_accounts_has_something_to_do(told):
    waiting = {}
    for _role, username, password in DEMO_SIGN_INS:
        user = authenticate(username=username, password=password)
        waiting[username] = len(inbox(user))
        assert games_to_submit(user) != []
    assert waiting == {"olga": 4, "rosa": 2, "ana": 0, "bo": 1}


def test_the_sample_logs_can_be_handed_in(db, settings, tmp_path):
    settings.DATA_DIR = tmp_path  # the files are written there
    load_demo(lambda _sentence: None)
    referee = authenticate(username="rosa", password=DEMO_SIGN_INS[1][2])
    for name, status in (("round-7.domino", "verified"), ("round-7-with-an-error.domino", "unreadable")):
        raw = (tmp_path / "demo-logs" / name).read_bytes()
        match = Match.objects.get(games__code=game_named_in(raw))
        game = match.games.select_related("match__league").get()
        record = submit_log(game=game, user=referee, raw=raw).record
        verify_record(record.pk)
        assert StoredVerdict.objects.get(record=record).status == status
        assert {str(side.entrant) for side in match.sides.all()} == {"Ana Ruiz", "Bo Chen"}

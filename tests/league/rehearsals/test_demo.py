"""The demonstration league is played, not painted."""

import re
from collections import Counter
from zoneinfo import ZoneInfo

import pytest
from django.contrib.auth import authenticate
from django.contrib.auth.models import AnonymousUser
from django.db.models import Q
from django.utils import timezone

from league.accounts.models import League, User
from league.competitions.models import Competition, Season
from league.competitions.notices import standing_of
from league.competitions.queries.competition import competition_page
from league.competitions.queries.final_places import final_ranking
from league.competitions.queries.inbox import inbox
from league.competitions.seasons.tables import division_tables
from league.disputes.case_file import case_of
from league.disputes.court_rules import rules_of_court
from league.disputes.facts import question_of
from league.disputes.models import Dispute
from league.matches.logs.submission import game_named_in, submit_log, verify_record
from league.matches.models import Match, Record, Result, SealedLog, StoredVerdict, Upload
from league.matches.queries.lists import games_to_submit
from league.players.models import Player
from league.rehearsals.demo import load_demo
from league.rehearsals.demo_people import DEMO_PARTS, PASSWORD, REGULARS
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
    assert Player.objects.count() == 8 + len(REGULARS) + 1
    # Beside these the season has 24 matches: 11 are decided, one is under review, and the live tables have 2.
    assert Counter(Match.objects.values_list("state", flat=True)) == {
        "decided": 27 + 11,
        "provisional": 3 + 1,
        "scheduled": 9 + 12,
        "playing": 2,
    }
    logs = StoredVerdict.objects.filter(game_of_robin_or_cup())
    assert Counter(logs.values_list("status", flat=True)) == {
        "verified": 27,
        "corrected": 2,
        "violation": 1,
        "impossible": 1,
    }
    assert Record.objects.count() == SealedLog.objects.count() == Upload.objects.count() + 1 == 31 + 14
    assert Counter(Result.objects.filter(current=True).values_list("state", "needs_decision", "contested")) == {
        ("official", False, False): 27 + 11,
        ("provisional", False, False): 2,
        ("provisional", True, False): 1,
        ("provisional", True, True): 1,
    }
    codes = {one["code"] for found in StoredVerdict.objects.values_list("findings", flat=True) for one in found}
    assert {"missed-points", "claim-upheld", "wrong-total", "tile-already-played"} <= codes
    assert told[0].startswith("Founding the Harbour Domino League")


def game_of_robin_or_cup() -> Q:
    return Q(record__game__match__ruleset="udl")


def test_the_season_has_two_divisions_with_zones_half_played(told):
    season = Season.objects.get()
    tables = division_tables(list(season.divisions.select_related("competition__league").order_by("level")))
    assert [sorted(row.played for row in one.rows) for one in tables] == [[2, 2, 3, 3], [3] * 4]
    zones = [(one.promote, one.play_off, one.relegate) for one in season.divisions.order_by("level")]
    assert zones == [(0, 0, 1), (1, 1, 0)]
    assert season.published_at is not None


def test_one_protest_is_decided_and_one_is_open_between_two_logs_that_differ(told):
    decided, left_open = Dispute.objects.order_by("raised_at")
    assert (decided.state, decided.outcome, left_open.state) == ("ruled", "call", "open")
    assert {one.raised_by.username for one in (decided, left_open)} == {"ana"}
    ruled = Result.objects.get(game=decided.game, current=True)
    assert (ruled.state, ruled.record.replaces is not None) == ("official", True)
    logs = left_open.game.records.order_by("pk")
    assert [one.verdict.status for one in logs] == ["verified", "corrected"]
    assert len({str(one.verdict.scores) for one in logs}) == 2
    assert Result.objects.get(game=left_open.game, current=True).contested
    # The referee has a question to answer.
    assert question_of(case_of(left_open, rules_of_court(left_open.match.league_id))).fact.value == "called"


def test_the_notices_are_published_and_the_minor_has_initials(told):
    league = League.objects.get(slug="harbour")
    assert standing_of(AnonymousUser(), league).count() == 2
    assert Player.objects.get(name="Nico Santos").shown_name == "N. S."


def test_tonight_is_an_evening_of_today_and_every_result_is_past(told):
    league = League.objects.get(slug="harbour")
    now = timezone.localtime(timezone.now(), ZoneInfo(league.time_zone))
    tonight = Match.objects.filter(slot__matchday__number=6, ruleset="udl").values_list("starts_at", flat=True)
    assert {timezone.localtime(at, now.tzinfo) for at in tonight} == {
        now.replace(hour=19, minute=0, second=0, microsecond=0)
    }
    assert not Result.objects.filter(entered_at__gt=timezone.now()).exists()
    hours = (
        Match.objects.exclude(table__name__in=("5", "6")).exclude(starts_at=None).values_list("starts_at", flat=True)
    )
    assert {timezone.localtime(at, now.tzinfo).hour for at in hours} <= {19, 20, 21}


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
    # Of the games with a protest two records are kept: with the ruling, and by the other side.
    assert (len(deals), Counter(deals.values())) == (31 + 12, {1: 41, 2: 2})


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
    assert [part.username for part in DEMO_PARTS] == ["olga", "rosa", "ana", "bo", "nico"]
    for part in DEMO_PARTS:
        assert authenticate(username=part.username, password=PASSWORD) is not None


def test_each_of_the_demo_accounts_has_something_to_do(told):
    waiting = {}
    for part in DEMO_PARTS:
        user = authenticate(username=part.username, password=PASSWORD)
        waiting[part.username] = len(inbox(user))
        assert games_to_submit(user) != []
    assert waiting == {"olga": 5, "rosa": 3, "ana": 1, "bo": 1, "nico": 0}


def test_the_sample_logs_can_be_handed_in(db, settings, tmp_path):
    settings.DATA_DIR = tmp_path  # the files are written there
    load_demo(lambda _sentence: None)
    referee = authenticate(username="rosa", password=PASSWORD)
    for name, status in (("round-7.domino", "verified"), ("round-7-with-an-error.domino", "unreadable")):
        raw = (tmp_path / "demo-logs" / name).read_bytes()
        match = Match.objects.get(games__code=game_named_in(raw))
        game = match.games.select_related("match__league").get()
        record = submit_log(game=game, user=referee, raw=raw).record
        verify_record(record.pk)
        assert StoredVerdict.objects.get(record=record).status == status
        assert {str(side.entrant) for side in match.sides.all()} == {"Ana Ruiz", "Bo Chen"}

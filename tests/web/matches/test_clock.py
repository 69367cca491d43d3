"""The clock on the page of its match: what it shows, whose buttons work, and what the script is told."""

import json
import re
from datetime import timedelta
from html import unescape

import pytest
from django.utils import timezone

from league.accounts.models import Role
from league.matches.clock import services as timekeeping
from league.matches.models import ClockEvent, Match
from league.web.matches.clock import warning_words
from tests.web import world as small
from tests.web.matches.test_matches import text
from tests.web.world import World, account


def ago(seconds: float):
    return timezone.now() - timedelta(seconds=seconds)


def clock_part(html: str) -> str:
    found = re.search(r'<section class="clock.*?</section>', html, re.DOTALL)
    return found[0] if found else ""


@pytest.fixture
def shown(world, browse):
    """The clock as somebody sees it, as HTML."""

    def fetch(user=None) -> str:
        return clock_part(browse(user).get(f"/matches/{world.match.pk}/").content.decode())

    return fetch


def digits(html: str) -> str:
    return re.search(r'role="timer" aria-live="off" data-digits>([^<]*)<', html)[1]


def buttons(html: str) -> set[str]:
    return set(re.findall(r'name="act" value="([a-z]+)"', html))


def started(world: World, seconds: float) -> None:
    timekeeping.start_clock(world.game(), world.ref, ago(seconds))


def press(world: World, client, act: str, **more: object):
    return client.post(f"/matches/{world.match.pk}/clock/1/", {"act": act, **more})


def test_a_clock_that_was_not_started_stands_at_its_full_time(shown, world) -> None:
    html = shown(world.alice)
    assert digits(html) == "15:00"
    assert "Not started" in text(html)
    assert buttons(html) == {"start"}
    assert buttons(shown(world.ref)) == {"start", "give"}
    assert buttons(shown()) == buttons(shown(world.charlie)) == set()


def test_a_running_clock_is_drawn_by_the_server_and_refreshed_without_a_script(world, shown, browse) -> None:
    started(world, 125)
    html = shown(world.ref)
    assert digits(html) in {"12:55", "12:54"}
    assert "Running" in text(html)
    assert buttons(html) == {"pause", "give", "stop"}
    assert "Being played" in text(browse().get(f"/matches/{world.match.pk}/").content.decode())
    page = browse().get(f"/matches/{world.match.pk}/").content.decode()
    assert '<noscript><meta http-equiv="refresh" content="30"></noscript>' in page


def test_a_page_without_a_script_looks_again_right_after_the_bell(world, browse) -> None:
    started(world, 890)
    page = browse().get(f"/matches/{world.match.pk}/").content.decode()
    [seconds] = re.findall(r'http-equiv="refresh" content="(\d+)"', page)
    assert 9 <= int(seconds) <= 11


@pytest.mark.parametrize("left", [58, 2])
def test_the_last_minute_is_marked(world, shown, left) -> None:
    started(world, 900 - left)
    assert '<section class="clock warm"' in shown()


def test_a_paused_clock_says_who_paused_it_and_when(world, shown) -> None:
    started(world, 100)
    timekeeping.pause_clock(world.game(), world.alice, ago(40))
    html = shown(world.bob)
    assert digits(html) == "14:00"
    assert "Paused" in text(html)
    assert buttons(html) == {"resume", "stop"}
    history = text(html.split("History of the clock")[1])
    assert re.fullmatch(r"\d\d:\d\d:\d\d Started ref \d\d:\d\d:\d\d Paused after 1:00, alice", history)


def test_whoever_looks_first_at_a_bell_that_is_due_rings_it(world, shown) -> None:
    started(world, 1000)
    assert ClockEvent.objects.filter(kind="bell").count() == 0
    html = shown()
    assert digits(html) == "0:00"
    assert "The bell: 15:00. Play stops; a tile that was released before it counts." in text(html)
    assert "The bell after 15:00" in text(html)
    assert ClockEvent.objects.filter(kind="bell").count() == 1
    shown()
    assert ClockEvent.objects.filter(kind="bell").count() == 1


@pytest.mark.parametrize(
    ("mode", "said"),
    [
        ("stop", "The bell: 15:00. Play stops; a tile that was released before it counts."),
        ("turn", "The bell: 15:00. The player whose turn it is finishes it, then play stops."),
        ("round", "The bell: 15:00. Play the hand to its end; it counts."),
    ],
)
def test_the_bell_says_what_it_means_under_the_rules_of_the_match(world, shown, mode, said) -> None:
    Match.objects.update(options={"bell_mode": mode})
    started(world, 1000)
    assert said in text(shown())


@pytest.mark.parametrize(("tie", "word"), [("overtime", "Overtime"), ("replay", "Extra hands")])
def test_level_scores_at_the_bell_lead_to_overtime(world, shown, browse, tie, word) -> None:
    Match.objects.update(options={"tie": tie})
    started(world, 1000)
    html = shown(world.ref)
    assert buttons(html) == {"overtime", "stop"}
    assert "The scores are level at" in text(html)
    assert "Level scores:" not in text(shown())
    press(world, browse(world.ref), "overtime", level_at="115")
    html = shown()
    assert word in text(html)
    assert digits(html).startswith("+0:0")
    assert "Level at 115: play goes on without a bell" in text(html)


def test_a_game_that_has_a_result_shows_no_clock_that_nobody_started(world, shown) -> None:
    small.played(world)
    assert shown(world.ref) == ""


def test_a_clock_that_a_result_has_stopped_says_how_long_was_played(world, shown) -> None:
    started(world, 500)
    timekeeping.stop_clock(world.game(), world.ref, ago(20))
    small.played(world)
    html = shown(world.ref)
    assert "8:00 of 15:00 played" in text(html)
    assert buttons(html) == set()


def test_a_clock_that_nobody_stopped_was_stopped_by_the_result(world, shown) -> None:
    started(world, 500)
    timekeeping.stop_at_result(world.game().pk, ago(380))
    small.played(world)
    assert "Stopped: the game has a result after 2:00" in text(shown())


def test_a_match_without_a_clock_has_none_and_no_script_for_it(world, browse) -> None:
    Match.objects.update(ruleset="muggins")
    page = browse(world.ref).get(f"/matches/{world.match.pk}/").content.decode()
    assert "clock.js" not in page
    assert clock_part(page) == ""


def test_each_game_of_a_match_has_its_own_clock(world, browse) -> None:
    Match.objects.update(best_of=3)
    for number in (2, 3):
        world.match.games.create(number=number)
    started(world, 10)
    page = browse(world.ref).get(f"/matches/{world.match.pk}/").content.decode()
    assert [number for number in "123" if f'id="clock-{number}"' in page] == ["1", "2", "3"]
    answer = browse(world.ref).post(f"/matches/{world.match.pk}/clock/2/", {"act": "start"}, follow=True)
    assert "The clock of game 1 of this match is running." in text(answer.content.decode())


def test_differences_between_the_log_and_the_clock_are_told_beside_it(world, shown) -> None:
    started(world, 500)
    timekeeping.stop_clock(world.game(), world.ref, ago(497))
    small.judge(small.hand_in(world.game(), world.alice, side=1))
    said = text(shown())
    assert "Differences between the log and the clock" in said
    assert "The log goes on to 0:09; the clock was stopped at 0:03." in said
    assert "They change neither the verdict nor the score." in said


# --- Buttons ---


def test_start_pause_resume_and_stop_work_as_plain_forms(world, browse) -> None:
    client = browse(world.alice)
    for act, said in (
        ("start", "The clock is running."),
        ("pause", "The clock is paused."),
        ("resume", "The clock is running again."),
        ("stop", "The clock is stopped."),
    ):
        answer = press(world, client, act)
        assert (answer.status_code, answer.url) == (302, f"/matches/{world.match.pk}/#clock-1")
        assert said in client.get(answer.url).content.decode()
    assert [one.kind for one in ClockEvent.objects.order_by("number")] == ["start", "pause", "resume", "stop"]


def test_time_is_given_in_minutes_with_a_reason(world, browse, shown) -> None:
    started(world, 10)
    press(world, browse(world.ref), "give", minutes="2", reason="A tile <b>fell</b>")
    assert ClockEvent.objects.get(kind="give").given_ms == 120_000
    html = shown()
    assert "Time of the game: 17:00" in text(html)
    assert "Time given: 2:00: <bdi>A tile &lt;b&gt;fell&lt;/b&gt;</bdi>" in html


@pytest.mark.parametrize("minutes", ["", "0", "-5", "61", "²", "9999999", "one"])
def test_a_gift_that_is_no_number_of_minutes_is_refused_in_words(world, browse, minutes) -> None:
    answer = browse(world.ref).post(
        f"/matches/{world.match.pk}/clock/1/", {"act": "give", "minutes": minutes}, follow=True
    )
    assert "Give from 1 second to 60 minutes." in text(answer.content.decode())
    assert ClockEvent.objects.count() == 0


def test_a_start_by_mistake_is_taken_back(world, browse, shown) -> None:
    client = browse(world.alice)
    press(world, client, "start")
    assert buttons(shown(world.alice)) == {"pause", "stop", "cancel"}
    press(world, client, "cancel", reason="The wrong table")
    html = shown(world.alice)
    assert (digits(html), buttons(html)) == ("15:00", {"start"})
    assert "The start was taken back: The wrong table" in text(html)


def test_a_refusal_is_told_on_the_page_and_changes_nothing(world, browse) -> None:
    client = browse(world.ref)
    press(world, client, "start")
    answer = client.post(f"/matches/{world.match.pk}/clock/1/", {"act": "start"}, follow=True)
    assert f"The clock of game {world.game().code} is running already." in text(answer.content.decode())
    answer = client.post(f"/matches/{world.match.pk}/clock/1/", {"act": "bell"}, follow=True)
    assert "Choose one of the buttons of the clock." in text(answer.content.decode())
    assert ClockEvent.objects.count() == 1


STATUS = {"anonymous": 302, "alice": 302, "ref": 302, "helper": 302, "charlie": 403}


@pytest.mark.parametrize("who", STATUS)
def test_who_may_press_the_buttons(world, browse, who) -> None:
    helper = account("helper")
    Role.objects.create(user=helper, league=world.league, kind=Role.Kind.DESK_HELPER)
    user = {"anonymous": None, "helper": helper}.get(who, getattr(world, who, None))
    answer = press(world, browse(user), "start")
    assert answer.status_code == STATUS[who]
    assert ClockEvent.objects.count() == (who in {"alice", "ref", "helper"})


def test_players_do_not_give_time(world, browse) -> None:
    assert press(world, browse(world.alice), "give", minutes="1").status_code == 403


@pytest.mark.parametrize("path", ["/matches/{match}/clock/2/", "/matches/999999/clock/1/"])
def test_a_game_that_is_not_there_has_no_clock(world, browse, path) -> None:
    answer = browse(world.ref).post(path.format(match=world.match.pk), {"act": "start"})
    assert answer.status_code == 404


def test_a_draft_has_no_clock_for_outsiders(db, browse) -> None:
    world = small.build(published=False)
    for path in (f"/matches/{world.match.pk}/clock/", f"/matches/{world.match.pk}/clock/1/"):
        assert browse(world.alice).get(path).status_code in {404, 405}
        assert browse(world.alice).post(path, {"act": "start"}).status_code in {404, 405}
    assert ClockEvent.objects.count() == 0


def test_a_clock_is_never_run_by_following_a_link(world, browse) -> None:
    assert browse(world.ref).get(f"/matches/{world.match.pk}/clock/1/?act=start").status_code == 405
    assert ClockEvent.objects.count() == 0


# --- What the script is told ---


def test_the_script_is_told_the_state_of_every_clock_and_nothing_is_kept(world, browse) -> None:
    started(world, 60)
    answer = browse().get(f"/matches/{world.match.pk}/clock/")
    assert answer.headers["Cache-Control"] == "no-store"
    [one] = answer.json()["clocks"]
    left = one.pop("remaining_ms")
    assert one == {"game": 1, "version": 1, "state": "running", "overtime_ms": 0}
    assert 835_000 <= left <= 840_000


def test_the_script_that_looks_first_rings_the_bell(world, browse) -> None:
    started(world, 1000)
    [one] = browse().get(f"/matches/{world.match.pk}/clock/").json()["clocks"]
    assert (one["state"], one["version"], one["remaining_ms"]) == ("rung", 2, 0)
    assert ClockEvent.objects.filter(kind="bell").count() == 1


def test_the_words_for_the_script_stand_on_the_page(world, shown) -> None:
    started(world, 10)
    told = json.loads(unescape(re.search(r'data-counts="([^"]*)"', shown())[1]))
    assert told["warnings"] == [[300_000, "5 minutes left"], [60_000, "1 minute left"]]
    assert told["bell"].startswith("The bell: 15:00.")
    assert warning_words(90_000) == "90 seconds left"


def test_the_state_of_a_clock_is_for_those_who_may_see_its_match(db, browse) -> None:
    world = small.build(published=False)
    assert browse().get(f"/matches/{world.match.pk}/clock/").status_code == 404
    assert browse(world.ref).get(f"/matches/{world.match.pk}/clock/").status_code == 200


@pytest.mark.parametrize("events", [1, 5])
def test_a_match_takes_the_same_statements_for_one_and_five_events(
    world, browse, django_assert_num_queries, events
) -> None:
    started(world, 100)
    for number in range(events - 1):
        timekeeping.give_time(world.game(), world.ref, seconds=1, at=ago(90 - number))
    client = browse()
    with django_assert_num_queries(10):
        client.get(f"/matches/{world.match.pk}/")
    with django_assert_num_queries(2):
        client.get(f"/matches/{world.match.pk}/clock/")

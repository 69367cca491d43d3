"""The pages of the hall's clock: what the projector shows, what the buttons do, and what they say."""

import json
import re
from datetime import UTC, datetime, timedelta
from html import unescape

import pytest
from django.utils import timezone

from league.accounts.models import Role
from league.competitions.models import Competition
from league.matches.clock import services as timekeeping
from league.matches.models import ClockEvent, Game, Match
from league.players.models import Player
from tests.web import world as small
from tests.web.organize.test_organize import text_of

CLOCK = "/organize/harbour/clock/"
WALL = "/hall/harbour/"
START = datetime(2026, 11, 6, 19, 0, tzinfo=UTC)


@pytest.fixture
def world(db):
    return small.build(players=6)


@pytest.fixture
def hour(monkeypatch):
    """Sets the server's hour, in seconds after the start of the first round."""

    def at(seconds: float) -> datetime:
        then = START + timedelta(seconds=seconds)
        monkeypatch.setattr(timezone, "now", lambda: then)
        return then

    at(0)
    return at


def body(client, path: str = WALL) -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    return answer.content.decode()


def counted(html: str) -> list[dict]:
    return [json.loads(unescape(one)) for one in re.findall(r'data-hall-clock="([^"]*)"', html)]


def digits(html: str) -> list[str]:
    return re.findall(r"data-digits>([^<]*)<", html)


def said(client, path: str = CLOCK, **data) -> str:
    answer = client.post(path, data, follow=True)
    assert answer.status_code == 200
    found = re.search(r'<div class="messages".*?</div>', answer.content.decode(), re.DOTALL)
    return text_of(unescape(found[0])) if found else ""


def test_one_press_starts_the_round_and_says_so(world, browse, hour) -> None:
    ref = browse(world.ref)
    assert "Start 2 clocks together" in text_of(body(ref, CLOCK))  # two tables, two matches at once
    assert said(ref, act="start") == (
        "2 clocks were started together at 19:00:00. Not started: Table 1: Another match is played at this table first."
    )
    assert {(event.at, event.by) for event in ClockEvent.objects.all()} == {(START, world.ref)}
    assert "start-all" not in body(ref, CLOCK)


def test_the_clock_of_a_match_played_early_is_under_its_own_round(world, browse, hour) -> None:
    ahead = Match.objects.filter(slot__matchday__number=2).earliest("pk")
    timekeeping.start_clock(ahead.games.get(), world.ref, hour(0))
    hour(30)
    shown = body(browse())
    assert "Autumn Round Robin , Round 2" in text_of(shown.split('class="wall-round">')[1].split("</p>")[0])
    assert "Round 1" not in text_of(shown.split('class="wall-round">')[1].split("</p>")[0])
    told = text_of(body(browse(world.ref), CLOCK).split('<p class="meta">')[1].split("</p>")[0])
    assert told == "Autumn Round Robin , Round 1 Autumn Round Robin , Round 2"


def test_tables_of_several_rounds_say_which_and_those_of_one_need_not(world, browse, hour) -> None:
    ref = browse(world.ref)
    assert "Round" not in text_of(body(ref, CLOCK).split('<ul class="hall-rows">')[1].split("</ul>")[0])
    ahead = Match.objects.filter(slot__matchday__number=2).earliest("pk")
    first = Match.objects.filter(slot__matchday__number=1).order_by("starts_at", "table__name")[0]
    timekeeping.start_clock(ahead.games.get(), world.ref, hour(0))
    timekeeping.start_clock(first.games.get(), world.ref, hour(40))
    rows = text_of(body(ref, CLOCK).split('<ul class="hall-rows">')[1].split("</ul>")[0])
    assert {f"Autumn Round Robin , Round {number}" in rows for number in (1, 2)} == {True}
    others = text_of(body(browse()).split('id="different"')[1].split("</ul>")[0])
    assert "Table 1 Autumn Round Robin , Round" in others


def test_who_was_not_started_is_named_with_the_reason(world, browse, hour) -> None:
    first = Match.objects.filter(slot__matchday__number=1).order_by("starts_at", "table__name")
    timekeeping.start_clock(first[0].games.get(), world.ref, hour(0))
    hour(30)
    assert said(browse(world.ref), act="start") == (
        "1 clock was started at 19:00:30. "
        "Not started: Table 1: Its clock is running. Table 1: Another match is played at this table first."
    )
    assert said(browse(world.ref), act="start") == (
        "No clock can be started. Not started: Table 1: Its clock is running. "
        "Table 1: Another match is played at this table first. Table 2: Its clock is running."
    )


def test_all_are_paused_and_go_on_and_a_start_is_taken_back(world, browse, hour) -> None:
    ref = browse(world.ref)
    said(ref, act="start")
    hour(20)
    assert said(ref, act="pause") == "2 clocks are paused."
    assert said(ref, act="pause") == "No clock is running."
    hour(50)
    assert said(ref, act="resume") == "2 clocks are running again."
    assert said(ref, act="cancel", reason="") == "Say in a few words why the start is taken back."
    assert said(ref, act="cancel", reason="a wrong button") == (
        "2 starts were undone: the clocks are back at their full time."
    )
    assert said(ref, act="cancel", reason="again") == (
        "No clock was started within the last minute. Pause the clocks instead."
    )
    assert said(ref, act="resume") == "No clock is paused."
    assert said(ref, act="dance") == said(ref, act="stop") == "Choose one of the buttons of the clock."


def test_one_table_is_paused_and_given_time_by_its_own_buttons(world, browse, hour) -> None:
    ref = browse(world.ref)
    said(ref, act="start")
    match = Match.objects.filter(slot__matchday__number=1, table__name="2").get()
    key = f"slot-{match.slot.pk}"
    hour(60)
    assert said(ref, act="give", table=key, minutes="2") == "Table 2: The time was given."
    assert said(ref, act="pause", table=key) == "Table 2: The clock is paused."
    assert said(ref, act="give", table=key, minutes="x") == "Give from 1 second to 60 minutes."
    assert said(ref, act="overtime", table=key) == "Choose one of the buttons of the clock."
    assert said(ref, act="pause", table="slot-0") == "There is no clock to run at this table any more."
    hour(90)
    wall = text_of(body(browse()))
    assert "Tables with another time Table 2 16:00 Paused" in wall
    assert digits(body(browse())) == ["13:30", "16:00"]
    assert said(ref, act="pause") == "1 clock is paused."
    assert said(ref, act="resume") == "1 clock is running again. Still paused: Table 2: It was paused automatically."


def test_two_projectors_and_a_restarted_server_show_the_same_time(world, browse, hour) -> None:
    said(browse(world.ref), act="start")
    hour(123)
    early, late = body(browse()), body(browse(world.alice))
    assert counted(early) == counted(late)
    assert [(one["key"], one["remaining_ms"], one["state"]) for one in counted(early)] == [("main", 777_000, "running")]
    assert digits(early) == ["12:57"]


@pytest.mark.parametrize(
    ("seconds", "shown", "tone"),
    [
        (599, [], "good"),
        (600, ["The last 5 minutes"], "warm"),
        (839, ["The last 5 minutes"], "warm"),
        (840, ["The last minute"], "bad"),
        (899.9, ["The last minute"], "bad"),
        (900, [], "bad"),
    ],
)
def test_warnings_are_words_with_an_icon_and_a_colour(world, browse, hour, seconds, shown, tone) -> None:
    said(browse(world.ref), act="start")
    hour(seconds)
    html = body(browse())
    badges = re.findall(r'<span class="badge (\w+)" data-before="\d+" data-tone="\w+">(.*?)</span>', html)
    assert [text_of(words) for _tone, words in badges] == shown
    assert all(badge == tone and "<svg" in words for badge, words in badges)
    assert re.search(r'<section class="wall-clock (\w+)"', html)[1] == tone


@pytest.mark.parametrize(("seconds", "fills"), [(899, False), (900, True), (919, True), (920, False)])
def test_the_bell_fills_the_screen_for_twenty_seconds(world, browse, hour, seconds, fills) -> None:
    said(browse(world.ref), act="start")
    hour(seconds)
    html = body(browse())
    assert ("data-bell hidden>" not in html) == fills
    assert "The bell: 15:00. Play stops; a tile that was released before it counts." in text_of(unescape(html))
    assert ("The bell has rung" in text_of(html)) == (seconds >= 900)


def test_while_nothing_runs_the_next_round_is_told(world, browse, hour) -> None:
    html = text_of(body(browse())).replace(" ,", ",")
    assert "No clock is running" in html
    assert "Next Autumn Round Robin, Round 1, Fri 6 Nov, 19:00, 3 matches" in html
    said(browse(world.ref), act="start")
    assert "Next" not in text_of(body(browse()))


def test_a_page_without_a_script_looks_again_right_after_the_bell(world, browse, hour) -> None:
    said(browse(world.ref), act="start")
    for seconds, again in ((0, 20), (890, 11), (901, 20)):
        hour(seconds)
        assert f'<noscript><meta http-equiv="refresh" content="{again}"></noscript>' in body(browse())


def test_each_competition_has_a_wall_of_its_own(world, browse, hour) -> None:
    cup = small.knock_out(world, played=0)
    Match.objects.filter(slot__matchday__stage__competition=cup).update(state=Match.State.SCHEDULED)
    ref = browse(world.ref)
    said(ref, f"{CLOCK}?competition={cup.slug}", act="start")
    of_cup = ClockEvent.objects.filter(game__match__slot__matchday__stage__competition=cup)
    assert of_cup.count() == ClockEvent.objects.count() > 0
    assert digits(body(browse(), f"{WALL}?competition={cup.slug}")) == ["15:00"]
    assert "No clock is running" in body(browse(), f"{WALL}?competition=autumn&show=clocks")
    for path in (WALL, CLOCK):
        assert ref.get(f"{path}?competition=nowhere").status_code == 404
    Competition.objects.filter(pk=cup.pk).update(published_at=None)
    assert browse().get(f"{WALL}?competition={cup.slug}").status_code == 404
    assert browse().get("/hall/nowhere/").status_code == 404


def test_a_round_is_chosen_where_an_earlier_one_is_late(world, browse, hour) -> None:
    ref = browse(world.ref)
    path = f"{CLOCK}?competition=autumn&round=2"
    assert "2 clocks were started together" in said(ref, path, act="start")
    assert set(Game.objects.exclude(rings_at=None).values_list("match__slot__matchday__number", flat=True)) == {2}
    assert "round=3" in body(ref, path)


def test_the_wall_names_tables_and_nobody_who_sits_there(world, browse, hour) -> None:
    Player.objects.update(born=2015)
    said(browse(world.ref), act="start")
    timekeeping.give_time(Game.objects.exclude(rings_at=None).first(), world.ref, seconds=60)
    html = text_of(body(browse()))
    assert not [name for name in ("Ana", "Bo ", "Cleo", "Ruiz") if name in html]
    assert "Table" in html


def test_names_are_text_whatever_is_in_them(world, browse, hour) -> None:
    Competition.objects.update(name="<b>Cup</b>")
    world.league.name = "<script>alert(1)</script>"
    world.league.save()
    world.league.tables.filter(name="1").update(name="<i>x")
    Player.objects.update(name="<u>Ana</u>")
    said(browse(world.ref), act="start")
    for user, path in ((None, WALL), (world.ref, CLOCK)):
        html = body(browse(user), path)
        assert not re.search(r"<b>Cup|<script>alert|<i>x|<u>Ana", html)


def test_only_those_who_run_clocks_get_the_page_and_see_its_link(world, browse) -> None:
    reader, helper = small.account("reader"), small.account("helper")
    Role.objects.create(user=reader, league=world.league, kind=Role.Kind.READ_ONLY)
    Role.objects.create(user=helper, league=world.league, kind=Role.Kind.DESK_HELPER)
    assert [browse(one).get(CLOCK).status_code for one in (world.ref, helper, reader, world.alice)] == [
        200,
        200,
        403,
        404,
    ]
    assert CLOCK in body(browse(helper), "/organize/harbour/")
    assert CLOCK not in body(browse(reader), "/organize/harbour/")

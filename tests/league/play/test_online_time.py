"""The server's clock: the bell, a time a move, absences, and an outage of the server that costs nobody anything."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from django.test import Client

from games.moves import SEATS
from league.errors import Refused
from league.play import tasks
from league.play.models import OnlineGame, OnlineHeartbeat, OnlineSeat
from league.play.online import heartbeat, services
from league.play.online.acts import OnlineAct
from league.play.online.queries import THERE, online_view, version_of
from league.play.online.sweep import MERCY, advance, ask, forget_old, sweep
from referee import verify
from tests.league.play.online_games import choice, dealt, do, fresh, later, line_of, opened, play_to_end, step

pytestmark = pytest.mark.django_db
BEGINS = datetime(2026, 11, 27, 19, 0, tzinfo=UTC)
Wait = Callable[..., datetime]


@pytest.fixture
def wait(monkeypatch) -> Wait:
    """Let time pass; the server is there all the time unless `away`. Everybody's page asks, unless `silent`."""
    state, chance = {"now": BEGINS}, Random(1)
    monkeypatch.setattr("django.utils.timezone.now", lambda: state["now"])
    monkeypatch.setattr("league.play.online.services.secrets.token_hex", lambda size: chance.randbytes(size).hex())

    def passes(seconds: float = 0, *, silent: str = "", away: bool = False) -> datetime:
        state["now"] += timedelta(seconds=seconds)
        if not away:
            OnlineHeartbeat.objects.update_or_create(pk=1, defaults={"at": state["now"]})
            OnlineSeat.objects.exclude(name=silent).update(seen_at=state["now"])
        return state["now"]

    passes()
    return passes


def turn(seats: list[OnlineSeat]) -> tuple[OnlineSeat, OnlineSeat]:
    return (seats[0], seats[1]) if fresh(seats[0]).table().to_act == seats[0].number else (seats[1], seats[0])


def code_of(act: Callable[[], object]) -> str:
    with pytest.raises(Refused) as caught:
        act()
    return caught.value.code


def play_until(seats: list[OnlineSeat], wait: Wait, seconds: float) -> None:
    """Play with five seconds a turn, until this time after the deal."""
    while (fresh(seats[0]).waits_since - BEGINS).total_seconds() < seconds:
        wait(5)
        step(seats)


# ---- The deal


@pytest.mark.parametrize(("seconds", "dealt_now"), [(30, True), (31, False)])
def test_nothing_is_dealt_while_a_player_who_was_ready_is_away(wait, seconds, dealt_now) -> None:
    ana, bo = opened()
    services.agree_to_deal(ana.game.code, ana.key, "one")
    before = version_of(fresh(ana), wait(seconds, silent="Ana"))
    services.agree_to_deal(bo.game.code, bo.key, "two")
    assert bool(fresh(ana).started_at) == dealt_now
    if dealt_now:
        return
    assert version_of(fresh(ana), wait()) != before
    assert [seat.agreed for seat in fresh(ana).seated()] == [False, True]
    assert "I am ready" in page_of(ana)
    services.agree_to_deal(ana.game.code, ana.key, "other words")
    assert fresh(ana).started_at == wait()


# ---- The game clock


def test_each_line_has_the_server_s_time(wait) -> None:
    seats = dealt("udl", clock="300")
    wait(7.25)
    now, _other = turn(seats)
    do(now, choice(now))
    assert fresh(now).lines.splitlines()[-1].startswith("0:07.2 ")


def test_the_bell_rings_at_its_time_and_calls_have_their_window(wait) -> None:
    seats = dealt("udl", clock="300", target="500")
    play_until(seats, wait, 290)
    assert fresh(seats[0]).due_at == BEGINS + timedelta(seconds=300)
    now = wait(BEGINS.timestamp() + 300.4 - wait().timestamp())
    ask(fresh(seats[0]), seats[0].key, now)
    game = fresh(seats[0])
    assert game.lines.splitlines()[-1] == "5:00 bell"
    assert game.table().belled  # with these deals it rings in the middle of a hand
    for seat in seats:
        for asked in (OnlineAct("draw"), OnlineAct("deal")):
            assert code_of(lambda seat=seat, asked=asked: do(seat, asked)) == "illegal-move"
    ask(fresh(seats[0]), seats[0].key, wait(11))
    game = fresh(seats[0])
    assert game.table().game.settled
    verdict = verify(game.table().log)
    assert game.table().game.card.overtime or verdict.ended == "bell"


def test_a_page_that_asks_and_the_sweep_ring_the_bell_once(wait) -> None:
    seats = dealt("udl", clock="300", target="500")
    now = wait(301)
    for _again in range(2):
        ask(fresh(seats[0]), seats[0].key, now)
        sweep(now)
        advance(seats[0].game_id, now)
    assert [line.split()[-1] for line in fresh(seats[0]).lines.splitlines()].count("bell") == 1


def test_after_a_level_bell_the_game_goes_on_without_a_clock(wait) -> None:
    seats = dealt("udl", clock="300", target="500")
    sweep(wait(301))
    sweep(wait(12))
    game = fresh(seats[0])
    assert game.table().game.card.overtime  # nobody has a point
    for seat in seats:
        do(seat, OnlineAct("deal"))
    wait(30)
    step(seats)
    assert play_to_end(seats).status == "verified"
    assert verify(fresh(seats[0]).table().log).ended in ("overtime", "target")


def test_a_move_that_comes_after_the_bell_is_refused(wait) -> None:
    """Nobody has asked since: the move itself finds that the time is up."""
    seats = dealt("udl", clock="300", target="500")
    now, _other = turn(seats)
    asked, line = choice(now), line_of(now)
    wait(300.5)
    assert code_of(lambda: do(now, asked, line)) == "stale-table"
    assert "bell" not in fresh(now).lines  # a refusal writes nothing
    sweep(wait())
    assert "5:00 bell" in fresh(now).lines


@pytest.mark.parametrize("mode", ["round", "turn"])
def test_a_hand_that_goes_on_after_the_bell_is_settled_after_its_own_calls(wait, mode) -> None:
    seats = opened("udl", clock="300", target="500")
    game = fresh(seats[0])
    OnlineGame.objects.filter(pk=game.pk).update(options=game.options | {"bell_mode": mode})
    for seat in seats:
        services.agree_to_deal(game.code, seat.key, "words")
    play_until(seats, wait, 290)
    sweep(wait(BEGINS.timestamp() + 301 - wait().timestamp()))
    assert fresh(seats[0]).table().live is not None  # with these deals
    while fresh(seats[0]).table().live is not None:
        wait(15)
        step(seats)
    ended = wait()
    game = fresh(seats[0])
    assert not game.table().game.settled
    assert game.due_at == ended + timedelta(seconds=11)
    ask(game, seats[0].key, wait(10.9))
    assert not fresh(seats[0]).table().game.settled
    ask(game, seats[0].key, wait(0.1))
    game = fresh(seats[0])
    assert game.table().game.settled
    verdict = verify(game.table().log)
    assert (verdict.ended, game.status) == ("bell", "verified") or game.table().game.card.overtime


# ---- Muggins by the time of receipt


def left_open(seats: list[OnlineSeat]) -> tuple[OnlineSeat, OnlineSeat]:
    """Play until points of the last tile but one are open to a call; return caller and scorer."""
    for _move in range(500):
        now, other = turn(seats)
        if (asked := choice(now)) and asked.do == "play":
            do(now, OnlineAct("play", asked.tile, asked.on))
            play = fresh(now).table().claimable_by(now.number)
            if play is not None and play.owed:
                return now, other
        else:
            step(seats)
    raise AssertionError


def test_a_call_counts_until_the_other_s_next_tile_and_not_after(wait) -> None:
    seats = dealt("udl", target="500", clock="0")
    caller, scorer = left_open(seats)
    before = fresh(caller).table().game.card.scores[caller.number]
    line = line_of(caller)
    do(caller, OnlineAct("muggins"), line)
    do(caller, OnlineAct("muggins"), line)
    assert fresh(caller).table().game.card.scores[caller.number] > before
    assert fresh(caller).lines.splitlines().count(f"{SEATS[caller.number]} muggins") == 1
    caller, scorer = left_open(seats)
    line = line_of(caller)
    while turn(seats)[0].pk == scorer.pk and fresh(caller).table().live:
        do(scorer, choice(scorer))
    assert code_of(lambda: do(caller, OnlineAct("muggins"), line)) in ("stale-table", "illegal-move")


def test_points_can_be_announced_until_the_next_turn_is_completed(wait) -> None:
    seats = dealt("udl", target="500", clock="0")
    for _move in range(500):
        now, other = turn(seats)
        asked = choice(now)
        if asked and asked.do == "play" and asked.points and fresh(now).table().live:
            break
        step(seats)
    before = fresh(now).table().game.card.scores[now.number]
    do(now, OnlineAct("play", asked.tile, asked.on))
    assert code_of(lambda: do(other, OnlineAct("say", points=5))) == "illegal-move"
    line = line_of(now)
    do(now, OnlineAct("say", points=asked.points), line)
    do(now, OnlineAct("say", points=asked.points), line)
    assert fresh(now).table().game.card.scores[now.number] == before + asked.points
    assert code_of(lambda: do(now, OnlineAct("say", points=asked.points))) == "illegal-move"


# ---- Time a move, and absences


def test_a_player_out_of_time_loses_when_the_other_claims_the_game(wait) -> None:
    seats = dealt(move_time="60")
    late, other = turn(seats)
    wait(59)
    assert code_of(lambda: do(other, OnlineAct("claim"))) == "not-overdue"
    wait(1)
    assert code_of(lambda: do(late, OnlineAct("claim"))) == "not-overdue"
    game = do(other, OnlineAct("claim"))
    do(other, OnlineAct("claim"), line=0)
    assert (game.table().game.card.winner, game.status) == (other.number, "verified")
    assert verify(game.table().log).ended == "forfeit"


def test_a_player_who_is_away_has_a_grace(wait) -> None:
    seats = dealt()
    away, other = turn(seats)
    wait(299, silent=away.name)
    assert code_of(lambda: do(other, OnlineAct("claim"))) == "not-overdue"
    wait(1, silent=away.name)
    assert do(other, OnlineAct("claim")).ended_at


def test_a_player_who_is_there_and_thinks_does_not_lose_without_a_time_a_move(wait) -> None:
    seats = dealt()
    _thinking, other = turn(seats)
    wait(4000)
    assert code_of(lambda: do(other, OnlineAct("claim"))) == "not-overdue"


def test_the_sweep_ends_the_game_of_an_absent_player_a_minute_later(wait) -> None:
    seats = dealt()
    away, other = turn(seats)
    sweep(wait(300, silent=away.name))
    assert fresh(away).ended_at is None
    sweep(wait(MERCY.total_seconds(), silent=away.name))
    assert fresh(away).table().game.card.winner == other.number


def test_where_both_are_away_nobody_loses(wait) -> None:
    seats = dealt()
    later_on = wait(0) + timedelta(hours=1)
    OnlineHeartbeat.objects.update(at=later_on)
    sweep(later_on)
    assert fresh(seats[0]).ended_at is None


def between_hands(seats: list[OnlineSeat], wait: Wait) -> int:
    """Play the first hand, and return its number."""
    while fresh(seats[0]).table().live is not None:
        wait(5)
        step(seats)
    return fresh(seats[0]).table().game.number


@pytest.mark.parametrize("ruleset", ["muggins", "uno-dominoes"])
def test_a_player_who_asked_for_the_next_hand_can_ask_alone_after_fifteen_seconds(wait, ruleset) -> None:
    """The other one is there, and does nothing."""
    seats = dealt(ruleset, target="250")
    hand = between_hands(seats, wait)

    def button() -> bool:
        return 'value="deal"' in page_of(seats[0])

    wait(5)
    assert button()
    do(seats[0], OnlineAct("deal"))
    assert not button()
    seen = version_of(fresh(seats[0]), wait(9.9))
    assert not button()
    do(seats[0], OnlineAct("deal"))
    assert fresh(seats[0]).table().game.number == hand
    assert version_of(fresh(seats[0]), wait(0.1)) != seen
    assert button()
    do(seats[0], OnlineAct("deal"))
    assert fresh(seats[0]).table().game.number == hand + 1


def page_of(seat: OnlineSeat) -> str:
    browser = Client()
    browser.cookies["seat"] = seat.key
    return browser.get(f"/play/online/{seat.game.code}/").content.decode()


def test_a_game_that_fails_stops_neither_the_sweep_nor_the_time_given_back(wait, monkeypatch, caplog) -> None:
    games = [dealt("udl", clock="300", target="500") for _game in range(3)]
    broken, *others = (seats[0].game_id for seats in games)
    OnlineGame.objects.filter(pk=broken).update(lines="nonsense")
    ask(fresh(games[1][0]), "", wait(60, away=True))
    assert [game.due_at for game in OnlineGame.objects.order_by("pk")[1:]] == [BEGINS + timedelta(seconds=360)] * 2
    wait(301)
    monkeypatch.setattr("league.play.tasks.fixtures.hand_in", lambda pk: 1 / 0 if pk == broken else handed.append(pk))
    handed: list[int] = []
    OnlineGame.objects.filter(pk=others[1]).update(fixture="NOSUCH00", ended_at=BEGINS)
    OnlineGame.objects.filter(pk=broken).update(fixture="NOSUCH01", due_at=BEGINS)
    tasks.sweep_online()
    assert "5:00 bell" in OnlineGame.objects.get(pk=others[0]).lines
    OnlineGame.objects.filter(pk=broken).update(ended_at=BEGINS)
    tasks.sweep_online()
    assert handed == [others[1]] * 2
    assert {record.levelname for record in caplog.records if record.name.startswith("league.play")} == {"ERROR"}


# ---- The server was away


def test_an_outage_costs_nobody_time_or_a_game(wait) -> None:
    seats = dealt("udl", clock="300", target="500", move_time="60")
    late, other = turn(seats)
    wait(20)
    wait(3600, away=True)
    assert code_of(lambda: do(other, OnlineAct("claim"))) == "not-overdue"
    game = fresh(late)
    assert game.ended_at is None
    assert game.due_at == BEGINS + timedelta(seconds=300 + 3600)
    wait(1)
    do(late, choice(late))
    assert fresh(late).lines.splitlines()[-1].startswith("0:21 ")
    assert later(fresh(late)) == wait()


def test_the_control_without_the_heartbeat_an_outage_costs_the_game(wait, monkeypatch) -> None:
    monkeypatch.setattr(heartbeat, "SILENCE", timedelta(days=9))
    seats = dealt("udl", clock="300", target="500", move_time="60")
    _late, other = turn(seats)
    wait(250, away=True)
    assert do(other, OnlineAct("claim")).ended_at


def test_after_an_outage_every_running_game_gets_its_time_back_whoever_asks_first(wait) -> None:
    one, other = dealt("udl", clock="300"), dealt("udl", clock="600")
    now = wait(1000, away=True)
    ask(fresh(one[0]), one[0].key, now)
    assert [fresh(seats[0]).due_at for seats in (one, other)] == [
        BEGINS + timedelta(seconds=1300),
        BEGINS + timedelta(seconds=1600),
    ]
    ask(fresh(one[0]), one[0].key, wait(30))
    assert fresh(one[0]).due_at == BEGINS + timedelta(seconds=1300)


def without_pages(seats: list[OnlineSeat], wait: Wait, seconds: int) -> None:
    """Let time pass in which no page reaches the site, while its sweep runs on."""
    for _sweep in range(seconds // 30):
        sweep(wait(30, away=True))
    assert fresh(seats[0]).ended_at is None


def test_the_sweep_waits_while_no_page_reaches_the_site(wait) -> None:
    seats = dealt("udl", clock="300", target="500", move_time="120")
    _late, other = turn(seats)
    wait(20)
    without_pages(seats, wait, 600)
    assert "bell" not in fresh(other).lines
    now = wait(0, away=True)
    for seat in seats:
        ask(fresh(seat), seat.key, now)
    sweep(now)
    assert code_of(lambda: do(other, OnlineAct("claim"))) == "not-overdue"
    game = fresh(other)
    assert (game.ended_at, game.due_at) == (None, BEGINS + timedelta(seconds=300 + 600))


def test_the_sweep_ends_no_game_for_a_player_who_is_away_too(wait) -> None:
    seats = dealt(move_time="120")
    _late, other = turn(seats)
    now = wait(180 + THERE)
    OnlineSeat.objects.filter(pk=other.pk).update(seen_at=now - timedelta(seconds=THERE))
    sweep(now)
    assert fresh(other).ended_at is None
    ask(fresh(other), other.key, now)
    sweep(now)
    assert fresh(other).table().game.card.winner == other.number


def test_a_short_outage_costs_nobody_a_short_move(wait) -> None:
    seats = dealt(move_time="30")
    late, other = turn(seats)
    wait(5)
    wait(60, away=True)
    assert code_of(lambda: do(other, OnlineAct("claim"))) == "not-overdue"
    assert not online_view(fresh(late), other.key, wait()).seats[late.number].there  # until its page asks
    ask(fresh(late), late.key, wait())
    assert online_view(fresh(late), other.key, wait()).seats[late.number].there
    wait(24)
    assert code_of(lambda: do(other, OnlineAct("claim"))) == "not-overdue"
    wait(1)
    assert do(other, OnlineAct("claim")).ended_at


def test_an_absence_goes_on_after_an_outage(wait) -> None:
    seats = dealt()
    away, other = turn(seats)
    wait(100, silent=away.name)
    ask(fresh(other), other.key, wait(3600, away=True))
    wait(199, silent=away.name)
    assert code_of(lambda: do(other, OnlineAct("claim"))) == "not-overdue"
    wait(1, silent=away.name)
    assert do(other, OnlineAct("claim")).ended_at


def test_a_game_that_nobody_looks_at_gets_no_time_back(wait) -> None:
    """Else each silence at night would write into all games that were left."""
    left, other = dealt("udl", clock="300"), dealt("udl", clock="300")
    wait(THERE)
    OnlineSeat.objects.filter(game=left[0].game_id).update(seen_at=BEGINS)
    before = OnlineGame.objects.values().get(pk=left[0].game_id)
    for _silence in range(3):
        ask(fresh(other[0]), other[0].key, wait(60, away=True))
    assert OnlineGame.objects.values().get(pk=left[0].game_id) == before
    assert fresh(other[0]).due_at == BEGINS + timedelta(seconds=300 + 180)
    assert len(fresh(other[0]).marks) == 3  # one pause


# ---- What a page asks


def test_the_version_changes_with_what_the_page_shows(wait) -> None:
    seats = dealt(move_time="120")
    now, other = turn(seats)

    def version() -> str:
        return version_of(fresh(now), wait())

    wait(16)  # from here on one player alone could ask for a next hand
    seen = {version()}
    wait(12)
    assert version() in seen
    wait(32, silent=now.name)
    seen.add(version())
    wait(60)
    seen.add(version())  # the time a move is over
    do(now, choice(now))
    seen.add(version())
    services.greet(now.game.code, now.key, "hello")
    assert len(seen | {version()}) == 5
    assert not online_view(fresh(other), other.key, wait()).table.late


def test_the_version_changes_when_an_absence_that_began_before_the_turn_is_over(wait) -> None:
    seats = dealt()
    away, other = turn(seats)
    now = wait(400)
    OnlineSeat.objects.filter(pk=away.pk).update(seen_at=BEGINS)
    OnlineGame.objects.update(waits_since=now - timedelta(seconds=299))
    before = version_of(fresh(other), now)
    assert code_of(lambda: do(other, OnlineAct("claim"))) == "not-overdue"
    assert version_of(fresh(other), wait(1, silent=away.name)) != before
    assert online_view(fresh(other), other.key, wait(silent=away.name)).table.late == away.number


def test_a_page_without_a_script_asks_in_its_own_turn_before_it_counts_as_away(wait) -> None:
    seats = dealt()
    thinking, other = turn(seats)
    for seat, seconds in ((thinking, 225), (other, 5)):
        assert f'http-equiv="refresh" content="{seconds}"' in page_of(seat)
    for _reload in range(3):
        wait(225, silent=thinking.name)
        page_of(thinking)
    assert code_of(lambda: do(other, OnlineAct("claim"))) == "not-overdue"


def test_a_question_for_news_takes_three_statements(wait, django_assert_num_queries) -> None:
    seats = dealt()
    now = wait()
    with django_assert_num_queries(1):
        game = OnlineGame.objects.get(pk=seats[0].game_id)
    with django_assert_num_queries(2):
        ask(game, seats[0].key, now)


def test_old_games_are_forgotten(wait, settings) -> None:
    seats, other = dealt("muggins", target="50"), dealt()
    play_to_end(seats)
    kept = {"unfinished": timedelta(days=7), "finished": timedelta(days=365)}
    assert forget_old(BEGINS + timedelta(days=6), **kept) == 0
    assert forget_old(BEGINS + timedelta(days=8), **kept) == 1
    assert OnlineGame.objects.get().pk == seats[0].game_id != other[0].game_id
    assert forget_old(BEGINS + timedelta(days=366), **kept) == 1
    assert not OnlineSeat.objects.exists()
    assert {"task": tasks.sweep_online.name, "schedule": settings.SWEEP_SECONDS} in (
        settings.CELERY_BEAT_SCHEDULE.values()
    )

"""Online games of more than two: seats by the link, the deal, the next hand, players who leave, the rematch."""

from datetime import date, timedelta

import pytest
from django.utils import timezone

from games.moves import SEATS
from games.scorecard import GameEnd
from league.errors import Refused
from league.play.models import OnlineGame, OnlineHeartbeat, OnlineSeat
from league.play.online import lobby, services
from league.play.online.acts import OnlineAct
from league.play.online.queries import online_view
from league.play.online.sweep import MERCY, sweep
from league.players.models import Player
from league.players.services import enrol
from league.web.words.games.online import status, wins
from referee.deal_check import check_deal
from tests.league.play.online_games import NAMES, choice, dealt, do, fresh, line_of, opened, play_to_end, step
from tests.league.world import make_world

pytestmark = pytest.mark.django_db
TIMES = {"clock": "0", "move_time": "0", "absence": "300"}


@pytest.fixture(autouse=True)
def _known_deals(monkeypatch) -> None:
    monkeypatch.setattr("league.play.online.services.secrets.token_hex", lambda _bytes: "5eed")


def until_between(seats: list[OnlineSeat]) -> None:
    while fresh(seats[0]).table().live is not None:
        step(seats)


def turn(seats: list[OnlineSeat]) -> OnlineSeat:
    return seats[fresh(seats[0]).table().to_act]


def headline(seat: OnlineSeat) -> str:
    return wins(online_view(fresh(seat), seat.key, timezone.now())).replace("\u2068", "").replace("\u2069", "")


# ---- Before the deal


def test_the_link_gives_the_next_free_seat_until_all_are_taken() -> None:
    seats = opened("all-fives", 3)
    assert [(seat.number, seat.name) for seat in seats] == [(0, "Ana"), (1, "Bo"), (2, "Cy")]
    with pytest.raises(Refused) as caught:
        services.join(seats[0].game.code, "Di")
    assert caught.value.code == "no-free-seat"


def test_the_tiles_are_dealt_once_every_seat_is_taken_and_ready() -> None:
    first = services.open_game("muggins", {}, "Ana", 3, **TIMES)
    code = first.game.code
    services.agree_to_deal(code, first.key, "a")
    second = services.join(code, "Bo")
    services.agree_to_deal(code, second.key, "b")
    assert fresh(first).started_at is None
    third = services.join(code, "Cy")
    assert fresh(first).started_at is None
    services.agree_to_deal(code, third.key, "c")
    assert [line.split()[:2] for line in fresh(first).lines.splitlines()[4:]] == [[one, "hand"] for one in "ABC"]


@pytest.mark.parametrize(
    ("ruleset", "players"), [("double-six", 3), ("udl", 4), ("muggins", 1), ("muggins", 5), ("all-fives", 6)]
)
def test_the_rules_limit_the_number_of_players(ruleset, players) -> None:
    with pytest.raises(Refused) as caught:
        services.open_game(ruleset, {}, "Ana", players, **TIMES)
    assert caught.value.code == "bad-terms"


def test_a_lobby_fills_one_seat_after_the_other() -> None:
    world = make_world()
    members = [Player.objects.get(user=user) for user in (world.alice, world.bob)]
    stranger = enrol(league=world.league, name="Cy Diaz", since=date(2026, 1, 1))
    code = lobby.invite(world.league, members[0], "muggins", {}, 3, **TIMES).game.code
    assert lobby.accept(world.league, members[1], code).number == 1
    [shown] = lobby.open_invitations(world.league, members[1], timezone.now())
    assert (len(shown.names), shown.players, shown.mine) == (2, 3, True)
    OnlineSeat.objects.create(game=OnlineGame.objects.get(), number=2, name="Cy", seen_at=timezone.now())
    [own] = lobby.open_invitations(world.league, members[1], timezone.now())
    assert (len(own.names), own.mine) == (3, True)
    assert lobby.open_invitations(world.league, stranger, timezone.now()) == []


def left_by(seat: OnlineSeat, seconds: float = 120) -> None:
    OnlineSeat.objects.filter(pk=seat.pk).update(seen_at=timezone.now() - timedelta(seconds=seconds))


def names_at(seat: OnlineSeat) -> list[str]:
    return [one.name for one in fresh(seat).seated()]


def test_the_seat_of_a_player_who_has_left_the_page_is_free_again_before_the_deal() -> None:
    ana, bo, cy = opened("muggins", 3)
    code = ana.game.code
    services.agree_to_deal(code, bo.key, "words of Bo")
    left_by(bo, 119)
    with pytest.raises(Refused) as caught:
        services.join(code, "Di")
    assert caught.value.code == "no-free-seat"
    left_by(bo)
    assert online_view(fresh(ana), "", timezone.now()).free == 1
    di = services.join(code, "Di")
    assert (di.number, di.agreed, di.words, names_at(ana)) == (1, False, "", ["Ana", "Di", "Cy"])
    for seat in (ana, di, cy):
        services.agree_to_deal(code, seat.key, "words")
    left_by(di)
    with pytest.raises(Refused) as caught:
        services.join(code, "Ed")
    assert caught.value.code == "no-free-seat"


def test_the_player_who_sends_the_link_keeps_the_seat() -> None:
    ana, _bo = opened()
    left_by(ana)
    with pytest.raises(Refused) as caught:
        services.join(ana.game.code, "Di")
    assert caught.value.code == "no-free-seat"


def test_in_a_rematch_the_seat_of_a_player_who_does_not_return_is_free() -> None:
    seats = dealt("muggins", 3)
    do(seats[1], OnlineAct("concede"))
    again = services.play_again(seats[0].game.code, seats[0].key)
    left_by(again.game.seated()[0])
    assert services.join(again.game.code, "Di").number == 0


def test_a_seat_is_given_back_before_the_deal() -> None:
    ana, bo, cy = opened("muggins", 3)
    code = ana.game.code
    services.leave_seat(code, bo.key)
    assert [(one.number, one.name) for one in fresh(ana).seated()] == [(0, "Ana"), (1, "Cy")]
    assert online_view(fresh(ana), cy.key, timezone.now()).mine.name == "Cy"
    with pytest.raises(Refused) as caught:
        services.leave_seat(code, bo.key)
    assert caught.value.code == "not-your-seat"
    di = services.join(code, "Di")
    for seat in (ana, cy, di):
        services.agree_to_deal(code, seat.key, "words")
    with pytest.raises(Refused) as caught:
        services.leave_seat(code, di.key)
    assert caught.value.code == "seat-is-fixed"


# ---- At the table


@pytest.mark.parametrize(("ruleset", "players"), [("muggins", 4), ("all-fives", 3)])
def test_a_finished_game_is_verified_and_its_deal_can_be_repeated(ruleset, players) -> None:
    game = play_to_end(dealt(ruleset, players, target="50"))
    log = game.table().log
    assert game.status == "verified"
    assert check_deal(log) == []
    assert [log.tags[f"Deal.Words.{seat}"] for seat in SEATS[:players]] == [f"words of {n}" for n in NAMES[:players]]


def test_any_other_seat_calls_muggins_and_the_first_call_has_the_points() -> None:
    seats = dealt("all-fives", 3)
    for _move in range(200):
        scorer, asked = turn(seats), choice(turn(seats))
        if asked.do == "play" and asked.points:
            break
        step(seats)
    do(scorer, OnlineAct("play", asked.tile, asked.on))
    line, before = line_of(scorer), fresh(scorer).table().game.card.scores[:]
    first, second = (seats[(scorer.number + further) % 3] for further in (2, 1))
    do(first, OnlineAct("muggins"), line)
    do(second, OnlineAct("muggins"), line)
    gained = [now - then for now, then in zip(fresh(scorer).table().game.card.scores, before, strict=True)]
    assert gained == [asked.points if number == first.number else 0 for number in range(3)]


def test_the_next_hand_needs_all_players_or_fifteen_seconds() -> None:
    seats = dealt("muggins", 3)
    until_between(seats)
    for seat in seats[:2]:
        do(seat, OnlineAct("deal"))
    view = online_view(fresh(seats[0]), seats[0].key, timezone.now())
    assert "Cy" in status(view)
    assert fresh(seats[0]).table().live is None
    OnlineGame.objects.update(waits_since=timezone.now() - services.BETWEEN_HANDS)
    do(seats[0], OnlineAct("deal"))
    assert fresh(seats[0]).table().live is not None


# ---- Players who leave


def test_of_three_the_best_of_the_others_wins_a_game_given_up() -> None:
    seats = dealt("muggins", 3)
    while len({*(scores := fresh(seats[0]).table().game.card.scores)}) < 3:
        step(seats)
    worst = scores.index(min(scores))
    do(seats[worst], OnlineAct("concede"))
    card = fresh(seats[0]).table().game.card
    assert (card.ended, card.winner) == (GameEnd.CONCESSION, scores.index(max(scores)))
    assert f"{NAMES[worst]} gave up" in headline(seats[0])


def test_where_the_others_are_level_nobody_wins() -> None:
    seats = dealt("muggins", 3)
    do(seats[1], OnlineAct("concede"))
    assert fresh(seats[0]).table().game.card.winner is None
    assert headline(seats[0]) == "Bo gave up, and the others are level (0–0–0)"


def test_a_player_who_stays_away_loses_though_another_one_is_away_too() -> None:
    seats = dealt("muggins", 4)
    now = timezone.now() + timedelta(seconds=300) + MERCY
    away, also = turn(seats), seats[(turn(seats).number + 1) % 4]
    OnlineHeartbeat.objects.update_or_create(pk=1, defaults={"at": now})
    OnlineSeat.objects.exclude(pk__in=[away.pk, also.pk]).update(seen_at=now)
    sweep(now)
    assert fresh(away).lines.splitlines()[-2].startswith(f"{SEATS[away.number]} forfeits")


# ---- The rematch


def test_a_rematch_moves_every_player_one_seat() -> None:
    seats = dealt("all-fives", 3)
    do(seats[0], OnlineAct("concede"))
    again = [services.play_again(seat.game.code, seat.key) for seat in seats]
    assert [(seat.name, seat.number) for seat in again] == [("Ana", 2), ("Bo", 0), ("Cy", 1)]
    assert fresh(again[0]).players == 3

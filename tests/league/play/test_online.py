"""Online games: two seats, each of which acts for itself; every message has its answer, and nothing counts twice."""

from random import Random

import pytest
from django.utils import timezone

from games.notation.reading import dumps
from league.errors import Refused
from league.play.models import OnlineGame, OnlineSeat
from league.play.online import services
from league.play.online.acts import OnlineAct
from league.play.online.queries import online_view
from referee import verify_text
from referee.deal_check import check_deal, hash_of
from tests.league.play.online_games import choice, dealt, do, fresh, line_of, opened, play_to_end, step
from tests.volume import seeds

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _known_deals(monkeypatch) -> None:
    monkeypatch.setattr("league.play.online.services.secrets.token_hex", lambda _bytes: "5eed")


def refusal(seat: OnlineSeat, asked: OnlineAct, line: int | None = None) -> str:
    before = OnlineGame.objects.values().get(pk=seat.game_id)
    with pytest.raises(Refused) as caught:
        do(seat, asked, line)
    assert OnlineGame.objects.values().get(pk=seat.game_id) == before
    return caught.value.code


def turn(seats: list[OnlineSeat]) -> tuple[OnlineSeat, OnlineSeat]:
    """The seat to act, and the other one."""
    first, second = seats
    return (first, second) if fresh(first).table().to_act == first.number else (second, first)


# ---- Before the deal


def test_the_hash_of_the_secret_stands_before_anybody_gives_words() -> None:
    seat = services.open_game("muggins", {}, "Ana", clock="0", move_time="0", absence="300")
    shown = hash_of(fresh(seat).secret)
    other = services.join(seat.game.code, "Bo")
    for one in (seat, other):
        services.agree_to_deal(seat.game.code, one.key, "my words")
    game = fresh(seat)
    assert hash_of(game.secret) == shown
    assert game.lines.startswith("round 1\n")


def test_the_hand_is_dealt_once_both_players_have_agreed() -> None:
    first, second = opened()
    services.agree_to_deal(first.game.code, first.key, "one")
    assert fresh(first).started_at is None
    assert refusal(first, OnlineAct("draw")) == "not-dealt"
    services.agree_to_deal(first.game.code, second.key, "two")
    assert fresh(first).started_at is not None


def test_words_cannot_be_changed_and_the_same_words_again_are_no_error() -> None:
    first, _second = opened()
    services.agree_to_deal(first.game.code, first.key, "one")
    services.agree_to_deal(first.game.code, first.key, "one")
    with pytest.raises(Refused) as caught:
        services.agree_to_deal(first.game.code, first.key, "other")
    assert caught.value.code == "agreed-already"


@pytest.mark.parametrize(("name", "code"), [("", "no-name"), (" \t", "no-name"), ("ANA", "same-name"), ("Cy", None)])
def test_a_seat_needs_a_name_of_its_own(name, code) -> None:
    seat = services.open_game("muggins", {}, "Ana", clock="0", move_time="0", absence="300")
    if code is None:
        assert services.join(seat.game.code, name).number == 1
        name, code = "Di", "no-free-seat"
    with pytest.raises(Refused) as caught:
        services.join(seat.game.code, name)
    assert caught.value.code == code


def test_a_name_of_heavy_letters_fits_the_log() -> None:
    """A letter has up to eleven code points, and a tag at most 200."""
    family = "\U0001f468\u200d" * 5 + "\U0001f466"
    first = services.open_game("muggins", {}, family * 40, clock="0", move_time="0", absence="300")
    second = services.join(first.game.code, "Bo")
    for seat in (first, second):
        services.agree_to_deal(seat.game.code, seat.key, "words")
    assert fresh(first).table().log.tags["Seat.A"] == family * 18


@pytest.mark.parametrize(
    "changed", [{"clock": "1"}, {"move_time": "7"}, {"absence": "1"}, {"options": {"target": "1"}}, {"ruleset": "x"}]
)
def test_terms_that_the_table_does_not_have_are_refused(changed) -> None:
    terms = {"ruleset": "udl", "options": {}, "clock": "900", "move_time": "0", "absence": "300"} | changed
    with pytest.raises(Refused) as caught:
        services.open_game(terms.pop("ruleset"), terms.pop("options"), "Ana", **terms)
    assert caught.value.code == "bad-terms"


# ---- Whole games


@pytest.mark.parametrize("ruleset", ["double-six", "muggins", "all-fives", "udl"])
def test_a_finished_game_is_verified_and_its_deal_can_be_repeated(ruleset) -> None:
    game = play_to_end(dealt(ruleset, target="50"))
    log = game.table().log
    assert game.status == "verified"
    assert verify_text(dumps(log))[0].status == "verified"
    assert check_deal(log) == []
    assert log.tags["Deal.Words.B"] == "words of Bo"


def test_a_changed_word_or_tile_fails_the_check() -> None:
    log = play_to_end(dealt("muggins", target="50")).table().log
    log.tags["Deal.Words.B"] = "words of Bob"
    assert len(check_deal(log)) == len(log.rounds)


# ---- Messages


def test_nobody_acts_without_the_key_of_the_seat() -> None:
    first, second = dealt()
    for key in ("", "X" * 16, second.key[:-1]):
        with pytest.raises(Refused) as caught:
            services.act(first.game.code, key, line_of(first), OnlineAct("draw"))
        assert caught.value.code == "not-your-seat"


def test_moves_out_of_turn_and_tiles_of_the_other_seat_are_refused() -> None:
    seats = dealt()
    now, other = turn(seats)
    tile = choice(now).tile
    assert refusal(other, OnlineAct("draw")) == "out-of-turn"
    assert refusal(other, OnlineAct("play", tile)) == "out-of-turn"
    table = fresh(now).table()
    theirs = next(iter(table.game.rules.tiles.in_mask(table.live.hands[other.number]))).name
    assert refusal(now, OnlineAct("play", theirs)) == "illegal-move"
    for asked in (OnlineAct("deal"), OnlineAct("play", "9-9"), OnlineAct("play", tile, "x"), OnlineAct("muggins")):
        assert refusal(now, asked) == "illegal-move"
    assert refusal(now, OnlineAct("claim")) == "not-overdue"


@pytest.mark.parametrize(
    ("spinner", "points", "code"), [("all", 40, ""), ("all", 85, "illegal-move"), ("first", 40, "illegal-move")]
)
def test_where_every_double_branches_more_points_can_be_announced(spinner, points, code) -> None:
    """With the tile, and after it; they are as wrong here as any other number."""
    seats = dealt("udl", spinner=spinner, clock="0")
    now, other = turn(seats)
    asked = choice(now)
    act = OnlineAct("play", asked.tile, asked.on, points)
    if code:
        assert refusal(now, act) == code
        return
    assert 40 in online_view(fresh(now), now.key, timezone.now()).table.announces
    do(now, act)
    assert fresh(now).lines.splitlines()[-1].endswith("call 40")
    while fresh(now).table().to_act != other.number or (asked := choice(other)).do != "play":
        step(seats)
    do(other, OnlineAct("play", asked.tile, asked.on))
    do(other, OnlineAct("say", points=40))
    assert fresh(now).lines.splitlines()[-1].endswith("call 40")


def test_the_same_message_again_is_answered_as_done_and_counts_once() -> None:
    seats = dealt("udl", target="100")
    for _move in range(40):
        now, _other = turn(seats)
        line, asked = line_of(now), choice(now)
        do(now, asked, line)
        lines = fresh(now).lines
        do(now, asked, line)
        assert fresh(now).lines == lines
        if fresh(now).table().live is None:
            step(seats)


def test_a_message_for_an_earlier_table_is_stale() -> None:
    seats = dealt()
    now, other = turn(seats)
    line = line_of(now)
    do(now, choice(now), line)
    assert refusal(other, choice(other) or OnlineAct("draw"), line) == "stale-table"
    assert refusal(other, OnlineAct("draw"), 999) == "stale-table"
    assert refusal(other, OnlineAct("draw"), -1) == "stale-table"


def test_the_next_hand_needs_both_players_or_fifteen_seconds() -> None:
    seats = dealt("muggins", target="250")
    while fresh(seats[0]).table().live is not None:
        step(seats)
    hands = fresh(seats[0]).table().game.number
    do(seats[0], OnlineAct("deal"))
    do(seats[0], OnlineAct("deal"))
    assert fresh(seats[0]).table().game.number == hands
    do(seats[1], OnlineAct("deal"))
    assert fresh(seats[0]).table().game.number == hands + 1


def test_after_the_end_nothing_is_accepted() -> None:
    seats = dealt("muggins", target="50")
    play_to_end(seats)
    for asked in (OnlineAct("draw"), OnlineAct("deal"), OnlineAct("concede"), OnlineAct("muggins")):
        assert refusal(seats[0], asked) == "game-over"


def test_a_player_that_concedes_loses() -> None:
    first, second = dealt()
    do(second, OnlineAct("concede"))
    do(second, OnlineAct("concede"), line=0)
    game = fresh(first)
    assert (game.table().game.card.winner, game.status) == (0, "verified")


def test_a_thousand_random_messages_change_nothing_that_the_rules_do_not_allow() -> None:
    """Every message is accepted, answered as done, or refused with a code; the log stays legal."""
    chance, codes = Random(22), set()
    tiles = [f"{a}-{b}" for a in range(7) for b in range(a + 1)]
    seats = dealt("udl")
    for number in range(len(seeds(1000, least=1000))):
        seat, line = chance.choice(seats), line_of(seats[0]) - chance.choice((0, 0, 0, 0, 1, 2, 9, -3))
        do_what = chance.choice(("play", "play", "play", "draw", "draw", "deal", "muggins", "say", "claim"))
        points = chance.choice((None, 5, 10, 15, 20, 7, -5, 10**9))
        on = chance.choice(("", "", chance.choice(tiles), "nonsense"))
        asked = OnlineAct(do_what, chance.choice((*tiles, "", "x-y")), on, points, chance.random() < 0.3)
        if number % 3 == 0 and (sensible := choice(seat)):
            asked, line = sensible, line_of(seat)
        if fresh(seat).ended_at is not None:
            seats = dealt("udl")
            continue
        try:
            do(seat, asked, line)
        except Refused as refused:
            codes.add(refused.code)
        assert {one.severity for one in fresh(seat).table().game.findings} <= {"note", "correction"}
    assert codes == {"stale-table", "out-of-turn", "illegal-move", "not-overdue"}


def test_a_greeting_is_one_of_the_fixed_ones() -> None:
    first, _second = dealt()
    services.greet(first.game.code, first.key, "hello")
    assert OnlineSeat.objects.get(pk=first.pk).greeting == "hello"
    with pytest.raises(Refused) as caught:
        services.greet(first.game.code, first.key, "you cheat")
    assert caught.value.code == "no-such-greeting"


def test_a_rematch_changes_seats_and_keeps_keys() -> None:
    seats = dealt("muggins", target="50")
    with pytest.raises(Refused) as caught:
        services.play_again(seats[0].game.code, seats[0].key)
    assert caught.value.code == "not-over"
    play_to_end(seats)
    again = [services.play_again(seat.game.code, seat.key) for seat in (*seats, seats[0])]
    assert [(one.number, one.name, one.key) for one in again[:2]] == [
        (1, "Ana", seats[0].key),
        (0, "Bo", seats[1].key),
    ]
    assert again[2] == again[0]
    assert fresh(again[0]).table is not None
    assert OnlineGame.objects.count() == 2

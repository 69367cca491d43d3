"""Uno Dominoes online: its acts as messages of seats, uno and catches by the order of receipt, answers to a Wild Draw
Four and to a dead end, absences.
"""

from datetime import timedelta
from random import Random

import pytest
from django.utils import timezone

from games.moves import SEATS
from games.notation.reading import dumps
from league.errors import Refused
from league.house.levels import Level
from league.play.models import OnlineGame, OnlineHeartbeat, OnlineSeat
from league.play.online import services
from league.play.online.acts import OnlineAct
from league.play.online.clock import started
from league.play.online.queries import OnlineView, online_view
from league.play.online.sweep import MERCY, advance, sweep
from league.web.words.games.online import status, told
from referee import verify_text
from referee.deal_check import check_deal
from tests.league.play.online_games import choice, dealt, do, fresh, line_of, play_to_end, step
from tests.volume import seeds

pytestmark = pytest.mark.django_db
ONE_LEFT = (
    "A hand g9-g9 g1-y9 r3-rS r2-g9",
    "B hand g2-b5 g5-b9",
    "C hand b2-y6 b3-y7 y4-r5 b8-DE",
    "A g9-g9",
    "B g2-b5 on g9-g9",
)
"""B has one tile left, and has not said uno; C is to play."""
FOUR = (
    "A hand g9-g9 r3-rS r2-g9 y5-g8 y3-r6 r5-g6",
    "B hand b1-WD4 g2-b5 g5-b9 y1-r4 b6-g7 r7-yD2",
    "C hand b2-y6 b3-y7 y4-r5 b7-r8 g6-DE r2-r2",
    "A g9-g9",
    "B WD4-b1 on g9-g9",
)
"""B has played a Wild Draw Four with green tiles in hand; C is the victim."""
CLOSED = (
    "A hand g9-g9 g1-DE g9-b6 r3-rS W-W",
    "B hand g5-DE g6-DE b8-DE y1-r4 r7-yD2",
    "A g9-g9",
    "B g5-DE on g9-g9",
    "A g1-DE on g9-g9",
    "B g6-DE on g9-g9",
    "A g9-b6 on g9-g9",
    "B b8-DE on g9-b6",
)
"""Every arm is closed; A holds W-W."""


@pytest.fixture(autouse=True)
def _known_deals(monkeypatch) -> None:
    chance = Random(22)
    monkeypatch.setattr("league.play.online.services.secrets.token_hex", lambda size: chance.randbytes(size).hex())


def at(lines: tuple[str, ...], **options: str) -> list[OnlineSeat]:
    """Seats after these lines of a first hand."""
    seats = dealt("uno-dominoes", sum(" hand " in line for line in lines), **options)
    game = OnlineGame.objects.filter(pk=seats[0].game_id)
    game.update(lines="\n".join(("round 1", *lines)), waits_since=timezone.now())
    return seats


def lines_since(seat: OnlineSeat, line: int) -> list[str]:
    return fresh(seat).lines.splitlines()[line:]


def refusal(seat: OnlineSeat, asked: OnlineAct, line: int | None = None) -> str:
    before = fresh(seat).lines
    with pytest.raises(Refused) as caught:
        do(seat, asked, line)
    assert fresh(seat).lines == before
    return caught.value.code


def view(seat: OnlineSeat, key: str | None = None) -> OnlineView:
    return online_view(fresh(seat), seat.key if key is None else key, timezone.now())


def sentences(seat: OnlineSeat, key: str | None = None) -> list[str]:
    shown = view(seat, key)
    return [one.sentence.replace("\u2068", "").replace("\u2069", "") for one in told(shown, shown.table)]


# ---- Whole games


@pytest.mark.parametrize("players", [2, 6])
def test_a_finished_game_is_verified_and_its_deal_can_be_repeated(players) -> None:
    game = play_to_end(dealt("uno-dominoes", players, target="50"))
    log = game.table().log
    assert game.status == "verified"
    assert verify_text(dumps(log))[0].status == "verified"
    assert check_deal(log) == []
    assert log.tags[f"Deal.Words.{SEATS[players - 1]}"]


def test_seven_do_not_fit() -> None:
    times = {"clock": "0", "move_time": "0", "absence": "300"}
    with pytest.raises(Refused) as caught:
        services.open_game("uno-dominoes", {}, "Ana", 7, **times)
    assert caught.value.code == "bad-terms"


def test_a_move_sent_twice_counts_once() -> None:
    seats = dealt("uno-dominoes", 3)
    for _move in range(12):
        seat = next((one for one in seats if choice(one)), None)
        asked, line = choice(seat), line_of(seat)
        if asked.do == "deal":
            break
        do(seat, asked, line)
        lines = fresh(seat).lines
        do(seat, asked, line)
        assert fresh(seat).lines == lines


def test_random_messages_change_nothing_that_the_rules_do_not_allow() -> None:
    """Every message is accepted, answered as done, or refused with a code; the log stays legal."""
    chance, codes = Random(22), set()
    seats = dealt("uno-dominoes", 4, reopening="true")
    tiles = [tile.name for tile in fresh(seats[0]).table().game.rules.tiles.tiles]
    for number in range(len(seeds(160))):
        seat = chance.choice(seats)
        asked = OnlineAct(
            chance.choice(("play", "draw", "deal", "uno", "catch", "four", "challenge", "reopen", "leave", "muggins")),
            chance.choice((*tiles, "x-y")),
            chance.choice(("", "", *tiles)),
            colour=chance.choice(("", "red", "pink")),
            whom=chance.randint(-1, 6),
        )
        if number % 2 and (sensible := choice(seat, Level.RANDOM)):
            asked = sensible
        if fresh(seat).ended_at is not None:
            break
        try:
            do(seat, asked, line_of(seat) - chance.choice((0, 0, 0, 1, 5)))
        except Refused as refused:
            codes.add(refused.code)
        assert {one.severity for one in fresh(seat).table().game.findings} <= {"note"}
    assert codes <= {"stale-table", "out-of-turn", "illegal-move"}
    assert "illegal-move" in codes


# ---- Uno and catches, by the order of receipt


def test_the_first_catch_counts_and_the_next_player_need_not_wait() -> None:
    ana, bo, cy = at(ONE_LEFT)
    line = line_of(ana)
    do(ana, OnlineAct("catch", whom=1))
    caught = lines_since(ana, line)
    assert caught[0] == "A catches B"
    assert caught[1].startswith("B draw ")
    assert len(caught[1].split()) == 4
    assert refusal(cy, OnlineAct("catch", whom=1), line) == "illegal-move"
    do(ana, OnlineAct("catch", whom=1), line)  # a repetition
    assert lines_since(ana, line) == caught
    do(cy, OnlineAct("play", "b2-y6", "g2-b5"), line)  # from the page before the catch
    assert lines_since(cy, line)[2] == "C b2-y6 on g2-b5"
    assert "Ana catches you: you did not say UNO." in sentences(bo)
    assert "You catch Bo, who did not say UNO." in sentences(ana)


def test_uno_said_first_prevents_a_catch() -> None:
    ana, bo, _cy = at(ONE_LEFT)
    line = line_of(ana)
    do(bo, OnlineAct("uno"), line)
    assert refusal(ana, OnlineAct("catch", whom=1), line) == "illegal-move"
    assert lines_since(ana, line) == ["B uno"]
    assert "Bo calls uno." in sentences(ana)


@pytest.mark.parametrize(("number", "said"), [(1, OnlineAct("uno")), (0, OnlineAct("catch", whom=1))])
def test_a_call_gives_nobody_more_time_for_a_move(number, said) -> None:
    seats = at(ONE_LEFT)
    since = fresh(seats[2]).waits_since
    do(seats[number], said)
    assert fresh(seats[2]).waits_since == since
    do(seats[2], OnlineAct("play", "b2-y6", "g2-b5"))
    assert fresh(seats[2]).waits_since > since


def test_after_the_next_tile_nobody_is_caught() -> None:
    ana, _bo, cy = at(ONE_LEFT)
    line = line_of(ana)
    do(cy, OnlineAct("play", "b2-y6", "g2-b5"))
    assert refusal(ana, OnlineAct("catch", whom=1), line) == "illegal-move"


@pytest.mark.parametrize(("number", "whom"), [(0, 2), (1, 1), (0, -1), (0, 9)])
def test_a_catch_of_anybody_else_has_no_effect_and_no_line(number, whom) -> None:
    seats = at(ONE_LEFT)
    assert refusal(seats[number], OnlineAct("catch", whom=whom)) == "illegal-move"


def test_a_player_who_was_caught_meanwhile_sees_the_new_tiles_first() -> None:
    """B drew two tiles, so that its message was meant for another hand."""
    _ana, bo, cy = at(ONE_LEFT)
    do(cy, OnlineAct("catch", whom=1))
    assert refusal(bo, OnlineAct("play", "g5-b9", "g9-g9"), line_of(bo) - 2) == "stale-table"


# ---- Wild Draw Four


def test_the_victim_answers_before_anything_else() -> None:
    ana, _bo, cy = at(FOUR)
    assert view(cy).state == "four"
    assert view(ana).state == "theirs"
    assert refusal(cy, OnlineAct("draw")) == "illegal-move"
    for asked in (OnlineAct("four"), OnlineAct("challenge")):
        assert refusal(ana, asked) == "illegal-move"
    line = line_of(cy)
    do(cy, OnlineAct("four"))
    do(cy, OnlineAct("four"), line)
    assert [len(one.split()) for one in lines_since(cy, line)] == [6]
    assert choice(ana)


def test_the_challenged_rack_is_shown_to_the_challenger_alone() -> None:
    ana, bo, cy = at(FOUR)
    line = line_of(cy)
    do(cy, OnlineAct("challenge"))
    do(cy, OnlineAct("challenge"), line)
    assert lines_since(cy, line)[0] == "C challenges"
    assert lines_since(cy, line)[2] == "upheld"
    rack = "b5-g2 b9-g5 r4-y1 b6-g7 r7-yD2"
    shown = {seat.name: " ".join(sentences(seat)) for seat in (ana, bo, cy)} | {"-": " ".join(sentences(ana, ""))}
    assert {name for name, text in shown.items() if all(tile in text for tile in rack.split())} == {"Bo", "Cy"}
    for name in ("Ana", "-"):
        assert "Bo shows the tiles to the challenger." in shown[name]
        assert not any(tile in shown[name] for tile in rack.split())


def clocked(lines: tuple[str, ...], mode: str = "stop", **options: str) -> list[OnlineSeat]:
    """Seats after these lines, with a game clock that has run out."""
    seats = at(lines)
    game, now = fresh(seats[0]), timezone.now()
    game.options |= {"clock_s": "300", "bell_mode": mode, **options}
    game.marks, game.due_at = started(now - timedelta(seconds=300)), now
    game.save(update_fields=["options", "marks", "due_at"])
    return seats


def test_the_bell_cuts_a_hand_in_which_four_tiles_are_owed() -> None:
    _ana, _bo, cy = clocked(FOUR)
    now = timezone.now()
    advance(cy.game_id, now)
    assert fresh(cy).lines.splitlines()[-1].endswith("bell")
    advance(cy.game_id, now + timedelta(seconds=2))
    game = fresh(cy).table().game
    assert game.settled
    assert not [one for one in game.findings if one.severity not in ("note", "correction")]


def test_a_last_tile_after_the_bell_settles_the_hand() -> None:
    """No tile moves after it: nobody draws the two."""
    lines = ("A hand g9-g9 b4-gD2", "B hand g2-b5 g5-b9", "A g9-g9", "B g2-b5 on g9-g9")
    ana, _bo = clocked(lines, "round", hand="2")
    advance(ana.game_id, timezone.now())
    do(ana, OnlineAct("play", "gD2-b4", "g9-g9"))
    assert not any(" draw " in line for line in fresh(ana).lines.splitlines())
    assert fresh(ana).table().game.settled


def test_a_dead_end_after_the_bell_is_not_reopened() -> None:
    ana, _bo = clocked(CLOSED[:-1], "round", hand="5", reopening="true")
    bo = ana.game.seats.get(number=1)
    advance(ana.game_id, timezone.now())
    do(bo, OnlineAct("play", "b8-DE", "g9-b6"))
    assert view(ana).state != "reopen"


# ---- Dead ends


def test_the_holder_of_the_wild_doublet_reopens_a_dead_end() -> None:
    ana, bo = at(CLOSED, hand="5", reopening="true")
    assert view(ana).state == "reopen"
    assert "Ana" in status(view(bo))
    for asked in (OnlineAct("deal"), OnlineAct("leave"), OnlineAct("reopen", on="g9-g9", colour="red")):
        assert refusal(bo, asked) == "illegal-move"
    assert refusal(ana, OnlineAct("reopen", on="g9-g9")) == "illegal-move"
    line = line_of(ana)
    for _again in range(2):
        do(ana, OnlineAct("reopen", on="g9-g9", colour="red"), line)
    assert lines_since(ana, line) == ["A reopens W-W on g9-g9 colour red"]


def test_a_dead_end_that_is_left_closed_is_settled() -> None:
    ana, bo = at(CLOSED, hand="5", reopening="true")
    line = line_of(ana)
    for _again in range(2):
        do(ana, OnlineAct("leave"), line)
    assert lines_since(ana, line)[-1] == "settled"
    assert view(bo).state == "between"


# ---- Absence


@pytest.mark.parametrize(("lines", "options", "away"), [(FOUR, {}, 2), (CLOSED, {"hand": "5", "reopening": "true"}, 0)])
def test_a_player_who_owes_an_answer_and_stays_away_loses(lines, options, away) -> None:
    seats = at(lines, **options)
    now = timezone.now() + timedelta(seconds=300) + MERCY
    OnlineHeartbeat.objects.update_or_create(pk=1, defaults={"at": now})
    OnlineSeat.objects.exclude(number=away).update(seen_at=now)
    sweep(now)
    assert f"{SEATS[away]} forfeits" in fresh(seats[0]).lines


@pytest.mark.parametrize(
    ("lines", "options", "score"), [(FOUR, {}, "0-0-0"), (CLOSED, {"hand": "5", "reopening": "true"}, "0-63")]
)
def test_a_game_given_up_before_an_answer_ends_at_once(lines, options, score) -> None:
    """The points of a finished hand are booked first."""
    seats = at(lines, **options)
    do(seats[1], OnlineAct("concede"))
    game = fresh(seats[0])
    assert game.ended_at is not None
    assert game.lines.splitlines()[-2:] == ["B concedes", f"score {score}"]


def test_a_seat_that_steps_has_every_act_that_it_needs() -> None:
    """The helper of these tests plays on without a refusal, so that no state of the table is a dead street."""
    seats = dealt("uno-dominoes", 5, target="500", reopening="true", all_doublet="true")
    for _move in range(len(seeds(100))):
        step(seats, Level.RANDOM)
    assert len(fresh(seats[0]).lines.splitlines()) > 25

"""A client that cheats: nothing is accepted that the rules don't allow, and every refusal has its code and status."""

from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client

from games.moves import Call, Concession, Draw, Event, Forfeit, Pass, Play, RoundStart, Seat
from league.errors import Refused
from league.play.models import OnlineGame, OnlineHeartbeat, OnlineSeat
from league.play.online import services
from league.play.online.sweep import sweep
from league.play.online.table import OnlineTable
from tests.league.play.online_games import choice, dealt, fresh, line_of, step
from tests.volume import seeds
from tests.web.play.test_online import path_of

pytestmark = [pytest.mark.django_db, pytest.mark.both]
BEGINS = datetime(2026, 11, 27, 19, 0, tzinfo=UTC)
TILES = [f"{a}-{b}" for a in range(7) for b in range(a + 1)]
STATUS = {
    "": 400,  # refused before any view
    "not-your-seat": 403,
    "stale-table": 409,
    "game-over": 409,
    "agreed-already": 409,
    "no-free-seat": 409,
    "not-over": 409,
    "out-of-turn": 422,
    "illegal-move": 422,
    "not-overdue": 422,
    "no-such-greeting": 422,
}
Fields = dict[str, Any]


class Site:
    """The site with its clock in the test's hand; `codes`: the codes of its refusals."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now, self.codes = BEGINS, Counter()
        chance = Random(22)
        monkeypatch.setattr("django.utils.timezone.now", lambda: self.now)
        monkeypatch.setattr("league.play.online.services.secrets.token_hex", lambda size: chance.randbytes(size).hex())
        raised, self.last = Refused.__init__, ""

        def noted(refused: Refused, code: str, *more: object, **facts: object) -> None:
            self.last = code
            raised(refused, code, *more, **facts)

        monkeypatch.setattr(Refused, "__init__", noted)
        self.wait(0)

    def wait(self, seconds: float) -> None:
        """Let time pass; everybody is there."""
        self.now += timedelta(seconds=seconds)
        OnlineHeartbeat.objects.update_or_create(pk=1, defaults={"at": self.now})
        OnlineSeat.objects.update(seen_at=self.now)

    def send(self, seat: OnlineSeat, key: str, fields: Fields) -> HttpResponse:
        """Send a form with a key to a game, and check the answer and the log."""
        before, browser = fresh(seat), Client()
        if key:
            browser.cookies["seat"] = key
        self.last = ""
        answer = browser.post(path_of(seat), fields)
        after = fresh(seat)
        owner = next((one.number for one in before.seated() if one.key == key), None)
        done = answer.status_code == 302
        check_growth(before, after, owner if done else None, self.now)
        if not done:
            assert answer.status_code == STATUS[self.last], (self.last, fields)
            assert not self.last or 'role="alert"' in answer.content.decode()
            self.codes[self.last] += 1
        return answer


def check_growth(before: OnlineGame, after: OnlineGame, owner: Seat | None, now: datetime) -> None:
    """Check that a log has grown at most by an act of its owner that the rules allow, and by the server's clock."""
    old, new = before.lines.splitlines(), after.lines.splitlines()
    assert new[: len(old)] == old
    assert {one.severity for one in after.table().game.findings} <= {"note", "correction"}
    table = before.table()
    table.advance(now)
    for event in after.table().events_from(len(table.lines)):
        check_event(event, owner, table)


def check_event(event: Event, owner: Seat, table: OnlineTable) -> None:
    if isinstance(event, Play | Draw | Pass):
        assert (event.seat, table.to_act) == (owner, owner)
    if isinstance(event, Play):
        assert any((one.tile, one.on) == (event.tile, event.on) for one in table.plays_of(owner))
    if isinstance(event, Draw):
        assert event.tiles == (table.boneyard[0],)
    if isinstance(event, Call | Concession):
        assert event.seat == owner
    if isinstance(event, Forfeit):
        assert (owner is not None, event.seat != owner) == (True, True)
    if isinstance(event, RoundStart):
        assert (owner is not None, table.between) == (True, True)


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Site:
    return Site(monkeypatch)


def turn(seats: list[OnlineSeat]) -> tuple[OnlineSeat, OnlineSeat]:
    """The seat to act, and the other one."""
    return (seats[0], seats[1]) if fresh(seats[0]).table().to_act == seats[0].number else (seats[1], seats[0])


def cheats(site: Site) -> Iterator[tuple[str, str]]:
    """Yield each trick with the code of its refusal, "" for an answer that changes nothing."""

    def tried(name: str, key: str, fields: Fields) -> tuple[str, str]:
        status = site.send(now, key, fields).status_code
        return name, site.last if status != 302 else ""

    seats = dealt("udl", clock="300", target="500", move_time="60")
    now, other = turn(seats)
    asked, line, stranger = choice(now), line_of(now), dealt("udl")[0]
    move = {"line": line, "tile": asked.tile, "on": asked.on}
    theirs = choice_of_other(other)
    yield tried("own key, move of the other seat", other.key, move)
    yield tried("own key, tile of the other seat", now.key, {"line": line, "tile": theirs})
    for name, key in (
        ("no key", ""),
        ("key of another game", stranger.key),
        ("part of a key", now.key[:-1]),
        ("letter that no key has", "\u00e9"),
    ):
        yield tried(name, key, move)
    for far in (-1, line + 1, 999_999, 10**12, "x", "", "٣"):
        yield tried(f"line {far}", now.key, move | {"line": far})
    yield tried("tile of no set", now.key, move | {"tile": "9-9"})
    yield tried("points of no play", now.key, move | {"points": "7"})
    yield tried("early claim", other.key, {"line": line, "do": "claim"})
    yield tried("claim of the own absence", now.key, {"line": line, "do": "claim"})
    yield tried("deal in a hand", now.key, {"line": line, "do": "deal"})
    yield tried("greeting of one's own", now.key, {"do": "greet", "greeting": "pay me"})
    yield tried("other words", now.key, {"do": "agree", "words": "better ones"})
    yield tried("third player", stranger.key, {"do": "join", "name": "Cy"})
    assert site.send(now, now.key, move).status_code == 302
    lines = fresh(now).lines
    yield tried("the move again", now.key, move)
    yield tried("the move again by the other seat", other.key, move)
    assert fresh(now).lines == lines
    step(seats), step(seats)
    yield tried("announcement after the window", now.key, {"line": line + 1, "do": "say", "points": "5"})
    site.wait(300.5)
    late, other = turn(seats)
    yield tried("move after the bell", late.key, {"line": line_of(late), "do": "draw"})
    sweep(site.now)
    for what in ("draw", "deal"):
        yield tried(f"{what} after the bell", late.key, {"line": line_of(late), "do": what})
    assert site.send(late, late.key, {"line": line_of(late), "do": "concede"}).status_code == 302
    yield tried("move after the end", other.key, {"line": line_of(late), "do": "draw"})


def choice_of_other(seat: OnlineSeat) -> str:
    table = fresh(seat).table()
    return next(iter(table.game.rules.tiles.in_mask(table.live.hands[seat.number]))).name


def test_each_trick_is_refused_with_its_code(site) -> None:
    stale = {f"line {far}": "stale-table" for far in (-1, 999_999, 10**12, "x", "", "٣")}
    found = dict(cheats(site))
    assert stale.items() <= found.items()
    assert {name: code for name, code in found.items() if name not in stale} == {
        "own key, move of the other seat": "out-of-turn",
        "own key, tile of the other seat": "illegal-move",
        "no key": "not-your-seat",
        "key of another game": "not-your-seat",
        "part of a key": "not-your-seat",
        "letter that no key has": "not-your-seat",
        next(name for name in found if name.startswith("line") and name not in stale): "stale-table",
        "tile of no set": "illegal-move",
        "points of no play": "illegal-move",
        "early claim": "not-overdue",
        "claim of the own absence": "not-overdue",
        "deal in a hand": "illegal-move",
        "greeting of one's own": "no-such-greeting",
        "other words": "agreed-already",
        "third player": "no-free-seat",
        "the move again": "",
        "the move again by the other seat": "stale-table",
        "announcement after the window": "stale-table",
        "move after the bell": "stale-table",
        "draw after the bell": "illegal-move",
        "deal after the bell": "illegal-move",
        "move after the end": "game-over",
    }


def message(chance: Random, seats: list[OnlineSeat], sent: list[Fields]) -> tuple[OnlineSeat, str, Fields]:
    """Return a seat, a key and the fields of a random message; a third of them is an act that is possible."""
    seat = chance.choice(seats)
    key = chance.choice((seat.key, seat.key, seat.key, seat.key, seats[0].key, "", "X" * 16, "\u00e9", "\0"))
    if chance.random() < 0.1 and sent:
        return seat, key, chance.choice(sent)
    line = line_of(seat)
    if chance.random() < 0.4 and (asked := choice(seat)):
        points = "" if asked.points is None else asked.points
        return seat, seat.key, {"do": asked.do, "tile": asked.tile, "on": asked.on, "points": points, "line": line}
    usual = ("play", "draw", "deal", "muggins", "say", "claim")
    fields = {
        "do": chance.choice((*usual, *usual, "agree", "join", "greet", "mute", "rematch", "nonsense", "")),
        "line": chance.choice((line, line, line, line - 1, line + 1, 0, -3, 10**12, "x")),
        "tile": chance.choice((*TILES, "", "x-y", "9-9", "\u202e6-6", "6-6" * 99)),
        "on": chance.choice(("", "", *TILES[-5:], "nonsense")),
        "points": chance.choice(("", "5", "10", "15", "7", "-5", "1e3", 10**9)),
        "name": chance.choice(("", "Cy", "Ana")),
        "words": "other words",
        "greeting": chance.choice(("hello", "pay me", "")),
        "muted": chance.choice(("0", "1", "x")),
    }
    return seat, key, fields | ({"muggins": "1"} if chance.random() < 0.3 else {})


def attack(site: Site, messages: int) -> int:
    """Send random messages with up to 8 seconds between them; return how many made a log longer."""
    chance, sent, grown = Random(22), [], 0
    seats = dealt("udl", clock="300", target="100")
    for _number in range(messages):
        seat, key, fields = message(chance, seats, sent)
        lines = fresh(seat).lines
        site.wait(chance.uniform(0, 8))
        if site.send(seat, key, fields).status_code == 302:
            sent.append(fields)
        grown += fresh(seat).lines != lines
        if fresh(seat).ended_at is not None and chance.random() < 0.2:
            seats = dealt("udl", clock="300", target="100")
    return grown


def test_random_messages_change_nothing_that_the_rules_do_not_allow(site) -> None:
    messages = len(seeds(1000))
    assert attack(site, messages) > messages / 10
    usual = {"not-your-seat", "stale-table", "out-of-turn", "illegal-move", "not-overdue", "no-free-seat"}
    assert usual <= set(site.codes)


def test_the_control_without_the_check_of_turns_the_attack_is_found(site, monkeypatch) -> None:
    def as_the_seat_to_act(asked: Any, table: Any, _seat: Any) -> None:
        services.carry_out(asked, table.to_act or 0, table)

    monkeypatch.setattr(services, "_move", as_the_seat_to_act)
    now, other = turn(dealt("udl"))
    asked = choice(now)
    with pytest.raises(AssertionError):
        site.send(now, other.key, {"line": line_of(now), "tile": asked.tile, "on": asked.on})

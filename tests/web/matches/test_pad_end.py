"""The end of a game on both pads: each side says yes, or puts the game under review."""

import json
from random import Random
from uuid import uuid4

import pytest

from games.notation.reading import dumps
from league.accounts.models import League
from league.disputes.models import Dispute
from league.matches.logs.submission import verify_record
from league.matches.models import Record, Reply, Result
from referee.playouts.habits import Habits
from referee.playouts.pips import playout
from referee.playouts.simulate import Hidden, hide
from tests.league.matches.tapping import Pad, points, round_end, tap

LINES = [
    "round 1\nA 5-5\nA call 10",
    "B draw 1",
    "B 5-4 on 5-5",
    "B concedes",
    "score 10-0\nend",
]
TOLD = "It counts once the other side or an official confirms it."


class Table:
    """A game that is over on a pad; `one` speaks to it with a browser, at `base`."""

    def __init__(self, world, client, base: str) -> None:
        self.match, self.client, self.base = world.match, client, base
        self.pad = Pad(world.game())

    def post(self, to: str, body: dict[str, object], client=None):
        address = f"{self.base}{to}?after={self.pad.after}&pad={self.pad.id}"
        return (client or self.client).post(address, json.dumps(body), content_type="application/json")

    def hand_in(self) -> dict:
        answer = self.post("hand-in/", {"pad": str(self.pad.id), "after": self.pad.after})
        assert answer.status_code == 200, answer.content
        return answer.json()["done"]

    def say(self, seat: int, *, agrees: bool = True, **more: object):
        result = Result.objects.get(current=True)
        return self.post("confirm/", {"seat": seat, "agrees": agrees, "result": result.pk} | more)


def pin_of_bo(world) -> str:
    return world.entrants[1].pin


BOTH_PADS = pytest.mark.parametrize("tiles", [False, True], ids=["score pad", "tile pad"])


@pytest.fixture
def handed_in(world, browse):
    """Hand in a won game, as an account, or as the phone of side 1 at the table."""

    def give(user=None, *, tiles: bool = False) -> Table:
        client = browse(user)
        if user is None:
            client.post(f"/t/{world.match.door}/pad/", {"side": "1"})
        base = f"/matches/{world.match.pk}/games/1/pad/" if user else f"/t/{world.match.door}/pad/1/"
        table = Table(world, client, base)
        table.pad.user = user
        table.pad.side = 2 if user == world.bob else 1 if user != world.ref else None
        if tiles:
            table.pad.send(*(tap("line", line=line) for line in LINES))
        else:
            ends = tap("end", ended="target", winner=0)
            table.pad.send(*(points(0, 30) for _ in range(5)), ends)
        table.hand_in()
        for record in Record.objects.filter(state=Record.State.RECEIVED):
            verify_record(record.pk)
        return table

    return give


def asked(table: Table) -> list[dict]:
    return table.client.get(f"{table.base}taps/?pad={table.pad.id}").json()["done"]["asks"]


def standing() -> tuple[str, str, str]:
    return Result.objects.values_list("state", "confirmed_how", "one_device").get(current=True)


@BOTH_PADS
def test_one_phone_asks_the_other_side_and_its_yes_is_marked(world, handed_in, tiles) -> None:
    table = handed_in(tiles=tiles)
    assert asked(table) == [{"seat": 1, "pin": False}]
    answer = table.say(1)
    assert (answer.status_code, answer.json()["done"]["words"]) == (200, "It is confirmed.")
    assert standing() == ("official", "side", "same")
    assert asked(table) == []


@pytest.mark.parametrize(("user", "tiles"), [("alice", True), ("ref", False)])
def test_the_phone_of_an_account_is_one_device_too(world, handed_in, user, tiles) -> None:
    table = handed_in(getattr(world, user), tiles=tiles)
    assert [one["seat"] for one in asked(table)] == ([1] if user == "alice" else [0, 1])
    assert table.say(1).status_code == 200
    assert standing() == ("official", "side", "same")


@pytest.mark.parametrize(("user", "tiles"), [(None, False), (None, True), ("ref", True)])
def test_where_the_second_side_proves_itself_two_names_on_one_phone_are_one_word(world, handed_in, user, tiles) -> None:
    League.objects.update(second_side_proves=True)
    table = handed_in(user and getattr(world, user), tiles=tiles)
    assert [one["pin"] for one in asked(table)][-1:] == [True]
    assert (table.say(1).json()["code"], standing()[0]) == ("needs-proof", "provisional")
    assert table.say(1, pin="0000").json()["code"] == "wrong-pin"
    assert table.say(1, pin=pin_of_bo(world)).status_code == 200
    assert standing() == ("official", "pin", "")


def test_a_side_with_a_phone_of_its_own_speaks_there(world, handed_in, browse) -> None:
    table, own = handed_in(), browse()
    own.post(f"/t/{world.match.door}/pad/", {"side": "2"})
    assert asked(table) == [{"seat": 1, "pin": True}]
    assert table.say(1).json()["code"] == "needs-pin"
    table.client = own
    assert asked(table) == [{"seat": 1, "pin": False}]
    assert table.say(1).status_code == 200
    assert standing()[:2] == ("official", "side")


def test_nobody_speaks_for_a_side_from_a_phone_that_entered_nothing(world, handed_in, browse) -> None:
    table = handed_in(world.alice)
    table.client = browse(world.owner)
    assert (asked(table), table.say(1).json()["code"]) == ([], "needs-pin")
    table.client = browse(world.bob)
    assert asked(table) == [{"seat": 1, "pin": False}]
    table.client = browse(world.alice)
    assert table.say(0).json()["code"] == "own-submission"


def test_who_disagrees_puts_the_game_under_review_at_a_tap(world, handed_in) -> None:
    table = handed_in()
    told = table.say(1, agrees=False, sentence="Ana +10: nobody said it", tap=1).json()
    assert told["told"].startswith("The result is under review.")
    assert told["done"]["words"] == "Under review: two entries differ, or a player disagrees."
    assert (Reply.objects.get().sentence, Dispute.objects.count()) == ("Ana +10: nobody said it", 0)
    assert Result.objects.get().contested


@pytest.mark.parametrize(("how", "tiles"), [("pin", True), ("account", False)])
def test_with_a_proof_it_is_a_protest_at_that_line_too(world, handed_in, browse, how, tiles) -> None:
    table = handed_in(tiles=tiles)
    if how == "account":
        table.client, table.base = browse(world.bob), f"/matches/{world.match.pk}/games/1/pad/"
    pin = {"pin": pin_of_bo(world)} if how == "pin" else {}
    told = table.say(1, agrees=False, sentence="He said nothing", tap=1, **pin).json()
    assert told["told"] == "The result is under review, and the protest is filed."
    dispute = Dispute.objects.select_related("record__sealed").get()
    assert (dispute.for_side, dispute.via) == (2, how)
    if tiles:
        line = dispute.record.sealed.text.splitlines()[dispute.line - 1]
        assert (dispute.kind, line) == ("count", "A 5-5 call 10")
    else:
        assert (dispute.kind, dispute.hand) == ("result", 1)


def test_a_hand_of_the_score_pad_is_found_by_its_tap(world, browse) -> None:
    table = Table(world, browse(world.alice), f"/matches/{world.match.pk}/games/1/pad/")
    table.pad.user, table.pad.side = world.alice, 1
    taps = [points(0, 30), round_end(0, 20), points(0, 30), round_end(0, 20), *(points(0, 25) for _ in range(2))]
    table.pad.send(*taps, tap("end", ended="target", winner=0))
    table.hand_in()
    assert table.say(1, agrees=False, sentence="Not 20", tap=4, pin=pin_of_bo(world)).status_code == 200
    assert Dispute.objects.get().hand == 2


def lines_of_a_game(seed: int) -> list[str]:
    """Return the lines of a UDL game of several hands, without times."""
    game = playout("udl", rng=Random(seed), seats=("Ana Ruiz", "Bo Chen"), habits=Habits(timed=False))
    return [line for line in dumps(hide(game.log, Hidden.HANDS)).splitlines() if line and not line.startswith("[")]


def test_a_settled_hand_is_no_protest_any_more_and_the_review_stands(world, browse) -> None:
    table = Table(world, browse(world.alice), f"/matches/{world.match.pk}/games/1/pad/")
    table.pad.user, table.pad.side = world.alice, 1
    table.pad.send(*(tap("line", line=line) for line in lines_of_a_game(3)))
    table.hand_in()
    verify_record(Record.objects.get().pk)
    told = table.say(1, agrees=False, sentence="Not 10", tap=1, pin=pin_of_bo(world)).json()["told"]
    assert told.startswith("The result is under review. The protest was not filed: The rules do not allow")
    assert (Result.objects.get().contested, Dispute.objects.count()) == (True, 0)


def test_only_words_that_can_be_read_are_taken(world, handed_in) -> None:
    table = handed_in()
    for body in ({}, {"seat": "1"}, {"seat": 1, "result": -1, "agrees": True}, {"seat": 1, "result": 1e9}):
        assert table.post("confirm/", body).status_code == 422
    assert table.post("confirm/", {"seat": 1, "result": 10**9, "agrees": True}).json()["code"] == "no-result"
    assert table.say(7).status_code == 422
    assert standing()[0] == "provisional"


def test_the_sentence_is_that_of_the_result(world, handed_in) -> None:
    table = handed_in(tiles=True)
    done = table.client.get(f"{table.base}taps/?pad={uuid4()}").json()["done"]
    assert (done["words"], done["said"]) == (TOLD, "Ana Ruiz beats Bo Chen 10–0")

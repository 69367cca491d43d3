"""Keep score and the tile pad as the server gives them."""

import json
import re
from html import unescape

import pytest
from django.conf import settings

from games.notation.lines import _LINES, _SEAT_EVENTS
from league.matches.models import Match, Record, Side
from league.players.services import enrol
from tests.league.matches.tapping import Pad, points, tap
from tests.web.world import FIRST


def address(world, page: str) -> str:
    return f"/matches/{world.match.pk}/games/1/{page}/"


def ways(answer) -> list[str]:
    return re.findall(r'href="/matches/\d+/games/1/(\w+)/"', answer.content.decode())


def test_players_are_offered_the_score_pad_first_and_officials_the_tile_pad(world, browse) -> None:
    assert ways(browse(world.alice).get(address(world, "keep"))) == ["pad", "tiles", "score"]
    assert ways(browse(world.ref).get(address(world, "keep"))) == ["tiles", "pad", "score"]


def at_table(world, client, page: str = ""):
    """A page under the code of the table, on a phone for the first side."""
    client.post(f"/t/{world.match.door}/pad/", {"side": "1"})
    return client.get(f"/t/{world.match.door}/pad/1/{page}")


def test_a_guest_has_the_same_ways_under_the_code_of_the_table(world, client) -> None:
    text, here = at_table(world, client, "keep/").content.decode(), f"/t/{world.match.door}/"
    assert re.findall(rf'class="button[^"]*" href="({here}[^"]*)"', text) == [
        f"{here}pad/1/",
        f"{here}pad/1/tiles/",
        here,
    ]


def test_the_tile_pad_of_a_guest_sends_to_the_code_of_the_table(world, client) -> None:
    text, here = at_table(world, client, "tiles/").content.decode(), f"/t/{world.match.door}/pad/1/"
    given = json.loads(unescape(re.search(r'data-pad="([^"]*)"', text)[1]))
    wanted = {"page": "tiles/", "taps": "taps/", "hand_in": "hand-in/", "worker": "tiles/worker.js"}
    assert {name: given["addresses"][name] for name in wanted} == {name: here + end for name, end in wanted.items()}
    assert (given["neutral"], given["holds"], given["seat"]) == (False, True, 0)
    kept = client.get(f"{here}tiles/worker.js").content.decode()
    assert f'"{here}tiles/"' in kept


def test_a_guest_hands_in_the_log_of_the_tile_pad(world, client) -> None:
    at_table(world, client)
    pad = Pad(world.match.games.get(number=1), side=1)
    pad.send(tap("line", line="round 1\nA 5-5"), tap("line", line="B concedes"), tap("line", line="end"))
    body = json.dumps({"pad": str(pad.id), "after": pad.after})
    answer = client.post(f"/t/{world.match.door}/pad/1/hand-in/", body, content_type="application/json")
    assert (answer.status_code, answer.json()["done"]["tally"]) == (200, True)
    assert Record.objects.values_list("kind", "for_side", "via").get() == ("log", 1, "table")


@pytest.mark.parametrize(
    ("first", "way"), [(points(0, 10), "pad"), (tap("line", line="round 1\nA 5-5"), "tiles")], ids=["scores", "tiles"]
)
def test_a_game_goes_on_where_it_is_kept(world, browse, first, way) -> None:
    Pad(world.match.games.get(number=1), world.ref).send(first)
    assert ways(browse(world.ref).get(address(world, "keep"))) == [way, "score"]


def join(world, sides: int, options: dict[str, str]) -> None:
    """Uno Dominoes with this many sides."""
    Match.objects.filter(pk=world.match.pk).update(ruleset="uno-dominoes", options=options)
    for number in range(3, sides + 1):
        entrant = enrol(league=world.league, name=f"Player {number}", since=FIRST.date())
        Side.objects.create(match=world.match, number=number, entrant=entrant)


@pytest.mark.parametrize(
    ("sides", "options", "offered", "why"),
    [
        (2, {}, ["tiles", "pad", "score"], ""),
        (4, {}, ["tiles", "score"], "For two sides only."),
        (5, {}, ["score"], "room for four names"),
        (2, {"reopening": "true"}, ["pad", "score"], "does not open a dead end again"),
    ],
)
def test_a_game_has_the_pads_that_can_keep_it_and_the_page_says_why_not(
    world, browse, sides, options, offered, why
) -> None:
    join(world, sides, options)
    client = browse(world.ref)
    answer = client.get(address(world, "keep"))
    assert ways(answer) == offered
    assert why in answer.content.decode()
    assert ("/keep/" in client.get(f"/matches/{world.match.pk}/").content.decode()) is (offered != ["score"])
    for page in ("tiles", "pad"):
        assert client.get(address(world, page)).status_code == (200 if page in offered else 302)


def test_the_tile_pad_shows_every_side(world, browse) -> None:
    join(world, 4, {})
    text = browse(world.ref).get(address(world, "tiles")).content.decode()
    given = json.loads(unescape(re.search(r'data-pad="([^"]*)"', text)[1]))
    assert (len(given["names"]), given["rules"]["seats"]) == (4, 4)
    assert re.findall(r'class="tp-kind" data-do="kind" data-value="(\w+)"', text)[:14] == [
        *"123456789",
        "D2",
        "S",
        "R",
        "W",
        "WD4",
    ]


def test_only_a_neutral_scorer_gets_true_sums_and_a_player_no_open_score(world, browse) -> None:
    found = {}
    for name, user in (("alice", world.alice), ("ref", world.ref)):
        text = browse(user).get(address(world, "tiles")).content.decode()
        given = json.loads(unescape(re.search(r'data-pad="([^"]*)"', text)[1]))
        found[name] = (given["neutral"], given["holds"], given["seat"])
    assert found == {"alice": (False, True, 0), "ref": (True, False, None)}


def test_the_other_player_opens_the_code_of_the_table(world, browse) -> None:
    text = browse(world.alice).get(address(world, "tiles")).content.decode()
    assert f"<figcaption>http://testserver/t/{world.match.door}/pad/</figcaption>" in text


def test_the_keys_are_the_folded_triangle(world, browse) -> None:
    text = browse(world.ref).get(address(world, "tiles")).content.decode()
    keys = re.findall(r'data-do="tile" data-value="(\d-\d)"', text)
    assert keys[:7] == ["6-6", "6-5", "6-4", "6-3", "6-2", "6-1", "6-0"]
    assert (len(keys), len(set(keys))) == (28, 28)


def test_every_line_of_the_notation_has_a_way_by_taps_or_a_reason() -> None:
    """docs/pad.md, its table of lines."""
    text = (settings.BASE_DIR / "docs" / "pad.md").read_text("utf-8").partition("| line of [the notation]")[2]
    rows = dict(re.findall(r"^\| (`.*?) \| (.*) \|$", text, re.MULTILINE))
    words = {word for row in rows for line in re.findall(r"`([^`]*)`", row) for word in re.findall(r"[a-z]+", line)}
    assert {*_SEAT_EVENTS, *_LINES, "on", "colour"} - words == set()
    assert [row for row, way in rows.items() if "no way" in way and ":" not in way] == []


def test_from_tiles_the_page_leads_down_to_scores(world, browse) -> None:
    Pad(world.match.games.get(number=1), world.ref).send(tap("line", line="round 1\nA 5-5"))
    client = browse(world.ref)
    assert (
        f'<form method="post" action="{address(world, "keep")}"' in client.get(address(world, "keep")).content.decode()
    )
    for _phone in range(2):  # two at once: the later one goes on with scores too
        assert client.post(address(world, "keep")).url == address(world, "pad")
    assert ways(client.get(address(world, "keep"))) == ["pad", "score"]
    assert client.get(f"{address(world, 'pad')}taps/").json()["scored"]

"""The score pad as the server gives it: its page, its worker, its taps, and the running score on other pages."""

import gzip
import json
import re
from datetime import UTC, datetime
from html import unescape
from uuid import uuid4

import pytest
from django.conf import settings

from league.matches.models import KnownBy, Match, Record, Result
from league.matches.models.tally import TallyTap
from league.players.models import Player
from league.web.matches import pad as pads
from league.web.matches import tiles
from league.web.matches.pad import edition
from tests.league.matches.tapping import Pad, points, round_end
from tests.web import world as small

NOON = datetime(2026, 11, 22, 19, 12, 4, tzinfo=UTC)


def address(world, more: str = "") -> str:
    return f"/matches/{world.match.pk}/games/1/pad/{more}"


def touch(**facts: object) -> dict[str, object]:
    return {"id": str(uuid4()), "kind": "points", "seat": 0, "points": 10, "at": 1_790_000_000_000, "mono": 1} | facts


def send(client, world, *taps: dict[str, object], pad: str, after: int = 0, to: str = "taps/"):
    body = {"pad": pad, "after": after, "taps": list(taps)}
    return client.post(address(world, to), json.dumps(body), content_type="application/json")


def given(answer) -> dict:
    return json.loads(unescape(re.search(r'data-pad="([^"]*)"', answer.content.decode())[1]))


@pytest.fixture
def pad() -> str:
    return str(uuid4())


def test_the_page_has_the_keys_of_the_rules_and_holds_back_for_players_only(world, browse) -> None:
    page = browse(world.alice).get(address(world))
    text = page.content.decode()
    assert re.findall(r'data-do="points" data-seat="0" data-points="(\d+)"', text) == [
        "5",
        "10",
        "15",
        "20",
        "25",
        "30",
        "35",
    ]
    assert (text.count('data-do="muggins"'), given(page)["holds"], given(page)["chips"]) == (2, True, 30)
    assert given(browse(world.ref).get(address(world)))["holds"] is False


@pytest.mark.parametrize(
    ("ruleset", "keys", "muggins", "unit", "spinners"),
    [
        ("udl", 7, 2, "pips left", True),
        ("double-six", 7, 0, "tiles left", True),
        ("muggins", 4, 0, "pips left", False),
        ("all-fives", 7, 2, "pips left", True),
        ("uno-dominoes", 0, 0, "points left", False),
    ],
)
def test_every_ruleset_has_its_own_pad(world, browse, ruleset, keys, muggins, unit, spinners) -> None:
    Match.objects.filter(pk=world.match.pk).update(ruleset=ruleset)
    page = browse(world.ref).get(address(world))
    text = page.content.decode()
    assert text.count('data-do="points" data-seat="0"') == keys
    assert text.count('data-do="muggins"') == muggins
    assert text.count(f"<span>{unit}</span>") == 2
    assert (given(page)["chips"] > 0, given(page)["spinners"]) == (ruleset == "udl", spinners)


def test_house_rules_change_the_pad(world, browse) -> None:
    Match.objects.filter(pk=world.match.pk).update(options={"target": 100, "muggins": "off", "spinner": "none"})
    page = browse(world.alice).get(address(world))
    assert (given(page)["target"], given(page)["holds"], given(page)["spinners"]) == (100, False, False)


def test_taps_are_kept_and_told_with_who_keeps_them(world, browse, pad) -> None:
    client, one = browse(world.ref), touch()
    answer = send(client, world, one, pad=pad).json()
    assert [(tap["n"], tap["id"], tap["points"]) for tap in answer["taps"]] == [(1, one["id"], 10)]
    assert (answer["last"], answer["keeper"]["mine"], answer["keeper"]["name"]) == (1, True, "ref")
    again = client.get(address(world, f"taps/?after=1&pad={uuid4()}")).json()
    assert (again["taps"], again["keeper"]["mine"], again["closed"]) == ([], False, "")
    assert again["clock"] | {"remaining_ms": 0} == {
        "game": 1,
        "version": 0,
        "state": "not-started",
        "remaining_ms": 0,
        "overtime_ms": 0,
        "length_ms": 900_000,
        "may": True,
    }


def test_another_pad_gets_409_with_what_is_there(world, browse, pad) -> None:
    send(browse(world.ref), world, touch(), pad=pad)
    answer = send(browse(world.alice), world, touch(points=15), pad=str(uuid4()))
    assert answer.status_code == 409
    assert [tap["points"] for tap in answer.json()["taps"]] == [10]
    assert answer.json()["keeper"]["name"] == "ref"
    assert TallyTap.objects.count() == 1


def test_a_tap_that_cannot_be_read_is_named(world, browse, pad) -> None:
    wrong = touch(seat=7)
    answer = send(browse(world.ref), world, touch(), wrong, pad=pad)
    assert (answer.status_code, answer.json()["touch"], TallyTap.objects.count()) == (422, wrong["id"], 0)


def test_a_tally_is_handed_in_once_and_the_pad_is_told_what_became_of_it(world, browse, pad) -> None:
    client = browse(world.alice)
    ends = touch(kind="end", seat=None, points=None, ended="target", winner=0)
    for number in range(5):
        send(client, world, touch(points=30), pad=pad, after=number)
    send(client, world, ends, pad=pad, after=5)
    for _ in range(2):
        answer = send(client, world, pad=pad, after=6, to="hand-in/")
        assert answer.status_code == 200
    told = "It counts once the other side or an official confirms it."
    done = answer.json()["done"]
    assert (done["tally"], done["words"], done["said"]) == (True, told, "Ana Ruiz beats Bo Chen 150–0")
    assert Result.objects.get().scores == {"1": 150, "2": 0}
    assert Record.objects.get().kind == KnownBy.TALLY
    assert send(client, world, pad=pad, after=5, to="hand-in/").status_code == 409


def test_a_result_from_elsewhere_is_told_on_the_pad(world, browse) -> None:
    small.played(world)
    assert browse(world.ref).get(address(world, "taps/")).json()["done"] == {
        "tally": False,
        "words": "This game has a result already: 150–95.",
    }


@pytest.mark.parametrize("base", ["matches", "table"])
def test_the_worker_keeps_the_page_and_what_it_needs_and_nothing_else(world, client, base) -> None:
    path = address(world) if base == "matches" else f"/t/{world.match.door}/pad/1/"
    answer = client.get(f"{path}worker.js")
    kept = json.loads(re.search(r"const KEPT = (\[.*?\]);", answer.content.decode())[1])
    names = ["pad/pad.js", "base/tokens.css", "base/site.css", "pad/pad.css"]
    names += [f"pad/pad_{part}.js" for part in ("fold", "store", "link", "face", "score", "core")]
    assert kept == [path, *(f"/static/web/{name}{edition()}" for name in names)]
    assert answer["Content-Type"] == "text/javascript; charset=utf-8"
    assert answer["Cache-Control"] == "no-cache"
    assert "worker-src 'self'" in answer["Content-Security-Policy"]


@pytest.mark.parametrize(
    ("pad", "most", "most_kept"), [(pads, 16_000, 35_000), (tiles, 33_000, 55_000)], ids=["score pad", "tile pad"]
)
def test_the_scripts_of_a_pad_are_small(pad, most, most_kept) -> None:
    """Compressed, as `serve` sends them: at most 60 kB of scripts, and 150 kB kept (SCREENS.md B-0)."""
    static = settings.BASE_DIR / "league" / "web" / "static" / "web"
    scripts, kept = (
        sum(len(gzip.compress((static / name).read_bytes())) for name in names)
        for names in ((pad.SCRIPT, *pad.PARTS), (pad.SCRIPT, *pad.PARTS, *pad.STYLES, "pad/pad_worker.js"))
    )
    assert scripts <= most
    assert kept <= most_kept


def test_the_questions_of_a_pad_take_the_same_statements_for_1_and_300_taps(
    world, browse, django_assert_num_queries, pad
) -> None:
    client = browse(world.ref)
    for after, count in ((0, 1), (1, 300)):
        send(client, world, *(touch() for _ in range(count)), pad=pad, after=after)
        with django_assert_num_queries(10):
            client.get(address(world, f"taps/?pad={pad}"))


# --- Without an account ---


def test_the_phone_of_a_side_keeps_the_tally_and_a_second_phone_needs_another_way(world, client, browse, pad) -> None:
    begin = f"/t/{world.match.door}/pad/"
    assert "Whose phone is this?" in client.get(begin).content.decode()
    assert client.post(begin, {"side": "1"}).url == f"{begin}1/keep/"
    assert given(client.get(f"{begin}1/"))["holds"] is True
    body = json.dumps({"pad": pad, "after": 0, "taps": [touch()]})
    answer = client.post(f"{begin}1/taps/", body, content_type="application/json")
    assert (answer.status_code, answer.json()["keeper"]["name"]) == (200, "Ana Ruiz")
    assert TallyTap.objects.values_list("by", "for_side").get() == (None, 1)
    other = browse().post(begin, {"side": "1"}, follow=True)
    assert "Another phone is here for Ana Ruiz." in other.content.decode()


def test_the_way_back_leads_to_where_a_result_is_confirmed(world, client, browse) -> None:
    table, match = f'href="/t/{world.match.door}/"', f'href="/matches/{world.match.pk}/"'
    client.post(f"/t/{world.match.door}/pad/", {"side": "1"})
    guest = client.get(f"/t/{world.match.door}/pad/1/").content.decode()
    official = browse(world.ref).get(address(world)).content.decode()
    assert (table in guest, match in guest) == (True, False)
    assert (table in official, match in official) == (False, True)


def test_a_phone_without_a_side_is_asked_and_its_taps_are_refused(world, client, pad) -> None:
    begin = f"/t/{world.match.door}/pad/"
    assert client.get(f"{begin}1/").url == begin
    assert client.get(f"{begin}1/taps/").status_code == 401
    assert client.get("/t/NOSUCHDOOR22/pad/").status_code == 404


def test_who_may_by_their_account_keeps_it_by_name(world, browse) -> None:
    assert browse(world.ref).get(f"/t/{world.match.door}/pad/").url == f"/t/{world.match.door}/pad/1/keep/"


# --- The running score ---


def running(text: str) -> list[str]:
    found = re.findall(r'<p class="running".*?</p>', text)
    return [" ".join(re.sub(r"<[^>]+>", "", one).split()) for one in found]


@pytest.fixture
def tallied(world):
    one = Pad(world.game(), world.ref)
    one.send(points(0, 60), points(1, 60), round_end(0, 25), points(0, 35), at=NOON)
    return one


def test_the_match_page_and_lists_show_the_running_score_without_what_may_be_claimed(world, browse, tallied) -> None:
    shown = ["85–60 hand 2, from the pad, as of 19:12:04"]
    for path in (f"/matches/{world.match.pk}/", "/"):
        assert running(browse().get(path).content.decode()) == shown, path


def test_a_match_whose_tally_is_kept_is_being_played_on_its_page_as_in_every_list(world, browse, tallied) -> None:
    page = browse().get(f"/matches/{world.match.pk}/").content.decode()
    assert "Being played" in page
    assert not {"Upcoming", "No result yet"} & set(re.findall(r">([^<>]+)<", page))


def test_the_running_score_is_hidden_until_the_match_is_published_and_gone_with_a_result(
    world, browse, tallied
) -> None:
    Match.objects.filter(pk=world.match.pk).update(published_at=None)
    assert running(browse(world.owner).get(f"/matches/{world.match.pk}/").content.decode()) == []
    Match.objects.filter(pk=world.match.pk).update(published_at=NOON)
    small.played(world)
    assert running(browse().get(f"/matches/{world.match.pk}/").content.decode()) == []


def test_who_may_keep_the_tally_finds_the_way_from_the_match(world, browse) -> None:
    link = f'href="{address(world).replace("/pad/", "/keep/")}"'
    found = {
        name: link in browse(user).get(f"/matches/{world.match.pk}/").content.decode()
        for name, user in (("alice", world.alice), ("ref", world.ref), ("charlie", world.charlie), ("nobody", None))
    }
    assert found == {"alice": True, "ref": True, "charlie": False, "nobody": False}


def test_a_hostile_name_stays_a_name(world, browse) -> None:
    hostile = "<script>alert(1)</script>\"' %(points)s"
    Player.objects.filter(pk=world.entrants[0].player.pk).update(name=hostile)
    page = browse(world.ref).get(address(world))
    assert "<script>alert" not in page.content.decode()
    assert given(page)["names"] == [hostile, "Bo Chen"]

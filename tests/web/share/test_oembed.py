"""Where an address is pasted: the frame for it, for programs that ask, and nothing that not everybody may see."""

import re
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest

from league.competitions.models import Competition
from tests.web import world as small

OEMBED = "/oembed/"
SITE = "http://testserver"
AUTUMN, CUP = f"{SITE}/competitions/harbour/autumn/", f"{SITE}/competitions/harbour/cup/"


@pytest.fixture
def cup(world) -> Competition:
    return small.knock_out(world)


def asked(client, url: str, **more: object):
    return client.get(OEMBED, {"url": url, **more})


def frame_of(answer) -> dict[str, str]:
    return {name: unescape(value) for name, value in re.findall(r'(\w+)="([^"]*)"', answer.json()["html"])}


def test_the_answer_is_the_frame_of_the_table(world, browse) -> None:
    answer = asked(browse(), f"{AUTUMN}standings/")
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/json")
    told = answer.json()
    frame = frame_of(answer)
    assert {key: told[key] for key in told if key != "html"} == {
        "version": "1.0",
        "type": "rich",
        "title": "Autumn Round Robin · Harbour",
        "provider_name": "Domino League",
        "provider_url": f"{SITE}/",
        "cache_age": 86400,
        "width": 640,
        "height": 560,
    }
    assert (frame["src"], frame["width"], frame["height"]) == (
        f"{SITE}/embed/harbour/autumn/standings/?rows=10", "640", "560",
    )  # fmt: skip
    assert frame["title"] == told["title"]
    assert browse().get(frame["src"].removeprefix(SITE)).status_code == 200


@pytest.mark.parametrize(
    ("url", "path"),
    [
        (CUP, "/embed/harbour/cup/bracket/"),
        (f"{CUP}bracket/", "/embed/harbour/cup/bracket/"),
        (f"{CUP}bracket/?player=bo&x=1", "/embed/harbour/cup/bracket/?player=bo"),
        (f"{SITE}/embed/harbour/cup/bracket/?theme=dark", "/embed/harbour/cup/bracket/?theme=dark"),
        (AUTUMN, "/embed/harbour/autumn/standings/?rows=10"),
        (f"{AUTUMN}?group=2#standings", "/embed/harbour/autumn/standings/?group=2&rows=10"),
        (f"{SITE}/embed/harbour/autumn/standings/?rows=3&lang=es", "/embed/harbour/autumn/standings/?lang=es&rows=3"),
        ("https://TESTSERVER/competitions/harbour/autumn/", "/embed/harbour/autumn/standings/?rows=10"),
    ],
)
def test_each_address_of_a_table_or_a_bracket_has_its_frame(world, cup, browse, url, path) -> None:
    assert frame_of(asked(browse(), url))["src"] == f"{SITE}{path}"


@pytest.mark.parametrize(
    ("room", "size", "rows"),
    [
        ({}, (640, 560), "10"),
        ({"maxwidth": "320"}, (320, 560), "10"),
        ({"maxheight": "300"}, (640, 300), "3"),
        ({"maxwidth": "9999", "maxheight": "9999"}, (640, 560), "10"),
        ({"maxwidth": "1", "maxheight": "1"}, (1, 1), "1"),
        ({"maxwidth": "wide", "maxheight": "-5"}, (640, 560), "10"),
    ],
)
def test_the_frame_is_no_larger_than_there_is_room_for(world, browse, room, size, rows) -> None:
    answer = asked(browse(), AUTUMN, **room)
    told, frame = answer.json(), frame_of(answer)
    assert (told["width"], told["height"]) == (int(frame["width"]), int(frame["height"])) == size
    assert parse_qs(urlsplit(frame["src"]).query)["rows"] == [rows]


@pytest.mark.parametrize(
    "url",
    [
        "",
        "x",
        "http://[",
        "/competitions/harbour/autumn/",
        "http://elsewhere.example/competitions/harbour/autumn/",
        "http://testserver.elsewhere.example/competitions/harbour/autumn/",
        "http://testserver@elsewhere.example/competitions/harbour/autumn/",
        "ftp://testserver/competitions/harbour/autumn/",
        "javascript://testserver/competitions/harbour/autumn/",
        f"{SITE}/",
        f"{SITE}/competitions/harbour/nowhere/",
        f"{SITE}/competitions/nowhere/autumn/",
        f"{AUTUMN}bracket/",
        f"{AUTUMN}players/",
        f"{CUP}standings/",
        f"{SITE}/leagues/harbour/",
    ],
)
def test_what_is_not_ours_or_has_nothing_to_show_is_not_found(world, cup, browse, url) -> None:
    assert asked(browse(), url).status_code == 404


def test_of_a_draft_there_is_no_frame_not_even_for_its_staff(db, browse) -> None:
    world = small.build(published=False)
    for who in (None, world.owner):
        assert asked(browse(who), AUTUMN).status_code == 404
    Competition.objects.update(published_at="2026-01-01T00:00:00Z")  # the control
    assert asked(browse(), AUTUMN).status_code == 200


def test_another_format_is_not_implemented_and_without_an_address_there_is_no_question(world, browse) -> None:
    assert asked(browse(), AUTUMN, format="xml").status_code == 501
    assert asked(browse(), AUTUMN, format="json").status_code == 200
    assert browse().get(OEMBED).status_code == 400


def test_it_is_the_same_for_everybody_and_in_the_language_of_the_site(world, browse) -> None:
    nobody = asked(browse(), AUTUMN)
    owner = browse(world.owner)
    owner.cookies["django_language"] = "es"
    answer = asked(owner, AUTUMN)
    assert answer.content == nobody.content
    assert answer["Content-Language"] == "en"
    assert answer["Cache-Control"] == "public, max-age=60"
    assert not nobody.cookies


def test_a_name_like_code_does_not_leave_its_quotes(world, browse) -> None:
    Competition.objects.update(name='"><script>x</script>')
    answer = asked(browse(), AUTUMN)
    assert "<script" not in answer.json()["html"]
    assert frame_of(answer)["title"].startswith('"><script>x')


@pytest.mark.parametrize("path", [AUTUMN, f"{AUTUMN}standings/", CUP, f"{CUP}bracket/", f"{CUP}bracket/?player=bo"])
def test_the_page_leads_to_its_frame(world, cup, browse, path) -> None:
    html = browse().get(path.removeprefix(SITE)).content.decode()
    [link] = re.findall(r'<link rel="alternate" type="application/json\+oembed" href="([^"]+)"', html)
    answer = browse().get(unescape(link).removeprefix(SITE))
    assert answer.status_code == 200
    assert asked(browse(), path).content == answer.content


def test_a_page_that_not_everybody_sees_leads_nowhere(db, browse) -> None:
    world = small.build(published=False)
    for page in ("", "standings/"):
        html = browse(world.owner).get(f"{AUTUMN}{page}".removeprefix(SITE)).content.decode()
        assert "oembed" not in html

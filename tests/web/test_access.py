"""Who gets which page: anonymous, a player of the match, a referee of the league, the owner of another league."""

import pytest

from tests.web import world as small
from tests.web.world import World

OPEN = ["/", "/competitions/", "/competitions/harbour/autumn/", "/matches/{match}/", "/players/", "/players/{player}/"]
PEOPLE = ["anonymous", "alice", "ref", "charlie"]


def address(world: World, path: str) -> str:
    return path.format(match=world.match.pk, player=world.entrants[0].player.code, game=world.game().code)


def person(world: World, name: str):
    return None if name == "anonymous" else getattr(world, name)


@pytest.mark.parametrize("path", OPEN)
@pytest.mark.parametrize("name", PEOPLE)
def test_everybody_reads_what_is_published(world, browse, path, name) -> None:
    assert browse(person(world, name)).get(address(world, path)).status_code == 200


@pytest.mark.parametrize(("name", "expected"), [("anonymous", 404), ("alice", 404), ("ref", 200), ("charlie", 404)])
@pytest.mark.parametrize("path", ["/competitions/harbour/autumn/", "/matches/{match}/"])
def test_a_draft_is_there_for_the_staff_of_its_league_only(db, browse, path, name, expected) -> None:
    world = small.build(published=False)
    assert browse(person(world, name)).get(address(world, path)).status_code == expected


@pytest.mark.parametrize(
    ("name", "expected"), [("anonymous", 302), ("alice", 200), ("bob", 200), ("ref", 200), ("charlie", 403)]
)
def test_only_the_players_and_officials_of_a_match_get_its_form(world, browse, name, expected) -> None:
    answer = browse(person(world, name)).get(address(world, "/submit/{game}/"))
    assert answer.status_code == expected
    if expected == 302:
        assert answer.url == f"/sign-in/?next=/submit/{world.game().code}/"
    if expected == 403:
        assert "You neither play in this match nor are you an official of its league." in answer.content.decode()


@pytest.mark.parametrize(
    "path",
    [
        "/matches/999999/",
        "/players/NOBODYXX/",
        "/competitions/harbour/spring/",
        "/competitions/hill/autumn/",
        "/nowhere/",
        "/matches/1/nothing/",
    ],
)
def test_what_is_not_there_is_a_404_with_a_way_home(world, browse, path) -> None:
    answer = browse().get(path)
    assert answer.status_code == 404
    assert "There is nothing here" in answer.content.decode()
    assert 'href="/"' in answer.content.decode()


def test_a_game_that_is_not_there_is_a_404(world, browse) -> None:
    assert browse(world.alice).get("/submit/NOGAME00/").status_code == 404


@pytest.mark.parametrize(
    ("name", "expected"), [("anonymous", 302), ("alice", 403), ("bob", 302), ("ref", 302), ("charlie", 403)]
)
def test_the_submitter_and_strangers_cannot_confirm(world, browse, name, expected) -> None:
    result = small.played(world)
    client = browse(person(world, name))
    answer = client.post(f"/matches/{world.match.pk}/confirm/", {"result": result.pk})
    assert answer.status_code == expected
    result.refresh_from_db()
    assert (result.state == "official") == (name in {"bob", "ref"})


def test_confirming_is_never_done_by_following_a_link(world, browse) -> None:
    result = small.played(world)
    answer = browse(world.bob).get(f"/matches/{world.match.pk}/confirm/?result={result.pk}")
    assert answer.status_code == 405


@pytest.mark.parametrize("path", OPEN)
def test_every_page_sends_a_policy_that_forbids_inline_script_and_style(world, browse, path) -> None:
    answer = browse().get(address(world, path))
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
    html = answer.content.decode()
    assert " style=" not in html
    assert "<style" not in html
    assert " onclick=" not in html
    assert all("src=" in tag for tag in html.split("<script")[1:])

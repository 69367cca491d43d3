"""Names and texts that were written to break a page."""

import pytest

from league.matches.models import Record
from league.players.models import Player
from tests.web import world as small

HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "{{ 1111110|add:1 }}{% now 'Y' %}",
    "A' onmouseover='x",
]


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_is_text_on_every_page(world, browse, name) -> None:
    player = world.entrants[0].player
    Player.objects.filter(pk=player.pk).update(name=name)
    small.played(world)
    client = browse(world.ref)
    pages = [
        "/",
        "/players/",
        f"/players/{player.code}/",
        "/competitions/harbour/autumn/",
        f"/matches/{world.match.pk}/",
        "/submit/",
        f"/submit/{world.game().code}/",
    ]
    for page in pages:
        html = client.get(page).content.decode()
        assert "<script>" not in html, page
        assert "<img" not in html, page
        assert "onmouseover='" not in html, page
        assert "1111111" not in html, page


def test_a_hostile_log_is_text(world, browse) -> None:
    small.played(world)
    html = browse().get(f"/matches/{world.match.pk}/").content.decode()
    assert "&lt;b&gt;six&lt;/b&gt;" in html
    assert "<b>six</b>" not in html


def test_a_hostile_search_and_form_are_text(world, browse) -> None:
    client = browse(world.alice)
    assert "<script>" not in client.get("/players/?q=<script>alert(1)</script>").content.decode()
    text = '[Ruleset "udl"]\n</textarea><script>alert(1)</script>'
    html = client.post(f"/submit/{world.game().code}/", {"text": text}).content.decode()
    assert "<script>alert" not in html
    assert not Record.objects.filter(sealed__isnull=True).exists()


def test_names_are_fenced_from_the_direction_of_their_neighbours(world, browse) -> None:
    Player.objects.filter(pk=world.entrants[0].player.pk).update(name="ليلى")
    small.played(world)
    for page in ("/", "/competitions/harbour/autumn/", f"/matches/{world.match.pk}/", "/players/"):
        assert "<bdi>ليلى</bdi>" in browse().get(page).content.decode(), page


def test_an_erased_player_is_shown_by_code(world, browse) -> None:
    player = world.entrants[0].player
    Player.objects.filter(pk=player.pk).update(name="")
    assert player.code in browse().get(f"/matches/{world.match.pk}/").content.decode()

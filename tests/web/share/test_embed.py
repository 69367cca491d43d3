"""What stands on the pages of others: framed from anywhere, and nothing of the reader's in it."""

import re

import pytest

from league.competitions.models import Competition
from league.players.models import Player
from tests.web import world as small

STANDINGS, BRACKET = "/embed/harbour/autumn/standings/", "/embed/harbour/cup/bracket/"
SHARE = "/competitions/harbour/autumn/share/"


@pytest.fixture
def cup(world) -> Competition:
    return small.knock_out(world)


@pytest.mark.parametrize("path", [STANDINGS, BRACKET])
def test_it_may_be_framed_from_anywhere_and_runs_nothing(world, cup, browse, path) -> None:
    answer = browse().get(path)
    policy = answer["Content-Security-Policy"]
    assert "frame-ancestors *" in policy
    assert "script-src 'none'" in policy
    assert "form-action 'none'" in policy
    assert "X-Frame-Options" not in answer
    html = answer.content.decode()
    assert "<form" not in html
    assert "<script" not in html
    assert '<base target="_top">' in html


def test_no_other_page_may_be_framed(world, cup, browse) -> None:
    for path in ("/", "/sign-in/", "/competitions/harbour/autumn/", SHARE, "/embed/harbour/nowhere/standings/"):
        answer = browse(world.bob).get(path)
        assert "frame-ancestors 'none'" in answer["Content-Security-Policy"], path
        assert answer["X-Frame-Options"] == "DENY", path


@pytest.mark.parametrize("path", [STANDINGS, BRACKET])
def test_it_knows_nobody_so_that_any_cache_may_keep_it(world, cup, browse, path) -> None:
    nobody, owner = browse().get(path), browse(world.owner).get(path)
    assert not nobody.cookies
    assert not owner.cookies
    assert owner.content == nobody.content
    assert nobody["Cache-Control"] == "public, max-age=60"
    assert "Cookie" not in nobody["Vary"]


def test_it_is_not_sent_again_while_nothing_changed_and_is_once_a_result_came(world, browse) -> None:
    client = browse()
    first = client.get(STANDINGS)
    assert client.get(STANDINGS, headers={"If-None-Match": first["ETag"]}).status_code == 304
    small.played(world, official=True)
    later = client.get(STANDINGS, headers={"If-None-Match": first["ETag"]})
    assert later.status_code == 200
    assert "+55" in later.content.decode()


def test_the_language_is_that_of_the_address_and_of_no_cookie(world, browse) -> None:
    client = browse()
    client.cookies["django_language"] = "es"
    assert '<html lang="en"' in client.get(STANDINGS, headers={"Accept-Language": "es"}).content.decode()
    spanish = client.get(f"{STANDINGS}?lang=es")
    assert '<html lang="es"' in spanish.content.decode()
    assert spanish["Content-Language"] == "es"
    assert '<html lang="en"' in client.get(f"{STANDINGS}?lang=xx").content.decode()


def test_theme_and_rows_are_as_the_address_asks(db, browse) -> None:
    small.build(players=12)
    client = browse()
    assert client.get(STANDINGS).content.decode().count('scope="row"') == 10
    assert client.get(f"{STANDINGS}?rows=3").content.decode().count('scope="row"') == 3
    assert client.get(f"{STANDINGS}?rows=9999").content.decode().count('scope="row"') == 12
    assert 'data-theme="dark"' in client.get(f"{STANDINGS}?theme=dark").content.decode()
    assert "onload" not in client.get(f'{STANDINGS}?theme="onload=').content.decode()


def test_a_name_is_only_a_name(world, browse) -> None:
    Player.objects.filter(name="Ana Ruiz").update(name="<script>alert(1)</script>")
    html = browse().get(STANDINGS).content.decode()
    assert "<script" not in html
    assert "&lt;script&gt;alert(1)" in html


@pytest.mark.parametrize("path", [STANDINGS, SHARE])
def test_of_a_draft_nobody_sees_anything_there_not_even_its_staff(db, browse, path) -> None:
    world = small.build(published=False)
    assert browse(world.owner).get(path).status_code == 404


def test_a_knock_out_has_no_table_and_a_table_no_bracket(world, cup, browse) -> None:
    assert browse().get("/embed/harbour/cup/standings/").status_code == 404
    assert browse().get("/embed/harbour/autumn/bracket/").status_code == 404


def test_the_code_to_copy_is_the_frame_that_is_shown(world, browse) -> None:
    html = browse().get(f"{SHARE}?theme=dark&rows=5").content.decode()
    frame = html.split("<textarea")[1].split(">", 1)[1].split("</textarea>")[0]
    address = "/embed/harbour/autumn/standings/?theme=dark&amp;rows=5"
    # Escaped once for the code, and once more for the text area that shows it.
    assert f"src=&quot;http://testserver{address.replace('&', '&amp;')}&quot;" in frame
    preview = re.search(r'<iframe class="preview"[^>]*>', html).group()
    assert f'src="{address}"' in preview
    height = int(re.search(r"height=&quot;(\d+)&quot;", frame).group(1))
    assert f'height="{height}"' in preview


def test_a_competition_called_like_code_does_not_leave_its_quotes(world, browse) -> None:
    Competition.objects.update(name='"><script>x</script>')
    html = browse().get(SHARE).content.decode()
    assert "<script>x" not in html
    assert "title=&quot;&amp;quot;&amp;gt;" in html

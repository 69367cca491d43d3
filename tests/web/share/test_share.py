"""What stands beside a link to this site where people share it: title, sentence and picture."""

import re
from io import BytesIO

import pytest
from django.core.cache import cache
from PIL import Image

from league.competitions.models import Competition
from league.matches.models import Match
from league.players.models import Player
from league.web.share import picture_views
from league.web.share.pictures.layout import SharePicture, ShareRow
from league.web.share.pictures.lettering import fitted, font, named
from tests.web import world as small

WEIGHT = 100_000


@pytest.fixture
def played(world):
    small.played(world, official=True)
    return world


def paths(world) -> dict[str, str]:
    return {
        "match": f"matches/{world.match.pk}",
        "competition": "competitions/harbour/autumn",
        "player": f"players/{world.entrants[0].player.code}",
        "league": "leagues/harbour",
    }


@pytest.mark.parametrize("kind", ["match", "competition", "player", "league"])
def test_a_picture_has_the_size_that_others_ask_for_and_is_light(played, client, kind) -> None:
    answer = client.get(f"/share/en/{paths(played)[kind]}.png")
    image = Image.open(BytesIO(answer.content))
    assert (image.format, image.size) == ("PNG", (1200, 630))
    assert len(answer.content) < WEIGHT
    assert len(image.convert("RGB").getcolors(1 << 20)) > 8  # something is on it
    assert answer["Content-Type"] == "image/png"
    assert answer["Cache-Control"] == "public, max-age=300"
    assert "Cookie" not in answer.get("Vary", "")


def test_the_picture_of_a_match_says_who_how_and_how_it_is_known(played) -> None:
    picture = picture_views.of_match(played.match.pk)
    assert picture.over == "Autumn Round Robin · Round 2"
    assert picture.rows == (ShareRow("Ana Ruiz", "150", won=True), ShareRow("Bo Chen", "95"))
    assert picture.foot == "Confirmed · Verified from the log · UDL Dominoes"


def test_the_picture_of_a_match_has_its_tiles(played) -> None:
    picture = picture_views.of_match(played.match.pk)
    assert picture.board
    bare = SharePicture(picture.site, picture.over, picture.title, picture.rows, picture.foot)
    assert bare.fingerprint != picture.fingerprint
    assert bare.png() != picture.png()


def test_the_picture_of_a_competition_has_the_top_of_its_table(played) -> None:
    picture = picture_views.of_competition("harbour", "autumn")
    assert (picture.over, picture.title) == ("Harbour", "Autumn Round Robin")
    assert picture.rows[0] == ShareRow("Ana Ruiz", "1–0", rank="1.")


def test_a_picture_speaks_the_language_of_its_address(played, client) -> None:
    english, spanish = (client.get(f"/share/{one}/{paths(played)['match']}.png") for one in ("en", "es"))
    assert english["ETag"] != spanish["ETag"]
    assert client.get(f"/share/xx/{paths(played)['match']}.png").status_code == 404


def test_a_picture_is_drawn_once_and_sent_once(played, client, monkeypatch) -> None:
    drawn = []
    paint = SharePicture.png
    monkeypatch.setattr(SharePicture, "png", lambda one: drawn.append(one) or paint(one))
    cache.clear()
    path = f"/share/en/{paths(played)['match']}.png"
    first, second = client.get(path), client.get(path)
    assert first.content == second.content
    assert len(drawn) == 1
    again = client.get(path, headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    Player.objects.filter(pk=played.entrants[0].player_id).update(name="Ana Ruiz Soto")
    assert client.get(path)["ETag"] != first["ETag"]
    assert len(drawn) == 2


def test_what_is_not_published_has_no_picture_even_for_its_owner(played, browse) -> None:
    Competition.objects.filter(slug="autumn").update(published_at=None)
    Match.objects.filter(pk=played.match.pk).update(published_at=None)
    client = browse(played.owner)
    for kind in ("match", "competition"):
        assert client.get(f"/share/en/{paths(played)[kind]}.png").status_code == 404
    for path in (f"/matches/{played.match.pk}/", "/competitions/harbour/autumn/"):
        html = client.get(path).content.decode()
        assert "og:" not in html, path


def test_a_minor_is_shown_by_initials_and_an_erased_player_by_code(played) -> None:
    first, second = (one.player for one in played.entrants[:2])
    Player.objects.filter(pk=first.pk).update(born=2016)
    Player.objects.filter(pk=second.pk).update(name="")
    names = [row.name for row in picture_views.of_match(played.match.pk).rows]
    assert "Ana Ruiz" not in names
    assert names[1] == second.code


@pytest.mark.parametrize(
    ("kind", "args"), [("match", None), ("competition", ("harbour", "autumn")), ("league", ("harbour",))]
)
def test_a_picture_takes_the_same_statements_for_few_and_many(
    played, kind, args, django_assert_max_num_queries, django_assert_num_queries
) -> None:
    read = {
        "match": picture_views.of_match,
        "competition": picture_views.of_competition,
        "league": picture_views.of_league,
    }[kind]
    args = args or (played.match.pk,)
    cache.clear()
    with django_assert_max_num_queries(30) as few:
        read(*args)
    for match in (one for one in played.matches if one.pk != played.match.pk):
        small.played(played, match, official=True)
    cache.clear()
    with django_assert_num_queries(len(few)):
        read(*args)


# --- Names of any script ---


@pytest.mark.parametrize("name", ["José Ñandú", "Żółć", "Ελένη", "Мария Иванова", "Նարե"])
def test_a_name_that_can_be_written_is(name) -> None:
    assert named(name, "ABC234") == name


@pytest.mark.parametrize("name", ["अनुष्का", "山田太郎", "김민준", "𐐀𐐀", "👩‍👩‍👧‍👦", "\u202e\u200b", ""])
def test_a_name_without_letters_here_is_told_by_its_code(name) -> None:
    assert named(name, "ABC234") == "ABC234"


def test_a_mark_of_direction_turns_nothing_round() -> None:
    assert named("Ana\u202egpj.exe\u202c Ruiz", "ABC234") == "Ana gpj.exe Ruiz"


def test_a_name_of_sixty_letters_fits() -> None:
    for name in ("W" * 60, "i" * 60, "Ж" * 60):
        shown, size = fitted(name, 600, 56)
        assert font(size).getlength(shown) <= 600
        assert size >= 20


# --- The page ---


def properties(html: str) -> dict[str, str]:
    head = html.split("</head>", maxsplit=1)[0]
    return dict(re.findall(r'<meta (?:property|name)="([\w:]+)" content="([^"]*)"', head))


def test_a_page_that_people_share_says_what_it_is(played, client) -> None:
    html = client.get(f"/matches/{played.match.pk}/?record=7").content.decode()
    told = properties(html)
    assert told["og:title"] == "Ana Ruiz 150 – Bo Chen 95"
    story = "Ana Ruiz led after every hand. The largest hand: 85 points for Ana Ruiz, in hand 1."
    assert told["og:description"] == told["description"] == f"{story} · Confirmed · Verified from the log"
    assert told["og:url"] == f"http://testserver/matches/{played.match.pk}/"
    assert told["twitter:card"] == "summary_large_image"
    assert f'<link rel="canonical" href="http://testserver/matches/{played.match.pk}/">' in html
    assert client.get(told["og:image"].removeprefix("http://testserver")).status_code == 200


def test_each_kind_of_page_has_a_picture_that_is_there(played, client) -> None:
    code = played.entrants[0].player.code
    for path in ("/competitions/harbour/autumn/", f"/players/{code}/", "/leagues/harbour/"):
        told = properties(client.get(path).content.decode())
        assert told["og:url"] == f"http://testserver{path}"
        assert client.get(told["og:image"].removeprefix("http://testserver")).status_code == 200, path


def test_a_hostile_name_stays_inside_its_property(played, client) -> None:
    Player.objects.filter(pk=played.entrants[0].player_id).update(name='"><script>alert(1)</script>\u202e')
    html = client.get(f"/matches/{played.match.pk}/").content.decode()
    assert "<script>alert" not in html
    assert "\u202e" not in properties(html)["og:title"]

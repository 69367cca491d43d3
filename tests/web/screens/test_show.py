"""The show of a competition: which scenes it turns to, what fits a page of each, and what the public may see there."""

import re
from datetime import timedelta
from html import unescape

import pytest
from django.utils import timezone

from league import qr
from league.competitions.draw.forfeits import forfeit_match
from league.competitions.models import Competition, Matchday, Slot
from league.matches.clock import services as timekeeping
from league.matches.live_score import delayed
from league.matches.models import Game, Match, Result
from league.players.models import Player
from league.web.screens.scenes import SceneName
from tests.web import world as small
from tests.web.organize.test_club_night import night
from tests.web.screens.test_walls import many, text_of

SHOW = "/hall/harbour/"


@pytest.fixture
def shown(browse):
    """The page of the show of a competition with this query, as a visitor gets it."""

    def at(slug: str = "autumn", query: str = "") -> str:
        answer = browse().get(f"{SHOW}?competition={slug}{query}")
        assert answer.status_code == 200
        return answer.content.decode()

    return at


def scene_of(html: str) -> str:
    return re.search(r'class="show-scene of-(\w+)"', html)[1]


def address_after(html: str) -> str:
    return unescape(re.search(r'data-next="([^"]*)"', html)[1])


def heading(html: str) -> str:
    return text_of(re.search(r"<h1>(.*?)</h1>", html)[1])


def turn(browse, slug: str, pages: int) -> list[str]:
    """The scenes of so many pages, each the one that the page before leads to, with the page number in a scene."""
    told, query = [], f"?competition={slug}"
    for _page in range(pages):
        html = browse().get(SHOW + query).content.decode()
        number = re.search(r'<p class="show-page">(\d+/\d+)<', html)
        told.append(f"{scene_of(html)} {number[1]}" if number else scene_of(html))
        assert f'url={address_after(html)}"'.replace("&", "&amp;") in html, "without a script the page goes on"
        query = address_after(html)
    return told


def tables_in(html: str) -> list[str]:
    return [text_of(one).removeprefix("Table ") for one in re.findall(r'<p class="at[^>]*>(.*?)</p>', html)]


def of_cup(cup: Competition):
    return Match.objects.filter(slot__matchday__stage__competition=cup).order_by("pk")


def tally(match: Match, points: list[int], *, before: tuple[list[int], int] | None = None, delay_s: int = 0) -> None:
    now = timezone.now()
    old = {"points": before[0], "round": 1, "at": (now - timedelta(seconds=before[1])).isoformat()} if before else None
    score = {"points": points, "round": 2, "at": now.isoformat()}
    Game.objects.filter(match=match, number=1).update(tally=delayed(score, old, delay_s))


# --- Scenes ---


def test_the_show_turns_to_each_scene_with_content_and_begins_again(world, browse) -> None:
    assert turn(browse, "autumn", 2) == ["pairings", "pairings"], "the control: nothing else has content"
    small.played(world, world.matches[0])
    timekeeping.start_clock(world.game(world.matches[1]), world.ref)
    assert turn(browse, "autumn", 5) == ["pairings", "clocks", "standings", "pairings", "clocks"]


def test_a_knock_out_shows_its_bracket_and_no_standings(world, browse) -> None:
    cup = small.knock_out(world)
    assert turn(browse, cup.slug, 3) == ["pairings", "bracket", "pairings"]


def test_calls_come_first(world, browse, shown) -> None:
    cup = night(world, dispatches=True)
    assert scene_of(shown(cup.slug)) == "calls"
    assert heading(shown(cup.slug)) == "Please go to your table"
    assert turn(browse, cup.slug, 3) == ["calls", "pairings", "calls"]


def test_a_show_without_content_says_that_no_clock_runs(world, shown) -> None:
    Slot.objects.update(match=None)
    assert scene_of(shown()) == "clocks"
    assert "No clock is running" in text_of(shown())


def test_a_screen_stays_with_the_scene_of_its_address(world, shown) -> None:
    many(world, 23, format="swiss", rounds=1)
    query = "&show=standings"
    told = []
    for _page in range(4):
        html = shown("many", query)
        told.append((scene_of(html), re.search(r'<p class="show-page">(.*?)<', html)[1]))
        query = address_after(html).removeprefix("?competition=many")
    assert told == [("standings", f"{page}/3") for page in (1, 2, 3, 1)]
    assert "Show everything" in html
    assert scene_of(shown("many", "&show=nonsense")) == "pairings"
    assert "&amp;show=pairings" in shown("many"), "the show offers to stay"


def test_a_scene_that_has_lost_its_content_gives_way_to_the_next_one(world, shown) -> None:
    small.played(world, world.matches[0])
    assert scene_of(shown(query="&at=clocks")) == "standings"
    assert scene_of(shown(query="&at=bracket")) == "pairings"
    assert scene_of(shown(query="&show=clocks")) == "clocks", "a fixed screen waits"


def test_the_standings_turn_group_after_group(world, browse) -> None:
    made = many(world, 9, format="groups", groups=3)
    match = of_cup(made).first()
    small.played(world, match)
    told, query = [], "?competition=many&at=standings"
    for _page in range(4):
        html = browse().get(SHOW + query).content.decode()
        told.append(heading(html) if scene_of(html) == "standings" else scene_of(html))
        query = address_after(html)
    assert told == ["Standings, Group 1", "Standings, Group 2", "Standings, Group 3", "pairings"]


# --- Pairings ---


def test_ten_matches_fill_a_page_by_table_and_those_without_a_table_come_last(world, shown) -> None:
    tables = tuple(str(number) for number in range(1, 12))
    cup = many(world, 22, format="swiss", rounds=1, tables=tables)
    assert tables_in(shown("many")) == list(tables[:10])
    minor = of_cup(cup).get(table__name="2")
    Player.objects.filter(entrants__sides__match=minor).update(born=timezone.now().year - 12)
    assert tables_in(shown("many")) == ["1", *tables[2:]]
    assert tables_in(shown("many", "&page=2")) == ["– no table told here: ask at the desk"]


def test_five_tables_of_four_fill_a_page(world, shown) -> None:
    tables = tuple(str(number) for number in range(1, 7))
    breaks = ["place_points", "difference"]
    plan = {"ruleset": "all-fives", "format": "table_rounds", "seats": 4, "rounds": 1, "tie_breaks": breaks}
    many(world, 24, tables=tables, **plan)
    html = shown("many")
    assert tables_in(html) == list(tables[:5])
    assert html.count("show-match many") == 5
    assert tables_in(shown("many", "&page=2")) == ["6"]


def test_points_of_the_score_pad_are_the_score_of_a_live_match(world, shown) -> None:
    def plates() -> list[str]:
        return re.findall(rf'<span class="points" data-points-of="{world.matches[0].pk}">(\d+)<', shown())

    assert plates() == []
    tally(world.matches[0], [85, 60])
    assert plates() == ["85", "60"]
    assert f'data-tally="{world.matches[0].pk}"' in shown(), "the stream writes into it"


def test_a_delayed_score_is_not_on_the_screen_before_its_time(world, shown) -> None:
    tally(world.matches[0], [85, 60], before=([10, 5], 90), delay_s=60)
    assert "85" not in re.findall(r'data-points-of="\d+">(\d+)<', shown())
    assert re.findall(r'data-points-of="\d+">(\d+)<', shown()) == ["10", "5"]
    tally(world.matches[0], [85, 60], before=([10, 5], 90))
    assert re.findall(r'data-points-of="\d+">(\d+)<', shown()) == ["85", "60"], "the control: without a delay"


def test_a_result_says_what_is_unusual_about_it(world, shown) -> None:
    cup = many(world, 4, format="single_elimination")
    result = small.played(world, of_cup(cup).first(), official=True)
    winner = result.game.match.sides.get(number=1).entrant
    row = shown("many").split(f'data-match="{result.game.match_id}"')[1].split("</ul>")[0]
    assert "show-state" not in row
    assert re.search(rf'<li class="won">.*?{winner}.*?<span class="points">150<', row)
    Result.objects.filter(pk=result.pk).update(contested=True)
    assert "Under review" in text_of(shown("many"))


def test_a_forfeited_match_has_no_row(world, shown) -> None:
    cup = many(world, 4, format="single_elimination")
    first = of_cup(cup).first()
    assert shown("many").count("data-match=") == 2
    forfeit_match(first, first.sides.first().entrant_id, user=world.ref, reason="absent")
    assert shown("many").count("data-match=") == 1


def test_between_two_rounds_the_last_one_stays(world, shown) -> None:
    small.knock_out(world, players=4, played=99, release=Competition.Release.ROUND_BY_ROUND)
    Slot.objects.filter(matchday__stage__competition__slug="cup", matchday__number=2).update(match=None)
    html = shown("cup")
    assert (scene_of(html), html.count("data-match=")) == ("pairings", 2)


def test_long_names_take_smaller_letters(world, shown) -> None:
    many(world, 4, format="single_elimination")
    long = "Maximiliana Fernández de Córdoba y Valenzuela de la Asunción"
    assert "wide-" not in shown("many")
    Player.objects.filter(entrants__registrations__competition__slug="many").update(name=long)
    assert shown("many").count("narrow-longest wide-longer") == 2
    assert long in shown("many")


# --- Calls ---


def test_calls_name_table_and_players_and_the_next_ones_have_no_table(world, shown) -> None:
    cup = night(world, 6, dispatches=True, tables=("1",))
    called = of_cup(cup).exclude(called_at=None).get()
    html = shown(cup.slug, "&show=calls")
    told = text_of(unescape(html.split('<ul class="show-calls">')[1].split("</ul>")[0]))
    assert told.startswith("Table 1 ")
    assert all(str(side.entrant) in told for side in called.sides.all())
    assert f"called {timezone.localtime(called.called_at, timezone.zoneinfo.ZoneInfo('Europe/Lisbon')):%H:%M}" in told
    coming = html.split('<section class="show-coming"')[1].split("</section>")[0]
    assert 0 < coming.count("<li ") <= 6
    assert "Table" not in text_of(coming)


def test_a_minor_is_called_to_the_desk_by_initials(world, shown) -> None:
    cup = night(world, 6, dispatches=True, tables=("1",))
    Player.objects.filter(entrants__registrations__competition=cup).update(born=timezone.now().year - 12)
    html = text_of(shown(cup.slug, "&show=calls"))
    assert "At the desk" in html
    assert not [name for name in ("Ruiz", "Chen", "Diaz", "Table 1") if name in html]


# --- What the public may see ---


@pytest.mark.parametrize(
    "scene", ["", "&show=calls", "&show=pairings", "&show=clocks", "&show=standings", "&show=bracket"]
)
def test_a_draft_has_no_show_even_for_its_owner(world, browse, scene) -> None:
    address = f"{SHOW}?competition=autumn{scene}"
    assert browse(world.owner).get(address).status_code == 200, "the control"
    Competition.objects.update(published_at=None)
    assert browse(world.owner).get(address).status_code == browse().get(address).status_code == 404


def test_an_owner_sees_on_the_screen_what_everybody_sees(world, browse, shown) -> None:
    cup = small.knock_out(world, release=Competition.Release.ROUND_BY_ROUND)
    Player.objects.update(born=timezone.now().year - 12)
    Matchday.objects.filter(stage__competition=cup, number__gt=1).update(published_at=None)
    for scene in SceneName:
        query = f"?competition={cup.slug}&show={scene}"
        pages = [browse(who).get(SHOW + query).content.decode() for who in (world.owner, None)]
        mains = [re.search(r"<main.*</main>", page, re.DOTALL)[0] for page in pages]
        assert len({re.sub(r'data-now="\d+"', "", one) for one in mains}) == 1, scene
        assert "Ruiz" not in mains[0], scene


def test_the_code_leads_to_the_page_of_the_competition(world, shown) -> None:
    _size, path = qr.path("http://testserver/competitions/harbour/autumn/")
    assert f'd="{path}"' in shown()


def test_names_are_text_whatever_is_in_them(world, shown) -> None:
    Competition.objects.update(name="<b>Cup</b>")
    Player.objects.update(name="<u>Ana</u>")
    world.league.tables.filter(name="1").update(name="<i>x")
    small.played(world, world.matches[0])
    for scene in ("calls", "pairings", "clocks", "standings"):
        assert not re.search(r"<b>Cup|<u>Ana|<i>x", shown(query=f"&show={scene}"))

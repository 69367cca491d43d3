"""The search: players, leagues and competitions by any part of a name, however it is spelt."""

import re
from datetime import date

import pytest
from django.utils import timezone

from league.accounts.models import League
from league.competitions.draw.plans import Plan, replan
from league.competitions.models import Competition, Registration
from league.players.models import Player
from league.players.services import enrol
from tests.web import world as small


def names(html: str) -> list[str]:
    return [re.sub("<.*?>", "", one) for one in re.findall(r'class="person".*?<bdi>(.*?)</bdi>', html)]


def add(world, *people: str, **more) -> None:
    """Players of a published competition, whom everybody may find."""
    entrants = [enrol(league=world.league, name=name, since=date(2026, 1, 1), **more) for name in people]
    cup = Competition.objects.create(
        league=world.league, name="Copa Ñandú", slug="copa", ruleset="udl", published_at=timezone.now()
    )
    Registration.objects.bulk_create(
        Registration(competition=cup, entrant=one, seed=place) for place, one in enumerate(entrants, start=1)
    )


@pytest.mark.parametrize("wanted", ["har", "HAR", "arb", "hár", "Ｈａｒ"])
def test_three_letters_of_any_part_find_a_league_in_any_spelling(world, browse, wanted) -> None:
    assert names(browse().get("/search/", {"q": wanted}).content.decode()) == ["Harbour"]


def test_one_search_finds_all_three_kinds_and_accents_need_not_be_typed(world, browse) -> None:
    add(world, "Nandú Pérez")
    League.objects.create(name="Club Ñandubay", slug="club")
    html = browse().get("/search/?q=nandu").content.decode()
    assert names(html) == ["Nandú Pérez", "Club Ñandubay", "Copa Ñandú"]


def test_a_name_that_begins_with_it_comes_before_a_later_word_and_that_before_the_middle(world, browse) -> None:
    add(world, "Bo Anand", "Zoe Ritana", "Anabel Zoe")
    assert names(browse().get("/search/?q=ana&kind=players").content.decode()) == [
        "Ana Ruiz",
        "Anabel Zoe",
        "Bo Anand",
        "Zoe Ritana",
    ]


def test_a_minor_is_found_by_the_code_and_by_nobody_who_tries_names(world, browse) -> None:
    add(world, "Dee Fox", born=2015)
    assert names(browse().get("/search/?q=fox").content.decode()) == []
    code = Player.objects.get(name="Dee Fox").code
    html = browse().get(f"/search/?q={code}").content.decode()
    assert (names(html), "Fox" in html) == (["D. F."], False)
    assert browse().get(f"/search/suggest/?q={code}").json()["found"][0]["name"] == "D. F."


def test_nobody_finds_a_draft_but_its_staff(db, browse) -> None:
    world = small.build(published=False)
    assert names(browse().get("/search/?q=autumn").content.decode()) == []
    assert names(browse(world.charlie).get("/search/?q=autumn").content.decode()) == []
    assert names(browse(world.ref).get("/search/?q=autumn").content.decode()) == ["Autumn Round Robin"]


def test_a_name_that_changes_is_found_by_the_new_one(world, browse) -> None:
    draft = Competition.objects.create(league=world.league, name="Old", slug="old", ruleset="udl")
    replan(draft, Plan(name="Trébol", ruleset="udl"), user=world.owner)
    assert names(browse(world.ref).get("/search/?q=tre").content.decode()) == ["Trébol"]
    assert names(browse(world.ref).get("/search/?q=old").content.decode()) == []


@pytest.mark.parametrize("odd", ["", " ", "%", "_", "\\", "%00", "́", "' OR 1=1 --", "x" * 500])
def test_odd_questions_find_nothing_and_break_nothing(world, browse, odd) -> None:
    for path in ("/search/", "/search/suggest/"):
        answer = browse().get(path, {"q": odd, "kind": "nothing", "page": "x"})
        assert answer.status_code == 200
    assert names(browse().get("/search/", {"q": odd}).content.decode()) == []


def test_suggestions_are_few_and_lead_to_the_pages(world, browse) -> None:
    add(world, *(f"Ana {number}" for number in range(9)))
    found = browse().get("/search/suggest/?q=an").json()["found"]
    assert [one["kind"] for one in found] == ["Player"] * 5 + ["Competition"]
    assert all(browse().get(one["url"]).status_code == 200 for one in found)
    assert browse().get("/search/suggest/?q=a").json() == {"found": []}


def test_a_kind_has_pages_of_its_own(world, browse) -> None:
    add(world, *(f"Extra {number}" for number in range(45)))
    html = browse().get("/search/?q=extra").content.decode()
    assert len(names(html)) == 6
    assert 'href="/search/?q=extra&amp;kind=players"' in html
    assert "All 45" in html
    whole = browse().get("/search/?q=extra&kind=players&page=2").content.decode()
    assert len(names(whole)) == 5
    assert "Page 2 of 2" in whole

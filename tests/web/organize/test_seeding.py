"""The page of the seeds: moves, numbers, ratings, lots, and two organizers at once."""

import html
import re

import pytest

from league.competitions.draw.plans import Plan, found
from league.competitions.draw.publishing import publish
from league.competitions.draw.stages import draw
from league.competitions.models import Competition, Seeding
from league.competitions.registration.entries import register
from league.competitions.registration.seeding import reseed
from tests.web import world as small

SEEDS = "/organize/harbour/competitions/spring-cup/seeds/"


@pytest.fixture
def cup(world) -> Competition:
    made = found(world.league, Plan(name="Spring Cup", ruleset="udl"), user=world.owner)
    register(made, world.entrants)
    return made


def text_of(answer) -> str:
    return html.unescape(answer.content.decode())


def order(cup) -> list[int]:
    return list(cup.registrations.order_by("seed").values_list("entrant", flat=True))


def sent_by(client, cup, **changes) -> dict:
    """The form of the page as it stands, with other numbers."""
    page = client.get(SEEDS).content.decode()
    fields = dict(re.findall(r'name="(seed-\d+)"[^>]* value="(\d+)"', page))
    seen = re.search(r'name="seen" value="(\w+)"', page)[1]
    return fields | {"seen": seen, "back": "seeds", "page": "1", "do": "sort"} | changes


def test_buttons_and_numbers_move_and_the_page_comes_back(world, browse, cup) -> None:
    client = browse(world.owner)
    first, second, third = order(cup)
    answer = client.post(SEEDS, {"up": third, "back": "seeds", "page": "1"})
    assert (answer.url, order(cup)) == (f"{SEEDS}?moved={third}&way=up", [first, third, second])
    assert re.search(rf'name="up" value="{third}"[^>]* autofocus', client.get(answer.url).content.decode())
    answer = client.post(SEEDS, sent_by(client, cup, **{f"seed-{second}": "1"}))
    assert (answer.url, order(cup)) == (SEEDS, [second, first, third])


def test_an_order_that_somebody_else_changed_is_refused_and_what_was_typed_is_shown(world, browse, cup) -> None:
    client = browse(world.owner)
    first, second, third = order(cup)
    stale = sent_by(client, cup, **{f"seed-{first}": "3", f"seed-{third}": "1"})
    reseed(cup, [second, first, third], user=world.owner)
    answer = client.post(SEEDS, stale)
    page = answer.content.decode()
    assert (answer.status_code, order(cup)) == (409, [second, first, third])
    assert "The order was changed meanwhile" in page
    assert re.findall(r'name="seed-(\d+)"[^>]* value="(\d)"', page) == [
        (str(one), str(number)) for number, one in enumerate([third, second, first], start=1)
    ]
    again = dict(re.findall(r'name="(seed-\d+)"[^>]* value="(\d+)"', page))
    again |= {"do": "sort", "seen": re.search(r'name="seen" value="(\w+)"', page)[1], "back": "seeds"}
    assert client.post(SEEDS, again).status_code == 302
    assert order(cup) == [third, second, first]


@pytest.mark.parametrize("do", ["rating", "lots"])
def test_lots_and_ratings_are_refused_on_an_old_page_too(world, browse, cup, do) -> None:
    small.rated(world.league, [one.player for one in world.entrants])
    client = browse(world.owner)
    stale = sent_by(client, cup, do=do)
    before = order(cup)[::-1]
    reseed(cup, before, user=world.owner)
    assert "The order was changed meanwhile" in text_of(client.post(SEEDS, stale, follow=True))
    assert order(cup) == before


def test_by_rating_says_who_has_none(world, browse, cup) -> None:
    client = browse(world.owner)
    assert "No player here has a rating" in text_of(client.post(SEEDS, {"do": "rating", "back": "seeds"}, follow=True))
    small.rated(world.league, [one.player for one in world.entrants[1:]][::-1])
    page = text_of(client.post(SEEDS, {"do": "rating", "back": "seeds"}, follow=True))
    assert "1 player without a rating in this ruleset comes last." in page
    assert order(cup)[-1] == world.entrants[0].pk
    assert "By rating" in page


def test_a_lot_is_drawn_once_told_and_taken_back(world, browse, cup, monkeypatch) -> None:
    monkeypatch.setattr("random.SystemRandom.shuffle", lambda _self, rows: rows.reverse())
    client = browse(world.owner)
    start = order(cup)
    page = text_of(client.post(SEEDS, sent_by(client, cup, do="lots"), follow=True))
    assert "Lots were drawn among these players by owner" in page
    assert order(cup) == start[::-1]
    assert "They are drawn once." in text_of(client.post(SEEDS, sent_by(client, cup, do="lots"), follow=True))
    assert order(cup) == start[::-1]
    page = text_of(client.post(SEEDS, {"undo": Seeding.objects.get().pk, "back": "seeds"}, follow=True))
    assert "taken back by owner" in page
    assert order(cup) == start


def test_once_drawn_nothing_is_taken_back_and_a_change_says_that_it_takes_the_draw_back(world, browse, cup) -> None:
    reseed(cup, order(cup)[::-1], user=world.owner)
    draw(cup, user=world.owner)
    client = browse(world.owner)
    page = text_of(client.get(SEEDS))
    assert "Drawn: a change takes the draw back" in page
    assert "Take it back" not in page
    publish(cup, user=world.owner)
    assert client.get(SEEDS).status_code == 302


@pytest.mark.parametrize("wrong", [{"up": "x"}, {"down": "0"}, {"undo": "x"}, {"undo": "999999"}, {"seed-1": "x"}])
def test_nonsense_changes_nothing(world, browse, cup, wrong) -> None:
    before = order(cup)
    assert browse(world.owner).post(SEEDS, {"back": "seeds"} | wrong).status_code == 302
    assert browse(world.owner).post(SEEDS, {"remove": "x"}).status_code == 404
    assert order(cup) == before


def test_an_entrant_of_another_competition_is_not_taken_out_here(world, browse, cup) -> None:
    other = found(world.league, Plan(name="Other", ruleset="udl"), user=world.owner)
    path = "/organize/harbour/competitions/other/seeds/"
    assert browse(world.owner).post(path, {"remove": world.entrants[0].pk}).status_code == 404
    assert cup.registrations.count() == 3
    assert other.registrations.count() == 0

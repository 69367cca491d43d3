"""The organizer's page of a draw too large for one page: rounds and players in parts, and every act on any of them."""

import re

import pytest

from league.competitions.models import Competition, Slot
from league.matches.models import Match, Table
from league.players.models import Player
from league.players.naming import fold
from league.players.services import enrol
from tests.league.competitions.cup import drafted, enter_result, published, slot
from tests.league.world import NOON

pytestmark = pytest.mark.django_db
PAGE = "/organize/harbour/competitions/cup/"
BY_ROUND = Competition.Release.ROUND_BY_ROUND
SWISS = {"format": "swiss", "release": BY_ROUND}


@pytest.fixture(autouse=True)
def first_two(world) -> None:
    """`cup` seeds them first."""
    world.ana, world.bo = (enrol(league=world.league, name=name, since=NOON.date()) for name in ("P1", "P2"))
    world.referee = world.owner


def listed(html: str) -> list[int]:
    """The keys of the slots on a page, in order."""
    return [int(key) for key in re.findall(r'<li id="slot-(\d+)"', html)]


def order_of(competition, number=1):
    slots = Slot.objects.filter(matchday__stage__competition=competition, matchday__number=number)
    return list(slots.filter(berths__number=2).order_by("number").values_list("pk", flat=True))


def test_a_large_round_comes_in_pages_and_small_ones_as_before(world, browse) -> None:
    cup = published(world, 130)
    client = browse(world.owner)
    first, last = (client.get(f"{PAGE}?round=2&part-2={page}").content.decode() for page in (1, 9))
    assert listed(first) == order_of(cup, 2)[:64]
    assert listed(last) == order_of(cup, 2)[-len(listed(last)) :] == listed(last)
    assert "Page 1 of 2" not in last
    small = client.get(f"{PAGE}?round=3").content.decode()
    assert listed(small) == order_of(cup, 3)


def test_of_a_large_round_every_match_is_on_one_page_with_the_number_that_it_has_in_the_draw(world, browse) -> None:
    cup = drafted(world, 140, **SWISS)
    client = browse(world.owner)
    pages = [client.get(f"{PAGE}?part-1={number}").content.decode() for number in (1, 2)]
    assert listed(pages[0]) + listed(pages[1]) == order_of(cup)
    numbers = [int(one) for page in pages for one in re.findall(r'<span class="number">(\d+)</span>', page)]
    assert numbers == list(range(1, 71))
    assert 'href="?part-1=2#round-1"' in pages[0]
    assert 'href="?part-1=1#round-1"' in pages[1]


def test_a_match_leads_to_the_page_that_has_it_and_the_pages_go_on_from_there(world, browse) -> None:
    cup = drafted(world, 140, **SWISS)
    wanted = order_of(cup)[69]
    client = browse(world.owner)
    html = client.get(f"{PAGE}?slot={wanted}").content.decode()
    assert listed(html) == order_of(cup)[64:]
    back = re.search(r'rel="prev" href="([^"]+)"', html)[1].replace("&amp;", "&").partition("#")[0]
    assert listed(client.get(PAGE + back).content.decode()) == order_of(cup)[:64]


@pytest.mark.slow("large draws")
@pytest.mark.parametrize("asked", ["slot=0", "slot=9999999", "slot=x", "part-1=x", "part-1=99", "entrants=99"])
def test_an_odd_number_gets_the_nearest_page(world, browse, asked) -> None:
    drafted(world, 140, **SWISS)
    answer = browse(world.owner).get(f"{PAGE}?{asked}")
    assert answer.status_code == 200
    assert listed(answer.content.decode())


def test_a_pair_on_the_second_page_is_locked_and_the_answer_leads_back_to_it(world, browse) -> None:
    cup = drafted(world, 140, **SWISS)
    key = order_of(cup)[69]
    client = browse(world.owner)
    answer = client.post(f"{PAGE}rounds/1/pairs/", {"lock": key})
    assert (answer.status_code, answer.url) == (302, f"{PAGE}?slot={key}#slot-{key}")
    assert Slot.objects.get(pk=key).locked
    shown = client.get(answer.url.partition("#")[0]).content.decode()
    assert f'name="unlock" value="{key}"' in shown


def test_the_table_of_a_match_on_the_second_page_is_changed_from_there(world, browse) -> None:
    cup = drafted(world, 140, tables=("1",), starts_at=None, **SWISS)
    other = Table.objects.create(league=world.league, name="Balcony")
    key = order_of(cup)[69]
    client = browse(world.owner)
    assert f'href="{PAGE}slots/{key}/"' in client.get(f"{PAGE}?slot={key}").content.decode()
    answer = client.post(f"{PAGE}slots/{key}/", {"table": other.pk, "starts_at": ""})
    assert (answer.status_code, answer.url) == (302, f"{PAGE}?slot={key}#slot-{key}")
    assert Slot.objects.get(pk=key).table == other


def test_of_a_large_round_two_are_exchanged_by_name_or_code(world, browse) -> None:
    cup = drafted(world, 140, **SWISS)
    client = browse(world.owner)
    html = client.get(PAGE).content.decode()
    assert 'name="first-name"' in html
    assert "<select" not in html
    one, other = slot(cup, 1, 1).berths.get(number=1).entrant, slot(cup, 1, 70).berths.get(number=2).entrant
    client.post(f"{PAGE}rounds/1/pairs/", {"do": "swap", "first-name": str(one).upper(), "second-name": other.code})
    assert slot(cup, 1, 1).berths.get(number=1).entrant == other
    assert slot(cup, 1, 70).berths.get(number=2).entrant == one


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("Nobody", "No player here is called Nobody."),
        ("P7", "Several players are called P7. Write the player’s code"),
        ("P8\0", "Null characters"),
    ],
)
def test_a_typed_name_that_says_not_whom_changes_nothing(world, browse, typed, told) -> None:
    cup = drafted(world, 140, **SWISS)
    Player.objects.filter(name="P9").update(name="P7", folded=fold("P7"))
    client = browse(world.owner)
    before = order_of(cup)
    answer = client.post(
        f"{PAGE}rounds/1/pairs/", {"do": "swap", "first-name": typed, "second-name": "P8"}, follow=True
    )
    assert told in answer.content.decode()
    assert order_of(cup) == before


def test_many_players_come_in_pages(world, browse) -> None:
    published(world, 70)
    client = browse(world.owner)
    first, second = (client.get(f"{PAGE}?entrants={number}").content.decode() for number in (1, 2))
    assert [re.findall(r'<span class="seed">(\d+)</span>', one) for one in (first, second)] == [
        [str(number) for number in range(1, 65)],
        [str(number) for number in range(65, 71)],
    ]
    assert "70 players" in second


def test_of_many_open_matches_the_first_tables_are_shown_and_the_others_counted(world, browse) -> None:
    cup = published(world, 60)
    html = browse(world.owner).get(PAGE).content.decode()
    first = Match.objects.filter(slot__matchday__stage__competition=cup).order_by("slot__number")[:17]
    assert sum(f"grid/?match={match.pk}" in html for match in first) == 16
    assert "and 12 more matches: all tables" in html


@pytest.mark.parametrize("count", [16, 128])
def test_a_large_draw_takes_the_same_statements(world, browse, django_assert_num_queries, count) -> None:
    cup = published(world, count)
    enter_result(world, slot(cup, 1, 2).match, 1, official=False)
    client = browse(world.owner)
    with django_assert_num_queries(59):
        client.get(PAGE)


def test_thousands_who_are_ticked_on_one_page_are_read(world, browse) -> None:
    """Whoever is not of the league is refused in words, not the form for its length."""
    ticked = {"name": "Open", "players": list(range(1, 7001))}
    answer = browse(world.owner).post("/organize/harbour/new/", ticked)
    assert answer.status_code == 422
    assert "<form" in answer.content.decode()

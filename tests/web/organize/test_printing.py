"""What stands on printed cards and slips, and for whom. How they come out of a printer is tested in tests/browser."""

import re
from html import unescape

import pytest

from league.accounts.models import Role
from league.competitions.models import Competition
from league.matches.models import Match
from league.players.models import Player
from tests.web import world as small
from tests.web.organize.test_organize import text_of

CARDS = "/organize/harbour/competitions/autumn/cards/"
SLIPS = "/organize/harbour/competitions/autumn/slips/"


def body(client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    assert "no-store" in answer["Cache-Control"]
    return unescape(answer.content.decode())


def printed(html: str) -> list[str]:
    return [text_of(one) for one in re.findall(r'<article class="(?:scorecard|slip)".*?</article>', html, re.DOTALL)]


def test_a_card_is_filled_in_as_far_as_anything_is_known(world, browse) -> None:
    (card,) = printed(body(browse(world.ref), CARDS))
    match = Match.objects.get(slot__matchday__number=1)
    names = [str(side.entrant) for side in match.sides.order_by("number")]
    door = f"{match.door[:4]} {match.door[4:8]} {match.door[8:]}"
    assert card == (
        f"Harbour Autumn Round Robin Round 1 Table {match.table} 6 Nov 2026, 19:00 Game {match.games.get().code} "
        f"{door} http://testserver/t/{match.door}/ UDL Dominoes · to 150 points · 15 minutes "
        f"Red {names[0]} Blue {names[1]} "
        "# Spinner D / B Won Play Muggins Penalty Hand end Total R B R B R B R B R B 1 2 3 4 5 6 7 8 9 "
        "Final score Red Blue Ended by target bell overtime forfeit Chips left Red Blue Began over Red Blue Referee"
    )


@pytest.mark.parametrize(
    ("ruleset", "there", "absent"),
    [
        ("muggins", ["Play", "Hand end", "target forfeit"], ["Spinner", "Muggins ", "Chips", "bell"]),
        ("all-fives", ["Spinner", "Muggins", "target forfeit"], ["Chips", "bell"]),
        ("uno-dominoes", ["Penalty", "Hand end"], ["Spinner", "Play", "Chips"]),
    ],
)
def test_the_card_has_the_columns_that_its_rules_need(world, browse, ruleset, there, absent) -> None:
    Competition.objects.update(ruleset=ruleset)
    (card,) = printed(body(browse(world.ref), CARDS))
    form = card.split("#")[1]
    assert [said for said in there if said not in form] == []
    assert [said for said in absent if said in form] == []


def test_house_rules_stand_on_the_card(world, browse) -> None:
    Competition.objects.update(options={"target": 100, "clock_s": 1200}, best_of=3)
    (card,) = printed(body(browse(world.ref), CARDS))
    assert "UDL Dominoes · to 100 points · 20 minutes · best of 3 games · clock_s=1200 · target=100" in card


def test_codes_hold_the_address_that_phones_in_the_hall_reach(world, browse, settings) -> None:
    settings.SITE_ADDRESS = "http://192.168.1.20:8000/"
    match = Match.objects.get(slot__matchday__number=1)
    assert f"http://192.168.1.20:8000/t/{match.door}/" in body(browse(world.ref), CARDS)
    entrant = world.entrants[0]
    assert f"http://192.168.1.20:8000/me/{entrant.door}/" in body(browse(world.ref), SLIPS)


def test_a_slip_has_the_whole_name_and_the_pin_of_its_player_and_a_card_has_initials(world, browse) -> None:
    Player.objects.filter(name="Ana Ruiz").update(born=2015)
    slips = printed(body(browse(world.ref), SLIPS))
    assert [one.split()[0] for one in slips] == ["Ana", "Bo", "Cleo"]
    assert all(f"PIN {one.pin} " in slip for one, slip in zip(world.entrants, slips, strict=True))
    ana = Match.objects.filter(sides__entrant=world.entrants[0]).first().slot.matchday
    (card,) = printed(body(browse(world.ref), f"{CARDS}?round={ana.number}"))
    assert "Ana" not in card
    assert "A. R." in card


def test_a_round_that_is_not_there_and_numbers_that_are_none_are_answered(world, browse) -> None:
    ref = browse(world.ref)
    for query in ("round=9", "round=x", "round=-1"):
        assert ref.get(f"{CARDS}?{query}").status_code == 404
    assert len(printed(body(ref, f"{CARDS}?blank=x"))) == 1  # as without: the round that is played
    assert len(printed(body(ref, f"{CARDS}?blank=999"))) == 80
    assert len(printed(body(ref, f"{CARDS}?paper=a0"))) == 1
    Match.objects.update(state=Match.State.DECIDED)
    assert "There is no card to print" in text_of(body(ref, CARDS))


def test_names_are_text_whatever_is_in_them(world, browse) -> None:
    Player.objects.update(name="<u>Ana</u>")
    Competition.objects.update(name="<b>Cup</b>")
    for path in (CARDS, SLIPS):
        assert not re.search(r"<u>Ana|<b>Cup", browse(world.ref).get(path).content.decode())


def test_doors_and_pins_are_for_those_who_enter_results(world, browse) -> None:
    reader, helper = small.account("reader"), small.account("helper")
    Role.objects.create(user=reader, league=world.league, kind=Role.Kind.READ_ONLY)
    Role.objects.create(user=helper, league=world.league, kind=Role.Kind.DESK_HELPER)
    for path in (CARDS, SLIPS):
        codes = [browse(one).get(path).status_code for one in (helper, world.owner, reader, world.alice)]
        assert codes == [200, 200, 403, 404]
    page = "/organize/harbour/competitions/autumn/"
    assert CARDS in browse(helper).get(page).content.decode()
    assert CARDS not in browse(reader).get(page).content.decode()


def test_printing_takes_a_dozen_statements_at_most(browse, db, django_assert_num_queries) -> None:
    world = small.build(players=6)
    ref = browse(world.ref)
    for path, most in ((CARDS, 12), (SLIPS, 7)):
        ref.get(path)
        with django_assert_num_queries(most):
            ref.get(path)

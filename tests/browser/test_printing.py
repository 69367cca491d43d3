"""Cards and slips as they come out of a printer: how many to a page, what stands on them, and what a scanner reads."""

import re
from datetime import date

import pytest
from django.utils import timezone
from PIL import ImageDraw

from league.competitions.draw.founding import found_with_players
from league.competitions.draw.plans import Plan, found
from league.competitions.draw.publishing import publish
from league.competitions.draw.stages import draw
from league.competitions.models import Competition, Slot
from league.competitions.registration.entries import register
from league.matches.models import Match
from league.players.models import Entrant, Player
from league.players.services import enrol
from tests.browser.conftest import sign_in
from tests.browser.fonts import every_font
from tests.browser.paper import codes, printed

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

A4, LETTER = (210, 297), (215.9, 279.4)
LONG = [
    "W" * 60,
    "محمد عبد الرحمن بن خالد بن عبد العزيز الطويل الاسم جدا جدا",
    "👩‍👩‍👧‍👦" * 12 + " Ana",
    "Maria-Magdalena Wolfeschlegelsteinhausenbergerdorff-Schmidt",
]


def evening(world, players: int = 40, **plan: object) -> Competition:
    """A round robin of so many, at a table for each pair."""
    since = date(2026, 1, 1)
    more = [enrol(league=world.league, name=f"Guest {n}", since=since) for n in range(players - len(world.entrants))]
    tables = tuple(str(number) for number in range(101, 101 + players // 2))
    wanted = {"name": "Tuesday", "ruleset": "udl", "starts_at": timezone.now(), "minutes": 20, "tables": tables}
    made = found(world.league, Plan(**(wanted | plan)), user=world.owner)
    register(made, [*world.entrants, *more])
    draw(made, user=world.owner)
    publish(made, user=world.owner)
    return made


@pytest.fixture
def owner(world, visit):
    page = visit()
    sign_in(page, "owner")
    return page


def cards(made: Competition, query: str = "") -> str:
    return f"/organize/harbour/competitions/{made.slug}/cards/{query}"


def of_round(made: Competition, number: int = 1) -> list[Match]:
    """By table, as the cards are."""
    matches = Match.objects.filter(slot__matchday__stage__competition=made, slot__matchday__number=number)
    return sorted(matches.select_related("table"), key=lambda match: int(match.table.name))


# Names of which something is not seen.
CUT = """all => all
  .filter(one => one.scrollHeight > one.clientHeight + 1 || one.scrollWidth > one.clientWidth + 1)
  .map(one => one.textContent)"""


def overflowing(page) -> list[list]:
    """Cards that hold more than fits: how they begin, and by how many pixels."""
    return page.evaluate(
        """[...document.querySelectorAll('.scorecard, .slip')]
          .filter(one => one.scrollHeight > one.clientHeight + 1 || one.scrollWidth > one.clientWidth + 1)
          .map(one => [one.textContent.trim().slice(0, 40), one.scrollHeight - one.clientHeight,
            one.scrollWidth - one.clientWidth])"""
    )


@pytest.mark.parametrize(("query", "size"), [("", A4), ("?paper=letter", LETTER)])
def test_forty_players_make_five_pages_of_four_whose_codes_all_scan(world, owner, live_server, tmp_path, query, size):
    made = evening(world)
    sheets = printed(owner, cards(made, query), tmp_path)
    assert [one.size for one in sheets] == [pytest.approx(size, abs=0.3)] * 5
    matches = of_round(made)
    wanted = [f"{live_server.url}/t/{match.door}/" for match in matches]
    assert [[code.text for code in one.codes] for one in sheets] == [wanted[n : n + 4] for n in range(0, 20, 4)]
    assert all(code.width >= 25 for one in sheets for code in one.codes)
    for place, match in enumerate(matches):
        text = sheets[place // 4].text
        for said in (f"Table{match.table.name}", match.games.get().code, wanted[place], "Round1", "UDLDominoes"):
            assert said in text, (match, said)
        for side in match.sides.select_related("entrant__player"):
            assert "".join(str(side.entrant).split()) in text
    assert all(one.text.count("Referee") == 4 for one in sheets)
    assert overflowing(owner) == []


@every_font
@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_long_foreign_and_pictured_names_do_not_break_a_card(world, owner, tmp_path, paper):
    made = evening(world, 8, best_of=3, options={"target": 100, "clock_s": 1200})
    Competition.objects.filter(pk=made.pk).update(name="C" * 60)
    type(world.league).objects.update(name="L" * 60)
    for player, name in zip(Player.objects.order_by("pk"), LONG * 2, strict=True):
        Player.objects.filter(pk=player.pk).update(name=name)
    sheets = printed(owner, cards(made, f"?paper={paper}"), tmp_path)
    assert [len(one.codes) for one in sheets] == [4, 4, 4]
    assert overflowing(owner) == []
    owner.emulate_media(media="print")
    assert overflowing(owner) == []
    heights = owner.locator(".rounds tbody tr").evaluate_all("rows => rows.map(row => row.offsetHeight)")
    assert min(heights) >= 10  # 2.6 mm, with every line of text at its longest: a number can still be written


@every_font
@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_long_names_of_partners_are_whole_on_cards_and_slips(world, owner, paper):
    names = [
        "Maria-Magdalena Wolfeschlegelsteinhausenbergerdorff-Schmidt",
        "Bartholomew Featherstonehaugh-Cholmondeley of Marlborough",
        "Maximiliana Fernández de la Vega Sanz y Martínez de Irujo",
        "Eda Wyn",
    ]
    plan = Plan(name="Two", ruleset="udl", starts_at=timezone.now(), tables=("1",), pairs=True)
    made = found_with_players(
        world.league, plan, " / ".join(names[:2]) + "\n" + " / ".join(names[2:]), user=world.owner
    )
    publish(made, user=world.owner)
    for papers in ("cards", "slips"):
        owner.goto(f"/organize/harbour/competitions/{made.slug}/{papers}/?paper={paper}")
        owner.emulate_media(media="print")
        assert sorted(owner.locator(".two bdi").all_inner_texts()) == sorted(names)
        assert overflowing(owner) == []
        assert owner.locator(".two bdi").evaluate_all(CUT) == []
        if papers == "cards":
            heights = owner.locator(".rounds tbody tr").evaluate_all("rows => rows.map(row => row.offsetHeight)")
            assert min(heights) >= 10


def test_a_match_of_three_games_has_a_card_for_each(world, owner, live_server, tmp_path):
    made = evening(world, 4, best_of=3)
    sheets = printed(owner, cards(made), tmp_path)
    assert [len(one.codes) for one in sheets] == [4, 2]
    doors = [code.text for one in sheets for code in one.codes]
    assert doors == [f"{live_server.url}/t/{match.door}/" for match in of_round(made) for _game in range(3)]
    text = "".join(one.text for one in sheets)
    assert [text.count(f"game{number}of3") for number in (1, 2, 3)] == [2, 2, 2]
    assert all(game.code in text for match in of_round(made) for game in match.games.all())


@every_font
@pytest.mark.smoke
def test_blank_cards_have_the_form_and_nothing_else(world, owner, tmp_path):
    made = evening(world, 4)
    sheets = printed(owner, cards(made, "?blank=8"), tmp_path)
    assert [(one.codes, one.text.count("Finalscore"), one.text.count("Referee")) for one in sheets] == [([], 4, 4)] * 2
    assert not any(re.search(r"Guest|AnaRuiz|Table\d", one.text) for one in sheets)


def test_paper_mode_is_one_button_for_the_next_round_and_blank_ones(world, owner, live_server, tmp_path):
    made = evening(world, 8)
    Match.objects.filter(slot__matchday__stage__competition=made, slot__matchday__number=1).update(state="playing")
    owner.goto(cards(made))
    owner.get_by_role("link", name="Going offline? Print Round 2 and 8 blank cards").click()
    sheets = printed(owner, owner.url, tmp_path)
    assert [len(one.codes) for one in sheets] == [4, 0, 0]
    doors = [code.text for code in sheets[0].codes]
    assert doors == [f"{live_server.url}/t/{match.door}/" for match in of_round(made, 2)]


def test_what_is_on_the_screen_alone_is_not_printed(world, owner, tmp_path):
    made = evening(world, 4)
    text = printed(owner, cards(made), tmp_path)[0].text
    assert not any(said in text for said in ("Papermode", "Signout", "Printedcards", "Language"))


@every_font
def test_no_heading_is_left_alone_at_the_foot_of_a_page(world, owner):
    owner.goto(f"/matches/{world.match.pk}/")
    owner.emulate_media(media="print")
    breaks = owner.locator("main h2").evaluate_all("all => all.map(one => getComputedStyle(one).breakAfter)")
    assert set(breaks) == {"avoid"}


@pytest.mark.parametrize(("query", "size"), [("", A4), ("?paper=letter", LETTER)])
def test_slips_are_ten_to_a_page_with_each_players_own_code_and_pin(world, owner, live_server, tmp_path, query, size):
    made = evening(world)
    sheets = printed(owner, f"/organize/harbour/competitions/{made.slug}/slips/{query}", tmp_path)
    assert [one.size for one in sheets] == [pytest.approx(size, abs=0.3)] * 4
    assert [len(one.codes) for one in sheets] == [10] * 4
    entrants = Entrant.objects.filter(registrations__competition=made).select_related("player")
    wanted = {f"{live_server.url}/me/{one.door}/": one for one in entrants}
    assert sorted(code.text for one in sheets for code in one.codes) == sorted(wanted)
    for sheet in sheets:
        for code in sheet.codes:
            one = wanted[code.text]
            assert code.width >= 25
            assert "".join(one.player.name.split()) in sheet.text
            assert f"PIN{one.pin}" in sheet.text
    assert overflowing(owner) == []


def test_a_smudge_is_survived_and_a_code_that_is_torn_off_is_missed(world, owner, tmp_path):
    """The control: the decoder reads what is on the paper, and a tenth of a code may be lost (level Q)."""
    made = evening(world, 4)
    picture = printed(owner, cards(made), tmp_path)[0].picture
    assert len(codes(picture)) == 2
    width, height = picture.size
    smudged = picture.copy()
    # The code of the first card lies in the right half of its left half; a few of its modules are covered.
    middle = (round(width * 0.425), round(height * 0.09))
    ImageDraw.Draw(smudged).rectangle([middle[0] - 22, middle[1] - 22, middle[0] + 22, middle[1] + 22], fill="white")
    assert len(codes(smudged)) == 2
    torn = picture.copy()
    ImageDraw.Draw(torn).rectangle([0, 0, width // 2, round(height * 0.1)], fill="white")
    assert len(codes(torn)) == 1


def test_slots_whose_players_are_not_known_have_a_card_without_a_code(world, owner, tmp_path):
    made = evening(world, 4, format="single_elimination")
    assert Slot.objects.filter(matchday__stage__competition=made, match=None).exists()
    sheets = printed(owner, cards(made, "?round=2"), tmp_path)
    assert [one.codes for one in sheets] == [[]]
    assert "Final" in sheets[0].text

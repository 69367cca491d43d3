"""Pages of competitions with more than one stage, or whose rounds follow from results."""

import re
from types import SimpleNamespace

import pytest

from league.competitions.draw.advancing import advance
from league.competitions.draw.publishing import publish, publish_matchday
from league.competitions.draw.stages import draw_next
from league.competitions.models import Competition, Matchday, Slot, Stage
from tests.league.competitions.cup import enter_result
from tests.web.organize.test_organize import NEW, asked, text_of

PAGE = "/organize/harbour/competitions/night/"
SWISS = Stage.Format.SWISS


def made(world, browse, **changes):
    answer = browse(world.owner).post(NEW, asked(name="Night", preset="own", ruleset="udl", do="create", **changes))
    assert answer.status_code == 302, answer.content.decode()
    return Competition.objects.get(slug="night")


def play(world, competition, number):
    for slot in Slot.objects.filter(matchday__stage__competition=competition, matchday__number=number).exclude(
        match=None
    ):
        enter_result(SimpleNamespace(referee=world.owner), slot.match, 1)
        advance(slot.match_id)


def page(browse, user, address=PAGE):
    answer = browse(user).get(address)
    assert answer.status_code == 200
    return answer.content.decode()


def test_the_preview_tells_what_every_stage_comes_to(world, browse) -> None:
    sent = asked(name="Night", preset="own", ruleset="udl", format="swiss", rounds="3", then="single_elimination")
    html = browse(world.owner).post(NEW, sent | {"advance_each": "4", "third_place": "on"}).content.decode()
    outlook = text_of(html[html.index('id="outlook-title"') :])
    assert "Swiss system, then knock-out, with a match for third place" in outlook
    assert "Rounds 5" in outlook, "three of the Swiss system, semi-finals and a final"
    assert f"Matches {3 * 6 + 4}" in outlook, "of thirteen, one has a bye"


@pytest.mark.parametrize(
    ("changes", "field", "sentence"),
    [
        ({"format": "groups"}, "groups", "Say how many groups there are: 2 to 64."),
        ({"format": "groups", "groups": "9"}, None, "This draw takes 18 entrants or more, and there are 13."),
        ({"format": "swiss", "then": "single_elimination"}, "advance_each", "Say how many go on to the knock-out"),
        ({"format": "swiss", "rounds": "99"}, "rounds", "Ensure this value is less than or equal to 64."),
    ],
)
def test_what_does_not_fit_is_told_at_its_field(world, browse, changes, field, sentence) -> None:
    answer = browse(world.owner).post(NEW, asked(preset="own", ruleset="udl", do="create", **changes))
    html = answer.content.decode()
    assert answer.status_code == 422
    assert sentence in text_of(html)
    if field:
        assert f'id="id_{field}_error"' in html
    assert not Competition.objects.filter(name="Friday Cup").exists()


def test_the_plan_of_stages_is_shown_as_it_was_decided(world, browse) -> None:
    made(world, browse, format="groups", groups="4", then="double_elimination", advance_each="2", no_reset="on")
    html = page(browse, world.owner, f"{PAGE}plan/")
    assert re.search(r'name="groups" value="4"', html)
    assert re.search(r'<option value="double_elimination" selected', html)
    assert re.search(r'name="advance_each" value="2"', html)
    assert re.search(r'name="no_reset"[^>]* checked', html)


def test_a_swiss_round_is_paired_changed_and_published_on_the_page_of_the_organizer(world, browse) -> None:
    night = made(world, browse, format="swiss", rounds="3")
    publish(night, user=world.owner)
    waiting = text_of(page(browse, world.owner))
    assert "6 confirmed results are missing before it." in waiting
    assert "Pair round 2" not in waiting
    play(world, night, 1)
    assert "Pair round 2" in text_of(page(browse, world.owner))
    client = browse(world.owner)
    assert client.post(f"{PAGE}draw/next/").status_code == 302
    html = page(browse, world.owner)
    assert "both on 2 points" in text_of(html)
    assert "The later rounds are published with it." not in html
    day = Matchday.objects.get(stage__competition=night, number=2)
    first, second = Slot.objects.filter(matchday=day).order_by("number")[:2]
    client.post(f"{PAGE}rounds/2/pairs/", {"lock": first.pk})
    first.refresh_from_db()
    assert first.locked
    client.post(f"{PAGE}rounds/2/pairs/", {"unlock": first.pk})
    one, other = (slot.berths.get(number=1).entrant_id for slot in (first, second))
    client.post(f"{PAGE}rounds/2/pairs/", {"do": "swap", "first": one, "second": other})
    assert "set by hand" in text_of(page(browse, world.owner))
    client.post(f"{PAGE}rounds/2/pairs/", {"do": "anew"})
    assert client.post(f"{PAGE}rounds/2/publish/").status_code == 302
    assert Matchday.objects.get(stage__competition=night, number=2).published_at is not None


def test_a_player_who_leaves_a_draft_from_results_forfeits_nothing_in_it(world, browse) -> None:
    night = made(world, browse, format="swiss", rounds="3")
    publish(night, user=world.owner)
    play(world, night, 1)
    draw_next(night, user=world.owner)
    client, leaver = browse(world.owner), night.registrations.first().entrant_id
    address = f"{PAGE}entrants/{leaver}/withdraw/"
    asked = text_of(client.get(address).content.decode())
    told = text_of(client.post(address, {"reason": "Left early"}, follow=True).content.decode())
    for page_ in (asked, told):
        assert "Round 2 is a draft: pair it again, then publish it." in page_
        assert "1 match of a round" not in page_
        assert "1 upcoming match" not in page_


def test_a_draft_round_is_nothing_for_the_public(world, browse) -> None:
    night = made(world, browse, format="swiss", rounds="3")
    publish(night, user=world.owner)
    play(world, night, 1)
    draw_next(night, user=world.owner)
    html = page(browse, None, "/competitions/harbour/night/")
    assert "Round 1" in html
    assert "both on" not in html
    assert not re.search(r"<h3[^>]*>\s*<span>Round 2", html)


def test_both_brackets_and_the_final_of_a_double_elimination_are_one_drawing(world, browse) -> None:
    night = made(world, browse, format="double_elimination")
    publish(night, user=world.owner)
    html = page(browse, None, "/competitions/harbour/night/bracket/")
    assert "Parts of the bracket" not in html
    for told in ("Winners’ round 1", "Match W1", "Losers’ round 1", "Loser of W1", "Winner of L", "Deciding match"):
        assert told in html
    assert page(browse, None, "/competitions/harbour/night/bracket/?section=2").count("<rect") == html.count("<rect")


def test_the_table_of_each_group_is_shown_and_then_the_bracket(world, browse) -> None:
    night = made(world, browse, format="groups", groups="3", then="single_elimination", advance_each="2")
    publish(night, user=world.owner)
    html = page(browse, None, "/competitions/harbour/night/")
    assert [f"Group {number}" in html for number in (1, 2, 3, 4)] == [True, True, True, False]
    for number in range(1, 6):
        play(world, night, number)
    day = draw_next(night, user=world.owner)
    assert "The later rounds are published with it." in page(browse, world.owner)
    publish_matchday(day, user=world.owner)
    html = page(browse, None, "/competitions/harbour/night/")
    assert "Quarter-finals" in html
    assert "Semi-finals" in page(browse, None, "/competitions/harbour/night/bracket/")


def test_home_says_that_something_is_to_be_drawn(world, browse) -> None:
    night = made(world, browse, format="swiss", rounds="3")
    publish(night, user=world.owner)
    play(world, night, 1)
    assert "Draw the next round or stage." in page(browse, world.owner, "/organize/harbour/")

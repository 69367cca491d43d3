"""The inbox on its pages: each button does at once what it says, and leads back."""

import re

import pytest
from django.urls import reverse

from league.competitions.models import Applicant, Withdrawal
from league.competitions.queries.inbox import inbox, with_matches
from league.web.components.inbox import inbox_line
from tests.league.competitions.queries.test_inbox import entered, everything, has_left, unruled
from tests.league.world import NOON, make_world

__all__ = ["everything"]  # a fixture


@pytest.fixture
def world(db):
    return make_world()


def lines(user):
    return [inbox_line(one) for one in with_matches(inbox(user), user)]


def test_every_button_is_taken_by_its_page(everything, browse):
    for user, kinds in ((everything.bob, ["confirm"] * 2), (everything.owner, ["link", "role"])):
        client, found = browse(user), lines(user)
        pressed = [one for one in found if one.posts]
        assert [one.kind for one in pressed] == kinds
        for one in pressed:
            answer = client.post(one.to, {**one.fields, "next": "/?needs=1"})
            assert (answer.status_code, answer.url) == (302, "/?needs=1"), one
        assert len(lines(user)) == len(found) - len(pressed)
    assert {client.get(one.to).status_code for one in lines(everything.owner)} == {200}


def test_withdrawn_sign_ups_that_are_still_drawn_lead_to_their_page(world, browse):
    cup, _entrant = has_left(world, 1)
    [line] = lines(world.owner)
    assert (line.sentence, line.button) == ("1 withdrawn sign-up is still in the draw", "Look at it")
    assert "Withdraw: <bdi>P3</bdi>" in browse(world.owner).get(line.to).content.decode()
    Applicant.objects.create(competition=cup, name="Somebody", digest="1", made_at=NOON)
    [line] = lines(world.owner)
    sentence = "1 sign-up waits for an answer; 1 withdrawn sign-up is still in the draw"
    assert (line.sentence, line.button) == (sentence, "Answer")
    page = browse(world.owner).get(reverse("organize:competition", args=["harbour", cup.slug])).content.decode()
    assert page.count(f'href="{line.to}"') == 2, "in the inbox, and among the steps"


def test_a_match_that_somebody_has_left_leads_to_the_button_that_settles_it(world, browse):
    match = unruled(world, 1)
    [line] = lines(world.referee)
    game = match.games.get()
    assert line.sentence == "Ana Ruiz – Bo Chen: both sides have left; the match needs a ruling"
    assert (line.button, line.to.partition("?")[2]) == ("Decide", f"row={game.pk}#game-{game.pk}")
    Withdrawal.objects.filter(entrant=world.bo).update(undone_at=NOON, undone_by=world.owner)
    [line] = lines(world.referee)
    assert line.sentence == "Ana Ruiz – Bo Chen: Ana Ruiz has left; the match needs a ruling"
    client = browse(world.referee)
    page = client.get(line.to).content.decode()
    assert f'value="forfeit:{match.pk}"' in page
    client.post(line.to, {"act": f"forfeit:{match.pk}"})
    assert lines(world.referee) == []
    assert [one.kind for one in lines(world.second_referee)] == ["confirm"]


def test_the_page_shows_the_asker_s_items_only(everything, browse):
    def shown(user):
        return re.findall(r'<li data-kind="([a-z-]+)"', browse(user).get("/").content.decode())

    assert shown(everything.bob) == ["review", "fix", "confirm", "confirm"]
    assert shown(everything.owner) == [one.kind for one in lines(everything.owner)][:8]
    assert shown(everything.charlie) == shown(None) == []


def test_many_items_come_in_pages(world, browse):
    for _ in range(10):
        entered(world, world.alice)
    client = browse(world.bob)
    first, second = (client.get("/", {"needs": page}).content.decode() for page in (1, 2))
    assert [page.count("<li data-kind=") for page in (first, second)] == [8, 2]
    assert "Needs you <small>10</small>" in first
    assert "?needs=2#needs-you" in first


def test_the_desk_of_a_league_shows_its_items(everything, browse):
    html = browse(everything.owner).get(reverse("organize:home", args=["harbour"])).content.decode()
    assert html.count("<li data-kind=") == 8

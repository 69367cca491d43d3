"""The organizer's way back: a button after each act that loses something, the list of what was before, and drafts that
were discarded.
"""

import re

import pytest
from django.test import Client

from league.competitions.draw.publishing import publish
from league.competitions.draw.stages import draw
from league.competitions.models import Competition, EarlierState, Slot
from league.players.models import Player
from tests.web.organize.test_organize import NAMES, NEW, asked, text_of

CUP = "/organize/harbour/competitions/friday-cup/"


@pytest.fixture
def client(world, browse) -> Client:
    """Of the owner, who has made the draft of a knock-out of thirteen."""
    client = browse(world.owner)
    client.post(NEW, asked(do="create"))
    return client


@pytest.fixture
def cup(client) -> Competition:
    return Competition.objects.get(slug="friday-cup")


def seeds(cup: Competition) -> list[str]:
    return [str(one) for one in cup.registrations.order_by("seed")]


def forms(html: str, action: str) -> list[dict[str, str]]:
    """What each form with that address would send."""
    found = re.findall(rf'<form[^>]*action="{action}".*?</form>', html, re.DOTALL)
    return [dict(re.findall(r'name="(state|newest)" value="(\d+)"', one)) for one in found]


def test_after_an_act_a_button_takes_it_back_and_brings_it_again(client, cup) -> None:
    before = seeds(cup)
    assert forms(client.get(CUP).content.decode(), f"{CUP}earlier/undo/") == []
    client.post(f"{CUP}seeds/", {"do": "lots"})
    after = seeds(cup)
    html = client.get(CUP).content.decode()
    assert "lots drawn for the order. Before it: 13 players, 5 matches known in 4 rounds." in text_of(html)
    [form] = forms(html, f"{CUP}earlier/undo/")
    answer = client.post(f"{CUP}earlier/undo/", form, follow=True)
    told = text_of(answer.content.decode())
    assert "It is as it was before." in told
    assert "gone back to an earlier state" in told
    assert "Redo" in told
    assert seeds(cup) == before
    assert Slot.objects.filter(matchday__stage__competition=cup).exists()
    again = client.post(f"{CUP}earlier/undo/", form, follow=True)
    assert "This was taken back already. Nothing changed." in text_of(again.content.decode())
    [form] = forms(again.content.decode(), f"{CUP}earlier/undo/")
    client.post(f"{CUP}earlier/undo/", form)
    assert seeds(cup) == after


def test_the_list_says_who_did_what_when_and_what_was_there(world, client, cup) -> None:
    client.post(f"{CUP}draw/")
    client.post(f"{CUP}seeds/", {"remove": str(cup.registrations.first().entrant_id)})
    answer = client.get(f"{CUP}earlier/")
    assert answer.status_code == 200
    told = text_of(answer.content.decode())
    assert len(re.findall(rf"\d\d:\d\d , {world.owner} :", told)) == 2
    assert "players taken out. Before it: 13 players, 5 matches known in 4 rounds." in told
    assert "redrawn. Before it: 13 players, 5 matches known in 4 rounds." in told
    first, second = forms(answer.content.decode(), f"{CUP}earlier/undo/")
    assert first["newest"] == second["newest"] == first["state"] > second["state"]


def test_whoever_was_added_since_is_named(client, cup) -> None:
    client.post(f"{CUP}seeds/", {"do": "lots"})
    client.post(f"{CUP}entrants/", {"players": "Late One"})
    [form] = forms(client.get(CUP).content.decode(), f"{CUP}earlier/undo/")
    answer = client.post(f"{CUP}earlier/undo/", form, follow=True)
    assert "Added since, and not in it any more: Late One." in text_of(answer.content.decode())
    assert len(seeds(cup)) == 13


def test_what_was_published_since_has_no_button_and_the_list_says_why(world, client, cup) -> None:
    draw(cup, user=world.owner)
    publish(cup, user=world.owner)
    assert "The last change" not in client.get(CUP).content.decode()
    listed = client.get(f"{CUP}earlier/").content.decode()
    assert "Friday Cup was published since, and what is published is not taken back." in text_of(listed)
    assert forms(listed, f"{CUP}earlier/undo/") == []
    state = EarlierState.objects.get()
    answer = client.post(f"{CUP}earlier/undo/", {"state": state.pk, "newest": state.pk}, follow=True)
    assert "was published since" in text_of(answer.content.decode())


@pytest.mark.parametrize("sent", [{}, {"state": "x"}, {"state": "9" * 30, "newest": "-1"}, {"state": "0"}])
def test_a_state_that_is_none_is_told_and_changes_nothing(client, cup, sent) -> None:
    before = seeds(cup)
    answer = client.post(f"{CUP}earlier/undo/", sent, follow=True)
    assert "This state is not kept any more." in text_of(answer.content.decode())
    assert seeds(cup) == before


def test_a_discarded_draft_is_nowhere_and_comes_back(client, cup) -> None:
    before = seeds(cup)
    asked_once_more = text_of(client.get(f"{CUP}discard/").content.decode())
    assert "the list of its 13 players" in asked_once_more
    assert "For 30 days it can be brought back as it was." in asked_once_more
    answer = client.post(f"{CUP}discard/", {"word": "Friday Cup"}, follow=True)
    assert "Friday Cup is discarded." in text_of(answer.content.decode())
    for gone in (CUP, "/competitions/harbour/friday-cup/"):
        assert client.get(gone).status_code == 404
    assert "Friday Cup" not in client.get("/organize/harbour/").content.decode()
    assert Player.objects.filter(name__startswith="Player ").count() == 13
    state = EarlierState.objects.get()
    back = client.post("/organize/harbour/discarded/", {"state": state.pk}, follow=True)
    assert back.redirect_chain == [(CUP, 302)]
    assert "Friday Cup is back as it was." in text_of(back.content.decode())
    assert seeds(cup) == before
    assert "No draft is discarded." in text_of(client.get("/organize/harbour/discarded/").content.decode())
    # A second click leads there as well.
    assert client.post("/organize/harbour/discarded/", {"state": state.pk}, follow=True).redirect_chain == [(CUP, 302)]


def test_a_published_competition_is_not_discarded_and_the_page_says_so(world, client, cup) -> None:
    publish(cup, user=world.owner)
    assert "so it can’t be discarded" in text_of(client.get(f"{CUP}discard/").content.decode())
    answer = client.post(f"{CUP}discard/", follow=True)
    assert answer.redirect_chain == [(CUP, 302)]
    assert Competition.objects.filter(pk=cup.pk).exists()
    assert NAMES.count("Player") == 13

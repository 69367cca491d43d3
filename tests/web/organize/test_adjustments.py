"""The organizer's page of bonuses and deductions: give with a form, read in the table, remove."""

import pytest

from league.competitions.models import Adjustment, Competition


@pytest.fixture
def address(world):
    Competition.objects.filter(pk=world.competition.pk).update(tie_breaks=["match_points", "difference"])
    return "/organize/harbour/competitions/autumn/adjustments/"


def sent(world, **changes):
    return {"entrant": world.entrants[0].pk, "sign": "-", "points": "2", "reason": "<b>came late</b>"} | changes


def test_an_organizer_takes_points_and_removes_the_deduction(world, browse, address):
    owner = browse(world.owner)
    assert address in owner.get("/organize/harbour/competitions/autumn/").content.decode()
    assert owner.post(address, sent(world))["Location"] == address
    page = owner.get(address).content.decode()
    assert "<b>−2</b> · <bdi>&lt;b&gt;came late&lt;/b&gt;</bdi>" in page
    table = "/competitions/harbour/autumn/standings/"
    assert ": −2 match points, <bdi>&lt;b&gt;came late&lt;/b&gt;</bdi>" in browse().get(table).content.decode()
    for shown in ("/embed/harbour/autumn/standings/", "/competitions/harbour/autumn/standings/wall/"):
        assert "&lt;b&gt;came late&lt;/b&gt;" in browse().get(shown).content.decode(), shown
    owner.post(address, {"do": "remove", "adjustment": Adjustment.objects.get().pk})
    assert "came late" not in browse().get(table).content.decode()
    assert "removed by" in owner.get(address).content.decode()


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"points": "0"}, "greater than or equal to 1"),
        ({"points": "1.5"}, "Enter a whole number."),
        ({"reason": " "}, "This field is required."),
        ({"entrant": "987654"}, "Select a valid choice."),
    ],
)
def test_a_refused_form_says_why(world, browse, address, changes, told):
    answer = browse(world.owner).post(address, sent(world, **changes))
    assert answer.status_code == 422
    assert told in answer.content.decode()
    assert not Adjustment.objects.exists()


def test_a_table_by_wins_has_no_form(world, browse, address):
    Competition.objects.filter(pk=world.competition.pk).update(tie_breaks=["wins"])
    owner = browse(world.owner)
    assert 'name="reason"' not in owner.get(address).content.decode()
    assert address not in owner.get("/organize/harbour/competitions/autumn/").content.decode()
    answer = owner.post(address, sent(world))
    assert answer.status_code == 422

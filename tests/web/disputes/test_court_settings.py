"""Rules of the court: the owner changes them, everybody reads them on the rules page."""

import pytest
from django.test import Client

from league.disputes.court_rules import rules_of_court
from tests.web import world as small

pytestmark = pytest.mark.django_db
ADDRESS = "/organize/harbour/court/"


def signed_in(world: small.World, name: str) -> Client:
    client = Client()
    client.force_login(getattr(world, name))
    return client


def test_the_owner_changes_the_rules_and_everybody_reads_them() -> None:
    world = small.build()
    owner = signed_in(world, "owner")
    page = owner.get(ADDRESS)
    assert page.status_code == 200
    sent = {name: page.context["form"][name].value() for name in page.context["form"].fields}
    sent = {name: "" if value is None else value for name, value in sent.items()}
    answer = owner.post(ADDRESS, sent | {"minutes_in_hall": "15", "proof": "claimant", "penalty-draw-when-able": "30"})
    assert answer.status_code == 302
    rules = rules_of_court(world.league.pk)
    assert (rules.minutes_in_hall, rules.proof, rules.penalties) == (15, "claimant", {"draw-when-able": 30})
    told = Client().get("/competitions/harbour/autumn/rules/").content.decode()
    assert "at most 15 minutes after it was shown in a hall, and 24 hours elsewhere" in told
    assert "Drew although able to play: 30 points" in told


def test_a_wrong_number_is_refused_at_its_field() -> None:
    world = small.build()
    owner = signed_in(world, "owner")
    answer = owner.post(ADDRESS, {"minutes_in_hall": "x", "hears": "head", "proof": "nobody"})
    assert answer.status_code == 422
    assert "minutes_in_hall" in answer.context["form"].errors


@pytest.mark.parametrize(("name", "status"), [("ref", 403), ("alice", 404), ("charlie", 404)])
def test_only_the_owner_changes_them(name: str, status: int) -> None:
    assert signed_in(small.build(), name).get(ADDRESS).status_code == status

"""Founding a league: the time zone that is filled in is the founder's own."""

import pytest
from playwright.sync_api import expect

from league.accounts.models import User
from tests.browser.conftest import sign_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize(("zone", "js", "filled_in"), [
    ("America/Havana", True, "America/Havana"),
    ("America/Havana", False, "UTC"),
    ("Etc/GMT+5", True, "UTC"),  # no place, so nothing that could be chosen
])  # fmt: skip
def test_a_new_league_is_where_its_founder_is(world, visit, zone, js, filled_in) -> None:
    page = visit(zone=zone, js=js)
    sign_in(page, "owner")
    page.goto("/leagues/new/")
    expect(page.get_by_label("Time zone")).to_have_value(filled_in)


def test_a_form_that_comes_back_keeps_what_was_chosen(world, visit) -> None:
    page = visit(zone="America/Havana")
    sign_in(page, "owner")
    page.goto("/leagues/new/")
    page.get_by_label("Time zone").select_option("UTC")
    page.get_by_label("Name", exact=True).fill("   ")
    page.get_by_role("button", name="Create the league").click()
    expect(page.locator("p.error").first).to_be_visible()
    expect(page.get_by_label("Time zone")).to_have_value("UTC")


@pytest.mark.smoke
def test_the_first_league_of_a_site_too(transactional_db, visit) -> None:
    assert not User.objects.exists()
    page = visit(zone="Europe/Madrid")
    page.goto("/first/")
    expect(page.get_by_label("Time zone")).to_have_value("Europe/Madrid")

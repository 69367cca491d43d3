"""An official who amends a first-round result sees what it changes before anything is saved; the second one too."""

import pytest
from playwright.sync_api import expect

from league.accounts.models import Role
from league.matches.models import Amendment, Match, Result
from tests.browser.conftest import sign_in
from tests.web import world as small

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("js", [True, pytest.param(False, marks=pytest.mark.smoke)])
def test_an_amended_first_round_result_shows_its_effect_before_it_is_saved(world, visit, js) -> None:
    other = small.account("other")
    Role.objects.create(user=other, league=world.league, kind=Role.Kind.HEAD_REFEREE)
    cup = small.knock_out(world, players=4, played=4, name="Cup")
    final = Match.objects.get(slot__matchday__stage__competition=cup, slot__matchday__number=2)
    record = small.hand_in(final.games.get(), world.owner)
    small.judge(record)
    small.enter(record, official_by=other)
    first = Match.objects.filter(slot__matchday__stage__competition=cup, slot__matchday__number=1).first()
    loser = str(first.sides.get(number=2))

    page = visit(width=390, js=js)
    sign_in(page, "ref")
    page.goto(f"/matches/{first.pk}/")
    page.get_by_role("link", name="Correct").click()
    page.locator("#points-1").fill("95")
    page.locator("#points-2").fill("150")
    page.get_by_label("Reason").fill("The names were swapped on the card")
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_role("heading", name="Effects if later matches stand")).to_be_visible()
    expect(page.get_by_role("heading", name="Effects if later matches are void")).to_be_visible()
    expect(page.get_by_role("main")).to_contain_text(f"95–150 ({loser} wins)")
    expect(page.get_by_role("main")).to_contain_text("no longer counts")
    assert not Amendment.objects.exists()
    assert Result.objects.get(game__match=first).scores == {"1": 150, "2": 95}
    page.get_by_role("radio", name="Keep the later matches as played").check()
    page.get_by_role("button", name="Propose it").click()
    expect(page.get_by_role("main")).to_contain_text("waits for another official")
    assert Result.objects.get(game__match=first).scores == {"1": 150, "2": 95}

    second = visit(width=390, js=js)
    sign_in(second, "other")
    second.goto("/organize/harbour/")
    second.get_by_role("link", name="correction 150–95 → 95–150").click()
    expect(second.get_by_role("main")).to_contain_text("stays as played, with a note")
    second.get_by_role("button", name="Confirm the amendment").click()
    expect(second.get_by_role("main")).to_contain_text("The names were swapped on the card")
    assert Result.objects.get(game__match=first, current=True).scores == {"1": 95, "2": 150}
    second.goto(f"/competitions/harbour/{cup.slug}/bracket/")
    expect(second.get_by_role("main")).to_contain_text("Stands as played, although the result of match 1 was amended")

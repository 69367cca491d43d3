"""A wrong score is corrected where it stands, at 390 px by one official: at most four clicks beside the typing."""

import pytest
from playwright.sync_api import Locator, expect

from league.competitions.draw.advancing import advance
from league.matches.models import KnownBy, Match, Result
from league.matches.results.entering import enter_sheet
from tests.browser.conftest import sign_in
from tests.web import world as small

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


class Actions:
    """Clicks of one person, counted and named."""

    def __init__(self) -> None:
        self.done: list[str] = []

    def __call__(self, what: Locator) -> None:
        self.done.append(what.inner_text().strip() or what.evaluate("one => one.labels[0].innerText"))
        what.click()


@pytest.fixture
def cup(world):
    """One official is enough. The first match has the names swapped; with `final` the final is played."""
    world.league.officials_needed = 1
    world.league.save()

    def played(*, final: bool):
        made = small.knock_out(world, players=4, played=4 if final else 1)
        matches = Match.objects.filter(slot__matchday__stage__competition=made).order_by("pk")
        if final:
            record = small.hand_in(matches.get(slot__matchday__number=2).games.get(), world.ref)
            small.judge(record)
            small.enter(record, official_by=world.owner)
        return made, matches[0]

    return played


def correct(page, act, *, later: str = "") -> None:
    """From the form with the present score to the saved one."""
    expect(page.locator("#points-1")).to_have_value("150")
    page.locator("#points-1").fill("95")
    page.locator("#points-2").fill("150")
    page.get_by_label("Reason").fill("The names were swapped on the card")
    act(page.get_by_role("button", name="Preview"))
    expect(page.get_by_role("main")).to_contain_text("becomes 95–150")
    if later:
        act(page.get_by_role("radio", name=later))
    act(page.get_by_role("button", name="Save"))
    expect(page.get_by_text("The result is corrected, and everything that follows from it.")).to_be_visible()


def is_right(match: Match) -> bool:
    return Result.objects.get(game__match=match, current=True).scores == {"1": 95, "2": 150}


@pytest.mark.parametrize(
    ("where", "begun", "js"),
    [
        ("bracket", False, False),
        ("bracket", True, True),
        ("match", False, True),
        pytest.param("match", True, False, marks=pytest.mark.smoke),
    ],
)
def test_from_the_bracket_and_the_match(world, visit, cup, where, begun, js) -> None:
    made, match = cup(final=begun)
    page, act = visit(width=390, js=js), Actions()
    sign_in(page, "ref")
    address = f"/competitions/harbour/{made.slug}/bracket/" if where == "bracket" else f"/matches/{match.pk}/"
    page.goto(address)
    name = "Correct match 1" if where == "bracket" else "Correct"
    act(page.get_by_role("link", name=name, exact=True))
    correct(page, act, later="Keep the later matches as played" if begun else "")
    assert is_right(match)
    assert page.url.endswith(address)
    assert len(act.done) == (4 if begun else 3), act.done


@pytest.mark.parametrize("js", [True, False])
def test_from_the_grid(world, visit, cup, js) -> None:
    made, match = cup(final=False)
    page, act = visit(width=390, js=js), Actions()
    sign_in(page, "ref")
    address = f"/organize/harbour/competitions/{made.slug}/grid/"
    page.goto(address)
    act(page.locator(f"#game-{match.games.get().pk}").get_by_role("link", name="Correct"))
    correct(page, act)
    assert is_right(match)
    assert page.url.endswith(address)
    assert len(act.done) == 3, act.done


@pytest.mark.parametrize("js", [True, False])
def test_taking_back_leads_to_the_correction_once_something_followed(world, visit, js) -> None:
    world.league.confirmation_required = False
    world.league.save()
    made = small.knock_out(world, players=4, played=-1)
    matches = Match.objects.filter(slot__matchday__stage__competition=made).order_by("pk")
    for number in range(3):
        match = matches[number]
        enter_sheet(match.games.get(), world.ref, {"scores": [150, 95]}, kind=KnownBy.SCORE)
        advance(match.pk)
    page, act = visit(width=390, js=js), Actions()
    sign_in(page, "ref")
    page.goto(f"/organize/harbour/competitions/{made.slug}/grid/")
    first = Result.objects.get(game__match=matches[0])
    act(page.locator(f".recent button[value='undo:{first.record_id}']"))
    expect(page.get_by_text("Correct it here: you see first what changes.")).to_be_visible()
    correct(page, act, later="Keep the later matches as played")
    assert is_right(matches[0])
    assert len(act.done) == 4, act.done

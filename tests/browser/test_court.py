"""The court with four people: two phones, a referee and a head referee; protest, facts, ruling, appeal, standings."""

import pytest
from django.db.models import F
from playwright.sync_api import Page, expect

from league.accounts.models import Role
from league.disputes.models import Dispute
from league.matches.logs.submission import submit_log, verify_record
from league.matches.models import Game, KnownBy, Match, Result
from league.matches.results.entering import enter_sheet
from tests.browser.conftest import sign_in
from tests.browser.court_places import log_of
from tests.web import world as small
from tests.web.world import World

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

MOST_CLICKS = 8
SECOND = "head"


@pytest.fixture
def court(world: World) -> World:
    """The small league with a head referee; Alice and Bob handed in two logs that differ."""
    Role.objects.create(user=small.account(SECOND), league=world.league, kind=Role.Kind.HEAD_REFEREE)
    game = world.game()
    for user, loud in ((world.alice, False), (world.bob, True)):
        record = submit_log(game=game, user=user, raw=log_of(world.entrants[:2], loud=loud).encode()).record
        verify_record(record.pk)
    return world


class Clicks:
    """A page whose clicks are counted."""

    def __init__(self, page: Page) -> None:
        self.page, self.count = page, 0

    def click(self, role: str, name: str) -> None:
        self.page.get_by_role("main").get_by_role(role, name=name).first.click()
        self.count += 1

    def check(self, name: str) -> None:
        self.page.get_by_role("radio", name=name, exact=True).check()
        self.count += 1


def protest(page: Page, match: Match, words: str, *, kind: str = "Muggins: it was called") -> None:
    page.goto(f"/matches/{match.pk}/games/1/protest/?line=12")
    page.get_by_label(kind).check()
    page.get_by_label("It was written down wrongly").check()
    page.get_by_label("Describe the problem").fill(words)
    page.get_by_role("button", name="File the protest").click()
    expect(page.get_by_role("main")).to_contain_text("The protest is filed")


def decide(page: Page, answer: str, reason: str = "") -> int:
    """Find the fact and rule as proposed, from the queue to the saved ruling; return the clicks."""
    page.goto("/organize/harbour/disputes/")
    desk = Clicks(page)
    desk.click("link", "Ana Ruiz")
    desk.check(answer)
    desk.click("button", "Save the finding")
    if reason:
        page.get_by_label("Reason (everybody reads it)").fill(reason)
    desk.click("button", "See what it changes")
    expect(page.get_by_role("button", name="Save ruling")).to_be_visible()
    desk.click("button", "Save ruling")
    expect(page.get_by_role("main")).to_contain_text("The ruling is saved")
    return desk.count


def confirm(page: Page) -> None:
    page.goto("/organize/harbour/disputes/")
    page.get_by_role("main").get_by_role("link", name="Ana Ruiz").first.click()
    page.get_by_role("button", name="Confirm the ruling").click()
    expect(page.get_by_role("main")).to_contain_text("The ruling is confirmed")


def score(game: Game) -> list[int]:
    scores = Result.objects.get(game=game, current=True).scores
    return [scores["1"], scores["2"]]


@pytest.mark.parametrize("js", [pytest.param(True, marks=pytest.mark.smoke), False])
def test_two_logs_that_differ_are_ruled_on_and_the_appeal_changes_the_standings(court, visit, js) -> None:
    match, game = court.match, court.game()
    bob, alice = visit(width=390, js=js), visit(width=390, js=js)
    sign_in(bob, "bob")
    protest(bob, match, "I said five")
    sign_in(alice, "alice")
    alice.goto(f"/matches/{match.pk}/")
    expect(alice.get_by_role("main")).to_contain_text("Protest by Bo Chen: Muggins")

    referee, second = visit(js=js), visit(js=js)
    sign_in(referee, "ref")
    assert decide(referee, "yes", "The call was heard in time") <= MOST_CLICKS
    ruled = Dispute.objects.get()
    assert (ruled.state, ruled.outcome) == ("ruled", "dismissed")

    bob.goto(f"/disputes/{ruled.code}/")
    bob.get_by_text("Appeal, until").click()
    bob.get_by_label("Why the ruling is wrong").fill("The next table heard me")
    bob.get_by_role("button", name="File the appeal").click()
    expect(bob.get_by_role("main")).to_contain_text("The appeal is filed")

    sign_in(second, SECOND)
    assert decide(second, "no") <= MOST_CLICKS
    assert Dispute.objects.get().state == "waiting"
    owner = visit(js=js)
    sign_in(owner, "owner")
    confirm(owner)
    assert Dispute.objects.filter(state="ruled", outcome="call", instance=2).exists()
    assert score(game) == [115, 165]
    alice.goto("/competitions/harbour/autumn/standings/")
    expect(alice.get_by_role("main")).to_contain_text("165")
    alice.goto(f"/leagues/harbour/rulings/{ruled.code}/")
    expect(alice.get_by_role("main")).to_contain_text("This is the ruling on the appeal; it is final.")


def test_another_protest_is_dismissed_and_one_is_agreed(court, visit) -> None:
    match, game = court.match, court.game()
    bob, alice, referee = visit(width=390), visit(width=390), visit()
    for page, name in ((bob, "bob"), (alice, "alice"), (referee, "ref")):
        sign_in(page, name)
    protest(bob, match, "I said five")
    decide(referee, "yes")
    assert Dispute.objects.get().outcome == "dismissed"

    protest(bob, match, "It was ten", kind="Points of a hand")
    code = Dispute.objects.get(state="open").code
    bob.get_by_text("Propose an outcome to the other side").click()
    bob.get_by_label("This score:").check()
    bob.locator("#offer-1").fill("115")
    bob.locator("#offer-2").fill("165")
    bob.get_by_role("button", name="Propose it").click()
    alice.goto(f"/disputes/{code}/")
    expect(alice.get_by_role("main")).to_contain_text("Bo Chen proposes")
    alice.get_by_role("button", name="Accept: we agree").click()
    expect(alice.get_by_role("main")).to_contain_text("Agreed. The case is closed.")
    assert Dispute.objects.get(code=code).state == "agreed"
    assert score(game) == [115, 165]


def test_a_match_with_a_score_alone_is_ruled_on(court, visit) -> None:
    match = Match.objects.filter(league=court.league).exclude(pk=court.match.pk).order_by(F("pk")).first()
    enter_sheet(match.games.get(), court.owner, {"scores": [150, 95]}, kind=KnownBy.SCORE)
    referee, second = visit(), visit()
    sign_in(referee, "ref")
    referee.goto(f"/matches/{match.pk}/games/1/protest/")
    referee.get_by_label("In the name of").select_option("2")
    referee.get_by_label("Points of a hand, the score").check()
    referee.get_by_label("Describe the problem").fill("The card says 150 to 145")
    referee.get_by_role("button", name="File the protest").click()
    referee.get_by_role("button", name="Show the proposal").click()
    referee.get_by_role("radio", name="Result ruled").check()
    referee.get_by_text("Another score than the proposed one").click()
    referee.locator("#points-1").fill("150")
    referee.locator("#points-2").fill("145")
    referee.get_by_label("Reason (everybody reads it)").fill("As both signed")
    referee.get_by_role("button", name="See what it changes").click()
    referee.get_by_role("button", name="Save ruling").click()
    expect(referee.get_by_role("main")).to_contain_text("Another official confirms it")
    code = Dispute.objects.get().code
    sign_in(second, SECOND)
    second.goto(f"/disputes/{code}/")
    second.get_by_role("button", name="Confirm the ruling").click()
    expect(second.get_by_role("main")).to_contain_text("The ruling is confirmed")
    assert score(match.games.get()) == [150, 145]


def test_the_desk_goes_by_j_and_k(court, visit) -> None:
    for match in (court.match,):
        page = visit(width=390)
        sign_in(page, "bob")
        protest(page, match, "I said five")
    desk = visit()
    sign_in(desk, "ref")
    desk.goto("/organize/harbour/disputes/")
    desk.keyboard.press("j")
    expect(desk.locator("[data-queue] a").first).to_be_focused()
    desk.keyboard.press("Enter")
    expect(desk.get_by_role("heading", name="Find the facts")).to_be_visible()


HALF_A_PAGE_PX = 148.5 / 25.4 * 96


def test_a_ruling_prints_on_half_a_page(court, visit) -> None:
    bob, referee = visit(width=390), visit()
    sign_in(bob, "bob")
    protest(bob, court.match, "I said five")
    sign_in(referee, "ref")
    decide(referee, "yes", "The call was heard at both tables beside this one, and the next tile was still in the hand")
    page = visit(width=718)  # A4 without its margins
    page.goto(f"/leagues/harbour/rulings/{Dispute.objects.get().code}/")
    page.emulate_media(media="print")
    box = page.locator(".ruling-sheet").bounding_box()
    assert box["y"] + box["height"] < HALF_A_PAGE_PX
    expect(page.get_by_role("button", name="Print")).to_be_hidden()


def test_the_replay_leads_to_a_protest_at_its_step(court, visit) -> None:
    page = visit(width=390)
    sign_in(page, "bob")
    page.goto(f"/matches/{court.match.pk}/#r1.4")
    expect(page.locator("[data-told]")).to_contain_text("5-3")
    page.get_by_role("link", name="Protest at this step").click()
    expect(page.get_by_label("Where in the game")).to_have_value("line:12")

"""The desk's grid by keyboard alone, and two phones at one table, in a browser."""

import pytest
from django.utils import timezone
from playwright.sync_api import Page, Route, expect

from league.accounts.models import Role
from league.competitions.models import Matchday, Slot
from league.matches.models import Game, Match, Record, Result, Side
from tests.browser.conftest import sign_in
from tests.browser.forty import TYPIST_MS
from tests.league.processes import until
from tests.web import world as small

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

GRID = "/organize/harbour/grid/"
SIGNED = ("Tab", "Space")  # "signed by both", which is never ticked in advance


def one_round(world) -> list[Game]:
    """All matches of the round robin in one round that has begun, in the order of the grid."""
    Match.objects.update(starts_at=timezone.now(), table=None)
    day = Matchday.objects.earliest("number")
    for number, slot in enumerate(Slot.objects.exclude(match=None), start=1000):
        Slot.objects.filter(pk=slot.pk).update(matchday=day, number=number)
    return list(Game.objects.order_by("match"))


@pytest.fixture
def hall(live_server):
    """Twenty-one matches, all open."""
    world = small.build(players=7)
    return world, one_round(world)


@pytest.fixture
def desk(hall, visit) -> Page:
    page = visit()
    sign_in(page, "ref")
    page.goto(GRID)
    expect(page.locator("[data-points]").first).to_be_focused()
    return page


def standing(game):
    result = Result.objects.filter(game=game, current=True).first()
    return result and (str(result), result.state, result.confirmed_how)


def field(page: Page, game: Game, side: int = 1):
    return page.locator(f"#points-{side}-{game.pk}")


def test_twenty_results_are_typed_in_two_minutes_by_keyboard_alone(hall, desk):
    games, keys = hall[1], 0
    totals = [(150, 5 * number) for number in range(10)] + [(5 * number, 150) for number in range(10, 20)]
    for first, second in totals:
        for press in (*str(first), "Tab", *str(second), *SIGNED, "Enter"):
            desk.keyboard.press(press)
            keys += 1
    assert until(lambda: Result.objects.filter(state="official").count() == 20)
    assert [standing(game) for game in games] == [
        *((f"{first}–{second}", "official", "signed") for first, second in totals),
        None,
    ]
    assert keys <= 20 * 10
    assert keys * TYPIST_MS < 120_000
    assert desk.evaluate("document.activeElement.id") == f"points-1-{games[20].pk}"


def test_the_winner_stands_in_words_at_once(hall, desk):
    game = hall[1][0]
    first, second = (str(side) for side in game.match.sides.select_related("entrant__player"))
    told = desk.locator(f"#told-{game.pk}")
    desk.keyboard.type("150")
    desk.keyboard.press("Tab")
    desk.keyboard.type("95")
    expect(told).to_have_text(f"{first} beats {second} 150–95")
    field(desk, game).fill("20")
    expect(told).to_have_text(f"{second} beats {first} 95–20")
    desk.keyboard.press("Escape")
    expect(told).to_have_text("")
    assert [field(desk, game, side).input_value() for side in (1, 2)] == ["", ""]
    assert not Record.objects.exists()


@pytest.mark.smoke
def test_arrows_change_the_row_and_ctrl_z_takes_the_last_one_back(hall, desk):
    games = hall[1]
    desk.keyboard.press("ArrowDown")
    expect(field(desk, games[1])).to_be_focused()
    desk.keyboard.press("ArrowUp")
    for press in ("1", "5", "0", "Tab", "9", "5", "Enter"):
        desk.keyboard.press(press)
    expect(desk.locator("[data-recent]")).to_contain_text("150–95")
    expect(field(desk, games[1])).to_be_focused()
    desk.keyboard.press("Control+z")
    expect(desk.locator("[data-notice]")).to_contain_text("Taken back.")
    expect(field(desk, games[0])).to_be_visible()
    assert standing(games[0]) is None
    assert Record.objects.get().withdrawn_at


def test_a_script_that_comes_late_leaves_the_focus_where_somebody_types(hall, desk):
    """On a slow line typing begins before the script is there."""
    typed = field(desk, hall[1][2])

    def late(route: Route) -> None:
        typed.focus()
        route.continue_()

    desk.route("**/grid.js*", late)
    with desk.expect_request_finished(lambda request: "/grid.js" in request.url):
        desk.reload()
    expect(typed).to_be_focused()


def test_a_card_scanned_anywhere_jumps_to_its_row(hall, desk, hours):
    """The clock stands still: the scanner's own Enter comes at once."""
    game, door = hall[1][12], hall[1][12].match.door
    hours.show(desk).reload()
    expect(field(desk, hall[1][0])).to_be_focused()
    desk.keyboard.type("15")
    desk.keyboard.type(f"http://192.168.1.5:8000/t/{door}/")
    desk.keyboard.press("Enter")
    expect(field(desk, game)).to_be_focused()
    assert field(desk, hall[1][0]).input_value() == "15"
    desk.locator("h1").click()
    desk.keyboard.type(f"http://192.168.1.5:8000/t/{hall[1][3].match.door}/")
    desk.keyboard.press("Enter")
    expect(field(desk, hall[1][3])).to_be_focused()
    desk.locator("#scan").fill(f"HTTP://LAPTOP/t/{hall[1][5].match.door.lower()}/")
    expect(field(desk, hall[1][5])).to_be_focused()
    assert not Record.objects.exists()


def test_what_could_not_be_sent_stays_marked_and_is_sent_again_once(hall, desk, hours):
    game = hall[1][0]
    hours.show(desk).reload()
    desk.context.set_offline(True)
    for press in ("1", "5", "0", "Tab", "9", "5", *SIGNED, "Enter"):
        desk.keyboard.press(press)
    row = desk.locator(f"#game-{game.pk}")
    expect(row).to_contain_text("Not saved yet")
    assert not Record.objects.exists()
    desk.context.set_offline(False)
    hours.run(30)
    assert standing(game) == ("150–95", "official", "signed")
    hours.run(60)
    assert Record.objects.count() == 1


def test_a_look_that_comes_before_the_answer_leaves_no_empty_fields(hall, desk):
    game = hall[1][0]
    row = desk.locator(f"#game-{game.pk}")
    before = str(row.get_attribute("data-version"))

    def late(route: Route) -> None:
        if route.request.method == "POST":
            answer = route.fetch()
            desk.evaluate("document.dispatchEvent(new Event('visibilitychange'))")  # the page looks at once
            expect(row).not_to_have_attribute("data-version", before)
            route.fulfill(response=answer)
        else:
            route.continue_()

    desk.route("**/grid/", late)
    for press in ("1", "5", "0", "Tab", "9", "5", *SIGNED, "Enter"):
        desk.keyboard.press(press)
    expect(row.locator("input[inputmode=numeric]")).to_have_count(0)
    assert standing(game) == ("150–95", "official", "signed")


def test_what_could_not_be_sent_outlives_the_page(hall, desk):
    game = hall[1][0]
    desk.route("**/grid/", lambda route: route.abort() if route.request.method == "POST" else route.continue_())
    for press in ("1", "5", "0", "Tab", "9", "5", "Enter"):
        desk.keyboard.press(press)
    expect(desk.locator(f"#game-{game.pk}")).to_contain_text("Not saved yet")
    desk.unroute_all(behavior="wait")
    desk.on("dialog", lambda dialog: dialog.accept())
    desk.reload()
    assert until(lambda: standing(game) == ("150–95", "provisional", ""))
    assert Record.objects.count() == 1


def test_what_does_not_add_up_is_told_and_entered_all_the_same(hall, desk):
    game = hall[1][0]
    for press in ("1", "4", "7", "Tab", "9", "5", "Enter"):
        desk.keyboard.press(press)
    row = desk.locator(f"#game-{game.pk}")
    expect(row).to_contain_text("This does not add up")
    assert field(desk, game).input_value() == "147"
    row.get_by_role("button", name="Enter it all the same").click()
    assert until(lambda: standing(game) == ("147–95", "provisional", ""))


def test_what_another_desk_saves_appears_and_disturbs_nobody_who_types(hall, desk, visit):
    games = hall[1]
    helper = small.account("helper")
    Role.objects.create(user=helper, league=hall[0].league, kind=Role.Kind.DESK_HELPER)
    other = visit()
    sign_in(other, "helper")
    other.goto(GRID)
    desk.keyboard.type("15")
    for page, text in ((other, "150 95"), (other, "150 35")):
        first, second = text.split()
        for press in (*first, "Tab", *second, *SIGNED, "Enter"):
            page.keyboard.press(press)
    assert until(lambda: Result.objects.filter(state="official").count() == 2)
    expect(desk.locator(f"#game-{games[1].pk}")).to_contain_text("Confirmed")
    expect(desk.locator(f"#game-{games[0].pk}")).to_contain_text("typed by the desk")
    assert field(desk, games[0]).input_value() == "15"
    expect(field(desk, games[0])).to_be_focused()
    for press in ("0", "Tab", "9", "0", "Enter"):
        desk.keyboard.press(press)
    row = desk.locator(f"#game-{games[0].pk}")
    expect(row).to_contain_text("Under review")
    expect(row).to_contain_text("150–95")
    expect(row).to_contain_text("150–90")


@pytest.mark.smoke
def test_without_a_script_one_submit_saves_all(hall, visit):
    games, page = hall[1], visit(js=False)
    sign_in(page, "ref")
    page.goto(GRID)
    for game, second in ((games[0], 95), (games[4], 20)):
        field(page, game).fill("150")
        field(page, game, 2).fill(str(second))
    field(page, games[6]).fill("150")
    page.keyboard.press("Enter")
    expect(page.locator(f"#game-{games[6].pk}")).to_contain_text("Type the points of every side, 0 too.")
    assert field(page, games[6]).input_value() == "150"
    assert [standing(games[place])[0] for place in (0, 4)] == ["150–95", "150–20"]
    page.get_by_role("button", name="Take back").first.click()
    assert Record.objects.exclude(withdrawn_at=None).count() == 1


# --- At the table ---


@pytest.fixture
def table(live_server, visit):
    """The game of Ana and Bo, and two phones."""
    world = small.build()
    Match.objects.update(starts_at=timezone.now())
    return world.game(), visit(width=390), visit(width=390)


def test_one_phone_enters_and_the_other_confirms_with_one_tap(table):
    game, ana, bo = table
    for page, name in ((ana, "Ana Ruiz"), (bo, "Bo Chen")):
        page.goto(f"/t/{game.match.door}/")
        page.get_by_role("button", name=name).click()
        expect(page.get_by_text(f"You are here for {name}.")).to_be_visible()
    ana.get_by_label("Ana Ruiz").fill("150")
    ana.get_by_label("Bo Chen").fill("95")
    expect(ana.locator("[data-words]")).to_have_text("Ana Ruiz beats Bo Chen 150–95")
    ana.get_by_role("button", name="Review").click()
    ana.get_by_role("button", name="Yes, enter it").click()
    expect(ana.get_by_role("heading", name="Waiting for Bo Chen to confirm")).to_be_visible()
    # Bo's phone looks again by itself.
    bo.get_by_role("button", name="Yes, confirm it").click()
    expect(bo.get_by_role("heading", name="The result is confirmed")).to_be_visible()
    expect(ana.get_by_role("heading", name="The result is confirmed")).to_be_visible()
    assert standing(game) == ("150–95", "official", "side")


@pytest.mark.smoke
def test_bo_confirms_on_anas_phone_with_the_pin_of_his_slip(table):
    game, ana, _bo = table
    side = Side.objects.select_related("entrant").get(match=game.match, number=2)
    ana.goto(f"/t/{game.match.door}/")
    ana.get_by_role("button", name="Ana Ruiz").click()
    ana.get_by_label("Ana Ruiz").fill("150")
    ana.get_by_label("Bo Chen").fill("95")
    ana.get_by_role("button", name="Review").click()
    ana.get_by_role("button", name="Yes, enter it").click()
    ana.get_by_text("Bo Chen confirms on this phone").click()
    pin = ana.get_by_role("textbox", name="PIN on the slip of Bo Chen")  # not that of "I disagree", which is folded
    pin.fill("0000" if side.entrant.pin != "0000" else "1111")
    ana.get_by_role("button", name="Confirm it").click()
    expect(ana.get_by_role("alert")).to_contain_text("Wrong PIN for Bo Chen")
    expect(pin).to_be_visible()
    pin.fill(side.entrant.pin)
    ana.get_by_role("button", name="Confirm it").click()
    expect(ana.get_by_role("heading", name="The result is confirmed")).to_be_visible()
    assert standing(game) == ("150–95", "official", "pin")


def test_two_that_differ_go_to_the_desk_and_an_official_takes_one(table, visit):
    game, ana, bo = table
    for page, name, points in ((ana, "Ana Ruiz", ("150", "95")), (bo, "Bo Chen", ("95", "150"))):
        page.goto(f"/t/{game.match.door}/")
        page.get_by_role("button", name=name).click()
        if page is bo:
            page.get_by_text("Enter another score").click()
        page.get_by_label("Ana Ruiz").fill(points[0])
        page.get_by_label("Bo Chen").fill(points[1])
        page.get_by_role("button", name="Review").click()
        page.get_by_role("button", name="Yes, enter it").click()
    for page in (bo, ana):
        expect(page.get_by_role("heading", name="Under review")).to_be_visible()
        expect(page.get_by_text("Bo Chen beats Ana Ruiz 150–95", exact=True)).to_be_visible()
    desk = visit()
    sign_in(desk, "ref")
    desk.goto("/organize/harbour/")
    desk.get_by_role("link", name="match is under review").click()
    desk.get_by_label("Why you take this one").fill("I saw the card")
    said = desk.locator(".entry", has_text="Ana Ruiz beats Bo Chen 150–95")
    said.get_by_role("button", name="Take this one").click()
    expect(desk.locator(f"#game-{game.pk}")).to_have_count(0)
    expect(ana.get_by_role("heading", name="The result is confirmed")).to_be_visible()
    assert standing(game) == ("150–95", "official", "person")


def test_at_the_table_it_works_without_a_script(live_server, visit):
    game = small.build().game()
    Match.objects.update(starts_at=timezone.now())
    page = visit(width=320, js=False)
    page.goto(f"/t/{game.match.door}/")
    page.get_by_role("button", name="Ana Ruiz").click()
    page.get_by_label("Ana Ruiz").fill("150")
    page.get_by_label("Bo Chen").fill("95")
    page.get_by_role("button", name="Review").click()
    expect(page.get_by_text("Ana Ruiz beats Bo Chen 150–95", exact=True)).to_be_visible()
    page.get_by_role("button", name="Yes, enter it").click()
    expect(page.get_by_role("heading", name="Waiting for Bo Chen to confirm")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == 320

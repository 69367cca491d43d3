"""What axe finds on the score pad, in every state that it can be in."""

import pytest
from playwright.sync_api import Page, expect

from league.accounts.models import League
from league.matches.models import Match, Reply, Result, Table
from tests.browser.conftest import sign_in
from tests.browser.fonts import every_font
from tests.browser.looking import RULES_OF_A_THEME, axe, wait_for_pad
from tests.browser.pads import Thumb

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

NO_STORAGE = "Object.defineProperty(window, 'indexedDB', { get() { throw new Error('private'); } })"
NO_WORKER = "Object.defineProperty(Navigator.prototype, 'serviceWorker', { get: () => undefined })"

# A copy of the notice with the link, which the script of the pad does not know.
SHOWN = """() => {
  const copy = document.querySelector("[data-handed]").cloneNode(true);
  copy.id = "shown";
  for (const one of [copy, copy.querySelector("a")]) one.hidden = false;
  for (const one of [copy, ...copy.querySelectorAll("*")]) {
    for (const name of one.getAttributeNames()) if (name.startsWith("data-")) one.removeAttribute(name);
  }
  document.querySelector("#pad").append(copy);
}"""


@pytest.fixture(params=["light", "dark"])
def pad(request, world, visit):
    """A pad of somebody, after `script` has run in its page."""

    def take(user: str, script: str = "") -> Page:
        page = visit(width=320, scheme=request.param)
        sign_in(page, user)
        page.add_init_script(script)
        page.goto(f"/matches/{world.match.pk}/games/1/pad/")
        if script != NO_STORAGE:  # such a pad is never ready
            wait_for_pad(page)
        return page

    return take


def faults(page: Page) -> list[tuple[str, str]]:
    # What moves has no colour yet.
    page.evaluate("Promise.all(document.getAnimations().map((one) => one.finished))")
    return axe(page)


def test_every_state_of_a_pad_that_scores_is_accessible(world, pad) -> None:
    page, found = pad("alice"), {}
    thumb = Thumb(page)
    expect(thumb.line).to_have_text("All sent")
    found["nothing yet"] = faults(page)
    thumb.points(0, 10)
    found["an open score"] = faults(page)
    thumb.touch("[data-do=muggins][data-seat='1']")
    found["muggins armed"] = faults(page)
    thumb.touch("[data-do=muggins][data-seat='1']")
    for how in ("0", "blocked"):
        thumb.touch("[data-do=round]")
        thumb.touch(f"#pad-round [data-name=how][data-value='{how}']")
        found[f"a hand ends: {how}"] = faults(page)
        thumb.touch("#pad-round [data-do=close]")
    thumb.touch("[data-do=more]")
    found["another number"] = faults(page)
    thumb.touch("#pad-more [data-do=close]")
    page.context.set_offline(True)
    expect(thumb.line).to_contain_text("Offline since")
    thumb.points(1, 5)
    found["offline"] = faults(page)
    page.context.set_offline(False)
    expect(thumb.line).to_have_text("All sent")
    for _score in range(5):
        thumb.points(0, 30)
    thumb.touch("[data-do=over]")
    found["the target is reached"] = faults(page)
    thumb.points(1, 5)  # the game was over
    thumb.touch("[data-won] [data-do=finish]")
    found["how the game ended"] = faults(page)
    thumb.touch("[data-do=end]")
    expect(page.locator("[data-do=insist]")).to_be_visible()
    found["does not add up"] = faults(page)
    thumb.touch("[data-do=insist]")
    expect(page.get_by_role("link", name="To the match")).to_be_visible()
    found["handed in"] = faults(page)
    assert {state: wrong for state, wrong in found.items() if wrong} == {}


def won_by_ana(page: Page) -> None:
    """Ana's pad has entered that she won."""
    thumb = Thumb(page)
    for _score in range(5):
        thumb.points(0, 30)
    thumb.touch("[data-do=over]")
    thumb.touch("[data-won] [data-do=finish]")
    expect(page.locator("[data-result]")).to_have_text("Ana Ruiz beat Bo Chen 150–0, by the target.")
    thumb.touch("#pad-finish [data-do=end]")
    expect(page.locator("[data-handed-words]")).to_contain_text("Ana Ruiz beats Bo Chen 150–0. Submitted.")


def test_where_the_second_side_proves_itself_its_yes_adds_the_pin(world, pad) -> None:
    League.objects.update(second_side_proves=True)
    page = pad("alice")
    won_by_ana(page)
    yes = page.locator("[data-asks='1'] [data-do=yes]")
    yes.click()
    yes.click()
    assert faults(page) == []
    page.get_by_label("PIN on the slip").fill(world.entrants[1].pin)
    page.get_by_role("button", name="Confirm", exact=True).click()
    expect(page.locator("[data-handed-words]")).to_contain_text("It is confirmed.")
    assert Result.objects.get().confirmed_how == Result.Confirmation.PIN


def test_the_word_of_a_side_is_asked_accessibly(world, pad) -> None:
    """Yes takes two touches; *I disagree* opens a sheet, and puts the game under review at a tap."""
    page, found = pad("alice"), {}
    won_by_ana(page)
    yes = page.locator("[data-asks='1'] [data-do=yes]")
    found["asked"] = faults(page)
    yes.click()
    expect(yes).to_contain_text("Bo Chen: tap again to confirm")
    found["asked again"] = faults(page)
    page.locator("[data-asks='1'] [data-do=disagree]").click()
    found["disagrees"] = faults(page)
    page.locator("[data-do=send_word]").click()
    expect(page.locator("[data-word-refused]")).to_have_text("Say why in a few words: both sides read it.")
    found["refused"] = faults(page)
    page.get_by_label("Where").select_option("Ana Ruiz +30")
    page.get_by_label("Problem").fill("It was 25")
    page.locator("[data-do=send_word]").click()
    expect(page.locator("[data-word-told]")).to_contain_text("The result is under review.")
    expect(page.locator("[data-asks='1']")).to_be_hidden()
    found["under review"] = faults(page)
    assert (Result.objects.get().contested, Reply.objects.get().sentence) == (True, "Ana Ruiz +30: It was 25")
    assert {state: wrong for state, wrong in found.items() if wrong} == {}


def test_a_pad_that_watches_and_one_that_needs_the_desk_are_accessible(world, pad) -> None:
    first, second = Thumb(pad("ref")), Thumb(pad("owner"))
    expect(second.line).to_have_text("All sent")
    second.page.context.set_offline(True)
    second.points(1, 20)
    first.points(0, 10)
    expect(first.line).to_have_text("All sent")
    second.page.context.set_offline(False)
    expect(second.page.locator("[data-keeper]")).to_contain_text("Not taken, safe on this phone")
    found = {"watches": faults(second.page)}
    Match.objects.filter(pk=world.match.pk).update(state=Match.State.DECIDED)
    first.points(1, 5)
    expect(first.line).to_contain_text("needs the desk")
    found["needs the desk"] = faults(first.page)
    assert {state: wrong for state, wrong in found.items() if wrong} == {}


@pytest.mark.parametrize(
    ("script", "told"), [(NO_STORAGE, "This browser keeps nothing"), (NO_WORKER, "This address is not secure")]
)
def test_a_browser_that_cannot_keep_the_pad_is_told_so_accessibly(pad, script, told) -> None:
    page = pad("alice", script)
    expect(page.get_by_text(told)).to_be_visible()
    assert faults(page) == []


def test_a_link_button_in_the_colour_of_its_notice_would_be_found(pad) -> None:
    """The control: *To the match* was green on green."""
    page = pad("alice")
    page.evaluate(SHOWN)
    assert axe(page, RULES_OF_A_THEME) == []
    page.evaluate("Object.assign(document.querySelector('#shown a'), {className: 'button', style: 'color: inherit'})")
    assert [rule for rule, _node in axe(page, RULES_OF_A_THEME)] == ["color-contrast"]


# The whole width of the places for round and game, and how much of it is seen.
WHERE = """(word) => {
  const [button, where] = ["[data-do=clock]", ".pad-where"].map((one) => document.querySelector(one));
  button.hidden = false;
  button.textContent = word;
  return [where.scrollWidth, where.clientWidth];
}"""


@every_font
@pytest.mark.parametrize("locale", ["en", "es"])
def test_round_and_game_stand_whole_beside_each_word_of_the_clock(world, visit, locale: str) -> None:
    Match.objects.filter(pk=world.match.pk).update(best_of=3, options={"clock_s": 900})
    Table.objects.filter(pk=world.match.table_id).update(name="71")
    page = visit(width=320, locale=locale)
    sign_in(page, "ref")
    page.goto(f"/matches/{world.match.pk}/games/1/pad/")
    expect(page.locator("[data-digits]")).to_have_text("15:00")
    words = page.evaluate("Object.values(JSON.parse(document.getElementById('pad').dataset.words).clock)")
    assert len(words) == 3
    for word in words:
        whole, seen = page.evaluate(WHERE, word)
        assert whole <= seen, word

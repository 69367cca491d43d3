"""What every page owes to everybody: no finding of axe, no sideways scrolling, large targets, a way by keyboard."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from random import Random

import pytest
from playwright.sync_api import Page, expect

from league.players.models import Player
from tests.browser.fonts import parts_in_fonts
from tests.browser.looking import RULES_OF_A_THEME, SMALL_TARGETS, axe, go, hold_still, unreadable, walk_by_keyboard
from tests.browser.places import furnished
from tests.browser.spots import Spot, area
from tests.volume import SEED, THOROUGH, quarter
from tests.web.world import PASSWORD

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

WIDTHS, TELEPHONE = (320, 390, 768, 1280), 390
# Pages that say no, with the status of an error.
# Spots whose answer is an error, by its status.
WRONG = {"not found", "an address of forms", "forbidden", "unknown card", "muggins refused", "spent invitation"}
WRONG |= {"code of drawn again cup", "code of reopened cup", "cancelled", "cancelled for the desk"}
# In each language every rule of axe by the screen's own colours, then those of colour in a theme that was chosen.
LOOKS = {"en": ("dark", "hall"), "es": ("light", "contrast")}
WRONG_ONCE = {"schedule of a knock-out": "es"}  # the language in which all looks found a fault
LEAST_TARGET = 32
PARTS, LONG_PARTS = 9, 3


@dataclass(frozen=True)
class Look:
    """A page in one language, at some widths, in the colours of the screen, of a chosen theme, or in both."""

    language: str
    widths: tuple[int, ...] = WIDTHS
    plain: bool = True
    themed: bool = True


WHOLE = tuple(map(Look, LOOKS))


def looks_at(spot: Spot) -> tuple[Look, ...]:
    """All of them with `THOROUGH=1`, else a quarter: one language, the least width and another, one of its colours."""
    if THOROUGH:
        return WHOLE
    draw = Random(f"{SEED} {spot.name}")
    # The answer to a form is there in the language in which it was sent.
    language = "en" if spot.text else WRONG_ONCE.get(spot.name) or draw.choice(list(LOOKS))
    plain = draw.random() < 0.5
    return (Look(language, (WIDTHS[0], draw.choice(WIDTHS[1:])), plain, not plain),)


@parts_in_fonts(PARTS)
def test_every_page_keeps_what_it_owes(visit, part) -> None:
    """Axe in every theme and both languages, nothing sideways, cut off or on top of something else at any width, large
    targets, headings in steps, a way for the Tab key, nothing refused by the page's own policy: in one walk, for
    opening the pages is what takes the time.
    """
    # The worker has tests of its own (test_offline.py); a language that changes at each step keeps it busy.
    assert faults(visit(workers="block"), furnished()[1][part::PARTS], looks_at) == []


def faults(
    page: Page, spots: list[Spot], looks: Callable[[Spot], tuple[Look, ...]], spoil: str = "() => {}"
) -> list[tuple[object, ...]]:
    """Every spot in these looks; but for the answers to forms, which are there in English alone."""
    who, found, said = {}, [], []
    page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("requestfailed", lambda request: said.append(request.url) if "ABORTED" not in request.failure else None)
    for spot in spots:
        for number, look in enumerate(look for look in looks(spot) if look.language == "en" or not spot.text):
            said.clear()  # what axe itself asks for is not the page's
            page.emulate_media(color_scheme="light")
            go(page, spot, who, look.language)
            hold_still(page)
            page.evaluate(spoil)
            # A browser logs an answer that is an error, such as a 404, by itself.
            if said and spot.name not in WRONG and not spot.text:
                found.append((spot.name, "logged", said[:]))
            found += [(spot.name, *one) for one in faults_in(page, look)]
            page.set_viewport_size({"width": TELEPHONE, "height": 844})
            if number == 0 and (stops := walk_by_keyboard(page)):
                found.append((spot.name, "keyboard", stops))
    return found


def faults_in(page: Page, look: Look) -> Iterator[tuple[object, ...]]:
    language = look.language
    levels = page.locator("h1, h2, h3, h4").evaluate_all("all => all.map(one => Number(one.tagName[1]))")
    if levels[:1] != [1] or levels.count(1) != 1 or any(after - before > 1 for before, after in pairwise(levels)):
        yield f"headings in {language}", levels
    for width in look.widths:
        yield from faults_at(page, width, language)
    scheme, theme = LOOKS[language]
    page.emulate_media(color_scheme=scheme)
    for rule, html in axe(page, without=() if look.plain else RULES_OF_A_THEME):
        yield f"axe in {language}, {scheme}", rule, html
    if not look.themed:
        return
    page.evaluate("theme => { document.documentElement.dataset.theme = theme }", theme)
    page.set_viewport_size({"width": TELEPHONE, "height": 844})
    if page.evaluate("document.documentElement.scrollWidth") > TELEPHONE:
        yield f"sideways in {language}, {theme}", TELEPHONE
    for rule, html in axe(page, RULES_OF_A_THEME):
        yield f"axe in {language}, {theme}", rule, html


def faults_at(page: Page, width: int, language: str) -> Iterator[tuple[object, ...]]:
    page.set_viewport_size({"width": width, "height": 844})
    needed = page.evaluate("document.documentElement.scrollWidth")
    if needed > width:
        yield f"sideways in {language} at {width}", needed
    if tiny := page.evaluate(SMALL_TARGETS, LEAST_TARGET):
        yield f"small in {language} at {width}", tiny
    for kind, what in unreadable(page):
        yield f"{kind} in {language} at {width}", what


@pytest.mark.smoke
def test_the_walk_would_find_each_fault(visit) -> None:
    """The control: a page with every one of these faults is not let pass."""
    spoil = """() => {
        document.querySelector('main').insertAdjacentHTML('beforeend',
            '<h1>Twice</h1><div id="wide">.</div><input><button id="small">.</button><p id="pale">Pale words</p>' +
            '<p id="cut">Words that are longer than their box</p>' +
            '<p id="under">Words below</p><p id="over">Words on top of them</p>' +
            '<button id="plain">Without an outline</button><button tabindex="9">Out of order</button>' +
            '<button inert>Out of reach</button><p id="narrow">Letters</p>');
        document.querySelector('#narrow').style.cssText = 'width: 1.2em; overflow-wrap: anywhere';
        document.querySelector('#wide').style.width = '2000px';
        document.querySelector('#small').style.cssText = 'height: 9px; min-height: 0; padding: 0';
        document.querySelector('#pale').style.cssText = 'color: #808080; background: #858585';
        document.querySelector('#cut').style.cssText = 'overflow: hidden; width: 4rem; white-space: nowrap';
        document.querySelector('#over').style.marginTop = '-1.3em';
        document.querySelector('#plain').style.cssText = 'outline: none; box-shadow: none';
        console.error('refused');
    }"""
    found = faults(visit(), [Spot("home", "/")], lambda _: WHOLE, spoil)
    kinds = {fault for _spot, fault, *_ in found}
    everywhere = {
        f"{fault} in {language} at {width}"
        for fault in ("sideways", "small", "clipped", "overlap", "broken")
        for language in LOOKS
        for width in WIDTHS
    }
    looks = {f"axe in {language}, {look}" for language, pair in LOOKS.items() for look in pair}
    looks |= {f"sideways in {language}, {theme}" for language, (_, theme) in LOOKS.items()}
    assert kinds == everywhere | looks | {"logged", "headings in en", "headings in es", "keyboard"}
    walked = next(what for _spot, fault, *what in found if fault == "keyboard")
    assert {one.split(":")[0] for one in walked[0]} == {"no outline", "not reached", "out of order"}


def test_a_bar_that_stays_in_its_place_is_seen_to_hide_the_focus(visit) -> None:
    """The control: 2.4.11."""
    page = visit()
    page.goto("/")
    page.evaluate("""() => {
        document.body.insertAdjacentHTML('beforeend', '<div id="bar">A bar</div>');
        document.querySelector('#bar').style.cssText = 'position: fixed; inset: 0 0 auto; height: 9rem';
    }""")
    assert any(one.startswith("hidden focus") for one in walk_by_keyboard(page))


def test_axe_would_find_something(visit) -> None:
    """The control: a page with faults is not called clean."""
    page = visit()
    page.goto("/sign-in/")
    page.evaluate("document.querySelector('label').remove(); document.documentElement.removeAttribute('lang')")
    assert {rule for rule, _html in axe(page)} >= {"label", "html-has-lang"}


@parts_in_fonts(LONG_PARTS)
def test_the_longest_name_and_the_longest_line_stay_inside_a_telephone(visit, part) -> None:
    world, spots = furnished(long_line="x" * 490)
    names = [entrant.player.name for entrant in world.entrants]
    spots = [spot for spot in spots if not any(name in (spot.label or "") for name in names)]  # their labels change
    for letter, entrant in zip("WMQ", world.entrants, strict=True):
        Player.objects.filter(pk=entrant.player_id).update(name=letter * 60)
    page, who, wide = visit(width=320), {}, {}
    for spot in quarter(spots, area)[part::LONG_PARTS]:
        go(page, spot, who)
        hold_still(page)
        needed = page.evaluate("document.documentElement.scrollWidth")
        if needed > 320:
            wide[spot.name] = needed
    assert wide == {}


def test_on_paper_the_ink_is_dark_whatever_the_screen(visit) -> None:
    page = visit(scheme="dark")
    spot = next(one for one in furnished()[1] if one.name == "match provisional")
    go(page, Spot(spot.name, spot.path), {})
    page.emulate_media(media="print", color_scheme="dark")
    colour = page.get_by_role("heading", name="Hands").evaluate("one => getComputedStyle(one).color")
    assert all(int(part) < 80 for part in re.findall(r"\d+", colour)), colour


def test_a_page_is_sent_compressed(visit, live_server) -> None:
    answer = visit().request.get("/", headers={"Accept-Encoding": "gzip"})
    assert answer.headers["content-encoding"] == "gzip"


@pytest.mark.smoke
def test_the_keyboard_alone_signs_in_and_reaches_everything(world, visit) -> None:
    page = visit(width=1280)
    page.goto("/sign-in/")
    page.keyboard.press("Tab")
    expect(page.locator(":focus")).to_have_text("Skip to the content")
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.type("alice")
    page.keyboard.press("Tab")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()

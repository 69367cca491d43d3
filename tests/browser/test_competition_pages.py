"""The pages of a competition by keyboard, on paper, and in the frame of another site."""

import re
import socketserver
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler

import pytest
from playwright.sync_api import expect

from league.competitions.models import Stage
from league.players.models import Player
from tests.browser.conftest import become
from tests.browser.fonts import every_font
from tests.web import world as small

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SITE = "/competitions/harbour/autumn/"


@pytest.mark.smoke
def test_the_keyboard_goes_along_the_tabs_and_follows_a_player(world, visit) -> None:
    small.played(world, official=True)
    page = visit(width=320)
    page.goto(f"{SITE}places/")
    tabs = page.get_by_role("navigation", name="Views of this competition")
    tabs.get_by_role("link").first.focus()
    for name in ("Standings", "Places by round", "Cross-table", "Schedule", "Players", "Rules", "Files"):
        page.keyboard.press("Tab")
        focus = page.locator(":focus")
        expect(focus).to_have_text(name)
        # Scrolled into view, within the tabs and not with the page.
        expect(focus).to_be_in_viewport(ratio=0.98)
    page.keyboard.press("Tab")  # the chart, which scrolls
    expect(page.locator(":focus")).to_have_attribute("aria-label", "Chart of places")
    page.keyboard.press("Tab")
    expect(page.locator(":focus")).to_have_text("Ana Ruiz")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"\?player="))
    expect(page.locator(".ends [aria-current]")).to_have_text("Ana Ruiz")
    expect(page.locator(".way.followed")).to_have_count(1)


@every_font
def test_names_stand_level_with_their_lines_also_in_larger_letters(db, world, visit) -> None:
    small.played(world, official=True)
    page = visit(width=1280)
    page.goto(f"{SITE}places/")
    for size in ("100%", "200%"):
        page.evaluate("size => { document.documentElement.style.fontSize = size; }", size)
        names = page.locator(".ends li").evaluate_all("all => all.map(one => one.getBoundingClientRect())")
        ends = page.locator(".way").evaluate_all(
            "all => all.map(one => [...one.querySelectorAll('.mark')].pop().getBoundingClientRect())"
        )
        assert len(names) == len(ends) == 3
        for name, end in zip(names, ends, strict=True):
            middle = end["top"] + end["height"] / 2
            assert name["top"] < middle < name["top"] + name["height"], size


@every_font
def test_a_cross_table_is_printed_on_its_side(world, visit) -> None:
    Player.objects.filter(name="Ana Ruiz").update(name="Ana Fernández-Montoya")
    page = visit(width=1280)
    page.goto(f"{SITE}cross-table/")
    raw = page.pdf(prefer_css_page_size=True)
    width, height = (float(number) for number in re.search(rb"/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]", raw).groups())
    assert width > height


class Around(BaseHTTPRequestHandler):
    """A page of somebody else, with a frame in it."""

    framed = ""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(f'<title>Club</title><iframe src="{self.framed}" width="600" height="500"></iframe>'.encode())

    def log_message(self, *_: object) -> None:
        pass


class ClubServer(socketserver.ThreadingTCPServer):
    """Chromium opens a connection in advance, which would block a server without threads."""

    daemon_threads = True


@pytest.fixture
def club_site() -> Iterator[str]:
    with ClubServer(("127.0.0.1", 0), Around) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()


def test_the_table_shows_in_the_frame_of_another_site_and_its_links_leave_the_frame(
    world, visit, live_server, club_site
) -> None:
    small.played(world, official=True)
    page = visit()
    Around.framed = f"{live_server.url}/embed/harbour/autumn/standings/"
    page.goto(club_site)
    frame = page.frame_locator("iframe")
    expect(frame.get_by_role("cell", name="+55")).to_be_visible()
    assert page.context.cookies() == []
    frame.get_by_role("link", name="Ana Ruiz").click()
    expect(page).to_have_url(re.compile(r"/players/"))


def test_any_other_page_stays_out_of_it(world, visit, live_server, club_site) -> None:
    """The control."""
    page = visit()
    Around.framed = f"{live_server.url}{SITE}"
    page.goto(club_site)
    expect(page.frame_locator("iframe").get_by_role("heading", name="Autumn")).to_have_count(0)


LINES_OF_A_WORD = """word => [...document.querySelectorAll('.standings .name bdi, .plate .name bdi')].flatMap(one => {
  const text = one.firstChild, at = text.data.indexOf(word), range = document.createRange();
  if (at < 0) return [];
  range.setStart(text, at); range.setEnd(text, at + word.length);
  return [new Set([...range.getClientRects()].map(box => Math.round(box.top))).size];
})"""


@every_font
def test_no_word_of_a_usual_name_is_cut_in_a_cross_table_that_scrolls(world, visit) -> None:
    Player.objects.filter(name="Ana Ruiz").update(name="Ana Fernández-Montoya")
    page = visit(width=1280)
    page.goto(f"{SITE}cross-table/")
    # As wide as with the results of many.
    page.evaluate(
        "document.querySelectorAll('.cross thead th:not(.text)').forEach(one => one.style.padding = '0 9rem')"
    )
    assert page.evaluate(LINES_OF_A_WORD, "Fernández") == [1]
    assert page.evaluate("document.documentElement.scrollWidth") == 1280


@every_font
def test_no_word_of_a_usual_name_is_cut_on_a_telephone(world, visit) -> None:
    """In the table beside five columns of figures, and on the plates with a code that tells namesakes apart."""
    small.played(world, official=True)
    match = world.match
    long = Player.objects.get(name="Ana Ruiz")
    Player.objects.filter(pk=long.pk).update(name="Ana Fernández-Montoya")
    Player.objects.filter(name="Bo Chen").update(name="Ana Fernandez-Montoya")
    for width in (320, 390):
        page = visit(width=width)
        page.goto(f"{SITE}standings/")
        assert page.evaluate(LINES_OF_A_WORD, "Fernández") == [1]
        assert page.evaluate(LINES_OF_A_WORD, "Montoya") == [1, 1]
        page.goto(f"/matches/{match.pk}/")
        assert page.evaluate(LINES_OF_A_WORD, "Montoya") == [1, 1]


LONGEST_PAGE = 2_500


@pytest.mark.parametrize("format_", [Stage.Format.ROUND_ROBIN, Stage.Format.SINGLE_ELIMINATION])
def test_the_page_of_a_competition_of_eight_is_short_on_a_telephone(world, visit, format_) -> None:
    """Also for a player, whose row is marked and whose places in reach are above it."""
    made = small.knock_out(world, players=8, name="Eight", played=3, format=format_)
    page = visit(width=390)
    for user in ("", "alice"):
        if user:
            become(page, user)
        page.goto(f"/competitions/harbour/{made.slug}/")
        assert page.evaluate("document.documentElement.scrollHeight") <= LONGEST_PAGE

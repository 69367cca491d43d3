"""The page with the site's address as a QR code."""

import re
from html import unescape

import pytest

from league import qr


def drawn(html: str) -> tuple[int, str]:
    return int(re.search(r'viewBox="0 0 (\d+) ', html)[1]), re.search(r'class="ink" d="([^"]+)"', html)[1]


@pytest.mark.parametrize("address", ["http://192.168.1.20:8000/", "http://192.168.1.20:8000"])
def test_it_shows_the_address_that_the_site_was_told(client, db, settings, django_assert_num_queries, address):
    settings.SITE_ADDRESS = address
    with django_assert_num_queries(0):
        html = client.get("/address/").content.decode()
    assert '<a href="http://192.168.1.20:8000/">http://192.168.1.20:8000/</a>' in unescape(html)
    assert drawn(html) == qr.path("http://192.168.1.20:8000/")


def test_without_one_it_shows_how_the_visitor_got_here(client, db):
    html = client.get("/address/", headers={"host": "localhost"}).content.decode()
    assert drawn(html) == qr.path("http://localhost/")


def test_every_page_leads_there(client, world):
    assert 'href="/address/"' in client.get("/").content.decode()


@pytest.mark.parametrize("text", ["http://10.0.0.7:8000/", "https://dominoes.example.org/", "x" * 200])
def test_page_and_terminal_show_the_same_code_with_its_quiet_zone(text):
    rows = qr.modules(text)
    size, path = qr.path(text)
    painted = [[False] * size for _ in range(size)]
    for x, y, width in re.findall(r"M(\d+) (\d+)h(\d+)v1h-\d+z", path):
        for column in range(int(x), int(x) + int(width)):
            painted[int(y)][column] = True
    assert painted == rows
    assert not any(any(row) for row in (*rows[: qr.QUIET], *rows[-qr.QUIET :]))
    shown = [[character in lights for character in line] for line in qr.half_blocks(text) for lights in ("█▀", "█▄")]
    assert [[not light for light in row] for row in shown[:size]] == rows

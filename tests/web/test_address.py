"""The page with the site's address as a QR code."""

import re
from html import unescape

import pytest

from league import certificates, qr
from league.certificates import Authority
from league.web.shared import absolute_url


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


@pytest.fixture
def https(settings, tmp_path) -> Authority:
    settings.HTTPS_PORT, settings.DATA_DIR = 8443, tmp_path
    settings.SITE_ADDRESS = "http://192.168.1.20:8000/"
    return Authority(tmp_path)


def test_a_phone_finds_certificate_fingerprint_and_secure_address(client, db, https, monkeypatch):
    monkeypatch.setattr(absolute_url, "local_names", lambda _: ("192.168.1.20", "localhost"))
    html = unescape(client.get("/address/trust/?next=/live/", headers={"host": "localhost:8000"}).content.decode())
    assert f"<code>{https.fingerprint}</code>" in html
    assert 'href="https://localhost:8443/live/"' in html
    assert drawn(html) == qr.path("http://192.168.1.20:8000/address/trust/")
    answer = client.get("/address/authority.crt")
    assert answer.headers["Content-Type"] == "application/x-x509-ca-cert"
    assert certificates.fingerprint(answer.content) == https.fingerprint
    assert 'href="/address/trust/"' in client.get("/address/").content.decode()


@pytest.mark.parametrize(
    ("host", "next_page", "secure"),
    [
        ("8.8.8.8:8000", "/", "https://192.168.1.20:8443/"),  # it is not certified
        ("localhost", "https://evil.example/", "https://localhost:8443/"),
        ("localhost", "//evil.example/", "https://localhost:8443/"),
    ],
)
def test_the_secure_address_is_one_of_this_laptop(client, db, https, settings, monkeypatch, host, next_page, secure):
    settings.ALLOWED_HOSTS = ["*"]
    monkeypatch.setattr(absolute_url, "local_names", lambda _: ("192.168.1.20", "localhost"))
    html = client.get("/address/trust/", {"next": next_page}, headers={"host": host}).content.decode()
    assert f'href="{secure}"' in html


def test_a_site_without_a_certificate_of_its_own_has_nothing_to_trust(client, db):
    assert [client.get(f"/address/{page}").status_code for page in ("trust/", "authority.crt")] == [404, 404]
    assert "/address/trust/" not in client.get("/address/").content.decode()


def test_the_code_leads_to_a_page_of_this_site_that_is_asked_for(client, db, settings):
    settings.SITE_ADDRESS = "http://192.168.1.20:8000"
    html = client.get("/address/", {"next": "/leagues/harbour/now/"}).content.decode()
    assert drawn(html) == qr.path("http://192.168.1.20:8000/leagues/harbour/now/")


@pytest.mark.parametrize("elsewhere", ["https://example.org/", "//example.org/", f"/{'x' * 3000}", "javascript:x"])
def test_the_code_leads_nowhere_else(client, db, settings, elsewhere):
    settings.SITE_ADDRESS = "http://192.168.1.20:8000"
    assert drawn(client.get("/address/", {"next": elsewhere}).content.decode()) == qr.path("http://192.168.1.20:8000/")

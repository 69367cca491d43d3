"""Which names a club's laptop answers to, and what `serve` tells about them."""

from io import StringIO

import pytest
from django.http.request import validate_host

from league import lan
from league.management.commands.serve import Command


def test_the_addresses_of_a_laptop_that_changes_networks_are_looked_up_anew(monkeypatch):
    now, found = [100.0], [["192.168.1.20"]]
    monkeypatch.setattr(lan.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(lan, "addresses", lambda: found[0])
    monkeypatch.setattr(lan.socket, "gethostname", lambda: "Tower.hall")
    names = lan.OwnNames(["localhost", "127.0.0.1"])
    for good in ("localhost", "127.0.0.1", "192.168.1.20", "tower.hall", "tower.local"):
        assert validate_host(good, names)
    for strange in ("192.168.1.21", "evil.example", "hall", "10.0.0.7"):
        assert not validate_host(strange, names)
    found[0] = ["10.0.0.7"]
    assert validate_host("192.168.1.20", names)
    now[0] += lan.LOOK_AGAIN + 1
    assert validate_host("10.0.0.7", names)
    assert not validate_host("192.168.1.20", names)


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("0.0.0.0", "http://192.168.1.20:8000/"),
        ("127.0.0.1", ""),
        ("10.1.1.1", "http://10.1.1.1:8000/"),
        ("fd00::1", "http://[fd00::1]:8000/"),
    ],
)
def test_people_are_sent_where_they_get_in(monkeypatch, host, address):
    monkeypatch.setattr(lan, "addresses", lambda: ["192.168.1.20"])
    assert lan.site_address(host, 8000) == address


def test_without_a_network_nobody_is_sent_anywhere(monkeypatch):
    monkeypatch.setattr(lan, "addresses", list)
    assert lan.site_address("0.0.0.0", 8000) == ""


@pytest.mark.parametrize(
    ("site", "opened"),
    [
        ("http://192.168.1.20:8000/", "http://192.168.1.20:8000/first/?code=7KQ2+MX"),
        ("", "http://localhost:8000/first/?code=7KQ2+MX"),
    ],
)
def test_the_terminal_shows_the_setup_page_and_its_code(settings, site, opened):
    settings.SITE_ADDRESS = site
    said = StringIO()
    command = Command(stdout=said)
    command.code = "7KQ2 MX"
    command.show_first_owner(8000)
    assert said.getvalue() == (
        f"\n  The site has no owner yet. To set it up, open\n  {opened}\n"
        "  and make the first account: it owns the site's first league. The setup code is 7KQ2 MX\n"
    )


def test_a_site_with_an_owner_shows_no_setup_code(settings):
    said = StringIO()
    command = Command(stdout=said)
    command.code = ""
    command.show_first_owner(8000)
    assert said.getvalue() == ""

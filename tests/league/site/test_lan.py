"""Which names a club's laptop answers to, and what `serve` tells about them."""

import sys
from importlib.machinery import ModuleSpec
from io import StringIO
from types import ModuleType

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


@pytest.mark.parametrize("empty", [True, False])
def test_the_code_of_the_first_owner_is_shown_until_there_is_one(monkeypatch, settings, empty):
    first = ModuleType("league.accounts.first")
    first.__spec__ = ModuleSpec(first.__name__, None)
    first.is_empty, first.setup_code = (lambda: empty), (lambda: "7KQ2MX")
    monkeypatch.setitem(sys.modules, first.__name__, first)
    monkeypatch.setattr("league.accounts.first", first, raising=False)
    settings.SITE_ADDRESS = "http://192.168.1.20:8000/"
    said = StringIO()
    Command(stdout=said).show_first_owner(8000)
    assert said.getvalue() == (
        "\n  The site has no owner yet. Open http://192.168.1.20:8000/first/\n  and enter this code: 7KQ2MX\n"
        if empty
        else ""
    )

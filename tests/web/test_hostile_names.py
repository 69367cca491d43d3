"""Names that were written to break a page or a file, in every place that shows them: harmless, and still legible.

On every page that the browser walks (tests/browser/places.py), and in every file that these pages hand out. A mark that
turns the direction of what follows never gets into a name (tests/league/players/test_enrolling.py).
"""

import csv
import io
import json
import re
import zipfile
from html import escape

import pytest
from django.test import Client

from league.accounts.models import User
from league.players.models import Player
from tests.browser.places import Spot, furnished
from tests.web.world import World

SCRIPT = "<script>alert(1)</script>\"'><img src=x>"
FORMULA = "=cmd()|'/C calc'!A0" + "क्षि" * 42
FAMILY = "👩‍👩‍👧‍👦" * 60
BREAKS_OUT = ("<script>alert", "<img src=x")
FILE = re.compile(r'href="(/[^"?]+\.(?:csv|zip|json|ics|txt|trf|domino|svg|png|html|xlsx)|/[^"?]+/csv/)"')
KNOWN_KINDS = {"csv", "ics", "json", "trf", "zip"}
# What a number is: nobody computes anything with it.
NUMBER = re.compile(r"[+-]?\d+([.,]\d+)?$")


Links = dict[str, list[str]]
"""Addresses of files, each with the users on whose pages it is."""
# A name changes no address: a walk of these spots finds the files for every test of a process.
LINKS: dict[tuple[Spot, ...], Links] = {}


def named(*names: str) -> tuple[World, list[Spot]]:
    """The world of the walk, where three players have these names, and its spots."""
    world, spots = furnished()
    for entrant, name in zip(world.entrants, names, strict=True):
        Player.objects.filter(pk=entrant.player_id).update(name=name)
    return world, spots


class Browsers(dict[str, Client]):
    """A browser for each user."""

    def __missing__(self, user: str) -> Client:
        self[user] = Client()
        if user:
            self[user].force_login(User.objects.get(username=user))
        return self[user]


def pages_of(spots: list[Spot], browsers: Browsers) -> dict[str, str]:
    """Pages of the walk by spot; their links are kept."""
    pages: dict[str, str] = {}
    links = LINKS[tuple(spots)] = {}
    for spot in spots:
        pages[spot.name] = html = browsers[spot.user].get(spot.path, follow=True).content.decode()
        for path in () if spot.text else sorted({*FILE.findall(html)}):
            if not path.startswith("/static/") and spot.user not in links.setdefault(path, []):
                links[path].append(spot.user)
    return pages


def links_of(spots: list[Spot], browsers: Browsers) -> Links:
    if tuple(spots) not in LINKS:
        pages_of(spots, browsers)
    return LINKS[tuple(spots)]


def files_of(links: Links, browsers: Browsers) -> dict[str, bytes]:
    """Files by address, as the first user gets them who may. A file inside of another one has an address of its own."""
    files: dict[str, bytes] = {}
    for path, users in links.items():
        for answer in (browsers[user].get(path) for user in users):
            if answer.status_code == 200:
                files[path] = b"".join(answer) if answer.streaming else answer.content
                break
    for path, content in [*files.items()]:
        if zipfile.is_zipfile(io.BytesIO(content)):
            packed = zipfile.ZipFile(io.BytesIO(content))
            files |= {f"{path}!{name}": packed.read(name) for name in packed.namelist()}
    return files


@pytest.mark.slow("every page, and every file that it leads to")
def test_a_hostile_name_is_text_on_every_page_and_in_every_file(db, at_once) -> None:
    browsers = Browsers()
    world, spots = named(SCRIPT, FORMULA, FAMILY)
    are_text(pages_of(spots, browsers))
    files = files_of(links_of(spots, browsers), browsers)
    hold_no_formula(files)
    are_of_known_kinds(files)
    are_folded_between_letters(files)
    tell_names_letter_by_letter(files)
    answer = Client().get(f"/api/v1/players/{world.entrants[0].player.code}")
    assert answer.json()["name"] == SCRIPT
    assert answer.headers["Content-Type"] == "application/json"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


def are_text(pages: dict[str, str]) -> None:
    broken = {page: found for page, html in pages.items() if (found := [one for one in BREAKS_OUT if one in html])}
    assert broken == {}
    # Nobody made them harmless by hiding them.
    shown = {name: sum(escape(name) in html for html in pages.values()) for name in (SCRIPT, FORMULA, FAMILY)}
    assert min(shown.values()) > 20, shown


def hold_no_formula(files: dict[str, bytes]) -> None:
    tables = {path: text.decode("utf-8-sig") for path, text in files.items() if path.endswith((".csv", "/csv/"))}
    assert len(tables) > 3
    computed = {
        path: cell
        for path, text in tables.items()
        for row in csv.reader(io.StringIO(text))
        for cell in row
        if cell[:1] in {"=", "+", "-", "@"} and not NUMBER.match(cell)
    }
    assert computed == {}
    for name in (FAMILY, FORMULA):
        assert any(name in text for text in tables.values())


def are_of_known_kinds(files: dict[str, bytes]) -> None:
    """A browser runs none of them; a file of markup would need a check of its own."""
    assert {path.rstrip("/").rpartition("/")[2].rpartition(".")[2] for path in files} == KNOWN_KINDS


def are_folded_between_letters(files: dict[str, bytes]) -> None:
    """Each line of a calendar can be read alone."""
    calendars = {path: text for path, text in files.items() if path.endswith(".ics")}
    for path, text in calendars.items():
        lines = text.split(b"\r\n")
        assert max(map(len, lines)) <= 75, path
        assert all(line.decode() for line in lines if line), path
    for name in (FAMILY, FORMULA):
        assert any(name in text.decode().replace("\r\n ", "") for text in calendars.values())


def tell_names_letter_by_letter(files: dict[str, bytes]) -> None:
    """What programs read."""
    values = [json.loads(text) for path, text in files.items() if path.endswith(".json")]
    assert values
    whole = "".join(json.dumps(value, ensure_ascii=False) for value in values)
    for name in (SCRIPT, FORMULA, FAMILY):
        assert json.dumps(name, ensure_ascii=False)[1:-1] in whole


INJECTED = "Ana\r\nATTENDEE:mailto:x@example.org\r\nEND:VEVENT"
TURNED = "Ana \u202eziuR"
OF_CALENDARS = {
    *("BEGIN", "END", "VERSION", "PRODID", "CALSCALE", "METHOD", "NAME", "X-WR-CALNAME", "X-WR-TIMEZONE"),
    *("REFRESH-INTERVAL", "X-PUBLISHED-TTL", "UID", "DTSTAMP", "DTSTART", "DTEND", "DURATION", "SUMMARY", "LOCATION"),
    *("DESCRIPTION", "URL", "STATUS", "SEQUENCE", "LAST-MODIFIED", "TRANSP", "TZID", "TZOFFSETFROM", "TZOFFSETTO"),
    *("TZNAME", "RRULE", "RDATE", "COMMENT"),
}


@pytest.mark.slow("every file that every page leads to")
def test_a_name_makes_no_line_of_a_calendar_and_no_column_of_a_report(db, at_once) -> None:
    """Past the door, which lets none of these in."""
    browsers = Browsers()
    _world, spots = named(INJECTED, TURNED, FAMILY)
    links = links_of(spots, browsers)
    files = files_of({path: links[path] for path in links if path.endswith((".ics", ".trf", ".zip"))}, browsers)
    calendars = {path: text.decode() for path, text in files.items() if path.endswith(".ics")}
    assert calendars
    for path, text in calendars.items():
        lines = text.replace("\r\n ", "").split("\r\n")
        assert {line.partition(":")[0].partition(";")[0] for line in lines if line} <= OF_CALENDARS, path
        assert lines.count("BEGIN:VEVENT") == lines.count("END:VEVENT"), path
    reports = {path: text.decode() for path, text in files.items() if path.endswith(".trf")}
    assert reports
    for path, text in reports.items():
        lines = text.split("\r\n")
        assert [line for line in lines if line and line[:3] not in {"001", "012", "022", "042", "052", "062", "072",
            "092", "132", "XXR"}] == [], path  # fmt: skip
        assert all(re.fullmatch(r"[ \d]\d\.\d", line[80:84]) for line in lines if line.startswith("001")), path
        assert "\u202e" not in text, path

"""Names that were written to break a page or a file, in every place that shows them: harmless, and still legible.

On every page that the browser walks (tests/browser/places.py), and in every file that these pages hand out. A mark that
turns the direction of what follows never gets into a name (tests/league/players/test_enrolling.py).
"""

import csv
import io
import json
import re
import zipfile
from collections.abc import Iterator
from html import escape

import pytest
from django.test import Client

from league.accounts.models import User
from league.players.models import Player
from tests.browser.places import furnish

SCRIPT = "<script>alert(1)</script>\"'><img src=x>"
FORMULA = "=cmd()|'/C calc'!A0"
SIXTY = "क्षि" * 60
FAMILY = "👩‍👩‍👧‍👦" * 60
BREAKS_OUT = ("<script>alert", "<img src=x")
FILE = re.compile(r'href="(/[^"?]+\.(?:csv|zip|json|ics|txt|trf|domino|svg|png|html|xlsx)|/[^"?]+/csv/)"')
# What a number is: nobody computes anything with it.
NUMBER = re.compile(r"[+-]?\d+([.,]\d+)?$")


@pytest.fixture
def hostile(world, at_once):
    """The league of the walk, in which everybody is called something awful."""
    spots = furnish(world)
    for entrant, name in zip(world.entrants, (SCRIPT, SIXTY, FAMILY), strict=True):
        Player.objects.filter(pk=entrant.player_id).update(name=name)
    return spots


def visits(spots) -> Iterator[tuple[str, str]]:
    """Name of the spot and what its page says, to the one who looks at it."""
    clients: dict[str, Client] = {}
    for spot in spots:
        if spot.user not in clients:
            clients[spot.user] = Client()
            if spot.user:
                clients[spot.user].force_login(User.objects.get(username=spot.user))
        yield spot, clients[spot.user].get(spot.path, follow=True).content.decode()


@pytest.mark.slow("every page")
def test_a_hostile_name_is_text_on_every_page(hostile) -> None:
    broken, shown = {}, {SCRIPT: 0, SIXTY: 0, FAMILY: 0}
    for spot, html in visits(hostile):
        if found := [one for one in BREAKS_OUT if one in html]:
            broken[spot.name] = found
        for name in shown:
            shown[name] += escape(name) in html
    assert broken == {}
    # Nobody made them harmless by hiding them.
    assert min(shown.values()) > 20, shown


def files_of(spots) -> dict[str, bytes]:
    """Every file that a page leads to, and what is in those that hold others, by address."""
    found: dict[str, bytes] = {}
    for spot, html in visits(spots):
        client = Client()
        if spot.user:
            client.force_login(User.objects.get(username=spot.user))
        for path in sorted({*FILE.findall(html)} - {*found}):
            if path.startswith("/static/"):
                continue
            answer = client.get(path)
            if answer.status_code == 200:
                found[path] = b"".join(answer) if answer.streaming else answer.content
    for path, content in [*found.items()]:
        if zipfile.is_zipfile(io.BytesIO(content)):
            packed = zipfile.ZipFile(io.BytesIO(content))
            found |= {f"{path}!{name}": packed.read(name) for name in packed.namelist()}
    return found


@pytest.mark.slow("every file that every page leads to")
def test_no_cell_of_a_table_is_a_formula_and_no_file_a_page(hostile, world) -> None:
    Player.objects.filter(pk=world.entrants[1].player_id).update(name=FORMULA)
    files = files_of([spot for spot in hostile if not spot.text])
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
    assert any("cmd()" in text for text in tables.values())
    markup = {path: text for path, text in files.items() if path.endswith((".html", ".svg", ".xml"))}
    assert [path for path, text in markup.items() if any(one.encode() in text for one in BREAKS_OUT)] == []
    for path, text in files.items():
        if path.endswith(".ics"):
            lines = text.split(b"\r\n")
            assert max(map(len, lines)) <= 75, path
            # Folded between letters of UTF-8: each line can be read alone.
            assert all(line.decode() for line in lines if line), path
    calendars = [text.decode().replace("\r\n ", "") for path, text in files.items() if path.endswith(".ics")]
    for name in (FAMILY, FORMULA):
        assert any(name in text for text in tables.values())
        assert any(name in text for text in calendars)


INJECTED = "Ana\r\nATTENDEE:mailto:x@example.org\r\nEND:VEVENT"
TURNED = "Ana \u202eziuR"


@pytest.mark.slow("every file that every page leads to")
def test_a_name_makes_no_line_of_a_calendar_and_no_column_of_a_report(hostile, world) -> None:
    """Past the door, which lets none of these in."""
    for entrant, name in zip(world.entrants, (INJECTED, TURNED, FAMILY), strict=True):
        Player.objects.filter(pk=entrant.player_id).update(name=name)
    files = files_of([spot for spot in hostile if not spot.text])
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


OF_CALENDARS = {
    *("BEGIN", "END", "VERSION", "PRODID", "CALSCALE", "METHOD", "NAME", "X-WR-CALNAME", "X-WR-TIMEZONE"),
    *("REFRESH-INTERVAL", "X-PUBLISHED-TTL", "UID", "DTSTAMP", "DTSTART", "DTEND", "DURATION", "SUMMARY", "LOCATION"),
    *("DESCRIPTION", "URL", "STATUS", "SEQUENCE", "LAST-MODIFIED", "TRANSP", "TZID", "TZOFFSETFROM", "TZOFFSETTO"),
    *("TZNAME", "RRULE", "RDATE", "COMMENT"),
}


@pytest.mark.slow("every file that every page leads to")
def test_json_tells_a_name_letter_by_letter(hostile, world) -> None:
    files = files_of([spot for spot in hostile if not spot.text])
    values = {path: json.loads(text) for path, text in files.items() if path.endswith(".json")}
    assert values
    whole = "".join(json.dumps(value, ensure_ascii=False) for value in values.values())
    for name in (SCRIPT, SIXTY, FAMILY):
        assert json.dumps(name, ensure_ascii=False)[1:-1] in whole
    answer = Client().get(f"/api/v1/players/{world.entrants[0].player.code}")
    assert answer.json()["name"] == SCRIPT
    assert answer.headers["Content-Type"] == "application/json"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"

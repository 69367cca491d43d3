"""Files, imports and calendars as pages: what is looked at is what is stored; who asks again gets no second copy."""

import base64
import html
import io
import json
import zipfile
import zlib
from datetime import date

import openpyxl
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from icalendar import Calendar

from league.accounts.models import Role
from league.competitions.draw.founding import add_players
from league.competitions.draw.plans import Plan, found
from league.competitions.draw.stages import draw
from league.competitions.import_export.exporting import competition_file, to_json
from league.competitions.models import Competition, Matchday, Registration
from league.competitions.notices import Wording, amend_notice, publish_notice
from league.competitions.registration.entries import register
from league.matches.models import Match, Result, Table
from league.players.models import Player
from league.web.organize.imports import MOST_UNPACKED
from tests.web import world as small

TABLE = "Fecha\tJugador 1\tJugador 2\tTanteo\n03/10/2025\tJosé\tAna\t150-95\n10/10/2025\tAna\tJosé\t150-20\n"


@pytest.fixture
def manager(world):
    user = small.account("manager")
    Role.objects.create(user=user, league=world.league, kind=Role.Kind.MANAGER)
    return user


@pytest.fixture
def hill(world, browse):
    """Charlie's browser, who runs Hill."""
    return browse(world.charlie)


def file_of(world, user=None):
    return to_json(competition_file(user or world.owner, "harbour", world.competition.slug))


def upload(raw, name="competition.json"):
    return SimpleUploadedFile(name, raw)


def hidden(answer, name):
    text = answer.content.decode()
    return text.partition(f'name="{name}" value="')[2].partition('"')[0]


# --- Files ---


def test_every_file_on_the_page_is_there_and_the_zip_holds_them_all(world, browse):
    client, args = browse(None), ["harbour", world.competition.slug]
    page = client.get(reverse("competitions:files", args=args)).content.decode()
    names = ["competition.json", "entrants.csv", "rounds.csv", "games.csv", "standings.csv", "places.csv", "report.trf"]
    for name in ["all.zip", *names]:
        address = reverse("competitions:file", args=[*args, name])
        assert f'href="{address}"' in page
        answer = client.get(address)
        assert (answer.status_code, answer["X-Content-Type-Options"]) == (200, "nosniff")
        assert answer["Content-Disposition"] == f'attachment; filename="{world.competition.slug}-{name}"'
    held = zipfile.ZipFile(io.BytesIO(client.get(reverse("competitions:file", args=[*args, "all.zip"])).content))
    assert sorted(held.namelist()) == sorted(names)
    assert client.get(reverse("competitions:file", args=[*args, "payments.csv"])).status_code == 404


def test_money_and_years_of_birth_are_in_the_managers_files_only(world, browse, manager):
    Player.objects.filter(pk=world.entrants[0].player_id).update(born=2012)
    for user, address, has_money in (
        (manager, "organize:file", True), (world.ref, "organize:file", False), (manager, "competitions:file", False),
    ):  # fmt: skip
        args = ["harbour", world.competition.slug]
        assert browse(user).get(reverse(address, args=[*args, "payments.csv"])).status_code == (
            200 if has_money else 404
        )
        value = json.loads(browse(user).get(reverse(address, args=[*args, "competition.json"])).content)
        assert ("born" in value["entrants"][0], "payments" in value) == (has_money, has_money)


def test_a_league_comes_as_one_file_with_its_members_for_the_staff_only(world, browse, manager):
    held = {}
    for who, user, address in (("all", None, "leagues:files"), ("staff", manager, "organize:league_files")):
        answer = browse(user).get(reverse(address, args=["harbour"]))
        held[who] = set(zipfile.ZipFile(io.BytesIO(answer.content)).namelist())
    assert held["staff"] - held["all"] == {"members.csv", f"{world.competition.slug}/payments.csv"}
    assert {"league.json", f"{world.competition.slug}/games.csv"} <= held["all"]


def test_the_file_of_a_league_has_its_notices_with_everything_that_they_said(world, browse, manager):
    notice = publish_notice(world.league, Wording(title="Moved", text="One."), user=manager)
    amend_notice(notice, Wording(title="Moved", text="Two."), user=manager, seen=1)
    answer = browse(None).get(reverse("leagues:files", args=["harbour"]))
    value = json.loads(zipfile.ZipFile(io.BytesIO(answer.content)).read("league.json"))
    [told] = value["notices"]
    assert [one["text"] for one in told["versions"]] == ["One.", "Two."]
    assert (told["competition"], told["withdrawn_at"]) == (None, None)


def test_the_report_says_what_is_official(world, browse):
    answer = browse(None).get(reverse("competitions:file", args=["harbour", world.competition.slug, "report.trf"]))
    lines = answer.content.decode().split("\r\n")
    assert (lines[0], [line[:3] for line in lines if line.startswith("001")]) == (
        "012 Autumn Round Robin", ["001"] * 3,
    )  # fmt: skip
    # Berger, three of whom one has a bye each round; nothing is played yet.
    rounds = [[line.ljust(119)[start : start + 8] for start in (91, 101, 111)] for line in lines if line[:3] == "001"]
    assert [row.count("0000 - Z") for row in rounds] == [1, 1, 1]
    assert [line[80:84] for line in lines if line[:3] == "001"] == [" 0.0"] * 3, (
        "a rest brings nothing in a round robin"
    )
    match = world.match
    record = small.hand_in(world.game(match), world.ref)
    small.judge(record)
    Result.objects.filter(pk=small.enter(record).pk).update(state=Result.State.OFFICIAL, winner=1)
    Match.objects.filter(pk=match.pk).update(state=Match.State.DECIDED)
    answer = browse(None).get(reverse("competitions:file", args=["harbour", world.competition.slug, "report.trf"]))
    played = [line[91:121] for line in answer.content.decode().split("\r\n") if line[:3] == "001"]
    assert ("2 w 1" in played[0], "1 b 0" in played[1], "w 1" in played[2]) == (True, True, False)


# --- A competition's file ---


def test_a_file_is_looked_at_then_stored_without_a_second_upload(world, hill):
    address = reverse("organize:import", args=["hill"])
    before = Competition.objects.count()
    looked = hill.post(address, {"do": "look", "file": upload(file_of(world))})
    assert (looked.status_code, Competition.objects.count()) == (200, before)
    assert "Import it" in looked.content.decode()
    stored = hill.post(address, {"do": "store", "packed": hidden(looked, "packed")})
    made = Competition.objects.get(league__slug="hill")
    assert stored.url == reverse("organize:competition", args=["hill", made.slug])
    assert (made.imported_by, made.published_at, made.registrations.count()) == (world.charlie, None, 3)
    again = hill.post(address, {"do": "look", "packed": hidden(looked, "packed")})
    assert "This file was imported before. Nothing is left to do." in again.content.decode()


def test_a_file_with_a_mistake_names_its_place_and_escapes_what_it_found(world, hill):
    value = json.loads(file_of(world))
    value["entrants"][1]["key"] = value["entrants"][0]["key"]
    value["rounds"][0]["slots"][0]["starts_at"] = "<b>soon</b>"
    answer = hill.post(reverse("organize:import", args=["hill"]), {"do": "store", "file": upload(to_json(value))})
    text = answer.content.decode()
    assert answer.status_code == 422
    assert "<code>rounds[1].slots[1].starts_at</code>" in text
    assert "&lt;b&gt;soon&lt;/b&gt;" in text
    assert not Competition.objects.filter(league__slug="hill").exists()


NO_FILES = {
    "nothing": {},
    "no base64": {"packed": "%%%"},
    "nothing packed": {"packed": base64.b64encode(b"abc").decode()},
    "no JSON": {"packed": base64.b64encode(zlib.compress(b"{")).decode()},
    "deep": {"packed": base64.b64encode(zlib.compress(b"[" * 200_000)).decode()},
    "a bomb": {"packed": base64.b64encode(zlib.compress(b" " * (MOST_UNPACKED + 10))).decode()},
    "a list": {"packed": base64.b64encode(zlib.compress(b"[]")).decode()},
    "a number": {"packed": base64.b64encode(zlib.compress(b"1e999")).decode()},
}


@pytest.mark.parametrize("name", NO_FILES)
def test_what_is_no_file_is_refused_in_words(hill, name):
    answer = hill.post(reverse("organize:import", args=["hill"]), {"do": "store", **NO_FILES[name]})
    assert answer.status_code == 422
    assert "import-error" in answer.content.decode()


def test_a_second_official_confirms_an_import_on_its_page(world, hill, browse):
    hill.post(
        reverse("organize:import_results", args=["hill"]),
        {"do": "store", "name": "2025", "ruleset": "udl", "text": TABLE},
    )
    made = Competition.objects.get(league__slug="hill")
    page, confirm = (
        reverse(f"organize:{name}", args=["hill", made.slug]) for name in ("competition", "confirm_import")
    )
    second = small.account("second")
    Role.objects.create(user=second, league=made.league, kind=Role.Kind.REFEREE)
    assert "Confirm all of them" not in hill.get(page).content.decode()
    assert hill.post(confirm).status_code == 302
    assert Result.objects.filter(state="official").count() == 0
    client = browse(second)
    assert "Confirm all of them" in client.get(page).content.decode()
    client.post(confirm)
    assert Result.objects.filter(state="official", confirmed_by=second).count() == 2
    assert "Confirm all of them" not in client.get(page).content.decode()


# --- Tables ---


def test_columns_are_guessed_shown_and_corrected(hill):
    address, plan = reverse("organize:import_results", args=["hill"]), {"name": "2025", "ruleset": "udl"}
    looked = hill.post(address, {**plan, "do": "look", "text": TABLE})
    text = looked.content.decode()
    assert looked.status_code == 200
    assert ('<option value="date" selected>' in text, '<option value="score" selected>' in text) == (True, True)
    wrong = {"column-1": "date", "column-2": "player_a", "column-3": "player_a", "column-4": "score", "width": "4"}
    refused = hill.post(address, {**plan, "do": "store", "text": TABLE, **wrong})
    assert (refused.status_code, "player_b" in refused.content.decode()) == (422, True)
    right = wrong | {"column-2": "player_b"}
    assert hill.post(address, {**plan, "do": "store", "text": TABLE, **right}).status_code == 302
    assert sorted(str(row.entrant) for row in Registration.objects.filter(competition__league__slug="hill")) == [
        "Ana",
        "José",
    ]


def test_a_table_comes_as_a_file_too(hill):
    address = reverse("organize:import_results", args=["hill"])
    raw = TABLE.encode("utf-16")
    nul = {"name": "2025\0", "ruleset": "udl", "do": "store", "file": upload(raw, "past.csv")}
    assert hill.post(address, nul).status_code == 422
    answer = hill.post(address, {"name": "2025", "ruleset": "udl", "do": "store", "file": upload(raw, "past.csv")})
    assert answer.status_code == 302
    assert Competition.objects.get(league__slug="hill").registrations.count() == 2


def test_a_spreadsheet_is_read_and_carried_in_the_page(hill):
    book = openpyxl.Workbook()
    book.active.append(["Jugador A", "Jugador B", "Puntos A", "Puntos B", "Fecha"])
    book.active.append(["Ana", "-Bo", 150, 95, date(2025, 10, 31)])
    out = io.BytesIO()
    book.save(out)
    address, plan = reverse("organize:import_results", args=["hill"]), {"name": "2025", "ruleset": "udl"}
    page = hill.post(address, plan | {"do": "look", "file": SimpleUploadedFile("Liga.xlsx", out.getvalue())})
    assert page.status_code == 200
    assert "Ana\t&#x27;-Bo\t150\t95\t2025-10-31" in page.content.decode()
    text = html.unescape(page.content.decode().split('id="id_text"')[1].split(">", 1)[1].split("</textarea>")[0])
    stored = hill.post(address, plan | {"do": "store", "text": text})
    assert stored.status_code == 302
    assert list(Competition.objects.get(name="2025").registrations.values_list("entrant__player__name", flat=True)) == [
        "Ana",
        "-Bo",
    ]


def test_a_spreadsheet_that_cannot_be_read_says_so_and_loses_nothing(hill):
    address = reverse("organize:import_results", args=["hill"])
    broken = SimpleUploadedFile("Liga.xlsx", b"PK\x03\x04 broken")
    typed = {"name": "Season 2025", "ruleset": "udl", "do": "look", "text": "my notes"}
    page = hill.post(address, typed | {"file": broken})
    assert page.status_code == 422
    assert "can&#x27;t be read as a spreadsheet" in page.content.decode()
    assert 'value="Season 2025"' in page.content.decode()
    assert "my notes</textarea>" in page.content.decode()


def test_players_from_challonge_are_registered_in_the_order_of_their_ranks(world, browse, manager):
    draft = Competition.objects.create(league=world.league, name="Draft", slug="draft", ruleset="udl")
    draft.stages.create()
    address = reverse("organize:entrants_table", args=["harbour", "draft"])
    text = "Rank\tParticipant\tMatch W-L-T\n2\tZoe New\t1 - 1 - 0\n1\tAna Ruiz\t2 - 0 - 0\n"
    client = browse(manager)
    looked = client.post(address, {"do": "look", "text": text})
    assert (looked.status_code, draft.registrations.count()) == (200, 0)
    assert "Add players" in looked.content.decode()
    client.post(address, {"do": "store", "text": text})
    assert [str(row.entrant) for row in draft.registrations.order_by("seed")] == ["Ana Ruiz", "Zoe New"]


# --- Calendars ---


def test_who_has_the_calendar_is_told_that_nothing_changed(world, browse):
    client, address = browse(None), reverse("competitions:calendar", args=["harbour", world.competition.slug])
    first = client.get(address)
    assert (first.status_code, first["Content-Type"]) == (200, "text/calendar; charset=utf-8")
    assert len(Calendar.from_ical(first.content).walk("VEVENT")) == 3
    again = client.get(address, headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    Player.objects.filter(pk=world.entrants[0].player_id).update(name="Ana New")
    assert client.get(address, headers={"If-None-Match": first["ETag"]}).status_code == 200
    assert first["Last-Modified"].endswith("GMT")


def test_pages_lead_to_their_calendars_in_both_ways(world, browse):
    code, door = world.entrants[0].player.code, world.entrants[0].door
    for page, feed in (
        (reverse("competitions:schedule", args=["harbour", world.competition.slug]),
         reverse("competitions:calendar", args=["harbour", world.competition.slug])),
        (reverse("leagues:detail", args=["harbour"]), reverse("leagues:calendar", args=["harbour"])),
        (reverse("players:detail", args=[code]), reverse("players:calendar", args=[code])),
        (reverse("personal:me", args=[door]), reverse("personal:calendar", args=[door])),
    ):  # fmt: skip
        text = browse(None).get(page).content.decode()
        assert (f'href="webcal://testserver{feed}"' in text, f'href="{feed}"' in text) == (True, True)
        assert browse(None).get(feed).status_code == 200
    Player.objects.filter(code=code).update(born=2012)
    assert "calendar.ics" not in browse(None).get(reverse("players:detail", args=[code])).content.decode()


def test_the_personal_calendar_is_kept_by_nobody_on_the_way(world, browse):
    answer = browse(None).get(reverse("personal:calendar", args=[world.entrants[0].door]))
    assert (answer["Cache-Control"], answer["X-Robots-Tag"]) == ("private, no-cache", "noindex, nofollow, noarchive")
    assert browse(None).get(reverse("personal:calendar", args=["nobody"])).status_code == 404


def test_the_screen_of_all_tables_leads_to_the_calendar_of_each(world, browse):
    text = browse(world.ref).get(reverse("organize:tables", args=["harbour"])).content.decode()
    for table in Table.objects.filter(league=world.league):
        address = reverse("leagues:table_calendar", args=["harbour", table.pk])
        assert address in text
        assert browse(None).get(address).status_code == 200


# --- The same list again ---

SEEDED = "Seed;Name;Club\n2;Ana Ruiz;\n1;Zoe New;Mill\n;Yara Other;\n"


def test_a_list_with_seeds_is_registered_in_their_order_and_again_changes_nothing(world, browse):
    made = found(world.league, Plan(name="Listed", ruleset="udl"), user=world.owner)
    register(made, [world.entrants[1]])
    path = "/organize/harbour/competitions/listed/entrants/table/"
    client = browse(world.owner)
    looked = client.post(path, {"text": SEEDED, "do": "look"}).content.decode()
    assert "registered already" not in looked
    sent = {"text": SEEDED, "do": "store"}
    assert "3 players were added." in client.post(path, sent, follow=True).content.decode()
    expected = [(1, "Bo Chen"), (2, "Zoe New"), (3, "Ana Ruiz"), (4, "Yara Other")]
    rows = made.registrations.order_by("seed").values_list("seed", "entrant__player__name")
    assert list(rows) == expected
    draw(made, user=world.owner)
    assert client.post(path, {"text": SEEDED, "do": "look"}).content.decode().count("registered already") == 3
    page = client.post(path, sent, follow=True).content.decode()
    assert "3 were registered already and stay as they were." in page
    assert list(rows.all()) == expected
    assert Matchday.objects.filter(stage__competition=made).exists(), "the draw stands"
    more = SEEDED + "9;Xena Late;\n"
    assert "1 player was added." in client.post(path, {"text": more, "do": "store"}, follow=True).content.decode()
    assert list(rows.all()) == [*expected, (5, "Xena Late")]


PAIRED = "Name;Partner;Club\nAna Ruiz;Leo Paz;\nCy Diaz;Dee Roe;Mill\nEva Mar / Fito Rey;;\n"


def test_a_table_of_pairs_is_registered_beside_those_who_are_and_again_changes_nothing(world, browse):
    made = found(world.league, Plan(name="Listed", ruleset="udl", pairs=True), user=world.owner)
    add_players(made, "Dee Roe / Cy Diaz", user=world.owner)
    path = "/organize/harbour/competitions/listed/entrants/table/"
    client = browse(world.owner)
    assert client.post(path, {"text": PAIRED, "do": "look"}).content.decode().count("registered already") == 2
    page = client.post(path, {"text": PAIRED, "do": "store"}, follow=True).content.decode()
    assert "2 pairs were added." in page
    assert "1 was registered already and stays as it was." in page
    rows = made.registrations.order_by("seed").select_related("entrant__player", "entrant__partner")
    expected = ["Dee Roe & Cy Diaz", "Ana Ruiz & Leo Paz", "Eva Mar & Fito Rey"]
    assert [row.entrant.full_name for row in rows] == expected
    page = client.post(path, {"text": PAIRED, "do": "store"}, follow=True).content.decode()
    assert "3 were registered already and stay as they were." in page
    assert [row.entrant.full_name for row in rows.all()] == expected
    looked = client.post(path, {"text": "Name;Partner\nAna Ruiz;Gil Ros\n", "do": "look"}).content.decode()
    assert looked.count("registered already") == 0
    refused = client.post(path, {"text": "Name;Partner\nAna Ruiz;Gil Ros\n", "do": "store"})
    assert refused.status_code == 422
    assert "in the pair Ana Ruiz &amp; Leo Paz" in refused.content.decode()

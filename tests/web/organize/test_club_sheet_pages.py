"""Tables of a club on the import pages: questions before anything is stored, and where each mistake is."""

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from league.accounts.models import Role
from league.competitions.draw.publishing import publish
from league.competitions.models import Competition, Registration
from league.matches.models import Match
from league.players.models import Player
from tests.league.competitions.import_export.club_sheets import CROSS, TITLED, workbook_of_a_club
from tests.web import world as small

PLAN = {"name": "2025", "ruleset": "udl"}
ALIKE = "Round;Player A;Player B;Score\n1;Ana Ruiz;Bo Chen;150-95\n2;Ana Ruíz;Bo Chenn;150-20\n"


@pytest.fixture
def hill(world, browse):
    """Charlie's browser, who runs Hill."""
    return browse(world.charlie)


@pytest.fixture
def address():
    return reverse("organize:import_results", args=["hill"])


def keys(answer):
    return list(dict.fromkeys(re.findall(r'name="(alike-\w+)"', answer.content.decode())))


def test_names_that_look_alike_are_asked_about_before_anything_is_stored(hill, address):
    looked = hill.post(address, PLAN | {"do": "look", "text": ALIKE})
    asked = keys(looked)
    assert (looked.status_code, len(asked)) == (200, 2)
    for answers in ({}, {asked[0]: "first"}, {asked[0]: "first", asked[1]: "nonsense"}):
        refused = hill.post(address, PLAN | {"do": "store", "text": ALIKE} | answers)
        assert (refused.status_code, Competition.objects.filter(league__slug="hill").count()) == (422, 0)
        assert "say of each two names that look alike" in refused.content.decode()
    assert 'value="first" required checked' in refused.content.decode(), "the given answer is kept"
    done = hill.post(address, PLAN | {"do": "store", "text": ALIKE, asked[0]: "second", asked[1]: "two"})
    assert done.status_code == 302
    rows = Registration.objects.filter(competition__league__slug="hill").order_by("seed")
    assert [str(row.entrant) for row in rows] == ["Ana Ruíz", "Bo Chen", "Bo Chenn"]


def test_a_list_of_players_asks_too_and_leaves_out_the_second_line(world, browse):
    Role.objects.create(user=(user := small.account("manager")), league=world.league, kind=Role.Kind.MANAGER)
    draft = Competition.objects.create(league=world.league, name="Draft", slug="draft", ruleset="udl")
    draft.stages.create()
    place, client = reverse("organize:entrants_table", args=["harbour", "draft"]), browse(user)
    text = "Nombre;Apellidos\nZoe;Neuville\nZoé;Neuville\n"
    asked = keys(client.post(place, {"do": "look", "text": text}))
    assert client.post(place, {"do": "store", "text": text}).status_code == 422
    assert not Player.objects.filter(name__contains="Neuville").exists()
    client.post(place, {"do": "store", "text": text, asked[0]: "second"})
    assert [str(row.entrant) for row in draft.registrations.all()] == ["Zoé Neuville"]


def test_a_season_asks_across_its_divisions(hill, address):
    text = "Date;Division;Player A;Player B;Score\n2025-10-03;A;Ana Ruiz;Bo Chen;9-5\n;B;Ana Ruíz;Cy Diaz;9-5\n"
    looked = hill.post(address, PLAN | {"do": "look", "text": text})
    assert len(keys(looked)) == 1
    assert hill.post(address, PLAN | {"do": "store", "text": text}).status_code == 422


def test_a_mistake_names_file_sheet_line_and_column(hill, address):
    wrong = TITLED.replace("120 pts", "many").encode("cp1252", errors="replace")
    page = hill.post(address, PLAN | {"do": "look", "file": SimpleUploadedFile("Liga.csv", wrong)})
    assert page.status_code == 422
    assert "Liga.csv, line 6, column F “Puntos 1”" in page.content.decode()
    book = SimpleUploadedFile("Liga.xlsx", workbook_of_a_club())
    page = hill.post(address, PLAN | {"do": "look", "file": book})
    text = page.content.decode()
    assert page.status_code == 200
    assert "Sheet “Resultados 2025” is read." in text
    assert "1 open match" in text
    assert "best of 3" in text
    carried = {
        "of_file": "Liga.xlsx",
        "of_sheet": "Resultados 2025",
        "text": "Player A\tPlayer B\tScore\nAna\tBo\tmany\n",
    }
    again = hill.post(address, PLAN | carried | {"do": "look"}).content.decode()
    assert "Liga.xlsx, sheet “Resultados 2025”, line 2, column C “Score”" in again


def test_another_sheet_is_read_by_its_title(hill, address):
    for wanted, status in (("resultados 2025", 200), ("PORTADA", 422), ("Nowhere", 422)):
        book = SimpleUploadedFile("Liga.xlsx", workbook_of_a_club())
        page = hill.post(address, PLAN | {"do": "look", "sheet": wanted, "file": book})
        assert page.status_code == status
    assert "The file has no sheet “Nowhere”. It has: Portada, Resultados 2025." in page.content.decode()


def test_a_cross_table_says_whose_column_is_which_and_is_stored(hill, address):
    page = hill.post(address, PLAN | {"do": "look", "text": CROSS}).content.decode()
    assert "Against <bdi>José Peña</bdi>" in page
    assert '<option value="cross" selected>' in page
    chosen = {"width": "7", "column-2": "cross"}
    assert hill.post(address, PLAN | {"do": "store", "text": CROSS} | chosen).status_code == 302
    assert Match.objects.filter(league__slug="hill").count() == 6


def test_an_open_match_is_played_after_the_import(world, hill, address):
    hill.post(address, PLAN | {"do": "store", "text": TITLED})
    made = Competition.objects.get(league__slug="hill")
    publish(made, user=world.charlie)
    page = hill.get(reverse("organize:competition", args=["hill", made.slug]))
    assert page.status_code == 200
    open_one = Match.objects.get(league=made.league, state=Match.State.SCHEDULED)
    assert {str(side.entrant) for side in open_one.sides.all()} == {"José Peña", "Mia Sol"}


def test_names_and_titles_are_escaped(hill, address):
    text = "<b>Liga</b>;;\nPlayer A;Player B;Score\nAna <i>Ruiz;Bo;9-5\nAna <i>Ruíz;Cy;9-5\n"
    page = hill.post(address, PLAN | {"do": "look", "text": text}).content.decode()
    assert "&lt;b&gt;Liga&lt;/b&gt;" in page
    assert "<i>Ru" not in page

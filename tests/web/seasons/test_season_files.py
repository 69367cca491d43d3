"""The files of a season on its pages, and a season that comes in from a file or a table."""

import csv
import io
import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from openpyxl import Workbook

from league.competitions.import_export.exporting import to_json
from league.competitions.import_export.season_exporting import NAMES, season_file, season_files
from league.competitions.models import Competition, Season
from tests.league.competitions.import_export.test_season_files import played
from tests.league.competitions.import_export.test_transfer import give
from tests.league.competitions.season_world import founded, published_season
from tests.league.world import World, make_world
from tests.web.seasons.test_seasons import words

pytestmark = pytest.mark.django_db
IMPORT = "/organize/hills/import/"
RESULTS = "/organize/hills/import/results/"


@pytest.fixture
def world() -> World:
    return make_world()


@pytest.fixture
def there(client, world):
    """The organizer of the other league."""
    client.force_login(world.charlie)
    return client


def upload(raw: bytes, name: str = "season.json") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, raw)


def filed(world, season) -> bytes:
    return to_json(season_file(world.owner, "harbour", season.slug))


def test_every_file_that_is_listed_is_there_for_everybody_and_for_the_staff(client, world):
    season = published_season(world)
    index = client.get(reverse("seasons:files", args=["harbour", season.slug]))
    assert [name for name, _told in index.context["files"]] == list(NAMES)
    for name in NAMES:
        answer = client.get(reverse("seasons:file", args=["harbour", season.slug, name]))
        assert (answer.status_code, answer.headers["Content-Disposition"]) == (
            200, f'attachment; filename="{season.slug}-{name}"',
        )  # fmt: skip
    assert client.get(reverse("seasons:file", args=["harbour", season.slug, "secrets.csv"])).status_code == 404
    client.force_login(world.owner)
    assert client.get(reverse("organize:season_files", args=["harbour", season.slug])).status_code == 200
    whole = client.get(reverse("organize:season_file", args=["harbour", season.slug, "season.json"]))
    assert "checked_in_at" in json.loads(whole.content)["divisions"][0]["competition"]["entrants"][0]


def test_a_season_is_looked_at_stored_and_confirmed_on_the_pages(there, world):
    raw = filed(world, played(world))
    seen = there.post(IMPORT, {"do": "look", "file": upload(raw)})
    assert "Winter 2027 3 divisions 19 matches 19 results 12 new players 0 known players" in words(seen)
    assert Season.objects.filter(league=world.elsewhere).count() == 0
    packed = seen.context["packed"]
    stored = there.post(IMPORT, {"do": "store", "packed": packed}, follow=True)
    assert "It is imported." in words(stored)
    season = Season.objects.get(league=world.elsewhere)
    here = reverse("organize:season", args=["hills", season.slug])
    assert stored.redirect_chain[-1][0] == here
    assert "19 results of the file wait" in words(stored)
    second = give(world.elsewhere)
    own = there.post(here, {"do": "confirm"})
    assert (own.status_code, "Another official of the league confirms it." in words(own)) == (403, True)
    again = there.post(IMPORT, {"do": "store", "packed": packed}, follow=True)
    assert "The league has this season already. Nothing is left to do." in words(again)
    there.force_login(second)
    assert "19 results are confirmed now." in words(there.post(here, {"do": "confirm"}, follow=True))


def test_what_is_wrong_with_a_file_is_said_by_its_place(there, world):
    value = json.loads(filed(world, founded(world)))
    value["divisions"][1]["level"] = 5
    answer = there.post(IMPORT, {"do": "look", "file": upload(json.dumps(value).encode())})
    assert answer.status_code == 422
    assert "divisions[2].level : Divisions are numbered from 1, the top, without a gap." in words(answer)


def rows_of(raw: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(raw.decode("utf-8-sig"))))


def standings(league: str, user, season) -> list[tuple[str, ...]]:
    table = season_files(season_file(user, league, season.slug))["standings.csv"]()
    return [
        (row["division"], row["rank"], row["name"], row["won"], row["points_for"])
        for row in rows_of(table)
        if row["table"] == "provisional"
    ]


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_the_table_of_results_of_a_season_comes_back_as_its_divisions(there, world, kind):
    season = played(world)
    raw = season_files(season_file(world.owner, "harbour", season.slug))["games.csv"]()
    file = upload(raw, "games.csv") if kind == "csv" else upload(as_workbook(raw), "games.xlsx")
    seen = there.post(RESULTS, {"name": "Winter 2027", "ruleset": "udl", "file": file})
    assert seen.context["season_seen"].counts == {
        "divisions": 3, "matches": 18, "games": 18, "new": 12, "known": 0,
    }  # fmt: skip
    table = seen.context["table"]
    data = {"name": "Winter 2027", "ruleset": "udl", "text": table.text, "width": table.sheet.width}
    data |= {f"column-{column + 1}": field for field, column in table.columns.items()}
    assert there.post(RESULTS, {**data, "do": "store"}).status_code == 302
    made = Season.objects.get(league=world.elsewhere)
    assert list(made.divisions.values_list("level", "name")) == [
        (1, "Division 1"), (2, "Division 2"), (3, "Division 3"),
    ]  # fmt: skip
    assert str(made.starts_on) == "2027-01-05"
    assert standings("hills", world.charlie, made) == standings("harbour", world.owner, season)
    count = Competition.objects.count()
    there.post(RESULTS, {**data, "do": "store"})
    assert Competition.objects.count() == count


def as_workbook(raw: bytes) -> bytes:
    book, out = Workbook(), io.BytesIO()
    for row in csv.reader(io.StringIO(raw.decode("utf-8-sig"))):
        book.active.append(row)
    book.save(out)
    return out.getvalue()


HEAD = "division,date,player a,player b,points a,points b"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (f"{HEAD}\n,2025-10-03,Ana,Bo,150,90", "line 2 : This line does not say its division."),
        (f"{HEAD}\nA,2025-10-03,Ana,Bo,x,90", "line 2, column E “points a” : Points are numbers"),
        ("division,player a,player b,points a,points b\nA,Ana,Bo,150,90", "say which column has the dates"),
    ],
)
def test_a_line_of_a_season_that_cannot_be_read_is_named(there, text, told):
    answer = there.post(RESULTS, {"name": "Past", "ruleset": "udl", "text": text})
    assert (answer.status_code, told in words(answer)) == (422, True)


def test_somebody_in_two_divisions_of_a_table_is_named_and_nothing_is_stored(there, world):
    lines = ["A,2025-10-03,Ana,Bo,150,90", "B,2025-10-03,Ana,Cy,150,90"]
    data = {"name": "Past", "ruleset": "udl", "text": "\n".join([HEAD, *lines]), "do": "store"}
    answer = there.post(RESULTS, data)
    assert (answer.status_code, "Ana is named in A and in B." in words(answer)) == (422, True)
    assert not Season.objects.exists()

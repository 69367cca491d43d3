"""Every import format is one entry, each reads what it writes, and a new one is a few lines."""

import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from league.api.base.tokens import make_token
from league.api.models import TokenScope
from league.competitions.import_export import reading, registry
from league.competitions.import_export.exporting import EVERYBODY, to_json
from league.competitions.import_export.registry import (
    COMPETITION_FILE,
    IMPORT_FORMATS,
    SEASON_FILE,
    TEXT_TABLE,
    WORKBOOK,
    Holds,
    ImportFormat,
    accepted,
    content_of,
    format_of,
)
from league.competitions.models import Competition
from league.errors import Refused
from tests.league.competitions.cup import published
from tests.league.competitions.import_export.test_season_files import played as played_season

# A file's bytes, the contents that are looked for, and the format that it then is.
RECOGNIZED = [
    (b'{"format": "domino-league-competition"}', (Holds.COMPETITION, Holds.SEASON), COMPETITION_FILE),
    (b'{"format": "domino-league-season"}', (Holds.COMPETITION, Holds.SEASON), SEASON_FILE),
    (b'{"format": "domino-league-season"}', (Holds.COMPETITION,), COMPETITION_FILE),
    (b"[1]", (Holds.COMPETITION, Holds.SEASON), COMPETITION_FILE),
    (b"PK\x03\x04 packed", (Holds.TABLE,), WORKBOOK),
    (b"Ana;Bo;150;95", (Holds.TABLE,), TEXT_TABLE),
]


def test_every_format_has_a_key_of_its_own() -> None:
    assert [one.key for one in IMPORT_FORMATS] == ["season.json", "competition.json", "xlsx", "csv"]


@pytest.mark.parametrize(("raw", "holds", "expected"), RECOGNIZED)
def test_a_file_is_recognized_by_its_content(raw: bytes, holds: tuple[Holds, ...], expected: ImportFormat) -> None:
    content = raw if Holds.TABLE in holds else content_of(raw)
    assert format_of(content, *holds) is expected


def test_a_file_of_no_format_is_refused() -> None:
    with pytest.raises(Refused) as refused:
        format_of(content_of(b"{"), Holds.COMPETITION, Holds.SEASON)
    assert refused.value.code == "no-json"


def test_the_file_pickers_offer_each_ending_once() -> None:
    assert accepted(Holds.COMPETITION, Holds.SEASON) == ".json,application/json"
    assert {".xlsx", ".csv", ".txt", ".tsv"} < set(accepted(Holds.TABLE).split(","))


def test_a_format_reads_what_it_writes(world) -> None:
    cup, season = published(world, 4, format="round_robin"), played_season(world)
    slugs = {COMPETITION_FILE.key: cup.slug, SEASON_FILE.key: season.slug}
    assert {one.key for one in IMPORT_FORMATS if one.write} == set(slugs)
    for key, slug in slugs.items():
        [one] = [one for one in IMPORT_FORMATS if one.key == key]
        content = content_of(to_json(one.write(EVERYBODY, world.league.slug, slug)))
        assert format_of(content, Holds.COMPETITION, Holds.SEASON) is one
        assert (one.read(content).mistakes, one.comparable(content)) == ((), content)


# --- A new format ---


def read_duel(content: dict[str, Any]) -> reading.ReadFile:
    """Read {"duel": [name, name, points, points]}."""
    *names, a, b = content["duel"]
    game = {"number": 1, "points": [a, b], "winner": 1 if a > b else 2}
    slot = {"number": 1, "berths": [{"entrant": one} for one in names], "match": {"games": [game]}}
    return reading.read(
        {
            "format": reading.FORMAT,
            "edition": reading.EDITION,
            "key": "-".join(names),
            "competition": {"name": " against ".join(names), "ruleset": "udl"},
            "stages": [{"number": 1, "format": "round_robin"}],
            "entrants": [{"key": one, "name": one, "seed": seed} for seed, one in enumerate(names, start=1)],
            "rounds": [{"stage": 1, "number": 1, "slots": [slot]}],
        }
    )


DUEL = ImportFormat(
    key="duel", holds=Holds.COMPETITION, accept=(".duel",), recognizes=lambda one: "duel" in one, read=read_duel
)
WIKI = ImportFormat(
    key="wiki",
    holds=Holds.TABLE,
    accept=(".wiki",),
    recognizes=lambda raw: raw.startswith(b"{|"),
    read=lambda raw: "\n".join(row.replace(b"||", b"\t").decode() for row in raw.split(b"\n|-\n")[1:-1]),
)
FILE = json.dumps({"duel": ["Ana Sol", "Bo Luz", 150, 95]}).encode()
TABLE = b"{|\n|-\nPlayer A||Player B||Score\n|-\nAna Sol||Bo Luz||150-95\n|-\n|}"


@pytest.fixture
def hills(world, client, monkeypatch) -> Client:
    """A browser of the manager of Hills, on a site with two toy formats."""
    monkeypatch.setattr(registry, "IMPORT_FORMATS", [DUEL, WIKI, *IMPORT_FORMATS])
    client.force_login(world.charlie)
    return client


@pytest.mark.parametrize(
    ("page", "ending", "raw", "name"),
    [
        ("/organize/hills/import/", ".duel", FILE, "Ana Sol against Bo Luz"),
        ("/organize/hills/import/results/", ".wiki", TABLE, "Spring"),
    ],
)
def test_a_new_format_is_previewed_and_imported_on_its_page(hills, page: str, ending: str, raw: bytes, name: str):
    assert f'accept="{ending},' in hills.get(page).content.decode()
    typed = {"name": "Spring", "ruleset": "udl"}
    looked = hills.post(page, typed | {"do": "look", "file": SimpleUploadedFile(f"one{ending}", raw)})
    assert (looked.status_code, "Import it" in looked.content.decode()) == (200, True)
    for _time in range(2):
        stored = hills.post(page, typed | {"do": "store", "file": SimpleUploadedFile(f"one{ending}", raw)})
    made = Competition.objects.get(league__slug="hills")
    assert made.name == name
    assert [str(one) for one in made.registrations.order_by("seed")] == ["Ana Sol", "Bo Luz"]
    assert "This file was imported before. Nothing is left to do." in stored.content.decode()


def test_a_new_format_is_imported_by_a_program(world, hills) -> None:
    key = make_token(world.charlie, name="a program", scopes=[TokenScope.MANAGE])[1]
    program = Client(headers={"Authorization": f"Bearer {key}"})
    path = "/api/v1/leagues/hills/imports"
    looked = program.post(f"{path}/preview", FILE, content_type="application/json").json()
    assert (looked["may_store"], looked["games"], looked["new_players"]) == (True, 1, 2)
    answers = [program.post(path, FILE, content_type="application/json") for _time in range(2)]
    assert [(one.status_code, one.json()["created"]) for one in answers] == [(201, True), (200, False)]
    assert program.post(f"{path}/preview", FILE, content_type="application/json").json()["differs"] == []

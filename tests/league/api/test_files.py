"""Files of a competition out, and in again, by programs."""

import csv
import io
import json
import zipfile

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from league.api.resources.organize.imports import EXAMPLE
from league.competitions.models import Competition, Registration
from tests.league.api.conftest import Program, problem_of
from tests.league.api.played import Played
from tests.league.competitions.cup import published
from tests.league.competitions.draw.test_qualifying import GROUPS, play_groups
from tests.league.world import World

FILES = "/api/v1/competitions/harbour/autumn/files"
IMPORTS = "/api/v1/leagues/hills/imports"


def send(client: Client, value: object, path: str = IMPORTS, **headers: str):
    return client.post(path, json.dumps(value), content_type="application/json", headers=headers)


def exported(client: Client) -> dict:
    return json.loads(client.get(f"{FILES}/competition.json").content)


# --- Out ---


def test_every_file_that_is_listed_is_there_in_its_type(played: Played) -> None:
    listed = Client().get(FILES).json()
    assert [(one["name"], one["type"]) for one in listed] == [
        ("all.zip", "application/zip"),
        ("competition.json", "application/json"),
        ("entrants.csv", "text/csv; charset=utf-8"),
        ("rounds.csv", "text/csv; charset=utf-8"),
        ("games.csv", "text/csv; charset=utf-8"),
        ("standings.csv", "text/csv; charset=utf-8"),
        ("places.csv", "text/csv; charset=utf-8"),
        ("report.trf", "text/plain"),
    ]
    for one in listed:
        answer = Client().get(one["url"], headers={"Accept": one["type"]})
        assert (answer.status_code, answer.headers["Content-Type"]) == (200, one["type"])
    held = zipfile.ZipFile(io.BytesIO(Client().get(f"{FILES}/all.zip").content))
    assert len(held.namelist()) == len(listed) - 1
    rows = list(csv.DictReader(io.StringIO(Client().get(f"{FILES}/games.csv").content.decode("utf-8-sig"))))
    assert [row["state"] for row in rows] == ["official"]


def test_a_file_that_is_not_there_is_a_problem_whatever_was_asked_for(played: Played) -> None:
    answer = Client().get(f"{FILES}/secrets.csv", headers={"Accept": "text/csv"})
    assert problem_of(answer)["code"] == "not-found"


def test_money_is_the_managers(played: Played, program: Program) -> None:
    found = [exported(program(user)) for user in (None, played.world.referee, played.owner)]
    assert [("born" in one["entrants"][0], "payments" in one) for one in found] == [
        (False, False),
        (False, False),
        (True, True),
    ]
    assert program(played.world.referee).get(f"{FILES}/payments.csv").status_code == 404
    assert program(played.owner).get(f"{FILES}/payments.csv").status_code == 200


def test_files_take_the_same_statements_for_any_number_of_matches(world: World) -> None:
    counted = []
    for name, count in (("Small", 3), ("Large", 9)):
        cup = published(world, count, name=name, format="round_robin")
        with CaptureQueriesContext(connection) as found:
            assert Client().get(f"/api/v1/competitions/harbour/{cup.slug}/files/all.zip").status_code == 200
        counted.append(len(found))
    assert counted[0] == counted[1]


# --- In ---


def test_a_competition_goes_from_one_league_to_another(played: Played, program: Program) -> None:
    value = exported(program(played.owner))
    charlie = program(played.world.charlie)
    looked = send(charlie, value, f"{IMPORTS}/preview").json()
    assert looked == {
        "may_store": True,
        "rounds": 1,
        "matches": 1,
        "games": 1,
        "new_players": 2,
        "known_players": 0,
        "mistakes": [],
        "unclear": [],
        "known_as": None,
        "differs": [],
    }
    assert not Competition.objects.filter(league=played.world.elsewhere).exists()
    made = send(charlie, value)
    assert (made.status_code, made.json()["created"], made.json()["slug"]) == (201, True, "autumn")
    again = send(charlie, value)
    assert (again.status_code, again.json()["created"]) == (200, False)
    assert send(charlie, value, f"{IMPORTS}/preview").json()["known_as"] == "autumn"
    assert Competition.objects.filter(league=played.world.elsewhere).count() == 1
    assert charlie.get(made.json()["url"]).json()["published_at"] is None


def test_one_key_imports_once_and_answers_the_same(played: Played, program: Program) -> None:
    charlie = program(played.world.charlie)
    first, second = (send(charlie, EXAMPLE.value, **{"Idempotency-Key": "import-1"}) for _ in range(2))
    assert (first.status_code, second.status_code, second.content) == (201, 201, first.content)
    assert second.headers["Idempotent-Replay"] == "true"
    assert Competition.objects.filter(league=played.world.elsewhere).count() == 1


def test_the_places_of_mistakes_are_named_and_nothing_is_stored(played: Played, program: Program) -> None:
    value = json.loads(json.dumps(EXAMPLE.value))
    value["rounds"][0]["slots"][0]["berths"][1] = {"entrant": "Z"}
    value["rounds"][0]["slots"][0]["match"]["games"][0]["points"] = [150]
    charlie = program(played.world.charlie)
    refused = problem_of(send(charlie, value))
    assert (refused["status"], refused["code"]) == (422, "import-mistakes")
    places = ["rounds[1].slots[1].match.games[1].points", "rounds[1].slots[1].berths[2].entrant"]
    assert [one["field"] for one in refused["errors"]] == places
    looked = send(charlie, value, f"{IMPORTS}/preview").json()
    assert (looked["may_store"], [one["place"] for one in looked["mistakes"]]) == (False, places)
    assert not Competition.objects.filter(league=played.world.elsewhere).exists()


@pytest.mark.parametrize("value", [[], "a", {}, {"format": "other"}, {"format": EXAMPLE.value["format"], "edition": 2}])
def test_what_is_no_competition_is_a_problem(played: Played, program: Program, value: object) -> None:
    charlie = program(played.world.charlie)
    assert problem_of(send(charlie, value))["code"] == "import-mistakes"
    assert send(charlie, value, f"{IMPORTS}/preview").json()["may_store"] is False


def test_a_name_that_is_taken_and_a_plan_that_cannot_be_are_mistakes(played: Played, program: Program) -> None:
    charlie = program(played.world.charlie)
    assert send(charlie, EXAMPLE.value).status_code == 201
    wrong = EXAMPLE.value | {"key": "OTHER", "competition": EXAMPLE.value["competition"] | {"best_of": 2}}
    refused = problem_of(send(charlie, wrong))
    assert [one["field"] for one in refused["errors"]] == ["competition", "competition.name"]


def test_another_file_under_the_same_key_is_refused(played: Played, program: Program) -> None:
    charlie = program(played.world.charlie)
    send(charlie, EXAMPLE.value)
    other = EXAMPLE.value | {"competition": EXAMPLE.value["competition"] | {"best_of": 3}}
    refused = problem_of(send(charlie, other))
    assert (refused["status"], refused["code"], "competition.best_of" in refused["detail"]) == (
        409,
        "import-differs",
        True,
    )
    assert "competition.best_of" in send(charlie, other, f"{IMPORTS}/preview").json()["differs"]


def test_who_is_meant_has_to_be_clear(played: Played, program: Program) -> None:
    owner = program(played.owner)
    value = EXAMPLE.value | {"entrants": [EXAMPLE.value["entrants"][0], {"key": "B", "name": "Ana Ruiz", "seed": 2}]}
    path = "/api/v1/leagues/harbour/imports"
    looked = send(owner, value, f"{path}/preview").json()
    assert (looked["may_store"], [(one["entrant"], one["note"]) for one in looked["unclear"]]) == (
        False,
        [(2, "repeated")],
    )
    assert problem_of(send(owner, value, path))["code"] == "paste-unclear"


# --- What rounds and standings say besides ---


def test_groups_parts_and_reasons_are_told(world: World, program: Program) -> None:
    def rounds(cup, client=None):
        return (client or Client()).get(f"/api/v1/competitions/harbour/{cup.slug}/rounds").json()["results"]

    groups = published(world, 8, name="Groups", **GROUPS)
    assert {one["group"] for one in rounds(groups)[0]["slots"]} == {1, 2}
    lives = rounds(published(world, 4, name="Lives", format="double_elimination"))
    assert [day["section"] for day in lives] == ["winners", "winners", "losers", "losers", "final", "final"]
    assert [one["conditional"] for day in lives for one in day["slots"]][-1] is True
    swiss = published(world, 6, name="Swiss", format="swiss", rounds=3)
    slot = rounds(swiss, program(world.owner))[0]["slots"][0]
    assert {"code": "same-score", "facts": {"score": 0}} in slot["reasons"]
    assert [one["reasons"] for one in rounds(swiss)[0]["slots"]] == [[], [], []]


def test_a_row_of_the_standings_has_the_rating_at_the_start(world: World) -> None:
    cup = published(world, 8, name="Groups", **GROUPS)
    play_groups(world, cup)
    Registration.objects.filter(competition=cup, seed=1).update(rating=1612)
    rows = Client().get(f"/api/v1/competitions/harbour/{cup.slug}/standings").json()["rows"]
    assert {row["player"]["name"]: row["rating"] for row in rows if row["rating"]} == {"Ana Ruiz": 1612}

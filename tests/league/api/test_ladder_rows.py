"""A ladder by a program: places, challenges, who may, and that nothing is done twice."""

from typing import Any

import pytest
from django.test import Client

from league.competitions.draw.advancing import advance
from league.competitions.draw.publishing import publish
from league.competitions.draw.stages import draw
from league.competitions.ladders.services import challenge
from league.competitions.models import Challenge, Competition, Matchday
from league.competitions.registration.entries import register
from league.matches.logs.submission import confirm_result
from league.matches.models import KnownBy
from league.matches.results.entering import enter_sheet
from league.players.services import enrol
from tests.league.api.conftest import Program, problem_of
from tests.league.api.managed import founded
from tests.league.api.played import Played
from tests.league.api.test_api_permissions import ASKERS, DEAD, NOBODY, client_of
from tests.league.world import NOON, World

LADDER = "competitions/harbour/ladder"


@pytest.fixture
def ladder(played: Played) -> Competition:
    """From the top: Cy, Bo, Dee, Ana."""
    world = played.world
    cy, dee = (enrol(league=world.league, name=name, since=NOON.date()) for name in ("Cy", "Dee"))
    made = founded(world, "Ladder", format="ladder", challenge_reach=2, challenge_days=14)
    register(made, [cy, world.bo, dee, world.ana])
    draw(made, user=world.owner)
    publish(made, user=world.owner)
    return made


def code(ladder: Competition, name: str) -> str:
    return ladder.registrations.get(entrant__player__name__startswith=name).entrant.player.code


def send(client: Client, path: str, body: dict[str, Any] | None = None, *, key: str = "") -> Any:
    headers = {"Idempotency-Key": key} if key else {}
    return client.post(f"/api/v1/{path}", body or {}, content_type="application/json", headers=headers)


def listed(client: Client, path: str) -> list[dict[str, Any]]:
    answer = client.get(f"/api/v1/{path}")
    assert answer.status_code == 200, answer.content
    return answer.json()["results"]


def play(world: World, match: int, scores: list[int]) -> None:
    """`scores`: of the challenged and of the challenger."""
    game = Challenge.objects.get(slot__match=match).slot.match.games.get()
    done = enter_sheet(game, world.referee, {"scores": scores}, kind=KnownBy.SCORE, insist=True)
    confirm_result(result=done.result, user=world.second_referee)
    advance(match)


def test_the_places_and_whom_each_may_challenge(played: Played, ladder: Competition) -> None:
    places = listed(Client(), f"{LADDER}/ladder")
    assert [(one["place"], one["player"]["name"]) for one in places] == [
        (1, "Cy"),
        (2, "Bo Chen"),
        (3, "Dee"),
        (4, "Ana Ruiz"),
    ]
    assert places[3]["may_challenge"] == [code(ladder, "Dee"), code(ladder, "Bo")]
    assert (places[0]["may_challenge"], places[0]["meets"], places[0]["moved"]) == ([], None, 0)
    [stage] = Client().get(f"/api/v1/{LADDER}").json()["stages"]
    assert (stage["challenge_reach"], stage["challenge_days"]) == (2, 14)
    [other] = Client().get("/api/v1/competitions/harbour/autumn").json()["stages"]
    assert (other["challenge_reach"], other["challenge_days"]) == (None, None)


def test_what_is_no_ladder_has_no_places(played: Played, ladder: Competition, program: Program) -> None:
    for path in ("ladder", "challenges"):
        assert problem_of(Client().get(f"/api/v1/competitions/harbour/autumn/{path}"))["code"] == "not-found"
    body = {"challenged": played.world.bo.player.code}
    found = problem_of(send(program(played.world.alice), "competitions/harbour/autumn/challenges", body))
    assert (found["status"], found["code"]) == (409, "not-a-ladder")


def test_a_player_challenges_wins_and_climbs(played: Played, ladder: Competition, program: Program) -> None:
    alice = program(played.world.alice)
    body = {"challenged": code(ladder, "Bo").lower()}
    answers = [send(alice, f"{LADDER}/challenges", body, key="c") for _ in range(2)]
    assert {(one.status_code, one.content) for one in answers} == {(201, answers[0].content)}
    made = answers[0].json()
    assert (made["state"], made["won"], made["before"]) == ("open", None, None)
    assert (made["challenger"]["name"], made["challenged"]["name"]) == ("Ana Ruiz", "Bo Chen")
    assert made["lapses_at"] > made["made_at"]
    assert listed(alice, f"{LADDER}/challenges") == [made]
    again = problem_of(send(alice, f"{LADDER}/challenges", body))
    assert (again["status"], again["code"], Challenge.objects.count()) == (409, "open-challenge", 1)
    assert listed(alice, f"{LADDER}/ladder")[3]["meets"]["name"] == "Bo Chen"
    play(played.world, made["match"], [95, 150])
    [over] = listed(alice, f"{LADDER}/challenges")
    assert (over["state"], over["won"], over["before"], over["after"]) == ("decided", True, 4, 2)
    assert over["lapses_at"] is None
    names = [one["player"]["name"] for one in listed(alice, f"{LADDER}/ladder")]
    assert names == ["Cy", "Ana Ruiz", "Bo Chen", "Dee"]
    gone = problem_of(send(alice, f"challenges/{made['id']}/withdrawal"))
    assert (gone["status"], gone["code"]) == (409, "begun-already")


def test_a_challenge_is_taken_back_once(played: Played, ladder: Competition, program: Program) -> None:
    alice = program(played.world.alice)
    made = send(alice, f"{LADDER}/challenges", {"challenged": code(ladder, "Dee")}).json()
    gone = [send(alice, f"challenges/{made['id']}/withdrawal", key="w") for _ in range(2)]
    assert {(one.status_code, one.content) for one in gone} == {(200, gone[0].content)}
    told = gone[0].json()
    assert (told["state"], told["match"], told["lapses_at"]) == ("withdrawn", None, None)
    assert told["closed_at"]
    found = problem_of(send(alice, f"challenges/{made['id']}/withdrawal"))
    assert (found["status"], found["code"]) == (409, "challenge-closed")


@pytest.mark.parametrize(
    ("body", "status", "refusal", "field"),
    [
        ({}, 422, "bad-field", "challenged"),
        ({"challenged": "AAAAAAAA"}, 422, "bad-field", "challenged"),
        ({"challenged": "Bo", "challenger": "AAAAAAAA"}, 422, "bad-field", "challenger"),
        ({"challenged": "Cy"}, 409, "out-of-reach", None),
        ({"challenged": "Bo", "challenger": "Dee"}, 403, "no-permission", None),
    ],
)
def test_a_challenge_that_cannot_be(
    played: Played, ladder: Competition, program: Program, body: dict, status: int, refusal: str, field: str | None
) -> None:
    named = {name: code(ladder, one) if len(one) < 8 else one for name, one in body.items()}
    found = problem_of(send(program(played.world.alice), f"{LADDER}/challenges", named))
    assert (found["status"], found["code"]) == (status, refusal)
    assert [one["field"] for one in found.get("errors", [])] == ([field] if field else [])
    assert not Challenge.objects.exists()


# What challenging Dee for Ana gives, and taking back what the owner made for her. Ana is Alice.
MAY = {"player", "owner", "referee", "helper", "browser"}


@pytest.mark.parametrize("asker", ASKERS)
def test_who_challenges(played: Played, ladder: Competition, program: Program, asker: str) -> None:
    world = played.world
    client = client_of(asker, played, program)
    tokens = {"read token", "submit token"}
    asleep = asker in DEAD | NOBODY
    body = {"challenger": world.ana.player.code, "challenged": code(ladder, "Dee")}
    made = send(client, f"{LADDER}/challenges", body).status_code
    assert made == (401 if asleep else 201 if asker in MAY else 403)
    assert Challenge.objects.exists() == (asker in MAY)
    if asker not in MAY:
        dee = ladder.registrations.get(seed=3).entrant
        challenge(ladder, world.ana, dee, by=world.owner)
    one = Challenge.objects.get()
    reads = client.get(f"/api/v1/{LADDER}/ladder").status_code
    assert reads == (401 if asker in DEAD else 403 if asker == "submit token" else 200)
    gone = send(client, f"challenges/{one.pk}/withdrawal").status_code
    assert gone == (401 if asleep else 200 if asker in MAY else 403)
    nothing = send(client, "challenges/987654/withdrawal").status_code
    assert nothing == (401 if asleep else 403 if asker in tokens else 404)


@pytest.mark.parametrize("asker", ["player", "other owner", "anonymous", "referee"])
def test_a_draft_of_a_ladder_is_seen_by_the_staff(
    played: Played, ladder: Competition, program: Program, asker: str
) -> None:
    Competition.objects.filter(pk=ladder.pk).update(published_at=None)
    Matchday.objects.filter(stage__competition=ladder).update(published_at=None)
    client = client_of(asker, played, program)
    for path in ("ladder", "challenges"):
        assert client.get(f"/api/v1/{LADDER}/{path}").status_code == (200 if asker == "referee" else 404)
    body = {"challenger": played.world.ana.player.code, "challenged": code(ladder, "Dee")}
    made = send(client, f"{LADDER}/challenges", body)
    assert made.status_code == {"referee": 409, "anonymous": 401}.get(asker, 404)

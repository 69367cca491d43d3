"""Signing up and answering by a program: the same acts as on the pages, once for a key, each mistake at its field."""

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from league.api.base.idempotency import once
from league.api.models import StoredAnswer, TokenScope
from league.api.resources.organize.invitations import CompetitionInvitations
from league.competitions.draw.stages import draw
from league.competitions.models import Applicant, Competition, Invitation, Matchday
from league.competitions.registration.opening import RegistrationTerms, invitation_of, set_registration
from tests.league.api.conftest import Program, problem_of
from tests.league.api.managed import founded
from tests.league.world import World, make_world

CUP = "competitions/harbour/cup"
OPEN = Competition.Opening.OPEN


@pytest.fixture
def world(db) -> World:
    return make_world()


@pytest.fixture
def cup(world: World) -> Competition:
    return terms(founded(world, "Cup"), world)


def terms(cup: Competition, world: World, **changes: Any) -> Competition:
    return set_registration(cup, RegistrationTerms(**{"registration": OPEN} | changes), user=world.owner)


@pytest.fixture
def alice(world: World, program: Program) -> Client:
    return program(world.alice, TokenScope.READ, TokenScope.TAKE_PART)


@pytest.fixture
def owner(world: World, program: Program) -> Client:
    return program(world.owner)


def send(client: Client, path: str, body: dict[str, Any] | None = None, *, key: str = "") -> Any:
    headers = {"Idempotency-Key": key} if key else {}
    return client.post(f"/api/v1/{path}", body or {}, content_type="application/json", headers=headers)


def sign_up(client: Client, name: str, **more: Any) -> int:
    answer = send(client, f"{CUP}/sign-ups", {"name": name} | more)
    assert answer.status_code == 201, answer.content
    return answer.json()["id"]


def listed(client: Client, path: str) -> list[dict[str, Any]]:
    answer = client.get(f"/api/v1/{path}")
    assert answer.status_code == 200, answer.content
    return answer.json()["results"]


def registered(cup: Competition) -> list[str]:
    return [one.entrant.player.name for one in cup.registrations.order_by("seed").select_related("entrant__player")]


# --- By oneself ---


def test_a_player_signs_up_once_and_takes_it_back(world: World, cup: Competition, alice: Client) -> None:
    body = {"player": world.ana.player.code.lower()}
    first = send(alice, f"{CUP}/sign-ups", body)
    again = send(alice, f"{CUP}/sign-ups", body)
    assert (first.status_code, again.status_code) == (201, 200)
    made = first.json()
    assert (made["name"], made["state"], made["queue"], made["plays"]) == ("Ana Ruiz", "waiting", 0, False)
    assert made["page"].startswith("http://testserver/sign-ups/")
    assert again.json() == made | {"page": None}
    assert [one["id"] for one in listed(alice, "sign-ups")] == [made["id"]]
    gone = [send(alice, f"sign-ups/{made['id']}/withdrawal") for _ in range(2)]
    assert [(one.status_code, one.json()["state"]) for one in gone] == [(200, "withdrawn")] * 2
    assert listed(alice, "sign-ups") == []


def test_the_page_that_is_told_is_that_of_the_sign_up(cup: Competition, alice: Client) -> None:
    page = send(alice, f"{CUP}/sign-ups", {"name": "Cy Diaz"}).json()["page"]
    assert "Cy Diaz" in Client().get(page.removeprefix("http://testserver")).content.decode()


def test_a_member_is_in_at_once_where_the_organizer_said_so(world: World, cup: Competition, alice: Client) -> None:
    terms(cup, world, admission=Competition.Admission.MEMBERS)
    made = send(alice, f"{CUP}/sign-ups", {"player": world.ana.player.code}).json()
    assert (made["state"], made["plays"], registered(cup)) == ("accepted", True, ["Ana Ruiz"])


def test_one_key_signs_up_once_and_the_secret_is_not_kept(cup: Competition, alice: Client) -> None:
    answers = [send(alice, f"{CUP}/sign-ups", {"name": "Cy Diaz"}, key="mine") for _ in range(3)]
    assert {(one.status_code, one.content) for one in answers} == {(201, answers[0].content)}
    assert answers[1].headers["Idempotent-Replay"] == "true"
    assert Applicant.objects.count() == 1
    secret = answers[0].json()["page"].rstrip("/").rpartition("/")[2]
    assert len(secret) == 24
    assert secret not in StoredAnswer.objects.get().body
    StoredAnswer.objects.all().delete()  # a day later
    assert send(alice, f"{CUP}/sign-ups", {"name": "Cy Diaz"}, key="mine").json() == answers[0].json()
    assert Applicant.objects.count() == 1


def test_another_key_or_somebody_else_has_another_secret(world: World, cup: Competition, program: Program) -> None:
    pages = {
        send(client, f"{CUP}/sign-ups", {"name": "Cy Diaz"}, key=key).json()["page"]
        for client, key in ((program(world.alice), "a"), (program(world.alice), "a"), (program(world.bob), "b"))
    }
    assert len(pages) == 3


@pytest.mark.parametrize(
    ("body", "code", "field"),
    [
        ({}, "bad-field", "player"),
        ({"player": "AAAAAAAA"}, "bad-field", "player"),
        ({"player": "AAAAAAAA", "name": "Cy"}, "bad-field", "player"),
        ({"player": "AAAAAAAA", "club": "Hill"}, "bad-field", "club"),
        ({"name": "123"}, "bad-name", "name"),
        ({"name": "Cy / Leo"}, "is-pair", "name"),
        ({"name": "Cy", "born": 12}, "bad-year", "born"),
        ({"name": "Cy", "born": "old"}, "bad-field", "born"),
        ({"name": "Cy", "contact": "x" * 121}, "bad-field", "contact"),
        ({"name": "x" * 61}, "bad-name", "name"),
        ({"name": "क्षि" * 61}, "bad-name", "name"),
        ({"name": "x" * 131}, "bad-field", "name"),
        ({"name": "Cy", "club": "क्षि" * 61}, "bad-field", "club"),
    ],
)
def test_what_is_wrong_is_named(cup: Competition, alice: Client, body: dict, code: str, field: str) -> None:
    found = problem_of(send(alice, f"{CUP}/sign-ups", body))
    assert (found["status"], found["code"], [one["field"] for one in found["errors"]]) == (422, code, [field])
    assert not Applicant.objects.exists()


def test_somebody_elses_player_is_nobody_of_mine(world: World, cup: Competition, alice: Client) -> None:
    found = problem_of(send(alice, f"{CUP}/sign-ups", {"player": world.bo.player.code}))
    assert (found["code"], found["errors"][0]["field"]) == ("bad-field", "player")


def test_pairs_sign_up_with_both_names(world: World, program: Program) -> None:
    terms(founded(world, "Cup", pairs=True), world)
    alice = program(world.alice)
    body = {"player": world.ana.player.code}
    missing = problem_of(send(alice, f"{CUP}/sign-ups", body))
    assert (missing["code"], missing["errors"][0]["field"]) == ("no-partner", "partner")
    made = send(alice, f"{CUP}/sign-ups", body | {"partner": "Leo Paz"})
    assert made.json()["name"] == "Ana Ruiz & Leo Paz"
    [one] = listed(program(world.owner), f"{CUP}/sign-ups")
    assert [person["name"] for person in one["people"]] == ["Ana Ruiz", "Leo Paz"]


# --- Invitations ---


def test_an_invitation_is_told_once_and_kept_nowhere(cup: Competition, owner: Client) -> None:
    answers = [send(owner, f"{CUP}/invitations", {"whom": "Hill Club", "uses": 2}, key="i") for _ in range(2)]
    assert {(one.status_code, one.content) for one in answers} == {(201, answers[0].content)}
    made = answers[0].json()
    secret = made["link"].rstrip("/").rpartition("/")[2]
    assert made["link"].startswith("http://testserver/sign-ups/invited/")
    assert invitation_of(secret, timezone.now()).pk == made["id"]
    assert Invitation.objects.count() == 1
    assert secret not in StoredAnswer.objects.get().body
    [shown] = listed(owner, f"{CUP}/invitations")
    assert (shown["whom"], shown["uses"], shown["used"], shown["works"]) == ("Hill Club", 2, 0, True)
    assert secret not in str(shown)


def test_an_answer_that_is_kept_whole_holds_the_secret(cup: Competition, owner: Client, monkeypatch) -> None:
    """The control."""
    kept_whole = lambda view, act, _secret: once(view.request, act, view.handle_exception)  # noqa: E731
    monkeypatch.setattr(CompetitionInvitations, "once", kept_whole)
    secret = send(owner, f"{CUP}/invitations", key="i").json()["link"].rstrip("/").rpartition("/")[2]
    assert secret in StoredAnswer.objects.get().body


def test_without_a_key_each_request_is_another_invitation(cup: Competition, owner: Client) -> None:
    links = {send(owner, f"{CUP}/invitations").json()["link"] for _ in range(2)}
    assert len(links) == Invitation.objects.count() == 2


def test_by_an_invitation_one_signs_up_for_what_nobody_else_sees(
    world: World, cup: Competition, alice: Client, owner: Client
) -> None:
    terms(cup, world, registration=Competition.Opening.INVITED)
    made = send(owner, f"{CUP}/invitations").json()
    body = {"name": "Cy Diaz"}
    assert problem_of(send(alice, f"{CUP}/sign-ups", body))["code"] == "not-found"
    assert problem_of(send(owner, f"{CUP}/sign-ups", body))["code"] == "by-invitation"
    secret = made["link"].rstrip("/").rpartition("/")[2]
    wrong = send(alice, f"{CUP}/sign-ups", body | {"invitation": secret[::-1]})
    assert problem_of(wrong)["code"] == "not-found"
    assert send(alice, f"{CUP}/sign-ups", body | {"invitation": secret}).status_code == 201
    assert [one["works"] for one in listed(owner, f"{CUP}/invitations")] == [False]


def test_a_revoked_invitation_opens_nothing(world: World, cup: Competition, alice: Client, owner: Client) -> None:
    terms(cup, world, registration=Competition.Opening.INVITED)
    made = send(owner, f"{CUP}/invitations").json()
    gone = [send(owner, f"invitations/{made['id']}/revocation") for _ in range(2)]
    assert [one.status_code for one in gone] == [200, 200]
    assert gone[0].json() == gone[1].json()
    assert (gone[0].json()["works"], gone[0].json()["revoked_by"]) == (False, "owner")
    secret = made["link"].rstrip("/").rpartition("/")[2]
    assert send(alice, f"{CUP}/sign-ups", {"name": "Cy", "invitation": secret}).status_code == 404


@pytest.mark.parametrize("body", [{"uses": 0}, {"days": 9999}, {"whom": "x" * 81}, {"uses": "many"}])
def test_an_invitation_that_cannot_be(cup: Competition, owner: Client, body: dict) -> None:
    found = problem_of(send(owner, f"{CUP}/invitations", body))
    assert (found["code"], [one["field"] for one in found["errors"]]) == ("bad-field", list(body))


# --- Who may ---


def test_the_organizer_decides_who_may_sign_up(world: World, owner: Client) -> None:
    cup = founded(world, "Cup")
    body = {"who": "open", "admission": "members", "closes_at": "2030-01-02T20:00:00+01:00", "places": 2}
    told = [send(owner, f"{CUP}/registration", body).json() for _ in range(2)]
    assert told[0] == told[1] == owner.get(f"/api/v1/{CUP}/registration").json()
    assert told[0] == body | {
        "closes_at": "2030-01-02T19:00:00Z",
        "open": True,
        "taken": 0,
        "waiting": 0,
        "queue": 0,
        "left": [],
        "page": "http://testserver/competitions/harbour/cup/sign-up/",
    }
    cup.refresh_from_db()
    assert (cup.places, cup.admission) == (2, "members")


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "who"),
        ({"who": "friends"}, "who"),
        ({"who": "open", "places": -1}, "places"),
        ({"who": "open", "closes_at": "soon"}, "closes_at"),
    ],
)
def test_terms_that_cannot_be(cup: Competition, owner: Client, body: dict, field: str) -> None:
    found = problem_of(send(owner, f"{CUP}/registration", body))
    assert (found["code"], [one["field"] for one in found["errors"]]) == ("bad-field", [field])


# --- The answer ---


def test_who_waits_is_listed_with_who_is_meant(world: World, cup: Competition, alice: Client, owner: Client) -> None:
    terms(cup, world, places=1)
    sign_up(alice, "Ana Ruiz", contact="ana@example.org", word="hello", born=1990)
    sign_up(alice, "Cy Diaz")
    known, new = listed(owner, f"{CUP}/sign-ups")
    assert (known["number"], known["queue"], new["number"], new["queue"]) == (1, 0, 2, 1)
    assert (known["contact"], known["word"], known["born"]) == ("ana@example.org", "hello", 1990)
    [meant] = known["people"]
    assert (meant["note"], meant["player"]["code"], meant["may_be_new"]) == ("known", world.ana.player.code, True)
    [meant] = new["people"]
    assert (meant["note"], meant["player"], meant["candidates"], new["undecided"]) == ("new", None, [], False)


def test_letting_in_twice_lets_in_once(cup: Competition, alice: Client, owner: Client) -> None:
    ids = [sign_up(alice, name) for name in ("Cy Diaz", "Dee Roe", "Eva Mar")]
    body = {"sign_ups": [{"id": one} for one in ids[:2]]}
    said = [send(owner, f"{CUP}/sign-ups/acceptance", body).json() for _ in range(2)]
    assert said[0] == {"entered": 2, "before": 0, "unclear": [], "waiting": 1}
    assert said[1] == {"entered": 0, "before": 0, "unclear": [], "waiting": 1}
    assert registered(cup) == ["Cy Diaz", "Dee Roe"]
    [first, second] = sorted(listed(owner, f"{CUP}/sign-ups?state=accepted"), key=lambda one: one["name"])
    assert (first["name"], first["decided_by"], second["people"]) == ("Cy Diaz", "owner", [])


def test_who_is_meant_is_said(world: World, cup: Competition, alice: Client, owner: Client) -> None:
    one = sign_up(alice, "Ana Ruiz")
    assert send(owner, f"{CUP}/sign-ups/acceptance", {"sign_ups": [{"id": one, "who": "new"}]}).status_code == 200
    [row] = cup.registrations.select_related("entrant__player")
    assert row.entrant.player.name == "Ana Ruiz"
    assert row.entrant.player.pk != world.ana.player.pk


def test_everybody_who_is_clear_is_let_in(cup: Competition, alice: Client, owner: Client) -> None:
    for name in ("Cy Diaz", "Cy Diaz", "Dee Roe"):
        sign_up(alice, name)
    said = send(owner, f"{CUP}/sign-ups/acceptance", {"all": True}).json()
    assert said == {"entered": 2, "before": 0, "unclear": ["Cy Diaz"], "waiting": 1}
    assert registered(cup) == ["Cy Diaz", "Dee Roe"]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({}, "bad-field"),
        ({"sign_ups": []}, "bad-field"),
        ({"all": True, "sign_ups": [{"id": 1}]}, "bad-field"),
        ({"sign_ups": [{"id": 987654}]}, "bad-field"),
        ({"sign_ups": [{"id": 2**64}]}, "bad-field"),
        ({"sign_ups": [{"id": "{id}", "who": "AAAAAAAA"}]}, "wrong-choice"),
    ],
)
def test_an_answer_that_cannot_be(cup: Competition, alice: Client, owner: Client, body: dict, code: str) -> None:
    one = sign_up(alice, "Cy Diaz")
    for named in body.get("sign_ups", []):
        named["id"] = one if named["id"] == "{id}" else named["id"]
    found = problem_of(send(owner, f"{CUP}/sign-ups/acceptance", body))
    assert (found["status"], found["code"], found["errors"][0]["field"]) == (422, code, "sign_ups")
    assert registered(cup) == []


def test_no_more_are_let_in_than_there_are_places(world: World, cup: Competition, alice: Client, owner: Client) -> None:
    terms(cup, world, places=1)
    ids = [sign_up(alice, name) for name in ("Cy Diaz", "Dee Roe")]
    found = problem_of(send(owner, f"{CUP}/sign-ups/acceptance", {"sign_ups": [{"id": one} for one in ids]}))
    assert (found["status"], found["code"], registered(cup)) == (409, "no-places", [])
    assert send(owner, f"{CUP}/sign-ups/acceptance", {"all": True}).json()["waiting"] == 1


def test_a_refusal_is_thought_over(cup: Competition, alice: Client, owner: Client) -> None:
    one = sign_up(alice, "Cy Diaz")
    said = [send(owner, f"{CUP}/sign-ups/refusal", {"sign_ups": [one]}).json() for _ in range(2)]
    assert said == [{"changed": 1}, {"changed": 0}]
    assert listed(alice, "sign-ups")[0]["state"] == "refused"
    again = [send(owner, f"sign-ups/{one}/reconsideration").json()["state"] for _ in range(2)]
    assert again == ["waiting", "waiting"]
    assert send(owner, f"{CUP}/sign-ups/refusal", {"sign_ups": [987654]}).status_code == 422


def test_who_leaves_a_draw_is_taken_out_by_the_organizer(
    world: World, cup: Competition, alice: Client, owner: Client
) -> None:
    ids = [sign_up(alice, name) for name in ("Cy Diaz", "Dee Roe", "Eva Mar")]
    send(owner, f"{CUP}/sign-ups/acceptance", {"all": True})
    draw(cup, user=world.owner)
    assert send(alice, f"sign-ups/{ids[0]}/withdrawal").json()["plays"]
    [left] = owner.get(f"/api/v1/{CUP}/registration").json()["left"]
    assert left["name"] == "Cy Diaz"
    said = [send(owner, f"{CUP}/sign-ups/departures").json() for _ in range(2)]
    assert (said, registered(cup)) == ([{"changed": 1}, {"changed": 0}], ["Dee Roe", "Eva Mar"])
    assert not Matchday.objects.filter(stage__competition=cup).exists()


def test_a_state_that_does_not_exist_is_refused(cup: Competition, owner: Client) -> None:
    found = problem_of(owner.get(f"/api/v1/{CUP}/sign-ups?state=lost"))
    assert (found["code"], found["errors"][0]["parameter"]) == ("bad-parameter", "state")

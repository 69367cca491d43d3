"""Who may run a competition: every address for that × who asks × whose draft. Foreign and absent answers are equal."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import transaction
from django.test import Client

from league.competitions.models import Applicant, Competition, EarlierState
from tests.league.api.conftest import Program, problem_of
from tests.league.api.managed import MANAGED, OF_LEAGUE, Managed, filled, manage
from tests.league.api.played import Played
from tests.league.api.test_api_permissions import ASKERS, DEAD, NOBODY, client_of, plain

KEYS = ("number", "state_id", "sign_up_id", "invitation_id", "seeding_id", "draw_id", "rehearsal_id")
ABSENT: dict[str, Any] = {"league": "harbour", "slug": "summer", **dict.fromkeys(KEYS, 987654)}


@pytest.fixture
def managed(played: Played) -> Managed:
    return manage(played)


@contextmanager
def undone() -> Iterator[None]:
    """Whatever is done inside is taken back."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def send(client: Client, path: str, body: dict[str, Any] | None) -> Any:
    path = f"/api/v1/{path}"
    return client.get(path) if body is None else client.post(path, body, content_type="application/json")


def expected(asker: str, *, reads: bool, owner: int) -> int:
    if asker in DEAD or (asker in NOBODY and not reads):
        return 401
    if asker in {"referee", "helper"} or asker == "submit token" or (asker == "read token" and not reads):
        return 403
    return owner if asker == "owner" else 404


def tried(client: Client, managed: Managed, names: dict[str, Any]) -> Iterator[tuple[str, bool, int, Any]]:
    for address, acts in MANAGED.items():
        for body, owner in acts:
            with undone():
                sent = None if body is None else filled(body, managed)
                yield address, body is None, owner, send(client, address.format(**names), sent)


@pytest.mark.parametrize("asker", ASKERS)
def test_who_runs_a_competition(managed: Managed, program: Program, asker: str) -> None:
    client = client_of(asker, managed.played, program)
    names = managed.names
    for address, reads, owner, answer in tried(client, managed, names):
        assert answer.status_code == expected(asker, reads=reads, owner=owner), (address, reads, answer.content)
        if answer.status_code == 403 and asker in {"referee", "helper"}:
            assert problem_of(answer)["code"] == "no-permission"
    # Everybody sees what is published, and to others there is nothing to run all the same.
    for path in ("earlier-states", "draws", "seeds", "sign-ups", "invitations", "registration", "rehearsals"):
        answer = send(client, f"competitions/harbour/shown/{path}", None)
        assert answer.status_code == expected(asker, reads=True, owner=200), path
    for address, (body, owner) in OF_LEAGUE.items():
        path = address.format(slug="harbour", state_id=managed.discarded.pk)
        assert send(client, path, body).status_code == expected(asker, reads=body is None, owner=owner), address
    assert Competition.objects.filter(slug="gone").exists() == (asker == "owner")


@pytest.mark.parametrize("asker", ["player", "other owner", "anonymous", "owner"])
def test_a_foreign_draft_answers_as_one_that_is_not_there(managed: Managed, program: Program, asker: str) -> None:
    client = client_of(asker, managed.played, program)
    absent = [answer for _address, _reads, _owner, answer in tried(client, managed, ABSENT)]
    assert {answer.status_code for answer in absent} <= {404, 401}
    if asker == "owner":
        return
    foreign = [answer for _address, _reads, _owner, answer in tried(client, managed, managed.names)]
    for one, other in zip(foreign, absent, strict=True):
        assert plain(one, managed.names) == plain(other, ABSENT)


# What signing up by name gives for the open draft, for one that is closed, and for none.
SIGNING_UP: dict[str, tuple[int, int, int]] = {
    **dict.fromkeys(("anonymous", "revoked token", "disabled user", "disabled browser"), (401, 401, 401)),
    **dict.fromkeys(("player", "other player", "other owner", "browser"), (201, 404, 404)),
    # The staff sees that it is closed.
    **dict.fromkeys(("referee", "owner", "helper"), (201, 409, 404)),
    **dict.fromkeys(("read token", "submit token"), (403, 403, 403)),
}


@pytest.mark.parametrize("asker", ASKERS)
def test_who_signs_up(managed: Managed, program: Program, asker: str) -> None:
    client = client_of(asker, managed.played, program)
    answers = [
        send(client, f"competitions/harbour/{slug}/sign-ups", {"name": "Gil Sol"})
        for slug in ("spring", "winter", "summer")
    ]
    assert tuple(answer.status_code for answer in answers) == SIGNING_UP[asker]
    assert Applicant.objects.filter(name="Gil Sol").count() == (SIGNING_UP[asker][0] == 201)
    if SIGNING_UP[asker][1] == SIGNING_UP[asker][2]:
        assert plain(answers[1], {"slug": "winter"}) == plain(answers[2], {"slug": "summer"})


# What reading, and withdrawing, a sign-up gives that Alice made.
OWN: dict[str, tuple[int, int]] = {
    "anonymous": (404, 401),
    "player": (200, 200),
    "other player": (404, 404),
    "referee": (404, 404),
    "owner": (200, 404),
    "other owner": (404, 404),
    "helper": (404, 404),
    "browser": (200, 200),
    "read token": (200, 403),
    "submit token": (403, 403),
    "revoked token": (401, 401),
    "disabled user": (401, 401),
    "disabled browser": (404, 401),
}


@pytest.mark.parametrize("asker", ASKERS)
def test_who_looks_after_a_sign_up(managed: Managed, program: Program, asker: str) -> None:
    client = client_of(asker, managed.played, program)
    own = managed.sign_up
    Applicant.objects.filter(pk=own.pk).update(user=managed.world.alice)
    looked = send(client, f"sign-ups/{own.pk}", None).status_code
    listed = send(client, "sign-ups", None)
    withdrawn = send(client, f"sign-ups/{own.pk}/withdrawal", {}).status_code
    assert (looked, withdrawn) == OWN[asker]
    if listed.status_code == 200:
        mine = [one["id"] for one in listed.json()["results"]]
        assert mine == ([own.pk] if asker in {"player", "browser", "read token"} else [])
    own.refresh_from_db()
    assert (own.state == "withdrawn") == (OWN[asker][1] == 200)
    assert listed.status_code == (401 if asker in DEAD else 403 if asker == "submit token" else 200)


def test_the_tables_have_every_asker() -> None:
    assert set(SIGNING_UP) == set(OWN) == set(ASKERS)


def test_an_act_that_forgets_to_ask_is_found(managed: Managed, program: Program, monkeypatch) -> None:
    """The control: with the question off, a referee would discard."""
    asked: list[Callable] = []
    monkeypatch.setattr("league.api.base.staff.check_may", lambda *given: asked.append(given))
    monkeypatch.setattr("league.competitions.locks.check_may", lambda *given: asked.append(given))
    Applicant.objects.all().delete()
    client = client_of("referee", managed.played, program)
    assert send(client, "competitions/harbour/spring/discarding", {}).status_code == 200
    assert EarlierState.objects.filter(before="discarded", name="Spring").exists()
    assert len(asked) == 2

"""One effect for one Idempotency-Key, and what happens with the protection off."""

import threading
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from http import HTTPStatus

import pytest
from django.db import connection, connections
from django.test import Client
from django.utils import timezone
from rest_framework.response import Response

from league.api import tasks
from league.api.base import idempotency
from league.api.models import StoredAnswer, TokenScope
from league.api.resources import games
from league.matches.models import Record, Result
from league.players.models import Membership
from league.players.services import erase
from tests.league.api.conftest import Program, key_of, problem_of
from tests.league.api.played import Played
from tests.league.world import played_log

RETRIES = 20


def hand_in(client: Client, played: Played, key: str | None = "k1", log: str | None = None):
    headers = {"Idempotency-Key": key} if key else {}
    path = f"/api/v1/games/{played.open_game.code}/logs"
    return client.post(path, data=log or played_log(7), content_type="text/plain", headers=headers)


@pytest.fixture
def counted(monkeypatch) -> Callable[[Played], int]:
    """An act that is not safe by itself, in the place of handing in a log: every run enters a membership."""

    def act(view, request, code) -> Response:
        game = view.row(code=code)
        since = timezone.now().date() + timedelta(days=Membership.objects.count())
        player = game.match.sides.first().entrant.player
        made = Membership.objects.create(player=player, league=game.match.league, since=since)
        return Response({"made": made.pk}, status=201)

    monkeypatch.setattr(games.LogHandingIn, "_hand_in", act)
    return lambda played: Membership.objects.filter(player=played.world.ana.player).count() - 1


@pytest.fixture
def unprotected(monkeypatch) -> None:
    monkeypatch.setattr(games.LogHandingIn, "once", lambda _view, act: act())


def test_a_retry_gets_the_same_answer_and_has_no_effect(played: Played, program: Program, counted) -> None:
    client = program(played.world.alice)
    first = hand_in(client, played)
    answers = [hand_in(client, played) for _ in range(RETRIES)]
    assert first.status_code == 201
    assert "Idempotent-Replay" not in first.headers
    assert {(answer.status_code, answer.content) for answer in answers} == {(201, first.content)}
    assert {answer.headers["Idempotent-Replay"] for answer in answers} == {"true"}
    assert {answer.headers["Content-Type"] for answer in answers} == {first.headers["Content-Type"]}
    assert counted(played) == 1


@pytest.mark.usefixtures("unprotected")
def test_with_the_protection_off_a_retry_has_its_effect(played: Played, program: Program, counted) -> None:
    """The control."""
    client = program(played.world.alice)
    assert [hand_in(client, played).status_code for _ in range(2)] == [201, 201]
    assert counted(played) == 2


def test_without_a_key_every_request_is_a_new_one(played: Played, program: Program, counted) -> None:
    client = program(played.world.alice)
    hand_in(client, played, None)
    hand_in(client, played, None)
    assert counted(played) == 2
    assert StoredAnswer.objects.count() == 0


def test_the_same_key_with_another_request_is_refused(played: Played, program: Program, counted) -> None:
    client = program(played.world.alice)
    hand_in(client, played)
    answer = hand_in(client, played, log=played_log(8))
    assert (answer.status_code, problem_of(answer)["code"]) == (422, "key-reused")
    assert counted(played) == 1


def test_a_key_is_of_one_token_one_method_and_one_address(played: Played, program: Program, counted) -> None:
    alice = played.world.alice
    browser = Client()
    browser.force_login(alice)
    for client in (program(alice), program(alice), browser, program(played.world.referee)):
        assert "Idempotent-Replay" not in hand_in(client, played).headers
    other = f"/api/v1/games/{played.game.code}/logs"
    program(alice).post(other, data="x", content_type="text/plain", headers={"Idempotency-Key": "k1"})
    assert counted(played) == 5
    assert set(StoredAnswer.objects.values_list("principal", flat=True)) == {
        *(f"token-{token.pk}" for user in (alice, played.world.referee) for token in user.tokens.all()),
        f"account-{alice.pk}",
    }


@pytest.mark.parametrize("key", ["", "a b", "é", "x" * 129])
def test_keys_that_cannot_be_used(played: Played, program: Program, counted, key: str) -> None:
    client = program(played.world.alice)
    path = f"/api/v1/games/{played.open_game.code}/logs"
    answer = client.post(path, data="x", content_type="text/plain", headers={"Idempotency-Key": key})
    assert problem_of(answer)["code"] == "bad-key"
    assert counted(played) == 0


# --- What is kept ---


def test_a_refusal_is_kept_too(played: Played, program: Program) -> None:
    client = program(played.world.alice)
    first = hand_in(client, played, log="x\n\x07")
    again = hand_in(client, played, log="x\n\x07")
    assert problem_of(first)["code"] == "control-character"
    assert (again.status_code, again.content) == (422, first.content)
    assert again.headers["Content-Type"] == "application/problem+json"
    assert again.headers["Idempotent-Replay"] == "true"


def test_a_conflict_is_not_kept(played: Played, program: Program) -> None:
    """What was settled may be opened again, and then the same key is good for it."""
    client = program(played.world.bob)
    path = f"/api/v1/results/{played.result.pk}/confirmation"
    newer = played.world.submit(played_log(8), game=played.game)
    assert client.post(path, headers={"Idempotency-Key": "c"}).status_code == 409
    assert StoredAnswer.objects.count() == 0
    Record.objects.filter(pk=newer.pk).update(state="verified")
    answer = client.post(path, headers={"Idempotency-Key": "c"})
    assert (answer.status_code, answer.json()["state"]) == (200, "official")
    assert client.post(path, headers={"Idempotency-Key": "c"}).headers["Idempotent-Replay"] == "true"


def test_a_fault_leaves_neither_effect_nor_key(played: Played, program: Program, counted, monkeypatch) -> None:
    """Key, effect and answer are one transaction: a process that dies before its end leaves nothing."""
    client = program(played.world.alice)
    client.raise_request_exception = False
    keep = idempotency._keep
    monkeypatch.setattr(idempotency, "_keep", lambda row, answer: 1 / 0)
    assert hand_in(client, played).status_code == 500
    assert (counted(played), StoredAnswer.objects.count()) == (0, 0)
    monkeypatch.setattr(idempotency, "_keep", keep)
    assert hand_in(client, played).status_code == 201
    assert counted(played) == 1


def test_a_log_is_queued_for_its_verdict_after_the_commit(
    played: Played, program: Program, django_capture_on_commit_callbacks
) -> None:
    client = program(played.world.alice)
    with django_capture_on_commit_callbacks() as queued:
        answer = hand_in(client, played)
        assert answer.status_code == 202
        assert answer.headers["Retry-After"] == "1"
        assert answer.headers["Location"] == answer.json()["url"]
        again = hand_in(client, played)
        assert (again.headers["Location"], again.headers["Retry-After"]) == (answer.headers["Location"], "1")
    assert len(queued) == 1


# --- Many at once ---


def at_once(count: int, ask: Callable[[int], object]) -> list[object]:
    """What each of so many threads got, all let go at one moment."""
    gate = threading.Barrier(count)
    got: list[object] = [None] * count

    def run(number: int) -> None:
        gate.wait()
        try:
            got[number] = ask(number)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return got


def storm(played: Played, key: str) -> list:
    headers = {"Authorization": f"Bearer {key_of(played.world.alice, TokenScope.SUBMIT)}"}
    serial = [hand_in(Client(headers=headers), played, key) for _ in range(RETRIES)]
    parallel = at_once(RETRIES, lambda _: hand_in(Client(headers=headers), played, f"{key}-parallel"))
    return [serial, parallel]


@pytest.mark.slow("a storm of requests")
def test_a_storm_of_retries_has_one_effect_a_key(shared_played: Played, counted) -> None:
    """20 one after the other and 20 at once, on an act that is not safe by itself (RELIABILITY.md T-01)."""
    serial, parallel = storm(shared_played, "storm")
    for answers in (serial, parallel):
        statuses = Counter(answer.status_code for answer in answers)
        assert set(statuses) <= {201, 409}, statuses
        done = [answer for answer in answers if answer.status_code == 201]
        assert len({answer.content for answer in done}) == 1
        assert sum("Idempotent-Replay" not in answer.headers for answer in done) == 1
        assert all("Retry-After" in answer.headers for answer in answers if answer.status_code == 409)
    assert counted(shared_played) == 2


@pytest.mark.slow("a storm of requests")
@pytest.mark.usefixtures("unprotected")
def test_with_the_protection_off_every_retry_of_the_storm_has_its_effect(shared_played: Played, counted) -> None:
    """The control, one after the other: at once, the act's own constraint would stop some."""
    client = Client(headers={"Authorization": f"Bearer {key_of(shared_played.world.alice)}"})
    assert {hand_in(client, shared_played).status_code for _ in range(RETRIES)} == {201}
    assert counted(shared_played) == RETRIES


@pytest.mark.slow("a storm of requests")
def test_a_storm_of_real_logs_and_confirmations(shared_played: Played) -> None:
    played = shared_played
    serial, parallel = storm(played, "logs")
    assert {answer.status_code for answer in [*serial, *parallel]} <= {200, 202, 409}
    assert Record.objects.filter(game=played.open_game).count() == 1
    assert StoredAnswer.objects.count() == 2
    path = f"/api/v1/results/{played.result.pk}/confirmation"
    headers = {"Authorization": f"Bearer {key_of(played.world.bob)}", "Idempotency-Key": "confirm"}
    answers = at_once(RETRIES, lambda _: Client(headers=headers).post(path))
    assert {answer.status_code for answer in answers} <= {200, 409}
    assert len({answer.content for answer in answers if answer.status_code == 200}) == 1
    assert Result.objects.get(pk=played.result.pk).state == "official"


@pytest.mark.postgres
def test_a_twin_that_waits_too_long_is_told_to_come_again(shared_played: Played, settings, monkeypatch) -> None:
    """409 with Retry-After, and the first request is not hurt."""
    settings.API_TWIN_PATIENCE_MS = 200
    inside, leave = threading.Event(), threading.Event()

    def slow(view, request, code) -> Response:
        inside.set()
        assert leave.wait(10)
        return Response({"made": 1}, status=201)

    monkeypatch.setattr(games.LogHandingIn, "_hand_in", slow)
    headers = {"Authorization": f"Bearer {key_of(shared_played.world.alice)}"}

    def ask(number: int):
        if number == 0:
            return hand_in(Client(headers=headers), shared_played)
        assert inside.wait(10)
        try:
            return hand_in(Client(headers=headers), shared_played)
        finally:
            leave.set()

    first, twin = at_once(2, ask)
    assert (first.status_code, twin.status_code) == (201, 409)
    assert problem_of(twin)["code"] == "in-progress"
    assert twin.headers["Retry-After"] == "2"
    with connection.cursor() as cursor:
        cursor.execute("SHOW lock_timeout")
        assert cursor.fetchone() == ("0",)


# --- How long ---


def test_answers_are_kept_for_a_season(played: Played, program: Program) -> None:
    client = program(played.world.alice)
    hand_in(client, played, "old")
    hand_in(client, played, "new")
    StoredAnswer.objects.filter(key="old").update(created_at=timezone.now() - timedelta(days=365))
    assert tasks.forget_answers() == 0
    assert hand_in(client, played, "old").headers["Idempotent-Replay"] == "true"
    StoredAnswer.objects.filter(key="old").update(created_at=timezone.now() - timedelta(days=367))
    assert tasks.forget_answers() == 1
    assert [one.key for one in StoredAnswer.objects.all()] == ["new"]


def test_an_erased_name_goes_from_the_answers(played: Played, program: Program) -> None:
    client = program(played.world.bob)
    client.post(f"/api/v1/results/{played.result.pk}/confirmation", headers={"Idempotency-Key": "c"})
    StoredAnswer.objects.update(body=f'{{"name":"Ana Ruiz","code":"{played.world.ana.player.code}"}}')
    erase(played.world.bo.player)
    assert StoredAnswer.objects.count() == 1
    erase(played.world.ana.player)
    assert StoredAnswer.objects.count() == 0


def test_every_status_that_is_kept_is_worth_keeping() -> None:
    assert {HTTPStatus.CONFLICT, HTTPStatus.TOO_MANY_REQUESTS} == set(idempotency.NOT_KEPT)

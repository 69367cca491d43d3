"""Acts in disputes: every address × who asks, from one table. A refused act leaves the dispute as it was."""

import pytest
from django.db import transaction

from league.disputes.models import DisputeEntry
from tests.league.api.conftest import Program
from tests.league.api.disputed import DISPUTES, disputed, hidden_dispute
from tests.league.api.played import Played
from tests.league.api.test_api_permissions import ASKERS, DEAD, NOBODY, READING, client_of, hidden_code

# A ruling and an amendment would go on with the dispute.
GOING_ON = {"disputes/{code}/rulings/{number}.ruling", "games/{code}/amendments", "amendments/{amendment_id}"}
WITH_DISPUTE = {address: rows for address, rows in READING.items() if address not in GOING_ON}


def expected(address: str, asker: str) -> int:
    allowed = DISPUTES[address][2]
    if asker in DEAD | NOBODY:
        return 401
    if asker in allowed:
        return 201 if address in ("games/{code}/disputes", "disputes/{code}/photos") else 200
    return 403


def type_of(body: object) -> str:
    return "image/png" if isinstance(body, bytes) else "application/json"


@pytest.mark.parametrize("address", DISPUTES)
def test_who_acts_in_a_dispute(played: Played, program: Program, address: str) -> None:
    stage, body, _allowed = DISPUTES[address]
    dispute = disputed(played, stage)
    code = played.game.code if address.startswith("games/") else dispute.code
    answers = {}
    for asker in ASKERS:
        with transaction.atomic():
            before = DisputeEntry.objects.count()
            client = client_of(asker, played, program)
            answer = client.post(f"/api/v1/{address.format(code=code)}", body, content_type=type_of(body))
            answers[asker] = answer.status_code
            assert answer.status_code < 300 or DisputeEntry.objects.count() == before
            transaction.set_rollback(True)
    assert answers == {asker: expected(address, asker) for asker in ASKERS}


@pytest.mark.parametrize("address", DISPUTES)
def test_a_hidden_dispute_is_as_one_that_is_not_there(played: Played, program: Program, address: str) -> None:
    client = client_of("player", played, program)
    hidden = hidden_code(played) if address.startswith("games/") else hidden_dispute(played).code
    body = DISPUTES[address][1]
    answers = [
        client.post(f"/api/v1/{address.format(code=code)}", body, content_type=type_of(body))
        for code in (hidden, "AAAAAAAA")
    ]
    assert [answer.status_code for answer in answers] == [404, 404]
    assert answers[0].content.replace(hidden.encode(), b"*") == answers[1].content.replace(b"AAAAAAAA", b"*")


@pytest.mark.parametrize("asker", ["anonymous", "other player", "player", "referee", "owner", "helper"])
def test_words_of_a_dispute_are_in_no_answer(played: Played, program: Program, asker: str) -> None:
    """Every address that is read, for everybody but the protester's side and the judge of the case."""
    disputed(played, "found")
    client = client_of(asker, played, program)
    read = {
        address: client.get(f"/api/v1/{address.format(**rows(played)[0])}") for address, rows in WITH_DISPUTE.items()
    }
    assert {answer.status_code for answer in read.values()} == {200}
    assert [address for address, answer in read.items() if b"I announced five" in answer.content] == []


def test_the_judge_of_the_case_reads_the_words(played: Played, program: Program) -> None:
    """The control."""
    code = disputed(played, "found").code
    assert b"I announced five" in program(played.world.second_referee).get(f"/api/v1/disputes/{code}").content

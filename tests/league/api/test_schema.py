"""The OpenAPI description is true: schemathesis asks every operation with what fits it and with what does not."""

import json
import zlib
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from django.test import Client
from hypothesis import HealthCheck, Phase, settings
from schemathesis.config import SchemathesisConfig
from schemathesis.core.failures import FailureGroup

from league.accounts import attempts
from league.api.base.problems import KINDS
from league.api.models import TokenScope
from league.wsgi import application
from tests.league.api.conftest import key_of
from tests.league.api.disputed import disputed
from tests.league.api.managed import manage
from tests.league.api.played import Played
from tests.volume import SEED, SHARE, THOROUGH, amount

# What may be refused though its form is right: 403 for a scope or somebody else's match, 409 for what is settled, 422
# for a text that is no log of the game.
FITTING = ["2xx", "401", "403", "404", "409", "422"]
EXAMPLES = amount(10)
KEYS = ("state_id", "sign_up_id", "invitation_id", "seeding_id", "draw_id", "rehearsal_id", "challenge_id", "number")
# What those who manage a competition may do, and players of a ladder.
RUNNING = (
    *("registration$", "invitations", "sign-ups", "seed", "draws", "earlier-states", "rehearsals", "discarded"),
    *("ladder$", "challenges", "publication$", "reopening", "cancellation"),
)


def config(played: Played) -> SchemathesisConfig:
    """Names of rows that exist stand among the invented ones."""
    rows = {
        "path.code": [
            *(played.game.code, played.open_game.code, played.world.ana.player.code, disputed(played).code),
        ],
        "path.slug": ["harbour", "autumn", "spring"],
        "path.league": ["harbour"],
        "path.name": ["competition.json", "standings.csv", "report.trf", "all.zip"],
        "path.key": ["udl", "uno-dominoes"],
        "path.match_id": [played.match.pk, played.open_match.pk],
        "path.record_id": [played.record.pk],
        "path.result_id": [played.result.pk],
        # The first that are made; the keys of a world are counted on from those of the test before it.
        **{f"path.{name}": [*range(1, 4)] for name in KEYS},
    }
    return SchemathesisConfig.from_dict(
        {
            "dictionaries": {name.replace(".", "-"): {"values": values} for name, values in rows.items()},
            "parameters": {name: {"dictionary": name.replace(".", "-"), "probability": 0.7} for name in rows},
            "checks": {"positive_data_acceptance": {"expected-statuses": FITTING}},
        }
    )


@pytest.fixture
def _one_connection() -> Iterator[None]:
    """As Django's own test client: the end of a request does not close the connection of the test."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.fixture
def described(request, played: Played, settings, monkeypatch, _one_connection: None) -> Any:
    # schemathesis 4.32 names its tests by an attribute that pytest 9.2 does not have any more.
    request.node._nodeid = request.node.nodeid
    settings.API_LIMITS = dict.fromkeys(settings.API_LIMITS, 1_000_000)
    # Generated tokens are wrong: after twenty in five seconds every answer would be 429.
    monkeypatch.setattr(attempts, "count", lambda *_, **__: None)
    settings.ALLOWED_HOSTS = ["*"]
    return schemathesis.openapi.from_wsgi("/api/v1/schema/", application, config=config(played))


@pytest.fixture
def referee_key(played: Played) -> str:
    return key_of(played.world.referee, *TokenScope.values)


schema = schemathesis.pytest.from_fixture("described")
# The client asks for compressed answers and does not unpack them.
PLAIN = {"Accept-Encoding": "identity"}
bounded = settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)


def is_drawn(context) -> bool:
    """Whether each rule of each field is broken in turn: at a quarter of the operations."""
    return THOROUGH or zlib.crc32(context.operation.label.encode()) % SHARE == SEED % SHARE


@pytest.mark.slow("hundreds of drawn requests")
@schema.include(is_drawn).parametrize()
@bounded
def test_a_program_gets_what_is_described(case, referee_key: str) -> None:
    case.call_and_validate(headers={**PLAIN, "Authorization": f"Bearer {referee_key}"})


if not THOROUGH:  # else nothing is left

    @pytest.mark.slow("hundreds of drawn requests")
    @schema.exclude(is_drawn).parametrize()
    @settings(bounded, phases=[Phase.generate])
    def test_a_program_gets_what_is_described_elsewhere(case, referee_key: str) -> None:
        case.call_and_validate(headers={**PLAIN, "Authorization": f"Bearer {referee_key}"})


@pytest.fixture
def owner_key(played: Played) -> str:
    manage(played)
    return key_of(played.owner, *TokenScope.values)


@pytest.mark.slow("hundreds of drawn requests")
@schema.include(path_regex="|".join(RUNNING)).parametrize()
@bounded
def test_who_runs_a_competition_gets_what_is_described(case, owner_key: str) -> None:
    case.call_and_validate(headers={**PLAIN, "Authorization": f"Bearer {owner_key}"})


# Nothing that a visitor sends to an act is looked at: one of each is enough, without one for every rule of each field.
VISITING = bounded if THOROUGH else settings(bounded, max_examples=1, phases=[Phase.generate])


@pytest.mark.slow("hundreds of drawn requests")
@schema.parametrize()
@VISITING
def test_nobody_gets_what_is_described(case) -> None:
    case.call_and_validate(headers=PLAIN)


def test_a_description_that_is_wrong_is_found(described) -> None:
    """The control."""
    wrong = json.loads(json.dumps(described.raw_schema))
    wrong["components"]["schemas"]["LeagueFields"]["properties"]["name"]["type"] = "integer"
    case = schemathesis.openapi.from_dict(wrong)["/api/v1/leagues"]["GET"].Case()
    with pytest.raises(FailureGroup, match="Response violates schema"):
        case.call_and_validate(app=application, headers=PLAIN)


def described_now() -> dict[str, Any]:
    answer = Client().get("/api/v1/schema/")
    assert answer.status_code == 200
    return answer.json()


def operations() -> list[tuple[str, str, dict[str, Any]]]:
    found = described_now()["paths"]
    return [(path, method, one) for path, methods in found.items() for method, one in methods.items()]


def test_every_operation_says_what_it_is_for_and_how_it_refuses(db) -> None:
    for path, method, one in operations():
        assert one["summary"], path
        expected = {"400", "401", "403", "406", "429"} | ({"411", "413", "415", "422"} if method == "post" else set())
        assert expected <= set(one["responses"]), path
        for status, answer in one["responses"].items():
            if int(status) >= 400:
                assert set(answer["content"]) == {"application/problem+json"}
                assert answer["description"] == ", ".join(
                    f"`{code}`" for code, kind in KINDS.items() if kind.status == int(status)
                )


def test_acts_take_a_key_and_need_somebody(db) -> None:
    acts = {path: one for path, method, one in operations() if method == "post"}
    for path, one in acts.items():
        headers = [parameter["name"] for parameter in one.get("parameters", []) if parameter["in"] == "header"]
        is_act = path not in ("/api/v1/verify", "/api/v1/muggins")
        assert headers == (["Idempotency-Key"] if is_act else [])
        assert ({} in one["security"]) != is_act
    assert all({} in one["security"] for _, method, one in operations() if method == "get")


def test_an_act_at_the_address_of_a_list_answers_with_a_row(db) -> None:
    """Only reading has pages."""
    document = described_now()
    of_cup = "/competitions/{league}/{slug}/sign-ups"
    for path, body in (("/games/{code}/amendments", "AmendmentFields"), (of_cup, "SignedUpFields")):
        one = document["paths"][f"/api/v1{path}"]
        content = one["post"]["responses"]["201"]["content"]["application/json"]
        assert content["schema"] == {"$ref": f"#/components/schemas/{body}"}
        assert "Paginated" in str(one["get"]["responses"]["200"])


def test_the_description_is_made_once_a_language(db, django_assert_num_queries) -> None:
    described_now()
    with django_assert_num_queries(0):
        described_now()


def test_the_reference_has_every_operation_without_javascript(db) -> None:
    answer = Client().get("/api/reference/")
    html = answer.content.decode()
    assert answer.status_code == 200
    for path, method, one in operations():
        assert f"{method.upper()} {path}" in html
        assert f'id="{one["operationId"]}"' in html
    assert "<script" not in html.split("<main")[1]
    assert "sides[].player.code" in html
    assert "Idempotency-Key" in html
    assert "[Ruleset &quot;udl&quot;]" in html


def test_there_is_no_browsable_api(db) -> None:
    answer = Client().get("/api/v1/leagues", headers={"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"})
    assert answer.headers["Content-Type"] == "application/json"

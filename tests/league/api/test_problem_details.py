"""Every refusal is a problem as in RFC 9457, whichever part of the site it comes from."""

import ast
import json
import re
from pathlib import Path

import pytest
from django.db import OperationalError
from django.test import Client

from games.notation.reading import MAX_BYTES
from league.api.base import problems, throttles
from league.api.models import TokenScope
from league.api.resources import matches, results
from league.matches.logs.submission import confirm_result
from tests.league.api.conftest import Program, problem_of
from tests.league.api.played import Played
from tests.league.world import played_log

ROOT = Path(__file__).resolve().parents[3]


def send(client: Client, path: str, body: object = b"", kind: str = "text/plain", **headers: str):
    return client.post(f"/api/v1/{path}", data=body, content_type=kind, headers=headers)


def logs(played: Played) -> str:
    return f"games/{played.open_game.code}/logs"


# --- 400 ---


@pytest.mark.parametrize(
    ("query", "parameter"),
    [
        ("matches?stat=playing", "stat"),
        ("matches?state=lost", "state"),
        ("matches?state=", "state"),
        ("matches?state=playing&state=decided", "state"),
        ("matches?since=yesterday", "since"),
        ("matches?since=2026-11-20", "since"),
        ("matches?day=2026-02-30", "day"),
        ("matches?ordering=league__name", "ordering"),
        ("matches?page=0", "page"),
        ("matches?page=first", "page"),
        ("matches?page_size=101", "page_size"),
        ("matches?page_size=%C2%B2", "page_size"),
        ("games?match=99999999999999999999", "match"),
        ("results?needs_decision=perhaps", "needs_decision"),
        ("competitions/harbour/autumn/standings?table=mine", "table"),
        ("records/1/verdict?plays=2", "plays"),
        ("leagues/harbour?page=1", "page"),
        ("players?q=" + "x" * 661, "q"),
    ],
)
def test_a_parameter_that_is_wrong_is_named(played: Played, query: str, parameter: str) -> None:
    found = problem_of(Client().get(f"/api/v1/{query}"))
    assert (found["status"], found["code"]) == (400, "bad-parameter")
    assert [one["parameter"] for one in found["errors"]] == [parameter]


@pytest.mark.parametrize(
    "body",
    [
        "{",
        '{"log": NaN}',
        '{"log": "a", "log": "b"}',
        "[" * 33 + "]" * 33,
        "[" * 200_000,
        '{"log": ' + "9" * 5000 + "}",
        b"\xff",
    ],
    ids=["cut", "nan", "twice", "deep", "very deep", "big", "not utf-8"],
)
def test_json_that_is_not_taken(db, body: str | bytes) -> None:
    found = problem_of(send(Client(), "verify", body, "application/json"))
    assert (found["status"], found["code"]) == (400, "bad-json")


def test_brackets_in_strings_are_not_depth(db) -> None:
    body = '{"log": "' + "[{" * 100 + '\\" [["}'
    assert send(Client(), "verify", body, "application/json").status_code == 200


@pytest.mark.parametrize("path", ["players/%00", "matches?league=a%00b"])
def test_u0000_is_refused(db, path: str) -> None:
    found = problem_of(Client().get(f"/api/v1/{path}"))
    assert (found["status"], found["code"]) == (400, "bad-request")


# --- 401, 403 ---


def test_acts_need_somebody(played: Played) -> None:
    for path in (logs(played), f"results/{played.result.pk}/confirmation", "games/NOBODYXX/logs"):
        answer = send(Client(), path)
        assert problem_of(answer)["code"] == "sign-in"
        assert answer.status_code == 401
        assert answer.headers["WWW-Authenticate"] == 'Bearer realm="api"'


def test_a_browser_needs_its_csrf_token(played: Played) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(played.world.alice)
    assert problem_of(send(client, logs(played), played_log(7)))["code"] == "csrf"
    client.get("/api/")
    csrf = client.get("/account/tokens/").context["csrf_token"]
    assert send(client, logs(played), played_log(7), **{"X-CSRFToken": str(csrf)}).status_code == 202


def test_a_token_without_the_scope(played: Played, program: Program) -> None:
    reader = program(played.world.alice, TokenScope.READ)
    found = problem_of(send(reader, logs(played), played_log(7)))
    assert (found["status"], found["code"]) == (403, "insufficient-scope")
    writer = program(played.world.alice, TokenScope.SUBMIT)
    assert problem_of(writer.get("/api/v1/matches"))["code"] == "insufficient-scope"
    assert send(writer, logs(played), played_log(7)).status_code == 202


def test_strangers_and_submitters(played: Played, program: Program) -> None:
    confirmation = f"results/{played.result.pk}/confirmation"
    assert problem_of(send(program(played.world.charlie), logs(played), "x"))["code"] == "not-your-match"
    assert problem_of(send(program(played.world.alice), confirmation))["code"] == "own-submission"
    played.result.needs_decision = True
    type(played.result).objects.filter(pk=played.result.pk).update(needs_decision=True)
    found = problem_of(send(program(played.world.bob), confirmation))
    assert (found["status"], found["code"]) == (403, "needs-official")


# --- 404, 405, 406 ---


@pytest.mark.parametrize("path", ["nothing", "matches/999", "matches/ten", "leagues/none", "rulesets/chess", "v2/"])
def test_what_is_not_there(db, path: str) -> None:
    found = problem_of(Client().get(f"/api/v1/{path}"))
    assert (found["status"], found["code"]) == (404, "not-found")


@pytest.mark.parametrize("path", ["matches/99999999999999999999", "records/18446744073709551616", "results/0"])
def test_numbers_that_no_row_can_have(db, path: str) -> None:
    assert problem_of(Client().get(f"/api/v1/{path}"))["code"] == "not-found"


def test_methods_and_forms_that_are_not_taken(db) -> None:
    answer = Client().delete("/api/v1/matches")
    assert problem_of(answer)["code"] == "method-not-allowed"
    assert (answer.status_code, answer.headers["Allow"]) == (405, "GET, HEAD, OPTIONS")
    found = problem_of(Client().get("/api/v1/matches", headers={"Accept": "text/html"}))
    assert (found["status"], found["code"]) == (406, "not-acceptable")


# --- 409 ---


def test_what_is_settled(played: Played, program: Program) -> None:
    confirm_result(result=played.result, user=played.world.bob)
    again = problem_of(send(program(played.world.bob), f"results/{played.result.pk}/confirmation"))
    assert (again["status"], again["code"]) == (409, "already-official")
    late = problem_of(send(program(played.world.alice), f"games/{played.game.code}/logs", played_log(8)))
    assert (late["status"], late["code"]) == (409, "already-official")


def test_a_result_that_was_replaced_or_is_being_checked(played: Played, program: Program) -> None:
    old = played.result
    played.world.submit(played_log(8), game=played.game)
    path = f"results/{old.pk}/confirmation"
    assert problem_of(send(program(played.world.bob), path))["code"] == "being-checked"
    type(old).objects.filter(pk=old.pk).update(current=False)
    assert problem_of(send(program(played.world.bob), path))["code"] == "no-result"


# --- 411, 413, 415 ---


def test_bodies_without_a_length(db) -> None:
    found = problem_of(send(Client(), "verify", b"x", **{"Transfer-Encoding": "chunked"}))
    assert (found["status"], found["code"]) == (411, "length-required")


@pytest.mark.parametrize(
    ("body", "kind"),
    [(b"x" * (MAX_BYTES + 1), "text/plain"), (b'{"log": "' + b"x" * 1_100_000 + b'"}', "application/json")],
)
def test_bodies_that_are_too_large(db, body: bytes, kind: str) -> None:
    found = problem_of(send(Client(), "verify", body, kind))
    assert (found["status"], found["code"]) == (413, "too-large")


def test_a_log_that_is_too_large_within_json(db) -> None:
    found = problem_of(send(Client(), "verify", {"log": "x" * (MAX_BYTES + 1)}, "application/json"))
    assert (found["status"], found["code"]) == (413, "too-large")


def test_types_that_are_not_taken(db) -> None:
    found = problem_of(send(Client(), "verify", b"<log/>", "application/xml"))
    assert (found["status"], found["code"]) == (415, "unsupported-media-type")


# --- 422 ---


@pytest.mark.parametrize("body", [{}, {"log": None}, {"log": ["x"]}, {"text": "x"}, [], "x", 1, None])
def test_a_body_without_its_field(db, body: object) -> None:
    found = problem_of(send(Client(), "verify", json.dumps(body), "application/json"))
    assert (found["status"], found["code"]) == (422, "bad-field")
    assert found["errors"]


@pytest.mark.parametrize(
    ("log", "code", "line"),
    [
        (b"", "empty-file", None),
        (b"a\x00", "binary", None),
        (b"a\nb\xff", "not-utf8", 2),
        (b"a\n\x07", "control-character", 2),
        (played_log(7).encode() * 2, "several-games", None),
        (b'[Ruleset "chess"]', "unknown-ruleset", None),
        (b'[Ruleset "muggins"]', "wrong-ruleset", None),
        (b'[Ruleset "udl"]\n[Option.target "100"]', "wrong-options", None),
        (b'[Ruleset "udl"]\n[Game "AAAAAAAA"]', "another-game", None),
        (b'[Ruleset "udl"]\nround 1\n', "no-seats", None),
        (played_log(7, names=("Ana Ruiz", "Cleo Diaz")).encode(), "wrong-seats", None),
    ],
)
def test_a_log_that_cannot_be_of_the_game(
    played: Played, program: Program, log: bytes, code: str, line: int | None
) -> None:
    found = problem_of(send(program(played.world.alice), logs(played), log))
    assert (found["status"], found["code"], found.get("line")) == (422, code, line)
    assert played.open_game.records.count() == 0


def test_what_no_text_may_hold_is_refused_in_json_too(played: Played, program: Program) -> None:
    client = program(played.world.alice)
    for log in ("a\x00", "\ud800"):
        assert problem_of(send(client, logs(played), {"log": log}, "application/json"))["code"] == "bad-field"


# --- 429, 5xx ---


def test_too_many(db, settings, monkeypatch) -> None:
    monkeypatch.setattr(throttles.time, "time", lambda: 1_800_000_010.5)  # a minute that does not end
    settings.API_LIMITS = {**settings.API_LIMITS, "verify": 2}
    answers = [send(Client(), "verify", b"x") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert problem_of(answers[2])["code"] == "throttled"
    assert answers[2].headers["Retry-After"] == "50"


def test_a_fault_of_ours_tells_nothing(db, monkeypatch) -> None:
    monkeypatch.setattr(matches, "match_lines", lambda _: 1 / 0)
    monkeypatch.setattr(results, "visible_results", lambda _: 1 / 0)
    client = Client(raise_request_exception=False)
    found = problem_of(client.get("/api/v1/matches"))
    assert (found["status"], found["code"]) == (500, "internal")
    assert "division" not in str(found)


def test_a_database_that_does_not_answer(db, monkeypatch) -> None:
    def gone(_: object) -> None:
        raise OperationalError("server closed the connection")

    monkeypatch.setattr(matches.MatchList, "rows", staticmethod(gone))
    answer = Client().get("/api/v1/matches")
    assert (problem_of(answer)["code"], answer.status_code) == ("unavailable", 503)
    assert answer.headers["Retry-After"] == "5"


def test_the_sentence_is_in_the_reader_s_language_and_the_code_is_not(db) -> None:
    answer = Client().get("/api/v1/nothing", headers={"Accept-Language": "en"})
    assert answer.headers["Content-Language"] == "en"
    assert "Accept-Language" in answer.headers["Vary"]


# --- The table ---


def test_the_documentation_has_every_code() -> None:
    rows = re.findall(
        r"^\| `([a-z0-9-]+)` \| (\d+) \| (.+) \|$", (ROOT / "docs/api.md").read_text("utf-8"), re.MULTILINE
    )
    assert rows == [(code, str(kind.status.value), str(kind.title)) for code, kind in problems.KINDS.items()]


def test_the_page_has_every_code_as_the_place_that_problems_link_to(db) -> None:
    html = Client().get("/api/").content.decode()
    assert [code for code in problems.KINDS if f'id="{code}"' not in html] == []


HANDING_IN = {
    "league/matches/log_text.py": None,
    "league/matches/logs/fixture_check.py": None,
    "league/matches/permissions.py": {
        "why_not_submit",
        "why_not_enter",
        "why_not_confirm",
        "own_submission",
        "_stranger",
    },
    "league/matches/results/entering.py": {"enter_sheet", "_refuse_if_closed"},
    "league/matches/results/judging.py": {"judge_sheet", "rules_of_match"},
    "league/matches/logs/submission.py": {"submit_log", "_why_settled", "_decided", "confirm_result"},
}


def test_every_code_that_a_log_or_a_confirmation_can_meet_is_in_the_table() -> None:
    raised = {code for path, functions in HANDING_IN.items() for code in codes_in(ROOT / path, functions)}
    assert len(raised) > 15
    assert raised - set(problems.KINDS) == set()


RUNNING = {
    "league/competitions/registration/sign_ups.py": None,
    "league/competitions/registration/admission.py": None,
    "league/competitions/registration/opening.py": {"check_open", "invite", "set_registration"},
    "league/competitions/draw/undo.py": None,
    "league/competitions/ladders/services.py": None,
    "league/competitions/registration/seeding.py": None,
    "league/competitions/locks.py": {"locked", "locked_draft", "refuse_if_published"},
    "league/competitions/draw/publishing.py": None,
    "league/rehearsals/services.py": {"_check"},
    "league/rehearsals/evening.py": {"refuse_if_endless"},
    "league/players/enrolling.py": {"check_born", "check_club"},
}


def test_every_code_that_running_a_competition_can_meet_is_in_the_table() -> None:
    raised = {code for path, functions in RUNNING.items() for code in codes_in(ROOT / path, functions)}
    assert len(raised) > 50
    assert raised - set(problems.KINDS) == set()


DISPUTING = {
    f"league/disputes/{name}.py": None
    for name in (
        *("protests/agreeing", "protests/appealing", "protests/effects", "protests/protesting", "protests/statements"),
        *("carrying_out", "deciders", "entries", "facts", "permissions", "ruling"),
    )
}


def test_every_code_that_a_dispute_can_meet_is_in_the_table() -> None:
    raised = {code for path, functions in DISPUTING.items() for code in codes_in(ROOT / path, functions)}
    assert len(raised) > 30
    assert raised - set(problems.KINDS) == set()


def codes_in(path: Path, functions: set[str] | None) -> set[str]:
    """The first argument of every Refused and NotAllowed in these functions, of all where none are named."""
    tree = ast.parse(path.read_text("utf-8"))
    places = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and (functions is None or node.name in functions)
    ]
    return {
        call.args[0].value
        for place in places
        for call in ast.walk(place)
        if isinstance(call, ast.Call)
        and getattr(call.func, "id", "") in {"Refused", "NotAllowed"}
        and isinstance(call.args[0], ast.Constant)
    }

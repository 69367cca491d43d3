"""Every command of docs/api.md and of the page /api/ runs as it is pasted, against a live server."""

import html
import json
import os
import re
import subprocess
from datetime import timedelta
from pathlib import Path

import pytest
from django.test import Client
from django.utils import timezone

from league.api.models import TokenScope
from league.api.resources import amendments, disputes
from league.competitions.draw.publishing import publish
from league.competitions.draw.stages import draw
from league.competitions.registration.entries import register
from league.matches.models import Record, Result
from tests.league.api.conftest import key_of
from tests.league.api.managed import founded
from tests.league.api.played import Played
from tests.league.processes import PATIENCE
from tests.league.world import played_log

DOCUMENT = Path(__file__).resolve().parents[3] / "docs/api.md"
SNIPPETS = re.findall(r"```sh\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)

pytestmark = [pytest.mark.slow("starts a shell for every command of the page"), pytest.mark.curl]


@pytest.fixture
def shell(shared_played: Played, live_server, tmp_path, at_once):
    """Runs a command in a folder with the log of a game, in a shell that knows what the document says to set; an answer
    of 400 or more is a failure.
    """
    played = shared_played
    (tmp_path / "game.domino").write_text(played_log(11))
    (tmp_path / ".curlrc").write_text("fail\n")
    known = {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "SITE": live_server.url,
        "TOKEN": key_of(played.owner, *TokenScope.values),
        "GAME": played.open_game.code,
        "MATCH": str(played.match.pk),
        "RESULT": str(played.result.pk),
    }

    def run(command: str) -> str:
        asked = ["bash", "-eo", "pipefail", "-c", command]
        done = subprocess.run(
            asked, cwd=tmp_path, env=known, capture_output=True, text=True, timeout=PATIENCE, check=False
        )
        assert done.returncode == 0, (command, done.stdout, done.stderr)
        return done.stdout

    return run


def test_the_document_has_all_that_is_promised() -> None:
    assert len(SNIPPETS) == 12
    for name in ("SITE", "LEAGUE", "COMPETITION", "TOKEN"):
        assert f"{name}=${{{name}:-" in SNIPPETS[0]


def test_the_commands_of_the_document(shell, shared_played: Played) -> None:
    tonight = shared_played.world.fixture(starts_at=timezone.now())
    assert tonight.starts_at < timezone.now() + timedelta(days=1)
    variables, today, standings, submit, enter, verify, muggins, results, files, imports, _run, _climb = SNIPPETS
    entered = json.loads(shell(f"{variables}\n{enter}"))
    assert (entered["result"]["known_by"], entered["under_review"]) == ("score", False)
    said = [shell(f"{variables}\n{one}") for one in (today, standings, submit, verify)]
    assert [one["id"] for one in json.loads(said[0])["results"]] == [tonight.pk]
    assert json.loads(said[1])["rows"][0]["player"]["name"] == "Bo Chen"
    head, _, body = said[2].partition("\n\n")
    record = Record.objects.get(game=shared_played.open_game, kind="log")
    assert "202 Accepted" in head
    assert f"Location: {json.loads(body)['url']}" in head
    assert json.loads(body)["id"] == record.pk
    assert (record.state, record.verdict.status) == ("verified", "verified")
    [verdict] = json.loads(said[3])["verdicts"]
    assert (verdict["status"], verdict["scores"], verdict["winner"]) == ("corrected", {"A": 5, "B": 10}, "B")
    right = json.loads(shell(f"{variables}\n{muggins}"))
    assert (right["sum"], right["awarded"][1]) == ("6+6+5+3", {"seat": "B", "points": 5})
    both = json.JSONDecoder()
    said = shell(f"{variables}\n{results}")
    listed, end = both.raw_decode(said)
    confirmed, _ = both.raw_decode(said[end:])
    assert [one["id"] for one in listed["results"]] == [confirmed["id"]]
    assert confirmed["state"] == "official"
    assert Result.objects.get(pk=confirmed["id"]).confirmed_by == shared_played.owner
    listed = json.loads(shell(f"{variables}\n{files}"))
    assert {"competition.json", "games.csv", "all.zip"} <= {one["name"] for one in listed}
    said = shell(f"{variables}\nLEAGUE=hills TOKEN={key_of(shared_played.world.charlie)}\n{imports}")
    looked, end = both.raw_decode(said)
    made, _ = both.raw_decode(said[end:])
    assert (looked["may_store"], looked["games"], made["slug"], made["created"]) == (True, 1, "autumn", True)


def answers(text: str) -> list[dict]:
    """JSON objects, one behind the other."""
    reader, found, at = json.JSONDecoder(), [], 0
    while at < len(text):
        one, at = reader.raw_decode(text, at)
        found.append(one)
    return found


def test_the_commands_that_run_a_draft(shell, shared_played: Played) -> None:
    cup = founded(shared_played.world, "Cup")
    register(cup, [shared_played.world.ana, shared_played.world.bo])
    said = answers(shell(f"CUP=cup\n{SNIPPETS[0]}\n{SNIPPETS[10]}"))
    terms, invitation, signed_up, waiting, admitted, seeds, drawn, earlier, rehearsal, published = said
    assert (terms["open"], terms["places"], invitation["uses"]) == (True, 32, 8)
    assert (signed_up["name"], [one["name"] for one in waiting["results"]]) == ("Cy Diaz", ["Cy Diaz"])
    assert (admitted["entered"], len(seeds["seeds"]), drawn["state"]) == (1, 3, "done")
    assert [one["before"] for one in earlier["results"]] == ["lots"]
    assert (rehearsal["report"]["ended"], published["changed"]) == (True, True)


def test_the_commands_of_a_ladder(shell, shared_played: Played) -> None:
    world = shared_played.world
    ladder = founded(world, "Ladder", format="ladder", challenge_reach=2)
    register(ladder, [world.ana, world.bo])
    draw(ladder, user=world.owner)
    publish(ladder, user=world.owner)
    own = f"LADDER=ladder RIVAL={world.ana.player.code} TOKEN={key_of(world.bob)}"
    places, challenge = answers(shell(f"{own}\n{SNIPPETS[0]}\n{SNIPPETS[11]}"))
    assert [one["player"]["name"] for one in places["results"]] == ["Ana Ruiz", "Bo Chen"]
    assert (challenge["challenger"]["name"], challenge["state"]) == ("Bo Chen", "open")


def test_the_commands_of_the_page(shell, shared_played: Played, live_server) -> None:
    """As the owner sees them, who judges everywhere: with the names of this very site."""
    owner = Client()
    owner.force_login(shared_played.owner)
    page = owner.get("/api/", SERVER_NAME="127.0.0.1", SERVER_PORT=live_server.url.rpartition(":")[2])
    commands = re.findall(r"<pre[^>]*><code>(curl .*?)</code></pre>", page.content.decode(), re.DOTALL)
    assert len(commands) == 5
    said = [shell(html.unescape(command)) for command in commands]
    assert json.loads(said[0])["results"] == []
    assert len(json.loads(said[1])["rows"]) == 2
    assert "202 Accepted" in said[2]
    assert json.loads(said[3])["verdicts"][0]["status"] == "corrected"
    assert json.loads(said[4])["results"][0]["match"] == shared_played.match.pk


def test_a_command_that_fails_is_seen(shell) -> None:
    """The control."""
    with pytest.raises(AssertionError, match="404"):
        shell('curl -s "$SITE/api/v1/nothing" -S')


def test_the_page_stands_on_an_empty_site(db) -> None:
    page = Client().get("/api/").content.decode()
    assert len(re.findall(r"<code>curl ", page)) == 5
    assert "7KQ2M0ZX" in page


def test_the_examples_of_the_document_are_json() -> None:
    amendment, protest, problem = re.findall(r"```json\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    assert json.loads(amendment) == amendments.BODY
    assert json.loads(protest) == disputes.BODY
    assert json.loads(problem)["code"] == "another-game"

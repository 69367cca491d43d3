"""The demonstration, started as a person starts it: a process of its own, real pages, a clean stop."""

import contextlib
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from io import StringIO
from pathlib import Path
from urllib.error import URLError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, OpenerDirector, build_opener, urlopen

import pytest

from league import embedded
from league.management.commands.demo import LOOKING
from league.management.commands.demo import Command as DemoCommand
from league.management.commands.serve import Command as ServeCommand
from league.management.embedded_command import EmbeddedCommand
from league.rehearsals import live_tables
from tests.league.processes import PATIENCE
from tests.template_database import put_into

pytestmark = pytest.mark.sqlite  # the demonstration is embedded

ROOT = Path(__file__).resolve().parents[2]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Demo:
    """A running ``manage.py demo`` on the data of a folder."""

    def __init__(self, folder: Path, port: int, *options: str) -> None:
        self.address = f"http://127.0.0.1:{port}"
        self.begun = time.monotonic()
        self.process = subprocess.Popen(
            [sys.executable, str(ROOT / "manage.py"), "demo", "--port", str(port), *options],
            env={**os.environ, "DEMO_DIR": str(folder), "PYTHONUNBUFFERED": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def page(self, path: str = "/") -> str:
        """A page, asked for until the site is up."""
        while True:
            try:
                with urlopen(self.address + path, timeout=PATIENCE) as answer:
                    return answer.read().decode()
            except (URLError, ConnectionError):
                if self.process.poll() is not None or time.monotonic() - self.begun > PATIENCE:
                    self.process.kill()
                    pytest.fail(f"no page at {self.address}; it printed:\n{self.process.communicate()[0]}")
                time.sleep(0.1)

    def until(self, words: str) -> None:
        """Read what it prints up to the line with the words."""
        assert any(words in line for line in self.process.stdout), words

    def stop(self, number: int = signal.SIGINT) -> tuple[int, str]:
        """Exit code and the rest of what it printed."""
        self.process.send_signal(number)
        said, _ = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, said


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return put_into(tmp_path_factory.mktemp("demo"))


@pytest.fixture
def demo(folder: Path) -> Iterator[Demo]:
    running = Demo(folder, free_port())
    yield running
    if running.process.poll() is None:
        running.process.kill()
        running.process.communicate()


@pytest.mark.slow("starts the demonstration")
def test_it_shows_a_league_names_the_sign_ins_and_stops_on_ctrl_c(demo: Demo) -> None:
    from league.rehearsals.demo_people import DEMO_PARTS, PASSWORD

    assert "Harbour Domino League" in demo.page()
    code, said = demo.stop()
    assert code == 0
    assert demo.address in said
    assert f"Sign in with the password {PASSWORD} as\n" in said
    for part in DEMO_PARTS:
        assert f"    {part.username:<5} {part.role}: {part.to_try}\n" in said
    assert said.endswith("\nStopping.\nStopped.\n")
    assert "Traceback" not in said
    with pytest.raises(URLError):
        urlopen(demo.address, timeout=2)


@pytest.mark.slow("starts the demonstration")
def test_a_log_handed_in_is_verified_by_the_work_in_the_background(demo: Demo, folder: Path) -> None:
    from league.rehearsals.demo_people import PASSWORD
    from league.web.words.labels import CHECKING, VERDICTS

    demo.page()
    visitor = build_opener(HTTPCookieProcessor())
    send(visitor, f"{demo.address}/sign-in/", username="rosa", password=PASSWORD)
    log = (folder / "demo-logs" / "round-7.domino").read_text(encoding="utf-8")
    match = send(visitor, f"{demo.address}/submit/", text=log)
    assert "The log was received and is kept." in match.text
    begun = time.monotonic()
    while str(CHECKING.meaning) in (page := visitor.open(match.address).read().decode()):
        assert time.monotonic() - begun < PATIENCE, "never verified"
        time.sleep(0.2)
    assert str(VERDICTS["verified"].meaning) in page
    assert demo.stop()[0] == 0


@pytest.mark.slow("starts the demonstration")
def test_both_live_tables_play_while_a_page_is_asked_for(demo: Demo, folder: Path) -> None:
    before, begun = touches(demo, folder), time.monotonic()
    while any(now <= then for now, then in zip(touches(demo, folder), before, strict=True)):
        assert time.monotonic() - begun < PATIENCE, "nobody plays"
        time.sleep(0.5)
    code, said = demo.stop()
    assert (code, "failed" in said) == (0, False)


def touches(demo: Demo, folder: Path) -> list[int]:
    """How many touches each table has made, read beside the site."""
    demo.page()
    with sqlite3.connect(folder / "league.sqlite3") as base:
        counted = base.execute(
            "SELECT count(*) FROM matches_tallytap JOIN matches_game ON matches_game.id = game_id"
            " JOIN matches_match ON matches_match.id = match_id GROUP BY table_id ORDER BY table_id"
        )
        return [count for (count,) in counted]


@pytest.fixture
def command() -> DemoCommand:
    one = DemoCommand(stdout=StringIO())
    one.started = 0.0
    return one


def test_the_players_rest_while_nobody_looks(command: DemoCommand, monkeypatch) -> None:
    acts: list[datetime] = []
    monkeypatch.setattr(live_tables, "is_over", lambda: False)
    monkeypatch.setattr(live_tables, "play_on", acts.append)
    command.visited = time.monotonic() - LOOKING - 1
    command.play()
    assert acts == []
    command.note_visit()
    command.play()
    assert len(acts) == 1


def test_after_the_last_game_it_stops_and_starts_over_with_new_data(command: DemoCommand, monkeypatch) -> None:
    signals: list[int] = []
    started: list[list[str]] = []
    monkeypatch.setattr(live_tables, "is_over", lambda: True)
    monkeypatch.setattr(live_tables, "play_on", lambda _now: pytest.fail("a game too many"))
    monkeypatch.setattr(signal, "raise_signal", signals.append)
    monkeypatch.setattr(os, "execv", lambda _program, words: started.append(words))
    monkeypatch.setattr(EmbeddedCommand, "handle", lambda *_all, **_options: None)
    command.handle(host="127.0.0.1", port=1)
    assert started == []
    command.note_visit()
    command.play()
    assert signals == [signal.SIGINT]
    command.handle(host="127.0.0.1", port=1)
    assert [words[1:] for words in started] == [[*sys.argv, "--fresh"]]


def test_only_the_demonstration_has_players(command: DemoCommand, monkeypatch) -> None:
    acts: list[str] = []

    @contextlib.contextmanager
    def repeated(act, _every):
        acts.append(act.__qualname__)
        yield

    monkeypatch.setattr(embedded, "background_work", lambda _app: contextlib.nullcontext())
    monkeypatch.setattr(embedded, "serve", lambda *_arguments: None)
    monkeypatch.setattr(embedded, "repeated", repeated)
    with socket.socket() as bound:
        ServeCommand(stdout=StringIO()).run(bound, lambda: None, None)
        assert acts == []
        command.run(bound, lambda: None, None)
    assert acts == ["Command.play"]


def test_an_act_that_fails_is_logged_and_done_again(caplog) -> None:
    done = threading.Event()
    calls = iter([ValueError("no tiles"), None])

    def act() -> None:
        problem = next(calls, None)
        if problem:
            raise problem
        done.set()

    with embedded.repeated(act, 0.01):
        assert done.wait(PATIENCE)
    assert [record.getMessage().endswith("act failed") for record in caplog.records] == [True]
    assert "repeated" not in {one.name for one in threading.enumerate()}


@dataclass
class Page:
    address: str
    text: str


def send(visitor: OpenerDirector, address: str, **fields: str) -> Page:
    """Fill in the form at the address and send it; the page that answers."""
    form = visitor.open(address).read().decode()
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', form)[1]
    body = urlencode({"csrfmiddlewaretoken": token, **fields}).encode()
    with visitor.open(address, body) as answer:
        return Page(answer.url, answer.read().decode())


@pytest.mark.slow("starts the demonstration")
def test_it_stops_on_sigterm_too(demo: Demo) -> None:
    demo.page()
    code, said = demo.stop(signal.SIGTERM)
    assert code == 0
    assert said.endswith("\nStopping.\nStopped.\n")


@pytest.mark.slow("starts the demonstration")
def test_a_taken_port_and_taken_data_are_told(demo: Demo, folder: Path, tmp_path: Path) -> None:
    demo.page()
    port = int(demo.address.rpartition(":")[2])
    second = Demo(tmp_path, port)
    said, _ = second.process.communicate(timeout=PATIENCE)
    assert second.process.returncode == 1
    assert said == (
        f"CommandError: Port {port} on 127.0.0.1 is taken by another program. "
        f"Choose another one: python3 manage.py demo --port {port + 1}\n"
    )
    third = Demo(folder, free_port())
    said, _ = third.process.communicate(timeout=PATIENCE)
    assert third.process.returncode == 1
    assert said == f"CommandError: Another demonstration is running on the data in {folder}.\n"
    assert demo.stop()[0] == 0


@pytest.mark.slow("starts the demonstration")
def test_stopped_while_it_loads_it_ends_cleanly_and_the_next_start_plays_anew(tmp_path: Path) -> None:
    first = Demo(put_into(tmp_path), free_port())
    first.until("Preparing the database")
    code, said = first.stop()
    assert code == 0
    assert said.rstrip().endswith("Stopped before the site was up")
    second = Demo(tmp_path, free_port())
    assert "Harbour Domino League" in second.page()
    assert second.stop()[0] == 0

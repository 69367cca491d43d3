"""A club's own site, started as a club starts it: empty, in a folder of its own, open to the hall."""

import os
import re
import signal
import sqlite3
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, Request, build_opener, urlopen
from zipfile import ZipFile

import pytest

from league import lan, qr
from league.certificates import local_names
from tests.league.processes import PATIENCE, free_port
from tests.repo.test_manage import WITHOUT
from tests.template_database import put_into

ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.sqlite  # what it starts has its own; once is enough

Rows = dict[str, list[tuple[object, ...]]]


def manage(*arguments: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), *arguments],
        env=environment_of_a_shell(**environment),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def environment_of_a_shell(**more: str) -> dict[str, str]:
    forgotten = {"DATABASE_URL", "SECRET_KEY", "DEBUG", "SITE_DIR", "DEMO_DIR", "DATA_DIR", "DJANGO_SETTINGS_MODULE"}
    kept = {name: value for name, value in os.environ.items() if name not in forgotten}
    return {**kept, "PYTHONUNBUFFERED": "1", **more}


class Served:
    """A running ``manage.py serve`` on the data of a folder."""

    def __init__(self, folder: Path, *options: str, command: str = "serve", **environment: str) -> None:
        self.port = free_port()
        self.process = subprocess.Popen(
            [sys.executable, str(ROOT / "manage.py"), command, "--port", str(self.port), *options],
            # What the shell has set for a real site is none of this one's business.
            env=environment_of_a_shell(
                SITE_DIR=str(folder),
                DEMO_DIR=str(folder),
                DATABASE_URL="postgres://nobody@127.0.0.1:1/x",
                HTTPS="1",
                **environment,
            ),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def get(self, path: str = "/", host: str = "") -> tuple[int, str]:
        """A page, asked for until the site is up."""
        end = time.monotonic() + PATIENCE
        request = Request(f"http://127.0.0.1:{self.port}{path}", headers={"Host": host} if host else {})
        while True:
            try:
                with urlopen(request, timeout=PATIENCE) as answer:
                    return answer.status, answer.read().decode()
            except HTTPError as answer:
                return answer.status, answer.read().decode()
            except (URLError, ConnectionError):
                if self.process.poll() is not None or time.monotonic() > end:
                    self.process.kill()
                    pytest.fail(f"no page; it printed:\n{self.process.communicate()[0]}")
                time.sleep(0.1)

    def stop(self) -> str:
        self.process.send_signal(signal.SIGINT)
        said, _ = self.process.communicate(timeout=PATIENCE)
        assert self.process.returncode == 0, said
        assert "Traceback" not in said
        return said


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[type[Served]]:
    started: list[Served] = []

    def start(folder: Path = tmp_path / "site", *options: str, command: str = "serve", **environment: str) -> Served:
        """Of a folder that is absent every migration runs: the first start of a site."""
        started.append(Served(folder, *options, command=command, **environment))
        return started[-1]

    yield start
    for one in started:
        if one.process.poll() is None:
            one.process.kill()
            one.process.communicate()


def rows(folder: Path) -> Rows:
    with sqlite3.connect(folder / "league.sqlite3") as database:
        tables = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        # How far numbers were given out is SQLite's own, and begins anew at the highest that is there.
        return {
            name: sorted(database.execute(f"SELECT * FROM {name}"), key=repr)
            for name in sorted(tables)
            if name != "sqlite_sequence"
        }


def put_somebody_in(folder: Path) -> None:
    with sqlite3.connect(folder / "league.sqlite3") as database:
        columns = {row[1]: row for row in database.execute("PRAGMA table_info(accounts_league)")}
        given = {"name": "Harbour", "slug": "harbour", "time_zone": "UTC"}
        values = {
            name: given.get(name, None if not needed else 1 if kind == "bool" or "int" in kind else "")
            for name, (_, _, kind, needed, _, key) in columns.items()
            if not key
        }
        places = ", ".join("?" * len(values))
        database.execute(f"INSERT INTO accounts_league ({', '.join(values)}) VALUES ({places})", list(values.values()))


@pytest.mark.slow("starts sites")
def test_it_starts_empty_in_its_folder_and_tells_the_hall_where_it_is(serve, tmp_path: Path) -> None:
    site = serve()
    status, page = site.get()
    assert status == 200
    assert 'name="league_name"' in page  # there is nobody yet
    assert site.get("/", host="evil.example")[0] == 400
    for own in [*lan.addresses(), "localhost"]:
        assert site.get("/", host=f"{own}:{site.port}")[0] == 200
    status, page = site.get("/address/")
    [address] = re.findall(r'<figcaption><a href="([^"]+)"', page)
    assert address == (
        f"http://{lan.addresses()[0]}:{site.port}/" if lan.addresses() else f"http://127.0.0.1:{site.port}/"
    )
    assert f'd="{qr.path(address)[1]}"' in page
    said = site.stop()
    assert f"The site's data: {tmp_path / 'site'}" in said
    if lan.addresses():
        assert address in said
        assert "\n".join(f"  {line}" for line in qr.half_blocks(address)) in said
    assert f"http://localhost:{site.port}/" in said
    assert {"league.sqlite3", "secret.key", "site.lock"} <= {path.name for path in (tmp_path / "site").iterdir()}


@pytest.mark.slow("starts sites")
def test_the_first_owner_comes_in_by_the_printed_address_and_the_next_start_asks_for_nobody(
    serve, tmp_path: Path
) -> None:
    put_into(tmp_path / "site")
    site = serve()
    site.get()
    code = (tmp_path / "site" / "setup.code").read_text("utf-8")
    owner = build_opener(HTTPCookieProcessor(CookieJar()))
    first = f"http://127.0.0.1:{site.port}/first/"
    with owner.open(f"{first}?{urlencode({'code': code})}") as answer:
        page = answer.read().decode()
    assert f'value="{code}"' in page
    [token] = set(re.findall(r'name="csrfmiddlewaretoken" value="([^"]+)"', page))
    given = {"league_name": "Harbour", "time_zone": "Europe/Madrid", "username": "olga", "password": "a pier of 28"}
    form = {**given, "csrfmiddlewaretoken": token}
    with pytest.raises(HTTPError, match="422"):
        owner.open(first, urlencode({**form, "code": "wrong"}).encode())
    with owner.open(first, urlencode({**form, "code": code}).encode()) as answer:
        assert answer.url == f"http://127.0.0.1:{site.port}/organize/harbour/new/"
        assert "olga" in answer.read().decode()
    assert site.get("/first/")[0] == 404
    assert re.search(rf"\n  http://[^\n]+:{site.port}/first/\?code={code}\n", site.stop())
    again = serve()
    assert "Harbour" in again.get("/leagues/harbour/")[1]
    assert "code" not in again.stop().replace("point a camera at the code", "")


@pytest.mark.slow("starts sites")
def test_with_a_host_of_its_own_only_this_machine_reaches_it(serve, tmp_path: Path) -> None:
    site = serve(put_into(tmp_path / "site"), "--host", "127.0.0.1")
    assert site.get()[0] == 200
    for other in lan.addresses():
        assert site.get("/", host=other)[0] == 400
    assert "Only this machine reaches it: it was started with --host." in site.stop()


@pytest.mark.slow("starts sites")
def test_with_lan_phones_that_trust_its_certificate_get_the_same_pages_over_https(serve, tmp_path: Path) -> None:
    folder, port = put_into(tmp_path / "site"), free_port()
    site = serve(folder, "--lan", "--https-port", str(port))
    assert "https://127.0.0.1:" + str(port) in site.get("/address/trust/")[1]
    with urlopen(f"http://127.0.0.1:{site.port}/address/authority.crt", timeout=PATIENCE) as answer:
        trust = ssl.create_default_context(cadata=answer.read())
    with urlopen(f"https://localhost:{port}/address/", context=trust, timeout=PATIENCE) as answer:
        assert 'href="/address/trust/"' in answer.read().decode()
    taken = serve(put_into(tmp_path / "other"), "--lan", "--https-port", str(port)).process.communicate()[0]
    assert taken.splitlines()[-1] == (
        f"CommandError: Port {port} on 0.0.0.0 is taken by another program. "
        f"Choose another one: python3 manage.py serve --lan --https-port {port + 1}"
    )
    assert manage("backup", str(tmp_path / "saved.zip"), "--data", str(folder)).returncode == 0
    with ZipFile(tmp_path / "saved.zip") as saved:
        assert not any(b"PRIVATE KEY" in saved.read(name) for name in saved.namelist())
    assert f"https://{lan.in_url(local_names('0.0.0.0')[0])}:{port}/" in site.stop()


@pytest.mark.slow("starts sites")
def test_a_site_and_the_demonstration_never_share_a_folder(serve, tmp_path: Path) -> None:
    for kind in ("demo", "site"):
        (tmp_path / kind).mkdir()
        (tmp_path / kind / f"{kind}.lock").touch()
        before = sorted(path.name for path in (tmp_path / kind).iterdir())
        other = serve(tmp_path / kind, command="serve" if kind == "demo" else "demo")
        said, _ = other.process.communicate(timeout=PATIENCE)
        assert other.process.returncode == 1
        assert said.splitlines()[-1] == (
            f"CommandError: {tmp_path / kind} holds the demonstration, which is no place for a club's data. "
            "Name another folder: --data FOLDER"
            if kind == "demo"
            else f"CommandError: {tmp_path / kind} holds a club's own site, which the demonstration must not touch. "
            "Start it without DEMO_DIR, or name another folder there."
        )
        # Settings may keep their key; no database, no lock of the other.
        assert {path.name for path in (tmp_path / kind).iterdir()} - {"secret.key", "static"} == set(before)


@pytest.mark.slow("starts sites")
def test_backup_loss_of_the_folder_restore_nothing_is_missing_and_no_second_process_may_write(
    serve, tmp_path: Path
) -> None:
    folder, stick = put_into(tmp_path / "site"), tmp_path / "stick"
    stick.mkdir()
    site = serve(folder)
    site.get()
    put_somebody_in(folder)
    busy = manage("restore", "/dev/null", "--data", str(folder))
    assert (busy.returncode, busy.stderr.splitlines()) == (
        1,
        [f"CommandError: The site in {folder} is running. Stop it first (Ctrl-C where it was started)."],
    )
    made = manage("backup", str(stick), "--data", str(folder))  # while it runs
    assert made.returncode == 0, made.stderr
    site.stop()
    before = rows(folder)
    assert len(before["accounts_league"]) == 1
    [saved] = stick.iterdir()
    folder.rename(tmp_path / "lost")
    done = manage("restore", str(saved), SITE_DIR=str(folder))
    assert done.returncode == 0, done.stderr
    assert rows(folder) == before
    site = serve(folder)
    assert site.get()[0] == 200
    site.stop()


@pytest.mark.slow("starts sites")
def test_data_of_an_older_edition_is_saved_before_it_is_migrated_and_that_file_can_be_restored(
    serve, tmp_path: Path
) -> None:
    folder = tmp_path / "site"
    old = {"DATA_DIR": str(folder), "DJANGO_SETTINGS_MODULE": "league.settings"}
    for app, migration in (("matches", "0001_tables_squashed"), ("sessions", "zero"), ("contenttypes", "0002")):
        made = manage("migrate", app, migration, **old)
        assert made.returncode == 0, made.stderr
    put_somebody_in(folder)
    before = rows(folder)
    assert "django_session" not in before
    site = serve(folder)
    assert site.get()[0] == 200
    said = site.stop()
    [saved] = (folder / "backups").iterdir()
    assert f"A new edition of the program: saving what is there to {saved}" in said
    assert len(rows(folder)["accounts_league"]) == 1
    again = serve(folder)
    again.get()
    assert "saving what is there" not in again.stop()
    done = manage("restore", str(saved), "--data", str(tmp_path / "new"))
    assert (done.returncode, "Bringing the tables up to date" in done.stdout) == (0, True), done.stderr
    new = rows(tmp_path / "new")
    assert new["accounts_league"] == rows(folder)["accounts_league"]
    assert new.keys() == rows(folder).keys()


def test_what_is_mistyped_is_told_before_anything_is_made(tmp_path: Path) -> None:
    nowhere, file = tmp_path / "nowhere", tmp_path / "file"
    file.touch()
    no_site = f"There is no site in {nowhere}. Name its folder: --data FOLDER"
    for arguments, sentence in (
        (("backup", "--data", str(nowhere)), no_site),
        (
            ("move-to-postgres", "x", f"--data={nowhere}"),
            f"There is no site in {nowhere}. Name its folder: --data FOLDER",
        ),
        (
            ("serve", "--data", str(file)),
            f"The folder {file} can't be made: File exists. Name another one: --data FOLDER",
        ),
    ):
        done = manage(*arguments)
        assert (done.returncode, done.stderr.strip()) == (1, sentence)
    assert not nowhere.exists()
    done = manage("serve", "--port", "eight", "--data", str(tmp_path / "new"))
    assert (done.returncode, done.stderr.splitlines()[-1]) == (
        2,
        "manage.py serve: error: argument --port: eight is no port: 1 to 65535",
    )


@pytest.mark.slow("starts processes")
@pytest.mark.parametrize("command", ["serve", "backup", "restore", "move-to-postgres"])
def test_each_command_explains_itself(command: str, tmp_path: Path) -> None:
    done = manage(command, "--help", SITE_DIR=str(tmp_path))
    assert (done.returncode, "--data FOLDER" in done.stdout) == (0, True)


@pytest.mark.slow("starts sites")
def test_a_python_without_fcntl_and_execv_serves_and_keeps_the_folder_for_itself(serve, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(WITHOUT)
    folder = put_into(tmp_path / "site")
    site = serve(folder, PYTHONPATH=str(tmp_path))
    assert site.get()[0] == 200
    second = serve(folder, PYTHONPATH=str(tmp_path))
    said, _ = second.process.communicate(timeout=PATIENCE)
    assert said.splitlines()[-1] == (
        f"CommandError: The site in {folder} is running. Stop it first (Ctrl-C where it was started)."
    )
    site.stop()


@pytest.mark.slow("starts sites")
def test_an_unwritable_lock_is_reported_in_a_sentence(serve, tmp_path: Path) -> None:
    folder = put_into(tmp_path / "site")
    (folder / "site.lock").mkdir()  # as root may write any file
    said, _ = serve(folder).process.communicate(timeout=PATIENCE)
    assert "Traceback" not in said
    assert said.splitlines()[-1].startswith(f"CommandError: The site cannot write into {folder}: ")
    assert said.splitlines()[-1].endswith("Name a folder that is yours: --data FOLDER")

"""A public page is made once for all who look at it before anything changes, and never shown after something did."""

import re
import sqlite3
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection, transaction
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from league.competitions.models import Competition
from league.matches.clock import services as timekeeping
from league.matches.models import Game, Match
from league.web.shared import page_cache
from league.web.shared.commits_seen import Watch, commits_seen
from league.web.shared.page_cache import kept_page
from tests.web import world as small

PAGE = "/competitions/harbour/autumn/"
NONE_SET = "1:1:"


@pytest.fixture
def shared_world(transactional_db):
    return small.build()


@pytest.fixture
def same_snapshot(monkeypatch):
    """As if no transaction ended: nothing else that runs on the server is in the way, and no change is noticed."""
    monkeypatch.setattr(page_cache, "commits_seen", lambda: NONE_SET)


def statements(client: Client, path: str = PAGE) -> int:
    with CaptureQueriesContext(connection) as asked:
        assert client.get(path).status_code == 200
    return len(asked)


def bare(answer: HttpResponse) -> str:
    return re.sub(r'(?<=name="csrfmiddlewaretoken" value=")\w+', "", answer.content.decode())


def tokens(answer: HttpResponse) -> set[str]:
    return set(re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', answer.content.decode()))


@pytest.mark.both
def test_a_page_nothing_has_happened_to_is_told_with_one_statement_at_most(shared_world, monkeypatch) -> None:
    seen = commits_seen()
    # Asked as always; what ends in other databases of the same server is left out of the answer.
    monkeypatch.setattr(page_cache, "commits_seen", lambda: commits_seen() and seen)
    assert statements(Client()) > 5
    assert statements(Client()) == (1 if connection.vendor == "postgresql" else 0)


@pytest.mark.both
def test_the_name_is_the_same_until_a_transaction_ends(shared_world) -> None:
    # Others may end one between two questions, but not each time.
    assert any(commits_seen() == commits_seen() for _ in range(1000))


@pytest.mark.both
def test_no_live_page_has_the_score_of_before(shared_world) -> None:
    paths = (f"/matches/{shared_world.match.pk}/", "/leagues/harbour/now/", f"{PAGE}now/")
    for points in (10, 25, 40):
        tally = {"points": [points, 0], "round": 2, "at": timezone.now().isoformat()}
        Game.objects.filter(match=shared_world.match, number=1).update(tally=tally)
        Match.objects.filter(pk=shared_world.match.pk).update(state=Match.State.PLAYING)
        for path in paths:
            for _ in range(2):
                assert f"{points}–0" in Client().get(path).content.decode(), path
        assert f"<title>{points}–0 Ana Ruiz" in Client().get(paths[0]).content.decode()


@pytest.mark.both
def test_no_look_after_a_change_is_given_the_page_of_before(shared_world) -> None:
    competition = shared_world.competition
    for number in range(20):
        competition.name = f"Autumn {number}"
        competition.save()
        for _ in range(2):
            assert f"<title>Autumn {number}," in Client().get(PAGE).content.decode()


@pytest.mark.both
def test_a_change_that_is_not_committed_yet_is_not_shown_and_then_it_is(shared_world) -> None:
    competition, seen = shared_world.competition, commits_seen()
    with transaction.atomic():
        competition.name = "Winter"
        competition.save()
        assert commits_seen() is None
    assert commits_seen() not in (seen, None)
    assert "<title>Winter," in Client().get(PAGE).content.decode()


def test_the_control_without_the_snapshot_the_old_page_would_be_given(shared_world, same_snapshot) -> None:
    before = bare(Client().get(PAGE))
    shared_world.competition.name = "Winter"
    shared_world.competition.save()
    assert bare(Client().get(PAGE)) == before


@pytest.mark.both
def test_every_commit_of_any_thread_or_connection_has_a_name_of_its_own(shared_world) -> None:
    seen = [commits_seen()]
    for number in range(5):
        with ThreadPoolExecutor(1) as other:
            other.submit(rename, number).result()
        seen.append(commits_seen())
        rename(100 + number)
        seen.append(commits_seen())
    assert len(set(seen)) == 11


def rename(number: int) -> None:
    with transaction.atomic():
        Competition.objects.update(name=f"Autumn {number}")
    if threading.current_thread() is not threading.main_thread():
        connection.close()


@pytest.mark.sqlite
def test_a_commit_of_another_process_ends_a_page(shared_world) -> None:
    Client().get(PAGE)
    path = connection.settings_dict["NAME"]
    order = "import sqlite3, sys; b = sqlite3.connect(sys.argv[1]); b.execute(sys.argv[2]); b.commit()"
    change = "UPDATE competitions_competition SET name = 'Winter'"
    subprocess.run([sys.executable, "-c", order, path, change], check=True)
    assert "<title>Winter," in Client().get(PAGE).content.decode()


def test_a_closed_watch_leaves_no_journal_and_looks_again(tmp_path) -> None:
    watch, path = Watch(), tmp_path / "base"
    base = sqlite3.connect(path)
    base.execute("PRAGMA journal_mode=WAL")
    base.execute("CREATE TABLE one (a)")
    before = watch.version(str(path))
    base.close()
    assert path.with_name("base-wal").exists()
    watch.close()
    assert not path.with_name("base-wal").exists()
    assert watch.version(str(path)) not in (before, None)


def test_another_file_under_the_same_name_is_another_database(tmp_path) -> None:
    watch, path = Watch(), tmp_path / "base"
    names = [watch.version(str(path))]
    for _ in range(3):
        sqlite3.connect(path).execute("CREATE TABLE one (a)")
        names += [watch.version(str(path)), watch.version(str(path))]
        path.unlink()
    assert names[0] is None
    assert names[1::2] == names[2::2]
    assert len(set(names)) == 4


def test_a_page_is_kept_for_five_seconds_of_the_site_s_clock_and_for_no_other_minute(
    shared_world, same_snapshot, monkeypatch
) -> None:
    minute = timezone.now().replace(second=0, microsecond=0)
    for second, later, is_made in ((0, 4.9, False), (0, 5, True), (9, -1, True), (57, 2.9, False), (57, 3, True)):
        now = minute + timedelta(seconds=second)
        page_cache.cache.clear()
        monkeypatch.setattr(timezone, "now", lambda now=now: now)
        Client().get(PAGE)
        monkeypatch.setattr(timezone, "now", lambda now=now, later=later: now + timedelta(seconds=later))
        assert (statements(Client()) > 1) == is_made


def test_the_token_of_a_kept_page_is_that_of_whoever_looks(shared_world, same_snapshot) -> None:
    Client().get(PAGE)
    visitor, other = Client(enforce_csrf_checks=True), Client(enforce_csrf_checks=True)
    [token], [another] = tokens(visitor.get(PAGE)), tokens(other.get(PAGE))
    assert token != another
    choice = {"theme": "dark", "next": PAGE}
    assert visitor.post("/theme/", choice | {"csrfmiddlewaretoken": token}).status_code == 302
    assert visitor.post("/theme/", choice | {"csrfmiddlewaretoken": another}).status_code == 403


def test_a_kept_page_has_the_headers_of_one_that_is_made(shared_world, same_snapshot) -> None:
    made, kept = Client().get(PAGE), Client().get(PAGE)
    assert dict(kept.headers) == dict(made.headers)
    assert {"Cookie", "Accept-Language"} <= set(kept["Vary"].replace(" ", "").split(","))
    assert "private" in kept["Cache-Control"]


def test_who_is_signed_in_neither_leaves_a_page_nor_is_given_one(shared_world, same_snapshot, browse) -> None:
    of_owner = bare(browse(shared_world.owner).get(PAGE))
    of_nobody = bare(Client().get(PAGE))
    assert "Sign out" in of_owner
    assert "Sign out" not in of_nobody
    assert "Sign out" in bare(browse(shared_world.owner).get(PAGE))
    assert bare(Client().get(PAGE)) == of_nobody


@pytest.mark.parametrize("name", ["sessionid", "messages"])
def test_who_has_a_session_or_is_told_something_is_given_a_page_of_their_own(shared_world, same_snapshot, name) -> None:
    Client().get(PAGE)
    visitor = Client()
    visitor.cookies[name] = "something"
    assert statements(visitor) > 1


@pytest.mark.parametrize(
    ("name", "value", "shown"), [("theme", "dark", 'data-theme="dark"'), ("django_language", "es", '<html lang="es"')]
)
def test_a_theme_and_a_language_have_pages_of_their_own(shared_world, same_snapshot, name, value, shown) -> None:
    Client().get(PAGE)
    visitor = Client()
    visitor.cookies[name] = value
    for _ in range(2):
        assert shown in visitor.get(PAGE).content.decode()
    assert shown not in Client().get(PAGE).content.decode()


def test_another_host_has_a_page_of_its_own(shared_world, same_snapshot, settings) -> None:
    settings.ALLOWED_HOSTS = ["one.example", "two.example"]
    Client().get(PAGE, headers={"host": "one.example"})
    assert "one.example" not in Client().get(PAGE, headers={"host": "two.example"}).content.decode()


def test_what_was_not_found_is_looked_for_again(shared_world, same_snapshot) -> None:
    assert Client().get("/competitions/harbour/winter/").status_code == 404
    shared_world.competition.slug = "winter"
    shared_world.competition.save()
    assert Client().get("/competitions/harbour/winter/").status_code == 200


def asked() -> object:
    request = RequestFactory().get("/")
    request.user, request.session = AnonymousUser(), type("Nothing", (), {"modified": False})()
    return request


def times_made(answer: HttpResponse) -> int:
    made = []
    view = kept_page(lambda _: made.append(1) or answer)
    view(asked()), view(asked())
    return len(made)


def test_an_answer_that_sets_a_cookie_is_for_one_visitor(same_snapshot) -> None:
    answer = HttpResponse("once")
    assert times_made(answer) == 1
    page_cache.cache.clear()
    answer.set_cookie("mine", "1")
    assert times_made(answer) == 2


def test_a_page_with_a_token_outside_of_a_form_is_for_one_visitor(same_snapshot) -> None:
    field = '<input name="csrfmiddlewaretoken" value="Abc123">'
    assert times_made(HttpResponse(field)) == 1
    page_cache.cache.clear()
    assert times_made(HttpResponse(field + "<b data-token='Abc123'>")) == 2


def test_a_match_is_told_once_while_no_clock_runs(shared_world, same_snapshot) -> None:
    path = f"/matches/{shared_world.match.pk}/"
    Client().get(path)
    assert statements(Client(), path) == 0
    page_cache.cache.clear()
    timekeeping.start_clock(shared_world.game(), shared_world.ref, timezone.now())
    Client().get(path)
    assert statements(Client(), path) > 1

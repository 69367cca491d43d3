"""A backup, the loss of everything, a restore: nothing is missing. And whatever is wrong leaves all as it was."""

import os
import resource
import struct
import sys
import threading
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection
from django.utils import timezone

from league.accounts.models import League, User
from league.backups import BackupProblem, archive, checks, places, restoring, schema, writing
from league.matches.logs.submission import verify_record
from league.matches.models import Upload
from tests.league.backups.rows import every_row, place, rewritten, with_manifest
from tests.league.world import played_log

pytestmark = pytest.mark.django_db(transaction=True)


def lose_everything() -> None:
    with connection.constraint_checks_disabled():
        schema.drop_tables()


def quietly(_text: str) -> None:
    pass


@pytest.mark.slow("restores through every migration")
@pytest.mark.real_migrations
def test_backup_loss_restore_nothing_is_missing(site, saved):
    before = every_row()
    assert [table for table, rows in before.items() if not rows] == []
    lose_everything()
    assert "accounts_user" not in every_row()
    manifest = restoring.restore(saved, quietly)
    assert every_row() == before
    assert manifest.rows == sum(map(len, before.values()))
    # Life goes on: new rows take numbers that are free, and the sealed ones are as final as before.
    assert User.objects.create(username="new", password="!").pk > site.alice.pk
    assert site.fixture().pk > site.match.pk
    verify_record(site.submit(played_log(12), game=site.fixture().games.first()).pk)
    for statement, refusal in (
        ("UPDATE matches_sealedlog SET text = ''", "a sealed log is never changed"),
        ("UPDATE matches_clockevent SET number = number + 100", "what was done to a clock is never changed"),
    ):
        with pytest.raises(DatabaseError, match=refusal), connection.cursor() as cursor:
            cursor.execute(statement)


def test_the_control_a_restore_that_forgets_one_row_is_seen(site, saved):
    before = every_row()
    for table in ("accounts_role", "accounts_resetlink", "django_session"):
        restoring.restore(rewritten(saved, table, list.pop), quietly)
        assert every_row() != before


def test_every_column_of_every_table_can_be_saved():
    from django.apps import apps

    from league.backups.values import codec, columns

    for model in schema.models_of(apps):
        for field in columns(model):
            assert codec(field)


# --- While the site runs ---


@pytest.fixture
def writer(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """After the first table somebody else writes to two of the later ones; how long that took."""
    import time

    save_table, took = writing._save_table, []

    def write() -> None:
        begun = time.monotonic()
        League.objects.create(name="Meanwhile", slug="meanwhile")
        User.objects.create(username="meanwhile", password="!")
        connection.close()
        took.append(time.monotonic() - begun)

    def save_and_be_disturbed(*arguments: object) -> object:
        table = save_table(*arguments)
        if not took:
            thread = threading.Thread(target=write)
            thread.start()
            thread.join()
        return table

    monkeypatch.setattr(writing, "_save_table", save_and_be_disturbed)
    return took


def rows_of(path: Path) -> dict[str, int]:
    with archive.opened(path) as (_, manifest):
        return {table.table: table.rows for table in manifest.tables}


@pytest.mark.slow("writes beside a backup")
def test_it_is_of_one_moment_and_keeps_no_writer_waiting(site, writer, tmp_path):
    before = {table: len(rows) for table, rows in every_row().items()}
    writing.save(tmp_path / "while.zip")
    rows = rows_of(tmp_path / "while.zip")
    assert {table: rows[table] for table in before} == {**before, **{key: rows[key] for key in before.keys() - rows}}
    assert League.objects.filter(slug="meanwhile").exists()
    assert writer[0] < 5


@pytest.mark.slow("writes beside a backup")
def test_the_control_without_the_snapshot_it_is_of_two_moments(site, writer, tmp_path, monkeypatch):
    monkeypatch.setattr(writing, "snapshot", nullcontext)
    before = len(every_row()["accounts_league"])
    writing.save(tmp_path / "while.zip")
    assert rows_of(tmp_path / "while.zip")["accounts_league"] == before + 1


# --- What is refused, with all left as it was ---


@contextmanager
def unchanged() -> Iterator[None]:
    before = every_row()
    yield
    assert every_row() == before


def refused(path: Path, words: str) -> None:
    with unchanged(), pytest.raises(BackupProblem, match=words):
        restoring.restore(path, quietly)


@pytest.mark.slow("many files")
def test_a_damaged_file_is_refused_wherever_the_damage_is(saved, tmp_path):
    data = saved.read_bytes()
    with zipfile.ZipFile(saved) as whole:
        members = [info for info in whole.infolist() if info.file_size]
    damaged = tmp_path / "damaged.zip"
    for info in members:
        name, extra = struct.unpack("<HH", data[info.header_offset + 26 : info.header_offset + 30])
        at = info.header_offset + 30 + name + extra + info.compress_size // 2
        damaged.write_bytes(data[:at] + bytes([data[at] ^ 0x20]) + data[at + 1 :])
        refused(damaged, "damaged or no backup")
    for part in (b"", b"no zip at all", data[: len(data) // 2], data[:-10]):
        damaged.write_bytes(part)
        refused(damaged, "damaged or no backup")


def test_the_control_the_hash_finds_what_the_zip_does_not(saved, tmp_path):
    path = rewritten(saved, "accounts_role", list.pop)
    with zipfile.ZipFile(saved) as old, zipfile.ZipFile(path) as new, zipfile.ZipFile(tmp_path / "mix.zip", "w") as mix:
        for name in old.namelist():
            mix.writestr(name, (new if "role" in name else old).read(name))
    refused(tmp_path / "mix.zip", "damaged or no backup")


def test_a_newer_edition_is_refused(saved):
    refused(with_manifest(saved, edition=archive.EDITION + 1), "newer edition .* Update the program first")
    with archive.opened(saved) as (_, manifest):
        newer = [*manifest.migrations, ["matches", "9999_from_the_future"]]
    refused(with_manifest(saved, migrations=newer), "newer edition .* matches 9999_from_the_future")


@pytest.mark.slow("another restore")
def test_another_zip_is_refused(saved, tmp_path):
    refused(with_manifest(saved, format="another"), "damaged or no backup")
    with pytest.raises(BackupProblem, match=r"There is no file .*nowhere\.zip"):
        restoring.restore(tmp_path / "nowhere.zip", quietly)


@pytest.mark.slow("another restore")
def test_a_log_that_is_not_what_was_sealed_is_refused(saved):
    text = place(saved, "matches_sealedlog", "text")

    def change(rows: list[list[str]]) -> None:
        rows[2][text] = rows[2][text].replace("round 1", "round 1 # one", 1)

    refused(rewritten(saved, "matches_sealedlog", change), r"sealed log of record \d+: SHA-256 is")


@pytest.mark.slow("another restore")
def test_a_verdict_that_its_log_does_not_give_is_refused(saved):
    scores = place(saved, "matches_storedverdict", "scores")

    def change(rows: list[list[str]]) -> None:
        rows[0][scores] = '{"A": 155, "B": 0}'

    refused(
        rewritten(saved, "matches_storedverdict", change),
        r"verdict on record \d+: scores is {'A': 155",
    )


@pytest.mark.slow("another restore")
def test_rows_that_point_to_nothing_are_refused(saved):
    user = place(saved, "accounts_role", "user_id")

    def change(rows: list[list[int]]) -> None:
        rows[0][user] = 999_999

    refused(rewritten(saved, "accounts_role", change), "names rows that it does not hold|foreign key")


@pytest.mark.slow("many files")
def test_rows_that_no_reader_can_read_are_refused(saved):
    for line in ("[" * 200_000, "[1, 2", "nothing"):
        refused(rewritten(saved, "accounts_role", lambda rows, line=line: rows.append(line)), "Rows 1 to .* do not fit")


@pytest.mark.parametrize(
    "problem",
    [
        pytest.param(
            KeyboardInterrupt,
            marks=[pytest.mark.real_migrations, pytest.mark.slow("restores through every migration")],
        ),
        RuntimeError,
    ],
)
def test_interrupted_in_the_last_moment_nothing_has_changed(site, saved, monkeypatch, problem):
    def stop(*_: object, **__: object) -> None:
        raise problem

    User.objects.create(username="later", password="!")
    monkeypatch.setattr(checks, "check_rows", stop)
    with unchanged(), pytest.raises(problem):
        restoring.restore(saved, quietly)


@pytest.mark.slow("another restore")
@pytest.mark.sqlite
def test_without_space_for_the_restore_nothing_has_changed(site, tmp_path):
    Upload.objects.filter(record=Upload.objects.first().record).update(raw=os.urandom(2_000_000))
    saved = tmp_path / "large.zip"
    writing.save(saved)
    Upload.objects.update(raw=b"")
    with connection.cursor() as cursor:
        cursor.execute("VACUUM")
        cursor.execute("PRAGMA page_count")
        cursor.execute(f"PRAGMA max_page_count = {cursor.fetchone()[0]}")
    with unchanged(), pytest.raises(CommandError, match=r"No space is left for the database\. .* nothing was changed"):
        call_command("restore", str(saved), replace=True)
    connection.close()  # the limit was this connection's


@pytest.mark.slow("another backup")
def test_without_space_for_the_backup_no_file_is_left(site, tmp_path, monkeypatch):
    folder = tmp_path / "disk"
    folder.mkdir()
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    # A module imported here for the first time would leave half a file.
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, before[1]))
    try:
        with pytest.raises(CommandError, match="No space is left to write"):
            call_command("backup", str(folder / "a.zip"))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert list(folder.iterdir()) == []


# --- The commands ---


def test_a_backup_tells_what_it_wrote_and_only_its_owner_reads_it(site, tmp_path, capsys):
    call_command("backup", str(tmp_path / "a.zip"))
    rows = sum(rows_of(tmp_path / "a.zip").values())
    assert capsys.readouterr().out.startswith(f"{tmp_path / 'a.zip'}: {rows} rows of ")
    assert (tmp_path / "a.zip").stat().st_mode & 0o777 == 0o600
    with pytest.raises(CommandError, match=r"a\.zip exists already"):
        call_command("backup", str(tmp_path / "a.zip"))
    with pytest.raises(CommandError, match="There is no folder"):
        call_command("backup", str(tmp_path / "nowhere" / "a.zip"))


@pytest.mark.slow("several backups")
def test_a_path_that_is_no_zip_is_a_folder_and_is_made(site, tmp_path):  # as docs/compose.md names one
    folder = tmp_path / "data" / "backups"
    for _ in range(2):
        call_command("backup", str(folder), keep=30)
    assert {path.suffix for path in folder.iterdir()} == {".zip"}


@pytest.mark.slow("several backups")
def test_dated_backups_of_a_folder_are_kept_up_to_a_number(site, tmp_path, settings):
    folder = tmp_path / "kept"
    folder.mkdir()
    for name in ("league-2026-01-01-000000.zip", "league-2026-01-02-000000.zip", "before-move-2026-01-01-000000.zip"):
        (folder / name).touch()
    call_command("backup", str(folder), keep=2)
    names = sorted(path.name for path in folder.iterdir())
    assert names[:2] == ["before-move-2026-01-01-000000.zip", "league-2026-01-02-000000.zip"]
    assert [bool(places.NAME.match(name)) for name in names] == [False, True, True]
    call_command("backup")
    assert [places.NAME.match(path.name)[0] for path in (settings.DATA_DIR / "backups").iterdir()]


def test_a_restore_over_data_wants_to_be_told_so_and_saves_it_first(site, saved, settings, capsys):
    full = every_row()
    League.objects.create(name="Later", slug="later")
    with unchanged(), pytest.raises(CommandError, match=r"The database is not empty .* add --replace"):
        call_command("restore", str(saved))
    later = every_row()
    call_command("restore", str(saved), replace=True)
    assert every_row() == full
    [first] = (settings.DATA_DIR / "backups").glob("before-restore-*.zip")
    assert f"The former data is saved in {first}" in capsys.readouterr().out
    call_command("restore", str(first), replace=True)
    assert every_row() == later


def test_two_backups_of_one_second_have_two_names(settings, monkeypatch):
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)
    made = []
    for _ in range(3):
        made.append(places.automatic())
        made[-1].touch()
    assert [path.name.removeprefix(made[0].stem) for path in made] == [".zip", "-2.zip", "-3.zip"]
    assert places.forget_older(made[0].parent, 1) == made[:2]


def test_a_damaged_file_is_told_before_anything_is_saved_or_removed(site, saved, settings):
    saved.write_bytes(saved.read_bytes()[:-20])
    with unchanged(), pytest.raises(CommandError, match="damaged or no backup"):
        call_command("restore", str(saved), replace=True)
    assert not (settings.DATA_DIR / "backups").exists()

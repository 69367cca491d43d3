"""A file lock keeps a second process out, and ends with the first process."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from league.file_locks import Busy, lock

HOLDS = """
import sys, time
from pathlib import Path
from league.file_locks import lock

with lock(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


def test_a_second_holder_is_refused_and_the_file_stays_empty(tmp_path: Path) -> None:
    path = tmp_path / "site.lock"
    with lock(path):
        with pytest.raises(Busy), lock(path):
            pass
        # The control: another file is free.
        with lock(tmp_path / "other.lock"):
            pass
    with lock(path):
        pass
    assert path.read_bytes() == b""
    assert sorted(one.name for one in tmp_path.iterdir()) == ["other.lock", "site.lock"]


def test_the_lock_of_a_process_that_was_killed_is_free(tmp_path: Path) -> None:
    path = tmp_path / "site.lock"
    with subprocess.Popen([sys.executable, "-c", HOLDS, str(path)], stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(Busy), lock(path):
            pass
        holder.send_signal(signal.SIGKILL)
        holder.wait()
    with lock(path):
        pass


def test_an_unwritable_lock_file_is_not_taken_for_a_held_lock(tmp_path: Path) -> None:
    (tmp_path / "site.lock").mkdir()
    with pytest.raises(OSError, match=r"site\.lock can't be locked"), lock(tmp_path / "site.lock"):
        pass
    with pytest.raises(FileNotFoundError), lock(tmp_path / "nowhere" / "site.lock"):
        pass

"""``python -m referee verify``: reports, JSON, exit codes, and no need of anything but the standard library."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from referee.__main__ import main
from tests.league.processes import PATIENCE

ROOT = Path(__file__).parents[2]
LOGS = ROOT / "tests" / "logs"
CORRECTED = LOGS / "udl" / "udl-full-000.domino"
VERIFIED = LOGS / "udl" / "udl-full-049.domino"
BROKEN = LOGS / "broken" / "syntax-52-udl.domino"


def run(*arguments, stdin=None):
    """The command in an interpreter that has nothing but the standard library."""
    return subprocess.run(
        [sys.executable, "-S", "-W", "error", "-m", "referee", *map(str, arguments)],
        cwd=ROOT,
        input=stdin,
        capture_output=True,
        env={**os.environ, "PYTHONPATH": "", "PYTHONIOENCODING": "ascii"},
        timeout=PATIENCE,
        check=False,
    )


def test_the_referee_needs_no_django():
    done = run("verify", VERIFIED, "--json")
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout)["status"] == "verified"


def test_json_is_one_object_a_game_in_the_order_read():
    text = VERIFIED.read_bytes() + b"\n" + CORRECTED.read_bytes()
    done = run("verify", "-", BROKEN, "--json", stdin=text)
    first, second, third = (json.loads(line) for line in done.stdout.decode().splitlines())
    assert [(v["file"], v.get("game"), v["status"]) for v in (first, second, third)] == [
        ("-", 1, "verified"),
        ("-", 2, "corrected"),
        (str(BROKEN), None, "unreadable"),
    ]
    assert set(third) == {"file", "status", "findings"}
    assert third["findings"] == [
        {
            "line": 12,
            "column": 501,
            "code": "syntax",
            "severity": "impossible",
            "message": "the line is longer than 500 characters",
        }
    ]
    assert list(second["findings"][0]) == ["line", "code", "severity", "rule", "message"]
    assert done.returncode == 2


@pytest.mark.parametrize(
    ("files", "status"),
    [((VERIFIED,), 0), ((VERIFIED, CORRECTED), 1), ((CORRECTED, BROKEN), 2), (("no-such-file", VERIFIED), 2)],
)
def test_exit_status(files, status, capsys):
    assert main(["verify", *map(str, files)]) == status
    captured = capsys.readouterr()
    assert ("no-such-file: cannot be read: No such file" in captured.err) == ("no-such-file" in files)


def test_the_report_can_be_read_aloud(capsys):
    main(["verify", str(CORRECTED)])
    report = capsys.readouterr().out
    assert "Bo Chen won by reaching the target, 30-150. Chips left: 0-24." in report
    assert "Round 2: spinner 6-6; B led; A dominoed, 10 points. Score 30-85." in report
    assert "Round 4: spinner 4-4; B led; the game ended in it. Score 30-150." in report
    assert (
        "line 56: 6+2+2 = 10, announced 20: 10 points count [correction: wrong-count; udl.announce, rule 0.29]"
        in report
    )


def test_help_shows_an_example_and_no_command_is_an_error(capsys):
    for arguments, status, words in (
        (["--help"], 0, "Example: python -m referee verify week3.domino"),
        (["verify", "--help"], 0, "docs/notation.md"),
        ([], 2, "the following arguments are required: COMMAND"),
        (["verify"], 2, "the following arguments are required: FILE"),
    ):
        with pytest.raises(SystemExit) as caught:
            main(arguments)
        captured = capsys.readouterr()
        assert caught.value.code == status
        assert words in " ".join((captured.out + captured.err).split())


def test_bytes_that_are_no_text_are_named_with_their_place(tmp_path, capsys):
    file = tmp_path / "photo.domino"
    file.write_bytes('[Ruleset "udl"]\n# é '.encode() + b"\xff\xfe")
    assert main(["verify", str(file)]) == 2
    assert "line 2, column 5: expected text in UTF-8" in capsys.readouterr().out


def test_a_folder_is_no_file(tmp_path, capsys):
    assert main(["verify", str(tmp_path)]) == 2
    assert "cannot be read" in capsys.readouterr().err


def test_a_reader_that_goes_away_is_no_crash():
    done = subprocess.run(
        shlex.join([sys.executable, "-S", "-m", "referee", "verify", *map(str, 2 * [CORRECTED]), "--json"])
        + " | head -c 10",
        shell=True,
        cwd=ROOT,
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.stderr == b""

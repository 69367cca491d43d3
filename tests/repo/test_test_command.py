"""``manage.py test``: which stages run for which arguments, and what is said at their end."""

from pathlib import Path

import pytest
from django.core.management import call_command

from league.management import test_stages
from league.management.commands.test import Command
from league.management.test_stages import QUICK, REST, CaseOutcome, Estimates, Ran, SuiteStage, stages_for
from tests.conftest import is_hidden

REPORT = """<?xml version="1.0"?><testsuites><testsuite time="12.5">
<testcase classname="tests.web.test_home" name="test_a" file="tests/web/test_home.py" time="0.5"/>
<testcase classname="tests.web.test_home" name="test_b[x y]" file="tests/web/test_home.py" time="2.0">
  <failure message="no"/></testcase>
<testcase classname="tests.web.test_home.Night" name="runTest" file="tests/web/test_home.py" time="4.0">
  <error message="no"/></testcase>
<testcase classname="tests.web.test_home" name="test_c" file="tests/web/test_home.py" time="0.1">
  <skipped message="no Redis"/></testcase>
</testsuite></testsuites>"""


def names(*arguments: str, every: bool = False, rest: bool = False) -> list[str]:
    return [stage.name for stage in stages_for(arguments, every=every, rest=rest)]


def test_without_arguments_the_quick_stages_run_and_all_adds_the_rest(monkeypatch) -> None:
    monkeypatch.delenv("THOROUGH", raising=False)
    assert stages_for([], every=False, rest=False) == list(QUICK)
    assert stages_for([], every=True, rest=False) == [*QUICK, *REST]
    assert stages_for([], every=False, rest=True) == list(REST)


def test_every_test_is_in_one_stage_but_those_for_both_databases() -> None:
    """Each combination of marks is chosen by the stages that its marks ask for."""

    def chosen(**marks: bool) -> list[str]:
        known = dict.fromkeys(("browser", "postgres", "slow", "smoke", "both"), False) | marks
        return [stage.name for stage in (*QUICK, *REST) if eval(stage.marks, {}, known)]

    assert chosen() == ["SQLite"]
    assert chosen(both=True) == ["SQLite", "PostgreSQL"]
    assert chosen(slow=True) == ["SQLite, slow"]
    assert chosen(slow=True, both=True) == ["SQLite, slow", "PostgreSQL"]
    assert chosen(postgres=True) == chosen(postgres=True, slow=True) == ["PostgreSQL"]
    assert chosen(browser=True) == chosen(browser=True, slow=True) == ["Chromium, rest"]
    assert chosen(browser=True, smoke=True) == ["Chromium, smoke"]


def test_a_stage_with_words_reads_the_files_that_contain_one(tmp_path: Path, settings) -> None:
    settings.BASE_DIR = tmp_path
    for name, text in (("a", "mark.slow"), ("b", "mark.both"), ("browser/c", "mark.slow"), ("deep/d", "mark.slow")):
        path = tmp_path / f"tests/{Path(name).parent}/test_{Path(name).name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    slow = next(stage for stage in REST if stage.words)
    assert test_stages.places_of(slow) == ["tests/deep/test_d.py", "tests/test_a.py"]


def test_a_slow_test_in_a_file_without_the_word_is_found(request, tmp_path: Path, monkeypatch) -> None:
    assert not is_hidden(request.node)
    monkeypatch.setattr(request.node, "path", tmp_path / "test_other.py")
    request.node.path.write_text("def test_it(): pass")
    assert not is_hidden(request.node)
    request.node.add_marker(pytest.mark.slow("by a mark of another module"))
    assert is_hidden(request.node)


def test_all_that_is_thorough_runs_the_whole_on_postgresql(monkeypatch) -> None:
    monkeypatch.setenv("THOROUGH", "1")
    assert stages_for([], every=True, rest=False)[-1] == test_stages.WHOLE_ON_POSTGRESQL
    monkeypatch.setenv("THOROUGH", "0")
    assert stages_for([], every=True, rest=False)[-1] == REST[-1]


@pytest.mark.parametrize(
    ("arguments", "stages"),
    [
        (["-k", "spinner"], ["SQLite", "Chromium", "PostgreSQL"]),
        (["tests"], ["SQLite", "Chromium", "PostgreSQL"]),
        (["tests/games", "-k", "spinner"], ["SQLite", "PostgreSQL"]),
        (["tests/browser/test_hall.py"], ["Chromium"]),
        (["tests/browser/test_hall.py::test_a[b]", "-x"], ["Chromium"]),
        (["tests/browser", "tests/web"], ["SQLite", "Chromium", "PostgreSQL"]),
    ],
)
def test_tests_that_are_named_run_in_the_stages_that_can_hold_them(arguments, stages) -> None:
    assert names(*arguments) == stages


@pytest.fixture
def ran(tmp_path: Path) -> Ran:
    report = tmp_path / "report.xml"
    report.write_text(REPORT)
    return test_stages.read("SQLite", 1, report)


def test_a_report_is_read_whole(ran: Ran) -> None:
    assert ran.outcomes == [
        CaseOutcome("tests/web/test_home.py::test_a", 0.5),
        CaseOutcome("tests/web/test_home.py::test_b[x y]", 2.0, failed=True),
        CaseOutcome("tests/web/test_home.py::Night::runTest", 4.0, failed=True),
        CaseOutcome("tests/web/test_home.py::test_c", 0.1, skipped="no Redis"),
    ]
    assert ran.summary() == "2 failed, 1 passed, 1 skipped in 12 s"


def test_the_end_names_what_was_left_out_the_slowest_and_one_command_for_the_failed(ran: Ran, capsys) -> None:
    command = Command()
    command.tell([ran])
    said = capsys.readouterr().out
    assert "left out: no Redis\n" in said
    assert said.index("4.0 s  tests/web/test_home.py::Night") < said.index("2.0 s  tests/web/test_home.py::test_b")
    assert (
        "python3 manage.py test 'tests/web/test_home.py::test_b[x y]' tests/web/test_home.py::Night::runTest\n" in said
    )


def test_a_run_that_crashed_or_found_nothing_is_no_success() -> None:
    fine, crashed, nothing = Ran("a", 0), Ran("b", 3), Ran("c", test_stages.NOTHING_COLLECTED)
    assert test_stages.code_of([fine, crashed, nothing]) == 3
    assert test_stages.code_of([fine, nothing]) == 0
    assert test_stages.code_of([nothing, nothing]) == test_stages.NOTHING_COLLECTED


def test_what_took_long_here_is_the_estimate_of_the_next_time(tmp_path: Path) -> None:
    stage, other = SuiteStage("one", "", seconds=100), SuiteStage("two", "", seconds=20)
    path = tmp_path / "var" / "seconds.json"
    Estimates(path).keep(stage, Ran("one", 0, 42.0))
    Estimates(path).keep(other, Ran("two", 1, 3.0))  # it failed: no figure
    assert Estimates(path).seconds([stage, other]) == 62
    path.write_text("no json")
    assert Estimates(path).seconds([stage, other]) == 120


def test_options_of_ours_beside_named_tests_are_refused(capsys) -> None:
    with pytest.raises(SystemExit, match="--all takes no other arguments"):
        Command().run_from_argv(["manage.py", "test", "--all", "tests/games"])


def test_help_names_both_options(capsys) -> None:
    with pytest.raises(SystemExit):
        call_command("test", "--help")
    assert {"--all", "--rest"} <= {
        *capsys.readouterr().out.replace(",", " ").replace("[", " ").replace("]", " ").split()
    }

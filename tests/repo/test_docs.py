"""What the documents tell people to type exists: commands, their options, variables, services, files and addresses."""

import importlib
import re
import shlex
from pathlib import Path

import pytest
import yaml
from django.core.management import get_commands, load_command_class
from django.urls import Resolver404, resolve

ROOT = Path(__file__).resolve().parents[2]
PAGES = ("README.md", "docs/laptop.md", "docs/server.md", "docs/compose.md")
OURS = {"serve", "backup", "restore", "demo", "move_to_postgres", "ratings"}
BEFORE_DJANGO = {"environment", "test"}  # manage.py's own, and pytest's
READERS = ("league/settings.py", "league/environment.py", "manage.py")
SETTINGS = "".join((ROOT / name).read_text("utf-8") for name in READERS)
SERVICES = yaml.safe_load((ROOT / "docker-compose.yml").read_text("utf-8"))["services"]
COMMAND = re.compile(r"(?:python3?) manage\.py ([^`\n]+)")
TOOL = re.compile(r"(?:^|/bin/|`)((?:gunicorn|uvicorn|celery) [^`\n]+)", re.MULTILINE)
TABLE = re.compile(r"^\| (`[A-Z][A-Z_]+`(?:, `[A-Z_]+`)*) \|", re.MULTILINE)
VARIABLE = re.compile(r"^([A-Z][A-Z_]+)=", re.MULTILINE)
COMPOSE_OWN = {"POSTGRES_PASSWORD", "SITE_HOST"}


def text(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def commands(page: str) -> list[list[str]]:
    return [shlex.split(found.rstrip(".,;")) for found in COMMAND.findall(text(page))]


def problem_with(words: list[str]) -> str:
    """Why manage.py would refuse it; the empty text if it would not."""
    name, arguments = words[0].replace("-", "_"), words[1:]
    if words[0] in BEFORE_DJANGO:
        return ""
    if name not in get_commands():
        return f"no command {words[0]}"
    command = load_command_class(get_commands()[name], name)
    command._called_from_command_line = False
    try:
        command.create_parser("manage.py", name).parse_args(arguments)
    except Exception as problem:
        return str(problem)
    return ""


@pytest.mark.parametrize("page", PAGES)
def test_every_command_of_manage_py_is_one_it_takes(page: str) -> None:
    found = commands(page)
    assert found
    assert {" ".join(words): problem for words in found if (problem := problem_with(words))} == {}


def test_every_command_of_a_site_is_told_somewhere() -> None:
    told = {words[0].replace("-", "_") for page in PAGES for words in commands(page)}
    assert told >= OURS


@pytest.mark.parametrize("words", [["backups"], ["backup", "--keep"], ["serve", "--hots", "x"], ["restore"]])
def test_a_command_that_would_be_refused_is_seen(words: list[str]) -> None:
    assert problem_with(words)


def test_servers_and_workers_are_started_as_the_compose_file_starts_them() -> None:
    """But for addresses and names: the same programs, and only options that the compose file's tests start for real."""
    known = {word for service in SERVICES.values() for word in service.get("command", []) if word.startswith("-")}
    known |= {"--hostname"}  # two workers on one machine need it
    for line in TOOL.findall(text("docs/server.md")):
        program, *words = shlex.split(line)
        assert {word for word in words if word.startswith("-")} <= known, line
        if program != "celery":
            module, _, name = words[0].partition(":")
            assert hasattr(importlib.import_module(module), name)


@pytest.mark.parametrize("page", PAGES[1:])
def test_every_variable_is_read(page: str) -> None:
    named = {name.strip("`") for cell in TABLE.findall(text(page)) for name in cell.split(", ")}
    named |= set(VARIABLE.findall(text(page)))
    assert {name for name in named - COMPOSE_OWN if not re.search(rf"""["']{name}["']""", SETTINGS)} == set()


def test_every_service_of_the_compose_page_exists_and_none_is_left_out() -> None:
    first_column = re.findall(r"^\| (`[a-z-]+`(?:, `[a-z-]+`)*) \|", text("docs/compose.md"), re.MULTILINE)
    assert {name.strip("`") for cell in first_column for name in cell.split(", ")} == set(SERVICES)
    for line in re.findall(r"docker compose (?:stop|exec|run --rm|cp|up --scale) ([^\n`]+)", text("docs/compose.md")):
        named = {re.split("[:=]", word)[0] for word in line.split()}
        assert named & set(SERVICES), line


@pytest.mark.parametrize("address", ["/healthz", "/readyz", "/address/"])
def test_every_address_is_there(address: str) -> None:
    assert any(address in text(page) for page in PAGES)
    try:
        resolve(address)
    except Resolver404:
        pytest.fail(f"{address} is no page")


def test_pages_point_to_pages_that_exist() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\(([\w./-]+\.md)\)", text(page)):
            assert ((ROOT / page).parent / target).exists(), f"{page}: {target}"


def missing_paths(page: str) -> list[str]:
    """Paths in a page that lead to nothing; a part in angle brackets or a star stands for any name."""
    found = re.findall(r"`((?:games|referee|league|templates|tests|docs)/[^`\s:]*)`", page)
    return [one for one in found if not any(ROOT.glob(re.sub(r"<[^>]+>", "*", one.rstrip("/"))))]


def test_every_path_for_contributors_exists() -> None:
    assert missing_paths(text("CONTRIBUTING.md")) == []
    assert missing_paths("`league/nowhere.py`, `games/<key>.py`, `league/web/<area>/`") == ["league/nowhere.py"]


def repeated_headings(page: str) -> list[str]:
    """Headings, with those above them, that a page has more than once: traces of a merge that kept both sides."""
    above: list[str] = []
    found = []
    prose = re.sub(r"^```.*?^```", "", page, flags=re.MULTILINE | re.DOTALL)
    for marks, heading in re.findall(r"^(#+) (.+)$", prose, re.MULTILINE):
        above[len(marks) - 1 :] = [heading]
        found.append(" / ".join(above))
    return [one for number, one in enumerate(found) if one in found[:number]]


def test_no_page_has_a_heading_twice() -> None:
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
    assert {page.name: repeated for page in pages if (repeated := repeated_headings(page.read_text("utf-8")))} == {}
    assert repeated_headings("# A\n## B\n# C\n## B\n# C\n## B\n") == ["C", "C / B"]

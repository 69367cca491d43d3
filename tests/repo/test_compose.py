"""No container engine runs where the tests do: image and services are read and held against the code."""

import importlib
import re
import shlex
import tomllib
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import yaml
from django.core.management import get_commands

ROOT = Path(__file__).resolve().parents[2]
COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
STAY = ("web", "live", "worker-verify", "worker-default", "beat")
OURS = ("migrate", *STAY)
HEALTH = {"web": "http://localhost:8000/healthz", "live": "http://localhost:8001/healthz"}
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
SETTINGS = (ROOT / "league" / "settings.py").read_text(encoding="utf-8")
READ_BY_SETTINGS = set(re.findall(r"""\benv(?:_bool|_int|_list)?\(\s*["']([A-Z_]+)["']""", SETTINGS))


def instructions(name: str) -> list[str]:
    return re.findall(rf"^{name} +(.*)$", DOCKERFILE, re.MULTILINE)


def names_an_object(target: str) -> bool:
    """Whether ``module:name`` (or a package whose ``celery`` module has an ``app``) can be imported."""
    module, _, name = target.partition(":")
    return hasattr(importlib.import_module(module), name)


def command_exists(command: list[str]) -> bool:
    match command:
        case ["gunicorn" | "uvicorn", target, *_]:
            return names_an_object(target)
        case ["celery", "-A", package, "worker" | "beat", *_]:
            return names_an_object(f"{package}.celery:app")
        case ["python", "manage.py", name, *_]:
            return name in get_commands()
    return False


def test_a_site_is_these_services() -> None:
    assert set(SERVICES) == {*OURS, "postgres", "redis"}


@pytest.mark.parametrize("service", OURS)
def test_its_command_exists(service: str) -> None:
    assert command_exists(SERVICES[service]["command"])


@pytest.mark.parametrize(
    "command",
    [["gunicorn", "league.wsgi:app"], ["python", "manage.py", "fly"], ["celery", "-A", "league", "fly"]],
)
def test_a_command_that_does_not_exist_is_seen(command: list[str]) -> None:
    assert not command_exists(command)


@pytest.mark.parametrize("service", OURS)
def test_settings_read_every_variable_of(service: str) -> None:
    assert set(SERVICES[service]["environment"]) - READ_BY_SETTINGS == set()


def test_settings_read_every_variable_of_the_image() -> None:
    python_own = {"PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE"}
    named = set(re.findall(r"([A-Z_]+)=", " ".join(instructions("ENV"))))
    assert named - python_own - READ_BY_SETTINGS == set()
    assert named


@pytest.mark.parametrize("service", sorted({*OURS, "postgres", "redis"} - {"migrate"}))
def test_it_is_watched(service: str) -> None:
    """Every service that stays has a health check, and comes back after a crash."""
    assert SERVICES[service]["healthcheck"]["test"][0] in {"CMD", "CMD-SHELL"}
    assert SERVICES[service]["restart"] == "unless-stopped"


def test_pages_wait_for_the_database_and_its_tables() -> None:
    for service in STAY:
        assert {name: state["condition"] for name, state in SERVICES[service]["depends_on"].items()} == {
            "migrate": "service_completed_successfully",
            "postgres": "service_healthy",
            "redis": "service_healthy",
        }


def test_secrets_come_from_outside() -> None:
    """A variable with a secret in it has no value of its own, and is required where it is first used."""
    text = (ROOT / "docker-compose.yml").read_text(encoding="utf-8")
    for name in ("SECRET_KEY", "POSTGRES_PASSWORD"):
        uses = re.findall(rf"\$\{{{name}(\S?)", text)
        assert uses[0] == ":", name
        assert set(uses) <= {":", "}"}, name
        assert f"${{{name}:?" in text
        assert f"${{{name}:-" not in text


WHAT_AN_OWNER_SETS = {
    "CLOCKS_BY_PLAYERS",
    "EMAIL_URL",
    "FIRST_OWNER_CODE",
    "MAIL_FROM",
    "PROXY_COUNT",
    *(name for name in READ_BY_SETTINGS if name.startswith("API_LIMIT_")),
}


@pytest.mark.parametrize("name", sorted(WHAT_AN_OWNER_SETS))
def test_what_an_owner_sets_reaches_every_process_and_is_told(name: str) -> None:
    """And may stay away: an empty variable is no value (`league.settings.env`)."""
    for service in OURS:
        assert re.fullmatch(rf"\$\{{{name}:-1?\}}", SERVICES[service]["environment"][name])
    for page in ("compose.md", "server.md"):
        assert f"`{name}`" in (ROOT / "docs" / page).read_text(encoding="utf-8")


def test_volumes_are_declared() -> None:
    used = {volume.split(":")[0] for service in SERVICES.values() for volume in service.get("volumes", [])}
    assert used == set(COMPOSE["volumes"])


def test_health_checks_ask_a_page_that_exists(client: Any, db: None) -> None:
    for service, address in HEALTH.items():
        assert address in SERVICES[service]["healthcheck"]["test"][-1]
        assert urlsplit(address).port in published(service) & listened_at(service)
        assert str(urlsplit(address).port) in instructions("EXPOSE")[0].split()
    assert HEALTH["web"] in instructions("HEALTHCHECK")[0]
    assert "localhost" in SERVICES["web"]["environment"]["ALLOWED_HOSTS"].split(",")
    assert client.get("/healthz").status_code == 200


def published(service: str) -> set[int]:
    """Ports inside the container that the host's own loopback reaches, and nobody else."""
    mapped = [port.split(":") for port in SERVICES[service]["ports"]]
    assert {host for host, _, _ in mapped} == {"127.0.0.1"}
    return {int(inside) for _, _, inside in mapped}


def listened_at(service: str) -> set[int]:
    return {int(port) for port in re.findall(r"\b(80\d\d)\b", " ".join(SERVICES[service]["command"]))}


def test_every_queue_has_a_worker_of_its_own_and_every_worker_a_queue_that_exists(settings: Any) -> None:
    worked = []
    for service in ("worker-verify", "worker-default"):
        command = SERVICES[service]["command"]
        worked.append(command[command.index("--queues") + 1])
    assert sorted(worked) == sorted(settings.QUEUES)


def test_the_clock_exists_once_and_the_migrations_run_once() -> None:
    """Two beats would send everything twice; a migration that fails must not be tried for ever."""
    beats = [name for name, service in SERVICES.items() if "beat" in service.get("command", [])]
    assert (beats, "deploy" in SERVICES["beat"]) == (["beat"], False)
    assert SERVICES["migrate"]["restart"] == "no"


def test_only_the_database_and_the_site_keep_anything() -> None:
    """Nothing that counts is in Redis."""
    kept = {name for name, service in SERVICES.items() if service.get("volumes")}
    assert kept == {*OURS, "postgres"}
    assert "--appendonly no" in " ".join(SERVICES["redis"]["command"])


def test_the_image_has_the_python_that_the_project_asks_for() -> None:
    [base] = instructions("FROM")
    needed = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["requires-python"]
    image = tuple(int(part) for part in re.match(r"python:(\d+)\.(\d+)-slim$", base).groups())
    assert image >= tuple(int(part) for part in needed.removeprefix(">=").split("."))


def test_the_image_copies_what_exists_and_all_that_runs() -> None:
    copied = [name for line in instructions("COPY") for name in shlex.split(line)[:-1]]
    assert [name for name in copied if not (ROOT / name).exists()] == []
    assert {"manage.py", "requirements.lock", "games", "referee", "league", "templates"} <= set(copied)
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    assert set(copied) & set(ignored) == set()


def test_the_image_installs_by_hash_and_runs_without_root() -> None:
    [install] = [line for line in instructions("RUN") if "pip install" in line]
    assert "--require-hashes -r requirements.lock" in install
    assert instructions("USER") == ["league"]
    assert DOCKERFILE.index("USER league") < DOCKERFILE.index("\nCMD")

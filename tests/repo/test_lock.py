"""The locks pin every dependency with hashes, and nothing tracked says where packages come from."""

import re
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
LOCKS = {
    "requirements.lock": PROJECT["dependencies"],
    "requirements-dev.lock": PROJECT["dependencies"] + PROJECT["optional-dependencies"]["dev"],
}
# A registry's host, or an option that names one. Spelled in pieces, for this file is searched too.
REGISTRY = re.compile(
    "|".join(["py" + r"pi\.org", "python" + "hosted", "--(?:extra-)?index" + "-url", "--find" + "-links"])
)


def pins(text: str) -> dict[str, tuple[str, list[str]]]:
    """Name → (version, hashes) of a lock."""
    found: dict[str, tuple[str, list[str]]] = {}
    name = ""
    for line in text.splitlines():
        if pin := re.match(r"([\w.-]+)==([^\s;\\]+)", line):
            name = normal(pin[1])
            found[name] = (pin[2], [])
        elif hashed := re.match(r"\s+--hash=(sha256:[0-9a-f]{64})(?: \\)?$", line):
            found[name][1].append(hashed[1])
        else:
            pytest.fail(f"neither a pin nor a hash: {line!r}")
    return found


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


@pytest.mark.parametrize("lock", LOCKS)
def test_every_dependency_is_pinned_with_hashes(lock: str) -> None:
    found = pins((ROOT / lock).read_text(encoding="utf-8"))
    declared = {normal(re.match(r"[\w.-]+", requirement)[0]) for requirement in LOCKS[lock]}
    assert declared - found.keys() == set()
    assert [name for name, (_, hashes) in found.items() if not hashes] == []


def test_the_development_lock_pins_what_the_runtime_lock_pins() -> None:
    runtime, development = (pins((ROOT / lock).read_text(encoding="utf-8")) for lock in LOCKS)
    assert {name: development.get(name) for name in runtime} == runtime


def test_a_line_that_is_no_pin_is_seen() -> None:
    with pytest.raises(pytest.fail.Exception, match="neither a pin nor a hash"):
        pins("--find" + "-links somewhere\n")


def sources() -> list[Path]:
    """What is tracked or would be; in a copy without git, every file outside of generated folders."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if listed.returncode == 0:
        return [ROOT / name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]
    return [
        path
        for path in ROOT.rglob("*")
        if path.is_file() and not {".venv", "var", "__pycache__"} & set(path.relative_to(ROOT).parts)
    ]


def test_no_registry_is_named_anywhere() -> None:
    files = sources()
    assert ROOT / "pyproject.toml" in files
    named = [path for path in files if REGISTRY.search(path.read_text(encoding="utf-8", errors="ignore"))]
    assert named == []


def test_a_named_registry_is_seen() -> None:
    assert REGISTRY.search("pip install --extra-index" + "-url somewhere")

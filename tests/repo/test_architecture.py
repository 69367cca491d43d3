"""Imports point one way, a class name exists once, and no room is called utils. Each check has a control."""

import ast
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("games", "referee", "league")
# Lower rooms first: a room imports itself and what stands before it.
ROOMS = (
    "accounts",
    "players",
    "matches",
    "competitions",
    "disputes",
    "play",
    "house",
    "rehearsals",
    "web",
    "api",
    "backups",
    "management",
)
# The foundation of the house, which every room may use and which knows none of them.
FOUNDATION = ("errors", "csp", "edge", "health", "heartbeats", "cache", "settings", "celery", "tasks", "lan", "qr")
PURE = (
    "league/competitions/formats/",
    "league/competitions/ratings/glicko2.py",
    "league/competitions/standings/compute.py",
    "league/competitions/standings/tiebreaks/",
    "league/competitions/standings/reachable_places.py",
    "league/competitions/amendments/diff.py",
    "league/matches/clock/state.py",
    "league/matches/clock/log_times.py",
)
# What pure code may import beside the standard library: a graph algorithm, values in and values out.
PURE_LIBRARIES = ("rustworkx",)
NAMELESS = {"utils", "util", "common", "helpers", "misc"}
# Names that Django looks up by themselves.
DJANGO_NAMES = {"Command", "Migration"}


def modules(root: Path) -> Iterator[Path]:
    for package in PACKAGES:
        yield from sorted((root / package).rglob("*.py"))


def dotted(path: Path, root: Path) -> str:
    parts = path.relative_to(root).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(path: Path, root: Path) -> Iterator[str]:
    """Every import of the file, at whatever depth, as an absolute name down to the imported thing."""
    package = path.relative_to(root).parent.parts
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            start = ".".join([*base, *([node.module] if node.module else [])])
            yield from (f"{start}.{alias.name}" for alias in node.names)


def is_standard(name: str) -> bool:
    return name.partition(".")[0] in sys.stdlib_module_names


def within(name: str, *packages: str) -> bool:
    return any(name == package or name.startswith(f"{package}.") for package in packages)


def engine_breaches(root: Path) -> list[str]:
    """Imports of games and referee that are neither the standard library's nor of a package below."""
    allowed = {"games": ("games",), "referee": ("games", "referee")}
    return [
        f"{dotted(path, root)} imports {name}"
        for path in modules(root)
        for package in [path.relative_to(root).parts[0]]
        if package in allowed
        for name in imports(path, root)
        if not is_standard(name) and not within(name, *allowed[package])
    ]


def room_breaches(root: Path) -> list[str]:
    """Imports from a room of league to a higher one, or from its foundation to any."""
    return [
        f"{dotted(path, root)} imports {name}"
        for path in modules(root)
        for place in [path.relative_to(root).with_suffix("").parts[1:2]]
        if path.relative_to(root).parts[0] == "league"
        for name in imports(path, root)
        if within(name, *(f"league.{room}" for room in rooms_above(place[0])))
    ]


def rooms_above(place: str) -> tuple[str, ...]:
    if place in ROOMS:
        return ROOMS[ROOMS.index(place) + 1 :]
    return ROOMS if place in FOUNDATION else ()


def pure_breaches(root: Path) -> list[str]:
    """Imports of the pure files but the standard library's, the engine's, a pure library's and those of a pure file."""
    pure_names = tuple(place.removesuffix(".py").strip("/").replace("/", ".") for place in PURE)
    return [
        f"{dotted(path, root)} imports {name}"
        for path in modules(root)
        if path.relative_to(root).as_posix().startswith(PURE)
        for name in imports(path, root)
        if not is_standard(name) and not within(name, "games", "referee", *PURE_LIBRARIES, *pure_names)
    ]


def repeated_classes(root: Path) -> list[str]:
    names = Counter(
        node.name
        for path in modules(root)
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef) and node.name not in DJANGO_NAMES
    )
    return sorted(name for name, times in names.items() if times > 1)


def nameless_rooms(root: Path) -> list[str]:
    return [dotted(path, root) for path in modules(root) if NAMELESS & set(dotted(path, root).split("."))]


CHECKS = {
    "games and referee import the standard library only": engine_breaches,
    "rooms of league import downwards only": room_breaches,
    "formats, standings and clock are pure": pure_breaches,
    "a class name exists once": repeated_classes,
    "no room is called utils": nameless_rooms,
}

# For each check a tree that breaks it, and what the check then says.
BROKEN = {
    "games and referee import the standard library only": (
        {
            "games/round.py": "def f():\n    from django.db import models\n",
            "games/tiles.py": "import referee\n",
        },
        ["games.round imports django.db.models", "games.tiles imports referee"],
    ),
    "rooms of league import downwards only": (
        {
            "league/matches/logs/submission.py": "import league.competitions.models\nimport league.players\n",
            "league/players/models.py": "from ..web import pips\n",
            "league/errors.py": "from league import matches\n",
        },
        [
            "league.errors imports league.matches",
            "league.matches.services imports league.competitions.models",
            "league.players.models imports league.web.pips",
        ],
    ),
    "formats, standings and clock are pure": (
        {
            "league/competitions/standings/compute.py": "import dataclasses\nfrom .models import Slot\n",
            "league/competitions/formats/swiss.py": "import django\nfrom league.competitions import formats",
        },
        [
            "league.competitions.formats.swiss imports django",
            "league.competitions.standings imports league.competitions.models.Slot",
        ],
    ),
    "a class name exists once": (
        {
            "games/notation/gamelog.py": "class Game: ...\n",
            "league/matches/models/__init__.py": "class Game: ...\nclass Side: ...\n",
        },
        ["Game"],
    ),
    "no room is called utils": (
        {"league/matches/utils.py": "", "games/common/__init__.py": "", "games/tiles.py": ""},
        ["games.common", "league.matches.utils"],
    ),
}


def test_the_checks_see_the_repository() -> None:
    assert {path.relative_to(ROOT).parts[0] for path in modules(ROOT)} == set(PACKAGES)
    assert {path.name for path in (ROOT / "league").iterdir() if (path / "__init__.py").exists()} <= set(ROOMS)


@pytest.mark.parametrize("promise", CHECKS)
def test_the_repository_keeps(promise: str) -> None:
    assert CHECKS[promise](ROOT) == []


@pytest.mark.parametrize("promise", CHECKS)
def test_a_breach_is_seen_of(promise: str, tmp_path: Path) -> None:
    tree, breaches = BROKEN[promise]
    for name, text in tree.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    assert CHECKS[promise](tmp_path) == breaches

"""Imports point one way, never in a circle; a class name exists once; no room is called utils; pages lie by their area.

Each check has a control.
"""

import ast
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("games", "referee", "league")
# Lower rooms first: a room imports itself and what stands before it.
ROOMS = (
    "house",
    "accounts",
    "players",
    "matches",
    "competitions",
    "disputes",
    "rehearsals",
    "play",
    "live",
    "web",
    "api",
    "backups",
    "management",
)
# The foundation of the house, which every room may use and which knows none of them.
FOUNDATION = (
    "errors",
    "csp",
    "environment",
    "initial_tables",
    "edge",
    "health",
    "heartbeats",
    "cache",
    "certificates",
    "settings",
    "celery",
    "tasks",
    "lan",
    "pokes",
    "qr",
)
# The order inside the rooms: packages and modules, lower ones first.
ORDER = {
    "matches": """
        clock_acts signals models prepared_statements rules knowledge_level partners log_text hash_chain seals officials
        permissions visibility locks tables live_score last_logs muggins_taken annotated_log clock results logs
        amendments queries guests tally integrity health tasks admin receivers apps
    """,
    "competitions": """
        formats models visibility locks countdown entrants entrant_names official_results snapshots draw_view draw_shape
        typed_confirmation task_queue job_progress under_review signals notices following push standings ratings
        registration draw ladders attendance cancelling seasons circuits adjustments agreed_hours queries amendments
        honours integrity import_export jobs tasks admin receivers apps
    """,
    "web": """
        words shared accounts components charts matches disputes competitions organize share screens help play home
        address following offline calls live themes leagues players seasons templatetags tasks urls apps
    """,
    "api": "models base resources docs receivers tasks apps urls",
}
PURE = (
    "league/translation_marks.py",
    "league/house/",
    "league/play/acts.py",
    "league/play/dealer.py",
    "league/play/uno_dealer.py",
    "league/play/uno_table.py",
    "league/play/hands.py",
    "league/play/table.py",
    "league/play/sight.py",
    "league/play/online/absence.py",
    "league/play/online/acts.py",
    "league/play/online/clock.py",
    "league/play/online/table.py",
    "league/competitions/formats/",
    "league/competitions/ratings/glicko2.py",
    "league/competitions/standings/compute.py",
    "league/competitions/standings/tiebreaks/",
    "league/competitions/standings/reachable_places.py",
    "league/competitions/amendments/diff.py",
    "league/matches/clock_acts.py",
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


@cache
def read(path: Path, package: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return imports and top-level classes of a file; the checks share it, and no file changes under them."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    named: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            named += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            start = ".".join([*base, *([node.module] if node.module else [])])
            named += [f"{start}.{alias.name}" for alias in node.names]
    return tuple(named), tuple(node.name for node in tree.body if isinstance(node, ast.ClassDef))


def imports(path: Path, root: Path) -> tuple[str, ...]:
    """Every import of the file, at whatever depth, as an absolute name down to the imported thing."""
    return read(path, path.relative_to(root).parent.parts)[0]


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


def order_breaches(root: Path) -> list[str]:
    """Imports inside a room of `ORDER` to a higher place, and places that have no order.

    A table of addresses (`urls.py`) leads to pages of any area.
    """
    found = []
    for path in modules(root):
        first, room, place, *_rest = [*path.relative_to(root).with_suffix("").parts, "", ""]
        if first != "league" or room not in ORDER or place in ("__init__", "migrations") or path.name == "urls.py":
            continue
        order = ORDER[room].split()
        above = order[order.index(place) + 1 :] if place in order else order
        found += [
            f"{dotted(path, root)} imports {name}"
            for name in imports(path, root)
            if within(name, *(f"league.{room}.{one}" for one in above))
        ]
        if place not in order:
            found.append(f"{dotted(path, root)} has no order")
    return found


def circles(root: Path) -> list[str]:
    """Modules that import each other, over whatever number of steps, also inside of functions."""
    files = {dotted(path, root): path for path in modules(root)}
    graph = {name: {home(one, files) for one in imports(path, root)} - {name, ""} for name, path in files.items()}
    found = []
    while leaves := [name for name, below in graph.items() if not below & graph.keys()]:
        for name in leaves:
            del graph[name]
    while tops := [name for name in graph if not any(name in below for below in graph.values())]:
        for name in tops:
            del graph[name]
    found += sorted(graph)
    return found


def home(name: str, files: Collection[str]) -> str:
    """The module in which an imported thing lies, empty where it is none of ours."""
    while name and name not in files:
        name = name.rpartition(".")[0]
    return name


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
        name
        for path in modules(root)
        for name in read(path, path.relative_to(root).parent.parts)[1]
        if name not in DJANGO_NAMES
    )
    return sorted(name for name, times in names.items() if times > 1)


def nameless_rooms(root: Path) -> list[str]:
    return [dotted(path, root) for path in modules(root) if NAMELESS & set(dotted(path, root).split("."))]


def strayed_pages(root: Path) -> list[str]:
    """Templates that the code of a web area takes from another folder than its own and the components'."""
    web = root / "league" / "web"
    return [
        f"{dotted(path, root)} shows {folder}/{page}"
        for path in sorted(web.rglob("*.py"))
        for folder, page in re.findall(r'"(\w+)/([\w/]+\.html)"', path.read_text(encoding="utf-8"))
        if folder not in ("components", path.relative_to(web).with_suffix("").parts[0])
    ]


def missing_pages(root: Path) -> list[str]:
    """Templates that other templates include or extend, and that are not there."""
    folder = root / "templates"
    return [
        f"{path.relative_to(folder)} names {name}"
        for path in sorted(folder.rglob("*.*"))
        for name in re.findall(r'{% *(?:include|extends) "([^"]+)"', path.read_text(encoding="utf-8"))
        if not (folder / name).exists()
    ]


CHECKS = {
    "games and referee import the standard library only": engine_breaches,
    "rooms of league import downwards only": room_breaches,
    "inside the rooms imports have an order": order_breaches,
    "no modules import each other in a circle": circles,
    "formats, standings and clock are pure": pure_breaches,
    "a class name exists once": repeated_classes,
    "no room is called utils": nameless_rooms,
    "pages lie in the folder of their area": strayed_pages,
    "pages name pages that are there": missing_pages,
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
            "league.matches.logs.submission imports league.competitions.models",
            "league.players.models imports league.web.pips",
        ],
    ),
    "inside the rooms imports have an order": (
        {
            "league/matches/models/match.py": "from league.matches.clock import services\n",
            "league/matches/somewhere.py": "",
            "league/matches/urls.py": "from league.matches.apps import anything\n",
        },
        [
            "league.matches.models.match imports league.matches.clock.services",
            "league.matches.somewhere has no order",
        ],
    ),
    "no modules import each other in a circle": (
        {
            "games/tiles.py": "from games.places import Places\n",
            "games/places.py": "def f():\n    from games import moves\n",
            "games/moves.py": "from games.tiles import Tile\n",
            "games/round.py": "from games.tiles import Tile\n",
            "games/errors.py": "",
        },
        ["games.moves", "games.places", "games.tiles"],
    ),
    "formats, standings and clock are pure": (
        {
            "league/competitions/standings/compute.py": "import dataclasses\nfrom .models import Slot\n",
            "league/competitions/formats/swiss.py": "import django\nfrom league.competitions import formats",
        },
        [
            "league.competitions.formats.swiss imports django",
            "league.competitions.standings.compute imports league.competitions.standings.models.Slot",
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
    "pages lie in the folder of their area": (
        {
            "league/web/home.py": 'render(request, "home/index.html")\nrender(request, "components/match.html")\n',
            "league/web/screens/hall.py": 'render(request, "hall/detail.html")\nrender(request, "403.html")\n',
        },
        ["league.web.screens.hall shows hall/detail.html"],
    ),
    "pages name pages that are there": (
        {
            "templates/base.html": "",
            "templates/home/index.html": '{% extends "base.html" %}{% include "home/one.html" %}{% include one %}',
        },
        ["home/index.html names home/one.html"],
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


def test_pure_modules_load_without_django_and_celery() -> None:
    names = [dotted(path, ROOT) for path in modules(ROOT) if path.relative_to(ROOT).as_posix().startswith(PURE)]
    assert len(names) > 20
    code = f"import sys, {', '.join(names)}\nprint({{'django', 'celery'}} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"

"""Pages and acts of this tree beside another: `python -m tests.benchmarks.bench_before FOLDER [--looks 20] [--only X]`.

FOLDER is a checkout of another commit (`git worktree add FOLDER COMMIT`). Each tree has one process, on a copy of one
SQLite database (the demonstration league, and matches to submit logs for), and both answer in turn. Printed is the
least processor time of several looks in milliseconds, theirs and ours, the ratio, the statements, and the ratio of the
medians. `changed`: a row changes before each look, so that no kept page can be right. A page or header that differs in
more than tokens, nonces and the current time is named. Acts are timed without the verification in the background.
"""

import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

OURS = Path(__file__).resolve().parents[2]
LOGS = 40
CHANGING = re.compile(
    r'csrfmiddlewaretoken" value="[^"]+"|nonce-?="?[^"]+"|nonce-[^\']+|csrftoken=\w+|expires=[^;]+;|Expires: [^\n]+'
    r'|"age[^,]+|\?at=\d+|data-(now|at)="[\d:]+"'
)
PAGES = {
    "home": "/",
    "league": "/leagues/{league}/",
    "competitions": "/competitions/",
    "competition": "/competitions/{league}/{robin}/",
    "standings": "/competitions/{league}/{robin}/standings/",
    "cross-table": "/competitions/{league}/{robin}/cross-table/",
    "schedule": "/competitions/{league}/{robin}/schedule/",
    "round": "/competitions/{league}/{robin}/rounds/3/",
    "bracket": "/competitions/{league}/summer-cup/bracket/",
    "players": "/players/",
    "player": "/players/{code}/",
    "ratings": "/leagues/{league}/ratings/",
    "hall": "/hall/{league}/",
    "match, played": "/matches/{played}/",
    "match, live": "/matches/{live}/",
    "match, upcoming": "/matches/{upcoming}/",
}
OWN = ("match, played", "match, live", "match, upcoming", "home", "competition")


def main(folder: Path, looks: int, only: str) -> int:
    with tempfile.TemporaryDirectory() as kept:
        start = Path(kept) / "start"
        first = Tree(folder, start)
        facts = first.ask("build")
        first.end()
        trees = []
        for number, tree in enumerate((folder, OURS)):
            data = Path(kept) / str(number)
            shutil.copytree(start, data)
            trees.append(Tree(tree, data))
            trees[-1].ask("migrate")
        try:
            compare(trees, facts, looks, only)
        finally:
            for tree in trees:
                tree.end()
    return 0


class Tree:
    """A process that answers with the code of one folder."""

    def __init__(self, folder: Path, data: Path) -> None:
        environment = {
            name: value for name, value in os.environ.items() if name not in ("DEBUG", "DATABASE_URL", "SECRET_KEY")
        }
        environment |= {"PYTHONPATH": str(folder), "DATA_DIR": str(data), "DJANGO_SETTINGS_MODULE": "league.settings"}
        self.process = subprocess.Popen(
            [sys.executable, "-P", __file__, "--worker"],
            cwd=folder,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ask(self, *words: object) -> dict:
        self.process.stdin.write(json.dumps(words) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def end(self) -> None:
        self.process.stdin.close()
        self.process.wait(30)


def compare(trees: list[Tree], facts: dict, looks: int, only: str) -> None:
    print(f"{'':32} {'theirs':>8} {'ours':>8} {'ratio':>6} statements median", flush=True)
    views = [(name, "", changed) for changed in (True, False) for name in PAGES]
    views = [*((name, facts["user"], True) for name in OWN), *views]
    totals: dict[str, list[tuple[float, float]]] = {}
    for name, user, changed in views:
        label = f"{name}, {'signed in' if user else 'changed' if changed else 'nothing changed'}"
        if only in label:
            found = [[], []]
            path = PAGES[name].format(**facts)
            for look in range(looks + 3):
                for times, tree in zip(found, trees, strict=True):
                    answer = tree.ask("look", path, user, changed)
                    if look > 2:
                        times.append(answer["ms"])
            pages = [tree.ask("page", path, user) for tree in trees]
            tell(label, found, pages)
            key = label.rpartition(", ")[2]
            totals.setdefault(key, []).append(tuple(min(times) for times in found))
    for key, pairs in totals.items():
        theirs, ours = (sum(times) for times in zip(*pairs, strict=True))
        print(f"all {len(pairs)}, {key:24} {theirs:8.1f} {ours:8.1f} {ours / theirs:6.2f}", flush=True)
    for act in ("submit", "confirm"):
        if only in "acts":
            found = [[], []]
            for number in range(min(LOGS, looks + 3)):
                answers = [tree.ask(act, number) for tree in trees]
                for times, answer in zip(found, answers, strict=True):
                    times += [answer["ms"]] if number > 2 else []
            tell(act, found, answers)


def tell(label: str, found: list[list[float]], answers: list[dict]) -> None:
    theirs, ours = (min(times) for times in found)
    medians = [statistics.median(times) for times in found]
    one, other = (CHANGING.sub("", answer["text"]) for answer in answers)
    said = "" if one == other else f" DIFFERS {difference(one, other)}"
    counts = " | ".join(f"{answer['statements']:3}" for answer in answers)
    ratio = medians[1] / medians[0]
    print(f"{label:32} {theirs:8.1f} {ours:8.1f} {ours / theirs:6.2f}  {counts} {ratio:6.2f}{said}", flush=True)


def difference(one: str, other: str) -> str:
    at = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return f"{one[at - 60 : at + 60]!r} {other[at - 60 : at + 60]!r}"


# --- One tree ---


def work() -> None:
    answers = sys.stdout
    sys.stdout = sys.stderr
    import django

    django.setup()
    from league.serving import settle

    settle()
    worker = Worker()
    for line in sys.stdin:
        act, *words = json.loads(line)
        answers.write(json.dumps(getattr(worker, act)(*words)) + "\n")
        answers.flush()


class Worker:
    def __init__(self) -> None:
        self.clients: dict[str, object] = {}

    def client(self, user: str):
        from django.test import Client

        from league.accounts.models import User

        if user not in self.clients:
            self.clients[user] = Client(headers={"host": "localhost"})
            if user:
                self.clients[user].force_login(User.objects.get(username=user))
        return self.clients[user]

    def migrate(self) -> dict:
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        return {}

    def build(self) -> dict:
        from league.rehearsals.demo import load_demo

        self.migrate()
        load_demo(lambda _said: None)
        return {"league": "harbour", "robin": "autumn-round-robin", "user": "ana", **more_matches()}

    def look(self, path: str, user: str, changed: bool) -> dict:
        client = self.client(user)
        if changed:
            self.change()
        return {"ms": clocked(lambda: client.get(path))[1]}

    def change(self) -> None:
        """Change a row that no page shows, by another connection."""
        import sqlite3

        from django.conf import settings

        with sqlite3.connect(settings.DATABASES["default"]["NAME"]) as base:
            base.execute("UPDATE accounts_user SET last_login = ? WHERE username = 'olga'", [str(time.time())])

    def page(self, path: str, user: str) -> dict:
        self.change()
        answer, count = counted(lambda: self.client(user).get(path))
        return {"text": body_of(answer), "statements": count}

    def submit(self, number: int) -> dict:
        code, text = extra_logs()[number]
        client = self.client("ana")
        return self.act(lambda: client.post(f"/submit/{code}/", {"text": text}), number)

    def confirm(self, number: int) -> dict:
        from league.matches.logs.submission import verify_record
        from league.matches.models import Game, Record, Result

        game = Game.objects.get(code=extra_logs()[number][0])
        verify_record(Record.objects.get(game=game).pk)
        result = Result.objects.get(game=game, current=True)
        client = self.client("bo")
        return self.act(lambda: client.post(f"/matches/{game.match_id}/confirm/", {"result": result.pk}), number)

    def act(self, post: Callable[[], object], number: int) -> dict:
        """Time an act, or count its statements if it is the first or one of the last."""
        (answer, count), spent = clocked(lambda: counted(post) if number < 3 else (post(), 0))
        if number < 3:
            self.count = count
        assert answer.status_code == 302, answer.content.decode()
        return {"ms": spent, "statements": self.count, "text": body_of(answer)}


def clocked(act: Callable[[], object]) -> tuple[object, float]:
    begun = time.process_time()
    found = act()
    return found, 1000 * (time.process_time() - begun)


def counted(act: Callable[[], object]) -> tuple[object, int]:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as asked:
        found = act()
    return found, len([one for one in asked if "PRAGMA" not in one["sql"]])


def body_of(answer) -> str:
    heads = "".join(f"{name}: {value}\n" for name, value in sorted(answer.headers.items()))
    return f"{answer.status_code}\n{heads}{answer.cookies.output()}\n{answer.content.decode()}"


_logs: list[tuple[str, str]] = []


def extra_logs() -> list[tuple[str, str]]:
    """(code of the game, its log), of the matches made by `more_matches`"""
    from league.matches.models import Game
    from tests.league.world import played_log

    if not _logs:
        codes = list(Game.objects.order_by("-pk").values_list("code", flat=True)[:LOGS])
        _logs.extend((code, played_log(number)) for number, code in enumerate(reversed(codes), start=100))
    return _logs


def more_matches() -> dict:
    """Make a live match, and matches to submit logs for; addresses of the pages."""
    from django.utils import timezone

    from league.accounts.models import League, User
    from league.competitions.models import Slot
    from league.matches.logs.submission import Fixture, schedule_match
    from league.matches.models import Match
    from league.players.models import Entrant
    from tests.league.matches.tapping import Pad, points, round_end

    upcoming = Slot.objects.filter(matchday__number=7).exclude(match=None).order_by("number")
    live = upcoming.exclude(match__sides__entrant__player__user=None).first() or upcoming.first()
    pad = Pad(live.match.games.get(), User.objects.get(username="rosa"))
    now = timezone.now()
    for number in range(4):
        pad.send(points(number % 2, 5 * number + 5), at=now)
        pad.send(round_end(number % 2, 10), at=now)
    league = League.objects.get()
    pair = [Entrant.objects.get(player__user__username=name, partner=None) for name in ("ana", "bo")]
    for _ in range(LOGS):
        schedule_match(
            Fixture(league=league, entrants=pair, ruleset="udl", options={}, published_at=now, starts_at=None)
        )
    ana = pair[0].player
    played = Match.objects.filter(state=Match.State.DECIDED, sides__entrant=pair[0]).order_by("pk").first()
    return {
        "code": ana.code,
        "played": played.pk,
        "live": live.match_id,
        "upcoming": upcoming.exclude(pk=live.pk).last().match_id,
    }


if __name__ == "__main__":
    asked = argparse.ArgumentParser()
    asked.add_argument("folder", nargs="?", type=Path)
    asked.add_argument("--looks", type=int, default=20)
    asked.add_argument("--only", default="")
    asked.add_argument("--worker", action="store_true")
    given = asked.parse_args()
    sys.exit(work() if given.worker else main(given.folder.resolve(), given.looks, given.only))

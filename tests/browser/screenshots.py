"""Pictures of every page, for people to look at: `python tests/browser/screenshots.py [--only NAME] [--docs]`.

Loads the demonstration league into a database of its own, serves it, and writes every page at 320, 390, 768 and
1280 px, light and dark, to var/screenshots (which git ignores). `--docs` makes docs/match-page.png, the picture of
the README.
"""

import argparse
import os
import sys
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path
from socketserver import ThreadingMixIn
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

ROOT = Path(__file__).resolve().parents[2]
OUTPUT = ROOT / "var" / "screenshots"
WIDTHS = (320, 390, 768, 1280)
SCHEMES = ("light", "dark")

BROKEN = '[Ruleset "udl"]\n[Seat.A "{a}"]\n[Seat.B "{b}"]\n\nround 1\nA hand 6-6 6-5 four-one 2-2 1-0 6-4 3-3\n'


@dataclass(frozen=True)
class Picture:
    """A page, who looks at it, and what is typed into its form first."""

    name: str
    path: str
    user: str = ""
    text: str = ""


class Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class Quiet(WSGIRequestHandler):
    def log_message(self, *_: object) -> None:
        """Nobody reads the requests of a photographer."""


def prepare(folder: str) -> None:
    """Django over a fresh database in `folder`, with the demonstration league in it."""
    os.environ |= {"DJANGO_SETTINGS_MODULE": "league.settings", "DATA_DIR": folder, "DJANGO_ALLOW_ASYNC_UNSAFE": "1"}
    for name in ("DATABASE_URL", "SECRET_KEY", "DEBUG"):
        os.environ.pop(name, None)
    sys.path.insert(0, str(ROOT))
    import django

    django.setup()
    from django.core.management import call_command

    from league.house.demo import load_demo

    call_command("migrate", verbosity=0)
    load_demo(print)


def serve() -> str:
    """The address of the site, served from a thread."""
    from django.core.wsgi import get_wsgi_application

    server = make_server("127.0.0.1", 0, get_wsgi_application(), server_class=Server, handler_class=Quiet)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"


def pictures() -> list[Picture]:
    """One of each kind of page, and a match of each verdict."""
    from league.competitions.models import Competition
    from league.matches.models import Game, Result, StoredVerdict
    from league.players.models import Player

    competition = Competition.objects.select_related("league").first()
    player = Player.objects.order_by("pk").first()
    shown = [
        Picture("home", "/"),
        Picture("home-player", "/", "bo"),
        Picture("competitions", "/competitions/"),
        Picture("competition", f"/competitions/{competition.league.slug}/{competition.slug}/"),
        Picture("cup", "/competitions/harbour/summer-cup/"),
        Picture("cup-bracket", "/competitions/harbour/summer-cup/bracket/"),
        Picture("cup-bracket-followed", f"/competitions/harbour/summer-cup/bracket/?player={player.code}"),
        Picture("cup-draft", "/competitions/harbour/winter-cup/bracket/", "olga"),
        Picture("players", "/players/"),
        Picture("player", f"/players/{player.code}/"),
        Picture("leagues", "/leagues/"),
        Picture("league", f"/leagues/{competition.league.slug}/"),
        Picture("league-owner", f"/leagues/{competition.league.slug}/", "olga"),
        Picture("league-players", f"/leagues/{competition.league.slug}/players/", "olga"),
        Picture("ratings", f"/leagues/{competition.league.slug}/ratings/", "olga"),
        Picture("rating", f"/leagues/{competition.league.slug}/ratings/udl/players/{player.code}/"),
        Picture("rating-settings", f"/leagues/{competition.league.slug}/ratings/udl/settings/", "olga"),
        Picture("sign-in", "/sign-in/"),
        Picture("sign-up", "/sign-up/"),
        Picture("account", "/account/", "bo"),
        Picture("api", "/api/"),
        Picture("address", "/address/"),
        Picture("submit", "/submit/", "rosa"),
        Picture("notation", "/notation/"),
        Picture("not-found", "/nowhere/"),
        *of_the_organizer(competition.league),
    ]
    for status in StoredVerdict.Status.values:
        verdict = StoredVerdict.objects.filter(status=status).select_related("record__game").last()
        if verdict:
            shown.append(Picture(f"match-{status}", f"/matches/{verdict.record.game.match_id}/", "rosa"))
    muggins = [
        result
        for result in Result.objects.filter(current=True, state="official").select_related("record__verdict", "game")
        if any(finding["code"] == "claim-upheld" for finding in result.record.verdict.findings)
    ]
    if muggins:
        # A short game with a muggins first, so that score, rounds and the call stand in one picture.
        short = min(muggins, key=plainness)
        shown.append(Picture("match-muggins", f"/matches/{short.game.match_id}/"))
    waiting = Result.objects.filter(current=True, state="provisional", needs_decision=False).first()
    if waiting:
        shown.append(Picture("match-to-confirm", f"/matches/{waiting.game.match_id}/", "olga"))
    open_game = Game.objects.filter(records__isnull=True).select_related("match").first()
    if open_game:
        names = [str(side.entrant) for side in open_game.match.sides.all()]
        shown.append(Picture("match-to-come", f"/matches/{open_game.match_id}/"))
        broken = BROKEN.format(a=names[0], b=names[1])
        shown.append(Picture("submit-error", f"/submit/{open_game.code}/", "rosa", broken))
    return [*shown, *clocks()]


def clocks() -> list[Picture]:
    """Matches to come whose clocks run, stand and have rung."""
    from datetime import timedelta

    from django.utils import timezone

    from league.accounts.models import User
    from league.matches import timekeeping
    from league.matches.models import Game

    rosa, now = User.objects.get(username="rosa"), timezone.now()
    games = list(Game.objects.filter(records__isnull=True).select_related("match__league").order_by("pk")[1:4])
    for game, minutes in zip(games, (4, 6, 16), strict=True):
        timekeeping.start_clock(game, rosa, now - timedelta(minutes=minutes))
    timekeeping.give_time(games[1], rosa, seconds=60, reason="A tile fell", at=now - timedelta(minutes=3))
    timekeeping.pause_clock(games[1], rosa, now - timedelta(minutes=2))
    shown = [
        Picture(f"clock-{name}", f"/matches/{game.match_id}/", "rosa")
        for name, game in zip(("running", "paused", "rung"), games, strict=True)
    ]
    return [*shown, Picture("clock-rung-player", f"/matches/{games[2].match_id}/")]


def of_the_organizer(league) -> list[Picture]:
    """The console, the form, and a draft of thirteen that waits to be published."""
    from django.utils import timezone

    from league.accounts.models import User
    from league.competitions.founding import found_with_players
    from league.competitions.models import Stage
    from league.competitions.services import Plan

    names = "\n".join([*map(str, league.entrants.select_related("player")), *(f"Guest {n}" for n in range(1, 6))])
    plan = Plan(
        name="Friday Cup",
        ruleset="udl",
        format=Stage.Format.SINGLE_ELIMINATION,
        starts_at=timezone.now().replace(minute=0, second=0, microsecond=0),
        minutes=20,
        tables=("1", "2", "3", "4"),
    )
    draft = found_with_players(league, plan, names, user=User.objects.get(username="olga"))
    home = f"/organize/{league.slug}/"
    return [
        Picture("organize", home, "olga"),
        Picture("organize-new", f"{home}new/", "olga"),
        Picture("organize-draft", f"{home}competitions/{draft.slug}/", "olga"),
        Picture("organize-entrants", f"{home}competitions/{draft.slug}/entrants/", "olga"),
        Picture("organize-tables", f"{home}tables/", "olga"),
    ]


def plainness(result) -> tuple[bool, int, int]:
    """Whether the first finding is something else, how many spinners are seen twice, how many rounds there are."""
    verdict = result.record.verdict
    spinners = [one["spinner"] for one in verdict.rounds]
    return verdict.findings[0]["code"] != "claim-upheld", len(spinners) - len(set(spinners)), len(spinners)


def sign_in(page, user: str) -> None:
    from league.house.demo import DEMO_SIGN_INS

    password = next(password for _role, name, password in DEMO_SIGN_INS if name == user)
    page.goto("/sign-in/")
    page.locator("[name=username]").fill(user)
    page.locator("[name=password]").fill(password)
    page.locator("main button").click()


def take(page, picture: Picture, file: Path) -> None:
    page.goto(picture.path)
    if picture.text:
        page.locator("[name=text]").fill(picture.text)
        page.locator("main form button").click()
        page.locator("#submit-error").wait_for()
    page.screenshot(path=file, full_page=True)


def photograph(browser, address: str, shown: list[Picture]) -> int:
    """All pictures at all widths in both schemes; how many."""
    for width in WIDTHS:
        for scheme in SCHEMES:
            for user in sorted({picture.user for picture in shown}):
                context = browser.new_context(
                    viewport={"width": width, "height": 844}, color_scheme=scheme, base_url=address
                )
                page = context.new_page()
                if user:
                    sign_in(page, user)
                for picture in (one for one in shown if one.user == user):
                    take(page, picture, OUTPUT / f"{picture.name}-{width}-{scheme}.png")
                context.close()
    return len(WIDTHS) * len(SCHEMES) * len(shown)


def picture_for_readme(browser, address: str, shown: list[Picture]) -> Path:
    """The top of a match with a muggins, as a visitor sees it on a laptop."""
    file = ROOT / "docs" / "match-page.png"
    file.parent.mkdir(exist_ok=True)
    match = next(one for one in shown if one.name == "match-muggins")
    context = browser.new_context(viewport={"width": 1280, "height": 1400}, color_scheme="light", base_url=address)
    page = context.new_page()
    page.goto(match.path)
    page.screenshot(path=file)
    context.close()
    return file


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", help="a part of the names to take")
    parser.add_argument("--docs", action="store_true", help="make docs/match-page.png instead")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        prepare(folder)
        from playwright.sync_api import sync_playwright

        from tests.conftest import chromium

        address, shown = serve(), pictures()
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
            if asked.docs:
                print(picture_for_readme(browser, address, shown))
            else:
                OUTPUT.mkdir(parents=True, exist_ok=True)
                wanted = [one for one in shown if not asked.only or asked.only in one.name]
                print(f"{photograph(browser, address, wanted)} pictures in {OUTPUT}")
            browser.close()


if __name__ == "__main__":
    main()

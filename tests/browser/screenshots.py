"""Pictures of every page, for people to look at: `python tests/browser/screenshots.py [--only NAME] [--docs]`.

Fills a database of its own with every state there is a page of (places.py, which the tests walk too), serves it, and
writes every page at 320, 390, 768 and 1280 px, light and dark, to var/screenshots (which git ignores). `--themes
light,dark,contrast,hall` says in which; `--languages en,es` in which languages; `--font "Noto Sans"` in which font.
`--docs` makes docs/match-page.png, the picture of the README, from the demonstration league.
"""

import argparse
import os
import re
import sys
import tempfile
import threading
from pathlib import Path
from socketserver import ThreadingMixIn
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

ROOT = Path(__file__).resolve().parents[2]
OUTPUT = ROOT / "var" / "screenshots"
WIDTHS = (320, 390, 768, 1280)
# A theme, and the colours that a screen asks for where none was chosen.
SCHEMES = {"light": "light", "dark": "dark"}


class Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class Quiet(WSGIRequestHandler):
    def log_message(self, *_: object) -> None:
        """Nobody reads the requests of a photographer."""


def prepare(folder: str) -> None:
    """Django over a fresh database in `folder`."""
    os.environ |= {"DJANGO_SETTINGS_MODULE": "league.settings", "DATA_DIR": folder, "DJANGO_ALLOW_ASYNC_UNSAFE": "1"}
    for name in ("DATABASE_URL", "SECRET_KEY", "DEBUG"):
        os.environ.pop(name, None)
    sys.path.insert(0, str(ROOT))
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command

    from league.certificates import Authority

    call_command("migrate", verbosity=0)
    settings.HTTPS_PORT = 8443
    Authority(Path(folder))


def serve() -> str:
    """The address of the site, served from a thread."""
    from django.core.wsgi import get_wsgi_application

    server = make_server("127.0.0.1", 0, get_wsgi_application(), server_class=Server, handler_class=Quiet)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://localhost:{server.server_port}"  # the domain of the cookie that signs in


def photograph(browser, address: str, spots: list, themes: list[str], languages: list[str]) -> int:
    """Every spot in every theme and language at all widths; how many pictures. A page is opened once for all widths."""
    from tests.browser.looking import go

    for theme in themes:
        for language in languages:
            context = browser.new_context(color_scheme=SCHEMES.get(theme, "light"), base_url=address)
            page, who = context.new_page(), {}
            for spot in spots:
                # Whoever signs in anew has no cookies, so the first visit is to sign in.
                go(page, spot, who)
                chosen = {"django_language": language} | ({} if theme in SCHEMES else {"theme": theme})
                context.add_cookies([{"name": name, "value": value, "url": address} for name, value in chosen.items()])
                if not spot.text:
                    page.goto(spot.path)
                for width in WIDTHS:
                    page.set_viewport_size({"width": width, "height": 844})
                    name = re.sub(r"[^a-z0-9]+", "-", spot.name.lower()).strip("-")
                    mark = theme if language == "en" else f"{theme}-{language}"
                    page.screenshot(path=OUTPUT / f"{name}-{width}-{mark}.png", full_page=True)
                context.clear_cookies(name="django_language")
                context.clear_cookies(name="theme")
            context.close()
    return len(WIDTHS) * len(themes) * len(languages) * len(spots)


def picture_for_readme(browser, address: str) -> Path:
    """The top of a match with a muggins, as a visitor sees it on a laptop."""
    file = ROOT / "docs" / "match-page.png"
    file.parent.mkdir(exist_ok=True)
    context = browser.new_context(viewport={"width": 1280, "height": 1400}, color_scheme="light", base_url=address)
    page = context.new_page()
    page.goto(f"/matches/{match_with_a_muggins()}/")
    page.screenshot(path=file)
    context.close()
    return file


def match_with_a_muggins() -> int:
    """A short game with the call first, so that score, rounds and the call stand in one picture."""
    from league.matches.models import Result

    official = Result.objects.filter(current=True, state="official").select_related("record__verdict", "game")
    called = [one for one in official if any(found["code"] == "claim-upheld" for found in one.record.verdict.findings)]
    return min(called, key=plainness).game.match_id


def plainness(result) -> tuple[bool, int, int]:
    """Whether the first finding is something else, how many spinners are seen twice, how many rounds there are."""
    verdict = result.record.verdict
    spinners = [one["spinner"] for one in verdict.rounds]
    return verdict.findings[0]["code"] != "claim-upheld", len(spinners) - len(set(spinners)), len(spinners)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", help="a part of the names to take")
    parser.add_argument("--themes", default="light,dark", help="of light, dark, contrast and hall")
    parser.add_argument("--languages", default="en", help="of en and es")
    parser.add_argument("--font", help="of the machine that the pages are read on")
    parser.add_argument("--docs", action="store_true", help="make docs/match-page.png instead")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        prepare(folder)
        from playwright.sync_api import sync_playwright

        from tests.browser.fonts import USUAL, environment
        from tests.conftest import chromium

        address = serve()
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=chromium(), args=["--no-sandbox"], env=environment(asked.font or USUAL, Path(folder))
            )
            if asked.docs:
                from league.rehearsals.demo import load_demo

                load_demo(print)
                print(picture_for_readme(browser, address))
            else:
                from tests.browser.places import furnished

                OUTPUT.mkdir(parents=True, exist_ok=True)
                spots = [one for one in furnished()[1] if not asked.only or asked.only in one.name]
                taken = photograph(browser, address, spots, asked.themes.split(","), asked.languages.split(","))
                print(f"{taken} pictures in {OUTPUT}")
            browser.close()


if __name__ == "__main__":
    main()

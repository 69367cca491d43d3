"""Names that were written to break a page, as they come out of a printer: cards, pairings, standings and brackets as
PDF through Chromium, read back with poppler. Whole, with no box where the machine has the letters, nothing cut off, and
what stands beside a name reads as it was written.
"""

import shutil
import subprocess
import unicodedata
from functools import cache
from pathlib import Path

import pytest
from playwright.sync_api import Page

from league.players.models import Player
from tests.browser.conftest import sign_in
from tests.browser.fonts import every_font
from tests.web import world as small
from tests.web.test_hostile_names import FAMILY, FORMULA, SCRIPT

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(not shutil.which("pdftotext"), reason="needs poppler (pdftotext)"),
]

ARABIC = "محمد عبد الرحمن"
# Past the door, which takes such marks out of names: what is in the books already.
TURNED = "Nia \u202eretrop"
SIXTY = "क्षि" * 60
NAMES = (SCRIPT, FORMULA, SIXTY, FAMILY, TURNED, ARABIC)
CUP = "/competitions/harbour/cup/"
ROBIN = "/competitions/harbour/autumn/"
PAPERS = {
    "cards": "/organize/harbour/competitions/cup/cards/",
    "pairings": f"{CUP}rounds/1/",
    "standings": f"{ROBIN}standings/?all=1",
    "bracket": f"{CUP}bracket/print/",
}
PLAIN = "Guest 0", "Guest 1"


@pytest.fixture
def hostile(world) -> None:
    """A knock-out of eight, six of whom are called something awful; three of them play the round robin too."""
    small.knock_out(world, players=8, played=0)
    people = Player.objects.exclude(name__in=PLAIN).order_by("pk")
    for player, name in zip(people, NAMES, strict=False):
        Player.objects.filter(pk=player.pk).update(name=name)


def on_paper(page: Page, path: str, folder: Path) -> str:
    page.goto(path)
    return printed_text(page, folder)


def printed_text(page: Page, folder: Path) -> str:
    """In the order in which it is drawn, so that a name on two lines is in one piece."""
    file = folder / "paper.pdf"
    page.pdf(path=file, prefer_css_page_size=True)
    return subprocess.run(["pdftotext", "-raw", file, "-"], capture_output=True, check=True).stdout.decode()


@cache
def drawable(letter: str) -> bool:
    """Whether a font of this machine has it."""
    asked = ["fc-list", f":charset={ord(letter):x}", "family"]
    return bool(subprocess.run(asked, capture_output=True, check=True).stdout.strip())


def bare(text: str) -> str:
    """Without blanks and what is not drawn: lines are broken where a name is long."""
    return "".join(one for one in text if not one.isspace() and unicodedata.category(one) != "Cf")


def read_back(name: str, text: str) -> bool:
    """Poppler gives right-to-left words in the order of their drawing, with shapes for letters."""
    seen = bare(unicodedata.normalize("NFKC", text))
    if name == ARABIC:
        return all(word in seen or word[::-1] in seen for word in name.split())
    return bare(unicodedata.normalize("NFKC", name)) in seen


CLIPPED = """names => [...document.querySelectorAll('bdi, svg.bracket text')].filter(one => {
  if (!names.some(name => one.textContent.includes(name)) || !one.getClientRects().length) return false;
  const box = one.getBoundingClientRect();
  for (let up = one.parentElement; up && up !== document.body; up = up.parentElement) {
    const style = getComputedStyle(up);
    if (style.overflowX === 'visible' && style.overflowY === 'visible') continue;
    const frame = up.getBoundingClientRect();
    if (box.right > frame.right + 1 || box.left < frame.left - 1 || box.bottom > frame.bottom + 1) return true;
  }
  return box.left < -1 || box.right > document.documentElement.clientWidth + 1;
}).map(one => one.textContent)"""


@every_font
@pytest.mark.parametrize("paper", PAPERS)
def test_a_hostile_name_is_whole_on_paper(world, hostile, visit, tmp_path, paper) -> None:
    page = visit()
    if paper == "cards":
        sign_in(page, "owner")
    text = on_paper(page, PAPERS[paper], tmp_path)
    here = NAMES[:3] if paper == "standings" else NAMES
    legible = [name for name in here if name != TURNED and all(map(drawable, bare(name)))]
    assert {SCRIPT, FORMULA} <= set(legible)
    assert [name for name in legible if not read_back(name, text)] == [], text
    assert paper == "standings" or "Niaporter" in bare(text)  # as it is seen
    page.emulate_media(media="print")
    assert page.evaluate(CLIPPED, list(here)) == []


@pytest.mark.parametrize("paper", ["cards", "pairings", "bracket"])
def test_a_name_that_turns_round_turns_nobody_else(world, hostile, visit, tmp_path, paper) -> None:
    page = visit()
    if paper == "cards":
        sign_in(page, "owner")
    text = on_paper(page, PAPERS[paper], tmp_path)
    rows = bare(text)
    for beside in (*PLAIN, "Cup"):
        assert bare(beside) in rows
        assert bare(beside)[::-1] not in rows


def test_without_its_fence_the_name_turns_what_follows(world, hostile, visit, tmp_path) -> None:
    """The control."""
    page = visit()
    page.goto(PAPERS["pairings"])
    page.evaluate(
        """() => { const row = document.createElement('p'); row.textContent = 'Nia \\u202eretrop beside';
        document.querySelector('main').prepend(row); }"""
    )
    assert "ediseb" in bare(printed_text(page, tmp_path))

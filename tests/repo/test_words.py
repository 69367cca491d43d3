"""Docstrings, comments, documents and pages avoid words that make a sentence hard to read (CONTRIBUTING.md)."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

from babel.messages.pofile import read_po

ROOT = Path(__file__).resolve().parents[2]
WORDS = re.compile(
    r"""(?i:(?<!["“=])\b(?:whoever|whomever|anew|affair|brings|is told|are told|by itself|nobody else's)\b)|"""
    r"(?:^|[.:;] )(?:Who|Whom|What|Whatever) (?!do|does|is the|are the)[^?\n]*\.",
    re.MULTILINE,
)
# Words that pages have a plain one for: fix, upcoming, under review, big screen.
ON_PAGES = re.compile(r"(?i:\b(?:mend|mended|to come|contested|under protest|on the wall|whom|matchdays?)\b)")
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]")
CATALOGUE = ROOT / "league/locale/es/LC_MESSAGES/django.po"
# A file without any of these has none in a docstring or comment either: it needs no parser.
SPELLED = re.compile(r"(?i:whoever|whomever|anew|affair|brings|told|itself|nobody else's|\\)|Who|What")
# Arguments with a text that the OpenAPI description publishes.
PUBLISHED = {"help_text", "summary", "description", "label"}
DOCUMENTS = ("README.md", "CONTRIBUTING.md", "docs/decisions/*.md")


def docstrings_and_comments(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            yield ast.get_docstring(node) or ""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.string.lstrip("# ")


def hard_words_in(source: str) -> list[str]:
    """Find the hard words of docstrings and comments."""
    if not SPELLED.search(source):
        return []
    return [one for text in docstrings_and_comments(source) for one in hard_words(text)]


def published(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.keyword) and node.arg in PUBLISHED and isinstance(node.value, ast.Call):
            yield from (one.value for one in node.value.args if isinstance(one, ast.Constant))


def hard_words(text: str) -> list[str]:
    return [found.group(0) for found in WORDS.finditer(text)]


def hard_words_on_a_page(text: str) -> list[str]:
    text = PLACEHOLDER.sub("…", text)
    return hard_words(text) + [found.group(0) for found in ON_PAGES.finditer(text)]


def texts_of_pages() -> Iterator[str]:
    """Yield every English text of templates and code that people read.

    `test_catalogues` holds the catalogue to the sources.
    """
    with CATALOGUE.open("rb") as file:
        for message in read_po(file):
            yield from message.id if isinstance(message.id, tuple | list) else [message.id]


def code() -> Iterator[Path]:
    for room in ("games", "referee", "league"):
        for path in sorted((ROOT / room).rglob("*.py")):
            place = path.relative_to(ROOT).as_posix()
            if "/migrations/" not in place and "/first_chain/" not in place:
                yield path


def test_docstrings_and_comments_are_plain() -> None:
    found = {
        path.relative_to(ROOT).as_posix(): words for path in code() if (words := hard_words_in(path.read_text("utf-8")))
    }
    assert found == {}


def test_the_description_of_the_api_is_plain() -> None:
    texts = [text for path in (ROOT / "league/api").rglob("*.py") for text in published(path.read_text("utf-8"))]
    assert len(texts) > 400
    assert [words for text in texts if (words := hard_words(text))] == []


def test_pages_are_plain() -> None:
    texts = list(texts_of_pages())
    assert len(texts) > 3000
    assert {text: words for text in texts if (words := hard_words_on_a_page(text))} == {}


def test_documents_are_plain() -> None:
    pages = [page for pattern in DOCUMENTS for page in sorted(ROOT.glob(pattern))]
    assert len(pages) > 10
    assert {page.name: words for page in pages if (words := hard_words(page.read_text("utf-8")))} == {}


def test_the_control_hard_words_are_found() -> None:
    text = "Whoever comes late is drawn anew.\nWho left is nobody any more.\n"
    assert hard_words(text) == ["Whoever", "anew", "Who left is nobody any more."]
    assert hard_words_on_a_page("Whom you follow: matches to come (%(whom)s)") == ["Whom", "to come"]
    assert hard_words_in(f'"""A."""\n# {text.splitlines()[0]}\n') == ["Whoever", "anew"]
    assert hard_words_in("# Who left is nobody any more.\n") == ["Who left is nobody any more."]
    assert hard_words_in("a = 1\n# It is\\x20told by itself.\n") == ["by itself"]
    assert list(docstrings_and_comments('"""A."""\n# b\n')) == ["A.", "b"]
    assert list(published('F(help_text=_("Who left."), label="x")')) == ["Who left."]

"""The oldest browsers that the site promises to work in: Chrome 100 and Safari 15.4 (both of March 2022).

What they do not know may be used only where they are none the worse for leaving it out: a rule that is dropped, or one
under `@supports`.
"""

import re
from pathlib import Path

import pytest
from django.conf import settings

STATIC = Path(settings.BASE_DIR) / "league" / "web" / "static" / "web"
# Feature, and the first Chrome and Safari that know it, from MDN's tables of compatibility.
STYLES = {
    r"light-dark\(": "Chrome 123, Safari 17.5",
    r"color-mix\(": "Chrome 111, Safari 16.2",
    r"\boklch\(|\boklab\(": "Chrome 111, Safari 15.4",
    r"^\s*&": "nesting: Chrome 112, Safari 16.5",
    r"@scope\b": "Chrome 118, Safari 17.4",
    r"\bsubgrid\b": "Chrome 117, Safari 16",
    r"@media[^{]*[<>]": "ranges: Chrome 104, Safari 16.4",
    r"\bfield-sizing\b": "Chrome 123, Safari 26.2",
}
SCRIPTS = {
    r"\.to(Sorted|Reversed|Spliced)\(|\.with\(": "Chrome 110, Safari 16",
    r"Object\.groupBy|Map\.groupBy": "Chrome 117, Safari 17.4",
    r"Promise\.withResolvers": "Chrome 119, Safari 17.4",
    r"URL\.canParse": "Chrome 120, Safari 17",
    r"AbortSignal\.timeout|AbortSignal\.any": "Chrome 103, Safari 16",
    r"\(\?<[=!]": "look behind: Chrome 62, Safari 16.4",
    r"\.isWellFormed\(": "Chrome 111, Safari 16.4",
    r"startViewTransition": "Chrome 111, Safari 18",
}


def without_comments(text: str) -> str:
    return re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)


def too_new(text: str, features: dict[str, str]) -> list[str]:
    return [since for pattern, since in features.items() if re.search(pattern, without_comments(text), re.MULTILINE)]


@pytest.mark.parametrize("path", sorted(STATIC.glob("*.css")), ids=lambda path: path.name)
def test_styles_are_known_to_the_oldest_browsers(path):
    assert too_new(path.read_text("utf-8"), STYLES) == []


@pytest.mark.parametrize("path", sorted(STATIC.glob("*.js")), ids=lambda path: path.name)
def test_scripts_are_known_to_the_oldest_browsers(path):
    assert too_new(path.read_text("utf-8"), SCRIPTS) == []


def test_a_length_of_the_window_has_an_older_twin_before_it():
    """`dvb` came with Chrome 108: before it stands one in `vh`."""
    lines = without_comments((STATIC / "site.css").read_text("utf-8")).split("\n")
    assert [line for line in lines if re.search(r"\d[dsl]v[bhiw]\b", line) and not re.search(r"\dv[hw];", line)] == []


def test_every_colour_has_a_dark_twin():
    text = (STATIC / "site.css").read_text("utf-8")
    dark = text.split("prefers-color-scheme: dark", 1)[1].split("}", 1)[0]
    assert len(re.findall(r"--[\w-]+: #", dark)) > 25


def test_what_is_too_new_is_found():
    """The control."""
    assert too_new("a { color: light-dark(#fff, #000); }", STYLES) == ["Chrome 123, Safari 17.5"]
    assert too_new("list.toSorted()", SCRIPTS) == ["Chrome 110, Safari 16"]

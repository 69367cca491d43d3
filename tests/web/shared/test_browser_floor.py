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


@pytest.mark.parametrize("path", sorted(STATIC.rglob("*.css")), ids=lambda path: path.name)
def test_styles_are_known_to_the_oldest_browsers(path):
    assert too_new(path.read_text("utf-8"), STYLES) == []


@pytest.mark.parametrize("path", sorted(STATIC.rglob("*.js")), ids=lambda path: path.name)
def test_scripts_are_known_to_the_oldest_browsers(path):
    assert too_new(path.read_text("utf-8"), SCRIPTS) == []


def test_a_length_of_the_window_has_an_older_twin_before_it():
    """`dvb` came with Chrome 108: before it stands one in `vh`."""
    lines = without_comments((STATIC / "base" / "site.css").read_text("utf-8")).split("\n")
    assert [line for line in lines if re.search(r"\d[dsl]v[bhiw]\b", line) and not re.search(r"\dv[hw];", line)] == []


def tokens_of(selector: str) -> dict[str, str]:
    """Name and value of every token that stands under the selector in tokens.css."""
    text = (STATIC / "base" / "tokens.css").read_text("utf-8")
    block = re.search(rf"{re.escape(selector)} {{(.*?)}}", without_comments(text), re.DOTALL)
    return dict(re.findall(r"(--[\w-]+): ([^;]+);", block[1]))


def test_the_night_is_the_same_whether_the_screen_asks_for_it_or_the_reader():
    asked, chosen = tokens_of(":root:not([data-theme])"), tokens_of(':root[data-theme="dark"]')
    assert len(asked) > 25
    assert asked == chosen


@pytest.mark.parametrize("theme", ["contrast", "hall"])
def test_a_theme_names_every_colour_that_is_not_printed_matter(theme):
    """Codes that are scanned are dark on light in every theme."""
    colours = {name for name, value in tokens_of(":root").items() if value.startswith(("#", "rgb"))}
    kept = {"--code-ground", "--code-ink", "--on-seat", "--on-felt-seat"}
    assert colours - kept <= set(tokens_of(f':root[data-theme="{theme}"]'))


def test_only_the_tokens_name_a_colour_of_the_screen():
    """Paper is black on white, and a tile of Uno has the colours of its box; the rest is dressed by the theme."""
    of_their_own = {"tokens.css", "print.css", "bracket-print.css", "replay.css"}
    for path in STATIC.rglob("*.css"):
        screen = without_comments(path.read_text("utf-8")).split("@media print")[0]
        if path.name not in of_their_own:
            assert re.findall(r"#[0-9a-f]{3,8}\b(?=[;, )])", screen) == [], path.name


def test_what_is_too_new_is_found():
    """The control."""
    assert too_new("a { color: light-dark(#fff, #000); }", STYLES) == ["Chrome 123, Safari 17.5"]
    assert too_new("list.toSorted()", SCRIPTS) == ["Chrome 110, Safari 16"]

"""The fonts that pages are measured with: those of readers differ in the widths of letters and the heights of lines."""

import os
from functools import cache
from pathlib import Path
from shutil import which
from subprocess import run
from typing import NamedTuple
from xml.sax.saxutils import escape

import pytest

from tests.volume import SEED, THOROUGH


class Font(NamedTuple):
    mono: str
    package: str  # of Debian


# Noto Sans has tall lines, as Segoe UI has; Liberation Sans has Arial's widths.
FONTS = {
    "DejaVu Sans": Font("DejaVu Sans Mono", "fonts-dejavu-core"),
    "Noto Sans": Font("DejaVu Sans Mono", "fonts-noto-core"),
    "Liberation Sans": Font("Liberation Mono", "fonts-liberation"),
}
NAMED = {"Noto Sans", "Liberation Sans", "Liberation Mono"}  # in the style sheets
USUAL = os.environ.get("FONT") or "DejaVu Sans"

# A test that measures pages runs once with each.
every_font = pytest.mark.parametrize("font", FONTS, indirect=True)


def parts_in_fonts(count: int) -> pytest.MarkDecorator:
    """A walk in so many parts, which workers share: each part in one font, with `THOROUGH=1` in every one."""
    pairs = [
        (part, font)
        for part in range(count)
        for place, font in enumerate(FONTS)
        if THOROUGH or place == (part + SEED) % len(FONTS)
    ]
    return pytest.mark.parametrize(("part", "font"), pairs, indirect=["font"])


# The machine's own configuration is not read, for its aliases differ. Letters that the font lacks come from others,
# but not from those that the style sheets name: they would be taken first.
CONFIGURATION = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <dir>/usr/share/fonts</dir>
  <dir>/usr/local/share/fonts</dir>
  <dir prefix="xdg">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
  <selectfont><rejectfont>{rejected}</rejectfont></selectfont>
  <alias binding="same"><family>monospace</family><prefer><family>{mono}</family></prefer></alias>
  <alias binding="same"><family>sans-serif</family><prefer><family>{text}</family></prefer></alias>
  <match target="pattern">
    <edit name="family" mode="append_last"><string>{text}</string></edit>
  </match>
</fontconfig>
"""


@cache
def is_installed(font: str) -> bool:
    list_them = which("fc-list")
    return bool(list_them and run([list_them, font, "family"], capture_output=True, check=True).stdout.strip())


def environment(font: str, folder: Path) -> dict[str, str]:
    """The environment of a program that draws text with `font`, whose configuration is written to `folder`."""
    mono = FONTS[font].mono if font in FONTS else "monospace"
    rejected = "".join(
        f'<pattern><patelt name="family"><string>{one}</string></patelt></pattern>' for one in NAMED - {font, mono}
    )
    path = folder / f"{font}.conf"
    path.write_text(CONFIGURATION.format(text=escape(font), mono=escape(mono), rejected=rejected), "utf-8")
    return {**os.environ, "FONTCONFIG_FILE": str(path)}

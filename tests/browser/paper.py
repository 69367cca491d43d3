"""Printed pages read back: a PDF from Chromium, its text, and the QR codes on its picture."""

from dataclasses import dataclass
from pathlib import Path

import pypdfium2
import zxingcpp
from PIL.Image import Image
from playwright.sync_api import Page

DPI = 200
MM = 25.4


@dataclass(frozen=True)
class ReadCode:
    """What a QR code says, and how wide it is from corner to corner, without its quiet zone, in millimetres."""

    text: str
    width: float


@dataclass(frozen=True)
class Sheet:
    """One page: its size in millimetres, its text without blanks, and its codes from left to right, from the top."""

    size: tuple[float, float]
    text: str
    codes: list[ReadCode]
    picture: Image


def printed(page: Page, path: str, folder: Path) -> list[Sheet]:
    """The address as it comes out of the printer."""
    page.goto(path)
    file = folder / "printed.pdf"
    page.pdf(path=file, prefer_css_page_size=True)
    with pypdfium2.PdfDocument(file) as document:
        return [sheet(one) for one in document]


def sheet(one: pypdfium2.PdfPage) -> Sheet:
    width, height = one.get_size()
    picture = one.render(scale=DPI / 72).to_pil()
    text = one.get_textpage().get_text_bounded()
    return Sheet(
        size=(round(width / 72 * MM, 1), round(height / 72 * MM, 1)),
        text="".join(text.split()),
        codes=codes(picture),
        picture=picture,
    )


def codes(picture: Image) -> list[ReadCode]:
    found = zxingcpp.read_barcodes(picture, formats=zxingcpp.BarcodeFormat.QRCode)
    # Rows are far apart, so tenths of the page tell them.
    found.sort(key=lambda one: (10 * one.position.top_left.y // picture.height, one.position.top_left.x))
    return [ReadCode(one.text, (one.position.top_right.x - one.position.top_left.x) / DPI * MM) for one in found]

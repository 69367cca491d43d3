"""Spreadsheets as people send them, and as people make them who mean harm."""

import io
import re
import zipfile
from datetime import date, datetime

import openpyxl
import pytest
from openpyxl.xml import functions

from league.competitions.import_export import xlsx
from league.competitions.import_export.result_columns import RESULT_WORDS, guess, words_of
from league.competitions.import_export.tabular import read_sheet
from league.competitions.import_export.xlsx import is_workbook, workbook_text
from league.errors import Refused

SHEET = "xl/worksheets/sheet1.xml"


def workbook(*rows, **sheets) -> bytes:
    """The file; `sheets`: further ones by title, after the one of `rows`."""
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    for title, more in sheets.items():
        sheet = book.create_sheet(title)
        for row in more:
            sheet.append(row)
    return saved(book)


def saved(book) -> bytes:
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def with_part(raw: bytes, name: str, change) -> bytes:
    """The same file with one part of it changed."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(raw)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for one in old.namelist():
            content = old.read(one)
            new.writestr(one, change(content) if one == name else content)
    return out.getvalue()


def code(raw: bytes) -> str:
    with pytest.raises(Refused) as refused:
        workbook_text(raw)
    return refused.value.code


def test_cells_of_every_kind_are_read_as_people_see_them():
    raw = workbook(
        ["Name", "Points", "Share", "On", "At", "There", "Nothing", "Words"],
        [
            "Ana",
            150,
            0.1 + 0.2,
            date(2025, 10, 31),
            datetime(2025, 10, 31, 19, 30),
            True,
            None,
            "two\nlines\there",
        ],
        ["Bo", 95.0, -4],
    )
    assert workbook_text(raw).split("\n") == [
        "Name\tPoints\tShare\tOn\tAt\tThere\tNothing\tWords",
        "Ana\t150\t0.3\t2025-10-31\t2025-10-31 19:30\tTRUE\t\ttwo lines here",
        "Bo\t95\t'-4\t\t\t\t\t",
        "",
    ]


def test_a_row_keeps_the_number_it_has_in_the_sheet():
    raw = workbook(["Player A", "Player B", "Score"], [], [], ["Ana", 'Bo "the wall" Chen', "150-95"], [], [])
    sheet = read_sheet(workbook_text(raw), words_of(RESULT_WORDS))
    assert sheet.rows == ((4, ("Ana", 'Bo "the wall" Chen', "150-95")),)
    assert guess(sheet, RESULT_WORDS) == {"player_a": 0, "player_b": 1, "score": 2}


def test_a_formula_is_never_computed_only_the_value_that_was_stored_with_it_is_read():
    raw = workbook(["name", "points"], ["Ana", "=1+1"], ["Bo", "=cmd|' /C calc'!A0"])
    assert workbook_text(raw) == "name\tpoints\nAna\t\nBo\t\n"
    stored = with_part(raw, SHEET, lambda xml: xml.replace(b"<f>1+1</f><v />", b"<f>1+1</f><v>2</v>"))
    assert read_sheet(workbook_text(stored)).rows[1] == (2, ("Ana", "2"))


def test_a_text_that_looks_like_a_formula_stays_a_text():
    book = openpyxl.Workbook()
    book.active["A1"], book.active["B1"] = "=HYPERLINK(1)", "@Ana"
    book.active["A1"].data_type = "s"
    text = workbook_text(saved(book))
    assert text == "'=HYPERLINK(1)\t'@Ana\n"
    assert read_sheet(text).rows[0][1][:2] == ("=HYPERLINK(1)", "@Ana")


def test_the_first_sheet_with_anything_in_it_is_read_and_no_hidden_one():
    book = openpyxl.Workbook()
    book.create_sheet("Secret").append(["hidden"])
    book["Secret"].sheet_state = "hidden"
    book.create_sheet("Results").append(["Ana"])
    assert workbook_text(saved(book)).strip() == "Ana"
    assert workbook_text(workbook()) == ""


def test_what_a_sheet_says_of_its_size_is_not_believed():
    raw = workbook(["Ana", "Bo"], ["Cy", "Di"])
    small = with_part(raw, SHEET, lambda xml: xml.replace(b'ref="A1:B2"', b'ref="A1"'))
    assert [line.split("\t")[:2] for line in workbook_text(small).splitlines()] == [["Ana", "Bo"], ["Cy", "Di"]]


@pytest.mark.parametrize(
    ("raw", "wanted"),
    [
        (b"PK\x03\x04 no zip at all", "no-workbook"),
        (workbook(["Ana"])[:-40], "no-workbook"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 500, "old-workbook"),
        (workbook(["x"]) + b"\0" * xlsx.MOST_PACKED, "too-large"),
        (with_part(workbook(["Ana"]), SHEET, lambda _xml: b"<worksheet><sheetData><row"), "no-workbook"),
        (with_part(workbook(["Ana"]), "xl/workbook.xml", lambda _xml: b""), "no-workbook"),
    ],
    ids=["no-zip", "cut", "xls", "large", "half", "empty-part"],
)
def test_what_is_no_workbook_says_so(raw, wanted):
    assert is_workbook(raw)
    assert code(raw) == wanted


def test_a_table_of_text_is_no_workbook():
    assert not is_workbook(b"Ana,Bo\n")
    assert not is_workbook("PK, club".encode("utf-16"))


def test_a_zip_that_unpacks_to_gigabytes_is_refused_before_it_is_unpacked(monkeypatch):
    bomb = with_part(workbook(["Ana"]), SHEET, lambda xml: xml + b" " * (xlsx.MOST_UNPACKED + 1))
    assert len(bomb) < 100_000
    monkeypatch.setattr("openpyxl.load_workbook", lambda *_a, **_k: pytest.fail("it was opened"))
    assert code(bomb) == "too-large"


def test_styles_without_end_are_refused_before_anything_is_made_of_them(monkeypatch):
    """A million of them took 95 s and a gigabyte."""
    many = b"<xf/>" * 60_000 + b"</cellXfs>"
    bomb = with_part(workbook(["Ana"]), "xl/styles.xml", lambda xml: xml.replace(b"</cellXfs>", many))
    monkeypatch.setattr("openpyxl.load_workbook", lambda *_a, **_k: pytest.fail("it was opened"))
    assert code(bomb) == "too-large"


def test_a_zip_that_lies_about_its_size_is_not_unpacked_further_than_it_says():
    """The part says that it holds ten bytes, and holds 64 MiB."""
    raw = with_part(workbook(["Ana"]), SHEET, lambda xml: xml + b" " * 2**26)
    size = 2**26 + len(zipfile.ZipFile(io.BytesIO(workbook(["Ana"]))).read(SHEET))
    lying = raw.replace(size.to_bytes(4, "little"), (10).to_bytes(4, "little"))
    assert lying != raw
    assert code(lying) == "no-workbook"


def test_rows_without_end_are_refused():
    many = "".join(f'<row r="{n}"><c r="A{n}" t="inlineStr"><is><t>a</t></is></c></row>' for n in range(1, 20_002))
    raw = with_part(workbook(["Ana"]), SHEET, lambda xml: re.sub(b"<row.*</row>", many.encode(), xml))
    assert code(raw) == "too-large"
    far = with_part(workbook(["Ana"]), SHEET, lambda xml: xml.replace(b'r="1"', b'r="9999999999"'))
    assert code(far) == "no-workbook"


LAUGHS = (
    b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "ha">'
    + b"".join(b'<!ENTITY %c "&%c;&%c;&%c;">' % (n, n - 1, n - 1, n - 1) for n in range(ord("b"), ord("j")))
    + b"]>"
)


def laughing(part: str) -> bytes:
    return with_part(workbook(["Ana"]), part, lambda xml: LAUGHS + re.sub(rb"^<\?xml.*?\?>", b"", xml))


@pytest.mark.parametrize("part", [SHEET, "xl/workbook.xml", "xl/styles.xml"])
def test_entities_are_refused_wherever_they_stand(part):
    assert code(laughing(part)) == "no-workbook"


def test_without_the_guard_entities_would_be_read(monkeypatch):
    from xml.etree.ElementTree import iterparse

    monkeypatch.setattr("openpyxl.worksheet._reader.iterparse", iterparse)
    assert workbook_text(laughing(SHEET)).strip() == "Ana"
    assert functions.iterparse is not iterparse

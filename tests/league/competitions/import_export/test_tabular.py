"""Cells that no spreadsheet computes, and tables as people paste them."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.competitions.import_export.tabular import (
    decoded,
    guarded,
    guess_columns,
    read_sheet,
    to_csv,
    unguarded,
    word,
)

# OWASP, "CSV Injection", and ASVS 5.0, 1.2.10.
RISKY = ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx", "\nx", "\0x", "＝1", "＋1", "－1", "＠A1"]


@pytest.mark.parametrize("text", RISKY)
def test_what_a_spreadsheet_computes_gets_an_apostrophe_and_loses_it_again(text):
    assert guarded(text) == f"'{text}"
    assert unguarded(guarded(text)) == text


@pytest.mark.parametrize("text", ["Ana", "", "d'Arc", "'t Hooft", "1=1", "Ana -1", " =1"])
def test_other_texts_stay_as_they_are(text):
    assert guarded(text) == text
    assert unguarded(text) == text


@given(st.text(alphabet="'=+-@\t＝aé 0"))
def test_any_text_comes_back_as_it_went(text):
    assert unguarded(guarded(text)) == text
    assert guarded(text)[:1] not in {"=", "+", "-", "@", "\t", "＝"}


@given(st.lists(st.tuples(st.text(alphabet="'=\",;é\t a"), st.integers(-99, 99)), max_size=4))
def test_a_table_comes_back_as_it_went(rows):
    raw = to_csv(["text", "number"], [{"text": text, "number": number} for text, number in rows])
    read = list(csv.reader(io.StringIO(raw.decode("utf-8-sig"))))
    assert read[0] == ["text", "number"]
    assert [(unguarded(text), int(number)) for text, number in read[1:]] == rows


def test_negative_numbers_stay_numbers():
    assert to_csv(["difference"], [{"difference": -5}]).decode("utf-8-sig") == '"difference"\r\n-5\r\n'


TEXT = "Player;Points\nJosé Peña;150\n"


@pytest.mark.parametrize("coding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_a_file_is_read_in_the_usual_encodings(coding):
    assert decoded(TEXT.encode(coding)) == TEXT


@pytest.mark.parametrize("sign", ["\t", ";", ","])
def test_any_of_three_separators_is_found(sign):
    text = f'Name{sign}Club\r\nAna Ruiz{sign}"Mill, Street"\r\n\r\nBo{sign}"Hill; side"\r\n'
    sheet = read_sheet(text, frozenset({"club"}))
    assert (sheet.head, sheet.rows) == (
        ("Name", "Club"),
        ((2, ("Ana Ruiz", "Mill, Street")), (4, ("Bo", "Hill; side"))),
    )


def test_a_first_line_without_a_known_word_is_a_row():
    sheet = read_sheet("Ana,150\nBo,95", frozenset({"player"}))
    assert (sheet.named, sheet.head, sheet.rows) == (False, ("", ""), ((1, ("Ana", "150")), (2, ("Bo", "95"))))


def test_a_quotation_mark_that_nobody_closes_swallows_nothing():
    assert [cells for _line, cells in read_sheet('"Tito Ruiz,1\nBo,2').rows] == [('"Tito Ruiz', "1"), ("Bo", "2")]


def test_headings_are_recognised_in_both_languages_and_each_column_once():
    words = {"name": ("player", "jugador", "name"), "points": ("points a", "puntos a")}
    assert guess_columns(["Fecha", "JUGADOR", "Puntos_A", "player"], words) == {"name": 3, "points": 2}
    assert word("  Jugadór_A. ") == "jugador a"

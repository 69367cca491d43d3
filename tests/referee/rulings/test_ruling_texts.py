"""Ruling texts: read, written, applied, and refused with line, column and reason."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee import verify_text
from referee.__main__ import main
from referee.rulings.amending import UnfitRuling, amend, verify_amended
from referee.rulings.reading import read_ruling
from referee.rulings.text import MAX_QUOTED, LineChange, RulingError, RulingText, Verb, digest, ruling_on, write_ruling

LOG = """[Ruleset "udl"]
[Seat.A "Ana Ruiz"]
[Seat.B "Bo Chen"]

round 1
A hand 6-6 6-5 4-1 2-2 1-0 6-4 3-3
B hand 6-3 6-2 5-5 5-4 3-1 2-0 1-1
A 6-6
B 6-3 on 6-6
A 6-5 on 6-6
A muggins
A concedes
"""
HEADER = f'[Amends "{digest(LOG)}"]\n[Ruling "Bo announced 15"]\n'
ANNOUNCED = HEADER + 'replace 9 "B 6-3 on 6-6 call 15"\n'


def replace(number, text):
    return LineChange(Verb.REPLACE, number, text)


def insert(number, text):
    return LineChange(Verb.INSERT, number, text)


def remove(number):
    return LineChange(Verb.REMOVE, number)


def changed(text, *changes):
    return amend(text, ruling_on(text, "so ruled", *changes)).text


# ---- Reading and writing


def test_a_ruling_is_read_with_its_tags_and_places():
    ruling = read_ruling(HEADER + '[Rule "udl.announce"]\n\n  # agreed\nreplace 9 "x \\"y\\" \\\\" # why\nremove 11\n')
    assert ruling.tags == {"Amends": digest(LOG), "Ruling": "Bo announced 15", "Rule": "udl.announce"}
    assert ruling.changes == (replace(9, 'x "y" \\'), remove(11))
    assert [(one.line, one.column) for one in ruling.changes] == [(6, 9), (7, 8)]


PRINTED = st.characters(blacklist_categories=("Cs",), min_codepoint=32)
LINES = st.text(PRINTED, max_size=20) | st.sampled_from(
    ['\\"', 'note "so"', "", "\t# é\\", "]", "# no comment", MAX_QUOTED * '"']
)
VALUES = st.text(PRINTED, max_size=20)
NUMBERS = st.integers(1, 10**9 - 1)


@st.composite
def rulings(draw):
    numbers = draw(st.lists(NUMBERS, unique=True, max_size=5))
    once = [replace(n, draw(LINES)) if draw(st.booleans()) else remove(n) for n in numbers]
    inserted = [insert(n, draw(LINES)) for n in draw(st.lists(NUMBERS | st.just(0), min_size=not once, max_size=5))]
    says = draw(VALUES.filter(str.strip))
    tags = draw(st.dictionaries(st.from_regex(r"[A-Za-z.]{1,12}", fullmatch=True), VALUES, max_size=3))
    named = {"Amends": digest(draw(LINES)), "Ruling": says}
    return RulingText({**named, **{k: v for k, v in tags.items() if k not in named}}, tuple(once + inserted))


@given(rulings())
def test_what_is_written_reads_the_same(ruling):
    text = write_ruling(ruling)
    assert read_ruling(text) == ruling
    assert read_ruling("\ufeff" + text.replace("\n", "\r\n")) == ruling
    assert write_ruling(read_ruling(text)) == text


@pytest.mark.parametrize("text", ["two\nlines", "a\rb", "\0"])
def test_a_line_that_no_quotes_hold_is_not_written(text):
    with pytest.raises(ValueError, match="a quoted text is one line"):
        write_ruling(ruling_on(LOG, "so", insert(1, text)))


D64 = "0" * 64
WRONG = [
    ("", 1, 1, "a ruling begins with a tag that names the amended text"),
    ("# nothing\n", 1, 1, "a ruling begins with a tag"),
    ("remove 3\n", 1, 1, "a ruling begins with a tag"),
    ('[Ruling "x"]\n', 1, 1, "a ruling begins with a tag"),
    (f'[Amends "{D64}"]\nremove 3\n', 1, 1, "a ruling needs a tag with the decision in a sentence"),
    (f'[Amends "{D64}"]\n[Ruling " "]\nremove 3\n', 2, 1, "the tag Ruling needs the decision in a sentence"),
    ('[Amends "abc"]\n', 1, 10, "Amends is a SHA-256: 64 hexadecimal digits, not 'abc'"),
    (f'[Amends "{D64}"]\n [Amends "{D64}"]\n', 2, 2, "the tag Amends stands twice; first in line 1"),
    (HEADER, 3, 1, "a ruling changes at least one line"),
    (HEADER + 'remove 3\n[Date "x"]', 4, 1, "the tags of a ruling stand before its changes"),
    (HEADER + "delete 3", 3, 1, "expected replace, insert or remove, found 'delete'"),
    (HEADER + "Remove 3", 3, 1, "words are lower case and seats are capitals: remove"),
    (HEADER + "replce 3", 3, 1, "did you mean replace?"),
    (HEADER + 'insert 3 "x"', 3, 8, "expected after, found '3'"),
    (HEADER + 'replace x "x"', 3, 9, "expected the number of a line from 1, found 'x'"),
    (HEADER + 'replace 0 "x"', 3, 9, "expected the number of a line from 1, found '0'"),
    (HEADER + "remove 0", 3, 8, "expected the number of a line from 1, found '0'"),
    (HEADER + "remove 9999999999", 3, 8, "expected the number of a line from 1"),
    (HEADER + 'insert after -1 "x"', 3, 14, "expected the number of a line from 0, found '-1'"),
    (HEADER + "remove", 3, 7, "expected the number of a line from 1, found the end of the line"),
    (HEADER + "replace 3", 3, 10, "expected the new line in double quotes, found the end of the line"),
    (HEADER + "replace 3 so", 3, 11, "expected the new line in double quotes, found 'so'"),
    (HEADER + 'remove 3 "x"', 3, 10, "expected the end of the line"),
    (HEADER + 'replace 3 "x" "y"', 3, 15, "expected the end of the line"),
    (HEADER + 'replace 3 "x', 3, 11, "a quoted text that does not end"),
    (HEADER + 'replace 3 "x\\n"', 3, 13, 'a backslash in quotes is written \\\\, a quotation mark \\"'),
    (HEADER + 'replace 3 "' + 501 * "x" + '"', 3, 11, "the text is longer than 500 characters"),
    (HEADER + 'replace 3 "x"\nremove 3', 4, 8, "line 3 is changed already, in line 3 of the ruling"),
    (HEADER + 'replace 3 "a\0"', 3, 13, "a character that no text has: U+0000"),
    (HEADER + 'replace 3 "a\rb"', 3, 13, "a character that no text has: U+000D"),
    (HEADER + f'[Long "{201 * "x"}"]', 3, 7, "the value of Long is longer than 200 characters"),
    (HEADER + 300 * 1024 * "#", 1, 1, "the ruling is longer than 256 KiB"),
    (HEADER + 5001 * "insert after 0 ''\n".replace("''", '""'), 5003, 1, "more than 5,000 changes"),
]


@pytest.mark.parametrize(("text", "line", "column", "message"), WRONG, ids=range(len(WRONG)))
def test_a_text_that_is_no_ruling_is_refused_at_its_place(text, line, column, message):
    with pytest.raises(RulingError) as refused:
        read_ruling(text)
    assert (refused.value.line, refused.value.column) == (line, column)
    assert message in refused.value.message


# ---- Applying


@pytest.mark.parametrize(
    ("old", "changes", "new"),
    [
        ("a\nb\nc\n", [replace(2, "B")], "a\nB\nc\n"),
        ("a\nb\nc\n", [remove(1), remove(3)], "b\n"),
        ("a\nb\n", [insert(0, "1"), insert(2, "3"), insert(0, "2"), insert(2, "4")], "1\n2\na\nb\n3\n4\n"),
        ("a\nb\nc\n", [insert(2, "x"), remove(2)], "a\nx\nc\n"),
        ("a\nb\nc\n", [remove(3), insert(1, "x"), replace(1, "A")], "A\nx\nb\n"),
        ("a\nb", [insert(2, "c")], "a\nb\nc"),
        ("a\nb", [remove(2)], "a"),
        ("a\nb", [replace(2, "")], "a\n"),
        ("a", [remove(1)], ""),
        ("a\n", [remove(1)], ""),
        ("", [insert(0, "a")], "a\n"),
        ("a\r\nb\r\n", [insert(1, "x"), replace(2, "B")], "a\r\nx\r\nB\r\n"),
        ("a\r\nb", [insert(2, "c")], "a\r\nb\r\nc"),
        ("a\nb\r\nc\n", [insert(2, "x"), replace(2, "B")], "a\nB\r\nx\nc\n"),
        ("\ufeffa\n", [insert(0, "x")], "\ufeffx\na\n"),
        ("\n\n", [replace(2, "b")], "\nb\n"),
    ],
)
def test_a_ruling_changes_the_lines_that_it_names(old, changes, new):
    assert changed(old, *changes) == new


@given(st.lists(LINES, min_size=1, max_size=8), st.sampled_from(["\n", "\r\n"]), st.booleans(), st.data())
def test_lines_that_no_change_names_keep_their_bytes(lines, newline, ends, data):
    """By a second way: a list with the new lines of each place."""
    old = newline.join(lines) + newline * ends
    old_lines = len(lines) if ends or lines[-1] else len(lines) - 1
    numbers = st.integers(1, old_lines) if old_lines else st.nothing()
    gone = data.draw(st.lists(numbers, unique=True, max_size=3)) if old_lines else []
    after = data.draw(st.lists(st.integers(0, old_lines), max_size=3))
    changes = [remove(n) for n in gone] + [insert(n, f"new {k}") for k, n in enumerate(after)]
    if not changes:
        return
    due = []
    for n in range(old_lines + 1):
        due += [lines[n - 1]] if n and n not in gone else []
        due += [f"new {k}" for k, place in enumerate(after) if place == n]
    ended = (ends or not lines[-1] or not old_lines) and bool(due)
    newline = newline if "\n" in old else "\n"  # a text without a line end gets the plain one
    new = newline.join(due) + newline * ended
    if new == old:
        assert "changes nothing" in unfit(old, ruling_on(old, "so", *changes))[3]
    else:
        assert changed(old, *changes) == new


def unfit(text, *rulings):
    with pytest.raises(UnfitRuling) as refused:
        amend(text, *rulings)
    return refused.value.number, refused.value.error.line, refused.value.error.column, refused.value.error.message


def test_another_text_is_refused():
    number, line, column, message = unfit(LOG + "end\n", read_ruling("# first\n" + ANNOUNCED))
    assert (number, line, column) == (1, 2, 1)
    assert message == (
        f"the ruling amends another text: Amends is {digest(LOG)[:12]}…, the SHA-256 of this text is "
        f"{digest(LOG + 'end' + chr(10))[:12]}…"
    )


@pytest.mark.parametrize("text", [LOG.replace("\n", "\r\n"), LOG.rstrip("\n")])
def test_the_same_text_with_other_line_ends_is_named(text):
    assert "this text with other line ends" in unfit(text, read_ruling(ANNOUNCED))[3]


@pytest.mark.parametrize(
    ("change", "column", "message"),
    [
        ("remove 13", 8, "there is no line 13: the amended text has 12 lines"),
        ('insert after 13 "x"', 14, "there is no line 13: the amended text has 12 lines"),
        ('replace 8 "A 6-6"', 9, "line 8 reads so already"),
    ],
)
def test_a_change_that_does_not_fit_is_refused_at_its_number(change, column, message):
    assert unfit(LOG, read_ruling(HEADER + change)) == (1, 3, column, message)


def test_a_ruling_that_changes_nothing_is_refused():
    ruling = read_ruling(HEADER + 'remove 8\ninsert after 8 "A 6-6"\n')
    assert unfit(LOG, ruling)[3].startswith("the ruling changes nothing")


def test_a_second_ruling_amends_the_text_that_results_from_the_first():
    first = ruling_on(LOG, "announced", replace(9, "B 6-3 on 6-6 call 15"), insert(10, 'note "ruling"'))
    amended = amend(LOG, first).text
    second = ruling_on(amended, "never said", replace(9, "B 6-3 on 6-6"), remove(11))
    assert amend(LOG, first, second).text == LOG
    assert unfit(LOG, second, first)[0] == 1
    changes = [(one.ruling, one.line, one.was, one.now) for one in amend(LOG, first, second).changes]
    assert changes == [
        (1, 9, "B 6-3 on 6-6", "B 6-3 on 6-6 call 15"),
        (2, 9, "B 6-3 on 6-6 call 15", "B 6-3 on 6-6"),
        (1, 10, None, 'note "ruling"'),
        (2, 10, 'note "ruling"', None),
    ]


# ---- Verdicts


def test_the_verdict_is_that_of_the_text_that_results():
    (amended,) = verify_amended(LOG, [read_ruling(ANNOUNCED)], "game")
    (plain,) = verify_text(LOG.replace("B 6-3 on 6-6", "B 6-3 on 6-6 call 15"), "game")
    assert amended.verdict.as_json() == plain.as_json()
    assert amended.verdict.scores == {"A": 0, "B": 15}
    assert amended.as_json() == plain.as_json() | {
        "amendments": [
            {
                "line": 9,
                "ruling": 1,
                "says": "Bo announced 15",
                "change": "replace",
                "was": "B 6-3 on 6-6",
                "now": "B 6-3 on 6-6 call 15",
            }
        ]
    }


def test_without_a_ruling_a_verdict_has_no_new_key():
    (verdict,) = verify_amended(LOG, [])
    assert json.dumps(verdict.as_json()) == json.dumps(verify_text(LOG)[0].as_json())


def test_of_several_games_only_the_amended_one_has_the_change():
    text = LOG + LOG
    found = verify_amended(text, [ruling_on(text, "so", replace(21, "B 6-3 on 6-6 call 15"))])
    assert [(len(one.changes), one.verdict.scores["B"]) for one in found] == [(0, 0), (1, 15)]


def test_a_ruling_that_makes_the_log_unreadable_is_named_with_its_line():
    (amended,) = verify_amended(LOG, [ruling_on(LOG, "so", replace(9, "B plays 6-3"))])
    data = amended.as_json()
    assert (data["status"], data["findings"][0]["line"], data["amendments"][0]["line"]) == ("unreadable", 9, 9)


def run(tmp_path, capsys, *files, json=False):
    for name, text in (("old.domino", LOG), ("a.ruling", ANNOUNCED)):
        (tmp_path / name).write_bytes(text.encode())
    status = main(["verify", *(str(tmp_path / name) for name in files), *(["--json"] if json else [])])
    captured = capsys.readouterr()
    return status, captured.out.replace(f"{tmp_path}/", ""), captured.err.replace(f"{tmp_path}/", "")


def test_the_command_reports_a_ruling_at_its_line(tmp_path, capsys):
    status, out, err = run(tmp_path, capsys, "old.domino", "a.ruling", "old.domino")
    assert (status, err) == (0, "")
    first, second = out.strip().split("\n\n")
    assert first.splitlines()[-2:] == [
        "  Amended by rulings; lines are those of the text that results:",
        "    line 9: was B 6-3 on 6-6, now B 6-3 on 6-6 call 15 [ruling 1: Bo announced 15]",
    ]
    assert "Bo Chen won by concession, 0-15." in first
    assert "15-0" in second
    assert "ruling" not in second


def test_the_command_as_json(tmp_path, capsys):
    _, out, _ = run(tmp_path, capsys, "old.domino", "a.ruling", "old.domino", json=True)
    amended, plain = map(json.loads, out.splitlines())
    assert amended.keys() - plain.keys() == {"amendments"}


@pytest.mark.parametrize(
    ("files", "message"),
    [
        (["a.ruling"], "a.ruling: a ruling is named after the log that it amends: verify OLD"),
        (["old.domino", "none.ruling"], "none.ruling: cannot be read"),
        (["old.domino", "a.ruling", "a.ruling"], "a.ruling: line 1, column 1: the ruling amends another text"),
        (["old.domino", "b.ruling"], "b.ruling: line 1, column 1: a ruling begins with a tag"),
        (["old.domino", "c.ruling"], "c.ruling: expected text in UTF-8"),
    ],
)
def test_the_command_refuses_a_ruling_that_does_not_fit(tmp_path, capsys, files, message):
    (tmp_path / "b.ruling").write_text("so be it")
    (tmp_path / "c.ruling").write_bytes(b"\xff")
    status, out, err = run(tmp_path, capsys, *files)
    assert (status, out) == (2, "")
    assert message in err

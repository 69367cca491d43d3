import pytest

from games.notation.reading import MAX_BYTES, loads
from league.errors import Refused
from league.matches.log_text import READ_AT_MOST, Header, decode, read_header, same_name, without_names


def refusal(raw):
    with pytest.raises(Refused) as caught:
        decode(raw)
    return caught.value.code, str(caught.value)


@pytest.mark.parametrize("raw", [b"", b" \r\n\t\n", b"\xef\xbb\xbf", b"\xef\xbb\xbf \n"])
def test_an_empty_file_is_refused(raw):
    assert refusal(raw) == (
        "empty-file",
        'The file is empty. A log begins with its tags, such as [Ruleset "udl"].',
    )


def test_256_kib_are_read_and_one_byte_more_is_refused():
    assert len(decode(b"#" * MAX_BYTES)) == MAX_BYTES == 256 * 1024
    assert refusal(b"#" * (MAX_BYTES + 1)) == (
        "too-large",
        "The log has 262145 bytes; at most 262144 (256 KiB) are taken for one game.",
    )


def test_of_a_file_that_was_not_read_to_its_end_no_size_is_made_up():
    assert refusal(b"#" * (READ_AT_MOST - 1))[1].startswith("The log has 8388607 bytes;")
    assert refusal(b"#" * READ_AT_MOST) == (
        "too-large",
        "The log has 8 MiB or more; at most 262144 bytes (256 KiB) are taken for one game.",
    )


def test_a_binary_file_is_refused():
    assert refusal(b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR") == (
        "binary",
        "This is not a text file. A log is plain text in UTF-8.",
    )


def test_another_encoding_is_refused_with_its_line():
    assert refusal('[Ruleset "udl"]\n[Seat.A "Peña"]'.encode("latin-1")) == (
        "not-utf8",
        "Line 2 is not UTF-8 text. Save the log as UTF-8 and send it again.",
    )


@pytest.mark.parametrize("point", [*range(1, 9), 0x0B, 0x0C, *range(0x0E, 0x20)])
def test_every_control_character_but_tab_and_line_ends_is_refused_with_its_line(point):
    assert refusal(b'[Ruleset\t"udl"]\r\n\nround' + bytes([point])) == (
        "control-character",
        f"Line 3 holds the control character U+{point:04X}, which a log may not have.",
    )


def test_a_byte_order_mark_is_no_part_of_the_log():
    assert decode(b"\xef\xbb\xbfround 1") == "round 1"


def test_tags_are_read_with_escapes_comments_and_even_beside_a_broken_line():
    text = (
        '# week 3\n[Ruleset "udl"] # so\n[Seat.A "Ana \\"Ace\\" Ruiz"]\n'
        ' [Seat.B "Bo\\\\Chen" ]\n[Broken\n[Option.target "100"]\n'
    )
    header = read_header(text)
    assert header == Header(
        {"Ruleset": "udl", "Seat.A": 'Ana "Ace" Ruiz', "Seat.B": "Bo\\Chen", "Option.target": "100"}, games=1
    )
    assert header.seats == {"A": 'Ana "Ace" Ruiz', "B": "Bo\\Chen"}
    assert header.options == {"target": "100"}


def test_only_the_first_game_gives_tags_and_every_game_is_counted():
    first = '[Ruleset "udl"]\n\n# break\n[Seat.A "Ana"]\nround 1\nend\n'
    text = first + '[Ruleset "muggins"]\n[Seat.B "Bo"]\nround 1\n'
    assert read_header(text) == Header({"Ruleset": "udl", "Seat.A": "Ana"}, games=2)


def test_a_line_separator_of_unicode_ends_no_line():
    assert read_header('[Event "a\u2028[Ruleset b"]\n[Ruleset "udl"]').tags == {
        "Event": "a\u2028[Ruleset b",
        "Ruleset": "udl",
    }


CODES = {"Ana Ruiz": "7KQ2M9XC", "Al": "W0000000"}


def coded(text):
    return without_names(text, lambda tag: {"Seat.A": "7KQ2M9XC", "Referee": "R0000000"}.get(tag, ""), CODES)


def test_names_become_codes_wherever_they_stand():
    text = (
        '[Event "Ana Ruiz v Al"]\r\n[ Seat.A  "Ana" ] # Ana Ruiz\r\n[Referee"Rosa"]\n[Annotator "Max"]\n'
        'note "ana ruiz and Alan"\nA hand 1-1 # Ana Ruiz'
    )
    assert coded(text) == (
        '[Event "7KQ2M9XC v W0000000"]\r\n[Seat.A "7KQ2M9XC"]\r\n[Referee "R0000000"]\n[Annotator ""]\n'
        'note "7KQ2M9XC and Alan"\nA hand 1-1 # 7KQ2M9XC'
    )


def test_a_tag_that_only_looks_like_a_persons_is_left_alone():
    text = '[Seat.A.x "foo"]\n[Seat.A.B "foo"]\n[Referee.x "foo"]\n[Seat.G "foo"]'
    assert coded(text) == text


def test_a_broken_persons_tag_keeps_its_fault_and_loses_its_words():
    assert coded('[Seat.A "ANA RUIZ]\n[Referee Maria Secret]\n[Seat.B "Bo \\x"]') == (
        '[Seat.A "7KQ2M9XC]\n[Referee xxxxx xxxxxx]\n[Seat.B "xx \\x"]'
    )


SPELLINGS = [
    '[Option.target"50"]',
    '[ Option.target "50"]',
    '[Option.target\r"50"]',
    '[Option.target "50"\r]',
    '\r[Option.target "50"]',
    '[Option.target "50"] # x',
    '\t[Option.target\t"50"]\r',
]


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_the_door_reads_tags_as_the_notation_does(spelling):
    text = f'[Ruleset"udl"]\n{spelling}\n[ Seat.A "Ana" ]\n[Seat.B"Bo"]\nround 1\n'
    (log,) = loads(text)
    assert (
        read_header(text).tags
        == log.tags
        == {
            "Ruleset": "udl",
            "Option.target": "50",
            "Seat.A": "Ana",
            "Seat.B": "Bo",
        }
    )


@pytest.mark.parametrize("other", ["ANA  RUIZ", " ana ruiz ", "Ana\tRuiz", "Ａna Ruiz"])
def test_case_spaces_and_compatibility_forms_are_no_other_name(other):
    assert same_name(other) == same_name("Ana Ruiz")


def test_an_accent_is_another_name_however_it_is_encoded():
    assert same_name("Pen\u0303a") == same_name("Pe\u00f1a") != same_name("Pena")

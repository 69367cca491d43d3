"""Tournament report files, against published ones."""

from datetime import date

import pytest

from league.competitions.import_export.trf import UNPAIRED, TrfCode, TrfPlayer, TrfRound, TrfTournament, dumps

# test/tests/dutch_2025_C9.input of bbpPairings (github.com/BieremaBoyzProgramming/bbpPairings).
PUBLISHED = """012 Dutch 2025 C9 test
001    1      Test0001 Player0001               2720                             1.0    1     3 w 1
001    2      Test0002 Player0002               2701                             1.0    2     4 b 1
001    3      Test0003 Player0003               2697                             0.0    3     1 b 0
001    4      Test0004 Player0004               2689                             0.0    4     2 w 0
001    5      Test0005 Player0005               2673                             0.0    5  0000 - Z
XXR 3
"""
# The first lines of test/tests/issue_15.input, cut to four rounds; the points are those of all eleven there.
ISSUE_15 = [
    ("001    1      Test0001 Player0001               2761                             8.0    4"
    "    90 b 1    44 w 1    36 b 1    18 w ="),
    ("001    3      Test0003 Player0003               2752                             7.0   17"
    "    88 b =    86 w =    50 b +    49 b ="),
    ("001   36      Test0036 Player0036               2631                             7.5   13"
    "    55 w +     7 b 1     1 w 0    93 b 1"),
]  # fmt: skip


def player(number, rating, *rounds, rank=None):
    name = f"Test{number:04} Player{number:04}"
    return TrfPlayer(number=number, name=name, rating=rating, rank=rank or number, rounds=rounds)


def test_a_published_file_is_written_letter_by_letter():
    won, lost = TrfCode.WON, TrfCode.LOST
    players = [
        player(1, 2720, TrfRound(3, True, won)),
        player(2, 2701, TrfRound(4, False, won)),
        player(3, 2697, TrfRound(1, False, lost)),
        player(4, 2689, TrfRound(2, True, lost)),
        player(5, 2673, UNPAIRED),
    ]
    text = dumps(TrfTournament(name="Dutch 2025 C9 test", players=players, planned=3))
    assert text.replace("062 5\r\n072 5\r\n", "").replace("\r\n", "\n") == PUBLISHED


def test_every_column_stands_where_published_files_have_it():
    rounds = {
        1: ((90, "b1"), (44, "w1"), (36, "b1"), (18, "w=")),
        3: ((88, "b="), (86, "w="), (50, "b+"), (49, "b=")),
        36: ((55, "w+"), (7, "b1"), (1, "w0"), (93, "b1")),
    }
    ranks, ratings = {1: 4, 3: 17, 36: 13}, {1: 2761, 3: 2752, 36: 2631}
    for published, (number, played) in zip(ISSUE_15, rounds.items(), strict=True):
        made = [TrfRound(one, how[0] == "w", TrfCode(how[1])) for one, how in played]
        one = player(number, ratings[number], *made, rank=ranks[number])
        line = dumps(TrfTournament(name="x", players=[one])).split("\r\n")[3]
        # The points of four rounds only.
        assert line[:80] + published[80:84] + line[84:] == published


def test_points_are_those_of_the_handbooks_codes():
    codes = [*TrfCode]
    one = player(1, None, *(TrfRound(2, True, code) for code in codes))
    assert {code: player(1, None, TrfRound(2, True, code)).tenths for code in codes} == {
        TrfCode.WON: 10, TrfCode.LOST: 0, TrfCode.DRAWN: 5, TrfCode.WON_BY_FORFEIT: 10, TrfCode.LOST_BY_FORFEIT: 0,
        TrfCode.BYE: 10, TrfCode.HALF_POINT_BYE: 5, TrfCode.FULL_POINT_BYE: 10, TrfCode.ABSENT: 0, TrfCode.OPEN: 0,
    }  # fmt: skip
    assert one.tenths == 50


def test_dates_stand_above_their_rounds():
    """Positions 92-99 and 102-109 of record 132; a bye has 0000, no colour, U."""
    bye = TrfRound(None, None, TrfCode.BYE)
    made = TrfTournament(
        name="Cup", place="Lisbon", kind="Swiss", dates=[date(2026, 11, 6), None], players=[player(1, None, bye, bye)]
    )
    lines = dumps(made).split("\r\n")
    assert lines[:6] == [
        "012 Cup", "022 Lisbon", "042 2026/11/06", "052 2026/11/06", "062 1", "092 Swiss",
    ]  # fmt: skip
    assert (lines[6][:3], lines[6][91:99]) == ("132", "26/11/06")
    assert (lines[7][91:99], lines[7][101:109]) == ("0000 - U", "0000 - U")


def test_no_name_breaks_a_line_or_a_column():
    one = TrfPlayer(number=1, name="Ana\r\n001    2 \tRuiz" + "z" * 60, rank=1, rounds=[UNPAIRED])
    lines = dumps(TrfTournament(name="Cup\nX", players=[one])).split("\r\n")
    assert (len(lines), lines[0]) == (4, "012 Cup X")
    assert (lines[2][80:84], lines[2][91:99]) == (" 0.0", "0000 - Z")


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("क्षि" * 15, "क्षि" * 8),  # four code points each: 33 hold eight, and a letter of the ninth
        ("👩‍👩‍👧‍👦" * 5, "👩‍👩‍👧‍👦" * 4),  # seven each
        ("e\u0301" * 30, "e\u0301" * 16),
        ("👍🏽" * 30, "👍🏽" * 16),
        ("Ana क्\u200dष", "Ana क्\u200dष"),
        ("\u0301" * 60, "\u0301" * 33),  # nothing but marks: somebody is called so
    ],
)
def test_a_long_name_is_cut_between_letters_and_the_columns_stay(name, kept):
    one = TrfPlayer(number=1, name=name, rank=1, rounds=[UNPAIRED])
    line = dumps(TrfTournament(name="Cup", players=[one])).split("\r\n")[2]
    assert line[14:47].rstrip() == kept
    assert (line[:8], line[80:84], line[91:99]) == ("001    1", " 0.0", "0000 - Z")


def test_what_turns_the_direction_of_a_line_is_in_no_report():
    one = TrfPlayer(number=1, name="Ana \u202eziuR\u2066", rank=1, rounds=[UNPAIRED])
    text = dumps(TrfTournament(name="Cup \u202e", players=[one]))
    assert not {"\u202e", "\u2066"} & set(text)
    assert text.split("\r\n")[2][14:47].rstrip() == "Ana ziuR"

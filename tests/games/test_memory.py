"""What readers remember, and logs that are kept in columns: neither may show (NOTATION.md section 2)."""

from __future__ import annotations

import pytest

from games.moves import Deal, Pass, Play, Show
from games.notation.gamelog import Entry, GameLog
from games.notation.lines import LineReader, NotationError
from games.notation.memory import KNOWN_TAGS, MEMORY, UNTIMED
from games.notation.reading import dumps, loads
from games.tiles import DOUBLE_SIX

HEAD = '[Ruleset "udl"]\n'
TILES = (DOUBLE_SIX.tile("6-6"), DOUBLE_SIX.tile("4-3"))


def test_a_line_reads_the_same_the_second_time_whatever_stands_around_it():
    for line in ("A 6-3 on 6-6 call 5", "B hand 6-6 3-4", "A shows 1-1", "score 10-5"):
        spelled = loads(f"{HEAD}\t{line}")[0].entries
        for text in (line, f"{line}  ", f"{line} # plain", f"{line}#5+5", f'{line} # "quoted"'):
            assert loads(HEAD + text)[0].entries == spelled
        assert [entry.at for entry in loads(f"{HEAD}0:04 {line}")[0].entries] == [40]


@pytest.mark.parametrize("line", ["A round 1", "A 0:04 pass", "0:04 0:05 A pass", "A B pass", "0:4 A pass"])
def test_known_words_behind_a_wrong_head_are_an_error(line):
    loads(f"{HEAD}round 1\nA pass\n0:05 B pass")
    with pytest.raises(NotationError) as caught:
        loads(HEAD + line)
    assert caught.value.line == 2


def test_timed_and_untimed_lines_mix():
    (log,) = loads(f"{HEAD}round 1\n\n0:04 A pass\nB pass # said\n# nothing\n0:09.5 A pass\n")
    assert [(entry.line, entry.at) for entry in log.entries] == [(2, None), (4, 40), (5, None), (7, 95)]
    assert log.last_line == 7


def test_a_log_in_columns_is_the_log_in_entries():
    text = f"{HEAD}round 1\n0:04 A pass\n"
    (read,), (listed,) = loads(text), loads(text)
    entries = listed.entries
    assert list(read.each()) == [tuple(entry) for entry in entries]
    assert (read, read.last_line) == (listed, listed.last_line)
    assert read == GameLog(dict(read.tags), list(entries))
    entries.append(Entry(4, None, Pass(1)))
    assert (len(list(listed.each())), listed.last_line) == (3, 4)
    assert loads(dumps(listed)) == [listed] != [read]


def test_a_game_ends_at_the_next_tag_however_it_is_indented():
    for tag in (HEAD, f" \t{HEAD}", f"# a remark with a [ in it\n{HEAD}"):
        first, second = loads(f"{HEAD}round 1 # [\n{tag}round 1\nA pass")
        assert [len(first.entries), len(second.entries)] == [1, 2]


def test_a_remembered_header_still_refuses_the_next_wrong_one():
    loads(f'{HEAD}[Seat.A "Ana"]\n[Seat.B "Bo"]\nround 1')
    for wrong, line in (('[Seat.A "Ana"]\n[Seat.C "Cy"]', 3), ('[Option.target "no"]', 2)):
        with pytest.raises(NotationError) as caught:
            loads(f"{HEAD}{wrong}\nround 1")
        assert caught.value.line == line


def test_a_hand_equals_no_other_tuple():
    deal = Deal(0, 2, TILES)
    assert deal == Deal(0, 2, TILES)
    assert hash(deal) == hash(Deal(0, 2, TILES))
    assert deal != Deal(1, 2, TILES)
    assert deal != (0, 2, TILES)
    assert deal not in (Show(0, TILES), Play(0, *TILES))


def test_no_memory_grows_for_ever():
    reader = LineReader(DOUBLE_SIX)
    for number in range(MEMORY + 10):
        assert reader.times[f"{number}:00"] == number * 600
    assert len(reader.times) <= MEMORY
    assert reader.times["9" * 30 + ":00"] > 0
    assert reader.times["soon"] == UNTIMED
    assert not {"9" * 30 + ":00", "soon"} & reader.times.keys()
    assert reader.known["A hand 6-6 4-3"] == Deal(0, 2, TILES)
    assert "A hand 6-6 4-3" not in reader.known
    loads(f'{HEAD}[Event "{"x" * 100}"]\nround 1')
    assert HEAD.strip() in KNOWN_TAGS
    assert not any("x" * 100 in tag for tag in KNOWN_TAGS)


@pytest.mark.parametrize("length", [500, 501])
def test_a_line_may_have_500_characters(length):
    for before, after in (("", ""), ("# short\n" * 200, ""), ("", "\n# short" * 200), ("# short\n" * 99, "\n" * 600)):
        text = f"{HEAD}{before}{'#' * length}{after}"
        if length == 500:
            assert len(loads(text)) == 1
        else:
            with pytest.raises(NotationError, match="longer than 500"):
                loads(text)

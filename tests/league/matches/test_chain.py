"""The chain is worked out here with hashlib alone, as its docstring says."""

import hashlib

import pytest

from league.matches.hash_chain import broken_at, heads

HEADER = '[Ruleset "udl"]\r\n[Seat.A "7KQ2M9XC"]\n\n'
ROUND_1 = "round 1\nA hand 6-6 6-5\n0:04 A 6-6\n"
ROUND_2 = "  12:00.5\tround 2 # the second\nB 1-0\nend"
LOG = HEADER + ROUND_1 + ROUND_2


def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()


def test_a_head_is_the_hash_of_the_head_before_and_the_text_of_the_round():
    first = digest(HEADER)
    second = digest(first + ROUND_1)
    assert heads(LOG) == [first, second, digest(second + ROUND_2)]


def test_a_log_without_rounds_has_the_head_of_its_header():
    assert heads("not a log") == [digest("not a log")]


@pytest.mark.parametrize("index", range(len(LOG)))
def test_a_flipped_character_is_found_with_its_round_named(index):
    flipped = LOG[:index] + chr(ord(LOG[index]) ^ 1) + LOG[index + 1 :]
    where = broken_at(flipped, heads(LOG))
    part = 0 if index < len(HEADER) else 1 if index < len(HEADER + ROUND_1) else 2
    # A flip in the words that begin a round makes it a part of the one before, where the alarm then is.
    assert where in {part, part - 1} - {-1}
    assert broken_at(LOG, heads(LOG)) is None


def test_a_lost_round_and_an_added_round_are_found():
    assert broken_at(HEADER + ROUND_1, heads(LOG)) == 2
    assert broken_at(LOG + "\nround 3\n", heads(LOG)) == 2
    assert broken_at(LOG, [*heads(LOG), digest("more")]) == 3


def test_a_note_that_speaks_of_a_round_begins_none():
    assert len(heads('note "round 2 was good"\n# round 3\n')) == 1

"""Letters as people count them: extended grapheme clusters (Unicode Standard Annex 29). Pure."""

from collections.abc import Iterator

from wcwidth import iter_graphemes

# ZWNJ and ZWJ.
JOINERS = "\u200c\u200d"
POINTS = 11
"""Most code points of one letter: what a family of four has whose faces have a colour each. The longest emoji that
Unicode recommends has ten, the longest Indic clusters of names fewer.
"""


def letters(text: str) -> Iterator[str]:
    return iter_graphemes(text)


def count_letters(text: str) -> int:
    """One of more code points than `POINTS` counts again for each that many: marks heaped up, faces tied together
    without end. So `points(60)` hold whatever has 60 letters.
    """
    return sum(-(-len(letter) // POINTS) for letter in letters(text))


def points(most: int) -> int:
    """How many code points so many letters have at most."""
    return most * POINTS


def room(most: int) -> int:
    """The same in units of UTF-16, by which browsers count in `maxlength`."""
    return 2 * points(most)


def longer_than(text: str, most: int) -> bool:
    """Whether it has more letters. Quick where it has no more code points, as most names."""
    return len(text) > most and count_letters(text) > most


def first_letters(text: str, most: int) -> str:
    """Its beginning: at most so many letters, as they are counted."""
    if len(text) <= most:
        return text
    end, left = 0, most
    for letter in letters(text):
        left -= -(-len(letter) // POINTS)
        if left < 0:
            break
        end += len(letter)
    return text[: end or points(most)]


def cut_between_letters(text: str, most: int) -> str:
    """Its beginning, at most so many code points; in halves only where all of that is one letter."""
    end = 0
    for letter in letters(text):
        if end + len(letter) > most:
            break
        end += len(letter)
    return text[: end or most]

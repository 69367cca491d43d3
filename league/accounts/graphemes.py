"""Letters as people count them: extended grapheme clusters. Pure.

See Unicode Standard Annex 29.
"""

from collections.abc import Iterator

from wcwidth import iter_graphemes

# ZWNJ and ZWJ.
JOINERS = "\u200c\u200d"
POINTS = 11
"""Most code points of one letter.

A family emoji of four with a skin colour each has as many. The longest emoji that Unicode recommends has ten, the
longest Indic clusters of names fewer.
"""


def letters(text: str) -> Iterator[str]:
    return iter_graphemes(text)


def count_letters(text: str) -> int:
    """Count the letters of a text.

    A letter of more than `POINTS` code points counts again for each `POINTS` of them: marks heaped up, faces joined
    without end. So `points(60)` always hold 60 letters.
    """
    return sum(-(-len(letter) // POINTS) for letter in letters(text))


def points(most: int) -> int:
    """Return the most code points of that many letters."""
    return most * POINTS


def room(most: int) -> int:
    """Return the same in units of UTF-16, as browsers count in `maxlength`."""
    return 2 * points(most)


def longer_than(text: str, most: int) -> bool:
    """Return whether a text has more letters.

    Fast for few code points, as in most names.
    """
    return len(text) > most and count_letters(text) > most


def first_letters(text: str, most: int) -> str:
    """Return the beginning of a text, at most that many letters."""
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
    """Return the beginning of a text, at most that many code points.

    A letter is cut in halves only if it fills all of them.
    """
    end = 0
    for letter in letters(text):
        if end + len(letter) > most:
            break
        end += len(letter)
    return text[: end or most]

"""Names that may be one person written in two ways: accents, a letter, the order of words, an initial. Pure."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from league.accounts.folding import skeleton
from league.players.naming import same

FEWEST_LETTERS = 5
"""Letters of a name in which one may be wrong: Ana and Ada are two names."""
MOST_ALIKE = 100


class NameAnswer(StrEnum):
    FIRST = "first"
    SECOND = "second"
    TWO_PEOPLE = "two"


@dataclass(frozen=True, slots=True)
class Alike:
    """Two names that look alike, in the order of the list."""

    first: str
    second: str

    @property
    def key(self) -> str:
        """Name of the question in a form, equal for the same two names."""
        return hashlib.sha256("\0".join(sorted((same(self.first), same(self.second)))).encode()).hexdigest()[:12]


def alike_names(names: Iterable[str]) -> list[Alike]:
    """Return the pairs of names that may be one person, `MOST_ALIKE` of them at most.

    Names with other digits are two people. Linear in the number of names.
    """
    found: dict[tuple[str, str], Alike] = {}
    seen: dict[str, list[str]] = {}
    distinct: dict[str, str] = {}
    for name in names:
        distinct.setdefault(same(name), name)
    for name in distinct.values():
        forms, beside = sorted(_forms(name)), _initial_forms(name)
        for form in [*forms, *beside]:
            for before in seen.get(form, ()):
                if (before, name) not in found and _may_be_one(before, name):
                    found[before, name] = Alike(before, name)
                    if len(found) == MOST_ALIKE:
                        return list(found.values())
        for form in [*forms, *beside.values()]:
            seen.setdefault(form, []).append(name)
    return list(found.values())


def renamed(alike: Iterable[Alike], answers: Mapping[str, str]) -> dict[str, str]:
    """Return the spelling to take for each name that is another's, by the name as compared (`same`)."""
    chosen: dict[str, str] = {}
    for one in alike:
        answer = answers.get(one.key)
        if answer == NameAnswer.FIRST:
            chosen[same(one.second)] = one.first
        elif answer == NameAnswer.SECOND:
            chosen[same(one.first)] = one.second
    return {name: _last(chosen, name) for name in chosen}


def _last(chosen: Mapping[str, str], name: str) -> str:
    """Follow a name that was renamed again; of a circle, the name met last."""
    passed = {name}
    while (following := same(chosen[name])) in chosen and following not in passed:
        name = following
        passed.add(name)
    return chosen[name]


def _forms(name: str) -> set[str]:
    """Return texts of which two alike names share one: the sorted words, one letter less."""
    look = skeleton(name)
    forms = {look, " ".join(sorted(_words(look)))}
    if _letters(look) >= FEWEST_LETTERS:
        forms |= {look[:n] + look[n + 1 :] for n in range(len(look))}
    return forms


def _initial_forms(name: str) -> dict[str, str]:
    """Return the form to look for → the form to keep: an initial meets full first names only."""
    first, *others = _words(skeleton(name)) or [""]
    if not others:
        return {}
    rest = " ".join((first[0], *others))
    return {f"full {rest}": f"initial {rest}"} if len(first) == 1 else {f"initial {rest}": f"full {rest}"}


def _may_be_one(a: str, b: str) -> bool:
    one, other = skeleton(a), skeleton(b)
    if _digits(one) != _digits(other):
        return False
    if one == other or sorted(_words(one)) == sorted(_words(other)):
        return True
    return _is_initial(_words(one), _words(other)) or (
        min(_letters(one), _letters(other)) >= FEWEST_LETTERS and _one_apart(one, other)
    )


def _words(look: str) -> list[str]:
    return look.replace(".", " ").replace(",", " ").split()


def _digits(look: str) -> list[str]:
    return [letter for letter in look if letter.isdigit()]


def _letters(look: str) -> int:
    return sum(map(str.isalpha, look))


def _is_initial(one: list[str], other: list[str]) -> bool:
    """Tell whether two names agree but for a first name shortened to its letter: A. Ruiz, Ana Ruiz."""
    same_rest = len(one) > 1 and one[1:] == other[1:]
    return same_rest and one[0][0] == other[0][0] and 1 in {len(one[0]), len(other[0])}


def _one_apart(one: str, other: str) -> bool:
    """Tell whether one letter is too many, wrong, or changed places with the next."""
    start = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    a, b = one[start:], other[start:]
    return any(_tails(a, b)) and (len(a) + len(b) > 0)


def _tails(a: str, b: str) -> Iterator[bool]:
    yield a[1:] == b[1:]
    yield a[1:] == b
    yield a == b[1:]
    yield a[:2] == b[:2][::-1] and a[2:] == b[2:]

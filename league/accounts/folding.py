"""Folding of names: a common form of all spellings, for searches."""

import unicodedata
from collections.abc import Iterable, Iterator
from typing import Any

from django.db import models
from django.db.models import Case, IntegerField, Q, Value, When

from league.accounts.graphemes import JOINERS

FOLDED = 660
"""Code points of a folded name.

Each takes four bytes in an index of PostgreSQL, which takes 2704.
"""
MOST_MARKS = 4
"""Most marks on one letter (Unicode Technical Standard 39, 5.4).

More would cover the lines above and below.
"""


def clean_words(text: str) -> str:
    """Clean a text: NFC, single spaces, no control or format characters.

    Joiners are kept, because Indic and Persian names need them; the other format characters only deceive
    (RELIABILITY.md A-16). Of marks heaped on a letter the first few are kept.
    """
    letters = unicodedata.normalize("NFC", " ".join(text.split()))
    plain = (c for c in letters if c in JOINERS or unicodedata.category(c) not in {"Cc", "Cf"})
    return " ".join("".join(plain if letters.isascii() else _without_heaps(plain)).split())


def _without_heaps(letters: Iterable[str]) -> Iterator[str]:
    heap = 0
    for letter in letters:
        heap = heap + 1 if letter in JOINERS or unicodedata.category(letter) in {"Mn", "Me"} else 0
        if heap <= MOST_MARKS:
            yield letter


def fold(name: str) -> str:
    """Fold a name; names that differ only in accents, case or width get the same form."""
    parts = unicodedata.normalize("NFKD", clean_words(name).casefold())
    return "".join(letter for letter in parts if unicodedata.category(letter) != "Mn")[:FOLDED]


# Letters of other alphabets that look like a Latin one, after `fold` (Unicode Technical Standard 39, confusables, the
# part of Cyrillic, Greek and Armenian used in names; ı and ł do not decompose).
LOOK_ALIKES = str.maketrans(
    "авекмнорстухіјѕԛԝһԁгпьҽӏѵԍүαβεικνορτυχγϲϳμζηօսոցհıłøđħ",
    "abekmhopctyxijsqwhdrnbelvgyabeiknoptuxycjmzhouhqhilodh",
)


def skeleton(name: str) -> str:
    """Return the form that look-alike names share: folded, in Latin letters."""
    return fold(name).casefold().translate(LOOK_ALIKES)  # once more, for capitals of mathematics


class FoldedField(models.CharField):  # type: ignore[type-arg]  # takes arguments in stubs alone
    """A folded copy of the field `of`, for searches.

    Written whenever the row is saved whole, one or many at once; with `update_fields`, name this field beside `of`.
    """

    def __init__(self, *args: Any, of: str, **kwargs: Any) -> None:
        self.of = of
        kwargs |= {"editable": False, "blank": True, "default": ""}
        super().__init__(*args, **kwargs)

    def deconstruct(self) -> Any:
        name, path, args, kwargs = super().deconstruct()
        return name, path, args, kwargs | {"of": self.of}

    def pre_save(self, model_instance: models.Model, add: bool) -> str:
        folded = fold(getattr(model_instance, self.of))
        setattr(model_instance, self.attname, folded)
        return folded


def holds(part: str) -> Q:
    """Filter rows whose `folded` contains a text; an empty text matches nothing.

    A folded text is empty if it was nothing but accents.
    """
    return Q(folded__contains=part) if part else Q(pk__in=[])


def nearness(part: str) -> Case:
    """Rank hits: 0 if the name begins with the text, 1 if a later word does, else 2."""
    return Case(
        When(folded__startswith=part, then=Value(0)),
        When(folded__contains=f" {part}", then=Value(1)),
        default=Value(2),
        output_field=IntegerField(),
    )

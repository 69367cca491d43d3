"""What spellings of one name have in common, so that it is found however it is typed."""

import unicodedata
from collections.abc import Iterable, Iterator
from typing import Any

from django.db import models
from django.db.models import Case, IntegerField, Q, Value, When

from league.accounts.graphemes import JOINERS

FOLDED = 660
"""Code points of a folded name: four bytes each of them go into an index of PostgreSQL, which takes 2704."""
MOST_MARKS = 4
"""On one letter (Unicode Technical Standard 39, 5.4): more run through the lines above and below."""


def clean_words(text: str) -> str:
    """NFC, single spaces, no control or format characters: joiners change how Indic and Persian names are written, the
    others only deceive (RELIABILITY.md A-16). Of marks heaped on a letter the first few.
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
    """What names have in common that are easily taken for each other: accents and widths are alike too."""
    parts = unicodedata.normalize("NFKD", clean_words(name).casefold())
    return "".join(letter for letter in parts if unicodedata.category(letter) != "Mn")[:FOLDED]


# Letters of other alphabets that look like a Latin one, after `fold` (Unicode Technical Standard 39, confusables, the
# part of Cyrillic, Greek and Armenian that names are written with; ı and ł do not decompose).
LOOK_ALIKES = str.maketrans(
    "авекмнорстухіјѕԛԝһԁгпьҽӏѵԍүαβεικνορτυχγϲϳμζηօսոցհıłøđħ",
    "abekmhopctyxijsqwhdrnbelvgyabeiknoptuxycjmzhouhqhilodh",
)


def skeleton(name: str) -> str:
    """Return the form that look-alike names share: folded, in Latin letters."""
    return fold(name).casefold().translate(LOOK_ALIKES)  # once more, for capitals of mathematics


class FoldedField(models.CharField):
    """A copy of the field `of`, folded, for searches. Written whenever the row is saved whole, one or many at once;
    whoever saves `of` alone names this one too.
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
    """Rows whose `folded` holds what was typed. What is nothing but accents is part of no name."""
    return Q(folded__contains=part) if part else Q(pk__in=[])


def nearness(part: str) -> Case:
    """0 where the name begins with it, 1 where a later word does, 2 elsewhere."""
    return Case(
        When(folded__startswith=part, then=Value(0)),
        When(folded__contains=f" {part}", then=Value(1)),
        default=Value(2),
        output_field=IntegerField(),
    )

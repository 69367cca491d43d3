"""Moves: a match to another table or hour, an entrant to another seed."""

from collections.abc import Mapping, Sequence

from django import forms
from django.utils.translation import pgettext, pgettext_lazy

from league.accounts.models import League
from league.matches.models import Table


class MoveForm(forms.Form):
    """Table and hour of one match, in the league's time zone."""

    table = forms.ModelChoiceField(
        Table.objects.none(),
        label=pgettext_lazy("furniture", "Table"),
        required=False,
        empty_label=pgettext_lazy("choice", "no table"),
    )
    starts_at = forms.DateTimeField(
        label=pgettext_lazy("form field", "Start"),
        required=False,
        widget=forms.DateTimeInput(format="%Y-%m-%dT%H:%M", attrs={"type": "datetime-local"}),
    )

    def __init__(self, league: League, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self.fields["table"].queryset = Table.objects.filter(league=league).order_by("place", "pk")
        self.fields["table"].label_from_instance = marked
        for field in self.fields.values():
            field.widget.attrs["class"] = "input"


def marked(table: Table) -> str:
    """Return a table's name with its marks (accessible, on the stream, out of order)."""
    marks = [
        *([pgettext("furniture", "accessible")] if table.accessible else []),
        *([pgettext("furniture", "on the stream")] if table.stream else []),
        *([pgettext("furniture", "out of order")] if table.out_of_order else []),
    ]
    return f"{table.name} ({', '.join(marks)})" if marks else table.name


def shifted(order: Sequence[int], entrant: int, by: int) -> list[int]:
    """Move an entrant one place up (-1) or down (1); unchanged at either end.

    >>> shifted([7, 8, 9], 9, -1)
    [7, 9, 8]
    >>> shifted([7, 8, 9], 7, -1)
    [7, 8, 9]
    """
    changed = list(order)
    place = changed.index(entrant) if entrant in changed else -1
    if place >= 0 and 0 <= place + by < len(changed):
        changed.insert(place + by, changed.pop(place))
    return changed


def typed_seeds(order: Sequence[int], numbers: Mapping[str, str]) -> dict[int, int]:
    """Return the typed seeds (`seed-<entrant>`) by entrant, without those that are no number."""
    typed = {one: numbers.get(f"seed-{one}", "").strip() for one in order}
    return {one: int(text) for one, text in typed.items() if text.isdecimal() and len(text) <= 4}


def sorted_by_hand(order: Sequence[int], numbers: Mapping[str, str]) -> list[int]:
    """Sort by the typed seeds (`seed-<entrant>`); a moved entrant gets that place.

    >>> sorted_by_hand([7, 8, 9], {"seed-7": "1", "seed-8": "2", "seed-9": "1"})
    [9, 7, 8]
    >>> sorted_by_hand([7, 8, 9], {"seed-7": "3"})
    [8, 9, 7]
    """

    typed = typed_seeds(order, numbers)

    def wanted(one: tuple[int, int]) -> tuple[int, int, int]:
        seed, entrant = one
        number = typed.get(entrant, seed)
        # An entrant moving up goes before the present holder of that seed, one moving down behind.
        return number, (number > seed) - (number < seed), seed

    return [entrant for _seed, entrant in sorted(enumerate(order, start=1), key=wanted)]

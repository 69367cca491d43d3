"""Changing places: a match's table and hour, an entrant's seed."""

from collections.abc import Mapping, Sequence

from django import forms
from django.utils.translation import pgettext, pgettext_lazy

from league.accounts.models import League
from league.matches.models import Table


class MoveForm(forms.Form):
    """Where and when one match is played, in the time of the league."""

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
    """Its name with what it is like."""
    marks = [
        *([pgettext("furniture", "accessible")] if table.accessible else []),
        *([pgettext("furniture", "on the stream")] if table.stream else []),
    ]
    return f"{table.name} ({', '.join(marks)})" if marks else table.name


def shifted(order: Sequence[int], entrant: int, by: int) -> list[int]:
    """The same order with one entrant a place further up (-1) or down (1); as it was where there is no such place.

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


def sorted_by_hand(order: Sequence[int], numbers: Mapping[str, str]) -> list[int]:
    """The order after the seeds that were typed (`seed-<entrant>`): whoever got another number takes that place.

    >>> sorted_by_hand([7, 8, 9], {"seed-7": "1", "seed-8": "2", "seed-9": "1"})
    [9, 7, 8]
    >>> sorted_by_hand([7, 8, 9], {"seed-7": "3"})
    [8, 9, 7]
    """

    def wanted(one: tuple[int, int]) -> tuple[int, int, int]:
        seed, entrant = one
        text = numbers.get(f"seed-{entrant}", "").strip()
        number = int(text) if text.isdecimal() and len(text) <= 4 else seed
        # Whoever moves up stands before the one who has that number, whoever moves down behind.
        return number, (number > seed) - (number < seed), seed

    return [entrant for _seed, entrant in sorted(enumerate(order, start=1), key=wanted)]

"""Several lists of names pasted together, so that no player is created twice.

Used for the divisions of a season.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from league.accounts.models import League, User
from league.errors import Refused
from league.players.models import Entrant
from league.players.pairs import Fields
from league.players.pasting import Pasted, PastedLine, preview_rows, read_lines, store


@dataclass(frozen=True, slots=True)
class NameList:
    """A list of names.

    `text`: a player a line, or with `pairs` a pair a line; may be empty.
    """

    text: str
    pairs: bool = False


class TwoListsError(Exception):
    """A player is in two lists; `first` and `second` are their numbers, from 0."""

    def __init__(self, name: str, first: int, second: int) -> None:
        super().__init__(name)
        self.name, self.first, self.second = name, first, second


@dataclass(frozen=True, slots=True)
class _Home:
    """Origin of a line: the number of its list, and of the line in that list."""

    place: int
    line: int


@transaction.atomic
def paste_lists(league: League, lists: Sequence[NameList], *, user: User, since: date) -> list[list[Entrant]]:
    """Return the entrants of each list in line order, and enrol new players.

    All or nothing, with as many statements as a single list.

    Raises those of `paste`, with the number of the list among the facts (`place`), and TwoListsError.
    """
    League.objects.select_for_update().get(pk=league.pk)  # two requests at once would create the same new players
    homes, rows = _rows(lists)
    pasted = preview_rows(league, rows, user=user, since=since)
    _refuse_undecided(pasted, homes)
    found: list[list[Entrant]] = [[] for _one in lists]
    for one in store(league, pasted, since).lines:
        if one.entrant:
            found[homes[one.line].place].append(one.entrant)
    return found


def _rows(lists: Sequence[NameList]) -> tuple[dict[int, _Home], list[tuple[int, Fields]]]:
    """Return all lines, numbered through, and the origin of each."""
    homes: dict[int, _Home] = {}
    rows: list[tuple[int, Fields]] = []
    for place, one in enumerate(lists):
        for line, fields in _lines(one, place):
            rows.append((len(rows) + 1, fields))
            homes[len(rows)] = _Home(place, line)
    return homes, rows


def _lines(one: NameList, place: int) -> list[tuple[int, Fields]]:
    try:
        return read_lines(one.text, pairs=one.pairs) if one.text.strip() else []
    except Refused as refused:
        refused.facts = {**refused.facts, "place": place}
        raise


def _refuse_undecided(pasted: Pasted, homes: dict[int, _Home]) -> None:
    if not pasted.undecided:
        return
    one = pasted.undecided[0]
    home = homes[one.line]
    if one.first and homes[one.first].place != home.place:
        raise TwoListsError(one.name, homes[one.first].place, home.place)
    here = dict.fromkeys(str(homes[each.line].line) for each in pasted.undecided if _is_there(each, home, homes))
    raise Refused(
        "paste-unclear",
        _("Nothing was stored, because these lines need a decision: %(lines)s."),
        lines=", ".join(here),
        place=home.place,
    )


def _is_there(one: PastedLine, home: _Home, homes: dict[int, _Home]) -> bool:
    return homes[one.line].place == home.place

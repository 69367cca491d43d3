"""Pasted names on a form: the result of each line, and the choice among namesakes.

A choice is written back into the text (the player's code replaces the line), so that the text stays the only source,
whatever the form asks in between.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from django.http import QueryDict
from django.utils import timezone

from league.accounts.models import League, User
from league.players.models import Player
from league.players.pairs import with_partner
from league.players.pasting import Pasted, PastedLine, PasteNote, preview_paste, sentence
from league.web.shared.staff import id_of

LEAVE_OUT = "-"
NEW = frozenset({PasteNote.NEW, PasteNote.NAMESAKE, PasteNote.SIMILAR})


@dataclass(frozen=True, slots=True)
class Doubt:
    """A line to check: `raw` as typed; `choices`: (code, name with its distinction)."""

    line: PastedLine
    raw: str
    sentence: str
    choices: list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class NamesRead:
    """Result of a pasted list.

    `doubts` are lines to check; after seeing them the user may go on unless one is undecided.
    """

    pasted: Pasted
    doubts: list[Doubt]

    @property
    def new(self) -> int:
        return sum(one.note in NEW for one in self.pasted.lines)

    @property
    def known(self) -> int:
        return sum(one.player is not None and not one.undecided for one in self.pasted.lines)

    def seen(self, data: Mapping[str, str]) -> bool:
        """Whether the sent form had shown each of the doubts already."""
        return all(data.get(f"line-{one.line.place}") == one.raw for one in self.doubts)


def read_names(league: League, text: str, user: User, *, pairs: bool = False) -> NamesRead | None:
    """Read a pasted list, None if it is empty; `pairs`: each line is a pair.

    Raises what `preview_paste` raises.
    """
    if not text.strip():
        return None
    pasted = preview_paste(league, text, user=user, since=timezone.localdate(), pairs=pairs)
    raw = text.splitlines()
    doubtful = [one for one in pasted.lines if one.undecided or one.candidates or one.alike]
    return NamesRead(pasted, [_doubt(one, raw[one.line - 1]) for one in doubtful])


def _doubt(one: PastedLine, raw: str) -> Doubt:
    # A taken number belongs to another player, so there is no choice to offer.
    candidates = () if one.note == PasteNote.NUMBER_TAKEN else one.candidates
    return Doubt(one, raw, sentence(one), [(player.code, _told(player)) for player in candidates])


def _told(player: Player) -> str:
    return f"{player.name} ({player.apart or player.code})"


def with_choices(data: QueryDict, name: str) -> QueryDict:
    """Write the form's choices about lines, or partners on them, into the text `name`.

    A choice about a line that was changed since is dropped.
    """
    before = data.get(name, "").splitlines()
    lines = list(before)
    changed = data.copy()
    for key, value in data.items():
        place = key.removeprefix("who-")
        line, _, half = place.partition(".")
        number = id_of(line)
        if value and 0 < number <= len(lines) and data.get(f"line-{place}") == before[number - 1]:
            lines[number - 1] = _chosen(lines[number - 1], id_of(half), value)
            changed[name] = "\n".join(lines)
    return changed


def _chosen(line: str, half: int, value: str) -> str:
    """Return the chosen line; a pair without a partner is no pair, and is left out."""
    if value == LEAVE_OUT or not line:
        return ""
    return with_partner(line, half, value) if half in {1, 2} else value

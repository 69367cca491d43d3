"""Pasted names: a player a line, "name", "name, club" or "name, club, number".

In a competition of pairs each line is a pair (league/players/pairs.py), whose partners are matched separately.
"""

import csv
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from enum import StrEnum

from django.db import transaction
from django.utils.translation import gettext, pgettext
from django.utils.translation import gettext_lazy as _

from league.accounts.folding import skeleton
from league.accounts.graphemes import longer_than
from league.accounts.models import League, User
from league.accounts.permissions import Act, check_may
from league.errors import Refused
from league.players import enrolling
from league.players.models import LONGEST_CLUB, Entrant, Membership, Player, together
from league.players.naming import LONGEST, clean_words, fold, same, tell_apart
from league.players.pairs import Fields, Partners, pair_of, parted, with_one_club

MOST_LINES = 300
_BULLET = re.compile(r"^\s*(?:\d{1,3}[.)]|[-*•])\s+")
_SEPARATORS = "\t;,"


class PasteNote(StrEnum):
    """Meaning of a line.

    The last seven need a decision, before which nothing is stored.
    """

    NEW = "new"
    KNOWN = "known"
    RENEWED = "renewed"  # was a member before, and becomes one again
    NAMESAKE = "namesake"  # new, although a player of the league has the same name
    SIMILAR = "similar"  # new, although a name of the league or of an earlier line differs by accents only
    UNCLEAR = "unclear"  # several players have this name
    REPEATED = "repeated"
    NUMBER_TAKEN = "number-taken"
    BAD_NAME = "bad-name"
    BAD_FIELDS = "bad-fields"
    NO_PAIR = "no-pair"  # one name or three on the line of a pair
    ONE_PERSON = "one-person"  # both partners are the same


UNDECIDED = frozenset(
    {
        PasteNote.UNCLEAR,
        PasteNote.REPEATED,
        PasteNote.NUMBER_TAKEN,
        PasteNote.BAD_NAME,
        PasteNote.BAD_FIELDS,
        PasteNote.NO_PAIR,
        PasteNote.ONE_PERSON,
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PastedLine:
    """One line and its meaning.

    `player`: the known player; `candidates`: players it may be confused with. `line` counts from 1 as in the text.
    `first`: the line that a repeated one repeats; `alike`: an earlier line with a new name that differs by accents
    only. `half`: 1 and 2 are the partners of a pair, whose entrant is stored with the first; 0 is a single player.
    """

    line: int
    name: str
    club: str = ""
    number: str = ""
    note: PasteNote
    player: Player | None = None
    entrant: Entrant | None = None
    candidates: tuple[Player, ...] = ()
    first: int | None = None
    alike: int | None = None
    half: int = 0

    @property
    def undecided(self) -> bool:
        return self.note in UNDECIDED

    @property
    def place(self) -> str:
        """Name in a form: "3", and "3.2" for the second partner of line 3."""
        return f"{self.line}.{self.half}" if self.half else str(self.line)


@dataclass(frozen=True, slots=True)
class Pasted:
    """All lines in order; `entrants` only after they are stored."""

    lines: tuple[PastedLine, ...]

    @property
    def entrants(self) -> list[Entrant]:
        return [one.entrant for one in self.lines if one.entrant]

    @property
    def undecided(self) -> list[PastedLine]:
        return [one for one in self.lines if one.undecided]


@dataclass(frozen=True, slots=True)
class _Known:
    """The players of a league, indexed for comparison with pasted lines."""

    players: Mapping[int, Player]
    clubs: Mapping[int, str]
    numbers: Mapping[str, int]
    by_name: dict[str, list[Player]] = field(default_factory=dict)
    by_look: dict[str, list[Player]] = field(default_factory=dict)
    by_code: dict[str, Player] = field(default_factory=dict)


def preview_paste(league: League, text: str, *, user: User, since: date, pairs: bool = False) -> Pasted:
    """Return the effect of `paste`, without storing anything.

    Raises NotAllowed, Refused `no-names`, `too-many-names`. Three statements for any number of lines.
    """
    return preview_rows(league, read_lines(text, pairs=pairs), user=user, since=since)


def preview_rows(league: League, rows: Iterable[tuple[int, Fields]], *, user: User, since: date) -> Pasted:
    """Return the effect of `paste_rows`, for any number of rows. Raises NotAllowed."""
    check_may(user, Act.MANAGE_PEOPLE, league)
    known = _known(league)
    members = set(Membership.objects.filter(enrolling.current(since), league=league).values_list("player", flat=True))
    lines: list[PastedLine] = []
    seen: dict[tuple[str, object], int] = {}
    for given in _people(rows):
        found = given if given.undecided else _resolve(given, known)
        if found.note == PasteNote.KNOWN and found.player and found.player.pk not in members:
            found = replace(found, note=PasteNote.RENEWED)
        lines.append(_unless_repeated(found, seen))
    return Pasted(tuple(lines))


@transaction.atomic
def paste(league: League, text: str, *, user: User, since: date, pairs: bool = False) -> Pasted:
    """Enrol new players, find known ones, and return the entrants in line order.

    `pairs`: each line is a pair. All or nothing. Raises those of `preview_paste`, and Refused `paste-unclear` while a
    line needs a decision.
    """
    return paste_rows(league, read_lines(text, pairs=pairs), user=user, since=since)


@transaction.atomic
def paste_rows(league: League, rows: Iterable[tuple[int, Fields]], *, user: User, since: date) -> Pasted:
    """Do the same for split lines. Raises NotAllowed, and Refused `paste-unclear`."""
    League.objects.select_for_update().get(pk=league.pk)  # two requests at once would create the same new players
    pasted = preview_rows(league, rows, user=user, since=since)
    if pasted.undecided:
        raise Refused(
            "paste-unclear",
            _("Nothing was stored, because these lines need a decision: %(lines)s."),
            lines=", ".join(dict.fromkeys(str(one.line) for one in pasted.undecided)),
        )
    return store(league, pasted, since)


def store(league: League, pasted: Pasted, since: date) -> Pasted:
    """Enrol the people of decided lines, and return the lines with their entrants.

    The caller holds the lock of the league.
    """
    people = [enrolling.Joining(one.player, one.name, one.club, one.number) for one in pasted.lines]
    alone = enrolling.join_all(league, people, since)
    stored = Pasted(tuple(_with_entrants(league, pasted.lines, alone)))
    tell_apart({fold(one.name) for one in stored.lines})
    return stored


def _with_entrants(league: League, lines: Sequence[PastedLine], alone: Sequence[Entrant]) -> Iterable[PastedLine]:
    """Yield the lines with their entrants: a pair's with its first partner.

    Partners are members like other players.
    """
    for place, (one, entrant) in enumerate(zip(lines, alone, strict=True)):
        if one.half == 1:
            yield replace(one, entrant=pair_of(league, entrant.player, alone[place + 1].player))
        else:
            yield one if one.half else replace(one, entrant=entrant)


# --- Reading ---


def read_lines(text: str, *, pairs: bool = False) -> list[tuple[int, Fields]]:
    """Return `(line, fields)` of every line with text.

    Bullets, numbering and a line of headings are dropped.
    """
    found: list[tuple[int, Fields]] = []
    for number, line in enumerate(text.splitlines(), start=1):
        fields = fields_of(line)
        if any(fields) and not (not found and _are_headings(fields)):
            found.append((number, partners_of(line) if pairs else fields))
    if not found:
        raise Refused("no-names", _("There is no name here. Write one on each line."))
    if len(found) > MOST_LINES:
        raise Refused("too-many-names", _("These are more than %(most)d names. Paste them in parts."), most=MOST_LINES)
    return found


def partners_of(line: str) -> Partners:
    """Return the fields of each partner; a spreadsheet cell is one name."""
    line = _BULLET.sub("", line.replace("\ufeff", ""))
    parts = parted(line)
    if len(parts) == 1 and "\t" in line:
        first, *others = fields_of(line)
        return Partners([[first], others] if others else [[first]])
    return Partners(with_one_club([fields_of(part) for part in parts]))


def fields_of(line: str) -> list[str]:
    line = _BULLET.sub("", line.replace("\ufeff", ""))
    separator = next((sign for sign in _SEPARATORS if sign in line), ",")
    try:
        parts = next(csv.reader([line], delimiter=separator, skipinitialspace=True, strict=True), [])
    except csv.Error:  # a quotation mark that is part of a name
        parts = line.split(separator)
    parts = [clean_words(part) for part in parts]
    while len(parts) > 1 and not parts[-1]:
        parts.pop()
    # "Ana Ruiz, 12": a club is not called by a number.
    return [parts[0], "", parts[1]] if len(parts) == 2 and parts[1].isdecimal() else parts


def _are_headings(fields: list[str]) -> bool:
    words = {"name", "player", pgettext("heading of a column", "name"), pgettext("heading of a column", "player")}
    return len(fields) > 1 and fields[0].casefold() in {word.casefold() for word in words}


# --- Matching ---


def _known(league: League) -> _Known:
    rows = Player.objects.filter(memberships__league=league, merged_into=None).exclude(name="").distinct()
    players = {player.pk: player for player in rows.order_by("pk")}
    clubs: dict[int, str] = {}
    numbers: dict[str, int] = {}
    held = Membership.objects.filter(league=league, player__in=players).order_by("since", "pk")
    for key, club, number in held.values_list("player", "club", "number"):
        clubs[key] = club or clubs.get(key, "")
        if number:
            numbers[same(number)] = key
    known = _Known(players, clubs, numbers)
    for player in players.values():
        known.by_name.setdefault(same(player.name), []).append(player)
        known.by_look.setdefault(skeleton(player.name), []).append(player)
        known.by_code[player.code] = player
    return known


def _people(rows: Iterable[tuple[int, Fields]]) -> Iterable[PastedLine]:
    """Yield every person of the rows."""
    for line, fields in rows:
        if not isinstance(fields, Partners):
            yield _given(line, fields)
        elif len(fields) != 2 or not all(any(one) for one in fields):
            name = together(one[0] for one in fields if any(one))
            yield PastedLine(line=line, name=name, note=PasteNote.NO_PAIR)
        else:
            yield from (replace(_given(line, one), half=half) for half, one in enumerate(fields, start=1))


def _given(line: int, fields: list[str]) -> PastedLine:
    name, club, number = (*fields, "", "")[:3]
    given = PastedLine(line=line, name=name, club=club, number=number, note=PasteNote.NEW)
    if not name or longer_than(name, LONGEST):
        return replace(given, note=PasteNote.BAD_NAME)
    if len(fields) > 3 or longer_than(club, LONGEST_CLUB) or len(number) > enrolling.LONGEST_NUMBER:
        return replace(given, note=PasteNote.BAD_FIELDS)
    return given


def _resolve(given: PastedLine, known: _Known) -> PastedLine:
    name, number = given.name, given.number
    if by_code := known.by_code.get(name.upper()):
        return replace(given, name=by_code.name, player=by_code, note=PasteNote.KNOWN)
    namesakes = known.by_name.get(same(name), [])
    if number and (holder := known.numbers.get(same(number))):
        player = known.players[holder]
        if player in namesakes:
            return replace(given, player=player, note=PasteNote.KNOWN)
        return replace(given, candidates=(player,), note=PasteNote.NUMBER_TAKEN)
    if namesakes:
        return _among(given, namesakes, known)
    similar = tuple(known.by_look.get(skeleton(name), ()))
    return replace(given, candidates=similar, note=PasteNote.SIMILAR) if similar else given


def _among(given: PastedLine, namesakes: list[Player], known: _Known) -> PastedLine:
    """Choose among namesakes: the one of the club, else the only one without a club.

    Without a club in the line it is the only namesake, if there is only one.
    """
    numbered = set(known.numbers.values())
    fitting = [one for one in namesakes if not given.number or one.pk not in numbered]
    if given.club:
        of_club = [one for one in fitting if fold(known.clubs.get(one.pk, "")) == fold(given.club)]
        without = [one for one in fitting if not known.clubs.get(one.pk)] if len(namesakes) == 1 else []
        fitting = of_club or without
    if len(fitting) == 1:
        return replace(given, player=fitting[0], note=PasteNote.KNOWN)
    note = PasteNote.UNCLEAR if fitting else PasteNote.NAMESAKE
    return replace(given, candidates=tuple(fitting or namesakes), note=note)


def _unless_repeated(one: PastedLine, seen: dict[tuple[str, object], int]) -> PastedLine:
    """Mark a line that names a person of an earlier line.

    Two new lines of one name are two people only if each has its own club or number. `seen`: the line of each earlier
    person, by every key that identifies it.
    """
    if one.undecided:
        return one
    who = ("player", one.player.pk) if one.player else ("new", _marks(one))
    told = [who, ("number", same(one.number))] if one.number else [who]
    asked = told
    if not one.player:
        name, bare = same(one.name), not (one.club or one.number)
        asked = [*told, ("name", name) if bare else ("bare name", name)]
        told = [*told, ("name", name), *([("bare name", name)] if bare else [])]
    before = [seen[key] for key in asked if key in seen]
    if before:
        note = PasteNote.ONE_PERSON if min(before) == one.line else PasteNote.REPEATED
        return replace(one, note=note, first=min(before))
    namesake = ("name", same(one.name)) in seen
    seen |= dict.fromkeys(told, one.line)
    if one.note != PasteNote.NEW or namesake:
        return one
    alike = seen.setdefault(("look", skeleton(one.name)), one.line)
    return one if alike == one.line else replace(one, note=PasteNote.SIMILAR, alike=alike)


def _marks(one: PastedLine) -> tuple[str, str, str]:
    return same(one.name), fold(one.club), same(one.number)


# --- Sentences ---


def sentence(one: PastedLine) -> str:
    """Return the meaning of a line as a sentence for the organizer."""
    if one.alike:
        told = gettext("New player. Or is it the one of line %(line)s? Then leave this line out")
        return told % {"line": one.alike}
    template = {
        PasteNote.NEW: gettext("New player"),
        PasteNote.KNOWN: gettext("Known player"),
        PasteNote.RENEWED: gettext("Known player; becomes a member again"),
        PasteNote.NAMESAKE: gettext("New player, although there is %(candidates)s"),
        PasteNote.SIMILAR: gettext("New player. Or is it %(candidates)s? Then write the name in the same way"),
        PasteNote.UNCLEAR: gettext("Which one? %(candidates)s. Write club or number after a comma, or the code alone"),
        PasteNote.REPEATED: gettext("Repeats line %(first)s. Are they two people? Write club or number after a comma"),
        PasteNote.NUMBER_TAKEN: gettext("This is the number of %(candidates)s"),
        PasteNote.BAD_NAME: gettext("A name has 1 to %(longest)d characters"),
        PasteNote.BAD_FIELDS: gettext("A line has a name, a club and a number, with commas between them"),
        PasteNote.NO_PAIR: gettext("A line is a pair: two names with a stroke between them, such as Ana Gil / Leo Paz"),
        PasteNote.ONE_PERSON: gettext("Both are the same. Are they two people? Write club or number after a comma"),
    }[one.note]
    candidates = ", ".join(_told(player) for player in one.candidates)
    return template % {"candidates": candidates, "first": one.first, "longest": LONGEST}


def _told(player: Player) -> str:
    return f"{player.name} ({player.apart or player.code})"

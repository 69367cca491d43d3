"""Import pages in words: the fields of a table, and the mistakes in a file."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext, ngettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from league.competitions.import_export.tabular import column_letter
from league.competitions.import_export.values import Mistake

FIELDS: Mapping[str, Sequence[tuple[str, str]]] = {
    "results": [
        ("date", pgettext_lazy("column of a table", "Date")),
        ("round", pgettext_lazy("column of a table", "Round")),
        ("player_a", pgettext_lazy("column of a table", "Player A")),
        ("player_b", pgettext_lazy("column of a table", "Player B")),
        ("points_a", pgettext_lazy("column of a table", "Points of A")),
        ("points_b", pgettext_lazy("column of a table", "Points of B")),
        ("score", pgettext_lazy("column of a table", "Score, as 150-95")),
        ("sets", pgettext_lazy("column of a table", "Games won, as 2-1")),
        ("sets_a", pgettext_lazy("column of a table", "Games won by A")),
        ("sets_b", pgettext_lazy("column of a table", "Games won by B")),
        ("winner", pgettext_lazy("column of a table", "Winner")),
        ("ended", pgettext_lazy("column of a table", "Ended by")),
        ("division", pgettext_lazy("column of a table", "Division")),
        ("cross", pgettext_lazy("column of a table", "Player, of a cross-table")),
    ],
    "players": [
        ("name", pgettext_lazy("column of a table", "Name")),
        ("surname", pgettext_lazy("column of a table", "Surname")),
        ("club", pgettext_lazy("column of a table", "Club")),
        ("number", pgettext_lazy("column of a table", "Member number")),
        ("partner", pgettext_lazy("column of a table", "Partner")),
        ("partner_club", pgettext_lazy("column of a table", "Partner’s club")),
        ("partner_number", pgettext_lazy("column of a table", "Partner’s member number")),
        ("partner_born", pgettext_lazy("column of a table", "Partner’s year of birth")),
        ("seed", pgettext_lazy("column of a table", "Seed")),
        ("rating", pgettext_lazy("column of a table", "Rating")),
        ("born", pgettext_lazy("column of a table", "Year of birth")),
    ],
}
SENTENCES: Mapping[str, str] = {
    "other-file": _("This is not a competition file."),
    "no-season": _("This is not a season file."),
    "bad-day": _("This day does not fit: write 2025-10-31, and the end after the beginning."),
    "no-divisions": _("A season has a division or more."),
    "bad-divisions": _("A season has 1 to 64 divisions, each with a name of its own."),
    "bad-level": _("Divisions are numbered from 1, the top, without a gap."),
    "no-division": _("A division is one round robin or one Swiss system."),
    "no-division-name": _("This line does not say its division."),
    "season-without-day": _("A season begins on a day: say which column has the dates."),
    "season-name-taken": _("The league has a season of this name already."),
    "known-alone": _("The league has this competition already, outside of the season."),
    "other-edition": _("This file is of another edition, which is not known here."),
    "bad-value": _("This is not what belongs here."),
    "bad-number": _("This is not a valid number."),
    "too-long": _("This is too long, or contains characters that can’t be printed."),
    "bad-hour": _("This is not a time with its time zone."),
    "bad-date": _("Not a date. Write 2025-10-31 or 31/10/2025."),
    "bad-points": _("Points are numbers from 0 up, one for each side."),
    "bad-wins": _("Games won have a winner, with 1 to 6: write 2-1."),
    "score-is-day": _("A spreadsheet made a day or an hour of this score. Write it again as text: 2-1."),
    "half-result": _("This is not a result: write 150-95, or 150 here and 95 in the other player’s row."),
    "contradicts": _("The two cells of this match contradict each other. Empty one of them."),
    "name-twice": _("This player has two rows."),
    "no-cross-table": _("There is no cross-table: a column of names, and a column for each of them in the same order."),
    "lone-name": _("Only a name is here. Write the opponent, or “bye”, beside it, or remove the line."),
    "bad-winner": _("The winner is one of the sides."),
    "no-stage": _("There is no such stage."),
    "too-much": _("This is more than a competition can have."),
    "key-twice": _("Each entrant has a key of its own."),
    "minor-without-year": _(
        "This is a minor, whose year of birth is missing: without it the name would be shown. Take the file that a "
        "manager downloads."
    ),
    "slot-twice": _("This number is taken in its round."),
    "round-twice": _("This number is taken in its stage."),
    "entry-twice": _("This entrant is in the stage already."),
    "seed-twice": _("This seed is taken in its stage."),
    "bad-berths": _("One or two play here, at tables up to six."),
    "not-an-entrant": _("No entrant has this key."),
    "no-slot": _("There is no such match before this one."),
    "against-oneself": _("Nobody plays against themselves."),
    "nobody-plays": _("A match has two sides or more, and all of them are known."),
    "games-in-order": _("Games are numbered from 1, without a gap."),
    "unknown-format": _("This format is not known here."),
    "too-many-games": _("These are more games than a match can have."),
    "name-taken": _("The league has a competition of this name already."),
    "no-column": _("Say which column this is."),
    "more-than-two": _("Here more than two sat at a table: import the file competition.json instead."),
    "no-rows": _("There is no result here."),
    "no-name": _("A name has 1 to 60 characters."),
    "no-pair": _("This competition is of pairs, and here are not two names."),
    "is-pair": _("This is a pair, and in this competition everybody plays alone."),
    "not-decided": _("This match is not decided by its games."),
}


def added_words(count: int, *, pairs: bool) -> str:
    if pairs:
        return ngettext("%(count)d pair was added.", "%(count)d pairs were added.", count) % {"count": count}
    return ngettext("%(count)d player was added.", "%(count)d players were added.", count) % {"count": count}


@dataclass(frozen=True, slots=True)
class ToldMistake:
    place: str
    sentence: str
    found: str


@dataclass(frozen=True, slots=True)
class TableSource:
    """Where a table came from: name of its file and title of its sheet, empty for pasted text; its headings."""

    file: str = ""
    sheet: str = ""
    head: tuple[str, ...] = ()


def told(mistakes: Iterable[Mistake], source: TableSource | None = None) -> list[ToldMistake]:
    """Put mistakes into sentences in the reader's language; of a table with file, sheet, line and column.

    A refusal of the plan has its own sentence already.
    """
    return [
        ToldMistake(_place(one, source), str(SENTENCES[one.code]), one.found)
        if one.code in SENTENCES
        else ToldMistake(_place(one, source), one.found, "")
        for one in mistakes
    ]


def _place(one: Mistake, source: TableSource | None) -> str:
    if source is None:
        return one.place
    word, _space, line = one.place.partition(" ")
    parts = [source.file, gettext("sheet “%(sheet)s”") % {"sheet": source.sheet} if source.sheet else ""]
    parts += [gettext("line %(line)s") % {"line": line} if word == "line" else gettext("the columns")]
    if one.column is not None:
        parts.append(gettext("column %(letter)s") % {"letter": column_letter(one.column)})
        parts[-1] += f" “{source.head[one.column]}”" if source.head[one.column] else ""
    return ", ".join(filter(None, parts))

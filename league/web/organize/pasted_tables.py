"""A table on an import page: text or file, its columns, and its names that look alike.

The page carries the text, the columns and the answers, so that storing needs no second upload.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext as _

from league.accounts.graphemes import first_letters
from league.accounts.models import LONGEST_NAME
from league.competitions.import_export.cross_tables import CrossTable, find_cross_table
from league.competitions.import_export.registry import Holds, format_of
from league.competitions.import_export.result_columns import guess, words_of
from league.competitions.import_export.tabular import Sheet, column_letter, read_sheet
from league.competitions.import_export.xlsx import MOST_PACKED
from league.errors import Refused
from league.players.alike_names import MOST_ALIKE, Alike, NameAnswer, alike_names, renamed
from league.web.words.imports import TableSource

LONGEST_TABLE = 900_000
SAMPLES = 3
ENOUGH = (frozenset({"player_a", "player_b"}), frozenset({"cross"}), frozenset({"name"}))
"""Fields of which a sheet of a workbook must have one set to be the table."""


@dataclass(frozen=True, slots=True)
class ColumnChoice:
    """A column of a pasted table.

    Its letter, number from 1, sample cells, and the field assigned to it; `opponent`: the player of a cross-table whose
    results it holds.
    """

    number: int
    letter: str
    head: str
    samples: list[str]
    field: str
    opponent: str = ""


@dataclass(frozen=True, slots=True)
class AlikeQuestion:
    """Two names that look alike, and the answer so far."""

    alike: Alike
    answer: str


@dataclass
class PastedTable:
    """A pasted table; `columns`: field → column from 0, as guessed or as chosen.

    `answers`: those about names that look alike; `others`: titles of the sheets of its file that are not read.
    """

    text: str
    sheet: Sheet
    columns: dict[str, int]
    source: TableSource
    others: list[str] = field(default_factory=list)
    answers: Mapping[str, str] = field(default_factory=dict)
    questions: list[AlikeQuestion] = field(default_factory=list)

    def choices(self) -> list[ColumnChoice]:
        fields = {column: key for key, column in self.columns.items()}
        cross = find_cross_table(self.sheet, self.columns["cross"]) if "cross" in self.columns else None
        opponents = _opponents(cross)
        return [
            ColumnChoice(
                number=n + 1,
                letter=column_letter(n),
                head=self.sheet.head[n],
                samples=[cells[n] for _line, cells in self.sheet.rows[:SAMPLES] if cells[n]],
                field=fields.get(n, ""),
                opponent=opponents.get(n, ""),
            )
            for n in range(self.sheet.width)
        ]

    def ask(self, names: Iterable[str]) -> dict[str, str]:
        """Collect the questions about these names, and return the spellings that were chosen."""
        alike = alike_names(names)
        self.questions = [AlikeQuestion(one, self.answers.get(one.key, "")) for one in alike]
        return renamed(alike, self.answers)

    @property
    def unanswered(self) -> bool:
        open_ones = any(one.answer not in set(NameAnswer) for one in self.questions)
        return open_ones or len(self.questions) >= MOST_ALIKE

    @property
    def too_many(self) -> bool:
        return len(self.questions) >= MOST_ALIKE


def _opponents(cross: CrossTable | None) -> dict[int, str]:
    return dict(zip(cross.opponents, cross.names, strict=True)) if cross else {}


def table_of(request: HttpRequest, kinds: Mapping[str, Any]) -> PastedTable | None:
    """Read the table; None without text. Raises Refused.

    Columns chosen for another text are ignored.
    """
    file = request.FILES.get("file")
    if file:
        if file.size > MOST_PACKED:
            raise _too_large()
        table = _of_file(file.read(), first_letters(file.name, LONGEST_NAME), request.POST.get("sheet", ""), kinds)
    else:
        table = _of_text(request.POST, kinds)
    if table:
        keys = (key.removeprefix("alike-") for key in request.POST if key.startswith("alike-"))
        table.answers = {key: request.POST[f"alike-{key}"] for key in keys}
    return table


def _of_text(data: QueryDict, kinds: Mapping[str, Any]) -> PastedTable | None:
    text = _bounded(data.get("text", ""))
    if not text.strip():
        return None
    sheet = read_sheet(text, words_of(kinds))
    chosen = {data[f"column-{n}"]: n - 1 for n in range(sheet.width, 0, -1) if data.get(f"column-{n}") in kinds}
    same_table = data.get("width") == str(sheet.width)
    source = TableSource(
        *(first_letters(data.get(key, ""), LONGEST_NAME) for key in ("of_file", "of_sheet")), head=sheet.head
    )
    return PastedTable(text, sheet, chosen if same_table else guess(sheet, kinds), source)


def _of_file(raw: bytes, name: str, wanted: str, kinds: Mapping[str, Any]) -> PastedTable | None:
    """Read the sheet with the wanted title, else the first that has a table, else the first."""
    chosen = format_of(raw, Holds.TABLE)
    parts = chosen.sheets(raw) if chosen.sheets else [("", chosen.read(raw))]
    read = [(title, text, read_sheet(_bounded(text), words_of(kinds))) for title, text in parts if text.strip()]
    if not read:
        return None
    at = _place_of(wanted, [title for title, _text, _sheet in read])
    if at is None:
        fits = [n for n, (_title, _text, sheet) in enumerate(read) if _has_table(sheet, kinds)]
        at = fits[0] if fits else 0
    title, text, sheet = read[at]
    others = [other for n, (other, _text, _sheet) in enumerate(read) if n != at]
    return PastedTable(_bounded(text), sheet, guess(sheet, kinds), TableSource(name, title, head=sheet.head), others)


def _place_of(wanted: str, titles: Sequence[str]) -> int | None:
    """Return the place of a wanted sheet. Raises Refused `no-sheet`."""
    plain = " ".join(wanted.split()).casefold()
    if not plain:
        return None
    folded = [" ".join(title.split()).casefold() for title in titles]
    if plain not in folded:
        sentence = _("The file has no sheet “%(sheet)s”. It has: %(sheets)s.")
        raise Refused("no-sheet", sentence, sheet=first_letters(wanted, LONGEST_NAME), sheets=", ".join(titles))
    return folded.index(plain)


def _has_table(sheet: Sheet, kinds: Mapping[str, Any]) -> bool:
    return any(fields <= set(guess(sheet, kinds)) for fields in ENOUGH)


def _bounded(text: str) -> str:
    if len(text) > LONGEST_TABLE:
        raise _too_large()
    return text.replace("\0", "")


def _too_large() -> Refused:
    return Refused("too-large", _("This table is too large. Bring it in parts."))

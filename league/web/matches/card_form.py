"""Form of a score card: fields by the ruleset's data, typed values, errors."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy

from games.moves import SEATS
from games.ruleset import Ruleset
from league.matches.annotated_log import card_sentence, in_words
from league.matches.results.judging import JudgedSheet
from league.web.words import labels
from referee.cards.check import CardError, CardForm, form

MOST_ROUNDS = 40
FIRST_ROUNDS = 3

COLUMNS: Mapping[str, Promise] = {
    "play": pgettext_lazy("score card", "Points in play"),
    "muggins": pgettext_lazy("score card", "Muggins taken"),
    "penalties": pgettext_lazy("score card", "Given for penalties"),
    "bonus": pgettext_lazy("score card", "Round-end points"),
    "pips": pgettext_lazy("score card", "Pips left in hand"),
    "tiles": pgettext_lazy("score card", "Tiles left in hand"),
    "totals": pgettext_lazy("score card", "Total after the round"),
}
ENDS: Mapping[str, Promise] = {
    "target": pgettext_lazy("score card", "Target reached"),
    "bell": pgettext_lazy("score card", "Bell"),
    "overtime": pgettext_lazy("score card", "Overtime"),
    "forfeit": pgettext_lazy("score card", "Forfeit"),
}


@dataclass(frozen=True, slots=True)
class CardField:
    """One field of the form.

    ``name`` is its id too; ``label`` is announced as its label; ``choices`` are values and words of a choice.
    """

    name: str
    label: str
    value: str
    error: str = ""
    choices: Sequence[tuple[str, str]] = ()
    digits: bool = True


@dataclass(frozen=True, slots=True)
class CardColumn:
    """Numbers of one kind, with a field for each side."""

    label: str
    fields: list[CardField]


@dataclass(frozen=True, slots=True)
class CardPart:
    """One round, or (number 0) the whole game: choices, counted columns, findings."""

    number: int
    choices: list[CardField]
    columns: list[CardColumn]
    found: list[str]


@dataclass(kw_only=True)
class TypedCard:
    """Typed values by field name; redrawn from these after a mistake."""

    rules: Ruleset
    names: Sequence[str]
    typed: Mapping[str, str]
    rounds: int = FIRST_ROUNDS
    errors: dict[str, str] = field(default_factory=dict)
    found: dict[int, list[str]] = field(default_factory=dict)

    @property
    def offered(self) -> CardForm:
        return form(self.rules, len(self.names))

    # --- Typed values as a sheet ---

    def sheet(self) -> dict[str, Any]:
        """Return the sheet for `referee.cards.check.read`.

        A value that is not a number is noted in ``errors`` and left out.
        """
        card: dict[str, Any] = {"scores": self._numbers("scores")}
        for name in ("ended", "started", "stopped"):
            if value := self._text(name):
                card[name] = value
        if winner := self._text("winner"):
            card["winner"] = int(winner)
        if (clock := self._clock()) is not None:
            card["clock_s"] = clock
        chips = self._numbers("chips")
        if any(number is not None for number in chips):
            card["chips"] = chips
        card["rounds"] = self._lines()
        return card

    def _lines(self) -> list[dict[str, Any]]:
        lines = [self._line(number) for number in range(1, self.rounds + 1)]
        while lines and not lines[-1]:
            lines.pop()
        return lines

    def _line(self, number: int) -> dict[str, Any]:
        line: dict[str, Any] = {}
        for name in ("spinner", "ended"):
            if value := self._text(f"{number}-{name}"):
                line[name] = value
        if winner := self._text(f"{number}-winner"):
            line["winner"] = int(winner)
        for column in self.offered.columns:
            numbers = self._numbers(f"{number}-{column}")
            if any(one is not None for one in numbers):
                line[column] = numbers
        return line

    def _text(self, name: str) -> str:
        """Return a time or a chosen word; of a choice only an offered value."""
        value = self.typed.get(name, "").strip()
        choices = next((one.choices for one in self._chosen(name) if one.name == name), ())
        return value if not choices or value in dict(choices) else ""

    def _chosen(self, name: str) -> list[CardField]:
        number, dash, _name = name.partition("-")
        return self._round_choices(int(number)) if dash else self._game_choices()

    def _numbers(self, name: str) -> list[int | None]:
        return [self._number(f"{name}-{side}") for side in range(len(self.names))]

    def _number(self, name: str) -> int | None:
        text = self.typed.get(name, "").strip()
        if not text:
            return None
        if text.isascii() and text.isdigit() and len(text) <= 5:
            return int(text)
        self.errors[name] = _("This is no whole number from 0 to 99999.")
        return None

    def _clock(self) -> int | None:
        """Return the game's clock in seconds, typed as minutes and seconds, `14:05`."""
        text = self.typed.get("clock", "").strip()
        if not text:
            return None
        minutes, colon, seconds = text.partition(":")
        parts = (minutes, seconds) if colon else (minutes, "0")
        if all(part.isascii() and part.isdigit() and len(part) <= 4 for part in parts) and int(parts[1]) < 60:
            return 60 * int(parts[0]) + int(parts[1])
        self.errors["clock"] = _("Write minutes and seconds, such as 14:05.")
        return None

    # --- Errors ---

    def refuse(self, error: CardError) -> None:
        """Note an error of an unreadable card at its field."""
        name = f"{error.row}-{error.field}" if error.row else error.field
        place = next((one.name for one in self.fields() if one.name in (name, f"{name}-0")), "scores-0")
        self.errors.setdefault(place, in_words(error.template, error.facts))

    def tell(self, judged: JudgedSheet) -> None:
        """Note the referee's findings at their rows, with names in place of seats."""
        names = dict(zip(SEATS, self.names, strict=False))
        for finding in judged.verdict.findings:
            self.found.setdefault(finding["row"], []).append(card_sentence(finding, names))

    # --- Rendering ---

    @property
    def game(self) -> CardPart:
        columns = [self._column("scores", _("Final score"))]
        if self.offered.chips:
            columns.append(self._column("chips", _("Chips left")))
        return CardPart(0, self._game_choices(), columns, self.found.get(0, []))

    @property
    def lines(self) -> list[CardPart]:
        return [self._part(number) for number in range(1, self.rounds + 1)]

    def fields(self) -> Iterator[CardField]:
        """Yield every field, in order."""
        for part in (self.game, *self.lines):
            yield from part.choices
            for column in part.columns:
                yield from column.fields

    def _part(self, number: int) -> CardPart:
        columns = [self._column(f"{number}-{name}", str(COLUMNS[name])) for name in self.offered.columns]
        return CardPart(number, self._round_choices(number), columns, self.found.get(number, []))

    def _column(self, name: str, label: str) -> CardColumn:
        return CardColumn(label, [self._field(f"{name}-{n}", f"{label}: {side}") for n, side in enumerate(self.names)])

    def _field(self, name: str, label: str, **more: Any) -> CardField:
        return CardField(name, label, self.typed.get(name, ""), self.errors.get(name, ""), **more)

    def _game_choices(self) -> list[CardField]:
        ends = [(word, str(ENDS[word])) for word in self.offered.ends]
        fields = [
            self._field("ended", _("How it ended"), choices=[("", _("not written")), *ends]),
            self._field("winner", _("Winner"), choices=[("", _("by the score")), *self._sides()]),
            self._field("started", _("Started at"), digits=False),
            self._field("stopped", _("Stopped at"), digits=False),
        ]
        if self.offered.clock_s:
            fields.append(self._field("clock", _("Clock at the end"), digits=False))
        return fields

    def _round_choices(self, number: int) -> list[CardField]:
        ends = [(word, str(labels.ROUND_ENDS[word])) for word in self.offered.round_ends]
        unknown = ("", _("not written"))
        fields = [
            self._field(f"{number}-ended", _("How it ended"), choices=[unknown, *ends]),
            self._field(f"{number}-winner", _("Won by"), choices=[unknown, *self._sides()]),
        ]
        if self.offered.spinner:
            spinners = [(name, _("none") if name == "none" else name) for name in self.offered.spinners]
            fields.insert(0, self._field(f"{number}-spinner", _("Spinner"), choices=[unknown, *spinners]))
        return fields

    def _sides(self) -> list[tuple[str, str]]:
        return [(str(number), name) for number, name in enumerate(self.names)]


def rounds_asked(typed: Mapping[str, str]) -> int:
    """Return the number of rounds of the sent form."""
    text = typed.get("rounds", "")
    number = int(text) if text.isascii() and text.isdigit() and len(text) <= 3 else FIRST_ROUNDS
    return min(MOST_ROUNDS, max(1, number))

"""Player lists from pasted or uploaded tables, in the order of the seeds.

Pure, except that names are cleaned as everywhere.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from league.accounts.graphemes import first_letters
from league.competitions.import_export.result_cells import is_unplayed, name_in
from league.competitions.import_export.tabular import Sheet
from league.competitions.import_export.values import TOLD, Mistake
from league.competitions.registration.enrolment import FiledEntrant, FiledPartner
from league.players.naming import clean_words, same
from league.players.pairs import parted

# Challonge's table of standings has "Rank", "Participant", "Match W-L-T" (in German "Teilnehmer", in Italian
# "Partecipante"); its list of entrants is "display name, e-mail" without headings.
PLAYER_WORDS: Mapping[str, Sequence[str]] = {
    "name": ("name", "nombre", "player", "jugador", "jugadora", "spieler", "spielerin", "participant", "participante",
             "teilnehmer", "partecipante", "display name", "full name", "nombre completo", "apellidos y nombre",
             "nombre y apellidos", "first name", "given name", "vorname", "entrant", "player 1", "jugador 1", "pair",
             "socio"),
    "surname": ("surname", "last name", "family name", "apellido", "apellidos", "nachname", "familienname"),
    "partner": ("partner", "pareja", "companero", "player 2", "jugador 2", "second player", "nombre 2"),
    "partner_club": ("partner club", "club 2", "club de la pareja"),
    "partner_number": ("partner number", "number 2", "numero 2"),
    "partner_born": ("partner born", "born 2"),
    "club": ("club", "team", "equipo", "association", "asociacion", "verein"),
    "number": ("number", "numero", "member number", "numero de socio", "no de socio", "mitgliedsnummer", "no",
               "licence", "license", "licencia", "id"),
    "seed": ("seed", "cabeza de serie", "siembra", "setzplatz", "rank", "ranking", "puesto", "rango", "position",
             "posicion", "rang", "platz"),
    "rating": ("rating", "elo", "glicko", "puntuacion", "wertungszahl"),
    "born": ("born", "year of birth", "birth year", "ano de nacimiento", "nacimiento", "nacido", "geburtsjahr",
             "jahrgang"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class ReadPlayers:
    """The players in the order of their seeds; `names`: all names of the table in their order, as written."""

    entrants: tuple[FiledEntrant, ...]
    mistakes: tuple[Mistake, ...]
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _PlayerReader:
    columns: Mapping[str, int]
    pairs: bool
    renamed: Mapping[str, str]
    mistakes: list[Mistake] = field(default_factory=list)
    names: dict[str, None] = field(default_factory=dict)
    # People of the lines before, by their names as compared.
    before: set[tuple[str, ...]] = field(default_factory=set)

    def wrong(self, line: int, code: str, found: str, key: str) -> None:
        self.mistakes.append(Mistake(f"line {line}", code, first_letters(found, TOLD), self.columns.get(key)))

    def row(self, line: int, cells: Sequence[str]) -> tuple[tuple[int, int], FiledEntrant] | None:
        """Return place and entrant of a line; None with a mistake, or if a name was given to an earlier line."""
        row = {key: cells[column] for key, column in self.columns.items() if column < len(cells)}
        name = name_in(row.get("name", ""))
        name = clean_words(f"{name} {row.get('surname', '')}") if name else ""
        if not name:
            self.wrong(line, "no-name", "", "name")
            return None
        numbers = {key: self.whole(row.get(key, ""), line, key) for key in ("seed", "rating", "born", "partner_born")}
        written = _both_names(name, name_in(row.get("partner", ""))) if self.pairs else [name]
        if self.pairs and len(written) != 2:
            self.wrong(line, "no-pair", name, "name")
            return None
        self.names.update(dict.fromkeys(written))
        names = [self.renamed.get(same(one), one) for one in written]
        people = tuple(sorted(map(same, names)))
        if people in self.before and any(same(one) in self.renamed or one in self.renamed.values() for one in written):
            return None
        self.before.add(people)
        place = (0, numbers["seed"]) if numbers["seed"] is not None else _by_rating(numbers["rating"])
        return place, FiledEntrant(
            key="",
            name=names[0],
            partner=_partner(names[1], row, numbers["partner_born"]) if self.pairs else None,
            club=_said(row.get("club", "")),
            number=_said(row.get("number", "")),
            born=numbers["born"],
            place=f"line {line}",
        )

    def whole(self, text: str, line: int, key: str) -> int | None:
        plain = text.strip().rstrip(".")
        if is_unplayed(plain):
            return None
        if re.fullmatch(r"\d{1,6}([.,]0+)?", plain):
            return int(re.split("[.,]", plain)[0])
        self.wrong(line, "bad-number", text, key)
        return None


def read_players(
    sheet: Sheet, columns: Mapping[str, int], *, pairs: bool = False, renamed: Mapping[str, str] | None = None
) -> ReadPlayers:
    """Read players from a table.

    A seed, or else the higher rating, comes first; rows with neither come last, in their order. With `pairs` the
    partner is in a separate column, or beside the name as on a pasted line. `renamed`: the spelling to take, by the
    name as compared; the second line of a player who had two spellings is left out.
    """
    reader = _PlayerReader(columns=columns, pairs=pairs, renamed=renamed or {})
    found = [one for line, cells in sheet.rows if (one := reader.row(line, cells))]
    entrants = tuple(one for _place, one in sorted(found, key=lambda both: both[0]))
    return ReadPlayers(entrants, tuple(reader.mistakes), tuple(reader.names))


def _said(cell: str) -> str:
    """Return the text of a cell; nothing for "n/a" and signs alone."""
    return "" if is_unplayed(cell) else clean_words(cell)


def _both_names(name: str, partner: str) -> list[str]:
    return [name, partner] if partner else [one for one in parted(name) if one]


def _partner(name: str, row: Mapping[str, str], born: int | None) -> FiledPartner:
    """Return the partner; without a club of their own they have the first player's."""
    club = row.get("partner_club", "") or row.get("club", "")
    return FiledPartner(name=name, club=_said(club), number=_said(row.get("partner_number", "")), born=born)


def _by_rating(rating: int | None) -> tuple[int, int]:
    return (1, -rating) if rating is not None else (2, 0)

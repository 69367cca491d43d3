"""Player lists from pasted or uploaded tables, in the order of the seeds.

Pure, except that names are cleaned as everywhere.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from league.accounts.graphemes import first_letters
from league.competitions.import_export.tabular import Sheet
from league.competitions.import_export.values import TOLD, Mistake
from league.competitions.registration.enrolment import FiledEntrant, FiledPartner
from league.players.naming import clean_words
from league.players.pairs import parted

# Challonge's table of standings has "Rank", "Participant", "Match W-L-T" (in German "Teilnehmer", in Italian
# "Partecipante"); its list of entrants is "display name, e-mail" without headings.
PLAYER_WORDS: Mapping[str, Sequence[str]] = {
    "name": ("name", "nombre", "player", "jugador", "participant", "participante", "teilnehmer", "partecipante",
             "display name", "full name", "nombre completo", "entrant", "player 1", "jugador 1", "pair"),
    "partner": ("partner", "pareja", "companero", "player 2", "jugador 2", "second player", "nombre 2"),
    "partner_club": ("partner club", "club 2", "club de la pareja"),
    "partner_number": ("partner number", "number 2", "numero 2"),
    "partner_born": ("partner born", "born 2"),
    "club": ("club", "team", "equipo", "association", "asociacion"),
    "number": ("number", "numero", "member number", "numero de socio", "no", "licence", "license", "licencia", "id"),
    "seed": ("seed", "cabeza de serie", "siembra", "rank", "ranking", "puesto", "rango", "position", "posicion"),
    "rating": ("rating", "elo", "glicko", "puntuacion"),
    "born": ("born", "year of birth", "birth year", "ano de nacimiento", "nacimiento", "nacido"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class ReadPlayers:
    """The players in the order of their seeds."""

    entrants: tuple[FiledEntrant, ...]
    mistakes: tuple[Mistake, ...]


def read_players(sheet: Sheet, columns: Mapping[str, int], *, pairs: bool = False) -> ReadPlayers:
    """Read players from a table.

    A seed, or else the higher rating, comes first; rows with neither come last, in their order. With `pairs` the
    partner is in a separate column, or beside the name as on a pasted line.
    """
    mistakes: list[Mistake] = []
    found: list[tuple[tuple[int, int], FiledEntrant]] = []
    for line, cells in sheet.rows:
        row = {key: cells[column] for key, column in columns.items() if column < len(cells)}
        name = clean_words(row.get("name", ""))
        if not name:
            mistakes.append(Mistake(f"line {line}", "no-name"))
            continue
        whole = ("seed", "rating", "born", "partner_born")
        numbers = {key: _whole(row.get(key, ""), f"line {line}", mistakes) for key in whole}
        names = _both_names(name, clean_words(row.get("partner", ""))) if pairs else [name]
        if pairs and len(names) != 2:
            mistakes.append(Mistake(f"line {line}", "no-pair", name))
            continue
        place = (0, numbers["seed"]) if numbers["seed"] is not None else _by_rating(numbers["rating"])
        entrant = FiledEntrant(
            key="",
            name=names[0],
            partner=_partner(names[1], row, numbers["partner_born"]) if pairs else None,
            club=clean_words(row.get("club", "")),
            number=clean_words(row.get("number", "")),
            born=numbers["born"],
            place=f"line {line}",
        )
        found.append((place, entrant))
    return ReadPlayers(tuple(one for _place, one in sorted(found, key=lambda both: both[0])), tuple(mistakes))


def _both_names(name: str, partner: str) -> list[str]:
    return [name, partner] if partner else [one for one in parted(name) if one]


def _partner(name: str, row: Mapping[str, str], born: int | None) -> FiledPartner:
    """Return the partner; without a club of their own they have the first player's."""
    club = row.get("partner_club", "") or row.get("club", "")
    return FiledPartner(name=name, club=clean_words(club), number=clean_words(row.get("partner_number", "")), born=born)


def _by_rating(rating: int | None) -> tuple[int, int]:
    return (1, -rating) if rating is not None else (2, 0)


def _whole(text: str, place: str, mistakes: list[Mistake]) -> int | None:
    plain = text.strip().rstrip(".")
    if not plain:
        return None
    if re.fullmatch(r"\d{1,6}([.,]0+)?", plain):
        return int(re.split("[.,]", plain)[0])
    mistakes.append(Mistake(place, "bad-number", first_letters(text, TOLD)))
    return None

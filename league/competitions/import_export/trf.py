"""Tournament Report File, for pairing and rating programs of chess.

FIDE, TRF16 and TRF26; Handbook C.04 Annex 2. Pure: plain values in, text out.

White leads the first round. Columns count from 1, as in the handbook.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from league.accounts.graphemes import JOINERS, cut_between_letters

NAME = 33
HIGHEST_RATING = 9999
# Tenths of a point, by the default scores of TRF26 (162): a bye that the pairing gives counts as a win.
WIN, DRAW = 10, 5


class TrfCode(StrEnum):
    """Result of a round for one player (handbook, position 99)."""

    WON = "1"
    LOST = "0"
    DRAWN = "="
    WON_BY_FORFEIT = "+"
    LOST_BY_FORFEIT = "-"
    BYE = "U"  # given by the pairing
    HALF_POINT_BYE = "H"
    FULL_POINT_BYE = "F"
    ABSENT = "Z"
    OPEN = " "  # paired, and not played yet


POINTS = {
    TrfCode.WON: WIN,
    TrfCode.WON_BY_FORFEIT: WIN,
    TrfCode.BYE: WIN,
    TrfCode.FULL_POINT_BYE: WIN,
    TrfCode.DRAWN: DRAW,
    TrfCode.HALF_POINT_BYE: DRAW,
}


@dataclass(frozen=True, slots=True)
class TrfRound:
    """A round of a player.

    `opponent`: the starting number, None for a bye and for an unpaired player; `leads`: None then, too.
    """

    opponent: int | None
    leads: bool | None
    code: TrfCode


UNPAIRED = TrfRound(None, None, TrfCode.ABSENT)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrfPlayer:
    """A player. `number` from 1, in seed order; `rounds` from the first on."""

    number: int
    name: str
    rank: int
    rounds: Sequence[TrfRound]
    rating: int | None = None

    @property
    def tenths(self) -> int:
        return sum(POINTS.get(one.code, 0) for one in self.rounds)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrfTournament:
    """A tournament.

    `planned`: number of rounds, None if open; `dates`: of each round, None if not known.
    """

    name: str
    players: Sequence[TrfPlayer]
    place: str = ""
    kind: str = ""
    dates: Sequence[date | None] = ()
    planned: int | None = None


def dumps(tournament: TrfTournament) -> str:
    """Return the report.

    Each line ends in CR, as in the handbook, and LF, as in text files.
    """
    lines = [*_head(tournament), *(_player(one) for one in tournament.players)]
    if tournament.planned:
        lines.append(f"XXR {tournament.planned}")  # of JaVaFo and bbpPairings: rounds of the whole tournament
    return "".join(f"{line.rstrip()}\r\n" for line in lines)


def _head(tournament: TrfTournament) -> Iterable[str]:
    known = [one for one in tournament.dates if one]
    yield f"012 {_text(tournament.name)}"
    if tournament.place:
        yield f"022 {_text(tournament.place)}"
    if known:
        yield f"042 {min(known):%Y/%m/%d}"
        yield f"052 {max(known):%Y/%m/%d}"
    yield f"062 {len(tournament.players)}"
    if rated := sum(_fits(one.rating) for one in tournament.players):
        yield f"072 {rated}"
    if tournament.kind:
        yield f"092 {_text(tournament.kind)}"
    if known:
        yield f"132{'':88}" + "  ".join(f"{one:%y/%m/%d}" if one else " " * 8 for one in tournament.dates)


def _player(one: TrfPlayer) -> str:
    """Line of a player.

    Positions 1-3, 5-8, 15-47, 49-52, 81-84, 86-89, then ten for each round: 92-95, 97, 99.
    """
    rating = one.rating if _fits(one.rating) else ""
    score = f"{one.tenths // 10}.{one.tenths % 10}"
    name = cut_between_letters(_text(one.name), NAME).rstrip()
    head = f"001 {one.number:>4} {'':4} {name:<{NAME}} {rating:>4} {'':26} {score:>4} {one.rank:>4}"
    return head + "".join(_round(played) for played in one.rounds)


def _fits(rating: int | None) -> bool:
    """Tell whether a rating fits its four columns; 0 means unrated there."""
    return rating is not None and 0 < rating <= HIGHEST_RATING


def _round(one: TrfRound) -> str:
    opponent = "0000" if one.opponent is None else f"{one.opponent:>4}"
    colour = "-" if one.leads is None else "w" if one.leads else "b"
    return f"  {opponent} {colour} {one.code}"


def _text(text: str) -> str:
    """Return any text as one line.

    Joiners stay: without them Indic letters and some emoji fall apart.
    """
    return " ".join("".join(c if c.isprintable() or c in JOINERS else " " for c in text).split())

"""Score fields: a game's typed totals, and a score in words.

Used on the desk's grid, at the table and on the match page.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from league.errors import Refused
from league.matches.models import Result

LONGEST = 6  # digits
NOBODY = "nobody"
# Ends of a game that leave only a score (`referee.cards.check.read`).
ENDS: dict[str, Any] = {
    "target": pgettext_lazy("how a game ended", "The target was reached"),
    "bell": pgettext_lazy("how a game ended", "By the bell"),
    "overtime": pgettext_lazy("how a game ended", "In overtime"),
    "forfeit": pgettext_lazy("how a game ended", "One side gave up or was not there"),
}
BEATS = gettext_lazy("%(winner)s beats %(loser)s %(won)s–%(lost)s")
LEVEL = gettext_lazy("%(first)s and %(second)s are level, %(won)s–%(lost)s")
NO_WINNER = gettext_lazy("Nobody has won: %(first)s %(won)s, %(second)s %(lost)s")


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedScore:
    """A typed score.

    `points` in the order of the sides; `winner`: the number of a side, `NOBODY`, or empty for the higher points;
    `ended`: a key of `ENDS` or empty.
    """

    points: tuple[str, ...] = ()
    winner: str = ""
    ended: str = ""

    @property
    def empty(self) -> bool:
        return not any(self.points)

    def sheet(self) -> dict[str, Any]:
        """Return the score as a sheet for `enter_sheet`.

        Raises Refused `no-points`, `bad-points`, `bad-winner`, `bad-end`, `who-won`.
        """
        if not all(self.points):
            raise Refused("no-points", _("Type the points of every side, 0 too."))
        if not all(one.isascii() and one.isdecimal() and len(one) <= LONGEST for one in self.points):
            raise Refused("bad-points", _("Points are whole numbers, like 150."))
        scores = [int(one) for one in self.points]
        said: dict[str, Any] = {"scores": scores}
        if self.winner and self.winner != NOBODY:
            if self.winner not in {str(number) for number in range(1, len(scores) + 1)}:
                raise Refused("bad-winner", _("The winner is one of the sides."))
            said["winner"] = int(self.winner) - 1
        elif not self.winner and scores.count(max(scores)) > 1:
            raise Refused("who-won", _("The points are level. Choose the winner, or “nobody”."))
        if self.ended:
            if self.ended not in ENDS:
                raise Refused("bad-end", _("Choose from the list how the game ended."))
            said["ended"] = self.ended
        return said


def typed_score(posted: Mapping[str, str], sides: int, mark: str = "") -> TypedScore:
    """Read a typed score from a form.

    Fields `points-1`, `points-2`, `winner` and `ended`; `mark` is appended to each name.
    """
    return TypedScore(
        points=tuple(posted.get(f"points-{number}{mark}", "").strip()[:40] for number in range(1, sides + 1)),
        winner=posted.get(f"winner{mark}", "").strip()[:10],
        ended=posted.get(f"ended{mark}", "").strip()[:20],
    )


def score_in_words(names: Sequence[str], points: Sequence[int], winner: int | None) -> str:
    """Return a score in words: "Ana beats Bo 150–95"; `winner`: the number of a side."""
    if len(names) != 2:
        each = ", ".join(f"{name} {one}" for name, one in zip(names, points, strict=True))
        return _("%(winner)s wins: %(each)s") % {"winner": names[winner - 1], "each": each} if winner else each
    if winner is None:
        text = LEVEL if points[0] == points[1] else NO_WINNER
        return str(text) % {"first": names[0], "second": names[1], "won": points[0], "lost": points[1]}
    won, lost = (0, 1) if winner == 1 else (1, 0)
    said = {"winner": names[won], "loser": names[lost], "won": points[won], "lost": points[lost]}
    return str(BEATS) % said


def sheet_in_words(names: Sequence[str], sheet: Mapping[str, Any]) -> str:
    """Return the score of a sheet from `TypedScore.sheet` in words."""
    points, winner = sheet["scores"], sheet.get("winner")
    if winner is None and points.count(max(points)) == 1:
        winner = points.index(max(points))
    return score_in_words(names, points, None if winner is None else winner + 1)


def result_in_words(names: Sequence[str], result: Result) -> str:
    points = [result.scores[number] for number in sorted(result.scores, key=int)]
    return score_in_words(names, points, result.winner)


def number_of(text: str) -> int | None:
    """Return the key in a hidden field; None for anything else."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 18 else None

"""Tie-breaks in words: column heading, title and meaning, for players."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext, pgettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from league.competitions.standings.tiebreaks.figures import Term
from league.competitions.standings.tiebreaks.registry import TIE_BREAKS, TieBreakEntry
from league.web.words.numbers import number_text


def _nothing(_term: Term) -> str:
    return ""


def _place(term: Term) -> str:
    if not term.others:
        return ""
    if not term.place:
        return gettext("was not there")
    return pgettext("standings", "place %(place)d") % {"place": term.place}


def _difference(term: Term) -> str:
    return f"{number_text(term.own)} − {number_text(term.theirs)}"


def _product(term: Term) -> str:
    return f"{number_text(term.theirs)} × {number_text(term.own)}"


def _added(term: Term) -> str:
    return f"+{number_text(term.own)}"


def _points_of_theirs(term: Term) -> str:
    return pgettext("tie-break", "%(points)s points of theirs") % {"points": number_text(term.theirs)}


@dataclass(frozen=True, slots=True)
class Column:
    """Words of a tie-break.

    `short` is the column's heading, `title` is its spoken name, `meaning` its text in the legend.
    `strong`: emphasized, as a first tie-break. `made_of`: how a term is computed, if it is more than one figure.
    """

    key: str
    short: Any
    title: Any
    meaning: Any
    strong: bool = False
    made_of: Callable[[Term], str] = _nothing

    @property
    def entry(self) -> TieBreakEntry:
        return TIE_BREAKS[self.key]


_COLUMNS = (
    Column(
        "place_points",
        pgettext_lazy("column: points by place", "Pts"),
        pgettext_lazy("column", "Points by place"),
        _(
            "Points for the places at the tables, added up. Players who share a place share "
            "the points of the places they take; an absent player gets none."
        ),
        strong=True,
        made_of=_place,
    ),
    Column(
        "wins",
        pgettext_lazy("column: won", "W"),
        pgettext_lazy("column", "Won"),
        _("Matches won, including forfeits; a bye worth the points of a win counts as one."),
        strong=True,
    ),
    Column(
        "match_points",
        pgettext_lazy("column: match points", "Pts"),
        pgettext_lazy("column", "Match points"),
        _("The sum of points for wins, draws, losses and byes."),
        strong=True,
    ),
    Column(
        "game_points",
        pgettext_lazy("column: games won", "G"),
        pgettext_lazy("column", "Games won"),
        _("Games won in all finished matches."),
    ),
    Column(
        "won",
        pgettext_lazy("column: won at the table", "WON"),
        pgettext_lazy("column", "Won at the table"),
        _("Matches won at the table: no bye, and no forfeit where rounds are paired by results."),
    ),
    Column(
        "direct_encounter",
        pgettext_lazy("column: direct encounter", "DE"),
        pgettext_lazy("column", "Direct encounter"),
        _(
            "A table of the players who are level so far, from their matches against each other: 2 points for a win, "
            "1 for a match without a winner. A place is given only if no missing match could change it; players level "
            "in that table are compared again. Open a number to see its matches."
        ),
    ),
    Column(
        "difference",
        pgettext_lazy("column: points difference", "+/−"),
        pgettext_lazy("column", "Points difference"),
        _(
            "Points for minus points against in all finished matches; at tables of more than two, minus the average of "
            "the others."
        ),
        made_of=_difference,
    ),
    Column(
        "points_for",
        pgettext_lazy("column: points for", "For"),
        pgettext_lazy("column", "Points for"),
        _("Points scored in all finished matches."),
    ),
    Column(
        "average",
        pgettext_lazy("column: points a game", "Avg"),
        pgettext_lazy("column", "Points per game"),
        _("Points scored per game, in games actually played: no byes, no forfeits."),
    ),
    Column(
        "buchholz",
        pgettext_lazy("column: Buchholz", "BH"),
        pgettext_lazy("column", "Buchholz"),
        _("The sum of the opponents’ match points. Stronger opponents rank a player higher."),
    ),
    Column(
        "buchholz_cut_1",
        pgettext_lazy("column: Buchholz without the lowest", "BH-C1"),
        pgettext_lazy("column", "Buchholz without the lowest"),
        _("Buchholz without the lowest number; a round that was not played by choice is left out first."),
    ),
    Column(
        "buchholz_median_1",
        pgettext_lazy("column: Buchholz without lowest and highest", "BH-M1"),
        pgettext_lazy("column", "Buchholz without lowest and highest"),
        _("Buchholz without the lowest number, and then without the highest."),
    ),
    Column(
        "average_buchholz",
        pgettext_lazy("column: average Buchholz of the opponents", "AOB"),
        pgettext_lazy("column", "Average Buchholz of the opponents"),
        _("The average of the Buchholz of the opponents who were met at the table."),
    ),
    Column(
        "fore_buchholz",
        pgettext_lazy("column: Fore Buchholz", "FB"),
        pgettext_lazy("column", "Fore Buchholz"),
        _("Buchholz computed as if the last round had no winners, so it is known before that round."),
    ),
    Column(
        "sonneborn_berger",
        pgettext_lazy("column: Sonneborn-Berger", "SB"),
        pgettext_lazy("column", "Sonneborn-Berger"),
        _("For each match the opponent's match points times those one made against them, added up."),
        made_of=_product,
    ),
    Column(
        "sonneborn_berger_cut_1",
        pgettext_lazy("column: Sonneborn-Berger without the lowest", "SB-C1"),
        pgettext_lazy("column", "Sonneborn-Berger without the lowest"),
        _(
            "Sonneborn-Berger without the match with the opponent who has the fewest points; a round that was not "
            "played by choice is left out in its place where that gives more."
        ),
        made_of=_product,
    ),
    Column(
        "progressive",
        pgettext_lazy("column: progressive score", "PS"),
        pgettext_lazy("column", "Progressive score"),
        _("The player’s match points after each round, added up: early points count more often."),
        made_of=_added,
    ),
    Column(
        "koya",
        pgettext_lazy("column: Koya", "KS"),
        pgettext_lazy("column", "Koya"),
        _("Match points made against those who have at least half of the points that can be made."),
        made_of=_points_of_theirs,
    ),
    Column(
        "opponents_rating",
        pgettext_lazy("column: average rating of the opponents", "ARO"),
        pgettext_lazy("column", "Average rating of the opponents"),
        _(
            "The average rating of the opponents played at the table, rounded to a whole number. Ratings are "
            "from the league’s list when the competition was published; opponents without one do not count."
        ),
    ),
    Column(
        "performance",
        pgettext_lazy("column: performance", "TPR"),
        pgettext_lazy("column", "Performance"),
        _(
            "The average rating of the opponents, and what the share of points made against them is worth (FIDE B.02). "
            "The ratings are those of the day on which the competition was published."
        ),
    ),
    Column(
        "muggins",
        pgettext_lazy("column: muggins taken", "MT"),
        pgettext_lazy("column", "Muggins taken"),
        _("Muggins taken, in the games that are known from their log."),
    ),
    Column(
        "lot",
        pgettext_lazy("column: lot", "Lot"),
        pgettext_lazy("column", "Lot"),
        _("Drawn once for everybody. 1 is the best."),
    ),
)
COLUMNS: Mapping[str, Column] = {column.key: column for column in _COLUMNS}

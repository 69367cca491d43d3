"""Compare all rows of a site with its records.

Records, results and matches come first, then draws, ladders, ratings and honours. Nothing is written.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import partial

from league.competitions.draw.rebuilding import Disagreement, differences
from league.competitions.honours import honour_differences
from league.competitions.integrity.draws import draw_differences
from league.competitions.integrity.payments import payment_differences
from league.competitions.models import Competition, RatingList, Season
from league.competitions.ratings import services as ratings
from league.competitions.seasons.promotion import season_differences
from league.matches.integrity.differences import RowDifference
from league.matches.integrity.references import dangling
from league.matches.integrity.running import NOT_READ, Checked, check_records
from league.matches.signals import answers, evidence_asked

Progress = Callable[[Checked], None]


def everything(after: int = 0, *, jobs: int = 1, progress: Progress = lambda _part: None) -> Iterator[RowDifference]:
    """Find every difference.

    `after`: the key of the last match checked before, as passed to `progress`.
    """
    yield from evidence(after, jobs=jobs, progress=progress)
    yield from derived()


def evidence(after: int = 0, *, jobs: int = 1, progress: Progress = lambda _part: None) -> Iterator[RowDifference]:
    """Find the differences of records, results and matches."""
    yield from dangling()
    for part in check_records(after, jobs=jobs):
        yield from part.found
        progress(part)
    yield from further()


def further() -> Iterator[RowDifference]:
    """Find the differences of further evidence: payments, and the rows of higher packages."""
    yield from payment_differences()
    for found in answers(evidence_asked):
        yield from found


def derived() -> Iterator[RowDifference]:
    """Find the differences of draws, ladders, ratings and honours.

    Standings are never stored.
    """
    for competition in Competition.objects.select_related("league").order_by("pk"):
        name = f"{competition.league.slug}/{competition.slug}"
        yield from _in_words(name, competition.league_id, partial(_of_competition, competition))
    for season in Season.objects.filter(moves__isnull=False).distinct().select_related("league").order_by("pk"):
        name = f"{season.league.slug}/{season.slug}"
        yield from _in_words(name, season.league_id, partial(season_differences, season))
    for one in RatingList.objects.select_related("league").order_by("pk"):
        name = f"{one.league.slug}, ratings of {one.ruleset}"
        yield from _in_words(name, one.league_id, partial(_of_ratings, one))


def _of_competition(competition: Competition) -> list[Disagreement]:
    return [*differences(competition), *draw_differences(competition), *honour_differences(competition)]


def _of_ratings(rating_list: RatingList) -> list[Disagreement]:
    return [Disagreement("list", line, "stored", "as its games give it") for line in ratings.differences(rating_list)]


def _in_words(name: str, league: int, check: Callable[[], Iterable[Disagreement]]) -> Iterator[RowDifference]:
    try:
        for one in check():
            yield RowDifference(f"{name}, {one.where}", one.what, one.says, one.should, league=league)
    except NOT_READ as error:  # rows that contradict each other too much to compute anything from them
        yield RowDifference(name, "rows", repr(error), "such that something follows from them", league=league)

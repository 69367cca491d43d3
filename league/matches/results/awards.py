"""Awards by side that a log or a tally lists; a card or a score lists none."""

from collections import Counter

from league.matches.models import KnownBy, Record
from league.matches.results.weighing import Awards
from league.matches.rules import rules_agreed
from referee import awards
from referee.cards.check import CardError

LISTING = frozenset({KnownBy.LOG, KnownBy.TALLY})


def lists_awards(record: Record) -> bool:
    return record.kind in LISTING


def awards_of(record: Record) -> Awards | None:
    """Return side and points of each award; None if they can't be read.

    One statement, and the replay of a log.
    """
    if record.kind == KnownBy.LOG:
        found = awards.of_log(record.sealed.text)
        sides = [record.seats[letter] for letter in sorted(record.seats)]
    else:
        sides = sorted(record.seats.values())
        found = _of_taps(record, len(sides))
    return None if found is None else tuple(sorted((sides[seat], points) for seat, points in found.elements()))


def _of_taps(record: Record, seats: int) -> Counter[awards.Award] | None:
    match = record.game.match
    rules = rules_agreed(match.ruleset, match.options)
    taps = record.score_sheet.data.get("taps")
    try:
        return awards.of_tally(taps, rules, seats) if rules and taps else None
    except CardError:
        return None


def absent(one: Awards | None, other: Awards | None) -> Awards:
    """Return the awards of `one` that `other` does not list.

    Empty if either lists no awards at all.
    """
    if one is None or other is None:
        return ()
    return tuple(sorted((Counter(one) - Counter(other)).elements()))

"""Input and output values of Swiss pairing. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class Lift(StrEnum):
    """Constraints that can make a round impossible, most dispensable first."""

    LOCKED = "locked"
    APART = "apart"
    BYES = "byes"
    REMATCHES = "rematches"


class PairingReason(StrEnum):
    """Reasons for a pair, a leader or a bye; each comment lists its facts."""

    LOCKED = "locked"  # an organizer set this pair
    SAME_SCORE = "same-score"  # score
    FOLD = "fold"  # top, bottom: nth of the top half against nth of the bottom half
    OFF_FOLD = "off-fold"  # top, bottom: the nearest possible to the fold
    SAME_HALF = "same-half"  # higher, lower: places in the score group; no other way left
    FLOAT = "float"  # higher, lower: scores
    ODD_GROUP = "odd-group"  # score, size: an odd group, so one entrant has to leave it
    ODD_REST = "odd-rest"  # score, size, left: an odd number is left after floats from above, byes, locks
    MET_ALL = "met-all"  # entrant: no opponent left in the own score group
    UNPAIRABLE_GROUP = "unpairable-group"  # score, left, pairs: the rest allows that many pairs at most
    BEST_ROUND = "best-round"  # score: without this float others would float more, or meet again
    FLOATED_BEFORE = "floated-before"  # entrant: in the same direction within two rounds, unavoidably
    REMATCH = "rematch"  # they have met, which was allowed
    CLUB_MATES = "club-mates"  # of one club: otherwise others of a club would meet, or score differences would grow
    SIDES_BALANCE = "sides-balance"  # first, second: times first minus times second, before this round
    SIDES_LAST = "sides-last"  # the leader of this match did not lead the last one
    SIDES_TURN = "sides-turn"  # all equal: the better number leads on every second such table
    BYE_LOWEST = "bye-lowest"  # score: the lowest of all
    BYE_HIGHER = "bye-higher"  # score, lowest: no lower entrant could have it
    BYE_LAST = "bye-last"  # place, size: of the score group
    BYE_AGAIN = "bye-again"  # byes: number of earlier ones; nobody has fewer
    BYE_FORCED = "bye-forced"  # byes: number of earlier ones; there is no round with a bye for an entrant with fewer


@dataclass(frozen=True, slots=True)
class Contender:
    """An entrant of the round, with the history that pairing needs.

    `number`: the pairing number, 1 is the best seed. `score`: match points, byes included. `met`: ids of past
    opponents. `byes`: rounds with a bye, or with as many points as a win, without a match. `floats`: by past round,
    latest last: +1 paired down, -1 paired up, 0 neither. `leads`: matches led minus matches not led. `led_last`:
    whether the last played match was led; None before the first. `clubs`: two with a club in common are kept apart
    where score differences stay as small.
    """

    id: int
    number: int
    score: int = 0
    met: frozenset[int] = frozenset()
    byes: int = 0
    floats: tuple[int, ...] = ()
    leads: int = 0
    led_last: bool | None = None
    clubs: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Because:
    """A reason with facts: ids, scores and places (from 1), named as at each reason."""

    code: PairingReason
    facts: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class SwissPair:
    """A pair of a round.

    `first` leads the first round of the match. `float`: the score difference, 0 within a score group.
    """

    first: int
    second: int
    reasons: tuple[Because, ...] = ()
    float: int = 0


@dataclass(frozen=True, slots=True)
class SwissRound:
    """Pairs in table order, best scores first, and the id of the bye, if any."""

    pairs: tuple[SwissPair, ...]
    bye: int | None = None
    bye_reasons: tuple[Because, ...] = ()


class NoPairing(Exception):
    """The constraints leave no round.

    `code`: the first of `lifts`, or `too-few`, `locked-twice`, `locked-unknown`, `locked-apart`, `locked-rematch`.

    `lifts`: the smallest set of constraints without which there is a round. `ids`: the entrants concerned: those
    without any possible opponent; if there are none, those unpaired in a largest matching; or the locked pair that
    contradicts another constraint.
    """

    def __init__(self, code: str, ids: tuple[int, ...] = (), lifts: tuple[Lift, ...] = ()) -> None:
        super().__init__(code, ids, lifts)
        self.code = code
        self.ids = ids
        self.lifts = lifts

    @property
    def facts(self) -> Mapping[str, tuple[int, ...]]:
        return {"ids": self.ids}

"""What a Swiss round is made from, and what comes out. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class Lift(StrEnum):
    """A constraint that stands in the way of a round, in the order in which one would rather lift it."""

    LOCKED = "locked"
    APART = "apart"
    BYES = "byes"
    REMATCHES = "rematches"


class PairingReason(StrEnum):
    """Why these two meet, why this one leads, why this one sits out; behind each its facts."""

    LOCKED = "locked"  # somebody set this pair
    SAME_SCORE = "same-score"  # score
    FOLD = "fold"  # top, bottom: nth of the top half against nth of the bottom half
    OFF_FOLD = "off-fold"  # top, bottom: the nearest to the fold that could be
    SAME_HALF = "same-half"  # higher, lower: places in the score group; no other way left
    FLOAT = "float"  # higher, lower: scores
    ODD_GROUP = "odd-group"  # score, size: somebody of an odd group has to leave it
    ODD_REST = "odd-rest"  # score, size, left: an odd number is left after floats from above, byes, locks
    MET_ALL = "met-all"  # entrant: has no opponent left in the own score group
    UNPAIRABLE_GROUP = "unpairable-group"  # score, left, pairs: the rest allows that many pairs at most
    BEST_ROUND = "best-round"  # score: without this float others would float more, or meet again
    FLOATED_BEFORE = "floated-before"  # entrant: in the same direction within two rounds, and it can't be helped
    REMATCH = "rematch"  # they have met, which was allowed
    SIDES_BALANCE = "sides-balance"  # first, second: times first minus times second, before this round
    SIDES_LAST = "sides-last"  # whoever led the last match leads the second round of this one
    SIDES_TURN = "sides-turn"  # nothing between them: the better number leads on every other such table
    BYE_LOWEST = "bye-lowest"  # score: the lowest there is
    BYE_HIGHER = "bye-higher"  # score, lowest: nobody below could have it
    BYE_LAST = "bye-last"  # place, size: of the score group
    BYE_AGAIN = "bye-again"  # byes: so many before; nobody has had fewer
    BYE_FORCED = "bye-forced"  # byes: so many before; with a bye for who has had fewer there is no round


@dataclass(frozen=True, slots=True)
class Contender:
    """Who takes part in the round, with all that the pairing asks of the rounds before.

    `number`: the pairing number, 1 is the best seed. `score`: match points, byes included. `met`: ids of those played
    against. `byes`: rounds that brought a bye, or as much as a win, without a match. `floats`: by past round, the
    latest last: +1 paired down, -1 paired up, 0 neither. `leads`: matches led less matches not led. `led_last`: whether
    the last match played was led; None before the first.
    """

    id: int
    number: int
    score: int = 0
    met: frozenset[int] = frozenset()
    byes: int = 0
    floats: tuple[int, ...] = ()
    leads: int = 0
    led_last: bool | None = None


@dataclass(frozen=True, slots=True)
class Because:
    """A reason with its facts: ids, scores and places (from 1), by the names that stand behind each reason."""

    code: PairingReason
    facts: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class SwissPair:
    """`first` leads the first round of the match. `float`: the difference of the scores, 0 within a score group."""

    first: int
    second: int
    reasons: tuple[Because, ...] = ()
    float: int = 0


@dataclass(frozen=True, slots=True)
class SwissRound:
    """Pairs in the order of their tables, the best scores first; who has the bye, by id, if anybody."""

    pairs: tuple[SwissPair, ...]
    bye: int | None = None
    bye_reasons: tuple[Because, ...] = ()


class NoPairing(Exception):
    """The constraints leave no round. `code`: the first of `lifts`, or `too-few`, `locked-twice`, `locked-unknown`,
    `locked-apart`, `locked-rematch`.

    `lifts`: the smallest set of constraints without which there is a round. `ids`: whom it is about: those who have no
    opponent left; if there are none, those who stay alone once as many as possible are paired; or the pair that is
    locked against another constraint.
    """

    def __init__(self, code: str, ids: tuple[int, ...] = (), lifts: tuple[Lift, ...] = ()) -> None:
        super().__init__(code, ids, lifts)
        self.code = code
        self.ids = ids
        self.lifts = lifts

    @property
    def facts(self) -> Mapping[str, tuple[int, ...]]:
        return {"ids": self.ids}

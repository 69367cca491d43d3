"""The page of a ladder: places, last moves, open challenges and history."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from league.competitions.entrant_names import Placed
from league.competitions.ladders.services import LadderPlaces, lapses_at, open_challenges, places
from league.competitions.models import Stage
from league.matches.models import Match

HISTORY_SHOWN = 12


@dataclass(frozen=True, slots=True)
class Rung:
    """A place on the ladder.

    `moved`: places won (more than 0) or lost by the last decided challenge. `meets`: the opponent of an open challenge.
    `reach`: keys of the entrants that may be challenged now, the nearest first.
    """

    place: int
    entrant: Placed
    moved: int
    won: int
    lost: int
    meets: Placed | None
    reach: tuple[int, ...]

    @property
    def lost_places(self) -> int:
        return -self.moved


@dataclass(frozen=True, slots=True)
class ToPlay:
    """An open challenge. `lapses_at`: None if it does not lapse, or has begun."""

    key: int
    challenger: Placed
    challenged: Placed
    match: int | None
    made_at: datetime
    lapses_at: datetime | None
    begun: bool


@dataclass(frozen=True, slots=True)
class ChallengeLine:
    """A decided challenge.

    `before` and `after`: the challenger's place; `won`: the challenger won.
    """

    challenger: Placed
    challenged: Placed
    match: int | None
    at: datetime
    before: int
    after: int
    won: bool


@dataclass(frozen=True, slots=True)
class Ladder:
    """The page of a ladder.

    `history`: the latest decided challenges, the last first; `decided`: how many there are in all. `closed_at`: since
    when its places are final.
    """

    reach: int
    days: int
    rungs: list[Rung]
    to_play: list[ToPlay]
    history: list[ChallengeLine]
    decided: int
    closed_at: datetime | None = None

    def rung_of(self, entrant: int) -> Rung | None:
        return next((rung for rung in self.rungs if rung.entrant.entrant_id == entrant), None)


def ladder_view(stage: Stage, entrants: Sequence[Placed]) -> Ladder:
    """Return the page of a ladder.

    Eight statements at most, for any number of entrants.
    """
    found = places(stage)
    people = {one.entrant_id: one for one in entrants}
    winners = Counter(one.winner for one in found.history)
    played = Counter(who for one in found.history if one.winner for who in (one.challenger, one.challenged))
    return Ladder(
        reach=stage.challenge_reach,
        days=stage.challenge_days,
        rungs=[
            Rung(
                place=place,
                entrant=people[one],
                moved=found.earlier.index(one) + 1 - place,
                won=winners[one],
                lost=played[one] - winners[one],
                meets=_meets(found, one, people),
                reach=() if stage.finished_at else tuple(found.within_reach(one, stage.challenge_reach)),
            )
            for place, one in enumerate(found.order, start=1)
        ],
        to_play=_to_play(stage, people),
        history=[
            ChallengeLine(
                people[one.challenger],
                people[one.challenged],
                one.match,
                one.at,
                one.before,
                one.after,
                one.winner == one.challenger,
            )
            for one in found.history[:HISTORY_SHOWN]
        ],
        decided=len(found.history),
        closed_at=stage.finished_at,
    )


def _meets(found: LadderPlaces, entrant: int, people: dict[int, Placed]) -> Placed | None:
    slot = found.open_of(entrant)
    return next((people[one] for one in found.open[slot] if one != entrant), None) if slot is not None else None


def _to_play(stage: Stage, people: dict[int, Placed]) -> list[ToPlay]:
    return [
        ToPlay(
            key=one.pk,
            challenger=people[one.challenger_id],
            challenged=people[one.challenged_id],
            match=one.slot.match_id,
            made_at=one.made_at,
            lapses_at=lapses_at(one),
            begun=_begun(one.slot.match),
        )
        for one in open_challenges(stage)
    ]


def _begun(match: Match | None) -> bool:
    return match is not None and match.state != Match.State.SCHEDULED

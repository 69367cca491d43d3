"""Crosstable for tie-breaks: every entrant's rounds, and the scoring. Pure."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction
from functools import cached_property

from league.competitions.standings.tiebreaks.figures import Number, plain

EDITIONS = (2024, 2026)
"""Editions of FIDE C.07: from 1 August 2024, and from 1 March 2026."""


class Outcome(StrEnum):
    """Outcome of a match for one side."""

    WON = "W"
    DRAWN = "D"
    LOST = "L"


class HowPlayed(StrEnum):
    """Kinds of rounds for an entrant.

    A BYE is given by the pairing; the others are requested, with the points of a win, of a draw, or none.
    """

    PLAYED = "played"
    FORFEIT = "forfeit"
    BYE = "bye"
    FULL_BYE = "full_bye"
    HALF_BYE = "half_bye"
    ZERO_BYE = "zero_bye"


REQUESTED = frozenset({HowPlayed.FULL_BYE, HowPlayed.HALF_BYE, HowPlayed.ZERO_BYE})
WITHOUT_OPPONENT = REQUESTED | {HowPlayed.BYE}


@dataclass(frozen=True, slots=True)
class Played:
    """A finished match: domino points by entrant, and the winner (None for a draw).

    A bye has one entrant.

    `round`: from 1; 0 if unknown, and then matches are in the order of rounds. `games`: games won by entrant, of
    `game_count` played; the default is a match of one game. `at_the_table`: points of played games, if others of the
    match were forfeited. In a forfeit without a winner both have lost.

    `at`: at a table with any number of entrants, the place of each one present; `by_place`: points of all for their
    places.
    """

    points: Mapping[int, int]
    winner: int | None
    round: int = 0
    kind: HowPlayed = HowPlayed.PLAYED
    games: Mapping[int, int] | None = None
    game_count: int = 1
    at_the_table: Mapping[int, int] | None = None
    at: Mapping[int, int] | None = None
    by_place: Mapping[int, Number] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scoring:
    """A competition's settings for its table.

    `edition` of FIDE C.07. `paired`: rounds are paired by results (Swiss), so unplayed rounds follow its article 16;
    otherwise all pairings are fixed before the start, and a forfeit counts as played (article 15.2). `rounds`: their
    final number, None for those seen. `final_pairs`: unplayed pairs of the last round. `place_points`: points for each
    place at a table, first place first; empty in matches of two. `forfeit_points`: the points ruled in a forfeit count
    among the points for and against. `direct_by_points`: the direct encounter places entrants with as many wins by
    points among them. `requested`: the kind of a requested bye; in the last round it gives no points.

    `left`: entrants without a rank; `annulled`: those of them whose matches count for nobody.

    `ratings`, `lots` (1 is the best), `muggins` (taken) and `bonus` (match points given by an organizer, negative if
    taken) by entrant; missing entrants have none.
    """

    win: int = 2
    draw: int = 1
    loss: int = 0
    bye: int = 2
    edition: int = EDITIONS[-1]
    paired: bool = False
    rounds: int | None = None
    final_pairs: Collection[tuple[int, int]] = ()
    place_points: Sequence[int] = ()
    forfeit_points: bool = True
    direct_by_points: bool = False
    requested: HowPlayed = HowPlayed.HALF_BYE
    left: frozenset[int] = frozenset()
    annulled: frozenset[int] = frozenset()
    ratings: Mapping[int, int] = field(default_factory=dict)
    lots: Mapping[int, int] = field(default_factory=dict)
    muggins: Mapping[int, int] = field(default_factory=dict)
    bonus: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Bout:
    """A round from one entrant's view.

    `own` and `other` are domino points, `points` match points; `games_won` of `game_count`, `at_the_table` the domino
    points of these games. Without an opponent there is no outcome.

    At a table of more than two, `others` lists the other entrants, `other` is their mean of points, and `place` the
    entrant's own (0 if absent), `shared` if level with another.
    """

    round: int
    kind: HowPlayed
    opponent_id: int | None
    own: int
    other: Number
    outcome: Outcome | None
    points: Number
    games_won: int
    game_count: int
    at_the_table: int = 0
    others: tuple[int, ...] = ()
    place: int = 0
    shared: bool = False

    @property
    def voluntary(self) -> bool:
        """A voluntarily unplayed round (C.07 16.1.2): requested bye, forfeit by this side."""
        return self.kind in REQUESTED or (self.kind == HowPlayed.FORFEIT and self.outcome == Outcome.LOST)


@dataclass(frozen=True)
class Crosstable:
    """Every entrant's bouts, by round. `missing`: both entrants of upcoming matches."""

    bouts: Mapping[int, Sequence[Bout]]
    scoring: Scoring
    missing: Sequence[tuple[int, int]] = ()
    # Cache by entrant: every opponent asks for this number again.
    buchholz: dict[int, int | Fraction] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def scores(self) -> Mapping[int, Number]:
        """Match points of the rounds; at tables of more than two, points by place."""
        return {one: plain(sum(bout.points for bout in bouts)) for one, bouts in self.bouts.items()}

    @cached_property
    def seen_by_others(self) -> Mapping[int, Number]:
        """Match points as counted for the opponents (C.07 16.3).

        A requested bye counts as a draw if only voluntarily unplayed rounds follow it. Only Swiss systems have such
        rounds.
        """
        return {one: sum(self.counted(bouts)) for one, bouts in self.bouts.items()}

    def counted(self, bouts: Sequence[Bout]) -> list[Number]:
        """Give the points of each round as counted for the opponents."""
        last = max((place for place, bout in enumerate(bouts) if not bout.voluntary), default=-1)
        return [
            self.scoring.draw if place > last and bout.kind in REQUESTED else bout.points
            for place, bout in enumerate(bouts)
        ]

    @cached_property
    def last_round(self) -> int:
        """Number of the last round, played or not."""
        seen = max((bout.round for bouts in self.bouts.values() for bout in bouts), default=0)
        return self.scoring.rounds or seen

    @cached_property
    def matches_each(self) -> int:
        """The most matches that any entrant has played at the end."""
        coming = [one for pair in self.missing for one in pair]
        return max(
            (sum(bout.opponent_id is not None for bout in bouts) + coming.count(one))
            for one, bouts in self.bouts.items()
        )

    @cached_property
    def fore(self) -> "Crosstable":
        """The table with the last round drawn (C.07 8.3), also its forfeited matches."""
        drawn = {one: tuple(map(self._as_drawn, bouts)) for one, bouts in self.bouts.items()}
        for first, second in self.scoring.final_pairs:
            for own, other in ((first, second), (second, first)):
                drawn[own] = (*drawn[own], self._drawn_with(other))
        return Crosstable(drawn, self.scoring, self.missing)

    def _as_drawn(self, bout: Bout) -> Bout:
        if bout.round != self.last_round or bout.opponent_id is None:
            return bout
        return replace(bout, kind=HowPlayed.PLAYED, outcome=Outcome.DRAWN, points=self.scoring.draw)

    def _drawn_with(self, other: int) -> Bout:
        return Bout(self.last_round, HowPlayed.PLAYED, other, 0, 0, Outcome.DRAWN, self.scoring.draw, 0, 0)

    def over_the_board(self, entrant_id: int) -> list[Bout]:
        return [bout for bout in self.bouts[entrant_id] if bout.kind == HowPlayed.PLAYED]

    def as_played(self, bout: Bout) -> bool:
        """Tell whether a bout counts against the opponent.

        A forfeit does if all pairings are fixed before the start (C.07 15.2).
        """
        return bout.kind == HowPlayed.PLAYED or (bout.kind == HowPlayed.FORFEIT and not self.scoring.paired)


def crosstable(
    people: Iterable[int], matches: Iterable[Played], scoring: Scoring, missing: Iterable[tuple[int, int]] = ()
) -> Crosstable:
    """Build the crosstable.

    Raises KeyError for a match with an entrant not in `people`.
    """
    bouts: dict[int, list[Bout]] = {one: [] for one in people}
    for match in matches:
        for own in match.points:
            number = match.round or len(bouts[own]) + 1
            made = _bout(match, own, scoring, number) if match.at is None else _at_table(match, own, number)
            bouts[own].append(made)
    for rounds in bouts.values():
        rounds.sort(key=lambda bout: bout.round)
    return Crosstable(bouts, scoring, list(missing))


def _bout(match: Played, own: int, scoring: Scoring, number: int) -> Bout:
    opponent = next((one for one in match.points if one != own), None)
    outcome = None if opponent is None else _outcome(match, own)
    played = match.kind == HowPlayed.PLAYED
    points = match.points if scoring.forfeit_points else _without_forfeits(match)
    return Bout(
        round=number,
        kind=match.kind,
        opponent_id=opponent,
        own=points.get(own, 0),
        other=0 if opponent is None else points.get(opponent, 0),
        outcome=outcome,
        points=_points(match.kind, outcome, scoring),
        games_won=match.games.get(own, 0) if match.games is not None else int(match.winner == own),
        game_count=match.game_count if played else 0,
        at_the_table=_at_the_table(match, own),
    )


def _without_forfeits(match: Played) -> Mapping[int, int]:
    """Give the points of the games that were played."""
    if match.at_the_table is not None:
        return match.at_the_table
    return match.points if match.kind == HowPlayed.PLAYED else {}


def _at_the_table(match: Played, own: int) -> int:
    return (match.points if match.at_the_table is None else match.at_the_table).get(own, 0)


def _at_table(match: Played, own: int, number: int) -> Bout:
    at = match.at or {}
    there = own in at
    others = tuple(one for one in match.points if one != own)
    met = [match.points[one] for one in others if one in at]
    place = at.get(own, 0)
    shared = there and list(at.values()).count(place) > 1
    return Bout(
        round=number,
        kind=match.kind if there else HowPlayed.FORFEIT,
        opponent_id=None,
        own=match.points[own],
        other=plain(Fraction(sum(met), len(met))) if there and met else 0,
        outcome=_outcome_at_table(match.kind, place, shared=shared),
        points=match.by_place[own],
        games_won=match.games.get(own, 0) if match.games is not None else int(match.winner == own),
        game_count=match.game_count if there and match.kind == HowPlayed.PLAYED else 0,
        at_the_table=_at_the_table(match, own),
        others=others,
        place=place,
        shared=shared,
    )


def _outcome_at_table(kind: HowPlayed, place: int, *, shared: bool) -> Outcome | None:
    """Map a place to an outcome: sole first place is a win, shared first place a draw."""
    if kind in WITHOUT_OPPONENT and place:
        return None
    if place != 1:
        return Outcome.LOST
    return Outcome.DRAWN if shared else Outcome.WON


def _outcome(match: Played, own: int) -> Outcome:
    if match.winner is None:
        return Outcome.LOST if match.kind == HowPlayed.FORFEIT else Outcome.DRAWN
    return Outcome.WON if match.winner == own else Outcome.LOST


def _points(kind: HowPlayed, outcome: Outcome | None, scoring: Scoring) -> int:
    if kind in WITHOUT_OPPONENT or outcome is None:
        return {
            HowPlayed.BYE: scoring.bye,
            HowPlayed.FULL_BYE: scoring.win,
            HowPlayed.HALF_BYE: scoring.draw,
            HowPlayed.ZERO_BYE: 0,
        }[kind]
    return {Outcome.WON: scoring.win, Outcome.DRAWN: scoring.draw, Outcome.LOST: scoring.loss}[outcome]

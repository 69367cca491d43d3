"""End of a season: promotion and relegation by its official tables.

Also the differences between these tables and the next season as made.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.competitions.draw.rebuilding import Disagreement
from league.competitions.formats.promotion import Destination, DivisionEnd, Fate, PlayOffPair, Promotions, promotions
from league.competitions.models import Division, PlayOff, Season, SeasonMove, Slot, Stage
from league.competitions.official_results import winners_and_losers
from league.competitions.seasons.plans import rules_of
from league.competitions.seasons.tables import DivisionTable, division_tables
from league.errors import Refused
from league.matches.models import Amendment, Match
from league.players.models import PEOPLE


@dataclass(frozen=True, slots=True)
class PlayOffState:
    """A play-off as made: its entrants, whether its stages are over, and the winner."""

    row: PlayOff
    entrants: frozenset[int]
    over: bool
    winner: int | None


@dataclass(frozen=True, slots=True)
class SeasonEnd:
    """Promotion and relegation by the current tables.

    `running`: divisions that are not over. `made`: every play-off, by its entrants; some may be for pairs that the
    tables no longer give.
    """

    season: Season
    tables: list[DivisionTable]
    found: Promotions
    made: list[PlayOffState]
    names: Mapping[int, str]

    @property
    def running(self) -> list[Division]:
        return [one.division for one in self.tables if not one.over]

    @property
    def over(self) -> bool:
        """Whether all is decided: divisions over, no tie that matters, no play-off open."""
        return not self.running and self.found.settled

    @property
    def missing(self) -> list[PlayOffPair]:
        """Pairs without a play-off."""
        made = {one.entrants for one in self.made}
        return [one for one in self.found.pairs if frozenset((one.lower, one.upper)) not in made]

    @property
    def useless(self) -> list[PlayOffState]:
        """Play-offs of pairs that the tables do not give."""
        wanted = {frozenset((one.lower, one.upper)) for one in self.found.pairs}
        return [one for one in self.made if one.entrants not in wanted]

    def division(self, level: int | None) -> Division | None:
        return next((one.division for one in self.tables if one.division.level == level), None)


def season_end(season: Season, levels: Collection[int] | None = None) -> SeasonEnd:
    """Compute the end of a season by the current official tables.

    `levels`: only these divisions and their neighbours, enough to place the entrants of `levels`. A constant number of
    statements.
    """
    divisions = list(season.divisions.select_related("competition__league").order_by("level"))
    if levels is not None:
        divisions = _with_neighbours(divisions, levels)
    tables = division_tables(divisions)
    made = play_off_states(season)
    results = {one.entrants: one.winner for one in made if one.over}
    ends = [DivisionEnd(level=t.division.level, order=t.order, rules=rules_of(t.division), left=t.left) for t in tables]
    names = {one: name for table in tables for one, name in table.names.items()}
    return SeasonEnd(season, tables, promotions(ends, results), made, names)


def _with_neighbours(divisions: Sequence[Division], levels: Collection[int]) -> list[Division]:
    wanted = {place for place, one in enumerate(divisions) if one.level in levels}
    near = {other for place in wanted for other in (place - 1, place, place + 1)}
    return [one for place, one in enumerate(divisions) if place in near]


def play_off_states(season: Season) -> list[PlayOffState]:
    """List the play-offs in the order of the divisions.

    Of a pair that was paired twice, the last; none that was cancelled. A constant number of statements.
    """
    rows = PlayOff.objects.filter(upper__season=season, competition__cancelled_at=None).select_related(
        "upper", "competition__league"
    )
    rows = rows.prefetch_related("competition__registrations", "competition__stages__matchdays__slots")
    found: dict[frozenset[int], PlayOffState] = {}
    kept = list(rows.order_by("upper__level", "number", "pk"))
    ends = winners_and_losers(slot.match_id for row in kept for slot in _slots(row) if slot.match_id)
    for row in kept:
        entrants = frozenset(one.entrant_id for one in row.competition.registrations.all())
        stages = list(row.competition.stages.all())
        over = bool(stages) and all(_is_over(stage) for stage in stages)
        winner = next((ends[slot.match_id][0] for slot in _slots(row) if slot.match_id in ends), None)
        found[entrants] = PlayOffState(row, entrants, over, winner)
    return list(found.values())


def _is_over(stage: Stage) -> bool:
    return stage.finished_at is not None


def _slots(row: PlayOff) -> Iterator[Slot]:
    for stage in row.competition.stages.all():
        for day in stage.matchdays.all():
            yield from day.slots.all()


# --- Differences from the next season ---


@dataclass(frozen=True, slots=True)
class Differing:
    """An entrant whose next division, by the tables, is not that of the next season.

    Levels are None for an entrant that has left, or while undecided.
    """

    entrant: int
    name: str
    carried: SeasonMove | None
    now: Destination | None

    @property
    def carried_level(self) -> int | None:
        return self.carried.to_level if self.carried else None

    @property
    def level_now(self) -> int | None:
        return self.now.to_level if self.now else None


def differing(season: Season, levels: Collection[int] | None = None) -> list[Differing]:
    """List the entrants that the tables send elsewhere than the next season has them.

    Empty without a next season. `levels`: only entrants that played there. One statement without a next season.
    """
    moves = list(_moves(season, levels))
    if not moves:
        return []
    end = season_end(season, levels)
    now = {one.entrant: one for one in end.found.destinations if levels is None or one.level in levels}
    carried = {one.entrant_id: one for one in moves}
    names = {**end.names, **{one.entrant_id: str(one.entrant) for one in moves}}
    everybody = [*carried, *(one for one in now if one not in carried)]
    return [
        Differing(one, names[one], carried.get(one), now.get(one))
        for one in everybody
        if _where(carried.get(one)) != _where(now.get(one))
    ]


def _moves(season: Season, levels: Collection[int] | None) -> Iterable[SeasonMove]:
    rows = season.moves.select_related(*PEOPLE).order_by("from_level", "place", "pk")
    return rows if levels is None else rows.filter(from_level__in=levels)


def _where(one: SeasonMove | Destination | None) -> tuple[str, int | None] | None:
    """Return the destination without its cause, which may change without notice."""
    if one is None:
        return None
    waits = isinstance(one, Destination) and one.why == Fate.WAITS
    return ("waits" if waits else "goes", one.to_level)


# --- The effect of an amendment ---


def next_season_of(match: Match) -> Mapping[str, str]:
    """Next divisions of the entrants near a match, for an amendment's effect.

    By the official tables: entrants of its division and of the two beside it; part of the effect
    (`amendments.services`). The texts consist of codes and names, the same in every language;
    `web.words.amendments` words them.
    """
    season = season_of(match)
    if season is None:
        return {}
    levels = _levels_of(season, match)
    end = season_end(season, levels)
    told = {
        gettext("Next season of %(name)s") % {"name": end.names[one.entrant]}: _told(one, end)
        for one in end.found.destinations
        if one.level in levels
    }
    if season.moves.exists():
        key = gettext("The next season, %(season)s") % {"season": season.followed_by}
        told[key] = "differs|" if season.moves.exclude(stands_although=None).exists() else "agrees|"
    return told


def season_of(match: Match) -> Season | None:
    """Return the season of the match's division or play-off."""
    return Season.objects.filter(
        Q(divisions__competition__stages__matchdays__slots__match=match)
        | Q(divisions__play_offs__competition__stages__matchdays__slots__match=match)
    ).first()


def _levels_of(season: Season, match: Match) -> set[int]:
    division = season.divisions.filter(
        Q(competition__stages__matchdays__slots__match=match)
        | Q(play_offs__competition__stages__matchdays__slots__match=match)
    ).first()
    near = list(season.divisions.order_by("level").values_list("level", flat=True))
    at = near.index(division.level)
    return set(near[max(at - 1, 0) : at + 2])


def _told(one: Destination, end: SeasonEnd) -> str:
    """ "promoted|First division", "waits|Bo Chen"."""
    if one.why == Fate.WAITS:
        return f"{one.why}|{end.names.get(one.against or 0, '')}"
    division = end.division(one.to_level)
    return f"{one.why}|{division or ''}"


# --- Marks on moves of the next season ---


def mark_moves(match: Match, amendment: Amendment) -> None:
    """Mark the moves that the tables no longer give since this amendment.

    A marked move is kept in the next season as made; a mark that is no longer due is removed. Within the transaction of
    the amendment, which has the lock of the competition.
    """
    season = season_of(match)
    if season is None or not season.moves.exists():
        return
    levels = _levels_of(season, match)
    moves = season.moves.filter(from_level__in=levels)
    elsewhere = [one.carried.pk for one in differing(season, levels) if one.carried]
    moves.exclude(pk__in=elsewhere).update(stands_although=None)
    moves.filter(pk__in=elsewhere, stands_although=None).update(stands_although=amendment)


def refuse_to_take_back(match_id: int) -> None:
    """Refuse to undo a result from which a next season was made (signal `result_withdrawn`).

    It is amended instead. Raises Refused `next-begun`.
    """
    season = season_of(Match(pk=match_id))
    if season is not None and season.moves.exists():
        raise Refused(
            "next-begun",
            _("%(season)s was made from this result. It cannot be taken back any more: amend it."),
            season=season.followed_by,
        )


def season_differences(season: Season) -> list[Disagreement]:
    """List the unmarked differences between the next season and the official tables.

    Wrong marks count too. One statement without a next season.
    """
    found = differing(season)
    unsaid = [one for one in found if one.carried is None or one.carried.stands_although_id is None]
    elsewhere = {one.carried.pk for one in found if one.carried}
    marked = season.moves.exclude(stands_although=None).exclude(pk__in=elsewhere)
    return [
        *(Disagreement(f"next level of {one.name}", "level", one.carried_level, one.level_now) for one in unsaid),
        *(Disagreement(f"next level of {one.entrant}", "mark", "stands although", "none") for one in marked),
    ]

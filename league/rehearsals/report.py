"""Report of a rehearsal, as plain values for storage.

Rounds with times, tables and scores, the standings after each of them, the ranking, and the events.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from league.competitions.draw.rebuilding import differences
from league.competitions.draw_view import MatchdayView, SlotView
from league.competitions.models import Competition
from league.competitions.queries.competition import CompetitionPage, competition_page
from league.competitions.queries.final_places import final_ranking
from league.competitions.standings.compute import Number, Row
from league.competitions.standings.table import GroupTable, group_table
from league.rehearsals.clone import Scene

MOST_TABLES = 40
"""Most rounds of a stage with standings after each; else the last ones only."""
Value = dict[str, Any]


class Happening(StrEnum):
    NO_SHOW = "no-show"
    WITHDRAWAL = "withdrawal"
    LATE = "late-entry"
    LEVEL = "level-game"
    PROTEST = "protest"
    UNDECIDED = "undecided"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class Event:
    """One event of a rehearsal.

    `round`: its number, 0 without one; `who`: the entrant or match; `code` and `refused`: reason of a refusal, as a
    code and as a sentence for the organizer.
    """

    what: Happening
    round: int = 0
    matchday: str = ""
    who: str = ""
    code: str = ""
    refused: str = ""


def report_of(scene: Scene, happened: Sequence[Event], *, seed: int, games: int) -> Value:
    """Return the report as the organizer of the rehearsal sees it now.

    `agrees`: the stored draw is equal to a rebuild from the results.
    """
    page = competition_page(scene.organizer, scene.league.slug, scene.competition.slug)
    length = timedelta(minutes=scene.competition.minutes)
    # Keys of rows differ from one rehearsal to the next; places in the draw do not.
    ids = {slot.id: nth for nth, slot in enumerate(page.slots, start=1)}
    rounds = [_round(day, length, ids) for day in page.matchdays]
    for stage in page.stages:
        if not stage.is_knock_out:
            _add_tables(scene.competition, page, stage, rounds)
    hours = [one for one in rounds if one["starts_at"]]
    return {
        "seed": seed,
        "entrants": len(page.entrants),
        "matches": sum(one["matches"] for one in rounds),
        "played": games,
        "tables": len({slot["table"] for one in rounds for slot in one["slots"]} - {""}),
        "minutes": scene.competition.minutes,
        "starts_at": min((one["starts_at"] for one in hours), default=""),
        "ends_at": max((one["ends_at"] for one in hours), default=""),
        "rounds": rounds,
        "places": [[place.first, place.entrant.name] for place in final_ranking(page)],
        "ended": all(stage.finished_at for stage in page.stages),
        "agrees": not differences(scene.competition),
        "events": [asdict(one) for one in happened],
    }


def _round(day: MatchdayView, length: timedelta, ids: Mapping[int, int]) -> Value:
    begins = [slot.starts_at for slot in day.slots if slot.starts_at and not slot.bye]
    return {
        "number": day.number,
        "name": day.name,
        "stage": day.stage_number,
        "knock_out": any(slot.knock_out for slot in day.slots),
        "starts_at": _iso(min(begins, default=None)),
        "ends_at": _iso(max(begins) + length if begins else None),
        "section": day.section,
        "matches": sum(not slot.bye and not slot.not_needed for slot in day.slots),
        "slots": [_slot(slot, ids) for slot in day.slots if not slot.not_needed],
        "tables": [],
    }


def _slot(slot: SlotView, ids: Mapping[int, int]) -> Value:
    """Return a slot; with a single side it is a bye."""
    forfeit = bool(slot.match) and any(game.forfeited for game in slot.match.games)
    return {
        "id": ids[slot.id],
        "number": slot.number,
        "group": slot.group,
        "third_place": slot.third_place,
        "table": slot.table,
        "starts_at": _iso(slot.starts_at),
        "forfeit": forfeit,
        "sides": [
            {
                "name": berth.entrant.name if berth.entrant else "",
                "score": berth.score,
                "won": berth.won,
                "from": ids.get(berth.from_slot or 0),
                "from_match": berth.from_match,
                "takes": berth.takes,
            }
            for berth in slot.berths
        ],
    }


def _iso(at: datetime | None) -> str:
    return at.isoformat() if at else ""


def _add_tables(competition: Competition, page: CompetitionPage, stage: Any, rounds: Sequence[Value]) -> None:
    """Add to each round of a stage the standings after it."""
    days = [day for day in page.matchdays if day.stage_number == stage.number]
    own = [one for one in rounds if one["stage"] == stage.number]
    groups = sorted({slot.group for day in days for slot in day.slots})
    for group in groups:
        for nth, one in enumerate(own, start=1):
            if nth < len(own) and len(own) > MOST_TABLES:
                continue
            found = group_table(competition, stage, page.entrants, days, group=group, after=nth)
            rows = list(_rows(found))
            one["tables"].append({"group": group, "rows": rows, "by_place": bool(found.rules.scoring.place_points)})


def _rows(found: GroupTable) -> Iterable[Value]:
    return map(_row, found.official)


def _row(row: Row) -> Value:
    return {
        "rank": row.rank,
        "name": row.name,
        "played": row.played,
        "won": row.won,
        "drawn": row.drawn,
        "lost": row.lost,
        "for": row.points_for,
        "against": _plain(row.points_against),
        "points": _plain(row.match_points),
    }


def _plain(number: Number) -> int | float:
    """Return a number that can be stored, with two decimals at most."""
    return int(number) if number == int(number) else round(float(number), 2)

"""Tournament Report File of a competition, from `exporting.competition_file`."""

from collections.abc import Iterable, Mapping
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from league.competitions.entrants import planned_rounds
from league.competitions.formats.registry import spec_of
from league.competitions.import_export.trf import UNPAIRED, TrfCode, TrfPlayer, TrfRound, TrfTournament, dumps
from league.competitions.models.choices import format_choices
from league.matches.results.match_outcome import GameOutcome, official_standing

Value = Mapping[str, Any]


def has_report(value: Value) -> bool:
    return bool(value["rounds"]) and spec_of(value["stages"][0]["format"]).has_trf_report


def report(value: Value) -> str:
    """Return the report of the first stage. Ask `has_report` first.

    Only official results count, as for the next pairing.
    """
    days = [one for one in value["rounds"] if one["stage"] == 1]
    numbers = {one["key"]: count for count, one in enumerate(value["entrants"], start=1)}
    # Ranks of groups repeat; the final places of all groups do not.
    ranks = {row["entrant"]: row["rank"] for row in [*value["standings"]["official"], *value["places"]]}
    # A bye of a round robin gives no points, as in its table (docs/decisions/formats.md).
    rests = TrfCode.BYE if spec_of(value["stages"][0]["format"]).is_paired_by_round else TrfCode.ABSENT
    played = [_of_round(day, numbers, rests, _asked(value, day)) for day in days]
    zone = ZoneInfo(value["league"]["time_zone"])
    formats = dict(format_choices())
    return dumps(
        TrfTournament(
            name=value["competition"]["name"],
            kind=str(formats.get(value["stages"][0]["format"], "")),
            dates=[_day(day, zone) for day in days],
            planned=_planned(value),
            players=[
                TrfPlayer(
                    number=number,
                    name=one["name"],
                    rank=ranks.get(one["key"], number) or len(value["entrants"]),
                    rating=one["rating"],
                    rounds=[found.get(number, UNPAIRED) for found in played],
                )
                for number, one in enumerate(value["entrants"], start=1)
            ],
        )
    )


def _planned(value: Value) -> int | None:
    """Number of planned rounds; None if the file does not contain it."""
    stage = value["stages"][0]
    if spec_of(stage["format"]).is_paired_by_round:
        return planned_rounds(stage["rounds"], len(value["entrants"]))
    drawn: int = value["rounds_drawn"]
    return drawn if len(value["stages"]) == 1 else None


def _day(day: Value, zone: ZoneInfo) -> date | None:
    hours = [datetime.fromisoformat(slot["starts_at"]) for slot in day["slots"] if slot["starts_at"]]
    return min(hours).astimezone(zone).date() if hours else None


REQUESTED = {"draw": TrfCode.HALF_POINT_BYE, "win": TrfCode.FULL_POINT_BYE, "none": TrfCode.ABSENT}


def _asked(value: Value, day: Value) -> TrfCode:
    """Code of a requested bye; in the last round it gives no points."""
    is_last = day["number"] == _planned(value)
    return TrfCode.ABSENT if is_last else REQUESTED[value["competition"]["requested_bye"]]


def _of_round(day: Value, numbers: Mapping[str, int], rests: TrfCode, asked: TrfCode) -> dict[int, TrfRound]:
    found: dict[int, TrfRound] = {}
    for slot in day["slots"]:
        known = [numbers[berth["entrant"]] for berth in slot["berths"] if berth["entrant"]]
        if len(slot["berths"]) == 1 and known:
            found[known[0]] = TrfRound(None, None, asked if slot.get("requested_bye") else rests)
        elif len(known) == 2:
            codes = _codes(slot["match"])
            found[known[0]] = TrfRound(known[1], True, codes[0])
            found[known[1]] = TrfRound(known[0], False, codes[1])
    return found


def _codes(match: Value | None) -> tuple[TrfCode, TrfCode]:
    """Codes of both sides."""
    games = [one for one in match["games"] if one["state"] == "official"] if match else []
    end = official_standing(match["best_of"], _outcomes(games)) if match else None
    if end is None or not end.over:
        return TrfCode.OPEN, TrfCode.OPEN
    forfeit = all(one["known_by"] == "ruled" and one["ended"] == "forfeit" for one in games)
    won, lost = (TrfCode.WON_BY_FORFEIT, TrfCode.LOST_BY_FORFEIT) if forfeit else (TrfCode.WON, TrfCode.LOST)
    if end.winner is None:
        return (TrfCode.LOST_BY_FORFEIT,) * 2 if forfeit else (TrfCode.DRAWN,) * 2
    return (won, lost) if end.winner == 1 else (lost, won)


def _outcomes(games: Iterable[Value]) -> list[GameOutcome]:
    return [GameOutcome(one["winner"], official=True) for one in games]

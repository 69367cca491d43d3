"""Report of a rehearsal up to one round; later rounds are still unknown."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.utils.translation import gettext as _

from league.competitions.draw_view import BerthView, MatchdayView, SlotView
from league.competitions.entrant_names import Placed
from league.competitions.formats.double_elimination import section_before
from league.rehearsals.report import Happening
from league.web.charts.bracket import Drawing, drawing
from league.web.charts.bracket_parts import BracketPart, sections

Value = Mapping[str, Any]
A_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class RehearsalView:
    """A rehearsal after one round.

    `round` is the round shown; `before` and `after` are the numbers beside it; `hours`: the timetable, with the number
    of `tables` in use. `tables`: the standings after it, with `by_place` if points by place order them; `brackets`:
    (part, drawing). `happened`: (sentence, reason of the service if it refused).
    """

    report: Value
    round: Value
    before: int | None
    after: int | None
    hours: list[Value]
    matches: list[Value]
    byes: list[str]
    tables: Sequence[Value]
    brackets: list[tuple[BracketPart, Drawing]]
    happened: list[tuple[str, str]]
    starts_at: datetime | None
    ends_at: datetime | None

    @property
    def last(self) -> bool:
        return self.after is None

    @property
    def length(self) -> timedelta | None:
        return self.ends_at - self.starts_at if self.starts_at and self.ends_at else None

    @property
    def hours_long(self) -> str:
        """Length of the whole day: "3:20"; empty if it takes several days."""
        if self.length is None or self.length >= A_DAY:
            return ""
        minutes = int(self.length.total_seconds()) // 60
        return f"{minutes // 60}:{minutes % 60:02}"


def rehearsal_view(report: Value, number: int) -> RehearsalView:
    """Build the view after round `number`; after the last round if it does not exist."""
    rounds = report["rounds"]
    numbers = [one["number"] for one in rounds]
    at = numbers.index(number) if number in numbers else len(rounds) - 1
    one = rounds[at]
    played = {other["number"] for other in rounds[: at + 1]}
    return RehearsalView(
        report=report,
        round=one,
        before=numbers[at - 1] if at else None,
        after=numbers[at + 1] if at + 1 < len(numbers) else None,
        hours=[_hours(other) for other in rounds],
        matches=[_match(slot) for slot in one["slots"] if len(slot["sides"]) > 1],
        byes=[slot["sides"][0]["name"] for slot in one["slots"] if len(slot["sides"]) == 1],
        tables=_tables(rounds[: at + 1]),
        brackets=_brackets(rounds, played),
        happened=[
            (told(event), event["refused"])
            for event in report["events"]
            if not event["round"] or event["round"] in played
        ],
        starts_at=_moment(report["starts_at"]),
        ends_at=_moment(report["ends_at"]),
    )


def _moment(text: str) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


def _hours(one: Value) -> Value:
    tables = {slot["table"] for slot in one["slots"]} - {""}
    return {**one, "starts_at": _moment(one["starts_at"]), "ends_at": _moment(one["ends_at"]), "tables": len(tables)}


def _match(slot: Value) -> Value:
    return {**slot, "starts_at": _moment(slot["starts_at"])}


def _tables(rounds: Sequence[Value]) -> Sequence[Value]:
    """Return the latest standings."""
    return next((one["tables"] for one in reversed(rounds) if one["tables"]), [])


# --- The bracket ---


def _brackets(rounds: Sequence[Value], played: set[int]) -> list[tuple[BracketPart, Drawing]]:
    days = [one for one in rounds if one["knock_out"]]
    if not days or not any(one["number"] in played for one in days):
        return []
    over = {slot["id"] for one in days if one["number"] in played for slot in one["slots"]}
    views = [_day(one, over) for one in days]
    return [(part, drawing(part)) for part in sections(views)]


def _day(one: Value, over: set[int]) -> MatchdayView:
    return MatchdayView(
        id=one["number"],
        number=one["number"],
        name=one["name"],
        kind="",
        starts_at=None,
        published_at=None,
        missing_before=0,
        missing_rounds=[],
        reason="",
        hidden=False,
        slots=[_slot(slot, one, over) for slot in one["slots"]],
        stage_number=one["stage"],
        section=one["section"],
    )


def _slot(slot: Value, one: Value, over: set[int]) -> SlotView:
    return SlotView(
        id=slot["id"],
        number=slot["number"],
        round_number=one["number"],
        place=0,
        berths=list(_berths(slot, one["section"], over)),
        match=None,
        table="",
        table_id=None,
        starts_at=None,
        third_place=slot["third_place"],
        section=one["section"],
    )


def _berths(slot: Value, section: str, over: set[int]) -> Iterable[BerthView]:
    """Yield the berths of a slot; entrants are hidden until the match before is over."""
    done = slot["id"] in over
    again = len({side["from"] for side in slot["sides"]}) == 1  # both from one match: the deciding match
    for number, side in enumerate(slot["sides"], start=1):
        known = done or side["from"] is None or side["from"] in over
        yield BerthView(
            number=number,
            entrant=Placed(0, side["name"], "", 0, "") if known and side["name"] else None,
            from_slot=side["from"],
            from_match=side["from_match"],
            takes=side["takes"],
            score=side["score"] if done else None,
            won=side["won"] and done,
            from_section=section_before(section, number, loser=side["takes"] == "loser", conditional=again),
        )


# --- Events ---


def told(event: Value) -> str:
    facts = {"who": event["who"], "round": event["matchday"]}
    worked = {
        Happening.NO_SHOW: _("%(round)s: %(who)s did not come. The match was forfeited after the countdown."),
        Happening.WITHDRAWAL: _("After %(round)s: %(who)s went home. Unplayed matches are forfeited."),
        Happening.LATE: _("%(round)s: %(who)s came late and was given a place."),
        Happening.LEVEL: _("%(round)s: a level score was entered."),
        Happening.PROTEST: _("%(round)s: %(who)s entered different scores. An official decided."),
        Happening.UNDECIDED: _("%(round)s: %(who)s ended without a winner."),
        Happening.STOPPED: _("Here the rehearsal could not go on."),
    }
    tried = {
        Happening.NO_SHOW: _("%(round)s: the forfeit of an absent player was refused."),
        Happening.WITHDRAWAL: _("After %(round)s: a withdrawal was refused."),
        Happening.LATE: _("%(round)s: a late entry found no place."),
        Happening.LEVEL: _("%(round)s: a level score was entered, and refused."),
        Happening.PROTEST: _("%(round)s: two wanted to enter different scores, and it was refused."),
    }
    what = Happening(event["what"])
    words = tried.get(what, worked[what]) if event["refused"] else worked[what]
    return words % facts

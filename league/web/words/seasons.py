"""Season in words: the organizer's steps and the end of the season."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext_lazy

from league.competitions.formats.promotion import DivisionRules, Fate, Zone
from league.competitions.models import Competition, Division, Season
from league.competitions.seasons.promotion import SeasonEnd
from league.competitions.seasons.queries import MatchdayLine
from league.web.words.labels import Label

MOST_NAMED = 8
DONE, NOW, LATER = "done", "now", "later"


@dataclass(frozen=True, slots=True)
class SeasonStep:
    """One step of a season.

    `state`: "done", "now" or "later"; `told`: the current figure, or the reason to wait; `anchor`: the page's section
    for the step.
    """

    key: str
    title: str
    state: str
    told: str
    anchor: str


@dataclass(frozen=True, slots=True)
class EndLine:
    """One division at the end of the season: champions, and everybody's fate."""

    division: Division
    champions: str
    people: list["FateLine"]
    size_next: int


@dataclass(frozen=True, slots=True)
class FateLine:
    place: int
    name: str
    label: Label
    told: str


def steps(
    season: Season,
    divisions: Sequence[Division],
    days: Sequence[MatchdayLine],
    running: Sequence[Division],
    end: SeasonEnd | None,
    follower: Season | None,
) -> list[SeasonStep]:
    """Return the steps in order; the first unfinished step is the current step."""
    found: list[SeasonStep] = []
    for key, title, done, told, anchor in _facts(season, divisions, days, running, end, follower):
        waits = any(one.state == NOW for one in found)
        state = DONE if done else LATER if waits else NOW
        found.append(SeasonStep(key, title, state, told, anchor))
    return found


def _facts(
    season: Season,
    divisions: Sequence[Division],
    days: Sequence[MatchdayLine],
    running: Sequence[Division],
    end: SeasonEnd | None,
    follower: Season | None,
) -> Iterator[tuple[str, str, bool, str, str]]:
    published = season.published_at is not None
    empty = [one for one in divisions if one.player_count < 2]
    players = sum(one.player_count for one in divisions)
    told = ngettext("%(count)d player", "%(count)d players", players) % {"count": players}
    yield (
        "players",
        _("Players"),
        not empty,
        _("Fewer than two in %(names)s") % {"names": _some(empty)} if empty else told,
        "divisions",
    )
    dated = sum(one.starts_at is not None for one in days)
    told = ngettext("%(count)d round", "%(count)d rounds", dated) % {"count": dated}
    yield "dates", _("Dates"), bool(dated) or published, told if dated else _("No dates: no hours"), "dates"
    undrawn = [one for one in divisions if not one.matches_total]
    waits = _("Not drawn: %(names)s") % {"names": _some(undrawn)}
    yield "draw", _("Draw"), not undrawn, waits if undrawn else _("Every division is drawn"), "draw"
    yield "publish", _("Publish"), published, _("Everybody sees it") if published else _("Officials only"), "draw"
    total, decided = (
        sum(getattr(one, name) or 0 for one in divisions) for name in ("matches_total", "matches_decided")
    )
    yield (
        "play",
        _("Play"),
        published and not running,
        _("%(decided)d of %(total)d matches confirmed") % {"decided": decided, "total": total},
        "days",
    )
    yield from _ending(end, follower)


def _some(divisions: Sequence[Division]) -> str:
    """Return the first divisions by name."""
    named = ", ".join(one.name for one in divisions[:MOST_NAMED])
    return f"{named} …" if len(divisions) > MOST_NAMED else named


def _ending(end: SeasonEnd | None, follower: Season | None) -> Iterator[tuple[str, str, bool, str, str]]:
    # After an amendment a followed season may have play-offs that nobody can make any more.
    if end is not None and (end.found.pairs or end.found.ties) and (end.over or follower is None):
        waiting = [one for one in end.found.pairs if not one.decided]
        yield "play-offs", _("Play-offs"), end.over, _waiting(end, len(waiting)), "end"
    told = _("Followed by %(season)s") % {"season": follower} if follower else _("Everybody’s next division is known")
    waits = _("Waiting for confirmed standings") if end is None else _("Waiting for play-offs and lots")
    yield "next", _("Next season"), follower is not None, told if follower or (end and end.over) else waits, "end"


def _waiting(end: SeasonEnd, count: int) -> str:
    if end.found.ties:
        return _("Level where it matters: %(names)s") % {
            "names": "; ".join(", ".join(end.names[one] for one in tie.entrants) for tie in end.found.ties)
        }
    if end.missing:
        told = ngettext("%(count)d play-off is to be made", "%(count)d play-offs are to be made", len(end.missing))
        return told % {"count": len(end.missing)}
    if count:
        told = ngettext(
            "%(count)d play-off has no confirmed result", "%(count)d play-offs have no confirmed result", count
        )
        return told % {"count": count}
    return _("All play-offs are decided")


def end_lines(end: SeasonEnd, shown: Collection[int]) -> list[EndLine]:
    """Return the lines of the divisions with a key in `shown`."""
    return [
        EndLine(
            division=table.division,
            champions=", ".join(end.names[one] for one in end.found.champions[table.division.level]),
            people=[
                FateLine(one.place, end.names[one.entrant], FATES[one.why], _told(one, end))
                for one in end.found.destinations
                if one.level == table.division.level
            ],
            size_next=len(end.found.of(table.division.level)),
        )
        for table in end.tables
        if table.division.pk in shown
    ]


@dataclass(frozen=True, slots=True)
class TieLine:
    level: int
    division: Division | None
    names: str


@dataclass(frozen=True, slots=True)
class PairLine:
    """One play-off pair; `competition` is None before the play-off is made."""

    division: Division | None
    upper: str
    lower: str
    decided: bool
    competition: Competition | None


def tie_lines(end: SeasonEnd) -> list[TieLine]:
    return [
        TieLine(tie.level, end.division(tie.level), ", ".join(end.names[one] for one in tie.entrants))
        for tie in end.found.ties
    ]


def pair_lines(end: SeasonEnd) -> list[PairLine]:
    made = {one.entrants: one.row.competition for one in end.made}
    return [
        PairLine(
            end.division(one.upper_level),
            end.names[one.upper],
            end.names[one.lower],
            one.decided,
            made.get(frozenset((one.upper, one.lower))),
        )
        for one in end.found.pairs
    ]


def _told(one: Any, end: SeasonEnd) -> str:
    """Return the destination, or the opponent of a play-off."""
    if one.why == Fate.WAITS:
        return _("against %(name)s") % {"name": end.names.get(one.against, "")}
    division = end.division(one.to_level)
    return str(division) if division and one.to_level != one.level else ""


@dataclass(frozen=True, slots=True)
class LegendLine:
    """A marked zone of a table, and its number of places."""

    label: Label
    places: int


def legend(rules: DivisionRules) -> list[LegendLine]:
    places = {
        Zone.UP: rules.promote,
        Zone.MAYBE_UP: rules.play_off_up,
        Zone.MAYBE_DOWN: rules.play_off_down,
        Zone.DOWN: rules.relegate,
    }
    return [LegendLine(ZONES[zone], count) for zone, count in places.items() if count]


ZONES: dict[Zone, Label] = {
    Zone.UP: Label(word=pgettext_lazy("zone of a table", "goes up"), icon="up", tone="good"),
    Zone.MAYBE_UP: Label(word=pgettext_lazy("zone of a table", "plays off to go up"), icon="swap", tone="cool"),
    Zone.MAYBE_DOWN: Label(word=pgettext_lazy("zone of a table", "plays off to stay"), icon="swap", tone="warm"),
    Zone.DOWN: Label(word=pgettext_lazy("zone of a table", "goes down"), icon="down", tone="bad"),
}


FATES: dict[Fate, Label] = {
    Fate.STAYS: Label(word=pgettext_lazy("end of a season", "stays"), icon="check"),
    Fate.PROMOTED: Label(word=pgettext_lazy("end of a season", "promoted"), icon="up", tone="good"),
    Fate.RELEGATED: Label(word=pgettext_lazy("end of a season", "relegated"), icon="down", tone="bad"),
    Fate.WON_UP: Label(word=pgettext_lazy("end of a season", "promoted by the play-off"), icon="up", tone="good"),
    Fate.MISSED_UP: Label(word=pgettext_lazy("end of a season", "stays after the play-off"), icon="check"),
    Fate.HELD: Label(word=pgettext_lazy("end of a season", "stays by the play-off"), icon="check"),
    Fate.LOST_DOWN: Label(word=pgettext_lazy("end of a season", "relegated by the play-off"), icon="down", tone="bad"),
    Fate.WAITS: Label(word=pgettext_lazy("end of a season", "play-off"), icon="swap", tone="warm"),
    Fate.LEFT: Label(word=pgettext_lazy("end of a season", "has left"), icon="remove"),
}

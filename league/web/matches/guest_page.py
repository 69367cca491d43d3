"""The page of a match for guests, and its answer to a code that is not valid."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from league.accounts.permissions import Act, may
from league.competitions.queries.former_cards import new_places
from league.competitions.queries.results_grid import GridRow
from league.matches import guests, permissions
from league.matches.models import KnownBy, Match, Reply, Side
from league.matches.permissions import Guest, Visitor
from league.matches.queries.lines import MatchLine, match_lines
from league.matches.results import second_side
from league.matches.results.judges import judge_view
from league.matches.results.reviews import objections
from league.web.components.disputes import dispute_notices
from league.web.components.score_fields import BEATS, ENDS, LEVEL, NOBODY, score_in_words
from league.web.matches import entry
from league.web.matches.entry import Panel, ScoreDraft
from league.web.matches.moved import moved
from league.web.matches.reviews import JudgeCard, judge_card
from league.web.shared.phone import calls_for
from league.web.shared.referee_strip import strip_at_table
from league.web.words import labels

PRIVATE = {"Cache-Control": "no-store", "X-Robots-Tag": "noindex, nofollow", "Referrer-Policy": "same-origin"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """Match as seen by one visitor; `who` is None until the visitor chooses a side."""

    match: Match
    line: MatchLine
    rows: list[GridRow]
    who: Visitor | None
    side: int | None
    open: bool
    proves: bool

    @property
    def unproved(self) -> bool:
        """Whether the phone only chose the name of a side."""
        return isinstance(self.who, Guest) and not self.who.is_proved

    @property
    def me(self) -> str:
        return next((one.name for one in self.line.sides if one.number == self.side), "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wrong:
    """A refusal and its place on the page."""

    told: str
    side: int | None = None
    game: int = 0
    draft: ScoreDraft = field(default_factory=ScoreDraft)


def answer(
    request: HttpRequest, seen: Seen, wrong: Wrong | None = None, *, draft: ScoreDraft | None = None, status: int = 200
) -> HttpResponse:
    draft = draft or (wrong.draft if wrong else ScoreDraft())
    league = seen.match.league
    desk = may(request.user, Act.ENTER_RESULTS, league)
    against = objections([row.game.pk for row in seen.rows if row.contested], sentences=desk or seen.side is not None)
    panels = [_panel(seen, row, draft, against.get(row.game.pk, ())) for row in seen.rows]
    referee = strip_at_table(seen.match)
    context = {
        "match": seen.match,
        "line": seen.line,
        "seen": seen,
        "own": calls_for(request, seen.match),
        "referee": referee,
        "panels": panels,
        "done": _done(seen),
        "protests": dispute_notices(
            seen.match.pk, [side.name for side in seen.line.sides], concerned=seen.side is not None or desk
        ),
        "judge": _judge(seen, panels),
        "takers": _takers(seen) if seen.who is None else [],
        "wrong": wrong,
        "ends": ENDS,
        "nobody": NOBODY,
        "beats": BEATS,
        "level": LEVEL,
        "official_label": labels.OFFICIAL,
        "waits": _waits(seen, panels) and not draft.game and wrong is None,
        "version": f"{_version(seen, panels)}.{referee.words}",
        "desk": desk and not isinstance(seen.who, Guest),
        "league": league,
        "needs_more": seen.match.level != KnownBy.SCORE,
        "matchday": seen.rows[0].matchday if seen.rows else "",
        "competition": seen.rows[0].competition if seen.rows else "",
    }
    return _private(render(request, "matches/guest.html", context, status=status))


def _panel(seen: Seen, row: GridRow, draft: ScoreDraft, against: Sequence[Reply]) -> Panel:
    """Return a row's panel; state `asked`: this side must affirm the other's entry."""
    panel = entry.panel(row, seen.side, draft, against)
    return replace(panel, state="asked") if is_asked(seen, row) else panel


def _judge(seen: Seen, panels: Sequence[Panel]) -> JudgeCard | None:
    if seen.who is None or not any(one.state == "review" for one in panels):
        return None
    return judge_card(judge_view(seen.match, permissions.actor(seen.who, seen.match)), seen.line.sides)


def is_asked(seen: Seen, row: GridRow) -> bool:
    return bool(seen.open and row.current and second_side.asks(seen.who, seen.side, row.current.result))


def _private(response: HttpResponse) -> HttpResponse:
    for name, value in PRIVATE.items():
        response[name] = value
    return response


def closed(request: HttpRequest, match: Match | None) -> HttpResponse:
    """Answer an unknown or currently invalid code with the next step."""
    context: dict[str, object] = {"match": match}
    status = 404
    if match is not None:
        context["line"] = match_lines([match])[0]
        early = guests.is_early(match, timezone.now())
        context["opens_at"] = guests.opens_at(match) if early else None
        context["desk"] = may(request.user, Act.ENTER_RESULTS, match.league)
        status = 403 if early else 410
    return _private(render(request, "matches/guest_closed.html", context, status=status))


def moved_code(request: HttpRequest, door: str) -> HttpResponse | None:
    """Answer the code of a match that a new draw does not have; None if it never had one."""
    found = new_places(door="".join(door[:40].split()).upper())
    return None if found is None else _private(moved(request, found))


def _done(seen: Seen) -> list[tuple[int, str]]:
    """Return the finished games in words, without those shown in a panel."""
    shown = {row.game.number for row in seen.rows}
    names = [side.name for side in seen.line.sides]
    return [
        (one.number, score_in_words(names, [one.points[number] for number in sorted(one.points)], one.outcome.winner))
        for one in seen.line.games
        if one.number not in shown
    ]


def _takers(seen: Seen) -> list[tuple[int, str, str, bool]]:
    """Return the sides to choose: number, name, namesake's text, need of the PIN.

    A side needs the PIN if another phone holds it, or if the match is decided.
    """
    decided = seen.match.state == Match.State.DECIDED
    taken = dict(Side.objects.filter(match=seen.match).values_list("number", "device"))
    return [(one.number, one.name, one.apart, decided or bool(taken.get(one.number))) for one in seen.line.sides]


def _waits(seen: Seen, panels: list[Panel]) -> bool:
    """Whether somebody else acts next, so that the page refreshes automatically."""
    return seen.who is not None and any(one.state in {"mine", "review", "decide", "checking"} for one in panels)


def _version(seen: Seen, panels: list[Panel]) -> str:
    said = [f"{one.row.game.pk}{one.state}{'-'.join(str(said.pk) for said in one.entries)}" for one in panels]
    return f"{seen.side or 0}.{seen.match.state}.{'.'.join(said)}"

"""Organizer's next steps in words."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from league.competitions.draw.schedule.seating import natural
from league.competitions.queries.desk import DeskLine, RoundFacts
from league.matches.queries.lines import MatchLine
from league.web.words.next_step import too_few


@dataclass(frozen=True, slots=True)
class NextStep:
    """One next step; `url`: the page to do it on."""

    sentence: str
    url: str
    icon: str
    tone: str = ""


def steps(line: DeskLine) -> list[NextStep]:
    """Return the next steps, the most urgent first."""
    return list(_draft(line) if line.competition.published_at is None else _running(line))


def _draft(line: DeskLine) -> Iterator[NextStep]:
    competition = line.competition
    page = reverse("organize:competition", args=[competition.league.slug, competition.slug])
    if line.entrants < line.fewest:
        yield NextStep(too_few(line.fewest, pairs=competition.pairs), f"{page}#entrants", "plus")
    elif not line.rounds:
        yield NextStep(_("Draw it."), f"{page}#entrants", "bracket")
    else:
        yield NextStep(_("Check the draw, then publish it."), f"{page}#publish", "show")


def _running(line: DeskLine) -> Iterator[NextStep]:
    competition = line.competition
    place = [competition.league.slug, competition.slug]
    page, tables = (reverse(f"organize:{name}", args=place) for name in ("competition", "competition_tables"))
    grid = reverse("organize:competition_grid", args=place)
    if line.differ:
        told = ngettext(
            "%(count)d match is under review: %(where)s",
            "%(count)d matches are under review: %(where)s",
            len(line.differ),
        )
        yield NextStep(told % _count(line.differ), grid, "scales", "bad")
    if line.decide:
        told = ngettext(
            "%(count)d result needs a decision: %(where)s",
            "%(count)d results need a decision: %(where)s",
            len(line.decide),
        )
        yield NextStep(told % _count(line.decide), tables, "scales", "bad")
    if line.waiting:
        told = ngettext(
            "%(count)d result waits for confirmation: %(where)s",
            "%(count)d results wait for confirmation: %(where)s",
            len(line.waiting),
        )
        yield NextStep(told % _count(line.waiting), tables, "seal", "warm")
    if line.mend:
        told = ngettext(
            "%(count)d log needs fixing: %(where)s", "%(count)d logs need fixing: %(where)s", len(line.mend)
        )
        yield NextStep(told % _count(line.mend), tables, "alert", "bad")
    yield from _rounds(line, page, tables)


def _rounds(line: DeskLine, page: str, tables: str) -> Iterator[NextStep]:
    now, hidden = line.being_played, line.hidden
    if now:
        told = ngettext(
            "Play %(round)s: %(count)d match has no confirmed result yet.",
            "Play %(round)s: %(count)d matches have no confirmed result yet.",
            now.open,
        )
        yield NextStep(told % {"round": now.matchday, "count": now.open}, tables, "tables")
    elif hidden:
        number = hidden.matchday.number
        yield NextStep(_publish(hidden), f"{page}?round={number}#round-{number}", "show")
    elif line.draws_on:
        yield NextStep(_("Draw the next round or stage."), f"{page}#publish", "bracket")


def _publish(one: RoundFacts) -> str:
    return _("Publish %(round)s.") % {"round": one.matchday}


def _count(matches: list[MatchLine]) -> dict[str, object]:
    return {"count": len(matches), "where": where(matches)}


def where(matches: Iterable[MatchLine]) -> str:
    """Return "tables 4, 9", or the sides if a match has no table."""
    matches = list(matches)
    if all(match.table for match in matches):
        told = ngettext("table %(names)s", "tables %(names)s", len(matches))
        return told % {"names": ", ".join(sorted((match.table for match in matches), key=natural))}
    versus = pgettext("two sides", "%(first)s – %(second)s")
    return ", ".join(_between(match, versus) for match in matches)


def _between(match: MatchLine, versus: str) -> str:
    first, *others = [side.name for side in match.sides] or [match.table]
    return versus % {"first": first, "second": " – ".join(others)} if others else first

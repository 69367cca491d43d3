"""Print pages of a club night: score cards (four a page) and slips (ten a page)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.ruleset import Ruleset
from league import qr
from league.accounts.models import League
from league.accounts.permissions import Act
from league.competitions.models import Competition, Matchday
from league.competitions.queries import print as papers
from league.competitions.queries.print import OnPaper, Paper
from league.matches.rules import rules_agreed
from league.web.matches.clock import MINUTE_S
from league.web.shared.absolute_url import absolute
from league.web.shared.staff import competition_of, id_of, of_league
from league.web.words.disputes import SHORT_KINDS
from league.web.words.rules import own_lengths
from referee.cards.check import CardForm, form

CARDS_A_PAGE, SLIPS_A_PAGE = 4, 10
ROWS = {"a4": 9, "letter": 8}
"""Rounds on a card by paper size, so that a hand can write in them.

A longer game continues on a blank card.
"""
MOST_BLANK = 80
ROUNDS_NEAR = 3
PAPER_MODE_BLANK = 8
DOOR_GROUP = 4

MARKS: dict[str, Any] = {
    "spinner": pgettext_lazy("column of a score card", "Spinner"),
    "ended": pgettext_lazy("column of a score card", "D / B"),
    "winner": pgettext_lazy("column of a score card", "Won"),
}
COLUMNS: dict[str, Any] = {
    "play": pgettext_lazy("column of a score card", "Play"),
    "muggins": pgettext_lazy("column of a score card", "Muggins"),
    "penalties": pgettext_lazy("column of a score card", "Penalty"),
    "bonus": pgettext_lazy("column of a score card", "Hand end"),
    "totals": pgettext_lazy("column of a score card", "Total"),
}
ENDS: dict[str, Any] = {
    "target": pgettext_lazy("end of a game on a score card", "target"),
    "bell": pgettext_lazy("end of a game on a score card", "bell"),
    "overtime": pgettext_lazy("end of a game on a score card", "overtime"),
    "forfeit": pgettext_lazy("end of a game on a score card", "forfeit"),
}


@dataclass(frozen=True, kw_only=True)
class PrintedCode:
    """An address as text and as a QR code: a path over `size` modules."""

    address: str
    size: int
    path: str


@dataclass(frozen=True, kw_only=True)
class PrintedCard:
    """A score card.

    `paper`: without names, table and code on a blank card, which has no QR code either. `sides`: their labels; with
    more than two a card has only the last of `columns` and fewer `rows`.
    """

    paper: Paper
    code: PrintedCode | None
    door: str
    sides: Sequence[Any]
    columns: Sequence[Any]
    rows: range

    @property
    def seated(self) -> list[tuple[Any, str, Sequence[OnPaper]]]:
        """Each side with its name and the partners of a pair."""
        partners = self.paper.partners or [()] * len(self.paper.names)
        return list(zip(self.sides, self.paper.names, partners, strict=True))


@of_league(Act.ENTER_RESULTS)
@require_safe
@never_cache
def cards(request: HttpRequest, league: League, slug: str) -> HttpResponse:
    """Show the score cards to print.

    `?round=` the cards of a round, `&blank=` that many blank cards after them; without a round only blank ones, without
    both the cards of the current round. `&paper=` a4 or letter; `&back=` has a protest form on the back of each.
    """
    competition = competition_of(league, slug)
    rounds = papers.rounds_to_print(competition)
    blank = min(id_of(request.GET.get("blank", "")), MOST_BLANK)
    wanted = request.GET.get("round", "")
    day = next((one for one in rounds if str(one.number) == wanted), None)
    if wanted and day is None:
        raise Http404
    now = papers.round_now(competition)
    if not wanted and not blank:
        day = now
    rules = rules_agreed(competition.ruleset, competition.options)
    fields = form(rules) if rules else None
    seats = max((one.stage.seats for one in rounds), default=0) or 2
    blank_paper = Paper(best_of=competition.best_of, names=("",) * seats)
    shown = [*(papers.papers(competition, day) if day else []), *[blank_paper] * blank]
    printed = [_printed(request, one, fields) for one in shown]
    context = {
        "league": league,
        "competition": competition,
        "rounds": rounds,
        "day": day,
        "near": _near(rounds, day or now),
        "next": papers.round_next(competition) or now,
        "blank": blank,
        "paper_mode_blank": PAPER_MODE_BLANK,
        "pages": _pages(printed, CARDS_A_PAGE),
        "count": len(printed),
        "backs": bool(request.GET.get("back")),
        "protest_kinds": SHORT_KINDS.values(),
        "paper": _paper_size(request),
        "rules": _rules_line(rules, competition) if rules else competition.ruleset,
        "form": fields,
        "marks": [word for one, word in MARKS.items() if fields and (one != "spinner" or fields.spinner)],
        "ends": [ENDS[one] for one in fields.ends] if fields else [],
        "area": "organize",
    }
    return render(request, "organize/cards.html", context)


@of_league(Act.ENTER_RESULTS)
@require_safe
@never_cache
def slips(request: HttpRequest, league: League, slug: str) -> HttpResponse:
    """Show a slip for each player, with personal link and PIN, to cut and hand out."""
    competition = competition_of(league, slug)
    found = [(one, _code(request, f"/me/{one.door}/")) for one in papers.slips(competition)]
    context = {
        "league": league,
        "competition": competition,
        "pages": _pages(found, SLIPS_A_PAGE),
        "count": len(found),
        "paper": _paper_size(request),
        "area": "organize",
    }
    return render(request, "organize/slips.html", context)


def _near(rounds: Sequence[Matchday], one: Matchday | None) -> Sequence[Matchday]:
    here = rounds.index(one) if one else 0
    return rounds[max(here - ROUNDS_NEAR, 0) : here + ROUNDS_NEAR + 1]


def _paper_size(request: HttpRequest) -> str:
    asked = request.GET.get("paper", "")
    return asked if asked in ROWS else "a4"


def _pages(things: Sequence[Any], a_page: int) -> list[Sequence[Any]]:
    return [things[start : start + a_page] for start in range(0, len(things), a_page)]


def _printed(request: HttpRequest, paper: Paper, fields: CardForm | None) -> PrintedCard:
    code = _code(request, f"/t/{paper.door}/") if paper.door else None
    # A quarter page has no room for the tiles left in the hands; the card takes the points for them.
    columns = [COLUMNS[one] for one in fields.columns if one in COLUMNS] if fields else []
    further = len(paper.names) - 2
    return PrintedCard(
        paper=paper,
        code=code,
        door=_in_groups(paper.door),
        sides=_sides(fields, len(paper.names)),
        columns=columns[-1:] if further else columns,
        rows=range(1, ROWS[_paper_size(request)] + 1 - further),
    )


def _code(request: HttpRequest, path: str) -> PrintedCode:
    address = absolute(request, path)
    size, drawn = qr.path(address, on_paper=True)
    return PrintedCode(address=address, size=size, path=drawn)


def _in_groups(door: str) -> str:
    """Return the code in groups, which are easy to type; the desk ignores the spaces."""
    return " ".join(door[start : start + DOOR_GROUP] for start in range(0, len(door), DOOR_GROUP))


def _sides(fields: CardForm | None, count: int) -> Sequence[Any]:
    """Label the sides on the card, by chip colour where the rules have chips.

    Chips: RULES.md 2.1.
    """
    if fields and fields.chips and count == 2:
        return _("Red"), _("Blue")
    return [str(number) for number in range(1, count + 1)]


def _rules_line(rules: Ruleset, competition: Competition) -> str:
    """Return the rules in one line, with the agreed house rules."""
    parts = [rules.name, ngettext("to %(count)d point", "to %(count)d points", rules.target) % {"count": rules.target}]
    if rules.clock_s:
        minutes = rules.clock_s // MINUTE_S
        parts.append(ngettext("%(count)d minute", "%(count)d minutes", minutes) % {"count": minutes})
    if competition.best_of > 1:
        parts.append(_("best of %(count)d games") % {"count": competition.best_of})
    parts += own_lengths(competition)
    agreed = [f"{key}={value}" for key, value in sorted(competition.options.items())]
    return " · ".join([*parts, *agreed])

"""The inbox on a page: home, the league's desk, the strip of the day; each item in words, with its one button."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.core.paginator import Page
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext, pgettext_lazy

from league.accounts.models import League
from league.accounts.permissions import Asker
from league.competitions.models import Competition
from league.competitions.queries.inbox import InboxKind, Item, inbox, with_matches
from league.disputes.waiting import CaseStep, OpenCase, open_cases
from league.matches.queries.lines import MatchLine
from league.players.models import Player
from league.web.components.disputes import names_in, protest_title
from league.web.components.score_fields import result_in_words
from league.web.shared.pagination import page_of
from league.web.words.disputes import OUTCOMES, STATES

AT_HOME, AT_THE_STRIP = 8, 3
PARAMETER = "needs"


@dataclass(frozen=True, slots=True, kw_only=True)
class InboxLine:
    """An item in words.

    `url`: the page that says more; `where`: competition and round, or the league. `button` leads to `to`, or posts
    `fields` there: it is the whole act.
    """

    kind: str
    sentence: str
    url: str
    where: str
    button: str
    icon: str
    to: str
    fields: Mapping[str, object] = field(default_factory=dict)

    @property
    def posts(self) -> bool:
        return bool(self.fields)


def inbox_line(item: Item) -> InboxLine:
    return WORDS[item.kind](item)


def _where(item: Item) -> str:
    if item.place is None:
        return str(item.league)
    return ", ".join(filter(None, [item.place.competition, item.place.matchday]))


def _sides(item: Item) -> str:
    """ "Ana – Bo", or "Ana – Bo, game 2"."""
    line = _line(item)
    names = " – ".join(side.name for side in line.sides)
    if line.best_of == 1 or item.game is None:
        return names
    return pgettext("two sides", "%(names)s, game %(number)d") % {"names": names, "number": item.game.number}


def _line(item: Item) -> MatchLine:
    if item.line is None:
        raise ValueError(f"{item.kind} without its match")
    return item.line


def _match(item: Item) -> str:
    return reverse("matches:detail", args=[_line(item).id])


def _review(item: Item) -> InboxLine:
    return InboxLine(
        kind=item.kind,
        sentence=pgettext("inbox", "%(match)s: under review") % {"match": _sides(item)},
        url=_match(item),
        where=_where(item),
        button=pgettext("inbox: button", "Decide") if item.decides else pgettext("inbox: button", "Look at it"),
        icon="scales",
        to=_match(item),
    )


def _decide(item: Item) -> InboxLine:
    return InboxLine(
        kind=item.kind,
        sentence=pgettext("inbox", "%(match)s: an official decides whether the score counts") % {"match": _sides(item)},
        url=_match(item),
        where=_where(item),
        button=pgettext("inbox: button", "Decide"),
        icon="scales",
        to=_match(item),
    )


def _rule(item: Item) -> InboxLine:
    line, game = _line(item), item.row
    left = [side.name for side in line.sides if side.number in {game.first_left, game.last_left}]
    text = pgettext("inbox", "%(match)s: both sides have left; the match needs a ruling")
    if len(left) == 1:
        text = pgettext("inbox", "%(match)s: %(name)s has left; the match needs a ruling")
    place = item.place
    to = reverse("organize:competition_grid", args=[place.league_slug, place.slug])
    return InboxLine(
        kind=item.kind,
        sentence=text % {"match": " – ".join(side.name for side in line.sides), "name": left[0]},
        url=_match(item),
        where=_where(item),
        button=pgettext("inbox: button", "Decide"),
        icon="scales",
        to=f"{to}?row={game.pk}#game-{game.pk}",
    )


def _fix(item: Item) -> InboxLine:
    code, log = item.row.code, item.row.log
    return InboxLine(
        kind=item.kind,
        sentence=pgettext("inbox", "%(match)s: the log needs fixing") % {"match": _sides(item)},
        url=_match(item),
        where=_where(item),
        button=pgettext("inbox: button", "Fix the log"),
        icon="amended",
        to=f"{reverse('submit:game', args=[code])}?mend={log}",
    )


def _confirm(item: Item) -> InboxLine:
    line = _line(item)
    told = result_in_words([side.name for side in line.sides], item.row)
    if line.best_of > 1 and item.game:
        told = _("Game %(number)d: %(result)s") % {"number": item.game.number, "result": told}
    return InboxLine(
        kind=item.kind,
        sentence=told,
        url=_match(item),
        where=_where(item),
        button=pgettext("inbox: button", "Confirm"),
        icon="seal",
        to=reverse("matches:confirm", args=[line.id]),
        fields={"result": item.row.pk},
    )


def _amendment(item: Item) -> InboxLine:
    to = reverse("matches:amendment", args=[_line(item).id, item.row.pk])
    told = pgettext("inbox", "%(match)s: correction %(change)s, by %(name)s")
    return InboxLine(
        kind=item.kind,
        sentence=told % {"match": _sides(item), "change": item.row, "name": item.row.proposed_by},
        url=to,
        where=_where(item),
        button=pgettext("inbox: button", "Look at it"),
        icon="amended",
        to=to,
    )


def _hours(item: Item) -> InboxLine:
    return InboxLine(
        kind=item.kind,
        sentence=pgettext("inbox", "%(match)s: a time is proposed") % {"match": _sides(item)},
        url=_match(item),
        where=_where(item),
        button=pgettext("inbox: button", "Choose a time"),
        icon="calendar",
        to=_match(item),
    )


def _imported(item: Item) -> InboxLine:
    place = [item.league.slug, item.row.slug]
    told = ngettext(
        "%(count)d imported result waits for confirmation (imported by %(name)s)",
        "%(count)d imported results wait for confirmation (imported by %(name)s)",
        item.count,
    )
    return InboxLine(
        kind=item.kind,
        sentence=told % {"count": item.count, "name": item.row.imported_by},
        url=reverse("organize:competition", args=place),
        where=_where(item),
        button=pgettext("inbox: button", "Confirm all of them"),
        icon="seal",
        to=reverse("organize:confirm_import", args=place),
        fields={"all": 1},
    )


def _sign_ups(item: Item) -> InboxLine:
    to = reverse("organize:sign_ups", args=[item.league.slug, item.row.slug])
    waits = ngettext("%(count)d sign-up waits for an answer", "%(count)d sign-ups wait for an answer", item.count)
    left = ngettext(
        "%(count)d withdrawn sign-up is still in the draw",
        "%(count)d withdrawn sign-ups are still in the draw",
        item.left,
    )
    parts = [text % {"count": count} for text, count in ((waits, item.count), (left, item.left)) if count]
    return InboxLine(
        kind=item.kind,
        sentence="; ".join(parts),
        url=to,
        where=_where(item),
        button=pgettext("inbox: button", "Answer") if item.count else pgettext("inbox: button", "Look at it"),
        icon="note",
        to=to,
    )


def _apart(player: Player) -> str:
    return f"{player.name} ({player.apart})" if player.apart else player.name


def _link(item: Item) -> InboxLine:
    account = item.row.user
    who = f"{account.get_username()} ({account.get_full_name()})" if account.get_full_name() else account.get_username()
    told = pgettext("inbox", "The account %(account)s says: I am %(player)s")
    return InboxLine(
        kind=item.kind,
        sentence=told % {"account": who, "player": _apart(item.row.player)},
        url=reverse("people:claims", args=[item.league.slug]),
        where=_where(item),
        button=pgettext("inbox: button", "Accept"),
        icon="user",
        to=reverse("people:decide", args=[item.league.slug, item.row.pk]),
        fields={"accept": ""},
    )


def _role(item: Item) -> InboxLine:
    role = item.row.get_kind_display()
    told = pgettext("inbox", "%(name)s took the invitation of %(by)s: %(role)s")
    return InboxLine(
        kind=item.kind,
        sentence=told % {"name": item.row.taken_by, "by": item.row.made_by, "role": role},
        url=reverse("people:roles", args=[item.league.slug]),
        where=_where(item),
        button=pgettext("button", "Make %(role)s") % {"role": role},
        icon="user",
        to=reverse("people:decide_invitation", args=[item.league.slug, item.row.pk]),
        fields={"accept": ""},
    )


WORDS: Mapping[InboxKind, Callable[[Item], InboxLine]] = {
    InboxKind.REVIEW: _review,
    InboxKind.DECIDE: _decide,
    InboxKind.RULE: _rule,
    InboxKind.FIX: _fix,
    InboxKind.CONFIRM: _confirm,
    InboxKind.AMENDMENT: _amendment,
    InboxKind.HOURS: _hours,
    InboxKind.IMPORTED: _imported,
    InboxKind.SIGN_UPS: _sign_ups,
    InboxKind.LINK: _link,
    InboxKind.ROLE: _role,
}


# --- Disputes ---


def case_lines(user: Asker, league: League | None) -> list[InboxLine]:
    """Return the open disputes that the asker may act in, as a side or as an official, each with the next step."""
    return [_case(one) for one in open_cases(user, league)]


def _case(one: OpenCase) -> InboxLine:
    dispute, names = one.dispute, names_in(one.dispute.match)
    to = reverse("disputes:case", args=[dispute.code])
    told = {"match": " – ".join(names), "title": protest_title(dispute, names), "state": _state_for(one)}
    return InboxLine(
        kind="dispute",
        sentence=pgettext("inbox", "%(match)s: %(title)s. %(state)s") % told,
        url=to,
        where=str(dispute.match.league),
        button=str(STEPS[one.step]),
        icon="scales",
        to=to,
    )


def _state_for(one: OpenCase) -> str:
    dispute = one.dispute
    if one.step in (CaseStep.APPEAL, CaseStep.READ):
        outcome = OUTCOMES[dispute.outcome].word
        if one.step is CaseStep.READ or dispute.deadline is None:
            return pgettext("inbox: case", "%(outcome)s. Nobody is left to hear an appeal.") % {"outcome": outcome}
        with timezone.override(dispute.match.league.time_zone):
            until = date_format(timezone.localtime(dispute.deadline), "j M, H:i")
        return pgettext("inbox: case", "%(outcome)s. Appeal until %(when)s.") % {"outcome": outcome, "when": until}
    if one.step is CaseStep.ANSWER:
        return pgettext("inbox: case", "The other side proposes an outcome.")
    if one.step is CaseStep.STATE:
        return pgettext("inbox: case", "Your statement is missing.")
    return f"{STATES[dispute.state].word}."


STEPS: Mapping[CaseStep, Any] = {
    CaseStep.ANSWER: pgettext_lazy("inbox: button", "Answer the proposal"),
    CaseStep.STATE: pgettext_lazy("inbox: button", "Give your statement"),
    CaseStep.WAIT: pgettext_lazy("inbox: button", "Open the case"),
    CaseStep.APPEAL: pgettext_lazy("inbox: button", "Read the ruling"),
    CaseStep.READ: pgettext_lazy("inbox: button", "Read the ruling"),
    CaseStep.FIND: pgettext_lazy("inbox: button", "Find the facts"),
    CaseStep.RULE: pgettext_lazy("inbox: button", "Give the ruling"),
    CaseStep.CONFIRM: pgettext_lazy("inbox: button", "Confirm the ruling"),
    CaseStep.HEAR: pgettext_lazy("inbox: button", "Hear the appeal"),
}


# --- On a page ---


@dataclass(frozen=True, slots=True)
class Inbox:
    """One page of the inbox in words; `counts`: of all its items by kind; `back`: this page, for its forms."""

    page: Page[InboxLine]
    counts: dict[InboxKind, int]
    back: str

    @property
    def lines(self) -> list[InboxLine]:
        return list(self.page.object_list)


def inbox_of(
    request: HttpRequest, size: int, *, league: League | None = None, competition: Competition | None = None
) -> Inbox:
    """Return the asker's inbox, or its part of a league or competition; `?needs=` is its page.

    A constant number of statements.
    """
    found = inbox(request.user, league=league, competition=competition)
    counts = {kind: sum(one.kind is kind for one in found) for kind in InboxKind}
    cases = [] if competition else case_lines(request.user, league)
    page = page_of(request, [*cases, *found], size, name=PARAMETER)
    shown = list(page.object_list)
    items = [one for one in shown if isinstance(one, Item)]
    lines = iter(inbox_line(one) for one in with_matches(items, request.user))
    page.object_list = [next(lines) if isinstance(one, Item) else one for one in shown]
    return Inbox(page, counts, request.get_full_path() if request.method == "GET" else "")

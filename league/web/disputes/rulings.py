"""Public rulings of a league: the list, and each with a permanent address; not about conduct, nor with minors."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _

from league.competitions.queries.lists import competition_of
from league.disputes.case_file import LogCase, case_of
from league.disputes.court_rules import rules_of_court
from league.disputes.entries import entries_by_dispute, stage_now
from league.disputes.facts import question_of
from league.disputes.models import Dispute, DisputeEntry
from league.disputes.queries import is_heard, public_ruling, public_rulings
from league.disputes.stage import stage_of
from league.web.components.disputes import names_in
from league.web.disputes.case_parts import ruled_score
from league.web.disputes.evidence import rule_line
from league.web.disputes.places import ChosenPlace, words_of
from league.web.shared.access import league_or_404
from league.web.shared.pagination import page_of
from league.web.words.disputes import ANSWERS, KINDS, OUTCOMES, SHORT_KINDS, said
from league.web.words.labels import Label
from referee.rulings.court import FactFound

A_PAGE = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class RulingLine:
    """A ruling in plain words, with display names."""

    code: str
    title: str
    kind: Any
    where: str
    label: Label
    match: str
    match_id: int
    at: datetime
    reason: str
    score: str
    who: str
    confirmed_by: str
    by_proof: bool
    rules_name: str
    on_appeal: bool
    appealed: bool
    deadline: datetime | None
    anchor: str


def index(request: HttpRequest, slug: str) -> HttpResponse:
    """List the public rulings of a league, the newest first."""
    league = league_or_404(slug)
    page = page_of(request, public_rulings(league), A_PAGE)
    rows = list(page.object_list)
    given = entries_by_dispute(rows)
    page.object_list = [ruling_line(one, given.get(one.pk, [])) for one in rows]
    return render(request, "disputes/rulings.html", {"league": league, "page": page, "area": "leagues"})


def detail(request: HttpRequest, slug: str, code: str) -> HttpResponse:
    """Show a ruling by the code of its case; it prints on half a page."""
    league = league_or_404(slug)
    try:
        dispute = public_ruling(league, code[:20])
    except Dispute.DoesNotExist as absent:
        raise Http404 from absent
    found, rules = _finding_and_rules(dispute)
    line = ruling_line(dispute, entries_by_dispute([dispute])[dispute.pk])
    heard = line.deadline is not None and is_heard(dispute)
    context = {
        "league": league,
        "ruling": replace(line, deadline=line.deadline if heard else None),
        "unheard": line.deadline is not None and not heard,
        "finding": found,
        "rules": rules,
        "place": competition_of([dispute.match_id]).get(dispute.match_id),
        "area": "leagues",
    }
    return render(request, "disputes/ruling.html", context)


def ruling_line(one: Dispute, given: list[DisputeEntry]) -> RulingLine:
    """Return the ruling that stands in words, never one that waits or was rejected. `given`: all entries in order."""
    names = names_in(one.match)
    ruled = stage_of(given).ruling
    data = ruled.data if ruled else {}
    confirmed = next((entry for entry in given if ruled and _confirms(entry, ruled)), None)
    words = getattr(ruled, "words", None)
    label = OUTCOMES[one.outcome]
    return RulingLine(
        code=one.code,
        title=_("%(kind)s: %(outcome)s") % {"kind": SHORT_KINDS[one.kind], "outcome": label.word},
        kind=KINDS[one.kind],
        where=words_of([], ChosenPlace(one.line, one.hand)),
        label=label,
        match=" – ".join(names),
        match_id=one.match_id,
        at=ruled.at if ruled else one.raised_at,
        reason=words.text if words else "",
        score=ruled_score(data, names),
        who=str(ruled.by or "") if ruled else "",
        confirmed_by=str(confirmed.by or "") if confirmed else "",
        by_proof=bool(data.get("proof")),
        rules_name=one.match.ruleset,
        on_appeal=one.instance == 2 and one.state == Dispute.State.RULED,
        appealed=one.state in (Dispute.State.APPEALED, Dispute.State.WAITING),
        deadline=one.deadline if one.instance == 1 and one.deadline and one.deadline > timezone.now() else None,
        anchor=f"#L{one.line}" if one.line and one.game.number == 1 else f"#g{one.game.number}",
    )


def _confirms(entry: DisputeEntry, ruling: DisputeEntry) -> bool:
    return entry.kind == DisputeEntry.Kind.CONFIRMED and entry.data["ruling"] == ruling.number


def _finding_and_rules(dispute: Dispute) -> tuple[str, list[dict[str, str]]]:
    """Return the fact and the rules that the ruling in force rests on, not those of an appeal before its ruling."""
    try:
        case = case_of(dispute, rules_of_court(dispute.match.league_id))
    except ValueError:
        return "", []
    if not isinstance(case, LogCase):
        return "", []
    ruling, asked = stage_now(dispute).ruling, question_of(case)
    answer = ruling.data.get("answer") if ruling else None
    told = f"{said(asked.question)} – {ANSWERS[FactFound(answer)]}" if asked and answer else ""
    return told, [rule_line(one) for one in case.proposal.rules]

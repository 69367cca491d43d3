"""A case in words, as one visitor may see it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from league.disputes.case_file import LogCase
from league.disputes.facts import question_of
from league.disputes.models import Dispute, DisputeEntry
from league.disputes.proving import proof_from
from league.disputes.queries import CaseView, Precedent, precedents, public_rulings
from league.matches.permissions import Guest, Visitor
from league.matches.queries.lines import SideScore
from league.matches.results.judges import JudgeView, judge_view
from league.web.components.disputes import effect_now, protest_title
from league.web.disputes.case_parts import (
    AppealLine,
    HistoryLine,
    OfferLine,
    PointLine,
    RulingCard,
    StatementLine,
    appeal_of,
    history_of,
    name_of_entry,
    offer_of,
    points_of,
    rulings_of,
    statements_of,
)
from league.web.disputes.differences import difference_of
from league.web.disputes.evidence import ComparisonWords, ProposalWords, card_words, proposal_words
from league.web.disputes.places import PlacesOfHand
from league.web.matches.replay import ReplayStep
from league.web.matches.reviews import JudgeCard, judge_card
from league.web.matches.rounds import GameSheet
from league.web.words.disputes import ANSWERS, EFFECTS, FACTS, OUTCOMES, STATES, said
from league.web.words.labels import Label
from referee.rulings.card_court import CardProposal
from referee.rulings.court import CourtDecision, FactFound
from referee.rulings.proposal import Proposal

AROUND = 5
"""Steps shown before and after the step of a protest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseWords:
    """The page of a case. `now`: sentences about the state; `may`: the acts of the visitor, see `CaseActs`.

    `replay_url`: page with the replay, "" for this one; `opens_at`: address of the protested step in it.
    """

    title: str
    state: Label
    where: str
    now: list[str]
    points: list[PointLine]
    appeal: AppealLine | None
    statements: list[StatementLine]
    question: str
    answers: list[tuple[str, Any]]
    finding: str
    proposal: ProposalWords | None
    decided: str
    decided_why: str
    difference: ComparisonWords | None
    precedents: Sequence[Any]
    rulings: list[RulingCard]
    offer: OfferLine | None
    amends: bool
    history: list[HistoryLine]
    sheet: GameSheet
    excerpt: list[ReplayStep]
    match_url: str
    replay_url: str
    opens_at: str
    may: dict[str, bool]
    officiates: bool
    proves: bool
    seen: int
    decider: str
    no_appeal: bool
    photos: list[tuple[int, str]]
    judge: JudgeView | None
    judge_card: JudgeCard | None
    proof_from: datetime | None
    proof_now: bool


def excerpt_of(sheet: GameSheet, line: int | None) -> list[ReplayStep]:
    """Return the steps around a line of the log, in the same hand."""
    if sheet.replay is None or line is None:
        return []
    for one in sheet.replay.rounds:
        at = next((place for place, step in enumerate(one.steps) if step.line == line), None)
        if at is not None:
            return one.steps[max(at - AROUND, 0) : at + AROUND + 1]
    return []


def state_sentences(dispute: Dispute, decider: str, *, heard: bool) -> list[str]:
    """Return the state of a dispute in sentences: what happens to play, and what it waits for.

    `heard`: somebody is left to hear an appeal.
    """
    found = []
    now = timezone.now()
    if dispute.is_open:
        found.append(_effect(dispute))
    if dispute.state == Dispute.State.OPEN and decider:
        found.append(_("%(name)s has taken the case and looks for the facts.") % {"name": decider})
    elif dispute.state == Dispute.State.OPEN:
        found.append(_("It waits for an official who takes the case. Until then both sides may still agree."))
    elif dispute.state == Dispute.State.FOUND:
        found.append(_("The facts are found. The ruling comes next."))
    elif dispute.state == Dispute.State.WAITING:
        found.append(_("The ruling counts once another official confirms it."))
    elif dispute.state == Dispute.State.APPEALED:
        found.append(_("Another official hears the appeal. The ruling holds until then."))
    elif dispute.state == Dispute.State.RULED and dispute.instance == 1 and dispute.deadline and dispute.deadline > now:
        until = date_format(timezone.localtime(dispute.deadline), "j F Y, H:i")
        if not heard:
            return [*found, _("The ruling stands. Nobody is left to hear an appeal.")]
        found.append(_("The ruling is in force. Each side may appeal once until %(when)s.") % {"when": until})
    elif dispute.state == Dispute.State.RULED:
        found.append(_("The ruling is final."))
    return found


def _effect(dispute: Dispute) -> str:
    effect = effect_now(dispute, timezone.now())
    told = str(EFFECTS[effect])
    if effect == Dispute.Effect.HOLD and dispute.hold_until:
        time = date_format(timezone.localtime(dispute.hold_until), "H:i")
        return f"{told} {_('They wait until %(time)s at the latest.') % {'time': time}}"
    return told


def case_words(
    view: CaseView, sheet: GameSheet, sides: Sequence[SideScore], hands: Sequence[PlacesOfHand], who: Visitor
) -> CaseWords:
    dispute, stage = view.dispute, view.stage
    names = [side.name for side in sides]
    points = points_of(view.entries, names, hands, view.words)
    needs_judge = bool({"name-judge", "accept-judge"} & view.may)
    judge = judge_view(dispute.match, view.one) if needs_judge else None
    by_proof = proof_from(dispute) if needs_judge else None
    decider = decider_of(view)
    offer = offer_of(stage, names) if view.one.plays or view.one.official else None
    return CaseWords(
        title=protest_title(dispute, names),
        state=STATES[stage.state],
        where=points[0].where if points else "",
        now=state_sentences(dispute, decider, heard=view.appeal) + _agreed(view, offer),
        points=points,
        appeal=appeal_of(view.entries, names, view.words),
        statements=statements_of(view.entries, names, view.words),
        question=said(view.question.question) if view.question else "",
        answers=[(key.value, word) for key, word in ANSWERS.items()],
        finding=_finding(view),
        proposal=_proposal(view),
        decided=_decided(view, names),
        decided_why=_why(view),
        difference=difference_of(view),
        precedents=[_precedent(one) for one in precedents(dispute)] if is_official(view) else [],
        rulings=rulings_of(view.entries, stage, names, view.words, public=is_public(dispute)),
        offer=offer if stage.state in (Dispute.State.OPEN, Dispute.State.FOUND) else None,
        amends=is_official(view) and _waits_for_amendment(view),
        history=history_of(view.entries, names),
        sheet=sheet,
        excerpt=excerpt_of(sheet, dispute.line),
        match_url=reverse("matches:detail", args=[dispute.match_id]),
        replay_url="" if is_official(view) and sheet.replay else _replay_url(dispute, sheet),
        opens_at=points[0].anchor if points else "",
        may=offered(view),
        officiates=is_official(view),
        proves=isinstance(who, Guest) and not who.is_proved,
        seen=stage.last,
        decider=decider,
        photos=[(one.number, name_of_entry(one, names)) for one in view.entries if one.number in view.photos],
        judge=judge,
        judge_card=judge_card(judge, sides),
        proof_from=by_proof,
        proof_now=by_proof is not None and view.one.user_id is not None and by_proof <= timezone.now(),
        no_appeal=not view.appeal and stage.instance == 1 and (stage.is_open or "confirm" in view.may),
    )


def _replay_url(dispute: Dispute, sheet: GameSheet) -> str:
    """Return the match page with the record of the case, and the part of its replay that is shown."""
    asked: list[tuple[str, object]] = [("record", dispute.record_id)] if dispute.record_id else []
    asked += [("rounds", one.key) for one in (sheet.replay.parts if sheet.replay else []) if one.shown]
    return f"{reverse('matches:detail', args=[dispute.match_id])}?{urlencode(asked)}"


def offered(view: CaseView) -> dict[str, bool]:
    """Return the acts that the page offers; the facts come before the ruling."""
    may = {one.replace("-", "_"): True for one in view.may}
    asked = view.stage.asked
    take = "take" in view.may and view.stage.decider != view.one.user_id
    return may | {"find": "find" in view.may and not asked, "rule": "rule" in view.may and asked, "take": take}


def is_official(view: CaseView) -> bool:
    """Return whether the asker sees the page as an official or as the judge of the case."""
    return not view.one.plays and (view.one.official or view.one.enters or view.private or bool(view.may))


def is_public(dispute: Dispute) -> bool:
    """Return whether the ruling has a public address. One statement."""
    return public_rulings(dispute.match.league).filter(pk=dispute.pk).exists()


def decider_of(view: CaseView) -> str:
    """Return the name of the judge of the case, "" for none."""
    decider = view.stage.decider
    return next((str(one.by) for one in reversed(view.entries) if decider and one.by_id == decider), "")


def _precedent(one: Precedent) -> tuple[str, str, str]:
    """Return the code of an earlier ruling, its rules, and its finding and outcome in words."""
    told = " · ".join(part for part in map(str, (FACTS.get(one.fact, ""), _answer(one.answer))) if part)
    outcome = str(OUTCOMES[one.outcome].word)
    return one.code, ", ".join(one.rules), f"{told}: {outcome}" if told else outcome


def _answer(answer: str) -> Any:
    return next((word for one, word in ANSWERS.items() if one.value == answer), "")


def _proposal(view: CaseView) -> ProposalWords | None:
    if isinstance(view.case, LogCase) and isinstance(view.proposal, Proposal):
        return proposal_words(view.proposal, view.case.file.names)
    return card_words(view.proposal) if isinstance(view.proposal, CardProposal) else None


def _finding(view: CaseView) -> str:
    if not view.stage.asked or view.proposal is None:
        return ""
    asked = question_of(view.case)
    if asked is None or view.stage.answer is None:
        return pgettext("dispute: finding", "no further fact is needed")
    return f"{said(asked.question)} – {ANSWERS[view.stage.answer]}"


def _agreed(view: CaseView, offer: OfferLine | None) -> list[str]:
    """Return what both sides agreed on, and whether an official has to amend the result; nothing for others."""
    agreed = next((one for one in view.entries if one.kind == DisputeEntry.Kind.AGREED), None)
    if agreed is None or offer is None:
        return []
    found = [_("Both sides agreed: %(outcome)s.") % {"outcome": offer.words}]
    if _waits_for_amendment(view):
        found.append(_("The result is confirmed already, so an official amends it."))
    return found


def _waits_for_amendment(view: CaseView) -> bool:
    """Return whether both sides agreed on another score than the official one."""
    return any(one.kind == DisputeEntry.Kind.AGREED and not one.data.get("carried", True) for one in view.entries)


def _why(view: CaseView) -> str:
    """Return why the proposal follows; "" where the finding above says it."""
    if view.decision is None or view.stage.answer in (FactFound.YES, FactFound.NO):
        return ""
    return said(view.decision.reason)


def _decided(view: CaseView, names: Sequence[str]) -> str:
    if view.decision is None:
        return ""
    if isinstance(view.decision, CourtDecision) and isinstance(view.case, LogCase):
        return said(view.decision.version.outcome.sentence(view.case.file.names))
    return said(view.decision.outcome.sentence(names))

"""Questions about disputes: the queue of a league, one case, the disputes of a match, the rulings of a league."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from datetime import datetime

from django.db.models import Q, QuerySet
from django.utils import timezone

from league.accounts.models import League
from league.accounts.naming import OF_AGE, this_year
from league.accounts.permissions import STAFF, leagues_where
from league.disputes.case_file import Case, LogCase, case_of
from league.disputes.court_rules import rules_of_court
from league.disputes.deciders import is_somebody_else, needs_judge
from league.disputes.entries import entries_by_dispute, entries_of
from league.disputes.facts import question_of
from league.disputes.models import Dispute, DisputeEntry
from league.disputes.models.dispute import OPEN
from league.disputes.permissions import (
    hearers,
    hearers_by_case,
    is_in_time,
    reads_private,
    reads_proposal,
    why_not_confirm,
    why_not_decide,
)
from league.disputes.protests.effects import holds
from league.disputes.stage import CaseStage, stage_of
from league.matches import permissions
from league.matches.models import Match, Side
from league.matches.results.judges import judged_by
from referee.rulings.card_court import CardDecision, CardProposal
from referee.rulings.court import CourtDecision
from referee.rulings.proposal import FactQuestion, Proposal

State, Kind = Dispute.State, DisputeEntry.Kind
RELATED = ("match__league__parent", "match__table", "game", "record__sealed", "record__score_sheet", "raised_by")
PERSONAL = (Dispute.Kind.CONDUCT, Dispute.Kind.FRAUD, Dispute.Kind.IDENTITY)
"""Matters that accuse a person: never public."""
PRIVATE = frozenset({Kind.FILED, Kind.JOINED, Kind.STATEMENT, Kind.APPEALED})
"""Entries whose words are for the judge, the second official and the body of the appeal only, and for their side."""


@dataclass(frozen=True, slots=True)
class CaseView:
    """A dispute for one asker: only what this asker may see.

    `words` by number of the entry. `may`: acts that the asker may do now: `take`, `find`, `rule`, `step-back`,
    `confirm`, `reject`, `state`, `offer`, `accept`, `withdraw`, `refuse`, `appeal`, `set-effect`, and `name-judge`,
    `accept-judge` (matches/results/judges.py). `private`: statements and photos are among it, so the look is logged
    (`photos.looked(view)`). `question`: of the proposal, for those who find facts. `proposal` and `decision`: after the
    facts for officials, with the ruling for the sides. `appeal`: somebody is left to hear an appeal after a ruling.
    """

    dispute: Dispute
    stage: CaseStage
    one: permissions.Actor
    entries: list[DisputeEntry]
    words: dict[int, str]
    photos: tuple[int, ...]
    may: frozenset[str]
    private: bool
    question: FactQuestion | None
    case: Case | None
    proposal: Proposal | CardProposal | None
    decision: CourtDecision | CardDecision | None
    appeal: bool
    hold: bool


def visible_disputes(user: permissions.Visitor) -> QuerySet[Dispute]:
    """Return the disputes that the asker may know of: those of visible matches.

    Conduct, fraud and identity only for the sides, their judge, the staff of the league and that of its parent.
    """
    rows = Dispute.objects.select_related(*RELATED)
    if isinstance(user, permissions.Guest):
        return rows.filter(match=user.match_id)
    rows = rows.filter(match__in=Match.objects.filter(permissions.visible_to(user)))
    if not user.is_authenticated:
        return rows.exclude(kind__in=PERSONAL)
    staff = leagues_where(user, STAFF)
    own = Q(match__in=permissions.sides_of(user).values("match")) | Q(raised_by=user)
    own |= Q(match__in=judged_by(user)) | Q(match__league__in=staff) | Q(match__league__parent__in=staff)
    return rows.filter(own | ~Q(kind__in=PERSONAL))


def publicly_open(league: League) -> QuerySet[Dispute]:
    """Return the open disputes of a league that everybody may know of."""
    return Dispute.objects.filter(match__league=league, state__in=OPEN).exclude(kind__in=PERSONAL).order_by()


def case_view(code: str, user: permissions.Visitor, at: datetime | None = None) -> CaseView:
    """Return the dispute with this code for the asker. Raises Dispute.DoesNotExist.

    A fixed number of statements.
    """
    dispute = visible_disputes(user).get(code=code.upper())
    return view_of(dispute, user, at or timezone.now())


def view_of(dispute: Dispute, user: permissions.Visitor, at: datetime) -> CaseView:
    entries = entries_of(dispute)
    stage = stage_of(entries)
    one = permissions.actor(user, dispute.match)
    private = reads_private(one, dispute, stage)
    deciding = {one.user_id or 0, stage.waiting.by_id if stage.waiting else 0}
    apart = stage.deciders | stage.gone | (set() if stage.state == State.RULED else deciding)
    official = not one.plays and (one.official or private)
    words = dict(_words(dispute, entries, one, private=private, official=official))
    may = frozenset(_acts(dispute, stage, one, at))
    case = _case(dispute) if one.plays or one.user_id else None
    sees = reads_proposal(one, dispute, stage)
    decided = _decision(case, stage) if sees and stage.asked else None
    return CaseView(
        dispute=dispute,
        stage=stage if official or stage.state == State.RULED else replace(stage, answer=None, waiting=None),
        one=one,
        entries=_shown(dispute, entries, stage, one, official=official),
        words=words,
        photos=tuple(one.number for one in entries if one.kind == Kind.PHOTO) if private else (),
        may=may,
        private=private,
        question=question_of(case) if "find" in may else None,
        case=case if sees else None,
        proposal=case.proposal if sees and case else None,
        decision=decided,
        appeal=stage.instance == 1 and bool(hearers(dispute, apart)),
        hold=holds(dispute, at),
    )


def _case(dispute: Dispute) -> Case | None:
    try:
        return case_of(dispute, rules_of_court(dispute.match.league_id))
    except ValueError:
        return None


def _decision(case: Case | None, stage: CaseStage) -> CourtDecision | CardDecision | None:
    if case is None:
        return None
    if isinstance(case, LogCase) and case.proposal.question is not None and stage.answer is None:
        return None
    return case.decision(stage.answer)


def _shown(
    dispute: Dispute, entries: Collection[DisputeEntry], stage: CaseStage, one: permissions.Actor, *, official: bool
) -> list[DisputeEntry]:
    """Return the entries for the asker: officials see all, sides and desk no finding and no ruling before it stands.

    Strangers see what is public. An entry whose content is not shown has empty `data`.
    """
    if official:
        return list(entries)
    concerned = one.plays or one.enters
    stands, disclosed = stage.state == State.RULED, concerned or _is_public(dispute)
    public = {Kind.FILED, Kind.RULED, Kind.CONFIRMED, Kind.AGREED, Kind.WITHDRAWN, Kind.APPEALED}
    kept = [entry for entry in entries if concerned or entry.kind in public]
    for entry in kept:
        hidden = entry.kind == Kind.RULED and not is_standing(entry, entries)
        closed = not disclosed and entry.kind in (Kind.RULED, Kind.FILED)
        if hidden or closed or (entry.kind == Kind.FOUND and not stands):
            entry.data = {}
    return kept


def _is_public(dispute: Dispute) -> bool:
    if dispute.kind in PERSONAL:
        return False
    return not matches_with_minors().filter(pk=dispute.match_id).exists()


def _words(
    dispute: Dispute, entries: Collection[DisputeEntry], one: permissions.Actor, *, private: bool, official: bool
) -> Iterator[tuple[int, str]]:
    """Yield the words of entries that the asker may read, by number."""
    public = _is_public(dispute)
    for entry in entries:
        words = getattr(entry, "words", None)
        if words is None:
            continue
        own = one.plays and entry.for_side == one.side
        told = is_standing(entry, entries) and (one.plays or one.enters or public)
        ruling = entry.kind == Kind.RULED and (official or told)
        rejection = entry.kind == Kind.REJECTED and official
        if private or own or ruling or rejection:
            yield entry.number, words.text


def is_standing(ruling: DisputeEntry, entries: Collection[DisputeEntry]) -> bool:
    """Return whether a ruling was given at once, or confirmed."""
    return not ruling.data.get("waits", True) or _is_confirmed(ruling, entries)


def _is_confirmed(ruling: DisputeEntry, entries: Collection[DisputeEntry]) -> bool:
    return any(one.kind == Kind.CONFIRMED and one.data["ruling"] == ruling.number for one in entries)


def _acts(dispute: Dispute, stage: CaseStage, one: permissions.Actor, at: datetime) -> Iterator[str]:
    if (stage.is_open or stage.state == State.WAITING) and one.enters and not one.plays:
        yield "set-effect"
    if stage.is_open and stage.instance == 1 and (one.enters or one.plays) and needs_judge(dispute):
        yield "accept-judge" if one.plays else "name-judge"
        if one.enters and one.plays:
            yield "name-judge"
    if stage.is_open and why_not_decide(one, dispute, stage) is None:
        yield from ("take", "find", "rule")
        if stage.decider == one.user_id:
            yield "step-back"
    if stage.state == State.WAITING and stage.waiting is not None:
        if why_not_confirm(one, dispute, stage) is None:
            yield from ("confirm", "reject")
        elif stage.waiting.by_id == one.user_id:
            yield "reject"
    if one.plays:
        yield from _acts_of_side(dispute, stage, one, at)


def _acts_of_side(dispute: Dispute, stage: CaseStage, one: permissions.Actor, at: datetime) -> Iterator[str]:
    if stage.is_open and one.side not in stage.stated:
        yield "state"
    if stage.state in (State.OPEN, State.FOUND):
        if Side.objects.filter(match=dispute.match_id).count() == 2:
            yield "offer"
        if stage.offer is not None and stage.offer.for_side != one.side:
            yield "accept"
        if dispute.for_side == one.side:
            yield "withdraw"
    refusable = stage.is_open and stage.decider is not None and one.side not in stage.refusing
    if refusable and is_somebody_else(dispute, stage):
        yield "refuse"
    in_time = stage.state == State.RULED and stage.instance == 1 and is_in_time(dispute.deadline, at)
    if in_time and hearers(dispute, stage.deciders | stage.gone):
        yield "appeal"


def is_heard(dispute: Dispute) -> bool:
    """Return whether somebody is left to hear an appeal against the ruling that stands. Four statements."""
    return dispute.pk in heard_among([dispute])


def heard_among(disputes: Collection[Dispute]) -> frozenset[int]:
    """Return those of which somebody is left to hear an appeal. Four statements, none without a dispute."""
    if not disputes:
        return frozenset()
    stages = {key: stage_of(entries) for key, entries in entries_by_dispute(disputes).items()}
    found = hearers_by_case([(one, stages[one.pk].deciders | stages[one.pk].gone) for one in disputes])
    return frozenset(key for key, accounts in found.items() if accounts)


# --- Lists


def with_sides(rows: QuerySet[Dispute]) -> QuerySet[Dispute]:
    people = ("match__sides__entrant__player", "match__sides__entrant__partner")
    return rows.select_related(*RELATED).prefetch_related(*people)


def public_rulings(league: League) -> QuerySet[Dispute]:
    """Return the disputes with a public ruling, the newest first: not about a person, nor with a minor.

    Until the ruling of an appeal stands, the first one is public. The words of the ruling: `ruling_words`.
    """
    rows = Dispute.objects.filter(match__league=league, match__published_at__isnull=False)
    stands = Q(state__in=[State.RULED, State.APPEALED]) | Q(state=State.WAITING, instance=2)
    rows = rows.filter(stands).exclude(kind__in=PERSONAL)
    return with_sides(rows.exclude(match__in=matches_with_minors())).order_by("-closed_at", "-pk")


def matches_with_minors() -> QuerySet[Match]:
    """Return the matches with a player whose name is shown by initials only."""
    since = this_year() - OF_AGE
    young = Q(entrant__player__born__gte=since) | Q(entrant__partner__born__gte=since)
    return Match.objects.filter(pk__in=Side.objects.filter(young).values("match"))


def public_ruling(league: League, code: str) -> Dispute:
    """Return the dispute of a public ruling by its permanent address. Raises Dispute.DoesNotExist."""
    return public_rulings(league).get(code=code.upper())


def last_decisions(league: League, count: int = 5) -> QuerySet[Dispute]:
    """Return the disputes closed last, with their sides."""
    return with_sides(Dispute.objects.filter(match__league=league, closed_at__isnull=False).order_by("-closed_at"))[
        :count
    ]


@dataclass(frozen=True, slots=True)
class Precedent:
    """An earlier ruling on the same question, without persons. `fact`: see `referee.rulings.proposal.Fact`."""

    code: str
    outcome: str
    rules: tuple[str, ...]
    fact: str
    answer: str


def precedents(dispute: Dispute, most: int = 5) -> list[Precedent]:
    """Return earlier rulings of the league on the same matter and ruleset, the newest first. One statement.

    Agreements are none, nor are rulings by the rule of proof.
    """
    rows = DisputeEntry.objects.filter(
        kind=Kind.RULED,
        dispute__state=State.RULED,
        dispute__kind=dispute.kind,
        dispute__match__league=dispute.match.league_id,
        dispute__match__ruleset=dispute.match.ruleset,
    ).exclude(dispute=dispute)
    newest: dict[int, Precedent] = {}
    for entry in rows.select_related("dispute").order_by("-at", "-pk")[: most * 4]:
        said = entry.data
        if not said["proof"] and said["outcome"] == entry.dispute.outcome:
            told = tuple(said["rules"]), said.get("fact") or "", said.get("answer") or ""
            newest.setdefault(entry.dispute_id, Precedent(entry.dispute.code, said["outcome"], *told))
    return list(newest.values())[:most]

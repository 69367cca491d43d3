"""Rulings: preview, ruling, its confirmation or rejection by a second official."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.wording.base import Sentence
from league.accounts.models import User
from league.competitions.amendments.diff import Effect
from league.competitions.amendments.services import Outlooks, close_amendment, confirm_amendment, lock_game
from league.disputes.carrying_out import (
    Carried,
    NewResult,
    carry_out,
    effect_of,
    enter_confirmed,
    suffices_alone,
    void_entries,
)
from league.disputes.case_file import Case, LogCase, case_of, ruling_to, text_now
from league.disputes.court_rules import rules_of_court
from league.disputes.deciders import take
from league.disputes.entries import append, locked_dispute, refuse_if_stale, refuse_unless
from league.disputes.models import Dispute, DisputeEntry, SealedRuling
from league.disputes.permissions import hearers, why_not_confirm
from league.disputes.stage import CaseStage
from league.errors import Refused
from league.matches import permissions
from league.matches.amendments import checked_reason, judge
from league.matches.hash_chain import sha256
from league.matches.models import Amendment, KnownBy, Result
from league.matches.results.standing import official_result
from referee.rulings.amending import amend
from referee.rulings.court import FactFound, from_hand
from referee.rulings.text import RulingText, digest, ruling_on, write_ruling

Outcome, Kind, State = Dispute.Outcome, DisputeEntry.Kind, Dispute.State
# These follow from the facts by the proposal.
BY_PROPOSAL = frozenset({Outcome.UPHELD, Outcome.COUNT, Outcome.CALL, Outcome.PENALTY})
REPLAYS = frozenset({Outcome.HAND, Outcome.GAME})


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedRuling:
    """The ruling that a decider wants.

    `reason` is public, at most 200 characters. `scores` in the order of the sides, `winner` and `ended` of a result
    ruled. `later`: see `Amendment.Later`.
    """

    outcome: Dispute.Outcome
    reason: str
    scores: tuple[int, ...] = ()
    winner: int | None = None
    ended: str = "target"
    later: str = ""


@dataclass(frozen=True, slots=True)
class RulingResult:
    """Result of a ruling: the new result, and the ruling text with the log after it; None for none.

    `says`: the reason by the referee's proposal; `told`: rules and finding, for precedents.
    """

    new: NewResult | None = None
    ruling: RulingText | None = None
    text: str = ""
    says: Sentence | None = None
    told: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RulingPreview:
    """A ruling before it is saved.

    `effect`: what it changes, None for nothing; `outlooks`: the choices of an amendment of an official result.
    `digest`: pass it as `seen_effect` to `rule`. `waits`: another official has to confirm it. `appeal`: somebody is
    left to hear an appeal.
    """

    decided: RulingResult
    effect: Effect | None
    outlooks: Outlooks | None
    waits: bool
    appeal: bool

    @property
    def digest(self) -> str:
        return self.effect.digest if self.effect and self.outlooks else ""


def preview(dispute: Dispute, user: User, wanted: WantedRuling, at: datetime | None = None) -> RulingPreview:
    """Return what a ruling would change; nothing is stored.

    Raises as `rule` does for the same ruling.
    """
    at = at or timezone.now()
    with transaction.atomic():
        lock_game(dispute.game)
        now, stage = locked_dispute(dispute)
        refuse_unless(stage, State.OPEN, State.FOUND, State.APPEALED)
        one = take(now, stage, user, at)
        reason = checked_reason(wanted.reason or "–")
        decided = _decided(now, stage, wanted)
        effect, choices = None, None
        if decided.new is not None:
            effect, choices = effect_of(now.game, user, decided.new, reason=reason, later=wanted.later, at=at)
        alone = suffices_alone(one, now.match)
        transaction.set_rollback(True)
    waits = not alone and (decided.new is not None or wanted.outcome in REPLAYS)
    left = stage.instance == 1 and bool(hearers(now, stage.gone | {one.user_id or 0}))
    return RulingPreview(decided, effect, choices, waits, left)


@transaction.atomic
def rule(
    dispute: Dispute,
    user: User,
    wanted: WantedRuling,
    *,
    seen: int | None = None,
    seen_effect: str = "",
    typed: str = "",
    at: datetime | None = None,
) -> Dispute:
    """Give a ruling, after the facts. It stands at once, or waits for a second official if it changes a result.

    `seen`: number of the last entry that the page showed; `seen_effect`, `typed`: as `propose_amendment` has them.

    Raises NotAllowed: those of `permissions.why_not_decide`; Refused `decided-meanwhile` (409), `facts-first`,
    `no-reason`, `long-reason`, `no-proposal`, `nothing-changes`, and those of `carrying_out.carry_out`.
    """
    at = at or timezone.now()
    lock_game(dispute.game)
    now, stage = locked_dispute(dispute)
    refuse_unless(stage, State.OPEN, State.FOUND, State.APPEALED)
    refuse_if_stale(stage, seen)
    one = take(now, stage, user, at)
    reason = checked_reason(wanted.reason)
    decided = _decided(now, stage, wanted)
    carried = Carried()
    if decided.new is not None:
        terms = {"later": wanted.later, "seen": seen_effect, "typed": typed}
        carried = carry_out(now.game, user, decided.new, reason=reason, at=at, **terms)
    elif wanted.outcome in REPLAYS:
        carried = Carried(waits=not suffices_alone(one, now.match))
    kept = stage.ruling if wanted.outcome == Outcome.DISMISSED else None
    append_ruling(now, wanted, decided, carried, by=one.user_id, reason=reason, at=at, kept=kept)
    return now


def append_ruling(
    dispute: Dispute,
    wanted: WantedRuling,
    decided: RulingResult,
    carried: Carried,
    *,
    by: int | None,
    reason: str,
    at: datetime,
    proof: bool = False,
    kept: DisputeEntry | None = None,
) -> DisputeEntry:
    """Append a ruling, as it was carried out. `kept`: the first ruling, where its appeal is dismissed."""
    scores, winner = _scores(carried)
    data = {
        "outcome": wanted.outcome,
        "scores": scores or list(wanted.scores),
        "winner": winner,
        "wanted": {"scores": wanted.scores, "winner": wanted.winner, "ended": wanted.ended},
        "amendment": carried.amendment,
        "result": carried.result,
        "waits": carried.waits,
        "proof": proof,
        **decided.told,
    }
    if kept is not None:
        data |= {name: kept.data[name] for name in ("outcome", "scores", "winner", "wanted")}
    if decided.ruling is not None:
        data |= {"ruling": sha256(write_ruling(decided.ruling).encode()), "results_in": digest(decided.text)}
    if not carried.waits:
        stands(dispute, wanted.outcome, at)
    entry = append(dispute, Kind.RULED, data, by=by, at=at, text=reason)
    if decided.ruling is not None:
        text = write_ruling(decided.ruling)
        SealedRuling.objects.create(
            entry=entry,
            text=text,
            sha256=sha256(text.encode()),
            amends=decided.ruling.amends,
            results_in=data["results_in"],
        )
    return entry


def _scores(carried: Carried) -> tuple[Any, int | None]:
    """Return points by side and winner of what was carried out."""
    if carried.amendment is not None:
        return Amendment.objects.values_list("scores", "winner").get(pk=carried.amendment)
    if carried.result is not None:
        return Result.objects.values_list("scores", "winner").get(pk=carried.result)
    return carried.scores, carried.winner


def stands(dispute: Dispute, outcome: str, at: datetime) -> None:
    """Set the deadline of the appeal; void the entries of a game that is played again."""
    rules = rules_of_court(dispute.match.league_id)
    dispute.deadline = at + timedelta(minutes=rules.appeal_minutes)
    dispute.hold_until = None
    dispute.effect = Dispute.Effect.PLAY_ON
    if outcome in REPLAYS:
        void_entries(dispute.game, at)


@transaction.atomic
def confirm_ruling(
    dispute: Dispute,
    user: User,
    *,
    seen: int | None = None,
    seen_effect: str = "",
    typed: str = "",
    at: datetime | None = None,
) -> Dispute:
    """Confirm a waiting ruling as the second official; it is carried out.

    Raises NotAllowed: those of `permissions.why_not_confirm`; Refused `decided-meanwhile` (409), and those of
    `confirm_amendment`.
    """
    at = at or timezone.now()
    lock_game(dispute.game)
    now, stage = locked_dispute(dispute)
    waiting = _waiting(stage, seen)
    one = permissions.actor(user, now.match)
    if refusal := why_not_confirm(one, now, stage):
        raise refusal
    if waiting.data["amendment"]:
        amendment = Amendment.objects.select_related("game__match__league").get(pk=waiting.data["amendment"])
        if amendment.state == Amendment.State.PROPOSED:
            confirm_amendment(amendment, user, seen=seen_effect, typed=typed, at=at)
    else:
        _enter_waiting(now, stage, waiting, one, at)
    stands(now, waiting.data["outcome"], at)
    append(now, Kind.CONFIRMED, {"ruling": waiting.number}, by=one.user_id, at=at)
    return now


def _enter_waiting(
    dispute: Dispute, stage: CaseStage, waiting: DisputeEntry, one: permissions.Actor, at: datetime
) -> None:
    """Enter the result of a waiting ruling, if it has one. Raises Refused `already-official`, `decided-meanwhile`."""
    said = waiting.data["wanted"]
    wanted = WantedRuling(
        outcome=Outcome(waiting.data["outcome"]),
        reason=waiting.words.text,
        scores=tuple(said["scores"]),
        winner=said["winner"],
        ended=said["ended"],
    )
    decided = _decided(dispute, stage, wanted)
    if decided.new is None:
        return
    if official_result(dispute.game) is not None:
        raise Refused(
            "already-official", _("The result of game %(code)s is confirmed already."), code=dispute.game.code
        )
    if judge(dispute.match, decided.new.kind, decided.new.data).scores != waiting.data["scores"]:
        raise Refused("decided-meanwhile", _("The rules of the court changed meanwhile. Reject it, and rule again."))
    author = permissions.Actor(waiting.by_id, sees=True, official=True, match_id=dispute.match_id)
    enter_confirmed(dispute.game, author, one.user_id, decided.new, reason=wanted.reason, at=at)


@transaction.atomic
def reject_ruling(
    dispute: Dispute,
    user: User,
    *,
    reason: str = "",
    seen: int | None = None,
    at: datetime | None = None,
) -> Dispute:
    """Reject a waiting ruling as the second official, or take it back as its author; facts and ruling are open again.

    Raises NotAllowed: those of `permissions.why_not_confirm`; Refused `decided-meanwhile` (409).
    """
    at = at or timezone.now()
    lock_game(dispute.game)
    now, stage = locked_dispute(dispute)
    waiting = _waiting(stage, seen)
    one = permissions.actor(user, now.match)
    if waiting.by_id != one.user_id and (refusal := why_not_confirm(one, now, stage)):
        raise refusal
    if waiting.data["amendment"]:
        amendment = Amendment.objects.get(pk=waiting.data["amendment"])
        if amendment.state == Amendment.State.PROPOSED:
            close_amendment(amendment, user, at=at)
    text = checked_reason(reason) if reason else ""
    append(now, Kind.REJECTED, {"ruling": waiting.number}, by=one.user_id, at=at, text=text)
    return now


def _waiting(stage: CaseStage, seen: int | None) -> DisputeEntry:
    refuse_unless(stage, State.WAITING)
    refuse_if_stale(stage, seen)
    if stage.waiting is None:
        raise AssertionError("a waiting dispute has a waiting ruling")
    return stage.waiting


# --- Result of a ruling


def _decided(dispute: Dispute, stage: CaseStage, wanted: WantedRuling) -> RulingResult:
    case = case_of(dispute, rules_of_court(dispute.match.league_id))
    if case is not None and not stage.asked:
        raise Refused("facts-first", _("Find the facts first."))
    return replace(_comes_to(dispute, case, stage, wanted), told=_told(case, stage))


def _told(case: Case | None, stage: CaseStage) -> dict[str, Any]:
    """Return the rules and the finding of a case, without persons."""
    if not isinstance(case, LogCase):
        return {"rules": []}
    question = case.proposal.question
    rules = [rule.id for rule in case.proposal.rules]
    answer = stage.answer.value if stage.answer else None
    return {"rules": rules, "fact": question and question.fact.value, "answer": answer}


def _comes_to(dispute: Dispute, case: Case | None, stage: CaseStage, wanted: WantedRuling) -> RulingResult:
    if wanted.outcome == Outcome.RESULT:
        data = {"scores": list(wanted.scores), "winner": wanted.winner, "ended": wanted.ended}
        return RulingResult(NewResult(kind=KnownBy.RULED, data=data))
    if wanted.outcome == Outcome.HAND and isinstance(case, LogCase):
        return _before_hand(case)
    if wanted.outcome in BY_PROPOSAL:
        return _by_proposal(dispute, case, stage)
    return RulingResult()


def _before_hand(case: LogCase) -> RulingResult:
    """Return the ruling text after which the log ends before the hand; none on a log that was amended before."""
    before = text_now(case.record)
    if before != case.file.text:
        return RulingResult()
    changes = case.file.version(*from_hand(case.file)).changes
    ruling = ruling_on(before, "The hand is played again", *changes)
    return RulingResult(ruling=ruling, text=amend(before, ruling).text)


def _by_proposal(dispute: Dispute, case: Case | None, stage: CaseStage) -> RulingResult:
    if case is None:
        raise Refused("no-proposal", _("The record decides nothing here. Rule on the result, or dismiss the protest."))
    if not isinstance(case, LogCase):
        return _by_card(dispute, case.decision(stage.answer))
    coded = case_of(dispute, case.rules, coded=True)
    sealed = coded if isinstance(coded, LogCase) else case
    ruling, text = ruling_to(text_now(case.record), sealed.decision(stage.answer), case.file.text)
    if ruling is None:
        raise Refused("nothing-changes", _("By these facts the record is right. Dismiss the protest."))
    data = {"log": text, "seats": case.record.seats, "partners": case.record.partners}
    return RulingResult(NewResult(kind=KnownBy.LOG, data=data), ruling, text, case.decision(stage.answer).reason)


def _by_card(dispute: Dispute, decision: Any) -> RulingResult:
    outcome = decision.outcome
    if outcome.ended is None:
        raise _game_goes_on()
    winner = None if outcome.winner is None else outcome.winner + 1
    data = {"scores": list(outcome.scores), "winner": winner, "ended": outcome.ended}
    return RulingResult(NewResult(kind=KnownBy.RULED, data=data), says=decision.reason)


def _game_goes_on() -> Refused:
    return Refused("game-goes-on", _("By this the game is not over. Let the hand be replayed, or rule on the result."))


def by_rule_of_proof(dispute: Dispute) -> tuple[Dispute.Outcome, RulingResult]:
    """Return the ruling where the fact counts as not known: dismissed if the record stands by that.

    Raises Refused `game-goes-on` where the league's rule is that the hand is replayed.
    """
    case = case_of(dispute, rules_of_court(dispute.match.league_id))
    asks = isinstance(case, LogCase) and case.proposal.question is not None
    stage = CaseStage(asked=True, answer=FactFound.NOT_KNOWN if asks else None)
    try:
        return Outcome.UPHELD, replace(_by_proposal(dispute, case, stage), told=_told(case, stage))
    except Refused as refusal:
        if refusal.code in ("nothing-changes", "no-proposal"):
            return Outcome.DISMISSED, RulingResult(told=_told(case, stage))
        raise

"""CaseStage of a dispute: the fold of its entries. Pure but for the rows that it is given.

`data` of an entry by its kind:

- `filed`, `joined`: the point of the protest (`protesting.Point`), `record`, `sha256` of its sentence; `filed` also
  `via` and `until`, the end of the hold
- `effect`: `effect`, `until` (ISO time, null: until the ruling)
- `statement`, `photo`: `sha256`
- `offered`: `scores`, `winner`, `ended`; empty: the record stands
- `agreed`: `offer` (number of the entry), `carried` (whether the result follows it already)
- `taken`: `judge` (a judge accepted by both sides), `proof` (nobody is free: the rule of proof decides)
- `refused`: `user`, the refused referee
- `found`: `answer` (`referee.rulings.court.FactFound`), null where the proposal asks nothing
- `ruled`: `outcome`, `scores`, `wanted` (`scores`, `winner`, `ended` of a result ruled), `sha256` of the reason,
  `amendment` or `result` (keys; a result that waits is not entered yet), `waits` (for another official), `proof`
  (decided by the rule of proof); `rules`, `fact` and `answer` of the proposal; `deadline` of the appeal; of a ruling
  text `ruling`, its SHA-256, and `results_in`
- `confirmed`, `rejected`: `ruling` (number of the entry); `confirmed` also `deadline`
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from league.disputes.models import Dispute, DisputeEntry
from referee.rulings.court import FactFound

State, Kind = Dispute.State, DisputeEntry.Kind


@dataclass(frozen=True, slots=True)
class CaseStage:
    """CaseStage of a dispute.

    `decider`: account of the judge of the case in this instance; `deciders`: those who ruled or confirmed before an
    appeal. `gone`: those who do not decide: they filed the protest in their own name, stepped back or were refused.
    `asked`: facts are found, so difference and proposal may be read. `refusing`: sides that used their refusal.
    `last`: number of the last entry.
    """

    state: str = State.OPEN
    instance: int = 1
    asked: bool = False
    answer: FactFound | None = None
    decider: int | None = None
    deciders: frozenset[int | None] = frozenset()
    gone: frozenset[int | None] = frozenset()
    refusing: frozenset[int | None] = frozenset()
    stated: frozenset[int | None] = frozenset()
    offer: DisputeEntry | None = None
    waiting: DisputeEntry | None = None
    ruling: DisputeEntry | None = None
    last: int = 0

    @property
    def is_open(self) -> bool:
        """Whether facts, statements and a ruling may still come."""
        return self.state in (State.OPEN, State.FOUND, State.APPEALED)


def stage_of(entries: Iterable[DisputeEntry]) -> CaseStage:
    """Return the stage after these entries, given in the order of their numbers."""
    stage = CaseStage()
    for entry in entries:
        stage = _after(stage, entry)
    return stage


def _after(stage: CaseStage, entry: DisputeEntry) -> CaseStage:
    stage = replace(stage, last=entry.number)
    match entry.kind:
        case Kind.FILED | Kind.JOINED if entry.for_side is None:
            return _without(stage, entry.by_id)
        case Kind.STATEMENT:
            return replace(stage, stated=stage.stated | {entry.for_side})
        case Kind.OFFERED:
            return replace(stage, offer=entry)
        case Kind.AGREED:
            return replace(stage, state=State.AGREED)
        case Kind.WITHDRAWN:
            return replace(stage, state=State.WITHDRAWN, offer=None)
        case Kind.TAKEN:
            return replace(stage, decider=entry.by_id)
        case Kind.STEPPED_BACK:
            return _without(stage, entry.by_id)
        case Kind.REFUSED:
            refusing = stage.refusing | {entry.for_side}
            return replace(_without(stage, entry.data["user"]), refusing=refusing)
        case Kind.FOUND:
            answer = FactFound(entry.data["answer"]) if entry.data["answer"] else None
            return replace(stage, asked=True, answer=answer, state=_before_ruling(stage, asked=True))
        case Kind.RULED if entry.data["waits"]:
            return replace(stage, state=State.WAITING, waiting=entry, offer=None)
        case Kind.RULED:
            return _ruled(stage, entry, {entry.by_id})
        case Kind.CONFIRMED if stage.waiting is not None:
            return _ruled(stage, stage.waiting, {stage.waiting.by_id, entry.by_id})
        case Kind.REJECTED:
            return replace(stage, state=_before_ruling(stage, asked=stage.asked), waiting=None)
        case Kind.APPEALED:
            heard = CaseStage(state=State.APPEALED, instance=2, last=stage.last)
            heard = replace(heard, deciders=stage.deciders, gone=stage.gone)
            return replace(heard, stated=stage.stated, ruling=stage.ruling)
    return stage


def _before_ruling(stage: CaseStage, *, asked: bool) -> str:
    if stage.instance == 2:
        return State.APPEALED
    return State.FOUND if asked else State.OPEN


def _without(stage: CaseStage, user: int | None) -> CaseStage:
    """Return the stage without this referee; the facts that they found are found again."""
    gone = stage.gone | {user}
    if stage.decider != user:
        return replace(stage, gone=gone)
    state = _before_ruling(stage, asked=False)
    return replace(stage, gone=gone, decider=None, asked=False, answer=None, state=state)


def _ruled(stage: CaseStage, ruling: DisputeEntry, by: set[int | None]) -> CaseStage:
    deciders = stage.deciders | by
    return replace(stage, state=State.RULED, ruling=ruling, waiting=None, offer=None, deciders=deciders)

"""From the row of a dispute to the case that the referee judges (`referee.rulings`)."""

from dataclasses import dataclass
from difflib import SequenceMatcher

from games.moves import SEATS, End, Penalty, RoundPoints, Seat, Totals
from games.notation.gamelog import Tenths
from games.notation.lines import NotationError
from games.notation.reading import loads
from league.disputes.court_rules import policy_of, proof_of
from league.disputes.models import CourtRules, Dispute, DisputeEntry, SealedRuling
from league.disputes.shared_records import agreed_to, is_shared
from league.matches.clock.services import clock_rules_of, marks
from league.matches.clock.state import GameClock
from league.matches.models import ClockEvent, KnownBy, Record
from league.matches.results.judging import rules_of_match
from league.players.models import PEOPLE
from referee.cards import check as card
from referee.cards import tally
from referee.rulings.amending import amend
from referee.rulings.card_court import CardDecision, CardProposal, HandProtest, decide_on_card, propose_on_card
from referee.rulings.court import CourtDecision, FactFound, decide
from referee.rulings.proposal import Proposal
from referee.rulings.proposing import propose
from referee.rulings.protests import CaseFile, Protest, ProtestKind
from referee.rulings.reading import read_ruling
from referee.rulings.text import LineChange, RulingText, Verb, digest, ruling_on

_CLOSING = (RoundPoints, Totals, End, Penalty)


@dataclass(frozen=True, slots=True)
class LogCase:
    """A dispute about a log, with the proposal for it."""

    record: Record
    file: CaseFile
    proposal: Proposal
    rules: CourtRules

    def decision(self, answer: FactFound | None) -> CourtDecision:
        """Return the decision by the answer. Raises ValueError where the proposal asks and there is none."""
        return decide(self.file, self.proposal, answer, proof_of(self.rules))


@dataclass(frozen=True, slots=True)
class CardCase:
    """A dispute about a hand of a score card or tally, with the proposal for it."""

    sheet: card.Card
    protest: HandProtest
    proposal: CardProposal
    rules: CourtRules
    agreed: bool

    def decision(self, answer: FactFound | None) -> CardDecision:
        """Return the decision by the rule of proof; a card asks nothing."""
        return decide_on_card(self.sheet, self.protest, agreed=self.agreed, proof=proof_of(self.rules))


Case = LogCase | CardCase


def case_of(dispute: Dispute, rules: CourtRules, *, coded: bool = False) -> Case | None:
    """Return the case of a dispute; None where the record decides nothing (conduct, a bare score, no record).

    `coded`: with the codes of the log for names, for a ruling text, which is never erased.

    Raises ValueError for a line or hand that the record does not have.
    """
    record = dispute.record
    if record is None or dispute.kind == Dispute.Kind.CONDUCT:
        return None
    if record.kind == KnownBy.LOG:
        file = _file(dispute, record, coded=coded)
        return LogCase(record, file, propose(file, policy_of(rules)), rules) if file else None
    if dispute.hand and dispute.column and record.kind in (KnownBy.CARD, KnownBy.TALLY):
        return _card_case(dispute, record, rules)
    return None


def _file(dispute: Dispute, record: Record, *, coded: bool) -> CaseFile | None:
    text = record.sealed.text
    try:
        line = dispute.line or _last_line(text)
        protest = _protest(dispute, record, line)
        file = CaseFile(text, protest, agreed_to=agreed_to(dispute, record), bell_at=_bell_at(dispute))
    except NotationError:
        return None
    if not coded:
        file.names = names_by_seat(dispute, record)
    return file


def _protest(dispute: Dispute, record: Record, line: int) -> Protest:
    return Protest(
        kind=ProtestKind(dispute.kind),
        by=_seat(record, dispute.for_side) if dispute.for_side else _beside(record.sealed.text, line),
        line=line,
        number=dispute.number,
        against=_seat(record, dispute.against) if dispute.against else None,
        filed=dispute.filed_line,
        miswritten=dispute.miswritten,
    )


def _bell_at(dispute: Dispute) -> Tenths | None:
    """Return the playing time at which the site's clock rang, None without one."""
    if dispute.kind != Dispute.Kind.CLOCK:
        return None
    rules = clock_rules_of(dispute.match.ruleset, dispute.match.options)
    events = marks(list(ClockEvent.objects.filter(game=dispute.game_id).order_by("number")))
    if rules is None or not events:
        return None
    shown = GameClock.of(rules, events).reading(events[-1].at)
    return shown.length_ms // 100 if shown.rung_at else None


def _last_line(text: str) -> int:
    """Return the line of a log's result: its last points, totals or end; else its last entry."""
    (log, *_more) = loads(text)
    ends = [entry.line for entry in log.entries if isinstance(entry.event, _CLOSING)]
    return ends[-1] if ends else log.entries[-1].line


def _seat(record: Record, side: int) -> Seat:
    """Return the seat of a side, the first by letter."""
    return next((SEATS.index(letter) for letter, one in sorted(record.seats.items()) if one == side), side - 1)


def _beside(text: str, line: int) -> Seat:
    """Return the seat after that of the line: an official protests in nobody's name."""
    (log, *_more) = loads(text)
    seat = next((getattr(entry.event, "seat", None) for entry in log.entries if entry.line == line), None)
    return 0 if seat is None else (seat + 1) % len(log.seats)


def names_by_seat(dispute: Dispute, record: Record) -> list[str]:
    """Return the display names by seat; a log has codes for names."""
    sides = {side.number: str(side) for side in dispute.match.sides.select_related(*PEOPLE)}
    return [sides.get(side, letter) for letter, side in sorted(record.seats.items())]


def _card_case(dispute: Dispute, record: Record, rules: CourtRules) -> CardCase:
    agreed = rules_of_match(dispute.match)
    seats = dispute.match.sides.count()
    read = tally.read_card if record.kind == KnownBy.TALLY else card.read
    sheet = read(record.score_sheet.data, agreed, seats)
    by = dispute.for_side or 1
    protest = HandProtest(
        by=by - 1,
        hand=dispute.hand or 0,
        column=dispute.column,
        seat=(dispute.against or by) - 1,
        claimed=dispute.number or 0,
    )
    return CardCase(sheet, protest, propose_on_card(sheet, protest), rules, is_shared(dispute, record))


# --- Ruling texts


def text_now(record: Record) -> str:
    """Return the text of a log after the rulings on it, those of the dispute and of earlier ones."""
    text: str = record.sealed.text
    rulings = SealedRuling.objects.filter(entry__dispute__record=record).select_related("entry__dispute")
    for sealed in rulings.order_by("pk"):
        if sealed.amends == digest(text) and _stands(sealed.entry):
            text = amend(text, read_ruling(sealed.text)).text
    return text


def _stands(ruling: DisputeEntry) -> bool:
    """Return whether a ruling neither waits for another official nor was rejected."""
    if not ruling.data["waits"]:
        return True
    confirmed = DisputeEntry.objects.filter(dispute=ruling.dispute_id, kind=DisputeEntry.Kind.CONFIRMED)
    return any(one.data["ruling"] == ruling.number for one in confirmed)


def ruling_to(before: str, decision: CourtDecision, original: str) -> tuple[RulingText | None, str]:
    """Return the ruling text that leads from the text as it is to the decided version, and that version.

    None where it is the text as it is.
    """
    wanted = amend(original, decision.ruling).text if decision.ruling else original
    if wanted == before:
        return None, wanted
    if decision.ruling is not None and before == original:
        return decision.ruling, wanted
    tags = {"Rule": decision.ruling.tags["Rule"]} if decision.ruling else {}
    return ruling_on(before, decision.reason.text[:200], *changes_between(before, wanted), **tags), wanted


def changes_between(old: str, new: str) -> list[LineChange]:
    """Return the changes of lines that lead from one text to another with the same line ends."""
    left, right = old.splitlines(), new.splitlines()
    changes: list[LineChange] = []
    for tag, i, j, to_i, to_j in SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        shared = min(j - i, to_j - to_i)
        changes += [LineChange(Verb.REPLACE, i + at + 1, right[to_i + at]) for at in range(shared)]
        changes += [LineChange(Verb.REMOVE, line + 1) for line in range(i + shared, j)]
        changes += [LineChange(Verb.INSERT, i + shared, line) for line in right[to_i + shared : to_j]]
    return changes

"""Parts of a case on its page: points, statements, rulings, the offer, the history. Rows in, words out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from league.disputes.models import Dispute, DisputeEntry
from league.disputes.stage import CaseStage
from league.web.components.score_fields import score_in_words
from league.web.disputes.places import ChosenPlace, PlacesOfHand, anchor_of, words_of
from league.web.words.disputes import OUTCOMES, SHORT_KINDS
from league.web.words.labels import Label

Kind = DisputeEntry.Kind
Texts = Mapping[int, str]
"""Words by the number of their entry, those that the asker may read."""


@dataclass(frozen=True, slots=True)
class PointLine:
    """A protest: its matter, place and sentence; `may_read`: the asker may read the sentence, which may be erased."""

    kind: Any
    who: str
    where: str
    anchor: str
    sentence: str
    may_read: bool


@dataclass(frozen=True, slots=True)
class StatementLine:
    """The statement of a side; `text` is empty for those that may not read it."""

    who: str
    given: bool
    text: str


@dataclass(frozen=True, slots=True)
class AppealLine:
    """The appeal; `may_read`: the asker may read its words."""

    who: str
    text: str
    may_read: bool


@dataclass(frozen=True, slots=True)
class RulingCard:
    """A ruling on the page of its case; `state`: waits, or why it does not stand; `text`: the ruling text."""

    number: int
    instance: int
    label: Label
    score: str
    reason: str
    who: str
    at: datetime
    confirmed_by: str
    waits: bool
    state: str
    by_proof: bool
    text: str
    public: bool


@dataclass(frozen=True, slots=True)
class OfferLine:
    number: int
    who: str
    words: str
    side: int | None


@dataclass(frozen=True, slots=True)
class HistoryLine:
    words: Any
    who: str
    at: datetime


def name_of_entry(entry: DisputeEntry, names: Sequence[str]) -> str:
    """Return the side of an entry, else the account; "for a side, by the desk" names both."""
    if entry.for_side is None:
        return str(entry.by or "")
    return names[entry.for_side - 1]


def points_of(
    entries: Sequence[DisputeEntry], names: Sequence[str], hands: Sequence[PlacesOfHand], texts: Texts
) -> list[PointLine]:
    return [
        PointLine(
            kind=SHORT_KINDS[one.data["kind"]],
            who=name_of_entry(one, names),
            where=words_of(hands, place := ChosenPlace(one.data.get("line"), one.data.get("hand"))),
            anchor=anchor_of(hands, place),
            sentence=texts.get(one.number, ""),
            may_read=one.number in texts,
        )
        for one in entries
        if one.kind in (Kind.FILED, Kind.JOINED) and one.data
    ]


def statements_of(entries: Sequence[DisputeEntry], names: Sequence[str], texts: Texts) -> list[StatementLine]:
    """Return a line for each side, the last instance's statement first if there are two."""
    given = {one.for_side: one.number for one in entries if one.kind == Kind.STATEMENT}
    return [StatementLine(name, side in given, texts.get(given.get(side, 0), "")) for side, name in enumerate(names, 1)]


def appeal_of(entries: Sequence[DisputeEntry], names: Sequence[str], texts: Texts) -> AppealLine | None:
    """Return the appeal, None before there is one."""
    one = next((one for one in entries if one.kind == Kind.APPEALED), None)
    return AppealLine(name_of_entry(one, names), texts.get(one.number, ""), one.number in texts) if one else None


def rulings_of(
    entries: Sequence[DisputeEntry], stage: CaseStage, names: Sequence[str], texts: Texts, *, public: bool
) -> list[RulingCard]:
    """Return the rulings, the latest first."""
    answers = {
        one.data["ruling"]: one
        for one in entries
        if one.kind in (Kind.CONFIRMED, Kind.REJECTED) and "ruling" in one.data
    }
    found, instance = [], 1
    for one in entries:
        if one.kind == Kind.APPEALED:
            instance = 2
        if one.kind == Kind.RULED and "outcome" in one.data:
            found.append(_ruling(one, instance, answers.get(one.number), stage, names, texts, public=public))
    return found[::-1]


def _ruling(
    one: DisputeEntry,
    instance: int,
    answer: DisputeEntry | None,
    stage: CaseStage,
    names: Sequence[str],
    texts: Texts,
    *,
    public: bool,
) -> RulingCard:
    stands = stage.ruling is not None and stage.ruling.number == one.number
    rejected = answer is not None and answer.kind == Kind.REJECTED
    waits = stage.waiting is not None and stage.waiting.number == one.number
    sealed = getattr(one, "sealed", None)
    return RulingCard(
        number=one.number,
        instance=instance,
        label=OUTCOMES[one.data["outcome"]],
        score=ruled_score(one.data, names),
        reason=texts.get(one.number, ""),
        who=str(one.by or ""),
        at=one.at,
        confirmed_by=str(answer.by) if answer is not None and not rejected else "",
        waits=waits,
        state=_state(stands=stands, rejected=rejected, waits=waits),
        by_proof=bool(one.data.get("proof")),
        text=sealed.text if sealed else "",
        public=public and stands,
    )


def _state(*, stands: bool, rejected: bool, waits: bool) -> str:
    if waits:
        return pgettext("ruling", "waits for another official")
    if rejected:
        return pgettext("ruling", "rejected")
    return "" if stands else pgettext("ruling", "replaced by a later ruling")


def ruled_score(data: Mapping[str, Any], names: Sequence[str]) -> str:
    """Return the score of a ruling or an offer in words: nobody has won a game that it leaves unfinished."""
    scores = data.get("scores")
    if scores and "winner" in data and data["winner"] is None:
        return score_in_words(names, _in_order(scores), None)
    return scores_in_words(scores, names, data.get("winner"))


def scores_in_words(scores: Any, names: Sequence[str], winner: int | None = None) -> str:
    """Return points by side ({"1": 150, …} or a list) in words; "" without any."""
    if not scores:
        return ""
    points = _in_order(scores)
    if winner is None and points.count(max(points)) == 1:
        winner = points.index(max(points)) + 1
    return score_in_words(names, points, winner)


def _in_order(scores: Any) -> list[int]:
    return [scores[key] for key in sorted(scores, key=int)] if isinstance(scores, Mapping) else list(scores)


def offer_of(stage: CaseStage, names: Sequence[str]) -> OfferLine | None:
    offer = stage.offer
    if offer is None or offer.for_side is None:
        return None
    told = ruled_score(offer.data, names)
    return OfferLine(offer.number, names[offer.for_side - 1], told or _("the result stays as recorded"), offer.for_side)


def history_of(entries: Sequence[DisputeEntry], names: Sequence[str]) -> list[HistoryLine]:
    return [HistoryLine(_words(one), name_of_entry(one, names), one.at) for one in entries]


def _words(entry: DisputeEntry) -> Any:
    label = entry.get_kind_display()
    label = label[:1].upper() + label[1:]
    if entry.kind == Kind.EFFECT and entry.data:
        return f"{label}: {Dispute.Effect(entry.data['effect']).label}"
    if entry.kind == Kind.RULED and entry.data:
        return f"{label}: {OUTCOMES[entry.data['outcome']].word}"
    return label

"""Labels of states and codes: words, icons and meanings, one table per kind."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy, pgettext_lazy

from league.competitions.draw_view import SlotView
from league.matches.knowledge_level import Known
from league.matches.models import KnownBy, Match, Record, Result, StoredVerdict
from league.matches.queries.lines import MatchLine


@dataclass(frozen=True, kw_only=True)
class Label:
    """A badge.

    `tone` is a class of the style sheet, `icon` a name of components/icons.py, `meaning` a sentence for people.
    """

    word: Any
    icon: str
    tone: str = ""
    meaning: Any = ""


CHECKING = Label(
    word=pgettext_lazy("verdict", "Being checked"),
    icon="clock",
    tone="cool",
    meaning=_("The log was received and is being replayed. The verdict appears here in a moment."),
)

VERDICTS: dict[str, Label] = {
    "verified": Label(
        word=pgettext_lazy("verdict", "Verified"),
        icon="check",
        tone="good",
        meaning=_("Every move is legal and every score is right."),
    ),
    "consistent": Label(
        word=pgettext_lazy("verdict", "Plays checked"),
        icon="check",
        tone="cool",
        meaning=_(
            "Every play is in order. The tiles left in some hands are not known, so it counts like a checked card."
        ),
    ),
    "corrected": Label(
        word=pgettext_lazy("verdict", "Corrected"),
        icon="amended",
        tone="warm",
        meaning=_("The plays are legal, but a recorded number was wrong. The score shown here is the right one."),
    ),
    "violation": Label(
        word=pgettext_lazy("verdict", "A rule was broken"),
        icon="scales",
        tone="bad",
        meaning=_("A player provably broke a rule. The log is kept as played, and an official decides what counts."),
    ),
    "incomplete": Label(
        word=pgettext_lazy("verdict", "Incomplete"),
        icon="part",
        tone="warm",
        meaning=_("Every move so far is legal, but the log stops before the end of the game. There is no result yet."),
    ),
    "impossible": Label(
        word=pgettext_lazy("verdict", "Impossible"),
        icon="stop",
        tone="bad",
        meaning=_("This log breaks the rules, so there is no result yet. Please send a corrected log."),
    ),
    "unreadable": Label(
        word=pgettext_lazy("verdict", "Unreadable"),
        icon="unreadable",
        tone="bad",
        meaning=_("The text could not be read as a game, so there is no result yet. Fix the line and send it again."),
    ),
}

# Sources of a result, permanent: an icon and a word (DESIGN.md 4.8).
KNOWN: dict[str, Label] = {
    KnownBy.LOG: Label(
        word=pgettext_lazy("known", "Verified from the log"),
        icon="check",
        tone="good",
        meaning=_("Every move is legal and every score is right."),
    ),
    KnownBy.TALLY: Label(
        word=pgettext_lazy("known", "Checked tally"),
        icon="tally",
        tone="cool",
        meaning=_("Every score was noted as it fell, and they add up under the rules. The plays are not known."),
    ),
    KnownBy.CARD: Label(
        word=pgettext_lazy("known", "Checked card"),
        icon="card",
        tone="cool",
        meaning=_("The score card adds up and could have come about under the rules. The plays are not known."),
    ),
    KnownBy.SCORE: Label(
        word=pgettext_lazy("known", "Reported score"),
        icon="pen",
        meaning=_("The score is what was entered. Nothing of the game itself is known."),
    ),
    KnownBy.RULED: Label(
        word=pgettext_lazy("known", "Ruled"),
        icon="scales",
        tone="warm",
        meaning=_("An official decided what counts; nothing was proved."),
    ),
}
REPLAYED_LOG = Label(
    word=pgettext_lazy("known", "Replayed from the log"),
    icon="amended",
    tone="warm",
    meaning=_("The log was replayed and its numbers are right, but the record was corrected or breaks a rule."),
)
ON_WORD = ngettext_lazy(
    "%(points)d point is as written.",
    "%(points)d points are as written.",
    "points",
)
POINTS_ON_WORD = Label(
    word=pgettext_lazy("known", "Plays checked"),
    icon="card",
    tone="cool",
    meaning=_("The log was replayed; some points at the end of a hand are as written. It counts like a checked card."),
)
FROM_LOG = Label(word=pgettext_lazy("known", "From the log"), icon="check", tone="good")
# Ways in which a result became official.
CONFIRMED: dict[str, Any] = {
    Result.Confirmation.SIDE: _("Confirmed by the other side at the table on %(when)s."),
    Result.Confirmation.PIN: _("Confirmed by the other side at the table, with its PIN, on %(when)s."),
    Result.Confirmation.SIGNED: _("Both sides signed the card; entered on %(when)s."),
    Result.Confirmation.AGREED: _("Two entered the same: confirmed on %(when)s."),
    Result.Confirmation.ALONE: _("By the organizer alone, on %(when)s."),
    Result.Confirmation.SILENCE: _("The other side said nothing in time: confirmed since %(when)s."),
}
UNDER_REVIEW = Label(
    word=pgettext_lazy("result", "Under review"),
    icon="scales",
    tone="bad",
    meaning=_("Two entries differ, or a player disagrees. It ends when both agree, or when an official takes one."),
)
ENTERED = Label(
    word=pgettext_lazy("result", "Unconfirmed"),
    icon="clock",
    tone="warm",
    meaning=_("Entered without a log. The other side or an official still has to confirm it."),
)
FAILED_CHECK = Label(
    word=pgettext_lazy("result", "Needs a decision"),
    icon="scales",
    tone="bad",
    meaning=_("The entered points do not add up. An official has to decide what counts."),
)

# Verdicts that give no result.
WITHOUT_RESULT = frozenset({"incomplete", "impossible", "unreadable"})

RULED = _("A player provably broke a rule. The log is kept as played. An official has decided that the score counts.")
BROKEN = _("A player provably broke a rule. The log is kept as played.")

EVIDENCE: dict[str, Any] = {
    "complete": _("Every hand, draw and rest is known."),
    "partial": _("Some hands or draws are missing from the log; the rest agrees."),
}

OFFICIAL = Label(
    word=pgettext_lazy("result", "Confirmed"),
    icon="seal",
    tone="good",
    meaning=_("Confirmed by a second person."),
)
PROVISIONAL = Label(
    word=pgettext_lazy("result", "Unconfirmed"),
    icon="clock",
    tone="warm",
    meaning=_("Checked by replay. The other side or an official still has to confirm it."),
)
NEEDS_DECISION = Label(
    word=pgettext_lazy("result", "Needs a decision"),
    icon="scales",
    tone="bad",
    meaning=_("The log shows a broken rule, so an official has to decide what counts."),
)
WORD_NEEDS_DECISION = Label(
    word=NEEDS_DECISION.word,
    icon="scales",
    tone="bad",
    meaning=_("This match needs a log that proves every point. Some are only as written: an official decides."),
)
NOT_PLAYED = Label(
    word=pgettext_lazy("match", "Upcoming"), icon="calendar", meaning=_("No log has been submitted yet.")
)
NOBODY_LEFT = Label(
    word=pgettext_lazy("match", "Not played"),
    icon="part",
    meaning=_("No opponent is left: those present have a bye."),
)
NOT_NEEDED = Label(
    word=pgettext_lazy("match", "Not needed"),
    icon="part",
    meaning=_("It would have been played after a first loss only, and there was none."),
)
IF_NEEDED = Label(
    word=pgettext_lazy("match", "Only if needed"),
    icon="calendar",
    meaning=_("It is played only if the undefeated one loses the match before it."),
)
AWAITED = Label(
    word=pgettext_lazy("match", "No result yet"),
    icon="part",
    tone="cool",
    meaning=_("The match was to begin by now, and no log has been submitted yet."),
)
NO_RESULT = Label(
    word=pgettext_lazy("match", "Log needs fixing"),
    icon="alert",
    tone="bad",
    meaning=_("A log was submitted, but no result could be made from it."),
)
PLAYING = Label(
    word=pgettext_lazy("match", "Being played"),
    icon="part",
    tone="cool",
    meaning=_("The game has begun, and no log has been submitted yet."),
)
NO_WINNER = Label(
    word=pgettext_lazy("match", "No winner: an official decides"),
    icon="scales",
    tone="bad",
    meaning=_("The match ended without a winner. An official decides who advances."),
)

AMENDED = Label(
    word=pgettext_lazy("result", "Amended"),
    icon="amended",
    tone="warm",
    meaning=_("A confirmed result was changed into this one, for a reason that the page of the match gives."),
)
VOID = Label(
    word=pgettext_lazy("match", "Void"),
    icon="stop",
    tone="bad",
    meaning=_("It depended on a result that was amended and no longer counts. Its entries are kept."),
)

SEVERITIES: dict[str, Label] = {
    "impossible": Label(word=pgettext_lazy("finding", "Cannot be"), icon="stop", tone="bad"),
    "violation": Label(word=pgettext_lazy("finding", "Rule broken"), icon="scales", tone="bad"),
    "correction": Label(word=pgettext_lazy("finding", "Corrected"), icon="amended", tone="warm"),
    "note": Label(word=pgettext_lazy("finding", "Note"), icon="note", tone="cool"),
}

# Codes with a label of their own instead of their severity's.
FINDINGS: dict[str, Label] = {
    "claim-upheld": Label(word=pgettext_lazy("finding", "Call upheld"), icon="check", tone="good"),
    "claim-rejected": Label(word=pgettext_lazy("finding", "Call rejected"), icon="stop", tone="cool"),
    "ruling": Label(word=pgettext_lazy("finding", "Ruling"), icon="scales", tone="cool"),
    "missed-points": Label(word=pgettext_lazy("finding", "Missed"), icon="alert", tone="cool"),
    "unverified-points": Label(word=pgettext_lazy("finding", "Points not proved"), icon="note", tone="cool"),
    "clock-unknown": Label(word=pgettext_lazy("finding", "Clock unknown"), icon="clock", tone="cool"),
    "incomplete": Label(word=pgettext_lazy("finding", "The record stops here"), icon="part", tone="warm"),
    "wrong-count": Label(word=pgettext_lazy("finding", "Wrong count"), icon="amended", tone="warm"),
    "wrong-points": Label(word=pgettext_lazy("finding", "Wrong points"), icon="amended", tone="warm"),
    "wrong-total": Label(word=pgettext_lazy("finding", "Wrong total"), icon="amended", tone="warm"),
    "wrong-chips": Label(word=pgettext_lazy("finding", "Wrong chips"), icon="amended", tone="warm"),
    "wrong-result": Label(word=pgettext_lazy("finding", "Wrong result"), icon="amended", tone="warm"),
    "wrong-ruling": Label(word=pgettext_lazy("finding", "Wrong ruling"), icon="amended", tone="warm"),
    "unclear-offence": Label(word=pgettext_lazy("finding", "A rule was broken"), icon="scales", tone="bad"),
    "syntax": Label(word=pgettext_lazy("finding", "Not readable"), icon="unreadable", tone="bad"),
}

ROUND_ENDS: dict[str, Any] = {
    "domino": pgettext_lazy("end of a round", "Domino"),
    "blocked": pgettext_lazy("end of a round", "Blocked"),
    "bell": pgettext_lazy("end of a round", "Bell"),
    "dead-end": pgettext_lazy("end of a round", "Dead end"),
}

# Rounds cut by the end of the game.
CUT_BY: dict[str, Any] = {
    "target": pgettext_lazy("end of a round", "Target reached"),
    "concession": pgettext_lazy("end of a round", "Conceded"),
    "forfeit": pgettext_lazy("end of a round", "Forfeited"),
}

GAME_ENDS: dict[str, Any] = {
    "target": pgettext_lazy("end of a game", "Won by reaching the target"),
    "bell": pgettext_lazy("end of a game", "Decided by the bell"),
    "overtime": pgettext_lazy("end of a game", "Decided in overtime"),
    "concession": pgettext_lazy("end of a game", "Won by concession"),
    "forfeit": pgettext_lazy("end of a game", "Won by forfeit"),
    "forfeits": pgettext_lazy("end of a game", "Forfeited by both"),
}


def of_no_log(starts_at: datetime | None) -> Label:
    """Return the label of a match or game without a log."""
    return AWAITED if starts_at and starts_at <= timezone.now() else NOT_PLAYED


def of_match(line: MatchLine) -> Label:
    """Return the label of a match in a list."""
    if line.void:
        return VOID
    if line.contested:
        return UNDER_REVIEW
    if line.needs_decision:
        return NEEDS_DECISION
    if line.state == Match.State.DECIDED:
        return OFFICIAL
    if line.checking:
        return CHECKING
    if line.state == Match.State.PROVISIONAL:
        return PROVISIONAL
    if line.no_result:
        return NO_RESULT
    return PLAYING if line.state == Match.State.PLAYING else of_no_log(line.starts_at)


def of_known(known: Known) -> Label:
    """Return the label of a result's source; "Verified" needs a verified log."""
    if known.proved:
        return KNOWN[known.by]
    return REPLAYED_LOG if known.by == KnownBy.LOG else POINTS_ON_WORD


def of_record(record: Record) -> Label:
    """Return the label of a tally, card, score or ruling.

    A record that fails its check counts as recorded only.
    """
    sound = record.verdict.status != StoredVerdict.Status.VIOLATION
    return KNOWN[record.kind if sound else KnownBy.SCORE]


MAY_CHANGE = Label(
    word=pgettext_lazy("pairing", "May change"),
    icon="amended",
    tone="warm",
    meaning=_("The result of an earlier match is being corrected. Others may meet here."),
)


def of_slot(slot: SlotView) -> Label:
    """Return the label of a match in a draw.

    If a side has to advance, a match without a winner has no result.
    """
    if slot.no_winner:
        return NO_WINNER
    if slot.match:
        return of_match(slot.match)
    return of_condition(slot) or of_no_log(slot.starts_at)


def to_come(slot: SlotView) -> Label:
    """Return the label of a match whose players are unknown, or of a table without players left."""
    if slot.absent_ids and slot.not_needed:
        return NOBODY_LEFT
    return of_condition(slot) or NOT_PLAYED


def of_condition(slot: SlotView) -> Label | None:
    """Return the label of a deciding match that is not played yet; None for others."""
    if not slot.conditional or slot.match:
        return None
    return NOT_NEEDED if slot.not_needed else IF_NEEDED


def finding_label(code: str, severity: str) -> Label:
    """Return a finding's label: its code's own label, else its severity's."""
    return FINDINGS.get(code) or SEVERITIES.get(severity, SEVERITIES["note"])

"""Row of the desk's results grid: state, entries with their authors, typed values."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from league.competitions.queries.results_grid import GridEntry, GridRow
from league.matches import guests
from league.matches.models import KnownBy, Record, Reply, Result
from league.web.components.score_fields import TypedScore, result_in_words
from league.web.words import labels
from league.web.words.labels import Label

# The words of SCREENS.md B-11: not started, entered and not signed, official.
NOT_STARTED = Label(word=pgettext_lazy("state of a game at the desk", "Not started"), icon="calendar", tone="warm")
PLAYING = Label(word=pgettext_lazy("state of a game at the desk", "Being played"), icon="play", tone="cool")
ENTERED = Label(
    word=pgettext_lazy("state of a game at the desk", "Entered, not signed by both"),
    icon="clock",
    tone="bad",
    meaning=gettext_lazy("The other side, an official, or the card with both signatures confirms it."),
)
UNCONFIRMED = Label(
    word=pgettext_lazy("state of a game at the desk", "Entered, not confirmed yet"),
    icon="clock",
    tone="bad",
    meaning=gettext_lazy("The other side or an official confirms it."),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidLine:
    """One entry in words: `who` entered it and `how`.

    `one_device`: a note that one device spoke for both sides.
    """

    pk: int
    words: str
    who: str
    how: str
    reason: str
    may_choose: bool
    one_device: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectionLine:
    """An objection to a result, with its sentence."""

    who: str
    sentence: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    number: int
    name: str
    apart: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RowView:
    """A row of the grid; after a failed save with the typed values.

    `version` changes with every act of others on the row.
    """

    row: GridRow
    label: Label
    fields: list[Field]
    typed: TypedScore
    signed: bool
    entries: list[SaidLine]
    objections: list[ObjectionLine]
    words: str
    undo_words: str
    version: str
    error: str = ""
    may_insist: bool = False
    reason: str = ""

    @property
    def opens_at(self) -> datetime | None:
        """The time when entry by code opens, None once it is open."""
        opens = guests.opens_at(self.row.match)
        return opens if not self.row.official and opens > timezone.now() else None

    @property
    def more(self) -> bool:
        """Whether the part for winner and reason is open."""
        is_told = self.error and (self.typed.winner or self.typed.ended or self.reason)
        return bool(is_told) or self.error_is_level or len(self.row.left) > 1

    @property
    def leaver(self) -> str:
        """The name of the only side that has left, where the asker may rule."""
        names = [side.name for side in self.row.line.sides if side.number in self.row.left]
        return names[0] if len(names) == 1 else ""

    @property
    def may_choose(self) -> bool:
        return any(one.may_choose for one in self.entries)

    @property
    def same_totals(self) -> bool:
        """Whether the entries differ in their awards only."""
        return len(self.entries) > 1 and len({one.words for one in self.entries}) == 1

    @property
    def error_is_level(self) -> bool:
        return bool(self.error) and len(set(self.typed.points)) == 1


def said_of(entry: GridEntry, names: Sequence[str]) -> SaidLine:
    record, result = entry.record, entry.result
    who = entry.side or str(record.submitted_by or "")
    how = how_it_came(record)
    if result.decided:
        how = f"{how}; {_('decided by %(name)s') % {'name': result.confirmed_by}}"
    elif result.confirmed_how and not (record.signed and result.confirmed_how == Result.Confirmation.SIGNED):
        how = f"{how}; {result.get_confirmed_how_display()}"
    return SaidLine(
        pk=result.pk,
        words=result_in_words(names, result),
        who=who,
        how=how,
        reason=result.reason or record.reason,
        may_choose=entry.may_choose,
        one_device=result.get_one_device_display() if result.one_device else "",
    )


def how_it_came(record: Record) -> str:
    if record.signed:
        return _("typed by the desk from a card that both signed")
    if record.kind == KnownBy.LOG:
        return _("full log")
    if record.kind == KnownBy.RULED:
        return record.get_kind_display()
    words = {
        Record.Via.DESK: _("typed by the desk"),
        Record.Via.IMPORT: _("imported from a file or a table"),
        Record.Via.TABLE: _("at the table, without an account"),
    }
    return words.get(record.via, _("signed in"))


def objection_of(reply: Reply, names: Sequence[str]) -> ObjectionLine:
    who = names[reply.for_side - 1] if reply.for_side else str(reply.said_by)
    return ObjectionLine(who=who, sentence=reply.sentence, at=reply.said_at)


def label_of(row: GridRow) -> Label:
    if row.contested:
        return labels.UNDER_REVIEW
    if row.official:
        return labels.OFFICIAL
    if row.needs_decision:
        return labels.NEEDS_DECISION
    if row.current:
        return UNCONFIRMED if row.current.record.kind in {KnownBy.LOG, KnownBy.RULED} else ENTERED
    if row.checking:
        return labels.CHECKING
    return PLAYING if row.playing else NOT_STARTED


def version_of(row: GridRow) -> str:
    """Return a version that changes with every act of others on the row."""
    said = [f"{one.result.pk}{one.result.state[0]}{one.result.confirmed_how}{one.may_choose:d}" for one in row.entries]
    undo = row.undo.pk if row.undo else 0
    return f"{row.may_enter:d}{row.may_confirm:d}{len(row.left)}{row.playing:d}{row.checking:d}.{undo}.{'.'.join(said)}"

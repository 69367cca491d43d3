"""Table wishes: pinned tables, accessible tables, the stream table; unmet wishes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from league.accounts.models import User
from league.accounts.permissions import Act, check_may
from league.competitions.draw.schedule.seating import settle, wishes_of
from league.competitions.draw.schedule.table_assignment import Unmet, Wish, unmet
from league.competitions.entrants import registration_of
from league.competitions.locks import locked
from league.competitions.models import Berth, Competition, Registration, Slot
from league.errors import Refused
from league.matches.models import Match, Table
from league.players.models import PEOPLE, Entrant


@transaction.atomic
def set_wishes(
    competition: Competition, entrant: Entrant, *, user: User, table: Table | None, needs_accessible: bool
) -> int:
    """Set an entrant's pinned table, and whether they need an accessible table.

    The need is stored for the league, visible to its officials only. Untouched matches move at once; returns how many
    moved.

    Raises NotAllowed, and Refused `not-registered`, `other-table`, `table-pinned`.
    """
    competition = locked(competition.pk)
    check_may(user, Act.MANAGE_COMPETITIONS, competition.league)
    row = registration_of(competition, entrant)
    if table is not None:
        _refuse_table(competition, row, table)
    row.pinned_table = table
    row.save(update_fields=["pinned_table"])
    Entrant.objects.filter(pk=row.entrant_id).update(needs_accessible=needs_accessible)
    return len(settle(competition, _open_slots(competition).filter(berths__entrant=entrant)))


def _refuse_table(competition: Competition, row: Registration, table: Table) -> None:
    if not competition.tables.filter(pk=table.pk).exists():
        raise Refused(
            "other-table",
            _("Table %(table)s is none of the tables of %(competition)s. Choose one of them."),
            table=table,
            competition=competition,
        )
    others = competition.registrations.exclude(pk=row.pk).filter(pinned_table=table)
    if other := others.select_related(*PEOPLE).first():
        raise Refused(
            "table-pinned",
            _("Table %(table)s is kept for %(entrant)s, who plays at no other one."),
            table=table,
            entrant=other.entrant,
        )


@transaction.atomic
def seat_anew(competition: Competition, *, user: User) -> int:
    """Improve the tables of untouched matches after tables or wishes changed.

    Returns how many moved. Raises NotAllowed.
    """
    competition = locked(competition.pk)
    check_may(user, Act.MANAGE_COMPETITIONS, competition.league)
    return len(settle(competition, _open_slots(competition)))


@transaction.atomic
def put_on_stream(slot: Slot, *, user: User, on: bool) -> bool:
    """Choose a match for the stream table, or undo that choice.

    A match at the stream table at that hour takes its table in exchange. A match no longer chosen keeps its table. True
    if this call changed it.

    Raises NotAllowed, and Refused `is-bye`, `match-begun`, `no-stream`, `stream-taken`.
    """
    competition = locked(Slot.objects.values_list("matchday__stage__competition", flat=True).get(pk=slot.pk))
    check_may(user, Act.MANAGE_COMPETITIONS, competition.league)
    slot = Slot.objects.select_related("matchday", "match", "table").get(pk=slot.pk)
    if slot.for_stream == on:
        return False
    if on:
        _refuse_stream(competition, slot)
    slot.for_stream = on
    slot.save(update_fields=["for_stream"])
    if on:
        _settle_on_stream(competition, slot)
    return True


def _refuse_stream(competition: Competition, slot: Slot) -> None:
    if slot.berths.count() < 2:
        raise Refused("is-bye", _("A bye is not played, so it has no table."))
    if slot.match and slot.match.state != Match.State.SCHEDULED:
        raise Refused("match-begun", _("This match has begun; it stays at its table."))
    if not competition.tables.filter(stream=True).exists():
        raise Refused("no-stream", _("No table of %(competition)s is on the stream."), competition=competition)


def _settle_on_stream(competition: Competition, slot: Slot) -> None:
    settle(competition, [slot])
    slot.refresh_from_db()
    if slot.table and slot.table.stream:
        return
    held = _open_slots(competition).filter(table__stream=True, starts_at=slot.starts_at)
    if slot.starts_at is None:
        held = held.filter(matchday=slot.matchday_id)
    there = held.first()
    raise Refused(
        "stream-taken",
        _(
            "The stream table is not free for this match: %(reason)s. Move that match first, or choose another for the "
            "stream."
        ),
        reason=_names(there) if there else _("another competition has it at that hour"),
    )


def _names(slot: Slot) -> str:
    rows = slot.berths.exclude(entrant=None).select_related(*PEOPLE).order_by("number")
    return " – ".join(str(berth.entrant) for berth in rows)


@transaction.atomic
def delay_scores(competition: Competition, *, user: User, seconds: int) -> bool:
    """Set the delay of running scores, from the next tap on.

    True if this call changed it. Raises NotAllowed; Refused `no-such-delay`.
    """
    competition = locked(competition.pk)
    check_may(user, Act.MANAGE_COMPETITIONS, competition.league)
    if seconds not in Competition.LiveDelay.values:
        raise Refused("no-such-delay", _("Choose one of the delays."))
    rows = Competition.objects.filter(pk=competition.pk).exclude(live_delay_s=seconds)
    return bool(rows.update(live_delay_s=seconds))


@transaction.atomic
def stream_top_boards(competition: Competition, *, user: User, on: bool) -> bool:
    """Set whether the top board of each newly drawn round goes to the stream table.

    True if this call changed it. Raises NotAllowed.
    """
    competition = locked(competition.pk)
    check_may(user, Act.MANAGE_COMPETITIONS, competition.league)
    rows = Competition.objects.filter(pk=competition.pk).exclude(top_board_streamed=on)
    return bool(rows.update(top_board_streamed=on))


# --- Unmet wishes ---


@dataclass(frozen=True, slots=True)
class UnmetLine:
    """An upcoming match with an unmet wish.

    `names`: its two entrants. `who`: full name of the entrant with the wish, for officials. `wished`: the wished table.
    `rival`: the entrant who is pinned to the match's table.
    """

    slot_id: int
    matchday: str
    names: str
    table: str
    wish: Wish
    who: str
    wished: str
    rival: str


def unmet_wishes(competition: Competition) -> list[UnmetLine]:
    """List unmet wishes of untouched matches with known players.

    For officials. At most six statements.
    """
    wishes = wishes_of(competition)
    rows = _open_slots(competition).select_related("matchday", "table")
    if not wishes.any:
        rows = rows.filter(for_stream=True)
    slots = list(rows) if wishes.any or competition.tables.filter(stream=True).exists() else []
    if not slots:
        return []
    found: dict[int, list[Berth]] = {}
    berths = Berth.objects.filter(slot__in=slots, entrant__isnull=False).select_related(*PEOPLE)
    for berth in berths.order_by("number"):
        found.setdefault(berth.slot_id, []).append(berth)
    # All tables of the league: a wish may name a table that the plan no longer has.
    tables = dict(Table.objects.filter(league=competition.league_id).values_list("pk", "name"))
    people = {one.entrant_id: whole_name(one.entrant) for both in found.values() for one in both}
    return [
        _line(slot, one, people, tables, found[slot.pk])
        for slot in slots
        for one in unmet(
            [berth.entrant_id for berth in found.get(slot.pk, ())], slot.table_id, wishes, streamed=slot.for_stream
        )
        if slot.pk in found
    ]


def _line(
    slot: Slot, one: Unmet, people: Mapping[int, str], tables: Mapping[int, str], both: Sequence[Berth]
) -> UnmetLine:
    return UnmetLine(
        slot_id=slot.pk,
        matchday=str(slot.matchday),
        names=" – ".join(people[berth.entrant_id] for berth in both),
        table=slot.table.name if slot.table else "",
        wish=one.wish,
        who=people.get(one.entrant or 0, ""),
        wished=tables.get(one.table or 0, ""),
        rival=people.get(one.rival or 0, ""),
    )


def whole_name(entrant: Entrant) -> str:
    """Give the full name, for officials."""
    return entrant.full_name


def _open_slots(competition: Competition) -> QuerySet[Slot]:
    slots = Slot.objects.filter(matchday__stage__competition=competition, berths__number=2, not_needed=False)
    slots = slots.exclude(match__state__in=[one for one in Match.State if one != Match.State.SCHEDULED])
    return slots.order_by("matchday__number", "number")


def wish_rows(competition: Competition) -> QuerySet[Registration]:
    """Select registrations with wishes, by seed. For officials."""
    rows = competition.registrations.select_related(*PEOPLE, "pinned_table").order_by("seed")
    return rows.exclude(pinned_table=None, entrant__needs_accessible=False)

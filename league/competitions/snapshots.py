"""Snapshots of a competition's rows before destructive acts, and restoration.

Rows are written back with the same keys, so that printed cards and codes are right again. Only unpublished rows are
kept: all of a draft; of a published competition the draft round, or the draft stage.
"""

import json
import zlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import Any
from uuid import UUID

from django.db.models import Model, QuerySet
from django.utils import timezone

from league.accounts.models import User
from league.competitions.models import (
    Applicant,
    Berth,
    Competition,
    EarlierState,
    Invitation,
    Matchday,
    Registration,
    Seeding,
    Slot,
    Stage,
    StageEntry,
)
from league.matches.models import Game, Match, Side, Table
from league.players.models import Entrant, plays

MOST_KEPT = 20
"""Earlier states kept of a competition; the oldest is deleted."""
MOST_SLOTS = 10_000
"""Of a larger draw only the act is noted.

Its rows are more than an undo is worth (docs/decisions/draws.md).
"""
BATCH = 500
TABLE_COLUMNS = frozenset({"table_id", "pinned_table_id"})
# In the order in which they can be written.
ROWS: tuple[type[Model], ...] = (Stage, StageEntry, Registration, Match, Side, Game, Matchday, Slot, Berth)
OF_MATCH = frozenset({Match, Side, Game})
# These are kept with a discarded draft only, because no undo restores them: a drawn lot stays.
WITH_DRAFT: tuple[type[Model], ...] = (Seeding, Invitation, Applicant)

Value = dict[str, Any]


def hidden_days(competition: Competition) -> QuerySet[Matchday]:
    """The unpublished rounds."""
    return Matchday.objects.filter(stage__competition=competition, published_at=None)


def hidden_entries(competition: Competition) -> QuerySet[StageEntry]:
    """Entrants of stages without a published round."""
    shown = Matchday.objects.filter(stage__competition=competition).exclude(published_at=None).values("stage")
    return StageEntry.objects.filter(stage__competition=competition).exclude(stage__in=shown)


def _rows_of(competition: Competition) -> dict[type[Model], QuerySet[Any]]:
    days = hidden_days(competition)
    slots = Slot.objects.filter(matchday__in=days)
    matches = Match.objects.filter(slot__matchday__in=days)
    found: dict[type[Model], QuerySet[Any]] = {
        StageEntry: hidden_entries(competition),
        Match: matches,
        Side: Side.objects.filter(match__in=matches),
        Game: Game.objects.filter(match__in=matches),
        Matchday: days,
        Slot: slots,
        Berth: Berth.objects.filter(slot__in=slots),
    }
    if competition.published_at is None:
        found |= {Stage: competition.stages.all(), Registration: competition.registrations.all()}
        found |= {Seeding: competition.seedings.all(), Invitation: competition.invitations.all()}
        found[Applicant] = competition.applicants.all()
    return found


def keep(competition: Competition, before: EarlierState.Before, *, user: User | None) -> EarlierState:
    """Keep a snapshot before the act, in its transaction and under its lock."""
    slots = Slot.objects.filter(matchday__in=hidden_days(competition))
    count = slots.count()
    shown = None if competition.published_at is None else _shown(competition)
    models = (*ROWS, *WITH_DRAFT) if before == EarlierState.Before.DISCARDED else ROWS
    rows = pack(value_of(competition, models)) if count <= MOST_SLOTS else b""
    state = EarlierState.objects.create(
        league_id=competition.league_id,
        key=competition.key,
        name=competition.name,
        before=before,
        made_at=timezone.now(),
        made_by=user,
        entrants=competition.registrations.count(),
        matches=slots.exclude(match=None).count(),
        rounds=hidden_days(competition).count(),
        rounds_shown=shown,
        rows=rows,
        size=len(rows),
    )
    _forget_oldest(competition)
    return state


def _shown(competition: Competition) -> int:
    return Matchday.objects.filter(stage__competition=competition).exclude(published_at=None).count()


def keep_drawn(competition: Competition, before: EarlierState.Before, *, user: User | None) -> None:
    """The same, only if a draw would be lost."""
    if hidden_days(competition).exists():
        keep(competition, before, user=user)


def states_of(competition: Competition) -> QuerySet[EarlierState]:
    """Earlier states of a competition, the latest first."""
    return EarlierState.objects.filter(league=competition.league_id, key=competition.key).order_by("-pk")


def undoable(competition: Competition) -> QuerySet[EarlierState]:
    """Earlier states that can be restored, the latest first; no discarded draft."""
    return states_of(competition).exclude(before=EarlierState.Before.DISCARDED)


def _forget_oldest(competition: Competition) -> None:
    last = list(states_of(competition).values_list("pk", flat=True)[:MOST_KEPT])
    if len(last) == MOST_KEPT:
        states_of(competition).filter(pk__lt=last[-1]).delete()


# --- Rows and bytes ---


def value_of(competition: Competition, models: Sequence[type[Model]] = ROWS) -> Value:
    """Row of the competition, keys of its tables, and other rows by model.

    Each model has its columns and rows.
    """
    rows = _rows_of(competition)
    return {
        "competition": {
            field.attname: getattr(competition, field.attname) for field in Competition._meta.concrete_fields
        },
        "tables": sorted(competition.tables.values_list("pk", flat=True)),
        "rows": {model._meta.label_lower: _columns(rows[model]) for model in models if model in rows},
    }


def _columns(rows: QuerySet[Any]) -> Value:
    names = [field.attname for field in rows.model._meta.concrete_fields]
    return {"columns": names, "rows": [list(row) for row in rows.order_by("pk").values_list(*names)]}


def pack(value: Value) -> bytes:
    return zlib.compress(json.dumps(value, default=_as_text, separators=(",", ":")).encode())


def unpack(rows: bytes | memoryview) -> Value:
    value: Value = json.loads(zlib.decompress(bytes(rows)))
    return value


def plain(value: Value) -> Value:
    """Give the value as JSON has it."""
    return json.loads(json.dumps(value, default=_as_text))  # type: ignore[no-any-return]


def _as_text(value: object) -> str:
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, UUID):
        return str(value)
    raise TypeError(f"{value!r} is kept in no column of a draw")


def of_model(value: Value, model: type[Model]) -> list[Mapping[str, Any]]:
    """Rows by name of the column, without columns that the model no longer has, and without bonuses.

    Bonuses and deductions go with a removed registration.
    """
    part = value["rows"].get(model._meta.label_lower, {"columns": [], "rows": []})
    fields = {field.attname: field for field in model._meta.concrete_fields if field.attname != "bonus"}
    return [
        {name: fields[name].to_python(one) for name, one in zip(part["columns"], row, strict=True) if name in fields}
        for row in part["rows"]
    ]


def write(value: Value, models: Iterable[type[Model]], *, league_id: int) -> None:
    """Write the rows with their old keys, without tables that no longer exist."""
    here = tables_of(league_id)
    for model in models:
        insert(model, [at_tables_there(row, here) for row in of_model(value, model)])


def insert(model: type[Model], rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert rows with their keys; those of a match that was set aside meanwhile (`locks`) return."""
    names = [name for name in (rows[0] if rows else ()) if name != "id"] if model in OF_MATCH else []
    over: Any = {"update_conflicts": True, "unique_fields": ["id"], "update_fields": names} if names else {}
    model._base_manager.bulk_create([model(**row) for row in rows], batch_size=BATCH, **over)


def tables_of(league_id: int) -> set[int]:
    return set(Table.objects.filter(league=league_id).values_list("pk", flat=True))


def at_tables_there(row: Mapping[str, Any], here: Collection[int]) -> dict[str, Any]:
    """The row without tables that are not `here`."""
    return {name: None if name in TABLE_COLUMNS and value not in here else value for name, value in row.items()}


def entrants_in(value: Value) -> set[int]:
    """All entrants of a snapshot."""
    return {
        row["entrant_id"]
        for model in (Registration, StageEntry, Berth, Side)
        for row in of_model(value, model)
        if row["entrant_id"]
    }


# --- Privacy ---


def forget_reasons_kept(player_id: int) -> None:
    """Erase a player's fee waiver reasons, which may name them, from earlier states.

    In all leagues of the player.
    """
    mine = dict(Entrant.objects.filter(plays(player_id)).values_list("pk", "league"))
    for state in EarlierState.objects.filter(league__in=set(mine.values())).exclude(size=0):
        value = unpack(state.rows)
        if _blank(value["rows"].get(Registration._meta.label_lower), mine):
            state.rows = pack(value)
            state.save(update_fields=["rows"])


def _blank(part: Value | None, entrants: Mapping[int, int]) -> bool:
    if part is None:
        return False
    who, why = (part["columns"].index(name) for name in ("entrant_id", "free_reason"))
    told: Sequence[list[Any]] = [row for row in part["rows"] if row[who] in entrants and row[why]]
    for row in told:
        row[why] = "–"
    return bool(told)

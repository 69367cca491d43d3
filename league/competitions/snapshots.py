"""A competition as rows: kept before an act that destroys something, and written back with the same keys, so that cards
and codes that were printed are right again.

Only what nobody has seen is kept: all of a draft; of what is published the draft round, or the draft stage.
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
"""Earlier states of one competition; the oldest goes."""
MOST_SLOTS = 10_000
"""Of a larger draw only the act is noted: its rows are more than an undo is worth (docs/decisions/draws.md)."""
BATCH = 500
TABLE_COLUMNS = frozenset({"table_id", "pinned_table_id"})
# In the order in which they can be written.
ROWS: tuple[type[Model], ...] = (Stage, StageEntry, Registration, Match, Side, Game, Matchday, Slot, Berth)
# Undone by nobody, so they are kept with a discarded draft alone: a lot that was drawn stays drawn.
WITH_DRAFT: tuple[type[Model], ...] = (Seeding, Invitation, Applicant)

Value = dict[str, Any]


def hidden_days(competition: Competition) -> QuerySet[Matchday]:
    """The rounds that nobody has seen."""
    return Matchday.objects.filter(stage__competition=competition, published_at=None)


def hidden_entries(competition: Competition) -> QuerySet[StageEntry]:
    """Who goes on to stages of which nobody has seen a round."""
    shown = Matchday.objects.filter(stage__competition=competition).exclude(published_at=None).values("stage")
    return StageEntry.objects.filter(stage__competition=competition).exclude(stage__in=shown)


def _rows_of(competition: Competition) -> dict[type[Model], QuerySet]:
    days = hidden_days(competition)
    slots = Slot.objects.filter(matchday__in=days)
    matches = Match.objects.filter(slot__matchday__in=days)
    found: dict[type[Model], QuerySet] = {
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
    """Before the act, in its transaction and under its lock."""
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
    """The same where a draw would be lost; else nothing is."""
    if hidden_days(competition).exists():
        keep(competition, before, user=user)


def states_of(competition: Competition) -> QuerySet[EarlierState]:
    """The latest first."""
    return EarlierState.objects.filter(league=competition.league_id, key=competition.key).order_by("-pk")


def undoable(competition: Competition) -> QuerySet[EarlierState]:
    """Those that lead back, the latest first; that it was discarded once is none of them."""
    return states_of(competition).exclude(before=EarlierState.Before.DISCARDED)


def _forget_oldest(competition: Competition) -> None:
    last = list(states_of(competition).values_list("pk", flat=True)[:MOST_KEPT])
    if len(last) == MOST_KEPT:
        states_of(competition).filter(pk__lt=last[-1]).delete()


# --- Rows and bytes ---


def value_of(competition: Competition, models: Sequence[type[Model]] = ROWS) -> Value:
    """One row of the competition, the keys of its tables, and by model the columns and rows of everything else."""
    rows = _rows_of(competition)
    return {
        "competition": {
            field.attname: getattr(competition, field.attname) for field in Competition._meta.concrete_fields
        },
        "tables": sorted(competition.tables.values_list("pk", flat=True)),
        "rows": {model._meta.label_lower: _columns(rows[model]) for model in models if model in rows},
    }


def _columns(rows: QuerySet) -> Value:
    names = [field.attname for field in rows.model._meta.concrete_fields]
    return {"columns": names, "rows": [list(row) for row in rows.order_by("pk").values_list(*names)]}


def pack(value: Value) -> bytes:
    return zlib.compress(json.dumps(value, default=_as_text, separators=(",", ":")).encode())


def unpack(rows: bytes) -> Value:
    return json.loads(zlib.decompress(bytes(rows)))


def _as_text(value: object) -> str:
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, UUID):
        return str(value)
    raise TypeError(f"{value!r} is kept in no column of a draw")


def of_model(value: Value, model: type[Model]) -> list[Mapping[str, Any]]:
    """Rows by name of the column; a column that the model has no more is left out."""
    part = value["rows"].get(model._meta.label_lower, {"columns": [], "rows": []})
    fields = {field.attname: field for field in model._meta.concrete_fields}
    return [
        {name: fields[name].to_python(one) for name, one in zip(part["columns"], row, strict=True) if name in fields}
        for row in part["rows"]
    ]


def write(value: Value, models: Iterable[type[Model]], *, league_id: int) -> None:
    """The rows with the keys that they had. A table that is gone since is no table."""
    here = tables_of(league_id)
    for model in models:
        rows = [at_tables_there(row, here) for row in of_model(value, model)]
        model._base_manager.bulk_create([model(**row) for row in rows], batch_size=BATCH)


def tables_of(league_id: int) -> set[int]:
    return set(Table.objects.filter(league=league_id).values_list("pk", flat=True))


def at_tables_there(row: Mapping[str, Any], here: Collection[int]) -> dict[str, Any]:
    """The row without tables that are not `here`."""
    return {name: None if name in TABLE_COLUMNS and value not in here else value for name, value in row.items()}


def entrants_in(value: Value) -> set[int]:
    """Whoever is named anywhere in it."""
    return {
        row["entrant_id"]
        for model in (Registration, StageEntry, Berth, Side)
        for row in of_model(value, model)
        if row["entrant_id"]
    }


# --- Privacy ---


def forget_reasons_kept(player_id: int) -> None:
    """Why somebody plays free, which may name them, in the earlier states of their leagues."""
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

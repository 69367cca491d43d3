"""Changes of a stage's rows by one act, kept with it so that it can be taken back.

Made and changed rows are kept by key, deleted rows in full: a match that is scheduled again keeps its code.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from django.db.models import Model

from league.competitions.draw.advancing import schedule, without_match
from league.competitions.draw.finishing import finish
from league.competitions.draw.qualifying import mark_who_goes_on
from league.competitions.draw.schedule.seating import begun, note_change
from league.competitions.locks import remove
from league.competitions.models import Berth, Competition, Matchday, Slot, Stage
from league.competitions.official_results import winners_and_losers
from league.competitions.snapshots import Value, insert, of_model, plain
from league.matches.models import Game, Match, Side

Rows = Mapping[type[Model], Mapping[int, Mapping[str, Any]]]
MODELS: tuple[type[Model], ...] = (Stage, Matchday, Match, Side, Game, Slot, Berth)
WRITTEN_BACK: tuple[type[Model], ...] = (Stage, Matchday, Match, Side, Slot)
NOT_KEPT = frozenset({"version", "changed_at"})
"""Columns that tell of changes; taking back is a change as well."""


def rows_of(stage: Stage) -> Rows:
    """Read the rows of a stage by model and key. Seven statements."""
    slots = Slot.objects.filter(matchday__stage=stage)
    matches = Match.objects.filter(slot__in=slots)
    found = {
        Stage: Stage.objects.filter(pk=stage.pk),
        Matchday: stage.matchdays.all(),
        Match: matches,
        Side: Side.objects.filter(match__in=matches),
        Game: Game.objects.filter(match__in=matches),
        Slot: slots,
        Berth: Berth.objects.filter(slot__in=slots),
    }
    return {model: {row["id"]: row for row in found[model].values()} for model in MODELS}


def changes(before: Rows, after: Rows) -> Value:
    """Give the difference as plain values, by model.

    `made`: keys; `rows`: deleted rows; `changed`: old and new value by key and column.
    """
    found: Value = {"made": {}, "rows": {}, "changed": {}}
    for model in MODELS:
        label, old, new = model._meta.label_lower, before[model], after[model]
        found["made"][label] = sorted(new.keys() - old.keys())
        gone = [old[key] for key in sorted(old.keys() - new.keys())]
        columns = list(gone[0]) if gone else []
        found["rows"][label] = {"columns": columns, "rows": [[row[name] for name in columns] for row in gone]}
        changed = {str(key): _columns(old[key], new[key]) for key in sorted(old.keys() & new.keys())}
        found["changed"][label] = {key: columns for key, columns in changed.items() if columns}
    return plain(found)


def _columns(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, list[Any]]:
    return {name: [value, new[name]] for name, value in old.items() if value != new[name] and name not in NOT_KEPT}


# --- The way back ---


def restore(competition: Competition, stage: Stage, kept: Value) -> None:
    """Take the changes back; what happened since in other matches stays.

    No match that the act made may have begun; those with records are set aside. Requires the caller's transaction and
    lock.
    """
    made = {model: kept["made"].get(model._meta.label_lower, []) for model in MODELS}
    berths = _changed(kept, Berth)
    drawn = _drawn(berths, made[Slot])
    Berth.objects.filter(pk__in=made[Berth]).delete()
    for key, columns in berths.items():
        old = {name: before for name, (before, _now) in columns.items() if name != "entrant_id"}
        _write(Berth, key, old | ({"entrant_id": drawn[key]} if key in drawn else {}))
    freed = set(Slot.objects.filter(match__in=made[Match]).values_list("pk", flat=True))
    Slot.objects.filter(pk__in=freed).update(match=None)
    Berth.objects.filter(slot__in=freed).update(awaited_since=None)
    remove(made[Match])
    Game.objects.filter(pk__in=made[Game]).exclude(match__in=made[Match]).delete()
    Side.objects.filter(pk__in=made[Side]).exclude(match__in=made[Match]).delete()
    Slot.objects.filter(pk__in=made[Slot]).delete()
    Matchday.objects.filter(pk__in=made[Matchday]).delete()
    for model in WRITTEN_BACK:
        _write_back(model, _changed(kept, model), freed if model is Slot else ())
    _send_again(berths)
    _matches_again(kept)
    touched = Slot.objects.filter(pk__in={*freed, *_changed(kept, Slot), *_slots_of(berths)}).select_related("matchday")
    note_change(touched)
    schedule(competition, without_match().filter(pk__in=[slot.pk for slot in touched]))
    stage.refresh_from_db()
    mark_who_goes_on(stage)
    finish(stage)


def _drawn(berths: Iterable[int], made: Iterable[int]) -> dict[int, int]:
    """Give the drawn entrants of berths that came from slots of the act, as they are now: players may be merged."""
    known = Berth.objects.filter(slot__in=list(made), number=1, from_slot=None)
    entrants = dict(known.values_list("slot", "entrant"))
    sources = Berth.objects.filter(pk__in=list(berths), from_slot__in=list(entrants)).values_list("pk", "from_slot")
    return {key: entrants[source] for key, source in sources}


def _changed(kept: Value, model: type[Model]) -> dict[int, dict[str, Any]]:
    return {int(key): columns for key, columns in kept["changed"].get(model._meta.label_lower, {}).items()}


def _write(model: type[Model], key: int, columns: Mapping[str, Any]) -> None:
    fields = {field.attname: field for field in model._meta.concrete_fields}
    values = {name: fields[name].to_python(value) for name, value in columns.items() if name in fields}
    if values:
        model._base_manager.filter(pk=key).update(**values)


def _write_back(model: type[Model], changed: Mapping[int, Mapping[str, Any]], freed: Collection[int]) -> None:
    """Write the old values, except where somebody has changed them since; of `freed` slots all of them.

    A match that has begun stays at its table. Numbers were raised, so the lowest is written first.
    """
    now = {row["id"]: plain(row) for row in model._base_manager.filter(pk__in=changed).values()}
    held = _held(model, changed)
    for key, row in sorted(now.items(), key=lambda one: one[1].get("number", 0)):
        back = {
            name: old
            for name, (old, new) in changed[key].items()
            if name != "match_id" and (key in freed or row[name] == new) and (name == "number" or key not in held)
        }
        _write(model, key, back)


def _held(model: type[Model], keys: Iterable[int]) -> set[int]:
    """Keys of matches that have begun, or of their slots."""
    if model not in {Match, Slot}:
        return set()
    path = "pk" if model is Match else "slot"
    matches = Match.objects.filter(begun(), **{f"{path}__in": list(keys)})
    return set(matches.values_list(path, flat=True))


def _slots_of(berths: Iterable[int]) -> set[int]:
    return set(Berth.objects.filter(pk__in=list(berths)).values_list("slot", flat=True))


def _send_again(berths: Iterable[int]) -> None:
    """Fill berths from the slots that lead to them, as results are now."""
    rows = list(Berth.objects.filter(pk__in=list(berths), from_slot__isnull=False).select_related("from_slot"))
    ends = winners_and_losers([one.from_slot.match_id for one in rows if one.from_slot and one.from_slot.match_id])
    for one in rows:
        one.entrant_id = _sent(one, ends)
        one.save(update_fields=["entrant"])


def _sent(berth: Berth, ends: Mapping[int, tuple[int, int]]) -> int | None:
    source = berth.from_slot
    if source is None:
        return berth.entrant_id
    if end := ends.get(source.match_id or 0):
        return end[berth.takes == Berth.Takes.LOSER]
    known = list(source.berths.values_list("entrant", flat=True))
    return known[0] if len(known) == 1 else None


def _matches_again(kept: Value) -> None:
    """Write the deleted matches whose two entrants are the same, each at the table and hour of its slot."""
    slots = {columns["match_id"][0]: key for key, columns in _changed(kept, Slot).items() if "match_id" in columns}
    sides = of_model(kept, Side)
    for row in of_model(kept, Match):
        slot = Slot.objects.filter(pk=slots.get(row["id"], 0), match=None).first()
        if slot is None:
            continue
        own = [one for one in sides if one["match_id"] == row["id"]]
        if {one["entrant_id"] for one in own} != set(slot.berths.values_list("entrant", flat=True)):
            continue
        insert(Match, [dict(row) | {"table_id": slot.table_id, "starts_at": slot.starts_at}])
        insert(Side, own)
        insert(Game, [one for one in of_model(kept, Game) if one["match_id"] == row["id"]])
        slot.match_id = row["id"]
        slot.save(update_fields=["match"])

"""T-08: every edit by SQL without triggers is found, and its row is named."""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice
from random import Random

import pytest
from django.apps import apps
from django.db import DatabaseError, connection, transaction

from league.competitions.integrity.derived import everything
from league.matches.integrity import running
from league.matches.integrity.differences import RowDifference
from tests import volume
from tests.league.every_record import every_kind
from tests.league.tampering import drop_triggers, taken_back

EDITS = 1000
# Table → the columns that the records prove. docs/decisions/trust-and-verify.md lists the others.
COLUMNS = {
    "matches_result": (
        "scores", "winner", "ended", "state", "known_by", "confirmed_how", "confirmed_by_id", "confirmed_at", "decided",
        "seal", "record_id", "game_id", "needs_decision", "contested", "current", "entered_at",
    ),
    "matches_record": (
        "game_id", "kind", "submitted_by_id", "via", "signed", "for_side", "submitted_at", "replaces_id", "state",
        "upload_sha256", "seats", "partners", "sides", "head",
    ),
    "matches_sealedlog": ("text", "sha256", "heads", "record_id"),
    "matches_scoresheet": ("data", "sha256", "record_id"),
    "matches_storedverdict": (
        "status", "evidence", "scores", "winner", "ended", "rounds", "findings", "rulings", "chips", "points_on_word",
        "figures", "engine_edition", "ruleset_edition", "record_id",
    ),
    "matches_tallytap": (
        "number", "kind", "seat", "points", "spinner", "ended", "winner", "left", "of", "clock_ms", "touch", "pad",
        "by_id", "for_side", "mono_ms", "head", "game_id",
    ),
    "matches_game": ("number", "code", "match_id", "taps_head"),
    "matches_upload": ("raw", "record_id"),
    "matches_reply": (
        "result_id", "agrees", "for_side", "said_by_id", "said_at", "turn", "after", "head",
    ),
    "matches_match": ("ruleset", "options", "state"),
    "matches_namedjudge": ("match_id", "player_id", "named_by_id", "named_at", "accepted", "head"),
    "matches_side": ("match_id", "number", "entrant_id"),
    "matches_amendment": (
        "old_id", "new_id", "kind", "data", "scores", "winner", "proposed_by_id", "closed_by_id", "closed_at",
    ),
}  # fmt: skip
REMOVED = (
    "matches_result", "matches_sealedlog", "matches_scoresheet", "matches_storedverdict", "matches_record",
    "matches_game", "matches_side", "matches_amendment", "matches_upload",
)  # fmt: skip


Where = dict[tuple[str, int], int]
"""The match of a row, by table and key."""
Look = Callable[[], Iterable[RowDifference]]


@dataclass(frozen=True)
class Edit:
    """`row`: table and key. `act` changes the database."""

    kind: str
    row: tuple[str, int]
    act: Callable[[], None]


def sql(statement: str, *values: object) -> list[tuple]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return cursor.fetchall() if cursor.description else []


def rows_of(table: str) -> dict[int, dict[str, object]]:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM {table} ORDER BY id")
        names = [one[0] for one in cursor.description]
        return {row[0]: dict(zip(names, row, strict=True)) for row in cursor.fetchall()}


def setting(table: str, key: int, column: str, value: object) -> Callable[[], None]:
    return lambda: sql(f'UPDATE {table} SET "{column}" = %s WHERE id = %s', value, key)


def edits(rng: Random) -> Iterator[Edit]:
    """Yield edits of every kind without end, on rows that the records prove."""
    tables = {table: rows_of(table) for table in COLUMNS}
    for _ in iter(int, 1):
        make = rng.choice((changed, changed, swapped, removed, put_in, cut_off, scored, won))
        if (edit := make(rng, tables)) is not None:
            yield edit


def changed(rng: Random, tables: dict) -> Edit | None:
    """Flip a bit of a value."""
    table = rng.choice(sorted(COLUMNS))
    column = rng.choice(COLUMNS[table])
    key = rng.choice(sorted(tables[table]))
    value = tables[table][key][column]
    if is_free(tables, table, key, column):
        return None
    return Edit(f"bit of {table}.{column}", (table, key), setting(table, key, column, flipped(rng, value)))


def flipped(rng: Random, value: object) -> object:
    if value is None:
        return 1
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value ^ (1 << rng.randrange(4))
    text = str(value)
    if not text:
        return "x"
    place = rng.randrange(len(text))
    return text[:place] + chr(ord(text[place]) ^ 1) + text[place + 1 :]


def swapped(rng: Random, tables: dict) -> Edit | None:
    """Swap a value of two rows."""
    table = rng.choice(("matches_result", "matches_record", "matches_storedverdict", "matches_sealedlog"))
    column = rng.choice([one for one in COLUMNS[table] if one not in ("record_id", "replaces_id")])
    one, other = rng.sample(sorted(tables[table]), 2)
    first, second = tables[table][one][column], tables[table][other][column]
    if first == second or is_free(tables, table, one, column) or is_free(tables, table, other, column):
        return None

    def act() -> None:
        setting(table, one, column, second)()
        setting(table, other, column, first)()

    return Edit(f"swap of {table}.{column}", (table, one), act)


def removed(rng: Random, tables: dict) -> Edit | None:
    table = rng.choice(REMOVED)
    key = rng.choice(sorted(tables[table]))
    if table == "matches_amendment" and tables[table][key]["new_id"] is None:
        return None
    if table == "matches_side" and not any(
        game["match_id"] == tables[table][key]["match_id"] for game in games_with_records(tables)
    ):
        return None
    return Edit(f"deletion in {table}", (table, key), lambda: sql(f"DELETE FROM {table} WHERE id = %s", key))


def put_in(rng: Random, tables: dict) -> Edit:
    """Insert a copy of a result or record for a game with records."""
    table = rng.choice(("matches_record", "matches_result"))
    key, new = rng.choice(sorted(tables[table])), max(tables[table]) + 1000
    row = dict(tables[table][key], id=new)
    if table == "matches_record":
        row["upload_sha256"] = f"{rng.randrange(16**64):064x}"
    else:
        row |= {"record_id": new, "current": False, "state": "provisional", "confirmed_at": None}
        row |= {"confirmed_by_id": None, "confirmed_how": "", "decided": False}
    columns, places = ", ".join(f'"{name}"' for name in row), ", ".join(["%s"] * len(row))
    statement = f"INSERT INTO {table} ({columns}) VALUES ({places})"
    return Edit(f"insertion into {table}", (table, new), lambda: sql(statement, *row.values()))


def cut_off(rng: Random, tables: dict) -> Edit:
    """Cut off the end of a log, or last taps, even one that no score shows."""
    if rng.random() < 0.5:
        key = rng.choice(sorted(tables["matches_sealedlog"]))
        text = str(tables["matches_sealedlog"][key]["text"])
        shorter = text[: rng.randrange(len(text))]
        return Edit("tail of a log", ("matches_sealedlog", key), setting("matches_sealedlog", key, "text", shorter))
    taps = sorted(tables["matches_tallytap"])
    after = rng.choice(taps)
    game = tables["matches_tallytap"][after]["game_id"]
    statement = "DELETE FROM matches_tallytap WHERE id >= %s AND game_id = %s"
    return Edit("tail of a tally", ("matches_tallytap", after), lambda: sql(statement, after, game))


def scored(rng: Random, tables: dict) -> Edit:
    key = rng.choice(sorted(tables["matches_result"]))
    scores = as_json(tables["matches_result"][key]["scores"])
    scores[rng.choice(sorted(scores))] += rng.choice((-5, 5, 100))
    return Edit("scores", ("matches_result", key), setting("matches_result", key, "scores", json.dumps(scores)))


def won(rng: Random, tables: dict) -> Edit:
    key = rng.choice(sorted(tables["matches_result"]))
    winner = 3 - int(tables["matches_result"][key]["winner"] or 1)
    return Edit("winner", ("matches_result", key), setting("matches_result", key, "winner", winner))


def as_json(value: object) -> dict:
    return json.loads(value) if isinstance(value, str) else value


def games_with_records(tables: dict) -> list[dict]:
    used = {row["game_id"] for row in tables["matches_record"].values()}
    return [row for key, row in tables["matches_game"].items() if key in used]


def is_free(tables: dict, table: str, key: int, column: str) -> bool:
    """Tell whether no record covers the value, as in a fixture without a record."""
    games = games_with_records(tables)
    match = {"matches_match": key, "matches_side": tables[table][key].get("match_id")}.get(table)
    if match is not None:
        return match not in {game["match_id"] for game in games}
    if table == "matches_amendment" and tables[table][key]["new_id"] is None:  # it waits, and changed nothing
        return column in ("proposed_by_id", "state")
    if table == "matches_result" and column == "needs_decision":  # checked for current results only
        return not tables[table][key]["current"]
    return table == "matches_game" and tables[table][key] not in games


@pytest.fixture
def played(db):
    return every_kind()


def missed(number: int, seed: int) -> list[str]:
    """Return the edits that no check finds."""
    matches = matches_of_rows()
    tried = (found for edit in edits(Random(seed)) if (found := unnoticed(edit, matches)) is not None)
    return [one for one in islice(tried, number) if one]


def unnoticed(edit: Edit, matches: Where, look: Look = everything) -> str | None:
    """Return the name of an edit that no check finds, else ""; None if the database refuses the value."""
    with taken_back():
        drop_triggers()
        try:
            with transaction.atomic():
                edit.act()
        except DatabaseError:
            return None
        return "" if any(names(one, edit, matches) for one in look()) else f"{edit.kind} {edit.row}"


def matches_of_rows() -> Where:
    """Return the match of each row, by table and key."""
    tables = {table: rows_of(table) for table in COLUMNS}
    games = {key: row["match_id"] for key, row in tables["matches_game"].items()}
    records = {key: games[row["game_id"]] for key, row in tables["matches_record"].items()}
    results = {key: records[row["record_id"]] for key, row in tables["matches_result"].items()}
    found: Where = {("matches_match", key): key for key in tables["matches_match"]}
    for table, rows in tables.items():
        for key, row in rows.items():
            if "record_id" in row:
                found[table, key] = records[row["record_id"]]
            elif "result_id" in row:
                found[table, key] = results[row["result_id"]]
            elif "game_id" in row:
                found[table, key] = games[row["game_id"]]
            elif "match_id" in row:
                found[table, key] = row["match_id"]
    return found


def names(difference: RowDifference, edit: Edit, matches: Where) -> bool:
    """Tell whether the difference names the edited row or its match, or a missing row."""
    at = matches.get(edit.row)
    table, key = edit.row
    [label] = [str(one._meta.verbose_name) for one in apps.get_models() if one._meta.db_table == table]
    is_row = difference.row == f"{label} {key}"
    return at is None or is_row or difference.match == at or difference.should == "a row that is there"


def edits_of(table: str, column: str, tables: dict) -> Iterator[Edit]:
    """Yield edits of a column, some for each row whose value the records prove."""
    others = [row[column] for row in tables[table].values()]
    for key, row in tables[table].items():
        if not is_free(tables, table, key, column):
            values = [*(flipped(Random(seed), row[column]) for seed in range(3)), *others]
            # JSON, which PostgreSQL wants, in a column that may be empty in every row.
            values += ['{"other": "1"}'] if isinstance(row[column], str) or column == "left" else []
            changes = (setting(table, key, column, value) for value in values if value != row[column])
            yield from (Edit(column, (table, key), change) for change in changes)


@pytest.mark.parametrize("table", COLUMNS)
def test_an_edit_of_each_column_is_found(played, table):
    tables, matches = {name: rows_of(name) for name in COLUMNS}, matches_of_rows()
    found = {}
    for column in COLUMNS[table]:
        tried = (unnoticed(one, matches, partial(nearest, matches[one.row])) for one in edits_of(table, column, tables))
        found[column] = next((one for one in tried if one is not None), "each value is refused")
    # Only a tap that takes another back has its number, and the database holds that.
    assert {column: one for column, one in found.items() if one} == (
        {"of": "each value is refused"} if table == "matches_tallytap" else {}
    )


def nearest(match: int) -> Iterator[RowDifference]:
    """Yield the differences of a match, then those of the site."""
    yield from (found for part in running.check_range(match - 1, match) for found in part.found)
    yield from everything()


@pytest.mark.slow("random edits")
def test_every_edit_by_sql_is_found(played):
    number = EDITS if volume.THOROUGH else 40
    assert missed(number, seed=volume.SEED) == []


@pytest.mark.slow("random edits")
def test_the_control_without_the_checks_nothing_is_found(played, monkeypatch):
    monkeypatch.setattr(running, "check_match", lambda match: iter(()))
    monkeypatch.setattr("league.competitions.integrity.derived.dangling", lambda: iter(()))
    monkeypatch.setattr("league.competitions.integrity.derived.derived", lambda: iter(()))
    assert len(missed(20, seed=volume.SEED)) == 20

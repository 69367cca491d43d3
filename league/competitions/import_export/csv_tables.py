"""CSV tables of an export: columns of the value that `exporting.py` makes."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from league.competitions.import_export.tabular import to_csv

Value = dict[str, Any]
SIDES = "abcdef"

ENTRANTS = (
    "key", "seed", "name", "rating", "club", "number", "born", "withdrawn", "withdrawn_because", "checked_in_at",
)  # fmt: skip
# For pairs the columns of a player are those of the first partner.
PAIRS = (
    "key", "seed", "pair", "rating", "name", "club", "number", "born", "partner", "partner_club", "partner_number",
    "partner_born", "withdrawn", "withdrawn_because", "checked_in_at",
)  # fmt: skip
ROUNDS = ("stage", "round", "shown_as", "published", "slot", "table", "starts_at")
GAMES = ("stage", "round", "date", "slot", "game")
OF_RESULT = ("winner", "ended", "state", "known_by", "proved", "via", "confirmed_how", "confirmed_at")
STANDINGS = (
    "table", "group", "rank", "name", "played", "won", "drawn", "lost", "points_for", "points_against", "difference",
)  # fmt: skip
PLACES = ("rank", "to", "name")
ADJUSTMENTS = ("name", "points", "reason", "made_at")
MEMBERS = ("code", "name", "club", "number", "since", "until", "born")
CHALLENGES = ("stage", "made_at", "challenger", "challenged", "round", "slot", "decided", "closed_at", "closed_how")
PAYMENTS = ("name", "amount", "currency", "taken_at", "taken_by", "returned_at", "returned_by")


Table = tuple[Sequence[str], Iterable[Mapping[str, Any]]]
"""Columns and rows."""


def tables_of(value: Value) -> dict[str, bytes]:
    """The CSV files of a competition's value: name of the file → bytes."""
    return {name: to_csv(columns, rows) for name, (columns, rows) in rows_of_tables(value).items()}


def rows_of_tables(value: Value) -> dict[str, Table]:
    """Rows of the tables by name of the file."""
    names = {entry["key"]: entry["name"] for entry in value["entrants"]}
    entrants = [_entrant(entry) for entry in value["entrants"]]
    wanted = PAIRS if value["competition"]["pairs"] else ENTRANTS
    told = [column for column in wanted if any(column in entry for entry in entrants)] or list(ENTRANTS[:4])
    tables: dict[str, Table] = {
        "entrants.csv": (told, [_flat(entry) for entry in entrants]),
        "rounds.csv": ([*ROUNDS, *_sided("player", value), "state"], _round_rows(value, names)),
        "games.csv": (
            [*GAMES, *_sided("player", value), *_sided("points", value), *OF_RESULT],
            _game_rows(value, names),
        ),
        "standings.csv": (_standing_columns(value), _standing_rows(value, names)),
        "places.csv": (PLACES, ({**one, "name": names[one["entrant"]]} for one in value["places"])),
    }
    if any("adjustments" in entry for entry in value["entrants"]):
        tables["adjustments.csv"] = (ADJUSTMENTS, _adjustment_rows(value))
    if "challenges" in value:
        tables["challenges.csv"] = (CHALLENGES, _challenge_rows(value, names))
    if "payments" in value:
        tables["payments.csv"] = (PAYMENTS, [_flat(one) for one in value["payments"]])
    return tables


def _entrant(entry: Value) -> Value:
    if "players" not in entry:
        return entry
    first, second = entry["players"]
    partner = {"partner" if key == "name" else f"partner_{key}": one for key, one in second.items()}
    return {**entry, "pair": entry["name"], **first, **partner}


def _flat(entry: Value) -> Value:
    return {key: _plain(one) for key, one in entry.items()}


def _plain(one: Any) -> Any:
    return ("yes" if one else "no") if isinstance(one, bool) else one


def _slots(value: Value) -> Iterable[tuple[Value, Value]]:
    return ((one, slot) for one in value["rounds"] for slot in one["slots"])


def _sided(name: str, value: Value) -> list[str]:
    """One column a side: two, or as many as the largest table has."""
    most = max((len(slot["berths"]) for _one, slot in _slots(value)), default=2)
    return [f"{name}_{letter}" for letter in SIDES[: max(most, 2)]]


def _by_side(name: str, each: Iterable[Any]) -> Value:
    return {f"{name}_{letter}": one for letter, one in zip(SIDES, each, strict=False)}


def _standing_columns(value: Value) -> list[str]:
    """Columns of the standings, with every tie-break that has a number, in order."""
    there = {key for rows in value["standings"].values() for row in rows for key in row}
    further = [key for key in value["competition"]["tie_breaks"] if key in there and key not in STANDINGS]
    return [*STANDINGS, *further]


def _round_rows(value: Value, names: Mapping[str, str]) -> Iterable[Value]:
    for one, slot in _slots(value):
        yield {
            "stage": one["stage"],
            "round": one["number"],
            "shown_as": one["shown_as"],
            "published": _plain(one["published"]),
            "slot": slot["number"],
            "table": slot["table"],
            "starts_at": slot["starts_at"],
            **_by_side("player", [names.get(berth["entrant"], "") for berth in slot["berths"]]),
            "state": slot["match"]["state"] if slot["match"] else "bye" if len(slot["berths"]) == 1 else "",
        }


def _game_rows(value: Value, names: Mapping[str, str]) -> Iterable[Value]:
    for one, slot in _slots(value):
        for game in slot["match"]["games"] if slot["match"] else ():
            sides = [names.get(key, "") for key in slot["match"]["sides"]]
            yield {
                **_flat(game),
                "stage": one["stage"],
                "round": one["number"],
                "date": (slot["starts_at"] or "")[:10],
                "slot": slot["number"],
                "game": game["number"],
                **_by_side("player", sides),
                **_by_side("points", game["points"]),
                "winner": sides[game["winner"] - 1] if game["winner"] else "",
            }


def _standing_rows(value: Value, names: Mapping[str, str]) -> Iterable[Value]:
    for table, rows in value["standings"].items():
        for row in rows:
            yield {**row, "table": table, "name": names[row["entrant"]]}


def _adjustment_rows(value: Value) -> Iterable[Value]:
    for entry in value["entrants"]:
        for one in entry.get("adjustments", ()):
            yield {**one, "name": entry["name"]}


def _challenge_rows(value: Value, names: Mapping[str, str]) -> Iterable[Value]:
    """Rows of challenges.

    `decided`: number in the order of decisions, empty if open or closed unplayed.
    """
    for one in value["challenges"]:
        _stage, number, slot = one["slot"] or ("", "", "")
        yield {
            **one,
            "challenger": names[one["challenger"]],
            "challenged": names[one["challenged"]],
            "round": number,
            "slot": slot,
            "decided": one["decided"] or "",
        }


def members_table(value: Value) -> bytes:
    columns = [one for one in MEMBERS if any(one in entry for entry in value["members"])] or list(MEMBERS[:-1])
    return to_csv(columns, value["members"])

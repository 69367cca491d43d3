"""The tables (CSV) of what a file holds: columns of the value that `exporting.py` makes."""

from collections.abc import Iterable, Mapping
from typing import Any

from league.competitions.tabular import to_csv

Value = dict[str, Any]

ENTRANTS = ("key", "seed", "name", "club", "number", "born", "withdrawn", "withdrawn_because", "checked_in_at")
ROUNDS = ("stage", "round", "shown_as", "published", "slot", "table", "starts_at", "player_a", "player_b", "state")
GAMES = (
    "stage", "round", "date", "slot", "game", "player_a", "player_b", "points_a", "points_b", "winner", "ended",
    "state", "known_by", "proved", "via", "confirmed_how", "confirmed_at",
)  # fmt: skip
STANDINGS = (
    "table", "rank", "name", "played", "won", "drawn", "lost", "points_for", "points_against", "difference",
)  # fmt: skip
MEMBERS = ("code", "name", "club", "number", "since", "until", "born")
PAYMENTS = ("name", "amount", "currency", "taken_at", "taken_by", "returned_at", "returned_by")


def tables_of(value: Value) -> dict[str, bytes]:
    """The CSV files of a competition's value: name of the file → bytes."""
    names = {entry["key"]: entry["name"] for entry in value["entrants"]}
    told = [column for column in ENTRANTS if any(column in entry for entry in value["entrants"])] or list(ENTRANTS[:3])
    files = {
        "entrants.csv": to_csv(told, [_flat(entry) for entry in value["entrants"]]),
        "rounds.csv": to_csv(ROUNDS, _round_rows(value, names)),
        "games.csv": to_csv(GAMES, _game_rows(value, names)),
        "standings.csv": to_csv(STANDINGS, _standing_rows(value, names)),
    }
    if "payments" in value:
        files["payments.csv"] = to_csv(PAYMENTS, [_flat(one) for one in value["payments"]])
    return files


def _flat(entry: Value) -> Value:
    return {key: _plain(one) for key, one in entry.items()}


def _plain(one: Any) -> Any:
    return ("yes" if one else "no") if isinstance(one, bool) else one


def _slots(value: Value) -> Iterable[tuple[Value, Value]]:
    return ((one, slot) for one in value["rounds"] for slot in one["slots"])


def _both(slot: Value, names: Mapping[str, str]) -> Value:
    berths = [names.get(berth["entrant"], "") for berth in slot["berths"]] + [""]
    return {"player_a": berths[0], "player_b": berths[1]}


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
            **_both(slot, names),
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
                "player_a": sides[0],
                "player_b": sides[1],
                "points_a": game["points"][0],
                "points_b": game["points"][1],
                "winner": sides[game["winner"] - 1] if game["winner"] else "",
            }


def _standing_rows(value: Value, names: Mapping[str, str]) -> Iterable[Value]:
    for table, rows in value["standings"].items():
        for row in rows:
            yield {**row, "table": table, "name": names[row["entrant"]]}


def members_table(value: Value) -> bytes:
    columns = [one for one in MEMBERS if any(one in entry for entry in value["members"])] or list(MEMBERS[:-1])
    return to_csv(columns, value["members"])

"""Export of a season as plain values, the content of its files.

Its divisions and play-offs are exported as competitions (exporting.py), as far as the asker may see them.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

from django.utils import timezone

from league.accounts.permissions import Asker
from league.competitions.import_export.csv_tables import Table, rows_of_tables
from league.competitions.import_export.exporting import competition_file, iso, key_of, to_json, zipped
from league.competitions.import_export.reading import EDITION
from league.competitions.import_export.season_reading import FORMAT
from league.competitions.import_export.tabular import to_csv
from league.competitions.models import PlayOff, Registration, Season
from league.competitions.seasons.promotion import season_end
from league.competitions.seasons.queries import visible_seasons
from league.competitions.seasons.services import open_divisions
from league.competitions.visibility import visible_competitions
from league.players.models import PEOPLE

ZIP = "all.zip"
JSON = "season.json"
DIVISIONS = ("level", "name", "promote", "play_off", "relegate", "entrants")
DATES = ("number", "starts_at")
ENDS = ("name", "from_level", "place", "to_level", "why")
# Tables of the divisions' competitions, one below the other, as a file of the season; those of play-offs are separate.
OF_DIVISIONS = ("entrants.csv", "rounds.csv", "games.csv", "standings.csv")
NAMES = (ZIP, JSON, "divisions.csv", "dates.csv", *OF_DIVISIONS, "play-offs.csv", "promotions.csv")
"""The same for every season, so that a list of files needs no export."""

Value = dict[str, Any]


def season_file(user: Asker, league_slug: str, slug: str) -> Value:
    """Return a season as the asker may see it; `EVERYBODY` for a public file.

    As many statements as its competitions take, and a few. Raises Season.DoesNotExist.
    """
    season = visible_seasons(user).select_related("follows").get(league__slug=league_slug, slug=slug)
    divisions = list(season.divisions.select_related("competition").order_by("level"))
    play_offs = PlayOff.objects.filter(upper__season=season, competition__in=visible_competitions(user))
    play_offs = play_offs.select_related("upper", "competition")
    return {
        "format": FORMAT,
        "edition": EDITION,
        "exported_at": iso(timezone.now()),
        "league": {"name": season.league.name, "time_zone": season.league.time_zone},
        "season": {
            "name": season.name,
            "starts_on": season.starts_on.isoformat(),
            "ends_on": season.ends_on.isoformat() if season.ends_on else None,
            "play_off_best_of": season.play_off_best_of,
            "follows": season.follows.name if season.follows else None,
            "published": season.published_at is not None,
            "closed": season.closed_at is not None,
        },
        "dates": [{"number": one.number, "starts_at": iso(one.starts_at)} for one in season.dates.order_by("number")],
        "divisions": [
            {
                "level": one.level,
                "name": one.name,
                "promote": one.promote,
                "play_off": one.play_off,
                "relegate": one.relegate,
                "competition": competition_file(user, league_slug, one.competition.slug),
            }
            for one in divisions
        ],
        "play_offs": [
            {
                "upper_level": one.upper.level,
                "number": one.number,
                "competition": competition_file(user, league_slug, one.competition.slug),
            }
            for one in play_offs.order_by("upper__level", "number", "pk")
        ],
        "ends": _ends(season) if divisions and season.published_at and not open_divisions(season) else [],
    }


def _ends(season: Season) -> list[Value]:
    """Destinations of all entrants by the official tables and the play-offs."""
    keys = _keys(season)
    return [
        {
            "entrant": keys[one.level, one.entrant],
            "from_level": one.level,
            "place": one.place,
            "to_level": one.to_level,
            "why": one.why.value,
        }
        for one in season_end(season).found.destinations
    ]


def _keys(season: Season) -> dict[tuple[int, int], str]:
    rows = Registration.objects.filter(competition__division__season=season)
    rows = rows.select_related(*PEOPLE, "competition__division")
    return {(row.competition.division.level, row.entrant_id): row.key or key_of(row.entrant) for row in rows}


# --- Files ---


def season_files(value: Value) -> Mapping[str, Callable[[], bytes]]:
    """Name → function that makes the file, in the order of `NAMES`."""
    tables = _tables(value)
    made: dict[str, Callable[[], bytes]] = {JSON: lambda: to_json(value)}
    made |= {name: partial(to_csv, *table) for name, table in tables.items()}
    made[ZIP] = lambda: zipped({name: make() for name, make in made.items() if name != ZIP})
    return {name: made[name] for name in NAMES}


def _tables(value: Value) -> dict[str, Table]:
    of_divisions = [({"division": one["name"]}, rows_of_tables(one["competition"])) for one in value["divisions"]]
    levels = {one["level"]: one["name"] for one in value["divisions"]}
    of_play_offs = [
        ({"for": levels[one["upper_level"]], "number": one["number"]}, rows_of_tables(one["competition"]))
        for one in value["play_offs"]
    ]
    divisions = [{**one, "entrants": len(one["competition"]["entrants"])} for one in value["divisions"]]
    return {
        "divisions.csv": (DIVISIONS, divisions),
        "dates.csv": (DATES, value["dates"]),
        **{name: _below_each_other(name, of_divisions, ["division"]) for name in OF_DIVISIONS},
        "play-offs.csv": _below_each_other("games.csv", of_play_offs, ["for", "number"]),
        "promotions.csv": (ENDS, list(_named_ends(value))),
    }


def _below_each_other(name: str, parts: Iterable[tuple[Value, Mapping[str, Table]]], first: list[str]) -> Table:
    """Join tables one below the other, with every column of any of them."""
    columns: dict[str, None] = dict.fromkeys(first)
    rows: list[Value] = []
    for marks, tables in parts:
        told, those = tables[name]
        columns |= dict.fromkeys(told)
        rows += [{**row, **marks} for row in those]
    return list(columns), rows


def _named_ends(value: Value) -> Iterable[Value]:
    names = {
        (one["level"], entrant["key"]): entrant["name"]
        for one in value["divisions"]
        for entrant in one["competition"]["entrants"]
    }
    for one in value["ends"]:
        yield {**one, "name": names[one["from_level"], one["entrant"]]}

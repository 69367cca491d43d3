"""Export of a league as plain values: members, notices, files of its competitions.

As far as the asker may see them (exporting.py).
"""

from django.utils import timezone

from league.accounts.models import League
from league.accounts.permissions import Asker
from league.competitions.import_export.circuits import circuit_table, circuits_told
from league.competitions.import_export.csv_tables import members_table
from league.competitions.import_export.exporting import EDITION, Sight, Value, competition_files, iso, sight, to_json
from league.competitions.import_export.notices import notices_told
from league.competitions.models import Competition
from league.competitions.queries.circuits import circuit_page
from league.competitions.visibility import visible_competitions
from league.players.models import Membership

LEAGUE_FORMAT = "domino-league-league"


def league_file(user: Asker, league: League) -> Value:
    """Return the league with its members, as far as the asker may read their names.

    Competitions have separate files.
    """
    seen = sight(user, league)
    value: Value = {
        "format": LEAGUE_FORMAT,
        "edition": EDITION,
        "exported_at": iso(timezone.now()),
        "league": {"name": league.name, "place": league.place, "time_zone": league.time_zone},
        "competitions": [one.slug for one in competitions_of(user, league)],
        "circuits": circuits_told(user, league),
        "notices": notices_told(user, league),
    }
    if seen.names:
        value["members"] = _members(league, seen)
    return value


def _members(league: League, seen: Sight) -> list[Value]:
    rows = Membership.objects.filter(league=league, player__merged_into=None).select_related("player")
    return [
        {
            "code": row.player.code,
            "name": row.player.name or row.player.code,
            "club": row.club,
            "number": row.number,
            "since": row.since.isoformat(),
            "until": row.until.isoformat() if row.until else None,
            **({"born": row.player.born} if seen.money else {}),
        }
        for row in rows.order_by("player__name", "player__code", "since")
    ]


def competitions_of(user: Asker, league: League) -> list[Competition]:
    return list(visible_competitions(user).filter(league=league).order_by("slug"))


def league_files(user: Asker, league: League) -> dict[str, bytes]:
    """Return every file of a league, those of each competition in a folder."""
    value = league_file(user, league)
    files = {"league.json": to_json(value)}
    if "members" in value:
        files["members.csv"] = members_table(value)
    for one in value["circuits"]:
        files[f"circuit-{one['slug']}.csv"] = circuit_table(circuit_page(user, league.slug, one["slug"]))
    for slug in value["competitions"]:
        for name, raw in competition_files(user, league.slug, slug).items():
            files[f"{slug}/{name}"] = raw
    return files

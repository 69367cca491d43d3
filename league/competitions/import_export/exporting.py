"""Export of a competition as plain values, the content of its files.

A competition is written as one value (JSON), which `importing.py` reads again; the tables (CSV) are columns of the same
value. A file contains only facts that its asker sees on the pages: a public file has minors by initials, no hidden
pairings and no table of a minor's open match; years of birth and money are for managers only.
"""

import io
import json
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.utils import timezone

from league.accounts.models import League
from league.accounts.permissions import Act, Asker, acts_of
from league.competitions.adjustments import standing_adjustments
from league.competitions.draw_view import BerthView, MatchdayView, SlotView
from league.competitions.entrants import standing_withdrawals
from league.competitions.import_export.csv_tables import tables_of
from league.competitions.import_export.ladders import challenges_of, ladder_terms
from league.competitions.models import Competition, Matchday, Registration, StageEntry
from league.competitions.queries.competition import CompetitionPage, competition_page, group_tables
from league.competitions.queries.final_places import final_ranking
from league.competitions.standings.compute import Row
from league.competitions.standings.tiebreaks.figures import Number
from league.competitions.standings.tiebreaks.registry import TIE_BREAKS
from league.matches.models import Result
from league.matches.queries.lines import GameScore, MatchLine
from league.players.models import PEOPLE, Entrant, Membership, Player

FORMAT = "domino-league-competition"
EDITION = 1
EVERYBODY = AnonymousUser()
Value = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Sight:
    """Facts that the asker's file may contain."""

    names: bool  # full names, with club and number
    money: bool  # payments and years of birth


def sight(user: Asker, league: League) -> Sight:
    acts = acts_of(user, league)
    both = {Act.MANAGE_COMPETITIONS, Act.MANAGE_PEOPLE} <= acts
    return Sight(names=Act.SEE_PEOPLE in acts, money=both)


# --- A competition ---


def competition_file(user: Asker, league_slug: str, slug: str) -> Value:
    """Return a competition as the asker may see it; `EVERYBODY` for a public file.

    A constant number of statements. Raises Competition.DoesNotExist.
    """
    return _file(competition_page(user, league_slug, slug), user)


def _file(page: CompetitionPage, user: Asker) -> Value:
    competition = page.competition
    seen = sight(user, competition.league)
    entrants = _entrants(page, seen)
    keys = {entrant_id: entry["key"] for entrant_id, entry in entrants.items()}
    tables = group_tables(page)
    value: Value = {
        "format": FORMAT,
        "edition": EDITION,
        "exported_at": iso(timezone.now()),
        "key": competition.key,
        "league": {"name": competition.league.name, "time_zone": competition.league.time_zone},
        "competition": _plan(competition),
        "stages": _stages(page, keys),
        "entrants": list(entrants.values()),
        "rounds": (rounds := _Rounds(page, keys)).entries(),
        **({"challenges": challenges_of(page, keys, rounds.places)} if page.ladder else {}),
        # Unpublished rounds count too.
        "rounds_drawn": len(page.matchdays),
        "standings": {
            "official": [_standing(row, keys, one.group) for one in tables for row in one.official],
            "provisional": [_standing(row, keys, one.group) for one in tables for row in one.provisional],
        },
        "places": [
            {"rank": place.first, "to": place.last, "entrant": keys[place.entrant.entrant_id]}
            for place in final_ranking(page, tables)
        ],
    }
    if seen.money:
        value["payments"] = _payments(competition, keys)
    return value


def _stages(page: CompetitionPage, keys: Mapping[int, str]) -> list[Value]:
    entries: dict[int, list[Value]] = {}
    for one in StageEntry.objects.filter(stage__in=page.stages).order_by("seed"):
        told = {"entrant": keys[one.entrant_id], "seed": one.seed, "place": one.place, "group": one.group}
        entries.setdefault(one.stage_id, []).append(told)
    # Qualified entrants are listed once a round of theirs is published.
    shown = {day.stage_number for day in page.shown}
    return [
        {
            "number": stage.number,
            "format": stage.format,
            "third_place": stage.third_place,
            "reset": stage.reset,
            "rounds": stage.rounds,
            "groups": stage.groups,
            **(ladder_terms(stage) if stage.is_ladder else {}),
            **({"seats": stage.seats, "place_points": stage.place_points} if stage.is_at_tables else {}),
            "advance_each": stage.advance_each,
            "advance_rest": stage.advance_rest,
            "entries": entries.get(stage.pk, []) if stage.number in shown else [],
            "finished": stage.finished_at is not None,
        }
        for stage in page.stages
    ]


def _plan(competition: Competition) -> Value:
    return {
        "name": competition.name,
        "ruleset": competition.ruleset,
        "options": competition.options,
        "best_of": competition.best_of,
        "own_best_of": competition.own_best_of,
        "clubs_apart": competition.clubs_apart,
        "pairs": competition.pairs,
        "tie_breaks": competition.tie_breaks,
        "tie_break_edition": competition.tie_break_edition,
        "win_points": competition.win_points,
        "draw_points": competition.draw_points,
        "loss_points": competition.loss_points,
        "bye_points": competition.bye_points,
        "forfeit_points": competition.forfeit_points,
        "direct_by": competition.direct_by,
        "leaving": competition.leaving,
        "requested_bye": competition.requested_bye,
        "most_byes": competition.most_byes,
        "release": competition.release,
        "starts_at": iso(competition.starts_at),
        "minutes": competition.minutes,
        "days_between": competition.days_between,
        "tables": sorted(table.name for table in competition.tables.all()),
        "dispatches": competition.dispatches,
        "rest_minutes": competition.rest_minutes,
        "fee": competition.fee,
        "currency": competition.currency,
        "level": competition.level,
        "final_level": competition.final_level,
        "forfeit_after_min": competition.forfeit_after_min,
        "published": competition.published_at is not None,
        "imported": competition.imported_at is not None,
    }


def _entrants(page: CompetitionPage, seen: Sight) -> dict[int, Value]:
    """Entrants by key, in the order of the seeds."""
    competition = page.competition
    rows = list(Registration.objects.filter(competition=competition).select_related(*PEOPLE).order_by("seed"))
    gone = {one.entrant_id: one for one in standing_withdrawals(competition)}
    given = _adjustments(competition) if any(row.bonus for row in rows) else {}
    people = [player.pk for row in rows for player in row.entrant.players]
    marks = _marks(competition.league, people) if seen.names else {}
    shown = {one.entrant_id: one for one in page.entrants}
    found: dict[int, Value] = {}
    for row in rows:
        who = row.entrant
        entry: Value = {"key": row.key or key_of(who), "name": shown[row.entrant_id].name, "seed": row.seed}
        entry["rating"] = row.rating
        if row.bye_rounds:
            entry["byes"] = row.bye_rounds
        if row.pk in given:
            entry["adjustments"] = given[row.pk]
        if seen.names:
            entry |= {"name": who.full_name, "checked_in_at": iso(row.checked_in_at), "free_reason": row.free_reason}
            entry["withdrawn"] = row.entrant_id in gone
            entry["withdrawn_because"] = gone[row.entrant_id].reason if row.entrant_id in gone else ""
        both = [_person(player, marks, seen) for player in who.players]
        entry |= {"players": both} if who.is_pair else both[0]
        found[row.entrant_id] = entry
    return found


def _adjustments(competition: Competition) -> dict[int, list[Value]]:
    """Bonuses and deductions that count, by registration. One statement."""
    found: dict[int, list[Value]] = {}
    for one in standing_adjustments(competition):
        told = {"points": one.points, "reason": one.reason, "made_at": iso(one.made_at)}
        found.setdefault(one.registration_id, []).append(told)
    return found


def key_of(entrant: Entrant) -> str:
    """The player's code; of a pair both codes, which is the longest key allowed."""
    return "".join(player.code for player in entrant.players)


def _person(player: Player, marks: Mapping[int, tuple[str, str]], seen: Sight) -> Value:
    """The file's facts about a player; of a pair one entry for each partner."""
    if not seen.names:
        return {"name": str(player)}
    club, number = marks.get(player.pk, ("", ""))
    told: Value = {"name": player.name or player.code, "club": club, "number": number, "minor": player.is_minor}
    return told | ({"born": player.born} if seen.money else {})


def _marks(league: League, players: Iterable[int]) -> dict[int, tuple[str, str]]:
    """Club and number by player, from the latest membership in the league with any.

    One statement.
    """
    rows = Membership.objects.filter(league=league, player__in=list(players)).order_by("since", "pk")
    found: dict[int, tuple[str, str]] = {}
    for player, club, number in rows.values_list("player", "club", "number"):
        before = found.get(player, ("", ""))
        found[player] = (club or before[0], number or before[1])
    return found


def _standing(row: Row, keys: Mapping[int, str], group: int) -> Value:
    """A row of the standings.

    `group`: from 1, 0 for a single table; ranks are within the group, none for an entrant who left.
    """
    return {
        "group": group,
        "rank": row.rank or None,
        "entrant": keys[row.entrant_id],
        "played": row.played,
        "won": row.won,
        "drawn": row.drawn,
        "lost": row.lost,
        "points_for": row.points_for,
        "points_against": _number(row.points_against),
        "difference": _number(row.difference),
        **{key: _figure(figure.value) for key, figure in row.figures.items() if not TIE_BREAKS[key].row_field},
    }


def _figure(value: Number | None) -> int | float | None:
    return None if value is None else _number(value)


def _number(number: Number) -> int | float:
    """Round a fraction to two decimals."""
    return number if isinstance(number, int) else round(float(number), 2)


def _payments(competition: Competition, keys: Mapping[int, str]) -> list[Value]:
    """Payments; amounts in hundredths.

    A removed entrant that had paid is named by the player's code.
    """
    rows = competition.payments.select_related(*PEOPLE, "taken_by", "returned_by")
    return [
        {
            "entrant": keys.get(one.entrant_id, key_of(one.entrant)),
            "name": one.entrant.full_name,
            "amount": one.amount,
            "currency": competition.currency,
            "taken_at": iso(one.taken_at),
            "taken_by": str(one.taken_by),
            "returned_at": iso(one.returned_at),
            "returned_by": str(one.returned_by) if one.returned_by else "",
        }
        for one in rows
    ]


class _Rounds:
    """The rounds of a page, with details that its lines omit."""

    def __init__(self, page: CompetitionPage, keys: Mapping[int, str]) -> None:
        self.page = page
        self.keys = keys
        rows = Matchday.objects.filter(stage__competition=page.competition)
        self.days = {row.pk: row for row in rows.select_related("stage")}
        self.places = {
            slot.id: [self.days[day.id].stage.number, day.number, slot.place]
            for day in page.matchdays
            for slot in day.slots
        }
        matches = [slot.match.id for day in page.matchdays for slot in day.slots if slot.match]
        results = Result.objects.filter(game__match__slot__matchday__stage__competition=page.competition, current=True)
        self.results = {
            (row.game.match_id, row.game.number): row
            for row in results.select_related("game", "record")
            if row.game.match_id in set(matches)
        }

    def entries(self) -> list[Value]:
        return [self._round(day) for day in self.page.shown]

    def _round(self, view: MatchdayView) -> Value:
        day = self.days[view.id]
        return {
            "stage": day.stage.number,
            "number": day.number,
            "section": day.section,
            "nth": day.nth,
            "kind": day.kind,
            "name": day.name,
            "shown_as": view.name,
            "published": day.published_at is not None,
            "missing_before": day.missing_before,
            "missing_rounds": day.missing_rounds,
            "reason": day.reason,
            "slots": [self._slot(slot) for slot in view.slots],
        }

    def _slot(self, slot: SlotView) -> Value:
        return {
            "number": slot.place,
            "table": slot.table,
            "starts_at": iso(slot.starts_at),
            "third_place": slot.third_place,
            "group": slot.group,
            "conditional": slot.conditional,
            "not_needed": slot.not_needed,
            **({"requested_bye": True} if slot.requested_bye else {}),
            "berths": [self._berth(berth) for berth in slot.berths],
            "match": self._match(slot.match) if slot.match else None,
        }

    def _berth(self, berth: BerthView) -> Value:
        value: Value = {"entrant": self.keys[berth.entrant.entrant_id] if berth.entrant else None}
        if berth.absent:
            value["absent"] = True
        if berth.from_slot is not None:
            value |= {"from": self.places.get(berth.from_slot), "takes": berth.takes}
        return value

    def _match(self, line: MatchLine) -> Value:
        return {
            "state": line.state,
            "best_of": line.best_of,
            "sides": [self.keys[side.entrant_id] for side in line.sides],
            "games": [self._game(line, game) for game in line.games],
        }

    def _game(self, line: MatchLine, game: GameScore) -> Value:
        result = self.results[line.id, game.number]
        return {
            "number": game.number,
            "points": [game.points.get(side.number, 0) for side in line.sides],
            "winner": game.outcome.winner,
            "ended": result.ended,
            "state": result.state,
            "needs_decision": result.needs_decision,
            "known_by": result.known_by,
            "proved": game.known.proved,
            "via": result.record.via,
            "confirmed_how": result.confirmed_how,
            "confirmed_at": iso(result.confirmed_at),
            "entered_at": iso(result.entered_at),
        }


def iso(moment: datetime | None) -> str | None:
    return moment.isoformat().replace("+00:00", "Z") if moment else None


# --- Files ---


def to_json(value: Value) -> bytes:
    return json.dumps(value, ensure_ascii=False, indent=1).encode()


def competition_files(user: Asker, league_slug: str, slug: str) -> dict[str, bytes]:
    """Return every file of a competition except the zip.

    Raises Competition.DoesNotExist.
    """
    value = competition_file(user, league_slug, slug)
    return {"competition.json": to_json(value), **tables_of(value)}


def zipped(files: Mapping[str, bytes], names: Sequence[str] | None = None) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in names if names is not None else files:
            archive.writestr(name, files[name])
    return out.getvalue()

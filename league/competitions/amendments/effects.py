"""Effect of an act: the competition before it and after, compared; the act is rolled back."""

from collections.abc import Callable
from dataclasses import fields, replace
from fractions import Fraction

from django.db import transaction

from league.accounts.models import User
from league.competitions.amendments.diff import Effect, RowState, SlotState, Snapshot, difference
from league.competitions.amendments.rating_effects import ratings_with, with_names
from league.competitions.draw.publishing import stale_drafts
from league.competitions.draw.qualifying import going_on
from league.competitions.draw_view import MatchdayView, SlotView
from league.competitions.models import Slot, Stage
from league.competitions.queries.competition import CompetitionPage, competition_page
from league.competitions.queries.final_places import final_ranking
from league.competitions.seasons.promotion import next_season_of
from league.competitions.standings.compute import Row
from league.competitions.standings.tiebreaks.registry import TIE_BREAKS
from league.matches.models import Match
from league.matches.queries.lines import MatchLine, match_lines

# Fields of a row of the standings that are not compared; all other numbers are, also future ones.
NAMES_OF_ROW = frozenset({"rank", "entrant_id", "name", "code"})


def rehearsed(act: Callable[[], object], match: Match, user: User, before: Snapshot | None = None) -> Effect:
    """Return the effect of `act` on the competition of a match, by running it and rolling it back.

    Messages after the commit are not sent, because nothing is committed. `before`: the present snapshot, if it was read
    under the locks already. Raises the errors of `act`.
    """
    with transaction.atomic():
        before = before or snapshot(match, user)
        act()
        after = snapshot(match, user, before)
        transaction.set_rollback(True)
    return with_names(difference(before, after))


def snapshot(match: Match, user: User, before: Snapshot | None = None) -> Snapshot:
    """Return a snapshot of a match's competition, for staff of its league.

    Without a competition of the match alone. Matches with a score `before` that are void now leave the ratings.
    """
    slot = Slot.objects.filter(match=match).select_related("matchday__stage__competition__league").first()
    if slot is None:
        [line] = match_lines(Match.objects.filter(pk=match.pk), user)
        found = Snapshot(slots={(0, 0): _alone(line)})
    else:
        competition = slot.matchday.stage.competition
        found = snapshot_of(competition_page(user, competition.league.slug, competition.slug, group=slot.group or None))
    played = {one.match for one in before.slots.values() if one.match and one.score} if before else set()
    voided = played - {one.match for one in found.slots.values()}
    return replace(found, ratings=ratings_with(match, voided), further=next_season_of(match))


def snapshot_of(page: CompetitionPage) -> Snapshot:
    finished = Stage.objects.filter(competition=page.competition, finished_at=None).exists()
    return Snapshot(
        slots={(day.number, slot.place): _slot_state(day, slot) for day in page.matchdays for slot in day.slots},
        rows={row.entrant_id: _row_state(row) for row in page.official},
        places=tuple(
            (place.first, place.entrant.name) for place in final_ranking(page) if not page.stages[-1].spec.has_table
        ),
        finished=not finished,
        paired_before=tuple(day.name for day in page.matchdays if day.paired_before is not None),
        goes_on=_goes_on(page),
        stale=tuple(str(day) for day in stale_drafts(page.competition)),
    )


def _goes_on(page: CompetitionPage) -> dict[int, str]:
    """Entrants that go on to the published knock-out, in the order of seeds."""
    stage = next((one for one in page.stages if not one.is_knock_out), None)
    found = going_on(stage) if stage and len(page.stages) > 1 else None
    names = {one.entrant_id: one.name for one in page.entrants}
    return {one: names.get(one, "") for one in found.entrants} if found else {}


def _row_state(row: Row) -> RowState:
    """A row with every tie-break of the order, because these often decide the places."""
    numbers = {one.name: getattr(row, one.name) for one in fields(row) if one.name not in NAMES_OF_ROW}
    numbers |= {key: figure.value for key, figure in row.figures.items() if not TIE_BREAKS[key].row_field}
    plain = {key: str(value) for key, value in numbers.items() if isinstance(value, int | Fraction)}
    return RowState(row.name, row.rank, plain)


def _slot_state(day: MatchdayView, slot: SlotView) -> SlotState:
    line = slot.match
    return SlotState(
        round=day.name,
        number=slot.number,
        berths=tuple(one.entrant.name if one.entrant else "" for one in slot.berths),
        stands=tuple(one.stands_although for one in slot.berths),
        match=line.id if line else None,
        state=line.state if line else "",
        score=score(line) if line else "",
        winner=slot.winner.name if slot.winner else "",
        published=day.published_at is not None,
        table=slot.table,
        starts_at=slot.starts_at.isoformat() if slot.starts_at else "",
        not_needed=slot.not_needed,
    )


def _alone(line: MatchLine) -> SlotState:
    names = tuple(side.name for side in line.sides)
    winner = next((side.name for side in line.sides if side.won), "")
    return SlotState("", None, names, (False,) * len(names), line.id, line.state, score(line), winner, published=True)


def score(line: MatchLine) -> str:
    """The points of each game with a result, in order: "150–95, 80–150"."""
    numbers = [side.number for side in line.sides]
    return ", ".join("–".join(str(game.points.get(one, 0)) for one in numbers) for game in line.games)

"""Everything that the pages of one competition show, in a constant number of statements."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import BooleanField, ExpressionWrapper, Q, QuerySet

from games.rulesets import RULESETS
from league.accounts.permissions import STAFF, Asker, leagues_where
from league.competitions.models import Competition, Stage
from league.competitions.slots import MatchdayView, Placed, SlotView, matchday_views, placed
from league.competitions.standings import Played, Row, table
from league.matches.deciding import GameOutcome, official_standing, provisional_standing
from league.matches.lines import GameScore, MatchLine


@dataclass(frozen=True, slots=True)
class CompetitionPage:
    """`official` counts confirmed results only; `provisional` those that wait for confirmation too; a knock-out has
    neither table. `matchdays`: every round of the draw; of one that the asker may not see yet, no more than its shape.
    """

    competition: Competition
    stage: Stage | None
    draft: bool
    edition: int | None
    entrants: list[Placed]
    official: list[Row]
    provisional: list[Row]
    has_provisional: bool
    matchdays: list[MatchdayView]

    @property
    def knock_out(self) -> bool:
        return self.stage is not None and self.stage.format == Stage.Format.SINGLE_ELIMINATION

    @property
    def places(self) -> list[tuple[int, Placed]]:
        """The final ranking of a knock-out, as far as official results decide it: (rank, entrant)."""
        last = self.matchdays[-1].slots if self.knock_out and self.matchdays else []
        first = 1
        found = []
        for slot in last:
            if slot.decided and slot.winner:
                loser = next(berth.entrant for berth in slot.berths if not berth.won)
                found += [(first, slot.winner), (first + 1, loser)]
            first += 2
        return found

    @property
    def shown(self) -> list[MatchdayView]:
        """The rounds that the asker may see."""
        return [day for day in self.matchdays if not day.hidden]


def visible_competitions(user: Asker) -> QuerySet[Competition]:
    """Published ones, and the drafts of the leagues whose staff the asker is."""
    seen = Q(published_at__isnull=False)
    if user.is_authenticated:
        seen |= Q(league__in=leagues_where(user, STAFF))
    return Competition.objects.filter(seen).select_related("league")


def competition_page(user: Asker, league_slug: str, slug: str) -> CompetitionPage:
    """Raises Competition.DoesNotExist."""
    competition = _with_staff(user).get(league__slug=league_slug, slug=slug)
    stage = competition.stages.order_by("number").first()
    entrants = placed(competition)
    days = matchday_views(competition, entrants, user, everything=competition.for_staff)
    slots = [slot for day in days for slot in day.slots]
    knock_out = stage is not None and stage.format == Stage.Format.SINGLE_ELIMINATION
    rules = RULESETS.get(competition.ruleset)
    return CompetitionPage(
        competition=competition,
        stage=stage,
        draft=competition.published_at is None,
        edition=rules.edition if rules else None,
        entrants=entrants,
        official=[] if knock_out else _standings(competition, entrants, slots, official_only=True),
        provisional=[] if knock_out else _standings(competition, entrants, slots, official_only=False),
        has_provisional=any(not game.outcome.official for slot in slots if slot.match for game in counting(slot.match)),
        matchdays=days,
    )


def _standings(
    competition: Competition, entrants: Iterable[Placed], slots: Iterable[SlotView], *, official_only: bool
) -> list[Row]:
    """By the competition's tie-breaks; a match of two that is not over counts as missing, seen by the asker or not."""
    ends = {slot.id: end for slot in slots if slot.match and (end := played(slot.match, official_only=official_only))}
    missing = [slot.entrant_ids for slot in slots if slot.id not in ends and len(slot.entrant_ids) == 2]
    people = [(one.entrant_id, one.name, one.code) for one in entrants]
    return table(people, list(ends.values()), order=competition.tie_breaks, missing=missing)


def _with_staff(user: Asker) -> QuerySet[Competition]:
    """With `for_staff`: whether the asker sees what is not published."""
    staff = Q(league__in=leagues_where(user, STAFF)) if user.is_authenticated else Q(pk__in=[])
    return visible_competitions(user).annotate(for_staff=ExpressionWrapper(staff, BooleanField()))


def played(line: MatchLine, *, official_only: bool) -> Played | None:
    """The match with the points of the games that count; None while it is not over."""
    standing = official_standing if official_only else provisional_standing
    games = [game for game in counting(line) if _counts(game.outcome, official_only=official_only)]
    end = standing(line.best_of, [game.outcome for game in games])
    return _played(line, games, end.winner) if end.over else None


def counting(line: MatchLine) -> list[GameScore]:
    """The games of a match that can count: once official results have decided it, no other game does."""
    official = [game for game in line.games if game.outcome.official]
    return official if official_standing(line.best_of, [game.outcome for game in official]).over else list(line.games)


def _counts(outcome: GameOutcome, *, official_only: bool) -> bool:
    """A result that an official has still to decide counts nowhere."""
    return outcome.official or not (official_only or outcome.needs_decision)


def _played(line: MatchLine, games: Sequence[GameScore], winner: int | None) -> Played:
    entrants = {side.number: side.entrant_id for side in line.sides}
    points = {entrant_id: sum(game.points.get(number, 0) for game in games) for number, entrant_id in entrants.items()}
    return Played(points, entrants.get(winner))

"""The verbs of competitions: found, register, draw, publish, finish."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.accounts.models import League
from league.competitions.formats.round_robin import berger
from league.competitions.models import Competition, Matchday, Registration, Slot, Stage
from league.errors import Refused
from league.matches.models import Match, Table
from league.matches.services import Fixture, schedule_match
from league.players.models import Entrant


@dataclass(frozen=True, slots=True)
class Calendar:
    """When the matchdays are, and on which tables they are played; a matchday with more matches than tables goes on
    after `slot`.
    """

    first: datetime
    every: timedelta
    tables: Sequence[Table] = ()
    slot: timedelta = timedelta(minutes=45)

    def place(self, matchday: int, number: int) -> tuple[datetime, Table | None]:
        """Start and table of match `number` of `matchday`, both from 1."""
        start = self.first + self.every * (matchday - 1)
        if not self.tables:
            return start, None
        turn, table = divmod(number - 1, len(self.tables))
        return start + self.slot * turn, self.tables[table]


@transaction.atomic
def register(competition: Competition, entrants: Sequence[Entrant]) -> list[Registration]:
    """Seeds go on from the last one. Raises Refused `drawn-already`, `other-league`."""
    competition = Competition.objects.select_for_update().get(pk=competition.pk)  # it may have been published meanwhile
    if competition.stages.exists():
        raise Refused(
            "drawn-already",
            _("The draw of %(competition)s is made; nobody can be added."),
            competition=competition,
        )
    if any(entrant.league_id != competition.league_id for entrant in entrants):
        raise Refused("other-league", _("Only entrants of %(league)s can be registered."), league=competition.league)
    first = competition.registrations.count() + 1
    return Registration.objects.bulk_create(
        Registration(competition=competition, entrant=entrant, seed=seed)
        for seed, entrant in enumerate(entrants, start=first)
    )


@transaction.atomic
def draw_round_robin(competition: Competition, calendar: Calendar, *, double: bool = False) -> Stage:
    """Matchdays and matches by the Berger tables, in the order of seeds. Raises Refused `drawn-already`, `too-few`."""
    competition = Competition.objects.select_for_update().get(pk=competition.pk)  # it may have been published meanwhile
    if competition.stages.exists():
        raise Refused("drawn-already", _("The draw of %(competition)s is made."), competition=competition)
    entrants = {one.seed: one.entrant for one in competition.registrations.select_related("entrant")}
    if len(entrants) < 2:
        raise Refused("too-few", _("A round robin takes two entrants or more."))
    by_place = [entrants[seed] for seed in sorted(entrants)]
    stage = Stage.objects.create(competition=competition, format=Stage.Format.ROUND_ROBIN)
    for day, one in enumerate(berger(len(by_place), double=double), start=1):
        matchday = Matchday.objects.create(stage=stage, number=day)
        for number, pair in enumerate(one.pairings, start=1):
            starts_at, table = calendar.place(day, number)
            match = schedule_match(
                Fixture(
                    league=competition.league,
                    entrants=[by_place[pair.first - 1], by_place[pair.second - 1]],
                    ruleset=competition.ruleset,
                    options=competition.options,
                    best_of=competition.best_of,
                    table=table,
                    starts_at=starts_at,
                    published_at=competition.published_at,
                )
            )
            Slot.objects.create(matchday=matchday, number=number, match=match)
    return stage


@transaction.atomic
def publish(competition: Competition) -> None:
    """Show a competition and its matches to everybody; a second time changes nothing."""
    now = timezone.now()
    Competition.objects.select_for_update().get(pk=competition.pk)
    Competition.objects.filter(pk=competition.pk, published_at__isnull=True).update(published_at=now)
    of_it = Slot.objects.filter(matchday__stage__competition=competition).values("match")
    Match.objects.filter(pk__in=of_it, published_at__isnull=True).update(published_at=now)


def finish_stage_of(match_id: int) -> bool:
    """Note the hour at which the last match of a stage was decided. True if this was it; safe to run twice."""
    return bool(_finish(Stage.objects.filter(matchdays__slots__match=match_id)))


def finish_stages() -> int:
    """As `finish_stage_of`, for every stage: what a signal was lost of is found in the rows. How many."""
    return _finish(Stage.objects.filter(matchdays__isnull=False))


def _finish(stages: QuerySet[Stage]) -> int:
    open_slots = Slot.objects.filter(matchday__stage=OuterRef("pk")).exclude(match__state=Match.State.DECIDED)
    due = stages.filter(finished_at__isnull=True).values("pk")
    return Stage.objects.filter(~Exists(open_slots), pk__in=due).update(finished_at=timezone.now())


def found_competition(league: League, *, name: str, slug: str, ruleset: str, best_of: int = 1) -> Competition:
    """A draft that only the league's staff sees until it is published."""
    return Competition.objects.create(league=league, name=name, slug=slug, ruleset=ruleset, best_of=best_of)

"""Random evenings of one competition, acted through the services, for the property that undo leaves no trace."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from itertools import count
from random import Random
from typing import Any
from unittest.mock import patch

from django.db import transaction
from django.db.models import QuerySet
from django.test import TestCase

from league.accounts.models import League
from league.competitions.attendance.late_entries import walk_in
from league.competitions.attendance.late_places import offers
from league.competitions.attendance.withdrawals import withdraw
from league.competitions.draw.plans import Plan, found
from league.competitions.draw.publishing import publish, publish_matchday
from league.competitions.draw.stages import draw, draw_next, next_draw
from league.competitions.entrants import standing_withdrawals
from league.competitions.ladders.services import challenge
from league.competitions.models import Berth, Competition, Matchday, Registration, Slot, Stage, Withdrawal
from league.competitions.registration.entries import register
from league.errors import Refused
from league.matches.logs.submission import confirm_result
from league.matches.models import Game, KnownBy, Match, Record, Result, Side
from league.matches.results.entering import enter_sheet
from tests.league.competitions.cup import people
from tests.league.world import NOON, World, make_world

ROUND_BY_ROUND = Competition.Release.ROUND_BY_ROUND
PLANS: dict[str, dict[str, Any]] = {
    "round robin": {"format": Stage.Format.ROUND_ROBIN},
    "double round robin": {"format": Stage.Format.DOUBLE_ROUND_ROBIN},
    "knock-out": {"format": Stage.Format.SINGLE_ELIMINATION, "third_place": True},
    "double elimination": {"format": Stage.Format.DOUBLE_ELIMINATION},
    "groups, knock-out": {
        "format": Stage.Format.GROUPS,
        "groups": 2,
        "then": Stage.Format.SINGLE_ELIMINATION,
        "advance_each": 2,
        "release": ROUND_BY_ROUND,
    },
    "Swiss": {"format": Stage.Format.SWISS, "release": ROUND_BY_ROUND},
    "tables": {
        "ruleset": "all-fives",
        "format": Stage.Format.TABLE_ROUNDS,
        "seats": 4,
        "rounds": 3,
        "bye_points": 1,
        "tie_breaks": ["place_points", "game_points", "difference"],
    },
    "ladder": {"format": Stage.Format.LADDER, "challenge_reach": 3},
}
MOST = {"round robin": 5, "double round robin": 4}


@contextmanager
def clock() -> Iterator[None]:
    """A clock that tells no time twice, in the first hour of the evening."""
    ticks = count()
    with patch("django.utils.timezone.now", lambda: NOON + timedelta(minutes=5, milliseconds=next(ticks))):
        yield


class Evening:
    """One competition of a random size, whose acts are chosen by `chance`."""

    def __init__(self, kind: str, seed: int) -> None:
        self.chance = Random(f"{kind} {seed}")
        self.world: World = make_world()
        asks = self.chance.random() < 0.3
        League.objects.filter(pk=self.world.league.pk).update(confirmation_required=asks)
        plan = {"name": "Evening", "ruleset": "udl", "starts_at": NOON, "tables": ("1", "2", "3")} | PLANS[kind]
        competition = found(self.world.league, Plan(**plan), user=self.world.owner)
        register(competition, people(self.world, self.chance.randint(4, MOST.get(kind, 9))))
        draw(competition, user=self.world.owner)
        publish(competition, user=self.world.owner)
        self.key = competition.pk
        self.newcomer = ""
        """Code of the member who comes late; empty: somebody new, who stays a member of the league after the undo."""

    @property
    def competition(self) -> Competition:
        return Competition.objects.select_related("league").get(pk=self.key)

    def act(self, do: Callable[[], Any]) -> Any:
        """Do it as a page does: what waits for the commit follows."""
        with TestCase.captureOnCommitCallbacks(execute=True), transaction.atomic():
            return do()

    def pass_by(self, most: int) -> None:
        """Let up to so many acts happen: results, withdrawals, next rounds."""
        for _ in range(most):
            if self.chance.random() < 0.2:
                self.withdraw()
            elif (game := self.game()) is not None:
                self.enter(game)
            elif not self.next_round():
                break

    def gone(self) -> set[int]:
        return set(standing_withdrawals(self.competition).values_list("entrant", flat=True))

    def open_games(self) -> QuerySet[Game]:
        games = Game.objects.filter(match__slot__matchday__stage__competition=self.key)
        games = games.filter(match__published_at__isnull=False).exclude(match__state=Match.State.DECIDED)
        games = games.exclude(results__current=True).exclude(match__sides__entrant__in=self.gone())
        return games.select_related("match__league").order_by("match__slot__matchday__number", "pk")

    def game(self) -> Game | None:
        """One of the next games to play."""
        games = list(self.open_games()[:4])
        return self.chance.choice(games) if games else None

    def enter(self, game: Game) -> Record:
        sides = game.match.sides.count()
        points = [5 * self.chance.randrange(20) for _ in range(sides)]
        points[self.chance.randrange(sides)] = 150
        return self.act(lambda: enter_sheet(game, self.world.referee, {"scores": points}, kind=KnownBy.SCORE)).record

    def withdraw(self) -> Withdrawal | None:
        """Withdraw one of the entrants; None if too few are left."""
        rows = self.competition.registrations.exclude(entrant__in=self.gone()).select_related("entrant")
        rows = list(rows.order_by("seed"))
        if len(rows) < 3:
            return None
        entrant = self.chance.choice(rows).entrant
        return self.act(lambda: withdraw(self.competition, entrant, user=self.world.owner, reason="ill"))

    def come_late(self) -> Registration | None:
        """Enter a newcomer in one of the places on offer; None if there is none."""
        found = offers(self.competition)
        if not found:
            return None
        first = self.chance.choice(found).first
        name, now = self.newcomer or f"Late {self.chance.randrange(10**6)}", self.chance.random() < 0.7
        slot_id = first.slot.pk if first else None
        try:
            done = self.act(lambda: walk_in(self.competition, name, user=self.world.owner, slot_id=slot_id, now=now))
        except Refused:  # only the running round has a place, and the newcomer does not want it
            return None
        return done.registration

    def next_round(self) -> bool:
        """Confirm what waits, then publish or draw the next round; False at the end of the evening."""
        waiting = Result.objects.filter(current=True, state=Result.State.PROVISIONAL)
        waiting = list(waiting.select_related("game__match__league"))
        for result in waiting:
            self.act(lambda result=result: confirm_result(result=result, user=self.world.second_referee))
        hidden = Matchday.objects.filter(stage__competition=self.key, published_at=None)
        coming = hidden.order_by("stage__number", "number").first()
        try:
            if coming is not None:
                return self.act(lambda: publish_matchday(coming, user=self.world.owner, reason="late"))
            if self.competition.stages.get(number=1).is_ladder:
                return self.challenge()
            if next_draw(self.competition) is None:
                return bool(waiting)
            self.act(lambda: draw_next(self.competition, user=self.world.owner))
        except Refused:
            return bool(waiting)
        return True

    def challenge(self) -> bool:
        here = self.competition.registrations.exclude(entrant__in=self.gone()).select_related("entrant__player")
        below, above = sorted(self.chance.sample(list(here), 2), key=lambda row: -row.seed)
        self.act(lambda: challenge(self.competition, below.entrant, above.entrant, by=self.world.owner))
        return True


def seen(competition: Competition) -> dict[str, list[tuple[object, ...]]]:
    """Every row from which pages, files and answers of a competition are made, without versions and times of acts."""
    slots = Slot.objects.filter(matchday__stage__competition=competition)
    of_match = Match.objects.filter(slot__in=slots)
    stages = competition.stages
    rows = {
        "stages": stages.values_list("pk", "format", "rounds"),
        "finished": stages.exclude(finished_at=None).values_list("pk"),
        "rounds": Matchday.objects.filter(stage__in=stages.all()).values_list(
            "pk", "number", "published_at", "results_hash", "kind"
        ),
        "slots": slots.values_list("pk", "number", "match", "table", "starts_at", "not_needed", "reasons", "locked"),
        "berths": Berth.objects.filter(slot__in=slots).values_list(
            "slot", "number", "entrant", "from_slot", "takes", "awaited_since", "absent_since", "stands_although"
        ),
        "matches": of_match.values_list("pk", "table", "starts_at", "level", "door", "state", "published_at"),
        "sides": Side.objects.filter(match__in=of_match).values_list("match", "number", "entrant", "opener", "device"),
        "games": Game.objects.filter(match__in=of_match).values_list("pk", "match", "number", "code"),
        "results": Result.objects.filter(game__match__in=of_match, current=True).values_list(
            "game", "record", "scores", "winner", "state", "known_by", "contested"
        ),
        "registrations": Registration.objects.filter(competition=competition).values_list(
            "pk", "entrant", "seed", "checked_in_at", "rating"
        ),
        "withdrawn": standing_withdrawals(competition).values_list("pk", "entrant"),
        "other matches": Match.objects.filter(slot=None, set_aside_at=None).values_list("pk"),
    }
    return {name: sorted(one, key=str) for name, one in rows.items()}

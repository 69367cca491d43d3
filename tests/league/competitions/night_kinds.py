"""Nights of another kind: pairs, tables of several, and a ladder with its challenges."""

from collections.abc import Sequence
from datetime import timedelta
from functools import cache
from random import Random

from django.utils import timezone
from hypothesis import strategies as st
from hypothesis.stateful import invariant, precondition, rule

from games.notation.reading import dumps
from league.competitions.entrants import standing_withdrawals
from league.competitions.ladders import services as ladders
from league.competitions.ladders import services as ladders_services
from league.competitions.ladders.services import withdraw_challenge
from league.competitions.models import Challenge
from league.competitions.queries.competition import competition_page
from league.matches.models import Game, Match
from league.players.models import Entrant
from league.players.services import paste
from referee.playouts.pips import playout
from tests.league.competitions.invariants import ends
from tests.league.competitions.night import Night
from tests.league.competitions.night_results import ANY, named
from tests.league.world import NOON


class PairsNight(Night):
    """Two people share a seat."""

    def pair(self, names: str) -> Entrant:
        [entrant] = paste(self.world.league, names, user=self.world.owner, since=NOON.date(), pairs=True).entrants
        return entrant

    def alice_and_bob(self) -> Sequence[Entrant]:
        return self.pair("Ana Ruiz / Leo Paz"), self.pair("Bo Chen / Mia Sol")

    def newcomer(self) -> str:
        return f"{next(self.names)} / {next(self.names)}"

    def somebody(self) -> Entrant:
        return self.pair(self.newcomer())


class TablesNight(Night):
    """Three or four sit at each table, and two where the others are missed or in a knock-out."""

    def log_of(self, game: Game, seed: int) -> str:
        names = [str(one.entrant) for one in game.match.sides.order_by("number")]
        return named(log_of_several(seed, len(names)), names)


@cache
def log_of_several(seed: int, seats: int) -> str:
    names = [f"Seat {number}" for number in range(1, seats + 1)]
    return dumps(playout("all-fives", rng=Random(seed), seats=names).log)


class LadderNight(Night):
    """The order is also kept here, as it changes before one's eyes; the page works it out from the results anew."""

    reach, days = 2, 14

    def __init__(self) -> None:
        super().__init__()
        self.decided: list[int] = []

    def act(self, *arguments: object, **more: object) -> None:
        super().act(*arguments, **more)
        self.look()

    def look(self) -> None:
        """What is decided comes behind what was decided before it, and keeps its place whatever is amended."""
        if hasattr(self, "key"):
            self.decided += [match for match in ends(self.competition) if match not in self.decided]

    def order(self) -> list[int]:
        """Entrants from the top."""
        found = list(self.registrations().values_list("entrant", flat=True))
        official = ends(self.competition)
        matches = Match.objects.in_bulk(self.decided)
        for match in (matches[one] for one in self.decided if one in official):
            challenged, challenger = match.sides.order_by("number").values_list("entrant", flat=True)
            above, below = found.index(challenged), found.index(challenger)
            if official[match.pk].winner == challenger and above < below:
                found.insert(above, found.pop(below))
        gone = set(standing_withdrawals(self.competition).values_list("entrant", flat=True))
        return [one for one in found if one not in gone]

    def to_play(self) -> list[set[int]]:
        """The two of each challenge that is not decided."""
        matches = Match.objects.filter(slot__matchday__stage__competition=self.key)
        matches = matches.exclude(state=Match.State.DECIDED)
        return [set(match.sides.values_list("entrant", flat=True)) for match in matches]

    @precondition(lambda self: self.is_shown)
    @rule(which=ANY, above=st.integers(-1, 3))
    def challenge(self, which: int, above: int) -> None:
        order = self.order()
        place = which % len(order)
        if not 0 <= place - above < len(order):
            return
        both = order[place], order[place - above]
        may = 1 <= above <= self.reach and not any({*both} & busy for busy in self.to_play())
        before = self.challenges()
        challenger, challenged = (Entrant.objects.select_related("player").get(pk=one) for one in both)
        self.act(lambda: ladders_services.challenge(self.competition, challenger, challenged, by=self.world.owner))
        assert self.challenges() - before == may, f"{both} of {order}"

    def challenges(self) -> int:
        return Challenge.objects.filter(stage__competition=self.key).count()

    @precondition(lambda self: self.is_shown)
    @rule(which=ANY)
    def take_challenge_back(self, which: int) -> None:
        if one := self.one(Challenge.objects.filter(stage__competition=self.key).order_by("pk"), which):
            self.act(lambda: withdraw_challenge(one, by=self.world.referee))

    @precondition(lambda self: self.is_shown)
    @rule()
    def weeks_go_by(self) -> None:
        """What nobody has begun lapses."""
        self.act(lambda: ladders.expire(timezone.now() + timedelta(days=self.days, hours=1)))
        open_ones = Challenge.objects.filter(stage__competition=self.key, slot__match__state=Match.State.SCHEDULED)
        assert not open_ones.filter(slot__match__games__records=None).exists()

    @invariant()
    def everybody_stands_where_they_should(self) -> None:
        if not hasattr(self, "key") or self.is_draft:
            return
        page = competition_page(self.world.owner, self.world.league.slug, self.competition.slug)
        assert [rung.entrant.entrant_id for rung in page.ladder.rungs] == self.order()
        busy = sorted(one for both in self.to_play() for one in both)
        assert len(busy) == len(set(busy)), f"somebody has two challenges to play: {busy}"

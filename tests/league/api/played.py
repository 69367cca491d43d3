"""The small world of the club's tests with a competition of a few matches, two of them played, and a draft nobody sees.

Verdicts come from the referee, through the services.
"""

from dataclasses import dataclass

from league.accounts.models import User
from league.competitions.draw.plans import Plan, found
from league.competitions.draw.publishing import publish
from league.competitions.draw.stages import draw
from league.competitions.models import Competition
from league.competitions.registration.entries import register
from league.matches.logs.submission import confirm_result, verify_record
from league.matches.models import Game, Match, Record, Result, Table
from tests.kept_rows import kept
from tests.league.world import NOON, World, make_world, played_log

TABLE = "4"


@dataclass
class Played:
    """`competition`: Ana against Bo, published, its match played and confirmed. `match`: played by Ana, provisional.
    `open_match`: not played. `draft`: a competition with a match that the staff of Harbour sees. `owner`: of Harbour.
    """

    world: World
    competition: Competition
    match: Match
    open_match: Match
    draft: Competition
    hidden_match: Match

    @property
    def owner(self) -> User:
        return self.world.owner

    @property
    def game(self) -> Game:
        return self.match.games.get(number=1)

    @property
    def open_game(self) -> Game:
        return self.open_match.games.get(number=1)

    @property
    def record(self) -> Record:
        return self.game.records.get()

    @property
    def result(self) -> Result:
        return self.game.results.get(current=True)


@kept
def make_played() -> Played:
    world = make_world()
    competition = competition_of(world, "Autumn")
    publish(competition, user=world.owner)
    decided = Match.objects.get(slot__matchday__stage__competition=competition)
    play_out(world, decided, seed=7)
    confirm_result(result=Result.objects.get(game__match=decided), user=world.bob)
    draft = competition_of(world, "Winter")
    hidden = Match.objects.get(slot__matchday__stage__competition=draft)
    play_out(world, hidden, seed=8, by=world.referee)
    play_out(world, world.match, seed=7)
    return Played(
        world=world,
        competition=competition,
        match=world.match,
        open_match=world.fixture(table=Table.objects.get(league=world.league, name=TABLE), starts_at=NOON),
        draft=draft,
        hidden_match=hidden,
    )


def competition_of(world: World, name: str) -> Competition:
    """Of Ana and Bo, drawn."""
    plan = Plan(name=name, ruleset="udl", starts_at=NOON, minutes=45, days_between=7, tables=(TABLE,))
    competition = found(world.league, plan, user=world.owner)
    register(competition, [world.ana, world.bo])
    draw(competition, user=world.owner)
    competition.refresh_from_db()
    return competition


def play_out(world: World, match: Match, *, seed: int, by: User | None = None) -> Record:
    game = Game.objects.select_related("match__league").get(match=match, number=1)
    record = world.submit(played_log(seed), by=by or world.alice, game=game)
    verify_record(record.pk)
    return record

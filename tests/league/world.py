"""A small world for the club's tests: two leagues, a match of Ana and Bo, and whoever might ask about it."""

import re
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from random import Random

from games.notation.reading import dumps
from league.accounts.models import League, Role, User
from league.matches.logs.submission import Fixture, schedule_match, submit_log
from league.matches.models import Game, Match, Record
from league.players.models import Entrant
from league.players.services import enrol
from referee.playouts.pips import Habits, Playout, playout
from tests.kept_rows import kept

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)

# Readable, and of no use to anybody: what the door looks at is all there.
SHORT_LOG = """[Ruleset "udl"]
[Seat.A "Ana Ruiz"]
[Seat.B "Bo Chen"]

round 1
end
"""


def person(username: str, **names: str) -> User:
    return User.objects.create(username=username, email=f"{username}@example.org", password="!", **names)


@dataclass
class World:
    """Alice is Ana, Bob is Bo, Charlie runs another league and plays in it; the owner runs this one, where two referees
    judge.
    """

    league: League
    elsewhere: League
    alice: User
    bob: User
    charlie: User
    referee: User
    second_referee: User
    owner: User
    ana: Entrant
    bo: Entrant
    match: Match = field(init=False)

    def __post_init__(self) -> None:
        self.match = self.fixture()

    def fixture(self, **changes: object) -> Match:
        agreed = {
            "league": self.league,
            "entrants": [self.ana, self.bo],
            "ruleset": "udl",
            "options": {},
            "published_at": NOON,
        }
        return schedule_match(Fixture(**{**agreed, **changes}))

    @property
    def game(self) -> Game:
        return Game.objects.select_related("match__league").get(match=self.match, number=1)

    def submit(self, text: str = SHORT_LOG, *, by: User | None = None, game: Game | None = None) -> Record:
        return submit_log(game=game or self.game, user=by or self.alice, raw=text.encode()).record


@kept
def make_world() -> World:
    league = League.objects.create(name="Harbour", slug="harbour")
    elsewhere = League.objects.create(name="Hills", slug="hills")
    alice, bob, charlie, owner = person("alice"), person("bob"), person("charlie"), person("owner")
    referee = person("referee", first_name="Rosa", last_name="Ley")
    second = person("second")
    for user, where, kind in (
        (referee, league, Role.Kind.REFEREE),
        (second, league, Role.Kind.HEAD_REFEREE),
        (owner, league, Role.Kind.OWNER),
        (charlie, elsewhere, Role.Kind.OWNER),
        (alice, league, Role.Kind.PLAYER),
        (bob, league, Role.Kind.PLAYER),
    ):
        Role.objects.create(user=user, league=where, kind=kind)
    since = date(2026, 1, 1)
    enrol(league=elsewhere, name="Charlie Hill", since=since, user=charlie)
    return World(
        league=league,
        elsewhere=elsewhere,
        alice=alice,
        bob=bob,
        charlie=charlie,
        referee=referee,
        second_referee=second,
        owner=owner,
        ana=enrol(league=league, name="Ana Ruiz", since=since, user=alice),
        bo=enrol(league=league, name="Bo Chen", since=since, user=bob),
    )


def play(seed: int = 7, *, names: tuple[str, str] = ("Ana Ruiz", "Bo Chen"), habits: Habits | None = None) -> Playout:
    """A game played out by chance; seed 7 is a verified one."""
    return playout("udl", rng=Random(seed), seats=names, habits=habits)


def played_log(seed: int = 7, **changes: object) -> str:
    return dumps(play(seed, **changes).log)


def without_hands(text: str) -> str:
    """Return the same record without hands, drawn tiles and shown tiles."""
    hidden = re.sub(r"(?m)^(\S* ?[AB]) hand .*$", r"\1 hand 7", text)
    return re.sub(r"(?m)^.* shows .*\n", "", re.sub(r"draw \S+", "draw ?", hidden))

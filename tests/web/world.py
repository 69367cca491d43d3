"""A small league for the tests of the pages: three people, one round robin, verdicts written straight into the rows.

Verdicts are given here and not replayed, so that a page's test says what the page must show; the whole way from log
to page is walked in tests/browser.
"""

from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta

from django.utils import timezone

from league.accounts.models import League, Role, User
from league.competitions.draw.advancing import advance
from league.competitions.draw.plans import Plan, found
from league.competitions.draw.publishing import publish
from league.competitions.draw.stages import draw
from league.competitions.models import Competition, Rating, RatingList, Stage
from league.competitions.registration.entries import register
from league.matches.hash_chain import heads, sha256
from league.matches.models import Game, KnownBy, Match, Record, Result, SealedLog, StoredVerdict, Table, Upload
from league.players.models import Entrant, Player
from league.players.services import enrol
from tests.kept_rows import kept

PASSWORD = "six-four-over-six"
FIRST = datetime(2026, 11, 6, 19, 0, tzinfo=UTC)

LOG = """[Ruleset "udl"]
[Seat.A "{a}"]
[Seat.B "{b}"]
[Result "150-95"]

round 1
A hand 6-6 6-5 4-1 2-2 1-0 6-4 3-3
B hand 6-3 6-2 5-5 5-4 3-1 2-0 1-1
0:04 A 6-6
0:09 B 6-3 on 6-6 call 10   # <b>six</b>
B muggins
score 85-60
"""

ROUNDS = [
    {
        "number": 1,
        "spinner": "6-6",
        "led": "A",
        "ended": "domino",
        "winner": "A",
        "points": {"A": 10, "B": 0},
        "scores": {"A": 85, "B": 60},
    },
    {
        "number": 2,
        "spinner": None,
        "led": "A",
        "ended": None,
        "winner": None,
        "points": {"A": 0, "B": 0},
        "scores": {"A": 150, "B": 95},
    },
]

CORRECTION = {
    "line": 12,
    "code": "wrong-total",
    "severity": "correction",
    "rule": "udl.score",
    "message": "the score after round 1 is 85-60, not 85-65",
}


@dataclass
class World:
    """`alice` and `bob` play match 1; `ref` is an official, `owner` runs the league; `charlie` another one."""

    league: League
    competition: Competition
    alice: User
    bob: User
    ref: User
    charlie: User
    owner: User
    entrants: list[Entrant]
    matches: list[Match] = field(default_factory=list)

    @property
    def match(self) -> Match:
        """The one that Alice and Bob play."""
        return next(
            match
            for match in self.matches
            if {side.entrant_id for side in match.sides.all()} == {one.pk for one in self.entrants[:2]}
        )

    def game(self, match: Match | None = None) -> Game:
        return (match or self.match).games.get(number=1)


def account(name: str, **more: str) -> User:
    return User.objects.create_user(name, f"{name}@example.org", PASSWORD, **more)


@kept
def build(*, players: int = 3, published: bool = True, slug: str = "autumn") -> World:
    alice, bob, ref, charlie = (account(name) for name in ("alice", "bob", "ref", "charlie"))
    owner = account("owner")
    league = League.objects.create(name="Harbour", slug="harbour", time_zone="Europe/Lisbon")
    other = League.objects.create(name="Hill", slug="hill")
    Role.objects.create(user=ref, league=league, kind=Role.Kind.REFEREE)
    Role.objects.create(user=owner, league=league, kind=Role.Kind.OWNER)
    Role.objects.create(user=charlie, league=other, kind=Role.Kind.OWNER)
    users = {0: alice, 1: bob}
    entrants = [
        enrol(league=league, name=name, since=date(2026, 1, 1), user=users.get(place))
        for place, name in enumerate(names(players))
    ]
    for number in (1, 2):
        Table.objects.create(league=league, name=str(number))
    plan = Plan(
        name="Autumn Round Robin", ruleset="udl", starts_at=FIRST, minutes=45, days_between=7, tables=("1", "2")
    )
    competition = found(league, plan, user=owner)
    Competition.objects.filter(pk=competition.pk).update(slug=slug)
    register(competition, entrants)
    draw(competition, user=owner)
    if published:
        publish(competition, user=owner)
    competition.refresh_from_db()
    world = World(league, competition, alice, bob, ref, charlie, owner, entrants)
    world.matches = list(Match.objects.filter(league=league).prefetch_related("sides").order_by("pk"))
    return world


def rated(league: League, players: list[Player]) -> None:
    """Each of them has won one game less than the one before; by a row a player, without the games."""
    one = RatingList.objects.create(league=league, ruleset="udl")
    numbers = {"rating_before": 1500, "deviation_before": 350, "volatility_before": 0.06, "volatility": 0.06}
    numbers |= {"rating_list": one, "period": 2960, "deviation": 290, "games": 1, "played": 1}
    Rating.objects.bulk_create(
        Rating(player=player, rating=1700 - place, **numbers) for place, player in enumerate(players)
    )


def knock_out(world: World, *, players: int = 6, name: str = "Cup", played: int = 1, **changes: object) -> Competition:
    """A published knock-out of `players`, those of the world first; `played` matches of it are official, one more is
    provisional.
    """
    more = [
        enrol(league=world.league, name=f"Guest {number}", since=date(2026, 1, 1))
        for number in range(players - len(world.entrants))
    ]
    plan = {"name": name, "ruleset": "udl", "starts_at": FIRST + timedelta(hours=2), "tables": ("1", "2")}
    plan |= {"format": Stage.Format.SINGLE_ELIMINATION} | changes
    cup = found(world.league, Plan(**plan), user=world.owner)
    register(cup, [*world.entrants, *more][:players])
    draw(cup, user=world.owner)
    publish(cup, user=world.owner)
    cup.refresh_from_db()
    matches = list(Match.objects.filter(slot__matchday__stage__competition=cup).order_by("pk"))
    for place, match in enumerate(matches[: played + 1]):
        record = hand_in(match.games.get(number=1), world.ref)
        judge(record)
        enter(record, official_by=world.owner if place < played else None)
        advance(match.pk)
    return cup


def finished_knock_out(world: World, **changes: object) -> Competition:
    """The same with every match official; the first side wins."""
    cup = knock_out(world, played=99, **changes)
    matches = Match.objects.filter(slot__matchday__stage__competition=cup)
    while match := matches.exclude(state=Match.State.DECIDED).order_by("pk").first():
        record = hand_in(match.games.get(number=1), world.ref)
        judge(record)
        enter(record, official_by=world.owner)
        advance(match.pk)
    return cup


def names(count: int) -> list[str]:
    return ["Ana Ruiz", "Bo Chen", "Cleo Diaz", *(f"Player {number}" for number in range(4, count + 1))][:count]


def hand_in(game: Game, user: User, *, side: int | None = None, text: str = LOG, **more: object) -> Record:
    """A log as it stands in the database before its verdict: sealed, with codes for names."""
    codes = [one.entrant.player.code for one in game.match.sides.select_related("entrant__player").order_by("number")]
    sealed = text.format(a=codes[0], b=codes[1]) if "{a}" in text else text
    record = Record.objects.create(
        game=game,
        submitted_by=user,
        for_side=side,
        submitted_at=more.pop("submitted_at", timezone.now()),
        upload_sha256=sha256(f"{game.pk} {sealed} {timezone.now()}".encode()),
        seats={"A": 1, "B": 2},
        **more,
    )
    SealedLog.objects.create(record=record, text=sealed, sha256=sha256(sealed.encode()), heads=heads(sealed))
    Upload.objects.create(record=record, filename="week.domino", raw=sealed.encode())
    return record


def judge(record: Record, status: str = "verified", **more: object) -> StoredVerdict:
    """Give the record a verdict: one finding unless verified, two rounds unless it was unreadable."""
    read = status != "unreadable"
    facts = {
        "evidence": "complete" if read else "",
        "scores": {"A": 150, "B": 95} if read else {},
        "winner": "A" if status in {"verified", "corrected", "violation"} else "",
        "ended": "target" if status in {"verified", "corrected", "violation"} else "",
        "rounds": ROUNDS if read else [],
        "findings": [] if status == "verified" else [CORRECTION],
        "rulings": [],
        "chips": {"A": 11, "B": 0} if read else None,
        "engine_edition": 1,
        "ruleset_edition": 1 if read else None,
    } | more
    Record.objects.filter(pk=record.pk).update(state=Record.State.VERIFIED)
    return StoredVerdict.objects.create(record=record, status=status, verified_at=timezone.now(), **facts)


def enter(
    record: Record, *, official_by: User | None = None, needs_decision: bool = False, winner: int | None = 1
) -> Result:
    """The result of a judged record; official when somebody confirmed it."""
    match = record.game.match
    state = Result.State.OFFICIAL if official_by else Result.State.PROVISIONAL
    result = Result.objects.create(
        game=record.game,
        record=record,
        scores={"1": 150, "2": 95},
        winner=winner,
        ended="target",
        state=state,
        known_by=KnownBy.LOG,
        needs_decision=needs_decision,
        entered_at=record.submitted_at,
        confirmed_by=official_by,
        confirmed_at=timezone.now() if official_by else None,
        confirmed_how="person" if official_by else "",
    )
    Match.objects.filter(pk=match.pk).update(state=Match.State.DECIDED if official_by else Match.State.PROVISIONAL)
    return result


def played(world: World, match: Match | None = None, *, by: User | None = None, official: bool = False) -> Result:
    """Match with a verified log that `by` (Alice, for side 1) handed in."""
    record = hand_in(world.game(match), by or world.alice, side=1)
    judge(record)
    return enter(record, official_by=world.ref if official else None)

"""A site that has been played on for years, as rows: leagues with round robins, Swiss systems, knock-outs, a season.

What the services would have written is written in bulk, with results by chance; ratings are computed by the product,
and some games are played out, handed in and verified by it.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from random import Random

BATCH = 2000
NOW = datetime(2026, 11, 22, 19, tzinfo=UTC)
FIRST = ("Ana", "Bo", "Carla", "Deniz", "Emeka", "Freya", "Goran", "Hana", "Ines", "Joao", "Kemi", "Lucia", "Mateo")
LAST = (
    "Alvarez",
    "Bekele",
    "Castillo",
    "Duarte",
    "Eriksen",
    "Fofana",
    "Gallo",
    "Haddad",
    "Ivanova",
    "Jimenez",
    "Kovac",
)
ROBIN, SWISS, KNOCK_OUT, DIVISION = 40, 200, 64, 20
SWISS_ROUNDS = 9
WITH_LOGS = 12

Pairs = Sequence[tuple[object, object]]


@dataclass(frozen=True)
class Size:
    """How many leagues, players of each, and competitions of each kind there."""

    leagues: int
    players: int
    robins: int
    swiss: int
    knock_outs: int
    divisions: int

    @property
    def games(self) -> int:
        robin, division = (n * (n - 1) // 2 for n in (ROBIN, DIVISION))
        swiss = self.swiss * SWISS_ROUNDS * SWISS // 2
        return self.leagues * (
            self.robins * robin + swiss + self.knock_outs * (KNOCK_OUT - 1) + self.divisions * division
        )


FEW = Size(leagues=1, players=200, robins=1, swiss=1, knock_outs=1, divisions=2)
MANY = Size(leagues=5, players=800, robins=20, swiss=4, knock_outs=6, divisions=6)


@dataclass
class Site:
    """What the addresses of its pages are made from."""

    slug: str = "league-1"
    facts: dict[str, object] = field(default_factory=dict)


def build(size: Size) -> Site:
    from league.accounts.models import League, Role, User
    from league.competitions.ratings.services import recompute

    owner, _made = User.objects.get_or_create(username="keeper")
    site = Site()
    for number in range(1, size.leagues + 1):
        league = League.objects.create(name=f"League {number}", slug=f"league-{number}", confirmation_required=False)
        Role.objects.create(user=owner, league=league, kind=Role.Kind.OWNER)
        _League(league, owner, enrolled(league, size.players, number), Random(number)).fill(size)
        recompute(league, "udl")
    site.facts = _facts(site.slug)
    site.facts["match"] = with_logs()
    return site


def enrolled(league, players: int, seed: int) -> list:
    from league.players.models import Entrant, Membership, Player
    from league.players.naming import fold

    chance = Random(seed)
    names = [f"{chance.choice(FIRST)} {chance.choice(LAST)} {league.pk}{one:04}" for one in range(players)]
    made = Player.objects.bulk_create([Player(name=name, folded=fold(name)) for name in names], BATCH)
    since = (NOW - timedelta(days=2000)).date()
    Membership.objects.bulk_create([Membership(player=one, league=league, since=since) for one in made], BATCH)
    return Entrant.objects.bulk_create([Entrant(league=league, player=one) for one in made], BATCH)


class _League:
    """Fills one league."""

    def __init__(self, league, owner, people: list, chance: Random) -> None:
        self.league, self.owner, self.people, self.chance = league, owner, people, chance
        self.week = count()

    def fill(self, size: Size) -> None:
        for number in range(1, size.robins + 1):
            self.competition(f"Robin {number}", "round_robin", ROBIN)
        for number in range(1, size.swiss + 1):
            self.competition(f"Swiss {number}", "swiss", SWISS)
        for number in range(1, size.knock_outs + 1):
            self.competition(f"Cup {number}", "single_elimination", KNOCK_OUT)
        self.season(size.divisions)

    def season(self, divisions: int) -> None:
        from league.competitions.models import Division, Season

        season = Season.objects.create(
            league=self.league, name="Season", slug="season", starts_on=NOW.date(), published_at=NOW
        )
        for level in range(1, divisions + 1):
            made = self.competition(f"Division {level}", "round_robin", DIVISION, from_place=(level - 1) * DIVISION)
            Division.objects.create(season=season, level=level, name=f"Division {level}", competition=made)

    def competition(self, name: str, kind: str, entrants: int, *, from_place: int | None = None):
        from league.competitions.draw.plans import Plan, found
        from league.competitions.models import Registration, Stage

        starts_at = NOW - timedelta(days=7 * next(self.week) + 7)
        rounds = SWISS_ROUNDS if kind == "swiss" else 0
        plan = Plan(name=name, ruleset="udl", format=kind, rounds=rounds, starts_at=starts_at)
        made = found(self.league, plan, user=self.owner)
        start = self.chance.randrange(len(self.people) - entrants + 1) if from_place is None else from_place
        people = self.people[start : start + entrants]
        rows = [Registration(competition=made, entrant=one, seed=seed) for seed, one in enumerate(people, start=1)]
        Registration.objects.bulk_create(rows, BATCH)
        stage = made.stages.get()
        if kind == "single_elimination":
            self.knock_out(stage, people, starts_at)
        else:
            self.all_play(stage, robin_rounds(people) if kind == "round_robin" else self.by_chance(people), starts_at)
        type(made).objects.filter(pk=made.pk).update(published_at=starts_at)
        Stage.objects.filter(pk=stage.pk).update(finished_at=NOW)
        return made

    def by_chance(self, people: Sequence[object]) -> Iterator[Pairs]:
        for _round in range(SWISS_ROUNDS):
            order = list(people)
            self.chance.shuffle(order)
            yield list(zip(order[::2], order[1::2], strict=True))

    def all_play(self, stage, rounds: Iterable[Pairs], starts_at: datetime) -> None:
        for number, pairs in enumerate(rounds, start=1):
            self.round(stage, number, pairs, starts_at)

    def knock_out(self, stage, people: Sequence[object], starts_at: datetime) -> None:
        from league.competitions.models import Matchday

        left, slots, number = list(people), None, 1
        while len(left) > 1:
            kind = {2: Matchday.Kind.FINAL, 4: Matchday.Kind.SEMI_FINALS}.get(len(left), Matchday.Kind.ROUND)
            pairs = list(zip(left[::2], left[1::2], strict=True))
            slots, winners = self.round(stage, number, pairs, starts_at, sources=slots, kind=kind)
            left = [pair[side - 1] for pair, side in zip(pairs, winners, strict=True)]
            number += 1

    def round(self, stage, number: int, pairs: Pairs, starts_at: datetime, *, sources=None, **facts):
        """(its slots, the number of the side that won each); `sources`: the slots of the round before."""
        from league.competitions.models import Berth, Matchday, Slot
        from league.matches.models import Game, Match, Side

        shared = {"league": self.league, "ruleset": "udl", "published_at": starts_at, "starts_at": starts_at}
        day = Matchday.objects.create(stage=stage, number=number, nth=number, published_at=starts_at, **facts)
        matches = Match.objects.bulk_create([Match(**shared, state=Match.State.DECIDED) for _ in pairs], BATCH)
        places = [Slot(matchday=day, number=place, match=match) for place, match in enumerate(matches, start=1)]
        slots = Slot.objects.bulk_create(places, BATCH)
        games = Game.objects.bulk_create([Game(match=match) for match in matches], BATCH)
        sides, berths = [], []
        for at, (match, slot, pair) in enumerate(zip(matches, slots, pairs, strict=True)):
            for side, one in enumerate(pair, start=1):
                source = sources[2 * at + side - 1] if sources else None
                sides.append(Side(match=match, number=side, entrant=one))
                takes = Berth.Takes.WINNER if source else ""
                berths.append(Berth(slot=slot, number=side, entrant=one, from_slot=source, takes=takes))
        Side.objects.bulk_create(sides, BATCH)
        Berth.objects.bulk_create(berths, BATCH)
        return slots, self.results(games, starts_at)

    def results(self, games: Sequence[object], at: datetime) -> list[int]:
        """Every third known from a log, the others from a score that somebody entered."""
        from league.matches.models import KnownBy, Record, Result, StoredVerdict

        made = {"submitted_by": self.owner, "submitted_at": at, "seats": {"A": 1, "B": 2}, "state": "verified"}
        kinds = [KnownBy.SCORE if one.pk % 3 else KnownBy.LOG for one in games]
        records = Record.objects.bulk_create(
            [
                Record(game=one, kind=kind, upload_sha256=f"{one.pk:064d}", **made)
                for one, kind in zip(games, kinds, strict=True)
            ],
            BATCH,
        )
        found = {"status": "verified", "evidence": "complete", "engine_edition": 1, "ruleset_edition": 1}
        verdicts = [StoredVerdict(record=one, verified_at=at, **found) for one in records]
        StoredVerdict.objects.bulk_create(verdicts, BATCH)
        winners = [self.chance.choice((1, 2)) for _ in games]
        official = {"state": Result.State.OFFICIAL, "ended": "target", "entered_at": at}
        official |= {"confirmed_at": at, "confirmed_by": self.owner, "confirmed_how": Result.Confirmation.PERSON}
        rows = [
            Result(game=one.game, record=one, known_by=one.kind, winner=side, scores=self.scores(side), **official)
            for one, side in zip(records, winners, strict=True)
        ]
        Result.objects.bulk_create(rows, BATCH)
        return winners

    def scores(self, winner: int) -> dict[str, int]:
        return {str(winner): 150, str(3 - winner): 5 * self.chance.randrange(28)}


def robin_rounds(people: Sequence[object]) -> Iterator[Pairs]:
    """By the circle."""
    fixed, *others = people
    for _round in range(len(people) - 1):
        order = [fixed, *others]
        half = len(order) // 2
        yield list(zip(order[:half], reversed(order[half:]), strict=True))
        others = [others[-1], *others[:-1]]


def with_logs() -> int:
    """The key of a match of which a game was played out by the product, handed in and verified; there are more."""
    from league.matches.logs.submission import verify_record
    from tests.league.world import make_world, played_log

    world = make_world()
    matches = [world.fixture(starts_at=NOW - timedelta(hours=one)) for one in range(WITH_LOGS)]
    for seed, match in enumerate(matches, start=7):
        record = world.submit(played_log(seed), game=match.games.get())
        verify_record(record.pk)
    return matches[0].pk


def _facts(slug: str) -> dict[str, object]:
    """Of one league: a player and a pair that met, and the first competition of each kind."""
    from league.competitions.models import Competition, RatingList
    from league.matches.models import Match

    first = Competition.objects.filter(league__slug=slug, slug="robin-1").get()
    code = first.registrations.order_by("seed").first().entrant.player.code
    swiss = Competition.objects.get(league__slug=slug, slug="swiss-1").registrations.order_by("seed").first()
    match = Match.objects.filter(slot__matchday__stage__competition=first).order_by("pk").first()
    rating = RatingList.objects.get(league__slug=slug).ratings.filter(latest=True).order_by("-rating").first()
    return {
        "code": code,
        "swiss_code": swiss.entrant.player.code,
        "part": "Duarte",
        "plain_match": match.pk,
        "rated": rating.player.code,
    }

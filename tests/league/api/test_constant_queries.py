"""Every list asks the database the same number of questions for 1 row and for 300."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from league.accounts.models import League
from league.api.urls import v1
from league.competitions.models import (
    Berth,
    Circuit,
    Competition,
    Division,
    Matchday,
    Notice,
    NoticeVersion,
    RatedGame,
    Rating,
    RatingList,
    Registration,
    Season,
    SeasonDate,
    Slot,
    Stage,
)
from league.competitions.ratings.services import rate_league
from league.disputes.models import Dispute, DisputeEntry, DisputeText
from league.matches.models import Amendment, Game, Match, Record, Result, SealedLog, Side, StoredVerdict
from league.players.models import Entrant, Player
from tests.league.api.conftest import Program
from tests.league.api.managed import MANAGED_LISTS
from tests.league.api.played import Played
from tests.league.world import NOON

pytestmark = pytest.mark.both

MANY = 300
# Each with the name of its address, and how many statements it takes on top of those that find the asker out.
LISTS = {
    "leagues": "leagues",
    "notices": "leagues/harbour/notices",
    "ratings": "leagues/harbour/ratings",
    "rating": "leagues/harbour/ratings/udl/{ana}",
    "players": "players",
    "competitions": "competitions",
    "rounds": "competitions/harbour/autumn/rounds",
    "seasons": "seasons",
    "circuits": "circuits",
    "matches": "matches",
    "games": "games",
    "game-records": "games/{code}/records",
    "results": "results",
    "amendments": "games/{code}/amendments",
    "disputes": "disputes",
    "rulings": "leagues/harbour/rulings",
    "rulesets": "rulesets",
}


def grow(played: Played) -> None:
    """300 more of everything, written straight into the tables."""
    league = played.world.league
    League.objects.bulk_create(League(name=f"L {n}", slug=f"l-{n}", parent=league) for n in range(MANY))
    people = Player.objects.bulk_create(Player(name=f"Player {n}") for n in range(MANY))
    entrants = Entrant.objects.bulk_create(Entrant(league=league, player=one) for one in people)
    competitions = Competition.objects.bulk_create(
        Competition(league=league, name=f"C {n}", slug=f"c-{n}", ruleset="udl", published_at=NOON) for n in range(MANY)
    )
    Stage.objects.bulk_create(Stage(competition=one) for one in competitions)
    for n, one in enumerate(competitions):
        season(league, f"year-{n}", one)
        circuit(league, f"circuit-{n}", one)
    Registration.objects.bulk_create(
        Registration(competition=one, entrant=entrant, seed=n)
        for one in (competitions[0], played.competition)
        for n, entrant in enumerate(entrants, start=3)
    )
    stage = played.competition.stages.get()
    days = Matchday.objects.bulk_create(Matchday(stage=stage, number=n, published_at=NOON) for n in range(2, MANY + 2))
    matches = Match.objects.bulk_create(
        Match(league=league, ruleset="udl", published_at=NOON, starts_at=NOON + timedelta(hours=n)) for n in range(MANY)
    )
    for n, (match, entrant) in enumerate(zip(matches, entrants, strict=True)):
        Side.objects.bulk_create(
            [Side(match=match, number=1, entrant=entrant), Side(match=match, number=2, entrant=entrants[n - 1])]
        )
    slots = Slot.objects.bulk_create(
        Slot(matchday=day, number=1, match=match) for day, match in zip(days, matches, strict=True)
    )
    Berth.objects.bulk_create(
        Berth(slot=slot, number=number, entrant=one)
        for n, slot in enumerate(slots)
        for number, one in enumerate([entrants[n], entrants[n - 1]], start=1)
    )
    games = Game.objects.bulk_create(Game(match=match) for match in matches)
    results_of(games, played)
    rule_on(games, played)
    amended(records_of([played.game] * MANY, played), played)
    rate(played.world.ana.player, people, games)
    tell(played, MANY)


def rule_on(games: list[Game], played: Played) -> None:
    """A dismissed protest about each game, with its reason."""
    facts = {"kind": "count", "via": "official", "raised_by": played.owner, "raised_at": NOON, "closed_at": NOON}
    facts |= {"state": "ruled", "outcome": "dismissed", "for_side": 1}
    disputes = Dispute.objects.bulk_create(Dispute(game=one, match=one.match, **facts) for one in games)
    data = {"outcome": "dismissed", "waits": False}
    entries = DisputeEntry.objects.bulk_create(
        DisputeEntry(dispute=one, number=1, kind="ruled", data=data, by=played.owner, at=NOON, head="")
        for one in disputes
    )
    DisputeText.objects.bulk_create(DisputeText(entry=one, text="in time") for one in entries)


def season(league: League, slug: str, competition: Competition) -> None:
    """Published, of one division."""
    made = Season.objects.create(league=league, slug=slug, name=slug, starts_on=NOON.date(), published_at=NOON)
    Division.objects.create(season=made, level=1, name="One", competition=competition)
    SeasonDate.objects.create(season=made, number=1, starts_at=NOON)


def circuit(league: League, slug: str, competition: Competition) -> None:
    Circuit.objects.create(league=league, slug=slug, name=slug, points=[10, 8]).competitions.add(competition)


def tell(played: Played, count: int) -> None:
    made = Notice.objects.bulk_create(
        Notice(league=played.world.league, competition=played.competition) for _ in range(count)
    )
    facts = {"number": 1, "title": "Moved", "text": "words", "published_at": NOON, "published_by": played.owner}
    NoticeVersion.objects.bulk_create(NoticeVersion(notice=one, **facts) for one in made)


def rate(ana: Player, others: list[Player], games: list[Game]) -> None:
    """A rating of everybody, and a history of Ana's: in each period a game against somebody else."""
    one = RatingList.objects.get()
    numbers = {"deviation_before": 350, "volatility_before": 0.06, "deviation": 300, "volatility": 0.06}
    numbers |= {"rating_list": one, "rating_before": 1500, "rating": 1500, "games": 1, "played": 1}
    Rating.objects.bulk_create(Rating(player=other, period=n, **numbers) for n, other in enumerate(others))
    Rating.objects.bulk_create(Rating(player=ana, period=n, latest=False, **numbers) for n in range(MANY))
    RatedGame.objects.bulk_create(
        RatedGame(rating_list=one, game=game, period=n, first=ana, second=other, points=2)
        for n, (game, other) in enumerate(zip(games, others, strict=True))
    )


def amended(records: list[Record], played: Played) -> None:
    results = Result.objects.bulk_create(
        Result(game=one.game, record=one, scores={"1": 150, "2": 95}, winner=1, current=False, entered_at=NOON)
        for one in records
    )
    Amendment.objects.bulk_create(
        Amendment(
            game=played.game,
            old=one,
            new=one,
            kind="score",
            data={},
            scores=one.scores,
            winner=1,
            reason="swapped",
            state=Amendment.State.CONFIRMED,
            proposed_by=played.world.referee,
            proposed_at=NOON,
            closed_by=played.owner,
            closed_at=NOON,
        )
        for one in results
    )


def results_of(games: list[Game], played: Played) -> None:
    records = records_of(games, played)
    Result.objects.bulk_create(
        Result(game=record.game, record=record, scores={"1": 150, "2": 95}, winner=1, entered_at=NOON)
        for record in records
    )


def records_of(games: list[Game], played: Played, salt: str = "") -> list[Record]:
    records = Record.objects.bulk_create(
        Record(
            game=game,
            submitted_by=played.world.alice,
            submitted_at=NOON,
            state="verified",
            seats={"A": 1, "B": 2},
            upload_sha256=f"{game.pk}-{n}{salt}",
        )
        for n, game in enumerate(games)
    )
    SealedLog.objects.bulk_create(SealedLog(record=one, text="", sha256="", heads=[]) for one in records)
    StoredVerdict.objects.bulk_create(
        StoredVerdict(record=one, status="verified", engine_edition=1, verified_at=NOON) for one in records
    )
    return records


def asked(client, path: str) -> tuple[int, int]:
    """How many statements, and how many rows there are."""
    with CaptureQueriesContext(
        connection,
    ) as found:
        answer = client.get(f"/api/v1/{path}")
    assert answer.status_code == 200
    told = answer.json()
    return len(found), told.get("count", 1) if isinstance(told, dict) else len(told)


def test_every_list_is_here() -> None:
    lists = {one.name for one in v1 if hasattr(getattr(one.callback, "view_class", None), "entries")}
    # Rankings have their rows at the end of a competition: tests/league/competitions/queries/test_final_places.py and
    # tests/league/competitions/test_circuits.py.
    assert lists | {"rulesets"} == {*LISTS, *MANAGED_LISTS, "ranking", "circuit-ranking"}


@pytest.mark.slow("300 rows of each list")
@pytest.mark.parametrize("asker", ["nobody", "referee"])
def test_lists_ask_the_same_for_1_and_for_300_rows(played: Played, program: Program, asker: str) -> None:
    client = program(played.world.referee if asker == "referee" else None)
    ana = played.world.ana.player.code
    client.get("/api/v1/rulesets")  # the use of the token is noted with the first
    rate_league(played.world.league.pk)
    season(played.world.league, "year", played.competition)
    circuit(played.world.league, "circuit", played.competition)
    tell(played, 1)
    rule_on([played.game], played)
    paths = {name: path.format(code=played.game.code, ana=ana) for name, path in LISTS.items()}
    amended(records_of([played.game], played, "first"), played)
    few = {name: asked(client, f"{path}?page_size=1" if name != "rulesets" else path) for name, path in paths.items()}
    grow(played)
    many = {
        name: asked(client, f"{path}?page_size=100" if name != "rulesets" else path) for name, path in paths.items()
    }
    assert {name: count for name, (_, count) in many.items() if name != "rulesets" and count < MANY} == {}
    assert {name: statements for name, (statements, _) in few.items()} == {
        name: statements for name, (statements, _) in many.items()
    }
    assert max(statements for statements, _ in many.values()) <= 19

"""Matches that are played and official, straight into the rows, at the hour that a test wants."""

from datetime import datetime, timedelta

from league.competitions.models import Competition, Matchday, RatedGame, Rating, Slot, Stage
from league.competitions.ratings.services import COLUMNS
from league.matches.models import Game, KnownBy, Match, Record, Result
from league.players.models import Entrant
from tests.league.world import NOON, World


def competition(world: World, name: str = "Rated", **facts: object) -> Competition:
    """Published, with a round to hang matches on."""
    wanted = {"ruleset": "udl", "published_at": NOON}
    made = Competition.objects.create(league=world.league, name=name, slug=name.lower(), **{**wanted, **facts})
    Matchday.objects.create(stage=Stage.objects.create(competition=made), number=1)
    return made


def met(
    world: World,
    cup: Competition,
    one: Entrant,
    other: Entrant,
    *winners: int | None,
    at: datetime = NOON,
    best_of: int = 1,
    **facts: object,
) -> Match:
    """A decided match with a game for each of `winners` (the number of a side, None where nobody won)."""
    match = world.fixture(entrants=[one, other], best_of=best_of, ruleset=cup.ruleset)
    day = Matchday.objects.get(stage__competition=cup)
    Slot.objects.create(matchday=day, number=day.slots.count() + 1, match=match)
    for game, winner in zip(match.games.order_by("number"), winners, strict=False):
        won(world, game, winner, at=at + timedelta(minutes=20 * game.number), **facts)
    Match.objects.filter(pk=match.pk).update(state=Match.State.DECIDED)
    return match


def won(world: World, game: Game, winner: int | None, *, at: datetime, **facts: object) -> Result:
    """What stood before does not stand any more."""
    Result.objects.filter(game=game, current=True).update(current=False, state=Result.State.PROVISIONAL)
    record = Record.objects.create(
        game=game,
        submitted_by=world.referee,
        submitted_at=at,
        upload_sha256=f"{game.pk}-{game.records.count()}",
        seats={"A": 1, "B": 2},
        state=Record.State.VERIFIED,
    )
    official = {"state": Result.State.OFFICIAL, "known_by": KnownBy.LOG, "ended": "target", "scores": {"1": 1, "2": 0}}
    return Result.objects.create(game=game, record=record, winner=winner, entered_at=at, **{**official, **facts})


def rows() -> list[tuple]:
    """Every rating with its history and every game that counts: without the numbers of the rows, all the rest."""
    ratings = sorted(Rating.objects.values_list(*COLUMNS))
    return [
        *ratings,
        *sorted(RatedGame.objects.values_list("rating_list", "game", "period", "first", "second", "points")),
    ]

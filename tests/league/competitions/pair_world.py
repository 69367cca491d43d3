"""Competitions of pairs for tests: pasted, drawn, published; Ana and Bo are Alice's and Bob's players."""

from league.competitions.draw.founding import found_with_players
from league.competitions.draw.plans import Plan
from league.competitions.draw.publishing import publish
from league.competitions.models import Competition, Stage
from league.matches.models import Match
from league.players.models import Entrant
from tests.league.world import NOON, World

PAIRS = "Ana Ruiz / Leo Paz\nBo Chen & Mia Sol\nCruz Vega + Dora Luz\nEva Mar/Fito Rey"


def pairs_of(world: World, names: str = PAIRS, **plan: object) -> Competition:
    """A draft."""
    wanted = {"name": "Pairs", "ruleset": "udl", "format": Stage.Format.ROUND_ROBIN, "starts_at": NOON, "pairs": True}
    return found_with_players(world.league, Plan(**(wanted | plan)), names, user=world.owner)


def published_pairs(world: World, names: str = PAIRS, **plan: object) -> Competition:
    competition = pairs_of(world, names, **plan)
    publish(competition, user=world.owner)
    competition.refresh_from_db()
    return competition


def pair(name: str) -> Entrant:
    """By the name of its first partner."""
    return Entrant.objects.select_related("player", "partner").get(player__name=name, partner__isnull=False)


def match_between(competition: Competition, one: Entrant, other: Entrant) -> Match:
    of_both = Match.objects.filter(slot__matchday__stage__competition=competition)
    return of_both.filter(sides__entrant=one).filter(sides__entrant=other).get()

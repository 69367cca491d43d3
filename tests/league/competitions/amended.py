"""Results played and amended for tests: by the referee, and the second one agrees."""

from league.competitions.amendments.services import confirm_amendment, propose_amendment
from league.competitions.draw.advancing import advance
from league.competitions.models import Berth, Matchday, Slot, Stage
from league.matches.amendments import Wanted
from league.matches.models import Amendment, KnownBy, Match, Record, Result
from tests.league.competitions.cup import enter_result, published, slot

ROUND_ROBIN = Stage.Format.ROUND_ROBIN


def score(*points, reason="the card was read wrongly", later=""):
    return Wanted(kind=KnownBy.SCORE, data={"scores": list(points)}, reason=reason, later=later)


def win(world, competition, round_number, place, berth=1):
    match = slot(competition, round_number, place).match
    enter_result(world, match, berth)
    advance(match.pk)
    return match


def amend(world, match, wanted, *, typed="", number=1):
    """By the referee, and the second one agrees."""
    game = match.games.select_related("match__league").get(number=number)
    proposal = propose_amendment(game, world.referee, wanted, typed=typed)
    return confirm_amendment(proposal, world.second_referee, typed=typed)


def standing(match, number=1):
    result = Result.objects.get(game__match=match, game__number=number, current=True)
    return result.scores, result.winner, result.state, result.known_by, result.confirmed_how


def rows():
    """Everything that an amendment could touch."""
    return [
        list(model.objects.order_by("pk").values())
        for model in (Match, Result, Record, Berth, Slot, Matchday, Stage, Amendment)
    ]


def played_out(world):
    """A cup of four with a match for third place, all of it official."""
    cup = published(world, 4, third_place=True)
    first = win(world, cup, 1, 1)
    win(world, cup, 1, 2)
    win(world, cup, 2, 1)
    win(world, cup, 2, 2)
    assert Stage.objects.get(competition=cup).finished_at is not None
    return cup, first

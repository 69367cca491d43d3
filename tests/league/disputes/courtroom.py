"""A match with a verified log in which a muggins call may be wrong, and acts of its court."""

from datetime import datetime, timedelta

from league.disputes import facts, ruling
from league.disputes.models import Dispute
from league.disputes.protests import protesting
from league.disputes.protests.protesting import Point
from league.disputes.ruling import WantedRuling
from league.matches.logs.submission import verify_record
from league.matches.models import Result
from referee.rulings.court import FactFound
from tests.league.world import NOON, World, played_log

Kind, Outcome = Dispute.Kind, Dispute.Outcome

# Bo plays 5-3 for 5 at line 12 and announces nothing; Ana calls muggins at line 14 (log of seed 7, 120-165).
PLAY = 12
MUGGINS = Point(kind=Kind.MUGGINS, line=PLAY, miswritten=True)
FRAUD = Point(kind=Kind.FRAUD)


def logged(world: World, by: object = None) -> Result:
    """Enter the log for Ana, and return its result."""
    record = world.submit(played_log(7), by=by or world.alice)
    verify_record(record.pk)
    return Result.objects.select_related("record", "game__match").get(record=record)


def soon(minutes: int = 1) -> datetime:
    return datetime.now(NOON.tzinfo) + timedelta(minutes=minutes)


def file(world: World, who: object = None, point: Point = MUGGINS, sentence: str = "I announced five", **more: object):
    return protesting.protest(world.game, who or world.bob, point, sentence, **more)


def find(dispute: Dispute, user: object, answer: str | None = "no", **more: object) -> Dispute:
    return facts.find_facts(dispute, user, FactFound(answer) if answer else None, **more)


def rule(
    dispute: Dispute, user: object, outcome: str = Outcome.CALL, reason: str = "The call was late", **more: object
):
    given = {key: more.pop(key) for key in ("scores", "winner", "ended", "later") if key in more}
    return ruling.rule(dispute, user, WantedRuling(outcome=outcome, reason=reason, **given), **more)


def now(dispute: Dispute) -> Dispute:
    return Dispute.objects.get(pk=dispute.pk)


def score(world: World) -> tuple[str, str]:
    one = Result.objects.get(game=world.game, current=True)
    return str(one), one.state

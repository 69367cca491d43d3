"""A site with records of every kind, for tests that compare rows with records."""

from django.test import TestCase

from league.competitions.amendments.services import confirm_amendment, propose_amendment
from league.competitions.draw.plans import Plan, found
from league.competitions.draw.publishing import publish
from league.competitions.draw.stages import draw
from league.competitions.models import Competition, Stage
from league.competitions.ratings.services import rate_match
from league.competitions.registration.entries import register
from league.house.mistakes import with_broken_rule, with_wrong_total
from league.matches.amendments import Wanted
from league.matches.logs.submission import confirm_result, submit_log, verify_record
from league.matches.models import Game, KnownBy, Match, NamedJudge, Record, Result
from league.matches.results.entering import enter_sheet, rule, undo_entry
from league.matches.results.reviews import accept, disagree
from league.matches.seals import seal_judge
from league.matches.tally.hand_in import hand_in
from league.players.models import Player
from tests.kept_rows import kept
from tests.league.matches.tapping import Pad, points, round_end, tap
from tests.league.world import NOON, World, make_world, played_log

RULING = {"scores": [0, 150], "winner": 2, "ended": "forfeit"}


@kept
def every_kind() -> World:
    """Make a world with a record of every kind, and do what waits for the commit.

    Logs: official, corrected, replaced, with a broken rule, too late. Scores: confirmed, taken back, agreed. A ruling,
    a tally with its taps, an amendment, and a cup with ratings.
    """
    world = make_world()
    with TestCase.captureOnCommitCallbacks(execute=True):
        _play(world)
    return world


def _play(world: World) -> None:
    log = _game(world)
    for text in (with_wrong_total(played_log(7)), played_log(7)):
        verify_record(world.submit(text, game=log).pk)
    _confirm(log, world.referee)
    late = _game(world)
    waits = world.submit(played_log(8), game=late)
    verify_record(world.submit(played_log(12), game=late).pk)
    _confirm(late, world.bob)
    verify_record(waits.pk)
    scored = _game(world)
    enter_sheet(scored, world.referee, {"scores": [150, 20]}, kind=KnownBy.SCORE, at=NOON)
    _confirm(scored, world.bob)
    verify_record(world.submit(with_broken_rule(played_log(10)), game=_game(world)).pk)
    _enter_scores(world)
    _keep_a_tally(world)
    _keep_a_tally_that_nobody_hands_in(world)
    _review(world)
    amended = _game(world)
    verify_record(world.submit(played_log(9), game=amended).pk)
    _confirm(amended, world.bob)
    wanted = Wanted(kind=KnownBy.RULED, data=RULING, reason="two racks")
    confirm_amendment(propose_amendment(amended, world.referee, wanted), world.second_referee)
    _play_a_cup(world)


def _game(world: World, **facts: object) -> Game:
    return world.fixture(**facts).games.select_related("match__league").first()


def _confirm(game: Game, by: object) -> None:
    confirm_result(result=Result.objects.get(game=game, current=True), user=by, at=NOON)


def _enter_scores(world: World) -> None:
    agreed = _game(world, best_of=3)
    for who in (world.alice, world.bob):
        enter_sheet(agreed, who, {"scores": [150, 95]}, kind=KnownBy.SCORE, at=NOON)
    differ = _game(world)
    for who, scores in ((world.alice, [150, 95]), (world.bob, [95, 150])):
        enter_sheet(differ, who, {"scores": scores}, kind=KnownBy.SCORE, at=NOON)
    undone = enter_sheet(_game(world), world.alice, {"scores": [150, 90]}, kind=KnownBy.SCORE, at=NOON)
    undo_entry(undone.record, world.alice, at=NOON)
    ruled = _game(world)
    rule(ruled, world.referee, scores=[0, 150], winner=2, reason="did not come", at=NOON)
    _confirm(ruled, world.second_referee)


def _keep_a_tally(world: World) -> None:
    game = _game(world)
    pad = Pad(game, world.alice, 1)
    pad.send(points(0, 10), points(1, 5), round_end(0, 150), tap("end", ended="target"))
    hand_in(game, world.alice, pad=pad.id, after=pad.after, at=NOON, insist=True)
    _confirm(game, world.referee)


def _keep_a_tally_that_nobody_hands_in(world: World) -> None:
    """Keep a tally whose last tap is a change of the pad, which no score shows."""
    Pad(_game(world), world.alice, 1).send(points(0, 10), points(1, 5), points(0, 15), tap("take_over"))


def _review(world: World) -> None:
    """Make a score under review with a judge, one accepted later, and a waiting amendment."""
    doubted, accepted = _game(world), _game(world)
    for game in (doubted, accepted):
        enter_sheet(game, world.alice, {"scores": [150, 95]}, kind=KnownBy.SCORE, at=NOON)
        disagree(Result.objects.get(game=game), world.bob, sentence="it was 145", at=NOON)
    judge = NamedJudge(match=doubted.match, player=Player.objects.get(user=world.charlie), named_by=world.owner)
    judge.named_at, judge.accepted = NOON, {"1": "account"}
    seal_judge(judge)
    judge.save()
    accept(Result.objects.get(game=accepted), world.bob, at=NOON)
    waits = _game(world)
    enter_sheet(waits, world.alice, {"scores": [150, 60]}, kind=KnownBy.SCORE, at=NOON)
    _confirm(waits, world.bob)
    propose_amendment(waits, world.referee, Wanted(kind=KnownBy.SCORE, data={"scores": [150, 65]}, reason="a slip"))


def _play_a_cup(world: World) -> None:
    plan = Plan(name="Cup", ruleset="udl", format=Stage.Format.SINGLE_ELIMINATION)
    cup: Competition = found(world.league, plan, user=world.owner)
    register(cup, [world.ana, world.bo])
    draw(cup, user=world.owner)
    publish(cup, user=world.owner)
    match = Match.objects.get(slot__matchday__stage__competition=cup)
    game = match.games.select_related("match__league").get()
    text = played_log(11)
    verify_record(submit_log(game=game, user=world.alice, raw=text.encode()).record.pk)
    _confirm(game, world.referee)
    rate_match(match.pk)


def records() -> int:
    return Record.objects.count()

"""Reviews of games between people: who reads them, of which log, and when they are made."""

from collections.abc import Callable
from datetime import timedelta
from random import Random

import pytest
from django.contrib.auth.models import AnonymousUser
from django.utils import timezone

from games.notation.reading import dumps
from league.accounts.naming import this_year
from league.errors import NotAllowed, Refused
from league.house.mistakes import with_wrong_total
from league.matches.logs.submission import verify_record
from league.matches.models import Game, Record, Result
from league.play import reviews, tasks
from league.play.models import MoveReview, OnlineGame, OnlineSeat
from league.play.online.acts import OnlineAct
from league.play.shared_reviews import GameToReview, agree, ask, game_of_match, game_online, shared_review
from league.players.models import Player
from league.players.services import enrol, erase
from referee.playouts.pips import playout
from tests.league.competitions.pair_world import match_between, pair, published_pairs
from tests.league.play.online_games import dealt, do, fresh, step
from tests.league.world import NOON, World, make_world, person, played_log, without_hands

pytestmark = pytest.mark.django_db
NOBODY = AnonymousUser()


@pytest.fixture(autouse=True)
def _few_samples(monkeypatch) -> None:
    monkeypatch.setattr(reviews, "SAMPLES", 4)


@pytest.fixture
def world() -> World:
    return make_world()


@pytest.fixture
def played(world) -> World:
    hand_in(world, played_log())
    return world


def hand_in(world: World, text: str, **where: object) -> Record:
    record = world.submit(text, **where)
    verify_record(record.pk)
    return record


def game(world: World, user: object) -> GameToReview:
    return game_of_match(user, world.match.pk, 1)


def both_ask(world: World, *, public: bool = True) -> None:
    for user in (world.alice, world.bob):
        ask(game(world, user))
        agree(game(world, user), public=public)


def readable(world: World, user: object) -> set[str]:
    """Seats whose reviews this user may read."""
    found = set()
    for number, letter in enumerate("AB"):
        try:
            found |= {letter for _shown in [shared_review(game(world, user), number)]}
        except NotAllowed:
            continue
    return found


def refused(act: Callable[[], object]) -> str:
    with pytest.raises(Refused) as caught:
        act()
    return caught.value.code


def test_a_player_reads_the_own_review_and_everybody_both_once_both_agree(played) -> None:
    people = (played.alice, played.bob, played.charlie, played.referee, played.owner, NOBODY)
    own = [{"A"}, {"B"}, set(), set(), set(), set()]
    everybody = [{"A", "B"}] * len(people)

    def table() -> list[set[str]]:
        return [readable(played, user) for user in people]

    assert table() == own
    both_ask(played, public=False)
    assert table() == own
    agree(game(played, played.alice), public=True)
    assert table() == own
    agree(game(played, played.bob), public=True)
    assert table() == everybody
    agree(game(played, played.alice), public=False)
    assert table() == own


def test_others_can_neither_ask_nor_agree(played) -> None:
    for user in (played.charlie, played.referee, NOBODY):
        asked = game(played, user)
        assert refused(lambda: ask(asked)) == "not-your-game"  # noqa: B023
        assert refused(lambda: agree(asked, public=True)) == "not-your-game"  # noqa: B023
    assert not MoveReview.objects.exists()


def test_to_agree_the_own_review_must_have_been_asked_for(played) -> None:
    assert refused(lambda: agree(game(played, played.alice), public=True)) == "no-review"


def test_each_seat_is_reviewed_once_by_the_task(played, monkeypatch, django_capture_on_commit_callbacks) -> None:
    sent = []
    monkeypatch.setattr(reviews, "send", lambda *message: sent.append(message))
    with django_capture_on_commit_callbacks(execute=True):
        ask(game(played, played.bob))
        ask(game(played, played.bob))
    [review] = MoveReview.objects.all()
    assert sent == [("play.review", review.pk)]
    tasks.review(review.pk)
    first = shared_review(game(played, played.bob)).view
    scores = played.game.results.get(current=True).scores
    assert first.result == scores["2"] - scores["1"]
    assert first.decisions
    monkeypatch.setattr(reviews, "reviewed", None)
    tasks.review(review.pk)
    assert not reviews.carry_out(review.pk)
    assert shared_review(game(played, played.alice)).view.hands is None


def test_the_sweep_makes_it_if_the_message_was_lost(played) -> None:
    ask(game(played, played.alice))
    assert reviews.carry_out_missed(timezone.now() + timedelta(minutes=2)) == 1
    assert shared_review(game(played, played.alice)).view.hands


def test_a_later_log_has_no_review_of_the_earlier_one(world) -> None:
    hand_in(world, with_wrong_total(played_log()))
    both_ask(world)
    assert readable(world, NOBODY) == {"A", "B"}
    first = game(world, world.alice).game
    hand_in(world, played_log())
    assert game(world, world.alice).game != first
    assert not shared_review(game(world, world.alice)).view.waits
    assert readable(world, NOBODY) == set()


def test_there_is_no_review_before_the_game_is_over(world) -> None:
    with pytest.raises(Game.DoesNotExist):
        game(world, world.alice)
    log = played_log()
    hand_in(world, log[: log.rindex("round ")])
    with pytest.raises(Game.DoesNotExist):
        game(world, world.alice)


def test_hands_that_are_not_known_have_no_review(world) -> None:
    hand_in(world, without_hands(played_log()))
    assert world.game.results.filter(current=True).exists()
    with pytest.raises(Game.DoesNotExist):
        game(world, world.alice)


@pytest.mark.parametrize("doubt", ["contested", "needs_decision"])
def test_a_result_in_doubt_has_no_review(played, doubt) -> None:
    Result.objects.update(**{doubt: True})
    with pytest.raises(Game.DoesNotExist):
        game(played, played.alice)


def test_a_match_that_is_not_published_has_none(played) -> None:
    type(played.match).objects.update(published_at=None)
    for user in (played.alice, NOBODY):
        with pytest.raises(Game.DoesNotExist):
            game(played, user)


def test_reviews_of_a_minor_are_never_public(played) -> None:
    both_ask(played)
    Player.objects.filter(pk=played.ana.player_id).update(born=this_year() - 12)
    assert [readable(played, user) for user in (played.alice, played.bob, NOBODY)] == [{"A"}, {"B"}, set()]
    assert refused(lambda: agree(game(played, played.bob), public=True)) == "minor"
    agree(game(played, played.bob), public=False)


def test_an_erased_player_agrees_no_longer(played) -> None:
    both_ask(played)
    erase(played.ana.player)
    assert readable(played, NOBODY) == set()


def test_both_partners_of_a_pair_have_its_review(world) -> None:
    leo = person("leo")
    cup = published_pairs(world)
    Player.objects.filter(name="Leo Paz").update(user=leo)
    match = match_between(cup, pair("Ana Ruiz"), pair("Bo Chen"))
    number_of = {side.entrant.player.name: side.number for side in match.sides.all()}
    names = sorted(("Ana Ruiz", "Bo Chen"), key=number_of.__getitem__)
    hand_in(world, played_log(names=tuple(names)), by=world.referee, game=match.games.get(number=1))
    for user in (world.alice, leo):
        asked = game_of_match(user, match.pk, 1)
        assert asked.own == names.index("Ana Ruiz")
        ask(asked)
    assert MoveReview.objects.count() == 1
    assert not shared_review(game_of_match(world.bob, match.pk, 1)).view.waits


def test_of_three_players_all_must_agree(world) -> None:
    carl = person("carl")
    third = enrol(league=world.league, name="Carl Dow", since=NOON.date(), user=carl)
    match = world.fixture(entrants=[world.ana, world.bo, third], ruleset="muggins")
    log = playout("muggins", rng=Random(3), seats=("Ana Ruiz", "Bo Chen", "Carl Dow")).log
    hand_in(world, dumps(log), game=match.games.get())
    for user in (world.alice, world.bob, carl):
        assert not shared_review(game_of_match(user, match.pk, 1)).public
        ask(game_of_match(user, match.pk, 1))
        agree(game_of_match(user, match.pk, 1), public=True)
    assert shared_review(game_of_match(NOBODY, match.pk, 1), 2).public
    reviews.carry_out(MoveReview.objects.get(seat=2).pk)
    assert shared_review(game_of_match(carl, match.pk, 1)).view.hands


# ---- Online


def conceded(seats: list[OnlineSeat]) -> None:
    """Some moves, then the first seat gives up in the middle of a hand."""
    for _step in range(9):
        step(seats)
    do(seats[0], OnlineAct("concede"))


def test_the_seats_of_an_online_game_have_reviews_after_its_end() -> None:
    ana, bo = seats = dealt("muggins", target="50")
    assert refused(lambda: game_online(ana.game.code, ana.key)) == "unfinished"
    conceded(seats)
    code = ana.game.code
    assert refused(lambda: shared_review(game_online(code, ""))) == "not-your-game"
    assert refused(lambda: shared_review(game_online(code, ana.key), 1)) == "not-your-game"
    for seat in seats:
        ask(game_online(code, seat.key))
        agree(game_online(code, seat.key), public=True)
    assert shared_review(game_online(code, ""), 1).public
    reviews.carry_out(MoveReview.objects.get(seat=1).pk)
    view = shared_review(game_online(code, bo.key)).view
    own, other = reversed(fresh(ana).table().game.card.scores)
    assert view.result == own - other
    OnlineGame.objects.update(fixture="ABCD")  # it is reviewed at its match
    assert refused(lambda: game_online(code, ana.key)) == "no-review"

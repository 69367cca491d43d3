"""Hints and reviews of practice games: from what the player knows, once a line, once a game."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.utils import timezone

from games.moves import Play
from league.errors import Refused
from league.play import hints, reviews, tasks
from league.play.models import MoveReview, PracticeGame
from league.play.review_view import MOST_TRIES, ReviewView
from league.play.table import PLAYER
from tests.league.play.tables import at, in_play, played, saved, step, terms
from tests.league.play.uno_tables import played_uno, uno_live, uno_terms

pytestmark = pytest.mark.django_db
HANDS = "A hand 5-2 5-0 6-2 4-1 3-1 2-0 1-0", "B hand 5-5 6-5 5-4 4-3 4-2 2-1 1-1"


@pytest.fixture(autouse=True)
def _few_samples(monkeypatch) -> None:
    cache.clear()
    monkeypatch.setattr(hints, "SAMPLES", 100)
    monkeypatch.setattr(hints, "UNO_SAMPLES", 100)
    monkeypatch.setattr(reviews, "SAMPLES", 20)


def hint(table) -> list[hints.Hint]:
    return hints.hints(saved(table).code, len(table.lines))


def test_a_hint_is_the_best_move_with_its_points() -> None:
    first, *others = hint(at(*HANDS, "B 5-5", ruleset="muggins"))
    assert (first.tile, first.on, first.draw) == ("5-0", "5-5", False)
    assert {one.tile for one in others} == {"5-2"}
    assert all(first.points >= one.points for one in others)


def test_a_hint_names_a_legal_move() -> None:
    for seed in range(20):
        table = in_play(seed)
        first = hint(table)[0]
        legal = {(play.tile.name, play.on.name if play.on else "") for play in table.plays}
        assert (first.tile, first.on) in legal or (first.draw and table.live.can_draw) or not legal


def test_a_hint_is_computed_once_a_line(monkeypatch) -> None:
    table = in_play("once")
    game = saved(table)
    first = hints.hints(game.code, len(table.lines))
    monkeypatch.setattr(hints, "valued", None)
    assert hints.hints(game.code, len(table.lines)) == first


def test_a_hint_for_an_earlier_line_or_between_two_hands_is_refused() -> None:
    table = in_play("late")
    game = saved(table)
    with pytest.raises(Refused) as caught:
        hints.hints(game.code, len(table.lines) - 1)
    assert caught.value.code == "stale-table"
    while table.live:
        step(table)
    with pytest.raises(Refused) as caught:
        hint(table)
    assert caught.value.code == "illegal-move"


def test_the_lines_of_hints_are_kept_once_each(django_assert_num_queries) -> None:
    table = in_play("kept")
    game, line = saved(table), len(table.lines)
    with django_assert_num_queries(2):
        hints.hints(game.code, line)
    with django_assert_num_queries(1):
        hints.hints(game.code, line)
    assert PracticeGame.objects.get().hinted == [line]


def test_the_move_after_a_hint_is_marked() -> None:
    table = in_play("marked")
    line, before = len(table.lines), len(table.log.entries)
    assert reviews.after_hints(table.log, [line]) == frozenset()
    step(table)
    own = table.log.entries[before]
    step(table)
    assert reviews.after_hints(table.log, [line]) == {own.line}
    assert reviews.after_hints(table.log, []) == frozenset()


def over() -> PracticeGame:
    return saved(played(terms("over", target="50", ruleset="udl")))


def view_of(game: PracticeGame) -> ReviewView:
    return reviews.review_of_practice(game.code).view


def made(game: PracticeGame) -> bool:
    return reviews.carry_out(MoveReview.objects.get(practice=game).pk)


def test_a_review_is_asked_for_once_and_kept(monkeypatch, django_capture_on_commit_callbacks) -> None:
    sent = []
    monkeypatch.setattr(reviews, "send", lambda *message: sent.append(message))
    game = over()
    with django_capture_on_commit_callbacks(execute=True):
        reviews.ask(game.code)
        reviews.ask(game.code)
    [review] = MoveReview.objects.all()
    assert sent == [("play.review", review.pk)]
    assert view_of(game).waits
    tasks.review(review.pk)
    view = view_of(game)
    assert view.hands
    assert not view.waits
    scores = game.table().game.card.scores
    assert view.result == scores[0] - scores[1]
    assert view.luck - view.lost - view.unannounced == pytest.approx(view.result, abs=0.1 * 3 * len(view.hands))


def test_a_review_is_made_once(monkeypatch) -> None:
    game = over()
    reviews.ask(game.code)
    assert made(game)
    monkeypatch.setattr(reviews, "reviewed", None)
    assert not made(game)
    reviews.ask(game.code)
    assert not made(game)


def test_a_review_that_nobody_asked_for_is_not_made() -> None:
    over()
    assert not reviews.carry_out(1)
    assert reviews.carry_out_missed(timezone.now() + timedelta(days=1)) == 0


def test_a_lost_message_is_found_by_the_sweep() -> None:
    game = over()
    reviews.ask(game.code)
    now = timezone.now()
    assert reviews.carry_out_missed(now) == 0
    assert reviews.carry_out_missed(now + timedelta(minutes=2)) == 1
    assert view_of(game).hands


def test_a_review_that_fails_is_given_up(monkeypatch) -> None:
    def broken(*_args: object, **_more: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(reviews, "reviewed", broken)
    game = over()
    reviews.ask(game.code)
    later = timezone.now() + timedelta(hours=1)
    assert [reviews.carry_out_missed(later) for _try in range(5)] == [0] * 5
    view = view_of(game)
    assert (view.failed, view.waits) == (True, False)
    assert MoveReview.objects.get(practice=game).tries == MOST_TRIES


def test_an_unfinished_game_is_not_reviewed() -> None:
    game = saved(in_play("unfinished"))
    with pytest.raises(Refused) as caught:
        reviews.ask(game.code)
    assert caught.value.code == "unfinished"
    with pytest.raises(PracticeGame.DoesNotExist):
        view_of(game)


def test_hints_at_uno_dominoes_are_the_lawful_moves_with_their_colours() -> None:
    coloured = uno_live("colour", 3, lambda table: any(play.colour for play in table.plays))
    for table in (coloured, *(uno_live(f"hint {seed}", 2 + seed % 3, lambda table: table.plays) for seed in range(3))):
        lawful = filter(table.colours.is_lawful, table.plays)
        plays = {(play.tile.name, play.on.name, play.colour or "") for play in lawful}
        assert {(one.tile, one.on, one.colour) for one in hint(table)} == {*plays, ("", "", "")}


@pytest.mark.parametrize("moment", [lambda table: table.paused, lambda table: table.victim == PLAYER])
def test_at_uno_dominoes_only_a_turn_has_a_hint(moment) -> None:
    with pytest.raises(Refused) as caught:
        hint(uno_live("no hint", 3, moment))
    assert caught.value.code == "illegal-move"


def test_a_game_of_uno_dominoes_is_reviewed_and_keeps_the_colours() -> None:
    done = saved(played_uno(uno_terms(13, seats=2, target="100")))
    reviews.ask(done.code)
    assert made(done)
    moves = [one.played for hand in view_of(done).hands for one in hand.decisions]
    assert {one.tile: one.colour for one in moves if one.colour} == {"WD4-WD4": "red", "W-W": "yellow"}


def test_each_decision_leads_to_its_step_of_the_replay() -> None:
    game = over()
    reviews.ask(game.code)
    made(game)
    view = view_of(game)
    lines = game.table().log
    played_at = {line: event for line, _at, event in lines.each()}
    for hand in view.hands:
        for one in hand.decisions:
            assert view.steps[one.line].startswith(f"r{hand.number}.")
            if one.played.tile:
                event = played_at[one.line]
                assert isinstance(event, Play)
                assert event.tile.name == one.played.tile


def test_the_schedule_makes_missed_reviews(settings) -> None:
    names = {one["task"] for one in settings.CELERY_BEAT_SCHEDULE.values()}
    assert tasks.review_missed.name in names

"""Results decided by one party alone (RELIABILITY.md T-20): every short sequence of its acts is tried.

A player has an account, a slip, and phones that only chose a name; an official has an account. A card with both
signatures is the word of both sides, so it is left out, and so is the silence that a league allows. A player who
proves their own side may concede: whether the winner's phone entered it or their own does not matter.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial

import pytest
from django.core.exceptions import ObjectDoesNotExist
from django.db import transaction

from league.accounts.models import League
from league.errors import Refused
from league.matches.logs.submission import confirm_result, verify_record
from league.matches.models import KnownBy, Record, Reply, Result
from league.matches.permissions import Guest, Visitor
from league.matches.results import entering, reviews, second_side
from tests.league.world import NOON, World, played_log
from tests.volume import quarter

LENGTHS = [2, pytest.param(3, marks=pytest.mark.slow("tries thousands of sequences"))]
ANA_WINS, BO_WINS = [150, 95], [95, 150]

Acts = Mapping[str, Callable[[], object]]


class _Back(Exception):
    """Roll back to the state before an act."""


def official_results(acts: Acts, longest: int) -> dict[tuple[str, ...], tuple[int, ...]]:
    """Try every sequence of acts, of third acts a quarter. Return those after which a result is official, with its
    points by side.
    """
    found: dict[tuple[str, ...], tuple[int, ...]] = {}
    tried: dict[object, int] = {}

    def go_on(said: tuple[str, ...]) -> None:
        official = Result.objects.filter(current=True, state=Result.State.OFFICIAL).first()
        if official is not None:
            found[said] = tuple(official.scores.values())
            return
        left = longest - len(said)
        if left <= tried.get(state := rows(), 0):
            return
        tried[state] = left
        for name, act in quarter(acts.items(), lambda _act: said) if len(said) == 2 else acts.items():
            with suppress(Refused, ObjectDoesNotExist, _Back), transaction.atomic():
                act()
                go_on((*said, name))
                raise _Back

    go_on(())
    return found


def rows() -> object:
    """Everything that was said, without keys and times: two equal ones have the same future."""
    results = Result.objects.order_by("record").values_list(
        "record__kind", "record__for_side", "record__submitted_by", "record__device", "scores", "current", "contested"
    )
    withdrawn = Record.objects.order_by("pk").values_list("withdrawn_at", flat=True)
    replies = Reply.objects.order_by("pk").values_list("for_side", "said_by", "agrees", "result__scores")
    return str((list(results), [at is None for at in withdrawn], list(replies)))


def acts_of(world: World, name: str, who: Visitor) -> Acts:
    """What pages and the API let one person say about a game."""
    game = world.game

    def current() -> Result:
        return Result.objects.get(game=game, current=True)

    def other() -> Result:
        return Result.objects.filter(game=game, current=False, contested=True).latest("pk")

    enter = partial(entering.enter_sheet, game, who, kind=KnownBy.SCORE, at=NOON)
    return {
        f"{name} enters a win of Ana": lambda: enter({"scores": ANA_WINS}),
        f"{name} enters a win of Bo": lambda: enter({"scores": BO_WINS}),
        f"{name} confirms": lambda: confirm_result(result=current(), user=who),
        f"{name} affirms": lambda: second_side.affirm(current(), who),
        f"{name} disagrees": lambda: reviews.disagree(current(), who, sentence="No."),
        f"{name} accepts the other entry": lambda: reviews.accept(other(), who),
        f"{name} takes the current entry": lambda: reviews.choose(current(), who, reason="Seen."),
        f"{name} takes the other entry": lambda: reviews.choose(other(), who, reason="Seen."),
        f"{name} takes it back": lambda: entering.undo_entry(
            Record.objects.filter(game=game, withdrawn_at=None).latest("pk"), who, NOON
        ),
    }


def acts_of_player(world: World) -> Acts:
    """Ana with her account, her slip, and two phones that chose a name."""
    phone = partial(Guest, world.match.pk, hands="h")
    who = {
        "her account": world.alice,
        "her slip": phone(1, proved=True, device="a" * 32),
        "a phone as Ana": phone(1, device="b" * 32),
        "a phone as Bo": phone(2, device="c" * 32),
        "her own phone as Bo": phone(2, device="a" * 32),
    }
    return {text: act for name, one in who.items() for text, act in acts_of(world, name, one).items()}


def acts_of_official(world: World) -> Acts:
    ruling = partial(entering.rule, world.game, world.referee, reason="Bo is absent.", at=NOON)
    return {
        **acts_of(world, "the referee", world.referee),
        "the referee rules for Ana": lambda: ruling(scores=[150, 0], winner=1),
        "the referee hands in a log": lambda: verify_record(world.submit(played_log(), by=world.referee).pk),
    }


@pytest.fixture
def proves(world):
    League.objects.update(second_side_proves=True)


@pytest.mark.slow("every sequence of three acts")
@pytest.mark.parametrize("longest", LENGTHS)
def test_a_player_alone_wins_nothing_and_can_only_concede(world, proves, longest):
    found = official_results(acts_of_player(world), longest)
    assert found["a phone as Bo enters a win of Bo", "her slip confirms"] == (95, 150)
    assert set(found.values()) == {(95, 150)}


@pytest.mark.slow("every sequence of three acts")
def test_the_control_without_proof_a_second_phone_is_enough(world):
    found = official_results(acts_of_player(world), 2)
    assert found["a phone as Ana enters a win of Ana", "a phone as Bo confirms"] == (150, 95)


@pytest.mark.slow("every sequence of three acts")
@pytest.mark.parametrize("longest", LENGTHS)
def test_a_player_can_only_confirm_what_the_other_side_said(world, proves, longest):
    entering.enter_sheet(world.game, world.bob, {"scores": BO_WINS}, kind=KnownBy.SCORE, at=NOON)
    found = official_results(acts_of_player(world), longest)
    assert found["her account confirms",] == (95, 150)
    assert set(found.values()) == {(95, 150)}


@pytest.mark.parametrize("longest", LENGTHS)
def test_no_official_alone_makes_a_result_official_where_two_are_needed(world, longest):
    assert official_results(acts_of_official(world), longest) == {}


def test_the_control_one_official_is_enough_where_the_league_says_so(world):
    League.objects.update(officials_needed=1)
    found = official_results(acts_of_official(world), 1)
    assert found["the referee rules for Ana",] == (150, 0)

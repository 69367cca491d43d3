"""The next match of a person: choice of the match, and place in the own table."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.utils import timezone

from league.competitions.models import Competition
from league.competitions.queries.my_next import OVERDUE, MyNext, my_next
from league.matches.models import Match, Table
from league.players.models import Entrant, Player
from tests.league.competitions.cup import enter_result, published

NOBODY = AnonymousUser()


def next_of(entrant: int) -> MyNext | None:
    return my_next(Entrant.objects.filter(pk=entrant), NOBODY, timezone.now())


def seeded(cup: Competition, seed: int) -> int:
    return cup.registrations.get(seed=seed).entrant_id


def own_matches(cup: Competition, entrant: int) -> list[Match]:
    """Return the matches of an entrant in the cup, all of them public and without an hour; no others are."""
    mine = Match.objects.filter(slot__matchday__stage__competition=cup)
    Match.objects.update(published_at=None)
    mine.update(published_at=timezone.now(), starts_at=None)
    return list(mine.filter(sides__entrant=entrant).order_by("slot__matchday__number"))


@pytest.mark.parametrize("seed", [1, 2])
def test_the_place_is_that_of_the_own_group(world, seed) -> None:
    """Seeds 1 and 2 are in different groups."""
    cup = published(world, 8, format="groups", groups=2)
    entrant = seeded(cup, seed)
    match = own_matches(cup, entrant)[0]
    enter_result(world, match, match.sides.get(entrant=entrant).number)
    found = next_of(entrant)
    assert found is not None
    assert found.standing is not None
    assert found.standing.rank == 1


def test_a_knock_out_has_no_place(world) -> None:
    cup = published(world, 4)
    own_matches(cup, seeded(cup, 1))
    found = next_of(seeded(cup, 1))
    assert found is not None
    assert found.standing is None
    assert (found.won, found.lost) == (0, 0)


def test_the_match_in_play_comes_first_then_the_earliest_hour_and_none_long_ago(world) -> None:
    cup = published(world, 4, format="round_robin")
    entrant = seeded(cup, 1)
    past, soon, later = own_matches(cup, entrant)
    now = timezone.now()
    for match, starts in (
        (past, now - OVERDUE * 2),
        (soon, now + timedelta(hours=1)),
        (later, now + timedelta(days=1)),
    ):
        Match.objects.filter(pk=match.pk).update(starts_at=starts)
    assert next_of(entrant).line.id == soon.pk
    Match.objects.filter(pk=later.pk).update(state=Match.State.PLAYING)
    assert (next_of(entrant).line.id, next_of(entrant).playing) == (later.pk, True)


def test_a_minor_is_shown_the_own_table(world) -> None:
    cup = published(world, 2, format="round_robin")
    entrant = seeded(cup, 1)
    [match] = own_matches(cup, entrant)
    Match.objects.filter(pk=match.pk).update(table=Table.objects.create(league=world.league, name="7"))
    Player.objects.update(born=timezone.now().year - 10)
    assert (next_of(entrant).line.table, next_of(entrant).opponents[0].name) == ("7", "B. C.")


def test_meetings_are_those_of_the_head_to_head(world) -> None:
    cup = published(world, 2, format="double_round_robin")
    entrant = seeded(cup, 1)
    first, second = own_matches(cup, entrant)[:2]
    enter_result(world, first, first.sides.get(entrant=entrant).number)
    found = next_of(entrant)
    assert (found.line.id, found.won, found.lost) == (second.pk, 1, 0)

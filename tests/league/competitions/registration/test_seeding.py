"""Seeds by hand, by rating and by lot: told, taken back, and never over somebody else's order."""

from random import Random

import pytest

from league.competitions.draw.plans import Plan, found
from league.competitions.draw.publishing import publish
from league.competitions.draw.stages import draw
from league.competitions.models import Competition, Matchday, Rating, RatingList, Seeding
from league.competitions.registration.entries import register, unregister
from league.competitions.registration.seeding import (
    by_rating,
    draw_lots,
    reseed,
    seed_by_rating,
    seeding_page,
    stand_of,
    undo_seeding,
)
from league.errors import NotAllowed, Refused
from league.players.services import enrol
from tests.league.world import NOON


def refused(act, *args, **more) -> Refused:
    with pytest.raises(Refused) as caught:
        act(*args, **more)
    return caught.value


@pytest.fixture
def cup(world) -> Competition:
    made = found(world.league, Plan(name="Cup", ruleset="udl"), user=world.owner)
    more = [enrol(league=world.league, name=name, since=NOON.date()) for name in ("Cy", "Dee")]
    register(made, [world.ana, world.bo, *more])
    return made


def ids(cup) -> list[int]:
    return list(cup.registrations.order_by("seed").values_list("entrant", flat=True))


def names(cup) -> list[str]:
    return [line.name for line in seeding_page(cup).lines]


def rate(world, **ratings: float) -> None:
    made = RatingList.objects.create(league=world.league, ruleset="udl")
    for name, rating in ratings.items():
        player = world.league.entrants.get(player__name__startswith=name).player
        Rating.objects.create(
            rating_list=made, player=player, period=1, latest=True, games=1, played=1, rating=rating, deviation=80,
            volatility=0.06, rating_before=rating, deviation_before=80, volatility_before=0.06,
        )  # fmt: skip


# --- By rating ---


def test_by_rating_the_strongest_comes_first_and_the_unrated_keep_their_order_behind(world, cup):
    rate(world, Bo=1480.0, Dee=1610.5)
    assert seed_by_rating(cup, user=world.owner) == 2
    assert names(cup) == ["Dee", "Bo Chen", "Ana Ruiz", "Cy"]
    page = seeding_page(cup)
    assert [(line.seed, line.rating) for line in page.lines] == [(1, 1610.5), (2, 1480.0), (3, None), (4, None)]
    assert (page.rated, page.unrated) == (2, 2)


def test_ratings_of_another_ruleset_or_league_order_nobody(world, cup):
    rate(world, Bo=1480.0)
    RatingList.objects.update(ruleset="muggins")
    assert refused(seed_by_rating, cup, user=world.owner).code == "nobody-rated"
    RatingList.objects.update(ruleset="udl", league=world.elsewhere)
    assert refused(seed_by_rating, cup, user=world.owner).code == "nobody-rated"
    assert names(cup) == ["Ana Ruiz", "Bo Chen", "Cy", "Dee"]


def test_equal_ratings_keep_their_order():
    assert by_rating([3, 1, 2], {1: 1500.0, 2: 1500.0, 3: 1500.0}) == [3, 1, 2]
    assert by_rating([3, 1, 2], {}) == [3, 1, 2]


# --- By lot ---


def test_a_lot_is_drawn_once_and_says_who_drew_it_and_when(world, cup):
    draw_lots(cup, user=world.owner, rng=Random(3))
    drawn = ids(cup)
    row = Seeding.objects.get()
    assert (row.how, row.made_by, row.after, row.undone_at) == ("lot", world.owner, drawn, None)
    assert refused(draw_lots, cup, user=world.owner, rng=Random(4)).code == "lots-drawn"
    reseed(cup, drawn[::-1], user=world.owner)
    assert refused(draw_lots, cup, user=world.owner, rng=Random(4)).code == "lots-drawn", "a move is no new lot"
    assert ids(cup) == drawn[::-1]


def test_a_lot_that_was_taken_back_stays_on_record(world, cup):
    before = ids(cup)
    draw_lots(cup, user=world.owner, rng=Random(3))
    undo_seeding(cup, Seeding.objects.get().pk, user=world.owner)
    assert ids(cup) == before
    draw_lots(cup, user=world.owner, rng=Random(4))
    assert [(row.how, row.undone_by) for row in seeding_page(cup).history] == [("lot", None), ("lot", world.owner)]


def test_among_other_entrants_a_lot_is_drawn_anew(world, cup):
    draw_lots(cup, user=world.owner, rng=Random(3))
    unregister(cup, world.bo, user=world.owner)
    draw_lots(cup, user=world.owner, rng=Random(4))
    assert Seeding.objects.filter(how="lot").count() == 2


# --- Taking back ---


def test_changes_are_taken_back_one_by_one_the_last_first(world, cup):
    start = ids(cup)
    reseed(cup, start[::-1], user=world.owner)
    reseed(cup, [start[2], start[0], start[1], start[3]], user=world.owner)
    first, second = Seeding.objects.order_by("pk")
    assert refused(undo_seeding, cup, first.pk, user=world.owner).code == "not-the-last"
    undo_seeding(cup, second.pk, user=world.owner)
    assert ids(cup) == start[::-1]
    assert refused(undo_seeding, cup, second.pk, user=world.owner).code == "not-the-last"
    undo_seeding(cup, first.pk, user=world.owner)
    assert ids(cup) == start
    assert seeding_page(cup).undoable is None


def test_nothing_is_taken_back_once_it_is_drawn_or_others_take_part(world, cup):
    reseed(cup, ids(cup)[::-1], user=world.owner)
    one = Seeding.objects.get()
    draw(cup, user=world.owner)
    assert refused(undo_seeding, cup, one.pk, user=world.owner).code == "drawn-already"
    assert seeding_page(cup).undoable is None
    unregister(cup, world.bo, user=world.owner)
    assert refused(undo_seeding, cup, one.pk, user=world.owner).code == "other-entrants"
    assert seeding_page(cup).undoable is None


# --- Two at once ---


def test_an_order_that_was_changed_meanwhile_is_not_written_over(world, cup):
    start = ids(cup)
    seen = stand_of(start)
    reseed(cup, start[::-1], user=world.owner, seen=seen)
    rate(world, Bo=1480.0)
    for act, more in ((reseed, {"entrant_ids": start}), (draw_lots, {"rng": Random(1)}), (seed_by_rating, {})):
        assert refused(act, cup, user=world.owner, seen=seen, **more).code == "seeds-changed"
    assert ids(cup) == start[::-1]
    assert Seeding.objects.count() == 1


def test_a_refused_order_is_shown_again_with_who_came_since_behind(world, cup):
    start = ids(cup)
    register(cup, [enrol(league=world.league, name="Eve", since=NOON.date())])
    page = seeding_page(cup, [start[3], start[1], start[0], 0, start[2]])
    assert [line.name for line in page.lines] == ["Dee", "Bo Chen", "Ana Ruiz", "Cy", "Eve"]
    assert page.stand == stand_of(ids(cup))


def test_every_change_undoes_the_draw_and_none_is_made_once_it_is_published(world, cup):
    rate(world, Bo=1480.0)
    for act in (
        lambda: reseed(cup, ids(cup)[::-1], user=world.owner),
        lambda: seed_by_rating(cup, user=world.owner),
        lambda: draw_lots(cup, user=world.owner, rng=Random(1)),
    ):
        draw(cup, user=world.owner)
        act()
        assert not Matchday.objects.filter(stage__competition=cup).exists()
    last = Seeding.objects.last()
    draw(cup, user=world.owner)
    publish(cup, user=world.owner)
    assert refused(undo_seeding, cup, last.pk, user=world.owner).code == "already-published"
    assert refused(seed_by_rating, cup, user=world.owner).code == "already-published"


def test_only_managers_seed(world, cup):
    rate(world, Bo=1480.0)
    reseed(cup, ids(cup)[::-1], user=world.owner)
    one = Seeding.objects.get()
    for user in (world.referee, world.alice, world.charlie):
        assert isinstance(refused(reseed, cup, ids(cup), user=user), NotAllowed)
        assert isinstance(refused(seed_by_rating, cup, user=user), NotAllowed)
        assert isinstance(refused(draw_lots, cup, user=user, rng=Random(1)), NotAllowed)
        assert isinstance(refused(undo_seeding, cup, one.pk, user=user), NotAllowed)


def test_an_evening_of_moves_keeps_the_last_ones_and_every_lot(world, cup, monkeypatch):
    monkeypatch.setattr("league.competitions.registration.seeding.MOST_KEPT", 2)
    draw_lots(cup, user=world.owner, rng=Random(3))
    for _n in range(4):
        reseed(cup, ids(cup)[::-1], user=world.owner)
    assert [row.how for row in Seeding.objects.order_by("pk")] == ["lot", "hand", "hand"]

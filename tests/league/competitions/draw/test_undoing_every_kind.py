"""The way back of drafts that are no plain matches of two: every row is what it was, of any kind of competition."""

import pytest

from league.competitions.draw.founding import add_players
from league.competitions.draw.plans import replan
from league.competitions.draw.schedule.rescheduling import move
from league.competitions.draw.schedule.table_wishes import set_wishes
from league.competitions.draw.stages import draw
from league.competitions.draw.undo import bring_back, discard
from league.competitions.models import Applicant, Berth, Competition, Division, EarlierState, Seeding, Slot, Stage
from league.competitions.registration.entries import unregister
from league.competitions.registration.seeding import reseed
from league.competitions.seasons.plans import plan_like
from league.errors import Refused
from league.matches.models import Table
from league.players.models import Entrant
from tests.league.competitions import at_tables
from tests.league.competitions.draw.test_undoing import entrants, go_back
from tests.league.competitions.earlier import START, drafted, everything, people
from tests.league.competitions.pair_world import pairs_of
from tests.league.competitions.season_world import founded

TABLES = {
    "format": Stage.Format.TABLE_ROUNDS, "seats": 4, "rounds": 3, "place_points": (5, 3, 1, 0), "ruleset": "all-fives",
    "tie_breaks": at_tables.ORDER, "bye_points": 1,
}  # fmt: skip


def of_tables(world) -> Competition:
    """Nine of whom one said not to come, at three tables."""
    made = drafted(world.league, world.owner, people(world.league, 9), **TABLES)
    berth = Berth.objects.filter(slot__matchday__stage__competition=made).first()
    Berth.objects.filter(pk=berth.pk).update(absent_since=START)
    return made


def of_pairs(world) -> Competition:
    made = pairs_of(world)
    draw(made, user=world.owner)
    return Competition.objects.get(pk=made.pk)


def of_a_ladder(world) -> Competition:
    return drafted(world.league, world.owner, people(world.league, 5), format=Stage.Format.LADDER, challenge_reach=2)


def of_a_division(world) -> Competition:
    made = founded(world).divisions.get(level=1).competition
    draw(made, user=world.owner)
    return Competition.objects.get(pk=made.pk)


def pin(world, made, entrant, table) -> None:
    set_wishes(made, entrant, user=world.owner, needs_accessible=False, table=table)


def at_pinned_tables(world) -> Competition:
    """Seven, of whom one has a table of their own; one match is streamed and another was moved."""
    made = drafted(world.league, world.owner, people(world.league, 7))
    table = Table.objects.get(name="2", league=world.league)
    pin(world, made, Entrant.objects.get(pk=entrants(made)[1]), table)
    draw(made, user=world.owner)
    first, second = Slot.objects.filter(matchday__stage__competition=made, match__isnull=False)[:2]
    Slot.objects.filter(pk=first.pk).update(for_stream=True)
    move(second, user=world.owner, table=None, starts_at=START)
    return Competition.objects.get(pk=made.pk)


KINDS = [of_tables, of_pairs, of_a_ladder, of_a_division, at_pinned_tables]


def planned_anew(made, user) -> None:
    replan(made, plan_like(made, minutes=45), user=user)


ACTS = {
    "drawn": lambda made, user: draw(made, user=user),
    "planned": planned_anew,
    "added": lambda made, user: add_players(made, "Zoe One / Zoe Two" if made.pairs else "Zoe One", user=user),
    "taken out": lambda made, user: unregister(made, Entrant.objects.get(pk=entrants(made)[1]), user=user),
    "seeded": lambda made, user: reseed(made, entrants(made)[::-1], user=user),
}


@pytest.mark.slow("every kind of act undone")
@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize("kind", KINDS)
def test_every_row_is_what_it_was(world, kind, act) -> None:
    made = kind(world)
    before, divisions = everything(made), list(Division.objects.order_by("pk").values())
    ACTS[act](made, world.owner)
    assert everything(made) != before
    assert go_back(made, world.owner) is True
    assert everything(made) == before
    assert list(Division.objects.order_by("pk").values()) == divisions


@pytest.mark.parametrize("kind", [one for one in KINDS if one is not of_a_division])
def test_a_discarded_draft_of_any_kind_comes_back_with_every_row(world, kind) -> None:
    made = kind(world)
    reseed(made, entrants(made)[::-1], user=world.owner)
    draw(made, user=world.owner)
    before, seedings = everything(made), list(Seeding.objects.values())
    state = discard(made, user=world.owner)
    assert not Seeding.objects.exists()
    back = bring_back(world.league, state.pk, user=world.owner)
    assert everything(back) == before
    assert len(seedings) == 1
    assert list(Seeding.objects.values()) == seedings


def test_a_division_stays_with_its_season(world) -> None:
    made = of_a_division(world)
    before = everything(made)
    with pytest.raises(Refused) as refused:
        discard(made, user=world.owner)
    assert refused.value.code == "in-season"
    assert str(refused.value) == "Winter 2027: Division 1 belongs to the season Winter 2027, so it stays with it."
    assert everything(made) == before
    assert Division.objects.count() == 3


def test_a_table_that_is_gone_or_somebody_elses_since_is_pinned_for_nobody_who_comes_back(world) -> None:
    made = at_pinned_tables(world)
    table = Table.objects.get(name="2", league=world.league)
    gone, other = (Entrant.objects.get(pk=one) for one in entrants(made)[1:3])
    unregister(made, gone, user=world.owner)
    pin(world, made, other, table)
    assert go_back(made, world.owner) is True
    assert made.registrations.get(entrant=other).pinned_table == table
    assert made.registrations.get(entrant=gone).pinned_table is None

    unregister(made, other, user=world.owner)
    table.delete()
    assert go_back(made, world.owner) is True
    assert made.registrations.get(entrant=other).pinned_table is None


@pytest.mark.parametrize(
    ("state", "stays"),
    [
        (Applicant.State.WAITING, True),
        (Applicant.State.ACCEPTED, False),
        (Applicant.State.REFUSED, False),
        (Applicant.State.WITHDRAWN, False),
    ],
)
def test_a_draft_for_which_somebody_signed_up_stays(world, state, stays) -> None:
    made = of_a_ladder(world)
    decided = None if state == Applicant.State.WAITING else START
    who = Entrant.objects.get(pk=entrants(made)[0]) if state == Applicant.State.ACCEPTED else None
    Applicant.objects.create(
        competition=made, name="Zoe One", state=state, digest="z", made_at=START, decided_at=decided, entrant=who
    )
    if not stays:
        assert discard(made, user=world.owner).before == EarlierState.Before.DISCARDED
        return
    with pytest.raises(Refused) as refused:
        discard(made, user=world.owner)
    assert refused.value.code == "sign-ups-wait"
    assert Competition.objects.filter(pk=made.pk).exists()

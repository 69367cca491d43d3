"""Contradictions between rows of a draw and its format.

invariants.py checks untouched draws after every act of a night.
"""

import pytest

from league.competitions.draw.plans import Plan, found
from league.competitions.draw.publishing import publish
from league.competitions.draw.rebuilding import differences
from league.competitions.draw.stages import draw
from league.competitions.integrity.draws import draw_differences
from league.competitions.models import Berth, Challenge, Competition, Matchday, Registration, Slot, Stage
from league.matches.models import Match, Side
from league.players.services import enrol
from tests.league.competitions.ladders.test_ladders import challenged, ladder, play
from tests.league.world import NOON


def drawn(world, kind: str, **plan: object) -> Competition:
    made = found(world.league, Plan(**{"name": "Drawn", "ruleset": "udl", "format": kind, **plan}), user=world.owner)
    for seed, name in enumerate(("Cy", "Di", "Eva", "Fay", "Gus"), start=1):
        entrant = enrol(league=world.league, name=name, since=NOON.date())
        Registration.objects.create(competition=made, entrant=entrant, seed=seed)
    draw(made, user=world.owner)
    publish(made, user=world.owner)
    return made


@pytest.fixture
def cup(world) -> Competition:
    return drawn(world, "single_elimination", third_place=True)


def lines(competition: Competition) -> list[str]:
    return [str(one) for one in draw_differences(Competition.objects.get(pk=competition.pk))]


@pytest.mark.parametrize("kind", ["single_elimination", "double_elimination", "round_robin", "double_round_robin"])
def test_a_draw_as_its_format_lays_it_out_raises_no_alarm(world, kind):
    assert lines(drawn(world, kind)) == []


def test_every_entrant_of_a_draw_is_registered(cup):
    gone = cup.registrations.order_by("seed").first()
    gone.delete()
    assert all(line.endswith(f"entrant is {gone.entrant_id}, should be registered") for line in lines(cup))
    assert lines(cup) != []


@pytest.mark.parametrize(
    ("model", "change"),
    [
        (Slot, {"third_place": True}),
        (Slot, {"group": 1}),
        (Slot, {"conditional": True}),
        (Slot, {"number": 9}),
        (Matchday, {"kind": "round"}),
        (Matchday, {"nth": 7}),
        (Matchday, {"section": "losers"}),
        (Matchday, {"number": 8}),
        (Berth, {"number": 3}),
    ],
)
def test_a_changed_layout_is_found(cup, model, change):
    row = model.objects.order_by("pk").first()
    assert lines(cup) == []
    model.objects.filter(pk=row.pk).update(**change)
    assert lines(cup) != []


def test_a_bye_that_was_removed_is_found(cup):
    bye = next(slot for slot in Slot.objects.all() if slot.berths.count() == 1)
    bye.leads_to.update(from_slot=None, takes="")
    Berth.objects.filter(slot=bye).delete()
    bye.delete()
    assert lines(cup) != []


@pytest.mark.parametrize("change", [{"ruleset": "all-fives"}, {"options": {"target": 50}}, {"published_at": None}])
def test_a_match_is_played_by_the_rules_of_its_competition(cup, change):
    match = Match.objects.filter(slot__isnull=False).first()
    Match.objects.filter(pk=match.pk).update(**change)
    assert [line.split(": ")[0] for line in lines(cup)] == [f"match {match.pk}"]


def test_a_match_that_is_played_is_needed(cup):
    slot = Slot.objects.filter(match__isnull=False).first()
    Slot.objects.filter(pk=slot.pk).update(not_needed=True)
    assert [str(one) for one in differences(cup)] == [f"slot {slot.pk}: not needed is True, should be False"]


def test_the_first_player_of_a_pair_follows_from_the_round(cup, world):
    side = Side.objects.filter(match__slot__isnull=False).first()
    partner = enrol(league=world.league, name="Hal", since=NOON.date())
    type(side.entrant).objects.filter(pk=side.entrant_id).update(partner=partner.player)
    assert lines(cup) == []
    Side.objects.filter(pk=side.pk).update(opener=2)
    assert lines(cup) == [f"match {side.match_id}: first game by is [2], should be 1"]


@pytest.mark.parametrize("change", ["stage_id", "challenger_id", "challenged_id", "slot_id", "removed"])
def test_a_match_of_a_ladder_is_that_of_its_challenge(world, change):
    competition = ladder(world)
    play(world, challenged(world, competition, "P4", "Bo"), (20, 150))
    assert lines(competition) == []
    row = Challenge.objects.filter(slot__isnull=False).first()
    if change == "removed":
        row.delete()
    else:
        other = {"stage_id": drawn(world, Stage.Format.ROUND_ROBIN).stages.get().pk, "slot_id": None}
        third = competition.registrations.exclude(entrant__in=[row.challenger_id, row.challenged_id]).first()
        Challenge.objects.filter(pk=row.pk).update(**{change: other.get(change, third.entrant_id)})
    assert lines(competition) != []

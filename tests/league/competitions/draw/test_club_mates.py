"""Club mates apart: late in a knock-out, and in a Swiss system among those level on points."""

from datetime import timedelta

import pytest

from league.competitions.draw.club_mates import mates_apart, tiers
from league.competitions.draw.plans import Plan, found
from league.competitions.draw.publishing import publish
from league.competitions.draw.stages import draw
from league.competitions.formats.single_elimination import places
from league.competitions.integrity.draws import draw_differences
from league.competitions.models import Berth, Slot
from league.competitions.registration.entries import register
from league.players.models import Entrant, Membership
from league.players.queries import clubs_of
from league.players.services import enrol
from tests.league.world import NOON

pytestmark = pytest.mark.django_db


def cup(world, clubs: str, **plan):
    """A draw of players of these clubs, a letter each, "-" for none."""
    people = [
        enrol(league=world.league, name=f"P{place} {club}", since=NOON.date(), club="" if club == "-" else club)
        for place, club in enumerate(clubs, start=1)
    ]
    wanted = {"name": "Cup", "ruleset": "udl", "format": "single_elimination", "clubs_apart": True}
    made = found(world.league, Plan(**(wanted | plan)), user=world.owner)
    register(made, people)
    draw(made, user=world.owner)
    return made


def first_round(made) -> list[str]:
    """The clubs that meet."""
    slots = Slot.objects.filter(matchday__stage__competition=made, matchday__number=1).order_by("number")
    return ["".join(sorted(str(berth.entrant)[-1] for berth in slot.berths.all())) for slot in slots]


def seeds(made) -> list[str]:
    return [str(row.entrant) for row in made.registrations.order_by("seed")]


def test_club_mates_of_a_knock_out_meet_late_and_seeds_stay_as_they_are(world):
    clubs = "ABCDDCBA"  # by seed 1 meets 8, 4 meets 5, 2 meets 7, 3 meets 6: all of one club
    assert first_round(cup(world, clubs, clubs_apart=False)) == ["AA", "DD", "BB", "CC"], "the control"
    made = cup(world, clubs, name="Apart")
    assert all(one[0] != one[1] for one in first_round(made))
    assert seeds(made) == [f"P{place} {club}" for place, club in enumerate(clubs, start=1)]
    publish(made, user=world.owner)
    assert draw_differences(made) == []


def test_the_best_two_keep_their_places_and_byes_stay_with_the_best(world):
    made = cup(world, "AABBAABBAABBA")  # 13: three byes
    byes = Berth.objects.filter(slot__matchday__stage__competition=made, slot__matchday__number=1)
    alone = list(Slot.objects.filter(matchday__stage__competition=made, matchday__number=1))
    names = {str(one.berths.get().entrant) for one in alone if one.berths.count() == 1}
    assert names == {"P1 A", "P2 A", "P3 B"}
    assert byes.count() == 13
    order = mates_apart(made, [row.entrant for row in made.registrations.select_related("entrant").order_by("seed")])
    assert [str(one) for one in order[:3]] == ["P1 A", "P2 A", "P3 B"]


@pytest.mark.parametrize("entrants", range(2, 40))
def test_tiers_cover_every_seed_once_and_part_those_with_a_bye(entrants):
    found_tiers = tiers(entrants)
    assert [seed for tier in found_tiers for seed in tier] == list(range(entrants))
    byes = len(places(entrants)) - entrants
    assert not any(tier.start < byes < tier.stop for tier in found_tiers)


def test_a_swiss_round_keeps_club_mates_apart_and_says_where_it_could_not(world):
    swiss = {"format": "swiss", "rounds": 2}
    clubs = "ABAB"  # the fold pairs 1 with 3, and 2 with 4
    assert sorted(first_round(cup(world, clubs, name="As it comes", clubs_apart=False, **swiss))) == ["AA", "BB"]
    assert sorted(first_round(cup(world, clubs, name="Apart", **swiss))) == ["AB", "AB"]
    made = cup(world, "AAAB", name="Too many", **swiss)
    assert sorted(first_round(made)) == ["AA", "AB"]
    told = [one.reasons for one in Slot.objects.filter(matchday__stage__competition=made)]
    assert sum("club-mates" in {reason["code"] for reason in one} for one in told) == 1


def test_a_pair_is_of_both_clubs_and_the_latest_membership_counts(world):
    one = enrol(league=world.league, name="Ana Gil", since=NOON.date(), club="Mill Street")
    other = enrol(league=world.league, name="Leo Paz", since=NOON.date(), club="Harbour")
    Membership.objects.filter(player=other.player).update(until=NOON.date() + timedelta(days=1))
    moved = {"player": other.player, "league": world.league, "since": NOON.date() + timedelta(days=1)}
    Membership.objects.create(club="MILL  Street", **moved)
    pair = Entrant.objects.create(league=world.league, player=one.player, partner=other.player)
    assert clubs_of([one, other, pair, world.ana], world.league.pk) == {
        one.pk: {"mill street"},
        other.pk: {"mill street"},
        pair.pk: {"mill street"},
        world.ana.pk: set(),
    }

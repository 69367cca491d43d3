"""Plans, entrants, seeds, and the draw of a draft."""

from datetime import datetime, timedelta
from random import Random

import pytest

from games.rulesets import RULESETS
from league.competitions.draw.plans import Plan, found, replan
from league.competitions.draw.presets import PRESETS
from league.competitions.draw.publishing import publish
from league.competitions.draw.schedule.rescheduling import move
from league.competitions.draw.schedule.seating import in_order
from league.competitions.draw.stages import draw
from league.competitions.models import Berth, Competition, Matchday, Slot, Stage
from league.competitions.queries.staff import draft_page
from league.competitions.registration.entries import register, unregister
from league.competitions.registration.seeding import draw_lots, reseed
from league.competitions.standings.tiebreaks.registry import TIE_BREAKS
from league.errors import NotAllowed, Refused
from league.matches.models import Game, Match, Side, Table
from league.players.services import enrol
from tests.league.competitions.cup import KNOCK_OUT, drafted, enter_result, names, people, published, slot
from tests.league.world import NOON

HALF_AN_HOUR = timedelta(minutes=30)


def refused(act, *arguments, **more):
    with pytest.raises(Refused) as caught:
        act(*arguments, **more)
    return caught.value


def seeds(competition):
    return [str(one.entrant) for one in competition.registrations.order_by("seed")]


# --- Plans ---


def test_a_competition_is_founded_as_planned(world):
    Table.objects.create(league=world.league, name="2")
    plan = Plan(
        name="  Harbour   Cup ",
        ruleset="udl",
        options={"target": 100, "muggins": "off"},
        format=KNOCK_OUT,
        third_place=True,
        best_of=3,
        tie_breaks=["direct_encounter"],
        release=Competition.Release.ROUND_BY_ROUND,
        starts_at=NOON,
        minutes=40,
        days_between=7,
        tables=["10", "2", "Stream"],
    )
    made = Competition.objects.get(pk=found(world.league, plan, user=world.owner).pk)
    assert (made.name, made.slug, made.published_at) == ("Harbour Cup", "harbour-cup", None)
    assert made.options == {"target": "100", "muggins": "off"}
    assert (made.best_of, made.tie_breaks, made.release) == (3, ["direct_encounter"], "round_by_round")
    assert (made.starts_at, made.minutes, made.days_between) == (NOON, 40, 7)
    assert sorted(table.name for table in world.league.tables.all()) == ["10", "2", "Stream"]
    assert [table.name for table in in_order(made.tables.all())] == [
        "Stream",
        "2",
        "10",
    ]
    stage = made.stages.get()
    assert (stage.number, stage.format, stage.third_place) == (1, "single_elimination", True)


def test_two_of_one_name_have_an_address_each_and_letters_without_one_get_a_word(world):
    addresses = [
        found(world.league, Plan(name=name, ruleset="udl"), user=world.owner).slug
        for name in ("Cup", "Cup", "cup!", "多米诺", "多米诺", "x" * 100, "x" * 100)
    ]
    assert addresses == [
        "cup",
        "cup-2",
        "cup-3",
        "competition",
        "competition-2",
        "x" * 60,
        "x" * 54 + "-2",
    ]


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"name": " "}, "bad-name"),
        ({"name": "x" * 121}, "bad-name"),
        ({"ruleset": "chess"}, "unknown-ruleset"),
        ({"options": {"tarjet": 5}}, "bad-option"),
        ({"options": {"target": 0}}, "bad-option"),
        ({"format": "arena"}, "bad-plan"),
        ({"third_place": True, "format": "round_robin"}, "bad-plan"),
        ({"best_of": 2}, "bad-plan"),
        ({"tie_breaks": []}, "bad-plan"),
        ({"tie_breaks": ["wins", "wins"]}, "bad-plan"),
        ({"tie_breaks": ["luck"]}, "bad-plan"),
        # One more than six.
        ({"tie_breaks": list(TIE_BREAKS)[:7]}, "bad-plan"),
        ({"tie_break_edition": 2020}, "bad-plan"),
        ({"win_points": 101}, "bad-plan"),
        ({"loss_points": -1}, "bad-plan"),
        ({"win_points": 1, "draw_points": 1}, "bad-plan"),
        ({"draw_points": 0, "loss_points": 1}, "bad-plan"),
        ({"bye_points": 3}, "bad-plan"),
        ({"release": "never"}, "bad-plan"),
        ({"starts_at": datetime(2026, 1, 1)}, "bad-plan"),
        ({"minutes": 0}, "bad-plan"),
        ({"days_between": -1}, "bad-plan"),
        ({"tables": ["x" * 41]}, "bad-plan"),
        ({"tables": ["1", " 1 "]}, "bad-plan"),
    ],
)
def test_a_plan_that_cannot_be_is_refused_and_nothing_is_stored(world, changes, code):
    plan = Plan(**({"name": "Cup", "ruleset": "udl", "format": KNOCK_OUT} | changes))
    assert refused(found, world.league, plan, user=world.owner).code == code
    assert (Competition.objects.count(), Table.objects.count()) == (0, 0)


def test_a_house_rule_that_is_not_there_is_answered_with_those_that_are(world):
    plan = Plan(name="Cup", ruleset="udl", options={"tarjet": "100"})
    told = str(refused(found, world.league, plan, user=world.owner))
    assert "tarjet" in told
    assert all(key in told for key in RULESETS["udl"].option_keys)


def test_only_organizers_found_draw_and_seed(world):
    cup = drafted(world, 4)
    plan = Plan(name="Cup", ruleset="udl")
    for stranger in (world.referee, world.alice, world.charlie):
        for act in (
            lambda user: found(world.league, plan, user=user),
            lambda user: replan(cup, plan, user=user),
            lambda user: draw(cup, user=user),
            lambda user: unregister(cup, world.ana, user=user),
            lambda user: reseed(cup, [], user=user),
            lambda user: draw_lots(cup, user=user, rng=Random(1)),
            lambda user: move(slot(cup, 1, 1), user=user, table=None, starts_at=None),
        ):
            with pytest.raises(NotAllowed):
                act(stranger)
    assert Competition.objects.count() == 1


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.key)
def test_every_preset_is_a_plan_that_can_be_founded_and_drawn(world, preset):
    competition = found(world.league, Plan(name=str(preset.name), **preset.plan), user=world.owner)
    register(competition, people(world, 5))
    assert draw(competition, user=world.owner).matchdays.count() > 0


def test_the_presets_are_those_that_organizers_know():
    targets = [(str(one.name), RULESETS[one.plan["ruleset"]].target) for one in PRESETS]
    assert targets == [
        ("UDL night", 150),
        ("All Fives singles", 100),
        ("Double-Six", 250),
        ("Uno evening", 500),
        ("Uno, four at a table", 500),
    ]


def test_a_draft_is_planned_anew_and_its_draw_is_undone(world):
    cup = drafted(world, 4)
    replan(cup, Plan(name="League", ruleset="muggins", tables=["A"]), user=world.owner)
    again = Competition.objects.get()
    assert (again.name, again.slug, again.ruleset) == ("League", "cup", "muggins")
    assert (again.stages.get().format, Matchday.objects.count()) == ("round_robin", 0)
    assert len(seeds(again)) == 4


# --- Entrants and seeds ---


def test_only_entrants_of_the_league_are_registered_once(world):
    cup = found(world.league, Plan(name="Cup", ruleset="udl"), user=world.owner)
    stranger = enrol(league=world.elsewhere, name="Cy", since=NOON.date())
    assert refused(register, cup, [stranger]).code == "other-league"
    register(cup, [world.ana])
    assert refused(register, cup, [world.ana]).code == "already-registered"
    assert refused(register, cup, [world.bo, world.bo]).code == "already-registered"
    assert refused(draw, cup, user=world.owner).code == "too-few"
    register(cup, [world.bo])
    assert seeds(cup) == ["Ana Ruiz", "Bo Chen"]


def test_entrants_leave_change_places_and_are_shuffled(world):
    cup = drafted(world, 5)
    unregister(cup, world.bo, user=world.owner)
    assert seeds(cup) == ["Ana Ruiz", "P3", "P4", "P5"]
    order = list(cup.registrations.order_by("-seed").values_list("entrant", flat=True))
    reseed(cup, order, user=world.owner)
    assert seeds(cup) == ["P5", "P4", "P3", "Ana Ruiz"]
    draw_lots(cup, user=world.owner, rng=Random(3))
    shuffled = seeds(cup)
    assert sorted(shuffled) == sorted(["P5", "P4", "P3", "Ana Ruiz"])
    assert shuffled != ["P5", "P4", "P3", "Ana Ruiz"]
    assert list(cup.registrations.order_by("seed").values_list("seed", flat=True)) == [1, 2, 3, 4]
    assert refused(unregister, cup, world.bo, user=world.owner).code == "not-registered"


def test_an_order_that_names_others_is_refused(world):
    cup = drafted(world, 4)
    order = list(cup.registrations.values_list("entrant", flat=True))
    for wrong in (order[1:], [*order, order[0]], [*order[1:], 0]):
        assert refused(reseed, cup, wrong, user=world.owner).code == "other-entrants"
    assert seeds(cup) == ["Ana Ruiz", "Bo Chen", "P3", "P4"]


@pytest.mark.parametrize("act", ["register", "unregister", "reseed", "draw_lots"])
def test_a_change_of_entrants_or_seeds_undoes_the_draw(world, act):
    cup = drafted(world, 4)
    own = Match.objects.filter(slot=None).count()
    late = enrol(league=world.league, name="Late", since=NOON.date())
    order = list(cup.registrations.values_list("entrant", flat=True))
    {
        "register": lambda: register(cup, [late]),
        "unregister": lambda: unregister(cup, world.ana, user=world.owner),
        "reseed": lambda: reseed(cup, order, user=world.owner),
        "draw_lots": lambda: draw_lots(cup, user=world.owner, rng=Random(1)),
    }[act]()
    assert (Matchday.objects.count(), Slot.objects.count(), Berth.objects.count()) == (0, 0, 0)
    assert Match.objects.count() == Side.objects.count() // 2 == Game.objects.count() == own
    assert not draft_page(world.owner, "harbour", cup.slug).drawn


# --- The draw ---


def test_a_knock_out_is_drawn_by_seeds_with_tables_and_hours(world):
    cup = drafted(world, 6, tables=["1", "2"], third_place=True)
    assert names(cup, 1) == [["Ana Ruiz"], ["P4", "P5"], ["Bo Chen"], ["P3", "P6"]]
    assert names(cup, 2) == [["Ana Ruiz", None], ["Bo Chen", None]]
    assert names(cup, 3) == [[None, None], [None, None]]
    page = draft_page(world.owner, "harbour", "cup")
    assert [one.day.name for one in page.rounds] == ["Quarter-finals", "Semi-finals", "Final"]
    planned = [
        (one.number, one.table, one.starts_at and one.starts_at - NOON)
        for part in page.rounds
        for one in part.day.slots
    ]
    zero = timedelta(0)
    assert planned == [
        (None, "", None),
        (1, "1", zero),
        (None, "", None),
        (2, "2", zero),
        (3, "1", HALF_AN_HOUR),
        (4, "2", HALF_AN_HOUR),
        (5, "1", 2 * HALF_AN_HOUR),
        (6, "2", 2 * HALF_AN_HOUR),
    ]
    assert [
        [(one.from_match, one.takes) for one in slot.berths] for part in page.rounds[1:] for slot in part.day.slots
    ] == [
        [(None, "winner"), (1, "winner")],
        [(None, "winner"), (2, "winner")],
        [(3, "winner"), (4, "winner")],
        [(3, "loser"), (4, "loser")],
    ]
    assert Match.objects.filter(slot__isnull=False, published_at=None).count() == 2


@pytest.mark.parametrize("third_place", [False, True])
@pytest.mark.parametrize("n", [*range(2, 20), 33, 64])
def test_a_stored_knock_out_is_whole(world, n, third_place):
    if third_place and n < 4:
        told = refused(drafted, world, n, third_place=True)
        assert told.code == "third-place"
        assert "two semi-finals that are played" in str(told)
        return
    cup = drafted(world, n, third_place=third_place)
    played = Slot.objects.filter(matchday__stage__competition=cup, berths__number=2)
    assert played.count() == n - 1 + third_place
    first = Berth.objects.filter(slot__matchday__number=1)
    assert sorted(first.values_list("entrant", flat=True)) == sorted(
        cup.registrations.values_list("entrant", flat=True)
    )
    assert Match.objects.filter(slot__isnull=False).count() == (played.exclude(berths__entrant=None).distinct().count())


def test_round_robins_have_byes_as_slots_of_one(world):
    cup = drafted(world, 5, format=Stage.Format.ROUND_ROBIN)
    page = draft_page(world.owner, "harbour", cup.slug)
    assert [len(one.day.matches) for one in page.rounds] == [2] * 5
    assert sorted(one.day.bye[0] for one in page.rounds) == ["Ana Ruiz", "Bo Chen", "P3", "P4", "P5"]


def test_a_double_round_robin_has_every_pair_on_both_sides(world):
    cup = drafted(world, 4, format=Stage.Format.DOUBLE_ROUND_ROBIN)
    pairs = [
        tuple(side.entrant_id for side in match.sides.order_by("number"))
        for match in Match.objects.filter(slot__matchday__stage__competition=cup)
    ]
    assert (len(pairs), len(set(pairs))) == (12, 12)
    assert {pair[::-1] for pair in pairs} == set(pairs)


def test_drawing_again_starts_anew(world):
    cup = drafted(world, 8)
    first = list(Slot.objects.values_list("pk", flat=True))
    draw(cup, user=world.owner)
    assert Slot.objects.count() == len(first) == 7
    assert not Slot.objects.filter(pk__in=first).exists()
    assert Match.objects.filter(slot__isnull=False).count() == 4


def test_a_draw_with_a_log_is_not_forgotten(world):
    cup = drafted(world, 4)
    enter_result(world, slot(cup, 1, 1).match, 1, official=False)
    for act in (lambda: draw(cup, user=world.owner), lambda: unregister(cup, world.ana, user=world.owner)):
        assert refused(act).code == "has-logs"
    assert Slot.objects.count() == 3


def test_two_competitions_share_the_tables_and_the_players_of_an_evening(world):
    entrants = people(world, 4)
    for name in ("First", "Second"):
        plan = Plan(name=name, ruleset="udl", format=KNOCK_OUT, starts_at=NOON, tables=["1", "2", "3"])
        competition = found(world.league, plan, user=world.owner)
        register(competition, entrants)
        draw(competition, user=world.owner)
        publish(competition, user=world.owner)
    booked = [
        (one.starts_at, key)
        for one in Match.objects.filter(slot__isnull=False)
        for key in [("table", one.table_id), *one.sides.values_list("entrant", flat=True)]
    ]
    assert len(booked) == len(set(booked)) == 12
    tables = list(Slot.objects.values_list("starts_at", "table"))
    assert len(tables) == len(set(tables)) == 6


@pytest.mark.parametrize("n", [8, 64])
def test_a_draw_takes_as_many_statements_for_8_as_for_64(world, django_assert_max_num_queries, n):
    cup = found(world.league, Plan(name="Cup", ruleset="udl", format=KNOCK_OUT), user=world.owner)
    register(cup, people(world, n))
    with django_assert_max_num_queries(30):
        draw(cup, user=world.owner)


# --- Moving ---


def test_a_slot_is_moved_with_its_match(world):
    cup = published(world, 4, tables=["1", "2"])
    one, later = slot(cup, 1, 1), NOON + timedelta(hours=3)
    table = Table.objects.get(name="2")
    move(one, user=world.owner, table=table, starts_at=later)
    for row in (slot(cup, 1, 1), slot(cup, 1, 1).match):
        assert (row.table, row.starts_at) == (table, later)


def test_a_match_that_is_decided_ahead_of_its_hour_holds_no_table_of_another_competition(world):
    first = published(world, 2, tables=["1"], starts_at=NOON)
    assert slot(drafted(world, 2, name="Second", tables=["1"], starts_at=NOON), 1, 1).starts_at > NOON
    enter_result(world, slot(first, 1, 1).match, 1)
    third = drafted(world, 2, name="Third", tables=["1"], starts_at=NOON - timedelta(hours=1), minutes=90)
    assert slot(third, 1, 1).starts_at == NOON - timedelta(hours=1)


def test_no_table_and_nobody_is_booked_twice_by_a_move(world):
    cup = drafted(world, 4, format=Stage.Format.ROUND_ROBIN, tables=["1", "2"])
    one, other, later = slot(cup, 1, 1), slot(cup, 1, 2), slot(cup, 2, 1)
    at = NOON + timedelta(minutes=29)
    taken = refused(move, later, user=world.owner, table=other.table, starts_at=at)
    assert (taken.code, str(taken)) == ("table-taken", "Table 2 has a match of Cup, Round 1, at that time.")
    assert refused(move, later, user=world.owner, table=None, starts_at=at).code == "entrant-busy"
    move(one, user=world.owner, table=None, starts_at=None)
    assert slot(cup, 1, 1).starts_at is None


def test_what_is_decided_a_bye_and_a_foreign_table_are_not_moved(world):
    cup = published(world, 3)
    there = Table.objects.create(league=world.elsewhere, name="1")
    assert refused(move, slot(cup, 1, 1), user=world.owner, table=None, starts_at=NOON).code == "is-bye"
    assert refused(move, slot(cup, 1, 2), user=world.owner, table=there, starts_at=NOON).code == "other-league"
    enter_result(world, slot(cup, 1, 2).match, 1)
    assert refused(move, slot(cup, 1, 2), user=world.owner, table=None, starts_at=NOON).code == "match-decided"

"""A ladder goes into a file and comes back: challenges, the order in which they were decided, and its end."""

import csv
import io
import json
from copy import deepcopy
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from league.accounts.models import Role
from league.competitions.draw.publishing import publish
from league.competitions.draw.rebuilding import differences
from league.competitions.import_export import reading as transfer
from league.competitions.import_export.confirming import confirm_import
from league.competitions.import_export.csv_tables import tables_of
from league.competitions.import_export.exporting import EVERYBODY, competition_file, to_json
from league.competitions.import_export.importing import import_competition
from league.competitions.ladders.closing import close_ladder
from league.competitions.ladders.services import expire, withdraw_challenge
from league.competitions.models import Challenge, Stage
from tests.league.competitions.ladders.test_ladders import THEN, challenged, ladder, order, play
from tests.league.world import NOON

pytestmark = pytest.mark.django_db


def used(world):
    """The one that was made last was decided first; one was taken back, one lapsed, one is open."""
    competition = ladder(world, 6, challenge_days=9)
    withdraw_challenge(challenged(world, competition, "P4", "Bo"), by=world.owner)
    challenged(world, competition, "P5", "P4")
    assert expire(THEN + timedelta(days=10)) == 1
    late = THEN + timedelta(days=11)
    first, second = (challenged(world, competition, *both, at=late) for both in (("P3", "Ana"), ("P5", "P4")))
    play(world, second, (20, 150), at=NOON + timedelta(hours=1))
    play(world, first, (20, 150), at=NOON + timedelta(hours=2))
    play(world, challenged(world, competition, "P5", "Bo", at=late), (20, 150), at=NOON + timedelta(hours=3))
    challenged(world, competition, "Bo", "P5", at=late)
    return competition


def file_of(competition, user) -> dict:
    return json.loads(to_json(competition_file(user, competition.league.slug, competition.slug)))


def brought(world, value):
    read = transfer.read(value)
    assert read.mistakes == ()
    return import_competition(world.elsewhere, read.filed, user=world.charlie, value=value)


def shown(world, there):
    """Confirmed by a second official, and published."""
    Role.objects.create(user=world.second_referee, league=world.elsewhere, kind=Role.Kind.HEAD_REFEREE)
    confirm_import(there, user=world.second_referee)
    publish(there, user=world.charlie)
    there.refresh_from_db()
    return there


def test_challenges_come_back_as_they_were_and_so_does_the_ladder(world):
    competition = used(world)
    assert order(competition) == ["P3", "Ana", "P5", "Bo", "P4", "P6"]
    value = file_of(competition, world.owner)
    told = [(one["decided"], one["closed_how"], one["slot"] is None) for one in value["challenges"]]
    assert told == [
        (0, "withdrawn", True),
        (0, "expired", True),
        (2, "", False),
        (1, "", False),
        (3, "", False),
        (0, "", False),
    ]
    there = shown(world, brought(world, value).competition)
    assert order(there) == order(competition)
    assert transfer.differences(file_of(there, world.charlie), value) == []
    assert [one.made_at for one in Challenge.objects.filter(stage__competition=there).order_by("made_at", "pk")] == [
        one.made_at for one in Challenge.objects.filter(stage__competition=competition).order_by("made_at", "pk")
    ]
    assert differences(there) == []
    again = brought(world, value)
    assert (again.created, Challenge.objects.filter(stage__competition=there).count()) == (False, 6)


def test_an_open_challenge_can_be_taken_back_where_it_was_brought(world):
    there = shown(world, brought(world, file_of(used(world), world.owner)).competition)
    withdraw_challenge(
        Challenge.objects.get(stage__competition=there, slot__match__state="scheduled"), by=world.charlie
    )
    assert sorted(Challenge.objects.filter(stage__competition=there).values_list("closed_how", flat=True)) == [
        "", "", "", "expired", "withdrawn", "withdrawn",
    ]  # fmt: skip
    assert differences(there) == []


def test_the_challenges_are_a_table_too_with_names_in_the_place_of_keys(world):
    value = file_of(used(world), world.owner)
    rows = list(csv.DictReader(io.StringIO(tables_of(value)["challenges.csv"].decode("utf-8-sig"))))
    told = [(one["challenger"], one["challenged"], one["decided"], one["closed_how"]) for one in rows]
    assert told == [
        ("P4", "Bo Chen", "", "withdrawn"),
        ("P5", "P4", "", "expired"),
        ("P3", "Ana Ruiz", "2", ""),
        ("P5", "P4", "1", ""),
        ("P5", "Bo Chen", "3", ""),
        ("Bo Chen", "P5", "", ""),
    ]
    assert [(one["round"], one["slot"]) for one in rows[:2]] == [("", "")] * 2
    places = [[1, int(one["round"]), int(one["slot"])] for one in rows[2:]]
    assert places == [one["slot"] for one in value["challenges"][2:]]


def test_a_closed_ladder_comes_back_closed(world):
    competition = used(world)
    close_ladder(competition, user=world.owner)
    value = file_of(competition, world.owner)
    there = shown(world, brought(world, value).competition)
    assert Stage.objects.get(competition=there).finished_at is not None
    assert order(there) == order(competition)
    assert transfer.differences(file_of(there, world.charlie), value) == []


def test_what_everybody_gets_names_keys_only_and_takes_the_same_statements(world):
    competition = ladder(world, 6)
    play(world, challenged(world, competition, "Bo", "Ana"), (20, 150))
    with CaptureQueriesContext(connection) as of_one:
        competition_file(EVERYBODY, "harbour", competition.slug)
    play(world, challenged(world, competition, "P4", "P3"), (20, 150))
    challenged(world, competition, "P6", "P5")
    with CaptureQueriesContext(connection) as of_three:
        value = competition_file(EVERYBODY, "harbour", competition.slug)
    assert len(of_three) == len(of_one)
    assert {key for one in value["challenges"] for key in (one["challenger"], one["challenged"])} <= {
        one["key"] for one in value["entrants"]
    }


MISTAKES = [
    (lambda one: one.update(stage=2), "stage", "no-stage"),
    (lambda one: one.update(challenger="NOBODY"), "challenger", "not-an-entrant"),
    (lambda one: one.update(challenged=one["challenger"]), "challenged", "against-oneself"),
    (lambda one: one.pop("made_at"), "made_at", "bad-hour"),
    (lambda one: one.update(slot=[1, 9, 9]), "slot", "no-slot"),
    (lambda one: one.update(slot=["a"]), "slot", "bad-value"),
    (lambda one: one.update(challenger=one["challenged"], challenged=one["challenger"]), "slot", "no-slot"),
    (lambda one: one.update(slot=None), "closed_how", "bad-value"),
    (lambda one: one.update(closed_how="expired"), "closed_how", "bad-value"),
    (lambda one: one.update(decided=3), "decided", "bad-number"),
]


def test_a_mistake_is_named_by_its_place(world):
    whole = file_of(used(world), world.owner)
    for spoil, place, code in MISTAKES:
        value = deepcopy(whole)
        spoil(value["challenges"][2])
        read = transfer.read(value)
        found = [(one.place, one.code) for one in read.mistakes]
        if place == "decided":  # told of the second that has the number
            assert found == [("challenges[5].decided", code)]
        else:
            assert (f"challenges[3].{place}", code) in found, (place, found)
        assert read.filed is None


def test_a_file_without_challenges_is_read_as_before(world):
    value = file_of(used(world), world.owner)
    value.pop("challenges")
    there = shown(world, brought(world, value).competition)
    assert not Challenge.objects.filter(stage__competition=there).exists()
    assert Stage.objects.get(competition=there).finished_at is None

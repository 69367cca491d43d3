"""The admin site shows records read-only, and changes no result."""

import pytest
from django.urls import reverse

from league.matches.logs.submission import confirm_result, verify_record
from league.matches.models import Match, Result, Side
from tests.league.world import played_log


@pytest.fixture
def support(world, client):
    world.owner.is_staff = world.owner.is_superuser = True
    world.owner.save()
    client.force_login(world.owner)
    return client


def address(what: str, row: object) -> str:
    return reverse(f"admin:matches_{what}_change", args=[row.pk])


def form_of(match: Match, **changes: object) -> dict[str, object]:
    sides = list(match.sides.order_by("number"))
    facts = {"sides-TOTAL_FORMS": 2, "sides-INITIAL_FORMS": 2, "games-TOTAL_FORMS": 0, "games-INITIAL_FORMS": 0}
    for place, side in enumerate(sides):
        facts |= {f"sides-{place}-id": side.pk, f"sides-{place}-match": match.pk}
        facts |= {f"sides-{place}-entrant": sides[1 - place].entrant_id, f"sides-{place}-number": 2 - place}
    return {**facts, "options": '"a string"', "ruleset": "muggins", "state": "scheduled", "best_of": 3, **changes}


def test_a_match_is_read_only_once_there_is_a_record(world, support):
    record = world.submit(played_log())
    verify_record(record.pk)
    confirm_result(result=Result.objects.get(record=record), user=world.bob)
    match, result = Match.objects.get(pk=world.match.pk), Result.objects.get(record=record)
    before = (match.__dict__ | {"_state": 0}, list(Side.objects.filter(match=match).values_list()))
    for what, row in (("match", match), ("record", record), ("result", result)):
        assert support.get(address(what, row)).status_code == 200
        assert support.post(address(what, row), form_of(match)).status_code == 403
    match = Match.objects.get(pk=world.match.pk)
    assert (match.__dict__ | {"_state": 0}, list(Side.objects.filter(match=match).values_list())) == before
    assert b'name="_save"' not in support.get(address("match", match)).content


def test_before_that_rules_and_state_are_fixed_and_place_and_hour_are_not(world, support):
    hour = {"starts_at_0": "2026-11-21", "starts_at_1": "19:00:00"}
    page = support.get(address("match", world.match)).content
    assert b'name="options"' not in page
    assert b'name="starts_at_0"' in page
    facts = form_of(world.match, **hour)
    for place, side in enumerate(world.match.sides.order_by("number")):
        facts[f"sides-{place}-entrant"] = side.entrant_id
    assert support.post(address("match", world.match), facts).status_code == 302
    match = Match.objects.get(pk=world.match.pk)
    assert (match.options, match.ruleset, match.best_of) == ({}, "udl", 1)
    assert match.starts_at is not None


def test_nobody_adds_or_removes_matches_by_hand(world, support):
    assert support.get(reverse("admin:matches_match_add")).status_code == 403
    assert support.post(reverse("admin:matches_match_delete", args=[world.match.pk])).status_code == 403


def test_a_string_for_options_is_no_error_of_the_pages(world, client):
    Match.objects.filter(pk=world.match.pk).update(options="a string")
    assert client.get(f"/matches/{world.match.pk}/").status_code == 200

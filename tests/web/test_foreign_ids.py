"""Objects of another league behind an own address, or in its form, are not found.

The owner of Harbour has every right there and none in Hill. Each address of the permission table that begins with a
league is tried with Harbour's name and Hill's objects.
"""

import hashlib
from collections.abc import Iterator

import pytest
from django.db import transaction
from django.urls import reverse

from league.accounts.models import League, Role
from league.competitions.models import Applicant, Competition, Invitation, Notice, Registration, Season, Withdrawal
from league.matches.models import Amendment, Match, Record, Result, Table
from league.players.models import Entrant, Membership, Player
from tests.volume import THOROUGH, quarter
from tests.web.table_world import Things
from tests.web.test_permission_table import REFUSED, TABLE, Row, Scene, scene, told  # noqa: F401

# Names of Hill only; one of these in an answer is a leak.
NAMES = ("Hal Hill", "Hugo Hill", "Secret")
ASKERS = ("owner", "manager", "referee", "desk helper", "player", "superuser") if THOROUGH else ("owner",)

# Removing a removed row redirects like the first removal; a foreign row looks the same.
AS_IF_DONE = frozenset({"organize:remove_rehearsal"})


def mixed(row: Row, own: Things, foreign: Things) -> list[object] | None:
    """Return the arguments: Harbour's address and Hill's object.

    None for addresses without both.
    """
    ours, theirs = row.args(own), row.args(foreign)
    if not ours or ours[0] != own.slug or ours[1:] == theirs[1:]:
        return None
    return [ours[0], *theirs[1:]]


def behind_own_address(own: Things, foreign: Things) -> Iterator[tuple[Row, list[object]]]:
    for row in TABLE:
        if (args := mixed(row, own, foreign)) is not None:
            yield row, args


def rows_of(league: League) -> str:
    """Return a digest of all rows of a league."""
    sets = [
        League.objects.filter(pk=league.pk),
        Role.objects.filter(league=league),
        Match.objects.filter(league=league),
        Table.objects.filter(league=league),
        Record.objects.filter(game__match__league=league),
        Result.objects.filter(game__match__league=league),
        Amendment.objects.filter(game__match__league=league),
        Competition.objects.filter(league=league),
        Season.objects.filter(league=league),
        Registration.objects.filter(competition__league=league),
        Withdrawal.objects.filter(competition__league=league),
        Applicant.objects.filter(competition__league=league),
        Invitation.objects.filter(competition__league=league),
        Notice.objects.filter(league=league),
        Entrant.objects.filter(league=league),
        Membership.objects.filter(league=league),
        Player.objects.filter(memberships__league=league),
    ]
    text = "\n".join(f"{rows.model.__name__} {row}" for rows in sets for row in rows.order_by("pk").values_list())
    return hashlib.sha256(text.encode()).hexdigest()


def answers(scene: Scene, role: str, method: str, address: str, data: dict) -> tuple[str, bool, bool]:  # noqa: F811
    """Return the status, whether a name of Hill leaked, and whether Hill changed.

    Then roll back.
    """
    hill = League.objects.get(slug="hill")
    before = rows_of(hill)
    with transaction.atomic():
        client = scene.clients[role]
        cookies = client.cookies.copy()
        answer = getattr(client, method)(address, data)
        client.cookies = cookies
        changed = rows_of(hill) != before
        transaction.set_rollback(True)
    body = b"".join(answer) if answer.streaming else answer.content
    sent = " ".join(map(str, data.values()))
    leaked = any(name in body.decode(errors="replace") and name not in sent for name in NAMES)
    return told(answer), leaked, changed


@pytest.mark.both
def test_an_object_of_another_league_behind_an_own_address_is_not_found(scene: Scene) -> None:  # noqa: F811
    own, foreign = scene.things["own"], scene.things["foreign"]
    wrong, asked = {}, 0
    cases = list(behind_own_address(own, foreign))
    assert len(cases) >= 30
    for row, args in quarter(cases, lambda case: case[0].name.partition(":")[0]):
        address = reverse(row.name, args=args)
        for method, data in (("get", row.query(foreign)), ("post", row.data(foreign))):
            for role in ASKERS:
                status, leaked, changed = answers(scene, role, method, address, data)
                asked += 1
                if (status not in REFUSED and row.name not in AS_IF_DONE) or leaked or changed:
                    wrong[f"{row.name} {method} {role}"] = status, leaked, changed
    assert wrong == {}
    assert asked >= 2 * len(ASKERS) * len(cases) // 4


@pytest.mark.both
def test_a_thing_of_another_league_in_a_form_changes_nothing_there(scene: Scene) -> None:  # noqa: F811
    own, foreign = scene.things["own"], scene.things["foreign"]
    wrong, asked = {}, 0
    for row in TABLE:
        args = row.args(own)
        if not args or args[0] != own.slug or row.data(own) == row.data(foreign):
            continue
        for role in ASKERS:
            status, leaked, changed = answers(scene, role, "post", reverse(row.name, args=args), row.data(foreign))
            asked += 1
            if leaked or changed:
                wrong[f"{row.name} {role}"] = status, leaked, changed
    assert wrong == {}
    assert asked


def test_a_change_and_a_leak_in_the_other_league_are_seen(scene: Scene) -> None:  # noqa: F811
    """The control: Hill's own owner is let in, changes it, and reads its names."""
    foreign = scene.things["foreign"]
    page = reverse("people:index", args=[foreign.slug])
    assert answers(scene, "owner elsewhere", "get", page, {})[:2] == ("200", True)
    form = {"name": "Hill", "time_zone": "UTC", "place": "elsewhere"}
    assert answers(scene, "owner elsewhere", "post", reverse("leagues:edit", args=[foreign.slug]), form)[2]

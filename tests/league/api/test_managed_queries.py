"""The lists of those who run a competition, and of a ladder, ask the same number of questions for 1 row and for 60."""

from datetime import timedelta

import pytest
from django.test import Client

from league.competitions.draw.publishing import publish
from league.competitions.draw.stages import draw
from league.competitions.ladders.services import challenge
from league.competitions.models import (
    Applicant,
    Berth,
    Challenge,
    Competition,
    DrawJob,
    EarlierState,
    Invitation,
    Rehearsal,
    Slot,
    Stage,
)
from league.competitions.registration.entries import register
from league.players.models import Player
from league.players.services import enrol
from tests.league.api.conftest import Program
from tests.league.api.managed import MANAGED_LISTS, SPRING, Managed, founded, manage
from tests.league.api.played import Played
from tests.league.api.test_constant_queries import asked
from tests.league.world import NOON

pytestmark = pytest.mark.both

MORE = 60
# The seeds of a draft are one order, told as a whole; so is who may sign up.
WHOLE = (f"{SPRING}/seeds", f"{SPRING}/registration")


@pytest.fixture
def managed(played: Played) -> Managed:
    made = manage(played)
    Applicant.objects.filter(pk=made.sign_up.pk).update(user=made.world.owner)
    ladder(made)
    return made


def ladder(managed: Managed) -> Competition:
    """Of Ana and Bo, who challenges her."""
    world = managed.world
    made = founded(world, "Ladder", format=Stage.Format.LADDER, challenge_reach=2)
    register(made, [world.ana, world.bo])
    draw(made, user=world.owner)
    publish(made, user=world.owner)
    challenge(made, world.bo, world.ana, by=world.owner)
    return made


def grow(managed: Managed) -> None:
    world, draft, owner = managed.world, managed.draft, managed.world.owner
    Applicant.objects.bulk_create(
        Applicant(
            competition=draft,
            name=f"Person {n}",
            digest=f"d{n}",
            user=owner,
            invitation=managed.invitation,
            made_at=NOON + timedelta(minutes=n),
        )
        for n in range(MORE)
    )
    made = {"made_at": NOON, "made_by": owner}
    Invitation.objects.bulk_create(
        Invitation(competition=draft, digest=f"i{n}", expires_at=NOON, **made) for n in range(MORE)
    )
    for key, before in ((draft.key, "drawn"), ("GONE", "discarded")):
        EarlierState.objects.bulk_create(
            EarlierState(league=world.league, key=key, name="x", before=before, rows=b"", **made) for _ in range(MORE)
        )
    jobs = {"competition": draft, "asked_at": NOON, "asked_by": owner, "done_at": NOON}
    DrawJob.objects.bulk_create(DrawJob(what="first", made=1, **jobs) for _ in range(MORE))
    Rehearsal.objects.bulk_create(Rehearsal(seed=n, entrants=4, **jobs) for n in range(MORE))
    people = [enrol(league=world.league, name=f"New {n}", since=NOON.date()) for n in range(MORE)]
    for name in ("Spring", "Ladder"):
        register_all(Competition.objects.get(name=name), people)
    rungs(Competition.objects.get(name="Ladder"), people)


def register_all(competition: Competition, people: list) -> None:
    first = competition.registrations.count() + 1
    competition.registrations.bulk_create(
        competition.registrations.model(competition=competition, entrant=one, seed=seed)
        for seed, one in enumerate(people, start=first)
    )


def rungs(ladder: Competition, people: list) -> None:
    """Each second one challenges the one above."""
    stage = ladder.stages.get()
    day = stage.matchdays.get()
    for n in range(0, MORE, 2):
        slot = Slot.objects.create(matchday=day, number=n + 10)
        both = people[n : n + 2]
        Berth.objects.bulk_create(Berth(slot=slot, number=at, entrant=one) for at, one in enumerate(both, start=1))
        Challenge.objects.create(stage=stage, challenged=both[0], challenger=both[1], slot=slot, made_at=NOON)


def counted(client: Client) -> dict[str, tuple[int, int]]:
    return {name: asked(client, path) for name, path in MANAGED_LISTS.items()} | {
        path: asked(client, path) for path in WHOLE
    }


@pytest.mark.slow("300 rows of each list")
def test_lists_ask_the_same_for_1_and_for_60_rows(managed: Managed, program: Program) -> None:
    client = program(managed.world.owner)
    client.get("/api/v1/rulesets")  # the use of the token is noted with the first
    few = counted(client)
    assert all(count for name, (_, count) in few.items() if name not in WHOLE)
    grow(managed)
    assert Player.objects.count() > MORE
    many = counted(client)
    assert {name: count for name, (_, count) in many.items() if name not in WHOLE and count < MORE // 2} == {}
    assert {name: statements for name, (statements, _) in few.items()} == {
        name: statements for name, (statements, _) in many.items()
    }
    assert max(statements for statements, _ in many.values()) <= 19

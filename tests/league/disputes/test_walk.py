"""Every write by every role and party: no result is decided by one party alone, or by fewer officials than asked."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import transaction

from league.accounts.models import Role
from league.disputes import deciders, ruling
from league.disputes.models import Dispute
from league.disputes.protests import agreeing, appealing, effects, photos, statements
from league.errors import Refused
from league.matches.logs.submission import confirm_result
from league.matches.models import Record, Result
from league.matches.permissions import Guest
from tests.league.disputes.courtroom import Outcome, file, find, logged, now, rule
from tests.league.world import person

pytestmark = pytest.mark.django_db

PARTIES = ("alice", "bob", "slip of Ana", "PIN of Bo", "phone")
OFFICIALS = ("referee", "head referee", "owner", "manager")


@pytest.fixture
def people(world):
    match = world.match.pk
    found = {
        "stranger": AnonymousUser(),
        "elsewhere": world.charlie,
        "alice": world.alice,
        "bob": world.bob,
        "slip of Ana": Guest(match, 1, proved=True),
        "PIN of Bo": Guest(match, 2, by_pin=True),
        "phone": Guest(match, 1, device="x"),
        "referee": world.referee,
        "head referee": world.second_referee,
        "owner": world.owner,
    }
    for kind in (Role.Kind.MANAGER, Role.Kind.DESK_HELPER, Role.Kind.READ_ONLY, Role.Kind.PLAYER):
        user = person(kind)
        Role.objects.create(user=user, league=world.league, kind=kind)
        found[kind.value.replace("_", " ")] = user
    Role.objects.create(user=world.alice, league=world.league, kind=Role.Kind.OWNER)
    return found


def attempts(world, dispute, who):
    """Every write, in an order in which each could go on from the one before."""
    yield "protest", lambda: file(world, who)
    yield "desk", lambda: file(world, who, side=2)
    yield "statement", lambda: statements.give_statement(dispute, who, "Words")
    yield "photo", lambda: photos.add_photo(dispute, who, b"")
    yield "offer", lambda: agreeing.offer(dispute, who, scores=(150, 0), winner=1)
    yield "accept", lambda: agreeing.accept_offer(dispute, who, dispute.entries.order_by("number").last().number)
    yield "effect", lambda: effects.choose_effect(dispute, who, Dispute.Effect.PLAY_ON)
    yield "take", lambda: deciders.take_case(dispute, who)
    yield "find", lambda: find(dispute, who)
    yield "rule", lambda: rule(dispute, who)
    yield "result", lambda: rule(dispute, who, Outcome.RESULT, scores=(150, 0), winner=1)
    yield "replay", lambda: rule(dispute, who, Outcome.GAME)
    yield "confirm", lambda: ruling.confirm_ruling(dispute, who)
    yield "reject", lambda: ruling.reject_ruling(dispute, who)
    yield "appeal", lambda: appealing.appeal(dispute, who, "Again")


def standing(world):
    """The official result, and the entries that count."""
    official = Result.objects.filter(game=world.game, current=True, state=Result.State.OFFICIAL)
    taken_back = Record.objects.filter(game=world.game, submitted_by=world.alice, withdrawn_at__isnull=False)
    return [*official.values_list("pk", "scores"), taken_back.exists()]


def walked(world, dispute, who):
    """The acts that succeeded, each undone, and those that changed the result."""
    done, changed, before = set(), set(), standing(world)
    for name, act in attempts(world, dispute, who):
        try:
            with transaction.atomic():
                act()
                done.add(name)
                if standing(world) != before:
                    changed.add(name)
                transaction.set_rollback(True)
        except Refused:
            pass
    return done, changed


@pytest.mark.parametrize("official", [False, True])
def test_nobody_decides_alone_and_no_party_decides(world, people, official):
    """In each stage of a case; a walk of one act more from each."""
    result = logged(world)
    if official:
        confirm_result(result=result, user=people["manager"])
    dispute = file(world)
    find(dispute, people["manager"])
    for stage in ("found", "waiting", "ruled"):
        if stage == "waiting":
            rule(dispute, people["manager"])
        elif stage == "ruled":
            ruling.confirm_ruling(dispute, people["referee"])
        assert now(dispute).state == stage
        for name, who in people.items():
            done, changed = walked(world, dispute, who)
            allowed = {"confirm"} if stage == "waiting" and name in OFFICIALS and name != "manager" else set()
            assert changed == allowed, (stage, name, changed)
            if name in PARTIES:
                assert not done & {"effect", "take", "find", "rule", "result", "replay", "confirm", "reject"}
            if name not in OFFICIALS:
                assert not done & {"take", "find", "rule", "result", "replay", "confirm", "reject"}, (stage, name)
            if name in ("stranger", "elsewhere", "read only", "player", "phone"):
                assert not done, (stage, name, done)


def test_the_control_one_official_decides_where_the_league_asks_for_one(world, people):
    world.league.officials_needed = 1
    world.league.save()
    logged(world)
    dispute = file(world)
    find(dispute, people["referee"])
    assert walked(world, dispute, people["referee"])[1] == {"rule", "result", "replay"}
    assert walked(world, dispute, world.alice)[1] == set()


def test_an_agreement_needs_both_sides(world, people):
    logged(world)
    dispute = file(world)
    agreeing.offer(dispute, world.bob, scores=(110, 165), winner=2)
    able = {name for name, who in people.items() if "accept" in walked_accept(world, dispute, who)}
    assert able == {"alice", "slip of Ana"}


def walked_accept(world, dispute, who):
    try:
        with transaction.atomic():
            agreeing.accept_offer(dispute, who, 2)
            transaction.set_rollback(True)
    except Refused:
        return set()
    return {"accept"}

"""Alice plays, Bob plays against her, Charlie runs another league, and there is everybody else."""

import pytest
from django.contrib.auth.models import AnonymousUser

from league.accounts.models import Role, User
from league.errors import NotAllowed
from league.matches import permissions
from league.matches.logs.submission import confirm_result, submit_log
from league.matches.models import Match, Record, Result
from league.matches.visibility import visible_matches
from tests.league.world import SHORT_LOG

PUBLISHED = {
    "alice": None,
    "bob": None,
    "referee": None,
    "charlie": "not-your-match",
    "helper": "not-your-match",
    "reader": "not-your-match",
    "other_player": "not-your-match",
    "superuser": "not-your-match",
    "anonymous": "sign-in",
}
DRAFT = {
    "alice": "no-permission",
    "bob": "no-permission",
    "referee": None,
    "charlie": "no-permission",
    "helper": "not-your-match",
    "reader": "not-your-match",
    "other_player": "no-permission",
    "superuser": "no-permission",
    "anonymous": "sign-in",
}


def asker(world, who):
    if who == "anonymous":
        return AnonymousUser()
    kinds = {"helper": Role.Kind.DESK_HELPER, "reader": Role.Kind.READ_ONLY, "other_player": Role.Kind.PLAYER}
    if who in kinds:
        user = User.objects.create(username=who)
        Role.objects.create(user=user, league=world.league, kind=kinds[who])
        return user
    if who == "superuser":
        return User.objects.create(username=who, is_superuser=True, is_staff=True)
    return getattr(world, who)


def answer(act):
    try:
        act()
    except NotAllowed as refused:
        return refused.code
    return None


@pytest.mark.parametrize("kind", list(Role.Kind))
def test_owners_managers_and_referees_are_officials_and_others_are_not(world, kind):
    user = User.objects.create(username="x")
    Role.objects.create(user=user, league=world.league, kind=kind)
    official = permissions.actor(user, world.match).official
    assert official == (kind in {"owner", "manager", "head_referee", "referee"})


@pytest.mark.parametrize("draft", [False, True])
@pytest.mark.parametrize("who", PUBLISHED)
def test_who_may_hand_in_a_log(world, who, draft):
    if draft:
        Match.objects.update(published_at=None)
    user = asker(world, who)
    code = answer(lambda: submit_log(game=world.game, user=user, raw=SHORT_LOG.encode()))
    assert code == (DRAFT if draft else PUBLISHED)[who]
    assert Record.objects.count() == (code is None)


@pytest.mark.parametrize("draft", [False, True])
@pytest.mark.parametrize("who", PUBLISHED)
def test_who_may_see_a_match(world, who, draft):
    if draft:
        Match.objects.update(published_at=None)
    seen = not draft or who in {"referee", "helper", "reader"}
    assert visible_matches(asker(world, who)).filter(pk=world.match.pk).exists() == seen


@pytest.fixture
def result_by(world):
    """A provisional result that somebody handed in."""

    def enter(user, **changes):
        record = submit_log(game=world.game, user=user, raw=SHORT_LOG.encode()).record
        return Result.objects.create(
            game=world.game,
            record=record,
            scores={"1": 150, "2": 90},
            entered_at=record.submitted_at,
            **changes,
        )

    return enter


CONFIRM = {
    # submitted by: {who: refusal}
    "alice": {
        "alice": "own-submission",
        "bob": None,
        "referee": None,
        "charlie": "not-your-match",
        "helper": "not-your-match",
        "reader": "not-your-match",
        "other_player": "not-your-match",
        "anonymous": "sign-in",
    },
    "referee": {
        "alice": None,
        "bob": None,
        "referee": "own-submission",
        "second_referee": None,
        "charlie": "not-your-match",
        "helper": "not-your-match",
        "anonymous": "sign-in",
    },
}


@pytest.mark.parametrize(
    ("by", "who", "refusal"), [(by, who, code) for by, row in CONFIRM.items() for who, code in row.items()]
)
def test_who_may_confirm_a_result(world, result_by, by, who, refusal):
    result, user = result_by(getattr(world, by)), asker(world, who)
    assert answer(lambda: confirm_result(result=result, user=user)) == refusal
    result.refresh_from_db()
    assert result.state == ("provisional" if refusal else "official")
    assert result.confirmed_by == (None if refusal else user)


@pytest.mark.parametrize(
    ("who", "refusal"), [("bob", "needs-official"), ("referee", None), ("alice", "own-submission")]
)
def test_a_result_that_needs_a_decision_is_confirmed_by_an_official_only(world, result_by, who, refusal):
    result = result_by(world.alice, needs_decision=True)
    assert answer(lambda: confirm_result(result=result, user=asker(world, who))) == refusal


def test_a_second_account_of_the_same_side_cannot_confirm_for_the_other(world, result_by):
    result = result_by(world.alice)
    twin = User.objects.create(username="twin")
    world.ana.player.user = twin
    world.ana.player.save()
    assert answer(lambda: confirm_result(result=result, user=twin)) == "own-submission"


def test_an_official_who_plays_in_the_match_acts_for_their_side_only(world, result_by):
    Role.objects.create(user=world.alice, league=world.league, kind=Role.Kind.OWNER)
    result = result_by(world.alice, needs_decision=True)
    assert result.record.for_side == 1
    Role.objects.create(user=world.bob, league=world.league, kind=Role.Kind.REFEREE)
    assert answer(lambda: confirm_result(result=result, user=world.bob)) == "needs-official"

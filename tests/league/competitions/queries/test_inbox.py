"""The inbox: everybody sees what they may settle now, and nothing else."""

from collections import Counter

import pytest
from django.contrib.auth.models import AnonymousUser
from django.utils import timezone

from league.accounts.models import League, Role, RoleInvitation
from league.competitions.amendments.services import propose_amendment
from league.competitions.attendance.withdrawals import undo_withdrawal, withdraw
from league.competitions.cancelling import cancel
from league.competitions.draw.advancing import advance
from league.competitions.draw.plans import Plan, found
from league.competitions.models import Applicant, Competition, Stage, Withdrawal
from league.competitions.queries.inbox import InboxKind, inbox, with_matches
from league.competitions.registration.admission import applications
from league.matches.models import KnownBy, Match, Record, Result
from league.matches.results.entering import enter_sheet
from league.players.models import PlayerClaim
from league.players.services import enrol
from tests.league.competitions.amended import score
from tests.league.competitions.cup import enter_result, published, slot
from tests.league.competitions.import_export.test_transfer import brought, played
from tests.league.world import NOON, person

SCORE = {"scores": [150, 95]}


def kinds(user, **part):
    return Counter(str(one.kind) for one in inbox(user, **part))


def claim(world, number, user=None):
    player = enrol(league=world.league, name=f"Free {number}", since=NOON.date()).player
    user = user or person(f"claimer-{number}")
    return PlayerClaim.objects.create(player=player, user=user, made_at=timezone.now())


def taken(world, number):
    """An invitation to be a referee that waits for an owner."""
    now = timezone.now()
    return RoleInvitation.objects.create(
        league=world.league,
        kind="referee",
        digest=f"{number:064}",
        made_by=world.owner,
        made_at=now,
        expires_at=now,
        taken_by=person(f"taker-{number}"),
        taken_at=now,
    )


def signed_up(world, number):
    cup = found(world.league, Plan(name=f"Open {number}", ruleset="udl", starts_at=NOON), user=world.owner)
    Applicant.objects.create(competition=cup, name="Somebody", digest=f"{number:064}", made_at=timezone.now())
    return cup


def has_left(world, number):
    """A drawn competition with a player who has withdrawn the sign-up since."""
    cup = published(world, 3, name=f"Left {number}", format="round_robin")
    entrant = cup.registrations.get(seed=3).entrant
    now = timezone.now()
    Applicant.objects.create(
        competition=cup,
        name="P3",
        digest=f"9{number:063}",
        made_at=now,
        state=Applicant.State.WITHDRAWN,
        decided_at=now,
        entrant=entrant,
        leaves_since=now,
    )
    return cup, entrant


def unruled(world, number):
    """A match of two who have withdrawn, in a competition of its own."""
    cup = published(world, 2, name=f"Unruled {number}")
    for entrant in (world.ana, world.bo):
        gone(cup, entrant, world.owner)
    return slot(cup, 1, 1).match


def gone(cup, entrant, user):
    """A withdrawal whose forfeits wait for an official."""
    now = timezone.now()
    return Withdrawal.objects.create(competition=cup, entrant=entrant, reason="goes home", made_at=now, made_by=user)


def broken_log(world):
    """A game of Ana and Bo whose log proves no result."""
    game = world.fixture().games.get()
    return Record.objects.create(
        game=game,
        submitted_by=world.alice,
        for_side=1,
        submitted_at=timezone.now(),
        upload_sha256=f"{game.pk:064d}",
        state=Record.State.VERIFIED,
    )


def entered(world, by, data=SCORE):
    match = world.fixture()
    return enter_sheet(match.games.select_related("match__league").get(), by, data, kind=KnownBy.SCORE)


def contested(world):
    match = world.fixture()
    game = match.games.select_related("match__league").get()
    enter_sheet(game, world.alice, SCORE, kind=KnownBy.SCORE)
    enter_sheet(game, world.bob, {"scores": [95, 150]}, kind=KnownBy.SCORE)


def to_decide(world):
    match = world.fixture()
    enter_result(world, match, 1, official=False)
    Result.objects.filter(game__match=match).update(needs_decision=True)


def amended(world, number):
    """An amendment of a match of others, by the first referee."""
    cup = published(world, 3, name=f"Robin {number}", format="round_robin")
    match = slot(cup, 1, 1).match
    enter_result(world, match, 1)
    return propose_amendment(match.games.select_related("match__league").get(), world.referee, score(95, 150))


@pytest.fixture
def everything(world):
    """One thing of every kind; Ana's word waits for Bo, and the first referee proposed and entered."""
    entered(world, world.alice)
    entered(world, world.referee)
    contested(world)
    to_decide(world)
    broken_log(world)
    amended(world, 1)
    unruled(world, 1)
    claim(world, 1)
    taken(world, 1)
    signed_up(world, 1)
    return world


def with_role(world, kind):
    user = person(f"the-{kind}")
    Role.objects.create(user=user, league=world.league, kind=kind)
    return user


OF_OFFICIALS = {"review": 1, "decide": 1, "rule": 1, "fix": 1, "confirm": 2, "amendment": 1}
OF_MANAGERS = OF_OFFICIALS | {"link": 1, "sign-ups": 1}
BY_ROLE = {
    "owner": OF_MANAGERS | {"role": 1},
    "manager": OF_MANAGERS,
    "head_referee": OF_OFFICIALS,
    "referee": OF_OFFICIALS,
    "desk_helper": {},
    "read_only": {},
    "player": {},
}


@pytest.mark.parametrize("kind", BY_ROLE)
def test_every_role_sees_what_it_may_settle_and_nothing_else(everything, kind):
    assert set(BY_ROLE) == set(Role.Kind.values)
    user = with_role(everything, kind)
    assert kinds(user) == BY_ROLE[kind]
    assert kinds(user, league=everything.league) == BY_ROLE[kind]
    assert kinds(user, league=everything.elsewhere) == {}


def test_a_side_sees_its_own_matches_without_its_own_word(everything):
    assert kinds(everything.alice) == {"review": 1, "fix": 1, "confirm": 1}
    assert kinds(everything.bob) == {"review": 1, "fix": 1, "confirm": 2}


def test_an_official_does_not_see_their_own_entries_and_proposals(everything):
    mine = dict(OF_OFFICIALS)
    del mine["amendment"], mine["decide"]  # the log to decide on was handed in by this referee
    assert kinds(everything.referee) == mine | {"confirm": 1}


def test_officials_of_other_leagues_and_visitors_see_nothing(everything):
    assert kinds(everything.charlie) == {}
    assert inbox(AnonymousUser()) == []


def test_an_official_who_plays_sees_a_player_s_inbox(everything):
    Role.objects.create(user=everything.bob, league=everything.league, kind=Role.Kind.HEAD_REFEREE)
    assert kinds(everything.bob) == {"review": 1, "fix": 1, "confirm": 2}
    assert not any(one.decides for one in inbox(everything.bob))


def test_one_s_own_link_request_is_listed_only_for_a_single_manager(world):
    claim(world, 1, user=world.owner)
    assert kinds(world.owner) == {"link": 1}
    with_role(world, Role.Kind.MANAGER)
    assert kinds(world.owner) == {}


def test_what_is_settled_leaves_the_inbox(everything):
    owner = everything.owner
    Match.objects.update(state=Match.State.DECIDED)
    PlayerClaim.objects.update(state="refused", decided_at=timezone.now())
    RoleInvitation.objects.update(decided_at=timezone.now(), accepted=False)
    Applicant.objects.update(state="refused", decided_at=timezone.now())
    assert kinds(owner) == {"amendment": 1}


def test_who_leaves_a_draw_by_the_sign_up_is_listed_until_an_organizer_withdraws_them(world):
    cup, entrant = has_left(world, 1)
    signed_up(world, 1)
    [item] = inbox(world.owner, competition=cup)
    assert (item.kind, item.count, item.left, item.row) == (InboxKind.SIGN_UPS, 0, 1, cup)
    assert kinds(world.referee) == {}
    Applicant.objects.create(competition=cup, name="Somebody", digest="1", made_at=NOON)
    [item] = inbox(world.owner, competition=cup)
    assert (item.count, item.left, item.since) == (1, 1, NOON)
    Applicant.objects.filter(digest="1").delete()
    done = withdraw(cup, entrant, user=world.owner, reason="goes home")
    assert kinds(world.owner, competition=cup) == {}
    assert list(applications(cup, user=world.owner).left) == []
    undo_withdrawal(done, user=world.owner)
    assert kinds(world.owner, competition=cup) == {"sign-ups": 1}
    Stage.objects.filter(competition=cup).update(finished_at=NOON)
    assert kinds(world.owner, competition=cup) == {}


def rulings(user, cup):
    return [one.match_id for one in inbox(user, competition=cup) if one.kind is InboxKind.RULE]


def test_a_match_of_somebody_who_has_left_is_for_every_official_who_does_not_play_in_it(world):
    Role.objects.create(user=world.bob, league=world.league, kind=Role.Kind.MANAGER)
    cup = published(world, 4, name="Robin", format="round_robin", best_of=3)
    done = withdraw(cup, world.ana, user=world.bob, reason="goes home")
    [match] = Match.objects.filter(slot__matchday__stage__competition=cup, state=Match.State.SCHEDULED).filter(
        sides__entrant=world.ana
    )
    officials = (world.owner, world.referee, world.second_referee)
    assert [rulings(user, cup) for user in officials] == [[match.pk]] * 3, "one item, though three games are open"
    [item] = [one for one in inbox(world.referee, competition=cup) if one.kind is InboxKind.RULE]
    assert (item.since, item.row.first_left, item.row.last_left) == (done.made_at, *[number_of(match, world.ana)] * 2)
    for nobody in (world.bob, world.alice, world.charlie, with_role(world, Role.Kind.DESK_HELPER)):
        assert rulings(nobody, cup) == []
    gone(cup, world.bo, world.owner)
    [item] = [one for one in inbox(world.referee, competition=cup) if one.match_id == match.pk]
    assert (item.kind, item.row.first_left, item.row.last_left) == ("rule", 1, 2)
    Match.objects.filter(pk=match.pk).update(published_at=None)
    assert match.pk not in rulings(world.referee, cup), "nobody rules before the round is published"
    Match.objects.filter(pk=match.pk).update(published_at=NOON)
    cancel(cup, user=world.owner, reason="rain")
    assert rulings(world.referee, cup) == []


def number_of(match, entrant):
    return match.sides.get(entrant=entrant).number


def test_two_who_left_and_meet_later_are_for_every_official(world):
    League.objects.filter(pk=world.league.pk).update(confirmation_required=False)
    cup = published(world, 4, format="double_elimination")
    for place in (1, 2):
        match = slot(cup, 1, place).match
        enter_result(world, match, 1)
        advance(match.pk)
    meeting = Match.objects.get(
        slot__matchday__stage__competition=cup, slot__matchday__section="losers", state="scheduled"
    )
    assert rulings(world.referee, cup) == []
    for side in meeting.sides.all():
        gone(cup, side.entrant, world.owner)
    assert rulings(world.referee, cup) == [meeting.pk]


def test_the_sign_ups_of_a_cancelled_competition_are_nobody_s_task(world):
    cup, _entrant = has_left(world, 1)
    Applicant.objects.create(competition=cup, name="Somebody", digest="1", made_at=NOON)
    assert kinds(world.owner) == {"sign-ups": 1}
    cancel(cup, user=world.owner, reason="rain")
    assert kinds(world.owner) == {}


def test_an_official_result_under_review_is_for_officials_alone(world):
    game = world.fixture().games.select_related("match__league").get()
    enter_sheet(game, world.alice, SCORE, kind=KnownBy.SCORE)
    enter_sheet(game, world.bob, SCORE, kind=KnownBy.SCORE)
    Result.objects.filter(game=game, current=True).update(contested=True, state="official")
    assert (kinds(world.referee), kinds(world.alice), kinds(world.bob)) == ({"review": 1}, {}, {})


def test_the_strip_of_a_competition_has_its_own_items_and_the_people_of_the_league(everything):
    cup = Competition.objects.get(name="Robin 1")
    opened = Competition.objects.get(name="Open 1")
    assert kinds(everything.owner, competition=cup) == {"amendment": 1, "link": 1, "role": 1}
    assert kinds(everything.owner, competition=opened) == {"sign-ups": 1, "link": 1, "role": 1}


def test_imported_results_are_one_item_for_an_official_who_did_not_import_them(world):
    second = person("second-there")
    Role.objects.create(user=second, league=world.elsewhere, kind=Role.Kind.REFEREE)
    _value, done = brought(world, played(world, 3, format="round_robin"))
    assert kinds(world.charlie) == {}
    [item] = inbox(second)
    assert (item.kind, item.count, item.row) == (InboxKind.IMPORTED, 3, done.competition)
    Role.objects.filter(user=second).delete()
    assert kinds(world.charlie) == {"imported": 1}, "the only official confirms their own import"


@pytest.mark.parametrize("rows", [1, 3])
def test_the_inbox_takes_the_same_statements_for_one_row_and_for_three(world, rows, django_assert_num_queries):
    for number in range(rows):
        entered(world, world.alice)
        contested(world)
        broken_log(world)
        amended(world, number)
        unruled(world, number)
        claim(world, number)
        taken(world, number)
        signed_up(world, number)
    with django_assert_num_queries(21):
        found = with_matches(inbox(world.owner), world.owner)
    assert len(found) == 8 * rows


def test_the_most_urgent_kind_comes_first_then_the_longest_waiting(everything):
    order = [one.kind for one in inbox(everything.owner)]
    assert order == sorted(order, key=list(InboxKind).index)
    since = [one.since for one in inbox(everything.owner) if one.kind is InboxKind.CONFIRM]
    assert since == sorted(since)

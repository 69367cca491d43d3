"""Named judges of matches in which every official plays."""

from dataclasses import replace
from datetime import date

import pytest
from django.db import connection
from django.urls import reverse

from league.accounts.models import Role
from league.competitions.integrity.derived import everything
from league.competitions.queries.inbox import inbox
from league.errors import Refused
from league.matches.locks import locked_match
from league.matches.models import KnownBy, NamedJudge, Result
from league.matches.permissions import Guest
from league.matches.queries.match import match_page
from league.matches.results import judges, reviews
from league.matches.results.entering import enter_sheet
from league.players.services import enrol, merge, unmerge
from tests.league.world import NOON, person

pytestmark = pytest.mark.django_db


@pytest.fixture
def dora(world):
    """A member with an account."""
    user = person("dora")
    enrol(league=world.league, name="Dora Paz", since=date(2026, 1, 1), user=user)
    return user


@pytest.fixture
def evening(world, dora):
    """Ana is the only official and plays; she and Bo contradict each other."""
    Role.objects.filter(league=world.league).exclude(kind=Role.Kind.PLAYER).delete()
    Role.objects.create(user=world.alice, league=world.league, kind=Role.Kind.OWNER)
    enter_sheet(world.game, world.alice, {"scores": [150, 125]}, kind=KnownBy.SCORE)
    enter_sheet(world.game, world.bob, {"scores": [125, 150]}, kind=KnownBy.SCORE)
    return world


def of_side(world, side):
    return Result.objects.select_related("game__match").get(game=world.game, record__for_side=side)


def name(world, wanted="Dora Paz", by=None):
    return judges.name_judge(world.match, wanted, by=by or world.alice, at=NOON)


def accept(world, *sides):
    player = NamedJudge.objects.get().player_id
    for side in sides:
        judges.accept_judge(world.match, side, player)


def refused(act, *args, **more):
    with pytest.raises(Refused) as caught:
        act(*args, **more)
    return caught.value.code


def official(world):
    one = Result.objects.select_related("confirmed_by").get(game=world.game, current=True)
    return str(one), one.state, one.confirmed_by and one.confirmed_by.username, one.reason


def test_a_named_member_decides_once_both_sides_accepted(evening, dora):
    name(evening)
    accept(evening, evening.alice, Guest(evening.match.pk, 2, by_pin=True))
    assert NamedJudge.objects.get().accepted == {"1": "account", "2": "pin"}
    reviews.choose(of_side(evening, 2), dora, reason="I watched the game")
    assert official(evening) == ("125–150", "official", "dora", "I watched the game")
    told = match_page(evening.bob, evening.match.pk).games[0].review
    assert (told.judge.name, told.judge.accepted) == ("Dora Paz", {1, 2})


def test_a_judge_whom_the_desk_replaces_at_that_moment_decides_nothing(evening, dora, monkeypatch):
    name(evening)
    accept(evening, evening.alice, evening.bob)

    def replaced_first(match_id):
        NamedJudge.objects.update(accepted={})
        return locked_match(match_id)

    monkeypatch.setattr(reviews, "locked_match", replaced_first)
    assert refused(reviews.choose, of_side(evening, 2), dora, reason="x") == "needs-official"


def test_a_review_waits_on_the_home_of_its_accepted_judge(evening, dora):
    name(evening)
    accept(evening, evening.alice)
    assert inbox(dora) == []
    accept(evening, evening.bob)
    assert [one.game.match_id for one in inbox(dora)] == [evening.match.pk]
    reviews.choose(of_side(evening, 2), dora, reason="seen")
    assert inbox(dora) == []


@pytest.mark.parametrize("sides", [(), (1,), (2,)])
def test_a_judge_without_both_acceptances_decides_nothing(evening, dora, sides):
    name(evening)
    accept(evening, *(Guest(evening.match.pk, side, proved=True) for side in sides))
    assert refused(reviews.choose, of_side(evening, 2), dora, reason="x") == "needs-official"
    assert not match_page(dora, evening.match.pk).games[0].review.entries[0].may_take


def test_a_member_without_a_nomination_decides_nothing(evening, dora):
    assert refused(reviews.choose, of_side(evening, 2), dora, reason="x") == "needs-official"


def test_a_party_decides_nothing_also_as_the_only_official(evening):
    for who in (evening.alice, evening.bob):
        assert refused(reviews.choose, of_side(evening, 1), who, reason="x") == "needs-official"


@pytest.mark.parametrize("wanted", ["", "Ana Ruiz", "Bo Chen", "Nobody", "Dora", "Charlie Hill"])
def test_no_party_stranger_or_unclear_name_is_a_judge(evening, wanted):
    assert refused(name, evening, wanted) == "no-such-judge"


def test_the_code_tells_namesakes_apart(evening):
    twin = enrol(league=evening.league, name="Dora Paz", since=date(2026, 1, 1), user=person("twin")).player
    assert refused(name, evening) == "no-such-judge"
    assert name(evening, twin.code.lower()).player == twin


def test_a_member_without_an_account_is_no_judge(evening):
    enrol(league=evening.league, name="Emil Roy", since=date(2026, 1, 1))
    assert refused(name, evening, "Emil Roy") == "no-such-judge"


def test_only_the_desk_names(evening, dora):
    for who in (dora, evening.bob, evening.charlie):
        assert refused(name, evening, by=who) == "no-permission"


def test_where_an_official_is_free_nobody_is_named(evening):
    Role.objects.create(user=evening.referee, league=evening.league, kind=Role.Kind.REFEREE)
    assert refused(name, evening) == "official-is-free"
    evening.referee.is_active = False
    evening.referee.save()
    assert name(evening).player.name == "Dora Paz"


def test_a_result_not_under_review_has_no_judge(evening):
    reviews.accept(of_side(evening, 1), evening.bob)
    assert refused(name, evening) == "not-under-review"


def test_a_side_accepts_with_pin_slip_or_account_and_for_itself_alone(evening, dora):
    player = name(evening).player_id
    match = evening.match
    only_a_name = Guest(match.pk, 2, device="phone")
    assert refused(judges.accept_judge, match, only_a_name, player) == "needs-proof"
    assert refused(judges.accept_judge, match, dora, player) == "not-your-match"
    assert refused(judges.accept_judge, match, Guest(match.pk + 1, 2, by_pin=True), player) == "not-your-match"
    judges.accept_judge(match, replace(only_a_name, proved=True), player)
    assert NamedJudge.objects.get().accepted == {"2": "slip"}


@pytest.mark.parametrize(
    "change", ['accepted = \'{"1": "pin", "2": "pin"}\'', "player_id = (SELECT max(id) FROM players_player)"]
)
def test_a_judge_whom_nobody_named_or_accepted_is_found(evening, dora, change):
    name(evening)
    accept(evening, evening.alice)
    enrol(league=evening.league, name="Eva", since=date(2026, 1, 1), user=person("eva"))
    assert list(everything()) == []
    with connection.cursor() as cursor:
        cursor.execute(f"UPDATE matches_namedjudge SET {change}")
    [found] = everything()
    assert f"judge {NamedJudge.objects.get().pk}: chain head is" in str(found)


def test_a_judge_who_is_merged_with_another_player_and_parted_again_is_no_difference(evening, dora):
    judge = name(evening)
    other = enrol(league=evening.league, name="D. Paz", since=date(2026, 1, 1)).player
    done = merge(kept=other, absorbed=judge.player, league=evening.league, by=evening.alice)
    accept(evening, evening.bob)
    assert list(everything()) == []
    unmerge(done, league=evening.league, by=evening.alice)
    assert list(everything()) == []


def test_another_judge_needs_new_acceptances(evening, dora):
    first = name(evening).player_id
    accept(evening, evening.alice, evening.bob)
    other = enrol(league=evening.league, name="Emil Roy", since=date(2026, 1, 1), user=person("emil")).player
    name(evening, "Emil Roy")
    assert NamedJudge.objects.get().accepted == {}
    assert refused(judges.accept_judge, evening.match, evening.bob, first) == "judge-changed"
    accept(evening, evening.alice, evening.bob)
    assert refused(reviews.choose, of_side(evening, 2), dora, reason="x") == "needs-official"
    reviews.choose(of_side(evening, 2), other.user, reason="seen")
    assert official(evening)[2] == "emil"


# --- On pages ---


def page(client, world, user):
    client.force_login(user)
    return " ".join(client.get(f"/matches/{world.match.pk}/").content.decode().split())


def act(client, world, user, do, **fields):
    client.force_login(user)
    sent = {"do": do, "result": of_side(world, 1).pk} | fields
    return client.post(reverse("matches:review", args=[world.match.pk]), sent, follow=True)


def test_the_page_of_the_match_from_the_name_to_the_decision(client, evening, dora):
    assert "Name the judge" not in page(client, evening, evening.bob)
    assert "Name the judge" in page(client, evening, evening.alice)
    act(client, evening, evening.alice, "name-judge", name="dora paz")
    player = NamedJudge.objects.get().player_id
    for who in (evening.alice, evening.bob):
        assert "Accept Dora Paz as the judge" in page(client, evening, who)
        assert "Take this one" not in page(client, evening, dora)
        act(client, evening, who, "accept-judge", judge=player)
    assert "Take this one" in page(client, evening, dora)
    act(client, evening, dora, "take", result=of_side(evening, 2).pk, reason="I watched")
    shown = page(client, evening, evening.alice)
    assert "the judge that both sides accepted, took one of the entries" in shown
    at_table = " ".join(client.get(f"/t/{evening.match.door}/").content.decode().split())
    assert "decided by dora – <bdi>I watched</bdi>" in at_table
    assert "I watched" in shown
    assert official(evening)[1] == "official"

"""Calls on the phones of those concerned: on their open pages, and as notifications."""

import json
import re
from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest
from allauth.account.forms import default_token_generator
from allauth.account.utils import user_pk_to_url_str
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from league.competitions.models import Competition, PushSubscription
from league.matches.models import Match, Side, Table
from league.players.erasing import erase_account
from league.players.models import Player
from league.players.services import renew_door
from tests.league.push_service import PushBrowser
from tests.web.organize.test_club_night import me, night
from tests.web.organize.test_hall_tables import text
from tests.web.world import PASSWORD

PHONE = PushBrowser("https://push.example.org/secret-of-this-phone")
KEY = "/calls/subscription/"


def evening(world, **plan) -> Match:
    """The match of Ana and Bo, called to table 3."""
    cup = night(world, **{"dispatches": True, "tables": ("3",)} | plan)
    matches = Match.objects.filter(slot__matchday__stage__competition=cup)
    matches.update(called_at=None)
    both = [Side.objects.filter(entrant=one).values("match") for one in world.entrants[:2]]
    match = matches.filter(pk__in=both[0]).get(pk__in=both[1])
    table, now = Table.objects.get(league=world.league, name="3"), timezone.now()
    Match.objects.filter(pk=match.pk).update(called_at=now, starts_at=now, table=table)
    match.refresh_from_db()
    return match


def of_slip(world, browse, entrant):
    client = browse(None)
    client.get(me(entrant))
    return client


def started(client, **changes):
    keys = PHONE.keys
    sent = {"do": "start", "endpoint": PHONE.endpoint, "p256dh": keys.p256dh, "auth": keys.auth}
    return client.post(KEY, sent | changes)


def call_text(page) -> str:
    """The call on a page, without its block of settings."""
    part = re.search(r"<div role=\"alert\" data-called>(.*?)<details", page.content.decode(), re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", " ", part[1]).split()) if part else "no block"


# --- On open pages ---


@pytest.mark.parametrize("place", ["home", "match", "following", "guest"])
@pytest.mark.parametrize("by", ["account", "slip"])
def test_a_call_of_ones_own_match_is_on_every_page_that_a_player_has_open(world, browse, place, by):
    match = evening(world)
    client = browse(world.alice) if by == "account" else of_slip(world, browse, world.entrants[0])
    path = {"home": "/", "match": f"/matches/{match.pk}/", "following": "/following/", "guest": f"/t/{match.door}/"}
    until = timezone.localtime(match.called_at + timedelta(minutes=15), ZoneInfo("Europe/Lisbon"))
    said = call_text(client.get(path[place]))
    assert re.fullmatch(rf"Table 3 now (Ana Ruiz – Bo Chen|Bo Chen – Ana Ruiz) Be there by {until:%H:%M}", said)


def test_the_page_of_a_personal_link_shows_the_call_and_the_desk_sees_none(world, browse):
    evening(world)
    assert call_text(browse(None).get(me(world.entrants[0]))).startswith("Table 3 now")
    assert call_text(browse(world.ref).get(me(world.entrants[0]))) == "no block"


def test_the_control_others_see_no_call(world, browse):
    match = evening(world)
    for client in (browse(None), browse(world.charlie), browse(world.ref)):
        assert call_text(client.get("/")) == "no block"
        assert call_text(client.get(f"/matches/{match.pk}/")) == "no block"
    assert call_text(of_slip(world, browse, world.entrants[2]).get("/")) == ""


def test_without_a_dispatcher_there_is_nothing_to_look_for(world, browse):
    night(world)
    assert call_text(browse(world.alice).get("/")) == "no block"


def test_a_phone_that_chose_a_side_sees_its_call_and_of_a_minor_none_without_proof(world, browse):
    match = evening(world)
    client = browse(None)
    side = match.sides.get(entrant=world.entrants[0])
    client.post(f"/t/{match.door}/", {"do": "side", "side": side.number})
    assert call_text(client.get(f"/t/{match.door}/")).startswith("Table 3 now")
    address = f"/calls/?match={match.pk}"
    assert "Table 3 now" in text(client.get(address))
    assert "Table 3 now" not in text(browse(None).get(address))
    Player.objects.filter(pk=world.entrants[0].player_id).update(born=timezone.now().year - 12)
    assert "Table 3 now" not in text(client.get(address))
    Side.objects.filter(pk=side.pk).update(device_proved=True)
    assert "Table 3 now" in text(client.get(address))


@pytest.mark.parametrize("why", ["here", "begun", "late", "hidden"])
def test_a_call_that_is_over_is_on_no_page(world, browse, why):
    match = evening(world)
    change = {
        "here": {"here_at": timezone.now()},
        "begun": {"state": Match.State.PLAYING},
        "late": {"called_at": timezone.now() - timedelta(minutes=15)},
        "hidden": {"published_at": None},
    }[why]
    client = browse(world.alice)
    assert "Table 3 now" in text(client.get("/calls/"))
    Match.objects.filter(pk=match.pk).update(**change)
    assert text(client.get("/calls/")) == ""


def test_a_look_is_answered_304_until_something_changes(world, browse):
    match = evening(world)
    client = browse(world.alice)
    first = client.get("/calls/")
    assert "no-store" not in first["Cache-Control"]
    assert "private" in first["Cache-Control"]
    again = {"HTTP_IF_NONE_MATCH": first["ETag"]}
    assert client.get("/calls/", **again).status_code == 304
    Match.objects.filter(pk=match.pk).update(here_at=timezone.now())
    assert client.get("/calls/", **again).status_code == 200


def test_a_page_looks_every_five_seconds_in_an_evening_and_every_minute_before(world, browse):
    evening(world)
    Match.objects.update(called_at=None)
    client = browse(world.alice)
    assert 'data-look="5"' in client.get("/calls/").content.decode()
    Competition.objects.update(starts_at=timezone.now() + timedelta(hours=3))
    assert 'data-look="60"' in client.get("/calls/").content.decode()


def test_a_look_takes_the_same_few_statements_for_one_call_and_for_three(world, browse):
    evening(world, count=5, tables=("3", "1", "2"))
    client = browse(world.alice)
    counted = []
    own = Match.objects.filter(sides__entrant=world.entrants[0], slot__matchday__stage__competition__dispatches=True)
    for count in (1, 3):
        Match.objects.filter(pk__in=own.order_by("pk")[:count].values("pk")).update(called_at=timezone.now())
        with CaptureQueriesContext(connection) as asked:
            assert client.get("/calls/").content.count(b"data-call=") == count
        counted.append(len(asked))
    assert counted == [6, 6]  # session, account, competitions, calls, sides, own matches


def test_nobody_known_takes_no_statement(world, browse, django_assert_num_queries):
    evening(world)
    with django_assert_num_queries(0):
        assert text(browse(None).get("/calls/")) == ""


def test_a_minor_finds_the_table_and_the_opponent_has_initials(world, browse):
    evening(world)
    Player.objects.filter(pk=world.entrants[0].player_id).update(born=timezone.now().year - 12)
    said = call_text(of_slip(world, browse, world.entrants[0]).get("/"))
    assert said.startswith("Table 3 now")
    assert "Ana Ruiz" not in said


# --- Notifications ---


def test_an_account_starts_asks_and_ends(world, browse):
    client = browse(world.alice)
    assert re.fullmatch(r"[\w-]{87}", client.get(KEY).json()["key"])
    assert started(client).json() == {"on": True}
    asked = {"do": "ask", "endpoint": PHONE.endpoint}
    assert client.post(KEY, asked).json() == {"on": True}
    assert browse(world.bob).post(KEY, asked).json() == {"on": False}
    assert client.post(KEY, asked | {"do": "end"}).json() == {"on": False}
    assert not PushSubscription.objects.exists()


def test_the_slip_of_a_phone_is_enough_and_a_renewed_link_is_not(world, browse):
    client = of_slip(world, browse, world.entrants[2])
    assert started(client).json() == {"on": True}
    assert PushSubscription.objects.get().entrant == world.entrants[2]
    renew_door(world.entrants[2], by=world.owner)
    assert not PushSubscription.objects.exists()
    assert started(client).status_code == 403


def test_the_page_of_a_link_subscribes_the_link_whoever_is_signed_in(world, browse):
    client = browse(world.charlie)
    page = client.get(me(world.entrants[2])).content.decode()
    assert '<input type="hidden" name="of" value="link">' in page
    assert started(client, of="link").json() == {"on": True}
    assert PushSubscription.objects.get().entrant == world.entrants[2]
    assert client.post(KEY, {"do": "ask", "endpoint": PHONE.endpoint}).json() == {"on": True}
    started(client)
    assert PushSubscription.objects.get().user == world.charlie


def test_nobody_known_is_refused_and_so_is_what_is_no_push_service(world, browse):
    answer = started(browse(None))
    assert (answer.status_code, answer.json()["code"]) == (403, "who-are-you")
    answer = started(browse(world.alice), endpoint="https://192.168.1.1/\0")
    assert (answer.status_code, answer.json()["code"]) == (422, "bad-endpoint")
    assert started(browse(world.alice), auth="\0").json()["code"] == "bad-push-keys"
    assert not PushSubscription.objects.exists()


def test_who_signs_out_is_told_nothing_any_more_on_that_phone(world, browse):
    client = browse(world.alice)
    started(client)
    client.post("/sign-out/")
    assert not PushSubscription.objects.exists()


def test_the_control_another_phone_signs_out(world, browse):
    started(browse(world.alice))
    browse(world.alice).post("/sign-out/")
    assert PushSubscription.objects.exists()


def test_a_changed_password_ends_the_subscriptions_of_other_phones(world, browse):
    """As it ends their sessions. The phone on which it is changed keeps its own, and others lose nothing."""
    here, other, bob = browse(world.alice), browse(world.alice), browse(world.bob)
    for client, name in ((here, "here"), (other, "other"), (bob, "bob")):
        assert started(client, endpoint=f"https://push.example.org/{name}").json() == {"on": True}
    here.post("/account/password/", {"oldpassword": "wrong", "password1": "four-four-leads"})
    assert PushSubscription.objects.count() == 3
    here.post("/account/password/", {"oldpassword": PASSWORD, "password1": "four-four-leads"})
    left = PushSubscription.objects.values_list("endpoint", flat=True)
    assert sorted(left) == [f"https://push.example.org/{name}" for name in ("bob", "here")]


def test_a_password_set_by_a_reset_link_ends_every_subscription_of_the_account(world, browse):
    started(browse(world.alice))
    key = user_pk_to_url_str(world.alice), default_token_generator.make_token(world.alice)
    client = browse()
    form = client.get(reverse("account_reset_password_from_key", kwargs={"uidb36": key[0], "key": key[1]})).url
    assert PushSubscription.objects.exists()
    client.post(form, {"password1": "four-four-leads"})
    assert not PushSubscription.objects.exists()


def test_a_password_set_by_the_admin_ends_them_too(world, browse):
    started(browse(world.alice))
    world.bob.is_staff = world.bob.is_superuser = True
    world.bob.save()
    form = {"password1": "four-four-leads", "password2": "four-four-leads", "usable_password": "true"}
    answer = browse(world.bob).post(f"/admin/accounts/user/{world.alice.pk}/password/", form)
    assert (answer.status_code, PushSubscription.objects.exists()) == (302, False)


def test_an_erased_account_leaves_no_subscription(world, browse):
    started(browse(world.alice))
    erase_account(world.alice, with_names=True)
    assert not PushSubscription.objects.exists()


def test_the_address_of_a_phone_is_on_no_page_in_no_file_and_in_no_answer(world, browse):
    match = evening(world)
    client = browse(world.owner)
    started(client)
    started(of_slip(world, browse, world.entrants[0]), endpoint=f"{PHONE.endpoint}-2")
    paths = [
        "/",
        "/account/",
        me(world.entrants[0]),
        f"/matches/{match.pk}/",
        f"/leagues/harbour/players/{world.entrants[0].player.code}/",
        f"/api/v1/matches/{match.pk}",
        f"/api/v1/players/{world.entrants[0].player.code}",
        "/competitions/harbour/tuesday/files/competition.json",
    ]
    for path in paths:
        answer = client.get(path)
        assert answer.status_code == 200, path
        assert "push.example.org" not in answer.content.decode(), path
    assert "endpoint" not in json.dumps(client.get("/api/v1/schema", headers={"accept": "application/json"}).json())


def test_the_block_says_what_it_takes(world, browse):
    evening(world)
    page = browse(world.alice).get("/").content.decode()
    for why in ("insecure", "iphone", "unsupported", "denied", "failed"):
        assert re.search(rf'data-why="{why}" hidden', page)
    assert "Notify me" in page


def test_the_worker_shows_what_it_gets(browse, db):
    script = browse(None).get("/worker.js").content.decode()
    assert 'addEventListener("push"' in script
    assert 'addEventListener("notificationclick"' in script

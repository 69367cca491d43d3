"""A call reaches the phones of its players, and no others."""

import logging
import re
from datetime import timedelta
from unittest.mock import patch

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone, translation
from py_vapid import Vapid02

from league.competitions.attendance.no_shows import all_here
from league.competitions.draw.advancing import advance
from league.competitions.draw.schedule.calling import hold, sweep
from league.competitions.draw.schedule.rescheduling import move
from league.competitions.following import follow
from league.competitions.models import Competition, Delivery, PushKey, PushSubscription
from league.competitions.push import deliveries, sending
from league.competitions.push.deliveries import deliver_due
from league.competitions.push.keys import public_key
from league.competitions.push.subscriptions import MOST, BrowserKeys, end, subscribe, unsubscribe
from league.errors import Refused
from league.matches.models import Match, Table
from league.players.erasing import erase, erase_account
from league.players.models import Entrant, Player
from league.players.pairs import pair_of
from league.players.services import enrol, merge, renew_door
from tests.league.competitions.cup import enter_result, published, slot
from tests.league.push_service import PushBrowser

START = timedelta(minutes=1)


def waiting(world, count=4, **plan) -> Competition:
    """An evening whose first matches are not called yet."""
    usual = {"dispatches": True, "tables": ["Bar", "2"], "starts_at": timezone.now() + START}
    return published(world, count, **(usual | plan))


def begin() -> int:
    Competition.objects.update(starts_at=timezone.now() - START)
    return sweep()


def ring(world, **plan) -> Match:
    """The call of Ana's first match."""
    cup = waiting(world, **plan)
    assert begin()
    return slot(cup, 1, 1).match


def shown(match: Match) -> str:
    match.league.refresh_from_db()
    ends = match.called_at + timedelta(minutes=15)
    return f"{timezone.localtime(ends):%H:%M}"


def code_of(act, *args) -> str:
    with pytest.raises(Refused) as refused:
        act(*args)
    return refused.value.code


# --- From the call to the phone ---


def test_a_call_reaches_the_phone_of_an_account_encrypted_and_signed(world, service):
    phone = service.browser()
    subscribe(world.alice, phone.endpoint, phone.keys)
    match = ring(world)
    assert deliver_due() == 1
    [(path, headers, body)] = service.received
    assert path == "/one"
    assert b"Bar" not in body
    names = " – ".join(str(side.entrant) for side in match.sides.order_by("number"))
    assert phone.read(body) == {
        "title": "Table Bar now",
        "text": f"{names}. Be there by {shown(match)}.",
        "address": f"/matches/{match.pk}/",
        "tag": f"call-{match.pk}",
    }
    assert Vapid02.verify(headers["authorization"])
    assert f"k={public_key()}" in headers["authorization"]
    assert (headers["content-encoding"], headers["urgency"]) == ("aes128gcm", "high")
    assert headers["topic"] == f"call-{match.pk}"
    assert 14 * 60 < int(headers["ttl"]) <= 15 * 60
    assert PushSubscription.objects.get().last_ok_at
    assert not Delivery.objects.exists()
    assert deliver_due() == 0


def test_the_control_without_a_subscription_nothing_is_sent_and_nothing_noted(world, service):
    ring(world)
    assert not Delivery.objects.exists()
    assert deliver_due() == 0
    assert service.received == []


def test_a_call_of_others_reaches_nobody_else(world, service):
    bob = service.browser("bob")
    subscribe(world.charlie, service.browser("charlie").endpoint, bob.keys)
    ring(world)
    assert not Delivery.objects.exists()


def test_the_message_is_in_the_language_of_the_phone(world, service):
    phone = service.browser()
    with translation.override("es"):
        subscribe(world.alice, phone.endpoint, phone.keys)
    ring(world)
    deliver_due()
    assert phone.read(service.bodies()[0])["title"] == "Mesa Bar ahora"


def test_a_personal_link_is_told_of_its_own_page_and_of_the_matches_of_its_pair(world, service):
    alone, pair = service.browser("alone"), service.browser("pair")
    both = pair_of(
        world.league, world.ana.player, enrol(league=world.league, name="Di", since=timezone.localdate()).player
    )
    subscribe(world.ana, alone.endpoint, alone.keys)
    subscribe(both, pair.endpoint, pair.keys)
    match = ring(world)
    deliver_due()
    assert alone.read(service.bodies("alone")[0])["address"] == f"/me/{world.ana.door}/"
    # Two people hold the slip of a pair: it tells of the pair alone.
    assert service.bodies("pair") == []
    match.sides.filter(entrant=world.ana).update(entrant=both)
    deliveries.note_calls([match.pk], timezone.now())
    assert set(Delivery.objects.values_list("subscription__entrant", flat=True)) == {world.ana.pk, both.pk}


def test_the_task_is_sent_after_the_commit_and_a_rolled_back_call_sends_nothing(
    world, service, django_capture_on_commit_callbacks
):
    phone = service.browser()
    subscribe(world.alice, phone.endpoint, phone.keys)
    waiting(world)
    with django_capture_on_commit_callbacks() as undone, transaction.atomic():
        assert begin()
        assert Delivery.objects.exists()
        transaction.set_rollback(True)
    assert undone == []
    assert deliver_due() == 0
    with patch.object(deliveries, "send") as sent, django_capture_on_commit_callbacks(execute=True):
        assert begin()
        sent.assert_not_called()
    sent.assert_called_once_with("competitions.push_calls")
    assert deliver_due() == 1


# --- To those who follow a player ---


def follows(world, service, user, *names: str) -> PushBrowser:
    phone = service.browser(user.username)
    subscribe(user, phone.endpoint, phone.keys)
    follow(user, names, timezone.now())
    return phone


def test_a_follower_is_told_that_a_player_is_called_and_to_which_table(world, service):
    phone = follows(world, service, world.charlie, f"player:{world.ana.player.code}")
    match = ring(world)
    assert deliver_due() == 1
    assert phone.read(service.bodies("charlie")[0]) == {
        "title": " – ".join(str(side.entrant) for side in match.sides.order_by("number")),
        "text": "Called to table Bar.",
        "address": f"/matches/{match.pk}/",
        "tag": f"call-{match.pk}",
    }


def test_a_player_who_follows_the_opponent_gets_the_own_call_once(world, service):
    phone = follows(world, service, world.alice, f"player:{world.ana.player.code}")
    match = ring(world)
    other = match.sides.exclude(entrant=world.ana).get().entrant
    follow(world.alice, [f"player:{other.player.code}"], timezone.now())
    deliveries.note_calls([match.pk], match.called_at)
    assert deliver_due() == 1
    assert phone.read(service.bodies("alice")[0])["title"] == "Table Bar now"


@pytest.mark.parametrize("names", [[], ["competition:1"], ["player:NOBODY"]])
def test_the_control_who_follows_somebody_else_is_told_nothing(world, service, names):
    follows(world, service, world.charlie, *names)
    ring(world)
    assert not Delivery.objects.exists()


def test_a_pair_is_followed_in_either_order_of_its_codes(world, service):
    both = pair_of(
        world.league, world.ana.player, enrol(league=world.league, name="Di", since=timezone.localdate()).player
    )
    match = ring(world)
    match.sides.filter(entrant=world.ana).update(entrant=both)
    follows(world, service, world.charlie, "pair:" + "-".join(reversed(both.code.split("-"))))
    deliveries.note_calls([match.pk], match.called_at)
    assert Delivery.objects.get().subscription.user == world.charlie


def test_the_table_of_a_minor_is_told_to_no_follower(world, service):
    phone = follows(world, service, world.charlie, f"player:{world.ana.player.code}")
    Player.objects.filter(pk=world.ana.player_id).update(born=timezone.now().year - 10)
    ring(world)
    assert deliver_due() == 1
    told = phone.read(service.bodies("charlie")[0])
    assert told["text"] == "Called to the table."
    assert world.ana.player.name not in told["title"]


def test_a_match_that_a_follower_may_no_longer_see_is_told_to_none(world, service):
    follows(world, service, world.charlie, f"player:{world.ana.player.code}")
    match = ring(world)
    Match.objects.filter(pk=match.pk).update(published_at=None)
    assert deliver_due() == 0
    assert service.received == []


def test_the_phone_of_a_follower_stays_when_a_player_is_erased(world, service):
    follows(world, service, world.charlie, f"player:{world.bo.player.code}")
    erase(world.ana.player)
    assert left() == {"charlie"}


# --- Too late, taken back, or without an answer ---


def test_a_call_that_is_taken_back_is_not_sent(world, service):
    phone = service.browser()
    subscribe(world.alice, phone.endpoint, phone.keys)
    match = ring(world)
    hold(match.slot, user=world.owner)
    assert deliver_due() == 0
    assert not Delivery.objects.exists()
    # Called again it is another call.
    hold(match.slot, user=world.owner, on=False)
    assert deliver_due() == 1


def test_a_called_match_that_is_moved_is_told_with_its_new_table(world, service):
    phone = service.browser()
    subscribe(world.alice, phone.endpoint, phone.keys)
    match = ring(world)
    deliver_due()
    old, new = match.table, Table.objects.create(league=world.league, name="Terrace")
    move(match.slot, user=world.owner, table=old, starts_at=match.slot.starts_at)
    assert deliver_due() == 0
    move(match.slot, user=world.owner, table=new, starts_at=match.slot.starts_at)
    assert deliver_due() == 1
    assert phone.read(service.bodies()[-1])["title"] == "Table Terrace now"


@pytest.mark.parametrize("why", ["here", "begun", "late", "closed"])
def test_a_call_that_is_over_is_not_sent(world, service, why):
    phone = service.browser()
    subscribe(world.alice, phone.endpoint, phone.keys)
    match = ring(world)
    if why == "here":
        all_here(match.slot, user=world.owner)
    elif why == "begun":
        Match.objects.filter(pk=match.pk).update(state=Match.State.PLAYING)
    elif why == "late":
        Competition.objects.update(forfeit_after_min=0)
    else:
        world.alice.is_active = False
        world.alice.save()
    assert deliver_due() == 0
    assert service.received == []
    assert not Delivery.objects.exists()


@pytest.mark.parametrize("status", [404, 410])
def test_a_browser_that_is_gone_loses_its_subscription(world, service, status):
    phone = service.browser()
    subscribe(world.alice, phone.endpoint, phone.keys)
    service.answers["/one"] = status
    ring(world)
    assert deliver_due() == 0
    assert not PushSubscription.objects.exists()
    assert not Delivery.objects.exists()


@pytest.mark.parametrize("status", [500, 429, 403, 307])
def test_another_failure_is_tried_again_four_times_and_no_redirection_followed(world, service, status, caplog):
    phone = service.browser()
    subscribe(world.alice, phone.endpoint, phone.keys)
    service.answers["/one"] = status
    match = ring(world)
    Competition.objects.update(forfeit_after_min=60)
    now = match.called_at
    for minutes in range(20):
        with patch("django.utils.timezone.now", return_value=now + timedelta(minutes=minutes)):
            assert deliver_due() == 0
    assert [path for path, *_ in service.received] == ["/one"] * 4
    assert PushSubscription.objects.exists()
    assert not Delivery.objects.exists()
    [line] = [one.getMessage() for one in caplog.records if one.levelno >= logging.WARNING]
    assert str(status) in line
    assert phone.endpoint not in line


def test_a_second_try_arrives(world, service):
    phone = service.browser()
    subscribe(world.alice, phone.endpoint, phone.keys)
    match = ring(world)
    service.answers["/one"] = 503
    deliver_due()
    assert deliver_due() == 0  # its pause is not over
    assert len(service.received) == 1
    service.answers.clear()
    with patch("django.utils.timezone.now", return_value=match.called_at + timedelta(seconds=30)):
        assert deliver_due() == 1


def test_a_service_that_does_not_answer_is_tried_again(world, service):
    phone = PushBrowser("http://127.0.0.1:9/one")  # closed port
    subscribe(world.alice, phone.endpoint, phone.keys)
    ring(world)
    assert deliver_due() == 0
    assert Delivery.objects.get().tries == 1


def test_one_broken_subscription_stops_no_other(world, service, caplog):
    broken, phone = service.browser("broken"), service.browser()
    subscribe(world.alice, broken.endpoint, broken.keys)
    PushSubscription.objects.update(p256dh="AAAA")
    subscribe(world.ana, phone.endpoint, phone.keys)
    ring(world)
    assert deliver_due() == 1
    assert len(service.bodies()) == 1
    assert broken.endpoint not in caplog.text


def test_a_call_that_is_noted_again_while_it_is_sent_is_sent_again(world, service):
    phone = service.browser()
    subscribe(world.alice, phone.endpoint, phone.keys)
    match = ring(world)

    real = deliveries._posted

    def meanwhile(*given):
        deliveries.note_calls([match.pk], match.called_at)
        return real(*given)

    with patch.object(deliveries, "_posted", side_effect=meanwhile):
        assert deliver_due() == 1
    assert deliver_due() == 1
    assert deliver_due() == 0


def test_an_account_with_both_players_is_told_once(world, service):
    phone = service.browser()
    subscribe(world.alice, phone.endpoint, phone.keys)
    Player.objects.update(user=world.alice)
    ring(world, tables=["Bar"])
    assert Delivery.objects.count() == 1


def test_two_runs_at_once_send_a_call_once(world, service):
    real = deliveries._posted
    phone = service.browser()
    subscribe(world.alice, phone.endpoint, phone.keys)
    ring(world)
    with patch.object(deliveries, "_posted", side_effect=lambda *given: deliver_due() or real(*given)):
        deliver_due()
    assert len(service.received) == 1


def test_a_call_takes_the_same_statements_for_one_phone_and_for_three(world, service):
    counted = []
    for count in (1, 2):
        for number in range(count):
            phone = service.browser(f"{count}-{number}")
            subscribe(world.alice, phone.endpoint, phone.keys)
        cup = waiting(world, name=f"Cup {count}", tables=[f"T{count}"])
        match = slot(cup, 1, 1).match
        with CaptureQueriesContext(connection) as asked:
            deliveries.note_calls([match.pk], timezone.now())
        counted.append(len(asked))
    assert counted == [4, 4]


# --- Addresses ---


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://push.example.org/x",
        "https://127.0.0.1/x",
        "https://[::1]/x",
        "https://10.0.0.7/x",
        "https://2130706433/x",
        "https://localhost/x",
        "https://router/x",
        "https://push.example.org:8443/x",
        "https://user@push.example.org/x",
        "https://push.example.org:x/",
        "https://[oops/",
        "ftp://push.example.org/x",
        "",
        "https://push.example.org/ü",
        "https://push.example.org/" + "x" * 1000,
    ],
)
def test_an_address_that_is_no_push_service_is_refused(world, endpoint):
    assert code_of(subscribe, world.alice, endpoint, PushBrowser(endpoint).keys) == "bad-endpoint"
    assert not PushSubscription.objects.exists()


def test_the_control_an_address_of_the_internet_is_taken_and_loopback_in_tests_only(world, settings):
    phone = PushBrowser("https://push.example.org/x?y=1")
    assert subscribe(world.alice, phone.endpoint, phone.keys)
    assert settings.PUSH_LOOPBACK is False
    assert code_of(subscribe, world.alice, "http://127.0.0.1:9/x", phone.keys) == "bad-endpoint"


@pytest.mark.parametrize(
    "address", ["10.1.2.3", "192.168.1.1", "169.254.169.254", "::1", "fe80::1%eth0", "::ffff:10.0.0.1", "224.0.0.1"]
)
def test_a_name_that_leads_into_a_private_network_is_not_connected(world, address):
    phone = PushBrowser("https://push.example.org/x")
    subscribe(world.alice, phone.endpoint, phone.keys)
    ring(world)
    found = [(0, 0, 0, "", ("93.184.216.34", 443)), (0, 0, 0, "", (address, 443))]
    with (
        patch("socket.getaddrinfo", return_value=found),
        patch("socket.create_connection") as connected,
    ):
        assert deliver_due() == 0
        connected.assert_not_called()
        with patch("socket.getaddrinfo", return_value=found[:1]):
            assert sending.public_address("push.example.org", 443) == "93.184.216.34"


@pytest.mark.parametrize("changes", [{"p256dh": "AAAA"}, {"p256dh": "é"}, {"auth": "AAAA"}, {"auth": "x" * 200}])
def test_keys_that_are_none_are_refused(world, service, changes):
    phone = service.browser()
    given = {"p256dh": phone.keys.p256dh, "auth": phone.keys.auth} | changes
    assert code_of(subscribe, world.alice, phone.endpoint, BrowserKeys(**given)) == "bad-push-keys"


# --- Subscriptions ---


def test_a_phone_that_another_person_takes_over_gets_no_call_of_the_first(world, service):
    phone = service.browser()
    subscribe(world.alice, phone.endpoint, phone.keys)
    ring(world, tables=["Bar"])
    subscribe(world.charlie, phone.endpoint, phone.keys)
    assert deliver_due() == 0
    assert service.received == []


def test_more_calls_than_a_run_takes_are_sent_by_the_next(world, service, monkeypatch):
    monkeypatch.setattr(deliveries, "BATCH", 1)
    for owner in (world.alice, world.ana):
        phone = service.browser(type(owner).__name__)
        subscribe(owner, phone.endpoint, phone.keys)
    ring(world)
    with patch.object(deliveries, "send") as sent:
        assert deliver_due() == 1
        sent.assert_called_once_with("competitions.push_calls")
        assert deliver_due() == 1
        assert deliver_due() == 0
        assert sent.call_count == 2


def test_a_browser_has_one_owner_and_an_owner_a_few_browsers(world, service):
    phone = service.browser()
    subscribe(world.alice, phone.endpoint, phone.keys)
    subscribe(world.bo, phone.endpoint, phone.keys)
    [one] = PushSubscription.objects.all()
    assert (one.user, one.entrant) == (None, world.bo)
    for number in range(MOST + 1):
        subscribe(world.bo, service.browser(str(number)).endpoint, phone.keys)
    left = PushSubscription.objects.values_list("endpoint", flat=True)
    assert len(left) == MOST
    assert phone.endpoint not in left
    unsubscribe(left[0])
    assert PushSubscription.objects.count() == MOST - 1


def test_an_account_ends_its_own_subscription_only(world, service):
    phone = service.browser()
    made = subscribe(world.alice, phone.endpoint, phone.keys)
    end(world.bob, made.pk)
    end(world.alice, None)
    assert PushSubscription.objects.exists()
    end(world.alice, made.pk)
    assert not PushSubscription.objects.exists()


def both(world, service) -> None:
    """The account of Alice, and the personal links of Ana and Bo."""
    for owner, name in ((world.alice, "account"), (world.ana, "link"), (world.bo, "other")):
        phone = service.browser(name)
        subscribe(owner, phone.endpoint, phone.keys)


def left() -> set[str]:
    return {one.rpartition("/")[2] for one in PushSubscription.objects.values_list("endpoint", flat=True)}


def test_a_new_personal_link_ends_the_subscriptions_of_the_old_one(world, service):
    both(world, service)
    renew_door(world.ana, by=world.owner)
    assert left() == {"account", "other"}


def test_an_erased_account_is_told_nothing_any_more(world, service):
    both(world, service)
    erase_account(world.alice, with_names=False)
    assert left() == {"link", "other"}


def test_an_erased_player_is_told_nothing_any_more(world, service):
    both(world, service)
    erase(world.ana.player)
    assert left() == {"other"}


def test_merged_players_keep_their_phones(world, service):
    both(world, service)
    double = enrol(league=world.league, name="Ana R.", since=timezone.localdate())
    phone = service.browser("double")
    subscribe(double, phone.endpoint, phone.keys)
    merge(kept=world.ana.player, absorbed=double.player, league=world.league, by=world.owner)
    assert set(PushSubscription.objects.filter(entrant=world.ana).values_list("endpoint", flat=True)) == {
        service.browser("link").endpoint,
        phone.endpoint,
    }


def test_the_key_of_the_site_is_made_once(world):
    first = public_key()
    assert public_key() == first
    assert PushKey.objects.count() == 1
    assert re.fullmatch(r"[\w-]{87}", first)


def test_the_contact_for_push_services_is_the_site_or_its_sender(settings):
    settings.SITE_ADDRESS, settings.DEFAULT_FROM_EMAIL = "", "Harbour <office@example.org>"
    assert deliveries._contact() == "mailto:office@example.org"
    settings.SITE_ADDRESS = "https://dominoes.example.org/"
    assert deliveries._contact() == "https://dominoes.example.org"


def test_the_next_call_of_an_evening_is_told_too(world, service):
    """Through the whole chain: a result frees the table."""
    phone = service.browser()
    subscribe(world.bo, phone.endpoint, phone.keys)
    cup = waiting(world, tables=["Bar"])
    begin()
    deliver_due()
    before = len(service.received)
    enter_result(world, slot(cup, 1, 1).match, 1)
    advance(slot(cup, 1, 1).match_id)
    assert Entrant.objects.filter(pk=world.bo.pk, sides__match=slot(cup, 1, 2).match).exists()
    assert deliver_due() == 1
    assert len(service.received) == before + 1

"""A match by the code on its card: entering and confirming without an account."""

from datetime import date, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.accounts.models import League, Role
from league.matches.models import Game, KnownBy, Match, NamedJudge, Record, Result, Side
from league.matches.results.entering import enter_sheet
from league.matches.results.judges import name_judge
from league.players.services import enrol
from league.web.matches import guest
from tests.web import world as small


@pytest.fixture(autouse=True)
def _now(world):
    Match.objects.update(starts_at=timezone.now())


class Phone:
    """A browser of its own at the table of a match."""

    def __init__(self, match: Match, user=None) -> None:
        self.client, self.path = Client(), f"/t/{match.door}/"
        if user:
            self.client.force_login(user)

    def look(self):
        return self.client.get(self.path)

    def do(self, act, **fields):
        return self.client.post(self.path, {"do": act} | fields, follow=True)

    def device(self):
        return self.client.session.get(guest.DEVICE)


def text(answer):
    return " ".join(answer.content.decode().split())


def points(game, first, second, **more):
    return {"game": game.pk, "points-1": first, "points-2": second, "after": more.pop("after", 0)} | more


def standing(game):
    one = Result.objects.filter(game=game, current=True).first()
    return one and (str(one), one.state, one.confirmed_how, one.contested)


@pytest.fixture
def game(world):
    return world.game()


@pytest.fixture
def ana(game):
    phone = Phone(game.match)
    phone.do("side", side=1)
    return phone


@pytest.fixture
def bo(game):
    phone = Phone(game.match)
    phone.do("side", side=2)
    return phone


def names(game):
    return [str(one.entrant.player) for one in game.match.sides.select_related("entrant__player")]


# --- Coming in ---


def test_the_code_opens_the_match_without_an_account_and_asks_who_you_are(game):
    answer = Phone(game.match).look()
    assert answer.status_code == 200
    shown = text(answer)
    assert "Who are you?" in shown
    assert all(name in shown for name in names(game))
    assert "Table" in shown
    assert 'name="points-1"' not in shown
    assert not Side.objects.exclude(device="").exists()


def test_nobody_keeps_the_page_or_learns_its_address(game):
    for answer in (Phone(game.match).look(), Client().get("/t/AAAAAAAAAAAA/")):
        assert answer["Cache-Control"] == "no-store"
        assert answer["X-Robots-Tag"] == "noindex, nofollow"
        assert answer["Referrer-Policy"] == "same-origin"
        assert 'content="noindex, nofollow"' in text(answer)


def test_the_first_phone_is_believed_and_another_needs_the_pin(game, ana):
    assert "You are here for" in text(ana.look())
    second = Phone(game.match)
    assert "another phone is here already" in text(second.look())
    refused = second.do("side", side=1)
    assert refused.status_code == 422
    assert "Enter the PIN of their slip" in text(refused)
    pin = Side.objects.get(match=game.match, number=1).entrant.pin
    moved = second.do("move", side=1, pin=pin)
    assert "You are here for" in text(moved)
    assert "Who are you?" in text(ana.look())


def test_a_phone_is_one_side_only(game, ana):
    refused = ana.do("side", side=2)
    assert "Enter the PIN of their slip" in text(refused)
    assert Side.objects.get(match=game.match, number=2).device == ""


def test_whoever_touched_the_wrong_name_lets_go_of_it(game, ana):
    assert "Who are you?" in text(ana.do("leave"))
    assert not Side.objects.exclude(device="").exists()
    ana.do("side", side=2)
    assert Side.objects.get(match=game.match, number=2).device == ana.device()


def test_a_slip_that_was_scanned_says_who_it_is(game):
    phone = Phone(game.match)
    session = phone.client.session
    session[guest.SLIP] = Side.objects.get(match=game.match, number=2).entrant.door
    session.save()
    shown = text(phone.look())
    assert f"You are here for <bdi>{names(game)[1]}</bdi>" in shown
    session[guest.SLIP] = "NOBODYSSLIP12345"
    session.save()
    assert "Who are you?" in text(phone.look())


def test_a_player_who_is_signed_in_is_known(game, world):
    phone = Phone(game.match, world.alice)
    shown = text(phone.look())
    assert "You are here for <bdi>Ana Ruiz</bdi>" in shown
    phone.do("send", **points(game, 150, 95))
    record = Record.objects.get()
    assert (record.submitted_by, record.via) == (world.alice, "account")


@pytest.mark.parametrize("code", ["AAAAAAAAAAAA", "x", "%F0%9F%81%A2", "A" * 400, "..", "'"])
def test_an_unknown_code_gets_a_page_that_says_what_to_do(game, code):
    answer = Client().get(f"/t/{code}/")
    assert answer.status_code == 404
    assert "This code is not known" in text(answer)
    assert "Scan it again" in text(answer)


def test_a_code_typed_in_small_letters_opens(game):
    assert Client().get(f"/t/{game.match.door.lower()}/").status_code == 200


def test_an_unpublished_match_is_unknown(game):
    Match.objects.update(published_at=None)
    assert Phone(game.match).look().status_code == 404


def test_a_day_later_the_code_is_not_valid_any_more(game, ana):
    Match.objects.update(
        starts_at=timezone.now() - timedelta(hours=25), published_at=timezone.now() - timedelta(days=3)
    )
    for answer in (ana.look(), ana.do("send", **points(game, 150, 95))):
        assert answer.status_code == 410
        assert "take the card to the desk" in text(answer)
    assert not Record.objects.exists()


def test_an_early_phone_sees_the_opening_time_and_the_desk_opens_with_one_tap(game, world):
    begins = timezone.now() + timedelta(days=3)
    Match.objects.update(starts_at=begins, published_at=timezone.now())
    local = (begins - timedelta(hours=1)).astimezone(ZoneInfo(game.match.league.time_zone))
    phone, desk = Phone(game.match), Phone(game.match, world.ref)
    for answer in (phone.look(), phone.do("side", side=1), phone.client.get(f"{phone.path}pad/")):
        assert all(f"<bdi>{name}</bdi>" in text(answer) for name in ("Ana Ruiz", "Bo Chen"))
        assert f"Entry by code opens on {local.day} {local:%B %Y, %H:%M}" in text(answer)
        assert "Open it now" not in text(answer)
    assert phone.look().status_code == 403
    assert phone.do("open").status_code == 403
    assert "Open it now" in text(desk.look())
    assert "Entry by code is open now." in text(desk.do("open"))
    assert "You are here for" in text(phone.do("side", side=1))


def test_both_checked_in_it_is_open_before_its_hour(game, world):
    Match.objects.update(starts_at=timezone.now() + timedelta(hours=3), published_at=timezone.now())
    phone = Phone(game.match)
    entrants = [side.entrant for side in game.match.sides.select_related("entrant")]
    rows = world.competition.registrations.filter(entrant__in=entrants)
    for number, at in enumerate([timezone.now() - timedelta(hours=25), timezone.now()]):
        rows.update(checked_in_at=at)  # of last week is not of today
        assert phone.look().status_code == (200 if number else 403)
    Match.objects.update(starts_at=None, published_at=timezone.now() - timedelta(days=20))
    assert phone.look().status_code == 200
    rows.filter(entrant=entrants[0]).update(checked_in_at=None)
    assert phone.look().status_code == 410
    Match.objects.update(published_at=timezone.now(), starts_at=timezone.now() + timedelta(hours=3))
    assert phone.look().status_code == 403


def test_the_desk_gives_a_new_pin_with_one_tap(game, world, ana):
    desk, side = Phone(game.match, world.ref), Side.objects.get(match=game.match, number=2)
    old = side.entrant.pin
    assert "New PIN for" in text(desk.look())
    told = text(desk.do("new-pin", side=2))
    new = Side.objects.get(match=game.match, number=2).entrant.pin
    assert new != old
    assert f"is {new}." in told
    assert "New PIN for" not in text(ana.look())
    assert ana.do("new-pin", side=2).status_code == 403
    assert Side.objects.get(match=game.match, number=2).entrant.pin == new


# --- Entering ---


def test_what_is_typed_is_told_back_before_it_counts(game, ana):
    told = ana.do("check", **points(game, 150, 95))
    assert f"{names(game)[0]} beats {names(game)[1]} 150–95" in text(told)
    assert "Yes, enter it" in text(told)
    assert not Record.objects.exists()
    changed = ana.do("change", **points(game, 150, 95))
    assert 'name="points-2" value="95"' in text(changed)
    sent = ana.do("send", **points(game, 150, 95))
    assert f"Waiting for {names(game)[1]} to confirm" in text(sent)
    record = Record.objects.get()
    assert (record.via, record.for_side, record.submitted_by, record.kind) == ("table", 1, None, "score")
    assert standing(game) == ("150–95", "provisional", "", False)


@pytest.mark.parametrize(
    ("first", "second", "told"),
    [
        ("", "", "Type the points of every side, 0 too."),
        ("150", "", "Type the points of every side, 0 too."),
        ("abc", "95", "Points are whole numbers, like 150."),
        ("-1", "95", "Points are whole numbers, like 150."),
        ("<script>", "95", "Points are whole numbers, like 150."),
        ("100", "100", "The points are level. Choose the winner, or “nobody”."),
    ],
)
def test_what_cannot_be_read_is_told_and_stays_as_typed(game, ana, first, second, told):
    for act in ("check", "send"):
        answer = ana.do(act, **points(game, first, second))
        assert answer.status_code == 422
        assert told in text(answer)
        assert "<script>alert" not in text(answer)
        if first.isalnum():
            assert f'value="{first}"' in text(answer)
    assert not Record.objects.exists()


def test_what_does_not_add_up_is_told_and_entered_only_if_they_insist(game, ana):
    told = text(ana.do("check", **points(game, 147, 95)))
    assert "Ana Ruiz has 147: points come in multiples of 5 here" in told
    assert "Enter it all the same" in told
    assert "This does not add up" in text(ana.do("send", **points(game, 147, 95)))
    assert not Record.objects.exists()
    shown = text(ana.do("send", **points(game, 147, 95, insist="1")))
    assert "An official decides" in shown
    assert Result.objects.get().needs_decision


def test_nobody_enters_before_saying_who_they_are(game):
    phone = Phone(game.match)
    for act in ("check", "send", "confirm", "undo", "pin"):
        answer = phone.do(act, **points(game, 150, 95))
        assert answer.status_code == 422
        assert "Say first who you are." in text(answer)
    assert not Record.objects.exists()


def test_a_phone_of_one_match_is_a_stranger_in_another(world, game, ana):
    other = next(match for match in world.matches if match.pk != game.match_id)
    ana.path = f"/t/{other.door}/"
    answer = ana.do("send", **points(other.games.get(), 150, 95))
    assert "Say first who you are." in text(answer)
    # Nor through the door of its own.
    ana.path = f"/t/{game.match.door}/"
    answer = ana.do("send", **points(other.games.get(), 150, 95))
    assert "This game has ended already." in text(answer)
    assert not Record.objects.exists()


def test_a_made_up_session_value_is_nobody(game, ana):
    session = Client().session
    phone = Phone(game.match)
    session = phone.client.session
    for made_up in ("", "0" * 32, "' OR 1=1"):
        session[guest.DEVICE] = made_up
        session.save()
        assert "Who are you?" in text(phone.look())


# --- Confirming ---


def test_the_other_side_confirms_with_one_tap(game, ana, bo):
    ana.do("send", **points(game, 150, 95))
    shown = text(bo.look())
    assert "Is this right?" in shown
    assert "Yes, confirm it" in shown
    result = Result.objects.get()
    done = text(bo.do("confirm", game=game.pk, result=result.pk))
    assert "The result is confirmed" in done
    assert standing(game) == ("150–95", "official", "side", False)
    for phone in (ana, bo, Phone(game.match)):
        shown = text(phone.look())
        assert "The result is confirmed" in shown
        assert "Reported score" in shown
        assert "by the other side at the table" in shown
        assert 'name="points-1"' not in shown


def test_nobody_confirms_their_own(game, ana):
    ana.do("send", **points(game, 150, 95))
    answer = ana.do("confirm", game=game.pk, result=Result.objects.get().pk)
    assert answer.status_code == 403
    assert "Your side handed this in." in text(answer)
    assert standing(game)[1] == "provisional"


def test_what_was_replaced_while_looking_is_not_confirmed(game, ana, bo):
    ana.do("send", **points(game, 150, 95))
    seen = Result.objects.get().pk
    ana.do("send", **points(game, 150, 90, after=Record.objects.get().pk))
    answer = bo.do("confirm", game=game.pk, result=seen)
    assert "Meanwhile something else was entered." in text(answer)
    assert standing(game) == ("150–90", "provisional", "", False)


def test_the_other_side_confirms_on_this_phone_with_its_pin(game, ana):
    ana.do("send", **points(game, 150, 95))
    pin = Side.objects.get(match=game.match, number=2).entrant.pin
    done = ana.do("pin", game=game.pk, result=Result.objects.get().pk, side=2, pin=pin)
    assert "Confirmed. The result counts now." in text(done)
    assert standing(game) == ("150–95", "official", "pin", False)


def test_the_other_side_disagrees_on_this_phone_with_its_pin(game, ana):
    ana.do("send", **points(game, 150, 95))
    assert "I disagree" in text(ana.look())
    side = Side.objects.get(match=game.match, number=2)
    sent = {"game": game.pk, "result": Result.objects.get().pk, "side": 2, "sentence": "I had 100"}
    assert ana.do("disagree", pin=wrong_pin(side), **sent).status_code == 422
    assert standing(game)[3] is False
    shown = text(ana.do("disagree", pin=side.entrant.pin, **sent))
    assert standing(game) == ("150–95", "provisional", "", True)
    assert "I had 100" in shown
    assert "I had 100" not in text(Phone(game.match).look())  # this phone has not chosen a name yet


def wrong_pin(side):
    return "0000" if side.entrant.pin != "0000" else "1111"


def test_ones_own_pin_does_not_confirm_ones_own_entry(game, ana):
    ana.do("send", **points(game, 150, 95))
    pin = Side.objects.get(match=game.match, number=1).entrant.pin
    answer = ana.do("pin", game=game.pk, result=Result.objects.get().pk, side=1, pin=pin)
    assert "Your side handed this in." in text(answer)
    assert standing(game)[1] == "provisional"


@pytest.mark.parametrize("pin", ["", "é" * 4, "12345678901234567890123", "\u0661\u0661\u0661\u0661", "%00"])
def test_hostile_pins_are_wrong_pins(game, ana, pin):
    ana.do("send", **points(game, 150, 95))
    answer = ana.do("pin", game=game.pk, result=Result.objects.get().pk, side=2, pin=pin)
    assert answer.status_code == 422
    assert "Wrong PIN for" in text(answer)


# --- Two that differ ---


def test_two_that_differ_stand_side_by_side_and_whoever_mistyped_enters_again(game, ana, bo):
    ana.do("send", **points(game, 150, 95))
    shown = text(bo.do("send", **points(game, 95, 150)))
    for words in (f"{names(game)[0]} beats {names(game)[1]} 150–95", f"{names(game)[1]} beats {names(game)[0]} 150–95"):
        assert words in shown
    assert "Under review" in shown
    assert "when an official decides" in shown
    assert "Yes, confirm it" not in shown
    assert standing(game)[3]
    last = Record.objects.filter(for_side=2).latest("pk").pk
    done = text(bo.do("send", **points(game, 150, 95, after=last)))
    assert "The result is confirmed" in done
    assert standing(game) == ("150–95", "official", "agreed", False)


def test_both_say_the_same_and_it_is_official(game, ana, bo):
    ana.do("send", **points(game, 150, 95))
    bo.do("send", **points(game, 150, 95))
    assert standing(game) == ("150–95", "official", "agreed", False)


# --- Taking back, sending again ---


def test_what_was_entered_is_taken_back_by_the_side_that_entered_it(game, ana, bo):
    ana.do("send", **points(game, 150, 95))
    record = Record.objects.get().pk
    refused = bo.do("undo", game=game.pk, record=record)
    assert refused.status_code in {403, 422}
    assert standing(game)[1] == "provisional"
    assert "Taken back." in text(ana.do("undo", game=game.pk, record=record))
    assert standing(game) is None
    late = ana.do("send", **points(game, 150, 95))
    assert "This was taken back meanwhile." in text(late)
    assert standing(game) is None


def test_what_made_the_match_official_at_once_is_taken_back_too(game, ana):
    League.objects.filter(pk=game.match.league_id).update(confirmation_required=False)
    done = text(ana.do("send", **points(game, 150, 95)))
    assert "The result is confirmed" in done
    assert "Take it back" in done
    assert "Take it back" not in text(Phone(game.match).look())
    ana.do("undo", game=game.pk, record=Record.objects.get().pk)
    assert standing(game) is None
    assert Match.objects.get(pk=game.match_id).state != "decided"


def test_whoever_comes_too_late_with_a_tap_is_shown_the_result(game, ana, bo):
    ana.do("send", **points(game, 150, 95))
    result = Result.objects.get().pk
    bo.do("confirm", game=game.pk, result=result)
    late = text(bo.do("confirm", game=game.pk, result=result))
    assert "This match is over by now. Here is its result." in late
    assert f"{names(game)[0]} beats {names(game)[1]} 150–95" in late


def test_the_same_twenty_times_is_one_record(game, ana):
    for _ in range(20):
        ana.do("send", **points(game, 150, 95))
    assert Record.objects.count() == 1


def test_too_much_from_one_phone_is_stopped_and_the_other_goes_on(game, ana, bo):
    answers = [ana.do("check", **points(game, 150, 95)).status_code for _ in range(45)]
    assert answers[-1] == 429
    assert bo.do("check", **points(game, 150, 95)).status_code == 200


def test_without_the_limit_nothing_is_stopped(game, ana, monkeypatch):
    """The control."""
    monkeypatch.setattr(guest, "LIMITS", {"table": "9999/m/ip,9999/m/key"})
    assert {ana.do("check", **points(game, 150, 95)).status_code for _ in range(45)} == {200}


def test_a_form_from_elsewhere_is_refused(game):
    client = Client(enforce_csrf_checks=True)
    assert client.post(f"/t/{game.match.door}/", {"do": "side", "side": 1}).status_code == 403
    assert not Side.objects.exclude(device="").exists()


@pytest.mark.parametrize("act", ["", "nothing", "__class__", "send\r\nX: y"])
def test_an_unknown_button_is_told(game, ana, act):
    answer = ana.do(act)
    assert answer.status_code == 422
    assert "Choose one of the buttons." in text(answer)


@pytest.mark.parametrize("side", ["", "0", "3", "x", "99999999999999999999"])
def test_there_are_two_sides_to_choose_from(game, side):
    answer = Phone(game.match).do("side", side=side)
    assert "Choose one of the two sides." in text(answer)


# --- What the league says ---


def test_it_says_when_silence_counts_where_the_league_says_so(game, ana, bo):
    ana.do("send", **points(game, 150, 95))
    assert "Without an objection" not in text(ana.look())
    League.objects.filter(pk=game.match.league_id).update(silence_minutes=20)
    until = Result.objects.get().entered_at + timedelta(minutes=20)
    local = until.astimezone(ZoneInfo(game.match.league.time_zone))
    for phone in (ana, bo):
        assert f"it is confirmed at {local:%H:%M}" in text(phone.look())


def test_it_promises_no_silence_where_the_loser_has_still_to_prove_its_word(game, ana, bo):
    League.objects.filter(pk=game.match.league_id).update(silence_minutes=20, second_side_proves=True)
    ana.do("send", **points(game, 95, 150))
    assert "Without an objection" not in text(ana.look())
    assert "Without an objection" not in text(bo.look())


def test_while_a_log_is_checked_nobody_is_asked_to_confirm(game, ana, bo):
    League.objects.filter(pk=game.match.league_id).update(silence_minutes=20)
    ana.do("send", **points(game, 150, 95))
    Record.objects.update(kind=KnownBy.LOG, state=Record.State.RECEIVED)
    shown = text(bo.look())
    assert "A log is being checked" in shown
    assert "Without an objection" not in shown
    assert 'value="confirm"' not in shown


def test_where_a_score_does_not_suffice_it_says_what_is_wanted(game, ana):
    Match.objects.update(level=KnownBy.LOG)
    shown = text(ana.look())
    assert "This match needs its full log; a score alone is not enough." in shown
    assert 'name="points-1"' not in shown
    answer = ana.do("send", **points(game, 150, 95))
    assert "This match needs more than that" in text(answer)
    assert not Record.objects.exists()


def test_it_leads_to_the_pad_while_the_match_is_open(game, ana, bo):
    assert f"/t/{game.match.door}/pad/" in text(ana.look())
    ana.do("send", **points(game, 150, 95))
    bo.do("send", **points(game, 150, 95))
    assert f"/t/{game.match.door}/pad/" not in text(ana.look())


def test_best_of_three_goes_from_game_to_game(game, ana, bo):
    Match.objects.filter(pk=game.match_id).update(best_of=3)
    games = [game, *(Game.objects.create(match=game.match, number=number) for number in (2, 3))]
    for one, (first, second) in zip(games, ((150, 95), (95, 150), (150, 5)), strict=True):
        assert f'name="game" value="{one.pk}"' in text(ana.look())
        ana.do("send", **points(one, first, second))
        bo.do("confirm", game=one.pk, result=Result.objects.get(game=one).pk)
    assert Match.objects.get(pk=game.match_id).state == "decided"
    assert "Game 1" in text(ana.look())


def test_without_a_script_a_page_that_waits_looks_again_and_one_with_a_form_does_not(game, ana):
    assert "http-equiv" not in text(ana.look())
    ana.do("send", **points(game, 150, 95))
    assert '<noscript><meta http-equiv="refresh" content="15"></noscript>' in text(ana.look())


def test_a_result_of_the_desk_is_confirmed_at_the_table(world, game, bo):
    enter_sheet(game, world.ref, {"scores": [150, 95]}, kind=KnownBy.SCORE)
    assert "Is this right?" in text(bo.look())
    bo.do("confirm", game=game.pk, result=Result.objects.get().pk)
    assert standing(game)[2] == "side"


# --- Signed in, on the page of the match ---


def score(game):
    return f"/matches/{game.match_id}/games/1/score/"


def test_a_player_who_is_signed_in_enters_the_score_beside_handing_in_a_log(world, browse, game):
    client = browse(world.alice)
    assert score(game) in text(client.get(f"/matches/{game.match_id}/"))
    told = client.post(score(game), {"do": "check"} | points(game, 150, 95))
    assert "Ana Ruiz beats Bo Chen 150–95" in text(told)
    assert not Record.objects.exists()
    done = client.post(score(game), {"do": "send"} | points(game, 150, 95), follow=True)
    assert "Entered: Ana Ruiz beats Bo Chen 150–95." in text(done)
    record = Record.objects.get()
    assert (record.for_side, record.via, record.submitted_by) == (1, "account", world.alice)
    before = "entered before: Ana Ruiz beats Bo Chen 150–95."
    assert f"Your side {before} A new entry takes its place." in text(client.get(score(game)))
    assert "Your entry confirms it if it is the same" in text(browse(world.bob).get(score(game)))


def test_the_score_form_is_for_the_players_and_the_desk(world, browse, game):
    assert browse(world.ref).get(score(game)).status_code == 200
    assert browse(world.charlie).get(score(game)).status_code == 403
    assert browse(world.charlie).post(score(game), {"do": "send"} | points(game, 150, 95)).status_code == 403
    assert browse().get(score(game)).status_code == 302
    assert browse(world.ref).get(f"/matches/{game.match_id}/games/9/score/").status_code == 404
    assert score(game) not in text(browse(world.charlie).get(f"/matches/{game.match_id}/"))
    assert not Record.objects.exists()


def test_a_game_that_is_known_from_its_log_takes_no_score(world, browse, game):
    small.played(world)
    assert browse(world.bob).get(score(game)).status_code == 302
    assert score(game) not in text(browse(world.bob).get(f"/matches/{game.match_id}/"))


def test_whoever_is_not_signed_in_sees_no_form_on_the_page_of_the_match(world, browse, game):
    assert score(game) not in text(browse().get(f"/matches/{game.match_id}/"))


# --- A judge, where every official plays ---


def test_a_judge_is_accepted_with_slip_or_pin_at_the_table(game, ana, bo, world):
    Role.objects.filter(league=world.league).exclude(kind=Role.Kind.PLAYER).delete()
    Role.objects.create(user=world.alice, league=world.league, kind=Role.Kind.OWNER)
    dora = enrol(league=world.league, name="Dora Paz", since=date(2026, 1, 1), user=small.account("dora")).player
    ana.do("send", **points(game, 150, 95))
    bo.do("send", **points(game, 95, 150))
    name_judge(game.match, "Dora Paz", by=world.alice)
    shown = text(bo.look())
    assert "Accept Dora Paz as the judge" in shown
    assert f'id="judge-pin-{game.pk}"' in shown
    assert bo.do("accept-judge", judge=dora.pk).status_code == 403
    side = Side.objects.select_related("entrant").get(match=game.match, number=2)
    assert "<bdi>Bo" in text(bo.do("accept-judge", judge=dora.pk, side=2, pin=side.entrant.pin))
    slip = Phone(game.match)
    slip.client.get(f"/me/{Side.objects.get(match=game.match, number=1).entrant.door}/")
    assert "judge-pin" not in text(slip.look())
    slip.do("accept-judge", judge=dora.pk)
    assert NamedJudge.objects.get().accepted == {"1": "slip", "2": "pin"}
    assert "as the judge</button>" not in text(bo.look())
    assert "Dora Paz" not in text(Phone(game.match).look())


# --- One person with two private windows ---


def test_in_a_knock_out_the_second_side_confirms_with_its_pin_slip_or_account(world) -> None:
    cup = small.knock_out(world, players=4, played=0)
    game = Game.objects.filter(match__slot__matchday__stage__competition=cup).order_by("pk").first()
    Match.objects.filter(pk=game.match_id).update(starts_at=timezone.now())
    one, two = Phone(game.match), Phone(game.match)
    one.do("side", side=1)
    two.do("side", side=2)
    one.do("send", **points(game, 150, 95))
    shown = text(two.look())
    assert "Confirm with the PIN on your slip" in shown
    assert "Yes, confirm it" not in shown
    result = Result.objects.get(game=game)
    refused = two.do("confirm", game=game.pk, result=result.pk)
    assert refused.status_code == 403
    assert "In this match the second side confirms with the PIN of its slip" in text(refused)
    assert standing(game)[1] == "provisional"
    side = Side.objects.select_related("entrant").get(match=game.match, number=2)
    slip = Phone(game.match)
    slip.client.get(f"/me/{side.entrant.door}/")
    assert "Yes, confirm it" in text(slip.look())
    two.do("pin", game=game.pk, result=result.pk, side=2, pin=side.entrant.pin)
    assert standing(game) == ("150–95", "official", "pin", False)


def test_in_a_knock_out_the_others_entry_is_accepted_with_the_pin(world) -> None:
    cup = small.knock_out(world, players=4, played=0)
    game = Game.objects.filter(match__slot__matchday__stage__competition=cup, records=None).order_by("pk").first()
    Match.objects.filter(pk=game.match_id).update(starts_at=timezone.now())
    one, two = Phone(game.match), Phone(game.match)
    one.do("side", side=1)
    two.do("side", side=2)
    one.do("send", **points(game, 150, 95))
    two.do("send", **points(game, 95, 150))
    hers = Result.objects.get(game=game, record__for_side=1)
    assert two.do("accept", game=game.pk, result=hers.pk).status_code == 403
    assert f'id="accept-{hers.pk}"' in text(two.look())
    side = Side.objects.select_related("entrant").get(match=game.match, number=2)
    two.do("accept", game=game.pk, result=hers.pk, side=2, pin=side.entrant.pin)
    assert standing(game) == ("150–95", "official", "pin", False)


def test_in_a_knock_out_the_winner_cannot_confirm_an_own_entry_in_the_losers_name(world) -> None:
    cup = small.knock_out(world, players=4, played=0)
    game = Game.objects.get(match__slot__matchday__stage__competition=cup, match__state="scheduled")
    Match.objects.filter(pk=game.match_id).update(starts_at=timezone.now())
    window, winner = Phone(game.match), Phone(game.match)
    entrants = [side.entrant for side in game.match.sides.select_related("entrant").order_by("number")]
    window.do("side", side=1)
    window.do("send", **points(game, 95, 150))
    winner.client.get(f"/me/{entrants[1].door}/")
    asked = {"game": game.pk, "result": Result.objects.get(game=game).pk}
    for refused in (winner.do("confirm", **asked), window.do("pin", side=2, pin=entrants[1].pin, **asked)):
        assert refused.status_code == 403
        assert "The losing side has not identified itself on the phone that entered this" in text(refused)
    assert standing(game)[1] == "provisional"
    # The loser can prove itself on that phone.
    assert "the losing side must identify itself" in text(window.look())
    window.do("move", side=1, pin=entrants[0].pin)
    assert "the losing side must identify itself" not in text(window.look())
    winner.do("confirm", **asked)
    assert standing(game) == ("95–150", "official", "side", False)


def test_in_a_knock_out_the_winner_enters_what_the_loser_did_not_prove_and_the_loser_confirms(world) -> None:
    cup = small.knock_out(world, players=4, played=0)
    game = Game.objects.get(match__slot__matchday__stage__competition=cup, match__state="scheduled")
    Match.objects.filter(pk=game.match_id).update(starts_at=timezone.now())
    loser, winner = Phone(game.match), Phone(game.match)
    entrants = [side.entrant for side in game.match.sides.select_related("entrant").order_by("number")]
    loser.do("side", side=1)
    winner.do("side", side=2)
    loser.do("send", **points(game, 95, 150))
    asked = {"game": game.pk, "result": Result.objects.get(game=game).pk}
    refused = winner.do("pin", side=2, pin=entrants[1].pin, **asked)
    assert "You can also enter the result yourself; the other side then confirms it." in text(refused)
    assert winner.do("send", **points(game, 95, 150)).status_code == 200
    assert "Confirm with the PIN on your slip" in text(loser.look())
    asked["result"] = Result.objects.get(game=game, current=True).pk
    loser.do("pin", side=1, pin=entrants[0].pin, **asked)
    assert standing(game) == ("95–150", "official", "pin", False)


def test_a_second_window_confirms_without_proof_and_the_real_player_is_asked(game, ana, world):
    window = Phone(game.match)
    window.do("side", side=2)
    ana.do("send", **points(game, 150, 95))
    window.do("confirm", game=game.pk, result=Result.objects.get().pk)
    assert Result.objects.get().one_device == "alike"
    side = Side.objects.select_related("entrant").get(match=game.match, number=2)
    bo = Phone(game.match)
    bo.client.defaults["HTTP_USER_AGENT"] = "another phone"
    assert "Who are you?" in text(bo.look())
    asked = text(bo.do("move", side=2, pin=side.entrant.pin))
    assert "This result was confirmed for you on the phone that entered it." in asked
    assert "confirmed for you" not in text(ana.look())
    shown = text(bo.do("send", **points(game, 95, 150)))
    assert "Under review" in shown
    assert standing(game) == ("150–95", "official", "side", True)
    desk = Client()
    desk.force_login(world.ref)
    assert "both sides from one address and browser" in text(desk.get(reverse("organize:grid", args=["harbour"])))


@pytest.mark.parametrize("first", ["account", "window"])
def test_an_account_and_a_window_of_one_browser_are_kept_and_the_real_player_is_asked(game, world, first):
    account, window = Phone(game.match, world.alice), Phone(game.match)
    window.do("side", side=2)
    speakers = (account, window) if first == "account" else (window, account)
    speakers[0].do("send", **points(game, 150, 95))
    speakers[1].do("confirm", game=game.pk, result=Result.objects.get().pk)
    assert (standing(game)[1], Result.objects.get().one_device) == ("official", "alike")
    side = Side.objects.select_related("entrant").get(match=game.match, number=2)
    bo = Phone(game.match)
    bo.client.get(f"/me/{side.entrant.door}/")
    assert "Yes, it is right" in text(bo.look())
    assert "Yes, it is right" not in text(account.look())


def test_the_real_player_says_yes_and_nothing_is_asked_any_more(game, ana):
    ana.do("send", **points(game, 150, 95))
    ana.do("leave")
    ana.do("side", side=2)
    ana.do("confirm", game=game.pk, result=Result.objects.get().pk)
    assert Result.objects.get().one_device == "same"
    side = Side.objects.select_related("entrant").get(match=game.match, number=2)
    bo = Phone(game.match)
    slip, question = f"/me/{side.entrant.door}/", "This result was confirmed for you on the phone that entered it."
    assert question in text(bo.client.get(slip))
    assert question not in text(Client().get(f"/me/{game.match.sides.get(number=1).entrant.door}/"))
    assert "Yes, it is right" in text(bo.look())
    assert ana.do("affirm", game=game.pk).status_code == 422  # its phone is not asked
    assert "The result is confirmed." in text(bo.do("affirm", game=game.pk))
    assert Result.objects.get().one_device == ""
    assert question not in text(bo.client.get(slip))
    assert "Yes, it is right" not in text(bo.look())
    assert standing(game) == ("150–95", "official", "side", False)

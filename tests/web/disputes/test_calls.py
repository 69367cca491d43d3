"""Call the referee in a browser without JavaScript: each caller, the list of the officials, the ruling at the table."""

import json
import re
from datetime import timedelta
from html import unescape
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django.utils.formats import date_format

from league.accounts.models import Role
from league.disputes.calls.services import call_referee
from league.disputes.models import RefereeCall, ZoneTable
from league.matches.clock import services as timekeeping
from league.matches.models import Match, Table
from league.matches.models.tally import TallyTap
from tests.league.matches.tapping import Pad, points, tap
from tests.web.matches.test_at_table import Phone

DESK = "/organize/harbour/referee/"


@pytest.fixture(autouse=True)
def _now(world):
    Match.objects.update(starts_at=timezone.now(), table=Table.objects.get(name="1"))


@pytest.fixture
def match(world) -> Match:
    return Match.objects.select_related("league", "table").get(pk=world.match.pk)


def text(answer) -> str:
    body = re.sub(r"<(script|style).*?</\1>", " ", answer.content.decode(), flags=re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", body)).split())


def page(match) -> str:
    return f"/matches/{match.pk}/referee/"


# --- Callers ---


def test_a_player_calls_with_two_taps_sees_who_comes_and_takes_it_back(world, match, browse) -> None:
    client = browse(world.alice)
    assert page(match) in client.get(f"/matches/{match.pk}/").content.decode()
    reasons = re.findall(r'name="do" value="(\w+)"', client.get(page(match)).content.decode())
    assert reasons == ["count", "muggins", "play", "clock", "conduct", "other"]
    answer = client.post(page(match), {"do": "muggins"}, follow=True)
    assert "Called just now. No referee is on the way yet. Your reason: Muggins" in text(answer)
    browse(world.ref).post(DESK, {"do": "go", "call": RefereeCall.objects.get().pk})
    said = "Called just now. ref is on the way."
    assert said in text(client.get(page(match)))
    assert f"Referee: {said} Show the call" in text(client.get(f"/matches/{match.pk}/"))
    assert "You took the call back." in text(client.post(page(match), {"do": "back"}, follow=True))
    assert RefereeCall.objects.get().ended_at is not None
    assert "Call the referee" in text(client.get(f"/matches/{match.pk}/"))


def test_the_code_on_a_card_is_enough_and_another_phone_joins(world, match) -> None:
    phone, other = Client(), Client()
    path = f"/t/{match.door}/referee/"
    assert path in phone.get(f"/t/{match.door}/").content.decode()
    assert "Your reason: Count" in text(phone.post(path, {"do": "count"}, follow=True))
    joins = text(other.get(path))
    assert "A player at this table called. Choose your reason to join." in joins
    assert "Your reason: Clock" in text(other.post(path, {"do": "clock"}, follow=True))
    assert RefereeCall.objects.get().callers.count() == 2
    assert "Referee: Called just now." in text(phone.get(f"/t/{match.door}/"))
    assert "You took the call back." in text(phone.post(path, {"do": "back"}, follow=True))
    assert RefereeCall.objects.get().ended_at is None


def test_a_side_calls_from_its_phone_and_from_its_slip(world, match) -> None:
    guest = Phone(match)
    guest.do("side", side=2)
    guest.client.post(f"/t/{match.door}/referee/", {"do": "play"})
    slip = Client()
    assert f"/t/{match.door}/referee/" in slip.get(f"/me/{world.entrants[0].door}/").content.decode()
    slip.post(f"/t/{match.door}/referee/", {"do": "other"})
    assert {caller.side for caller in RefereeCall.objects.get().callers.all()} == {
        2,
        match.sides.get(entrant=world.entrants[0]).number,
    }


def test_a_closed_or_unknown_card_calls_nobody(world, match) -> None:
    Match.objects.update(state=Match.State.DECIDED)
    assert Client().post(f"/t/{match.door}/referee/", {"do": "count"}).status_code == 302
    assert Client().get("/t/NOSUCHCODE/referee/").status_code == 404
    assert not RefereeCall.objects.exists()


def test_strangers_have_no_page(world, match, browse) -> None:
    assert browse(world.charlie).get(page(match)).status_code == 403
    assert browse(world.charlie).post(page(match), {"do": "count"}).status_code == 403
    assert Client().get(page(match)).status_code == 302


def test_a_wrong_reason_is_told(world, match, browse) -> None:
    assert "Choose a reason." in text(browse(world.alice).post(page(match), {"do": "noise"}, follow=True))


def test_the_pad_leads_to_the_call_and_shows_its_state(world, match, browse) -> None:
    client = browse(world.alice)
    pad = f"/matches/{match.pk}/games/1/pad/"
    assert page(match) in client.get(pad).content.decode()
    assert client.get(f"{pad}taps/").json()["call"] == ""
    call_referee(match, world.alice, "count")
    assert client.get(f"{pad}taps/").json()["call"] == "Called just now. No referee is on the way yet."


# --- Officials ---


@pytest.fixture
def call(world, match) -> RefereeCall:
    return call_referee(match, world.alice, "muggins")


def test_officials_see_the_call_on_home_desk_and_tables_and_players_do_not(world, call, browse) -> None:
    client = browse(world.ref)
    for path in ("/", "/organize/harbour/", "/organize/harbour/tables/"):
        assert "1 table calls the referee" in text(client.get(path))
    assert "1 table calls the referee" not in text(browse(world.alice).get("/"))
    assert "Table 1: Muggins" in text(client.get(DESK))


def test_the_own_zone_comes_first_and_is_handed_over(world, match, call, browse) -> None:
    client, zones = browse(world.ref), f"/organize/harbour/competitions/{world.competition.slug}/zones/"
    other = next(one for one in world.matches if one.pk != match.pk)
    two = Table.objects.get(name="2")
    Match.objects.filter(pk=other.pk).update(table=two)
    call_referee(Match.objects.get(pk=other.pk), world.ref, "clock")
    assert re.findall(r"Table (\d): ", text(client.get(DESK))) == ["1", "2"]
    client.post(zones, {"do": "set", "official": world.ref.pk, "table": [two.pk]})
    assert re.findall(r"Table (\d): ", text(client.get(DESK))) == ["2", "1"]
    assert "Your zone" in text(client.get(DESK))
    client.post(zones, {"do": "hand", "official": world.ref.pk, "to": world.owner.pk})
    assert ZoneTable.objects.get().official == world.owner
    assert "zone of owner" in text(client.get(DESK))
    assert "tables 2" in text(client.get(zones))


def test_the_desk_sees_calls_and_does_not_answer(world, match, call, browse) -> None:
    Role.objects.create(user=world.bob, league=world.league, kind=Role.Kind.DESK_HELPER)
    client = browse(world.bob)
    assert "Table 1: Muggins" in text(client.get(DESK))
    assert "On my way" not in text(client.get(DESK))
    assert client.post(DESK, {"do": "go", "call": call.pk}).status_code == 403
    assert client.get(f"{page(match)}{call.pk}/").status_code == 403


def test_the_referees_desk_has_the_calls_at_its_top_and_comes_back_to_it(world, call, browse) -> None:
    client, desk = browse(world.ref), "/organize/harbour/disputes/"
    shown = text(client.get(desk))
    assert shown.index("Table 1: Muggins") < shown.index("Open disputes")
    answer = client.post(DESK, {"do": "go", "call": call.pk, "back": "desk"})
    assert answer["Location"] == desk
    assert "ref is on the way" in text(client.get(desk))


@pytest.mark.parametrize(
    ("change", "listed"),
    [
        ({}, True),
        ({"starts_at": timezone.now() + timedelta(days=3)}, False),
        ({"starts_at": timezone.now() + timedelta(days=3), "state": Match.State.PLAYING}, True),
        ({"starts_at": None}, True),
        ({"starts_at": None, "table": None}, False),
    ],
)
def test_zones_are_of_competitions_that_run_today_or_are_at_tables(world, browse, change, listed) -> None:
    Match.objects.update(**change)
    shown = browse(world.ref).get(DESK).content.decode()
    assert (f"/organize/harbour/competitions/{world.competition.slug}/zones/" in shown) is listed


def test_a_referee_that_plays_does_not_settle(world, match, call, browse) -> None:
    Role.objects.create(user=world.alice, league=world.league, kind=Role.Kind.REFEREE)
    assert browse(world.alice).get(f"{page(match)}{call.pk}/").status_code == 403


def test_the_list_takes_the_same_statements_for_one_and_three_calls(world, browse, call) -> None:
    client = browse(world.ref)

    def statements() -> int:
        with CaptureQueriesContext(
            connection,
        ) as seen:
            client.get(DESK)
        return len(seen)

    client.get(DESK)
    one = statements()
    for other in world.matches:
        call_referee(Match.objects.get(pk=other.pk), world.ref, "clock")
    assert RefereeCall.objects.count() == 3
    assert statements() == one


# --- At the table ---


def test_one_answer_rules_and_both_pads_and_the_match_page_show_it(world, match, call, browse) -> None:
    keeper = Pad(world.game(match), world.alice)
    keeper.send(points(0, 15), at=timezone.now())
    client, path = browse(world.ref), f"{page(match)}{call.pk}/"
    names = [str(side) for side in match.sides.order_by("number")]
    shown = text(client.get(path))
    assert f"{names[0]} 15" in shown
    assert f"{names[0]} +15" in shown
    moments = f"after {names[1]} released the next tile, or passed, and before {names[0]} released"
    question = f"Did {names[1]} call muggins {moments}"
    assert question in text(client.get(path, {"side": 2, "points": 10}))
    sent = {"do": "yes", "about": "muggins", "side": 2, "points": 10}
    answer = client.post(path, sent, follow=True)
    ruling = f"Muggins: 10 points to {names[1]}."
    assert ruling in text(answer)
    assert "No table calls the referee." in text(answer)
    assert f"{ruling} Ruled at the table by ref." in text(browse(None).get(f"/matches/{match.pk}/"))
    for user in (world.alice, world.bob):
        taps = browse(user).get(f"/matches/{match.pk}/games/1/pad/taps/?after=1&pad={uuid4()}").json()
        assert [(tap["kind"], tap["seat"], tap["points"], tap["ruled"]) for tap in taps["taps"]] == [
            ("muggins", 1, 10, "ref")
        ]
        assert taps["call"] == "The referee has decided. Play on."
    assert f"{ruling} The referee has decided. Play on." in text(browse(world.alice).get(page(match)))
    assert ruling in text(client.get(path))


def test_the_lines_of_a_tile_pad_name_who_entered_them_and_when(world, match, call, browse) -> None:
    now = timezone.now()
    Pad(world.game(match), world.alice, 1).send(
        tap("line", line="round 1\nA 5-5"), tap("line", line="A call 10"), at=now
    )
    shown = text(browse(world.ref).get(f"{page(match)}{call.pk}/"))
    name, when = match.sides.get(number=1), date_format(timezone.localtime(now, ZoneInfo("Europe/Lisbon")), "H:i:s")
    assert f"{name} announced 10 (alice, {when}) {name} 5-5 (alice, {when})" in shown


def test_the_last_tap_of_the_play_is_replaced(world, match, call, browse) -> None:
    Pad(world.game(match), world.alice).send(points(0, 10), at=timezone.now())
    path = f"{page(match)}{call.pk}/"
    # The pad has the points as announced, so the announcement is in question; a no gives them to the claimant.
    page_now = browse(world.ref).get(path)
    names = [str(side) for side in match.sides.order_by("number")]
    assert f"Did {names[0]} say 10 before {names[1]} released the next tile, or passed?" in text(page_now)
    assert f"Yes Muggins: no points to {names[1]}. No Muggins: 10 points to {names[1]}." in text(page_now)
    form = dict(re.findall(r'<input type="hidden" name="(\w+)" value="(\w+)">', page_now.content.decode()))
    assert {name: form[name] for name in ("about", "side", "points", "favours", "on_pad")} == {
        "about": "muggins",
        "side": "2",
        "points": "10",
        "favours": "no",
        "on_pad": "yes",
    }
    other_play = browse(world.ref).get(path, {"about": "muggins", "side": 2, "points": 10, "on_pad": 0})
    assert f"Did {names[1]} call muggins after" in text(other_play)
    browse(world.ref).post(path, form | {"do": "no"})
    assert world.game(match).tally["points"] == [0, 10]


def test_the_referee_pauses_the_clock_and_the_ruling_resumes_it(world, match, call, browse) -> None:
    timekeeping.start_clock(world.game(match), world.ref)
    client, path = browse(world.ref), f"{page(match)}{call.pk}/"
    assert "ref is at the table; the clock is paused." in text(client.post(path, {"do": "pause"}, follow=True))
    client.post(path, {"do": "close", "sentence": "The bell did not ring."})
    assert [one.kind for one in world.game(match).clock_events.all()] == ["start", "pause", "resume"]


def test_a_sentence_and_a_penalty_close_a_call_and_conduct_is_not_public(world, match, browse) -> None:
    call = call_referee(match, world.alice, "conduct")
    Pad(world.game(match), world.alice).send(points(0, 10), at=timezone.now())
    path = f"{page(match)}{call.pk}/"
    sent = {"do": "close", "sentence": "Loud again.", "against": "2", "penalty": "30"}
    assert "The call is closed." in text(browse(world.ref).post(path, sent, follow=True))
    assert TallyTap.objects.get(ruled=True).points == 30
    public = text(browse(None).get(f"/matches/{match.pk}/"))
    assert "Loud" not in public
    assert "Penalty" not in public
    assert "Penalty against" in text(browse(world.ref).get(path))


def test_a_refusal_is_told_at_the_table(world, match, call, browse) -> None:
    client, path = browse(world.ref), f"{page(match)}{call.pk}/"
    assert "multiple of five" in text(
        client.post(path, {"do": "yes", "about": "muggins", "side": 1, "points": 7}, follow=True)
    )
    client.post(path, {"do": "hand", "to": world.owner.pk})
    call.refresh_from_db()
    assert call.taken_by == world.owner
    assert client.get(f"{page(match)}{call.pk + 1}/").status_code == 404


def test_rules_without_a_window_leave_the_sentence(world, match, call, browse) -> None:
    Match.objects.update(ruleset="double-six")
    shown = text(browse(world.ref).get(f"{page(match)}{call.pk}/"))
    assert "One question" not in shown
    assert "Close with a sentence" in shown


def test_given_facts_of_the_pad_stay_json(world, match, browse) -> None:
    body = browse(world.alice).get(f"/matches/{match.pk}/games/1/pad/").content.decode()
    assert json.loads(unescape(re.search(r'data-words="([^"]*)"', body)[1]))["ruled"] == "Ruled by %(by)s: %(tap)s"

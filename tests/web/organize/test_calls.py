"""The calls of an evening: who goes to which table, and those who do not come."""

import re
from datetime import timedelta
from types import SimpleNamespace

from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from league.competitions.draw.advancing import advance
from league.competitions.models import Berth, Competition
from league.matches.models import Match
from league.players.models import Player
from tests.league.competitions.cup import enter_result
from tests.web.organize.test_club_night import night, organize
from tests.web.organize.test_hall_tables import text

HALL = "/hall/harbour/"


def evening(world, **plan):
    return night(world, **{"dispatches": True, "tables": ("1", "2")} | plan)


def calls(cup, page):
    """The matches under each heading of the page."""
    parts = re.split(r"<h2[^>]*>([^<]+)</h2>", page.content.decode())[1:]
    rows = re.compile(r'<li class="call[^>]*>(.*?)</small></span>', re.DOTALL)
    return {
        title: [" ".join(re.sub(r"<[^>]+>", " ", one).split()) for one in rows.findall(part)]
        for title, part in zip(parts[::2], parts[1::2], strict=True)
    }


def first_called(cup):
    return Match.objects.filter(slot__matchday__stage__competition=cup, called_at__isnull=False).order_by("pk").first()


def called_row(page, match):
    html = page.content.decode()
    return html.split(f'id="call-{match.slot.pk}"')[1].split('<li class="call')[0]


def test_the_page_lists_calls_with_their_countdown_and_what_comes_next(world, browse):
    cup = evening(world)
    page = browse(world.ref).get(organize(cup, "calls"))
    shown = calls(cup, page)
    assert list(shown) == ["Called", "Next"]
    assert len(shown["Called"]) == 2
    assert re.fullmatch(r"Table 1: .+ – .+ Round 1 · called \d\d:\d\d · until \d\d:\d\d", shown["Called"][0])
    assert "time is up" not in text(page)
    assert "Forfeit" not in text(page)


def test_here_stops_the_countdown(world, browse):
    cup = evening(world)
    match, client = first_called(cup), browse(world.ref)
    assert client.post(organize(cup, "calls"), {"slot": match.slot.pk, "do": "here"}).url == organize(cup, "calls")
    shown = calls(cup, client.get(organize(cup, "calls")))["Called"]
    assert [one.endswith("all here") for one in shown] == [True, False]


def test_after_here_by_mistake_a_player_can_still_be_missing(world, browse):
    cup = evening(world)
    match, client = first_called(cup), browse(world.ref)
    absent = match.sides.first().entrant
    client.post(organize(cup, "calls"), {"slot": match.slot.pk, "do": "here"})
    Match.objects.filter(pk=match.pk).update(called_at=timezone.now() - timedelta(minutes=16))
    row = called_row(client.get(organize(cup, "calls")), match)
    assert "all here" in row
    assert [one in row for one in ("A player is missing", "5 more minutes", "Hold", "Forfeit")] == [True] * 3 + [False]
    # Two officials at the desk: the page of the other is older than *Here*.
    sent = {"slot": match.slot.pk, "entrant": absent.pk}
    assert f"Nobody waits for {absent}." in text(
        client.post(organize(cup, "calls"), sent | {"do": "forfeit"}, follow=True)
    )
    shown = calls(cup, client.post(organize(cup, "calls"), sent | {"do": "time"}, follow=True))
    assert str(absent) in shown["Waiting for a player"][0]


def test_a_called_match_is_put_on_hold_from_its_row(world, browse):
    cup = evening(world)
    row = called_row(browse(world.ref).get(organize(cup, "calls")), first_called(cup))
    assert 'value="hold"' in row
    assert 'value="here"' in row


def test_five_more_minutes_give_the_table_to_the_next_match(world, browse):
    cup = evening(world)
    match, client = first_called(cup), browse(world.ref)
    absent = match.sides.first().entrant
    sent = {"slot": match.slot.pk, "entrant": absent.pk, "do": "time"}
    shown = calls(cup, client.post(organize(cup, "calls"), sent, follow=True))
    assert list(shown)[:2] == ["Called", "Waiting for a player"]
    assert len(shown["Waiting for a player"]) == 1
    assert str(absent) in shown["Waiting for a player"][0]
    assert not any(str(absent) in one for one in shown["Called"])
    assert f"{absent.player.name} has not come (" in text(client.get(organize(cup, "competition"))), (
        "the table is another match's"
    )


def test_a_no_show_is_two_taps_once_the_time_is_up(world, browse):
    cup = evening(world)
    match, client = first_called(cup), browse(world.ref)
    absent = match.sides.first().entrant
    sent = {"slot": match.slot.pk, "entrant": absent.pk, "do": "forfeit"}
    assert f"{absent} has time until" in text(client.post(organize(cup, "calls"), sent, follow=True))
    Match.objects.filter(pk=match.pk).update(called_at=timezone.now() - timedelta(minutes=16))
    page = client.get(organize(cup, "calls"))
    assert "time is up" in text(page)
    assert "<details" in page.content.decode()
    assert "The match is forfeited" in text(client.post(organize(cup, "calls"), sent, follow=True))


def test_a_call_to_which_nobody_came_is_a_forfeit_of_both(world, browse):
    cup = evening(world)
    match, client = first_called(cup), browse(world.ref)
    sent = {"slot": match.slot.pk, "do": "nobody"}
    assert "Nobody came" not in text(client.get(organize(cup, "calls")))
    assert "has time until" in text(client.post(organize(cup, "calls"), sent, follow=True))
    Match.objects.filter(pk=match.pk).update(called_at=timezone.now() - timedelta(minutes=16))
    assert "Nobody came" in called_row(client.get(organize(cup, "calls")), match)
    done = client.post(organize(cup, "calls"), sent, follow=True)
    assert "Nobody came: both have lost. 1 forfeit waits for the other side or another official." in text(done)
    match.refresh_from_db()
    assert match.state == "provisional"
    assert match.games.get().results.get(current=True).winner is None


def test_a_side_with_time_left_did_not_stay_away(world, browse):
    cup = evening(world)
    match, client = first_called(cup), browse(world.ref)
    sent = {"slot": match.slot.pk, "entrant": match.sides.first().entrant_id, "do": "time"}
    Match.objects.filter(pk=match.pk).update(called_at=timezone.now() - timedelta(minutes=16))
    client.post(organize(cup, "calls"), sent)
    Berth.objects.filter(awaited_since__isnull=False).update(awaited_since=timezone.now() - timedelta(minutes=16))
    row = called_row(client.get(organize(cup, "calls")), match)
    assert ["Forfeit" in row, "Nobody came" in row] == [True, False]


def test_in_a_knock_out_it_leads_to_the_match_that_an_official_decides(world, browse):
    cup = evening(world, count=4, format="single_elimination")
    match, client = first_called(cup), browse(world.ref)
    Match.objects.filter(pk=match.pk).update(called_at=timezone.now() - timedelta(minutes=16))
    done = client.post(organize(cup, "calls"), {"slot": match.slot.pk, "do": "nobody"}, follow=True)
    assert done.redirect_chain == [(f"/matches/{match.pk}/", 302)]
    assert "An official decides who advances." in text(done)


def test_a_match_is_put_on_hold_and_released(world, browse):
    cup = evening(world)
    match, client = first_called(cup), browse(world.ref)
    client.post(organize(cup, "calls"), {"slot": match.slot.pk, "do": "hold"})
    shown = calls(cup, client.get(organize(cup, "calls")))
    assert len(shown["On hold"]) == 1
    client.post(organize(cup, "calls"), {"slot": match.slot.pk, "do": "release"})
    assert "On hold" not in calls(cup, client.get(organize(cup, "calls")))
    assert client.post(organize(cup, "calls"), {"slot": "77777", "do": "hold"}).status_code == 404


def test_the_page_asks_the_same_for_one_call_and_for_three(world, browse):
    counted = []
    for tables in (("1",), ("1", "2", "3")):
        cup = evening(world, count=8, tables=tables, name=f"With {len(tables)}")
        Match.objects.exclude(slot__matchday__stage__competition=cup).update(called_at=None)
        client = browse(world.ref)
        client.get(organize(cup, "calls"))
        with CaptureQueriesContext(
            connection,
        ) as asked:
            client.get(organize(cup, "calls"))
        counted.append(len(asked))
    assert counted[0] == counted[1]
    assert counted[0] <= 20


def test_a_fixed_plan_says_that_nothing_is_called(world, browse):
    page = browse(world.ref).get(organize(night(world), "calls"))
    assert "This competition follows its fixed plan; there are no table calls." in text(page)


def test_the_tools_of_the_evening_lead_to_the_calls(world, browse):
    page = browse(world.owner).get(organize(evening(world), "competition")).content.decode()
    assert page.count(organize(Competition.objects.get(name="Tuesday"), "calls")) == 1
    assert ">No-show<" not in re.sub(r"</svg>", "", page)


def test_the_evening_lists_called_matches_first_and_tables_only_of_those(world, browse):
    page = browse(world.owner).get(organize(evening(world), "competition")).content.decode()
    tables = re.findall(r'<span class="at">(.*?)<span class="who">', page, re.DOTALL)
    assert len(tables) > 2
    assert ["Without a table" in one for one in tables] == [False, False, *[True] * (len(tables) - 2)]


def test_the_big_screen_calls_players_until_they_are_here(world, browse):
    cup = evening(world)
    shown = text(browse(None).get(HALL))
    assert "Please go to your table" in shown
    assert re.search(r"Table 1 \S.* – .* called \d\d:\d\d", shown)
    Match.objects.update(here_at=timezone.now())
    assert "Please go to your table" not in text(browse(None).get(HALL))
    Match.objects.update(here_at=None)
    Match.objects.filter(called_at__isnull=False).update(called_at=timezone.now() - timedelta(minutes=15))
    assert "Please go to your table" not in text(browse(None).get(HALL))
    assert cup.dispatches


def test_the_big_screen_tells_no_table_of_a_minor(world, browse):
    evening(world)
    Player.objects.update(born=timezone.now().year - 12)
    shown = text(browse(None).get(HALL))
    calls_part = shown.partition("Please go to your table")[2]
    assert "At the desk" in calls_part
    assert "Table 1" not in calls_part
    assert "Ana Ruiz" not in shown


def test_results_of_every_ready_match_of_a_knock_out_can_be_typed_whatever_the_hour(world, browse):
    cup = evening(world, count=4, format="double_elimination", tables=("1",))
    for match in Match.objects.filter(slot__matchday__stage__competition=cup):
        enter_result(SimpleNamespace(referee=world.ref), match, 1)
        advance(match.pk)
    shown = browse(world.ref).get(organize(cup, "competition_grid"))
    later = Match.objects.filter(slot__matchday__stage__competition=cup, state="scheduled", called_at=None)
    assert later.get().starts_at > timezone.now()
    assert f'id="game-{later.get().games.get().pk}"' in shown.content.decode()

"""The home page."""

import gzip
import re
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from league.competitions.following import follow
from league.competitions.queries import home as home_queries
from league.competitions.queries.home import home
from league.matches.logs.submission import Fixture, schedule_matches
from league.matches.models import Game, Match, Result
from league.players.services import enrol
from tests.web import world as small
from tests.web.test_calls import evening


def test_the_home_page_shows_live_latest_and_next(world, browse) -> None:
    small.played(world, official=True)
    others = [match for match in world.matches if match != world.match]
    now = timezone.now()
    Match.objects.filter(pk=others[0].pk).update(starts_at=now - timedelta(minutes=10))
    Match.objects.filter(pk=others[1].pk).update(starts_at=now + timedelta(days=1))
    html = browse().get("/").content.decode()
    for heading in ("Live now", "Next", "Today’s results", "Competitions"):
        assert f">{heading}<" in html.replace(" <small", "<small")
    assert html.index(">Live now") < html.index(">Next<") < html.index(">Today’s results<")
    assert "3 players" in html
    assert "1 of 3 matches confirmed" in html
    # A confirmed result is the usual case, and has no mark.
    assert "Confirmed" not in html


def test_a_player_is_told_which_results_wait_for_them(world, browse) -> None:
    small.played(world)
    assert "Needs you" in browse(world.bob).get("/").content.decode()
    assert "Needs you" not in browse(world.alice).get("/").content.decode()
    assert "Needs you" not in browse().get("/").content.decode()


def test_a_site_without_any_account_leads_to_the_page_of_the_first(db, browse) -> None:
    answer = browse().get("/")
    assert (answer.status_code, answer.url) == (302, "/first/")


def test_an_empty_site_says_so(db, browse) -> None:
    small.account("olga")
    html = browse().get("/").content.decode()
    assert "No results yet." in html
    assert "No competitions yet." in html


@pytest.mark.parametrize("rows", [1, 3])
def test_the_home_page_takes_the_same_statements_for_one_and_three_results(
    world, browse, django_assert_num_queries, rows
) -> None:
    for match in world.matches[:rows]:
        small.played(world, match)
    # Nothing is live or to come, on any day on which this runs.
    Match.objects.update(starts_at=None)
    client = browse()
    for _ in range(2):  # small tables are drawn at the first looks
        client.get("/")
    with django_assert_num_queries(17):
        client.get("/")


@pytest.mark.parametrize(("user", "shown"), [("alice", True), ("ref", False), (None, False)])
def test_a_player_keeps_the_score_of_the_own_match_from_here(world, browse, user, shown) -> None:
    """The first match has begun; that of another day, and a decided one, are not offered."""
    now = timezone.now()
    Match.objects.update(starts_at=now + timedelta(days=3), published_at=now - timedelta(days=2))
    Match.objects.filter(pk=world.match.pk).update(starts_at=now + timedelta(minutes=50))
    client = browse(user and getattr(world, user))
    link = f'href="/t/{world.match.door}/pad/"'
    html = client.get("/").content.decode()
    assert (link in html, html.count("/pad/")) == (shown, int(shown))
    if shown:
        assert client.get(f"/t/{world.match.door}/pad/").url == f"/t/{world.match.door}/pad/1/keep/"
    Match.objects.filter(pk=world.match.pk).update(state=Match.State.DECIDED)
    assert link not in client.get("/").content.decode()


def test_the_slip_of_a_player_leads_to_the_score_too(world, browse) -> None:
    Match.objects.update(starts_at=timezone.now())
    client = browse()
    client.get(f"/me/{world.entrants[0].door}/")
    assert f'href="/t/{world.match.door}/pad/"' in client.get("/").content.decode()


def test_a_result_is_a_row_whose_link_holds_both_names_and_scores(world, browse) -> None:
    small.played(world)
    row = browse().get("/").content.decode().split('<li class="row">')[1].split("</li>")[0]
    assert row.startswith(f'<a href="/matches/{world.match.pk}/">')
    told = " ".join(re.sub("<[^>]+>", " ", row).split())
    assert re.fullmatch(r"(Winner: )?Ana Ruiz \d+ (Winner: )?Bo Chen \d+ unconfirmed Verified from the log", told), told


def test_the_next_match_of_the_reader_is_first_with_opponent_table_meetings_and_place(world, browse) -> None:
    small.played(world, official=True)
    mine = next(match for match in world.matches if match != world.match and plays(match, world.entrants[0]))
    soon = timezone.now() + timedelta(minutes=50)
    Match.objects.filter(pk=mine.pk).update(starts_at=soon, table=world.league.tables.first())
    html = browse(world.alice).get("/").content.decode()
    shown = " ".join(re.sub("<[^>]+>", " ", html.split('class="my-next"')[1].split("</section>")[0]).split())
    assert "You play Cleo Diaz" in shown
    assert "Table 1" in shown
    assert re.search(r"in (49|50) minutes", shown)
    assert re.search(r"Your place: [12] ", shown)
    assert "Keep score" in shown
    assert html.index('class="my-next"') < html.index(">Live now")
    for other in (browse(), browse(world.ref)):
        assert "my-next" not in other.get("/").content.decode()


def test_the_card_of_the_next_match_counts_earlier_meetings(world, browse) -> None:
    small.played(world, official=True)
    again = Fixture(
        league=world.league,
        entrants=world.entrants[:2],
        ruleset="udl",
        options={},
        published_at=timezone.now(),
        best_of=1,
    )
    schedule_matches([replace(again, starts_at=timezone.now() + timedelta(minutes=5))])
    shown = {who: browse(getattr(world, who)).get("/").content.decode() for who in ("alice", "bob")}
    meetings = {who: re.search(r"Head-to-head (\d–\d)", html)[1] for who, html in shown.items()}
    assert sorted(meetings.values()) == ["0–1", "1–0"]


def plays(match: Match, entrant) -> bool:
    return match.sides.filter(entrant=entrant).exists()


def at_the_table(world, count: int) -> list[Match]:
    """Matches between Ana and Bo that began ten minutes ago; nothing else is live."""
    Match.objects.update(starts_at=None)
    now = timezone.now()
    agreed = Fixture(
        league=world.league, entrants=world.entrants[:2], ruleset="udl", options={}, published_at=now, best_of=3
    )
    return schedule_matches([replace(agreed, starts_at=now - timedelta(minutes=10))] * count)


def tallied(match: Match, points: list[int], at: str) -> None:
    Game.objects.filter(match=match, number=1).update(tally={"points": points, "round": 2, "at": at})


def live_ids(html: str) -> list[int]:
    return [
        int(one)
        for one in re.findall(r'href="/matches/(\d+)/"', html.split('id="live"')[1].split("</section>", maxsplit=1)[0])
    ]


def test_what_is_followed_is_first_then_finals_then_the_closest_score_then_the_latest_event(world, browse) -> None:
    far, close, later, followed = at_the_table(world, 4)
    cup = small.knock_out(world, players=2, played=-1)
    final = Match.objects.get(slot__matchday__stage__competition=cup)
    Match.objects.filter(pk=final.pk).update(starts_at=timezone.now() - timedelta(minutes=5))
    tallied(far, [100, 20], "2026-11-06T19:00:00+00:00")
    tallied(close, [60, 55], "2026-11-06T19:01:00+00:00")
    tallied(later, [70, 65], "2026-11-06T19:02:00+00:00")
    other = enrol(league=world.league, name="Zoe Paz", since=date(2026, 1, 1))
    followed.sides.filter(number=2).update(entrant=other)
    follow(world.bob, [f"player:{other.player.code}"], timezone.now())
    assert live_ids(browse(world.bob).get("/").content.decode()) == [followed.pk, final.pk, later.pk, close.pk, far.pk]
    assert live_ids(browse().get("/").content.decode()) == [final.pk, later.pk, close.pk, far.pk, followed.pk]


def test_a_live_card_says_which_game_is_on_and_at_which_table(world, browse) -> None:
    [match] = at_the_table(world, 1)
    Match.objects.filter(pk=match.pk).update(table=world.league.tables.first())
    small.played(world, match)
    Match.objects.filter(pk=match.pk).update(state="playing")
    card = browse().get("/").content.decode().split('id="live"')[1].split("</li>")[0]
    assert "Game 2 of 3" in card
    assert "Table 1" in card


def test_of_many_live_matches_a_dozen_is_shown_and_the_rest_counted(world, browse) -> None:
    at_the_table(world, 3)
    client = browse()
    with CaptureQueriesContext(connection) as few:
        client.get("/")
    at_the_table(world, 200)
    Match.objects.filter(starts_at=None, state="scheduled").exclude(slot__isnull=False).update(
        starts_at=timezone.now() - timedelta(minutes=10)
    )
    with CaptureQueriesContext(connection) as many:
        html = client.get("/").content.decode()
    assert len(live_ids(html)) == 12
    assert "188 more matches are live" in html
    assert len(few) == len(many)
    assert len(gzip.compress(html.encode())) < 30_000


def news_of(html: str) -> str:
    return re.sub("<[^>]+>", "", re.search(r"data-news>(.*?)</p>", html)[1])


def test_the_list_of_what_is_live_is_that_of_the_home_page_in_its_order(world, browse) -> None:
    far, close = at_the_table(world, 2)
    tallied(far, [100, 20], "2026-11-06T19:00:00+00:00")
    tallied(close, [60, 55], "2026-11-06T19:01:00+00:00")
    client = browse()
    for path in ("/", "/now/"):
        html = client.get(path).content.decode()
        assert live_ids(html) == [close.pk, far.pk]
        assert news_of(html) == ""
    assert client.get("/now/")["Cache-Control"].count("no-store") == 1


def test_of_what_is_shown_already_the_order_stays_and_the_rest_is_counted(world, browse) -> None:
    one, two, three = at_the_table(world, 3)
    tallied(three, [60, 55], "2026-11-06T19:01:00+00:00")
    client = browse()

    def asked(*shown: object) -> tuple[list[int], str]:
        html = client.get("/now/", {"shown": ",".join(str(key) for key in shown)}).content.decode()
        return live_ids(html), news_of(html)

    assert asked(one.pk, two.pk, three.pk) == ([one.pk, two.pk, three.pk], "")
    assert asked(two.pk) == ([two.pk], "2 new matches")
    assert asked() == ([], "3 new matches")
    Match.objects.filter(pk=two.pk).update(starts_at=None)
    assert asked(two.pk, one.pk, three.pk) == ([one.pk, three.pk], "Renew the list")
    assert asked(two.pk, one.pk) == ([one.pk], "1 new match")
    assert asked("x", "9" * 40, -1, one.pk, three.pk) == ([one.pk, three.pk], "Renew the list")


def test_a_live_match_that_is_shown_stays_beyond_those_that_are_ordered(world, browse, monkeypatch) -> None:
    _first, second = at_the_table(world, 2)
    monkeypatch.setattr(home_queries, "LIVE_ORDERED", 1)
    assert live_ids(browse().get("/now/", {"shown": second.pk}).content.decode()) == [second.pk]


def test_a_match_that_somebody_must_not_know_of_is_not_told_because_its_number_is_guessed(world, browse) -> None:
    [hidden] = at_the_table(world, 1)
    Match.objects.filter(pk=hidden.pk).update(published_at=None)
    assert live_ids(browse().get("/now/", {"shown": hidden.pk}).content.decode()) == []


def test_the_running_scores_of_a_page_come_alone(world, browse) -> None:
    first, second, third, hidden = at_the_table(world, 4)
    for number, match in enumerate((first, second, hidden)):
        tallied(match, [60, 55 + 5 * number], "2026-11-06T19:01:00+00:00")
    Match.objects.filter(pk=hidden.pk).update(published_at=None)
    client = browse()
    asked = {"of": f"{second.pk},{third.pk},{hidden.pk},x,{'9' * 40},-1,"}
    answer = client.get("/now/scores/", asked)
    html = answer.content.decode()
    assert re.findall(r'data-tally="(\d+)".*?<b>(.*?)</b>', html) == [(str(second.pk), "60–60")]
    assert len(html) < 350
    assert answer["Cache-Control"] == "private, no-cache"
    same = client.get("/now/scores/", asked, headers={"If-None-Match": answer["ETag"]})
    assert (same.status_code, same.content) == (304, b"")
    tallied(second, [75, 60], "2026-11-06T19:02:00+00:00")
    assert client.get("/now/scores/", asked, headers={"If-None-Match": answer["ETag"]}).status_code == 200
    assert "data-tally" not in client.get("/now/scores/").content.decode()


def test_where_nothing_is_live_the_page_says_so(world, browse) -> None:
    Match.objects.update(starts_at=None)
    html = browse().get("/").content.decode()
    assert "No match is being played at this moment." in html
    assert "http-equiv" not in html


def test_the_results_of_today_stand_before_older_ones(world, browse) -> None:
    small.played(world)
    assert "Today’s results" in browse().get("/").content.decode()
    Result.objects.update(entered_at=timezone.now() - timedelta(days=2))
    html = browse().get("/").content.decode()
    assert "Latest results" in html
    assert "Today’s results" not in html


def test_an_evening_is_whole_after_midnight_in_the_time_zone_of_its_league(world) -> None:
    """22:50 in Lisbon is of the same evening at 00:30, and of the day before at 05:30."""
    small.played(world)
    evening = datetime(2026, 7, 6, 21, 50, tzinfo=UTC)
    Result.objects.update(entered_at=evening)
    passed = {minutes: home(AnonymousUser(), evening + timedelta(minutes=minutes)).today for minutes in (0, 100, 400)}
    assert passed == {0: True, 100: True, 400: False}


def test_my_leagues_are_those_in_which_i_play_or_have_a_role(world, browse) -> None:
    for user, told in ((world.alice, "Harbour"), (world.charlie, "Hill")):
        part = browse(user).get("/").content.decode().split('id="mine"')[1].split("</section>")[0]
        assert part.count("/leagues/") == 1
        assert told in part
    assert 'id="mine"' not in browse().get("/").content.decode()


def card(html: str) -> str:
    return " ".join(re.sub("<[^>]+>", " ", html.partition("data-mine")[2].partition("</section>")[0]).split())


def test_the_own_card_is_asked_for_alone_and_says_what_is_true_now(world, browse) -> None:
    """Score, state, and after the end the next match, whatever was cached before."""
    own = [match for match in world.matches if plays(match, world.entrants[0])]
    now, client = timezone.now(), browse(world.alice)
    for hours, match in enumerate(own, start=1):
        Match.objects.filter(pk=match.pk).update(starts_at=now + timedelta(hours=hours))
    first, second = (match.sides.exclude(entrant=world.entrants[0]).get().entrant for match in own)
    assert f"You play {first}" in card(client.get("/now/mine/").content.decode())
    Match.objects.filter(pk=own[0].pk).update(state=Match.State.PLAYING)
    tally = {"points": [85, 60], "round": 3, "at": now.isoformat()}
    Game.objects.filter(match=own[0], number=1).update(tally=tally)
    answer = client.get("/now/mine/")
    assert f"You are playing {first}" in card(answer.content.decode())
    assert "85–60" in card(answer.content.decode())
    assert "no-store" in answer["Cache-Control"]
    Match.objects.filter(pk=own[0].pk).update(state=Match.State.DECIDED)
    assert f"You play {second}" in card(client.get("/now/mine/").content.decode())
    Match.objects.filter(pk=own[1].pk).update(state=Match.State.DECIDED)
    assert "my-next" not in client.get("/now/mine/").content.decode()


def test_a_called_match_is_the_next_one_with_its_table_and_its_time(world, browse) -> None:
    match = evening(world)
    earlier = next(one for one in world.matches if plays(one, world.entrants[0]))
    Match.objects.filter(pk=earlier.pk).update(starts_at=timezone.now() - timedelta(minutes=30))
    until = timezone.localtime(match.called_at + timedelta(minutes=15), ZoneInfo("Europe/Lisbon"))
    html = browse(world.alice).get("/now/mine/").content.decode()
    assert f'data-own="{match.pk}"' in html
    assert f"Table 3 now Be there by {until:%H:%M}" in card(html)


def test_only_a_player_has_a_place_for_the_own_match(world, browse) -> None:
    Match.objects.update(starts_at=None, state=Match.State.DECIDED)
    assert "data-mine" in browse(world.alice).get("/").content.decode()
    for other in (browse(), browse(world.ref)):
        assert "data-mine" not in other.get("/").content.decode()
        assert "my-next" not in other.get("/now/mine/").content.decode()


@pytest.mark.parametrize("rows", [1, 3])
def test_the_own_card_takes_the_same_statements_for_one_match_and_for_three(
    world, browse, django_assert_num_queries, rows
) -> None:
    now, both = timezone.now(), world.entrants[:2]
    agreed = Fixture(league=world.league, entrants=both, ruleset="udl", options={}, published_at=now, best_of=1)
    Match.objects.update(starts_at=None, state=Match.State.DECIDED)
    schedule_matches([replace(agreed, starts_at=now + timedelta(hours=hour)) for hour in range(1, rows + 1)])
    client = browse(world.alice)
    with django_assert_num_queries(15):
        client.get("/now/mine/")

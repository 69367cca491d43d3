"""The organizer's page of a competition begins with the day; rounds come before players, one at a time where they are
many.
"""

import re
from dataclasses import replace
from datetime import timedelta

import pytest
from django.utils import timezone

from league.accounts.models import Role
from league.competitions.attendance.check_in import check_in
from league.competitions.attendance.withdrawals import withdraw
from league.competitions.draw.advancing import advance
from league.competitions.draw.plans import Plan, found
from league.competitions.draw.publishing import publish
from league.competitions.draw.schedule import calling
from league.competitions.draw.stages import draw
from league.competitions.models import Competition, Matchday, Slot, Stage
from league.competitions.registration.entries import register
from league.matches.models import KnownBy, Match
from league.matches.results.entering import enter_sheet
from league.players.services import enrol
from tests.web import world as small

BY_ROUND = Competition.Release.ROUND_BY_ROUND


def text(html):
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def made(world, count, *, published=True, **plan):
    people = [enrol(league=world.league, name=f"P{n:02}", since=small.FIRST.date()) for n in range(1, count + 1)]
    wanted = {"name": "Tuesday", "ruleset": "udl", "starts_at": timezone.now(), "tables": ("1", "2", "3")} | plan
    competition = found(world.league, Plan(**wanted), user=world.owner)
    register(competition, people)
    draw(competition, user=world.owner)
    if published:
        publish(competition, user=world.owner)
    return competition


PAGE = "/organize/harbour/competitions/tuesday/"


def play(world, competition, number):
    for match in Match.objects.filter(slot__matchday__stage__competition=competition, slot__matchday__number=number):
        record = small.hand_in(match.games.get(), world.ref)
        small.judge(record)
        small.enter(record, official_by=world.owner)
        advance(match.pk)


def strip(html):
    """(title, its state, whether something is missing) of each step."""
    found = re.findall(r'<li class="day-step (\w+)( held)?"[^>]*>.*?<span class="day-title">([^<]*)<', html, re.DOTALL)
    return [(title, state, bool(held)) for state, held, title in found]


def primary(html):
    """Buttons and links of the day that are not quiet."""
    day = html.split('id="publish"')[1].split("</section>")[0].split('<details class="early-round"')[0]
    found = re.findall(r'<(a|button) class="(?:button|night-tool now)"[^>]*>(.*?)</\1>', day, re.DOTALL)
    return [text(inside) for _tag, inside in found]


def test_in_every_state_one_button_is_the_primary_one(world, browse):
    """Names, check-in, draw, publish, round, next round to draw, draft of it, stale draft, lots, over."""
    client, seen = browse(world.owner), []

    def look():
        seen.append(primary(client.get(PAGE).content.decode()))

    people = [enrol(league=world.league, name=f"P{n:02}", since=small.FIRST.date()) for n in range(1, 5)]
    plan = Plan(name="Tuesday", ruleset="udl", starts_at=timezone.now(), format="swiss", release=BY_ROUND)
    cup = found(world.league, replace(plan, tie_breaks=("match_points", "lot")), user=world.owner)
    look()
    register(cup, people)
    look()
    check_in(cup, people[0], user=world.owner)
    look()
    for one in people[1:]:
        check_in(cup, one, user=world.owner)
    draw(cup, user=world.owner)
    look()
    publish(cup, user=world.owner)
    look()
    play(world, cup, 1)
    look()
    client.post(f"{PAGE}draw/next/")
    look()
    withdraw(cup, people[3], user=world.owner, reason="went home")
    look()
    client.post(f"{PAGE}rounds/2/pairs/", {"do": "anew"})
    client.post(f"{PAGE}rounds/2/publish/")
    play(world, cup, 2)
    look()
    client.post(f"{PAGE}lots/")
    look()
    assert seen == [
        ["Add players"],
        ["Draw"],
        ["Check-in"],
        ["Publish"],
        ["Enter results"],
        ["Pair round 2"],
        ["Publish Round 2"],
        ["Pair again"],
        ["Draw the lots"],
        ["Final ranking"],
    ]


def test_a_running_evening_has_strip_tables_and_tools_and_folds_all_else(world, browse):
    made(world, 32, format="single_elimination", tables=tuple(str(n) for n in range(1, 17)))
    html = browse(world.owner).get(PAGE).content.decode()
    seen, folded = html.split("<main")[1].split('<details class="more"')
    seen = re.sub(r"<details.*?</summary>", "<summary>", seen, flags=re.DOTALL).replace("</summary>", "")
    assert len(re.findall(r"<a |<button|<summary|<input(?! type=.hidden)|<select", seen)) <= 30
    assert seen.count("No result yet") == 16
    assert all(f'id="{one}"' in folded for one in ("evening", "rounds", "entrants"))
    assert (
        browse(world.owner).get(f"{PAGE}?round=2").content.decode().count('<details class="more" id="more" open>') == 1
    )


def test_the_next_match_of_each_table_is_listed_before_later_rounds(world, browse):
    made(world, 6, tables=("2", "10", "Bar"), starts_at=timezone.now() + timedelta(hours=3))
    seen = text(browse(world.owner).get(PAGE).content.decode().split('class="night-tables"')[1])
    rows = re.findall(r"Table (2|10|Bar) .*? Round (\d)", seen)
    assert rows[:6] == [("Bar", "1"), ("2", "1"), ("10", "1"), ("Bar", "2"), ("2", "2"), ("10", "2")]


def test_of_matches_that_wait_for_a_table_earlier_rounds_come_first(world, browse):
    cup = made(world, 6, tables=("1", "2"), dispatches=True)
    match = Match.objects.filter(slot__matchday__stage__competition=cup, slot__matchday__number=1).first()
    enter_sheet(match.games.get(), world.ref, {"scores": [150, 95]}, kind=KnownBy.SCORE)
    calling.sweep()
    seen = text(browse(world.owner).get(PAGE).content.decode().split('class="night-tables"')[1])
    rounds = [int(one) for one in re.findall(r"Without a table .*? Round (\d)", seen)]
    assert len(rounds) > 6
    assert rounds == sorted(rounds)


def test_what_the_organizer_settles_is_below_the_tables_and_no_obstacle_besides(world, browse):
    cup = made(world, 32, format="single_elimination", tables=tuple(str(n) for n in range(1, 17)))
    for match in Match.objects.filter(slot__matchday__stage__competition=cup, slot__matchday__number=1)[:5]:
        enter_sheet(match.games.get(), world.ref, {"scores": [150, 95]}, kind=KnownBy.SCORE)
    html = browse(world.owner).get(PAGE).content.decode()
    seen = html.split("<main")[1].split('<details class="more"')[0]
    assert seen.index("night-tables") < seen.index("Needs you <small>5</small>")
    assert seen.count('<li data-kind="confirm"') == 3
    assert 'data-hold="unconfirmed"' not in seen
    unfolded = re.sub(r"<details.*?</summary>", "<summary>", seen, flags=re.DOTALL).replace("</summary>", "")
    assert len(re.findall(r"<a |<button|<summary|<input(?! type=.hidden)|<select", unfolded)) <= 30
    other = browse(world.ref).get(PAGE).content.decode()
    assert "Needs you" not in other, "this referee entered them"
    assert 'data-hold="unconfirmed"' in other
    paged = browse(world.owner).get(PAGE, {"needs": 2}).content.decode()
    assert 'id="more" open' not in paged


def test_the_day_says_where_everything_stands_and_has_one_button_for_now(world, browse):
    cup = made(world, 6, format="swiss", release=BY_ROUND, fee=500)
    check_in(cup, cup.registrations.get(seed=1).entrant, user=world.owner)
    html = browse(world.owner).get(PAGE).content.decode()
    assert strip(html) == [
        ("Names", "done", False),
        ("Fees", "waits", True),
        ("Check-in", "waits", True),
        ("Seeds", "done", False),
        ("Draw", "done", False),
        ("Publish", "done", False),
        ("Round 1", "now", True),
        ("Round 2", "waits", True),
        ("1 more round", "waits", False),
        ("Finish", "waits", False),
    ]
    assert html.count('aria-current="step"') == 1
    day = text(html.split('class="day-now')[1].split("</section>")[0])
    assert "Round 1 1 of 3 Table 1 P01 – P04 No result yet" in day
    folded = text(html.split('data-hold="not-here"')[1].split("</div>")[0])
    assert "5 have not checked in: P02 P03 P04 P05 P06" in folded
    assert primary(html) == ["Enter results"]


def test_whoever_only_reads_gets_the_reasons_and_no_link_to_what_they_may_not_do(world, browse):
    made(world, 4)
    reader = small.account("reader")
    Role.objects.create(user=reader, league=world.league, kind=Role.Kind.READ_ONLY)
    html = browse(reader).get(PAGE).content.decode()
    day = html.split('class="night-tools"')[1].split("</section>")[0]
    assert day.count("No result yet") == 2
    assert "/grid/" not in day
    assert "<form" not in day


def test_the_next_round_is_paired_and_published_from_the_strip(world, browse):
    cup = made(world, 4, format="swiss", release=BY_ROUND)
    play(world, cup, 1)
    client = browse(world.owner)
    html = client.get(PAGE).content.decode()
    assert ("Round 2", "now", True) in strip(html)
    assert "Pair round 2" in html
    client.post(f"{PAGE}draw/next/")
    html = client.get(PAGE).content.decode()
    assert "Round 2: still a draft. Look through it, then publish it." in text(html)
    assert "Publish Round 2" in text(html)
    withdraw(cup, cup.registrations.get(seed=4).entrant, user=world.owner, reason="went home")
    held = text(client.get(PAGE).content.decode().split('class="day-now')[1].split("</section>")[0])
    assert "Pair it again, then publish it. Pair again" in held
    assert "Publish Round 2" not in held, "it would be refused"
    client.post(f"{PAGE}rounds/2/pairs/", {"do": "anew"})
    client.post(f"{PAGE}rounds/2/publish/")
    play(world, cup, 2)
    html = client.get(PAGE).content.decode()
    assert strip(html)[-2:] == [("2 rounds played", "done", False), ("Finish", "done", False)]
    assert "Competition finished" in text(html)
    assert ("/withdraw/" in html, "/late-entry/" in html) == (False, False), "nobody leaves or comes any more"


def test_rounds_stand_before_the_players_once_they_are_drawn(world, browse):
    made(world, 4)
    html = browse(world.owner).get(PAGE).content.decode()
    places = [html.index(f'id="{name}"') for name in ("publish", "evening", "rounds", "entrants")]
    assert places == sorted(places)


def test_of_seven_hundred_and_eighty_matches_a_page_shows_one_round(world, browse):
    made(world, 40)
    assert Slot.objects.filter(matchday__stage__competition__slug="tuesday").count() == 780
    client = browse(world.owner)
    html = client.get(PAGE).content.decode()
    assert re.findall(r'<details class="matchday" id="(round-\d+)"( open)?>', html) == [("round-1", " open")]
    assert html.count('<li id="slot-') == 20
    assert len(re.findall(r'<a href="\?round=\d+#rounds"', html)) == 39
    assert 'href="?round=1#rounds" aria-current="true"' in html
    assert "Round 1 20 of 20 open" in text(html)
    other = client.get(f"{PAGE}?round=7").content.decode()
    assert re.findall(r'<details class="matchday" id="(round-\d+)"( open)?>', other) == [("round-7", " open")]
    for odd in ("0", "999", "x", "-1"):
        assert 'id="round-1"' in client.get(f"{PAGE}?round={odd}").content.decode()


def test_a_small_draw_is_shown_whole_and_what_is_over_is_folded(world, browse):
    cup = made(world, 4)
    play(world, cup, 1)
    html = browse(world.owner).get(PAGE).content.decode()
    assert re.findall(r'<details class="matchday" id="(round-\d+)"( open)?>', html) == [
        ("round-1", ""),
        ("round-2", " open"),
        ("round-3", ""),
    ]


def test_a_swiss_system_is_cut_short_by_its_number_of_rounds(world, browse):
    cup = made(world, 8, format="swiss", release=BY_ROUND)
    play(world, cup, 1)
    client = browse(world.owner)
    assert re.search(r'name="rounds"[^>]* value="3"', client.get(PAGE).content.decode())
    for typed, told in (
        ("9", "opponents for 7"),
        ("0", "1 rounds are drawn"),
        ("x", "Write how many rounds"),
        ("", "Write"),
    ):
        answer = client.post(f"{PAGE}rounds/", {"rounds": typed})
        html = answer.content.decode()
        assert (answer.status_code, told in html) == (422, True), typed
        assert f'value="{typed}" aria-describedby="rounds-hint rounds-error"' in html or not typed
    answer = client.post(f"{PAGE}rounds/", {"rounds": "1"}, follow=True)
    assert "There is 1 round in all now." in text(answer.content.decode())
    stage = Stage.objects.get(competition=cup)
    assert (stage.rounds, stage.finished_at is not None) == (1, True)
    assert strip(answer.content.decode())[-1] == ("Finish", "done", False)
    assert client.post(f"{PAGE}rounds/", {"rounds": "2"}).status_code == 422


def test_a_round_that_is_published_early_is_asked_for_its_reason_where_it_is_folded(world, browse):
    cup = made(world, 4, release=BY_ROUND)
    client = browse(world.owner)
    html = client.get(PAGE).content.decode()
    assert "2 confirmed results are missing before Round 2:" in text(html)
    assert '<details class="early-round">' in html
    answer = client.post(f"{PAGE}rounds/2/publish/", {"reason": ""})
    assert '<details class="early-round" open>' in answer.content.decode()
    assert not Matchday.objects.get(stage__competition=cup, number=2).published_at


@pytest.mark.parametrize("waited", [True, False])
def test_a_player_who_does_not_come_is_one_link_from_the_forfeit(world, browse, waited):
    cup = made(world, 4)
    one = Slot.objects.filter(matchday__stage__competition=cup, matchday__number=1).first()
    absent = one.berths.get(number=1).entrant
    client = browse(world.owner)
    if waited:
        client.post(f"{PAGE}slots/{one.pk}/late/", {"do": "wait", "entrant": absent.pk})
    html = client.get(PAGE).content.decode()
    told = f"{absent.player.name} has not come to table 1: since a moment ago"
    assert (told in html) == waited
    if waited:
        assert f'href="{PAGE}slots/{one.pk}/late/"' in html

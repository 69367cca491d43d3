"""The organizer's rehearsals: asked for by a form, looked at round after round, removed with nothing left."""

import re

import pytest
from django.test import Client

from league.competitions.draw.plans import Plan, found
from league.competitions.models import Competition, Rehearsal, Stage
from league.matches.models import Match
from league.players.models import Player
from league.rehearsals import services as rehearsals
from tests.league.competitions import at_tables
from tests.league.competitions.pair_world import pairs_of
from tests.web.organize.test_organize import NEW, asked, text_of

CUP = "/organize/harbour/competitions/friday-cup/"
ALL = f"{CUP}rehearsals/"


@pytest.fixture
def client(world, browse) -> Client:
    """Of the owner, who has made the draft of a knock-out of thirteen."""
    client = browse(world.owner)
    client.post(NEW, asked(do="create"))
    return client


def shown(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    return text_of(answer.content.decode().split("<main")[1].split("</main>")[0])


def test_a_knock_out_is_rehearsed_and_looked_at_round_after_round(client) -> None:
    rows = Player.objects.count(), Match.objects.count(), Competition.objects.count()
    assert 'value="13"' in client.get(ALL).content.decode()
    answer = client.post(ALL, {"entrants": "13", "seed": "7", "no_show": "on", "late_entry": "on"})
    job = Rehearsal.objects.get()
    assert (answer.status_code, answer.url) == (302, f"{ALL}{job.pk}/")
    assert (Player.objects.count(), Match.objects.count(), Competition.objects.count()) == rows
    seen = shown(client, answer.url)
    assert "Played to its end 13 matches, from" in seen
    assert "Final ranking: 1." in seen
    assert re.search(r"Round of 16: \w+ \d+ did not come. The match was forfeited after the countdown.", seen)
    assert re.search(r"Round of 16: Latecomer 14 came late and was given a place.", seen)
    assert "Final Table 1" not in seen  # the round that is looked at is the final
    first = shown(client, f"{answer.url}?round=1")
    assert "Play the next round" in first
    assert "Final ranking" not in first
    assert "Winner of match" in first


def test_a_round_robin_has_its_standings_after_each_round(client, world) -> None:
    client.post(NEW, asked(do="create", name="League Night", format="round_robin", players="A A\nB B\nC C\nD D"))
    path = "/organize/harbour/competitions/league-night/rehearsals/"
    answer = client.post(path, {"entrants": "4", "seed": "7"})
    tables = []
    for number in (1, 2, 3):
        html = client.get(f"{answer.url}?round={number}").content.decode()
        body = html.split('id="standings-0"')[1].split("<tbody>")[1].split("</tbody>")[0]
        tables.append([int(played) for played in re.findall(r"</th><td>(\d+)</td>", body)])
    assert tables == [[1] * 4, [2] * 4, [3] * 4]


def test_the_number_of_players_and_the_things_that_go_wrong_are_as_typed_when_refused(client) -> None:
    answer = client.post(ALL, {"entrants": "1", "seed": "x", "protest": "on", "withdraw_after": "0"})
    html = answer.content.decode()
    assert answer.status_code == 422
    assert not Rehearsal.objects.exists()
    assert re.search(r'name="seed" value="x"', html)
    assert re.search(r'name="protest"[^>]*checked', html)
    for sentence in ("greater than or equal to 2", "Enter a whole number.", "greater than or equal to 1"):
        assert sentence in html


def test_too_many_matches_are_refused_at_the_field(client, monkeypatch) -> None:
    monkeypatch.setattr(rehearsals, "MOST_ELSEWHERE", 9)
    monkeypatch.setattr(rehearsals, "MOST_MATCHES", {})
    answer = client.post(ALL, {"entrants": "13"})
    assert answer.status_code == 422
    assert "there would be 12 matches; at most 9 are rehearsed here." in text_of(answer.content.decode())


def test_one_in_the_background_tells_how_far_it_is_and_comes_again_by_itself(client, monkeypatch) -> None:
    monkeypatch.setattr(rehearsals, "AT_ONCE", 0)
    answer = client.post(ALL, {"entrants": "4"}, follow=True)
    html = answer.content.decode()
    assert '<meta http-equiv="refresh" content="2">' in html
    assert "<progress" in html
    rehearsals.carry_out(Rehearsal.objects.get().pk)
    html = client.get(answer.redirect_chain[-1][0]).content.decode()
    assert "refresh" not in html
    assert "Played to its end" in html


def test_what_stood_in_the_way_is_told_in_its_own_words(client, world) -> None:
    swiss = {"format": "swiss", "rounds": "4", "players": "A A\nB B\nC C\nD D\nE E", "release": "round_by_round"}
    client.post(NEW, asked(do="create", name="Swiss Night", **swiss))
    path = "/organize/harbour/competitions/swiss-night/rehearsals/"
    answer = client.post(path, {"entrants": "5", "seed": "1", "withdraw_after": "1"}, follow=True)
    seen = text_of(answer.content.decode()).replace("&#x27;", "'")
    assert "Not played to its end See below what stood in the way." in seen
    assert "went home. Unplayed matches are forfeited." in seen
    assert "End the stage here: lower its number of rounds." in seen


def test_a_removed_one_is_gone_and_a_second_click_says_so(client) -> None:
    answer = client.post(ALL, {"entrants": "4"})
    gone = client.post(f"{answer.url}remove/", follow=True)
    assert "The rehearsal is removed. Nothing is left of it." in text_of(gone.content.decode())
    assert not Rehearsal.objects.exists()
    assert client.get(answer.url).status_code == 404
    again = client.post(f"{answer.url}remove/", follow=True)
    assert "It was removed already. Nothing changed." in text_of(again.content.decode())


def test_a_round_that_there_is_not_shows_the_last_one(client) -> None:
    answer = client.post(ALL, {"entrants": "4", "seed": "3"})
    shown(client, answer.url)  # with the word about the draft that was just made
    last = shown(client, answer.url)
    for asked_for in ("0", "99", "x", "-1", "9" * 40):
        assert shown(client, f"{answer.url}?round={asked_for}") == last


def test_nobody_but_the_organizers_learns_of_it(client, world, browse) -> None:
    answer = client.post(ALL, {"entrants": "4"})
    assert browse(world.ref).get(answer.url).status_code == 403
    assert browse().get(answer.url).status_code == 302
    for page in ("/", "/players/?q=amber", "/competitions/", "/leagues/harbour/"):
        html = browse().get(page).content.decode()
        assert "Amber" not in html
        assert "rehearsal" not in html.lower()


@pytest.mark.slow("whole evenings")
def test_of_rounds_at_tables_every_seat_and_the_points_by_place_are_shown(client, world) -> None:
    made = found(world.league, at_tables.plan(seats=4, bye_points=1), user=world.owner)
    path = f"/organize/harbour/competitions/{made.slug}/rehearsals/"
    answer = client.post(path, {"entrants": "8", "seed": "7"})
    html = client.get(f"{answer.url}?round=1").content.decode()
    listed = html.split('id="this-round"')[1].split("</ul>")[0]
    assert listed.count("<li>") == 2
    assert listed.count("<bdi>") == 8
    head = html.split('id="standings-0"')[1].split("</thead>")[0]
    assert "Points by place" in head
    assert "Lost" not in head


def test_of_pairs_the_pages_speak_of_pairs(client, world) -> None:
    made = pairs_of(world)
    path = f"/organize/harbour/competitions/{made.slug}/rehearsals/"
    assert "Pairs" in shown(client, path)
    answer = client.post(path, {"entrants": "4", "seed": "7"})
    seen = shown(client, answer.url)
    assert "Invented pairs 4 pairs Seed 7" in seen
    assert "Amber 1 &amp; Birch 2" in seen
    assert "4 pairs, seed 7" in shown(client, path)


def test_of_a_ladder_the_page_says_why_there_is_none(client, world) -> None:
    plan = Plan(name="Ladder", ruleset="udl", format=Stage.Format.LADDER, challenge_reach=2)
    found(world.league, plan, user=world.owner)
    path = "/organize/harbour/competitions/ladder/rehearsals/"
    assert "A ladder has no end to play to" in shown(client, path)
    assert 'name="seed"' not in client.get(path).content.decode()
    assert client.post(path, {"entrants": "8"}).status_code == 422
    assert not Rehearsal.objects.exists()
